"""Cards, places and aims as pieces of a line: the words that all sentences share.

Rule 1: a card has one long name, in sentences and for screen readers, one short name, in rows and
        for those who type, and a brief one where many cards stand in a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from variants.contract import Names, Seat
from variants.kit.people import who, whom, whose
from variants.kit.text import Line, Span, counted, line
from variants.stockpile.cards import (
    FOOD,
    INDOORS,
    LOCATION_SWITCH,
    LOOT_ANY,
    NOSEY_NEIGHBOUR,
    OUTDOORS,
    PAPER,
    PREVENTION,
    SELF_ISOLATION,
    SUPPLIES,
    SWAP_SHOP,
    TRADING_STATION,
    Card,
    titled,
)

PLACE = {INDOORS: "Indoors", OUTDOORS: "Outdoors"}
DECK_CALLED = {SUPPLIES: "Supplies", INDOORS: "Indoor", OUTDOORS: "Outdoor"}
REASONS = {
    "survivor": "everybody else is infected",
    SUPPLIES: "the Supplies deck has run out",
    INDOORS: "the Indoor deck has run out",
    OUTDOORS: "the Outdoor deck has run out",
}
"""Why a game ended, as a clause, by GameEnded.reason."""
SHORT = {FOOD: "Food", PAPER: "Paper", PREVENTION: "Prevention"}

BRIEF = {
    "Snack Attack": "Snack", "Binge Watch": "Binge", "Sourdough Solution": "Sourdough",
    "Feed The Family": "Feed", "Caught Short": "Short", "Feeling Flushed": "Flushed",
    "Dress To Impress": "Dress", "Personal Space": "Space", "Caught Red Handed": "Red Handed",
    "Home Delivery": "Delivery", TRADING_STATION: "Trading", LOCATION_SWITCH: "Switch",
    NOSEY_NEIGHBOUR: "Nosey", SELF_ISOLATION: "Isolation", SWAP_SHOP: "Swap", LOOT_ANY: "Loot Any",
}  # fmt: skip
"""Names for long lists of cards, where a word is enough to know them by."""


def brief(card: Card) -> str:
    """`Snack`, `Delivery 2`, `Loot Paper`."""
    name = BRIEF.get(card.name)
    if name is None:
        return short(card)
    return f"{name} {card.number}" if card.number else name


def short(card: Card) -> str:
    """`Paper 1`, `Loot Prevention`, `Nice Try!`: as in rows of the board."""
    name = card.name.replace(PAPER, SHORT[PAPER]).replace(PREVENTION, SHORT[PREVENTION])
    return f"{name} {card.number}" if card.number else name


def typed(card: Card) -> str:
    """`paper 1`, `stock up 2`, `nice try`: the name as people type it."""
    return short(card).lower().rstrip("!")


def the(card: Card) -> Span:
    """A card in a sentence."""
    return Span(titled(card), "strong")


def cards_spoken(cards: Iterable[Card]) -> str:
    """`Food 1, Food 3`; "nothing" if there are none."""
    return ", ".join([titled(card) for card in cards]) or "nothing"


def backs_spoken(indoor: int, outdoor: int) -> str:
    """`2 Indoor cards and 1 Outdoor card`: what opponents see of a hand."""
    parts = [
        counted(number, f"{called} card")
        for number, called in ((indoor, "Indoor"), (outdoor, "Outdoor"))
        if number
    ]
    return " and ".join(parts) or "no cards"


def tested(cards: Sequence[Card]) -> tuple[int, int]:
    """How many cards with a positive, how many with a negative test symbol."""
    positive = sum([card.test == "+" for card in cards])
    return positive, len(cards) - positive


def stop(text: Line) -> Line:
    """The sentence with its full stop, but for one that ends in an exclamation mark."""
    return text if text[-1].text.endswith("!") else (*text, Span("."))


def aim(
    target: Seat,
    supply: str,
    give: Card | None,
    take: Card | None,
    reader: Seat | None,
    names: Names,
) -> Line:
    """` on Bob, for Bob's Food 3`: whom an effect is played on, and for what."""
    on = line(" on ", whom(target, reader, names))
    theirs = whose(target, reader, names)
    if give and take:
        return line(*on, ", to swap ", the(give), " for ", theirs, " ", the(take))
    if take:
        return line(*on, ", for ", theirs, " ", the(take))
    if supply:
        return line(*on, ", against all ", theirs, f" {supply}")
    return on


def played(card: Card, by: Seat, reader: Seat | None, names: Names) -> Line:
    """`Ann's Loot Food`."""
    return line(whose(by, reader, names), " ", the(card))


def may_answer(seat: Seat, card: Card, by: Seat, reader: Seat | None, names: Names) -> Line:
    """Who may answer what; the seat itself hears the answers there are, whatever it holds."""
    may = line(who(seat, reader, names), " may answer ", *played(card, by, reader, names))
    if seat != reader:
        return stop(may)
    return line(
        *may, ": ", ("nice try", "key"), ", ", ("reflect", "key"), " or ", ("pass", "key"), "."
    )
