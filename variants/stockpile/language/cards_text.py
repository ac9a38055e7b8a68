"""`cards` and `card NAME`: every card of the decks, its test signs, and how many are unseen.

Rule 1: the numbers are those of `counted.py`, so that people have what computer players have.
Rule 2: without a game they are those of the standard decks.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import ParseError, SeatNames
from variants.kit.card_names import find_card
from variants.kit.text import Span, Style, StyledLine, join_words, quantity, styled_line
from variants.kit.wrap import wrap_parts
from variants.stockpile.counted import CardCount, counted, next_card_odds
from variants.stockpile.data.cards import (
    DECKS,
    IMPACT_KINDS,
    INDOORS,
    INFECTION,
    LOCATION_SWITCH,
    LOOT_KINDS,
    NICE_TRY,
    NOSEY_NEIGHBOUR,
    OUTDOORS,
    REFLECTION,
    SELF_ISOLATION,
    SOLD_OUT,
    STOCK_UPS,
    SWAP_SHOP,
    TRADING_STATION,
    Card,
    Cards,
    Decks,
    card_title,
)
from variants.stockpile.events import Event
from variants.stockpile.language.card_text import DECK_NAMES, count_test_symbols, short_name
from variants.stockpile.view import View

QUESTIONS = {
    "cards": "every card: signs, where its copies are, how many are unseen; cards indoor: one deck",
    "card": "what a card does, its copies and signs, and how many are unseen: card nice try",
}
ODDS = "Next {} card: {:.0%} Infection. A test here: {:.0%} positive."
DOES = {
    NICE_TRY: ("It cancels an Effect card played on you, or a response.", "nice try"),
    REFLECTION: (
        "It turns an Effect card on another player, for your own profit.",
        "reflect NAME",
    ),
    TRADING_STATION: (
        "You swap one of your supplies for one of another player's. Nobody is asked.",
        "trade NAME SUPPLY for SUPPLY",
    ),
    LOCATION_SWITCH: ("Another player is at once at the other location.", "switch NAME"),
    NOSEY_NEIGHBOUR: (
        "A player who is Outdoors discards all Food, or all Toilet Paper.",
        "nosey NAME KIND",
    ),
    SELF_ISOLATION: (
        "Until your next turn nobody can play an Effect card on you, or respond to yours.",
        "isolate",
    ),
    SWAP_SHOP: ("You discard another Effect card and draw a supply.", "swap CARD"),
}
INFECTS = (
    "It takes one Infection Prevention. Without one, the next card of the deck is a test: "
    "a positive sign puts you out."
)


def all_cards(
    words: Sequence[str], view: View, seen: Sequence[Event], names: SeatNames, style: Style
) -> list[StyledLine]:
    count = counted(view, seen)
    rows: list[StyledLine] = []
    for deck in _asked_decks(words):
        total = quantity(len(view.decks.cards_of(deck)), "card")
        left = view.cards_left(deck)
        head = f"{DECK_NAMES[deck]}, {total}, {left} left in the deck"
        rows += wrap_parts((), [(Span(head, "title"),)], style.width)
        for it in count[deck]:
            rows += _card_rows(it, names, style)
        if deck in (INDOORS, OUTDOORS) and left:
            rows += _sentences([_odds(view, seen, deck)], style)
    return rows


def one_card(
    words: Sequence[str], view: View, seen: Sequence[Event], names: SeatNames, style: Style
) -> list[StyledLine]:
    title = find_card(words, _named(view.decks.all_cards))
    rows: list[StyledLine] = []
    for deck, counts in counted(view, seen).items():
        for it in [it for it in counts if it.title == title]:
            if not rows:
                rows += _sentences(_about(it.cards[0]), style)
            rows += wrap_parts((), [(Span(f"{DECK_NAMES[deck]} deck", "title"),)], style.width)
            rows += _card_rows(it, names, style)
    return rows


def printed(decks: Decks, line: str, style: Style) -> list[StyledLine]:
    """The same without a game."""
    verb, *words = line.split()
    title = find_card(words, _named(decks.all_cards)) if verb == "card" and words else ""
    rows: list[StyledLine] = []
    for deck in _asked_decks([] if title else words):
        by_title: dict[str, list[Card]] = {}
        for card in decks.cards_of(deck):
            if title in ("", card_title(card)):
                by_title.setdefault(card_title(card), []).append(card)
        for cards in list(by_title.values())[: 1 if title and not rows else 0]:
            rows += _sentences(_about(cards[0]), style)
        if by_title:
            rows += wrap_parts((), [(Span(f"{DECK_NAMES[deck]} deck", "title"),)], style.width)
        for name, cards in by_title.items():
            fact = f"{len(cards)}{_signs(cards)}"
            rows += wrap_parts(styled_line((f"{name}: ", "title")), [(Span(fact),)], style.width)
    return rows


def _asked_decks(words: Sequence[str]) -> list[str]:
    asked = [deck for deck in DECKS if not words or deck.startswith(words[0].casefold())]
    if len(words) > 1 or not asked:
        raise ParseError(
            "cards lists all three decks. For one of them type cards supplies, cards indoor or "
            "cards outdoor."
        )
    return asked


def _sentences(texts: Sequence[str], style: Style) -> list[StyledLine]:
    return [row for text in texts for row in wrap_parts((), [(Span(text),)], style.width)]


def _named(cards: Cards) -> dict[str, str]:
    """Titles by what people call the cards: `nice try`, `toilet paper 1`, `paper 1`."""
    names = {card_title(c).casefold().rstrip("!"): card_title(c) for c in cards}
    return names | {short_name(c).casefold().rstrip("!"): card_title(c) for c in cards}


def _about(card: Card) -> list[str]:
    """What it is, what it does, and what to type for it."""
    if card.name in DOES:
        does, typed = DOES[card.name]
        return [f"{card_title(card)}: an Effect card. {does}", f"To play it, type: {typed}"]
    if card.name in LOOT_KINDS:
        kinds = join_words(LOOT_KINDS[card.name], "or")
        does = f"You take one supply from another player: {kinds}."
        return [f"{card.name}: an Effect card. {does}", "To play it, type: loot KIND NAME VALUE"]
    if card.name in STOCK_UPS:
        drawn = quantity(card.number, "card")
        does = f"You draw {drawn} from the Supplies deck."
        typed = f"To play it, type: {card.name.lower()} {card.number}"
        return [f"{card_title(card)}: a Stock Up card. {does}", typed]
    if card.name == INFECTION:
        return [f"Infection: an Impact card. {INFECTS}"]
    if card.name in IMPACT_KINDS:
        does = f"It takes one {IMPACT_KINDS[card.name]} from who draws it."
        return [f"{card.name}: an Impact card. {does}"]
    worth = "It is worth nothing." if card.name == SOLD_OUT else f"It is worth {card.number}."
    return [f"{card_title(card)}: a supply. {worth}"]


def _signs(cards: Sequence[Card]) -> str:
    if not any(card.test for card in cards):
        return ""
    positive, negative = count_test_symbols(cards)
    return f", {positive} positive, {negative} negative"


def _card_rows(it: CardCount, names: SeatNames, style: Style) -> list[StyledLine]:
    """`Nice Try!: 3 unseen of 5, 2 positive, 1 negative; 1 in your hand`."""
    facts = [f"{len(it.unseen)} unseen of {len(it.cards)}{_signs(it.unseen)}"]
    if it.hand:
        facts.append(f"{it.hand} in your hand")
    facts += [f"{it.kept.count(seat)} with {names[seat]}" for seat in sorted(set(it.kept))]
    if it.lying:
        facts.append(f"{it.lying} on the table")
    if it.discarded:
        facts.append(f"{it.discarded} discarded")
    head = styled_line((f"{it.title}: ", "title"))
    return wrap_parts(head, [styled_line(fact) for fact in facts], style.width, "; ")


def _odds(view: View, seen: Sequence[Event], deck: str) -> str:
    odds = next_card_odds(view, seen, deck)
    infection = sum(chance for card, chance in odds.items() if card.name == INFECTION)
    positive = sum(chance for card, chance in odds.items() if card.test == "+")
    return ODDS.format(DECK_NAMES[deck], infection, positive)
