"""Nobody waits for the garbage collector while sessions go from one server to another.

Rule 1: it looks at every object of the process, 70 ms long with 300 sessions; so it is put off for
        PUT_OFF_S, in which everything is handed over, or it has failed.
"""

from __future__ import annotations

import gc

from mudserver.clock import Clock

PUT_OFF_S = 5.0


def put_off(clock: Clock) -> None:
    gc.disable()
    clock.call_later(PUT_OFF_S, gc.enable)
