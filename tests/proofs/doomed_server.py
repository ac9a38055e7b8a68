"""A server that dies, or stops, at one message of a handover; run as `mudserver` is.

Rule 1: the file `doom` beside the data directory says which: `Released before kill`.  Whichever
        process has that to say does it once, and removes the file.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from mudserver.__main__ import main
from mudserver.standby.messages import AnyMessage, Line

SIGNALS = {"kill": signal.SIGKILL, "stop": signal.SIGSTOP}
DOOM = Path(sys.argv[sys.argv.index("--data") + 1]).parent / "doom"

_say = Line.say


def say(line: Line, *messages: AnyMessage) -> None:
    what, when, how = DOOM.read_text().split() if DOOM.exists() else ("", "", "")
    is_now = what in [type(message).__name__ for message in messages]
    if is_now:
        DOOM.unlink()
        if when == "before":
            os.kill(os.getpid(), SIGNALS[how])
    _say(line, *messages)
    if is_now and when == "after":
        os.kill(os.getpid(), SIGNALS[how])


Line.say = say  # type: ignore[method-assign]
sys.exit(main())
