"""Positions set up by hand, for scenarios and tutorials.

Rule 1: an arranged position holds what a game could show, or ValueError says why it cannot be; how
        it came about is not asked.
Rule 2: what the server does at once in a game, it does at once here.
Rule 3: chance is asked for fresh manifests if there are any, who gets the End of Round cards that
        are not placed, the letters, the indicators, the manifests, in this order, and only for
        what is not named.
Rule 4: named cards are placed first.  What is left of the box is shuffled, fills hands that have
        to be full, and becomes the pile.  A card that is used up or fits nowhere is a ValueError.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from variants.contract import Chance, Seat
from variants.words.data.box import (
    CHANGES_MAX,
    DRAWS,
    END_CARDS,
    END_OF_ROUND,
    HAND_SIZE,
    LENGTHS,
    SETS,
    Box,
    Indicator,
    Manifest,
)
from variants.words.events import (
    Event,
    Letters,
    PositionArranged,
    Settings,
    Word,
    public_box,
)
from variants.words.lexicon.dictionary import dictionary
from variants.words.lexicon.lexicon import Lexicon
from variants.words.lexicon.multiset import letter_cards
from variants.words.rules import turns
from variants.words.rules.setup import box_of_game, letters_in, settings_from
from variants.words.rules.transition import Transition


def parse_seat(seats: int, key: str, value: Any) -> Seat:
    if str(value).isdecimal() and int(value) < seats:
        return Seat(int(value))
    raise ValueError(f"{key}: there is no seat {value}")


def read_number(position: Mapping[str, Any], key: str, default: int) -> int:
    value = position.get(key, default)
    if not isinstance(value, int) or value < 0:
        raise ValueError(f"{key} is a number, not {value!r}")
    return value


def by_seat(seats: int, position: Mapping[str, Any], key: str) -> list[Any]:
    """The parts of one key in seat order; None where the position says nothing."""
    found: list[Any] = [None] * seats
    named = position.get(key, {})
    if not isinstance(named, Mapping):
        raise ValueError(f"{key}: something for each seat is needed, not {named!r}")
    for seat, part in named.items():
        found[parse_seat(seats, key, seat)] = part
    return found


# -- letters ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlacedCards:
    hands: list[Letters]
    words: tuple[Word, ...]
    pile: Letters  # top first
    discards: Letters  # top last


def place_cards(
    box: Box,
    seats: int,
    position: Mapping[str, Any],
    active: Seat,
    size: int | None,
    chance: Chance,
) -> PlacedCards:
    """Every letter in its place: those that are named first.

    Args:
        size: Cards in the hand of the *active* seat; None: as many as are named.
    """
    named = by_seat(seats, position, "hands")
    hands = [_text(f"hands of seat {seat}", hand or "") for seat, hand in enumerate(named)]
    words = tuple(place_words(seats, position))
    if "pile" in position and "pile_top" in position:
        raise ValueError("pile is the whole pile, so pile_top cannot be there too")
    top = _text("pile", position.get("pile", position.get("pile_top", "")))
    discards = _text("discards", position.get("discards", ""))[::-1]
    full: list[int | None] = [HAND_SIZE] * seats
    if size is not None or named[active] is not None:
        full[active] = size
    _refuse_sizes(hands, full)
    hands = _with_ends(hands, full, chance)
    free = Counter(letters_in(box))
    for where, letters in (
        *((f"the hand of seat {seat}", letter_cards(hand)) for seat, hand in enumerate(hands)),
        *((f"the word {word.spelling}", word.spelling) for word in words),
        ("the draw pile", top),
        ("the discard pile", discards),
    ):
        _place(free, where, letters)
    rest = list(chance.shuffled(sorted(free.elements())))
    for seat, cards in enumerate(full):
        missing = max(0, (cards or 0) - len(hands[seat]))
        if missing > len(rest):
            raise ValueError(f"no letters are left to fill the hand of seat {seat}")
        hands[seat] = (*hands[seat], *rest[:missing])
        del rest[:missing]
    if "pile" in position:
        return PlacedCards(hands, words, top, (*rest, *discards))
    if "discards" not in position and rest:
        discards = (rest.pop(),)
    return PlacedCards(hands, words, (*top, *rest), discards)


def _text(key: str, letters: Any) -> Letters:
    if not isinstance(letters, str):
        raise ValueError(f"{key}: letters are a text, not {letters!r}")
    return tuple(letters.upper().replace(" ", ""))


def _place(free: Counter[str], where: str, letters: Iterable[str]) -> None:
    for letter in letters:
        if free[letter] < 1:
            raise ValueError(f"no {letter} is left in the box for {where}")
        free[letter] -= 1


def _refuse_sizes(hands: Sequence[Letters], full: Sequence[int | None]) -> None:
    """[WR-12] [WR-13]"""
    for seat, (hand, size) in enumerate(zip(hands, full, strict=True)):
        if size is not None and len(hand) > size:
            raise ValueError(f"the hand of seat {seat} has {len(hand)} cards, and {size} fit")
        if hand.count(END_OF_ROUND) > 1:
            raise ValueError(f"seat {seat} has both End of Round cards; nobody is dealt two")
    if sum(hand.count(END_OF_ROUND) for hand in hands) > END_CARDS:
        raise ValueError(f"there are {END_CARDS} End of Round cards")


def _with_ends(
    hands: Sequence[Letters], full: Sequence[int | None], chance: Chance
) -> list[Letters]:
    """Hands with the End of Round cards that are not named, in hands that have room."""
    found = list(hands)
    missing = END_CARDS - sum(hand.count(END_OF_ROUND) for hand in hands)
    room = [
        seat
        for seat, size in enumerate(full)
        if size is not None and len(hands[seat]) < size and END_OF_ROUND not in hands[seat]
    ]
    if missing > len(room):
        raise ValueError(
            f"two hands hold an End of Round card each: name {missing - len(room)} more "
            f"{END_OF_ROUND}, or leave room in a hand that is filled up"
        )
    for seat in chance.shuffled(room)[:missing] if missing else ():
        found[seat] = (*found[seat], END_OF_ROUND)
    return found


# -- words -----------------------------------------------------------------------------------------


def place_words(seats: int, position: Mapping[str, Any]) -> list[Word]:
    named = position.get("words", ())
    rows: list[tuple[Any, str, bool]] = []
    if isinstance(named, Mapping):
        for seat, texts in enumerate(by_seat(seats, position, "words")):
            for text in texts or ():
                *locked, spelling = str(text).split() or ("",)
                if locked not in ([], ["locked"]):
                    raise ValueError(f"words: {text!r} is not a word, or `locked` and a word")
                rows.append((seat, spelling, bool(locked)))
    else:
        for row in named:
            keys = set(row) if isinstance(row, Mapping) else set()
            if keys - {"owner", "spelling", "locked"} or not keys >= {"owner", "spelling"}:
                raise ValueError("words: a word has owner, spelling and perhaps locked")
            rows.append((row["owner"], str(row["spelling"]), bool(row.get("locked", False))))
    return [
        Word(number, parse_seat(seats, "words", owner), spelling.upper(), is_locked)
        for number, (owner, spelling, is_locked) in enumerate(rows, start=1)
    ]


# -- manifests and indicators ----------------------------------------------------------------------


def place_manifests(
    box: Box, extra: Sequence[Manifest], seats: int, position: Mapping[str, Any], chance: Chance
) -> tuple[list[Manifest], Box]:
    """By seat; and the box, which holds all of them.  [WR-02]"""
    known = {card.id: card for card in (*extra, *box.manifests)}
    found = [
        None if named is None else _manifest(known, seat, named)
        for seat, named in enumerate(by_seat(seats, position, "manifests"))
    ]
    joining = [card for card in found if card and card not in box.manifests]
    left = [card for card in box.manifests if card not in found]
    dealt = _dealt("manifest", found, left, chance)
    return dealt, replace(box, manifests=(*box.manifests, *joining)) if joining else box


def _manifest(known: Mapping[str, Manifest], seat: int, named: Any) -> Manifest:
    if isinstance(named, str):
        if named.upper() not in known:
            raise ValueError(f"manifests: there is no card {named}")
        return known[named.upper()]
    sets = tuple([tuple([str(word).upper() for word in words]) for words in named])
    if [tuple([len(word) for word in words]) for words in sets] != [LENGTHS] * SETS:
        raise ValueError("manifests: a card has four sets, of words of 3, 4, 5 and 6 letters")
    return Manifest(f"S{seat}", sets)


def place_indicators(
    box: Box, seats: int, position: Mapping[str, Any], chance: Chance
) -> list[Indicator]:
    named = by_seat(seats, position, "indicators")
    ids = [card.upper() for card in named if isinstance(card, str)]
    left = [card for card in box.indicators if card.id not in ids]
    found: list[Indicator | None] = []
    for seat, card in enumerate(named):
        placed = None if card is None else _indicator(box, left, seat, card)
        if placed in left:
            left.remove(placed)
        found.append(placed)
    return _dealt("indicator", found, left, chance)


def _indicator(box: Box, left: Sequence[Indicator], seat: int, named: Any) -> Indicator:
    """The card of that id; or a free one of that set and multiplier, or else one made for it."""
    if isinstance(named, str):
        for card in box.indicators:
            if card.id == named.upper():
                return card
        raise ValueError(f"indicators: there is no card {named}")
    if not isinstance(named, Sequence) or len(named) != 2:
        raise ValueError(f"indicators: an id, or a set and a multiplier, not {named!r}")
    number, times = (int(part) for part in named)
    if not 1 <= number <= SETS or times < 1:
        raise ValueError(f"indicators: a set is 1 to {SETS}, a multiplier 1 or more")
    for card in left:
        if (card.set, card.multiplier) == (number, times):
            return card
    return Indicator(f"S{seat}", number, times)


def _dealt(what: str, found: Sequence[Any], left: Sequence[Any], chance: Chance) -> list[Any]:
    """Those that are named, and others by chance for the seats of whom nothing is said."""
    named = [card.id for card in found if card is not None]
    if len(set(named)) < len(named):
        raise ValueError(f"{what}s: a card is there twice")
    missing = found.count(None)
    others = iter(chance.shuffled(left)[:missing] if missing else ())
    return [next(others) if card is None else card for card in found]


PHASES = ("draw", "main", "settle", "close", "removal")
_KEYS = {
    "turn",  # a seat, 0
    "number",  # of the turn, 1
    "round",  # 1
    "starter",  # a seat; it and number follow from each other
    "phase",  # one of PHASES; main
    "drawn",  # cards, where phase is draw
    "hands",  # {seat: letters}, in order of arrival; what is missing to seven comes by chance
    "manifests",  # {seat: an id, or four lists of words}
    "indicators",  # {seat: an id, or [set, multiplier]}
    "words",  # [{owner, spelling, locked}], numbered from 1; or {seat: ["EAST", "locked OVER"]}
    "totals",  # {seat: points of the rounds before}
    "discards",  # letters, top first; else one is turned up
    "pile_top",  # letters, top first, above the shuffled rest
    "pile",  # the whole pile, top first; letters that are not named lie under the discards
    "quiet", "still",  # turns
    "added",  # numbers of words, used up in this turn, as are
    "traded", "stolen",
    "changes",  # of words in this turn
}  # fmt: skip


def arrange(
    box: Box,
    lexicon: Lexicon,
    seats: int,
    options: Mapping[str, str],
    position: Mapping[str, Any],
    chance: Chance,
    *,
    extra: Sequence[Manifest] = (),
) -> Sequence[Event]:
    """Events that set up *position*.

    Args:
        position: By the keys of _KEYS, all of which may be missing.  Seats are numbers from 0 (or
            their digits); letters are a text (`"DATEOV"`), `*` is an End of Round card.
        extra: Cards that a position can name and no game deals; those that are named join the box.

    Raises:
        ValueError: The position cannot be; says why.
    """
    if unknown := set(position) - _KEYS:
        raise ValueError(f"unknown position keys: {', '.join(sorted(unknown))}")
    if position.get("phase", "main") not in PHASES:
        raise ValueError(f"phase is one of {', '.join(PHASES)}")
    turn = _turn(seats, position)
    box = box_of_game(box, lexicon, options, chance)
    cards = place_cards(box, seats, position, turn.seat, turn.size, chance)
    indicators = place_indicators(box, seats, position, chance)
    manifests, whole = place_manifests(box, extra, seats, position, chance)
    event = PositionArranged(
        box=whole,
        settings=settings_from(options),
        round=read_number(position, "round", 1),
        starter=turn.starter,
        turn=turn.seat,
        number=turn.number,
        phase=turn.phase,
        drawn=turn.drawn,
        hands=tuple(cards.hands),
        hand_counts=tuple([len(hand) for hand in cards.hands]),
        manifests=tuple(manifests),
        indicators=tuple(indicators),
        totals=tuple([int(points or 0) for points in by_seat(seats, position, "totals")]),
        words=cards.words,
        pile=cards.pile,
        pile_count=len(cards.pile),
        discards=cards.discards,
        quiet=read_number(position, "quiet", 0),
        still=read_number(position, "still", read_number(position, "quiet", 0)),
        traded=bool(position.get("traded", False)),
        stolen=bool(position.get("stolen", False)),
        added=tuple([int(number) for number in position.get("added", ())]),
        changes=read_number(position, "changes", 0),
    )
    _refuse_impossible(lexicon, event)
    transition = Transition(lexicon, None, chance, event)
    turns.continue_position(transition)
    return transition.events


# -- the turn --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Turn:
    seat: Seat
    number: int
    starter: Seat
    phase: str
    drawn: int

    @property
    def size(self) -> int | None:
        """Cards that the active hand has; None: any number."""
        if self.phase == "draw":
            return HAND_SIZE + self.drawn
        return HAND_SIZE if self.phase == "close" else None


def _turn(seats: int, position: Mapping[str, Any]) -> _Turn:
    seat = parse_seat(seats, "turn", position.get("turn", 0))
    phase = position.get("phase", "main")
    if "starter" in position:
        starter = parse_seat(seats, "starter", position["starter"])
        number = read_number(position, "number", (seat - starter) % seats + 1)
    else:
        number = read_number(position, "number", 1)
        starter = Seat((seat - number + 1) % seats)
    if (starter + number - 1) % seats != seat or number < 1:
        raise ValueError(f"turn {number} is not that of seat {seat} where seat {starter} began")
    drawn = read_number(position, "drawn", 0 if phase == "draw" else DRAWS)
    if not 0 <= drawn < DRAWS + (phase != "draw"):
        raise ValueError(f"drawn: {drawn} cards do not fit phase {phase}")
    return _Turn(seat, number, starter, phase, drawn)


# -- what cannot be --------------------------------------------------------------------------------


def _refuse_impossible(lexicon: Lexicon, event: PositionArranged) -> None:
    box = public_box(event.box, event.settings)
    words = dictionary(lexicon, box, event.settings.level)
    printed = [word for card in event.manifests if card for sets in card.sets for word in sets]
    if invalid := next(filter(None, map(words.rejection_reason, printed)), ""):
        raise ValueError(f"manifests: {invalid}")  # of fresh ones; others are in the box
    for word in event.words:
        if reason := words.rejection_reason(word.spelling):  # [WR-02] [WR-03]
            raise ValueError(f"words: {reason}")
    _refuse_phase(event)
    _refuse_used(event)
    _refuse_ended(event.settings, event)


def _refuse_phase(event: PositionArranged) -> None:
    cards = event.hand_counts[event.turn]
    if event.phase == "settle" and cards == HAND_SIZE:  # [WR-20]
        raise ValueError(f"phase settle: the hand of seat {event.turn} has {cards} cards already")
    mine = [word for word in event.words if word.owner == event.turn and not word.is_locked]
    if event.phase == "close" and not mine:
        raise ValueError(f"phase close: seat {event.turn} has no exposed word")


def _refuse_used(event: PositionArranged) -> None:
    """What the open turn has used up.  [WR-22] [WR-28] [WR-57]"""
    others = {word.number for word in event.words if word.owner != event.turn}
    if len(set(event.added)) < len(event.added) or not set(event.added) <= others:
        raise ValueError("added: numbers of words of other seats, each once")
    if event.phase == "draw" and (event.added or event.traded or event.stolen or event.changes):
        raise ValueError("phase draw: nothing can be added, traded or stolen before the draw")
    if event.changes > CHANGES_MAX:
        raise ValueError(f"changes: {CHANGES_MAX} are the most of one turn")
    if event.quiet > event.still:  # [WR-56]
        raise ValueError("quiet turns are still ones too, so there are not more of them")


def _refuse_ended(rules: Settings, event: PositionArranged) -> None:
    """[WR-53] [WR-56]"""
    if not 1 <= event.round <= rules.rounds:
        raise ValueError(f"round is 1 to {rules.rounds}")
    best = max(event.totals)
    if best >= rules.target and event.totals.count(best) == 1:
        raise ValueError(f"totals: {best} points have won the game already")
