"""A game server behind a door, killed under people who type; `test_crowd_at_a_door.py` has crowds.

Rule 1: every line is typed once, in pieces, with a number of its own.  Half of a line is typed
        before the kill or while no game server runs, the rest then or later.
Rule 2: nobody loses the connection or the name.  A line that was begun after the kill is said
        exactly once; one that was under way at the kill at most once, and its person then reads
        that nobody knows; nothing is garbled.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from pathlib import Path
from random import Random

import asyncssh

from tests.faults.test_game_server import House, house

CHAT = """
[chat]
per_s = 1e4
guest_per_s = 1e4
burst = 10_000
repeats_max = 10_000
arrivals_max = 0
"""
PATIENCE_S = 60.0
SAID = re.compile(r"(?m)^<?(?:You|guest\d+)[^\n]*?[:>] (w\d+\.\d+\.end)$")


class Typist:
    """A guest at one connection, who hears what is said."""

    def __init__(self, number: int, rng: Random) -> None:
        self.number, self._rng, self._lines = number, rng, 0
        self.heard = ""
        self.certain: list[str] = []  # begun after a kill, so said exactly once
        self.open: list[str] = []  # under way at a kill
        self._half = ""
        self.is_gone = False

    async def come(self, ssh: int, telnet: int) -> None:
        if self.number % 2:
            client = await asyncssh.connect(
                "127.0.0.1", ssh, username="guest", known_hosts=None, client_keys=None,
                agent_path=None, config=None,
            )  # fmt: skip
            process = await client.create_process(encoding=None, term_type="dumb")
            self._write, read = process.stdin.write, process.stdout.read
            self._end = b"\r"
        else:
            reader, writer = await asyncio.open_connection("127.0.0.1", telnet)
            self._write, read = writer.write, reader.read
            self._end = b"\r\n"
        self._reading = asyncio.create_task(self._read(read))
        if not self.number % 2:
            await self.hears(r"Name: ")
            self._write(b"guest" + self._end)
        await self.hears(r"lobby> ")

    async def _read(self, read) -> None:
        while data := await read(65_536):
            text = re.sub(rb"\xff[\xfb-\xfe].|\xff.", b"", data, flags=re.DOTALL)
            self.heard += text.decode("utf-8", "replace").replace("\r", "")
        self.is_gone = True

    async def hears(self, pattern: str) -> None:
        end_s = time.monotonic() + PATIENCE_S
        while not re.search(pattern, self.heard):
            assert not self.is_gone and time.monotonic() < end_s, (pattern, self.heard[-600:])
            await asyncio.sleep(0.01)

    def begin(self) -> None:
        """Type the first half of a line."""
        self._lines += 1
        line = f"say w{self.number}.{self._lines}.end"
        cut = self._rng.randrange(1, len(line))
        self._half = line[cut:]
        self._write(line[:cut].encode())

    def finish(self, *, is_certain: bool) -> str:
        """Type the rest; the word that is said."""
        word = f"w{self.number}.{self._lines}.end"
        (self.certain if is_certain else self.open).append(word)
        self._write(self._half.encode() + self._end)
        return word


async def under_kills(here: House, kills: int, people: int, seed: int) -> dict[str, float]:
    rng = Random(seed)
    here.start("game")
    ready = here.start("door", "--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0")
    ssh, telnet = (int(port) for port in re.findall(r"127\.0\.0\.1:(\d+)", ready))
    typists = [Typist(number, rng) for number in range(people)]
    for typist in typists:
        await typist.come(ssh, telnet)
    gaps = []
    for _ in range(kills):
        for typist in typists:
            typist.begin()
            if rng.random() < 0.5:
                typist.finish(is_certain=False)
                typist.begin()
        await asyncio.sleep(rng.random() * 0.05)
        here.kill("game")
        killed_s = time.monotonic()
        for typist in typists:
            if rng.random() < 0.5:
                typist.finish(is_certain=True)
                typist.begin()
        await asyncio.to_thread(here.start, "game")
        words = [(typist, typist.finish(is_certain=True)) for typist in typists]
        for typist, word in words:
            await typist.hears(rf"[:>] {re.escape(word)}")
        gaps.append(time.monotonic() - killed_s)
    await asyncio.sleep(0.5)
    return judge(typists) | {"gap_s": sorted(gaps)[len(gaps) // 2], "gap_max_s": max(gaps)}


def judge(typists: list[Typist]) -> dict[str, float]:
    said, lost = 0, 0
    for typist in typists:
        assert not typist.is_gone
        welcomes = re.findall(r"Welcome to Lockdown, |Welcome back", typist.heard)
        assert ["Welcome to Lockdown, "] == welcomes, typist.heard[-2_000:]
        found = Counter(SAID.findall(typist.heard))
        for word in typist.certain:
            assert found[word] == 1, (word, found[word], typist.heard[-2_000:])
        for word in typist.open:
            assert found[word] <= 1, (word, found[word])
            lost += not found[word]
        said += sum(found[word] for word in typist.certain + typist.open)
    for typist in typists:
        own = {word for other in typists for word in other.certain + other.open}
        heard = set(re.findall(r"[:>] (w\S*)$", typist.heard, re.MULTILINE))
        assert heard <= own, heard - own  # nothing is garbled
    return {"lines": said, "unheard": lost}


def run(directory: Path, kills: int, people: int, seed: int) -> dict[str, float]:
    with house(directory) as here:
        here.settings.write_text(here.settings.read_text() + CHAT)
        return asyncio.run(under_kills(here, kills, people, seed))


def test_people_stay_when_the_game_server_is_killed(tmp_path):
    figures = run(tmp_path, kills=2, people=4, seed=1)
    assert figures["lines"] >= 2 * 4
