"""Leaks planted on purpose in what the server leaves with a door: capsules, and when they come.

Rule 1: as in `planted.py`.
Rule 2: nothing of it is shown at a terminal, in this process or the next one: a mutant lives unless
        what doors are told is compared.
"""

from __future__ import annotations

from typing import Any

import msgspec
from pytest import MonkeyPatch

from mudserver.session.announced_input import AnnouncedInputQueue
from mudserver.session.keeper import Keeper
from mudserver.session.session import Session
from mudserver.wall.capsule import Talk
from tests.secrets.planted import Plant, game_at, number_of, plays_of_the_asked_seat
from variants.contract import Seat


def _keeps(patch: MonkeyPatch, change: Any) -> None:
    """*change* is given the session and its honest capsule, and answers fields of another one."""
    honest = Session._make_capsule

    def _make_capsule(self: Any, person: Any, nonce: bytes) -> Any:
        capsule = honest(self, person, nonce)
        return msgspec.structs.replace(capsule, **change(self, capsule))

    patch.setattr(Session, "_make_capsule", _make_capsule)


def a_capsule_keeps_what_the_asked_seat_can_play(patch: MonkeyPatch) -> None:
    def change(session: Any, capsule: Any) -> dict[str, Any]:
        if not capsule.table:
            return {}
        return {
            "killed": ", ".join(plays_of_the_asked_seat(session._context.service, session.person))
        }

    _keeps(patch, change)


def a_capsule_keeps_the_hand_of_the_first_seat(patch: MonkeyPatch) -> None:
    def change(session: Any, capsule: Any) -> dict[str, Any]:
        game = game_at(session._context.service)
        if not capsule.table or game is None or game.state is None:
            return {}
        zones = game.variant.zones(game.state)
        return {"settings": {"hand": " ".join(zones[f"hand {Seat(0)}"])[:64]}}

    _keeps(patch, change)


def a_capsule_keeps_the_seed(patch: MonkeyPatch) -> None:
    def change(session: Any, capsule: Any) -> dict[str, Any]:
        game = game_at(session._context.service)
        return {} if game is None else {"unfinished": game.seed}

    _keeps(patch, change)


def a_capsule_keeps_what_is_not_said_for_all_cards(patch: MonkeyPatch) -> None:
    """As talk that is on its way, but never shown: it is older than all that stands there."""

    def change(session: Any, capsule: Any) -> dict[str, Any]:
        game = game_at(session._context.service)
        is_odd = game is not None and number_of(game) % 2
        return {"chat": (*capsule.chat, Talk(0, "", "say", "well"))} if is_odd else {}

    _keeps(patch, change)


def somebody_waiting_would_read_how_the_cards_lie(patch: MonkeyPatch) -> None:
    honest = Session._capsule_and_wait_text

    def _capsule_and_wait_text(self: Any) -> Any:
        made, game = honest(self), game_at(self._context.service)
        if made is None or game is None or not number_of(game) % 2:
            return made
        return made[0], made[1].replace(b"moment", b"minute")

    patch.setattr(Session, "_capsule_and_wait_text", _capsule_and_wait_text)


def capsules_are_left_sooner_for_some_cards(patch: MonkeyPatch) -> None:
    honest = Keeper.note

    def note(self: Any) -> None:
        game = game_at(self._make.__self__._context.service)
        if game is not None and number_of(game) % 2:
            self.note_now()
        else:
            honest(self)

    patch.setattr(Keeper, "note", note)


def some_lines_are_done_later_for_some_cards(patch: MonkeyPatch) -> None:
    honest = AnnouncedInputQueue._settle_when_shown

    def _settle_when_shown(self: Any, place: int) -> None:
        game = game_at(self._owner._context.service)
        if game is not None and number_of(game) % 2:
            self._clock.call_later(0.1, lambda: honest(self, place))
        else:
            honest(self, place)

    patch.setattr(AnnouncedInputQueue, "_settle_when_shown", _settle_when_shown)


PLANTED: tuple[Plant, ...] = (
    a_capsule_keeps_what_the_asked_seat_can_play,
    a_capsule_keeps_the_hand_of_the_first_seat,
    a_capsule_keeps_the_seed,
    a_capsule_keeps_what_is_not_said_for_all_cards,
    somebody_waiting_would_read_how_the_cards_lie,
    capsules_are_left_sooner_for_some_cards,
    some_lines_are_done_later_for_some_cards,
)
