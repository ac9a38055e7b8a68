"""A new password: asked for twice, shown never.

Rule 1: an empty line goes back; nothing is changed until both answers are the same.
Rule 2: what is typed is in no sentence, no history and no completion.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from mudserver.errors import HouseError


class Asker(Protocol):
    def say(self, *sentences: str) -> None: ...
    def ask(self, prompt: str, *, is_secret: bool = False) -> None: ...


class NewPassword:
    """One dialogue.

    Args:
        check: Raises HouseError for a password nobody should have.
        keep: Takes the password when it was typed twice; says what became of it.
        back: Called for an empty line: somebody thought better of it.
    """

    def __init__(
        self,
        asker: Asker,
        check: Callable[[str], None],
        keep: Callable[[str], Awaitable[None]],
        back: Callable[[], None],
    ) -> None:
        self._asker, self._check, self._keep, self._back = asker, check, keep, back
        self._first = ""
        self._ask_first()

    def _ask_first(self, *sentences: str) -> None:
        self._first = ""
        self._asker.say(*sentences)
        self._asker.ask("Choose a password: ", is_secret=True)

    def hear(self, line: str) -> Awaitable[None] | None:
        """One line; awaitable while the password is being hashed and written."""
        if not line:
            self._back()
        elif self._first:
            return self._hear_again(line)
        else:
            self._hear_first(line)
        return None

    def _hear_first(self, line: str) -> None:
        try:
            self._check(line)
        except HouseError as exc:
            self._ask_first(str(exc))
            return
        self._first = line
        self._asker.ask("Again: ", is_secret=True)

    def _hear_again(self, line: str) -> Awaitable[None] | None:
        if line != self._first:
            self._ask_first("The two passwords differ. Type the same one twice.")
            return None
        self._asker.ask("", is_secret=True)  # no prompt while we think
        return self._keep(line)
