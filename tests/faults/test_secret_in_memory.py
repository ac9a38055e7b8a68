"""Nothing of a password that was half typed at a kill is left in the memory of door or game server.

By telnet in line mode, where a password comes as one piece; over SSH each key is a packet.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest

from tests.faults.test_game_server import house
from tests.faults.typist import opened

HALF = b"halfapass7193"  # typed without its end


def found(pid: int, secret: bytes) -> list[str]:
    """The mappings of a process, which this test has started, that hold *secret*."""
    places = []
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for row in maps:
            span, rights, *_ = row.split()
            if "w" not in rights or "[v" in row:
                continue
            start, end = (int(part, 16) for part in span.split("-"))
            with contextlib.suppress(OSError):
                memory.seek(start)
                if secret in memory.read(end - start):
                    places.append(row.strip())
    return places


@pytest.mark.prove
def test_nothing_of_a_half_typed_password_is_left_in_memory(tmp_path: Path):
    with house(tmp_path) as here:
        typist = opened(here)
        typist.types(b"ann\r\n")
        typist.reads("Choose a password: ")
        typist.types(HALF)
        time.sleep(0.5)
        game, door = here.processes["game"].pid, here.processes["door"].pid
        assert found(game, HALF), "the search finds what is there"
        here.kill("game")
        typist.forgets()
        here.start("game")
        typist.reads("please type that again[^:]*Choose a password: ")
        for pid in (door, here.processes["game"].pid):
            assert [] == found(pid, HALF)
        typist.types(b"open sesame\r\nopen sesame\r\n")
        typist.reads("registered as ann")
        typist.close()
