"""What lies on the table: the seats with their words, and the reckoning of a round.

Rule 1: all of it is public, and the same for everybody but for the word "you" and the spelling of
        the own locked words.
Rule 2: columns where they fit the width, else rows that flow; both say the same.
Rule 3: linear is one fact a line, in sentences, without columns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from variants.contract import Names, Seat
from variants.kit.people import began, whose
from variants.kit.rows import flow, flow_words
from variants.kit.text import Line, Role, Span, Style, counted, line
from variants.words.events import Scored, Sheet
from variants.words.spoken import numbered, numbered_spoken, set_spoken
from variants.words.view import View, WordView

HEADS = ("Cards", "Points")
GAP = 2  # cells between columns, and before the first one for the mark of who is asked
WORDS_MIN = 28  # cells that a column of words needs


def to_act(view: View) -> Sequence[Seat]:
    """Who is asked, as everybody may know it.  [G-12]"""
    if view.phase == "trade":
        return view.partners
    if view.phase == "removal":
        return view.removers
    return (view.turn,) if view.phase else ()


# -- the seats -------------------------------------------------------------------------------------


def seats(view: View, names: Names, style: Style) -> list[Line]:
    """Of each seat: cards in hand, points so far, and its words with their numbers."""
    everybody = [Seat(seat) for seat in range(len(view.seats))]
    people = [_called(view, seat, names) for seat in everybody]
    column = GAP + max(map(len, people)) + GAP
    indent = column + len(HEADS[0]) + GAP + len(HEADS[1]) + GAP
    if style.is_linear or style.width - indent < WORDS_MIN:
        return [row for seat in everybody for row in of_seat(view, seat, names, style)]
    rows = [line((f"{' ' * column}{HEADS[0]}  {HEADS[1]}  Words", "dim"))]
    asked = to_act(view)
    blank, room = " " * indent, style.width - indent
    for seat, name in zip(everybody, people, strict=True):
        it = view.seats[seat]
        packed = _packed([numbered(word) for word in _words_of(view, seat)] or ["-"], room)
        says = f"{it.cards:<5}  {it.total:<6}  {packed[0]}"
        role: Role = "you" if seat == view.seat else "strong"
        rows.append((_mark(seat in asked), Span(name.ljust(column - GAP), role), Span(says)))
        rows += [(Span(blank + row),) for row in packed[1:]]
    return rows


def of_seat(view: View, seat: Seat, names: Names, style: Style) -> list[Line]:
    """One of them, in rows that flow."""
    own, is_asked = _words_of(view, seat), seat in to_act(view)
    if style.is_linear:
        return _spoken(view, seat, own, is_asked, names, style)
    it = view.seats[seat]
    head = line(_mark(is_asked), (_called(view, seat, names), _role(view, seat)), ": ")
    facts = [f"{counted(it.cards, 'card')}, {it.total} points", *map(numbered, own)]
    return flow_words(head, facts if own else [*facts, "no words"], style.width)


def _words_of(view: View, seat: Seat) -> list[WordView]:
    return [word for word in view.words if word.owner == seat]


def _called(view: View, seat: Seat, names: Names) -> str:
    return f"{names[seat]} (you)" if seat == view.seat else names[seat]


def _packed(words: Iterable[str], room: int) -> list[str]:
    """Words in rows of *room* cells, two apart; the longest, 15 letters and a number, fits."""
    rows: list[str] = []
    for word in words:
        if rows and len(rows[-1]) + GAP + len(word) <= room:
            rows[-1] += "  " + word
        else:
            rows.append(word)
    return rows


def _spoken(
    view: View, seat: Seat, own: Sequence[WordView], is_asked: bool, names: Names, style: Style
) -> list[Line]:
    it = view.seats[seat]
    facts = f"{counted(it.cards, 'card')}, {it.total} points{', to act' if is_asked else ''}"
    head = line((_called(view, seat, names), _role(view, seat)), ": ")
    rows = flow(head, [line(facts)], style.width)
    if not own:
        none = "You have no words." if seat == view.seat else f"{names[seat]} has no words."
        return rows + flow((), [line(none)], style.width)
    head = line(*began((whose(seat, view.seat, names),)), " words: ")
    said = [numbered_spoken(word) for word in own]
    return rows + flow_words(head, said, style.width, "; ")


def _mark(is_asked: bool) -> Span:
    return Span("> " if is_asked else "  ", "strong")


def _role(view: View, seat: int) -> Role:
    return "you" if seat == view.seat else "strong"


# -- the reckoning ---------------------------------------------------------------------------------


def reckoning(
    sheets: Sequence[Sheet], reader: Seat | None, names: Names, style: Style
) -> list[Line]:
    """Of each seat: the points of the round, the total, and word for word where they come from."""
    rows: list[Line] = []
    for seat, sheet in enumerate(sheets):
        name = Span(f"{names[seat]} (you)" if seat == reader else names[seat],
                    "you" if seat == reader else "strong")  # fmt: skip
        bonus = f"bonus set {sheet.indicator.set} x{sheet.indicator.multiplier}"
        head = line("" if style.is_linear else "  ", name, ": ")
        facts = [Span(f"{sheet.points}, total {sheet.total}, {bonus}")]
        facts += [_scored(word) for word in sheet.words] or [Span("no words")]
        rows += flow(head, [(fact,) for fact in facts], style.width, ", ")
    return rows


def _scored(word: Scored) -> Span:
    """`SEA 20 (set 1)`, `NOTE -10`: red only says again what the sign says."""
    if word.set:
        return Span(f"{word.spelling} {word.points} (set {word.set})", "good")
    return Span(f"{word.spelling} {word.points}", "bad")


def revealed(
    sheets: Sequence[Sheet], reader: Seat | None, names: Names, style: Style
) -> list[Line]:
    """Everybody's manifest and bonus, turned up, with the words that were laid.  [W2 SCORE]"""
    rows: list[Line] = []
    for seat, sheet in enumerate(sheets):
        whom = Seat(seat)
        laid = {word.spelling for word in sheet.words}
        head = line(*began((whose(whom, reader, names),)), " manifest")
        bonus = sheet.indicator.set, sheet.indicator.multiplier
        rows += printed(head, sets(sheet.manifest.sets, bonus, laid, style), style)
    return rows


def printed(head: Line, parts: Sequence[Line], style: Style) -> list[Line]:
    """A manifest behind its *head*; linear a set a row."""
    if style.is_linear:
        return [row for part in parts for row in flow(line(*head, ", "), [part], style.width)]
    return flow(line(*head, ": "), parts, style.width, "  ")


def sets(
    manifest: Sequence[Sequence[str]], bonus: tuple[int, int], laid: Collection[str], style: Style
) -> list[Line]:
    """`3 (x2) ADS *SAID IDEAS ADVISE`: the sets of a manifest, a star before what is laid."""
    found: list[Line] = []
    for number, words in enumerate(manifest, 1):
        if style.is_linear:
            times = f" times {bonus[1]}" if number == bonus[0] else ""
            said = ", ".join([f"{w} (on the table)" if w in laid else w for w in words])
            found.append((Span(f"set {number}{times}: {said}."),))
            continue
        times = f" (x{bonus[1]})" if number == bonus[0] else ""
        found.append((Span(f"{number}{times} ", "dim"), Span(set_spoken(words, laid))))
    return found
