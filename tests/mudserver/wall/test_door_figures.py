"""What a door counts, and what the game server says of its doors."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from msgspec import structs

from mudserver import metrics
from mudserver.metrics import SECONDS_BUCKETS
from mudserver.ops.prometheus import render
from mudserver.wall.bodies import Handshake, Restart, Stats, decode_body, encode_body
from mudserver.wall.door_figures import door_families, door_rows, restarts_of
from mudserver.wall.door_stats import DoorStats, RestartHistory
from mudserver.wall.frames import Frame, FrameError, Kind
from tests.mudserver.transport.server import HandClock, until
from tests.mudserver.transport.telnet_client import Client
from tests.mudserver.wall.house import WalledServer

HANDSHAKE = Handshake(1, 1, "0.5.0", "1", "d1", 2)


def test_a_restart_is_counted_with_its_gap_and_who_went_on():
    clock = HandClock()
    history = RestartHistory(clock)
    assert history.end() is None  # the first game server
    history.begin("planned", [1, 2, 3])
    clock.move(0.12)
    assert 0.12 == pytest.approx(history.gap_s)
    assert 0.12 == pytest.approx(history.end())
    for connection in (1, 1, 2, 9):
        history.note_in(connection)
    history.discard(3)  # hung up before it was in again
    history.note_in(3)
    assert {"planned": 1, "crash": 0} == history.counts
    assert (3, 2, "planned") == (history.last.sessions, history.last.went_on, history.last.kind)
    assert 1 == sum(history.gaps) and 0.12 == pytest.approx(history.gaps_s)
    assert 1 == history.gaps[SECONDS_BUCKETS.index(0.25)]


def test_who_waits_in_vain_is_lost():
    clock = HandClock()
    history = RestartHistory(clock)
    history.begin("crash", [1, 2])
    history.discard(1)  # went away by itself
    history.give_up()
    history.give_up()
    assert 1 == history.lost and {"planned": 0, "crash": 0} == history.counts


@pytest.fixture
async def walled(tmp_path):
    server = await WalledServer(tmp_path).open(telnet_wait_s=0.01)
    server.stats = DoorStats(server.door, server.gate, server.door.clock)
    server.stats.start()
    yield server
    server.stats.stop()
    await server.close()


async def test_the_game_server_hears_what_its_door_counts(walled):
    (door,) = walled.game.doors
    await until(lambda: door.stats is not None)
    line = Client(*await walled.raw())
    handler = await walled.handler()
    handler.link.mark_logged_in("", is_regular=False)
    await until(lambda: [True] == [c.is_admitted for c in walled.door.connections.values()])
    walled.stats.tell()
    await until(lambda: 1 == door.stats.people)
    (row,) = door_rows(walled.game.doors)
    assert ("1", "0.5.0", 1, 1, 1, 0, None) == (
        row["name"], row["version"], row["protocol"], row["people"], row["connections"],
        row["connections_pre_login"], row["draining_s"],
    )  # fmt: skip
    await until(lambda: door.lag_s > 0)
    line.writer.close()


@pytest.mark.parametrize("kind", ["planned", "crash"])
async def test_the_next_game_server_hears_how_the_last_one_ended(walled, kind):
    line = Client(*await walled.raw())
    handler = await walled.handler()
    handler.link.mark_logged_in("", is_regular=False)
    await until(lambda: [True] == [c.is_admitted for c in walled.door.connections.values()])
    if kind == "planned":
        walled.game.close("shutdown")
    else:
        walled.kill_game()
    await until(lambda: not walled.door.is_open)
    await walled.open_game()
    handler = await walled.handler(1)
    handler.link.mark_logged_in("", is_regular=False)
    await until(lambda: 1 == walled.door.restarts.last.went_on)
    walled.stats.tell()
    await until(lambda: 1 == (restarts_of(walled.game.doors)["last"] or {}).get("went_on"))
    found = restarts_of(walled.game.doors)
    assert {"planned": kind == "planned", "crash": kind == "crash"} == {
        each: found[each] for each in ("planned", "crash")
    }
    assert (kind, 1, 1) == (
        found["last"]["kind"], found["last"]["sessions"], found["last"]["went_on"]
    )  # fmt: skip
    line.writer.close()


async def test_people_of_a_door_that_does_not_come_again_are_lost(walled):
    walled.game.clock = clock = HandClock()
    dead, back = structs.replace(HANDSHAKE, boot="dead"), structs.replace(HANDSHAKE, boot="back")
    walled.game.note_lost(dead, 2)
    walled.game.note_lost(back, 3)
    clock.move(5)
    walled.game.note_shaken(back)
    clock.move(5)
    assert {"1": 2} == walled.game.sessions_lost


async def test_a_door_without_a_usable_name_is_refused(tmp_path, caplog):
    server = WalledServer(tmp_path)
    server.door_name = 'a"} 1'
    await server.open_game()
    await server.open_door(waits=False)
    await until(lambda: "HANDSHAKE of a door without a usable name" in caplog.text)
    assert not server.door.is_open
    await server.close()


def a_door(**stats) -> SimpleNamespace:
    return SimpleNamespace(handshake=HANDSHAKE, stats=Stats(60.0, **stats), lag_s=0.002)


def test_doors_that_saw_the_same_restart_are_one_row():
    last = Restart("crash", 100_000, 0.4, 7, 6)
    doors = [
        a_door(restarts={"planned": 3, "crash": 1}, last_restart=last),
        a_door(
            restarts={"planned": 0, "crash": 1},
            last_restart=structs.replace(last, at_ms=100_050, gap_s=0.6, sessions=2, went_on=2),
        ),
        a_door(last_restart=structs.replace(last, at_ms=10_000)),  # an earlier one
    ]
    assert {
        "planned": 3,
        "crash": 1,
        "last": {"kind": "crash", "at_ms": 100_050, "sessions": 9, "went_on": 8, "gap_s": 0.6},
    } == restarts_of(doors)
    assert {"planned": 0, "crash": 0, "last": None} == restarts_of([])


def test_each_figure_has_the_name_of_its_door():
    gaps = tuple(2 * (bound == 0.25) for bound in (*SECONDS_BUCKETS, 0))
    door = a_door(connections=9, refused={"rate": 4}, gaps=gaps, gaps_s=0.3, lost=1)
    text = render([], door_families([door], {"1": 2, "2": 5})).decode()
    for row in (
        'mudserver_door_connections{server_door="1"} 9',
        'mudserver_door_refused_total{server_door="1",why="rate"} 4',
        'mudserver_restart_gap_seconds_bucket{server_door="1",le="0.1"} 0',
        'mudserver_restart_gap_seconds_bucket{server_door="1",le="0.25"} 2',
        'mudserver_restart_gap_seconds_sum{server_door="1"} 0.3',
        'mudserver_restart_gap_seconds_count{server_door="1"} 2',
        'mudserver_sessions_lost_total{server_door="1"} 3',
        'mudserver_sessions_lost_total{server_door="2"} 5',
        'mudserver_wall_lag_seconds{server_door="1"} 0.002',
    ):
        assert f"\n{row}\n" in text, row


def test_a_door_that_has_told_nothing_has_zeros():
    door = SimpleNamespace(handshake=HANDSHAKE, stats=None, lag_s=0.0)
    assert 0 == door_rows([door])[0]["people"]
    assert [] == door_rows([SimpleNamespace(handshake=None, stats=None, lag_s=0.0)])


@pytest.mark.parametrize("stats", [{"refused": {'x"': 1}}, {"restarts": {"A" * 30: 1}}])
def test_a_word_that_no_metric_may_have_does_not_decode(stats):
    frame = Frame(Kind.STATS, 0, encode_body(Stats(1.0, **stats)))
    with pytest.raises(FrameError):
        decode_body(Stats, frame)


async def test_bytes_of_the_wall_are_counted(walled):
    before = dict(metrics.WALL_BYTES.values)
    walled.stats.tell()
    await until(lambda: all(metrics.WALL_BYTES.values[way] > before[way] for way in ("in", "out")))
