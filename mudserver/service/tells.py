"""What one person tells another, on whichever servers the two are.

Rule 1: what is for somebody on another server is told there; who ignores the speaker, is quiet or
        away is known by that server, which answers.  No answer within ANSWER_S is a refusal, which
        does not say that nothing has arrived.
Rule 2: where the listener has just moved on, the server that is asked passes it on, once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from itertools import count

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.cluster.events import Tell, Told
from mudserver.cluster.exchange import Exchange
from mudserver.errors import RefusalCode, UserError
from mudserver.lobby import texts
from mudserver.lobby.lobby import Lobby
from mudserver.lobby.private_lines import Attention, PrivateLine, told_private
from mudserver.outbox import Deliveries, Outbox
from mudserver.service.talk_history import TalkHistory

ANSWER_S = 2.0
OPEN_MAX = 1_000  # lines that wait for an answer


class Tells:
    def __init__(
        self, clock: Clock, lobby: Lobby, outbox: Outbox, history: TalkHistory, exchange: Exchange
    ) -> None:
        self._clock, self._lobby, self._outbox = clock, lobby, outbox
        self._history, self._exchange = history, exchange
        self._numbers, self._asked = count(1), dict[int, asyncio.Future[Told]]()
        exchange.on(Tell, self._hear)
        exchange.on(Told, self._hear_answer)

    def tell(self, person: Person, name: str, text: str) -> Awaitable[None] | None:
        """Tell somebody something; UserError: as for `Lobby.tell`."""
        return self._send(self._lobby.tell(person.id, name, text, self._clock.monotonic()))

    def reply(self, person: Person, text: str) -> Awaitable[None] | None:
        """Answer whoever told the person something last.  UserError: as for `Lobby.reply`."""
        return self._send(self._lobby.reply(person.id, text, self._clock.monotonic()))

    def _send(self, told: Deliveries | PrivateLine) -> Awaitable[None] | None:
        if isinstance(told, PrivateLine):
            return self._ask(told)
        self._deliver(told)
        return None

    def _deliver(self, deliveries: Deliveries) -> None:
        self._outbox.send_each(self._history.with_tells(deliveries))

    async def _ask(self, line: PrivateLine) -> None:
        """UserError: why the listener was not told."""
        speaker, listener = line.speaker, line.listener
        answer = await self._answer(line)
        if answer is None:
            raise UserError(texts.NOT_REACHED.format(listener.name), "busy")
        if answer.refusal:
            code: RefusalCode = "not_found" if answer.code == "not_found" else "declined"
            raise UserError(answer.refusal, code)
        if self._lobby.here(speaker.id) is not None:
            attention = Attention(answer.away, answer.idle_s)
            self._deliver([*told_private(line), *attention.notices(line)])

    async def _answer(self, line: PrivateLine) -> Told | None:
        there = self._lobby.elsewhere.get(line.listener.id)
        if there is None or len(self._asked) >= OPEN_MAX:
            return None
        number, who = next(self._numbers), line.speaker
        ask = Tell(
            there.server, number, who.id, who.name, who.is_guest, line.listener.id, line.text
        )
        if not self._exchange.tell(ask):
            return None
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(ANSWER_S):
                found: Told = await answer
                return found
        except TimeoutError:
            return None
        finally:
            del self._asked[number]

    def _hear(self, server: str, ask: Tell) -> None:
        """Another server asks for somebody here."""
        if ask.server != self._exchange.own:
            return
        asked_by, here = ask.asked_by or server, self._lobby.here(ask.listener)
        if here is None:
            there = self._lobby.elsewhere.get(ask.listener)
            if there is not None and not ask.asked_by:  # [rule 2]
                self._exchange.tell(Tell(there.server, *_rest_of(ask), asked_by=asked_by))
                return
            self._answer_to(Told(asked_by, ask.number, texts.JUST_LEFT, "not_found"))
            return
        speaker = Person(ask.speaker, ask.speaker_name, ask.is_guest)
        line = PrivateLine(speaker, here.person, ask.text)
        try:
            told, attention = self._lobby.hear_private(line, self._clock.monotonic())
        except UserError as refusal:
            self._answer_to(Told(asked_by, ask.number, str(refusal), refusal.code))
            return
        self._deliver(told)
        self._answer_to(Told(asked_by, ask.number, away=attention.away, idle_s=attention.idle_s))

    def _answer_to(self, answer: Told) -> None:
        if answer.server == self._exchange.own:  # the listener has come here meanwhile
            self._hear_answer(answer.server, answer)
        else:
            self._exchange.tell(answer)

    def _hear_answer(self, server: str, answer: Told) -> None:
        if answer.server != self._exchange.own:
            return
        asked = self._asked.get(answer.number)
        if asked is not None and not asked.done():
            asked.set_result(answer)


def _rest_of(ask: Tell) -> tuple[int, str, str, bool, str, str]:
    return ask.number, ask.speaker, ask.speaker_name, ask.is_guest, ask.listener, ask.text
