"""Leaks planted on purpose in what people do with each other, and in what the staff read.

Rule 1: as in `planted.py`.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from msgspec.structs import replace
from pytest import MonkeyPatch

from mudserver.accounts.person import Person
from mudserver.commands.families import VERBS
from mudserver.commands.verb import CommandContext
from mudserver.data_messages import OwnGame
from mudserver.messages import Notice
from mudserver.service.game_service import GameService
from mudserver.service.place_talk import PlaceTalk
from mudserver.tables.open_tables import OpenTables
from tests.live import live_table
from tests.secrets.planted import Plant, game_at, number_of


def _says_more(patch: MonkeyPatch, name: str, note: str) -> None:
    """A command says a line more for some cards."""
    honest = VERBS[name]

    def handler(context: CommandContext, *arguments: Any) -> Any:
        game = game_at(context.service)
        if game is not None and number_of(game) % 2:
            context.reply(Notice(note))
        return honest.handler(context, *arguments)

    patch.setitem(VERBS, name, dataclasses.replace(honest, handler=handler))


def the_mailbox_tells_how_the_cards_lie(patch: MonkeyPatch) -> None:
    _says_more(patch, "mail", "The mail is late today.")


def friends_tell_how_the_cards_lie(patch: MonkeyPatch) -> None:
    _says_more(patch, "friends", "They are in a good mood.")


def finger_tells_how_the_cards_lie(patch: MonkeyPatch) -> None:
    _says_more(patch, "finger", "in a good mood")


def who_goes_away_is_told_how_the_cards_lie(patch: MonkeyPatch) -> None:
    _says_more(patch, "away", "You will miss something.")


def who_ignores_is_told_how_the_cards_lie(patch: MonkeyPatch) -> None:
    _says_more(patch, "ignore", "You will miss something.")


def a_report_notes_how_the_cards_lie(patch: MonkeyPatch) -> None:
    _says_more(patch, "report", "The table is noted, too.")


def the_audit_shows_how_the_cards_lie(patch: MonkeyPatch) -> None:
    _says_more(patch, "audit", "There is more.")


def reports_show_how_the_cards_lie(patch: MonkeyPatch) -> None:
    _says_more(patch, "reports", "There is more.")


def the_list_of_watchers_tells_how_the_cards_lie(patch: MonkeyPatch) -> None:
    _says_more(patch, "watchers", "They look pleased.")


def offered_games_tell_how_the_cards_lie(patch: MonkeyPatch) -> None:
    _says_more(patch, "seeks", "There may be more soon.")


def keeping_moves_tells_how_the_cards_lie(patch: MonkeyPatch) -> None:
    _says_more(patch, "later", "Not now, of all times.")


def players_hear_remarks_when_it_suits_their_cards(patch: MonkeyPatch) -> None:
    honest = PlaceTalk._wants_remarks

    def wants_remarks(self: PlaceTalk, *about: Any) -> bool:
        table = live_table(self._tables, 1)
        is_deaf = table is not None and table.game is not None and number_of(table.game) % 2
        return honest(self, *about) and not is_deaf

    patch.setattr(PlaceTalk, "_wants_remarks", wants_remarks)


def statistics_tell_how_the_cards_lie(patch: MonkeyPatch) -> None:
    _says_more(patch, "stats", "It is going well.")


def the_numbers_of_two_tell_how_the_cards_lie(patch: MonkeyPatch) -> None:
    _says_more(patch, "vs", "It is going well.")


def a_game_by_number_tells_how_the_cards_lie(patch: MonkeyPatch) -> None:
    _says_more(patch, "game", "It is going well.")


def the_list_of_games_shows_how_the_running_one_stands(patch: MonkeyPatch) -> None:
    honest = OpenTables.own_games

    def own_games(self: OpenTables, person: str) -> tuple[OwnGame, ...]:
        table = self.find(1)
        stands = table is not None and table.game is not None and number_of(table.game) % 2
        more = ", ahead" if stands else ""
        return tuple([replace(it, variant=it.variant + more) for it in honest(self, person)])

    patch.setattr(OpenTables, "own_games", own_games)


def who_answers_in_secret_is_not_away_any_more(patch: MonkeyPatch) -> None:
    honest = GameService.play

    def play(self: GameService, person: Person, line: str) -> None:
        honest(self, person, line)
        self.set_away(person, "")

    patch.setattr(GameService, "play", play)


PLANTED: tuple[Plant, ...] = (
    the_mailbox_tells_how_the_cards_lie,
    friends_tell_how_the_cards_lie,
    finger_tells_how_the_cards_lie,
    who_goes_away_is_told_how_the_cards_lie,
    who_ignores_is_told_how_the_cards_lie,
    a_report_notes_how_the_cards_lie,
    the_audit_shows_how_the_cards_lie,
    reports_show_how_the_cards_lie,
    players_hear_remarks_when_it_suits_their_cards,
    statistics_tell_how_the_cards_lie,
    the_numbers_of_two_tell_how_the_cards_lie,
    a_game_by_number_tells_how_the_cards_lie,
    the_list_of_games_shows_how_the_running_one_stands,
    the_list_of_watchers_tells_how_the_cards_lie,
    offered_games_tell_how_the_cards_lie,
    keeping_moves_tells_how_the_cards_lie,
)
PLANTED_WHILE_SECRET: tuple[Plant, ...] = (who_answers_in_secret_is_not_away_any_more,)
"""Those that show only where several answer in secret."""
