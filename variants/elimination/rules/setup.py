"""Before the first turn: the options, the cards in the box, the deal.

Rule 1: chance is asked for the dealer, then for the deal; a misdeal asks for the deal again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from variants.contract import Chance, Option, Preset, Refusal, Seat
from variants.elimination.data.cards import HAND_SIZE, PACKS, Pack
from variants.elimination.events import Cards, Dealt, Event, GameBegun, Misdealt
from variants.elimination.rules import turns
from variants.elimination.rules.locks import has_four_of_a_rank, resolve_locks
from variants.elimination.rules.transition import Transition
from variants.elimination.state import State

SEATS = range(2, 9)

OPTIONS = (
    Option("deck", "54", ("54", "50"), "54 cards with two jokers, or 50 with two aces as jokers"),
    Option("twos_as_aces", "off", ("off", "on"), "with deck=50: twos never lock, a pair Clears"),
    Option(
        "until",
        "last",
        ("last", "half", "first"),
        "the game ends when one is left, when half are out, or when the first is out",
    ),
)


PRESETS = (
    Preset("standard", "everything as usual", 10),
    Preset("short", "four players who are quick", 6, {"seats": "4", "action": "30", "next": "10"}),
    Preset("long", "three minutes to think", 20, {"action": "180", "next": "60"}),
    Preset(
        "party",
        "three deals, each until the first player is out",
        10,
        {"until": "first", "deck": "50", "deals": "3"},
    ),
    Preset("half", "until half of the players are out", 9, {"until": "half", "deck": "50"}),
    Preset("correspondence", "a day for each move", 0, {"move": "1d"}),
)


def check_options(options: Mapping[str, str]) -> None:
    if options.get("twos_as_aces") == "on" and options.get("deck", "54") != "50":
        raise Refusal("twos_as_aces=on needs the pack without jokers. Add deck=50.")  # [ER-03]


def pack_of(options: Mapping[str, str]) -> Pack:
    name = options.get("deck", "54")
    return PACKS[name + " twos" if options.get("twos_as_aces") == "on" else name]


def until_of(options: Mapping[str, str]) -> str:
    return options.get("until", "last")


def components(options: Mapping[str, str]) -> Sequence[str]:
    return sorted(pack_of(options).cards)


def zones(state: State) -> Mapping[str, Sequence[str]]:
    """Every card, by where it lies.  [G-19]"""
    found: dict[str, Sequence[str]] = {"deck": state.deck}
    for seat, player in enumerate(state.players):
        found[f"hand {seat}"] = player.hand
        found[f"pairs {seat}"] = [card for cards in player.pairs for card in cards]
        found[f"triplets {seat}"] = [card for cards in player.triplets for card in cards]
    found["outside"] = [card for left in state.outside for card in left.cards]
    return found


def deal(seats: int, options: Mapping[str, str], chance: Chance) -> Sequence[Event]:
    """A dealer, four cards each, everybody's locks, the dealer's turn.  [ER-04] [ER-05]"""
    pack = pack_of(options)
    dealer = Seat(chance.below(seats))
    begun = GameBegun(pack.name, seats, dealer, until_of(options))
    return deal_from_order(begun, chance.shuffled(pack.cards), chance)


def deal_from_order(begun: GameBegun, order: Cards, chance: Chance) -> Sequence[Event]:
    """The deal of *order*: the first four cards to seat 0, and so on; the rest is the deck."""
    pack, seats = PACKS[begun.pack], begun.seats
    transition = Transition(None, chance, begun)
    while True:
        hands = tuple(order[HAND_SIZE * s : HAND_SIZE * (s + 1)] for s in range(seats))
        if not any(has_four_of_a_rank(hand, pack.lockable) for hand in hands):
            break
        transition.add(Misdealt())  # [ER-06] same dealer, everything again
        order = chance.shuffled(pack.cards)
    deck = order[HAND_SIZE * seats :]
    transition.add(Dealt(hands, deck, HAND_SIZE, len(deck)))
    for seat in range(seats):
        resolve_locks(transition, Seat(seat))
    turns.start_turn(transition, begun.dealer, "first")
    return transition.events
