"""One session of a person among all servers of a journal: the newest; the one before ends.

Rule 1: all servers hear the same in the same order, themselves too.  What is told last of a person
        counts: whoever waits for own words passes over what others tell before them.
Rule 2: whatever was told while the bus was broken may be lost, so all are told again after it.
Rule 3: nothing of it is kept, and nobody waits.
"""

from __future__ import annotations

import json
import logging
from itertools import islice

from mudserver.journal.interface import ServerBus
from mudserver.service.online_people import OnlinePeople

TOLD_AT_ONCE = 100  # people; an id has 20 characters at most
CAME_ELSEWHERE = "You have logged in at another server, so this session ends."

log = logging.getLogger(__name__)


class OneSession:
    """Args: bus: None: there are no other servers."""

    def __init__(self, bus: ServerBus | None, online: OnlinePeople) -> None:
        self._bus, self._online = bus, online
        self._unheard = dict[str, int]()  # the number under which each person was told of last
        if bus is not None:
            online.on_enter = lambda person_id: self._tell([person_id])
            bus.on_heard, bus.on_connected = self._hear, self._tell_all

    def _tell(self, people: list[str]) -> None:
        if self._bus is not None and (number := self._bus.tell(json.dumps(["came", people]))):
            self._unheard.update(dict.fromkeys(people, number))

    def _tell_all(self) -> None:
        """[rule 2]"""
        self._unheard.clear()
        people = iter([online.person.id for online in self._online.all()])
        while part := list(islice(people, TOLD_AT_ONCE)):
            self._tell(part)

    def _hear(self, is_own: bool, number: int, text: str) -> None:
        try:
            kind, people = json.loads(text)
        except (TypeError, ValueError):
            kind, people = "", []
        if kind != "came":  # of a later release
            log.debug("not understood text=%r", text[:80])
            return
        for person_id in people:
            if is_own:
                if self._unheard.get(person_id) == number:
                    del self._unheard[person_id]
            elif person_id not in self._unheard:  # else this server is heard after that one
                self._online.end(person_id, CAME_ELSEWHERE)
