"""Works out the facts of a decision on a game before they are written.

Rule 1: a builder reads the game and changes nothing in it.
Rule 2: chance continues at the position of the game's chance; the draws of a time-out default come
        before those of the play it makes, in the same fact.  [G-02, G-09]
Rule 3: a new window is a full window; the same key is the same window.  [TIME-5]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

from msgspec.structs import replace

from mudserver.tables import records as f
from mudserver.tables.correspondence import is_expired, short_ms
from mudserver.tables.game import Game
from mudserver.tables.missed_turns import SHORT_MS, count_decision, turn_of, window_ms
from mudserver.tables.result import places_with_forfeits
from variants.contract import Chance, IllegalAction, Seat, Window, may_act
from variants.kit.chance import SEED_BYTES, Draw, SeededChance


class GameChance(Chance, Protocol):
    """Chance that records its draws and its position."""

    draws: list[Draw]
    position: int


ChanceFactory = Callable[[bytes, int], GameChance]
DEFAULTS_MAX = 100  # of one seat in one expired window; the next tick plays the rest


class GameFactsBuilder:
    def __init__(self, game: Game, make_chance: ChanceFactory) -> None:
        self.game, self._make_chance = game, make_chance
        self.state, self._position = game.state, game.position
        self.facts: list[f.AnyFact] = []
        self._turns = [occupant.turns for occupant in game.seats]

    # -- plays ---------------------------------------------------------------------------------

    def deal(self) -> None:
        game = self.game
        chance = self._make_chance(game.seed, 0)
        events = tuple(game.variant.deal(len(game.seats), game.options.game, chance))
        self._evolve(events)
        self._position = chance.position
        self.facts.append(f.Dealt(_frozen(chance.draws), events, chance.position))

    def play(self, seat: Seat, by: f.DecidedBy, action: Any) -> None:
        """Raises IllegalAction."""
        chance = self._make_chance(self.game.seed, self._position)
        self._play_action(seat, by, action, chance, self.game.window)

    def play_for_computer(self, seat: Seat, by: f.DecidedBy, action: Any | None, seed: int) -> None:
        """A computer player's action, or the default where it has none that is legal.

        The default draws from a chance of its own; the game's chance is not touched.
        """
        variant = self.game.variant
        view = variant.observe(self.state, seat)
        try:
            if action is not None:
                variant.check(view, action)
        except IllegalAction:
            action = None
        if action is None:
            action = variant.default_action(view, SeededChance(seed.to_bytes(SEED_BYTES)))
        self.play(seat, by, action)

    def expire(self, window: Window) -> list[Seat]:
        """Play the default of every seat that has not answered; returns these seats.  [G-09]"""
        variant, late = self.game.variant, []
        for seat in window.seats:
            for _ in range(DEFAULTS_MAX):
                now, view = self.window(), variant.observe(self.state, seat)
                if now is None or now.key != window.key or seat not in now.seats:
                    break  # closed, at least for this seat
                if not may_act(variant, now, view):
                    break  # this seat has answered a sealed window  [G-11]
                chance = self._make_chance(self.game.seed, self._position)
                self._play_action(seat, "time", variant.default_action(view, chance), chance, now)
                late.append(seat)
        return sorted(set(late))

    def _play_action(
        self, seat: Seat, by: f.DecidedBy, action: Any, chance: GameChance, window: Window | None
    ) -> None:
        """Args: window: The one that it answers."""
        if window is not None:
            is_absent = self.game.seats[seat].is_decided_by_computer
            turns = count_decision(self._turns[seat], by, window, is_absent=is_absent)
            self._turns[seat] = turns
        events = tuple(self.game.variant.decide(self.state, seat, action, chance))
        self._evolve(events)
        self._position = chance.position
        draws = _frozen(chance.draws)
        self.facts.append(f.Played(seat, by, action, draws, events, chance.position))

    def _evolve(self, events: Sequence[Any]) -> None:
        for event in events:
            self.state = self.game.variant.evolve(self.state, event)

    # -- what follows --------------------------------------------------------------------------

    def window(self) -> Window | None:
        return self.game.variant.open_window(self.game.variant.observe(self.state, None))

    def is_out(self, seat: Seat) -> bool:
        variant = self.game.variant
        return seat in variant.eliminated_seats(variant.observe(self.state, None))

    def is_expired(self) -> bool:
        """Whether nobody plays a game by correspondence any more."""
        game = self.game
        if not game.options.is_correspondence or game.state is None:
            return False
        seats = [
            replace(occupant, turns=turns)
            for occupant, turns in zip(game.seats, self._turns, strict=True)
        ]
        return is_expired([o for n, o in enumerate(seats) if not self.is_out(Seat(n))])

    def end_turn(self, missed_max: int, first_max: int) -> list[Seat]:
        """Count the turn that has ended, if one has; the seats whose owners are away from now on.

        Args:
            missed_max: So many missed turns in a row make an owner away.
            first_max: The same of an owner who has decided nothing in the game yet.
        """
        game, window = self.game, self.window()
        if window is None or not game.turn or turn_of(window) == game.turn:
            return []
        self._turns = [turns.turn_ended(game.turn) for turns in self._turns]
        return [
            Seat(seat)
            for seat, (occupant, turns) in enumerate(zip(game.seats, self._turns, strict=True))
            if occupant.person is not None
            and not occupant.is_away
            and turns.missed >= (missed_max if turns.has_begun else first_max)
            and not self.is_out(Seat(seat))
        ]

    def close_decision(self, now_ms: int, offline: Collection[Seat], pause_ms: int) -> None:
        """Add what follows the plays: the end of the game, or the window that opens.

        Call `end_turn` before.
        """
        game, window = self.game, self.window()
        if window is not None and self.is_expired():
            self.facts.append(f.Aborted("expired"))
            return
        if window is None:
            outcome = game.variant.outcome(self.state)
            assert outcome is not None, "no window is open in a game that is not over"
            forfeits = [n for n, o in enumerate(game.seats) if o.has_forfeited]
            places = places_with_forfeits(outcome.places, forfeits)
            self.facts.append(f.Ended(places, outcome.scores, outcome.reason))
            return
        if game.state is not None and game.window is not None and game.window.key == window.key:
            return
        full_ms = game.full_ms(window)
        if full_ms is None:
            self.facts.append(f.Asked(window.key, None))
            return
        asked = [self._turns[seat] for seat in window.seats]
        is_slow = game.options.is_correspondence
        left_ms = window_ms(window, asked, full_ms, short_ms(full_ms) if is_slow else SHORT_MS)
        cut_ms = full_ms - left_ms
        if window.key in game.interrupted_left_ms:  # the same window goes on
            left_ms, cut_ms = game.interrupted_left_ms[window.key], 0
        deadline_ms = now_ms + left_ms
        held, held_ms = self._interrupted_window(window, now_ms)
        self.facts.append(f.Asked(window.key, deadline_ms, held, held_ms, cut_ms))
        self.facts.extend(
            stop_clock_if_absent(game, window, deadline_ms, now_ms, offline, pause_ms)
        )

    def _interrupted_window(self, window: Window, now_ms: int) -> tuple[str, int]:
        """The key of the window that *window* interrupts, and what it has left; "" and 0: none."""
        clock = self.game.clock
        if self.game.state is None or self.game.window is None:
            return "", 0
        if not window.paused_window_key or window.paused_window_key != self.game.window.key:
            return "", 0  # none, or it is interrupted already
        left_ms = clock.left_ms if clock.deadline_ms is None else clock.deadline_ms - now_ms
        return window.paused_window_key, max(0, left_ms or 0)


def stop_clock_if_absent(
    game: Game,
    window: Window,
    deadline_ms: int,
    now_ms: int,
    offline: Collection[Seat],
    pause_ms: int,
) -> list[f.AnyFact]:
    """[G-09] pause: the clock stops for an asked person who is offline and has allowance left.

    The asked seats are public.  Who of them has answered is not, and plays no part.  [G-11]
    """
    if game.options.absence != "pause":
        return []
    for seat in window.seats:
        allowed_ms = pause_ms - game.seats[seat].paused_ms
        is_decided = game.seats[seat].is_away or game.passes_itself(seat, window)
        if seat in offline and not is_decided and allowed_ms > 0:
            return [f.ClockStopped(seat, max(0, deadline_ms - now_ms), now_ms + allowed_ms)]
    return []


def used_pause_ms(game: Game, now_ms: int, pause_ms: int) -> int:
    """How much of a seat's allowance the clock has used that is stopped for it.  [G-09]"""
    clock = game.clock
    assert clock.seat is not None and clock.until_ms is not None
    allowed_ms = pause_ms - game.seats[clock.seat].paused_ms
    return max(0, allowed_ms - max(0, clock.until_ms - now_ms))


def _frozen(draws: Sequence[Draw]) -> f.Draws:
    return tuple(draws)
