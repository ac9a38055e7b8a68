"""Leaks planted on purpose in the full screen: panes, bar and menu, each with one leak.

Rule 1: as in `planted.py`.
Rule 2: lines, objects and packages stay honest: who reads in another way is told nothing, so a
        mutant lives unless the pictures themselves, and their times, are compared.
"""

from __future__ import annotations

from typing import Any

import msgspec
from pytest import MonkeyPatch

from mudserver.session import fullscreen_feed, terminal_session
from mudserver.ui.completion import Completion
from mudserver.ui.fullscreen.screen import FullScreen
from tests.secrets.planted import Plant, choices_of, game_at, number_of, plays_of_the_asked_seat
from variants.contract import Seat


def the_bar_counts_what_the_asked_seat_can_play(patch: MonkeyPatch) -> None:
    honest = fullscreen_feed.FullScreenFeed._show_table

    def _show_table(self: Any, message: Any) -> None:
        honest(self, message)
        game = game_at(self._renderer._service)
        if game is not None and message.asked:
            self.screen.show_status(where_short=f"{choices_of(game)} ways")
            self.screen.show_status(where=f"Table 1, {choices_of(game)} ways")

    patch.setattr(fullscreen_feed.FullScreenFeed, "_show_table", _show_table)


def the_menu_offers_what_the_asked_seat_can_play(patch: MonkeyPatch) -> None:
    honest = terminal_session.TerminalSession.complete

    def complete(
        self: terminal_session.TerminalSession, text: str, cursor: int
    ) -> Completion | None:
        made = honest(self, text, cursor)
        if self._fullscreen_feed is None or made is None or made.start:
            return made
        plays = plays_of_the_asked_seat(self._context.service, self.person)
        words = {play.split()[-1] for play in plays}
        return Completion(made.start, [*made.candidates, *sorted(words)])

    patch.setattr(terminal_session.TerminalSession, "complete", complete)


def a_watchers_pane_shows_the_first_seat(patch: MonkeyPatch) -> None:
    honest = fullscreen_feed.FullScreenFeed._show_table

    def _show_table(self: Any, message: Any) -> None:
        game = game_at(self._renderer._service)
        if game is not None and message.seat is None:
            message = msgspec.structs.replace(message, view=game.view(Seat(0)))
        honest(self, message)

    patch.setattr(fullscreen_feed.FullScreenFeed, "_show_table", _show_table)


def the_log_has_a_row_more_for_some_cards(patch: MonkeyPatch) -> None:
    honest = fullscreen_feed.FullScreenFeed.show_message

    def show(self: Any, message: Any, is_fresh: bool) -> None:
        game = game_at(self._renderer._service)
        if game is not None and number_of(game) % 2:
            self.screen.show([()])
        honest(self, message, is_fresh)

    patch.setattr(fullscreen_feed.FullScreenFeed, "show_message", show)


def some_cards_take_a_beat_longer_to_draw(patch: MonkeyPatch) -> None:
    """The picture is the same; only when it comes is not."""
    honest_show, honest_flush = fullscreen_feed.FullScreenFeed._show_table, FullScreen.flush
    waiting: dict[FullScreen, bool] = {}

    def _show_table(self: Any, message: Any) -> None:
        honest_show(self, message)
        game = game_at(self._renderer._service)
        waiting[self.screen] = game is not None and number_of(game) % 2 == 1

    def flush(self: FullScreen) -> None:
        if waiting.pop(self, False):
            self._frames.schedule_flush(self)
        else:
            honest_flush(self)

    patch.setattr(fullscreen_feed.FullScreenFeed, "_show_table", _show_table)
    patch.setattr(FullScreen, "flush", flush)


PLANTED: tuple[Plant, ...] = (
    the_bar_counts_what_the_asked_seat_can_play,
    the_menu_offers_what_the_asked_seat_can_play,
    a_watchers_pane_shows_the_first_seat,
    the_log_has_a_row_more_for_some_cards,
    some_cards_take_a_beat_longer_to_draw,
)
