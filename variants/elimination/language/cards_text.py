"""`cards` and `card NAME`: every rank, where its cards are known to be, and how many are unseen.

Rule 1: the numbers are those of `counted.py`, so that people have what computer players have.
Rule 2: without a game they are those of the full pack.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Seat, SeatNames
from variants.elimination.counted import Count, RankCount, counted
from variants.elimination.data.cards import (
    ALL_CARDS,
    JOKER,
    PACKS,
    RANK_NAMES,
    RANK_OF,
    SUIT_NAMES,
    cards_of_rank,
    rank_name,
)
from variants.elimination.events import Event
from variants.elimination.language.card_text import rank_plural
from variants.elimination.view import View
from variants.kit.card_names import find_card
from variants.kit.text import Span, Style, StyledLine, join_words, quantity, styled_line
from variants.kit.wrap import wrap_parts

QUESTIONS = {
    "cards": "every rank: where its cards are, as far as you can know, and how many are unseen",
    "card": "what a card does, and how many of its rank are unseen: card 9, card joker",
}
UNSEEN = "{} unseen: {} in the deck, {} in hands and face-down pairs."
LOCKING = (
    "Two in a hand lock as a pair, and the third makes a triplet.",
    "The fourth puts its owner out.",
)
NEVER_LOCKS = "It never locks and puts nobody out."
CLEARS_ALONE = "To clear with it, type: clear {}"
CLEARS_AS_PAIR = "Two of them in your hand clear together: type clear pair"


def all_cards(
    view: View, seen: Sequence[Event], names: SeatNames, style: Style
) -> list[StyledLine]:
    count = counted(view, seen)
    rows = [row for it in count.ranks for row in _rank_rows(it, view.seat, names, style)]
    return rows + _sentences([_places(count)], style)


def one_card(
    words: Sequence[str], view: View, seen: Sequence[Event], names: SeatNames, style: Style
) -> list[StyledLine]:
    count = counted(view, seen)
    rank = find_card(words, _named([it.rank for it in count.ranks]))
    (found,) = [it for it in count.ranks if it.rank == rank]
    rows = _sentences(_about(rank, view.pack), style)
    return rows + _rank_rows(found, view.seat, names, style)


def printed(line: str, style: Style) -> list[StyledLine]:
    """The same without a game."""
    _, *words = line.split()
    pack = PACKS["54"]
    if words:
        rank = find_card(words, _named(list(RANK_NAMES)))
        copies = len(cards_of_rank(pack.cards, rank))
        return _sentences([*_about(rank, pack.name), f"There are {copies} in the pack."], style)
    by_copies: dict[int, list[str]] = {}
    for rank in RANK_NAMES:
        by_copies.setdefault(len(cards_of_rank(pack.cards, rank)), []).append(rank)
    facts = [
        f"{copies} each of {join_words([rank_name(rank) for rank in ranks])}"
        if len(ranks) > 1
        else quantity(copies, rank_name(ranks[0]), rank_plural(ranks[0]))
        for copies, ranks in by_copies.items()
    ]
    return _sentences([f"The pack has {len(pack.cards)} cards: {'; '.join(facts)}."], style)


def _sentences(texts: Sequence[str], style: Style) -> list[StyledLine]:
    return [row for text in texts for row in wrap_parts((), [(Span(text),)], style.width)]


def _named(ranks: Sequence[str]) -> dict[str, str]:
    """Ranks by what people call them: `9`, `nine`, `nines`, `9h`, `9 of hearts`."""
    found: dict[str, str] = {}
    for rank in ranks:
        short = "*" if rank == JOKER else rank.lower()
        found |= dict.fromkeys((short, RANK_NAMES[rank], rank_plural(rank)), rank)
        found[RANK_NAMES[rank] + ("es" if rank == "6" else "s")] = rank
    for card in ALL_CARDS:
        rank = RANK_OF[card]
        if rank in ranks and rank != JOKER:
            suit = SUIT_NAMES[card[-1]]
            called = (card.lower(), f"{rank_name(rank)} of {suit}", f"{RANK_NAMES[rank]} of {suit}")
            found |= dict.fromkeys(called, rank)
    return found


def _about(rank: str, pack_name: str) -> list[str]:
    pack = PACKS[pack_name]
    name = rank_name(rank).capitalize()
    if rank in pack.lockable:
        return [
            f"{name}: a card that locks.",
            *LOCKING,
            f"To give one, type: give {rank.lower()} NAME",
        ]
    ways = CLEARS_ALONE.format(rank_name(rank)) if rank == pack.single else CLEARS_AS_PAIR
    return [f"{name}: a card to clear with.", NEVER_LOCKS, ways]


def _rank_rows(
    it: RankCount, reader: Seat | None, names: SeatNames, style: Style
) -> list[StyledLine]:
    """`9: 1 unseen of 4; you hold 1, Bob holds 1`."""
    facts = [f"{it.unseen} unseen of {it.copies}"]
    if it.hand:
        facts.append(f"{it.hand} in your hand")
    if it.pair:
        facts.append("your pair")
    facts += ["your triplet" if s == reader else f"triplet of {names[s]}" for s in it.triplets]
    for seat in sorted(set(it.known)):
        facts.append(f"{it.known.count(seat)} with {names[seat]}")
    if it.outside:
        facts.append(f"{it.outside} Outside")
    head = styled_line((f"{rank_name(it.rank).capitalize()}: ", "title"))
    return wrap_parts(head, [styled_line(fact) for fact in facts], style.width, ", ")


def _places(count: Count) -> str:
    unseen = quantity(count.deck + count.hands, "card")
    return UNSEEN.format(unseen, count.deck, count.hands)
