"""What one person tells another, on whichever servers the two are.

Rule 1: what is for somebody on another server is told there; who ignores the speaker, is quiet or
        away is known by that server, which answers.  No answer is a refusal, which does not say
        that nothing has arrived.
Rule 2: where the listener has just moved on, the server that is asked passes it on, once.  What
        arrives while the listener's session is on its way follows it, and is read once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from contextlib import suppress

from mudserver.accounts.person import Person, is_guest_id
from mudserver.clock import Clock
from mudserver.cluster.asking import Asking
from mudserver.cluster.events import LateTell, Tell, Told
from mudserver.cluster.exchange import Exchange
from mudserver.errors import RefusalCode, UserError
from mudserver.lobby import texts
from mudserver.lobby.lobby import Lobby
from mudserver.lobby.private_lines import Attention, PrivateLine, told_private
from mudserver.messages import Message, TellMessage
from mudserver.outbox import Deliveries, Outbox
from mudserver.service.talk_history import TalkHistory


class Tells:
    def __init__(
        self,
        clock: Clock,
        lobby: Lobby,
        outbox: Outbox,
        history: TalkHistory,
        exchange: Exchange,
        asking: Asking,
    ) -> None:
        self._clock, self._lobby, self._outbox = clock, lobby, outbox
        self._history, self._exchange, self._asking = history, exchange, asking
        exchange.on(Tell, self._hear)
        exchange.on(LateTell, lambda server, late: self._hear_late(late))

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

    def pass_on(self, person: Person, messages: Iterable[Message]) -> None:
        """A session of *person* was sent these when it had gone on: here again, or elsewhere."""
        for message in messages:
            if not isinstance(message, TellMessage) or message.to is not None:
                continue
            if self._lobby.here(person.id) is not None:
                self._outbox.send(person.id, message)
                continue
            who, is_guest = message.speaker, is_guest_id(message.speaker)
            self._exchange.tell(LateTell(who, message.who, is_guest, person.id, message.text))

    def _hear_late(self, late: LateTell) -> None:
        if (here := self._lobby.here(late.listener)) is not None:
            speaker = Person(late.speaker, late.speaker_name, late.is_guest)
            line = PrivateLine(speaker, here.person, late.text)
            with suppress(UserError):  # whom the listener ignores since
                self._deliver(self._lobby.hear_private(line, self._clock.monotonic())[0])

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
        there, who = self._lobby.elsewhere.get(line.listener.id), line.speaker
        if there is None:
            return None
        server, what = there.server, (line.listener.id, line.text)
        return await self._asking.ask(
            lambda number: Tell(server, number, who.id, who.name, who.is_guest, *what)
        )

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
            self._asking.answer(Told(asked_by, ask.number, texts.JUST_LEFT, "not_found"))
            return
        speaker = Person(ask.speaker, ask.speaker_name, ask.is_guest)
        line = PrivateLine(speaker, here.person, ask.text)
        try:
            told, attention = self._lobby.hear_private(line, self._clock.monotonic())
        except UserError as refusal:
            self._asking.answer(Told(asked_by, ask.number, str(refusal), refusal.code))
            return
        self._deliver(told)
        answer = Told(asked_by, ask.number, away=attention.away, idle_s=attention.idle_s)
        self._asking.answer(answer)


def _rest_of(ask: Tell) -> tuple[int, str, str, bool, str, str]:
    return ask.number, ask.speaker, ask.speaker_name, ask.is_guest, ask.listener, ask.text
