"""The presets of a game: names for values of its options.

Rule 1: a preset is resolved when it is typed.  A table keeps the values, and the name for show, so
        that a later change of a preset changes no table.
Rule 2: values that are typed beside it win over it; then the table has no preset any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from mudserver.errors import UserError
from variants.catalogue import AnyVariant
from variants.contract import Preset
from variants.kit.text import join_words

STANDARD = Preset("standard", "everything as usual", 0)
ONE_PRESET = "Give one preset. You gave {}."
CUSTOM = "custom"
"""Shown of a table whose values are no preset's."""


def presets_of(variant: AnyVariant) -> Mapping[str, Preset]:
    """By name; `standard` first, which every game has."""
    return {preset.name: preset for preset in variant.presets or (STANDARD,)}


def read_open_line(variant: AnyVariant, text: str) -> dict[str, str]:
    """What stands behind `open GAME`: `short target=150` -> {"preset": "short", "target": "150"}.

    Raises:
        UserError: A word is neither a preset nor an option, or there are two presets.
    """
    known, found, options = presets_of(variant), list[str](), dict[str, str]()
    for word in text.split():
        name, equals, value = word.lower().partition("=")
        if name in known and not equals:
            found.append(name)
        elif not equals or not name or not value:
            raise UserError(_no_preset(variant, word), "usage")
        elif name in options:
            raise UserError(f"{name} is given twice. Give it once.", "usage")
        else:
            options[name] = value
    if "preset" in options:
        found.append(options["preset"])
    if len(found) > 1:
        raise UserError(ONE_PRESET.format(join_words(found)), "usage")
    return {"preset": found[0], **options} if found else options


def _no_preset(variant: AnyVariant, word: str) -> str:
    names = list(presets_of(variant))
    near = get_close_matches(word.lower(), names, 1)
    hint = f" Did you mean {near[0]}?" if near else ""
    option = variant.options[0] if variant.options else None
    sample = f"{option.name}={option.default}" if option else "seats=2"
    return (
        f'"{word}" is not a preset of {variant.name}, and not an option.{hint}'
        f" Presets: {', '.join(names)}. Options look like {sample}, with no spaces."
    )
