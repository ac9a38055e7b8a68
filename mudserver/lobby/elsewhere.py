"""Who is online on the other servers, as each of them tells of its own people.

Rule 1: for a moment two servers may have the same person, who walks or has just logged in again.
        Of these the newest counts, and when its server tells that it has gone the other one does.
Rule 2: each server tells of all its people now and then, in rounds.  Whoever was not told of in a
        round has gone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from mudserver.accounts.person import Person
from mudserver.lobby.presence import PresenceElsewhere
from mudserver.lobby.seek import Seek


class PeopleElsewhere:
    def __init__(self) -> None:
        self._known: dict[str, dict[str, PresenceElsewhere]] = {}  # by id and server
        self._newest: dict[str, PresenceElsewhere] = {}  # by id
        self._by_name: dict[str, str] = {}  # folded name -> id
        self.missed: dict[str, Person] = {}
        """By id, of servers that are gone; nobody has been told yet that they have left."""
        self.on_seeks: Callable[[str], None] = lambda person_id: None
        """Told who offers other games than before."""

    def __len__(self) -> int:
        return len(self._newest)

    def __contains__(self, person_id: str) -> bool:
        return person_id in self._newest

    def is_known(self, person_id: str) -> bool:
        """Whether people have read that the person has come, and not of a leaving."""
        return person_id in self._newest or person_id in self.missed

    def __iter__(self) -> Iterator[PresenceElsewhere]:
        return iter(self._newest.values())

    def get(self, person_id: str) -> PresenceElsewhere | None:
        return self._newest.get(person_id)

    @property
    def ids(self) -> Collection[str]:
        return self._newest.keys()

    @property
    def ids_by_name(self) -> Mapping[str, str]:
        """By names in lower case."""
        return self._by_name

    def named(self, name: str) -> Person | None:
        """Who is called exactly so, in any case of letters."""
        return None if (found := self.find(name.lower())) is None else found.person

    def find(self, folded: str) -> PresenceElsewhere | None:
        """Who is called so, in lower case."""
        found = self._by_name.get(folded)
        return None if found is None else self._newest[found]

    def is_program(self, person_id: str) -> bool:
        found = self._newest.get(person_id)
        return found is not None and found.is_program

    def put(self, presence: PresenceElsewhere) -> None:
        """Its server tells of it."""
        person_id = presence.person.id
        self._known.setdefault(person_id, {})[presence.server] = presence
        self._choose(person_id)

    def remove(self, server: str, person_id: str) -> PresenceElsewhere | None:
        """The person has left that server; None: nobody knew of it."""
        known = self._known.get(person_id, {})
        gone = known.pop(server, None)
        if gone is not None:
            self._choose(person_id)
        return gone

    def end_round(self, server: str, number: int, people: int) -> None:
        """A server has told of all its people, unless something of it was lost.

        Args:
            people: How many it has told of.
        """
        own = [(it, by[server]) for it, by in self._known.items() if server in by]
        if sum(presence.round == number for _, presence in own) < people:
            return
        for person_id, presence in own:
            if presence.round != number:
                self.remove(server, person_id)

    def keep_only(self, servers: Collection[str]) -> list[Person]:
        """The others are gone; returns who is on none of *servers*."""
        gone = dict[str, Person]()
        for person_id, by_server in list(self._known.items()):
            for server in by_server.keys() - set(servers):
                if (presence := self.remove(server, person_id)) is not None:
                    gone[person_id] = presence.person
        return [person for person in gone.values() if person.id not in self._newest]

    def at(self, table: int) -> Iterable[str]:
        """Ids of the people at that table."""
        return (it.person.id for it in self._newest.values() if it.table == table)

    def _choose(self, person_id: str) -> None:
        before, known = self._newest.pop(person_id, None), self._known[person_id]
        if before is not None and self._by_name.get(before.person.name.lower()) == person_id:
            del self._by_name[before.person.name.lower()]
        if not known:
            del self._known[person_id]
        else:
            newest = max(known.values(), key=lambda it: (it.since_ms, it.round))
            self._newest[person_id] = newest
            self._by_name[newest.person.name.lower()] = person_id
        if (() if before is None else before.seeks) != self._seeks_of(person_id):
            self.on_seeks(person_id)

    def _seeks_of(self, person_id: str) -> tuple[Seek, ...]:
        found = self._newest.get(person_id)
        return () if found is None else found.seeks
