"""A line that somebody types in any game, and what it is read as."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tests.games import AnyVariant
from tests.variants.driver import ANN, Driver
from variants.contract import AmbiguousInput, ParseError, Refusal, Seat

Place = Any  # a view, or a driver and then the view of *seat*
Names = Sequence[str]


@dataclass(frozen=True)
class Position:
    """Where lines are typed, for the laws of typing."""

    place: Place
    seat: Seat = ANN
    by_letter: str = ""  # letters that are all that is asked for, or `no`
    asks_name: bool = False  # whether somebody's name is all that is asked for
    is_response: bool = False  # whether the seat may respond to what was played on it
    elsewhere: tuple[str, ...] = ()  # lines that name another place than the one they would mean


@dataclass(frozen=True)
class Typist:
    """Types at *place* if nothing else is said."""

    game: Callable[[], AnyVariant]
    place: Place
    names: Names

    def _at(self, place: Place, names: Names, seat: Seat) -> tuple[Any, Names]:
        place = self.place if place is None else place
        view = place.view(seat) if isinstance(place, Driver) else place
        return view, (names or self.names)[: len(view.seats)]

    def typed(self, line: str, place: Place = None, names: Names = (), seat: Seat = ANN) -> Any:
        """The play that a line is read as."""
        return self.game().parse(line, *self._at(place, names, seat))

    def offered(self, line: str, place: Place = None, names: Names = ()) -> str:
        """The same, as it would be typed."""
        return self.game().phrase(self.typed(line, place, names), *self._at(place, names, ANN))

    def asked_back(self, line: str, place: Place = None, names: Names = ()) -> str:
        with pytest.raises(AmbiguousInput) as asked:
            self.typed(line, place, names)
        return asked.value.format(names or self.names)

    def not_understood(self, line: str, place: Place = None, names: Names = ()) -> str:
        with pytest.raises(ParseError) as refused:
            self.typed(line, place, names)
        return refused.value.format(names or self.names)

    def refused(self, line: str, place: Place = None, seat: Seat = ANN) -> str:
        """What `check` says to a line that is well said."""
        action, (view, names) = self.typed(line, place, seat=seat), self._at(place, (), seat)
        with pytest.raises(Refusal) as found:
            self.game().check(view, action)
        assert not isinstance(found.value, ParseError | AmbiguousInput)
        return found.value.format(names)

    def meant(self, line: str, place: Place = None, names: Names = ()) -> str:
        """The play that a line is read as, or what is said instead."""
        try:
            return repr(self.typed(line, place, names))
        except Refusal as refusal:
            return refusal.format(names or self.names)

    def phrases(self, at: Position) -> list[str]:
        """Moves that can be made there, of every kind first, each as it is written in full."""
        view, names = self._at(at.place, (), at.seat)
        kinds = {type(action): action for action in self.game().legal_actions(view)}
        return [self.game().phrase(action, view, names) for action in kinds.values()]

    def phrase_of(self, line: str, at: Position) -> str:
        """The move that a line is read as, as it is written in full."""
        view, names = self._at(at.place, (), at.seat)
        return self.game().phrase(self.game().parse(line, view, names), view, names)

    def answer(self, line: str, at: Position) -> str:
        """What is said to a line that is no move; "": it is one."""
        view, names = self._at(at.place, (), at.seat)
        try:
            self.game().parse(line, view, names)
        except Refusal as refusal:
            return refusal.format(names)
        return ""

    def plays(self, line: str, at: Position) -> bool:
        """Whether a line is a play, and a legal one."""
        view, names = self._at(at.place, (), at.seat)
        try:
            self.game().check(view, self.game().parse(line, view, names))
        except Refusal:
            return False
        return True
