"""Exactly what to type for an action.

Rule 1: `parse` reads what is written here as that very action, whatever people are called.  A word
        on the table is named by its spelling where that says which one, else by its number.
Rule 2: where somebody is called like a word of the phrase, words and players are `#3` and
        `seat#2`, which are nobody's names.
Rule 3: cheap, and without the word list: completion writes a phrase for every sample.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from variants.contract import Seat, SeatNames
from variants.words.actions import (
    Action,
    Add,
    Answer,
    Discard,
    Done,
    Draw,
    EndRound,
    Form,
    Lock,
    Offer,
    Out,
    Pass,
    Rebuild,
    Remove,
    Steal,
    Trade,
)
from variants.words.language.arrangements import acting_seat, others_exposed_words
from variants.words.language.slots import FILLERS, name_words, typed_name
from variants.words.language.verbs import ROLE_MARKERS
from variants.words.legal_actions import PILE, own_words
from variants.words.lexicon.multiset import is_anagram, missing_letters
from variants.words.view import View


def phrase(action: Action, view: View, names: SeatNames) -> str:
    """Exactly what to type for *action*."""
    match action:
        case Draw(source, count):
            words = ["draw"] if source == PILE else ["draw", source]
            return " ".join([*words, *([str(count)] if count != 1 else [])])
        case Trade(offers):
            return _trade(offers, names)
        case Answer(letter):
            return f"give {letter.lower()}"
        case Add(letter, number, spelling):
            return _add(letter, number, spelling, view, names)
        case Steal(letter, number, leaving, making):
            return _steal(letter, number, leaving, making, view, names)
        case Form(spelling):
            return f"form {spelling.lower()}"
        case Lock(number):
            return f"lock {_own(number, view)}"
        case Rebuild():
            return _rebuild(action, view)
        case Discard(letters):
            return " ".join(["discard", *letters]).lower()
        case Remove(letter, number, leaving):
            return f"remove {letter} from {_own(number, view)} leaving {leaving}".lower()
        case EndRound():
            return "end round"
        case Done() | Out() | Pass():
            return type(action).__name__.lower()


_NOT_NAMES = FILLERS.union(*ROLE_MARKERS.values())
"""Words of a line that say nothing by themselves, should they lie on the table."""


def _own(number: int, view: View) -> str:
    """An own word by its spelling, if one own word only is spelled so."""
    own = {word.number: word.spelling.lower() for word in own_words(view, acting_seat(view))}
    spelling = own.get(number, "")
    is_plain = list(own.values()).count(spelling) == 1 and spelling not in _NOT_NAMES
    return spelling if is_plain else str(number)


def _clashes_with_name(words: Iterable[str], names: SeatNames) -> bool:
    """Whether somebody is called like one of the *words*, which name nobody."""
    return not name_words(tuple(names)).isdisjoint(words)


def _player_name(seat: Seat, names: SeatNames) -> str:
    """A player; "" where the words of the name would disturb, or hold the name of another."""
    name = typed_name(seat, names)
    padded = f" {name} "
    others = [f" {typed_name(Seat(other), names)} " for other in range(len(names)) if other != seat]
    is_plain = len(name.split()) < 4 and not name.startswith("seat ")
    return name if is_plain and not any(other in padded for other in others) else ""


def _add(letter: str, number: int, spelling: str, view: View, names: SeatNames) -> str:
    """`add d to bob dates`, `add d to 3 as dates`."""
    now, into = letter.lower(), spelling.lower()
    exposed = others_exposed_words(view)
    owner = next((word.owner for word in exposed if word.number == number), None)
    if owner is not None and (name := _player_name(owner, names)):
        theirs = [word.spelling for word in exposed if word.owner == owner]
        fitting = [word for word in theirs if is_anagram(word + letter, spelling)]
        is_plain = into not in _NOT_NAMES and not _clashes_with_name((now, "to", into), names)
        if len(fitting) == 1 and spelling not in theirs and is_plain:
            return f"add {now} to {name} {into}"
    mark = "#" if _clashes_with_name((now, "to", str(number), "as", into), names) else ""
    return f"add {now} to {mark}{number} as {into}"


def _steal(
    letter: str, number: int, leaving: str, making: str, view: View, names: SeatNames
) -> str:
    """`steal d from bob dates leaving seat making dog`; without what is "" still."""
    words = ["leaving", leaving.lower()] if leaving else []
    words += ["making", making.lower()] if making else []
    head, tail = ["steal", letter.lower(), "from"], " ".join(["", *words])
    exposed = others_exposed_words(view)
    word = next((word for word in exposed if word.number == number), None)
    if word is not None and (name := _player_name(word.owner, names)):
        alike = [w for w in exposed if (w.owner, w.spelling) == (word.owner, word.spelling)]
        was = word.spelling.lower()
        is_plain = was not in _NOT_NAMES and not _clashes_with_name((*head[1:], was, *words), names)
        if len(alike) == 1 and is_plain:
            return f"{' '.join(head)} {name} {was}{tail}"
    mark = "#" if _clashes_with_name((*head[1:], str(number), *words), names) else ""
    return f"{' '.join(head)} {mark}{number}{tail}"


def _rebuild(action: Rebuild, view: View) -> str:
    """`rebuild east+d+t as tasted`, `take up note`: plus signs join what belongs together."""
    taken = "+".join([_own(number, view) for number in action.words])
    if not action.spellings:
        return f"take up {taken}"
    laid = "+".join(action.spellings).lower()
    was = "".join([word.spelling for word in view.words if word.number in action.words])
    letters = "".join([f"+{letter}" for letter in missing_letters("".join(action.spellings), was)])
    return f"rebuild {taken}{letters.lower()} as {laid}"


def _trade(offers: Sequence[Offer], names: SeatNames) -> str:
    """`trade e with bob, k with cleo`."""
    letters = [offer.letter.lower() for offer in offers]
    people = [_player_name(offer.to, names) for offer in offers]
    if not all(people) or _clashes_with_name((*letters, "with", "and"), names):
        people = [f"seat#{offer.to + 1}" for offer in offers]
    pairs = [f"{letter} with {name}" for letter, name in zip(letters, people, strict=True)]
    return f"trade {', '.join(pairs)}"
