"""How strong the computer players are: `python -m tests.bench.league`, or `make league`.

Rule 1: a game is a function of its seed: deal, dealer and every decision.  Anybody can play the
        printed range again and get the printed numbers (all but the times).
Rule 2: one challenger sits among equals of another level, at each seat in turn.
Rule 3: who shares the first place shares the win.  Chance is one share in so many seats.
Rule 4: players get what the pool gives them: own view, own redacted events, a seed.  [G-14]

`--matrix` plays every level against every other.  `--gates` plays the gates of `gates.py`: which
level must beat which, and by how much; it fails if one does not hold.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from mudserver.bots.codec import seed_bytes
from tests.bench.gates import GATES, MATRIX_SEATS, OPTIONS, Gate
from tests.bench.stand_ins import players
from variants.catalogue import CATALOGUE
from variants.contract import Outcome, Seat, Variant, Window, may_act
from variants.kit.chance import SeededChance

AnyVariant = Variant[Any, Any, Any, Any]
Watch = Callable[[Any, Sequence[Any], Window | None], None]
"""(public view, the events that led to it, the window that is open now)"""

Z95 = 1.959964  # two-sided 95 %


@dataclass
class Score:
    """What one challenger did in a range of games."""

    seats: int
    games: int = 0
    wins: int = 0  # alone in the first place
    draws: int = 0  # first place shared, by whomever
    shares: float = 0.0  # wins, and parts of shared ones
    times_ns: list[int] = field(default_factory=list)  # CPU of each of its decisions

    def add(self, outcome: Outcome, seat: Seat) -> None:
        first = outcome.places.count(1)
        self.games += 1
        self.draws += first > 1
        if outcome.places[seat] == 1:
            self.wins += first == 1
            self.shares += 1 / first

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share of wins.  Shared wins count by their parts, which
        vary less than whole ones, so the interval errs on the wide side.

        Source: E. B. Wilson, JASA 22 (1927) 209-212.
        """
        n, p = self.games, self.shares / self.games
        middle = p + Z95**2 / (2 * n)
        reach = Z95 * math.sqrt(p * (1 - p) / n + Z95**2 / (4 * n * n))
        return (middle - reach) / (1 + Z95**2 / n), (middle + reach) / (1 + Z95**2 / n)

    @property
    def share(self) -> float:
        return self.shares / self.games

    @property
    def mean_ms(self) -> float:
        """CPU milliseconds of a decision."""
        return sum(self.times_ns) / max(1, len(self.times_ns)) / 1e6

    def time_ms(self, quantile: float) -> float:
        """CPU milliseconds that so large a part of the decisions stayed within."""
        times = sorted(self.times_ns)
        return times[min(len(times) - 1, int(quantile * len(times)))] / 1e6


def play(
    variant: AnyVariant,
    options: Mapping[str, str],
    levels: Sequence[str],
    seed: int,
    times_ns: Mapping[int, list[int]],
    watch: Watch | None = None,
) -> Outcome:
    """One whole game.

    Args:
        levels: Or stand-ins, by seat.
        times_ns: Takes the CPU time of decisions, by seat.
        watch: Called after each decision.
    """
    chance, known = SeededChance(seed_bytes(seed)), players(variant)
    seats = [Seat(n) for n in range(len(levels))]
    seen: list[list[Any]] = [[] for _ in seats]
    state: Any = None
    events = variant.deal(len(seats), options, chance)
    for number in range(variant.decisions_max(len(seats)) + 1):
        for event in events:
            state = variant.evolve(state, event)
            for seat in seats:
                if (heard := variant.redact(event, seat)) is not None:
                    seen[seat].append(heard)
        public = variant.observe(state, None)
        window = variant.open_window(public)
        if watch is not None:
            watch(public, events, window)
        if window is None:
            break
        views = {seat: variant.observe(state, seat) for seat in window.seats}
        seat = next(seat for seat in views if may_act(variant, window, views[seat]))
        view = views[seat]
        private = SeededChance(seed_bytes(seed << 64 | number << 8 | seat))
        start_ns = time.process_time_ns()
        action = known[levels[seat]](view, seen[seat], private)
        if seat in times_ns:
            times_ns[seat].append(time.process_time_ns() - start_ns)
        events = variant.decide(state, seat, action, chance)
    outcome = variant.outcome(state)
    assert outcome is not None, f"seed {seed}: still going after its bound"
    return outcome


def league(
    variant: AnyVariant,
    options: Mapping[str, str],
    seats: int,
    seeds: Iterable[int],
    challenger: str,
    opponents: str,
) -> Score:
    """One challenger against seats - 1 opponents, a game for each seed."""
    score = Score(seats)
    for place, seed in enumerate(seeds):
        seat = Seat(place % seats)
        levels = [opponents] * seats
        levels[seat] = challenger
        score.add(play(variant, options, levels, seed, {seat: score.times_ns}), seat)
    return score


def defaults(variant: AnyVariant) -> dict[str, str]:
    return {option.name: option.default for option in variant.options}


def rows(variant: AnyVariant, options: Sequence[str]) -> list[tuple[str, dict[str, str]]]:
    """(label, options) for each value of the named options that this game has."""
    shown = [option for option in variant.options if option.name in options]
    if not shown:
        return [("", defaults(variant))]
    return [
        (f"{option.name} {value}", defaults(variant) | {option.name: value})
        for option in shown
        for value in option.samples
    ]


HEAD = "options  seats     n  wins draws  share  95 % interval  chance  mean ms  p50 ms  p99 ms"


def report(
    variant: AnyVariant, challenger: str, opponents: str, args: argparse.Namespace
) -> Iterator[str]:
    """The lines about one pair of levels."""
    seeds = range(args.first_seed, args.first_seed + (args.games or GAMES))
    yield (
        f"{variant.name}: one {challenger} against {opponents}, "
        f"seeds {seeds[0]}..{seeds[-1]}, rotated seats"
    )
    yield HEAD
    for label, options in rows(variant, args.each):
        for seats in [number for number in args.seats if number in variant.seats]:
            score = league(variant, options, seats, seeds, challenger, opponents)
            yield f"{label:<8} {seats:5} {_figures(score)}"


def _figures(score: Score) -> str:
    low, high = score.interval
    return (
        f"{score.games:5} {score.wins:5} {score.draws:5}"
        f"  {score.share:.3f}  {low:.3f} - {high:.3f}  {1 / score.seats:6.3f}"
        f"  {score.mean_ms:7.2f}  {score.time_ms(0.5):6.2f}  {score.time_ms(0.99):6.2f}"
    )


def matrix(variant: AnyVariant, args: argparse.Namespace) -> Iterator[str]:
    """The share of each level, one against equals of each other: a row for a challenger."""
    levels, seats = list(variant.bots), MATRIX_SEATS[variant.name]
    seeds = range(args.first_seed, args.first_seed + (args.games or GAMES))
    yield f"{variant.name}, {seats} seats, chance {1 / seats:.3f}, n {len(seeds)}; against:"
    yield f"{'':8}" + "".join(f"{level:>8}" for level in levels)
    options = defaults(variant) | OPTIONS.get(variant.name, {})
    for challenger in levels:
        shares = [
            "" if opponents == challenger
            else f"{league(variant, options, seats, seeds, challenger, opponents).share:.3f}"
            for opponents in levels
        ]  # fmt: skip
        yield f"{challenger:8}" + "".join(f"{share:>8}" for share in shares)


def gate_lines(gates: Iterable[Gate], args: argparse.Namespace) -> Iterator[tuple[str, bool]]:
    """A line for each gate, and whether it holds; with `--games` fewer games than it asks for."""
    for gate in gates:
        variant, started_s = CATALOGUE[gate.variant], time.process_time()
        games = min(gate.games, args.games or gate.games)
        seeds = range(args.first_seed, args.first_seed + games)
        options = defaults(variant) | OPTIONS.get(gate.variant, {})
        score = league(variant, options, gate.seats, seeds, gate.challenger, gate.opponents)
        holds = gate.holds(score.share, *score.interval)
        took_s = time.process_time() - started_s
        pair = f"{gate.challenger} against {gate.opponents}"
        yield (
            (
                f"{gate.variant:11} {gate.seats} {pair:24} {_figures(score)}  "
                f"{gate.wants}: {'holds' if holds else 'FAILS'}  {took_s:.0f} s"
            ),
            holds,
        )


GAMES = 1_000  # in a row, where nothing else is said


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.league", description=__doc__)
    parser.add_argument("--variant", nargs="+", default=sorted(CATALOGUE), choices=CATALOGUE)
    parser.add_argument("--games", type=int, help=f"games in each row, {GAMES} unless told")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 3, 4, 6],
                        help="those of them that a game has")  # fmt: skip
    parser.add_argument("--each", nargs="*", default=["deck"],
                        help="options of which each value gets a row")  # fmt: skip
    parser.add_argument("--levels", nargs=2, metavar=("CHALLENGER", "OTHERS"),
                        help="else each level against the one below")  # fmt: skip
    parser.add_argument("--matrix", action="store_true")
    parser.add_argument("--gates", action="store_true")
    return parser.parse_args(words)


def pairs(variant: AnyVariant, args: argparse.Namespace) -> list[tuple[str, str]]:
    """(challenger, others)."""
    if args.levels:
        return [(args.levels[0], args.levels[1])]
    levels = list(variant.bots)
    return list(zip(levels[1:], levels, strict=False))


def main() -> None:
    args = arguments()
    failed = 0
    if args.gates:
        print(f"{'':38} {HEAD[15:]}", flush=True)
        for line, holds in gate_lines([g for g in GATES if g.variant in args.variant], args):
            print(line, flush=True)
            failed += not holds
        sys.exit(f"{failed} gates fail" if failed else 0)
    for name in args.variant:
        variant = CATALOGUE[name]
        reports = [matrix(variant, args)] if args.matrix else [
            report(variant, *pair, args) for pair in pairs(variant, args)
        ]  # fmt: skip
        for line in chain.from_iterable(reports):
            print(line, flush=True)


if __name__ == "__main__":
    main()
