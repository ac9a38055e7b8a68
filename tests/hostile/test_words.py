"""No control byte of one person reaches another terminal or the log, by whatever field."""

from __future__ import annotations

import asyncio

import pytest

from tests.hostile.attack import Line, guest, known, new_source, ssh
from tests.hostile.payloads import FORGED, LIKE_ALICE, PAYLOADS, RAW, RESERVED, foreign
from tests.slow_cases import every_third

FIELDS = (
    *(
        "say {}",
        "me {}",
        "'{}",
        ":{}",
        "tell plain {}",
        "tell {} hello",
        "open {}",
        "open elimination",
    ),
    *("open elimination deck={}", "open elimination {}=3", "{}", "/{}", "help {}", "finger {}"),
    *("sit {}", "watch {}", "set width {}", "set {} on", "key ssh-ed25519 {}", "rules {}"),
    *("resume {}", "unbot {}", "bot {}", "reply {}"),
)


class Listeners:
    """Ann talks; two others read it, one without ANSI and one on a terminal."""

    def __init__(self, server) -> None:
        self.ann = known(server, "ann")
        self.plain = known(server, "plain")
        self.terminal = known(server, "eye", is_terminal=True)
        for line in (self.ann, self.plain, self.terminal):
            line.hear(0.2)
            line.heard = b""

    def close(self) -> None:
        for line in (self.ann, self.plain, self.terminal):
            line.close()

    def heard_clean(self, *, until: bytes) -> None:
        for line in (self.plain, self.terminal):
            line.wait_for(until)
            assert [] == foreign(line.heard), line.heard
            line.heard = b""


@pytest.fixture(scope="module")
def listeners(patient):
    listeners = Listeners(patient)
    yield listeners
    listeners.close()


def test_what_is_said_arrives_without_its_sequences(listeners):
    for n, payload in enumerate((*PAYLOADS.values(), *RAW.values())):
        raw = payload if isinstance(payload, bytes) else payload.encode("utf-8", "surrogatepass")
        verb = ("say", "me", "tell eye")[n % 3]
        listeners.ann.send(f"{verb} {n} ".encode() + raw + b" end\r\nsay mark%d\r\n" % n)
        for line in (listeners.plain, listeners.terminal):
            line.wait_for(b"mark%d" % n)
    for line in (listeners.plain, listeners.terminal):
        assert [] == foreign(line.heard)
        assert line.heard.count(b" end") >= 30
        line.heard = b""


def test_what_is_said_never_looks_like_a_row_of_the_server(listeners):
    """A filled row before it, of every length around the width of the terminals."""
    for cells in range(55, 85):
        for verb in ("say", "me", "tell plain"):
            listeners.ann.type(f"{verb} {'.' * cells} {FORGED[cells % len(FORGED)]}")
    listeners.ann.type("say that was all of it")
    for line in (listeners.plain, listeners.terminal):
        line.wait_for(b"that was all of it")
        rows = line.heard.decode().replace("\x1b[K", "").splitlines()
        assert len([row for row in rows if "...." in row]) >= 60
        assert [] == [row for row in rows if row.startswith(FORGED)]
        line.heard = b""


@pytest.mark.parametrize("field", FIELDS)
def test_no_field_of_a_command_lets_a_sequence_through(listeners, field):
    for payload in ("\x1b[2J\x1b]52;c;QQ==\a", "\u009b2J\u202e\r\nforged", "%s{0}\x7f\x00\b\b"):
        listeners.ann.type(field.format(payload))
    listeners.ann.type("/leave")  # a table answers a moment later, and tells reach everywhere
    for name in ("plain", "eye"):
        listeners.ann.type(f"/tell {name} that was {field.partition(' ')[0].strip('{}')} x")
    listeners.heard_clean(until=b"that was ")
    listeners.ann.hear(0.05)
    assert [] == foreign(listeners.ann.heard)  # not even one's own terminal
    listeners.ann.heard = b""


async def test_over_ssh_it_is_the_same(patient, listeners):
    async with await ssh(patient, "guest", term_type="xterm") as connection:
        process = await connection.create_process(encoding=None, term_type="\x1b[31mxterm\r\n")
        for n, payload in enumerate(PAYLOADS.values()):
            raw = payload.encode("utf-8", "surrogatepass")
            process.stdin.write(f"say s{n} ".encode() + raw + b" end\r")
            await asyncio.sleep(0)
        process.stdin.write(b"\rsay over and out\r")
        await asyncio.to_thread(listeners.heard_clean, until=b"over and out")
        connection.abort()


@pytest.fixture(scope="module")
def alice(patient):
    """Somebody whose name others would like to have."""
    known(patient, "alice").close()


def test_a_name_that_looks_like_somebody_elses_is_not_to_be_had(patient, alice):
    line = Line(patient)
    line.wait_for(rb"Name: ")
    for name in LIKE_ALICE:
        line = asked(patient, line, name)
        # Either it is alice's own name, which asks for her password, or nobody's.
        assert b"Choose a password" not in line.heard, name
    line.close()


def test_reserved_and_impossible_names_are_not_to_be_had(patient):
    line = Line(patient)
    line.wait_for(rb"Name: ")
    for name in RESERVED:
        line = asked(patient, line, name)
        assert b"Choose a password" not in line.heard, name
    line.close()


def asked(server, line: Line, name: str) -> Line:
    """Type *name* at a name prompt; a fresh line if that one is no longer there."""
    line.heard = b""
    line.send(name.encode() + b"\r\n")
    line.wait_for(rb"(Name|[Pp]assword|lobby): ?|lobby>|Goodbye|Welcome")
    if not line.heard.rstrip().endswith(b"Name:"):
        heard, line = line.heard, Line(server, new_source())
        line.wait_for(rb"Name: ")
        line.heard = heard
    return line


@pytest.mark.parametrize(
    "name", every_third(n for n in (*LIKE_ALICE, *RESERVED) if n.strip() and n != "ALICE")
)
async def test_by_ssh_such_a_name_is_not_to_be_had_either(patient, alice, name):
    import asyncssh

    key = asyncssh.generate_private_key("ssh-ed25519")
    try:
        async with await ssh(patient, name, client_keys=[key]) as connection:
            process = await connection.create_process(encoding=None)
            heard = await asyncio.wait_for(process.stdout.read(2_000), 5)
            assert b"now belongs" not in heard
    except (OSError, asyncssh.Error, ValueError):
        pass  # refused before it was anybody


def test_the_second_of_two_visits_of_one_person_stays(patient):
    first = known(patient, "twice")
    second = known(patient, "twice")
    first.wait_for(rb"You logged in from another terminal, so this one is disconnected\.")
    assert first.is_closed(3)
    second.type("say I am the one")
    second.wait_for(rb"twice: I am the one")
    second.close()


def test_guests_cannot_take_a_seat_back_by_guessing(patient):
    line = guest(patient)
    for code in ("aaaaaaaaaaaaaaaaaaaaaaaaaa", "", "guest1", "\x1b[2J", "g0"):
        line.type(f"resume {code}")
    line.wait_for(rb"That code doesn't match a running game")
    line.close()
