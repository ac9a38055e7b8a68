"""The journal: append-only streams of records that survive a crash.

`Journal` is what the rest of the server uses.  `sqlite_journal.SqliteJournal` implements it; only
this package opens the database.
"""

from mudserver.journal.hash_chain import StoredRecord
from mudserver.journal.interface import (
    ACCOUNT_STREAM_PREFIX,
    RESUME_SECRET_STREAM,
    TABLE_STREAM_PREFIX,
    Journal,
)

__all__ = [
    "ACCOUNT_STREAM_PREFIX",
    "RESUME_SECRET_STREAM",
    "TABLE_STREAM_PREFIX",
    "Journal",
    "StoredRecord",
]
