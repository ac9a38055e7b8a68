"""A typed line becomes an action, and an action what to type.

Rule 1: forgiving in form, strict in meaning.  Case, fillers, the order of card and name, and any
        abbreviation that fits one thing only do not matter; what fits two things is asked back.
Rule 2: the grammar does not judge.  A play that is well said and forbidden becomes an action, so
        that `check` can say why, in its own order.
Rule 3: a person's name wins over everything else that could be meant by the same word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from variants.contract import AmbiguousInput, ParseError, Seat, SeatNames
from variants.elimination.actions import Action, Clear, Draw, Force, Give, Next, Shuffle, Take
from variants.elimination.data.cards import (
    ALL_CARDS,
    JOKER,
    PACKS,
    RANK_NAMES,
    RANK_OF,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    card_list,
    cards_of_rank,
)
from variants.elimination.legal_actions import clear_kinds, legal_actions
from variants.elimination.view import View, others_clockwise
from variants.kit.english import typeable_names
from variants.kit.text import join_words

WORDS_MAX = 12  # in one play; more is no play
QUOTED_MAX = 20  # characters of a line that are said back

PLAY_VERBS = ("draw", "give", "take", "force", "shuffle", "clear", "next")
FILLERS = frozenset(
    ("a", "an", "the", "to", "from", "of", "with", "my", "card", "cards", "hand", "hands", "deck")
)

_RANKS = {word: rank for rank, name in RANK_NAMES.items() for word in (rank.lower(), name)}
_RANKS |= {"t": "10", "jk": JOKER}
_SUITS = {
    word: suit
    for suit, name in SUIT_NAMES.items()
    for word in (suit.lower(), name, name[:-1], SUIT_SYMBOLS[suit])
}

Words = Sequence[str]


def parse(line: str, view: View, names: SeatNames) -> Action:
    """What a line means for this seat.  NotUnderstood or Ambiguous say what could be typed."""
    words = _words(line)
    if not words or len(words) > WORDS_MAX:
        raise _not_understood(line, view)
    is_choosing = view.asks == "next" and view.seat == view.turn
    if is_choosing and words[0] not in PLAY_VERBS:
        named = _either(words, lambda some: _seats(some, view, names))
        if named:
            return Next(_one(named))  # a bare name answers the question
    verbs = [verb for verb in PLAY_VERBS if verb.startswith(words[0])]
    if is_choosing and not verbs:
        raise ParseError(
            '"{}" is nobody you can choose. Say who is next: {}.',
            words[0][:QUOTED_MAX],
            _names(view.candidates, names),
        )
    if len(verbs) != 1:
        raise _not_understood(words[0], view)
    rest = words[1:]
    match verbs[0]:
        case "give":
            return _give(rest, view, names)
        case "take":
            legal = [action.victim for action in legal_actions(view) if isinstance(action, Take)]
            return Take(_target("take", rest, legal, view, names))
        case "force":
            if rest[-2:] == ["to", "draw"]:  # as the sentence goes: Ann forces Bob to draw
                rest = rest[:-2]
            return Force(
                _target("force", rest, others_clockwise(view.seats, view.turn), view, names)
            )
        case "next":
            return Next(_target("next", rest, view.candidates, view, names))
        case "clear":
            return _clear(rest, view)
        case verb:
            if _without_fillers(rest):
                raise ParseError("{} stands alone. Type: {}.", verb.capitalize(), verb)
            return Draw() if verb == "draw" else Shuffle()


def phrase(action: Action, view: View, names: SeatNames) -> str:
    """Exactly what to type for *action*."""
    match action:
        case Give(card, to):
            return f"give {_typed(card, view)} {_called(to, names)}"
        case Take(seat):
            return f"take {_called(seat, names)}"
        case Force(seat):
            return f"force {_called(seat, names)}"
        case Next(seat):
            return f"next {_called(seat, names)}"
        case Clear("pair"):
            return "clear pair"
        case Clear():
            return f"clear {RANK_NAMES[PACKS[view.pack].single]}"
        case Draw():
            return "draw"
        case Shuffle():
            return "shuffle"


# -- plays -----------------------------------------------------------------------------------------


def _give(words: Words, view: View, names: SeatNames) -> Give:
    if said := _either(words, lambda some: _card_and_seats(some, view, names)):
        return Give(said[0], _one(said[1]))
    others = others_clockwise(view.seats, view.turn if view.seat is None else view.seat)
    if card := _either(words, lambda some: _card(some, view)):
        if len(others) == 1:
            return Give(card, others[0])
        raise AmbiguousInput("Give it to whom? You can name: {}.", _names(others, names))
    spoken = _without_fillers(words)
    for cut in range(len(spoken) - 1, 0, -1):
        if _rank_and_suit(spoken[:cut]):
            raise _nobody(spoken[cut:], others, names)
    raise ParseError(
        "Say which card and who gets it, as in: give {} {}. Your hand: {}.",
        _typed((view.hand or ("7H",))[0], view),
        names[others[0]].lower() if others else "bob",
        card_list(view.hand),
    )


def _card_and_seats(words: Words, view: View, names: SeatNames) -> tuple[str, list[Seat]] | None:
    """A card then a name, else a name then a card; a whole name before the beginning of one."""
    found: list[tuple[bool, bool, str, list[Seat]]] = []
    for cut in range(1, len(words)):
        for is_turned, card_words, name_words in (
            (False, words[:cut], words[cut:]),
            (True, words[cut:], words[:cut]),
        ):
            seats = _seats(name_words, view, names)
            if seats and _rank_and_suit(card_words):
                is_begun = " ".join(name_words) != _normal(names[seats[0]])
                card = _card(card_words, view)
                assert card is not None
                found.append((is_begun, is_turned, card, seats))
    if not found:
        return None
    _, _, card, seats = min(found)
    return card, seats


def _target(verb: str, words: Words, legal: Sequence[Seat], view: View, names: SeatNames) -> Seat:
    """The player named; the only one there is, if nobody is named."""
    if not _without_fillers(words) and not any(_normal(name) in words for name in names):
        if len(legal) == 1:
            return legal[0]
        if legal:
            raise AmbiguousInput(verb.capitalize() + " whom? {}.", _names(legal, names))
        return next(iter(others_clockwise(view.seats, view.turn)), view.turn)  # for check to refuse
    seats = _either(words, lambda some: _seats(some, view, names))
    if not seats:
        others = others_clockwise(view.seats, view.turn if view.seat is None else view.seat)
        raise _nobody(words, others, names)
    return _one(seats)


def _nobody(words: Words, others: Sequence[Seat], names: SeatNames) -> ParseError:
    return ParseError(
        'Nobody here is called "{}". You can name: {}.',
        " ".join(words)[:QUOTED_MAX],
        _names(others, names),
    )


def _clear(words: Words, view: View) -> Clear:
    pack, kinds = PACKS[view.pack], clear_kinds(view)
    single = RANK_NAMES[pack.single]
    meant = set()
    for word in _without_fillers(words):
        rank = _RANKS.get(word) or _RANKS.get(word.removesuffix("s"))
        if word in ("single", "joker", "jk") or rank == pack.single:
            meant.add("single")
        elif word == "pair" or (rank is not None and rank == pack.pair):
            meant.add("pair")
        else:
            meant.add("")
    if not meant:
        if len(kinds) < 2:
            return Clear(kinds[0] if kinds else "single")
        raise AmbiguousInput("Clear with what? Type: clear {} or clear pair.", single)
    if len(meant) == 1 and "" not in meant:
        return Clear(meant.pop())
    other = " or clear pair" if pack.pair else ""
    raise ParseError("Clear with what? Type: clear {}{}.", single, other)


# -- players and cards -----------------------------------------------------------------------------


def _seats(words: Words, view: View, names: SeatNames) -> list[Seat]:
    """Whom these words may mean: a whole name, a number, else the beginning of names."""
    text = " ".join(words)
    everybody = [(Seat(seat), _normal(name)) for seat, name in enumerate(names)]
    whole = [seat for seat, name in everybody if name == text]
    if whole:
        return whole
    if text in ("me", "myself") and view.seat is not None:
        return [view.seat]
    number = text.removeprefix("seat ")
    if number.isascii() and number.isdigit() and 1 <= int(number) <= len(names):
        return [Seat(int(number) - 1)]
    begun = [seat for seat, name in everybody if text and name.startswith(text)]
    others = others_clockwise(view.seats, view.turn if view.seat is None else view.seat)
    return [seat for seat in begun if seat in others] or begun


def _one(seats: Sequence[Seat]) -> Seat:
    if len(seats) == 1:
        return seats[0]
    fields = ", ".join(["{}"] * (len(seats) - 1)) + " or {}"
    raise AmbiguousInput(f"That could be {fields}. Type a little more of the name.", *seats)


def _rank_and_suit(words: Words) -> tuple[str, str] | None:
    """`7h`, `h7`, `7h♥`, `7 hearts`, `seven`, `joker`, `*1`: rank, and suit or ""."""
    if len(words) == 2 and words[0] in _RANKS and words[1] in _SUITS:
        return _RANKS[words[0]], _SUITS[words[1]]
    if len(words) != 1:
        return None
    word = words[0]
    if word[-1] in SUIT_SYMBOLS.values() and _SUITS[word[-1]] == _SUITS.get(word[-2:-1]):
        word = word[:-1]  # as it is shown, with letter and symbol
    if word in _RANKS:
        return _RANKS[word], ""
    for rank, suit in ((word[:-1], word[-1]), (word[1:], word[0])):
        if rank in _RANKS and (suit in _SUITS or rank + suit in ("*1", "*2")):
            return _RANKS[rank], _SUITS.get(suit, suit)
    return None


def _card(words: Words, view: View) -> str | None:
    """The card these words mean.  A rank alone is a held card of it, if they are all alike."""
    said = _rank_and_suit(words)
    if said is None:
        return None
    rank, suit = said
    if suit and rank + suit in ALL_CARDS:
        return rank + suit
    held = cards_of_rank(view.hand, rank)
    if not held:
        return next(card for card in ALL_CARDS if RANK_OF[card] == rank)  # for check to refuse
    marks = dict(view.marks)
    if len({marks.get(card) for card in held}) > 1:
        raise AmbiguousInput("You hold {}. Say which one.", " ".join(held))
    return held[0]


def _typed(card: str, view: View) -> str:
    if RANK_OF[card] == JOKER and len(cards_of_rank(view.hand, JOKER)) < 2:
        return "joker"
    return card.lower()


def _called(seat: Seat, names: SeatNames) -> str:
    """The name in lower case; the number of the seat where two are called alike."""
    return typeable_names(tuple(names), _normal)[seat]


# -- words -----------------------------------------------------------------------------------------

Found = TypeVar("Found")


def _either(words: Words, read: Callable[[Words], Found]) -> Found:
    """As it stands, then without the fillers: somebody may be called Card."""
    return read(words) or read(_without_fillers(words))


def _names(seats: Sequence[Seat], names: SeatNames) -> str:
    return join_words([names[seat] for seat in seats], "or")


def _words(line: str) -> list[str]:
    return _normal(line).split()


def _normal(text: str) -> str:
    return " ".join(text.lower().translate(_PUNCTUATION).split())


_PUNCTUATION = str.maketrans(",.;:!?", "      ")


def _without_fillers(words: Words) -> list[str]:
    return [word for word in words if word not in FILLERS]


def _not_understood(said: str, view: View) -> ParseError:
    """What was said, and the plays there are now; out of turn, the plays there are at all."""
    if not said:
        return ParseError("Type a play; moves lists what you can do now.")
    kinds = [type(action).__name__.lower() for action in legal_actions(view)]
    forms = [_FORMS[verb] for verb in PLAY_VERBS if verb in kinds or not kinds]
    return ParseError(
        '"{}" is no play here. You can type: {}.' if kinds else '"{}" is no play. The plays: {}.',
        said[:QUOTED_MAX],
        ", ".join(forms),
    )


_FORMS = {
    "draw": "draw",
    "give": "give CARD NAME",
    "take": "take NAME",
    "force": "force NAME",
    "shuffle": "shuffle",
    "clear": "clear",
    "next": "next NAME",
}
