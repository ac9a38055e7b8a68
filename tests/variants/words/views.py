"""Word games for those who only read them: views, and random games heard by every reader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from tests.variants.driver import ANN, NAMES
from tests.variants.words.driver import BOX, TEXT, Game, shipped_lexicon
from variants.contract import Seat, SeatNames
from variants.kit.text import Style, plain_text
from variants.words.data.box import Indicator, read_scenario_manifests
from variants.words.events import Event, Scored, Settings, Sheet
from variants.words.language.answers import answer
from variants.words.language.render import render
from variants.words.rules import observe
from variants.words.state import State
from variants.words.view import SeatView, View, WordView

WIDE, NARROW, LINEAR = Style(80), Style(40), Style(80, is_linear=True)
STYLES = pytest.mark.parametrize("style", [WIDE, NARROW, LINEAR], ids=["80", "40", "linear"])
T12, T14 = read_scenario_manifests(TEXT)
BONUS_1, BONUS_3 = Indicator("B1", 1, 2), Indicator("B3", 3, 2)
SETTINGS = Settings(target=200, level=80, rounds=25, hints=50)
SHEETS = (
    Sheet(T14, BONUS_1, (Scored("SEA", False, 1, 10), Scored("NOTE", True, 0, -10)), 0, 40),
    Sheet(T12, BONUS_3, (Scored("FOAMS", False, 3, 30),), 30, 215),
    Sheet(T12, BONUS_3, (), 0, 215),
)
"""A scored round of three."""
Readers = tuple[Seat | None, ...]


lexicon = shipped_lexicon


def word(number: int, owner: Seat, spelling: str, *, locked: int = 0) -> WordView:
    """An exposed word; a locked one of the reader; or a back of *locked* letters."""
    is_locked = bool(locked)
    length = len(spelling) or locked
    return WordView(number, owner, spelling, length, is_locked)


def view(seat: Seat | None = ANN, *, of: int = 3, **facts: Any) -> View:
    """A view in the middle of a round: Ann to play, a manifest and seven cards for who looks."""
    own: dict[str, Any] = {"hand": tuple("DATEOV*"), "manifest": T14, "indicator": BONUS_1}
    plain = View(
        seat=seat, box=BOX, settings=SETTINGS, seats=(SeatView(7, 0),) * of, round=1, starter=ANN,
        turn=ANN, number=5, phase="main", drawn=0, words=(), pile=58, discards=4, top="X",
        traded=False, stolen=False, added=(), changes=0, tapped=False, partners=(), removers=(),
        missing=0, quiet=0, still=0, last=(), ended="", **(own if seat is not None else {}),
    )  # fmt: skip
    return replace(plain, **facts)


class Moment(NamedTuple):
    """A random game after one decision."""

    state: State
    events: tuple[Event, ...]  # of that decision
    past: tuple[Event, ...]  # all so far

    def view(self, reader: Seat | None) -> View:
        return observe.observe(self.state, reader)

    def heard(self, reader: Seat | None, events: Sequence[Event] | None = None) -> list[Event]:
        """What *reader* knows of them, of the whole past if none are named."""
        told = self.past if events is None else events
        return [observe.redact(event, reader) for event in told]


def readers(seats: int) -> Readers:
    """The watcher, and every seat."""
    return (None, *map(Seat, range(seats)))


def random_game(seats: int, seed: int, **options: str) -> Iterator[Moment]:
    """Every decision of a game in which a kind of play is chosen first, then one of that kind."""
    game = Game(seats, seed, **options)
    yield Moment(game.state, tuple(game.last), tuple(game.events))
    while not game.is_over:
        game.step()
        yield Moment(game.state, tuple(game.last), tuple(game.events))


def board(view: View, style: Style = WIDE, names: SeatNames = NAMES) -> list[str]:
    """The rows that a reader sees."""
    return [plain_text(row) for row in render(view, names, style)]


def answered(line: str, view: View, seen: Sequence[Event] = (), style: Style = WIDE) -> list[str]:
    """The rows that answer a question."""
    return [plain_text(row) for row in answer(lexicon(), line, view, seen, NAMES, style)]


def whole(rows: Sequence[str]) -> str:
    """The rows as one text; what was broken into rows is whole again."""
    return " ".join(" ".join(rows).split())
