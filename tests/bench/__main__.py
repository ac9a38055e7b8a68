"""What the server costs, beside a bare asyncio server on the same machine: `make bench`.

The rows are explained in docs/bench.md.  Exit status 0, or with `--gate` 1 if a target is missed by
more than a fifth.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median

from tests.bench import (
    accounts,
    full,
    gaps,
    journal,
    lobby,
    play,
    replays,
    results,
    servers,
    sources,
    split,
    words,
)
from tests.bench.report import TOLERANCE, Row, Target, printed
from tests.bench.visits import Size, visited
from variants.catalogue import CATALOGUE

Figures = Mapping[str, Sequence[float]]

AT_LEAST = {  # of bare: the kind of line, the figure
    ("telnet", "lines"): 0.6,
    ("telnet", "lines_ten"): 0.45,
    ("telnet", "keys"): 0.117,  # 25 k, where a bare server delivers 214 k lines
    ("ssh", "lines"): 0.28,
    ("ssh", "lines_ten"): 0.15,
    ("ssh", "keys"): 0.079,  # 17 k
}
LOGINS_AT_LEAST = 0.0037  # of the bare server's lines: 800, where it delivers 214 k
NAMES = {
    "lines": "lobby lines delivered, one a tick",
    "lines_ten": "lobby lines delivered, ten a tick",
    "keys": "keys echoed",
}
ANSWER_AT_MOST = {"telnet": 1.6, "ssh": 2.5}  # of what the bare server takes for a line
# A bare server's echo costs what the allocator makes of asyncio's new buffer of 256 KiB for each
# read: 63 k to 113 k on one machine within minutes; its connections, 22 k to 44 k.  Its lines are
# steady.
BESIDE = {"keys": "lines", "proofs": "lines"}
IDLE_KIB = {"telnet": 36, "ssh": 40, "json": 40}
BUSY_TABLES = 32
SCREEN_TABLES = 8  # of people before full screens, or of programs
SCREEN_US = 2_025  # of a full screen that is shown a play, as in `full.py`
REFERENCE_LINES = 214_000  # the bare server's on the machine where the targets were set, idle
PACE_ROW = f"telnet: {NAMES['lines']}"
KINDS = ("bare", "telnet", "ssh", "bare_ssh", "json")
PARTS = (
    *("visits", "journal", "accounts", "results", "sources", "lobby", "split", "gaps"),
    *("servers", "play", "replays", "full", "words"),
)


def measures(
    times: int, size: Size, plays: int, records: int, many: int
) -> Mapping[str, Callable[[], list[Row]]]:
    """What measures each of the `PARTS`, *times* times."""
    return {
        "visits": lambda: _visits(times, size),
        "journal": lambda: _journal_rows(_by_figure([journal.run(records) for _ in range(times)])),
        "accounts": lambda: accounts.rows(times),
        "results": lambda: results.rows(1),  # filling takes minutes
        "sources": lambda: sources.rows(times),
        "lobby": lambda: lobby.rows(times),
        "split": lambda: split.rows(times),
        "gaps": lambda: gaps.rows(times, many),
        "servers": lambda: servers.rows(times),
        "play": lambda: _plays(times, plays),
        "replays": lambda: replays.rows(times),
        "full": lambda: full.rows(times),
        "words": lambda: words.rows(times),
    }


def _visits(times: int, size: Size) -> list[Row]:
    found: dict[str, list[dict[str, float]]] = {kind: [] for kind in KINDS}
    for _ in range(times):
        for kind in KINDS:
            found[kind].append(visited(kind, size))
    return _visit_rows({kind: _by_figure(each) for kind, each in found.items()})


def _plays(times: int, plays: int) -> list[Row]:
    rows, shown = [], []
    for game in CATALOGUE:
        busy, idle, panes, programs = [], [], [], []
        for _ in range(times):
            busy.append(play.run(game, BUSY_TABLES, plays))
            idle.append(play.run(game, 1, plays // 4))
            panes.append(play.run(game, SCREEN_TABLES, plays // 5, "panes")["all"])
            programs.append(play.run(game, SCREEN_TABLES, plays // 5, "json")["all"])
        rows += _play_rows(game, _by_figure(busy), _by_figure(idle))
        shown += _shown_rows(game, panes, programs)
    return [*rows, *shown]


def _by_figure(found: Sequence[Mapping[str, float]]) -> dict[str, tuple[float, ...]]:
    return {name: tuple(each[name] for each in found) for name in found[0]}


def _visit_rows(visits: Mapping[str, Figures]) -> list[Row]:
    def row(name: str, kind: str, figure: str, target: Target | None) -> Row:
        bare = visits["bare"][BESIDE.get(figure, figure)]
        return Row(name, tuple(visits[kind][figure]), tuple(bare), target)

    rows = [
        row(f"{kind}: KiB of memory, idle session", kind, "idle_kib", Target("<=", most))
        for kind, most in IDLE_KIB.items()
    ]
    for (kind, figure), least in AT_LEAST.items():
        target = Target(">=", least, is_ratio=True)
        rows.append(row(f"{kind}: {NAMES[figure]}", kind, figure, target))
    for kind, most in ANSWER_AT_MOST.items():
        target = Target("<=", most, is_ratio=True)
        rows.append(row(f"{kind}: us of CPU a command answered", kind, "answer_us", target))
    rows += _library_rows(visits)
    rows.append(row("json: lobby lines delivered, one a tick", "json", "lines", None))
    rows.append(row("telnet: guests let in, to the prompt", "telnet", "arrivals", None))
    rows.append(row("ssh: logins by key, to the prompt", "ssh", "arrivals", None))
    logins = Target(">=", LOGINS_AT_LEAST, is_ratio=True)
    rows.append(row("ssh: logins by key, authentication alone", "ssh", "proofs", logins))
    return rows


def _library_rows(visits: Mapping[str, Figures]) -> list[Row]:
    """What others would take at least: one write for an answer, and asyncssh without a server."""
    bare, alone = visits["bare"], visits["bare_ssh"]
    one = Row("bare: us of CPU a command answered in one write",
              tuple(bare["answer_in_one_us"]), tuple(bare["answer_us"]))  # fmt: skip
    return [
        one,
        Row("asyncssh alone: lobby lines delivered, one a tick",
            tuple(alone["lines"]), tuple(bare["lines"])),
        Row("asyncssh alone: us of CPU a command answered",
            tuple(alone["answer_us"]), tuple(bare["answer_us"])),
    ]  # fmt: skip


def _journal_rows(figures: Figures) -> list[Row]:
    rows = []
    for width in journal.IN_FLIGHT:
        target = Target("<=", 15) if width == 32 else None
        rows.append(
            Row(
                f"journal: us of CPU a record, {width} in flight",
                tuple(figures[f"us_{width}_in_flight"]),
                tuple(figures[f"us_bare_sqlite_{width}"]),
                target,
            )
        )
    rows.append(
        Row("journal: durable records a second, 32 in flight", tuple(figures["per_s_32_in_flight"]))
    )
    if "us_postgres_32" in figures:
        us, rate = tuple(figures["us_postgres_32"]), tuple(figures["rate_postgres_32"])
        rows += [
            Row(
                "journal in PostgreSQL: us of CPU a record, 32 in flight", us, (), Target("<=", 15)
            ),
            Row("      its rate, of SQLite's in turn", rate, (), Target(">=", 0.9)),
        ]
    return rows


def _play_rows(game: str, busy: Figures, idle: Figures) -> list[Row]:
    """A play is decided, durable, and painted for all at the table, who read in four ways."""
    at_once = f"{game}: us of CPU a play, {BUSY_TABLES} tables of {play.seats_of(game)} at once"
    return [
        Row(at_once, tuple(busy["all"]), (), Target("<=", 1_000)),
        *(Row(f"      of that {part}", tuple(busy[part])) for part in play.PARTS),
        Row(f"{game}: us of CPU a play, one table in an idle server", tuple(idle["all"])),
    ]


def _shown_rows(game: str, panes: Sequence[float], programs: Sequence[float]) -> list[Row]:
    """The same, before full screens and for programs."""
    seats = play.seats_of(game)
    return [
        Row(f"{game}: us of CPU a play, shown to {seats} full screens", tuple(panes), (),
            Target("<=", seats * SCREEN_US)),
        Row(f"{game}: us of CPU a play, shown to {seats} programs", tuple(programs)),
    ]  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="the figures are medians of so many")
    parser.add_argument("--people", type=int, default=Size.people, help="connected at once")
    parser.add_argument("--many", type=int, default=gaps.MANY,
                        help="people of the large restart, at most")  # fmt: skip
    parser.add_argument("--only", nargs="+", choices=PARTS, help="these parts alone")
    parser.add_argument("--gate", action="store_true", help="exit 1 if a target is missed by 20 %%")
    options = parser.parse_args()
    start_s = time.monotonic()
    size = Size(people=options.people)
    measure = measures(options.times, size, plays=320, records=10_000, many=options.many)
    rows = [row for part in options.only or PARTS for row in measure[part]()]
    print(printed(rows))
    for row in rows:
        if row.name == PACE_ROW:
            pace = median(row.bare) / REFERENCE_LINES
            print(f"the bare server runs at {pace:.2f} of the reference's pace")
    print(f"per second of the server's CPU where nothing else is said; "
          f"medians of {options.times}; {time.monotonic() - start_s:.0f} s")  # fmt: skip
    return int(options.gate and not all(row.is_met(TOLERANCE) for row in rows))


if __name__ == "__main__":
    sys.exit(main())
