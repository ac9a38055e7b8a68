"""How strong each level of computer players is in ratings: `python -m tests.bench.anchors GAME`.

Rule 1: a game is a function of its seed and of the levels that are measured: seats, who sits at
        them, deal and every decision.
Rule 2: the strongest level that was measured before keeps its mu and makes the scale; the others
        are moved by each game as a rated game moves people, with the sigma of an anchor, until they
        stay where they are.  The mean over the last passes through all games counts.
Rule 3: the seats of one level move it by the mean of what they would move alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

from mudserver.results.rating import ANCHOR_SIGMA, MU, averaged
from tests.bench.gates import OPTIONS
from tests.bench.league import AnyVariant, defaults, play
from variants.catalogue import CATALOGUE

SCALE = {"elimination": ("hard", 30.0), "stockpile": ("hard", 27.2), "words": ("master", 38.5)}
"""Measured together with 20 players of graded strength, when these were the only levels."""
PASSES, SETTLING = 30, 10  # through all games; the first ones only lead there
GAMES_MIN = 1_000  # in which a level has played


class Played(NamedTuple):
    """One game."""

    seed: int
    levels: tuple[str, ...]  # by seat
    places: tuple[int, ...]  # the same, from 1


def played(variant: AnyVariant, levels_measured: Sequence[str], seed: int) -> Played:
    dice = Random(f"anchors {variant.name} {seed}")
    seats = dice.choice(variant.seats)
    levels = [dice.choice(levels_measured) for _ in range(seats)]
    options = defaults(variant) | OPTIONS.get(variant.name, {})
    return Played(seed, tuple(levels), play(variant, options, levels, seed, {}).places)


def fitted(games: Sequence[Played], fixed: str, at: float) -> dict[str, float]:
    """mu by level.  Args: fixed: the level that stays where it is, *at*."""
    mus = {level: MU for game in games for level in game.levels} | {fixed: at}
    sums = dict.fromkeys(mus, 0.0)
    dice = Random(1)
    for number in range(PASSES):
        for game in dice.sample(games, len(games)):
            _move(mus, game, fixed)
            if number >= SETTLING:
                sums = {level: total + mus[level] for level, total in sums.items()}
    return {level: total / (PASSES - SETTLING) / len(games) for level, total in sums.items()}


def _move(mus: dict[str, float], game: Played, fixed: str) -> None:
    after = averaged([(mus[level], ANCHOR_SIGMA) for level in game.levels], game.places)
    moved: dict[str, list[float]] = {}
    for level, (mu, _) in zip(game.levels, after, strict=True):
        moved.setdefault(level, []).append(mu)
    for level, found in moved.items():
        if level != fixed:
            mus[level] = sum(found) / len(found)


def report(games: Sequence[Played], variant: AnyVariant) -> Iterator[str]:
    found = fitted(games, *SCALE[variant.name])
    yield f"{variant.name}: {len(games)} games, seeds {games[0].seed}..{games[-1].seed}"
    for level in found:
        count = sum(level in game.levels for game in games)
        few = "" if count >= GAMES_MIN else f"; {GAMES_MIN} are wanted"
        yield f"{level:8} mu {found[level]:5.1f}, in {count} games{few}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.anchors", description=__doc__)
    parser.add_argument("variant", choices=CATALOGUE)
    parser.add_argument("--games", type=int, default=1_600)
    parser.add_argument("--levels", nargs="+", help="that are measured, with that of the scale")
    parser.add_argument("--lines", type=Path, help="a file of games: played before, and now")
    args = parser.parse_args()
    variant = CATALOGUE[args.variant]
    games = list[Played]()
    if args.lines is not None and args.lines.exists():
        rows = args.lines.read_bytes().splitlines()
        games = [msgspec.json.decode(row, type=Played) for row in rows]
    for seed in range(len(games) + 1, args.games + 1):
        games.append(played(variant, args.levels or list(variant.bots), seed))
        if args.lines is not None:
            with args.lines.open("ab") as file:
                file.write(msgspec.json.encode(games[-1]) + b"\n")
    for line in report(games, variant):
        print(line)


if __name__ == "__main__":
    main()
