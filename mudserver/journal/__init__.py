"""The ledger: append, read, recover.  The only room that opens the database."""

from mudserver.journal.chain import Stored
from mudserver.journal.journal import Journal
from mudserver.journal.ledger import Ledger

__all__ = ["Journal", "Ledger", "Stored"]
