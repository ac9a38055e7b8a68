"""The simulation of whole days behind a door: game servers die, hand over, and lose the socket.

Rule 1: people, faults and checks are those of `simulation.py`; the people know nothing of the door.
Rule 2: what happens, and at which frame, follows from the seed.  A server may die with a record
        that nobody has heard of, and while it hands over.  What is on the way then arrives, as with
        a socket that is not full: `test_split.py` has walls that are cut inside a write.
Rule 3: nobody notices.  No connection ends for it, no session is refused, nobody is welcomed twice,
        and what was said is read once at most.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from random import Random

from mudserver.session.texts import NOT_TAKEN_UP
from mudserver.wall.texts import DOOR_CLOSES, NOT_BACK, RESTARTING
from tests.simulation.programs import SimProgram
from tests.simulation.server import FakeLink, SimServer
from tests.simulation.simulation import House, Outcome, Simulation
from tests.simulation.split import SplitHouse

PAUSE_S = 40.0  # on average between two things that happen
FRAMES_MAX = 60  # from the decision to the moment
LATER_MAX = 20  # from the beginning of a handover to a death in it
REFUSALS = (NOT_TAKEN_UP, NOT_BACK, RESTARTING, DOOR_CLOSES)
WHAT = (
    *("kill", "kill at a record", "break", "stop"),
    *("hand over", "hand over", "die while handing over"),
)
DELAYS_S = (0.0, 0.001, 0.05, 0.2)


class SplitSimulation(Simulation):
    kind = "split"
    programs = 0.6

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.memory.may_tell_again = True
        for person in self.people:
            if isinstance(person, SimProgram):
                person.json_protocol, person.is_behind_door = 2, True
        self.happened: Counter[str] = Counter()
        self.dice = Random(f"what happens behind the door in {seed}")

    async def open_house(self) -> House:
        return await SplitDay(self).begin()

    def _play(self) -> Outcome:
        outcome = super()._play()
        for person in self.people:
            for link in person.links:
                self._check_link(link)
        return outcome

    def _check_link(self, link: FakeLink) -> None:
        """Rule 3."""
        text = " ".join(link.text.split())
        for refusal in REFUSALS:
            assert refusal not in text, (refusal, text[-2_000:])
        words = [word for person in self.people for word in person.said]
        read = Counter(re.findall(r"(?:: |\"text\":\")(w[0-9a-f]{10})\b", text))
        twice = [word for word in words if read[word] > 1]
        places = [m.start() for word in twice for m in re.finditer(word, text)]
        assert [] == twice, (twice, [text[at - 200 : at + 20] for at in places])


class SplitDay(House):
    """A door for a day, and one game server after another."""

    def __init__(self, simulation: SplitSimulation) -> None:
        self._simulation, self._dice = simulation, simulation.dice
        delay_s = self._dice.choice(DELAYS_S)
        self._house = _House(simulation, delay_s=delay_s)
        self.entrance = self._house
        self._is_resting = False

    @property
    def server(self) -> SimServer:  # type: ignore[override]
        return self._house.server

    async def begin(self) -> SplitDay:
        await self._house.open()
        self._trouble = asyncio.create_task(self._make_trouble(), name="sim trouble")
        return self

    async def rest(self) -> None:
        self._is_resting = True
        await self._trouble

    async def _make_trouble(self) -> None:
        while not self._is_resting:
            await asyncio.sleep(self._dice.expovariate(1 / PAUSE_S))
            await self._house.suffer(self._dice.choice(WHAT))


class _House(SplitHouse):
    def __init__(self, simulation: SplitSimulation, delay_s: float) -> None:
        self._simulation, self._dice = simulation, simulation.dice
        self._last: SimServer | None = None
        self._victim = ""  # of the next handover
        self._has_begun = asyncio.Event()
        super().__init__(simulation.world, delay_s=delay_s, is_torn=False)
        self.door.on_connect = simulation.memory.forget_lines

    def make_server(self) -> SimServer:
        simulation, last = self._simulation, self._last
        simulation.expect_time_back()
        wall_ms = simulation.wall_ms if last is None else last.clock.now_ms()
        self._last = server = simulation.make_server(wall_ms)
        return server

    async def _start(self) -> None:
        await super()._start()
        await asyncio.sleep(0.1)
        self._simulation.check_time_given_back()

    async def hand_over(self) -> None:
        before = self.server
        await super().hand_over()
        self._simulation.happened[self.said[-1].partition(":")[0] or "died"] += 1
        if self.server is not before:
            self._simulation.check_time_given_back()

    async def suffer(self, what: str) -> None:
        """Have it happen, at some frame, and wait until it is over."""
        if what == "kill at a record":
            if not await self._is_doomed():
                return
            self.what = "kill"
            self.happens()
        else:
            if what == "die while handing over":
                self._victim, what = self._dice.choice(("active", "standby")), "hand over"
            self.what, self.happens_at = what, self.frames + self._dice.randint(1, FRAMES_MAX)
            self._has_begun.clear()
            await self._has_begun.wait()  # the door and the server say something each second
        await asyncio.wait(self._tasks)
        self.check()

    async def _is_doomed(self) -> bool:
        """Whether the server has died with a record that nobody has heard of."""
        journal = self.server.journal
        died = journal.doom(self._dice.randint(1, 3))
        try:
            await asyncio.wait_for(died.wait(), PAUSE_S)
        except TimeoutError:
            journal.dies_after = None
        return died.is_set()

    def happens(self) -> None:
        self._simulation.happened[self.what] += 1
        super().happens()
        self._has_begun.set()
        if self._victim:
            self.what, self._victim = f"kill {self._victim}", ""
            self.happens_at = self.frames + self._dice.randint(1, LATER_MAX)
