"""All visits of one house: who opens the door when a line is ready, and the mail rounds.

Rule 1: one message is painted once for every way of reading, however many read it, and packed once
        for all programs; talk that came together is put together once.
Rule 2: one sweep for all visits watches idleness; no visit has a timer of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mudserver import messages as m
from mudserver.clock import Clock
from mudserver.config import Config
from mudserver.house.house import House
from mudserver.house.plays import offered
from mudserver.people import Person
from mudserver.session import objects
from mudserver.session.faces import Faces
from mudserver.session.packages import Packages
from mudserver.session.present import Reader, lines_of, timed
from mudserver.session.program import Program
from mudserver.session.stay import Stay
from mudserver.session.visit import Visit
from mudserver.transport.link import Link, Proven
from mudserver.ui.paint import painted
from mudserver.ui.ticker import Ticker
from variants.kit.text import Line

AnyStay = Stay[Any]

ID_SPAN_S = 1 << 24  # half a year, until the runs of two houses may look alike
SWEEP_S = 10.0  # how often idle visits are looked for
WARNING_S = 120.0  # before an idle visit ends


class Reception:
    def __init__(self, house: House, config: Config, clock: Clock, ticker: Ticker) -> None:
        self.house, self.config, self.clock = house, config, clock
        self.visits: dict[AnyStay, None] = {}  # in the order they came
        self._ticker, self.faces = ticker, Faces(config, clock, ticker)
        self._woken: list[AnyStay] = []
        self._woken_at = 0.0
        # By identities, which are quick to compare; what is kept beside the paint keeps them alive.
        self._painted: dict[tuple[int, ...], tuple[bytes, object, Reader]] = {}
        self._talks: dict[tuple[int, ...], tuple[bytes | None, object, Reader]] = {}
        self._packed: dict[int, tuple[list[tuple[str, bytes]], object]] = {}
        self._farewell: str | None = None  # the house closes
        self._run, self._visits = f"{clock.now_ms() // 1000 % ID_SPAN_S:x}", 0
        self._sweep = clock.call_later(SWEEP_S, self._look_for_idle)

    @property
    def name(self) -> str:
        """Of the house, as the greeting says it."""
        return self.config.server.name

    def take(self, config: Config) -> None:
        """Other limits: of idleness for everybody, the rest for who comes from now on."""
        self.config = self.faces.config = config

    def answer(self, link: Link, proven: Proven | None) -> AnyStay:
        """What every door calls when a line is ready."""
        visit: AnyStay
        if link.wants_json and proven is not None:
            visit = Program(self, link, proven)
        else:
            visit = Visit(self, link, proven)
        if self._farewell is not None:  # who was on the way in when the house closed
            visit.leave(self._farewell)
        if not visit.is_over:
            self.visits[visit] = None
        return visit

    def next_id(self) -> str:
        """An id for a visit: which run of the house, and which visit in it."""
        self._visits += 1
        return f"{self._run}-{self._visits}"

    def forget(self, visit: AnyStay) -> None:
        self.visits.pop(visit, None)

    def wake(self, visit: AnyStay) -> None:
        if not self._woken:
            self._woken_at = self.clock.monotonic()
            self.clock.call_soon(self._round)
        self._woken.append(visit)

    def _round(self) -> None:
        woken, self._woken = self._woken, []
        woken_at = self._woken_at
        for visit in woken:
            visit.deliver()
        self._ticker.mail(woken_at)
        self._painted.clear()
        self._talks.clear()
        self._packed.clear()

    def talk(self, mail: list[m.Message], reader: Reader) -> bytes | None:
        """All of *mail* painted, if it is talk and nothing else."""
        key = (id(reader), *map(id, mail))
        known = self._talks.get(key)
        if known is None:
            paint = None
            if all(type(message) in m.TALK for message in mail):
                paint = b"".join([self.painted(message, reader, False) for message in mail])
            known = self._talks[key] = (paint, mail, reader)
        return known[0]

    def painted(self, message: m.Message, reader: Reader, is_fresh: bool) -> bytes:
        key = (id(message), id(reader), is_fresh)
        known = self._painted.get(key)
        if known is not None:
            return known[0]
        lines = self.lines(message, reader, is_fresh)
        paint = painted(lines, reader.look) if lines else b""
        self._painted[key] = (paint, message, reader)
        return paint

    def hello(self, person: Person) -> objects.Hello:
        """What a program is greeted with."""
        games, now_ms = tuple(self.house.catalogue), self.clock.now_ms()
        return objects.Hello(
            objects.PROTOCOL, self.name, person.name, person.is_guest, games, now_ms
        )

    def lines(self, message: m.Message, reader: Reader, is_fresh: bool = False) -> list[Line]:
        now_ms, games = self.clock.now_ms(), self.house.catalogue
        return timed(message, lines_of(message, reader, now_ms, is_fresh, games), reader, now_ms)

    def packed(self, message: m.Message) -> list[tuple[str, bytes]]:
        """The message as objects: the GMCP package of each, and its JSON."""
        known = self._packed.get(id(message))
        if known is None:
            made = self._made(message)
            texts = [(objects.package_of(one), objects.encoded(one)) for one in made]
            known = self._packed[id(message)] = (texts, message)
        return known[0]

    def _made(self, message: m.Message) -> Iterator[objects.Object]:
        return objects.objects_of(message, self.house.catalogue, self._offered)

    def _offered(self, shown: m.Shown) -> tuple[list[str], bool]:
        table = self.house.hall.find(shown.table)
        return offered(shown, self.house.catalogue[shown.variant], table)

    def packages(self, link: Link) -> Packages:
        return Packages(self, link, self._ticker)

    def _look_for_idle(self) -> None:
        self._sweep = self.clock.call_later(SWEEP_S, self._look_for_idle)
        self.house.tick()
        limit_s, now = self.config.line.idle_s, self.clock.monotonic()
        for visit in list(self.visits):
            idle_s = now - visit.heard_at
            if idle_s >= limit_s:
                visit.leave("You were away for long; the line ends. Your seat is kept.")
            elif idle_s >= limit_s - WARNING_S and not visit.is_warned_idle:
                visit.is_warned_idle = True
                visit.say("Still there? The line ends in two minutes unless you type something.")

    def close(self, text: str) -> None:
        """Tell everybody and end all lines; who comes from now on is told the same."""
        self._sweep.cancel()
        self._farewell = text
        for visit in list(self.visits):
            visit.leave(text)
