"""Terminal capabilities and display preferences, combined into a terminal profile.

Rule 1: a profile is hashable and all that encoding depends on, so that a message is encoded once
        per profile.
Rule 2: a person's preferences override what the terminal reports, except that a row is never longer
        than the terminal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

Colours = Literal["off", "16", "256", "true"]
Charset = Literal["utf-8", "ascii", "latin-1", "cp437"]


class TerminalCapabilities(Protocol):
    """What this package needs of a terminal; `transport.link.Terminal` has all of it."""

    @property
    def cols(self) -> int: ...
    @property
    def is_ansi(self) -> bool: ...
    @property
    def is_character_mode(self) -> bool: ...
    @property
    def charset(self) -> Charset: ...
    @property
    def colours(self) -> Colours: ...


@dataclass(frozen=True, slots=True)
class DisplayPreferences:
    """A person's display preferences; None: as the terminal reports."""

    cols: int | None = None  # 40..300
    colours: Colours | None = None
    charset: Charset | None = None
    theme: str = "default"  # a key of `theme.THEMES`
    has_bell: bool = True
    is_linear: bool = False  # for screen readers: nothing shown is ever changed


@dataclass(frozen=True, slots=True)
class TerminalProfile:
    cols: int = 80  # cells
    colours: Colours = "off"
    charset: Charset = "utf-8"
    theme: str = "default"


def profile_of(terminal: TerminalCapabilities, preferences: DisplayPreferences) -> TerminalProfile:
    colours = preferences.colours or (terminal.colours if terminal.is_ansi else "off")
    return TerminalProfile(
        cols=min(preferences.cols or terminal.cols, terminal.cols),
        # For a screen reader colours mean nothing, so no sequence is sent.
        colours="off" if preferences.is_linear else colours,
        charset=preferences.charset or terminal.charset,
        theme=preferences.theme,
    )
