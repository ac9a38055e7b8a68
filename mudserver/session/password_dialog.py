"""The dialogs for a new password, which is asked twice, and for the present one.

Rule 1: an empty line cancels.  Nothing changes until both answers are the same.
Rule 2: a typed password appears in no sentence, no history and no completion.
Rule 3: the present password is asked once; whoever wants to try again types the command again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from mudserver.accounts.texts import PASSWORDS_DIFFER
from mudserver.errors import UserError
from mudserver.messages import Spoken


class Dialog(Protocol):
    """Takes the input lines of a session while it is open."""

    def handle_line(self, line: str) -> Awaitable[None] | None:
        """One line; an awaitable answer must finish before the next line is read."""


class DialogOutput(Protocol):
    """What a dialog needs from the session."""

    def send_text(self, *sentences: Spoken) -> None: ...
    def show_prompt(self, prompt: str, *, is_secret: bool = False) -> None: ...


class PasswordDialog:
    """Args:
    check: Raises UserError for a password that is not allowed.
    save: Called with the password once it was typed twice; it reports the result.
    on_cancel: Called for an empty line.
    """

    def __init__(
        self,
        output: DialogOutput,
        check: Callable[[str], None],
        save: Callable[[str], Awaitable[None]],
        on_cancel: Callable[[], None],
    ) -> None:
        self._output, self._check, self._save, self._on_cancel = output, check, save, on_cancel
        self._first = ""
        self._ask_first()

    def _ask_first(self, *sentences: str) -> None:
        self._first = ""
        self._output.send_text(*sentences)
        self._output.show_prompt("Choose a password: ", is_secret=True)

    def handle_line(self, line: str) -> Awaitable[None] | None:
        """One line; awaitable while the password is hashed and written."""
        if not line:
            self._on_cancel()
        elif self._first:
            return self._handle_repeat(line)
        else:
            self._handle_first(line)
        return None

    def _handle_first(self, line: str) -> None:
        try:
            self._check(line)
        except UserError as exc:
            self._ask_first(str(exc))
            return
        self._first = line
        self._output.show_prompt("Again: ", is_secret=True)

    def _handle_repeat(self, line: str) -> Awaitable[None] | None:
        if line != self._first:
            self._ask_first(PASSWORDS_DIFFER)
            return None
        self._output.show_prompt("", is_secret=True)  # no prompt while the hash runs
        return self._save(line)


class PasswordCheck:
    """Asks for the present password.

    Args:
        why: The sentence before the question.
        check: Called with the password; it reports the result.
        on_cancel: Called for an empty line.
    """

    def __init__(
        self,
        output: DialogOutput,
        why: str,
        check: Callable[[str], Awaitable[None]],
        on_cancel: Callable[[], None],
    ) -> None:
        self._output, self._check, self._on_cancel = output, check, on_cancel
        output.send_text(why)
        output.show_prompt("Password: ", is_secret=True)

    def handle_line(self, line: str) -> Awaitable[None] | None:
        """One line; awaitable while the password is hashed."""
        if line:
            self._output.show_prompt("", is_secret=True)  # no prompt while the hash runs
            return self._check(line)
        self._on_cancel()
        return None
