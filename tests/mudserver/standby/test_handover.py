"""A server hands over to its standby, or goes on; one that dies is followed."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import threading
from pathlib import Path

import pytest

from mudserver.clock import Clock
from mudserver.data_directory import DirectoryInUse, lock_directory
from mudserver.errors import JournalWriteError, UserError
from mudserver.journal.fed_store import FedStore
from mudserver.ops.control_socket import SOCKET_NAME, RequestRefused, send_request
from mudserver.standby import feeding, garbage, handover, waiting
from mudserver.standby.messages import Hello, State, Taken
from mudserver.standby.texts import UNDER_WAY
from tests.mudserver.standby.pair import Pair
from tests.mudserver.transport.server import until
from tests.simulation import virtual


@pytest.fixture
async def pair(tmp_path, monkeypatch):
    monkeypatch.setattr(feeding, "ROUND_S", 0.01)
    monkeypatch.setattr(waiting, "RETRY_S", 0.02)
    made = Pair(tmp_path)
    await made.open()
    yield made
    await made.close()


async def says(active, stream: str, *bodies: bytes) -> None:
    have = len(await active.journal.read(stream))
    for number, body in enumerate(bodies, have + 1):
        await active.journal.append(stream, number, body)


async def test_everything_is_folded_before_and_the_rest_after_the_lock_is_free(pair):
    await says(pair.active, "person/1", b"a", b"b")
    await pair.ready()
    await says(pair.active, "table/1", b"t")
    await until(lambda: "table/1" in pair.made[-1].folded)
    said = await pair.active.hands_over()
    assert said.startswith("restarted: 3 of 3 sessions went on, gap ")
    server = await pair.waiting
    assert {"person/1": [b"a", b"b"], "table/1": [b"t"]} == server.folded
    assert ["2 folded person/1", "1 folded table/1", "serve"] == pair.log
    assert ["hold", "silent", "close True"] == pair.active.wall.calls
    assert (1, 1, True) == (
        pair.active.sessions.left, pair.active.kept, pair.active.handover.is_over,
    )  # fmt: skip
    await server.journal.append("person/1", 3, b"c")
    with pytest.raises(UserError, match="already under way"):
        await pair.active.hands_over()


def test_the_garbage_collector_is_put_off_for_a_while():
    async def scenario() -> None:
        garbage.put_off(Clock(asyncio.get_running_loop(), 0))
        assert not gc.isenabled()
        await asyncio.sleep(garbage.PUT_OFF_S + 1)

    virtual.run(scenario())
    assert gc.isenabled()


async def test_nobody_waits_for_the_garbage_collector_in_a_handover(pair, monkeypatch):
    put_off = list[str]()
    monkeypatch.setattr(garbage, "put_off", lambda clock: put_off.append("here"))
    await pair.ready()
    await pair.active.hands_over()
    await pair.waiting
    assert ["here", "here"] == put_off  # of the one server and of the other


async def test_nobody_acts_here_while_it_hands_over_for_nobody_would_hear_of_it(pair):
    announced, said, control = list[str](), list[str](), pair.active.control
    control.register("announce", lambda text: announced.append(text))
    control.register("status", lambda: "here", only_reads=True)

    def ask(verb: str, **arguments: str) -> None:
        try:
            said.append(send_request(pair.directory, verb, **arguments))
        except RequestRefused as refused:
            said.append(refused.sentence)

    async def ask_meanwhile() -> None:
        for verb, arguments in (("announce", {"text": "Tea!"}), ("status", {})):
            await asyncio.to_thread(ask, verb, **arguments)

    pair.prepare = lambda server: setattr(server, "before_serve", ask_meanwhile)
    await pair.ready()
    await asyncio.to_thread(ask, "announce", text="before")
    await pair.active.hands_over()
    await pair.waiting
    await asyncio.to_thread(ask, "announce", text="after")
    assert [None, UNDER_WAY, "here", UNDER_WAY] == said
    assert ["before"] == announced


async def test_who_ends_while_it_hands_over_waits_for_that(pair):
    active, waits = pair.active, list[asyncio.Task[None]]()

    async def take_time() -> None:
        waits.append(asyncio.create_task(active.handover.wait()))
        await asyncio.sleep(0.05)
        assert not waits[0].done()

    pair.prepare = lambda server: setattr(server, "before_serve", take_time)
    await pair.ready()
    await active.handover.wait()  # none is under way
    handing = asyncio.create_task(active.hands_over())
    await until(lambda: waits)
    await asyncio.wait_for(waits[0], 1)
    assert active.handover.is_over
    await handing
    await pair.waiting


@pytest.mark.parametrize("ends", [True, False])
async def test_that_the_standby_ends_too_is_no_error_where_both_end(pair, ends, caplog):
    caplog.set_level("INFO")
    await pair.ready()

    def end() -> None:
        pair.waiting.cancel()
        pair.active.feeding.standby.line.close()  # as the kernel does

    pair.made[-1].before_restore = end
    with pytest.raises(UserError, match="the standby has ended"):
        await pair.active.handover.run(ends=ends)
    errors = [it.message for it in caplog.records if it.levelname == "ERROR"]
    assert ([] if ends else ["handover failed error=the standby has ended"]) == errors


async def test_what_is_written_while_streams_are_found_is_fed_once(pair):
    journal = pair.active.journal
    await says(pair.active, "person/1", b"1")
    find = journal.streams

    async def find_and_write(prefix: str, is_open: bool | None = None) -> list[str]:
        if prefix == "table/":  # the first kind; accounts are not found yet
            await says(pair.active, "person/1", b"2")
        found = await find(prefix, is_open)
        if prefix == "person/":  # found already
            await says(pair.active, "person/1", b"3")
            await says(pair.active, "person/2", b"new")
        return found

    journal.streams = find_and_write
    await pair.ready()
    await until(lambda: "person/2" in pair.made[0].folded)
    assert {"person/1": [b"1", b"2", b"3"], "person/2": [b"new"]} == pair.made[0].folded
    assert 1 == len(pair.made)  # it never began anew


async def test_what_was_appended_while_it_handed_over_is_never_told_there(pair):
    await pair.ready()
    appended = list[asyncio.Task[None]]()

    def prepare() -> None:
        appended.append(asyncio.ensure_future(pair.active.journal.append("table/1", 1, b"late")))

    pair.made[-1].before_restore = prepare
    await pair.active.hands_over()
    server = await pair.waiting
    await server.journal.append("table/1", 1, b"mine")
    assert not appended[0].done()
    assert [b"mine"] == [record.body for record in await server.journal.read("table/1")]


@pytest.mark.parametrize("how", ["says so", "ends", "is silent"])
async def test_a_standby_that_does_not_take_over_leaves_everything_as_it_was(
    pair, how, monkeypatch
):
    monkeypatch.setattr(handover, "TAKEN_S", 0.1)
    await says(pair.active, "person/1", b"a")
    await pair.ready()
    if how == "is silent":
        monkeypatch.setattr(waiting, "SOON_S", 1.0)
        keeps = asyncio.Event()

        async def never(*_: object) -> None:
            await keeps.wait()

        monkeypatch.setattr(waiting.Standby, "_lock_soon", never)
    else:

        def fail() -> None:
            if how == "says so":
                raise ConnectionError("no")
            pair.waiting.cancel()

        pair.made[-1].before_restore = fail
    with pytest.raises(UserError, match=r"restart not done: .*; this server goes on"):
        await pair.active.hands_over()
    await says(pair.active, "person/1", b"b")
    assert "release" == pair.active.wall.calls[-1]
    assert not pair.active.handover.is_over
    with pytest.raises(DirectoryInUse):
        lock_directory(pair.directory)


async def test_a_standby_that_hangs_with_the_lock_is_ended(pair, monkeypatch):
    monkeypatch.setattr(handover, "TAKEN_S", 0.1)
    monkeypatch.setattr(handover, "HANGS_S", 0.1)
    await pair.ready()
    hangs = threading.Event()
    killed: list[int] = []

    def end(pid: int, number: int) -> None:
        assert signal.SIGKILL == number
        killed.append(pid)
        hangs.set()

    async def hang(*_: object) -> None:
        await asyncio.to_thread(hangs.wait)
        pair.waiting.cancel()

    monkeypatch.setattr(os, "kill", end)
    monkeypatch.setattr(waiting.Standby, "_open", hang)
    lock_of: list[int] = []
    real = waiting.Standby._lock_soon

    async def lock_soon(standby: waiting.Standby) -> int | None:
        lock_of.append(await real(standby))
        return lock_of[-1]

    monkeypatch.setattr(waiting.Standby, "_lock_soon", lock_soon)
    handing_over = asyncio.create_task(pair.active.hands_over())
    await asyncio.to_thread(hangs.wait)
    os.close(lock_of.pop())  # as the kernel does
    with pytest.raises(UserError, match=r"restart not done: .*; this server goes on"):
        await handing_over
    assert [os.getpid()] == killed  # both are one process here
    await says(pair.active, "person/1", b"b")


async def test_a_server_whose_standby_dies_when_it_listens_is_found_again(pair, monkeypatch):
    monkeypatch.setattr(handover, "LISTENING_S", 0.1)

    async def leave_a_dead_socket() -> None:
        path = pair.directory / SOCKET_NAME
        path.unlink()
        with socket.socket(socket.AF_UNIX) as dead:
            dead.bind(str(path))
        await pair.made[-1].journal.give_up(FedStore())  # as the kernel does
        pair.waiting.cancel()
        await asyncio.sleep(0)

    pair.prepare = lambda server: setattr(server, "before_serve", leave_a_dead_socket)
    await pair.ready()
    with pytest.raises(UserError, match=r"restart not done: .*; this server goes on"):
        await pair.active.hands_over()
    assert ["listen", "release"] == pair.active.wall.calls[-2:]
    await until(lambda: pair.active.feeding.standby is None)
    pair.prepare = lambda server: None
    await pair.ready()
    await pair.active.hands_over()


async def test_a_server_that_dies_is_followed_with_what_it_wrote_last(pair):
    await says(pair.active, "person/1", b"a")
    await says(pair.active, "table/1", b"t")
    await pair.ready()
    pair.active.journal.on_written = None  # it dies before this is sent
    await says(pair.active, "person/1", b"b")
    await pair.active.journal.append("table/1", 2, b"end", closes=True)
    await pair.active.die()
    server = await pair.waiting
    assert ["forget table/1", "1 folded person/1", "serve"] == pair.log
    assert [b"a", b"b"] == server.folded["person/1"]
    await server.journal.append("person/1", 3, b"c")


async def test_what_differs_from_the_file_is_folded_anew(pair):
    await says(pair.active, "person/1", b"a")
    await says(pair.active, "table/1", b"t")
    await pair.ready()
    for stream, body in (("table/1", b"other"), ("person/1", b"other")):
        head = pair.made[-1]
        assert head.folded[stream]
        record = waiting.StoredRecord(2, 1_000, body)
        pair.active.feeding.standby.line.say(
            feeding.Added((feeding.FedRecord(stream, *record, False),))
        )
    await until(lambda: len(pair.made[-1].folded["person/1"]) == 2)
    await pair.active.die()
    server = await pair.waiting
    assert 2 == len(pair.made)
    assert pair.made[0].is_discarded
    assert {"person/1": [b"a"], "table/1": [b"t"]} == server.folded


async def test_a_stream_that_is_removed_is_forgotten_by_folding_everything_anew(pair):
    await pair.active.journal.append("mailbox/1", 1, b"m", closes=True)
    await says(pair.active, "person/1", b"a")
    await pair.ready()
    await pair.active.journal.remove(["mailbox/1"])
    await until(lambda: len(pair.made) == 2)
    await until(lambda: pair.active.handover.is_possible)
    assert {"person/1": [b"a"]} == pair.made[-1].folded


async def test_there_is_one_standby_at_a_time(pair, caplog):
    caplog.set_level("INFO")
    await pair.ready()
    second = Pair(pair.directory)
    second.active = pair.active
    second.wait()
    await asyncio.sleep(0.1)
    assert [] == second.made
    assert 1 == caplog.text.count("not fed why=another standby waits already")  # of several tries
    second.waiting.cancel()
    await pair.active.hands_over()
    await pair.waiting


async def test_an_upgrade_lets_the_standby_begin_again_in_the_version_that_is_installed(pair):
    with pytest.raises(UserError, match="no standby waits"):
        pair.active.feeding.begin_again()
    await pair.ready()
    assert pair.active.feeding.begin_again() == pair.active.feeding.as_dict()["since_ms"]
    with pytest.raises(waiting.BeginAgain):
        await pair.waiting


async def test_with_other_settings_the_standby_begins_again(pair):
    pair.active.feeding.note_settings()  # nobody is there
    await pair.ready()
    pair.active.feeding.note_settings()
    with pytest.raises(waiting.BeginAgain):
        await pair.waiting
    pair.begins_again = True
    pair.wait()
    with pytest.raises(waiting.BeginAgain):
        await pair.waiting
    pair.begins_again = False
    await pair.ready()


async def test_a_standby_that_is_asked_to_take_over_does_that_first(pair):
    await pair.ready()

    def change_settings() -> bool:
        pair.begins_again = True
        return True

    pair.active.wall.is_handled = change_settings
    await pair.active.hands_over()
    assert await pair.waiting is pair.made[-1]


@pytest.mark.parametrize("is_done", [True, False])
async def test_settings_that_change_meanwhile_are_read_by_the_server_that_goes_on(
    pair, is_done, monkeypatch
):
    active, asked, signals = pair.active, list[asyncio.Task[bool]](), list[tuple[int, int]]()
    monkeypatch.setattr(os, "kill", lambda *signal: signals.append(signal))

    async def hang_up() -> None:
        asked.append(asyncio.create_task(active.handover.reads_settings()))
        await asyncio.sleep(0.05)
        assert not asked[0].done()
        if not is_done:
            raise OSError("no more files")

    pair.prepare = lambda server: setattr(server, "before_serve", hang_up)
    await pair.ready()
    assert await active.handover.reads_settings()  # none is under way
    handing = asyncio.create_task(active.hands_over())
    await until(lambda: asked)
    if not is_done:
        monkeypatch.setattr(handover, "LISTENING_S", 0.05)
        with pytest.raises(OSError, match="no more files"):
            await pair.waiting
        await pair.made[-1].journal.close()
        active.feeding.standby.line.close()
    await asyncio.wait((handing,), timeout=5)
    assert is_done is not await asked[0]
    assert signals == [(os.getpid(), signal.SIGHUP)] * is_done
    if not is_done:
        assert isinstance(handing.exception(), UserError)


# -- why not -------------------------------------------------------------------------------------


async def test_without_a_standby_or_a_journal_that_takes_records_there_is_no_handover(pair):
    with pytest.raises(UserError, match="no standby waits"):
        await pair.active.hands_over()
    await pair.ready()
    pair.active.is_writable = False
    with pytest.raises(UserError, match="not now: the journal cannot be written"):
        await pair.active.hands_over()
    assert [] == pair.active.wall.calls


async def test_a_standby_says_why_it_is_not_ready(pair):
    pair.active.wall.protocols = (("7", 2, 3),)
    pair.wait()
    why = "door 7 speaks protocol 2-3, this server 1-1. Restart the door first"
    await until(lambda: pair.active.feeding.as_dict().get("why") == why)
    assert ([why], False) == (pair.states, pair.active.handover.is_possible)
    with pytest.raises(UserError, match=f"not ready: {why}"):
        await pair.active.hands_over()
    pair.active.wall.protocols = (("7", 1, 1),)
    await until(lambda: pair.active.feeding.as_dict()["state"] == "ready")
    assert [why, ""] == pair.states


@pytest.mark.parametrize(
    ("field", "value", "why", "word"),
    [
        ("schema", 99, "--with-migration", "with_migration"),
        ("schema", 0, "cannot read this journal", None),
        ("capsules", (0, 0), "--anyway", "anyway"),
    ],
)
async def test_another_release_needs_a_word_of_the_operator(pair, field, value, why, word):
    await pair.ready()
    standby = pair.active.feeding.standby
    hello = {name: getattr(standby.hello, name) for name in Hello.__struct_fields__}
    standby.hello = Hello(**{**hello, field: value})
    with pytest.raises(UserError, match=why):
        await pair.active.handover.run()
    if word is not None:
        assert (await pair.active.handover.run(**{word: True})).startswith("restarted")
        await pair.waiting


async def test_a_line_under_way_is_waited_for_and_then_the_tables_that_it_asked(pair):
    await pair.ready()
    active, handled = pair.active, asyncio.Event()
    looks = iter([{1, 2}, {2, 3}, {1, 3}])  # the third table is asked by nobody's line
    active.wall.is_handled, active.tables.busy = handled.is_set, lambda: next(looks)
    handing = asyncio.ensure_future(active.handover.run())
    await until(lambda: "hold" in active.wall.calls)
    await asyncio.sleep(0.02)
    assert (["hold"], {1, 2}) == (active.wall.calls, next(looks))
    handled.set()
    looks = iter([{2}, {2, 3}, {1, 3}])
    assert (await handing).startswith("restarted")
    assert [] == list(looks)
    await pair.waiting


async def test_a_journal_that_fails_in_the_last_moment_stays_where_it_is(pair):
    await says(pair.active, "person/1", b"a")
    await pair.ready()

    async def fail() -> None:
        raise JournalWriteError("no space left on the disk")

    pair.active.journal.hold = fail
    with pytest.raises(UserError, match="no space left on the disk; this server goes on"):
        await pair.active.hands_over()
    assert ["hold", "release"] == pair.active.wall.calls
    await says(pair.active, "person/1", b"b")


async def test_after_a_bug_in_a_handover_everything_goes_on(pair, monkeypatch, caplog):
    await pair.ready()
    monkeypatch.setattr(pair.active, "kept", "not a number")  # which `_keep` counts
    with pytest.raises(UserError, match=r"something went wrong here \(ref \w+\); this server goes"):
        await pair.active.hands_over()
    assert ["hold", "release"] == pair.active.wall.calls
    assert "handover failed err=TypeError" in caplog.text
    await asyncio.wait_for(says(pair.active, "person/1", b"b"), 1)


async def test_a_standby_that_is_gone_or_says_something_else_is_no_standby():
    standby = feeding.Standby(None, Hello("1", 1, 1, (1, 1), (1, 1)), 1, 2)
    standby.note(State("why"))
    assert "why" == standby.not_ready
    standby.note(Taken())
    with pytest.raises(ConnectionError, match="says Taken"):
        await standby.answer(Hello, 1)
    standby.note(None)
    for _ in range(2):
        with pytest.raises(ConnectionError, match="has ended"):
            await standby.answer(Taken, 1)


async def test_a_standby_of_another_container_has_no_process_here(monkeypatch):
    signals = list[tuple[int, int]]()
    monkeypatch.setattr(os, "kill", lambda *signal: signals.append(signal))
    for pid in (0, 7):  # 0 would be this process and all that it has started
        standby = feeding.Standby(None, Hello("1", 1, 1, (1, 1), (1, 1)), 1, pid)
        standby.hang_up()
        standby.end()
    assert signals == [(7, signal.SIGHUP), (7, signal.SIGKILL)]


@pytest.mark.parametrize(
    ("every_s", "wanted", "come", "found"),
    [(2, 2, 2, (2, 4)), (2, 2, 1, (1, 5)), (1, 9, 9, (5, 6))],
)
def test_sessions_are_counted_while_they_come(every_s, wanted, come, found):
    async def scenario() -> tuple[int, int]:
        loop = asyncio.get_running_loop()
        began_s, standby = loop.time(), waiting.Standby(Path(), Clock(loop, 0), None, None)

        class Server:
            def resumed_count(self) -> int:
                return min(come, int((loop.time() - began_s) / every_s))

        return await standby._count_resumed(Server(), wanted), round(loop.time() - began_s)

    assert found == virtual.run(scenario())
    assert waiting.RESUMED_S < handover.RESUMED_S
