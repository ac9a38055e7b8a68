"""A server that dies, or stops, at one message or step of a handover; run as `mudserver` is.

Rule 1: the file `doom` beside the data directory says which: `Released before kill`.  Whichever
        process has that to say, or to do, does it once, and removes the file.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from functools import wraps
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

from mudserver.__main__ import main
from mudserver.journal.sqlite.journal import SqliteJournal
from mudserver.session.manager import SessionManager
from mudserver.standby import handover
from mudserver.standby.messages import AnyMessage, Line
from mudserver.standby.waiting import Standby
from mudserver.wall.game import WallServer

SIGNALS = {"kill": signal.SIGKILL, "stop": signal.SIGSTOP}
DOOM = Path(sys.argv[sys.argv.index("--data") + 1]).parent / "doom"
STEPS = {
    "settle": (handover, "settle"),  # what has begun is done
    "pack": (SessionManager, "leave_capsules"),
    "let go": (SqliteJournal, "let_go"),  # the journal is closed, and then the lock is free
    "open": (Standby, "_open"),  # with the lock, the journal
    "leave": (WallServer, "close"),  # the doors are told to go to the other server
}

_say = Line.say


def is_doomed(when: str, *names: str) -> str:
    """How this process ends before or after what has these names; "": it does not."""
    if not DOOM.exists():
        return ""
    what, at, how = DOOM.read_text().rsplit(" ", 2)
    return how if what in names and at == when else ""


def end(how: str) -> None:
    if how:
        DOOM.unlink()
        os.kill(os.getpid(), SIGNALS[how])


def say(line: Line, *messages: AnyMessage) -> None:
    names = [type(message).__name__ for message in messages]
    end(is_doomed("before", *names))
    _say(line, *messages)
    end(is_doomed("after", *names))


def step(name: str, do: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(do)
    def done(*args: Any, **options: Any) -> Any:
        end(is_doomed("before", name))
        result = do(*args, **options)
        end(is_doomed("after", name))
        return result

    @wraps(do)
    async def done_later(*args: Any, **options: Any) -> Any:
        end(is_doomed("before", name))
        result = await do(*args, **options)
        end(is_doomed("after", name))
        return result

    return done_later if iscoroutinefunction(do) else done


Line.say = say  # type: ignore[method-assign]
for name, (owner, method) in STEPS.items():
    setattr(owner, method, step(name, getattr(owner, method)))
sys.exit(main())
