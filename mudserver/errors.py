"""Exceptions: errors of users and operators, and everything else.

Rule 1: the text of a `UserError` is shown to the person who typed: a sentence that says what is
        wrong, then what to do.  A request that raises one has changed nothing.
Rule 2: any other exception is a bug or a failure of the machine.  It is logged in one line with a
        reference, and the person is shown one calm sentence with that reference.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal, get_args

RefusalCode = Literal[
    "unreadable", "unknown_command", "ambiguous", "usage", "not_understood", "illegal", "stale",
    "not_your_turn", "not_seated", "no_game", "not_allowed", "not_found", "full", "limit", "muted",
    "busy", "stopped", "declined", "expired",
]  # fmt: skip
"""Why a request was refused, for programs; docs/bots.md says what each of them means."""

REFUSAL_CODES: tuple[RefusalCode, ...] = get_args(RefusalCode)


class UserError(Exception):
    """A request was refused.

    Args:
        text: A sentence for the user.
        code: The same for programs.
        wait_s: After so many seconds the same request is taken; 0: it is not known when.
        may_wait: Nothing was done or asked before the refusal, so a line may be tried again after
            *wait_s* by itself.
        tables: The numbers of those that the sentence names.
    """

    def __init__(
        self,
        text: str,
        code: RefusalCode = "not_allowed",
        *,
        wait_s: float = 0.0,
        may_wait: bool = False,
        tables: Sequence[int] = (),
    ) -> None:
        super().__init__(text)
        self.code, self.wait_s, self.may_wait, self.tables = code, wait_s, may_wait, tuple(tables)


class NotUnderstood(UserError):
    """A line that means nothing here.

    Args:
        suggestion: The whole line that the sentence offers; "": it offers none, or several.
    """

    def __init__(
        self, text: str, suggestion: str = "", code: RefusalCode = "unknown_command"
    ) -> None:
        super().__init__(text, code)
        self.suggestion = suggestion


class StartError(Exception):
    """The server cannot start.  One line for the operator; exit status 1: a retry may help."""

    exit_status = 1

    @property
    def lines(self) -> Sequence[str]:
        """One line for each thing that is wrong."""
        return [str(self)]


class ConfigError(StartError):
    """The configuration is wrong.  Each fault: key, what is wrong, what would be right."""

    exit_status = 2

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self._faults = faults

    @property
    def lines(self) -> Sequence[str]:
        return self._faults


class DataError(StartError):
    """The data directory cannot be used, and a retry will not help."""

    exit_status = os.EX_DATAERR


class JournalWriteError(Exception):
    """A record was not written durably.  Nothing of it may be shown to anybody."""


class JournalConflictError(JournalWriteError):
    """A claim or a stream's next sequence was somebody else's first.  Nothing was written.

    Args:
        key: Of the claim; "": it was a sequence.
        owner: Who has the claim.
    """

    def __init__(self, text: str, key: str = "", owner: str = "") -> None:
        super().__init__(text)
        self.key, self.owner = key, owner


class JournalFencedError(JournalWriteError):
    """Another server writes in the place of this one.  Nothing was written; never try again."""


class JournalCorruptError(DataError):
    """The journal does not verify: stream, sequence number, reason."""
