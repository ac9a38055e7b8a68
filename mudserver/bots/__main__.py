"""`python -m mudserver.bots`: one process of computer players.  The pool starts it."""

from __future__ import annotations

from mudserver.bots.worker import main

if __name__ == "__main__":
    main()
