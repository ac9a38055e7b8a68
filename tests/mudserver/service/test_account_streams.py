"""Streams of accounts stay short, whatever people type and whenever the server dies."""

from __future__ import annotations

import asyncio
import itertools
from random import Random

import pytest

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.codec import decode, encode
from mudserver.accounts.events import PreferenceSet
from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.errors import JournalConflictError, JournalWriteError, UserError
from mudserver.journal import Claim, Entry
from mudserver.journal.replacing import replaces_past
from mudserver.service.account_streams import CHANGED_ELSEWHERE, AccountStreams
from tests.at_once import at_once
from tests.memory_journal import Disk, MemoryJournal
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world
from tests.slow_cases import every_third

LIMITS = schema.JournalConfig(snapshot_records=10, snapshot_bytes=32_768)


class Run:
    """One run of a server's accounts over a disk that outlives it."""

    def __init__(self, disk: Disk | None = None, config: schema.JournalConfig = LIMITS) -> None:
        clock = Clock(asyncio.get_running_loop(), 1_000)
        self.journal = MemoryJournal(clock.now_ms, disk, config, delay_s=0.001)
        self.accounts = Accounts()
        self.streams = AccountStreams(self.journal, self.accounts, clock, config)
        at_once(self.streams.restore())
        self.task = asyncio.ensure_future(self.streams.compact_forever())

    async def opens(self, id: str = "p1", name: str = "ann") -> None:
        claim = Claim("name", name, id)
        await self.streams.change(id, lambda: self.accounts.open_account(id, name, 1), [claim])

    async def sets(self, value: int, id: str = "p1") -> None:
        await self.streams.change(
            id, lambda: self.accounts.set_preference(id, "width", str(40 + value), 1)
        )

    def records(self, stream: str = "person/1") -> int:
        return len(self.journal.disk.read(stream))

    def width(self, id: str = "p1") -> str:
        return self.accounts.preference(id, "width")


def test_a_stream_is_bounded_whatever_is_typed():
    async def scenario():
        run, most = Run(), 0
        await run.opens()
        for n in range(200):
            await run.sets(n % 100)
            await asyncio.sleep(0.06)
            most = max(most, run.records())
        again = Run(run.journal.disk)
        return most, run.width(), again.width(), again.records()

    most, *widths, records = virtual.run(scenario())
    assert most <= 12 and records <= 12
    assert ["139", "139"] == widths


def test_five_accounts_that_take_turns_with_set_keep_short_streams():
    """At the default limits, as fast as accounts and their address may."""

    async def scenario():
        server = await SimServer(new_world(9)).open()
        people = [server.person(name) for name in ("ann", "bob", "cid", "dee", "eve")]
        await asyncio.sleep(1)
        sizes, records = [], server.world.disk.records
        for n in range(400):
            for person in people:
                person.type(f"set prompt {n:030} {{turn}}>")
                await asyncio.sleep(1)
            streams = [stream for stream in records if stream.startswith("person/")]
            sizes.append(max(sum(len(r.body) for r in records[stream]) for stream in streams))
        written = max(records[stream][-1].sequence for stream in streams)
        assert 5 == len(streams)
        await server.stop()
        return max(sizes), written

    largest, written = virtual.run(scenario())
    assert written > 400
    assert largest < 65_536


def test_bytes_count_as_well_as_records():
    async def scenario():
        run = Run(config=schema.JournalConfig(snapshot_records=1_000, snapshot_bytes=1_024))
        await run.opens()
        for n in range(40):
            await run.sets(n)
            await asyncio.sleep(0.06)
        return sum(len(record.body) for record in run.journal.disk.read("person/1"))

    assert virtual.run(scenario()) < 2_000


def test_one_stream_is_trimmed_at_a_time_and_old_journals_are_compacted_after_the_start():
    async def scenario():
        run = Run(config=schema.JournalConfig(snapshot_records=1_000))
        for n in range(1, 21):
            await run.opens(f"p{n}", f"ann{'x' * n}"[:16] if n < 13 else f"bob{'x' * (n - 12)}")
            for value in range(15):
                await run.sets(value, f"p{n}")
        run.task.cancel()
        again = Run(run.journal.disk)
        counts = []
        for _ in range(20):
            counts.append(sum(again.records(f"person/{n}") > 1 for n in range(1, 21)))
            await asyncio.sleep(0.05)
        await asyncio.sleep(1)
        widths = {again.width(f"p{n}") for n in range(1, 21)}
        return counts, {again.records(f"person/{n}") for n in range(1, 21)}, widths

    counts, records, widths = virtual.run(scenario())
    assert sorted(counts, reverse=True) == counts
    assert max(a - b for a, b in itertools.pairwise(counts)) == 1
    assert ({1}, {"54"}) == (records, widths)


@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("nth", range(1, 5))
def test_a_failed_snapshot_or_trim_is_tried_again_and_takes_nothing_back(nth, keeps, caplog):
    async def scenario():
        run = Run()
        await run.opens()
        for n in range(9):
            await run.sets(n)
        run.journal.fail(nth, keeps=keeps)
        for n in range(9, 14):
            try:
                await run.sets(n)
            except JournalWriteError:
                await run.sets(n)
        await asyncio.sleep(20)
        expected = run.width()
        again = Run(run.journal.disk)
        return expected, again.width(), again.records()

    expected, found, records = virtual.run(scenario())
    assert ("53", "53") == (expected, found)
    assert records < 12


def test_a_trim_that_failed_is_made_up_for_once_the_disk_works(caplog):
    async def scenario():
        run = Run()
        await run.opens()
        for n in range(10):
            await run.sets(n)
        trim, run.journal.trim = run.journal.trim, failing
        await run.sets(50)
        await asyncio.sleep(30)
        before = run.records()
        run.journal.trim = trim
        await asyncio.sleep(10)
        return before, run.records(), run.width()

    async def failing(stream):
        raise JournalWriteError("no space left on the disk")

    before, after, width = virtual.run(scenario())
    assert before > 10 and (1, "90") == (after, width)
    assert 1 == caplog.text.count("account not compacted stream=person/1")


def test_a_start_trims_what_a_crash_left_behind_a_snapshot():
    async def scenario():
        run = Run()
        await run.opens()
        await run.sets(5)
        snapshot = encode(run.accounts.snapshot("p1", 9))
        await run.journal.append("person/1", 3, snapshot)
        await run.journal.append("person/1", 4, encode([PreferenceSet("p1", "bell", "off", 9)]))
        again = Run(run.journal.disk)
        before = again.records()
        await asyncio.sleep(1)
        return before, again.records(), again.width(), again.accounts.preference("p1", "bell")

    assert (4, 2, "45", "off") == virtual.run(scenario())


def test_a_damaged_stream_is_left_alone_and_the_others_are_compacted(caplog):
    async def scenario():
        run = Run()
        for id, name in (("p1", "ann"), ("p2", "bob")):
            await run.opens(id, name)
        trim = run.journal.trim

        async def trimmed(stream):
            if stream == "person/1":
                raise ValueError("records are missing")
            return await trim(stream)

        run.journal.trim = trimmed
        for n in range(12):
            await run.sets(n, "p1")
            await run.sets(n, "p2")
        await asyncio.sleep(1)
        return run.records("person/1") > 12, run.records("person/2") < 12

    assert (True, True) == virtual.run(scenario())
    assert "account not compacted stream=person/1 err=records are missing" in caplog.text


# -- others are quicker ------------------------------------------------------------------------


class Rival:
    """Another server that writes the same stream first, so many times."""

    def __init__(self, run: Run, times: int) -> None:
        self.run, self.times, self._append_all = run, times, run.journal.append_all
        run.journal.append_all = self.append_all

    async def append_all(self, entries, claims=(), releases=(), index=()):
        if self.times:
            self.times -= 1
            stream, sequence, _, _ = entries[-1]  # of the account
            other = encode([PreferenceSet("p1", "bell", "off", self.times)])
            await self._append_all([Entry(stream, sequence, other)])
        await self._append_all(entries, claims, releases, index)


@pytest.mark.parametrize("times", [1, 4])
def test_what_another_server_wrote_first_is_read_and_the_change_decided_again(times):
    async def scenario():
        run = Run()
        await run.opens()
        Rival(run, times)
        await run.sets(7)
        return run.width(), run.accounts.preference("p1", "bell"), run.records()

    assert ("47", "off", 2 + times) == virtual.run(scenario())


def test_after_five_conflicts_the_change_is_refused_with_a_sentence():
    async def scenario():
        run = Run()
        await run.opens()
        Rival(run, 5)
        with pytest.raises(UserError, match=CHANGED_ELSEWHERE.replace(".", r"\.")):
            await run.sets(7)
        return run.width(), run.accounts.preference("p1", "bell"), run.records()

    assert ("auto", "off", 6) == virtual.run(scenario())


def test_a_record_in_doubt_that_two_read_at_once_is_applied_once():
    async def scenario():
        run, news = Run(), []
        await run.opens()
        await run.opens("p2", "bob")
        run.journal.fail(keeps=True)
        with pytest.raises(JournalWriteError):
            await run.sets(7)
        run.streams.on_news = lambda account_id, before, events: news.append(account_id)
        read = run.journal.read

        async def read_slowly(stream, after=0):
            records = await read(stream, after)
            await asyncio.sleep(0.01)
            return records

        run.journal.read = read_slowly
        await asyncio.gather(run.streams.follow("person/1", 2), run.sets(8, "p2"))
        return news, run.streams._states["p1"].records, run.records(), run.width()

    assert (["p1"], 2, 2, "47") == virtual.run(scenario())


def test_a_decision_that_is_no_longer_allowed_is_refused_after_a_conflict():
    async def scenario():
        run = Run()
        await run.opens()
        Rival(run, 1)

        def decide():
            if run.accounts.preference("p1", "bell") == "off":
                raise UserError("Not with the bell off.")
            return run.accounts.set_preference("p1", "width", "60", 1)

        with pytest.raises(UserError, match="Not with the bell off"):
            await run.streams.change("p1", decide)
        return run.width()

    assert "auto" == virtual.run(scenario())


def test_a_name_that_another_server_has_claimed_is_refused_and_nothing_is_written():
    async def scenario():
        run = Run()
        await run.journal.adopt_claims([Claim("name", "ann", "p77")])
        with pytest.raises(JournalConflictError):
            await run.opens()
        return run.records(), len(run.accounts)

    assert (0, 0) == virtual.run(scenario())


def test_claims_come_back_with_a_trimmed_account():
    async def scenario():
        run = Run()
        await run.opens()
        for n in range(12):
            await run.sets(n)
        await asyncio.sleep(1)
        again = Run(run.journal.disk)
        assert replaces_past(again.journal.disk.read("person/1")[0].body)
        [owner] = again.journal._claims._owners.values()
        return owner

    assert "p1" == virtual.run(scenario())


# -- dying -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", every_third(range(12)))
def test_a_random_life_with_a_death_at_every_record_is_the_same_account(seed):
    """Each run ends with some record; what it acknowledged is there in the next one."""

    async def scenario():
        dice, world = Random(seed), new_world(seed, journal=LIMITS)
        said: dict[str, str] = {}
        for _ in range(25):
            server = await SimServer(world).open()
            accounts = server.app.account_service
            died = server.journal.doom(dice.randrange(1, 6))
            try:
                if accounts.account_name("ann") is None:
                    await asyncio.wait_for(accounts.register("ann", "correct horse", "here"), 1)
                ann = accounts.person_named("ann")
                for _ in range(dice.randrange(20)):
                    value = str(dice.randrange(40, 100))
                    key = dice.choice(("width", "height"))
                    said[f"maybe {key}"] = value
                    saving = accounts.save_preference(ann, key, value)
                    await asyncio.wait_for(saving, 1)
                    said[key] = value
                    await asyncio.sleep(dice.choice((0, 0.06)))
            except (TimeoutError, asyncio.CancelledError):
                pass
            assert died.is_set() or server.journal.disk.owner is server.journal
            await server.die()
            again = Accounts()
            for record in world.disk.records.get("person/1", ()):
                for event in decode(record.body):
                    again.apply(event)
            for key in ("width", "height"):
                found = again.own_preference("p1", key)
                assert found in (said.get(key), said.get(f"maybe {key}")), key
                if found is not None:
                    said[key] = found
            sequences = [record.sequence for record in world.disk.records.get("person/1", ())]
            if sequences:
                assert list(range(sequences[0], sequences[-1] + 1)) == sequences
                assert sequences[0] == world.disk.bases.get("person/1", 0) + 1
        return world.disk.bases.get("person/1", 0)

    assert virtual.run(scenario()) > 10  # it was trimmed on the way
