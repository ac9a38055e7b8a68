"""The game as one seat sees it.

Rule 1: no line is wider than the style's width, and none is left out for lack of it: columns
        give way to flowing rows.
Rule 2: linear is one fact a line, in sentences, without columns.
Rule 3: what is asked and of whom reads the same for everybody; only the last rows, the own hand,
        manifest and what the seat can do, are the seat's own.  [G-12]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from variants.contract import Seat, SeatNames
from variants.kit.boxes import CardBox, box_row
from variants.kit.english import capitalize, join_spans, object_name, possessive
from variants.kit.text import (
    Role,
    Span,
    Style,
    StyledLine,
    join_words,
    plain_text,
    quantity,
    styled_line,
)
from variants.kit.wrap import FORMS_MAX, form_rows, wrap_parts, wrap_words
from variants.words.data.box import (
    CHANGES_MAX,
    END_OF_ROUND,
    QUIET_CIRCUITS,
    STILL_CIRCUITS,
    scored_in,
)
from variants.words.events import Letters, Sheet
from variants.words.language.events_text import (
    END_REASONS,
    card_name,
    card_span,
    describe_removal,
    describe_removal_offer,
    describe_settle,
    describe_trade,
    hand_spans,
    scored_span,
    word_label,
    word_sentence,
)
from variants.words.language.texts import waiting_for
from variants.words.legal_actions import (
    PILE,
    addable_words,
    cards_to_discard,
    draw_sources,
    may_act,
    may_end_round,
    may_go_out,
    own_exposed_words,
    own_words,
    stealable_words,
    trade_partners,
)
from variants.words.lexicon.multiset import letter_cards, missing_letters
from variants.words.view import View, WordView

COLUMN_HEADS = ("Cards", "Points")
COLUMN_GAP_CELLS = 2  # cells between columns, and before the first one for the mark of who is asked
WORDS_MIN = 28  # cells that a column of words needs


def seats_to_act(view: View) -> Sequence[Seat]:
    """Who is asked, as everybody may know it.  [G-12]"""
    if view.phase == "trade":
        return view.partners
    if view.phase == "removal":
        return view.removers
    return (view.turn,) if view.phase else ()


# -- the seats -------------------------------------------------------------------------------------


def seat_table(view: View, names: SeatNames, style: Style) -> list[StyledLine]:
    """Of each seat: cards in hand, points so far, and its words with their numbers."""
    everybody = [Seat(seat) for seat in range(len(view.seats))]
    people = [_called(view, seat, names) for seat in everybody]
    column = COLUMN_GAP_CELLS + max(map(len, people)) + COLUMN_GAP_CELLS
    indent = (
        column + len(COLUMN_HEADS[0]) + COLUMN_GAP_CELLS + len(COLUMN_HEADS[1]) + COLUMN_GAP_CELLS
    )
    if style.is_linear or style.width - indent < WORDS_MIN:
        return [row for seat in everybody for row in seat_lines(view, seat, names, style)]
    rows = [styled_line((f"{' ' * column}{COLUMN_HEADS[0]}  {COLUMN_HEADS[1]}  Words", "dim"))]
    asked = seats_to_act(view)
    blank, room = " " * indent, style.width - indent
    for seat, name in zip(everybody, people, strict=True):
        it = view.seats[seat]
        labels = [_label(view, word) for word in _words_of(view, seat)]
        packed = _packed(labels or [(Span("-"),)], room)
        says = f"{it.cards:<5}  {it.total:<6}  "
        role: Role = "you" if seat == view.seat else "strong"
        rows.append(
            (
                _mark(seat in asked),
                Span(name.ljust(column - COLUMN_GAP_CELLS), role),
                *(Span(says), *packed[0]),
            )
        )
        rows += [(Span(blank), *row) for row in packed[1:]]
    return rows


def seat_lines(view: View, seat: Seat, names: SeatNames, style: Style) -> list[StyledLine]:
    """One of them, in rows that flow."""
    own, is_asked = _words_of(view, seat), seat in seats_to_act(view)
    if style.is_linear:
        return _spoken(view, seat, own, is_asked, names, style)
    it = view.seats[seat]
    head = styled_line(_mark(is_asked), (_called(view, seat, names), _role(view, seat)), ": ")
    facts = [styled_line(f"{quantity(it.cards, 'card')}, {it.total} points")]
    facts += [_label(view, word) for word in own] or [styled_line("no words")]
    return wrap_parts(head, facts, style.width, ", ")


def _words_of(view: View, seat: Seat) -> list[WordView]:
    return [word for word in view.words if word.owner == seat]


def _called(view: View, seat: Seat, names: SeatNames) -> str:
    return f"{names[seat]} (you)" if seat == view.seat else names[seat]


def _label(view: View, word: WordView) -> StyledLine:
    """A word as on the board; an own one with its points."""
    points = _own_points(view, word)
    if points is None:
        return (Span(word_label(word)),)
    role: Role = "good" if points > 0 else "bad"
    return Span(word_label(word), role), Span(f" {points}", role)


def _own_points(view: View, word: WordView) -> int | None:
    """What a word of the reader would bring if the round ended now."""
    is_own = word.owner == view.seat and word.spelling
    if not is_own or view.manifest is None or view.indicator is None:
        return None
    return scored_in(view.box, view.manifest, view.indicator, word.spelling)[1]


def _packed(words: Iterable[StyledLine], room: int) -> list[StyledLine]:
    """Words in rows of *room* cells, two apart; the longest, 15 letters and two numbers, fits."""
    rows: list[StyledLine] = []
    for word in words:
        if rows and len(plain_text((*rows[-1], *word))) + COLUMN_GAP_CELLS <= room:
            rows[-1] = (*rows[-1], Span("  "), *word)
        else:
            rows.append(word)
    return rows


def _spoken(
    view: View, seat: Seat, own: Sequence[WordView], is_asked: bool, names: SeatNames, style: Style
) -> list[StyledLine]:
    it = view.seats[seat]
    facts = f"{quantity(it.cards, 'card')}, {it.total} points{', to act' if is_asked else ''}"
    head = styled_line((_called(view, seat, names), _role(view, seat)), ": ")
    rows = wrap_parts(head, [styled_line(facts)], style.width)
    if not own:
        none = "You have no words." if seat == view.seat else f"{names[seat]} has no words."
        return rows + wrap_parts((), [styled_line(none)], style.width)
    head = styled_line(*capitalize((possessive(seat, view.seat, names),)), " words: ")
    points = [_own_points(view, word) for word in own]
    said = [
        f"{word_sentence(word)}{'' if worth is None else f', {worth} points'}"
        for word, worth in zip(own, points, strict=True)
    ]
    return rows + wrap_words(head, said, style.width, "; ")


def _mark(is_asked: bool) -> Span:
    return Span("> " if is_asked else "  ", "strong")


def _role(view: View, seat: int) -> Role:
    return "you" if seat == view.seat else "strong"


# -- the reckoning ---------------------------------------------------------------------------------


def score_lines(
    sheets: Sequence[Sheet], reader: Seat | None, names: SeatNames, style: Style
) -> list[StyledLine]:
    """Of each seat: the points of the round, the total, and word for word where they come from."""
    rows: list[StyledLine] = []
    for seat, sheet in enumerate(sheets):
        name = Span(f"{names[seat]} (you)" if seat == reader else names[seat],
                    "you" if seat == reader else "strong")  # fmt: skip
        bonus = f"bonus set {sheet.indicator.set} x{sheet.indicator.multiplier}"
        head = styled_line("" if style.is_linear else "  ", name, ": ")
        facts = [Span(f"{sheet.points}, total {sheet.total}, {bonus}")]
        facts += [scored_span(word) for word in sheet.words] or [Span("no words")]
        rows += wrap_parts(head, [(fact,) for fact in facts], style.width, ", ")
    return rows


def revealed_manifest_lines(
    sheets: Sequence[Sheet], reader: Seat | None, names: SeatNames, style: Style
) -> list[StyledLine]:
    """Everybody's manifest and bonus, turned up, with the words that were laid."""
    rows: list[StyledLine] = []
    for seat, sheet in enumerate(sheets):
        whom = Seat(seat)
        laid = {word.spelling for word in sheet.words}
        head = styled_line(*capitalize((possessive(whom, reader, names),)), " manifest")
        bonus = sheet.indicator.set, sheet.indicator.multiplier
        rows += manifest_lines(head, set_lines(sheet.manifest.sets, bonus, laid, style), style)
    return rows


def manifest_lines(head: StyledLine, parts: Sequence[StyledLine], style: Style) -> list[StyledLine]:
    """A manifest behind its *head*; linear a set a row."""
    if style.is_linear:
        return [
            row
            for part in parts
            for row in wrap_parts(styled_line(*head, ", "), [part], style.width)
        ]
    return wrap_parts(styled_line(*head, ": "), parts, style.width, "  ")


def set_lines(
    manifest: Sequence[Sequence[str]],
    bonus: tuple[int, int],
    laid: Collection[str],
    style: Style,
    letters: Letters = (),
) -> list[StyledLine]:
    """A set of words a line; which of them lie on the table, and which the letters allow.

    Args:
        letters: Of the hand: a word they spell is ready, and the one letter that a word lacks of
            them is named.
    """
    found: list[StyledLine] = []
    for number, words in enumerate(manifest, 1):
        if style.is_linear:
            times = f" times {bonus[1]}" if number == bonus[0] else ""
            said = ", ".join([_spoken_word(word, laid, letters) for word in words])
            found.append((Span(f"set {number}{times}: {said}."),))
            continue
        times = f" (x{bonus[1]})" if number == bonus[0] else ""
        shown = [Span(f"{number}{times} ", "dim")]
        for place, word in enumerate(words):
            shown += [Span(" ")] if place else []
            shown += _marked_word(word, laid, letters)
        found.append(tuple(shown))
    return found


def _marked_word(word: str, laid: Collection[str], letters: Letters) -> StyledLine:
    """`*EAST` on the table, `HIT ready` to be laid, `THIS +S` for one letter more."""
    if word in laid:
        return (Span(f"*{word}", "good"),)
    lacks = missing_letters(word, letters) if letters else word
    if not lacks:
        return Span(word, "strong"), Span(" ready", "key")
    return (Span(word), Span(f" +{lacks}", "dim")) if len(lacks) == 1 else (Span(word),)


def _spoken_word(word: str, laid: Collection[str], letters: Letters) -> str:
    if word in laid:
        return f"{word} (on the table)"
    lacks = missing_letters(word, letters) if letters else word
    if not lacks:
        return f"{word} (ready)"
    return f"{word} (lacks {lacks})" if len(lacks) == 1 else word


WARNED_CIRCUITS = 1  # so many circuits before a stalled round ends the count is shown  [WR-56]


def render(view: View, names: SeatNames, style: Style) -> Sequence[StyledLine]:
    """The whole view: what is going on, the seats and their words, the own cards, the plays."""
    if view.ended:
        return [*_over(view, names, style), *score_lines(view.last, view.seat, names, style)]
    rows = _facts(_going_on(view, names), style) + _facts(_public(view), style)
    rows += seat_table(view, names, style)
    if view.last and view.number == 1 and view.phase == "draw":
        rows += wrap_parts(
            (), [styled_line((f"Round {view.round - 1} was:", "title"))], style.width
        )
        rows += score_lines(view.last, view.seat, names, style)
    return rows if view.seat is None else rows + _own(view, names, style)


def _facts(facts: Sequence[StyledLine], style: Style) -> list[StyledLine]:
    if style.is_linear:
        return [row for fact in facts for row in wrap_parts((), [fact], style.width)]
    return wrap_parts((), facts, style.width, "  ")


# -- what is going on ------------------------------------------------------------------------------


def _over(view: View, names: SeatNames, style: Style) -> list[StyledLine]:
    """Why it ended, and the places: equal totals share one.  [G-16]"""
    facts = [styled_line((f"The game is over: {END_REASONS[view.ended]}.", "title"))]
    totals = [it.total for it in view.seats]
    for seat in sorted(range(len(totals)), key=lambda seat: -totals[seat]):
        place = 1 + sum([total > totals[seat] for total in totals])
        facts.append(
            styled_line(f"Place {place}: ", (names[seat], "strong"), f" with {totals[seat]}.")
        )
    facts.append(styled_line((f"Round {view.round} was:", "title")))
    return [row for fact in facts for row in wrap_parts((), [fact], style.width)]


def _going_on(view: View, names: SeatNames) -> list[StyledLine]:
    """What is asked, and of whom."""
    turn = Span(f"Round {view.round}, turn {view.number}: ", "title")
    if view.phase == "removal":
        over = Span(f"Round {view.round} is over. ", "title")
        may = describe_removal_offer(view.removers, view.seat, names)
        return [(over, *may, Span(".")), styled_line(waiting_for(view.missing))]
    if view.phase == "trade":
        trades = describe_trade(view.turn, view.partners, view.seat, names)
        return [(turn, *trades, Span(".")), styled_line(waiting_for(view.missing))]
    return [(turn, possessive(view.turn, view.seat, names), Span(f" turn, {_asks(view)}."))]


def _asks(view: View) -> str:
    if view.phase == "draw":
        return "to draw one more card" if view.drawn else "to draw 2 cards"
    if view.phase == "settle":
        return describe_settle(view.seats[view.turn].cards, view.pile + view.discards)
    return "to end the round or pass" if view.phase == "close" else "to play"


def pile_lines(view: View) -> list[StyledLine]:
    top = f"{view.discards}, {view.top} on top" if view.discards else "empty"
    return [(Span(f"Draw pile {view.pile}."),), (Span(f"Discard pile {top}."),)]


def _public(view: View) -> list[StyledLine]:
    """The piles, the target, what this turn has used up, and whether the round may stall."""
    facts = [*pile_lines(view), (Span(f"Target {view.settings.target}."),)]
    if used := _used(view):
        facts.append((Span(f"This turn: {used}."),))
    return [*facts, *_stalled(view)]


def _used(view: View) -> str:
    """What can not be done again in this turn: a public fact.  [WR-22] [WR-28]"""
    used = [name for name, is_used in (("traded", view.traded), ("stole", view.stolen)) if is_used]
    if view.added:
        used.append(f"added to {join_words([f'word {number}' for number in view.added])}")
    if view.changes >= CHANGES_MAX:
        used.append(f"changed words {CHANGES_MAX} times, which is the limit")
    return ", ".join(used)


def _stalled(view: View) -> list[StyledLine]:
    seats = len(view.seats)
    for turns, circuits, what in (
        (view.quiet, QUIET_CIRCUITS, "no card drawn from the pile and no word changed"),
        (view.still, STILL_CIRCUITS, "no card drawn from the pile"),
    ):
        if turns >= (circuits - WARNED_CIRCUITS) * seats:
            ends = f"after {circuits * seats} the round ends"
            return [styled_line((f"For {turns} turns {what}: {ends}.", "bad"))]
    return []


# -- the own cards, and what can be done with them -------------------------------------------------


def hand_lines(view: View, style: Style) -> list[StyledLine]:
    """The own cards, in order of arrival, End of Round last."""
    pieces = [(span,) for span in hand_spans(view.hand, style)]
    head = (Span("Your hand: ", "title"),)
    return wrap_parts(
        head, pieces or [styled_line("nothing")], style.width, ", " if style.is_linear else "  "
    )


def held_now(view: View, style: Style) -> StyledLine:
    """The same without a head, in one line."""
    joined = styled_line(", " if style.is_linear else "  ")
    spans = [part for span in hand_spans(view.hand, style) for part in (*joined, span)]
    return tuple(spans[1:])


def brief(view: View, names: SeatNames, style: Style) -> list[StyledLine]:
    """What is left for the next play of a turn that has many, and what is still owed."""
    rows = [] if view.seat is None else hand_lines(view, style)
    if view.phase in ("draw", "settle") and may_act(view):
        rows.append(styled_line(f"Your turn {_asks(view)}."))
    return rows


def _hand_boxes(view: View, style: Style) -> list[StyledLine]:
    """The own letters as boxes, in order of arrival, End of Round last."""
    letters = [card for card in view.hand if card != END_OF_ROUND]
    boxes = [CardBox((f" {letter} ",), "strong") for letter in letters]
    others = [card for card in view.hand if card == END_OF_ROUND]
    boxes += [CardBox((f" {card_name(card)} ",), "strong") for card in others]
    return box_row(boxes, style.width)


def _manifest_table(parts: Sequence[StyledLine], style: Style) -> list[StyledLine]:
    """A set a row, its words under those of the other sets; nothing if that is too wide."""
    table = [_word_cells(part) for part in parts]
    wide = [
        max(len(plain_text(cell)) for cell in column) + COLUMN_GAP_CELLS
        for column in zip(*table, strict=True)
    ]
    if 1 + sum(wide) > style.width:
        return []
    rows: list[StyledLine] = [(Span("Your manifest", "title"),)]
    for cells in table:
        row = [Span(" ")]
        for cell, cols in zip(cells, wide, strict=True):
            row += [*cell, Span(" " * (cols - len(plain_text(cell))))]
        rows.append(tuple(row))
    return rows


def _word_cells(part: StyledLine) -> list[StyledLine]:
    """The number of a set, then its words with their marks."""
    cells: list[list[Span]] = [[]]
    for span in part[1:]:
        if span.text == " ":
            cells.append([])
        else:
            cells[-1].append(span)
    return [(Span(part[0].text.rstrip(), "dim"),), *map(tuple, cells)]


def _own(view: View, names: SeatNames, style: Style) -> list[StyledLine]:
    rows = (_hand_boxes(view, style) if style.has_boxes else []) or hand_lines(view, style)
    if view.seat is not None and view.manifest is not None and view.indicator is not None:
        bonus = view.indicator.set, view.indicator.multiplier
        laid = {word.spelling for word in own_words(view, view.seat)}
        letters = letter_cards(view.hand)
        parts = set_lines(view.manifest.sets, bonus, laid, style, letters)
        table = _manifest_table(parts, style) if style.has_boxes else []
        rows += table or manifest_lines((Span("Your manifest", "title"),), parts, style)
    if answer := _answer(view, names):
        rows += wrap_parts((), [answer], style.width)
    forms = _forms(view) if style.has_forms else ()
    return rows + form_rows(forms, style)


def _answer(view: View, names: SeatNames) -> StyledLine:
    """What the seat must or did answer in a sealed window."""
    if view.phase == "trade":
        if view.offers:
            offers = [
                styled_line(it.letter, " to ", object_name(it.to, view.seat, names))
                for it in view.offers
            ]
            return styled_line("You offer ", *join_spans(offers), ".")
        if view.has_answered:
            return styled_line("You give ", card_span(view.answer), ".")
        if view.seat in view.partners:
            return styled_line("Which letter do you give ", (names[view.turn], "strong"), "?")
    if view.phase == "removal" and view.has_answered:
        return styled_line(*describe_removal(view.removal), ".")
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
    if cards_to_discard(view):
        return ["discard LETTERS"]
    return ["draw" if source == PILE else "draw discard" for source in draw_sources(view)]


def _options(view: View, seat: Seat) -> list[str]:
    """In any order and as often as wished, but for one trade and one steal.  [WR-22]"""
    has_letters, forms = bool(letter_cards(view.hand)), []
    if view.changes < CHANGES_MAX:
        if has_letters:
            forms.append("form WORD")
            if addable_words(view, seat):
                forms.append("add LETTER to WORD")
            if not view.stolen and stealable_words(view, seat):
                forms.append("steal LETTER from WORD making WORD")
        if own_exposed_words(view, seat):
            forms += ["lock WORD", "rebuild WORD+LETTERS as WORD", "take up WORD"]
    if has_letters and not view.traded and trade_partners(view, seat):
        forms.append("trade LETTER with NAME")
    if may_go_out(view):
        forms.append("out")
    return [*forms[: FORMS_MAX - 1], "done", *forms[FORMS_MAX - 1 :]]  # among those that are shown
