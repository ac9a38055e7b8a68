"""How one terminal is to be written to, and what its owner wishes.

Rule 1: a look is all that painting depends on, and hashable: one message is painted once per look.
Rule 2: what a person sets wins over what the terminal claims, except that a row is never longer
        than the terminal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

Colours = Literal["off", "16", "256", "true"]
Charset = Literal["utf-8", "ascii", "latin-1", "cp437"]


class TerminalCapabilities(Protocol):
    """What this room needs to know of the other end; the doors' own `Terminal` has all of it."""

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
class DisplaySettings:
    """What a person chose; None: as the terminal says."""

    cols: int | None = None  # 40..300
    colours: Colours | None = None
    charset: Charset | None = None
    theme: str = "default"  # a key of `theme.THEMES`
    has_bell: bool = True
    is_linear: bool = False  # a screen reader reads on: nothing shown is ever changed


@dataclass(frozen=True, slots=True)
class TerminalProfile:
    cols: int = 80  # cells
    colours: Colours = "off"
    charset: Charset = "utf-8"
    theme: str = "default"


def profile_of(terminal: TerminalCapabilities, settings: DisplaySettings) -> TerminalProfile:
    colours = settings.colours or (terminal.colours if terminal.is_ansi else "off")
    return TerminalProfile(
        cols=min(settings.cols or terminal.cols, terminal.cols),
        # Read aloud, a colour says nothing, and not one sequence is sent.
        colours="off" if settings.is_linear else colours,
        charset=settings.charset or terminal.charset,
        theme=settings.theme,
    )
