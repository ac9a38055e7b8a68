"""How games by correspondence call a person at a terminal, as the preference `alert` says.

Rule 1: a screen reader is sent no sequence, and a terminal that cannot erase none either.
Rule 2: what a sequence carries is made of the server's own words.  (`ui/ansi.py`, rule 2)
"""

from __future__ import annotations

from collections.abc import Callable

from mudserver.accounts.person import Person
from mudserver.service.own_games import OwnGames
from mudserver.session.terminal_title import takes_title
from mudserver.transport.link import Link
from mudserver.ui import ansi


class Alerts:
    """Args: preference: The value in force, by key."""

    __slots__ = ("_link", "_preference")

    def __init__(self, link: Link, preference: Callable[[str], str]) -> None:
        self._link, self._preference = link, preference

    def call(self, text: str, ring_bell: Callable[[], None]) -> None:
        """Args: text: of a `CallNotice`, for the desktop."""
        if self._has("bell"):
            ring_bell()
        if self._has("osc9") and self._link.terminal.is_ansi and not self._is_linear:
            self._link.send(ansi.desktop_notice(text))

    def moves(self, own_games: OwnGames, person: Person | None, *, is_turn: bool) -> int:
        """How many games wait for a move of the person; 0, too, where the title does not say so.

        Args:
            is_turn: One of them is where the person is.
        """
        return own_games.waiting_elsewhere(person) + is_turn if self._counts else 0

    @property
    def _counts(self) -> bool:
        is_taken = takes_title(self._link.terminal) and not self._is_linear
        return self._has("title") and (is_taken or self._preference("title") == "on")

    @property
    def _is_linear(self) -> bool:
        return self._preference("screenreader") == "on"

    def _has(self, way: str) -> bool:
        return way in self._preference("alert").split(",")
