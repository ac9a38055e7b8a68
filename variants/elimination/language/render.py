"""The table as one seat sees it.

Rule 1: no line is wider than the style's width, and none is left out for lack of it: columns
        give way to flowing rows.
Rule 2: linear is one fact a line, in sentences, without columns.
Rule 3: a pair lies face down as a number; only its owner reads its rank.  [ER-47]
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Seat, SeatNames
from variants.elimination.actions import Clear, Give, Next, Take
from variants.elimination.data.cards import (
    RANK_OF,
    STALEMATE_SHOWN_FROM_TURNS,
    STALEMATE_TURNS,
    are_out,
    end_clause,
    ends_when,
)
from variants.elimination.language.card_text import (
    card_box,
    card_row,
    card_span,
    rank_plural,
    spoken_pair,
    three_of_rank,
)
from variants.elimination.legal_actions import legal_actions
from variants.elimination.view import Outside, View
from variants.kit.boxes import box_row
from variants.kit.english import join_spans, object_name, subject
from variants.kit.text import Role, Span, Style, StyledLine, quantity, styled_line
from variants.kit.wrap import form_rows, wrap_parts

DANGER, OWN_DANGER = "you hold the 4th", "a 4th puts you out"
LOCKED = "  locked"  # left of the boxes of pairs
Cells = tuple[str, str, str, str, str]  # name, cards, pairs, triplets, turns


def render(view: View, names: SeatNames, style: Style) -> Sequence[StyledLine]:
    """The whole view: whose turn, the seats, Outside, the own cards, what can be done."""
    rows = [*_head(view, names, style), *_seats(view, names, style)]
    rows += outside_lines(view.outside, names, style)
    if view.seat is not None and view.seats[view.seat].is_in:
        rows += (hand_boxes(view, style) if style.has_boxes else []) or hand_lines(view, style)
    return rows + _moves(view, names, style)


def _head(view: View, names: SeatNames, style: Style) -> list[StyledLine]:
    why = end_clause(view.ended, len(view.fallen)) if view.ended else ""
    over = f"The game is over: {why}." if why else ""
    facts = [styled_line((over, "title")) if over else _to_act(view, names)]
    facts.append(styled_line(f"Deck {view.deck}."))
    if view.until != "last" and not over:  # [ER-51]
        facts.append(
            styled_line(f"The game ends when {are_out(ends_when(view.until, len(view.seats)))}.")
        )
    if view.idle >= STALEMATE_SHOWN_FROM_TURNS:
        facts.append(
            styled_line((f"Nothing has changed for {view.idle} of {STALEMATE_TURNS} turns.", "bad"))
        )
    if style.is_linear:
        facts[1] = styled_line(f"The deck has {quantity(view.deck, 'card')}.")
        return [row for fact in facts for row in wrap_parts((), [fact], style.width)]
    return wrap_parts((), facts, style.width, "  ")


def _to_act(view: View, names: SeatNames) -> StyledLine:
    turn = Span(f"Turn {view.number}. ", "title")
    if view.asks == "next":
        is_own = view.seat == view.turn
        asks = " choose the next player." if is_own else " is choosing the next player."
        return styled_line(turn, subject(view.turn, view.seat, names), asks)
    if view.seat == view.turn:
        return styled_line(turn, ("It's your turn.", "you"))
    return styled_line(turn, "It's ", (names[view.turn] + "'s", "strong"), " turn.")


# -- the seats -------------------------------------------------------------------------------------


def _seats(view: View, names: SeatNames, style: Style) -> list[StyledLine]:
    table = [
        _with_danger(view, Seat(seat), _cells(view, Seat(seat), names))
        for seat in range(len(view.seats))
    ]
    wide = [max(map(len, column)) + 2 for column in zip(*table, strict=True)]
    rows: list[StyledLine] = []
    if style.is_linear or sum(wide) > style.width:
        return [
            row
            for seat in range(len(table))
            for row in seat_lines(view, seat, names, style, has_danger=True)
        ]
    for seat, (name, cards, pairs, triplets, turns) in enumerate(table):
        row = [
            _mark(view, seat),
            Span(name.ljust(wide[0]), _role(view, seat)),
            Span(
                cards.ljust(wide[1]) + pairs.ljust(wide[2]), "" if view.seats[seat].is_in else "bad"
            ),
            Span(triplets.ljust(wide[3]), "warn" if _is_danger(triplets) else "strong"),
            Span(turns, "dim"),
        ]
        rows.append(tuple(row))
    return rows


def seat_lines(
    view: View, seat: int, names: SeatNames, style: Style, *, has_danger: bool = False
) -> list[StyledLine]:
    """What everybody may know of one seat, in rows that flow.

    Args:
        has_danger: Say also what only the reader knows: who is one card from being out.
    """
    cells = _cells(view, Seat(seat), names)
    name, *facts = _with_danger(view, Seat(seat), cells) if has_danger else cells
    mark = styled_line() if style.is_linear else (_mark(view, seat),)
    if style.is_linear and _is_to_act(view, seat):
        facts.append("to act")
    head = styled_line(*mark, (name, _role(view, seat)), ": ")
    parts = [styled_line((fact, "warn" if _is_danger(fact) else "")) for fact in facts if fact]
    return wrap_parts(head, parts, style.width, ", ")


def _with_danger(view: View, seat: Seat, cells: Cells) -> Cells:
    """Mark a triplet whose fourth card the reader holds, and the reader's own ones."""
    name, cards, pairs, triplets, turns = cells
    held = {RANK_OF[card] for card in view.hand or ()}
    if seat == view.seat and triplets:
        triplets += f", {OWN_DANGER}"
    elif any(RANK_OF[cards[0]] in held for cards in view.seats[seat].triplets):
        triplets += f", {DANGER}"
    return name, cards, pairs, triplets, turns


def _is_danger(fact: str) -> bool:
    return fact.endswith((DANGER, OWN_DANGER))


def _is_to_act(view: View, seat: int) -> bool:
    return seat == view.turn and not view.ended


def _mark(view: View, seat: int) -> Span:
    return Span("> " if _is_to_act(view, seat) else "  ", "strong")


def _role(view: View, seat: int) -> Role:
    if not view.seats[seat].is_in:
        return "dim"
    return "you" if seat == view.seat else "strong"


def _cells(view: View, seat: Seat, names: SeatNames) -> Cells:
    """Name, cards, pairs, triplets, turns: empty where there is nothing to say."""
    it = view.seats[seat]
    name, turns = names[seat], quantity(it.turns, "turn")
    if seat == view.seat:
        name += " (you, dealer)" if seat == view.dealer else " (you)"
    elif seat == view.dealer:
        name += " (dealer)"
    if not it.is_in:
        place = len(view.seats) - view.fallen.index(seat)
        return name, f"out, place {place}", "", "", turns
    pairs = quantity(it.pairs, "pair") if it.pairs else ""
    triplets = ", ".join([three_of_rank(RANK_OF[cards[0]]) for cards in it.triplets])
    return name, quantity(it.cards, "card"), pairs, triplets, turns


def outside_lines(lying: Sequence[Outside], names: SeatNames, style: Style) -> list[StyledLine]:
    """Cards that left the game; no row where there are none."""
    if not lying:
        return []
    gone = [_outside_entry(left, names, style) for left in lying]
    return wrap_parts(styled_line(("Outside: ", "title")), gone, style.width, ", ")


def _outside_entry(left: Outside, names: SeatNames, style: Style) -> StyledLine:
    """`four 9s (Bob)`: suits never matter, so a quadruple is its rank."""
    by = f" ({names[left.seat]})" if left.seat is not None else ""
    if left.why == "out":
        ranks = dict.fromkeys(RANK_OF[card] for card in left.cards)
        return styled_line(*join_spans([Span(f"four {rank_plural(rank)}") for rank in ranks]), by)
    cards = [(card_span(card, style),) for card in left.cards]
    return styled_line(*(join_spans(cards) if style.is_linear else card_row(left.cards, style)), by)


# -- the own cards ---------------------------------------------------------------------------------


def hand_boxes(view: View, style: Style) -> list[StyledLine]:
    """The hand as boxes, and the pairs, if there is room in boxes; nothing if they do not fit."""
    if not view.hand:
        return []
    marked = {card for card, _ in view.marks}
    boxes = [card_box(card, style, "not yet" if card in marked else "") for card in view.hand]
    locked = [card_box(card, style) for pair in view.pairs for card in pair]
    locked[:1] = [box._replace(before=LOCKED) for box in locked[:1]]
    has_room = bool(rows := box_row([*boxes, *locked], style.width))
    rows = rows or box_row(boxes, style.width)
    if not rows:
        return []
    waits = sorted({free_at for _, free_at in view.marks})
    if len(waits) == 1:
        rows[-1] = styled_line(*rows[-1], (f" ({_wait_text(view, waits[0])})", "dim"))
    else:
        rows += _waiting_lines(view, style)
    return rows if has_room else [*rows, *_pair_lines(view, style)]


def hand_lines(view: View, style: Style) -> list[StyledLine]:
    """The hand, which of its cards may not be given yet, and the pairs, of a seat that is in."""
    rows = wrap_parts(
        styled_line(("Your hand: ", "title")),
        [(card_span(card, style),) for card in view.hand] or [styled_line("nothing")],
        style.width,
        ", " if style.is_linear else "  ",
    )
    return [*rows, *_waiting_lines(view, style), *_pair_lines(view, style)]


def _waiting_lines(view: View, style: Style) -> list[StyledLine]:
    """Which cards may not be given yet, and until when."""
    rows: list[StyledLine] = []
    for turn in sorted({free_at for _, free_at in view.marks}):
        held = [card for card, free_at in view.marks if free_at == turn]
        parts = [styled_line(card_span(card, style)) for card in held]
        parts[-1] = styled_line(*parts[-1], (f" ({_wait_text(view, turn)})", "dim"))
        gap = ", " if style.is_linear else "  "
        rows += wrap_parts(styled_line(("not yet: ", "dim")), parts, style.width, gap)
    return rows


def _pair_lines(view: View, style: Style) -> list[StyledLine]:
    if not view.pairs:
        return []
    pairs = [
        styled_line(spoken_pair(cards)) if style.is_linear else card_row(cards, style)
        for cards in view.pairs
    ]
    return wrap_parts(styled_line(("Your pairs: ", "title")), pairs, style.width, ", ")


def _wait_text(view: View, free_at: int) -> str:
    """When cards may be given that may not be given now, as the seat counts: from its own turns."""
    assert view.seat is not None
    is_now = _is_to_act(view, view.seat)
    if free_at > view.seats[view.seat].turns + 1:
        return "this and your next turn" if is_now else "your next turn"
    return "this turn" if is_now else "until your next turn"


def _moves(view: View, names: SeatNames, style: Style) -> list[StyledLine]:
    """The kinds of play there are now, or the names to choose from."""
    actions = legal_actions(view)
    if view.asks == "next":
        candidates = [
            styled_line((names[seat], "key"))
            if actions
            else styled_line(object_name(seat, view.seat, names))
            for seat in view.candidates
        ]
        head = "Who plays next? " if actions else "To choose from: "
        return wrap_parts(styled_line((head, "title")), candidates, style.width, ", ")
    if not actions or not style.has_forms:
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
    return form_rows(forms, style)
