"""Reviews: which of a person's own decisions in a finished game could have been clearly better.

Rule 1: each decision is judged by what the seat saw and had heard just then, by nothing hidden.
Rule 2: it is judged by the computer players' processes, after all tables and beside hints.  At once
        there is one review a person, AT_ONCE_MAX in all, and each takes WHOLE_S at most: what was
        not looked at by then is left out.
Rule 3: nothing of it is stored.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from mudserver.accounts.person import Person
from mudserver.bots.interface import BotClient
from mudserver.errors import UserError
from mudserver.messages import Message, Notice, Page
from mudserver.outbox import Outbox
from mudserver.service import texts
from mudserver.tables.advice import OwnDecision
from variants.catalogue import AnyVariant, Catalogue

log = logging.getLogger(__name__)

WHOLE_S = 20.0
AT_ONCE_MAX = 4
ROWS_MAX = 5


class ReviewTables(Protocol):
    """What is needed of `TableManager`."""

    def own_decisions(self, person: str) -> tuple[str, Iterator[OwnDecision]]: ...


class _Better(NamedTuple):
    gain: float
    number: int  # of the decision
    row: str


class Reviews:
    def __init__(
        self, tables: ReviewTables, bots: BotClient, outbox: Outbox, catalogue: Catalogue
    ) -> None:
        self._tables, self._bots = tables, bots
        self._outbox, self._catalogue = outbox, catalogue
        self._tasks: dict[str, asyncio.Task[None]] = {}  # by person

    def ask(self, person: Person, network: str) -> None:
        """Send the person a review of the game that is over, soon.  UserError: there is none."""
        name, decisions = self._tables.own_decisions(person.id)
        variant = self._catalogue[name]
        if variant.better_action is None:
            raise UserError(texts.NO_REVIEWS.format(name), "not_found")
        if person.id in self._tasks:
            raise UserError(texts.REVIEW_RUNS, "busy")
        if len(self._tasks) >= AT_ONCE_MAX:
            raise UserError(texts.HINT_BUSY, "busy")
        self._outbox.send(person.id, Notice(texts.REVIEW_BEGINS))
        review = self._review(person.id, variant, decisions, network)
        task = self._tasks[person.id] = asyncio.create_task(review, name="review")
        task.add_done_callback(lambda _: self._tasks.pop(person.id, None))

    async def _review(
        self, person: str, variant: AnyVariant, decisions: Iterator[OwnDecision], network: str
    ) -> None:
        found, count, is_late = list[_Better](), 0, False
        try:
            async with asyncio.timeout(WHOLE_S):
                for decision in decisions:
                    better = await self._bots.better_action(
                        variant.name, decision.view, decision.seen, decision.action, network
                    )
                    count += 1
                    if better is not None:
                        found.append(_Better(better[1], count, _row(variant, decision, better[0])))
        except TimeoutError:
            is_late = True
        except Exception as exc:
            log.warning("review failed variant=%s err=%s", variant.name, type(exc).__name__)
            self._outbox.send(person, Notice(texts.HINT_BUSY))
            return
        if not count:
            self._outbox.send(person, Notice(texts.HINT_BUSY if is_late else texts.NO_DECISIONS))
            return
        self._outbox.send(person, _page(found, count))


def _row(variant: AnyVariant, decision: OwnDecision, better: object) -> str:
    view, names = decision.view, decision.names
    played, move = variant.phrase(decision.action, view, names), variant.phrase(better, view, names)
    reasons = variant.explain(view, decision.seen, better)
    why = "".join([f" {reason.format(names)}" for reason in reasons[:1]])
    return texts.BETTER.format(decision.turn, played, move, why)


def _page(found: list[_Better], count: int) -> Message:
    """The decisions that cost most, in their order."""
    if not found:
        return Notice(texts.NOTHING_BETTER.format(count))
    worst = sorted(found, key=lambda it: (-it.gain, it.number))[:ROWS_MAX]
    rows = [it.row for it in sorted(worst, key=lambda it: it.number)]
    return Page(texts.REVIEW_TITLE.format(count), tuple(rows))
