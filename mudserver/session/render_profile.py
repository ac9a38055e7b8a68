"""Settles preferences and terminal capabilities into one render profile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import msgspec

from mudserver.accounts.prompt import fill_template
from mudserver.clock import format_time_in_zone
from mudserver.data_account import Display, TerminalData
from mudserver.messages import Page
from mudserver.protocols import PROTOCOLS, ProtocolName
from mudserver.session import texts
from mudserver.session.terminal_title import takes_title
from mudserver.transport.link import Terminal
from mudserver.ui.screen import INPUT_CELLS_MIN
from mudserver.ui.terminal_profile import DisplayPreferences, TerminalProfile, profile_of
from mudserver.ui.width import cell_width
from variants.kit.text import Style

PreferenceLookup = Callable[[str], str]
SuitStyle = Literal["symbols", "letters"]


@dataclass(frozen=True, slots=True)
class RenderProfile:
    """How one person reads: everything that the rendering of a message depends on."""

    style: Style
    terminal_profile: TerminalProfile
    time_zone: str = ""  # of the timestamps before chat and events; "": no timestamps


def display_preferences(preference: PreferenceLookup) -> DisplayPreferences:
    """The person's preferences; None or the default stands for `auto`."""
    width, colour, charset = preference("width"), preference("colour"), preference("charset")
    return msgspec.convert(
        {
            "cols": None if width == "auto" else int(width),
            "colours": None if colour == "auto" else colour,
            "charset": None if charset == "auto" else charset,
            "theme": preference("theme"),
            "has_bell": preference("bell") != "off",
            "is_linear": preference("screenreader") == "on",
        },
        DisplayPreferences,
    )


def render_profile(
    terminal: Terminal,
    preference: PreferenceLookup,
    display: DisplayPreferences | None = None,
) -> RenderProfile:
    """Args: display: Those of *preference*; None: not known yet."""
    display = display or display_preferences(preference)
    terminal_profile, is_linear = profile_of(terminal, display), display.is_linear
    suits = preference("suits")
    # Either the symbol or the letter: both together read as two suits.
    has_symbols = suits != "letters" and terminal_profile.charset == "utf-8" and not is_linear
    zone = preference("timezone") if preference("timestamps") == "on" else ""
    suit_style: SuitStyle = "symbols" if has_symbols else "letters"
    return _interned_profile(terminal_profile, suit_style, is_linear, zone)


@lru_cache(1_024)
def _interned_profile(
    terminal_profile: TerminalProfile,
    suits: SuitStyle,
    is_linear: bool,
    zone: str,
    has_boxes: bool = False,
    is_short: bool = False,
    has_forms: bool = True,
) -> RenderProfile:
    """One object for all equal profiles, so that they are compared by identity."""
    style = Style(terminal_profile.cols, suits, is_linear, has_forms, has_boxes, is_short)
    return RenderProfile(style, terminal_profile, zone)


def with_columns(
    profile: RenderProfile, cols: int, *, has_boxes: bool = False, is_short: bool = False
) -> RenderProfile:
    """The same profile with another width, as a pane has it.

    Args:
        has_boxes: The pane shows cards as boxes.
        is_short: It has few rows.
    """
    style = profile.style
    if (cols, has_boxes, is_short) == (style.width, style.has_boxes, style.is_short):
        return profile
    return _interned_profile(
        replace(profile.terminal_profile, cols=cols),
        style.suits,
        style.is_linear,
        profile.time_zone,
        has_boxes,
        is_short,
    )


def without_forms(profile: RenderProfile) -> RenderProfile:
    """The same profile for who knows the kinds of moves."""
    style = profile.style
    return _interned_profile(
        profile.terminal_profile, style.suits, style.is_linear, profile.time_zone, has_forms=False
    )


def page_rows(terminal: Terminal, preference: PreferenceLookup) -> int:
    """Rows of a page that fit above the prompt; 0: pages do not stop."""
    height = preference("height")
    rows = terminal.rows if height == "auto" else int(height)
    return max(0, rows - 1) if is_pager_on(terminal, preference) else 0


def is_pager_on(terminal: Terminal, preference: PreferenceLookup) -> bool:
    """By default: on where the terminal sends single keys, off for screen readers."""
    pager = preference("pager")
    if pager == "auto":
        return terminal.is_character_mode and preference("screenreader") != "on"
    return pager == "on"


def resolve_auto(
    key: str, terminal: Terminal, profile: RenderProfile, preference: PreferenceLookup
) -> str:
    """The value that `auto` stands for at this terminal."""
    match key:
        case "width":
            return str(profile.terminal_profile.cols)
        case "height":
            return str(terminal.rows)
        case "colour":
            return profile.terminal_profile.colours
        case "charset":
            return profile.terminal_profile.charset
        case "suits":
            return profile.style.suits
        case "pager":
            return "on" if is_pager_on(terminal, preference) else "off"
        case "title":
            return "on" if takes_title(terminal) and not profile.style.is_linear else "off"
        case "screenreader":
            return "on" if profile.style.is_linear else "off"
    return preference(key)


def fit_prompt(
    preference: PreferenceLookup,
    terminal_profile: TerminalProfile,
    place: str,
    turn: str,
    now_ms: int,
) -> str:
    """The prompt, the longest that fits the row: what stands in brackets behind the place is left
    out first, then the person's template."""
    template = preference("prompt")
    time = format_time_in_zone(now_ms, preference("timezone")) if "{time}" in template else ""
    text = fill_template(template, place, turn, time)
    if not fits_row(terminal_profile, text):
        text = fill_template(template, place.partition(" (")[0], turn, time)
    if not fits_row(terminal_profile, text):
        return fill_template("short", place, turn, "")
    return text


def fits_row(terminal_profile: TerminalProfile, prompt: str) -> bool:
    """Whether the prompt leaves some cells of its row for what is typed."""
    return cell_width(prompt) <= terminal_profile.cols - 1 - INPUT_CELLS_MIN


def describe_terminal(protocol: ProtocolName, terminal: Terminal, profile: RenderProfile) -> Page:
    """The answer to the command `terminal`."""
    display, style, connection = profile.terminal_profile, profile.style, PROTOCOLS[protocol].title
    ways = "single keys" if terminal.is_character_mode else "whole lines"
    rows = (
        f"connection: {connection}, {ways}",
        f"name: {terminal.name}",
        f"size: {terminal.cols} columns, {terminal.rows} rows; text takes {display.cols}",
        f"it says: colours {terminal.colours}, charset {terminal.charset}",
        f"colours: {display.colours}; charset: {display.charset}; suits: {style.suits}",
        f"theme: {display.theme}",
        f"screen reader: {'on' if style.is_linear else 'off'}",
    )
    shown = Display(
        *(terminal.name, terminal.cols, terminal.rows, terminal.is_character_mode),
        *(display.colours, display.charset, display.theme, style.is_linear),
    )
    return Page(texts.YOUR_TERMINAL, rows, data=TerminalData(connection, shown))
