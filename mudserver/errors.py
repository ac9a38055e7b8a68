"""The two faces of going wrong.

Rule 1: a `UserError` may be said aloud: its text is a sentence for the person who typed, what
        is wrong and then what to do.  It changes nothing.
Rule 2: everything else is a bug or a fault of the machine: it is logged in one line with a
        reference, and the person hears one calm sentence with that reference.
"""

from __future__ import annotations

import os


class UserError(Exception):
    """Refused, with a sentence for people."""


class StartError(Exception):
    """The server cannot start.  One line for the operator; exit status 1: try again."""

    exit_status = 1


class ConfigError(StartError):
    """The configuration is wrong: key, what is wrong, what would be right."""

    exit_status = 2


class DataError(StartError):
    """What lies in the data directory cannot be used, and no further try will mend it."""

    exit_status = os.EX_DATAERR


class JournalWriteError(Exception):
    """A record did not become durable.  Nothing of it may be shown to anybody."""


class JournalCorruptError(DataError):
    """What the journal holds does not verify: stream, sequence number, reason."""
