"""The preferences of people: every key, its values and its help.

Rule 1: `auto` follows the terminal.  A default is `auto` or what suits most people.
Rule 2: `default` is a value of every key; it removes the own value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from mudserver.accounts import texts, time_zones
from mudserver.accounts.names import COMPUTER_NAMES
from mudserver.accounts.prompt import check_template
from mudserver.errors import UserError
from variants.kit.text import join_words

DEFAULT_VALUE = "default"


ALERTS = ("bell", "title", "osc9")  # ways to call somebody


def check_alert(text: str) -> str:
    """Several ways, as they are stored: `bell,title`.  UserError: there is no such way."""
    typed = text.casefold().replace(",", " ").split()
    if not typed or not set(typed) <= {*ALERTS}:
        choices = join_words([*ALERTS, "bell,title", "off"], "or")
        raise UserError(texts.SETTING_VALUE.format("alert", text, choices), "usage")
    return ",".join([way for way in ALERTS if way in typed])


@dataclass(frozen=True, slots=True)
class Preference:
    default: str
    choices: tuple[str, ...]  # words; a number or a text may be allowed, too
    help: str  # one line
    numbers: range = range(0)
    check: Callable[[str], str] | None = None  # of a text; UserError says what is wrong
    completions: Callable[[], Iterable[str]] = tuple  # texts to complete


PREFERENCES: dict[str, Preference] = {
    "width": Preference(
        "auto", ("auto",), "columns to write in: auto or 40 to 300", range(40, 301)
    ),
    "height": Preference(
        "auto", ("auto", "0"), "rows of a page: auto or 5 to 100, 0 never stops", range(5, 101)
    ),
    "colour": Preference("auto", ("auto", "off", "16", "256", "true"), "how many colours to use"),
    "theme": Preference(
        "default", ("default", "high-contrast", "mono", "colour-blind"), "which colours to use"
    ),
    "charset": Preference(
        "auto", ("auto", "utf-8", "ascii", "latin-1", "cp437"), "what the terminal can show"
    ),
    "suits": Preference(
        "auto", ("auto", "letters", "symbols"), "suits as letters, or symbols beside them"
    ),
    "bell": Preference("on", ("on", "off"), "ring when it is your turn"),
    "alert": Preference(
        "bell",
        ("bell", "title", "osc9", "off"),
        "how games by correspondence call you: bell, title, osc9, several of them, or off",
        check=check_alert,
    ),
    "warnings": Preference(
        "on", ("on", "bell", "off"), "say when your time runs out: 30 s and 10 s, or a bell"
    ),
    "title": Preference(
        "auto", ("auto", "on", "off"), "say in the window's title whether it is your turn"
    ),
    "help": Preference(
        "auto", ("auto", "on", "off"), "list what you can do at your turn: auto for ten games"
    ),
    "pager": Preference("auto", ("auto", "on", "off"), "pause long pages"),
    "timestamps": Preference("off", ("off", "on"), "the time before talk and events"),
    "timezone": Preference(
        time_zones.UTC,
        (),
        "where your clock is, such as Europe/Berlin",
        check=time_zones.check_zone,
        completions=time_zones.zone_names,
    ),
    "prompt": Preference(
        "full",
        ("short", "full"),
        "the prompt: short, full, or your own with {table} {turn} {time}",
        check=check_template,
    ),
    "screen": Preference(
        "off", ("off", "on"), "panes that stay, in place of lines that scroll away"
    ),
    "autopass": Preference(
        "off", ("on", "off"), "pass automatically when you are asked to respond"
    ),
    "mail": Preference("all", ("all", "friends", "off"), "who can leave messages for you"),
    "notices": Preference(
        "all", ("all", "friends", "off"), "of whose coming and going you are told"
    ),
    "kibitz": Preference("on", ("on", "off"), "hear remarks of watchers during your game"),
    "mentions": Preference("off", ("off", "bell"), "ring when somebody says your name"),
    "scrollback": Preference("10", ("0",), "earlier lines that you are shown: 0 to 50", range(51)),
    "lastseen": Preference("on", ("on", "off"), "finger says on which day you were here last"),
    "results": Preference(
        "public", ("public", "friends", "off"), "who sees your games, and your numbers in them"
    ),
    "invitations": Preference("all", ("all", "friends", "off"), "who can invite you to a table"),
    "computers": Preference(
        "auto",
        ("auto", *COMPUTER_NAMES),  # a game has some of the levels
        "the computer players that play seats with you: auto is the level that fits you",
    ),
    "short": Preference(
        "off", ("off", "on"), "one letter for a move where it begins one kind only: d for draw"
    ),
    "attach": Preference(
        "always", ("always", "ask"), "take up your session from another terminal when you log in"
    ),
    "screenreader": Preference("auto", ("auto", "on", "off"), "plain lines, no columns"),
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


def check_preference_name(key: str) -> str:
    """The full name of a key.  UserError: there is none, and which there are."""
    wanted = key.casefold()
    wanted = _OTHER_SPELLINGS.get(wanted, wanted)
    if wanted in PREFERENCES:
        return wanted
    begun = [name for name in PREFERENCES if wanted and name.startswith(wanted)]
    if len(begun) == 1:
        return begun[0]
    close = begun or get_close_matches(wanted, PREFERENCES, 1)
    hint = (
        f"Did you mean {join_words(close, 'or')}?"
        if close
        else f"There are {', '.join(PREFERENCES)}."
    )
    raise UserError(texts.SETTING_UNKNOWN.format(key, hint), "not_found")


def check_preference(key: str, value: str) -> tuple[str, str]:
    """Key and value as they are stored.  UserError: wrong, and what would be right."""
    key = check_preference_name(key)
    setting, wanted = PREFERENCES[key], "-".join(value.casefold().split())
    if wanted == DEFAULT_VALUE or wanted in setting.choices:
        return key, wanted
    if _OTHER_VALUES.get(wanted) in setting.choices:
        return key, _OTHER_VALUES[wanted]
    numbers = setting.numbers
    # Ten thousand digits are refused without a conversion.
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 10 and int(wanted) in numbers:
        return key, str(int(wanted))
    if setting.check is not None:
        return key, setting.check(value)
    allowed = [*setting.choices]
    if numbers:
        allowed.append(f"a number from {numbers[0]} to {numbers[-1]}")
    choices = join_words(allowed, "or")
    raise UserError(texts.SETTING_VALUE.format(key, value, choices), "usage")


def value_completions(key: str) -> Iterable[str]:
    """The values that Tab offers."""
    setting = PREFERENCES.get(key)
    return () if setting is None else (*setting.choices, *setting.completions(), DEFAULT_VALUE)
