"""People who were on a server that is gone: what the others are told of them.

Rule 1: for MISSED_S nobody is told anything.  Mostly they go on at another server meanwhile, on the
        same connection, and have neither left nor come.
Rule 2: who is nowhere by then has left.  Who goes on somewhere after that has come.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection
from functools import partial

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.lobby.lobby import Lobby

MISSED_S = 10.0  # more than a door waits before it opens sessions at another server
LEFT_MAX = 10_000


class Missed:
    """Args: on_person: Told of somebody, and whether that person has come or left."""

    def __init__(
        self, clock: Clock, lobby: Lobby, on_person: Callable[[Person, bool], None]
    ) -> None:
        self._clock, self._lobby, self._on_person = clock, lobby, on_person
        self._missed = lobby.elsewhere.missed
        self._left: OrderedDict[str, None] = OrderedDict()  # told to have left, oldest first

    def note(self, people: Collection[Person]) -> None:
        """Their server is gone, and no other one has told of them."""
        missed = {it.id: it for it in people if self._lobby.here(it.id) is None}
        if missed:
            self._missed.update(missed)
            self._clock.call_later(MISSED_S, partial(self._tell, missed))

    def _tell(self, missed: dict[str, Person]) -> None:
        for person_id, person in missed.items():
            if self._missed.get(person_id) is not person:
                continue
            del self._missed[person_id]
            if self._lobby.presence_of(person_id) is None:
                self._left[person_id] = None
                if len(self._left) > LEFT_MAX:
                    self._left.popitem(last=False)
                self._on_person(person, False)

    def take_left(self, person_id: str) -> bool:
        """The person is somewhere again.  Whether people were told of a leaving."""
        return self._left.pop(person_id, self) is None

    def note_own(self, person_id: str, *, is_news: bool) -> None:
        """Somebody has come here, left or changed; of news people are told anyway."""
        if not (self._missed or self._left):
            return
        here = self._lobby.here(person_id)
        if here is None:
            self._missed.pop(person_id, None)
        elif self.take_left(person_id) and not is_news:
            self._on_person(here.person, True)
