"""One decision of this game while it is being made."""

from __future__ import annotations

from variants.contract import Chance, Seat
from variants.kit import transition
from variants.words.events import Event, Letters, Word
from variants.words.lexicon.lexicon import Lexicon
from variants.words.rules.evolve import evolve
from variants.words.state import State


class Transition(transition.Transition[State, Event]):
    """The events so far and the state after them, with the questions that the rules ask it."""

    __slots__ = ("lexicon",)

    def __init__(
        self, lexicon: Lexicon, state: State | None, chance: Chance, first: Event | None = None
    ) -> None:
        super().__init__(state, chance, evolve, first)
        self.lexicon = lexicon

    @property
    def turn(self) -> Seat:
        """Whose turn it is."""
        assert self.state.turn is not None, "no round has begun"
        return self.state.turn

    def seats(self) -> list[Seat]:
        return [Seat(seat) for seat in range(self.state.seats)]

    def hand(self, seat: Seat) -> Letters:
        return self.state.players[seat].hand

    def word(self, number: int) -> Word:
        return next(word for word in self.state.words if word.number == number)

    def exposed_words(self, seat: Seat) -> list[Word]:
        """The words in front of a seat that are not locked, by number."""
        return [word for word in self.state.words if word.owner == seat and not word.is_locked]

    def draw_sources(self) -> list[str]:
        """Where a card can be drawn from: a public fact."""
        piles = {"pile": self.state.pile, "discard": self.state.discards}
        return [source for source, cards in piles.items() if cards]

    def next_seat(self, seat: Seat) -> Seat:
        """The next seat clockwise.  [G-01]"""
        return Seat((seat + 1) % self.state.seats)
