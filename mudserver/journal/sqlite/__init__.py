"""The journal in SQLite: one file, one writer thread.  Only this package opens the database."""
