"""The data file of the box: three decks as JSON, read with care, since a host may bring another.

Rule 1: a file is taken whole or not at all.  `InvalidData` names the deck, the card and what is
        wrong with it, then what would be right.
Rule 2: refused is what the rules could not be played with: a name they do not know, too few cards
        to begin with, an answer that has the wrong back.  How many of each, how strong and with
        which symbol is the host's affair.
Rule 3: the fingerprint tells two boxes apart; their order counts, for a shuffle begins with it.
Rule 4: the list `indoors` need not be there.  It has the cards that with decks=indoors take the
        place of those of the Indoor deck with the same ids.  [SR-71]
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from hashlib import sha256
from typing import Any

from variants.contract import InvalidData
from variants.kit.data_file import excerpt, read_json_object
from variants.kit.text import join_words
from variants.stockpile.data.cards import (
    DECK_SIZE,
    DECKS,
    EFFECTS,
    IMPACT_KINDS,
    INDOORS,
    OUTDOORS,
    REACTIONS,
    SOLD_OUT,
    STARTING_SUPPLIES,
    STOCK_UPS,
    SUPPLIES,
    SUPPLY_KINDS,
    Box,
    Card,
    Cards,
    Decks,
)

TEXT_CHARS_MAX = 100_000  # characters; ours has about nine thousand
ID_CHARS_MAX = 12  # characters
NUMBER_MAX = 9  # one figure: "f3" is Food 3 to everybody who types
STARTING_COPIES_MIN = 4  # of each first supply: one for each player there may be

SORT_BY_NAME: Mapping[str, str] = {
    **dict.fromkeys((*SUPPLY_KINDS, SOLD_OUT), "supply"),
    **dict.fromkeys(IMPACT_KINDS, "impact"),
    **dict.fromkeys(STOCK_UPS, "stockup"),
    **dict.fromkeys(EFFECTS, "effect"),
}
"""The sort of card that each name is: "kind" in the file."""
TESTS = {"positive": "+", "negative": "-"}


INSTEAD = "indoors"
"""The list of cards for decks=indoors, and the value of the option."""


def parse_decks(text: str) -> Box:
    """The box that *text* describes; InvalidData if no game can be played with it."""
    names = join_words(DECKS)
    raw = read_json_object(
        text,
        TEXT_CHARS_MAX,
        contents=f"the decks {names}",
        depth_hint="Each deck is a list of cards.",
    )
    for deck in DECKS:
        if deck not in raw:
            raise InvalidData(f"The deck {deck} is missing. The file has the decks {names}.")
    for key in raw:
        if key not in (*DECKS, INSTEAD):
            raise InvalidData(f"{excerpt(key)} is no deck. The file has the decks {names}.")
    decks = Decks(*(_deck(deck, raw[deck]) for deck in DECKS))
    _refuse_doubles(decks)
    _refuse_no_start(decks)
    return Box(decks, _indoors(decks, raw[INSTEAD]) if INSTEAD in raw else None)


def fingerprint(decks: Decks) -> str:
    """64 hexadecimal digits: equal for equal boxes in equal order."""
    rows = [[c.id, c.deck, c.name, c.sort, c.number, c.test] for c in decks.all_cards]
    return sha256(json.dumps(rows, separators=(",", ":")).encode()).hexdigest()


def _deck(deck: str, raw: Any) -> Cards:
    if not isinstance(raw, list):
        raise InvalidData(f"The deck {deck} is no list. It is a list of {DECK_SIZE} cards.")
    cards = tuple(_card(deck, number, entry) for number, entry in enumerate(raw, 1))
    if len(cards) != DECK_SIZE:
        raise InvalidData(f"The deck {deck} has {len(cards)} cards. It needs {DECK_SIZE}.")
    return cards


def _indoors(decks: Decks, raw: Any) -> Decks:
    """The same decks with other cards in the Indoor one."""
    if not isinstance(raw, list) or len(raw) > DECK_SIZE:
        raise InvalidData(f"The list {INSTEAD} is a list of {DECK_SIZE} cards at most.")
    cards = [_card(INDOORS, number, entry, INSTEAD) for number, entry in enumerate(raw, 1)]
    instead = {card.id: card for card in cards}
    known = [card.id for card in decks.indoor]
    for card in cards:
        if card.id not in known or cards.count(card) > 1:
            raise InvalidData(
                f"{INSTEAD}, card {card.id}: it takes the place of a card of the deck {INDOORS}."
                " Name one of its ids, once."
            )
    return replace(decks, indoor=tuple([instead.get(card.id, card) for card in decks.indoor]))


def _card(deck: str, number: int, raw: Any, listed: str = "") -> Card:
    """One entry of a deck, or of the list *listed*; *number* counts from 1."""
    listed = listed or deck
    where = f"{listed}, entry {number}"
    if not isinstance(raw, dict):
        raise InvalidData(f"{where}: this is no card. A card is an object with an id and a name.")
    id_: Any = raw.get("id")
    if not _is_id(id_):
        raise InvalidData(
            f"{where}: {excerpt(id_)} is no id. An id is 1 to {ID_CHARS_MAX} letters and digits."
        )
    where = f"{listed}, card {id_}"
    name: Any = raw.get("name")
    _refuse_name(deck, where, name)
    sort = SORT_BY_NAME[name]
    _refuse_keys(where, name, raw, sort)
    if sort == "supply":
        return Card(id_, deck, name, sort, _value(where, name, raw["value"]))
    if raw["kind"] != sort:
        raise InvalidData(f'{where}: the kind {excerpt(raw["kind"])} is wrong. {name} is "{sort}".')
    if not isinstance(raw["test"], str) or raw["test"] not in TESTS:
        raise InvalidData(
            f'{where}: {excerpt(raw["test"])} is no test. It is "positive" or "negative".'
        )
    amount = _number(where, "amount", name, raw["amount"]) if sort == "stockup" else 0
    return Card(id_, deck, name, sort, amount, TESTS[raw["test"]])


def _is_id(value: Any) -> bool:
    return (
        isinstance(value, str)
        and value.isascii()
        and value.isalnum()
        and len(value) <= ID_CHARS_MAX
    )


def _refuse_name(deck: str, where: str, name: Any) -> None:
    is_supply = deck == SUPPLIES
    fitting = [known for known, sort in SORT_BY_NAME.items() if (sort == "supply") == is_supply]
    if name in REACTIONS and deck == OUTDOORS:  # [G-12] who is asked follows from Indoor backs
        raise InvalidData(
            f"{where}: {name} cannot be an Outdoor card, for by its back all know who may answer. "
            f"Put it into the deck {INDOORS}."
        )
    if isinstance(name, str) and name in fitting:
        return
    if isinstance(name, str) and name in SORT_BY_NAME:
        right = f"{INDOORS} or {OUTDOORS}" if is_supply else SUPPLIES
        raise InvalidData(f"{where}: {name} is no card of this deck. Put it into {right}.")
    near = get_close_matches(name, fitting, 1) if isinstance(name, str) else []
    right = f"Did you mean {near[0]}?" if near else f"The cards are {join_words(sorted(fitting))}."
    raise InvalidData(f"{where}: {excerpt(name)} is no name of a card. {right}")


def _refuse_keys(where: str, name: str, raw: Mapping[str, Any], sort: str) -> None:
    wanted = {
        "supply": ("id", "name", "value"),
        "stockup": ("id", "name", "kind", "amount", "test"),
    }.get(sort, ("id", "name", "kind", "test"))
    right = f"{name} has {join_words(wanted)}."
    for key in wanted:
        if key not in raw:
            raise InvalidData(f'{where}: "{key}" is missing. {right}')
    for key in raw:
        if key not in wanted:
            raise InvalidData(f"{where}: {excerpt(key)} is one too many. {right}")


def _value(where: str, name: str, raw: Any) -> int:
    if name != SOLD_OUT:
        return _number(where, "value", name, raw)
    if type(raw) is not int or raw != 0:
        raise InvalidData(f"{where}: {excerpt(raw)} is wrong. The value of {SOLD_OUT} is 0.")
    return 0


def _number(where: str, key: str, name: str, raw: Any) -> int:
    if type(raw) is int and 1 <= raw <= NUMBER_MAX:
        return raw
    raise InvalidData(
        f"{where}: {excerpt(raw)} is wrong. The {key} of {name} is 1 to {NUMBER_MAX}."
    )


def _refuse_doubles(decks: Decks) -> None:
    seen: dict[str, Card] = {}
    for card in decks.all_cards:
        other = seen.setdefault(card.id.upper(), card)
        if other is not card:
            raise InvalidData(
                f"{card.deck}, card {card.id}: the deck {other.deck} has a card {other.id} "
                "already. Give each card an id of its own; small and capital letters are one."
            )


def _refuse_no_start(decks: Decks) -> None:
    """[SR-01] What each player begins with comes out of the Supplies."""
    for kind, value in STARTING_SUPPLIES:
        copies = sum((card.name, card.number) == (kind, value) for card in decks.supplies)
        if copies < STARTING_COPIES_MIN:
            raise InvalidData(
                f"{SUPPLIES}: {kind} {value} is there {copies} times. Each player begins with one, "
                f"so at least {STARTING_COPIES_MIN} are needed."
            )
