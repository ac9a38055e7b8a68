"""How stockpile games go: `python -m tests.bench.distribution`, beside the table of S1.

Rule 1: a game is a function of its seed: deal, first player, who plays how, every decision.
Rule 2: every state of every game is held against the invariants of S2.5; one that is broken ends
        the count, with the seed.
Rule 3: S1 was measured with an independent engine and other players; the figures are laid side by
        side, and nothing is asserted of them.

Players: `random` any legal play, each alike; `kinds` a kind, then a play of it; `level 2` the hard
computer player; `in` and `out` the same but always Indoors or always Outdoors where there is a
choice; `mix` seats drawn from level 2, in, out.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import mean, median, quantiles
from typing import Any

from mudserver.bots.codec import seed_bytes
from tests.bench.stand_ins import players
from variants.catalogue import CATALOGUE
from variants.contract import Seat
from variants.kit.chance import SeededChance
from variants.stockpile.actions import Go
from variants.stockpile.data.cards import (
    ACTIONS_PER_TURN,
    DECK_SIZE,
    DECKS,
    HAND_MAX,
    INDOORS,
    OUTDOORS,
    SOLD_OUT,
    total_value,
)
from variants.stockpile.events import ActionOpened, Event, TurnStarted
from variants.stockpile.legal_actions import legal_actions
from variants.stockpile.state import State
from variants.stockpile.view import View

STOCKPILE = CATALOGUE["stockpile"]
ACTIONS_MAX = 4 * DECK_SIZE  # each draws a location card or uses one up
TURNS_MAX = 47

Player = Callable[[View, Sequence[Event], Random], Any]


def computer(level: str, where: str = "") -> Player:
    def play(view: View, seen: Sequence[Event], random: Random) -> Any:
        if where and view.asks == "location":
            return Go(where)
        return players(STOCKPILE)[level](view, seen, SeededChance(random.randbytes(32)))

    return play


def anything(view: View, seen: Sequence[Event], random: Random) -> Any:
    return random.choice(legal_actions(view))


PLAYERS = {
    "random": anything,
    "kinds": computer("random"),
    "level 2": computer("hard"),
    "in": computer("hard", INDOORS),
    "out": computer("hard", OUTDOORS),
}
MIXED = ("level 2", "in", "out")
TABLES = (*PLAYERS, "mix")

S1 = """\
S1:  2 random  7.5 (2.5-14.5)  77 %  39 %  77 %  6.8  1 %    2 mix  9 (2.5-14.5)  59 %  29 %  59 %  7.8  2 %
     3 random  8.7 (5.3-10.3)  31 %  37 %  80 %  7.7  3 %    3 mix  8.3 (6-10.3)  15 %  25 %  61 %  8.2  5 %
     4 random  6.8 (5.5-7.5)    5 %  29 %  78 %  6.4  7 %    4 mix  6.5 (5-7.5)    1 %  20 %  61 %  7.5  7 %
     4 mix ended by: Indoor 46 %, Supplies 32 %, Outdoor 20 %
     another engine, other random players: 9.0 / 9.7 / 7.2 turns, 36 / 32 / 24 % out per seat"""  # noqa: E501


@dataclass
class Ended:
    """One game that was played to its end."""

    state: State
    how: tuple[str, ...]  # players by seat
    decisions: int

    @property
    def turns_each(self) -> float:
        return self.state.number / len(self.how)

    @property
    def survivors(self) -> list[int]:
        return [total_value(player.stockpile) for player in self.state.players if player.is_in]


def game(table: str, seats: int, seed: int) -> Ended:
    """One game.

    Raises:
        AssertionError: An invariant is broken, or there is no end within the bound; which, and
            the seed.
    """
    random, chance = Random(f"{table} {seats} {seed}"), SeededChance(seed_bytes(seed))
    how = tuple(random.choice(MIXED) if table == "mix" else table for _ in range(seats))
    seen: list[list[Event]] = [[] for _ in range(seats)]
    thinks = any(name != "random" for name in how)
    state: Any = None
    turns = Turns()
    events = STOCKPILE.deal(seats, {}, chance)
    for number in range(STOCKPILE.decisions_max(seats) + 1):
        for event in events:
            state = STOCKPILE.evolve(state, event)
            turns.hear(event, state)
            for seat in range(seats) if thinks else ():
                known = STOCKPILE.redact(event, Seat(seat))
                assert known is not None
                seen[seat].append(known)
        check(state, f"{table}, {seats} seats, seed {seed}, decision {number}")
        if state.ended:
            return Ended(state, how, number)
        view = STOCKPILE.observe(state, state.asked)
        action = PLAYERS[how[state.asked]](view, seen[state.asked], random)
        events = STOCKPILE.decide(state, state.asked, action, chance)
    raise AssertionError(f"{table}, {seats} seats, seed {seed}: no end within the bound")


# -- invariants ------------------------------------------------------------------------


def check(state: State, where: str) -> None:
    """Raise AssertionError where *state* breaks one."""
    for deck, pile in zip(DECKS, state.discards, strict=True):
        cards = [*state.cards_in_deck(deck), *pile]
        for player in state.players:
            held = (*player.hand, *player.stockpile, *filter(None, (player.isolation,)))
            cards += [card for card in held if card.deck == deck]
        assert len(cards) == len({card.id for card in cards}) == DECK_SIZE, f"{deck}: {where}"
    for player in state.players:
        assert len(player.hand) <= HAND_MAX, f"too many in a hand: {where}"
        assert all(card.name != SOLD_OUT for card in player.stockpile), f"Sold Out: {where}"
        owned = player.hand or player.stockpile or player.isolation
        assert player.is_in or not owned, f"who is out owns something: {where}"


@dataclass
class Turns:
    """Every finished turn has three actions, unless it was the last or its seat fell."""

    actions: int = 0  # in all
    in_turn: int = 0
    seat: int = -1

    def hear(self, event: Event, state: State) -> None:
        match event:
            case ActionOpened():
                self.actions += 1
                self.in_turn += 1
                assert self.actions <= ACTIONS_MAX
            case TurnStarted(seat, number):
                is_whole = self.in_turn == ACTIONS_PER_TURN or self.seat < 0
                assert is_whole or not state.players[self.seat].is_in, f"turn {number - 1} is short"
                assert number <= TURNS_MAX
                self.in_turn, self.seat = 0, seat


# -- figures ---------------------------------------------------------------------------


@dataclass
class Figures:
    """What many games came to."""

    table: str
    seats: int
    games: list[Ended] = field(default_factory=list)

    def share(self, holds: Callable[[Ended], bool]) -> float:
        return sum(map(holds, self.games)) / len(self.games)

    @property
    def row(self) -> str:
        turns = [game.turns_each for game in self.games]
        low, *_, high = quantiles(turns, n=10)
        fallen = sum(len(game.state.fallen) for game in self.games)
        ended = Counter(game.state.ended for game in self.games)
        return (
            f"{self.seats} {self.table:<8}{median(turns):5.1f} ({low:.1f}-{high:.1f})"
            f"{ended['survivor'] / len(self.games):7.0%}"
            f"{fallen / len(self.games) / self.seats:7.0%}"
            f"{self.share(lambda game: bool(game.state.fallen)):7.0%}"
            f"{mean(worth for game in self.games for worth in game.survivors):7.1f}"
            f"{self.share(lambda game: len(game.state.winners) > 1):6.0%}   "
            + "  ".join(f"{deck} {ended[deck] / len(self.games):.0%}" for deck in DECKS)
        )

    def wins(self) -> Iterator[str]:
        """Shares of the win by kind of player, where there are several."""
        won: Counter[str] = Counter()
        played: Counter[str] = Counter()
        for game in self.games:
            played.update(game.how)
            for seat in game.state.winners:
                won[game.how[seat]] += 1000 // len(game.state.winners)
        for name in sorted(played) if len(played) > 1 else ():
            yield f"{name} {won[name] / played[name] / 1000:.3f}"


HEAD = "          turns each      last    out    any   mean  ties   ended by"


def figures(table: str, seats: int, seeds: Iterable[int]) -> Figures:
    return Figures(table, seats, [game(table, seats, seed) for seed in seeds])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.distribution", description=__doc__)
    parser.add_argument("--games", type=int, default=500, help="in each row")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--tables", nargs="+", default=list(TABLES), choices=TABLES)
    parser.add_argument("--seats", type=int, nargs="+", default=list(STOCKPILE.seats))
    args = parser.parse_args()
    seeds = range(args.first_seed, args.first_seed + args.games)
    print(f"stockpile, {args.games} games in each row, seeds {seeds[0]}..{seeds[-1]}")
    print(HEAD)
    for table in args.tables:
        for seats in args.seats:
            found = figures(table, seats, seeds)
            print("  ".join((found.row, *found.wins())), flush=True)
    print(S1)


if __name__ == "__main__":
    main()
