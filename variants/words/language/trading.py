"""Letters and players of a trade: who is to get which, in every way it can be read.

Rule 1: each letter stands before its player or behind, or all letters before all players; the
        order in which a phrase is written comes first.
Rule 2: as in `reading`: the whole name of another player wins, the beginning of one over nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from variants.contract import Seat, SeatNames
from variants.kit.text import join_words
from variants.words.actions import Offer, Trade
from variants.words.language.arrangements import acting_seat
from variants.words.language.phrase import phrase
from variants.words.language.slots import (
    FILLERS,
    is_letter,
    is_letters,
    match_players,
    name_words,
    parse_word_number,
)
from variants.words.language.verbs import shorten_quote
from variants.words.legal_actions import trade_partners
from variants.words.view import View

NOBODY = Seat(-1)
ITEMS_MAX = 12  # letters and players: more than any table can trade
_ORDERS = re.compile("(LS)*L?|(SL)*S?|L*S*|S*L*")
TRADE_READINGS_MAX = 100  # through the first words of a line; a line of sense has a few
BEGINNING_MIN = 2  # letters of a name that begins several


Items = tuple[tuple[str, Seat], ...]  # each a letter and nobody, or "" and a seat


class TradeReading(NamedTuple):
    rank: int  # as in `Reading`
    turns: int
    items: Items = ()


def find_trades(
    words: Sequence[str], view: View, names: SeatNames
) -> Iterator[tuple[int, int, Trade]]:
    """(rank, turns, trade) for every way to read *words*."""
    ways: list[dict[TradeReading, None]] = [{} for _ in range(len(words) + 1)]
    ways[0] = {TradeReading(1, 0): None}
    sayings = name_words(tuple(names)) | {"a"}
    for at in range(len(words)):
        for length, item, rank in _options(words, at, view, names) if ways[at] else ():
            for way in ways[at] if len(ways[at + length]) < TRADE_READINGS_MAX else ():
                if not item:
                    unsaid = way.turns + (words[at] in sayings)
                    ways[at + length][way._replace(turns=unsaid)] = None
                elif _may_follow(way, item, rank):
                    best = 0 if 0 in (way.rank, rank) else max(way.rank, rank)
                    is_odd = bool(item[0][0]) and at > 0 and words[at - 1] == "with"
                    is_begun = not item[0][0] and rank == 1
                    longer = TradeReading(best, way.turns + is_odd + is_begun, (*way.items, *item))
                    ways[at + length][longer] = None
    for way in ways[-1]:
        for turns, offers in _paired(way, view):
            yield way.rank, way.turns + turns, Trade(offers)


def explain_mispairing(words: Sequence[str], view: View, names: SeatNames) -> tuple[str, ...]:
    """Why letters and players do not go together: a sentence and its fields; () if none is found.

    It follows from the line, the names and the numbers of cards.
    """
    letters, seats, unknown = _counted(words, view, names)
    able = trade_partners(view, acting_seat(view))
    if unknown and able:
        right = f"You can trade with {join_words(['{}'] * len(able), 'or')}."
        wrong = 'Nobody here is called "{}". ' + right
        return wrong, shorten_quote(unknown), *[names[seat] for seat in able]
    if not letters or not seats or not able:
        return ()
    named = sorted(able, key=lambda seat: seat not in seats)
    pairs = zip(named, letters, strict=False)
    example = phrase(Trade(tuple([Offer(*pair) for pair in pairs])), view, names)
    wrong = "Each partner gets one letter of yours, and chooses which one comes back. "
    return wrong + "Type it like this: {}.", example


def _counted(words: Sequence[str], view: View, names: SeatNames) -> tuple[str, Sequence[Seat], str]:
    """The letters and the others that are named, each once; and who is named and not here."""
    letters, unknown, at = "", "", 0
    seats: dict[Seat, None] = {}
    while at < len(words):
        word, found = words[at], list(match_players(words, at, view, names))
        is_named = at and words[at - 1] == "with"
        if found and (found[0][2] != 1 or is_named or not is_letter(word)):
            seats[found[0][1]] = None
            at += found[0][0]
            continue
        if is_named and not is_letter(word):
            unknown = unknown or word
        elif is_letters(word) and word not in FILLERS:
            letters += word.upper()
        at += 1
    seats.pop(acting_seat(view), None)
    return "".join(dict.fromkeys(letters)), tuple(seats), unknown


def _options(
    words: Sequence[str], at: int, view: View, names: SeatNames
) -> Iterator[tuple[int, Items, int]]:
    """(how many words, what they say, rank); a filler says nothing."""
    word = words[at]
    if word.startswith("seat#"):
        seat = parse_word_number(word.removeprefix("seat"))
        if seat is not None and 1 <= seat <= len(names):
            yield 1, (("", Seat(seat - 1)),), 2 if seat - 1 == view.seat else 0
        return
    found = list(match_players(words, at, view, names))
    begun = [length for length, _, rank in found if rank == 1]
    for length, who, rank in found:
        if rank != 1 or len(begun) == 1 or len(word) >= BEGINNING_MIN:
            yield length, (("", who),), rank
    if word in FILLERS:
        yield 1, (), 1
    if is_letter(word):
        yield 1, ((word.upper(), NOBODY),), 1
    elif is_letters(word) and len(word) < len(view.seats) and word not in FILLERS:
        yield 1, tuple([(letter, NOBODY) for letter in word.upper()]), 1


def _may_follow(way: TradeReading, items: Items, rank: int) -> bool:
    """Whether it is an order still; somebody whose name is begun only is named once."""
    both = (*way.items, *items)
    kinds = "".join(["L" if letter else "S" for letter, _ in both])
    if len(both) > ITEMS_MAX or not _ORDERS.fullmatch(kinds):
        return False
    return rank != 1 or bool(items[0][0]) or items[0] not in way.items


def _paired(way: TradeReading, view: View) -> Iterator[tuple[int, tuple[Offer, ...]]]:
    letters = [letter for letter, _ in way.items if letter]
    seats = [seat for letter, seat in way.items if not letter]
    if len(letters) == 1 and not seats:  # anybody else
        for number in range(len(view.seats)):
            if number != acting_seat(view):
                yield 0, (Offer(Seat(number), letters[0]),)
    elif letters and len(letters) == len(seats):
        kinds = "".join(["L" if letter else "S" for letter, _ in way.items])
        turns = 0 if re.fullmatch("(LS)+", kinds) else 1 if re.fullmatch("(SL)+", kinds) else 2
        pairs = zip(seats, letters, strict=True)
        yield turns, tuple([Offer(seat, letter) for seat, letter in pairs])
