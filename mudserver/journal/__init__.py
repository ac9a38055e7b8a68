"""The ledger: append, read, recover.  The only room that opens the database."""

from mudserver.journal.chain import Stored
from mudserver.journal.journal import Journal

__all__ = ["Journal", "Stored"]
