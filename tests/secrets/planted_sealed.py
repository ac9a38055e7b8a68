"""Leaks planted on purpose where several answer in secret, where one window interrupts another, and
where a game is asked what is no play: the server, honest except for one leak each.  [G-11]

Rule 1: as in `planted.py`.
"""

from __future__ import annotations

import logging
from typing import Any

import msgspec
from pytest import MonkeyPatch

from mudserver.messages import Notice, ViewMessage
from mudserver.tables import game_facts, runner, table
from mudserver.tables import records as f
from mudserver.tables.game import Game
from tests.secrets.planted import Plant, number_of
from variants.contract import Seat

log = logging.getLogger("planted")


def answered_under_seal(game: Game | None, fact: Any) -> bool:
    """Whether the answer leaves the window open that it was given in."""
    window = game.window if game is not None else None
    return isinstance(fact, f.Played) and window is not None and window.is_sealed


def who_has_answered_is_no_longer_asked(patch: MonkeyPatch) -> None:
    honest = table.Table.view_message

    def leaky(self: table.Table, reader: Any, why: str) -> ViewMessage:
        shown = honest(self, reader, why)
        assert self.game is not None
        unanswered = tuple(self.game.unanswered_seats())
        return msgspec.structs.replace(shown, asked=unanswered or shown.asked)

    patch.setattr(table.Table, "view_message", leaky)


def who_has_answered_is_named(patch: MonkeyPatch) -> None:
    honest = runner.commit

    def commit(at: table.Table, record: f.Record) -> Any:
        deliveries = list(honest(at, record))
        for fact in record.facts:
            if isinstance(fact, f.Played) and answered_under_seal(at.game, fact):
                notice = Notice(f"{at.game.names[fact.seat]} has answered.")  # type: ignore[union-attr]
                deliveries += [(person, notice) for person in sorted(at.people())]
        return deliveries

    patch.setattr(runner, "commit", commit)


def the_log_says_who_has_answered(patch: MonkeyPatch) -> None:
    honest = runner.commit

    def commit(at: table.Table, record: f.Record) -> Any:
        deliveries = honest(at, record)
        for fact in record.facts:
            if isinstance(fact, f.Played) and answered_under_seal(at.game, fact):
                log.info("answered table=%s seat=%s", at.number, fact.seat)
        return deliveries

    patch.setattr(runner, "commit", commit)


def an_answer_is_told_before_all_are_in(patch: MonkeyPatch) -> None:
    """To the one who waits for it."""
    honest = runner.commit

    def commit(at: table.Table, record: f.Record) -> Any:
        deliveries = list(honest(at, record))
        for fact in record.facts:
            if isinstance(fact, f.Played) and answered_under_seal(at.game, fact):
                notice = Notice(f"Already in: {fact.action}.")
                deliveries += [(person, notice) for person in sorted(at.people())]
        return deliveries

    patch.setattr(runner, "commit", commit)


def a_turn_goes_on_with_more_time_after_some_trades(patch: MonkeyPatch) -> None:
    """What the interrupted window has left follows the letters."""
    honest = game_facts.GameFactsBuilder._interrupted_window

    def _interrupted_window(self: Any, window: Any, now_ms: int) -> tuple[str, int]:
        key, left_ms = honest(self, window, now_ms)
        return key, left_ms + (1_000 * (number_of(self.game) % 3) if key else 0)

    patch.setattr(game_facts.GameFactsBuilder, "_interrupted_window", _interrupted_window)


def a_watcher_asks_with_the_eyes_of_the_first_seat(patch: MonkeyPatch) -> None:
    honest = Game.answer

    def answer(self: Game, reader: Any, text: str, style: Any) -> Any:
        return honest(self, Seat(0) if reader is None else reader, text, style)

    patch.setattr(Game, "answer", answer)


def a_question_is_answered_for_whoever_is_asked(patch: MonkeyPatch) -> None:
    honest = Game.answer

    def answer(self: Game, reader: Any, text: str, style: Any) -> Any:
        asked = self.window.seats[0] if self.window else reader
        return honest(self, asked, text, style)

    patch.setattr(Game, "answer", answer)


PLANTED: tuple[Plant, ...] = (
    who_has_answered_is_no_longer_asked,
    who_has_answered_is_named,
    the_log_says_who_has_answered,
    an_answer_is_told_before_all_are_in,
    a_turn_goes_on_with_more_time_after_some_trades,
    a_watcher_asks_with_the_eyes_of_the_first_seat,
    a_question_is_answered_for_whoever_is_asked,
)
