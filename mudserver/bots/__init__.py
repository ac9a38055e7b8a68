"""Computer players, in a process of their own.  [G-14]

Rule 1: a computer player gets what a person in its seat gets: the own view and the own redacted
        events.  Nothing else ever crosses the pipe, and the other end has no other door.
Rule 2: it may think wrongly, slowly or not at all.  Then it is `BotError`, the caller plays the
        time-out default, and the table never knows the difference.
Rule 3: how long it thought tells nobody anything: the pause at the table is drawn elsewhere,
        before anything is asked.  [G-12]

`pool.BotPool` is the server's end, `worker` the other one, `codec` what goes between them.
"""

from __future__ import annotations


class BotError(Exception):
    """No action came: too slow, too many waiting, a crash, nonsense, or no such player."""
