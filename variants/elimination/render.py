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
from variants.elimination.words import (
    card_span,
    cards_line,
    joined,
    plural,
    three,
    who,
    whom,
)
from variants.kit.text import Line, Role, Span, Style, counted, line, plain

INDENT = 4  # cells before a row that goes on


def render(view: View, names: Names, style: Style) -> Sequence[Line]:
    """The whole view: whose turn, the seats, Outside, the own cards, what can be done."""
    rows = [*_head(view, names, style), *_seats(view, names, style)]
    if view.outside:
        gone = [_gone(left, names, style) for left in view.outside]
        rows += _flow(line(("Outside: ", "title")), gone, style.width, ", ")
    if view.seat is not None and view.seats[view.seat].is_in:
        rows += _own(view, style)
    return rows + _moves(view, names, style)


def _head(view: View, names: Names, style: Style) -> list[Line]:
    over = f"The game is over: {REASONS[view.ended]}." if view.ended else ""
    facts = [line((over, "title")) if over else _to_act(view, names)]
    facts.append(line(f"Deck {view.deck}."))
    if view.idle >= STALEMATE_SHOWN_FROM:
        facts.append(line((f"No progress for {view.idle} turns of {STALEMATE_TURNS}.", "bad")))
    if style.is_linear:
        facts[1] = line(f"The deck has {counted(view.deck, 'card')}.")
        return [row for fact in facts for row in _flow((), [fact], style.width)]
    return _flow((), facts, style.width, "  ")


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
        for seat, (name, *facts) in enumerate(table):
            if style.is_linear:
                head = line((name, _role(view, seat)), ": ")
                facts += ["to act"] if _is_to_act(view, seat) else []
            else:
                head = line(_mark(view, seat), (name, _role(view, seat)), ": ")
            rows += _flow(head, [(Span(fact),) for fact in facts if fact], style.width, ", ")
        return rows
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


def _gone(left: Outside, names: Names, style: Style) -> Line:
    """`four 9s (Bob)`: suits never matter, so a quadruple is its rank."""
    by = f" ({names[left.seat]})" if left.seat is not None else ""
    if left.why == "out":
        ranks = dict.fromkeys(RANK[card] for card in left.cards)
        return line(*joined([Span(f"four {plural(rank)}") for rank in ranks]), by)
    cards = [(card_span(card, style),) for card in left.cards]
    return line(*(joined(cards) if style.is_linear else cards_line(left.cards, style)), by)


# -- the own cards ---------------------------------------------------------------------------------


def _own(view: View, style: Style) -> list[Line]:
    rows = _flow(
        line(("Your hand: ", "title")),
        [(card_span(card, style),) for card in view.hand] or [line("nothing")],
        style.width,
        ", " if style.is_linear else "  ",
    )
    for turn in sorted({free_at for _, free_at in view.marks}):
        held = [card for card, free_at in view.marks if free_at == turn]
        head = line((f"{_not_yet(view, turn)}: ", "dim"))
        rows += _flow(head, [(card_span(card, style),) for card in held], style.width,
                      ", " if style.is_linear else "  ")  # fmt: skip
    if view.pairs:
        pairs = [
            line(f"two {plural(RANK[cards[0]])}") if style.is_linear else cards_line(cards, style)
            for cards in view.pairs
        ]
        rows += _flow(line(("Your pairs: ", "title")), pairs, style.width, ", ")
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
        return _flow(line((head, "title")), candidates, style.width, ", ")
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
    return _flow(line(("You can: ", "title")), [line((form, "key")) for form in forms],
                 style.width, ", ")  # fmt: skip


# -- rows ------------------------------------------------------------------------------------------


def _flow(head: Line, parts: Sequence[Line], width: int, between: str = " ") -> list[Line]:
    """*head* and *parts* in rows of at most *width* cells; rows that go on are indented."""
    row = list(head)
    for place, part in enumerate(parts):
        row += (Span(between), *part) if place else part
    if sum([len(span.text) for span in row]) <= width:
        return [tuple(row)]
    return _flow_by_pieces(head, parts, width, between)


def _flow_by_pieces(head: Line, parts: Sequence[Line], width: int, between: str) -> list[Line]:
    pieces = list(_pieces(head, width)) if head else []
    for place, part in enumerate(parts):
        glue = between if place < len(parts) - 1 else ""
        *most, last = _pieces(part, width - INDENT - len(glue.rstrip()))
        pieces += [*most, (*last, Span(glue))]
    rows: list[list[Span]] = [[]]
    used = 0
    for piece in pieces:
        text = plain(piece)
        if used and used + len(text.rstrip()) > width:
            rows.append([Span(" " * INDENT)])
            used = INDENT
        rows[-1] += piece
        used += len(text)
    return [_trimmed(row) for row in rows]


def _pieces(part: Line, room: int) -> list[Line]:
    """The part in one piece if it fits into a row, else by words, else by cells."""
    if len(plain(part).rstrip()) <= room:
        return [part]
    pieces: list[Line] = []
    for span in part:
        for word in span.text.replace(" ", " \0").split("\0"):
            pieces += [(Span(word[at : at + room], span.role),)
                       for at in range(0, len(word), room)]  # fmt: skip
    return pieces


def _trimmed(row: list[Span]) -> Line:
    spans = [span for span in row if span.text]
    while spans and not spans[-1].text.rstrip():
        spans.pop()
    if spans:
        spans[-1] = Span(spans[-1].text.rstrip(), spans[-1].role)
    return tuple(spans)
