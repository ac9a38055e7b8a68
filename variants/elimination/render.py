"""The table as one seat sees it.

Rule 1: no line is wider than the style's width, and none is left out for lack of it: columns
        give way to flowing rows.
Rule 2: linear is one fact a line, in sentences, without columns.
Rule 3: a pair lies face down as a number; only its owner reads its rank.  [ER-47]
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Names, Seat
from variants.elimination.actions import Clear, Give, Next, Take
from variants.elimination.data import RANK, REASONS, STALEMATE_SHOWN_FROM, STALEMATE_TURNS
from variants.elimination.view import Outside, View, legal_actions
from variants.elimination.words import card_span, cards_line, plural, three, two_spoken
from variants.kit.people import joined, who, whom
from variants.kit.rows import flow
from variants.kit.text import Line, Role, Span, Style, counted, line


def render(view: View, names: Names, style: Style) -> Sequence[Line]:
    """The whole view: whose turn, the seats, Outside, the own cards, what can be done."""
    rows = [*_head(view, names, style), *_seats(view, names, style)]
    rows += outside(view.outside, names, style)
    if view.seat is not None and view.seats[view.seat].is_in:
        rows += own(view, style)
    return rows + _moves(view, names, style)


def _head(view: View, names: Names, style: Style) -> list[Line]:
    over = f"The game is over: {REASONS[view.ended]}." if view.ended else ""
    facts = [line((over, "title")) if over else _to_act(view, names)]
    facts.append(line(f"Deck {view.deck}."))
    if view.idle >= STALEMATE_SHOWN_FROM:
        facts.append(line((f"No progress for {view.idle} turns of {STALEMATE_TURNS}.", "bad")))
    if style.is_linear:
        facts[1] = line(f"The deck has {counted(view.deck, 'card')}.")
        return [row for fact in facts for row in flow((), [fact], style.width)]
    return flow((), facts, style.width, "  ")


def _to_act(view: View, names: Names) -> Line:
    turn = Span(f"Turn {view.number}. ", "title")
    if view.asks == "next":
        is_own = view.seat == view.turn
        asks = " choose who is next." if is_own else " is choosing who is next."
        return line(turn, who(view.turn, view.seat, names), asks)
    if view.seat == view.turn:
        return line(turn, ("It is your turn.", "you"))
    return line(turn, "It is ", (names[view.turn] + "'s", "strong"), " turn.")


# -- the seats -------------------------------------------------------------------------------------


def _seats(view: View, names: Names, style: Style) -> list[Line]:
    table = [_cells(view, Seat(seat), names) for seat in range(len(view.seats))]
    wide = [max(map(len, column)) + 2 for column in zip(*table, strict=True)]
    rows: list[Line] = []
    if style.is_linear or sum(wide) > style.width:
        return [row for seat in range(len(table)) for row in of_seat(view, seat, names, style)]
    for seat, (name, cards, pairs, triplets, turns) in enumerate(table):
        row = [
            _mark(view, seat),
            Span(name.ljust(wide[0]), _role(view, seat)),
            Span(
                cards.ljust(wide[1]) + pairs.ljust(wide[2]), "" if view.seats[seat].is_in else "bad"
            ),
            Span(triplets.ljust(wide[3]), "strong"),
            Span(turns, "dim"),
        ]
        rows.append(tuple(row))
    return rows


def of_seat(view: View, seat: int, names: Names, style: Style) -> list[Line]:
    """What everybody may know of one seat, in rows that flow."""
    name, *facts = _cells(view, Seat(seat), names)
    mark = line() if style.is_linear else (_mark(view, seat),)
    if style.is_linear and _is_to_act(view, seat):
        facts.append("to act")
    head = line(*mark, (name, _role(view, seat)), ": ")
    return flow(head, [(Span(fact),) for fact in facts if fact], style.width, ", ")


def _is_to_act(view: View, seat: int) -> bool:
    return seat == view.turn and not view.ended


def _mark(view: View, seat: int) -> Span:
    return Span("> " if _is_to_act(view, seat) else "  ", "strong")


def _role(view: View, seat: int) -> Role:
    if not view.seats[seat].is_in:
        return "dim"
    return "you" if seat == view.seat else "strong"


def _cells(view: View, seat: Seat, names: Names) -> tuple[str, str, str, str, str]:
    """Name, cards, pairs, triplets, turns: empty where there is nothing to say."""
    it = view.seats[seat]
    name, turns = names[seat], counted(it.turns, "turn")
    if seat == view.seat:
        name += " (you, dealer)" if seat == view.dealer else " (you)"
    elif seat == view.dealer:
        name += " (dealer)"
    if not it.is_in:
        place = len(view.seats) - view.fallen.index(seat)
        return name, f"out, place {place}", "", "", turns
    pairs = counted(it.pairs, "pair") if it.pairs else ""
    triplets = ", ".join([three(RANK[cards[0]]) for cards in it.triplets])
    return name, counted(it.cards, "card"), pairs, triplets, turns


def outside(lying: Sequence[Outside], names: Names, style: Style) -> list[Line]:
    """Cards that left the game; no row where there are none."""
    if not lying:
        return []
    gone = [_gone(left, names, style) for left in lying]
    return flow(line(("Outside: ", "title")), gone, style.width, ", ")


def _gone(left: Outside, names: Names, style: Style) -> Line:
    """`four 9s (Bob)`: suits never matter, so a quadruple is its rank."""
    by = f" ({names[left.seat]})" if left.seat is not None else ""
    if left.why == "out":
        ranks = dict.fromkeys(RANK[card] for card in left.cards)
        return line(*joined([Span(f"four {plural(rank)}") for rank in ranks]), by)
    cards = [(card_span(card, style),) for card in left.cards]
    return line(*(joined(cards) if style.is_linear else cards_line(left.cards, style)), by)


# -- the own cards ---------------------------------------------------------------------------------


def own(view: View, style: Style) -> list[Line]:
    """The hand, which of its cards may not be given yet, and the pairs, of a seat that is in."""
    rows = flow(
        line(("Your hand: ", "title")),
        [(card_span(card, style),) for card in view.hand] or [line("nothing")],
        style.width,
        ", " if style.is_linear else "  ",
    )
    for turn in sorted({free_at for _, free_at in view.marks}):
        held = [card for card, free_at in view.marks if free_at == turn]
        head = line((f"{_not_yet(view, turn)}: ", "dim"))
        rows += flow(head, [(card_span(card, style),) for card in held], style.width,
                      ", " if style.is_linear else "  ")  # fmt: skip
    if view.pairs:
        pairs = [
            line(two_spoken(cards)) if style.is_linear else cards_line(cards, style)
            for cards in view.pairs
        ]
        rows += flow(line(("Your pairs: ", "title")), pairs, style.width, ", ")
    return rows


def _not_yet(view: View, free_at: int) -> str:
    """When cards may be given that may not be given now, as the seat counts: from its own turns."""
    assert view.seat is not None
    if free_at > view.seats[view.seat].turns + 1:
        return "Not to give in your next turn"
    return "Not to give this turn" if _is_to_act(view, view.seat) else "To give from your next turn"


def _moves(view: View, names: Names, style: Style) -> list[Line]:
    """The kinds of play there are now, or the names to choose from."""
    actions = legal_actions(view)
    if view.asks == "next":
        candidates = [
            line((names[seat], "key")) if actions else line(whom(seat, view.seat, names))
            for seat in view.candidates
        ]
        head = "Say who is next: " if actions else "To choose from: "
        return flow(line((head, "title")), candidates, style.width, ", ")
    if not actions:
        return []
    forms: dict[str, None] = {}
    for action in actions:
        match action:
            case Give():
                forms["give CARD NAME"] = None
            case Clear(with_):
                forms["clear pair" if with_ == "pair" else "clear"] = None
            case Take() | Next():
                forms["take NAME"] = None
            case _:
                verb = type(action).__name__.lower()
                forms["force NAME" if verb == "force" else verb] = None
    return flow(line(("You can: ", "title")), [line((form, "key")) for form in forms],
                 style.width, ", ")  # fmt: skip
