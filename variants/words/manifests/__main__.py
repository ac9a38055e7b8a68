"""The command that makes manifests: `python -m variants.words.manifests [N] ...`, see --help.

Rule 1: the same number, seed, level, box and list make the same cards.
Rule 2: a file is written whole, or the reason is said and the exit status is 2.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pkgutil import get_data

from variants.contract import InvalidData
from variants.kit.text import join_words
from variants.words.data.box import Box, Manifest, parse_box
from variants.words.lexicon.word_list import parse_word_list
from variants.words.manifests.maker import LEVEL, LEVELS, Maker
from variants.words.manifests.page_formats import as_pdf, as_svg, as_text

CARDS_MAX = 1000
BYTES_MAX = 16 * 1024 * 1024  # of a file that is read
PREFIX_MAX = 8  # characters


def main(argv: Sequence[str]) -> int:
    """Make the cards and write them as asked.

    Returns:
        The exit status: 0, or 2 if something cannot be read, made or written.
    """
    asked = _options().parse_args(argv)
    try:
        box = _box(asked.box)
        lexicon, _ = parse_word_list(_data(asked.list, "words.tsv.gz"))
        deck = Maker(lexicon, box, asked.level).deck(asked.seed, asked.number)
        cards = [Manifest(asked.id + card.id.removeprefix("X"), card.sets) for card in deck]
        print(_written(asked, cards, box))
    except InvalidData as bad:
        print(bad, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error.filename or 'The output'}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


def as_json(cards: Sequence[Manifest]) -> str:
    """The list `manifests` of a box file, one set a line."""
    rows = [
        f' {{"id": "{card.id}", "sets": [\n  '
        + ",\n  ".join(json.dumps(words) for words in card.sets)
        + "\n ]}"
        for card in cards
    ]
    return "[\n" + ",\n".join(rows) + "\n]\n"


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m variants.words.manifests",
        description="Make manifests for LockDown, the word game: fair, and as many as wanted.",
    )
    parser.add_argument("number", nargs="?", type=_number, default=1, help="of cards (1)")
    parser.add_argument("--seed", type=int, default=1, help="another one makes other cards (1)")
    parser.add_argument("--level", type=int, default=LEVEL, metavar="L")
    parser.add_argument("--id", type=_prefix, default="X", help="what the cards are called (X)")
    parser.add_argument("--box", metavar="FILE", help="letters and points; else the shipped box")
    parser.add_argument("--list", metavar="FILE", help="a word list; else the shipped one")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--text", action="store_true", help="print them here (the default)")
    form.add_argument("--svg", metavar="DIR", help="a picture each into a directory that is there")
    form.add_argument("--pdf", metavar="FILE", help="a page each")
    form.add_argument("--json", metavar="FILE", help="for the list `manifests` of a box file")
    parser.epilog = (
        f"Words of cards have a level up to L: {join_words([*map(str, LEVELS)], 'or')}; {LEVEL}"
        " unless told."
    )
    return parser


def _number(text: str) -> int:
    if text.isdecimal() and text.isascii() and 1 <= int(text[:9]) <= CARDS_MAX:
        return int(text)
    raise argparse.ArgumentTypeError(f"1 to {CARDS_MAX} cards")


def _prefix(text: str) -> str:
    if text.isascii() and text.isalnum() and len(text) <= PREFIX_MAX:
        return text
    raise argparse.ArgumentTypeError(f"1 to {PREFIX_MAX} letters and digits")


def _written(asked: argparse.Namespace, cards: Sequence[Manifest], box: Box) -> str:
    """Write the files; what is said about it, or the cards themselves."""
    note = f"Made from the seed {asked.seed}."
    if asked.svg is not None:
        for card in cards:
            _write(f"{asked.svg}/{card.id}.svg", as_svg(card, box, note).encode())
        return f"{asked.svg}: pictures of {len(cards)}"
    if asked.pdf is not None:
        _write(asked.pdf, as_pdf(cards, box, note))
        return f"{asked.pdf}: pages: {len(cards)}"
    if asked.json is not None:
        _write(asked.json, as_json(cards).encode())
        return f"{asked.json}: cards: {len(cards)}"
    return "\n\n".join("\n".join(as_text(card, box)) for card in cards)


def _box(path: str | None) -> Box:
    try:
        return parse_box(_data(path, "box.json").decode("utf-8"))
    except UnicodeDecodeError:
        raise InvalidData(f"{path}: it is no UTF-8 text") from None


def _data(path: str | None, shipped: str) -> bytes:
    if path is None:
        data = get_data("variants.words", f"data/{shipped}")
        assert data, f"{shipped} is not shipped"
        return data
    with open(path, "rb") as file:
        data = file.read(BYTES_MAX + 1)
    if len(data) > BYTES_MAX:
        raise InvalidData(f"{path} is longer than {BYTES_MAX:,} bytes")
    return data


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
