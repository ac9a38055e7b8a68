"""`cards` and `card NAME`: every card of the decks, its test signs, and how many are unseen.

Rule 1: the numbers are those of `counted.py`, so that people have what computer players have.
Rule 2: without a game they are those of the standard decks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from variants.contract import ParseError, SeatNames
from variants.kit.card_names import find_card
from variants.kit.text import Span, Style, StyledLine, join_words, quantity, styled_line
from variants.kit.wrap import wrap_parts
from variants.stockpile.counted import CardCount, counted, next_card_odds
from variants.stockpile.data.cards import (
    DECKS,
    IMPACT_KINDS,
    INFECTION,
    LOCATION_SWITCH,
    LOOT_KINDS,
    NICE_TRY,
    NOSEY_NEIGHBOUR,
    REFLECTION,
    SELF_ISOLATION,
    SOLD_OUT,
    STOCK_UPS,
    SUPPLIES,
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
ODDS = ("Next {} card: {} Infection ({}).", "A test here: {} positive ({}).")
EXACT = 1e-6  # a share that is nearer to a whole number is one
FULL_NAMES_CELLS = 60  # of a list's row; names are short in a narrower one
PLACES_INDENT = (Span("    "),)
DOES = {
    NICE_TRY: ("It cancels an Effect card played on you, or a response.", "nice try"),
    REFLECTION: (
        "It turns an Effect card played on you against another player, for your own profit.",
        "reflect NAME",
    ),
    TRADING_STATION: (
        "You swap one of your supplies for one of another player's. Nobody is asked.",
        "trade NAME SUPPLY for SUPPLY",
    ),
    LOCATION_SWITCH: ("Another player moves to the other location at once.", "switch NAME"),
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
    rows: list[StyledLine] = []
    for deck in _asked_decks(words):
        rows += _counted_deck(deck, view, seen, names, style)
    return rows


def _counted_deck(
    deck: str, view: View, seen: Sequence[Event], names: SeatNames, style: Style
) -> list[StyledLine]:
    left, total = view.cards_left(deck), len(view.decks.cards_of(deck))
    rows = _deck_rows(
        f"{DECK_NAMES[deck]} deck, {left} of {total} cards left. Unseen cards",
        [
            _Row(it.title, it.cards[0], it.unseen, len(it.cards), _places(it, names))
            for it in counted(view, seen)[deck]
        ],
        style,
    )
    return rows + (_sentences(_odds(view, seen, deck), style) if deck != SUPPLIES and left else [])


def one_card(
    words: Sequence[str], view: View, seen: Sequence[Event], names: SeatNames, style: Style
) -> list[StyledLine]:
    title = find_card(words, _named(view.decks.all_cards))
    found = [
        (deck, it) for deck, counts in counted(view, seen).items() for it in counts
        if it.title == title
    ]  # fmt: skip
    rows = _sentences(_about(found[0][1].cards[0]), style)
    for deck, it in found:
        unseen = f"{len(it.unseen)} unseen of {len(it.cards)}{_signs(it.unseen)}"
        rows += _facts_row(f"{DECK_NAMES[deck]} deck", [unseen, *_places(it, names)], style)
    return rows


def printed(decks: Decks, line: str, style: Style) -> list[StyledLine]:
    """The same without a game."""
    verb, *words = line.split()
    title = find_card(words, _named(decks.all_cards)) if verb == "card" and words else ""
    rows: list[StyledLine] = []
    for deck in _asked_decks([] if title else words):
        by_title: dict[str, list[Card]] = {}
        for card in decks.cards_of(deck):
            by_title.setdefault(card_title(card), []).append(card)
        if not title:
            head = f"{DECK_NAMES[deck]} deck, {len(decks.cards_of(deck))} cards. Copies"
            listed = [_Row(name, cards[0], cards) for name, cards in by_title.items()]
            rows += _deck_rows(head, listed, style)
        elif cards := by_title.get(title, []):
            rows += [] if rows else _sentences(_about(cards[0]), style)
            fact = f"{quantity(len(cards), 'card')}{_signs(cards)}"
            rows += _facts_row(f"{DECK_NAMES[deck]} deck", [fact], style)
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
        does = f"It takes one {IMPACT_KINDS[card.name]} from whoever draws it."
        return [f"{card.name}: an Impact card. {does}"]
    worth = "It is worth nothing." if card.name == SOLD_OUT else f"It is worth {card.number}."
    return [f"{card_title(card)}: a supply. {worth}"]


# -- rows ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Row:
    """All copies of one card in a list of a deck."""

    title: str
    first: Card
    cards: Sequence[Card]  # whose signs are shown
    copies: int = 0  # in the box, where other cards than these are
    places: Sequence[str] = ()  # of the others

    @property
    def number(self) -> str:
        return f"{len(self.cards)} of {self.copies}" if self.copies else str(len(self.cards))


def _deck_rows(head: str, listed: Sequence[_Row], style: Style) -> list[StyledLine]:
    """A list with columns, or for screen readers a sentence of facts for each card."""
    has_signs = any(card.test for row in listed for card in row.cards)
    head += ", with test signs:" if has_signs else ":"
    rows = wrap_parts((), [(Span(head, "title"),)], style.width)
    if style.is_linear:
        for row in listed:
            number = row.number.replace(" of ", " unseen of ")
            rows += _facts_row(row.title, [number + _signs(row.cards), *row.places], style)
        return rows
    names = [row.title if style.width >= FULL_NAMES_CELLS else short_name(row.first)
             for row in listed]  # fmt: skip
    name_cells, number_cells = max(map(len, names)), max(len(row.number) for row in listed)
    sign_cells = max(len(_marks(row.cards)) for row in listed)
    for name, row in zip(names, listed, strict=True):
        figures = f"{row.number:<{number_cells}}  {_marks(row.cards):<{sign_cells}}"
        line = f"  {name:<{name_cells}}  {figures}"
        places = ", ".join(row.places)
        if len(line) + 2 + len(places) <= style.width:
            rows.append((Span(f"{line}  {places}".rstrip()),))
        else:
            rows.append((Span(line.rstrip()),))
            rows += wrap_parts(
                PLACES_INDENT, [(Span(each),) for each in row.places], style.width, ", "
            )
    return rows


def _facts_row(head: str, facts: Sequence[str], style: Style) -> list[StyledLine]:
    """`Nice Try!: 3 unseen of 5 (2 positive, 1 negative), 1 in your hand`"""
    parts = [(Span(fact),) for fact in facts]
    return wrap_parts(styled_line((f"{head}: ", "title")), parts, style.width, ", ")


def _marks(cards: Sequence[Card]) -> str:
    """`(2+ 1-)`: the test signs, as on the board."""
    if not any(card.test for card in cards):
        return ""
    positive, negative = count_test_symbols(cards)
    return f"({positive}+ {negative}-)"


def _signs(cards: Sequence[Card]) -> str:
    """` (2 positive, 1 negative)`; "" if there are none."""
    if not any(card.test for card in cards):
        return ""
    positive, negative = count_test_symbols(cards)
    return f" ({positive} positive, {negative} negative)"


def _places(it: CardCount, names: SeatNames) -> list[str]:
    """Where the copies are that are not unseen: `1 in your hand`, `2 discarded`."""
    places = [(it.hand, "in your hand")]
    places += [(it.kept.count(seat), f"with {names[seat]}") for seat in sorted(set(it.kept))]
    places += [(it.lying, "on the table"), (it.discarded, "discarded")]
    return [f"{number} {where}" for number, where in places if number]


def _odds(view: View, seen: Sequence[Event], deck: str) -> list[str]:
    odds, left = next_card_odds(view, seen, deck), view.cards_left(deck)
    infected = sum(chance for card, chance in odds.items() if card.name == INFECTION)
    positive = sum(chance for card, chance in odds.items() if card.test == "+")
    drawn, tested = ODDS
    return [
        drawn.format(DECK_NAMES[deck], *_share(infected, left)),
        tested.format(*_share(positive, left)),
    ]


def _share(chance: float, left: int) -> tuple[str, str]:
    """`9 of 20`, `45%`; `about 9 of 20` where it hangs on cards that others hold."""
    number = round(chance * left)
    about = "" if abs(chance * left - number) < EXACT else "about "
    return f"{about}{number} of {left}", f"{chance:.0%}"
