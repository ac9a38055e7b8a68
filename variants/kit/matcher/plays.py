"""What a game declares of each play: its phrase, and what can stand in its slots.

A game declares a `Play` for each kind of action: its phrase, `give {card} to {seat}`, and a `Slot`
for each name in braces, in the order in which people say them.  The phrase says how a play is
written back to people and how it stands in a list of plays: `give CARD to NAME`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from variants.contract import Seat, SeatNames

WHOLE_NAME, PLAIN, OWN_NAME = 0, 1, 2
"""Ranks of a reading: with the whole name of another player, without, with the reader's own name.
Of all readings that fit a line, those of the lowest rank count."""

Words = Sequence[str]
V = TypeVar("V")  # the view of a game
A = TypeVar("A")  # its actions


@dataclass(eq=False)  # made for each phrase, so not frozen, which takes three times as long
class Table(Generic[V]):
    """Where a line is typed; a game that needs more to read a line derives from it."""

    view: V  # has a `seat` and a `turn`
    names: SeatNames

    @property
    def me(self) -> Seat:
        """Whose words they are; a watcher's are refused whatever they mean."""
        view: Any = self.view
        return Seat(view.turn if view.seat is None else view.seat)


T = TypeVar("T", bound=Table[Any])


class Meaning(NamedTuple):
    """What the next words of a line can mean in a slot."""

    words: int  # how many, from 1
    value: Any  # hashable
    rank: int = PLAIN
    turns: int = 0  # how far this is from the usual way to say it


@dataclass(frozen=True)
class Slot(Generic[T]):
    """One part of a play that is filled in: a card, a player, a number."""

    form: str  # in a list of plays: "CARD"; "": it is left out there
    read: Callable[[Words, int, T], Iterable[Meaning]]
    """(words, at, table) -> everything that the words from place *at* on can mean."""
    say: Callable[[Any, Any, T], str] = lambda value, action, table: str(value).lower()
    """(value, action, table) -> how it is typed; "" drops it and the words before it."""
    fill: Callable[[T, Sequence[Any]], Iterable[Any]] = lambda table, legal: ()
    """(table, values of the legal actions that fit) -> what is meant where nothing is said; by
    default it has to be said."""
    fits: Callable[[Any, Any, T], bool] | None = None
    """(value, action, table) -> whether an action is meant; None: if its field has that value."""
    most: int = 1  # how often it may be said


class Reading(NamedTuple):
    """One way to read the words after the verb."""

    rank: int = PLAIN
    turns: int = 0  # how far from the phrase: parts in another order, fillers that could be names
    said: tuple[tuple[str, Any], ...] = ()  # (slot, value), in the order in which they were typed
    last: int = -1  # place of the slot that was read last

    def all(self, slot: str) -> list[Any]:
        """All that was said in *slot*."""
        return [value for name, value in self.said if name == slot]

    def get(self, slot: str) -> Any:
        """What was said in *slot* first; None: nothing."""
        return next(iter(self.all(slot)), None)

    def with_slot(self, name: str, place: int, meaning: Meaning) -> Reading:
        """This reading, and one more slot."""
        ranks = (self.rank, meaning.rank)
        return Reading(
            WHOLE_NAME if WHOLE_NAME in ranks else max(ranks),
            self.turns + meaning.turns + (place < self.last),
            (*self.said, (name, meaning.value)),
            max(place, self.last),
        )


@dataclass(frozen=True, eq=False)
class Play(Generic[T, A]):
    """One kind of action, and how people say it."""

    phrase: str
    """How it is written: `stay {to}`, `steal {letter} from {word}`.  The first word is its verb."""
    kind: Any  # the action, a class with fields of the names of the slots; None: the game reads it
    slots: Mapping[str, Slot[T]] = field(default_factory=dict)
    words: str = ""  # other words with which it may begin
    fillers: str = ""  # words that say nothing in this play; with slots those of the grammar, too
    asked: tuple[str, ...] = ()  # the open questions that it answers
    form: str = ""  # in a list of plays; "": made from the phrase
    by_letter: bool = False  # its first letter alone is enough; else such a line is asked back
    letters_min: int = 1  # letters that can be short for its verb
    actions: Callable[[Reading, Sequence[A], T], Iterable[A]] | None = None
    """(reading, legal actions that agree with it, table) -> all that it could mean, the likeliest
    first.  None: all that the slots say and fill."""
    otherwise: Callable[[Reading, T], Iterable[A]] = lambda reading, table: ()
    """(reading, table) -> what it means if `actions` has nothing, also for `check` to refuse."""
    is_for: Callable[[Any, T], bool] = lambda action, table: True
    """Whether the phrase says this action, where several plays have its kind."""

    @cached_property
    def verb(self) -> str:
        return self.phrase.split()[0]

    @cached_property
    def first_words(self) -> tuple[str, ...]:
        return (self.verb, *self.words.split())

    @cached_property
    def literals(self) -> Sequence[str]:
        """The words of the phrase after the verb."""
        return re.sub(r"{\w+}", "", self.phrase).split()[1:]

    @cached_property
    def own_fillers(self) -> frozenset[str]:
        """The first literal may be begun: `home del`."""
        begun = [word[:end] for word in self.literals[:1] for end in range(2, len(word))]
        return frozenset((*self.literals, *begun, *self.fillers.split()))

    @cached_property
    def parts(self) -> Sequence[tuple[str, str]]:
        """(words before it, name) of each slot of the phrase."""
        return re.findall(r"([^{}]*){(\w+)}", self.phrase.removeprefix(self.verb))

    @cached_property
    def listed(self) -> str:
        """`give CARD to NAME`."""
        forms = [(before, self.slots[name].form) for before, name in self.parts]
        made = self.verb + "".join([before + form for before, form in forms if form])
        return self.form or (made if self.slots else self.phrase)

    def write(self, action: A, table: T) -> str:
        """Exactly what to type for *action*."""
        text = self.verb if self.parts else self.phrase
        for before, name in self.parts:
            value = getattr(action, name)
            if value is not None and (said := self.slots[name].say(value, action, table)):
                text += before + said
        return text
