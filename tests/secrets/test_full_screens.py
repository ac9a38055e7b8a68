"""Who reads in panes is really there: seats and watchers, with the board and the bar before them.

What they receive is compared like everybody's (`test_twin_runs.py`).
"""

from __future__ import annotations

import re
from collections import Counter

from tests.secrets.behaviour import may_have_panes
from tests.secrets.script import Script, script
from tests.secrets.scripted_server import PANES, TO_DOOR, Member
from tests.terminal import Emulator

FULL_ON = b"\x1b[?1049h"


def screen_of(told: Script, member: Member) -> Emulator:
    """What stands on the screen of *member* when the run ends."""
    emulator = Emulator(PANES.cols, PANES.rows)
    shown = [data for _, data in told.received[member.name] if not data.startswith(TO_DOOR)]
    last = max(i for i, data in enumerate(shown) if FULL_ON in data)
    for data in shown[last:]:
        emulator.feed(data)
    return emulator


def is_at_the_table(told: Script, member: Member) -> bool:
    """Whoever has a seat stays; a watcher may have gone to the lobby."""
    typed = [act.keys for act in told.acts if act.who == member.name]
    watching = [keys for keys in typed if keys in (b"watch 1\r", b"unwatch\r")]
    return member.seat is not None or watching[-1] == b"watch 1\r"


def test_seats_and_watchers_of_every_game_read_boards_in_panes() -> None:
    seen: Counter[str] = Counter()
    for number in filter(may_have_panes, range(100, 119)):
        told = script(number, decisions_max=12)
        for member in told.cast:
            if member.terminal is not PANES or not is_at_the_table(told, member):
                continue
            rows = screen_of(told, member).rows
            text = "\n".join(rows)
            assert rows[0].startswith("── Table "), text
            assert all(name in text for name in told.names), text
            assert "Table 1" in rows[-2] and rows[-1].startswith("table 1"), text
            assert bool(re.search(r"\(you[,)]", text)) is (member.seat is not None), text
            seen[f"{told.variant.name}, {'watching' if member.seat is None else 'at a seat'}"] += 1
    assert 6 == len(seen), seen
