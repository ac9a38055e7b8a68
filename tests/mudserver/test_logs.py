"""The lines that operators read."""

from __future__ import annotations

import asyncio
import json
import logging
import os

import pytest

from mudserver import logs
from mudserver.cli import process
from mudserver.clock import format_instant
from mudserver.config import schema

log = logging.getLogger("test")


def record(text: str, *words: object, bug: BaseException | None = None) -> logging.LogRecord:
    trace = (type(bug), bug, bug.__traceback__) if bug else None
    return logging.LogRecord("visit", logging.ERROR, "", 0, text, words, trace)


def bug_with(text: str) -> Exception:
    try:
        raise KeyError(text)
    except KeyError as exc:
        return exc


def test_a_line_is_one_line_of_printable_characters():
    text = logs.LogLineFormatter().format(record("typed=%s", "a\nb\x1b[2J\x9b\u202e\ud800ä"))
    assert r"ERROR visit typed=a\nb\x1b[2J\x9b\u202e\ud800ä" == text


def test_a_line_is_never_long():
    text = logs.LogLineFormatter().format(record("typed=%s", "x" * 100_000))
    assert logs.LINE_CHARS_MAX + 3 == len(text)


def test_a_bug_is_which_where_and_ref_without_what_it_says(caplog):
    ref = logs.log_exception(log, "line failed", bug_with("the queen of hearts"), person="p1")
    line = logs.LogLineFormatter().format(caplog.records[0])
    start = "ERROR test line failed person=p1 err=KeyError at=test_logs.py:"
    assert line.startswith(start)
    assert line.endswith(f" ref={ref}")
    assert "queen" not in line


def test_a_stack_trace_comes_with_debug_only(caplog):
    logs.log_exception(log, "line failed", bug_with("x"))
    assert "in bug_with" not in logs.LogLineFormatter().format(caplog.records[0])
    assert "in bug_with" in logs.LogLineFormatter(has_traces=True).format(caplog.records[0])


def test_a_stack_trace_says_nothing_that_an_exception_says(caplog):
    try:
        try:
            raise KeyError("the queen of hearts")
        except KeyError as exc:
            raise ValueError("hunter22") from exc
    except ValueError as exc:
        logs.log_exception(log, "line failed", exc)
    text = logs.LogLineFormatter(has_traces=True).format(caplog.records[0])
    assert ["ValueError", "KeyError"] == [row for row in text.split("\n") if row.endswith("Error")]
    code = [row for row in text.split("\n") if row.startswith("    ")]  # our own, as it was written
    assert 2 == len([row for row in code if "raise" in row])
    assert "hunter22" not in text.replace('raise ValueError("hunter22")', "")


def test_what_repeats_is_counted_and_told_once_a_minute():
    now_s = 0.0
    seldom = logs.RepeatLimiter(lambda: now_s)
    assert [1, 0, 0, 1] == [seldom.count_to_log(kind) for kind in ("a", "a", "a", "b")]
    now_s = logs.REPEAT_S
    assert [3, 0] == [seldom.count_to_log("a"), seldom.count_to_log("a")]


def test_ever_new_kinds_are_not_remembered_for_ever():
    seldom = logs.RepeatLimiter(lambda: 0.0)
    told = sum(bool(seldom.count_to_log(str(n))) for n in range(10 * logs.EVENT_KINDS_MAX))
    assert logs.EVENT_KINDS_MAX + 1 == told


def test_a_flood_of_lines_is_dropped_and_counted_on_the_next_line():
    now_s = 0.0
    bounded = logs.LogRateFilter(30, lambda: now_s)
    assert 30 == sum(bounded.filter(record("x=%s", n)) for n in range(100))
    now_s = 1.0
    after = [record("x=%s", "%s"), record("y")]
    assert [True, False] == [bounded.filter(one) for one in after]
    assert "x=%s dropped_before=70" == after[0].getMessage()


def test_more_lines_get_through_from_when_it_is_said():
    bounded = logs.LogRateFilter(2, lambda: 0.0)
    assert [True, True, False] == [bounded.filter(record("x=%s", n)) for n in range(3)]
    bounded.reconfigure(3)
    assert [True, False] == [bounded.filter(record("x=%s", n)) for n in range(2)]


@pytest.mark.parametrize("bug", [ConnectionResetError(), TimeoutError(), BrokenPipeError()])
async def test_the_other_ends_faults_are_no_lines(bug, caplog):
    loop = asyncio.get_running_loop()
    logs.LoopExceptionHandler(loop.time)(
        loop, {"message": "Fatal error on transport", "exception": bug}
    )
    assert [] == caplog.records


async def test_running_out_of_descriptors_is_one_line(caplog):
    loop = asyncio.get_running_loop()
    faults = logs.LoopExceptionHandler(loop.time)
    for _ in range(1_000):
        faults(loop, {
            "message": "socket.accept() out of system resource",
            "exception": OSError(24, "Too many open files"), "socket": object(),
        })  # fmt: skip
    assert 1 == len(caplog.records)
    assert "cannot accept connections errno=24" in caplog.records[0].getMessage()


async def test_what_a_callback_raises_is_one_line(caplog):
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(logs.LoopExceptionHandler(loop.time))

    def broken() -> None:
        raise ValueError("secret")

    loop.call_soon(broken)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert ["err=ValueError"] == [
        word for r in caplog.records for word in r.getMessage().split() if word.startswith("err=")
    ]
    assert "secret" not in caplog.records[0].getMessage()


def test_lines_that_only_inform_keep_no_fault_out():
    bounded = logs.LogRateFilter(30, lambda: 0.0)
    visit = logging.LogRecord("visit", logging.INFO, "", 0, "visit in", (), None)
    assert 15 == sum(bounded.filter(visit) for _ in range(100))
    assert 15 == sum(bounded.filter(record("x=%s", n)) for n in range(100))


def test_a_file_gets_times_and_journald_gets_priorities_instead():
    in_a_file = logs.LogLineFormatter(format_time=format_instant)
    for_journald = logs.LogLineFormatter(has_priority=True)
    one = record("visit failed visit=%s", "a-1")
    one.created = 1_800_000_000.25
    assert "2027-01-15T08:00:00.250Z ERROR visit visit failed visit=a-1" == in_a_file.format(one)
    assert "<3>ERROR visit visit failed visit=a-1" == for_journald.format(one)


def test_each_row_of_a_trace_has_its_priority_too():
    told = logs.LogLineFormatter(has_traces=True, has_priority=True).format(
        record("x", bug=bug_with("y"))
    )
    assert {"<3>"} == {row[:3] for row in told.split("\n")}
    assert told.count("\n") > 2


def test_an_object_has_its_trace_inside_and_stays_one_line():
    written = logs.LogLineFormatter(has_traces=True, is_json=True)
    text = written.format(record("x", bug=bug_with("y")))
    assert "\n" not in text
    assert "in bug_with" in json.loads(text)["trace"]
    assert "trace" not in json.loads(
        logs.LogLineFormatter(is_json=True).format(record("x", bug=bug_with("y")))
    )


def test_an_object_holds_the_words_of_the_line_and_no_user_forges_one():
    formatter = logs.LogLineFormatter(is_json=True, format_time=format_instant)
    one = record("table not saved table=%s err=%s", 12, 'disk I/O error"}\n{"level": "info')
    one.created = 1_800_000_000.0
    text = formatter.format(one)
    assert 1 == len(text.splitlines())
    assert {
        "time": "2027-01-15T08:00:00.000Z",
        "level": "error",
        "logger": "visit",
        "event": "table not saved",
        "table": "12",
        "err": 'disk I/O error"}\\n{"level": "info',
    } == json.loads(text)


def test_no_field_of_a_line_takes_the_place_of_its_level_or_of_an_earlier_one():
    text = logs.LogLineFormatter(is_json=True).format(
        record("bot failed err=%s", "x level=info err=y")
    )
    found = json.loads(text)
    assert {"level": "error", "logger": "visit", "event": "bot failed", "err": "x"} == found


def test_the_server_leaves_the_time_to_journald_if_that_reads_its_standard_error(monkeypatch):
    status = os.fstat(2)
    one = record("x")
    for stream, begins in ((f"{status.st_dev}:{status.st_ino}", "<3>ERROR"), ("1:2", "20")):
        monkeypatch.setenv("JOURNAL_STREAM", stream)
        assert process._log_formatter(schema.ServerConfig()).format(one).startswith(begins)
    as_objects = process._log_formatter(schema.ServerConfig(log_format="json"))
    assert "error" == json.loads(as_objects.format(one))["level"]
