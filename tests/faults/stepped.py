"""`mudserver` on a machine whose system clock is wrong, and is set while it runs.

A file says by how many seconds; it is read whenever somebody asks for the time.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

if __name__ == "__main__":
    offset = Path(os.environ["STEPPED_BY"])
    true_ns: Callable[[], int] = time.time_ns

    def stepped_ns() -> int:
        return true_ns() + int(offset.read_text()) * 1_000_000_000

    time.time_ns = stepped_ns
    time.time = lambda: stepped_ns() / 1e9

    from mudserver.__main__ import main

    sys.exit(main())
