"""Whole games, played by seeded chance from the legal actions and written down to be reviewed.

`python -m tests.variants.playthrough --write` makes the golden games in `*/playthroughs/` again:
one for each game and each set of its options, of the usual set two numbers of seats; of a game
without options, and of one that goes on for rounds (then one round), for every number of seats.
A change of the rules, the texts or the views is then read as a diff.

A golden game holds, for each decision, what was typed, the draws, every sentence with its readers,
and a digest of all views and redacted events (a secret that slips into one changes it); every
SCREENS_EVERY decisions the screens of all readers; at the end all views as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.conformance.play import answerers
from tests.conformance.settings import AnyVariant, fits, option_sets, usual
from tests.games import folder_of, games, profile_of
from variants.contract import Seat
from variants.kit.chance import Draw, SeededChance
from variants.kit.json_values import to_json_value
from variants.kit.text import Style, plain_text
from variants.verify import decision_record, header_record, outcome_record

PEOPLE = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal")
SCREENS_EVERY = 12  # decisions
SEATS = (2, 4)  # where there are option sets

Reader = Seat | None


@dataclass(frozen=True)
class Played:
    """One decision of a game, and the state after it."""

    seat: Seat | None  # None: the deal
    action: Any
    line: str
    draws: tuple[Draw, ...]
    events: tuple[Any, ...]
    state: Any


def played(
    variant: AnyVariant, seats: int, options: Mapping[str, str], seed: bytes
) -> Iterator[Played]:
    """A whole game, the deal first.  Who plays draws from another stream than the cards do."""
    chance, fancy = SeededChance(seed), SeededChance(b"fancy" + seed)
    names = PEOPLE[:seats]
    events = tuple(variant.deal(seats, options, chance))
    seat, action, line, state = None, None, "", None
    while True:
        for event in events:
            state = variant.evolve(state, event)
        yield Played(seat, action, line, tuple(chance.draws), events, state)
        if (window := variant.open_window(variant.observe(state, None))) is None:
            return
        chance.draws.clear()
        seats_left = answerers(variant, state, window)
        seat = seats_left[fancy.below(len(seats_left))]
        view = variant.observe(state, seat)
        actions = variant.legal_actions(view)
        action = actions[fancy.below(len(actions))]
        line = variant.phrase(action, view, names)
        events = tuple(variant.decide(state, seat, action, chance))


def record(
    variant: AnyVariant, seats: int, options: Mapping[str, str], seed: bytes
) -> list[dict[str, Any]]:
    """The same game as an exported record; see `variants.verify`."""
    game = list(played(variant, seats, options, seed))
    return [
        header_record(variant.name, seats, options, seed, PEOPLE[:seats], variant.data_fingerprint),
        *(decision_record(p.seat, p.action, p.draws, p.events) for p in game),
        outcome_record(variant.outcome(game[-1].state)),
    ]


def golden(variant: AnyVariant, seats: int, options: Mapping[str, str], seed: bytes) -> str:
    """The text of a golden game."""
    names = PEOPLE[:seats]
    readers: list[Reader] = [*map(Seat, range(seats)), None]
    chosen = " ".join(f"{name}={value}" for name, value in options.items())
    title = f"{variant.title}: {seats} seats, {chosen}".removesuffix(", ")
    rows = [title, f"seed {seed.hex()}"]
    for number, play in enumerate(played(variant, seats, options, seed)):
        views = {reader: variant.observe(play.state, reader) for reader in readers}
        heard = {r: [variant.redact(event, r) for event in play.events] for r in readers}
        rows += ["", f"{number}. {names[play.seat]}> {play.line}" if number else "0. (the deal)"]
        rows += [f"   draws {json.dumps(draw)}" for draw in play.draws]
        for place in range(len(play.events)):
            sentences: dict[str, list[str]] = {}
            for reader in readers:
                event, style = heard[reader][place], Style()
                said = (
                    None if event is None else variant.describe_event(event, reader, names, style)
                )
                if said is not None:
                    who = "watcher" if reader is None else names[reader]
                    sentences.setdefault(plain_text(said), []).append(who)
            for sentence, who in sentences.items():
                rows.append(f"   {', '.join(who)}: {sentence}")
        told = json.dumps([to_json_value([views[r], heard[r]]) for r in readers], sort_keys=True)
        rows.append(f"   views {sha256(told.encode()).hexdigest()[:12]}")
        over = variant.outcome(play.state)
        if number % SCREENS_EVERY == 0 or over:
            for reader in readers:
                rows.append(f"   -- {'watcher' if reader is None else names[reader]} --")
                rows += [
                    f"   | {plain_text(row)}".rstrip()
                    for row in variant.render(views[reader], names, Style())
                ]
        if over:
            rows += ["", f"over: {json.dumps(to_json_value(over))}"]
            rows += [json.dumps(to_json_value(view), ensure_ascii=False) for view in views.values()]
    return "\n".join(rows) + "\n"


def golden_games() -> Iterator[tuple[Path, AnyVariant, int, dict[str, str], bytes]]:
    """(file, variant, seats, options, seed) of every golden game there must be."""
    for variant in games().values():
        one_round = profile_of(variant.name).one_round
        for options in [usual(variant) | dict(one_round)] if one_round else option_sets(variant):
            is_for_all = one_round or not variant.options
            numbers = [n for n in variant.seats if n in SEATS or is_for_all]
            numbers = [n for n in numbers if fits(variant, n, options)]
            for seats in numbers if is_for_all or options == usual(variant) else numbers[-1:]:
                chosen = {o.name: o.default for o in variant.options}.items() ^ options.items()
                changed = [f"{name}-{options[name]}-" for name in sorted(dict(chosen))]
                name = f"{''.join(changed)}{seats}-seats"
                seed = sha256(f"{variant.name} {name}".encode()).digest()
                path = folder_of(variant.name) / "playthroughs" / f"{name}.txt"
                yield path, variant, seats, options, seed


def main(arguments: list[str]) -> int:
    if arguments != ["--write"]:
        print("usage: python -m tests.variants.playthrough --write", file=sys.stderr)
        return 2
    for path, *game in golden_games():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(golden(*game), encoding="utf-8")
        print(f"{path.relative_to(Path.cwd())}: {path.stat().st_size // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
