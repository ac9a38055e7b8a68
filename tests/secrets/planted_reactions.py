"""Leaks planted on purpose where a game asks whether a seat reacts, and where a seat passes by
itself: the server, honest except for one leak each.  [G-12]

Rule 1: as in `planted.py`.  Each is what a considerate programmer would do who does not want to
        bother people with questions that they cannot answer.
"""

from __future__ import annotations

import logging
from typing import Any

import msgspec
from pytest import MonkeyPatch

from mudserver.commands import interpreter
from mudserver.messages import ViewMessage
from mudserver.tables import computer_seats, game_facts, runner, table
from mudserver.tables import records as f
from mudserver.tables.game import Game
from tests.secrets.planted import Plant, game_at
from variants.contract import Seat, Window

log = logging.getLogger("planted")


def could_answer(game: Game, seat: Seat) -> bool:
    return len(game.variant.legal_actions(game.view(seat))) > 1


def asks_for_a_reaction(game: Game | None) -> bool:
    return game is not None and game.window is not None and not game.window.counts_timeouts


def who_cannot_answer_has_less_time(patch: MonkeyPatch) -> None:
    honest = game_facts.GameFactsBuilder.close_decision

    def close_decision(self: Any, now_ms: int, *others: Any) -> None:
        honest(self, now_ms, *others)
        variant, window = self.game.variant, self.window()
        for i, fact in enumerate(self.facts):
            if isinstance(fact, f.Asked) and fact.deadline_ms and not window.counts_timeouts:
                view = variant.observe(self.state, window.seats[0])
                if len(variant.legal_actions(view)) == 1:
                    self.facts[i] = msgspec.structs.replace(fact, deadline_ms=now_ms + 3_000)

    patch.setattr(game_facts.GameFactsBuilder, "close_decision", close_decision)


def who_cannot_answer_passes_without_being_asked(patch: MonkeyPatch) -> None:
    honest = Game.passes_itself

    def passes_itself(self: Game, seat: Seat, window: Window) -> bool:
        is_mine = seat in window.seats and not window.counts_timeouts
        return honest(self, seat, window) or (is_mine and not could_answer(self, seat))

    patch.setattr(Game, "passes_itself", passes_itself)


def who_could_answer_is_asked_in_spite_of_autopass(patch: MonkeyPatch) -> None:
    honest = Game.passes_itself

    def passes_itself(self: Game, seat: Seat, window: Window) -> bool:
        return honest(self, seat, window) and not could_answer(self, seat)

    patch.setattr(Game, "passes_itself", passes_itself)


def autopass_is_quicker_without_an_answer(patch: MonkeyPatch) -> None:
    honest = computer_seats.ComputerSeats._think

    async def _think(
        self: Any, at: Any, seat: Any, window: str, level: str, pause_s: float, seed: int
    ) -> None:
        is_idle = not level and not could_answer(at.game, seat)
        await honest(self, at, seat, window, level, pause_s / 4 if is_idle else pause_s, seed)

    patch.setattr(computer_seats.ComputerSeats, "_think", _think)


def autopass_answers_where_it_can(patch: MonkeyPatch) -> None:
    honest = game_facts.GameFactsBuilder.play_for_computer

    def play_for_computer(self: Any, seat: Seat, by: f.DecidedBy, action: Any, seed: int) -> None:
        if by == "autopass":
            action = self.game.variant.legal_actions(self.game.view(seat))[-1]
        honest(self, seat, by, action, seed)

    patch.setattr(game_facts.GameFactsBuilder, "play_for_computer", play_for_computer)


def all_are_told_that_somebody_could_answer(patch: MonkeyPatch) -> None:
    honest = table.Table.view_message

    def leaky(self: table.Table, reader: Any, why: str) -> ViewMessage:
        shown, game = honest(self, reader, why), self.game
        assert game is not None
        if not asks_for_a_reaction(game) or not could_answer(game, Seat(shown.asked[0])):
            return shown
        return msgspec.structs.replace(shown, asks="to answer or to pass")

    patch.setattr(table.Table, "view_message", leaky)


def completion_offers_reflect_while_somebody_could(patch: MonkeyPatch) -> None:
    honest = interpreter.completion_lines

    def candidates(context: Any, line: str) -> Any:
        yield from honest(context, line)
        game = game_at(context.service)
        if game is not None and game.window is not None:
            seat = game.window.seats[0]
            view = game.view(seat)
            plays = [game.variant.phrase(a, view, game.names)
                     for a in game.variant.legal_actions(view)]  # fmt: skip
            yield from (play for play in plays if play.startswith(("reflect", "nice")))

    patch.setattr(interpreter, "completion_lines", candidates)


def the_log_says_what_was_not_answered(patch: MonkeyPatch) -> None:
    honest = runner.commit

    def commit(at: table.Table, record: f.Record) -> Any:
        game = at.game
        for fact in record.facts:
            if isinstance(fact, f.Played) and game is not None and asks_for_a_reaction(game):
                able = could_answer(game, Seat(fact.seat))
                log.info("passed table=%s could_answer=%s", at.number, able)
        return honest(at, record)

    patch.setattr(runner, "commit", commit)


PLANTED: tuple[Plant, ...] = (
    who_cannot_answer_has_less_time,
    who_cannot_answer_passes_without_being_asked,
    who_could_answer_is_asked_in_spite_of_autopass,
    autopass_is_quicker_without_an_answer,
    autopass_answers_where_it_can,
    all_are_told_that_somebody_could_answer,
    completion_offers_reflect_while_somebody_could,
    the_log_says_what_was_not_answered,
)
