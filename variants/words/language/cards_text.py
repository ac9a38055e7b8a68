"""`cards` and `card LETTER` without a game: the letters of the box."""

from __future__ import annotations

from variants.contract import ParseError
from variants.kit.card_names import find_card
from variants.kit.text import Span, Style, StyledLine, quantity
from variants.kit.wrap import wrap_parts, wrap_words
from variants.words.data.box import END_CARDS, END_OF_ROUND, Box

END_NAMES = ("end of round", "end")
ABOUT_END = "End of Round: type end round at the end of your turn, with a word of yours exposed."


def bonus_sentence(box: Box) -> str:
    facts = ", ".join(f"set {it.set} x{it.multiplier}" for it in box.indicators)
    return f"The bonuses, one for each player: {facts}."


def named_letters(box: Box) -> dict[str, str]:
    """Letters by what people call them, and End of Round."""
    letters = {entry.letter.lower(): entry.letter for entry in box.letters}
    return letters | dict.fromkeys(END_NAMES, END_OF_ROUND)


def about_card(box: Box, letter: str) -> list[str]:
    if letter == END_OF_ROUND:
        return [ABOUT_END, f"There are {END_CARDS}."]
    (copies,) = [entry.number for entry in box.letters if entry.letter == letter]
    many = quantity(copies, "card")
    return [f"{letter}: a letter, {many} in the box. Lay it in a word, add it, or discard it."]


def printed(box: Box, line: str, style: Style) -> list[StyledLine]:
    verb, *words = line.split()
    if verb == "card" and words:
        return sentences(about_card(box, find_card(words, named_letters(box))), style)
    if words:
        raise ParseError("{} stands alone: type {}.", verb, verb)
    grid = [f"{entry.letter} {entry.number}" for entry in box.letters]
    rows = sentences(["Letters in the box:"], style)
    rows += wrap_words((Span("  "),), grid, style.width, ", " if style.is_linear else "  ")
    return rows + sentences([bonus_sentence(box)], style)


def sentences(texts: list[str], style: Style) -> list[StyledLine]:
    return [row for text in texts for row in wrap_parts((), [(Span(text),)], style.width)]
