"""The game as one seat sees it.

Rule 1: no line is wider than the style's width, and none is left out for lack of it: columns
        give way to flowing rows.
Rule 2: linear is one fact a line, in sentences, without columns.
Rule 3: what is asked and of whom reads the same for everybody; only the last rows, the own hand,
        manifest and what the seat can do, are the seat's own.  [G-12]
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Names, Seat
from variants.kit.people import joined, whom, whose
from variants.kit.rows import flow
from variants.kit.text import Line, Span, Style, line, series
from variants.words import board
from variants.words.box import CHANGES_MAX, QUIET_CIRCUITS, STILL_CIRCUITS
from variants.words.moves import (
    PILE,
    addable,
    may_act,
    may_end_round,
    may_go_out,
    own_exposed,
    own_words,
    partners,
    sources,
    stealable,
    surplus,
)
from variants.words.spelled import letter_cards
from variants.words.spoken import (
    ENDED,
    called,
    may_remove,
    missing_said,
    removed,
    settling,
    trading,
)
from variants.words.view import View

WARNED_CIRCUITS = 1  # so many circuits before a stalled round ends the count is shown  [WR-56]


def render(view: View, names: Names, style: Style) -> Sequence[Line]:
    """The whole view: what is going on, the seats and their words, the own cards, the plays."""
    if view.ended:
        return [*_over(view, names, style), *board.reckoning(view.last, view.seat, names, style)]
    rows = _facts(_going_on(view, names), style) + _facts(_public(view), style)
    rows += board.seats(view, names, style)
    if view.last and view.number == 1 and view.phase == "draw":
        rows += flow((), [line((f"Round {view.round - 1} was:", "title"))], style.width)
        rows += board.reckoning(view.last, view.seat, names, style)
    return rows if view.seat is None else rows + _own(view, names, style)


def _facts(facts: Sequence[Line], style: Style) -> list[Line]:
    if style.is_linear:
        return [row for fact in facts for row in flow((), [fact], style.width)]
    return flow((), facts, style.width, "  ")


# -- what is going on ------------------------------------------------------------------------------


def _over(view: View, names: Names, style: Style) -> list[Line]:
    """Why it ended, and the places: equal totals share one.  [G-16]"""
    facts = [line((f"The game is over: {ENDED[view.ended]}.", "title"))]
    totals = [it.total for it in view.seats]
    for seat in sorted(range(len(totals)), key=lambda seat: -totals[seat]):
        place = 1 + sum([total > totals[seat] for total in totals])
        facts.append(line(f"Place {place}: ", (names[seat], "strong"), f" with {totals[seat]}."))
    facts.append(line((f"Round {view.round} was:", "title")))
    return [row for fact in facts for row in flow((), [fact], style.width)]


def _going_on(view: View, names: Names) -> list[Line]:
    """What is asked, and of whom."""
    turn = Span(f"Round {view.round}, turn {view.number}: ", "title")
    if view.phase == "removal":
        over = Span(f"Round {view.round} is over. ", "title")
        may = may_remove(view.removers, view.seat, names)
        return [(over, *may, Span(".")), line(f"{missing_said(view.missing)}.")]
    if view.phase == "trade":
        trades = trading(view.turn, view.partners, view.seat, names)
        return [(turn, *trades, Span(".")), line(f"{missing_said(view.missing)}.")]
    return [(turn, whose(view.turn, view.seat, names), Span(f" turn, {_asks(view)}."))]


def _asks(view: View) -> str:
    if view.phase == "draw":
        return "to draw one more card" if view.drawn else "to draw two cards"
    if view.phase == "settle":
        return settling(view.seats[view.turn].cards, view.pile + view.discards)
    return "to end the round or pass" if view.phase == "close" else "to play"


def piles(view: View) -> list[Line]:
    top = f"{view.discards}, {view.top} on top" if view.discards else "empty"
    return [(Span(f"Draw pile {view.pile}."),), (Span(f"Discard pile {top}."),)]


def _public(view: View) -> list[Line]:
    """The piles, the target, what this turn has used up, and whether the round may stall."""
    facts = [*piles(view), (Span(f"Target {view.settings.target}."),)]
    if used := _used(view):
        facts.append((Span(f"This turn: {used}."),))
    return [*facts, *_stalled(view)]


def _used(view: View) -> str:
    """What can not be done again in this turn: a public fact.  [WR-22] [WR-28]"""
    used = [name for name, is_used in (("traded", view.traded), ("stole", view.stolen)) if is_used]
    if view.added:
        used.append(f"added to {series([f'word {number}' for number in view.added])}")
    if view.changes >= CHANGES_MAX:
        used.append(f"changed words {CHANGES_MAX} times, which is the limit")
    return ", ".join(used)


def _stalled(view: View) -> list[Line]:
    seats = len(view.seats)
    for turns, circuits, what in (
        (view.quiet, QUIET_CIRCUITS, "no card drawn from the pile and no word changed"),
        (view.still, STILL_CIRCUITS, "no card drawn from the pile"),
    ):
        if turns >= (circuits - WARNED_CIRCUITS) * seats:
            ends = f"after {circuits * seats} the round ends"
            return [line((f"For {turns} turns {what}: {ends}.", "bad"))]
    return []


# -- the own cards, and what can be done with them -------------------------------------------------


def hand(view: View, style: Style) -> list[Line]:
    """The own cards, in order of arrival, End of Round last."""
    cards = [called(card) for card in view.hand]
    between = ", " if style.is_linear else " "
    letters = between.join([card for card in cards if len(card) == 1])
    pieces = [(Span(letters, "strong"),)] if letters else []
    pieces += [(Span(card, "strong"),) for card in cards if len(card) > 1]
    head = (Span("Your hand: ", "title"),)
    return flow(head, pieces or [line("nothing")], style.width, ", " if style.is_linear else "  ")


def brief(view: View, names: Names, style: Style) -> list[Line]:
    """What is left for the next play of a turn that has many, and what is still owed."""
    rows = [] if view.seat is None else hand(view, style)
    if view.phase in ("draw", "settle") and may_act(view):
        rows.append(line(f"You are {_asks(view)}."))
    return rows


def _own(view: View, names: Names, style: Style) -> list[Line]:
    rows = hand(view, style)
    if view.seat is not None and view.manifest is not None and view.indicator is not None:
        bonus = view.indicator.set, view.indicator.multiplier
        laid = {word.spelling for word in own_words(view, view.seat)}
        parts = board.sets(view.manifest.sets, bonus, laid, style)
        rows += board.printed((Span("Your manifest", "title"),), parts, style)
    if answer := _answer(view, names):
        rows += flow((), [answer], style.width)
    if forms := _forms(view):
        keys = [(Span(form, "key"),) for form in forms]
        rows += flow((Span("You can: ", "title"),), keys, style.width, ", ")
    return rows


def _answer(view: View, names: Names) -> Line:
    """What the seat must or did answer in a sealed window."""
    if view.phase == "trade":
        if view.offers:
            offers = [line(it.letter, " to ", whom(it.to, view.seat, names)) for it in view.offers]
            return line("You offer ", *joined(offers), ".")
        if view.has_answered:
            return line("You give ", (view.answer, "strong"), ".")
        if view.seat in view.partners:
            return line("You must give ", (names[view.turn], "strong"),
                        " a letter and cannot refuse.")  # fmt: skip
    if view.phase == "removal" and view.has_answered:
        return line(*removed(view.removal), ".")
    return ()


def _forms(view: View) -> list[str]:
    """The kinds of play there are now, from the own view: capitals are to be filled in."""
    if view.seat is None or not may_act(view):
        return []
    match view.phase:
        case "trade":
            return ["give LETTER"]
        case "removal":
            return ["remove LETTER from WORD", "pass"]
        case "close":
            return ["end round", "pass"] if may_end_round(view) else ["pass"]
        case "main":
            return _options(view, view.seat)
    if surplus(view):
        return ["discard LETTERS"]
    return ["draw" if source == PILE else "draw discard" for source in sources(view)]


def _options(view: View, seat: Seat) -> list[str]:
    """In any order and as often as wished, but for one trade and one steal.  [WR-22]"""
    has_letters, forms = bool(letter_cards(view.hand)), []
    if view.changes < CHANGES_MAX:
        if has_letters:
            forms.append("form WORD")
            if addable(view, seat):
                forms.append("add LETTER to WORD")
            if not view.stolen and stealable(view, seat):
                forms.append("steal LETTER from WORD making WORD")
        if own_exposed(view, seat):
            forms += ["lock WORD", "rebuild WORD+LETTERS as WORD", "take up WORD"]
    if has_letters and not view.traded and partners(view, seat):
        forms.append("trade LETTER with NAME")
    if may_go_out(view):
        forms.append("out")
    return [*forms, "done"]
