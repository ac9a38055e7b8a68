"""People who play, leave and come back: some by telnet with a password, some by ssh with a key.

Rule 1: what a visitor reads are the objects of protocol 1, by GMCP or `ssh NAME@HOST json`.
Rule 2: a login lasts from the connection to the first `place`, the lobby or the own table.
Rule 3: a play lasts from typing it to a refusal, to the end of the game, or to a view that shows
        it: the own answer is in, or the question is another one, or nobody else was asked and the
        table has changed.
Rule 4: who is not answered in LOST_S is counted with that time; nothing is left out.
"""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from random import Random
from typing import Any

import asyncssh

from tests.proofs.gmcp_line import ASKS, PASSWORD, TAIL, GmcpReader

LOST_S = 20.0  # no answer for so long is none
THOUGHT_S = 3.0  # mean, before a play
AWAY_S = (3.0, 15.0)  # between two visits
TICK_S = 2.0  # between two looks whether a game should begin
GAMES = ("elimination", "stockpile", "words max_rounds=2 target=50")


@dataclass
class Figures:
    """What the visitors felt."""

    logins_s: list[float] = field(default_factory=list)
    registrations: int = 0
    plays_s: list[float] = field(default_factory=list)
    plays_refused: int = 0
    games: int = 0
    failures: list[str] = field(default_factory=list)  # of logins
    slow_plays: list[str] = field(default_factory=list)  # over a second
    refusals: list[str] = field(default_factory=list)  # of opening a table, sitting, starting


class Group:
    """Those who play together, their game, and the table where they sit."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.table: int | None = None
        self.members: list[Visitor] = []


class TelnetLine(asyncio.Protocol):
    """One telnet line that asks for packages."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self._reader, self.said = GmcpReader(self._read, self._take), ""  # the last of the text
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(ASKS)

    def connection_lost(self, exc: Exception | None) -> None:
        self.visitor.lost(self)

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)

    def _take(self, package: str, content: Any) -> None:
        if package.startswith("Lockdown."):
            self.visitor.take(self, package.removeprefix("Lockdown.").lower(), content)

    def _read(self, text: str) -> None:
        self.said = (self.said + text)[-TAIL:]
        if self.visitor.is_in:
            return
        for question in ("Name: ", "assword: ", "Again: "):
            if self.said.endswith(question):
                self.said = ""
                self.type(self.visitor.name if question == "Name: " else PASSWORD)

    def type(self, line: str) -> None:
        if self._transport is not None:
            self._transport.write(line.encode() + b"\r\n")

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


class SshLine(asyncssh.SSHClientSession[str]):
    """One `ssh NAME@HOST json`."""

    def __init__(self, visitor: Visitor, connection: asyncssh.SSHClientConnection) -> None:
        self.visitor, self._connection = visitor, connection
        self.said = ""  # the beginning of an object
        self._channel: asyncssh.SSHClientChannel[str] | None = None

    def connection_made(self, chan: asyncssh.SSHClientChannel[str]) -> None:
        self._channel = chan

    def connection_lost(self, exc: Exception | None) -> None:
        self.visitor.lost(self)

    def data_received(self, data: str, datatype: int | None) -> None:
        *lines, self.said = (self.said + data).split("\n")
        for line in lines:
            said = json.loads(line)
            self.visitor.take(self, said["type"], said)

    def type(self, line: str) -> None:
        if self._channel is not None and not self._channel.is_closing():
            self._channel.write(json.dumps({"line": line}) + "\n")

    def close(self) -> None:
        self._connection.close()


class Visitor:
    """One person.

    Args:
        key: By ssh, if there is one.
        stay_s: How long a visit lasts, on average.
    """

    def __init__(
        self, name: str, address: str, group: Group, figures: Figures, *,
        key: asyncssh.SSHKey | None, seed: int, stay_s: float,
    ) -> None:  # fmt: skip
        self.name, self.address, self.group, self.figures = name, address, group, figures
        self.key, self.rng, self.stay_s = key, Random(seed), stay_s
        self.is_known = self.is_in = False
        self._came = asyncio.Event()
        self._forget()
        group.members.append(self)

    def _forget(self) -> None:
        self.is_in, self.table, self.is_playing = False, None, False
        self._line: TelnetLine | SshLine | None = None
        self._said = ""  # on a line that was lost
        self._came.clear()
        self._thinking: asyncio.TimerHandle | None = None
        self._typed_at_s: float | None = None  # the play that waits for its answer
        self._typed_in = self._move = ""  # its window, and what was typed
        self._seen: Any = None  # the table as it was then, if nobody else was asked

    # -- coming and going ------------------------------------------------------------------------

    async def visits(self, ports: tuple[int, int], end_s: float) -> None:
        """Visit after visit; the telnet and the ssh port."""
        while time.monotonic() < end_s:
            if await self.come(ports):
                stay_s = min(self.rng.expovariate(1 / self.stay_s), end_s - time.monotonic())
                leaving_s = time.monotonic() + max(stay_s, 5.0)
                while time.monotonic() < leaving_s:
                    await asyncio.sleep(TICK_S * self.rng.uniform(0.5, 1.5))
                    self.tend()
            self.go()
            await asyncio.sleep(self.rng.uniform(*AWAY_S))

    async def come(self, ports: tuple[int, int]) -> bool:
        """Log in, and say how long it took; whether it worked."""
        self._forget()
        began_s, why = time.monotonic(), ""
        try:
            async with asyncio.timeout(LOST_S):
                await (self._by_ssh(ports[1]) if self.key else self._by_telnet(ports[0]))
                await self._came.wait()
        except (OSError, TimeoutError, asyncssh.Error) as exc:
            why = repr(exc)
        self.figures.logins_s.append(time.monotonic() - began_s)
        if not self.is_in:
            said = self._line.said if self._line is not None else self._said
            why = f"{self.name} from {self.address}: {why} {said[-TAIL:]!r}"
            self.figures.failures.append(why)
            return False
        self.figures.registrations += not self.is_known
        self.is_known = True
        return True

    async def _by_telnet(self, port: int) -> None:
        self._line = line = TelnetLine(self)
        await asyncio.get_running_loop().create_connection(
            lambda: line, "127.0.0.1", port, local_addr=(self.address, 0)
        )

    async def _by_ssh(self, port: int) -> None:
        connection = await asyncssh.connect(
            "127.0.0.1", port, username=self.name, known_hosts=None, client_keys=[self.key],
            agent_path=None, config=None, password=None, local_addr=(self.address, 0),
        )  # fmt: skip
        self._line = line = SshLine(self, connection)
        await connection.create_session(lambda: line, "json", encoding="utf-8")

    def go(self) -> None:
        """Say goodbye, or simply drop the line."""
        self._answered(is_over=False)
        if self._thinking is not None:
            self._thinking.cancel()
        if self._line is not None:
            if self.is_in and self.rng.random() < 0.5:
                self._line.type("/quit")
            else:
                self._line.close()

    def lost(self, line: TelnetLine | SshLine) -> None:
        if line is self._line:
            self._said, self._line = line.said, None
            self._answered(is_over=False)
            self._came.set()

    # -- a game ----------------------------------------------------------------------------------

    def tend(self) -> None:
        """Where nothing goes on: go to the others' table, open one, or begin a game."""
        waits_s = self._typed_at_s
        if waits_s is not None and time.monotonic() - waits_s > LOST_S:
            self._answered(is_over=True)
        if not self.is_in or self._line is None or self.is_playing:
            return
        group = self.group
        if self.table is None:
            if group.table is None:
                group.table = -1  # one is being opened
                self._line.type(f"open {group.game} pace=instant seats={len(group.members) + 1}")
            elif group.table > 0:
                self._line.type(f"sit {group.table}")
        elif self is next(each for each in group.members if each.table == self.table):
            self._line.type("bot 1")
            self._line.type("start")
        else:
            self._line.type("ready")

    def take(self, line: TelnetLine | SshLine, kind: str, said: Any) -> None:
        if line is not self._line:
            return
        match kind:
            case "place":
                self.table, self.is_playing = said["table"], said["is_playing"]
                if self.table is not None:
                    self.group.table = self.table
                self.is_in = True
                self._came.set()
            case "refused":
                self._refused(said["text"])
            case "over":
                self.is_playing = False
                self.figures.games += 1
                self._answered(is_over=True)
            case "view":
                self._view(said)

    def _view(self, said: Any) -> None:
        self.is_playing = said["asks"] != ""
        window = said["window"]
        if self._typed_at_s is not None:
            is_shown = said["has_answered"] or window != self._typed_in
            if not is_shown and self._seen in (None, said["view"]):
                return  # somebody else's answer
            self._answered(is_over=True)
        if self._thinking is not None:
            self._thinking.cancel()
        if said["moves"]:
            wait_s = self.rng.expovariate(1 / THOUGHT_S)
            move = self.rng.choice(said["moves"])
            seen = said["view"] if said["asked"] == [said["seat"]] else None
            loop = asyncio.get_running_loop()
            self._thinking = loop.call_later(wait_s, self._play, move, window, seen)

    def _play(self, move: str, window: str, seen: Any) -> None:
        if self._line is not None and self._typed_at_s is None:
            self._typed_at_s, self._typed_in = time.monotonic(), window
            self._move, self._seen = move, seen
            self._line.type(move)

    def _answered(self, *, is_over: bool) -> None:
        """The play has its answer.  If it is not *is_over*, the visitor left before it came."""
        if self._typed_at_s is not None and (is_over or self.waits_s() > 1.0):
            self.figures.plays_s.append(self.waits_s())
            if self.waits_s() > 1.0:
                play = f"{self.name} at {self.table}: {self._move!r} in {self._typed_in!r}"
                self.figures.slow_plays.append(f"{self.waits_s():.1f} s, {play}")
        self._typed_at_s = None

    def waits_s(self) -> float:
        return time.monotonic() - self._typed_at_s if self._typed_at_s is not None else 0.0

    def _refused(self, text: str) -> None:
        if self._typed_at_s is not None:
            self.figures.plays_refused += 1
            self._answered(is_over=True)
            if self._line is not None:
                self._line.type("look")  # the view says what may be played instead
            return
        if not self.is_playing:
            self.figures.refusals.append(text)
        if self.table is None:
            self.group.table = None  # it is closed or full, or none could be opened
