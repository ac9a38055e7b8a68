"""Leaks planted on purpose in what programs read: objects, honest but for one hole each.

Rule 1: as in `planted.py`.
"""

from __future__ import annotations

from typing import Any

import msgspec
from pytest import MonkeyPatch

from mudserver.service.game_service import GameService
from mudserver.service.moves import ListedMoves
from mudserver.session.json_protocol import Encoded
from mudserver.session.renderer import Renderer
from mudserver.tables.game import Game
from tests.secrets.planted import Plant, choices_of, game_at, number_of
from variants.contract import Seat
from variants.kit.json_values import to_json_value


def who_is_not_asked_is_offered_what_another_may_play(patch: MonkeyPatch) -> None:
    honest = GameService.listed_moves

    def listed_moves(self: GameService, message: Any) -> ListedMoves:
        listed, game = honest(self, message), game_at(self)
        if not listed.moves and message.asked and game is not None:
            return ListedMoves(game.moves(message.asked[0]), True)
        return listed

    patch.setattr(GameService, "listed_moves", listed_moves)


def a_sample_is_called_so_where_another_has_many_plays(patch: MonkeyPatch) -> None:
    honest = GameService.listed_moves

    def listed_moves(self: GameService, message: Any) -> ListedMoves:
        listed, game = honest(self, message), game_at(self)
        is_complete = listed.is_complete if game is None else choices_of(game) % 2 == 0
        return listed._replace(is_complete=is_complete)

    patch.setattr(GameService, "listed_moves", listed_moves)


def an_object_holds_the_event_as_the_rule_book_knows_it(patch: MonkeyPatch) -> None:
    honest = Renderer.encoded_objects

    def encoded_objects(self: Renderer, message: Any, protocol: Any) -> list[Encoded]:
        game = game_at(self._service)
        events = game.plays[-1].events if game is not None and game.plays else ()
        encoded = []
        for package, text in honest(self, message, protocol):
            if package == "Lockdown.Event":
                made = msgspec.json.decode(text)
                whole = (e for e in events if type(e).__name__ == made["event"]["kind"])
                made["event"] = next(map(to_json_value, whole), made["event"])
                text = msgspec.json.encode(made)
            encoded.append((package, text))
        return encoded

    patch.setattr(Renderer, "encoded_objects", encoded_objects)


def a_question_is_numbered_by_hidden_cards(patch: MonkeyPatch) -> None:
    """As if a window that nobody saw had been counted."""
    honest = Game.question_id

    def question_id(self: Game, seat: Seat) -> str | None:
        made = honest(self, seat)
        return made and f"{made}{number_of(self) % 2}"

    patch.setattr(Game, "question_id", question_id)


def a_view_counts_an_event_more_where_another_has_many_plays(patch: MonkeyPatch) -> None:
    honest = Game.known_count
    patch.setattr(
        Game, "known_count", lambda self, reader: honest(self, reader) + choices_of(self) % 2
    )


PLANTED: tuple[Plant, ...] = (
    a_question_is_numbered_by_hidden_cards,
    a_view_counts_an_event_more_where_another_has_many_plays,
    who_is_not_asked_is_offered_what_another_may_play,
    a_sample_is_called_so_where_another_has_many_plays,
    an_object_holds_the_event_as_the_rule_book_knows_it,
)
