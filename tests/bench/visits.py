"""What visits cost a server: to come in, to be there, to hear and to type.

Rule 1: a fresh server and a fresh crowd for every measurement of one kind; the figures are the
        server's own CPU and memory.
Rule 2: what was said must have been heard, every line by everybody, or there is no figure.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.bench.child import Child

SERVERS = {
    "bare": "tests.bench.bare",
    "telnet": "tests.bench.server",
    "ssh": "tests.bench.server",
    "bare_ssh": "tests.bench.bare_ssh",
    "json": "tests.bench.server",  # by SSH too
}
BY_KEY = ("ssh", "bare_ssh", "json")
PAUSE_S = 0.03  # between two rounds of talk: more than a tick
COMMAND = "whoami\r\n"
ANSWER_ROWS = 3  # what was typed, and two rows that answer it


@dataclass(frozen=True)
class Size:
    """How large a crowd, and how much of everything."""

    warm: int = 20  # come before the first look at the memory
    people: int = 400
    rounds: int = 40  # of talk
    keys: int = 40  # each types
    commands: int = 20  # each types, and reads the answer
    logins: int = 100  # that only authenticate


def visited(kind: str, size: Size) -> dict[str, float]:
    """One measurement of a kind of line ("bare", "telnet", "ssh", "bare_ssh": asyncssh alone, and
    "json": a program).

    Returns:
        `idle_kib` of a person; per second of the server's CPU `lines`, `lines_ten` (ten a tick),
        `keys`, `arrivals` (until the prompt stands) and, without telnet, `proofs` (connected and
        authenticated); `answer_us` of CPU for a command; of the bare server also
        `answer_in_one_us`, in one write.  Of a program `idle_kib`, `arrivals` and `lines`, each an
        object.
    """
    with Child(SERVERS[kind]) as server, Child("tests.bench.crowd") as crowd:
        port = server.ask("listen")["ssh" if kind in BY_KEY else kind]
        if kind in BY_KEY:
            keys = crowd.ask("make_keys", size.warm + size.people + size.logins)
            server.ask("open_accounts", keys)
        crowd.ask("come", kind, port, size.warm)
        server.ask("settle")

        figures = {}
        before_kib, before_s = server.ask("rss_kib"), server.ask("cpu_s")
        crowd.ask("come", kind, port, size.people)
        figures["arrivals"] = size.people / (server.ask("rested_s") - before_s)
        server.ask("settle")
        figures["idle_kib"] = (server.ask("rss_kib") - before_kib) / size.people

        if kind != "json":
            crowd.ask("type_half")
        figures["lines"] = _heard(server, crowd, size, 1)
        if kind == "json":
            return figures
        figures["lines_ten"] = _heard(server, crowd, size, 10)

        figures["keys"] = _typed(server, crowd, size)
        figures["answer_us"] = _answered(server, crowd, size)
        if kind == "bare":
            server.ask("answer_in_one_write")
            figures["answer_in_one_us"] = _answered(server, crowd, size)

        if kind not in ("telnet", "bare_ssh"):
            before_s = server.ask("cpu_s")
            crowd.ask("connect", kind, port, size.logins)
            figures["proofs"] = size.logins / (server.ask("rested_s") - before_s)
        crowd.ask("leave")
    return figures


def bare_line_us(size: Size) -> float:
    """Microseconds of CPU for a line that the bare server delivers: the pace of the machine now."""
    with Child(SERVERS["bare"]) as server, Child("tests.bench.crowd") as crowd:
        crowd.ask("come", "bare", server.ask("listen")["bare"], size.warm + size.people)
        line_us = 1e6 / _heard(server, crowd, size, 1)
        crowd.ask("leave")
    return line_us


def _heard(server: Child, crowd: Child, size: Size, lines: int) -> float:
    """Lines delivered in a second of CPU, so many of them at once."""
    crowd.ask("forget")
    with crowd.frozen():  # their sockets' buffers hear in the meantime
        spent_s = server.ask("talk", size.rounds, lines, PAUSE_S)
    delivered = (size.warm + size.people) * size.rounds * lines
    surplus = crowd.ask("hear", delivered)
    assert not surplus, f"{surplus} lines more than were said"
    return delivered / spent_s


def _typed(server: Child, crowd: Child, size: Size) -> float:
    """Keys answered in a second of CPU.  Everybody presses one, then sees its answer."""
    spent_s = 0.0
    for number in range(size.keys):
        before_s = server.ask("cpu_s")
        with server.frozen():
            crowd.ask("press", number)
        with crowd.frozen():
            spent_s += server.ask("rested_s") - before_s
        surplus = crowd.ask("see")
        assert not surplus, f"{surplus} answers more than keys"
    return (size.warm + size.people) * size.keys / spent_s


def _answered(server: Child, crowd: Child, size: Size) -> float:
    """Microseconds of CPU for a command that is read, run and answered.  Everybody types one."""
    crowd.ask("type", "\x15")  # nobody has begun a line
    spent_s, people = 0.0, size.warm + size.people
    for _ in range(size.commands):
        server.ask("rested_s", PAUSE_S)
        crowd.ask("forget")
        before_s = server.ask("cpu_s")
        with server.frozen():
            crowd.ask("type", COMMAND)
        with crowd.frozen():
            spent_s += server.ask("rested_s", PAUSE_S) - before_s
        surplus = crowd.ask("hear", people * ANSWER_ROWS)
        assert not surplus, f"{surplus} rows more than answers"
    return spent_s / size.commands / people * 1e6
