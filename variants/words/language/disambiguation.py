"""What is left of several plays that fit a line, and what is said where none does.

Rule 1: of plays that fit those count that are legal; words on the table that are equal are one,
        the oldest.  If none is legal, the first is handed on for `check` to refuse.
Rule 2: what can be typed is offered as it can be typed, in words that were typed or that the
        table's hints allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from variants.contract import AmbiguousInput, IllegalAction, ParseError, SeatNames
from variants.kit.text import join_words
from variants.words.actions import Action, Add, Lock, Rebuild, Remove, Steal
from variants.words.check import check, describe_hand
from variants.words.language.arrangements import find_steal_words
from variants.words.language.phrase import phrase
from variants.words.language.verbs import USAGES
from variants.words.lexicon.dictionary import Dictionary, dictionary, hints
from variants.words.lexicon.lexicon import Lexicon
from variants.words.lexicon.multiset import missing_letters, sorted_letters
from variants.words.view import View, WordView

A = TypeVar("A", bound=Action)

CHOICES_MAX = 12  # choices that are offered one by one
CHECKED_MAX = 60  # plays that are checked; more are only counted
QUOTED_LINE_MAX = 60  # characters of a line that is said back as the beginning of a play

_WORD_PLACEHOLDERS: Mapping[str, str] = {
    "add": "as WORD", "steal": "leaving WORD", "remove": "leaving WORD", "rebuild": "as WORD",
}  # fmt: skip
"""How a play ends that says which word comes of it."""


class TypedPlay(NamedTuple):
    """A line whose verb is known."""

    verb: str
    rest: tuple[str, ...]
    lexicon: Lexicon
    view: View
    names: SeatNames

    @property
    def valid_words(self) -> Dictionary:
        """What is a word at this table."""
        return dictionary(self.lexicon, self.view.box, self.view.settings.level)

    def is_legal(self, action: Action) -> bool:
        try:
            check(self.lexicon, self.view, action)
        except IllegalAction:
            return False
        return True

    def from_hand(self, action: Rebuild) -> str:
        """What the new words take from the hand."""
        was = [word.spelling for word in self.view.words if word.number in action.words]
        return sorted_letters(missing_letters("".join(action.spellings), "".join(was)))


# -- of several plays ------------------------------------------------------------------------------


def choose_legal(actions: Iterable[Action], said: TypedPlay) -> Action:
    """The one that is left; else they are asked back as they are typed."""
    some = list(dict.fromkeys(actions))
    if 1 < len(some) <= CHECKED_MAX:
        some = [action for action in some if said.is_legal(action)] or some[:1]
        some = _once(some, said.view)
    if len(some) == 1:
        return some[0]
    raise _asked_back(list(_phrases(some, said)), len(some), said)


def _asked_back(lines: Sequence[str], fitting: int, said: TypedPlay) -> AmbiguousInput:
    """The choices; if these are too many, or words are among them that are not named, a count."""
    if not lines:
        return AmbiguousInput(
            "That fits {} plays, whose words this table does not name. Add the word that you mean: "
            "{}.", str(fitting), _unfinished(said),
        )  # fmt: skip
    if len(lines) > CHOICES_MAX:
        return AmbiguousInput("That fits {} plays. Say more, as in: {}.", str(fitting), lines[0])
    if len(lines) == 1:
        other = "That fits {} plays. Type {}, or name another word."
        return AmbiguousInput(other, str(fitting), lines[0])
    fields = join_words(["{}"] * len(lines), "or")
    more = ", or name another word" if len(lines) < fitting else ""
    return AmbiguousInput(f"That fits more than one play. Type {fields}{more}.", *lines)


def _unfinished(said: TypedPlay) -> str:
    """What was typed, and where the missing word goes: `add d to bob as WORD`."""
    line = " ".join((said.verb, *said.rest))
    if len(line) > QUOTED_LINE_MAX or _WORD_PLACEHOLDERS[said.verb].split()[0] in said.rest:
        return USAGES[said.verb]
    return f"{line} {_WORD_PLACEHOLDERS[said.verb]}"


def _once(actions: Sequence[A], view: View) -> list[A]:
    """Plays that differ only in which of several equal words they are about: the first."""
    found: dict[object, A] = {}
    for action in actions:
        key: object = action
        if isinstance(action, Add | Steal | Remove | Lock):
            word = _word(action.word, view)
            key = (replace(action, word=0), word and (word.owner, word.spelling))
        elif isinstance(action, Rebuild):
            key = (action.spellings, tuple([(_word(n, view) or n) for n in action.words]))
        found.setdefault(key, action)
    return list(found.values())


def _word(number: int, view: View) -> WordView | None:
    return next((word for word in view.words if word.number == number), None)


def _phrases(actions: Iterable[Action], said: TypedPlay) -> Iterator[str]:
    """The plays whose words were typed, or may be named.  See `moves`, rule 3."""
    view = said.view
    shown = hints(said.lexicon, view)
    typed = {word.upper() for part in said.rest for word in part.split("+")}
    for action in actions:
        match action:
            case Add(_, _, spelling) | Remove(_, _, spelling):
                words: tuple[str, ...] = (spelling,)
            case Steal(_, _, leaving, making):
                words = (leaving, making)
            case Rebuild(_, spellings):
                words = spellings
            case _:
                words = ()
        if all(not word or word in typed or shown.is_word(word) for word in words):
            yield phrase(action, view, said.names)


# -- a thief who does not say what is made ---------------------------------------------------------


def complete_steal(actions: Sequence[Steal], said: TypedPlay) -> Action:
    """A steal, with the word that is made if only one can be."""
    if any(steal.making for steal in actions):
        return choose_legal(actions, said)
    ready = [steal for steal in actions[:CHECKED_MAX] if _lacks_word_only(steal, said)]
    if not ready:
        return actions[0]
    letters = sorted({steal.letter for steal in ready})
    words = {letter: find_steal_words(said.lexicon, said.view, letter) for letter in letters}
    some = _once([steal for steal in ready if words[steal.letter].found != []], said.view)
    if not some:
        raise ParseError(
            "You can make no word with {} and letters of your hand, so you cannot steal it. {}",
            join_words(letters, "or"), describe_hand(said.view),
        )  # fmt: skip
    if len(some) > 1:  # first which word, and what is left of it
        raise _asked_back(list(_phrases(some, said)), len(some), said)
    steal = some[0]
    found, named = words[steal.letter]
    if found is not None and len(found) == 1:
        return replace(steal, making=found[0])
    if not named:
        partial = phrase(steal, said.view, said.names)
        raise AmbiguousInput("Say which word you make, as in: {} making WORD.", partial)
    lines = [
        phrase(replace(steal, making=word), said.view, said.names)
        for word in named[: CHOICES_MAX + 1]
    ]
    if found is None and len(lines) == 1:  # with so many letters nobody has looked for others
        raise AmbiguousInput("Say which word you make, as in: {}.", lines[0])
    raise _asked_back(lines, len(found) if found else len(lines) + 1, said)


def _lacks_word_only(steal: Steal, said: TypedPlay) -> bool:
    """Whether nothing is wrong with a steal but that its new word is missing."""
    try:
        check(said.lexicon, said.view, steal)
    except IllegalAction as refusal:
        return refusal.format(said.names) == said.valid_words.rejection_reason("")
    return False
