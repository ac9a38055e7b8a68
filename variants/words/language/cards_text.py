"""`cards` and `card LETTER` without a game: the letters of the box."""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import ParseError
from variants.kit.card_names import find_card
from variants.kit.text import Span, Style, StyledLine, quantity
from variants.kit.wrap import wrap_parts, wrap_words
from variants.words.data.box import END_CARDS, END_OF_ROUND, Box, Manifest
from variants.words.language import render

CARDS_MAX = 20  # manifests that one answer lists
END_NAMES = ("end of round", "end")
ABOUT_END = "End of Round: it ends the round, if a word of your manifest lies exposed."
TYPE_END = "To play it, type: end round"
TYPE_LETTER = "To use it, type form and a word with it, add {0} to WORD, or discard {0}"
SEE_MANIFESTS = "cards manifests shows what everybody knows of the manifests."


def bonus_sentence(box: Box) -> str:
    facts = ", ".join(f"set {it.set} x{it.multiplier}" for it in box.indicators)
    return f"The bonuses, one for each player: {facts}."


def named_letters(box: Box) -> dict[str, str]:
    """Letters by what people call them, and End of Round."""
    letters = {entry.letter.lower(): entry.letter for entry in box.letters}
    return letters | dict.fromkeys(END_NAMES, END_OF_ROUND)


def about_card(box: Box, letter: str) -> list[str]:
    """What it is, how many there are, and what to type for it."""
    if letter == END_OF_ROUND:
        return [f"{ABOUT_END} The box has {END_CARDS}.", TYPE_END]
    (copies,) = [entry.number for entry in box.letters if entry.letter == letter]
    about = f"{letter}: a letter. The box has {copies}."
    return [about, TYPE_LETTER.format(letter.lower())]


def manifest_list(
    cards: Sequence[Manifest], asked: Sequence[str], where: str, typed: str, style: Style
) -> list[StyledLine]:
    """All of them, as far as there is room; or the one of the number that was *asked* for.
    *typed* and a number is what to type for it."""
    if asked:
        return _manifest_rows(_card_number(asked, len(cards)), cards, style)
    many = quantity(len(cards), "manifest")
    rows = sentences([f"There are {many} {where}. {typed} 2 shows one of them alone."], style)
    for number in range(1, min(len(cards), CARDS_MAX) + 1):
        rows += _manifest_rows(number, cards, style)
    if len(cards) > CARDS_MAX:
        rows += sentences([f"Not shown: {typed} {CARDS_MAX + 1} to {len(cards)}."], style)
    return rows


def _card_number(asked: Sequence[str], number: int) -> int:
    said = asked[0].lstrip("0")[:5] if len(asked) == 1 and asked[0].isascii() else ""
    if not said.isdigit() or int(said) > number:
        raise ParseError(
            f"The manifests here are 1 to {number}. Type cards manifests, or cards {number}."
        )
    return int(said)


def _manifest_rows(number: int, cards: Sequence[Manifest], style: Style) -> list[StyledLine]:
    sets = render.set_lines(cards[number - 1].sets, (0, 1), (), style)
    return render.manifest_lines((Span(f"Card {number}", "title"),), sets, style)


def printed(box: Box, line: str, style: Style) -> list[StyledLine]:
    verb, *words = line.split()
    if verb == "card" and words:
        return sentences(about_card(box, find_card(words, named_letters(box))), style)
    if words[:1] == ["manifests"]:
        return manifest_list(box.manifests, words[1:], "in the box", "cards words manifests", style)
    if words:
        raise ParseError("Type cards words, or cards words manifests.")
    grid = [f"{entry.letter} {entry.number}" for entry in box.letters]
    rows = sentences(["Letters in the box:"], style)
    rows += wrap_words((Span("  "),), grid, style.width, ", " if style.is_linear else "  ")
    return rows + sentences([bonus_sentence(box)], style)


def sentences(texts: list[str], style: Style) -> list[StyledLine]:
    return [row for text in texts for row in wrap_parts((), [(Span(text),)], style.width)]
