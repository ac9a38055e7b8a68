"""Hints: what the strongest computer player would do in a person's place, and why.

Rule 1: it is asked with what a computer player in that seat would get.  The table does not hear of
        it: no event, no queue, and no line in a log but that one failed.
Rule 2: computer players at tables go first; of hints AT_ONCE_MAX wait, of one person one.
Rule 3: an answer to a decision that is over is dropped.
Rule 4: whoever asks twice about one decision gets one answer.
Rule 5: how many hints somebody has had is not stored: a restart forgets it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

from mudserver.accounts.person import Person
from mudserver.bots.interface import BotClient
from mudserver.clock import Clock
from mudserver.errors import UserError
from mudserver.messages import HintMessage, Notice
from mudserver.outbox import Outbox
from mudserver.service import texts
from mudserver.service.lessons import Lessons
from mudserver.tables.advice import AdvisedSeat
from variants.catalogue import AnyVariant, Catalogue
from variants.contract import lists_all_actions

log = logging.getLogger(__name__)

ANSWER_S = 2.0
EVERY_S = 3.0  # one hint
PER_GAME_MAX = 30
AT_ONCE_MAX = 8
PEOPLE_MAX = 10_000  # of whom it is known how many hints they have had


class HintTables(Protocol):
    """What is needed of `TableManager`."""

    def advised_seat(self, person: str) -> AdvisedSeat: ...
    def has_hints(self, person: str) -> bool: ...


@dataclass(slots=True)
class _Asker:
    game: tuple[int, int]  # the table's number and the game's
    hints: int = 0  # in that game
    asked_s: float = float("-inf")  # the last time, on the monotonic clock


class Hints:
    def __init__(
        self,
        tables: HintTables,
        lessons: Lessons,
        bots: BotClient,
        outbox: Outbox,
        catalogue: Catalogue,
        clock: Clock,
        make_seed: Callable[[], bytes],
    ) -> None:
        self._tables, self._lessons, self._bots = tables, lessons, bots
        self._outbox, self._catalogue, self._clock = outbox, catalogue, clock
        self._make_seed, self._secret = make_seed, b""
        self._askers: OrderedDict[str, _Asker] = OrderedDict()  # by person
        self._tasks: dict[str, asyncio.Task[None]] = {}  # by person

    def ask(self, person: Person, network: str) -> None:
        """Send the person a hint, soon.  UserError: there is none, or none now.

        Args:
            network: Whose turn it takes among those who ask.
        """
        if self._lessons.is_learning(person.id):
            move, reason = self._lessons.hint(person)
            self._outbox.send(person.id, HintMessage(move, reason or texts.HINT_OF_STEP, ()))
            return
        seat = self._tables.advised_seat(person.id)
        variant = self._catalogue[seat.variant]
        if seat.waits_for:
            self._outbox.send(person.id, Notice(_meanwhile(seat, variant)))
            return
        is_last = self._count(person.id, (seat.table, seat.game))
        task = asyncio.create_task(self._advise(person.id, seat, network, is_last), name="hint")
        self._tasks[person.id] = task
        task.add_done_callback(lambda _: self._tasks.pop(person.id, None))

    def are_on(self, person: Person) -> bool:
        """Whether the person can have hints in the game at the own table."""
        return self._tables.has_hints(person.id)

    def _count(self, person: str, game: tuple[int, int]) -> bool:
        """Count a hint; whether it is the last one of this game.  UserError: none is left."""
        asker = self._askers.setdefault(person, _Asker(game))
        if asker.game != game:
            asker.game, asker.hints = game, 0
        if len(self._askers) > PEOPLE_MAX:
            self._askers.popitem(last=False)
        now_s = self._clock.monotonic()
        if asker.hints >= PER_GAME_MAX:
            raise UserError(texts.HINTS_USED.format(PER_GAME_MAX), "limit")
        if person in self._tasks or now_s - asker.asked_s < EVERY_S:
            raise UserError(texts.HINT_AGAIN, "limit")
        if len(self._tasks) >= AT_ONCE_MAX:
            raise UserError(texts.HINT_BUSY, "busy")
        asker.hints, asker.asked_s = asker.hints + 1, now_s
        return asker.hints == PER_GAME_MAX

    async def _advise(self, person: str, seat: AdvisedSeat, network: str, is_last: bool) -> None:
        variant = self._catalogue[seat.variant]
        level = list(variant.bots)[-1]
        self._secret = self._secret or self._make_seed()
        decision = f"{person} {_decision(seat)}".encode()
        seed = int.from_bytes(sha256(self._secret + decision).digest()[:7])
        try:
            async with asyncio.timeout(ANSWER_S):
                action = await self._bots.choose(
                    seat.variant, level, seat.view, seat.seen, seed, network, is_advice=True
                )
            if self._is_open(person, seat):
                self._send(person, variant, action, seat.view, seat.seen, seat.names)
                if is_last:
                    self._outbox.send(person, Notice(texts.LAST_HINT))
            else:
                self._give_back(person)
        except Exception as exc:
            log.warning("hint failed table=%s err=%s", seat.table, type(exc).__name__)
            self._give_back(person)
            self._outbox.send(person, Notice(texts.HINT_BUSY))

    def _give_back(self, person: str) -> None:
        """The hint that was counted was none."""
        if asker := self._askers.get(person):
            asker.hints = max(0, asker.hints - 1)

    def _is_open(self, person: str, seat: AdvisedSeat) -> bool:
        """Whether the decision is still to be made."""
        try:
            now = self._tables.advised_seat(person)
        except UserError:
            return False
        return not now.waits_for and _decision(now) == _decision(seat)

    def _send(
        self, person: str, variant: AnyVariant, action: Any, view: Any, seen: Sequence[Any],
        names: Sequence[str],
    ) -> None:  # fmt: skip
        reasons = variant.explain(view, seen, action)
        says = " ".join([reason.format(names) for reason in reasons])
        if not says and lists_all_actions(variant, view):
            says = texts.BEST_OF.format(len(variant.legal_actions(view)))
        codes = tuple([reason.code for reason in reasons])
        move = variant.phrase(action, view, names)
        self._outbox.send(person, HintMessage(move, says or texts.BEST, codes))


def _decision(seat: AdvisedSeat) -> tuple[int, int, str, int]:
    return seat.table, seat.game, seat.window, seat.decided


def _meanwhile(seat: AdvisedSeat, variant: AnyVariant) -> str:
    """Whose turn it is, and a tip for the decision that is open; else the first for any."""
    fitting = [tip.text for tip in variant.tips if tip.clock_name == seat.clock_name]
    tips = fitting or [tip.text for tip in variant.tips]
    said = texts.HINT_NOT_YOUR_TURN.format(seat.waits_for)
    return f"{said} Meanwhile: {tips[0]}" if tips else said
