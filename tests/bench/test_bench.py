"""The bench itself, small: it measures what it says, and its verdicts can be missed."""

from __future__ import annotations

import asyncio
from itertools import cycle

import pytest

from tests.bench import (
    accounts,
    crowd,
    full,
    gaps,
    journal,
    lobby,
    play,
    quiet,
    results,
    servers,
    sources,
    split,
    stored,
    words,
)
from tests.bench.report import Row, Target, printed
from tests.bench.visits import Size, bare_line_us, visited
from tests.postgres import find_programs
from tests.slow_cases import slow_cases
from variants.catalogue import CATALOGUE

SMALL = Size(warm=2, people=6, rounds=2, keys=3, commands=2, logins=2)


@pytest.mark.parametrize(
    "kind", slow_cases(["bare", "bare_ssh", "telnet", "ssh"], ["bare_ssh", "telnet", "ssh"])
)
def test_a_crowd_comes_hears_every_line_and_sees_every_key(kind):
    figures = visited(kind, SMALL)  # raises where a line or an echo is missing or too many
    expected = {"idle_kib", "arrivals", "lines", "lines_ten", "keys", "answer_us"}
    more = {"bare": {"proofs", "answer_in_one_us"}, "ssh": {"proofs"}}
    assert expected | more.get(kind, set()) == figures.keys()
    assert all(figures[name] > 0 for name in expected - {"idle_kib"})


@pytest.mark.prove
def test_a_crowd_of_programs_comes_and_reads_every_line():
    figures = visited("json", SMALL)
    assert {"idle_kib", "arrivals", "lines"} == figures.keys()
    assert figures["arrivals"] > 0 and figures["lines"] > 0


@pytest.mark.parametrize(("game", "readers"), [*zip(CATALOGUE, cycle(play.READERS), strict=False)])
def test_plays_at_several_tables_are_written_and_shown(game, readers):
    figures = play.run(game, tables=2, plays=2, readers=readers)
    assert {"all", *play.PARTS} == figures.keys()
    assert figures["all"] == pytest.approx(sum(figures[part] for part in play.PARTS))


@pytest.mark.prove
def test_a_line_is_timed_on_its_way_to_everybody():
    assert 0 < lobby.delivery_ms(readers=3, lines=2) < 5_000


@pytest.mark.prove
@pytest.mark.skipif(find_programs() is None, reason="install postgresql")
def test_lines_and_walks_between_servers_are_timed():
    assert 0 < servers.line_ms(readers=2, lines=2) < 10_000
    away, own = servers.walks_ms(walks=4)
    assert 4 == len(away) == len(own) and 0 < min(away + own)
    assert 0 < servers.line_us(2, people=2, rounds=2)


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_a_prompt_that_ends_with_a_go_ahead_holds_nothing_back(size):
    """The server sends one where the client's answers come late, as on a busy machine."""
    ear, heard = crowd.TelnetEar(), b"Name: \xff\xf9\x1b[1mlobby> \xff\xfb"
    shown: list[bytes] = []
    ear.connection_made(asyncio.Transport())
    ear.hear = shown.append
    for at in range(0, len(heard), size):
        ear.data_received(heard[at : at + size])
    assert b"Name: \x1b[1mlobby> " == b"".join(shown)


def test_a_visit_among_others_is_measured():
    assert 0 < lobby.visit_us(present=3, visits=2)


def test_a_login_beside_connections_that_say_nothing_is_measured():
    assert 0 < sources.worst_login_s(["127.200.0.1", "127.200.0.2"], people=2, begun_s=0.1) < 30


@pytest.mark.prove
def test_a_line_of_the_bare_server_is_measured_by_itself():
    assert 0 < bare_line_us(SMALL)


def test_a_line_that_nobody_else_reads_is_measured():
    assert 0 < lobby.unread_us(present=3, lines=2)


def test_who_is_measured_among_others():
    assert 0 < lobby.who_us(present=3, asked=2)


@pytest.mark.prove
def test_a_line_through_a_door_is_measured_in_both_processes():
    figures = split.line_us("telnet", people=3, rounds=2)
    assert {"one", "door", "game", "both"} == figures.keys()
    assert figures["both"] == pytest.approx(figures["door"] + figures["game"])
    assert min(figures.values()) > 0


@pytest.mark.prove
@pytest.mark.parametrize("kind", split.KINDS)
def test_an_echo_is_timed_through_a_door_and_without_one(kind):
    figures = split.echoes_us(kind, people=2, keys=6, parts=2)
    assert {"one", "split"} == figures.keys()
    for spent in figures.values():
        assert 6 == len(spent) and 0 < spent[0] and spent == sorted(spent)


@pytest.mark.prove
@pytest.mark.parametrize("kind", quiet.KINDS)
def test_quiet_sessions_are_taken_up_with_all_that_they_can_recall(kind):
    figures = quiet.quiet_session(kind, people=4, history=3)  # raises where a line is missing
    assert {"new_kib", "door_kib", "take_up_us"} == figures.keys()
    assert figures["take_up_us"] > 0


@pytest.mark.prove
def test_as_many_people_come_to_a_large_restart_as_files_may_be_open(monkeypatch):
    monkeypatch.setattr(gaps, "files_max", lambda: gaps.OTHER_FILES + 6)
    found = gaps.many_waits(people=9, typists=3)
    assert 6 == found.people
    assert 3 * gaps.MANY_RESTARTS == len(found.waits_ms) and found.waits_ms[0] > 0


def test_a_row_says_how_many_people_were_there():
    rows = gaps.many_rows(gaps.Waits(768, [1.0, 2.0, 3.0]), 10_000, 500.0)
    assert all("with 768 people (of 10,000 wanted)" in row.name for row in rows)
    assert [2.0, 3.0, 3.0] == [row.value for row in rows]


@pytest.mark.prove
def test_the_gap_of_a_crash_is_measured_beside_a_start():
    figures = gaps.crash(crashes=1)
    assert {"gap", "standby", "start"} == figures.keys() and min(figures.values()) > 0


@pytest.mark.prove
def test_the_waits_of_a_planned_restart_are_measured():
    waits_ms = gaps.planned_ms(people=6, typists=3, restarts=2)
    assert 6 == len(waits_ms) and 0 < waits_ms[0] and waits_ms == sorted(waits_ms)


def test_accounts_are_trimmed_and_started():
    figures = accounts.run(streams=3, accounts=20)
    assert {"trim_cpu_ms", "trim_ms", "kib", "start_s"} == figures.keys()
    assert figures["trim_cpu_ms"] > 0 and figures["start_s"] > 0


@pytest.mark.parametrize(
    "programs", [None, pytest.param(find_programs(), marks=pytest.mark.prove)], ids=["", "postgres"]
)
def test_the_journal_is_measured_at_every_width(monkeypatch, programs):
    monkeypatch.setattr(journal, "find_programs", lambda: programs)
    figures = journal.run(records=256)
    assert all(figures[f"us_{width}_in_flight"] > 0 for width in journal.IN_FLIGHT)
    if programs is not None:
        assert figures["us_postgres_32"] > 0 and figures["rate_postgres_32"] > 0


def test_a_full_screen_is_measured_in_time_and_memory():
    figures = full.run(80, 24, count=2)
    assert full.TARGETS.keys() == figures.keys()
    assert all(figure > 0 for name, figure in figures.items() if name != "kib")


@pytest.mark.prove
def test_the_word_list_is_measured_in_time_and_memory():
    figures = words.run(questions=20)
    assert words.TARGETS.keys() == figures.keys()
    assert all(figure > 0 for figure in figures.values())


def test_a_ratio_is_taken_beside_the_bare_figure_of_the_same_time():
    row = Row("lines", (50.0, 10.0, 45.0), (100.0, 20.0, 90.0), Target(">=", 0.5, is_ratio=True))
    assert 0.5 == row.ratio
    assert row.is_met()


def test_a_missed_target_is_printed_and_fails_a_gate_only_beyond_the_tolerance():
    row = Row("us of CPU", (110.0,), (), Target("<=", 100))
    assert "MISSED" in printed([row])
    assert not row.is_met()
    assert row.is_met(tolerance=0.2)
    assert not Row("us of CPU", (130.0,), (), Target("<=", 100)).is_met(tolerance=0.2)


def test_a_start_with_stored_tables_and_games_is_measured(tmp_path):
    figures = stored.run(tmp_path / "var", tables=100, games=20, runs=1)
    assert {"ready_s", "cpu_s"} == figures.keys()
    assert figures["ready_s"][0] > 0 < figures["cpu_s"][0]


def test_recorded_games_are_listed_and_counted():
    assert results.run(games=400).keys() >= {"a page of games", "stats", "vs", "recording one"}
