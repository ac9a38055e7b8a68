"""The ledger: append, read, recover.  The only room that opens the database."""

from mudserver.journal.hash_chain import StoredRecord
from mudserver.journal.sqlite_journal import SqliteJournal

__all__ = ["SqliteJournal", "StoredRecord"]
