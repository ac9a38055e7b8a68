"""How full the journal may be for what is new.  Levels are parts of `journal.size_mib_max`.

Rule 1: what exists goes on: at every level people log in and play the games that run.
Rule 2: closed tables are removed from PRUNED_FROM on, so the levels above it are rare.  They keep a
        reserve: first guests open no tables, then nobody does, then no account is registered.
Rule 3: below ROOMY_UNTIL every source may make more decisions at tables (`source_budgets.py`).
"""

ROOMY_UNTIL = 0.50
PRUNED_UNTIL = 0.75
PRUNED_FROM = 0.80
URGENT = 0.85  # from here on the age of a closed table no longer keeps it
GUEST_TABLES_END = 0.90
TABLES_END = 0.95
ACCOUNTS_END = 0.98
GAMES_END = 1.0
