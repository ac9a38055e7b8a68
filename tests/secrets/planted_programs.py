"""Leaks planted on purpose in what programs read: objects, honest but for one hole each.

Rule 1: as in `planted.py`.
"""

from __future__ import annotations

from typing import Any

import msgspec
from pytest import MonkeyPatch

from mudserver.house import plays
from mudserver.session import objects, reception
from tests.secrets.planted import Plant, choices_of, game_at
from variants.kit.plain import to_plain


def who_is_not_asked_is_offered_what_another_may_play(patch: MonkeyPatch) -> None:
    def offered(shown: Any, variant: Any, table: Any = None) -> tuple[list[str], bool]:
        found, is_all = plays.offered(shown, variant, table)
        if not found and shown.asked and table is not None:
            return list(table.game.moves(shown.asked[0])), True
        return found, is_all

    patch.setattr(reception, "offered", offered)


def a_sample_is_called_so_where_another_has_many_plays(patch: MonkeyPatch) -> None:
    honest = reception.Reception._offered

    def _offered(self: reception.Reception, shown: Any) -> tuple[list[str], bool]:
        found, is_all = honest(self, shown)
        game = game_at(self.house)
        return found, is_all if game is None else choices_of(game) % 2 == 0

    patch.setattr(reception.Reception, "_offered", _offered)


def an_object_holds_the_event_as_the_rule_book_knows_it(patch: MonkeyPatch) -> None:
    honest = reception.Reception._made

    def _made(self: reception.Reception, message: Any) -> Any:
        game = game_at(self.house)
        events = game.plays[-1].events if game is not None and game.plays else ()
        for made in honest(self, message):
            if isinstance(made, objects.Event):
                whole = (e for e in events if type(e).__name__ == made.event["kind"])
                event = next(map(to_plain, whole), made.event)
                made = msgspec.structs.replace(made, event=event)
            yield made

    patch.setattr(reception.Reception, "_made", _made)


PLANTED: tuple[Plant, ...] = (
    who_is_not_asked_is_offered_what_another_may_play,
    a_sample_is_called_so_where_another_has_many_plays,
    an_object_holds_the_event_as_the_rule_book_knows_it,
)
