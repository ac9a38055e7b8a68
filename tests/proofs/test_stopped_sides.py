"""Two doors before one game server; a terminal never reads, then a door stops, then the server.

Rule 1: lines are typed as in `test_killed_game_server.py`.  However it ends, each is done once: its
        typist reads it once, nobody twice, and nobody reads that one may be lost.
Rule 2: a terminal that never reads is cut.  Who stops for STOP_S loses the wall where much was said
        to it meanwhile, and takes it up again; where little was, it goes on as if nothing had been.
        No other connection ends.
Rule 3: of one at the other door the echo stays below P99_S, beside what it is in peace.
Rule 4: each process grows at its peak by what the settings allow, and SLACK_MIB.  What full screens
        need is never loaded: it would come some seconds after the start, 10 MiB at once.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from random import Random

import asyncssh
import pytest

from mudserver.config.schema import DoorLimits, WallConfig
from mudserver.session.announced_input import SCREEN_S
from mudserver.transport.library_patches import READ_BYTES
from mudserver.wall.stream import PAUSE_BYTES, STALL_S
from tests.faults.test_game_server import House, house
from tests.hostile import attack
from tests.hostile.attack import IN_COMPANY, P99_S, memory_kib, p99
from tests.proofs.test_killed_game_server import CHAT, PATIENCE_S, Typist
from tests.proofs.test_planned_restarts import BUSY, SAID, judge

STOP_S = 30.0
QUEUE_MIB, OUTPUT_STALL_S = 2, 5
SETTINGS = f"pasted_lines_max = 10_000\n[wall]\nqueue_mib_max = {QUEUE_MIB}\nnotice_s = 1\n"
SECTIONS = {  # what they begin with
    "[door]\n": f"output_stall_s = {OUTPUT_STALL_S}\n",
    "[session]\n": "full_screens_max = 0\n",
}
AT_FIRST, AT_SECOND = 20, 6  # people at each door
SAID_PER_S = 40  # at the second door
MIB = 1_048_576
SLACK_MIB = 6.0
INPUT_MIB = AT_FIRST * (WallConfig().retained_bytes + READ_BYTES) / MIB
ECHOES = 110  # at least, for a percentile
PAUSE_S = 0.012  # between two letters of the bystander
FLOOD_LINES, WIDTH = 40, 500  # together more than `wall.retained_bytes`
DEAF_LINES, WINDOW_BYTES = 2_000, 32_768


async def connected(port: int) -> asyncssh.SSHClientConnection:
    return await asyncssh.connect(
        "127.0.0.1", port, username="guest", known_hosts=None, client_keys=None, agent_path=None,
        config=None,
    )  # fmt: skip


class Reader(Typist):
    """A typist who hears much."""

    def __init__(self, number: int, rng: Random) -> None:
        self._parts: list[str] = []
        super().__init__(number, rng)

    @property
    def heard(self) -> str:
        self._parts = ["".join(self._parts)]
        return self._parts[0]

    @heard.setter
    def heard(self, text: str) -> None:
        self._parts = [text]

    async def _read(self, read) -> None:
        while data := await read(65_536):
            text = re.sub(rb"\xff[\xfb-\xfe].|\xff.", b"", data, flags=re.DOTALL)
            self._parts.append(text.decode("utf-8", "replace").replace("\r", ""))
        self.is_gone = True

    def says(self) -> str:
        """Type one line at once; the word that is said."""
        self.begin()
        return self.finish(is_certain=True)

    def floods(self) -> str:
        """Type more than a door keeps, in lines; the last word."""
        for _ in range(FLOOD_LINES):
            self._lines += 1
            word = f"w{self.number}.{self._lines}.end"
            self.certain.append(word)
            self._write(f"say {word:>{WIDTH}}".encode() + self._end)
        return word

    async def hears_word(self, word: str) -> None:
        await self.hears(rf"[:>] {re.escape(word)}")


class Bystander:
    """Somebody who types a letter now and then and waits for its echo."""

    def __init__(self) -> None:
        self.delays_s: list[float] = []
        self._letter, self._at_s = b"", asyncio.get_running_loop().create_future()

    async def come(self, port: int) -> None:
        self._client = await connected(port)
        self._process = await self._client.create_process(encoding=None, term_type="xterm")
        self._reading = asyncio.create_task(self._read())
        await self._answer(b"", b"lobby> ")
        self.go_on()

    def go_on(self) -> None:
        self._typing = asyncio.create_task(self._type())

    async def rest(self) -> None:
        await self.echoes(1)
        self._typing.cancel()
        self._process.stdin.write(b"\x15")

    async def _read(self) -> None:
        while data := await self._process.stdout.read(65_536):
            if self._letter in data and not self._at_s.done():
                self._at_s.set_result(time.monotonic())

    async def _answer(self, typed: bytes, wanted: bytes) -> float:
        self._letter, self._at_s = wanted, asyncio.get_running_loop().create_future()
        began_s = time.monotonic()
        self._process.stdin.write(typed)
        return await asyncio.wait_for(self._at_s, PATIENCE_S) - began_s

    async def _type(self) -> None:
        for letter in cycle(b"QXZ"):  # no word that is said has one
            self.delays_s.append(await self._answer(bytes([letter]), bytes([letter])))
            self._process.stdin.write(b"\x15")
            await asyncio.sleep(PAUSE_S)

    async def echoes(self, count: int) -> list[float]:
        """The next *count*."""
        first = len(self.delays_s)
        while len(self.delays_s) < first + count:
            assert not self._typing.done(), self._typing
            await asyncio.sleep(0.01)
        return self.delays_s[first:]


class Deaf:
    """A client that types, and reads nothing once it is in; its small window is full soon."""

    async def come(self, port: int) -> None:
        self._client = await connected(port)
        self._process = await self._client.create_process(
            encoding=None, term_type="dumb", window=WINDOW_BYTES
        )
        await self._process.stdout.readuntil(b"lobby> ")
        self._process.channel.pause_reading()

    async def is_cut(self) -> None:
        """Type until the door hangs up."""
        self._process.stdin.write(b"help commands\r" * DEAF_LINES)
        await asyncio.wait_for(self._client.wait_closed(), PATIENCE_S)


class Evening:
    """People at both doors."""

    def __init__(self, here: House, seed: int) -> None:
        self.here, self._rng = here, Random(seed)
        self.grown: dict[str, dict[str, float]] = {}  # MiB, by what happened and process
        self.echo_s: dict[str, float] = {}

    async def begin(self) -> None:
        self.here.start("game")
        ports = [self._open_door(name) for name in ("1", "2")]
        self.first = [Reader(number, self._rng) for number in range(AT_FIRST)]
        self.second = [Reader(AT_FIRST + number, self._rng) for number in range(AT_SECOND)]
        for people, (ssh, telnet) in zip((self.first, self.second), ports, strict=True):
            for typist in people:
                await typist.come(ssh, telnet)
        self.all = self.first + self.second
        [_, (self.ssh_port, _)] = ports
        self.bystander = Bystander()
        await self.bystander.come(self.ssh_port)

    def _open_door(self, name: str) -> tuple[int, int]:
        ready = self.here.start(
            "door", "--name", name, "--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0",
            name=f"door {name}",
        )  # fmt: skip
        ssh, telnet = (int(port) for port in re.findall(r"127\.0\.0\.1:(\d+)", ready))
        return ssh, telnet

    @contextmanager
    def stopped(self, name: str) -> Iterator[None]:
        self.here.processes[name].send_signal(signal.SIGSTOP)
        yield
        self.here.processes[name].send_signal(signal.SIGCONT)

    @contextmanager
    def measured(self, what: str, **may_grow_mib: float) -> Iterator[None]:
        """Args: may_grow_mib: Of the game server, and of the doors."""
        pids = {name: each.pid for name, each in self.here.processes.items()}
        for pid in pids.values():
            with open(f"/proc/{pid}/clear_refs", "w") as file:
                file.write("5")  # the peak is counted anew
        before = {name: memory_kib(pid) for name, pid in pids.items()}
        yield
        self.grown[what] = grown = {
            name: (memory_kib(pid, "VmHWM") - before[name]) / 1024 for name, pid in pids.items()
        }
        for name, grown_mib in grown.items():
            most_mib = may_grow_mib[name.split()[0]] + SLACK_MIB
            assert grown_mib <= most_mib, (what, name, grown_mib, most_mib)

    async def talk(self, seconds: float) -> None:
        """At the second door, in turns; the last one hears that before they go on."""
        end_s = time.monotonic() + seconds
        while time.monotonic() < end_s:
            for typist in self.second:
                next_s = time.monotonic() + 1 / SAID_PER_S
                word = typist.says()
                await asyncio.sleep(next_s - time.monotonic())
            await typist.hears_word(word)

    async def echo(self, what: str, doing) -> None:
        """The 99th percentile of echoes while *doing* lasts."""
        first = len(self.bystander.delays_s)
        task = asyncio.ensure_future(doing)
        await self.bystander.echoes(ECHOES)
        await task
        self.echo_s[what] = p99(self.bystander.delays_s[first:])
        limit_s = P99_S * (IN_COMPANY if "PYTEST_XDIST_WORKER" in os.environ else 1.0)
        limit_s = attack.BUSY_P99_S if attack.BUSY else limit_s
        assert self.echo_s[what] <= limit_s + self.echo_s["in peace"], self.echo_s

    async def everybody_goes_on(self, words: list[tuple[Reader, str]]) -> None:
        """What was typed meanwhile is read, and what is typed now."""
        for typist, word in words:
            await typist.hears_word(word)
        for typist in self.all:
            await typist.hears_word(typist.finish(is_certain=True))

    def begin_lines(self) -> None:
        for typist in self.all:
            typist.begin()

    # -- what happens ------------------------------------------------------------------------------

    async def a_terminal_never_reads(self) -> None:
        output_mib = DoorLimits().output_bytes_max / MIB
        with self.measured("a terminal never reads", game=output_mib, door=output_mib):
            deaf = Deaf()
            await deaf.come(self.ssh_port)
            cut = asyncio.ensure_future(deaf.is_cut())

            async def talk_until_cut() -> None:
                while not cut.done():
                    await self.talk(1.0)

            await self.echo("a terminal never reads", talk_until_cut())
            await cut
        self.walls_lost(game=0, doors=0)

    async def a_door_stops(self) -> None:
        with self.measured("a door stops", game=QUEUE_MIB, door=QUEUE_MIB):
            self.begin_lines()
            for typist in self.second:  # they talk
                await typist.hears_word(typist.finish(is_certain=True))
            with self.stopped("door 1"):
                words = [(each, each.finish(is_certain=True)) for each in self.first]
                await self.echo("a door stops", self.talk(STOP_S))
            self.begin_lines()
            await self.everybody_goes_on(words)
        said = self.log("game")
        assert 1 == len(re.findall(r"wall closed door=1 error=(nothing taken|\d+ bytes not)", said))
        self.walls_lost(game=1, doors=1)

    async def the_game_server_stops(self) -> None:
        unsent_mib = PAUSE_BYTES / MIB + INPUT_MIB
        await self.bystander.rest()
        await asyncio.sleep(SCREEN_S)  # the door knows that all lines are done
        with self.measured("the game server stops", game=QUEUE_MIB + INPUT_MIB, door=unsent_mib):
            with self.stopped("game"):
                began_s = time.monotonic()
                words = [(typist, typist.floods()) for typist in self.first]
                for _ in range(3):
                    words += [(typist, typist.says()) for typist in self.second]
                    await asyncio.sleep(STALL_S / 3)
                await asyncio.sleep(began_s + STOP_S - time.monotonic())
            self.begin_lines()
            await self.everybody_goes_on(words)
        self.bystander.go_on()
        await self.bystander.echoes(3)
        given_up = f"error=nothing taken for {STALL_S:.0f} s"
        assert 1 == len(re.findall(rf"wall closed game=\S* {given_up}", self.log("door")))
        self.walls_lost(game=2, doors=2)

    def log(self, name: str) -> str:
        """Of the game server, or of both doors."""
        return (self.here.directory / f"{name}.log").read_text()

    def walls_lost(self, *, game: int, doors: int) -> None:
        """So many, all of the first door."""
        for_game = re.findall(r"wall lost door=(\S+)", self.log("game"))
        assert ["1"] * game == for_game
        for what in ("lost", "back"):
            assert doors == len(re.findall(rf"wall {what} game=", self.log("door"))), what

    def judge(self) -> dict[str, float]:
        figures = judge(self.all)
        assert 0 == figures["unheard"]
        for typist in self.all:
            found = Counter(SAID.findall(typist.heard))
            assert [] == [word for word, count in found.items() if count > 1]
            assert "may not have been taken" not in typist.heard
        for name in ("game", "door"):
            assert not re.search(r" (ERROR|CRITICAL) |Traceback", self.log(name))
        return figures


async def spend(here: House) -> None:
    evening = Evening(here, 1)
    await evening.begin()
    await evening.talk(1.0)
    first = len(evening.bystander.delays_s)
    await asyncio.gather(evening.bystander.echoes(ECHOES), evening.talk(3.0))
    evening.echo_s["in peace"] = p99(evening.bystander.delays_s[first:])
    await evening.a_terminal_never_reads()
    await evening.a_door_stops()
    await evening.the_game_server_stops()
    await asyncio.sleep(0.5)
    figures = evening.judge()
    print(f"\nstopped sides people={len(evening.all)} lost_connections=0 doubled=0 {figures}")
    echoes = ", ".join(f"{what} {1000 * at:.0f}" for what, at in evening.echo_s.items())
    print(f"p99 of echoes ms: {echoes}")
    for what, grown in evening.grown.items():
        told = ", ".join(f"{name} {mib:+.1f}" for name, mib in grown.items())
        print(f"memory MiB, {what}: {told}")


@pytest.mark.prove
@pytest.mark.alone
def test_who_stops_or_never_reads_costs_the_others_nothing_and_nobody_a_line(tmp_path):
    with house(tmp_path) as here:
        settings = here.settings.read_text() + CHAT + BUSY + SETTINGS
        for section, first in SECTIONS.items():
            settings = settings.replace(section, section + first)
        here.settings.write_text(settings)
        asyncio.run(spend(here))
