"""The game as one seat sees it.

Rule 1: no line is wider than the style's width, and none is left out for lack of it: columns
        give way to flowing rows.
Rule 2: linear is one fact a line, in sentences, without columns.
Rule 3: what is asked and of whom reads the same for everybody; only the last rows, the own hand
        and what the seat can do with it, are the seat's own.  [G-12]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from variants.contract import Names
from variants.kit.people import whose
from variants.kit.rows import flow
from variants.kit.text import Line, Span, Style, line, series
from variants.stockpile import board
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
from variants.stockpile.cards import (
    ACTIONS,
    DECKS,
    IMPACTS,
    INDOORS,
    LOOT_ANY,
    OUTDOORS,
    Card,
    titled,
    value,
)
from variants.stockpile.moves import legal_actions
from variants.stockpile.view import View
from variants.stockpile.words import (
    DECK_CALLED,
    REASONS,
    aim,
    may_answer,
    played,
    short,
    typed,
)


def render(view: View, names: Names, style: Style) -> Sequence[Line]:
    """The whole view: whose turn, the seats, decks and discard piles, the own hand, the plays."""
    rows = _head(view, names, style)
    if view.effects and view.asks:
        rows += _stack(view, names, style)
    rows += board.seats(view, names, style)
    rows += board.piles(view, style)
    if view.seat is not None and view.seats[view.seat].is_in:
        rows += hand(view, style)
    return rows + _moves(view, style)


# -- what is going on ------------------------------------------------------------------------------


def _head(view: View, names: Names, style: Style) -> list[Line]:
    facts = _over(view, names) if view.ended else _going_on(view, names)
    if style.is_linear:
        return [row for fact in facts for row in flow((), [fact], style.width)]
    return flow((), facts, style.width, "  ")


def _over(view: View, names: Names) -> list[Line]:
    """Why it ended, and the places: equal values share one, and so do all the infected."""
    facts = [line((f"The game is over: {REASONS[view.ended]}.", "title"))]
    worth = {seat: value(it.stockpile) for seat, it in enumerate(view.seats) if it.is_in}
    for seat in sorted(worth, key=lambda seat: -worth[seat]):
        place = 1 + sum([points > worth[seat] for points in worth.values()])
        facts.append(line(f"Place {place}: ", (names[seat], "strong"), f" with {worth[seat]}."))
    for seat in view.fallen:
        facts.append(line(f"Place {len(worth) + 1}: {names[seat]}, infected."))
    return facts


def _going_on(view: View, names: Names) -> list[Line]:
    is_mine = view.turn == view.seat
    turn = line((f"Turn {view.number}: ", "title"), whose(view.turn, view.seat, names))
    action = "" if view.asks == "location" else f", action {view.action} of {ACTIONS}"
    facts = [line(*turn, f" turn{action}.")]
    is_asked = view.asked == view.seat
    name = Span(names[view.asked], "strong")
    if view.asks == "location":
        asks = line("Where will you be in your next turn?")
        facts.append(asks if is_mine else line(name, " is choosing a location."))
    elif view.asks == "give up":
        assert view.impact is not None
        what = f"{IMPACTS[view.impact.name]} card for {titled(view.impact)}"
        asks = line(f"You must give up a {what}: say which.")
        facts.append(asks if is_asked else line(name, f" is choosing a {what}."))
    elif view.asks == "reaction":
        by = view.counters[-1].seat if view.counters else view.effects[-1].controller
        assert view.answered is not None
        facts.append(may_answer(view.asked, view.answered, by, view.seat, names))
    if view.is_final:
        empty = [DECK_CALLED[deck] for deck in DECKS if not view.left(deck)]
        is_ = "deck is" if len(empty) == 1 else "decks are"
        facts.append(line((f"This is the last turn: the {series(empty)} {is_} empty.", "strong")))
    if view.skips:
        facts.append(line("No choice of location at the end of this turn."))
    return facts


def _stack(view: View, names: Names, style: Style) -> list[Line]:
    """What was played and waits for answers, first to last."""
    waiting = []
    for it in view.effects:
        where = aim(it.target, it.supply, it.give, it.take, view.seat, names)
        waiting.append(line(*played(it.card, it.controller, view.seat, names), *where))
    waiting += [played(it.card, it.seat, view.seat, names) for it in view.counters]
    head = line(("Played: ", "title"))
    if style.is_linear:
        return [row for it in waiting for row in flow(head, [it], style.width)]
    return flow(head, waiting, style.width, "; ")


# -- the own hand, and what it can do --------------------------------------------------------------


def hand(view: View, style: Style) -> list[Line]:
    """The own cards with the numbers by which they are played, and their test symbols."""
    if not view.hand:
        return flow(line(("Your hand: ", "title")), [line("nothing")], style.width)
    rows: list[Line] = []
    numbered = list(enumerate(view.hand, 1))
    if style.is_linear:
        for number, card in numbered:
            test = "positive" if card.test == "+" else "negative"
            facts = line(f"{titled(card)}, {DECK_CALLED[card.deck]}, test {test}")
            rows += flow(line((f"Your card {number}: ", "title")), [facts], style.width)
        return rows
    for deck in (INDOORS, OUTDOORS):
        if cards := [_held(number, card) for number, card in numbered if card.deck == deck]:
            head = line((f"Your {DECK_CALLED[deck]} cards: ", "title"))
            rows += flow(head, cards, style.width, "  ")
    return rows


def _held(number: int, card: Card) -> Line:
    return (Span(f"{number} ", "dim"), Span(short(card), "strong"), Span(f" ({card.test})", "dim"))


def _moves(view: View, style: Style) -> list[Line]:
    """The kinds of play there are now: from the own view only."""
    actions = legal_actions(view)
    if not actions:
        return []
    held = {card.id: card for card in (*view.hand, *view.seats[view.asked].stockpile)}
    forms = dict.fromkeys([_form(action, held) for action in actions])
    return flow(line(("You can: ", "title")), [(Span(form, "key"),) for form in forms],
                style.width, ", ")  # fmt: skip


PLAIN_FORMS = {
    Draw: "draw", End: "end", Pass: "pass", NiceTry: "nice try", Isolate: "isolate",
    Trade: "trade NAME SUPPLY for SUPPLY", Switch: "switch NAME", Nosey: "nosey NAME KIND",
    Swap: "swap CARD", Discard: "discard CARD",
}  # fmt: skip


def _form(action: Action, held: Mapping[str, Card]) -> str:
    """What to type, with words in capitals for what is to be filled in."""
    match action:
        case Stock(card) | GiveUp(card):
            return typed(held[card])
        case Loot(card) if held[card].name == LOOT_ANY:
            return "loot any NAME SUPPLY"
        case Loot(card):
            return f"{typed(held[card])} NAME VALUE"
        case Go(to):
            return "in" if to == INDOORS else "out"
        case Reflect(give=str()):
            return "reflect NAME SUPPLY for SUPPLY"
        case Reflect(take=str()):
            return "reflect NAME VALUE"
        case Reflect(target=target):
            return "reflect" if target is None else "reflect NAME"
    return PLAIN_FORMS[type(action)]
