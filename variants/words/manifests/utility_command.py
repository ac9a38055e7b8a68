"""`manifest new`: fresh manifests for whoever wants some, as text, one page each.  [WR-10]

Rule 1: the same seed makes the same cards, here and with `python -m variants.words.manifests`.
Rule 2: a few at a time: who wants a whole deck, or pages to print, uses that command.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from variants.contract import Chance, InvalidData, ParseError, Refusal, UtilityCommand
from variants.kit.text import Style, StyledLine, quantity, styled_line
from variants.kit.wrap import wrap_parts
from variants.words.data.box import Box
from variants.words.lexicon.lexicon import Lexicon
from variants.words.manifests.maker import EDITION, maker_for
from variants.words.manifests.page_formats import as_text

CARDS_MAX = 5
SEEDS = 10**9  # numbers that are short enough to be typed again
SEED_DIGITS_MAX = 18
USAGE = "manifest new [N] [seed=NUMBER]"
HELP = f"fresh manifests for a game of words, up to {CARDS_MAX}; a seed makes the same ones again"


def utility_commands(lexicon: Lexicon, box: Box) -> tuple[UtilityCommand, ...]:
    """What this game does for anybody on the server."""

    def pages(text: str, style: Style, chance: Chance) -> Iterator[Sequence[StyledLine]]:
        return make_pages(lexicon, box, text, style, chance)

    return (UtilityCommand(USAGE, HELP, pages),)


def prepare(lexicon: Lexicon, box: Box) -> None:
    """Build the maker of manifests, which takes some tenths of a second."""
    with suppress(InvalidData):  # said to whoever asks for fresh ones
        maker_for(lexicon, box)


def make_pages(
    lexicon: Lexicon, box: Box, text: str, style: Style, chance: Chance
) -> Iterator[Sequence[StyledLine]]:
    """A page for each card, the last with the seed.

    Raises:
        ParseError: What was typed is neither a number of cards nor a seed.
        Refusal: Of these letters and words no manifests can be made.
    """
    count, seed = _read(text)
    if seed is None:
        seed = chance.below(SEEDS)
    try:
        cards = maker_for(lexicon, box).deck(seed, count)
    except InvalidData as bad:
        raise Refusal("{}", str(bad)) from None
    them = "it" if count == 1 else "them"
    again = f"To make {them} again: manifest new {count} seed={seed} (edition {EDITION})"
    for number, card in enumerate(cards, start=1):
        title, *rows = as_text(card, box)
        page = wrap_parts((), [styled_line((title, "title"))], style.width)
        for row in rows:
            page += wrap_parts((), [styled_line(row)], style.width)
        yield (
            page
            if number < count
            else page + wrap_parts((), [styled_line((again, "dim"))], style.width)
        )


def _read(text: str) -> tuple[int, int | None]:
    """How many cards, and from which seed."""
    count, seed = None, None
    typed, mark, edition = text.lower().partition("(edition ")  # as the last page says it
    if mark and edition.rstrip(" )") != str(EDITION):
        raise ParseError(
            "{} is not made here: leave it out for edition " + f"{EDITION}.", mark + edition
        )
    for word in typed.split():
        name, equals, value = word.rpartition("=")
        number = int(value) if _is_number(value) else None
        if equals and name == "seed" and number is not None and seed is None:
            seed = number
        elif not equals and number is not None and count is None:
            count = number
        else:
            raise ParseError("{} is not understood here. Type " + USAGE + ".", word)
    if count is not None and not 1 <= count <= CARDS_MAX:
        made_at_a_time = quantity(CARDS_MAX, "manifest")
        raise ParseError(f"{made_at_a_time} at most are made at a time, and at least one.")
    return count or 1, seed


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= SEED_DIGITS_MAX
