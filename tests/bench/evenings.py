"""How evenings go under the options of a game: `python -m tests.bench.evenings`.

Rule 1: a game is a function of its seed, as in the league; the challenger changes seats.
Rule 2: totals of three and five deals are drawn from the single ones, from a fixed seed.

A row is one challenger among equals: games, turns (median), shared first places; then games with
somebody out in the first two rounds, the part of seats that are out, how long the first of them
waits, in turns and as a part of the game (medians), and games that the Outdoor deck ends; at last
the challenger's share of one deal, of three and of five: the less a random mover wins, the more
does skill count.  `indoors` and `outdoors` are the hard level of stockpile that is always there.
Of words: rounds (median), mean points of a seat, how rounds ended.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import mean, median
from typing import Any, NamedTuple

from tests.bench.league import AnyVariant, Score, defaults, play
from variants.catalogue import CATALOGUE
from variants.contract import Outcome, Seat, Window
from variants.words.events import RoundEnding

RESAMPLED = 4_000  # totals of several deals


class Row(NamedTuple):
    variant: str
    seats: int
    options: Mapping[str, str]
    challenger: str
    others: str

    @property
    def has_rounds(self) -> bool:
        return self.variant == "words"


GENTLE = {"grace": "1", "infected": "restart", "decks": "indoors"}
ROWS = (
    *(
        Row("stockpile", 4, options, "random", "hard")
        for options in (
            {},
            {"grace": "1"},
            {"grace": "2"},
            {"infected": "restart"},
            {"decks": "indoors"},
            GENTLE,
        )
    ),
    *(Row("stockpile", 3, options, "random", "hard") for options in ({}, {"prevention": "2"})),
    *(
        Row("stockpile", 2, options, "random", "hard")
        for options in ({}, {"prevention": "2"}, {"grace": "2"}, {"infected": "restart"})
    ),
    *(
        Row("stockpile", 4, options, where, "hard")
        for options in ({}, {"decks": "indoors"})
        for where in ("indoors", "outdoors")
    ),
    *(
        Row("elimination", seats, options, "easy", "hard")
        for seats in (6, 8)
        for options in (
            {},
            {"deck": "50"},
            {"until": "half"},
            {"until": "first"},
            {"until": "first", "deck": "50"},
        )
    ),
    *(Row("words", 3, {"target": "100"}, level, level) for level in ("medium", "master")),
)


@dataclass
class Game:
    """What a game was like."""

    variant: AnyVariant
    turns: int = 0
    turn: str = ""
    out_at: dict[Seat, int] = field(default_factory=dict)  # turns that had begun, by seat
    rounds: Counter[str] = field(default_factory=Counter)  # of words, by how they ended

    def watch(self, public: Any, events: Sequence[Any], window: Window | None) -> None:
        if window is not None and window.turn != self.turn:
            self.turns, self.turn = self.turns + 1, window.turn
        for seat in self.variant.eliminated_seats(public):
            self.out_at.setdefault(seat, self.turns)
        self.rounds.update(each.why for each in events if isinstance(each, RoundEnding))


Played = tuple[Game, Outcome, Seat]


def evening(row: Row, games: int, first_seed: int = 1) -> str:
    """One row of figures."""
    variant, score = CATALOGUE[row.variant], Score(row.seats)
    options, played = defaults(variant) | row.options, list[Played]()
    for place in range(games):
        seat, game = Seat(place % row.seats), Game(variant)
        levels = [row.others] * row.seats
        levels[seat] = row.challenger
        outcome = play(variant, options, levels, first_seed + place, {}, game.watch)
        score.add(outcome, seat)
        played.append((game, outcome, seat))
    low, high = score.interval
    shares = f"{score.share:.3f} ({low:.3f}-{high:.3f})"
    if variant.match_points is not None:
        shares += "".join(f" / {several(variant, played, deals):.3f}" for deals in (3, 5))
    typed = " ".join(f"{name}={value}" for name, value in row.options.items())
    turns, rest = median(game.turns for game, _, _ in played), _words if row.has_rounds else _out
    head = f"{row.variant} {row.seats} {typed}".rstrip()
    cells = (head, row.challenger, games, f"{turns:.0f}", f"{score.draws / games:.3f}")
    return " | ".join(map(str, (*cells, *rest(row, played), shares)))


def _words(row: Row, played: Sequence[Played]) -> tuple[str, ...]:
    """Rounds, mean points of a seat, and how rounds ended."""
    ends = sum((game.rounds for game, _, _ in played), Counter[str]())
    points = [score for _, outcome, _ in played for score in outcome.scores if score is not None]
    rounds = median(game.rounds.total() for game, _, _ in played)
    ended = ", ".join(f"{why} {count / ends.total():.0%}" for why, count in ends.most_common())
    return f"{rounds:.0f}", f"{mean(points):.0f}", ended


def _out(row: Row, played: Sequence[Played]) -> tuple[str, ...]:
    """Games with somebody out in the first two rounds, seats that are out, how long the first of
    them waits, and games that end by the Outdoor deck."""
    n, games = len(played), [game for game, _, _ in played]
    early = sum(any(at <= 2 * row.seats for at in game.out_at.values()) for game in games)
    out = sum(len(game.out_at) for game in games) / n / row.seats
    waits = [(g.turns - min(g.out_at.values()), g.turns) for g in games if g.out_at]
    wait = f"{median(t for t, _ in waits):.0f} turns" if waits else "-"
    part = f"{median(t / turns for t, turns in waits):.2f}" if waits else "-"
    outdoor = sum("Outdoor" in outcome.reason for _, outcome, _ in played) / n
    return f"{early / n:.3f}", f"{out:.2f}", wait, part, f"{outdoor:.2f}"


def several(variant: AnyVariant, played: Sequence[Played], deals: int) -> float:
    """The challenger's share of the first place, by the total of so many deals."""
    assert variant.match_points is not None
    points = []
    for _, outcome, seat in played:
        gained = variant.match_points(outcome)
        points.append((gained[seat], *gained[seat + 1 :], *gained[:seat]))
    random, shares = Random(1), 0.0
    for _ in range(RESAMPLED):
        totals = [sum(each) for each in zip(*random.choices(points, k=deals), strict=True)]
        if totals[0] == max(totals):
            shares += 1 / totals.count(totals[0])
    return shares / RESAMPLED


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.evenings", description=__doc__)
    parser.add_argument("--variant", nargs="+", default=sorted(CATALOGUE), choices=CATALOGUE)
    parser.add_argument("--games", type=int, default=200, help="in each row")
    args = parser.parse_args()
    for row in ROWS:
        if row.variant in args.variant:
            print(evening(row, args.games), flush=True)


if __name__ == "__main__":
    main()
