"""The game as one seat sees it.

Rule 1: no line is wider than the style's width, and none is left out for lack of it: columns
        give way to flowing rows.
Rule 2: linear is one fact a line, in sentences, without columns.
Rule 3: what is asked and of whom reads the same for everybody; only the last rows, the own hand
        and what the seat can do with it, are the seat's own.  [G-12]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from textwrap import wrap

from variants.contract import Seat, SeatNames
from variants.kit.boxes import BOX_WIDTH_MIN, CardBox, box_row, frame
from variants.kit.english import capitalize, possessive
from variants.kit.text import Role, Span, Style, StyledLine, join_words, quantity, styled_line
from variants.kit.wrap import form_rows, wrap_parts, wrap_words
from variants.stockpile.actions import (
    Action,
    Discard,
    Draw,
    End,
    GiveUp,
    Go,
    Isolate,
    Loot,
    NiceTry,
    Nosey,
    Pass,
    Reflect,
    Stock,
    Swap,
    Switch,
    Trade,
)
from variants.stockpile.data.cards import (
    ACTIONS_PER_TURN,
    DECKS,
    END_REASONS,
    IMPACT_KINDS,
    INDOORS,
    LOOT_ANY,
    OUTDOORS,
    SOLD_OUT,
    SUPPLIES,
    SUPPLY_KINDS,
    Card,
    Cards,
    card_title,
    total_value,
)
from variants.stockpile.language.card_text import (
    DECK_NAMES,
    LOCATION_NAMES,
    SHORT_KIND_NAMES,
    brief_name,
    count_test_symbols,
    describe_backs,
    owned_card,
    response_sentence,
    short_card_span,
    short_name,
    target_phrase,
    typed_name,
)
from variants.stockpile.legal_actions import legal_actions
from variants.stockpile.view import View

COLUMN_HEADS = ("", "Location", "Hand", *SHORT_KIND_NAMES.values(), "Total")
RESPOND = "Respond?  "
BAR_CELLS = 20  # of the bar of a deck
BOX_CELLS = 12  # inside the box of a card
COLUMN_GAP_CELLS = 2  # cells between columns, and before the first one for the mark of who is asked
TEST_WORDS, TEST_SIGNS = {"+": "positive", "-": "negative"}, {"+": "+", "-": "-"}


# -- the seats -------------------------------------------------------------------------------------


def seat_table(view: View, names: SeatNames, style: Style) -> list[StyledLine]:
    """Of each seat: location, backs of the hand, stockpile by kind and its total, what binds it."""
    everybody = [Seat(seat) for seat in range(len(view.seats))]
    if style.is_linear:
        return [row for seat in everybody for row in seat_lines(view, seat, names, style)]
    table = [COLUMN_HEADS, *[_cells(view, seat, names) for seat in everybody]]
    wide = [max(map(len, column)) + COLUMN_GAP_CELLS for column in zip(*table, strict=True)]
    if sum(wide) > style.width:
        return [row for seat in everybody for row in seat_lines(view, seat, names, style)]
    heads = " " * COLUMN_GAP_CELLS + "".join(map(str.ljust, COLUMN_HEADS, wide))
    rows: list[StyledLine] = [(Span(heads.rstrip(), "dim"),)]
    for seat in everybody:
        name, *facts = map(str.ljust, table[seat + 1], wide)
        role: Role = "" if view.seats[seat].is_in else "bad"
        fact = Span("".join(facts).rstrip(), role)
        rows.append((_mark(view, seat), Span(name, _role(view, seat)), fact))
        if binds := _binds(view, seat):
            notes = [(Span(note, "strong"),) for note in binds]
            rows += wrap_parts(styled_line("    "), notes, style.width, ", ")
    return rows


def seat_lines(view: View, seat: Seat, names: SeatNames, style: Style) -> list[StyledLine]:
    """One of them, in rows that flow."""
    return [*(_spoken if style.is_linear else _flowing)(view, seat, names, style)]


def _cells(view: View, seat: Seat, names: SeatNames) -> tuple[str, ...]:
    it, name = view.seats[seat], _called(view, seat, names)
    if not it.is_in:
        return (name, "infected", "", "", "", "", "")
    kinds = [" ".join(map(str, numbers)) or "-" for numbers in _by_kind(it.stockpile)]
    return (name, LOCATION_NAMES[it.location], _backs(it.indoor, it.outdoor), *kinds,
            str(total_value(it.stockpile)))  # fmt: skip


def _flowing(view: View, seat: Seat, names: SeatNames, style: Style) -> list[StyledLine]:
    it = view.seats[seat]
    head = styled_line(_mark(view, seat), (_called(view, seat, names), _role(view, seat)), ": ")
    if not it.is_in:
        return wrap_parts(head, [styled_line(("infected", "bad"))], style.width)
    facts = [
        LOCATION_NAMES[it.location],
        *_binds(view, seat),
        f"hand {_backs(it.indoor, it.outdoor)}",
    ]
    for called, numbers in zip(SHORT_KIND_NAMES.values(), _by_kind(it.stockpile), strict=True):
        facts.append(f"{called} {' '.join(map(str, numbers)) or '-'}")
    facts.append(f"total {total_value(it.stockpile)}")
    return wrap_parts(head, [(Span(fact),) for fact in facts], style.width, ", ")


def _spoken(view: View, seat: Seat, names: SeatNames, style: Style) -> Iterator[StyledLine]:
    it = view.seats[seat]
    head = styled_line((_called(view, seat, names), _role(view, seat)), ": ")
    to_act = ["to act"] if _is_asked(view, seat) else []
    if not it.is_in:
        yield from wrap_parts(
            head, [styled_line(fact) for fact in ("infected", *to_act)], style.width, ", "
        )
        return
    hand = describe_backs(it.indoor, it.outdoor) + " in hand"
    facts = [LOCATION_NAMES[it.location], *_binds(view, seat), hand, *to_act]
    yield from wrap_parts(head, [(Span(fact),) for fact in facts], style.width, ", ")
    facts = [
        f"{kind} {join_words(list(map(str, numbers)))}" if numbers else f"no {kind}"
        for kind, numbers in zip(SUPPLY_KINDS, _by_kind(it.stockpile), strict=True)
    ]
    facts.append(f"total {total_value(it.stockpile)}")
    head = styled_line(*capitalize((possessive(seat, view.seat, names),)), " stockpile: ")
    yield from wrap_parts(head, [(Span(fact),) for fact in facts], style.width, ", ")


def _called(view: View, seat: Seat, names: SeatNames) -> str:
    return f"{names[seat]} (you)" if seat == view.seat else names[seat]


def _is_asked(view: View, seat: Seat) -> bool:
    return seat == view.asked and bool(view.asks)


def _mark(view: View, seat: Seat) -> Span:
    return Span("> " if _is_asked(view, seat) else "  ", "strong")


def _role(view: View, seat: Seat) -> Role:
    if not view.seats[seat].is_in:
        return "dim"
    return "you" if seat == view.seat else "strong"


def _backs(indoor: int, outdoor: int) -> str:
    """`2 Indoor 1 Outdoor`: the backs that the others see."""
    parts = ([f"{indoor} Indoor"] if indoor else []) + ([f"{outdoor} Outdoor"] if outdoor else [])
    return " ".join(parts) or "-"


def _by_kind(cards: Cards) -> list[list[int]]:
    """The values of each kind of supply, lowest first."""
    found: dict[str, list[int]] = {kind: [] for kind in SUPPLY_KINDS}
    for card in cards:
        if card.number:
            found[card.name].append(card.number)
    return [sorted(numbers) for numbers in found.values()]


def _binds(view: View, seat: Seat) -> list[str]:
    """Self-Isolation in play, and the duty to stay outside.  [SR-14] [SR-42]"""
    it = view.seats[seat]
    found = ["in Self-Isolation"] if it.isolation else []
    if it.is_bound:
        is_now = seat == view.turn and not view.skips
        found.append(f"stays there for {'this whole' if is_now else 'the whole next'} turn")
    return found


# -- decks and discard piles -----------------------------------------------------------------------


def pile_lines(view: View, style: Style) -> list[StyledLine]:
    """Of each deck: the cards left, and what lies on its discard pile."""
    rows: list[StyledLine] = []
    for deck, pile in zip(DECKS, view.discards, strict=True):
        left = view.cards_left(deck)
        if style.is_linear:
            rows += _pile_spoken(deck, left, pile, style)
        else:
            full = sum(card.deck == deck for card in view.decks.all_cards)
            rows += _pile(deck, left, full, pile, style)
    return rows


def _pile(deck: str, left: int, full: int, pile: Cards, style: Style) -> list[StyledLine]:
    head: StyledLine = (Span(f"{DECK_NAMES[deck]} deck {left}", "title"),)
    if style.has_boxes:
        cells = round(BAR_CELLS * left / full)
        name = f" {DECK_NAMES[deck]:<{max(map(len, DECK_NAMES.values())) + 1}}"
        bar = Span("█" * cells + "░" * (BAR_CELLS - cells), "dim")
        head = (Span(name, "title"), bar, Span(f" {left}", "title"))
    if not pile:
        return wrap_words(head, [", nothing discarded"], style.width)
    if deck == SUPPLIES:
        says = Span(f", discards {len(pile)}, top {short_name(pile[-1])}: ")
        return wrap_words(
            (*head, says), _supplies(pile, SHORT_KIND_NAMES.values(), " ".join), style.width
        )
    positive, negative = count_test_symbols(pile)
    says = Span(f", discards {len(pile)} ({positive}+ {negative}-), top first: ")
    return wrap_words((*head, says), _top_first(pile, brief_name), style.width)


def _counts(view: View) -> StyledLine:
    """The decks where there is one row for them."""
    left = [f"{DECK_NAMES[deck]} {view.cards_left(deck)}" for deck in DECKS]
    return styled_line(("Decks: ", "title"), f"{', '.join(left)}. (", ("discards", "key"), ")")


def _pile_spoken(deck: str, left: int, pile: Cards, style: Style) -> list[StyledLine]:
    called = DECK_NAMES[deck]
    rows = wrap_parts(
        (),
        [styled_line((f"The {called} deck has {quantity(left, 'card')}.", "title"))],
        style.width,
    )
    if not pile:
        return rows + wrap_parts((), [styled_line("Nothing is discarded there.")], style.width)
    lying = f"Its discard pile has {quantity(len(pile), 'card')}"
    if deck == SUPPLIES:
        head = Span(f"{lying}, {card_title(pile[-1])} on top: ")
        return rows + wrap_words(
            (head,), _supplies(pile, SUPPLY_KINDS, join_words), style.width, "; "
        )
    positive, negative = count_test_symbols(pile)
    head = Span(f"{lying}, {positive} positive and {negative} negative. Top first: ")
    return rows + wrap_words((head,), _top_first(pile, card_title), style.width)


def _supplies(pile: Cards, kinds: Iterable[str], joined: Callable[[list[str]], str]) -> list[str]:
    """The values of each kind that lies there, lowest first, and what is worth nothing."""
    found = [
        f"{called} {joined(list(map(str, numbers)))}"
        for called, numbers in zip(kinds, _by_kind(pile), strict=True)
        if numbers
    ]
    sold_out = [card.name for card in pile].count(SOLD_OUT)
    return found + ([_times(SOLD_OUT, sold_out)] if sold_out else [])


def _top_first(pile: Cards, called: Callable[[Card], str]) -> list[str]:
    """Each card once with how often it lies there; the one on top is the first."""
    found: dict[tuple[str, int], int] = {}
    cards: dict[tuple[str, int], Card] = {}
    for card in reversed(pile):
        key = (card.name, card.number)
        if key in found:
            found[key] += 1
        else:
            found[key], cards[key] = 1, card
    return [_times(called(card), found[key]) for key, card in cards.items()]


def _times(name: str, times: int) -> str:
    return f"{name} x{times}" if times > 1 else name


def render(view: View, names: SeatNames, style: Style) -> Sequence[StyledLine]:
    """The whole view: whose turn, the seats, decks and discard piles, the own hand, the plays.

    In a pane the own hand comes before the piles; elsewhere it stands next to the prompt.
    """
    rows = _head(view, names, style)
    if view.effects and view.asks:
        rows += _effect_stack(view, names, style)
    asked = _response_frame(view, style) if style.has_boxes or style.is_short else []
    rows += asked + seat_table(view, names, style)
    own: list[StyledLine] = []
    if view.seat is not None and view.seats[view.seat].is_in:
        own = (_hand_boxes(view, style) if style.has_boxes else []) or hand_lines(view, style)
    own += [] if asked else _moves(view, style)
    piles = [_counts(view)] if style.is_short else pile_lines(view, style)
    return [*rows, *own, *piles] if style.has_boxes else [*rows, *piles, *own]


# -- what is going on ------------------------------------------------------------------------------


def _head(view: View, names: SeatNames, style: Style) -> list[StyledLine]:
    facts = _over(view, names) if view.ended else _going_on(view, names)
    if style.is_linear:
        return [row for fact in facts for row in wrap_parts((), [fact], style.width)]
    return wrap_parts((), facts, style.width, "  ")


def _over(view: View, names: SeatNames) -> list[StyledLine]:
    """Why it ended, and the places: equal values share one, and so do all the infected."""
    facts = [styled_line((f"The game is over: {END_REASONS[view.ended]}.", "title"))]
    worth = {seat: total_value(it.stockpile) for seat, it in enumerate(view.seats) if it.is_in}
    for seat in sorted(worth, key=lambda seat: -worth[seat]):
        place = 1 + sum([points > worth[seat] for points in worth.values()])
        facts.append(
            styled_line(f"Place {place}: ", (names[seat], "strong"), f" with {worth[seat]}.")
        )
    for seat in view.fallen:
        facts.append(styled_line(f"Place {len(worth) + 1}: {names[seat]}, infected."))
    return facts


def _going_on(view: View, names: SeatNames) -> list[StyledLine]:
    is_mine = view.turn == view.seat
    turn = styled_line((f"Turn {view.number}: ", "title"), possessive(view.turn, view.seat, names))
    action = "" if view.asks == "location" else f", action {view.action} of {ACTIONS_PER_TURN}"
    facts = [styled_line(*turn, f" turn{action}.")]
    is_asked = view.asked == view.seat
    name = Span(names[view.asked], "strong")
    if view.asks == "location":
        here = LOCATION_NAMES[view.seats[view.turn].location]
        asks = styled_line(f"Where to next turn? in, out, or stay (you are {here}).")
        facts.append(asks if is_mine else styled_line(name, " is choosing a location."))
    elif view.asks == "give up":
        assert view.impact is not None
        what = f"{IMPACT_KINDS[view.impact.name]} card for {card_title(view.impact)}"
        asks = styled_line(f"You must give up a {what}. Which one?")
        facts.append(asks if is_asked else styled_line(name, f" is choosing a {what}."))
    elif view.asks == "reaction":
        by = view.counters[-1].seat if view.counters else view.effects[-1].controller
        assert view.answered_card is not None
        facts.append(response_sentence(view.asked, view.answered_card, by, view.seat, names))
    if view.is_in_grace:  # [SR-68]
        facts.append(styled_line("An Infection does nothing in this round."))
    if view.is_final:
        empty = [DECK_NAMES[deck] for deck in DECKS if not view.cards_left(deck)]
        is_ = "deck is" if len(empty) == 1 else "decks are"
        facts.append(
            styled_line((f"This is the last turn: the {join_words(empty)} {is_} empty.", "strong"))
        )
    if view.skips:
        facts.append(styled_line("No choice of location at the end of this turn."))
    return facts


def _effect_stack(view: View, names: SeatNames, style: Style) -> list[StyledLine]:
    """What was played and waits for answers, first to last."""
    waiting = []
    for it in view.effects:
        where = target_phrase(it.target, it.supply, it.give, it.take, view.seat, names)
        waiting.append(styled_line(*owned_card(it.card, it.controller, view.seat, names), *where))
    waiting += [owned_card(it.card, it.seat, view.seat, names) for it in view.counters]
    head = styled_line(("Played: ", "title"))
    if style.is_linear:
        return [row for it in waiting for row in wrap_parts(head, [it], style.width)]
    return wrap_parts(head, waiting, style.width, "; ")


# -- the own hand, and what it can do --------------------------------------------------------------


def hand_lines(view: View, style: Style) -> list[StyledLine]:
    """The own cards with the numbers by which they are played, and their test symbols: in words,
    or as signs where words would need more rows."""
    if not view.hand:
        return wrap_parts(
            styled_line(("Your hand: ", "title")), [styled_line("nothing")], style.width
        )
    rows: list[StyledLine] = []
    numbered = list(enumerate(view.hand, 1))
    if style.is_linear:
        for number, card in numbered:
            test = TEST_WORDS[card.test]
            facts = styled_line(f"{card_title(card)}, {DECK_NAMES[card.deck]}, test {test}")
            rows += wrap_parts(
                styled_line((f"Your card {number}: ", "title")), [facts], style.width
            )
        return rows
    in_words = _by_deck(numbered, TEST_WORDS, style)
    has_room = len(in_words) == len({card.deck for card in view.hand})
    return in_words if has_room else _by_deck(numbered, TEST_SIGNS, style)


def _hand_boxes(view: View, style: Style) -> list[StyledLine]:
    """The own cards as boxes: number and name, then the sign of a test, then the deck."""
    boxes = []
    for number, card in enumerate(view.hand, 1):
        name = wrap(f"{number} {short_name(card)}", BOX_CELLS, subsequent_indent="  ")
        says = f"  {TEST_WORDS[card.test]}"
        rows = [*name, *[""] * (2 - len(name)), says, f"  {DECK_NAMES[card.deck]}"]
        boxes.append(CardBox(tuple(row.ljust(BOX_CELLS) for row in rows)))
    return box_row(boxes, style.width)


def _by_deck(
    cards: Sequence[tuple[int, Card]], tests: Mapping[str, str], style: Style
) -> list[StyledLine]:
    """The cards of each deck with their numbers, and with their test symbols as *tests* has it."""
    rows: list[StyledLine] = []
    for deck in (INDOORS, OUTDOORS):
        held = [
            styled_line(
                (f"{number} ", "dim"), short_card_span(card), (f" ({tests[card.test]})", "dim")
            )
            for number, card in cards
            if card.deck == deck
        ]
        if held:
            head = styled_line((f"Your {DECK_NAMES[deck]} cards: ", "title"))
            rows += wrap_parts(head, held, style.width, "  ")
    return rows


def _moves(view: View, style: Style) -> list[StyledLine]:
    """The kinds of play there are now: from the own view only."""
    actions = legal_actions(view)
    if not actions or not style.has_forms:
        return []
    held = {card.id: card for card in (*view.hand, *view.seats[view.asked].stockpile)}
    return form_rows(dict.fromkeys([_form(action, held) for action in actions]), style)


def _response_frame(view: View, style: Style) -> list[StyledLine]:
    """What this seat can respond, and what each does; nothing if it is not asked to."""
    if view.asks != "reaction" or view.answered_card is None or style.width < BOX_WIDTH_MIN:
        return []
    held = {card.id: card for card in view.hand}
    does = {
        NiceTry: f"cancel {card_title(view.answered_card)}",
        Reflect: "turn it on another player",
        Pass: "let it happen (also: no)",
    }
    actions = sorted(legal_actions(view), key=lambda action: [*does].index(type(action)))
    forms = {_form(action, held): does[type(action)] for action in actions}
    wide = max(map(len, forms), default=0) + COLUMN_GAP_CELLS
    rows = [
        styled_line((RESPOND if not at else " " * len(RESPOND), "warn"),
                    (form.ljust(wide), "key"), what)
        for at, (form, what) in enumerate(forms.items())
    ]  # fmt: skip
    return frame(rows, BOX_WIDTH_MIN) if rows else []


FIXED_FORMS = {
    Draw: "draw", End: "end", Pass: "pass", NiceTry: "nice try", Isolate: "isolate",
    Trade: "trade NAME SUPPLY for SUPPLY", Switch: "switch NAME", Nosey: "nosey NAME KIND",
    Swap: "swap CARD", Discard: "discard CARD",
}  # fmt: skip


def _form(action: Action, held: Mapping[str, Card]) -> str:
    """What to type, with words in capitals for what is to be filled in."""
    match action:
        case Stock(card) | GiveUp(card):
            return typed_name(held[card])
        case Loot(card) if held[card].name == LOOT_ANY:
            return "loot any NAME SUPPLY"
        case Loot(card):
            return f"{typed_name(held[card])} NAME VALUE"
        case Go(to):
            return "in" if to == INDOORS else "out"
        case Reflect(give=str()):
            return "reflect NAME SUPPLY for SUPPLY"
        case Reflect(take=str()):
            return "reflect NAME VALUE"
        case Reflect(target=target):
            return "reflect" if target is None else "reflect NAME"
    return FIXED_FORMS[type(action)]
