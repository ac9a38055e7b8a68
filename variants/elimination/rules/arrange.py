"""Positions set up by hand, for scenarios and tutorials.

Rule 1: an arranged position is one that a game could show, or ValueError says why not.  Only
        what lies Outside is free: it may hold any cards.
Rule 2: what follows by itself from it (a pass, the only candidate, a dead position) follows at
        once, as in a game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from variants.contract import Chance, Seat
from variants.elimination.data.cards import (
    HAND_SIZE,
    JOKER,
    RANK_OF,
    STALEMATE_TURNS,
    Pack,
    ends_when,
)
from variants.elimination.events import Cards, Event, GameBegun, Mark, PositionArranged, Sets
from variants.elimination.rules import turns
from variants.elimination.rules.setup import deal_from_order, pack_of, until_of
from variants.elimination.rules.transition import Transition


def arrange(
    seats: int, options: Mapping[str, str], position: Mapping[str, Any], chance: Chance
) -> Sequence[Event]:
    """Events that set up *position*.

    Args:
        position: All keys may be missing.  Seats are numbers from 0 (or their digits).  A card
            is an id, or a rank alone (`7`, `10`, `joker`) for any free card of that rank.
            dealer, turn: a seat, 0.  asks: "action" or "next".  number: of the turn, 1.
            hands: {seat: cards}.  pairs, triplets: {seat: [cards of one set, ...]}.
            marks: {seat: {card: the own turn from which it may be given}}.
            turns: {seat: turns started}; 1 for the seat to act, else 0.
            idle: turns without progress, 0.  out: seats, first to fall first.
            outside: cards.  deck_top: cards, top first, above the shuffled rest.
            deck: the whole deck, top first; then all cards not named lie Outside.
            dealt: {seat: four cards}, with dealer and deck_top alone: a deal with these hands
            (the others by chance), so that locks at the deal can be seen.

    Raises:
        ValueError: The position cannot be; says why.
    """
    unknown = set(position) - _KEYS
    if unknown:
        raise ValueError(f"unknown position keys: {', '.join(sorted(unknown))}")
    pack, until = pack_of(options), until_of(options)
    if "dealt" in position:
        begun = GameBegun(pack.name, seats, Seat(int(position.get("dealer", 0))), until)
        return _arranged_deal(begun, pack, position, chance)
    event = _position(seats, pack, until, position, chance)
    transition = Transition(None, chance, event)
    if not turns.end_if_no_cards_move(transition):
        turns.continue_position(transition)
    return transition.events


_KEYS = {
    "dealer", "turn", "asks", "number", "hands", "pairs", "triplets", "marks", "turns", "idle",
    "out", "outside", "deck", "deck_top", "dealt",
}  # fmt: skip


class _UnplacedCards:
    """The cards not yet placed.  Full ids are set aside first, so that a rank finds another."""

    def __init__(self, pack: Pack, position: Mapping[str, Any]) -> None:
        self.free = list(pack.cards)
        self._named = [c for c in _leaves(position) if c in self.free]
        doubled = {card for card in self._named if self._named.count(card) > 1}
        if doubled:
            raise ValueError(f"placed twice: {', '.join(sorted(doubled))}")

    def take(self, name: Any) -> str:
        wanted = str(name).upper()
        if wanted in self.free:
            card = wanted
        else:
            rank = {"JOKER": JOKER, "T": "10"}.get(wanted, wanted)
            fitting = [c for c in self.free if RANK_OF[c] == rank and c not in self._named]
            if not fitting:
                raise ValueError(f"no card {name!r} is left in this pack")
            card = fitting[0]
        self.free.remove(card)
        return card

    def take_all(self, names: Sequence[Any]) -> Cards:
        return tuple(self.take(name) for name in names)


def _leaves(value: Any) -> list[str]:
    """Every text in the zones of a position, upper case."""
    if isinstance(value, str):
        return [value.upper()]
    if isinstance(value, Mapping):
        return [leaf for key, part in value.items() if key != "marks" for leaf in _leaves(part)]
    if isinstance(value, Sequence):
        return [leaf for part in value for leaf in _leaves(part)]
    return []


def _by_seat(seats: int, position: Mapping[str, Any], key: str) -> list[Any]:
    """The parts of one key in seat order; None where the position says nothing."""
    found: list[Any] = [None] * seats
    for seat, part in dict(position.get(key, {})).items():
        if not 0 <= int(seat) < seats:
            raise ValueError(f"{key}: there is no seat {seat}")
        found[int(seat)] = part
    return found


def _arranged_deal(
    begun: GameBegun, pack: Pack, position: Mapping[str, Any], chance: Chance
) -> Sequence[Event]:
    box = _UnplacedCards(pack, position)
    named = [box.take_all(cards or ()) for cards in _by_seat(begun.seats, position, "dealt")]
    if any(len(cards) > HAND_SIZE for cards in named):
        raise ValueError(f"dealt: a hand has {HAND_SIZE} cards")
    top = box.take_all(position.get("deck_top", ()))
    rest = list(chance.shuffled(box.free))
    hands = []
    for cards in named:
        missing = HAND_SIZE - len(cards)
        hands.append((*cards, *rest[:missing]))
        rest = rest[missing:]
    order = (*(card for hand in hands for card in hand), *top, *rest)
    return deal_from_order(begun, order, chance)


def _position(
    seats: int, pack: Pack, until: str, position: Mapping[str, Any], chance: Chance
) -> PositionArranged:
    box = _UnplacedCards(pack, position)
    hands = [box.take_all(cards or ()) for cards in _by_seat(seats, position, "hands")]
    pairs = [_sets(box, sets, 2) for sets in _by_seat(seats, position, "pairs")]
    triplets = [_sets(box, sets, 3) for sets in _by_seat(seats, position, "triplets")]
    outside = box.take_all(position.get("outside", ()))
    if "deck" in position:
        deck = box.take_all(position["deck"])
        outside = (*outside, *box.free)
    else:
        top = box.take_all(position.get("deck_top", ()))
        deck = (*top, *chance.shuffled(box.free))
    turn, dealer = Seat(int(position.get("turn", 0))), Seat(int(position.get("dealer", 0)))
    fallen = tuple(Seat(int(seat)) for seat in position.get("out", ()))
    counts = [n or 0 for n in _by_seat(seats, position, "turns")]
    counts[turn] = counts[turn] or 1
    marks = [
        _marks(hand, named)
        for hand, named in zip(hands, _by_seat(seats, position, "marks"), strict=True)
    ]
    event = PositionArranged(
        pack=pack.name,
        dealer=dealer,
        turn=turn,
        asks=str(position.get("asks", "action")),
        number=int(position.get("number", 1)),
        idle=int(position.get("idle", 0)),
        fallen=fallen,
        hands=tuple(hands),
        pairs=tuple(pairs),
        triplets=tuple(triplets),
        turns=tuple(counts),
        marks=tuple(marks),
        outside=outside,
        deck=deck,
        hand_counts=tuple(len(hand) for hand in hands),
        pair_counts=tuple(len(sets) for sets in pairs),
        deck_count=len(deck),
        until=until,
    )
    _refuse_impossible(event, pack)
    return event


def _sets(box: _UnplacedCards, sets: Any, size: int) -> Sets:
    found = tuple(box.take_all(cards) for cards in sets or ())
    for cards in found:
        if len(cards) != size or len({RANK_OF[card] for card in cards}) != 1:
            raise ValueError(f"no set of {size} cards of one rank: {' '.join(cards)}")
    return found


def _marks(hand: Cards, named: Mapping[str, Any] | None) -> tuple[Mark, ...]:
    marks = []
    for name, free_at in (named or {}).items():
        wanted = str(name).upper()
        rank = {"JOKER": JOKER, "T": "10"}.get(wanted, wanted)
        held = [card for card in hand if wanted == card or RANK_OF[card] == rank]
        if not held:
            raise ValueError(f"marks: {name} is in no such hand")
        marks.append((held[0], int(free_at)))
    return tuple(marks)


def _refuse_impossible(event: PositionArranged, pack: Pack) -> None:
    seats = range(len(event.hands))
    live = [seat for seat in seats if seat not in event.fallen]
    if not all(seat in seats for seat in (*event.fallen, event.dealer)):
        raise ValueError("out, dealer: there is no such seat")
    if len(live) < 2 or event.turn not in live:
        raise ValueError("two live players at least, and one of them to act")
    if len(event.fallen) >= ends_when(event.until, len(seats)):
        raise ValueError(f"until={event.until}: with so many out the game is over")  # [ER-51]
    if event.asks not in ("action", "next") or not 0 <= event.idle < STALEMATE_TURNS:
        raise ValueError("asks is action or next; idle is below the stalemate")
    for seat in seats:
        hand, pairs = event.hands[seat] or (), event.pairs[seat] or ()
        sets = (*pairs, *event.triplets[seat])
        if seat in event.fallen and (hand or sets):
            raise ValueError(f"seat {seat} is out and holds cards")
        ranks = [RANK_OF[card] for card in hand] + [RANK_OF[cards[0]] for cards in sets]
        doubled = {rank for rank in ranks if rank in pack.lockable and ranks.count(rank) > 1}
        if doubled:  # [ER-24] they would have locked
            raise ValueError(f"seat {seat}: would have locked: {', '.join(sorted(doubled))}")
        if any(RANK_OF[cards[0]] not in pack.lockable for cards in sets):
            raise ValueError(f"seat {seat}: a set of a rank that never locks")  # [ER-44]
