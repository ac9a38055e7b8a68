"""Positions set up by hand, for scenarios and tutorials.

Rule 1: an arranged position is one that a game could show, or ValueError says why not.
Rule 2: it begins with an action that is open; where a final turn has nothing left to do, the game
        ends at once, as in a game.
Rule 3: chance is asked for the Supplies, the Indoor and the Outdoor deck, each only if its order
        is not named whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from variants.contract import Chance, Seat
from variants.stockpile.data.cards import (
    ACTIONS_PER_TURN,
    DECKS,
    FOOD,
    HAND_MAX,
    INDOORS,
    OUTDOORS,
    PAPER,
    PREVENTION,
    SELF_ISOLATION,
    SUPPLIES,
    SUPPLY_KINDS,
    Box,
    Card,
    Cards,
    Decks,
    card_title,
)
from variants.stockpile.events import Event, PositionArranged
from variants.stockpile.rules import turns
from variants.stockpile.rules.setup import decks_of, settings_from, starting_supplies
from variants.stockpile.rules.transition import Transition


def arrange(
    box: Box,
    seats: int,
    options: Mapping[str, str],
    position: Mapping[str, Any],
    chance: Chance,
) -> Sequence[Event]:
    """Events that set up *position*.

    Args:
        position: All keys may be missing.  Seats are numbers from 0 (or their digits).  A card is
            an id (`I21`), or a name with its number (`Food 3`, `Stock Up 2`, `Nice Try!`) for any
            free card that is so called; `F3`, `T1`, `P2` are supplies.  A symbol may stand behind
            (`Nice Try! -`), a deck before (`outdoor Swap Shop`); in a deck only its own cards
            fit, elsewhere Indoor cards are looked for first.
            turn: a seat, 0.  number: of the turn, 1.  action: which one is open, 1.
            hands: {seat: cards}.  stockpiles: {seat: cards}; else what each begins with.
            locations: {seat: "indoor" or "outdoor"}; else Outdoors if bound, or Indoors.
            bound: seats that play the whole next turn Outdoors.
            isolation: seats with a Self-Isolation in play.  out: seats, first to fall first.
            discards: cards, oldest first, each for the pile of its deck.
            supplies_top, indoor_top, outdoor_top: cards, top first, above the shuffled rest.
            supplies, indoor, outdoor: the whole deck, top first; then all of its cards that are
            not named lie at the bottom of its discard pile.  An empty one makes this the final
            turn, whichever action is open.

    Raises:
        ValueError: The position cannot be; says why.
    """
    if unknown := set(position) - _KEYS:
        raise ValueError(f"unknown position keys: {', '.join(sorted(unknown))}")
    event = _position(decks_of(box, options), seats, options, position, chance)
    _refuse_impossible(event)
    transition = Transition(None, chance, event)
    turns.continue_position(transition)
    return transition.events


_TOPS = {deck: f"{deck}_top" for deck in DECKS}
_KEYS = {
    "turn", "number", "action", "hands", "stockpiles", "locations", "bound", "isolation", "out",
    "discards", *DECKS, *_TOPS.values(),
}  # fmt: skip

_SHORT = {"f": FOOD, "t": PAPER, "p": PREVENTION}
_TESTS = {"+": "+", "-": "-", "−": "-"}
_NAMED = re.compile(
    rf"(?:(?P<deck>{'|'.join(DECKS)})\s+)?(?P<name>.*?)(?:\s+(?P<test>[-+−]))?",
    re.IGNORECASE | re.DOTALL,
)


class _UnplacedCards:
    """The cards not yet placed.  Full ids are set aside first, so that a name finds another."""

    def __init__(self, decks: Decks, position: Mapping[str, Any]) -> None:
        self.free = list(decks.all_cards)  # Indoor before Outdoor
        ids = {card.id.casefold(): card for card in decks.all_cards}
        self._named = [ids[leaf] for leaf in _leaves(position) if leaf in ids]
        doubled = {card.id for card in self._named if self._named.count(card) > 1}
        if doubled:
            raise ValueError(f"placed twice: {', '.join(sorted(doubled))}")

    def take(self, name: Any, deck: str = "") -> Card:
        """The first free card called *name*; with *deck*, one of that deck."""
        wanted = str(name).strip().casefold()
        fitting = [card for card in self.free if card.id.casefold() == wanted]
        fitting = fitting or self._called(wanted)
        found = [card for card in fitting if deck in ("", card.deck)]
        if not found:
            where = f"in the deck {deck}" if deck else "in the box"
            raise ValueError(f"no card {name!r} is left {where}")
        self.free.remove(found[0])
        return found[0]

    def take_all(self, names: Sequence[Any] | None, deck: str = "") -> Cards:
        if isinstance(names, str):
            raise ValueError(f"a list of cards is needed, not the text {names!r}")
        return tuple([self.take(name, deck) for name in names or ()])

    def rest(self, deck: str) -> Cards:
        """All free cards of one deck, taken."""
        found = tuple([card for card in self.free if card.deck == deck])
        self.free = [card for card in self.free if card.deck != deck]
        return found

    def _called(self, wanted: str) -> list[Card]:
        """The free cards of that name, and of that symbol and deck if it names them."""
        parts = _NAMED.fullmatch(wanted)
        assert parts is not None  # the name takes whatever is left
        name, deck, test = parts["name"], parts["deck"], _TESTS.get(parts["test"])
        if name[:1] in _SHORT and name[1:].isdigit():
            name = f"{_SHORT[name[0]]} {name[1:]}".casefold()
        return [
            card
            for card in self.free
            if card_title(card).casefold() == name
            and deck in (None, card.deck)
            and test in (None, card.test)
            and card not in self._named
        ]


def _leaves(value: Any) -> list[str]:
    """Every text in a position, case folded."""
    if isinstance(value, str):
        return [value.strip().casefold()]
    if isinstance(value, Mapping):
        return [leaf for part in value.values() for leaf in _leaves(part)]
    if isinstance(value, Sequence):
        return [leaf for part in value for leaf in _leaves(part)]
    return []


def _by_seat(seats: int, position: Mapping[str, Any], key: str) -> list[Any]:
    """The parts of one key in seat order; None where the position says nothing."""
    found: list[Any] = [None] * seats
    for seat, part in dict(position.get(key, {})).items():
        found[_seat(seats, key, seat)] = part
    return found


def _seat(seats: int, key: str, value: Any) -> Seat:
    if str(value).isdecimal() and int(value) < seats:
        return Seat(int(value))
    raise ValueError(f"{key}: there is no seat {value}")


def _seats(seats: int, position: Mapping[str, Any], key: str) -> tuple[Seat, ...]:
    found = tuple([_seat(seats, key, value) for value in position.get(key, ())])
    if len(set(found)) != len(found):
        raise ValueError(f"{key}: a seat stands there twice")
    return found


def _position(
    decks: Decks,
    seats: int,
    options: Mapping[str, str],
    position: Mapping[str, Any],
    chance: Chance,
) -> PositionArranged:
    starters = [f"{kind} {value}" for kind, value in starting_supplies(options)]
    box = _UnplacedCards(decks, position)
    hands = [box.take_all(cards) for cards in _by_seat(seats, position, "hands")]
    named = _by_seat(seats, position, "stockpiles")
    piled = [None if cards is None else box.take_all(cards) for cards in named]
    discarded = box.take_all(position.get("discards"))
    tops = {deck: _top(box, position, deck) for deck in DECKS}
    out = _seats(seats, position, "out")
    bound, isolated = _seats(seats, position, "bound"), _seats(seats, position, "isolation")
    isolation = [box.take(SELF_ISOLATION) if seat in isolated else None for seat in range(seats)]
    stockpiles = [
        box.take_all([] if seat in out else starters) if cards is None else cards
        for seat, cards in enumerate(piled)
    ]
    locations = [
        place or (OUTDOORS if seat in bound else INDOORS)
        for seat, place in enumerate(_by_seat(seats, position, "locations"))
    ]
    cards, piles = {}, []
    for deck in DECKS:
        rest, pile = box.rest(deck), tuple([card for card in discarded if card.deck == deck])
        is_whole = deck in position
        cards[deck] = tops[deck] if is_whole else (*tops[deck], *chance.shuffled(rest))
        piles.append((*rest, *pile) if is_whole else pile)
    return PositionArranged(
        decks=decks,
        turn=_seat(seats, "turn", position.get("turn", 0)),
        number=int(position.get("number", 1)),
        action=int(position.get("action", 1)),
        out=out,
        locations=tuple(locations),
        bound=bound,
        isolation=tuple(isolation),
        stockpiles=tuple(stockpiles),
        hands=tuple(hands),
        backs=tuple([(_backs(hand, INDOORS), _backs(hand, OUTDOORS)) for hand in hands]),
        discards=(piles[0], piles[1], piles[2]),
        supplies=cards[SUPPLIES],
        indoor=cards[INDOORS],
        outdoor=cards[OUTDOORS],
        counts=(len(cards[SUPPLIES]), len(cards[INDOORS]), len(cards[OUTDOORS])),
        settings=settings_from(options),
    )


def _top(box: _UnplacedCards, position: Mapping[str, Any], deck: str) -> Cards:
    """The cards named for a deck, whole or above its rest."""
    if deck in position and _TOPS[deck] in position:
        raise ValueError(f"{deck} is the whole deck, so {_TOPS[deck]} cannot be there too")
    return box.take_all(position.get(deck, position.get(_TOPS[deck])), deck)


def _backs(hand: Cards, back: str) -> int:
    return sum(1 for card in hand if card.deck == back)


def _refuse_impossible(event: PositionArranged) -> None:
    seats = range(len(event.hands))
    live = [seat for seat in seats if seat not in event.out]
    if event.out and event.settings.infected == "restart":  # [SR-70]
        raise ValueError("infected=restart: nobody is out")
    if len(live) < 2 or event.turn not in live:  # [SR-49]
        raise ValueError("two live players at least, and one of them to act")
    if not 1 <= event.action <= ACTIONS_PER_TURN or event.number < 1:
        raise ValueError(f"action is 1 to {ACTIONS_PER_TURN}, number is 1 or more")
    if event.action == 1 and event.isolation[event.turn]:  # [SR-45]
        raise ValueError(f"seat {event.turn} begins its turn, so its Self-Isolation has ended")
    for seat in seats:
        hand, stockpile = event.hands[seat] or (), event.stockpiles[seat]
        if event.locations[seat] not in (INDOORS, OUTDOORS):
            raise ValueError(f"seat {seat}: a location is {INDOORS} or {OUTDOORS}")
        if seat in event.bound and event.locations[seat] != OUTDOORS:  # [SR-14]
            raise ValueError(f"seat {seat} is bound and not Outdoors")
        in_play = event.isolation[seat] is not None or seat in event.bound
        if seat in event.out and (hand or stockpile or in_play):  # [SR-29]
            raise ValueError(f"seat {seat} is out and owns something")
        if len(hand) > HAND_MAX:  # [SR-06]
            raise ValueError(f"seat {seat} has more than {HAND_MAX} cards in hand")
        for card in hand:
            if card.sort not in ("stockup", "effect"):  # [SR-08]
                raise ValueError(f"seat {seat}: {card_title(card)} is never in a hand")
        for card in stockpile:
            if card.name not in SUPPLY_KINDS:  # [SR-33]
                raise ValueError(f"seat {seat}: {card_title(card)} is never in a stockpile")
