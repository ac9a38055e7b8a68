"""Leaks planted on purpose in what programs read: objects, honest but for one hole each.

Rule 1: as in `planted.py`.
"""

from __future__ import annotations

from typing import Any

import msgspec
from pytest import MonkeyPatch

from mudserver.service import moves
from mudserver.session import json_protocol, manager
from tests.secrets.planted import Plant, choices_of, game_at
from variants.kit.json_values import to_json_value


def who_is_not_asked_is_offered_what_another_may_play(patch: MonkeyPatch) -> None:
    def offered(shown: Any, variant: Any, table: Any = None) -> tuple[list[str], bool]:
        found, is_all = moves.listed_moves(shown, variant, table)
        if not found and shown.asked and table is not None:
            return list(table.game.moves(shown.asked[0])), True
        return found, is_all

    patch.setattr(manager, "listed_moves", offered)


def a_sample_is_called_so_where_another_has_many_plays(patch: MonkeyPatch) -> None:
    honest = manager.SessionManager._listed_moves

    def _offered(self: manager.SessionManager, shown: Any) -> tuple[list[str], bool]:
        found, is_all = honest(self, shown)
        game = game_at(self.service)
        return found, is_all if game is None else choices_of(game) % 2 == 0

    patch.setattr(manager.SessionManager, "_listed_moves", _offered)


def an_object_holds_the_event_as_the_rule_book_knows_it(patch: MonkeyPatch) -> None:
    honest = manager.SessionManager._to_objects

    def _made(self: manager.SessionManager, message: Any) -> Any:
        game = game_at(self.service)
        events = game.plays[-1].events if game is not None and game.plays else ()
        for made in honest(self, message):
            if isinstance(made, json_protocol.Event):
                whole = (e for e in events if type(e).__name__ == made.event["kind"])
                event = next(map(to_json_value, whole), made.event)
                made = msgspec.structs.replace(made, event=event)
            yield made

    patch.setattr(manager.SessionManager, "_to_objects", _made)


PLANTED: tuple[Plant, ...] = (
    who_is_not_asked_is_offered_what_another_may_play,
    a_sample_is_called_so_where_another_has_many_plays,
    an_object_holds_the_event_as_the_rule_book_knows_it,
)
