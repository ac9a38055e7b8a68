"""Cards, places and aims as pieces of a line: the words that all sentences share.

Rule 1: a card has one long name, in sentences and for screen readers, one short name, in rows and
        for those who type, and a brief one where many cards stand in a row.
Rule 2: which role a card has is said here alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from variants.contract import Seat, SeatNames
from variants.kit.english import object_name, possessive
from variants.kit.text import Span, StyledLine, quantity, styled_line
from variants.stockpile.data.cards import (
    FOOD,
    INDOORS,
    INFECTION,
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
    card_title,
)

LOCATION_NAMES = {INDOORS: "Indoors", OUTDOORS: "Outdoors"}
DECK_NAMES = {SUPPLIES: "Supplies", INDOORS: "Indoor", OUTDOORS: "Outdoor"}
SHORT_KIND_NAMES = {FOOD: "Food", PAPER: "Paper", PREVENTION: "Prevention"}

BRIEF_CARD_NAMES = {
    "Snack Attack": "Snack", "Binge Watch": "Binge", "Sourdough Solution": "Sourdough",
    "Feed The Family": "Feed", "Caught Short": "Short", "Feeling Flushed": "Flushed",
    "Dress To Impress": "Dress", "Personal Space": "Space", "Caught Red Handed": "Red Handed",
    "Home Delivery": "Delivery", TRADING_STATION: "Trading", LOCATION_SWITCH: "Switch",
    NOSEY_NEIGHBOUR: "Nosey", SELF_ISOLATION: "Isolation", SWAP_SHOP: "Swap", LOOT_ANY: "Loot Any",
}  # fmt: skip
"""Names for long lists of cards, where a word is enough to know them by."""


def brief_name(card: Card) -> str:
    """`Snack`, `Delivery 2`, `Loot Paper`."""
    name = BRIEF_CARD_NAMES.get(card.name)
    if name is None:
        return short_name(card)
    return f"{name} {card.number}" if card.number else name


def short_name(card: Card) -> str:
    """`Paper 1`, `Loot Prevention`, `Nice Try!`: as in rows of the board."""
    name = card.name.replace(PAPER, SHORT_KIND_NAMES[PAPER]).replace(
        PREVENTION, SHORT_KIND_NAMES[PREVENTION]
    )
    return f"{name} {card.number}" if card.number else name


def typed_name(card: Card) -> str:
    """`paper 1`, `stock up 2`, `nice try`: the name as people type it."""
    return short_name(card).lower().rstrip("!")


def card_span(card: Card) -> Span:
    """A card in a sentence."""
    return Span(card_title(card), "strong")


def short_card_span(card: Card) -> Span:
    """A card in a row of the board."""
    return Span(short_name(card), "strong")


def impact_span(card: Card) -> Span:
    """An Impact card that is drawn."""
    return Span(card.name, "bad" if card.name == INFECTION else "strong")


def cards_span(cards: Iterable[Card]) -> Span:
    """`Food 1, Food 3` in a sentence."""
    return Span(card_titles(cards), "strong")


def card_titles(cards: Iterable[Card]) -> str:
    """`Food 1, Food 3`; "nothing" if there are none."""
    return ", ".join([card_title(card) for card in cards]) or "nothing"


def describe_backs(indoor: int, outdoor: int) -> str:
    """`2 Indoor cards and 1 Outdoor card`: what opponents see of a hand."""
    parts = [
        quantity(number, f"{called} card")
        for number, called in ((indoor, "Indoor"), (outdoor, "Outdoor"))
        if number
    ]
    return " and ".join(parts) or "no cards"


def count_test_symbols(cards: Sequence[Card]) -> tuple[int, int]:
    """How many cards with a positive, how many with a negative test symbol."""
    positive = sum([card.test == "+" for card in cards])
    return positive, len(cards) - positive


def with_full_stop(text: StyledLine) -> StyledLine:
    """The sentence with its full stop, but for one that ends in an exclamation mark."""
    return text if text[-1].text.endswith("!") else (*text, Span("."))


def target_phrase(
    target: Seat,
    supply: str,
    give: Card | None,
    take: Card | None,
    reader: Seat | None,
    names: SeatNames,
) -> StyledLine:
    """` on Bob, for Bob's Food 3`: whom an effect is played on, and for what."""
    on = styled_line(" on ", object_name(target, reader, names))
    theirs = possessive(target, reader, names)
    if give and take:
        return styled_line(
            *on, ", to swap ", card_span(give), " for ", theirs, " ", card_span(take)
        )
    if take:
        return styled_line(*on, ", for ", theirs, " ", card_span(take))
    if supply:
        return styled_line(*on, ", against all ", theirs, f" {supply}")
    return on


def owned_card(card: Card, by: Seat, reader: Seat | None, names: SeatNames) -> StyledLine:
    """`Ann's Loot Food`."""
    return styled_line(possessive(by, reader, names), " ", card_span(card))


def response_sentence(
    seat: Seat, card: Card, by: Seat, reader: Seat | None, names: SeatNames
) -> StyledLine:
    """Whose response to what is awaited; the seat itself hears what there is, whatever it holds."""
    to = owned_card(card, by, reader, names)
    if seat != reader:
        whose = possessive(seat, reader, names)
        return with_full_stop(styled_line("Waiting for ", whose, " response to ", *to))
    ways = styled_line(("nice try", "key"), ", ", ("reflect", "key"), " or ", ("pass", "key"), ".")
    return styled_line("Respond to ", *to, " with ", *ways)
