"""What a session costs that a door holds: memory of the door, and CPU of the game server that takes
it up from its capsule.

Rule 1: a quiet session: its person has typed HISTORY lines, reads the prompt, and is in the lobby.
Rule 2: the first game server ends as by SIGTERM; the next one reads the same data, and everybody
        goes on there, with all that they could recall.
Rule 3: the door is stopped until the next game server is ready, so that no start is counted.
"""

from __future__ import annotations

import tempfile

from tests.bench.child import Child
from tests.bench.report import Row, Target
from tests.bench.visits import Size, bare_line_us

WARM, PEOPLE = 20, 400
HISTORY = 100  # lines, as many as `session.history_lines`
KINDS = ("ssh", "telnet")
DOOR_KIB = {"ssh": 40, "telnet": 20}  # of a connection with its capsule


def quiet_session(kind: str, people: int = PEOPLE, history: int = HISTORY) -> dict[str, float]:
    """Of one session: KiB of the door, when it has come (`new_kib`) and with all of its history in
    the capsule (`door_kib`); microseconds of CPU until the next game server has it (`take_up_us`).
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        Child("tests.bench.door") as door,
        Child("tests.bench.crowd") as crowd,
    ):
        with Child("tests.bench.server") as game:
            game.ask("listen_for_doors", folder)
            port = door.ask("listen", folder)[kind]
            if kind == "ssh":
                game.ask("open_accounts", crowd.ask("make_keys", WARM + people))
            crowd.ask("come", kind, port, WARM)
            crowd.ask("type_history", history)
            game.ask("settle")
            before_kib = door.ask("rss_kib")
            crowd.ask("come", kind, port, people)
            game.ask("settle")
            new_kib = door.ask("rss_kib")
            crowd.ask("type_history", history, WARM)
        with Child("tests.bench.server") as successor:
            with door.frozen():
                successor.ask("listen_for_doors", folder)
                begun_s = successor.ask("rested_s", 0.1)
            spent_s = successor.ask("take_up_s", WARM + people) - begun_s
            recalled = successor.ask("history_lines")  # by telnet also what they have logged in as
            assert recalled >= (WARM + people) * history, recalled
            door_kib = door.ask("rss_kib")
            crowd.ask("leave")
    return {
        "new_kib": (new_kib - before_kib) / people,
        "door_kib": (door_kib - before_kib) / people,
        "take_up_us": spent_s / (WARM + people) * 1e6,
    }


def rows(times: int) -> list[Row]:
    found = []
    for kind in KINDS:
        sessions = [quiet_session(kind) for _ in range(times)]
        bare = tuple(bare_line_us(Size()) for _ in range(times))
        found += [
            Row(f"door, {kind}: KiB of memory, idle connection",
                tuple(each["new_kib"] for each in sessions)),
            Row(f"door, {kind}: the same, with {HISTORY} lines in its capsule",
                tuple(each["door_kib"] for each in sessions), (), Target("<=", DOOR_KIB[kind])),
            Row(f"split, {kind}: us of CPU until a session is taken up",
                tuple(each["take_up_us"] for each in sessions), bare),
        ]  # fmt: skip
    return found
