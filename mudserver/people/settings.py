"""What people may set for themselves: every key, its values and what it does.

Rule 1: `auto` means: as the terminal says.  A default is `auto` or what suits most people.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from mudserver.errors import HouseError
from variants.kit.text import series


@dataclass(frozen=True, slots=True)
class Setting:
    default: str
    choices: tuple[str, ...]  # words; a number may be allowed besides
    help: str  # one line
    numbers: range = range(0)


SETTINGS: dict[str, Setting] = {
    "width": Setting("auto", ("auto",), "columns to write in: auto or 40 to 300", range(40, 301)),
    "colour": Setting("auto", ("auto", "off", "16", "256", "true"), "how many colours to use"),
    "suits": Setting(
        "auto", ("auto", "letters", "symbols"), "suits of cards as letters or as symbols"
    ),
    "charset": Setting("auto", ("auto", "utf-8", "ascii", "latin-1"), "what the terminal can show"),
    "bell": Setting("on", ("on", "off"), "ring when it is your turn"),
    "screenreader": Setting("auto", ("auto", "on", "off"), "plain lines, no columns"),
}
_OTHER_SPELLINGS = {"color": "colour", "colours": "colour", "colors": "colour", "cols": "width"}
_OTHER_VALUES = {"yes": "on", "no": "off", "none": "off", "utf8": "utf-8", "latin1": "latin-1"}


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
    setting, wanted = SETTINGS[key], value.casefold()
    wanted = wanted if wanted in setting.choices else _OTHER_VALUES.get(wanted, wanted)
    if wanted in setting.choices:
        return key, wanted
    numbers = setting.numbers
    # Not every row of digits is a number: ten thousand of them are refused unread.
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 10 and int(wanted) in numbers:
        return key, str(int(wanted))
    allowed = [*setting.choices]
    if numbers:
        allowed.append(f"a number from {numbers[0]} to {numbers[-1]}")
    choices = series(allowed, "or")
    raise HouseError(f'{key} cannot be "{value}". It can be {choices}.')
