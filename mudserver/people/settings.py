"""What people may set for themselves: every key, its values and what it does.

Rule 1: `auto` means: as the terminal says.  A default is `auto` or what suits most people.
Rule 2: `default` is a value of every key and means: none of my own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from mudserver.errors import HouseError
from mudserver.people import zones
from mudserver.people.template import check_template
from variants.kit.text import series

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Setting:
    default: str
    choices: tuple[str, ...]  # words; a number or a text may be allowed besides
    help: str  # one line
    numbers: range = range(0)
    check: Callable[[str], str] | None = None  # of a text; HouseError says what is wrong
    suggest: Callable[[], Iterable[str]] = tuple  # texts to complete


SETTINGS: dict[str, Setting] = {
    "width": Setting("auto", ("auto",), "columns to write in: auto or 40 to 300", range(40, 301)),
    "height": Setting(
        "auto", ("auto", "0"), "rows of a page: auto or 5 to 100, 0 never stops", range(5, 101)
    ),
    "colour": Setting("auto", ("auto", "off", "16", "256", "true"), "how many colours to use"),
    "theme": Setting(
        "default", ("default", "high-contrast", "mono", "colour-blind"), "which colours to use"
    ),
    "charset": Setting(
        "auto", ("auto", "utf-8", "ascii", "latin-1", "cp437"), "what the terminal can show"
    ),
    "suits": Setting(
        "auto", ("auto", "letters", "symbols"), "suits as letters, or symbols beside them"
    ),
    "bell": Setting("on", ("on", "off"), "ring when it is your turn"),
    "pager": Setting("auto", ("auto", "on", "off"), "stop where a page is longer than the screen"),
    "timestamps": Setting("off", ("off", "on"), "the time before talk and events"),
    "timezone": Setting(
        zones.UTC,
        (),
        "where your clock is, such as Europe/Berlin",
        check=zones.check_zone,
        suggest=zones.names,
    ),
    "prompt": Setting(
        "full",
        ("short", "full"),
        "what stands before your line; {table} {turn} {time} are fields",
        check=check_template,
    ),
    "screen": Setting("off", ("off", "on"), "panes that stay, in place of lines that scroll away"),
    "autopass": Setting(
        "off", ("on", "off"), "let your seat pass where a game only asks whether you react"
    ),
    "screenreader": Setting("auto", ("auto", "on", "off"), "plain lines, no columns"),
}
_OTHER_SPELLINGS = {
    "color": "colour",
    "colours": "colour",
    "colors": "colour",
    "cols": "width",
    "rows": "height",
    "time": "timestamps",
    "timestamp": "timestamps",
    "zone": "timezone",
    "tz": "timezone",
    "style": "theme",
    "encoding": "charset",
}
_OTHER_VALUES = {
    "yes": "on",
    "no": "off",
    "none": "off",
    "never": "0",
    "utf8": "utf-8",
    "latin1": "latin-1",
    "437": "cp437",
    "ibm437": "cp437",
    "truecolor": "true",
    "truecolour": "true",
    "24bit": "true",
    "monochrome": "mono",
    "contrast": "high-contrast",
    "highcontrast": "high-contrast",
    "colourblind": "colour-blind",
    "color-blind": "colour-blind",
    "colorblind": "colour-blind",
}


def check_key(key: str) -> str:
    """The setting's name, or HouseError with what there is."""
    wanted = key.casefold()
    wanted = _OTHER_SPELLINGS.get(wanted, wanted)
    if wanted in SETTINGS:
        return wanted
    begun = [name for name in SETTINGS if wanted and name.startswith(wanted)]
    if len(begun) == 1:
        return begun[0]
    close = begun or get_close_matches(wanted, SETTINGS, 1)
    hint = f"Did you mean {series(close, 'or')}?" if close else f"There are {', '.join(SETTINGS)}."
    raise HouseError(f'There is no setting "{key}". {hint}')


def check_setting(key: str, value: str) -> tuple[str, str]:
    """Key and value as they are stored, or HouseError with what would be right."""
    key = check_key(key)
    setting, wanted = SETTINGS[key], "-".join(value.casefold().split())
    if wanted == DEFAULT or wanted in setting.choices:
        return key, wanted
    if _OTHER_VALUES.get(wanted) in setting.choices:
        return key, _OTHER_VALUES[wanted]
    numbers = setting.numbers
    # Not every row of digits is a number: ten thousand of them are refused unread.
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 10 and int(wanted) in numbers:
        return key, str(int(wanted))
    if setting.check is not None:
        return key, setting.check(value)
    allowed = [*setting.choices]
    if numbers:
        allowed.append(f"a number from {numbers[0]} to {numbers[-1]}")
    choices = series(allowed, "or")
    raise HouseError(f'{key} cannot be "{value}". It can be {choices}.')


def suggested(key: str) -> Iterable[str]:
    """Values to complete."""
    setting = SETTINGS.get(key)
    return () if setting is None else (*setting.choices, *setting.suggest(), DEFAULT)
