"""One session of a person among all servers of a journal: the newest; the one before ends.

Rule 1: all servers hear the same in the same order, themselves too.  What is told last of a person
        counts: whoever waits for own words passes over what others tell before them.
Rule 2: "came": the person has logged in.  Every other session ends, whatever the clocks say.
Rule 3: "here": there is a session since then.  That is told of all people when something may have
        been lost, and of a session that goes on after a restart.  Whoever has a newer one answers,
        whoever has an older one ends it; the clocks of the servers decide.
Rule 4: "older": the answer.  It ends that session, and none that has come in its place.
Rule 5: nothing of it is kept, and nobody waits.  Mostly no session has to end so: whoever logs in
        comes in where the session is (`walks.py`), if a door can take the connection there.
"""

from __future__ import annotations

import logging
from typing import Literal

import msgspec

from mudserver.journal.interface import ServerBus
from mudserver.service.online_people import OnlinePeople

TOLD_AT_ONCE = 100  # sessions, 45 bytes each at most
CAME_ELSEWHERE = "You have logged in at another server, so this session ends."

log = logging.getLogger(__name__)

Kind = Literal["came", "here", "older"]
Began = tuple[str, int]
"""The id of a person, and since when the session is there; UTC, ms."""


class OneSession:
    """Args: bus: None: there are no other servers."""

    def __init__(self, bus: ServerBus | None, online: OnlinePeople) -> None:
        self._bus, self._online = bus, online
        self._unheard = dict[str, int]()  # the number under which each person was told of last
        if bus is not None:
            online.on_enter = self._on_enter
            bus.on_heard, bus.on_connected = self._hear, self._tell_all

    def _on_enter(self, person_id: str, since_ms: int, goes_on: bool) -> None:
        self._tell("here" if goes_on else "came", [(person_id, since_ms)])

    def _tell(self, kind: Kind, sessions: list[Began]) -> None:
        text = msgspec.json.encode((kind, sessions)).decode()
        if self._bus is not None and (number := self._bus.tell(text)) and kind != "older":
            self._unheard.update((person_id, number) for person_id, _ in sessions)

    def _tell_all(self) -> None:
        """[rule 3]"""
        self._unheard.clear()
        sessions = [(online.person.id, online.since_ms) for online in self._online.all()]
        for first in range(0, len(sessions), TOLD_AT_ONCE):
            self._tell("here", sessions[first : first + TOLD_AT_ONCE])

    def _hear(self, server: str, number: int, text: str) -> None:
        try:
            kind, sessions = msgspec.json.decode(text, type=tuple[Kind, list[Began]])
        except msgspec.MsgspecError:  # of another release
            log.debug("not understood text=%r", text[:80])
            return
        if self._bus is None or server != self._bus.server:
            self._hear_other(kind, sessions)
            return
        for person_id, _ in sessions:
            if self._unheard.get(person_id) == number:
                del self._unheard[person_id]

    def _hear_other(self, kind: Kind, sessions: list[Began]) -> None:
        older = list[Began]()
        for person_id, since_ms in sessions:
            here = self._online.get(person_id)
            if here is None or person_id in self._unheard:  # [rule 1]
                continue
            if kind == "here" and here.since_ms > since_ms:
                older.append((person_id, since_ms))
            elif kind != "older" or here.since_ms == since_ms:
                self._online.end(person_id, CAME_ELSEWHERE, is_moving=True)
        if older:
            self._tell("older", older)
