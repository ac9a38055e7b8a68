"""`manifest new`: fresh manifests for whoever wants some, as text, one page each.  [WR-10]

Rule 1: the same seed makes the same cards, here and with `python -m variants.words.manifests`.
Rule 2: a few at a time: who wants a whole deck, or pages to print, uses that command.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from variants.contract import BadData, Chance, Errand, NotUnderstood, Refusal
from variants.kit.rows import flow
from variants.kit.text import Line, Style, counted, line
from variants.words.box import Box
from variants.words.lexicon import Lexicon
from variants.words.manifests import maker
from variants.words.pages import as_text

CARDS_MAX = 5
SEEDS = 10**9  # numbers that are short enough to be typed again
SEED_DIGITS_MAX = 18
USAGE = "manifest new [N] [seed=NUMBER]"
HELP = f"fresh manifests for a game of words, up to {CARDS_MAX}; a seed makes the same ones again"


def errands(lexicon: Lexicon, box: Box) -> tuple[Errand, ...]:
    """What this game does for anybody in the house."""

    def pages(text: str, style: Style, chance: Chance) -> Iterator[Sequence[Line]]:
        return made(lexicon, box, text, style, chance)

    return (Errand(USAGE, HELP, pages),)


def prepare(lexicon: Lexicon, box: Box) -> None:
    """Build the maker of manifests, which takes some tenths of a second."""
    with suppress(BadData):  # said to whoever asks for fresh ones
        maker(lexicon, box)


def made(
    lexicon: Lexicon, box: Box, text: str, style: Style, chance: Chance
) -> Iterator[Sequence[Line]]:
    """A page for each card, the last with the seed.

    Raises:
        NotUnderstood: What was typed is neither a number of cards nor a seed.
        Refusal: Of these letters and words no manifests can be made.
    """
    count, seed = _read(text)
    if seed is None:
        seed = chance.below(SEEDS)
    try:
        cards = maker(lexicon, box).deck(seed, count)
    except BadData as bad:
        raise Refusal("{}", str(bad)) from None
    again = f"To make {'it' if count == 1 else 'them'} again: manifest new {count} seed={seed}"
    for number, card in enumerate(cards, start=1):
        title, *rows = as_text(card, box)
        page = flow((), [line((title, "title"))], style.width)
        for row in rows:
            page += flow((), [line(row)], style.width)
        yield page if number < count else page + flow((), [line((again, "dim"))], style.width)


def _read(text: str) -> tuple[int, int | None]:
    """How many cards, and from which seed."""
    count, seed = None, None
    for word in text.lower().split():
        name, equals, value = word.rpartition("=")
        number = int(value) if _is_number(value) else None
        if equals and name == "seed" and number is not None and seed is None:
            seed = number
        elif not equals and number is not None and count is None:
            count = number
        else:
            raise NotUnderstood("{} is not understood here. Type " + USAGE + ".", word)
    if count is not None and not 1 <= count <= CARDS_MAX:
        made_at_a_time = counted(CARDS_MAX, "manifest")
        raise NotUnderstood(f"{made_at_a_time} at most are made at a time, and at least one.")
    return count or 1, seed


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= SEED_DIGITS_MAX
