"""Before the first turn: the options, the cards in the box, the deal.

Rule 1: chance is asked for the Supplies, the Indoor and the Outdoor deck, then for the first
        player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from variants.contract import Chance, Option, Preset, Refusal, Seat
from variants.kit.text import number_in_words
from variants.stockpile.data.cards import (
    DECKS,
    PREVENTION,
    STARTING_SUPPLIES,
    Box,
    Card,
    Cards,
    Decks,
    Settings,
)
from variants.stockpile.events import Dealt, Event, GameBegun
from variants.stockpile.rules import turns
from variants.stockpile.rules.transition import Transition
from variants.stockpile.state import State

SEATS = range(2, 5)

OPTIONS = (
    Option("grace", "0", ("0", "1", "2"), "in so many rounds an Infection does nothing"),
    Option("prevention", "1", ("1", "2"), "how many Infection Prevention everybody starts with"),
    Option(
        "infected", "out", ("out", "restart"),
        "restart: who is infected discards everything and plays on",
    ),
    Option(
        "decks", "standard", ("standard", "indoors"),
        "indoors: three Impact cards of the Indoor deck are Home Delivery 2",
    ),
)  # fmt: skip


_QUICK = {"action": "30", "location": "15", "reaction": "15", "card": "15"}
_SLOW = {"action": "180", "location": "60", "reaction": "60", "card": "60"}
PRESETS = (
    Preset("standard", "everything as usual", 12),
    Preset("short", "players who are quick", 8, _QUICK),
    Preset("long", "three minutes to think", 25, _SLOW),
    Preset(
        "gentle", "nobody is out", 14, {"grace": "1", "infected": "restart", "decks": "indoors"}
    ),
    Preset("duel", "for two, nobody is out", 15, {"seats": "2", "infected": "restart"}),
    Preset("series", "three deals with totals", 40, {"deals": "3", "grace": "1"}),
    Preset("correspondence", "a day for each move", 0, {"move": "1d"}),
)


def check_options(box: Box, options: Mapping[str, str]) -> None:
    if options.get("decks") == "indoors" and box.indoors is None:  # [SR-71]
        raise Refusal("This server plays with decks of its own. Choose decks=standard.")


def check_seats(box: Box, seats: int, options: Mapping[str, str]) -> None:
    """Refuse more players than the Supplies have first cards for.  [SR-69]"""
    if options.get("prevention") != "2":
        return
    wanted = STARTING_SUPPLIES[-1]
    found = sum((card.name, card.number) == wanted for card in box.standard.supplies)
    if 2 * seats > found:
        raise Refusal(
            f"Two {PREVENTION} each need {number_in_words(2 * seats)} cards of value {wanted[1]},"
            f" and the box has {number_in_words(found)}."
            f" Play with {number_in_words(found // 2)}, or set prevention=1."
        )


def decks_of(box: Box, options: Mapping[str, str]) -> Decks:
    if options.get("decks") == "indoors" and box.indoors is not None:
        return box.indoors
    return box.standard


def settings_from(options: Mapping[str, str]) -> Settings:
    return Settings(int(options.get("grace", "0")), options.get("infected", "out"))


def starting_supplies(options: Mapping[str, str]) -> Sequence[tuple[str, int]]:
    """(kind, value) of each player's first supplies.  [SR-01] [SR-69]"""
    more = int(options.get("prevention", "1")) - 1
    return (*STARTING_SUPPLIES, *STARTING_SUPPLIES[-1:] * more)


def components(box: Box, options: Mapping[str, str]) -> Sequence[str]:
    return sorted(card.id for card in decks_of(box, options).all_cards)


def zones(state: State) -> Mapping[str, Sequence[str]]:
    """Every card, by where it lies.  [G-19]"""
    found: dict[str, Cards] = {}
    for deck, pile in zip(DECKS, state.discards, strict=True):
        found[deck] = state.cards_in_deck(deck)
        found[f"{deck} discards"] = pile
    for seat, player in enumerate(state.players):
        found[f"hand {seat}"] = player.hand
        found[f"stockpile {seat}"] = player.stockpile
        found[f"isolation {seat}"] = () if player.isolation is None else (player.isolation,)
    return {zone: [card.id for card in cards] for zone, cards in found.items()}


def starting_stockpiles(
    decks: Decks, seats: int, first: Sequence[tuple[str, int]]
) -> tuple[Cards, ...]:
    """The first supplies by seat: of equal ones the first in the box."""
    rest = list(decks.supplies)

    def one(kind: str, number: int) -> Card:
        found = next(card for card in rest if (card.name, card.number) == (kind, number))
        rest.remove(found)
        return found

    return tuple([tuple([one(*wanted) for wanted in first]) for _ in range(seats)])


def deal(box: Box, seats: int, options: Mapping[str, str], chance: Chance) -> Sequence[Event]:
    """Food, Toilet Paper and Infection Prevention each, three decks, a first turn."""
    decks = decks_of(box, options)
    stockpiles = starting_stockpiles(decks, seats, starting_supplies(options))
    dealt = {card for cards in stockpiles for card in cards}
    supplies = chance.shuffled([card for card in decks.supplies if card not in dealt])
    indoor, outdoor = chance.shuffled(decks.indoor), chance.shuffled(decks.outdoor)
    first = Seat(chance.below(seats))  # [SR-02]
    transition = Transition(None, chance, GameBegun(decks, seats, settings_from(options)))
    counts = len(supplies), len(indoor), len(outdoor)
    transition.add(Dealt(stockpiles, supplies, indoor, outdoor, counts))
    turns.start_turn(transition, first)
    return transition.events
