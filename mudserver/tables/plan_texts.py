"""What people read of the moves that they keep for later.  Each is said to one person alone."""

from __future__ import annotations

from collections.abc import Sequence

from mudserver.tables.plans import CHANGES_MAX, LINE_CHARS_MAX, LINES_MAX, PAUSE_MS

LEAST_MIN, MOST_MIN = (each // 60_000 for each in PAUSE_MS)

LIVE = "Moves for later are for games by correspondence. In a live game: autopass on"
NOT_IN_A_GAME = "Moves for later are for a game by correspondence that you play in."
ASKED = "It is your move now. Play it, and keep the next ones for later."
FULL = f"You keep {LINES_MAX} moves for later already, and no more. To drop them: later clear"
TOO_LONG = f"A move for later can have {LINE_CHARS_MAX} characters. Please shorten it."
TOO_MANY = (
    f"You have changed your moves for later {CHANGES_MAX} times in this game, which is all you can."
)
NONE = "You keep no moves for later. To keep one: later MOVE"
HOW = (
    f"When you are next asked, the first that fits is played, after {LEAST_MIN} to {MOST_MIN} min."
    " A move that you make yourself ends the list."
)
CHANGE = "To keep one more: later MOVE. To drop them: later clear"
CLEARED = "You keep no moves for later any more."
MOVED = "You have moved yourself, so your moves for later are dropped."
UNFIT = "Your moves for later don't fit now at table {}, so they are dropped. It is your move."
WAITS = (
    f"You keep moves for later: {{}}. The first that fits is played within {MOST_MIN} min."
    " To stop that: later clear"
)


def kept(lines: Sequence[str]) -> str:
    """What is read after each change; what becomes of them only with the first."""
    how = f" {HOW} To see them: later" if len(lines) == 1 else ""
    return f"You keep for later: {listed(lines)}.{how}"


def listed(lines: Sequence[str]) -> str:
    """`1 draw, 2 pass`."""
    return ", ".join([f"{number} {line}" for number, line in enumerate(lines, 1)])
