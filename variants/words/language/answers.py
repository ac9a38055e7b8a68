"""Questions that are no plays: the table in short pieces, what could be spelt, what was seen.

Rule 1: an answer is made from the own view, the own redacted events and the word list, so it
        tells nothing that the one who asks could not work out with pencil and paper.
Rule 2: an answer is bounded: what is left out is counted.
Rule 3: a watcher has no cards of their own, and is told so.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import ParseError, Seat, SeatNames
from variants.kit.card_names import find_card
from variants.kit.english import find_seats, join_spans, object_name, subject
from variants.kit.text import Span, Style, StyledLine, join_words, quantity, styled_line
from variants.kit.wrap import wrap_parts, wrap_words
from variants.words.counted import Count, HeldLetters, counted
from variants.words.data.box import END_OF_ROUND, WORD_MIN, Manifest, sets_of
from variants.words.events import Event
from variants.words.language import cards_text, render, texts
from variants.words.language.events_text import laid_word_span, word_span
from variants.words.language.render import hand_lines, pile_lines
from variants.words.legal_actions import own_exposed_words, own_words
from variants.words.lexicon.dictionary import hints
from variants.words.lexicon.lexicon import LETTERS_MAX, WORD_MAX, Lexicon
from variants.words.lexicon.multiset import is_within, letter_cards, missing_letters
from variants.words.public_knowledge import LetterKnowledge, known_manifests
from variants.words.view import View, WordView

QUESTIONS = {
    "hand": "the cards of your hand",
    "table": "of every player the cards, points and words; table bob: of one",
    "piles": "how many cards the draw pile and the discard pile have",
    "words": "what your hand can spell, alone and with a word taken up; words 5: five letters up",
    "manifest": "your manifest word by word, and which letters are missing",
    "cards": "letters and bonuses; cards manifests, cards 7: the manifests that everybody knows",
    "card": "one letter, or End of Round: what it is and how many are unseen: card q",
    "count": "which letters you have not seen yet",
    "discards": "the discard pile, and who put there and took from it what",
    "score": "the last round turned up: manifests, bonuses, words and points",
    "reckoning": "the same as score",
}
"""What can be asked, with a line of help."""

HAND_WORDS_MAX = 80  # words of the hand that an answer names at most
TAKEN_UP_WORDS_MAX = 24  # and of each word taken up
TAKEN_UP_MAX = 8  # words that are taken up in one answer


def answer(
    lexicon: Lexicon,
    line: str,
    view: View,
    seen_events: Sequence[Event],
    names: SeatNames,
    style: Style,
) -> Sequence[StyledLine]:
    """The answer to a typed question.

    Raises:
        ParseError: The line is none of QUESTIONS.
    """
    verb, *rest = line.lower().split() or [""]
    if verb not in QUESTIONS:
        raise ParseError("{} isn't a question here. You can ask " + _asked_for() + ".",
                            verb or "Nothing")  # fmt: skip
    if verb == "words":
        return _words(lexicon, rest, view, style)
    if verb == "cards" and rest:
        return _cards(rest, view, seen_events, style)
    if verb == "card" and rest:
        return _card(rest, view, seen_events, names, style)
    if verb == "table":
        asked = find_seats(rest, view.seat, names[: len(view.seats)])
        return [row for seat in asked for row in render.seat_lines(view, seat, names, style)]
    if rest:
        raise ParseError("{} stands alone: type {}.", verb, verb)
    if verb == "hand":
        watching = "You are watching, and have no cards."
        return _sentence_rows(watching, style) if view.seat is None else hand_lines(view, style)
    if verb == "piles":
        return [row for fact in pile_lines(view) for row in wrap_parts((), [fact], style.width)]
    if verb == "manifest":
        return _manifest(view, style)
    if verb in ("score", "reckoning"):
        return _score(view, names, style)
    if verb == "discards":
        return _discards(LetterKnowledge(view, seen_events), view, names, style)
    rows = _count(counted(view, seen_events), view, names, style)
    if verb == "count":
        return rows
    more = [cards_text.bonus_sentence(view.box), cards_text.SEE_MANIFESTS]
    return rows + cards_text.sentences(more, style)


def _asked_for() -> str:
    return join_words(list(QUESTIONS), "or")


def _sentence_rows(text: str, style: Style) -> list[StyledLine]:
    return wrap_parts((), [(Span(text),)], style.width)


# -- what could be spelt ---------------------------------------------------------------------------


def _words(lexicon: Lexicon, rest: Sequence[str], view: View, style: Style) -> list[StyledLine]:
    shortest = WORD_MIN
    if rest:
        if len(rest) > 1 or not (rest[0].isascii() and rest[0].isdigit()):
            raise ParseError("How many letters at least? For example words 5, or only words.")
        shortest = max(WORD_MIN, int(rest[0].lstrip("0")[:3] or "0"))
        if shortest > WORD_MAX:
            raise ParseError("No word has more than {} letters. Try words 5.", str(WORD_MAX))
    if view.seat is None:
        return _sentence_rows("You are watching, and have no letters to spell with.", style)
    if not view.settings.hints:
        return _sentence_rows("The question words is switched off at this table.", style)
    level = min(view.settings.hints, view.settings.level)
    words, hand = hints(lexicon, view), "".join(letter_cards(view.hand))
    looked = hand[:LETTERS_MAX]
    rows = _sentence_rows(f"Words up to level {level}{_marked(style)}.", style)
    if looked != hand:
        rows += _sentence_rows(
            f"Only the first {LETTERS_MAX} letters of your hand are looked at.", style
        )
    found = words.within(looked, shortest) if looked else []
    rows += _listed("Your hand", found, HAND_WORDS_MAX, view.manifest, style)
    exposed = own_exposed_words(view, view.seat)
    for word in exposed[:TAKEN_UP_MAX]:
        letters = word.spelling + hand[: max(0, LETTERS_MAX - word.length)]
        more = [each for each in words.within(letters[:LETTERS_MAX], shortest)
                if each != word.spelling and not is_within(each, hand)]  # fmt: skip
        head = f"With {word.spelling} taken up"
        rows += _listed(head, more, TAKEN_UP_WORDS_MAX, view.manifest, style)
    if left := exposed[TAKEN_UP_MAX:]:
        rows += _sentence_rows(
            f"Not looked at: {join_words([word.spelling for word in left])}.", style
        )
    return rows


def _marked(style: Style) -> str:
    return "" if style.is_linear else "; * is on your manifest"


def _listed(
    head: str, found: Sequence[str], shown: int, manifest: Manifest | None, style: Style
) -> list[StyledLine]:
    """Longest first; of one length the own manifest first.  Nothing of it is left out."""
    printed = {word for word in found if manifest and sets_of(manifest, word)}
    ranked = sorted(found, key=lambda word: (word not in printed, -len(word), word))
    best = sorted(ranked[:shown], key=lambda word: (-len(word), word not in printed, word))
    if not best:
        return wrap_parts((Span(f"{head}: ", "title"),), [(Span("nothing"),)], style.width)
    rows = wrap_parts((Span(f"{head}:", "title"),), [], style.width)
    by_length: dict[int, list[str]] = {}
    for word in best:
        on = " (on your manifest)" if style.is_linear else "*"
        by_length.setdefault(len(word), []).append(word + on if word in printed else word)
    for length, words in by_length.items():
        label = f"{length} letters: " if style.is_linear else f"  {length}: "
        rows += wrap_words((Span(label, "dim"),), words, style.width)
    if left := ranked[shown:]:
        most = f"of {len(left[0])} letters at most, none on your manifest"
        rows += _sentence_rows(f"And {len(left)} more, {most}.", style)
    return rows


# -- the own manifest ------------------------------------------------------------------------------


def _manifest(view: View, style: Style) -> list[StyledLine]:
    if view.seat is None or view.manifest is None or view.indicator is None:
        return _sentence_rows("You are watching, and have no manifest.", style)
    points = ", ".join([f"{each.length} letters {each.points}" for each in view.box.points])
    rows = wrap_parts(
        (Span("Your manifest. ", "title"),), [(Span(f"Points: {points}."),)], style.width
    )
    mine, exposed = own_words(view, view.seat), own_exposed_words(view, view.seat)
    hand = letter_cards(view.hand)
    for number, words in enumerate(view.manifest.sets, start=1):
        is_bonus = number == view.indicator.set
        bonus = f", your bonus, x{view.indicator.multiplier}" if is_bonus else ""
        head = (Span(f"Set {number}{bonus}: ", "title"),)
        facts = [_of_word(word, mine, exposed, hand) for word in words]
        if style.is_linear:
            rows += [row for fact in facts for row in wrap_parts(head, [fact], style.width)]
        else:
            rows += wrap_parts(head, facts, style.width, "; ")
    return rows


def _of_word(
    word: str, mine: Sequence[WordView], exposed: Sequence[WordView], hand: Sequence[str]
) -> StyledLine:
    """Where it lies; or how it could be laid; or which letters are missing for it."""
    if lying := [it for it in mine if it.spelling == word]:
        numbers = [f"word {it.number}{', locked' if it.is_locked else ''}" for it in lying]
        return styled_line(laid_word_span(word), f" on the table ({' and '.join(numbers)})")
    if is_within(word, hand):
        return styled_line(word_span(word), " in your hand")
    letters = "".join(hand)
    for taken in exposed:
        if is_within(word, letters + taken.spelling):
            return styled_line(word_span(word), f" possible with {taken.spelling} taken up")
    missing = missing_letters(word, letters + "".join([it.spelling for it in exposed]))
    if not missing:
        return styled_line(word_span(word), " possible with several words taken up")
    return styled_line(word, f" needs {' '.join(missing)}")


# -- the manifests that everybody knows ------------------------------------------------------------


def _cards(
    rest: Sequence[str], view: View, seen_events: Sequence[Event], style: Style
) -> list[StyledLine]:
    """All of them, as far as there is room; or one by its number.  [WR-10]"""
    cards = known_manifests(view, seen_events)
    asked = rest[1:] if rest[:1] in (["manifests"], ["manifest"]) else rest
    if not cards:
        secret = "The manifests of this game are secret until a round is scored."
        return _sentence_rows(f"No card has been turned up yet. {secret}", style)
    where = "turned up in this game" if view.settings.has_fresh else "in the box"
    return cards_text.manifest_list(cards, asked, where, "cards", style)


def _card(
    rest: Sequence[str], view: View, seen: Sequence[Event], names: SeatNames, style: Style
) -> list[StyledLine]:
    letter = find_card(rest, cards_text.named_letters(view.box))
    rows = cards_text.sentences(cards_text.about_card(view.box, letter), style)
    count = counted(view, seen)
    if letter == END_OF_ROUND:
        return rows + _sentence_rows(f"{count.ends} of {count.end_copies} unseen.", style)
    (it,) = [it for it in count.letters if it.letter == letter]
    rows += _sentence_rows(f"{it.unseen} of {it.copies} unseen.", style)
    return rows + _held_rows([h for h in count.held if letter in h.letters], view, names, style)


# -- what was seen ---------------------------------------------------------------------------------


def _count(count: Count, view: View, names: SeatNames, style: Style) -> list[StyledLine]:
    if style.is_linear:
        rows = _sentence_rows("Letters that you have not seen in this round.", style)
        rows += [row for it in count.letters
                 for row in _sentence_rows(f"{it.letter}: {it.unseen} of {it.copies}.", style)
                 ]  # fmt: skip
    else:
        rows = _sentence_rows("Not seen in this round, of all in the box:", style)
        grid = [f"{it.letter} {it.unseen}/{it.copies}" for it in count.letters]
        rows += wrap_words((Span("  "),), grid, style.width, "  ")
    hands = "hands" if view.seat is None else "other hands"
    places = f"{count.pile} in the draw pile, {count.hands} in {hands}"
    rows += _sentence_rows(texts.UNSEEN.format(quantity(count.unseen, "letter"), places), style)
    return rows + _held_rows(count.held, view, names, style)


def _held_rows(
    held: Sequence[HeldLetters], view: View, names: SeatNames, style: Style
) -> list[StyledLine]:
    rows: list[StyledLine] = []
    for each in held:
        first, *others = each.seats
        people = [
            subject(first, view.seat, names),
            *[object_name(o, view.seat, names) for o in others],
        ]
        known = "are known to hold between them" if others else "is known to hold"
        fact = Span(f" {known} {' '.join(each.letters)}.")
        rows += wrap_parts((), [(*join_spans(people), fact)], style.width)
    return rows


def _discards(
    record: LetterKnowledge, view: View, names: SeatNames, style: Style
) -> list[StyledLine]:
    between = ", " if style.is_linear else " "
    head = styled_line(("Discard pile, top first: ", "title"))
    if len(record.discards) != view.discards:
        rows = _sentence_rows(f"The discard pile has {quantity(view.discards, 'letter')};"
                     " you have not heard of all of them.", style)  # fmt: skip
    elif record.discards:
        lying = [(Span(letter),) for letter in reversed(record.discards)]
        rows = wrap_parts(head, lying, style.width, between)
    else:
        rows = wrap_parts(head, [(Span("empty"),)], style.width)
    if record.initial_discards:
        rows += _sentence_rows(
            f"There from the beginning: {between.join(record.initial_discards)}.", style
        )
    for seat in range(len(view.seats)):
        for is_taken, verb in ((False, "put there"), (True, "took")):
            letters = [(Span(move.letter),) for move in record.discard_moves
                       if move.seat == seat and move.is_taken == is_taken]  # fmt: skip
            if letters:
                head = styled_line(subject(Seat(seat), view.seat, names), f" {verb}: ")
                rows += wrap_parts(head, letters, style.width, between)
    return rows


def _score(view: View, names: SeatNames, style: Style) -> list[StyledLine]:
    if not view.last:
        return _sentence_rows("No round has been scored yet.", style)
    number = view.round if view.ended else view.round - 1
    rows = wrap_parts((), [(Span(f"Round {number} was:", "title"),)], style.width)
    rows += render.score_lines(view.last, view.seat, names, style)
    return rows + render.revealed_manifest_lines(view.last, view.seat, names, style)
