"""The options of an offer to play, as somebody types and reads them.  Pure.

Rule 1: an offer is for everybody here: options that keep people out, but for guests and programs,
        contradict it.
Rule 2: the line of an offer says what differs from the preset, and reads back as the same options.
"""

from __future__ import annotations

from typing import NamedTuple

from mudserver.accounts.person import Person
from mudserver.errors import UserError
from mudserver.lobby.seek import LINE_CHARS_MAX
from mudserver.service import seek_texts as texts
from mudserver.service.texts import RATED_NEEDS_ACCOUNT
from mudserver.tables.options import TableOptions, parse_typed_options
from mudserver.tables.presets import STANDARD, read_open_line
from mudserver.tables.texts import GUESTS_OPEN_TO_ALL, GUESTS_PLAY_LIVE
from variants.catalogue import AnyVariant

RATED = {"rated": "on", "who": "accounts"}


class SeekOptions(NamedTuple):
    typed: dict[str, str]  # as `open` takes them
    options: TableOptions

    @property
    def is_slow(self) -> bool:
        return self.options.is_correspondence

    @property
    def is_rated(self) -> bool:
        return self.options.rated == "on"


def read_match_line(variant: AnyVariant, text: str) -> SeekOptions:
    """What stands behind `match NAME GAME`.  UserError: it does not fit."""
    typed = _read(variant, text)
    if typed.setdefault("who", "invited") != "invited":
        raise UserError(texts.MATCH_IS_INVITED, "usage")
    return SeekOptions(typed, parse_typed_options(variant, typed))


def read_seek_line(variant: AnyVariant, text: str, *, is_program: bool = False) -> SeekOptions:
    """What stands behind `seek GAME`: `short rated target=150`.

    Args:
        is_program: A program offers it.

    Raises:
        UserError: It does not fit, or contradicts an offer to everybody here.
    """
    typed = _read(variant, text)
    if typed.get("rated") == "on":
        typed.setdefault("who", "accounts")
    if is_program and typed.setdefault("programs", "on") == "off":
        raise UserError(texts.NO_PROGRAM_SEEKS, "usage")
    options = parse_typed_options(variant, typed)
    if options.who == "invited" or options.code_hash:
        raise UserError(texts.FOR_EVERYBODY, "usage")
    return SeekOptions(typed, options)


def line_of(variant: AnyVariant, read: SeekOptions) -> str:
    """The shortest line of the same options [rule 2].  UserError: it is too long."""
    typed = read.typed
    preset = typed.get("preset", STANDARD.name)
    named = {"preset": preset} | {name: typed[name] for name in ("move",) if name in typed}
    usual = parse_typed_options(variant, named | (RATED if read.is_rated else {}))
    known = usual.assignments()
    words = [] if preset == STANDARD.name else [preset]
    words += ["rated"] if read.is_rated else []
    words += [f"move={typed['move']}"] if "move" in typed else []
    others = (word for word in read.options.assignments() if word not in known)
    words += [word for word in others if not word.startswith("preset=")]
    line = " ".join(words)
    if len(line) > LINE_CHARS_MAX:
        raise UserError(texts.TOO_LONG, "usage")
    return line


def check_guest(person: Person, options: TableOptions) -> None:
    """UserError: a guest offers or opens no such game."""
    if not person.is_guest:
        return
    if options.rated == "on":
        raise UserError(RATED_NEEDS_ACCOUNT)
    if options.is_correspondence:
        raise UserError(GUESTS_PLAY_LIVE)
    if options.who != "anyone":
        raise UserError(GUESTS_OPEN_TO_ALL)


def check_takes(number: int, options: TableOptions, person: Person, *, is_program: bool) -> None:
    """UserError: the offer is for others.

    Args:
        number: Of the offer.
        is_program: The person who takes it is a program.
    """
    if person.is_guest and (options.who == "accounts" or options.rated == "on"):
        raise UserError(texts.FOR_REGISTERED.format(number))
    if is_program and options.programs == "off":
        raise UserError(texts.TAKES_NO_PROGRAMS.format(number))


def _read(variant: AnyVariant, text: str) -> dict[str, str]:
    words = text.lower().split()
    return read_open_line(variant, " ".join("rated=on" if it == "rated" else it for it in words))
