"""Leaks planted on purpose: the server, honest except for one leak each.

Rule 1: a mutant patches one place of the server, as a careless change would.  The rule books stay
        as they are; theirs are in tests/conformance/mutants.py.
Rule 2: a mutant takes what it needs from the live game itself.
Rule 3: the list only grows.  A leak that was ever found in the server gets its mutant here.
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import msgspec
from pytest import MonkeyPatch

from mudserver.commands import interpreter
from mudserver.commands.families import VERBS
from mudserver.commands.verb import CommandContext
from mudserver.messages import EventMessage, Notice, NotUnderstood, RefusalMessage, ViewMessage
from mudserver.service.game_service import GameService
from mudserver.session import presenter, terminal_session
from mudserver.session.renderer import Renderer
from mudserver.tables import manager, notifications, open_tables, result, runner, table
from mudserver.tables import records as f
from mudserver.tables.game import Game
from tests.conformance.play import packed
from tests.live import live_table
from variants.contract import Seat
from variants.verify import header_record, to_json_lines

Plant = Callable[[MonkeyPatch], None]
log = logging.getLogger("planted")


def number_of(game: Game) -> int:
    """A number that depends on every hidden card."""
    return sha256(packed(game.state)).digest()[0] if game.state is not None else 0


def choices_of(game: Game) -> int:
    """How many plays the asked seats have."""
    seats = game.window.seats if game.state is not None and game.window else ()
    return sum(len(game.variant.legal_actions(game.view(seat))) for seat in seats)


def game_at(server: GameService) -> Game | None:
    found = live_table(server._tables, 1)
    return found.game if found is not None else None


# -- the log and the lists -------------------------------------------------------------


def the_log_names_the_drawn_card(patch: MonkeyPatch) -> None:
    honest = runner.commit

    def commit(at: table.Table, record: f.Record) -> Any:
        for fact in record.facts:
            if isinstance(fact, f.Played):
                log.info("played table=%s events=%s", at.number, fact.events)
        return honest(at, record)

    patch.setattr(runner, "commit", commit)


def the_log_names_the_seed(patch: MonkeyPatch) -> None:
    honest = runner.commit

    def commit(at: table.Table, record: f.Record) -> Any:
        for fact in record.facts:
            if isinstance(fact, f.Started):
                log.info("started table=%s seed=%s", at.number, fact.seed.hex())
        return honest(at, record)

    patch.setattr(runner, "commit", commit)


def who_tells_what_somebody_is_about_to_do(patch: MonkeyPatch) -> None:
    honest = GameService.who_page

    def who_page(self: GameService, *whom: Any) -> Any:
        game = game_at(self)
        page = honest(self, *whom)
        note = ("somebody is choosing a card",) if game and number_of(game) % 2 else ()
        return msgspec.structs.replace(page, rows=(*page.rows, *note))

    patch.setattr(GameService, "who_page", who_page)


def finger_tells_how_the_cards_lie(patch: MonkeyPatch) -> None:
    honest = VERBS["finger"]

    async def finger(context: CommandContext, name: str) -> None:
        await honest.handler(context, name)
        game = game_at(context.service)
        if game and number_of(game) % 2:
            context.reply(Notice("in a good mood"))

    patch.setitem(VERBS, "finger", dataclasses.replace(honest, handler=finger))


def the_list_of_tables_marks_some(patch: MonkeyPatch) -> None:
    honest = open_tables.OpenTables.summaries_in_memory

    def summaries(self: open_tables.OpenTables) -> Any:
        found = self.find(1)
        mark = " *" if found and found.game and number_of(found.game) % 2 else ""
        return [row._replace(people=row.people + mark) for row in honest(self)]

    patch.setattr(open_tables.OpenTables, "summaries_in_memory", summaries)


def the_lobby_hears_of_some_plays(patch: MonkeyPatch) -> None:
    honest = notifications.lobby_announcement

    def lobby_announcement(at: table.Table, fact: f.AnyFact, coming: int = 0) -> str:
        is_odd = isinstance(fact, f.Played) and sha256(packed(fact.events)).digest()[0] % 2
        return "What a play!" if is_odd else honest(at, fact, coming)

    patch.setattr(notifications, "lobby_announcement", lobby_announcement)


def a_running_game_can_be_exported(patch: MonkeyPatch) -> None:
    def export_game(game: Game) -> str:
        if game.result is not None:
            return result.export_game(game)
        return to_json_lines(
            [header_record(game.variant.name, 2, game.options.game, game.seed, game.names)]
        )

    patch.setattr(manager, "export_game", export_game)


# -- views and events ------------------------------------------------------------------


def everybody_is_told_how_many_plays_there_are(patch: MonkeyPatch) -> None:
    honest = table.Table.view_message

    def leaky(self: table.Table, reader: Any, why: str) -> ViewMessage:
        shown = honest(self, reader, why)
        assert self.game is not None
        return msgspec.structs.replace(shown, asks=f"{shown.asks} ({choices_of(self.game)} ways)")

    patch.setattr(table.Table, "view_message", leaky)


def watchers_see_the_first_seat(patch: MonkeyPatch) -> None:
    honest = table.Table.view_message

    def leaky(self: table.Table, reader: Any, why: str) -> ViewMessage:
        shown = honest(self, reader, why)
        assert self.game is not None
        first: Any = reader or Seat(0)
        view = self.game.view(first)
        return msgspec.structs.replace(shown, view=view)

    patch.setattr(table.Table, "view_message", leaky)


def watchers_hear_the_first_seat(patch: MonkeyPatch) -> None:
    honest = Game.known_events

    def known_events(self: Game, reader: Any, *which: Any) -> Any:
        return honest(self, reader or Seat(0), *which)

    patch.setattr(Game, "known_events", known_events)


def history_is_not_redacted(patch: MonkeyPatch) -> None:
    def history_for(self: table.Table, address: str) -> list[EventMessage]:
        game = self.game
        assert game is not None
        return [
            EventMessage(self.number, self.variant.name, None, game.names, event)
            for play in game.plays
            for event in play.events
        ]

    patch.setattr(table.Table, "history_for", history_for)


def a_redacted_line_is_longer_for_some_cards(patch: MonkeyPatch) -> None:
    honest = Game._redact_play

    def _redact_play(self: Game, play: Any, is_sealed: bool, reader: Any) -> Any:
        heard = honest(self, play, is_sealed, reader)
        is_odd = sha256(packed(play.events)).digest()[0] % 2
        return tuple(one._replace(mark=one.mark or ("long" if is_odd else "")) for one in heard)

    patch.setitem(presenter.MARK_TEXTS, "long", ".")
    patch.setattr(Game, "_redact_play", _redact_play)


def coming_back_one_is_told_too_much(patch: MonkeyPatch) -> None:
    honest = notifications.arrival_messages

    def arrival_messages(at: table.Table, person: str, reader: Any, is_view_sent: bool) -> Any:
        messages = list(honest(at, person, reader, is_view_sent))
        if at.game is not None and reader is not None:
            zone = max(at.variant.zones(at.game.state).values(), key=len)
            messages.append(Notice(f"Meanwhile the {zone[0]} came to lie on top."))
        return messages

    patch.setattr(notifications, "arrival_messages", arrival_messages)


def one_reader_is_shown_what_was_painted_for_another(patch: MonkeyPatch) -> None:
    honest = Renderer.render

    def painted(self: Any, message: Any, reader: Any, is_fresh: bool) -> bytes:
        if not isinstance(message, ViewMessage):
            return honest(self, message, reader, is_fresh)
        key = (-1, reader, is_fresh)
        if key not in self._rendered:
            self._rendered[key] = (honest(self, message, reader, is_fresh), message)
        return bytes(self._rendered[key][0])

    patch.setattr(Renderer, "render", painted)


# -- answers, keys, bell ---------------------------------------------------------------


def plays_of_the_asked_seat(server: GameService, person: Any) -> list[str]:
    """For whoever asks: not what that person can play."""
    shown = server._tables.look(person.id)
    game = game_at(server)
    if not isinstance(shown, ViewMessage) or not shown.asked or game is None:
        return []
    variant, view = game.variant, game.view(Seat(shown.asked[0]))
    return [variant.phrase(a, view, shown.names) for a in variant.legal_actions(view)]


def moves_lists_what_the_asked_seat_can_play(patch: MonkeyPatch) -> None:
    patch.setattr(GameService, "legal_moves", plays_of_the_asked_seat)


def completion_offers_what_the_asked_seat_can_play(patch: MonkeyPatch) -> None:
    honest = interpreter.completion_lines

    def candidates(context: Any, line: str) -> Any:
        if context.table is not None:
            yield from plays_of_the_asked_seat(context.service, context.person)
        yield from honest(context, line)

    patch.setattr(interpreter, "completion_lines", candidates)


def a_refusal_quotes_a_hidden_card(patch: MonkeyPatch) -> None:
    honest = runner.TableRunner._decide

    def _decide(self: runner.TableRunner, request: Any, now_ms: int) -> Any:
        decided, game = honest(self, request, now_ms), self.table.game
        is_refused = isinstance(decided, RefusalMessage | NotUnderstood)
        if not is_refused or game is None or game.state is None:
            return decided
        zone = max(self.table.variant.zones(game.state).values(), key=len)
        text = f"{decided.text} (not even with the {zone[0]})"
        return msgspec.structs.replace(decided, text=text)

    patch.setattr(runner.TableRunner, "_decide", _decide)


def a_refusal_shows_the_table_to_all(patch: MonkeyPatch) -> None:
    honest = runner.TableRunner._send

    def _send(self: runner.TableRunner, address: str, message: Any) -> None:
        honest(self, address, message)
        if isinstance(message, RefusalMessage):
            for person in sorted(self.table.people()):
                if (shown := self.table.view_for(person)) is not None:
                    honest(self, person, shown)

    patch.setattr(runner.TableRunner, "_send", _send)


def half_typed_words_are_seen_by_others(patch: MonkeyPatch) -> None:
    honest = terminal_session.TerminalSession.on_data

    def hear(self: Any, data: bytes) -> None:
        honest(self, data)
        if b"\r" not in data:
            for other in list(self._context.registry.sessions):
                if other is not self:
                    other.send_text("Somebody types.")

    patch.setattr(terminal_session.TerminalSession, "on_data", hear)


def the_bell_rings_for_some_hands(patch: MonkeyPatch) -> None:
    honest = terminal_session.TerminalSession.render_message

    def show(self: Any, message: Any) -> None:
        honest(self, message)
        game = game_at(self._context.service)
        if isinstance(message, ViewMessage) and game and number_of(game) % 2:
            self.screen.ring_bell()

    patch.setattr(terminal_session.TerminalSession, "render_message", show)


PLANTED: tuple[Plant, ...] = (
    the_log_names_the_drawn_card,
    the_log_names_the_seed,
    who_tells_what_somebody_is_about_to_do,
    finger_tells_how_the_cards_lie,
    the_list_of_tables_marks_some,
    the_lobby_hears_of_some_plays,
    a_running_game_can_be_exported,
    everybody_is_told_how_many_plays_there_are,
    watchers_see_the_first_seat,
    watchers_hear_the_first_seat,
    history_is_not_redacted,
    a_redacted_line_is_longer_for_some_cards,
    coming_back_one_is_told_too_much,
    one_reader_is_shown_what_was_painted_for_another,
    moves_lists_what_the_asked_seat_can_play,
    completion_offers_what_the_asked_seat_can_play,
    a_refusal_quotes_a_hidden_card,
    a_refusal_shows_the_table_to_all,
    half_typed_words_are_seen_by_others,
    the_bell_rings_for_some_hands,
)
