"""When a table that `play` has opened starts by itself, before its first game.  State without I/O.

Rule 1: it starts when nobody has sat down for a while, after three times that at the latest, but
        never within a few seconds of somebody sitting down: who comes has to read that it starts.
Rule 2: whoever sits there consents by staying.  Other options end the countdown for good.
Rule 3: after a restart it begins again in full.
Rule 4: a rated table (`play GAME rated`) starts with two people at least: it begins to count when
        the second one sits there, and waits for that one as long as it takes.
"""

from __future__ import annotations

from dataclasses import dataclass

READ_MS = 5_000  # for the last person who sits down
WAITS_MAX = 3  # times the wait, in all
PLAYERS_MAX = 4  # computer players fill the table up to this
RATED_PEOPLE_MIN = 2
NOBODY_MS = 600_000  # after so long who waits for a rated game reads what else there is


@dataclass
class Countdown:
    opened_ms: int  # UTC
    last_sat_ms: int
    is_stopped: bool = False  # the start was refused; presence
    is_nobody_told: bool = False  # that nobody has come yet; presence

    def restart(self, now_ms: int) -> None:
        self.opened_ms = self.last_sat_ms = now_ms
        self.is_stopped = self.is_nobody_told = False

    def start_ms(self, wait_s: float) -> int:
        """When the game starts, UTC.  Args: wait_s: `tables.play_wait_s`."""
        wait_ms = int(wait_s * 1000)
        latest = self.opened_ms + WAITS_MAX * wait_ms
        return max(min(self.last_sat_ms + wait_ms, latest), self.last_sat_ms + READ_MS)
