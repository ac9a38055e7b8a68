"""One session of a person among all servers of a journal: the newest; the one before ends.

Rule 1: all servers hear the same in the same order, themselves too.  Of two servers where a person
        comes in, the one that is heard last keeps the session.
Rule 2: whatever was told while the bus was broken may be lost, so all are told again after it.
Rule 3: nothing of it is kept, and nobody waits.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
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
        self._unheard = Counter[str]()  # how often each person was told of and not heard of yet
        if bus is not None:
            online.on_enter = lambda person_id: self._tell([person_id])
            bus.on_heard, bus.on_connected = self._hear, self._tell_all

    def _tell(self, people: list[str]) -> None:
        if self._bus is not None and self._bus.tell(json.dumps(["came", people])):
            self._unheard.update(people)

    def _tell_all(self) -> None:
        """[rule 2]"""
        self._unheard.clear()
        people = iter([online.person.id for online in self._online.all()])
        while part := list(islice(people, TOLD_AT_ONCE)):
            self._tell(part)

    def _hear(self, is_own: bool, text: str) -> None:
        try:
            kind, people = json.loads(text)
        except (TypeError, ValueError):
            kind, people = "", []
        if kind != "came":  # of a later release
            log.debug("not understood text=%r", text[:80])
            return
        for person_id in people:
            if is_own:
                self._unheard[person_id] -= 1
                if self._unheard[person_id] <= 0:
                    del self._unheard[person_id]
            elif not self._unheard[person_id]:  # else this server is heard after that one
                self._online.end(person_id, CAME_ELSEWHERE)
