"""A server that dies at any change of its disk while people do something that is kept.

Rule 1: a flow is played once undisturbed.  Then for each change of the disk it is played again up
        to there, and the server dies: the change is on the disk and nobody heard of it, or it is
        not.
Rule 2: what the next server makes of the disk is what was kept before the step, or after it.  Who
        read that the step is done finds it done.
Rule 3: another start finds the same, and writes nothing.
Rule 4: the step can be done again: it is done then, or is refused because it was done.  So can
        what follows.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import msgspec

from mudserver.journal import Claim, StoredRecord
from mudserver.tables.seats import Occupant
from tests.live import live_table
from tests.memory_journal import Disk, MemoryJournal, _Item
from tests.mudserver.service.test_moderation import CONSOLE
from tests.simulation import virtual
from tests.simulation.server import (
    ANSI,
    FakeLink,
    Seatholder,
    SimServer,
    World,
    new_world,
    proven_by_key,
)

T = TypeVar("T")
State = dict[str, Any]
SEED = 1
SETTLED_S = 1.0  # a start has done by then what it does by itself
PAUSE_S = 1.0  # after a line
WRITING_S = 0.1  # a record; whoever is told before has read it by then
A_TIME = 1_000_000_000_000  # a number from here on is a time in ms


# -- the server ------------------------------------------------------------------------------------


class DyingJournal(MemoryJournal):
    """Its server dies at one change of the disk: a group of records, a trim, a removal."""

    changes = 0
    dies_at = 0  # which change, counted from 1; 0: none
    keeps = False  # whether that change is on the disk

    def watch(self, dies_at: int, keeps: bool, on_death: Callable[[], None]) -> None:
        """Count from now on."""
        self.changes, self.dies_at, self.keeps, self._on_death = 0, dies_at, keeps, on_death

    def _keep(self, item: _Item) -> None:
        if not item.entries:
            super()._keep(item)
            return
        if self._counts():
            super()._keep(item)
        if self._dies():
            item.future.cancel()

    async def trim(self, stream: str) -> int:
        return await self._change(super().trim(stream), 0)

    async def remove(self, streams: Sequence[str], releases: Sequence[Claim] = ()) -> None:
        await self._change(super().remove(streams, releases), None)

    async def _change(self, work: Coroutine[Any, Any, T], nothing: T) -> T:
        done = nothing
        if self._counts():
            done = await work
        else:
            work.close()
        if self._dies():
            await asyncio.Event().wait()  # whoever waits for it never hears of it
        return done

    def _counts(self) -> bool:
        """Count a change; whether it reaches the disk."""
        self.changes += 1
        return self.changes != self.dies_at or self.keeps

    def _dies(self) -> bool:
        if self.changes != self.dies_at:
            return False
        self.disk.owner = None
        self._on_death()
        return True


class MortalServer(SimServer):
    """From its death on nobody hears anything of it."""

    journal: DyingJournal

    def __init__(self, world: World, wall_ms: int | None = None) -> None:
        self.links: list[FakeLink] = []
        self.died = asyncio.Event()
        super().__init__(world, wall_ms, make_journal=self._mortal)

    def _mortal(self, now_ms: Callable[[], int]) -> DyingJournal:
        settings = self.world.settings.journal
        return DyingJournal(now_ms, self.world.disk, settings, delay_s=WRITING_S)

    def connect(self, link: FakeLink, proven: Any = None) -> FakeLink:
        self.links.append(link)
        return super().connect(link, proven)

    def watch(self, dies_at: int = 0, keeps: bool = False) -> None:
        self.journal.watch(dies_at, keeps, self._fall_silent)

    def _fall_silent(self) -> None:
        for link in self.links:
            link.is_open = False
        self.died.set()


# -- flows -----------------------------------------------------------------------------------------


@dataclass
class Play:
    """A flow while it is played."""

    server: MortalServer
    ids: dict[str, str] = field(default_factory=dict)  # of accounts, by the first name
    people: dict[str, Seatholder] = field(default_factory=dict)  # who is here
    noted: dict[str, str] = field(default_factory=dict)  # codes that were read

    async def cast(self, **roles: str) -> None:
        """People register, each with a key and from an address of their own."""
        service = self.server.app.account_service
        for name, role in roles.items():
            proven = proven_by_key(name, is_known=False)
            link = FakeLink(ANSI, "ssh", f"203.0.113.{len(self.ids) + 1}")
            self.people[name] = Seatholder(name, self.server.connect(link, proven))
            await asyncio.sleep(0.3)
            self.ids[name] = service.person_named(name).id
            if role != "player":
                await self.server.app.moderation.set_role(CONSOLE, name, role, "for the test")

    async def come_back(self) -> None:
        """Everybody who has an account logs in by the key, under the name of now."""
        accounts = self.server.app.account_service.streams.accounts
        self.people = {}
        for number, (name, account_id) in enumerate(self.ids.items(), 1):
            if (account := accounts.by_id(account_id)) is not None:
                proven = replace(proven_by_key(name, is_known=True), name=account.name)
                link = FakeLink(ANSI, "ssh", f"203.0.113.{number}")
                self.people[name] = Seatholder(name, self.server.connect(link, proven))
        await asyncio.sleep(0.5)

    async def later(self, days: float) -> None:
        """The server is stopped, and started again after so many days; nobody is here."""
        at_ms = self.server.clock.now_ms() + int(days * 86_400_000)
        await self.server.stop()
        self.server = await start(self.server.world, at_ms)

    async def types(self, who: str, *lines: str) -> None:
        for line in lines:
            self.people[who].type(line.format(**self.noted))
            await asyncio.sleep(PAUSE_S)

    def read(self, who: str) -> str:
        return " ".join(self.people[who].text.split()) if who in self.people else ""

    def forget(self) -> None:
        for person in self.people.values():
            person.forget()


Act = Callable[[Play], Awaitable[None]]


@dataclass(frozen=True)
class Step:
    """What somebody does, and is told when it is kept."""

    act: Act
    tells: Mapping[str, str]  # sentences that say that it is done, by reader
    again: str = ""  # read by somebody when it is done again
    is_twice: bool = False  # doing it again makes another one
    notes: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """By what: who reads it, and the pattern of it."""


def types(who: str, *lines: str, tells: Mapping[str, str], **more: Any) -> Step:
    return Step(lambda play: play.types(who, *lines), tells, **more)


@dataclass(frozen=True)
class Flow:
    begin: Act
    steps: tuple[Step, ...]
    back: Act | None = None  # who has no key comes back


@dataclass
class Undisturbed:
    """How a flow goes when nobody dies."""

    states: list[State]  # before the first step, then after each
    changes: list[int]  # of the disk, so far, by step

    @property
    def positions(self) -> range:
        return range(1, self.changes[-1] + 1)

    def step_of(self, position: int) -> int:
        return next(n for n, last in enumerate(self.changes) if position <= last)


# -- what is kept ----------------------------------------------------------------------------------


async def state_of(server: SimServer) -> State:
    """All that the server has folded, without times and without codes that are made by chance."""
    accounts, app = server.app.account_service.streams.accounts, server.app
    staff = app.moderation._streams
    found: State = {"names": _owners(server.journal), "last act": staff.last_act}
    for account in accounts.all():
        found[f"account {account.id}"] = _account(account, accounts.former_accounts)
        found[f"mails of {account.id}"] = app.mail_streams.box(account.id)
    for account_id, held in accounts.former_accounts._held.items():
        if not held:  # nothing of it has to be kept
            continue
        found[f"former {account_id}"] = held
        found[f"mails of {account_id}"] = app.mail_streams.box(account_id)
    for sanction in staff.sanctions:
        found[f"sanction {sanction.number}"] = sanction
    for report in staff.reports:
        found[f"report {report.number}"] = report
    found["site"] = msgspec.to_builtins(staff.site.snapshot())
    for by_hash in ("invites", "invite_numbers"):
        found["site"][by_hash] = sorted(found["site"][by_hash].values())
    found["audit"] = [act async for act in staff.acts()]
    for number in range(1, 4):
        table = live_table(app.table_manager, number)
        if table is not None:
            seats = [_seat(each) for each in table.seats]
            found[f"table {number}"] = (table.phase, table.host, seats)
    return {what: _timeless(_plain(value)) for what, value in found.items()}


def _owners(journal: DyingJournal) -> Any:
    return dict(journal._claims._owners)


def _account(account: Any, former: Any) -> Any:
    stored = msgspec.to_builtins(account.stored())
    for login in ("seen_ms", "password_used_ms", "issued_ms", "role_notes"):  # the last end there
        del stored[login]
    for key in stored["keys"]:
        del key["used_ms"]
    stored["codes"] = sorted(code["purpose"] for code in stored["codes"])
    stored["invite"] = bool(stored["invite"])  # made by chance
    for others in ("friends", "ignored"):  # as they are shown: a sweep takes the erased ones off
        stored[others] = [each for each in stored[others] if each not in former]
    return stored


def _seat(it: Occupant) -> Any:
    left = it.replaced_name, it.replaced_person
    return it.name, it.person, it.is_guest, it.is_computer, it.is_vacant, left


def _plain(value: Any) -> Any:
    if type(value).__name__ == "Mailbox":
        return (value.is_erased, msgspec.to_builtins(list(value)))
    return msgspec.to_builtins(value)


def _timeless(value: Any) -> Any:
    match value:
        case dict():
            return {key: _timeless(each) for key, each in value.items()}
        case list() | tuple():
            return [_timeless(each) for each in value]
        case str():
            return re.sub(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d)?", "DATE", value)
        case int() if value >= A_TIME:
            return "TIME"
    return value


def between(state: State, *others: State) -> str:
    """In what a state differs from each of the others."""
    return "\nand ".join("; ".join(_differences(state, other)) for other in others)


def _differences(state: State, other: State) -> Iterator[str]:
    for key in sorted({*state, *other}):
        one, two = state.get(key), other.get(key)
        if one == two:
            continue
        if isinstance(one, dict) and isinstance(two, dict):
            yield f"{key} ({', '.join(_differences(one, two))})"
        else:
            yield f"{key} is {one}, not {two}"


def written(disk: Disk) -> dict[str, list[StoredRecord]]:
    """All records that are on a disk."""
    return {stream: list(records) for stream, records in disk.records.items()}


def new_records(disk: Disk, before: dict[str, list[StoredRecord]]) -> list[tuple[str, bytes]]:
    """What was written since, by stream; but for the time that each start gives back to a turn."""
    return [
        (stream, record.body)
        for stream, records in disk.records.items()
        for record in records
        if record not in before.get(stream, ()) and b"TimeGivenBack" not in record.body
    ]


# -- the proof -------------------------------------------------------------------------------------


async def start(world: World, at_ms: int) -> MortalServer:
    server = await MortalServer(world, at_ms).open()
    await asyncio.sleep(SETTLED_S)
    return server


async def begun(flow: Flow) -> Play:
    play = Play(await MortalServer(new_world(SEED)).open())
    await flow.begin(play)
    await asyncio.sleep(PAUSE_S)
    return play


def left_by(server: MortalServer) -> tuple[World, int]:
    """The world as it would be if the server died now, and when that is."""
    was = server.world.disk
    disk = Disk(written(was), set(was.closed), dict(was.bases), dict(was.ranks), was.alive_ms)
    return replace(server.world, disk=disk), server.clock.now_ms()


async def found_by_a_start(world: World, at_ms: int) -> State:
    server = await start(world, at_ms)
    state = await state_of(server)
    server.journal.disk.owner = None
    return state


def undisturbed(flow: Flow) -> Undisturbed:
    async def scenario() -> Undisturbed:
        play = await begun(flow)
        left, live, changes = [left_by(play.server)], [await state_of(play.server)], []
        play.server.watch()
        for step in flow.steps:
            await does(play, step)
            left.append(left_by(play.server))
            live.append(await state_of(play.server))
            changes.append(play.server.journal.changes)
        play.server.journal.disk.owner = None
        states = [await found_by_a_start(*each) for each in left]
        assert live == states, [between(*each) for each in zip(states, live, strict=True)]
        assert len({0, *changes}) == 1 + len(flow.steps), f"a step keeps nothing: {changes}"
        return Undisturbed(states, changes)

    return virtual.run(scenario())


async def does(play: Play, step: Step) -> None:
    """Do a step to its end."""
    play.forget()
    await step.act(play)
    for who, sentence in step.tells.items():
        assert sentence in play.read(who), (who, sentence, play.read(who))
    note(play, step)


def note(play: Play, step: Step) -> None:
    for what, (who, pattern) in step.notes.items():
        found = re.search(pattern, play.read(who))
        assert found, (what, play.read(who))
        play.noted[what] = found[1]


async def dies(play: Play, step: Step) -> bool:
    """Do a step while the server may die; whether it did."""
    play.forget()
    acting = asyncio.create_task(step.act(play), name="sim act")
    dying = asyncio.create_task(play.server.died.wait(), name="sim death")
    await asyncio.wait((acting, dying), return_when=asyncio.FIRST_COMPLETED)
    dying.cancel()
    if not play.server.died.is_set():
        await acting
        note(play, step)
        return False
    acting.cancel()
    await play.server.die()
    return True


def killed(flow: Flow, expected: Undisturbed, position: int, *, keeps: bool) -> bool:
    """Kill the server at a change of the disk, and go on; whether the step was kept."""

    async def scenario() -> bool:
        play, at = await begun(flow), expected.step_of(position)
        play.server.watch(position, keeps)
        for step in flow.steps[:at]:
            assert not await dies(play, step)
        step = flow.steps[at]
        assert await dies(play, step)
        before, after = expected.states[at : at + 2]
        was_told = any(sentence in play.read(who) for who, sentence in step.tells.items())

        first = await start(play.server.world, play.server.clock.now_ms())
        state, disk = await state_of(first), written(first.world.disk)
        assert state in (before, after), between(state, before, after)
        is_kept = state == after
        assert is_kept or not was_told, f"told, and not kept: {step.tells}"
        await first.die()

        play.server = await start(first.world, first.clock.now_ms())
        second = await state_of(play.server)
        assert second == state, between(second, state)
        news = new_records(play.server.world.disk, disk)
        assert not news, news
        await goes_on(play, flow, expected, at, is_kept)
        return is_kept

    return virtual.run(scenario())


async def goes_on(play: Play, flow: Flow, expected: Undisturbed, at: int, is_kept: bool) -> None:
    """The step at which the server died is done again, then the others."""
    await play.come_back()
    if flow.back is not None:
        await flow.back(play)
    step, is_same = flow.steps[at], True
    if is_kept:
        play.forget()
        await step.act(play)
        read = [play.read(who) for who in play.people]
        assert any(step.again in text for text in read), (step.again, read)
        if step.is_twice:
            note(play, step)
            is_same = False
    else:
        await does(play, step)
    for number, later in enumerate(flow.steps[at:], at):
        if number > at:
            await does(play, later)
        if is_same:
            state = await state_of(play.server)
            assert state == expected.states[number + 1], between(state, expected.states[number + 1])
    play.server.journal.disk.owner = None
