"""The journal: append-only streams of records that survive a crash.

`Journal` is what the rest of the server uses, with the kinds of streams in `streams.py`.
The package `sqlite` implements it, and only that package opens the database.
"""

from mudserver.journal.claims import Claim
from mudserver.journal.hash_chain import StoredRecord
from mudserver.journal.index import IndexRow, Row, Value
from mudserver.journal.interface import Entry, Journal, JournalInspector, Pruned, Pruning

__all__ = [
    "Claim", "Entry", "IndexRow", "Journal", "JournalInspector", "Pruned", "Pruning", "Row",
    "StoredRecord", "Value",
]  # fmt: skip
