"""The questions of SSH authentication, asked across the wall.

Rule 1: a question without an answer within `wall.ask_s` is `NoAnswer`.  When the wall breaks, it is
        asked again at the next game server, which takes an account as made that this password
        opens and that is new; but not for a recovery, whose code may be used up.
Rule 2: what a stranger sends fits a frame, or it is refused here: a frame that is out of bounds
        would end the wall for everybody.
"""

from __future__ import annotations

import asyncio
import itertools
from typing import Protocol

import msgspec

from mudserver.clock import Clock
from mudserver.transport.link import NameStatus, NoAnswer
from mudserver.wall import texts
from mudserver.wall.bodies import (
    KEY_CHARS_MAX,
    NAME_CHARS_MAX,
    PASSWORD_CHARS_MAX,
    Answer,
    Ask,
    Question,
    encode_body,
)

ONCE = ("recover",)


class _Asked:
    """A question, and the game server that was asked; None: none was."""

    __slots__ = ("answer", "ask", "server")

    def __init__(self, ask: Ask, server: object) -> None:
        self.ask, self.server = ask, server
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()


class Asker(Protocol):
    """What questions need of the door."""

    clock: Clock

    def ask(self, body: bytes) -> object:
        """Say an ASK to a game server.  Returns which one; None: there is none."""


class Questions:
    """`transport.link.Authenticator` of a door."""

    def __init__(self, door: Asker, ask_s: float) -> None:
        self._door, self._ask_s = door, ask_s
        self._waiting: dict[int, _Asked] = {}
        self._numbers = itertools.count(1)

    def note_answer(self, answer: Answer) -> None:
        asked = self._waiting.get(answer.request)
        if asked is not None and not asked.answer.done():
            asked.answer.set_result(answer)

    def wall_lost(self, server: object) -> None:
        """The wall to *server* is broken: what it was asked is asked at another one."""
        for asked in self._waiting.values():
            if asked.server is not server:
                continue
            asked.server = None
            if asked.ask.question in ONCE and not asked.answer.done():
                asked.answer.set_exception(NoAnswer(texts.RESTARTING))
        self.ask_again()

    def ask_again(self) -> None:
        """There is a game server again."""
        for asked in self._waiting.values():
            if asked.server is None and not asked.answer.done():
                again = msgspec.structs.replace(asked.ask, is_again=True)
                asked.server = self._door.ask(encode_body(again))

    async def _ask(
        self,
        question: Question,
        name: str = "",
        *,
        key: str = "",
        fingerprint: str = "",
        password: str = "",
        peer: str = "",
        keeps_keys: bool = True,
    ) -> Answer:
        if len(name) > NAME_CHARS_MAX or len(password) > PASSWORD_CHARS_MAX:
            return Answer(0, sentence=texts.TOO_LONG)
        number = next(self._numbers)
        ask = Ask(number, question, name, key, fingerprint, password, peer, keeps_keys)
        asked = self._waiting[number] = _Asked(ask, self._door.ask(encode_body(ask)))
        timer = self._door.clock.call_later(self._ask_s, lambda: _give_up(asked.answer))
        try:
            return await asked.answer
        finally:
            timer.cancel()
            del self._waiting[number]

    async def name_status(self, name: str, peer: str) -> tuple[NameStatus, str]:
        answer = await self._ask("name_status", name, peer=peer)
        return answer.status, answer.sentence or ""

    async def has_key(self, name: str, fingerprint: str, peer: str) -> bool:
        answer = await self._ask("has_key", name, fingerprint=fingerprint, peer=peer)
        return bool(answer.number)

    async def new_key_obstacle(self, name: str, key: str, fingerprint: str) -> str | None:
        if len(key) > KEY_CHARS_MAX:
            return ""  # no such key is accepted, and it need not be said
        answer = await self._ask("new_key_obstacle", name, key=key, fingerprint=fingerprint)
        return answer.sentence

    async def proven_key_obstacle(self, fingerprint: str) -> str:
        answer = await self._ask("proven_key_obstacle", fingerprint=fingerprint)
        return answer.sentence or ""

    async def check_password(self, name: str, password: str, peer: str) -> bool:
        answer = await self._ask("check_password", name, password=password, peer=peer)
        return bool(answer.number)

    async def other_keys(self, name: str) -> int:
        return (await self._ask("other_keys", name)).number

    async def recover(self, name: str, password: str, peer: str, *, keeps_keys: bool) -> str:
        answer = await self._ask(
            "recover", name, password=password, peer=peer, keeps_keys=keeps_keys
        )
        return answer.sentence or ""

    async def register(self, name: str, password: str, peer: str, *, is_again: bool = False) -> str:
        return (await self._ask("register", name, password=password, peer=peer)).sentence or ""


def _give_up(waiting: asyncio.Future[Answer]) -> None:
    if not waiting.done():
        waiting.set_exception(NoAnswer(texts.RESTARTING))
