"""What a game declares of each play: its phrase, and what can stand in its slots.

A game declares a `Play` for each kind of action: its phrase, `give {card} {to}`, and a `Slot` for
each name in braces.  The phrase says how a play is written back to people and how it stands in a
list of plays (`give CARD NAME`); the slots stand in the order in which their parts usually come.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from variants.contract import Seat, SeatNames

WHOLE_NAME, PLAIN, OWN_NAME = 0, 1, 2
"""Ranks of a reading: with the whole name of another player, without, with the reader's own name.
Of all readings that fit a line, those of the lowest rank count."""

WORDS_MAX = 20  # in a play that does not say otherwise

Words = Sequence[str]
V = TypeVar("V")  # the view of a game
A = TypeVar("A")  # its actions


@dataclass(frozen=True)
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

    form: str  # in a list of plays: "CARD"
    read: Callable[[Words, int, T], Iterable[Meaning]]
    """(words, at, table) -> everything that the words from place *at* on can mean."""
    say: Callable[[Any, Any, T], str] = lambda value, action, table: str(value).lower()
    """(value, action, table) -> how it is typed; "" is nothing, and drops an optional part."""
    fill: Callable[[T], Iterable[Any]] | None = None
    """The values that can be meant where nothing is said; None: it has to be said."""
    most: int = 1  # how often it may be said
    unknown: str = ""
    """What is said of a word that means nothing in it: `Nobody here is called "{}".`"""
    choices: Callable[[T], str] = lambda table: ""
    """A sentence with what it can hold: `Your hand: 7H 8H.`"""


class Reading(NamedTuple):
    """One way to read the words after the verb."""

    rank: int = PLAIN
    turns: int = 0  # how far from the phrase: parts in another order, fillers that could be names
    said: tuple[tuple[str, Any], ...] = ()  # (slot, value), in the order in which they were typed
    last: int = -1  # place of the slot that was read last

    def get(self, slot: str) -> Any:
        """What was said in *slot* first; None: nothing."""
        return next((value for name, value in self.said if name == slot), None)


@dataclass(frozen=True)
class Play(Generic[T, A]):
    """One kind of action, and how people say it."""

    phrase: str
    """How it is written: `stay {to}`, `reflect [{target}] [{give} for]`.  The first word is its
    verb.  A part in brackets is left out where one of its slots says nothing."""
    kind: Any  # the action, a class with fields of the names of the slots; None: of other plays
    slots: Mapping[str, Slot[T]] = field(default_factory=dict)
    words: str = ""  # other words with which it may begin
    fillers: str = ""  # words that say nothing in this play, beside those of the grammar
    is_alone: bool = False  # the fillers of the grammar do not belong to it
    asked: tuple[str, ...] = ()  # the open questions that it answers
    form: str = ""  # in a list of plays; "": made from the phrase
    by_letter: bool = False  # its first letter alone is enough; else such a line is asked back
    letters_min: int = 1  # letters that can be short for its verb
    words_max: int = WORDS_MAX  # after the verb; more are no play
    actions: Callable[[Reading, T], Iterable[Sequence[A]]] | None = None
    """(reading, table) -> the actions that fit, the likeliest first: of the lists of all readings
    the first lists count before the second ones.  None: all that the slots say and fill."""
    reads: Callable[[Words, T], A] | None = None
    """Reads the words after the verb by itself, where slots cannot say what they mean."""
    is_for: Callable[[Any, T], bool] | None = None
    """Whether the phrase says this action; None: every action of the kind."""

    @cached_property
    def verb(self) -> str:
        return self.phrase.split()[0]

    @cached_property
    def first_words(self) -> tuple[str, ...]:
        return (self.verb, *self.words.split())

    @property
    def people(self) -> bool:
        """Whether a slot knows everything that can be said in it, as names of players."""
        return any(slot.unknown for slot in self.slots.values())

    @cached_property
    def blank(self) -> Any:
        """An action of that kind which says nothing, to be refused out of turn."""
        blanks = {"int": 0, "tuple": ()}
        kinds = {part.name: str(part.type).partition("[")[0] for part in fields(self.kind)}
        return self.kind(**{name: blanks.get(kind, "") for name, kind in kinds.items()})

    @cached_property
    def listed(self) -> str:
        """`give CARD NAME`."""
        plain = re.sub(r" *\[.*?\]", "", self.phrase)
        return self.form or re.sub(r"{(\w+)}", lambda slot: self.slots[slot[1]].form, plain)

    @cached_property
    def parts(self) -> Sequence[tuple[bool, Sequence[tuple[str, Slot[T] | None]]]]:
        """(is optional, words of the phrase, and names of fields with their slots)."""
        found = []
        for optional, always in re.findall(r"\[(.*?)\]|([^\[\]]+)", self.phrase):
            words = (optional or always).split()
            slots = [self.slots[word[1:-1]] if word[0] == "{" else None for word in words]
            named = [word.strip("{}") for word in words]
            found.append((bool(optional), list(zip(named, slots, strict=True))))
        return found

    @cached_property
    def literals(self) -> tuple[str, ...]:
        """The words of the phrase after its verb."""
        return tuple([word for word in re.findall(r"[^\[\] ]+", self.phrase) if word[0] != "{"][1:])

    @cached_property
    def second(self) -> str:
        """The second word of the phrase, which may be begun only; "" if it is a slot."""
        is_word = self.literals and self.phrase.split()[1] == self.literals[0]
        return self.literals[0] if is_word else ""

    @cached_property
    def own_fillers(self) -> frozenset[str]:
        return frozenset((*self.literals, *self.fillers.split()))

    @cached_property
    def backwards(self) -> Sequence[tuple[str, Slot[T], int]]:
        """(name, slot, place) from the last slot to the first; all in one place if some may be
        said several times."""
        is_ordered = all(slot.most == 1 for slot in self.slots.values())
        places = enumerate(self.slots.items())
        return [(name, slot, place * is_ordered) for place, (name, slot) in places][::-1]
