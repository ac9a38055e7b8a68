"""How rounds of the word game go: `python -m tests.bench.rounds`, beside the table of App. A.

Rule 1: a game is a function of its seed: every deal, every decision.
Rule 2: every state is held against the invariants of W2.3; one that is broken ends the count,
        with the seed.
Rule 3: App. A was measured with another engine and other players, who neither trade nor steal;
        the figures are laid side by side, and nothing is asserted of them.

Players: `random` any listed play, each alike; `easy` to `master` the computer players; `level 1`
and `level 2` are the first and the last of them.
Games are to 200 points, of 25 rounds at most; of the last game rounds may be left out.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from random import Random
from statistics import mean, median, quantiles
from typing import Any

from mudserver.bots.codec import seed_bytes
from variants.catalogue import CATALOGUE
from variants.contract import Seat, may_act
from variants.kit.chance import SeededChance
from variants.words.data.box import END_CARDS, END_OF_ROUND, HAND_SIZE, WORD_MIN
from variants.words.events import (
    Event,
    GameEnded,
    LetterDrawn,
    RoundBegun,
    RoundEnding,
    RoundScored,
    TurnEnded,
)
from variants.words.lexicon.dictionary import dictionary
from variants.words.state import State
from variants.words.view import View

Player = Callable[[View, Sequence[Event], Random], Any]
APPENDIX_A = """\
App. A, 120 rounds a line, greedy players, End of Round at 60 points (the last two lines at 30):
     2   51 (10 / 60 / 80)   12.3   end 93 %  pile 6 %  out 1 %     4.0, 5
     3   43 (10 / 45 / 75)   10.7   end 53 %  pile 46 %             4.1, 5
     4   31 (0 / 30 / 60)     7.9   end 22 %  pile 76 %  out 2 %    5.3, 7
     5   20 (-5 / 20 / 50)    5.9   end 12 %  pile 88 %             7.0, 9
     6   13 (-10 / 10 / 40)   4.6   pile 98 %                       9.6, 14
     2   28 (0 / 30 / 55)     7.3   end 99 %                        6.6, 10
     4   23 (0 / 20 / 50)     6.3   end 68 %  pile 32 %             7.1, 11"""


def words() -> Any:
    """The game of the shipped files, built when it is first needed."""
    return CATALOGUE["words"]


def computer(level: str) -> Player:
    def play(view: View, seen: Sequence[Event], random: Random) -> Any:
        return words().bots[level](view, seen, SeededChance(random.randbytes(32)))

    return play


def anything(view: View, seen: Sequence[Event], random: Random) -> Any:
    return random.choice(words().legal_actions(view))


PLAYERS = {"random": anything, "level 1": computer("easy"), "level 2": computer("master")}
PLAYERS |= {level: computer(level) for level in ("easy", "medium", "hard", "expert", "master")}


@dataclass
class Round:
    """One round that was played to its end."""

    scores: tuple[int, ...]  # by seat
    why: str
    turns: int
    decisions: int
    game_over: str = ""  # why the game was over with it


def rounds(table: str, seats: int, seeds: Iterator[int]) -> Iterator[Round]:
    """Round after round, game after game.

    Raises:
        AssertionError: An invariant is broken, or there is no end within the bound; which, and
            the seed.
    """
    for seed in seeds:
        yield from _game(table, seats, seed)


def _game(table: str, seats: int, seed: int) -> Iterator[Round]:
    variant, player = words(), PLAYERS[table]
    random, chance = Random(f"{table} {seats} {seed}"), SeededChance(seed_bytes(seed))
    seen: list[list[Event]] = [[] for _ in range(seats)]
    state: Any = None
    watch, before, why = Watch(), 0, ""
    events = variant.deal(seats, {}, chance)
    for number in range(variant.decisions_max(seats) + 1):
        where = f"{table}, {seats} seats, seed {seed}, decision {number}"
        for event in events:
            watch.hear(event, state, where)
            state = variant.evolve(state, event)
            for seat in range(seats) if player is not anything else ():
                if (known := variant.redact(event, Seat(seat))) is not None:
                    seen[seat].append(known)
            match event:
                case RoundEnding():
                    why = event.why
                case RoundScored(_, sheets):
                    scores = tuple(sheet.points for sheet in sheets)
                    found = Round(scores, why, watch.turns, number - before)
                    watch, before = Watch(), number
                    if not any(isinstance(each, GameEnded) for each in events):
                        yield found
                case GameEnded(_, reason):
                    found.game_over = reason
                    yield found
        check(state, where)
        window = variant.open_window(variant.observe(state, None))
        if window is None:
            return
        views = [variant.observe(state, seat) for seat in window.seats]
        view = random.choice([each for each in views if may_act(variant, window, each)])
        action = player(view, seen[view.seat], random)
        events = variant.decide(state, view.seat, action, chance)
    raise AssertionError(f"{table}, {seats} seats, seed {seed}: no end within the bound")


# -- invariants ------------------------------------------------------------------------


def check(state: State, where: str) -> None:
    """Raise AssertionError where *state* breaks one."""
    cards = [*state.pile, *state.discards, *(card for p in state.players for card in p.hand)]
    cards += [END_OF_ROUND] * state.is_end_played
    cards += [letter for word in state.words for letter in word.spelling]
    assert Counter(cards) == box_of(state), f"cards of the box: {where}"
    for player in state.players:
        assert player.hand.count(END_OF_ROUND) <= 1, f"two End of Round in a hand: {where}"
    spelled = {word.spelling for word in state.words}
    assert all(map(is_word(state), spelled)), f"no word: {where}"
    assert len({word.number for word in state.words}) == len(state.words), f"one number: {where}"
    if state.phase == "draw" and not state.drawn:
        is_dry = not state.pile and not state.discards
        hands = [len(player.hand) for player in state.players]
        assert is_dry or hands == [HAND_SIZE] * state.seats, f"hands of {hands}: {where}"


def box_of(state: State) -> Counter[str]:
    return Counter({each.letter: each.number for each in state.box.letters}) + Counter(
        {END_OF_ROUND: END_CARDS}
    )


def is_word(state: State) -> Callable[[str], bool]:
    """By the table's level and what is printed on cards.  [WR-02] [WR-03]"""
    known = dictionary(words().decide.args[0], state.box, state.settings.level)
    return lambda spelling: len(spelling) >= WORD_MIN and known.is_word(spelling)


@dataclass
class Watch:
    """What no single state shows: locked words stay as they are, turns are counted."""

    turns: int = 0
    locked: dict[int, str] = field(default_factory=dict)

    def hear(self, event: Event, before: State | None, where: str) -> None:
        """*before*: the state that the event changes."""
        if isinstance(event, TurnEnded) or (
            isinstance(event, RoundEnding) and event.why in ("end", "out")
        ):
            self.turns += 1
        # Between the reckoning and the deal the words of the round before lie there still.
        for word in before.words if before is not None and before.phase else ():
            if word.is_locked:
                known = self.locked.setdefault(word.number, word.spelling)
                assert known == word.spelling, f"a locked word changed: {where}"
        if isinstance(event, RoundScored) and before is not None:
            left = {word.number: word.spelling for word in before.words if word.is_locked}
            assert self.locked.items() <= left.items(), f"a locked word is gone: {where}"
        if isinstance(event, LetterDrawn) and event.source == "pile" and before is not None:
            assert before.pile, f"drawn from an empty pile: {where}"
        if isinstance(event, RoundBegun):
            assert not self.locked, f"words of the round before: {where}"


# -- figures ---------------------------------------------------------------------------


HEAD = f"  {'':<9} {'round score':<22} turns   {'rounds ended by':<36} rounds to 200"


@dataclass
class Figures:
    """What many rounds came to."""

    table: str
    seats: int
    rounds: list[Round]

    @property
    def games(self) -> list[int]:
        """Rounds of each whole game that was won."""
        found, number = [], 0
        for each in self.rounds:
            number += 1
            if each.game_over:
                found += [number] if each.game_over == "target" else []
                number = 0
        return found

    @property
    def row(self) -> str:
        scores = [score for each in self.rounds for score in each.scores]
        low, *_, high = quantiles(scores, n=10)
        score = f"{mean(scores):.0f} ({low:.0f} / {median(scores):.0f} / {high:.0f})"
        turns = mean(each.turns / self.seats for each in self.rounds)
        ends = Counter(each.why for each in self.rounds)
        ended = "  ".join(f"{why} {n / len(self.rounds):.0%}" for why, n in ends.most_common())
        games = f"{mean(self.games):.1f}, {max(self.games)}" if self.games else "never"
        return f"{self.seats} {self.table:<9} {score:<22} {turns:5.1f}   {ended:<36} {games}"


def figures(table: str, seats: int, number: int, first_seed: int = 1) -> Figures:
    return Figures(table, seats, list(islice(rounds(table, seats, count(first_seed)), number)))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.rounds", description=__doc__)
    parser.add_argument("--rounds", type=int, default=120, help="in each row")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--tables", nargs="+", default=list(PLAYERS), choices=PLAYERS)
    parser.add_argument("--seats", type=int, nargs="+", default=list(words().seats))
    args = parser.parse_args()
    print(f"words, {args.rounds} rounds in each row, from seed {args.first_seed}")
    print(HEAD)
    for table in args.tables:
        for seats in args.seats:
            print(figures(table, seats, args.rounds, args.first_seed).row, flush=True)
    print(APPENDIX_A)


if __name__ == "__main__":
    main()
