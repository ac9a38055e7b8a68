"""What lies on the table: the seats with their supplies, the decks and the discard piles.

Rule 1: all of it is public, and the same for everybody but for the word "you".
Rule 2: columns where they fit the width, else rows that flow; both say the same.
Rule 3: linear is one fact a line, in sentences, without columns and with long names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from variants.contract import Names, Seat
from variants.kit.people import began, whose
from variants.kit.rows import flow, flow_words
from variants.kit.text import Line, Role, Span, Style, counted, line, series
from variants.stockpile.cards import DECKS, KINDS, SOLD_OUT, SUPPLIES, Card, Cards, titled, value
from variants.stockpile.view import View
from variants.stockpile.words import DECK_CALLED, PLACE, SHORT, backs_spoken, brief, short, tested

HEADS = ("", "Location", "Hand", *SHORT.values(), "Total")
GAP = 2  # cells between columns, and before the first one for the mark of who is asked


# -- the seats -------------------------------------------------------------------------------------


def seats(view: View, names: Names, style: Style) -> list[Line]:
    """Of each seat: location, backs of the hand, stockpile by kind and its total, what binds it."""
    everybody = [Seat(seat) for seat in range(len(view.seats))]
    if style.is_linear:
        return [row for seat in everybody for row in of_seat(view, seat, names, style)]
    table = [HEADS, *[_cells(view, seat, names) for seat in everybody]]
    wide = [max(map(len, column)) + GAP for column in zip(*table, strict=True)]
    if sum(wide) > style.width:
        return [row for seat in everybody for row in of_seat(view, seat, names, style)]
    heads = " " * GAP + "".join(map(str.ljust, HEADS, wide))
    rows: list[Line] = [(Span(heads.rstrip(), "dim"),)]
    for seat in everybody:
        name, *facts = map(str.ljust, table[seat + 1], wide)
        role: Role = "" if view.seats[seat].is_in else "bad"
        fact = Span("".join(facts).rstrip(), role)
        rows.append((_mark(view, seat), Span(name, _role(view, seat)), fact))
        if binds := _binds(view, seat):
            notes = [(Span(note, "strong"),) for note in binds]
            rows += flow(line("    "), notes, style.width, ", ")
    return rows


def of_seat(view: View, seat: Seat, names: Names, style: Style) -> list[Line]:
    """One of them, in rows that flow."""
    return [*(_spoken if style.is_linear else _flowing)(view, seat, names, style)]


def _cells(view: View, seat: Seat, names: Names) -> tuple[str, ...]:
    it, name = view.seats[seat], _called(view, seat, names)
    if not it.is_in:
        return (name, "infected", "", "", "", "", "")
    kinds = [" ".join(map(str, numbers)) or "-" for numbers in _by_kind(it.stockpile)]
    return (name, PLACE[it.location], _backs(it.indoor, it.outdoor), *kinds,
            str(value(it.stockpile)))  # fmt: skip


def _flowing(view: View, seat: Seat, names: Names, style: Style) -> list[Line]:
    it = view.seats[seat]
    head = line(_mark(view, seat), (_called(view, seat, names), _role(view, seat)), ": ")
    if not it.is_in:
        return flow(head, [line(("infected", "bad"))], style.width)
    facts = [PLACE[it.location], *_binds(view, seat), f"hand {_backs(it.indoor, it.outdoor)}"]
    for called, numbers in zip(SHORT.values(), _by_kind(it.stockpile), strict=True):
        facts.append(f"{called} {' '.join(map(str, numbers)) or '-'}")
    facts.append(f"total {value(it.stockpile)}")
    return flow(head, [(Span(fact),) for fact in facts], style.width, ", ")


def _spoken(view: View, seat: Seat, names: Names, style: Style) -> Iterator[Line]:
    it = view.seats[seat]
    head = line((_called(view, seat, names), _role(view, seat)), ": ")
    to_act = ["to act"] if _is_asked(view, seat) else []
    if not it.is_in:
        yield from flow(head, [line(fact) for fact in ("infected", *to_act)], style.width, ", ")
        return
    hand = backs_spoken(it.indoor, it.outdoor) + " in hand"
    facts = [PLACE[it.location], *_binds(view, seat), hand, *to_act]
    yield from flow(head, [(Span(fact),) for fact in facts], style.width, ", ")
    facts = [
        f"{kind} {series(list(map(str, numbers)))}" if numbers else f"no {kind}"
        for kind, numbers in zip(KINDS, _by_kind(it.stockpile), strict=True)
    ]
    facts.append(f"total {value(it.stockpile)}")
    head = line(*began((whose(seat, view.seat, names),)), " stockpile: ")
    yield from flow(head, [(Span(fact),) for fact in facts], style.width, ", ")


def _called(view: View, seat: Seat, names: Names) -> str:
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
    found: dict[str, list[int]] = {kind: [] for kind in KINDS}
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


def piles(view: View, style: Style) -> list[Line]:
    """Of each deck: the cards left, and what lies on its discard pile."""
    rows: list[Line] = []
    for deck, pile in zip(DECKS, view.discards, strict=True):
        rows += (_pile_spoken if style.is_linear else _pile)(deck, view.left(deck), pile, style)
    return rows


def _pile(deck: str, left: int, pile: Cards, style: Style) -> list[Line]:
    head = Span(f"{DECK_CALLED[deck]} deck {left}", "title")
    if not pile:
        return flow_words((head,), [", nothing discarded"], style.width)
    if deck == SUPPLIES:
        says = Span(f", discards {len(pile)}, top {short(pile[-1])}: ")
        return flow_words((head, says), _supplies(pile, SHORT.values(), " ".join), style.width)
    positive, negative = tested(pile)
    says = Span(f", discards {len(pile)} ({positive}+ {negative}-), top first: ")
    return flow_words((head, says), _top_first(pile, brief), style.width)


def _pile_spoken(deck: str, left: int, pile: Cards, style: Style) -> list[Line]:
    called = DECK_CALLED[deck]
    rows = flow(
        (), [line((f"The {called} deck has {counted(left, 'card')}.", "title"))], style.width
    )
    if not pile:
        return rows + flow((), [line("Nothing is discarded there.")], style.width)
    lying = f"Its discard pile has {counted(len(pile), 'card')}"
    if deck == SUPPLIES:
        head = Span(f"{lying}, {titled(pile[-1])} on top: ")
        return rows + flow_words((head,), _supplies(pile, KINDS, series), style.width, "; ")
    positive, negative = tested(pile)
    head = Span(f"{lying}, {positive} positive and {negative} negative. Top first: ")
    return rows + flow_words((head,), _top_first(pile, titled), style.width)


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
