"""Programs that write too much, too deep or too long, and programs that never read."""

from __future__ import annotations

import asyncio
import contextlib
import json

import pytest

from mudserver.config import schema
from tests.hostile.attack import ssh
from tests.slow_cases import every_third

OUTPUT_BYTES_MAX = schema.DoorLimits().output_bytes_max


async def program(server, **options):
    """A guest's connection, and the lines to and from its `json`."""
    connection = await ssh(server)
    return connection, await connection.create_process("json", encoding=None, **options)


async def refused(process, seconds: float = 5.0) -> str:
    """The next refusal."""
    async with asyncio.timeout(seconds):
        while row := await process.stdout.readline():
            if (heard := json.loads(row))["type"] == "refused":
                return heard["text"]
    raise AssertionError("the line ended")


@pytest.mark.parametrize(("what", "data", "sentence"), [
    ("400 KB without a line end", b"[" * 400_000, "too long"),
    ("nesting of 6,000", b'{"line": ' + b"[" * 6_000, "holds"),
    ("an object in itself, 800 deep", b'{"line": ' * 700, "holds"),
    ("400 KB of text", b'{"line": "' + b"a" * 400_000 + b'"}', "too long"),
    ("200 KB of bad UTF-8", b'{"line": "' + b"\xff" * 6_000 + b'"}', "JSON"),
    ("escapes of nothing", b'{"line": "' + b"\\ud800" * 900 + b'"}', "JSON"),
])  # fmt: skip
async def test_what_cannot_be_read_is_refused_and_the_line_lives_on(victim, what, data, sentence):
    connection, process = await program(victim.server)
    with victim.attacked(f"json: {what}", worst_s=0.5, growth_mib=16):
        process.stdin.write(data + b"\n")
        assert sentence in await refused(process)
        process.stdin.write(b'{"line": "xyzzy"}\n')
        assert "xyzzy" in await refused(process)
    connection.abort()


@pytest.mark.parametrize(
    "line", every_third(["commands", "look", "terminal", "", "xyzzy", "open elimination"])
)
async def test_a_flood_of_lines_is_slowed_down(victim, line):
    connection, process = await program(victim.server)
    flood = json.dumps({"line": line}).encode() + b"\n"
    with victim.attacked(f"json: 150 KB of {line!r}", growth_mib=16):
        process.stdin.write(flood * (150_000 // len(flood)))
        while "Too fast" not in await refused(process):
            pass
        await asyncio.sleep(1)
    connection.abort()


@pytest.mark.prove
async def test_ten_who_never_read_are_cut_or_cost_little(victim):
    """They ask for views and pages, and talk to each other."""
    server = victim.server
    programs = [await program(server, window=4_096) for _ in range(10)]
    with victim.attacked("json: 10 who never read", growth_mib=32):
        for _, process in programs:
            process.channel.pause_reading()
            for line in ("open stockpile pace=instant", "bot 1", "bot 1", "start"):
                process.stdin.write(json.dumps({"line": line}).encode() + b"\n")
        for _ in range(20):
            for _, process in programs:
                with contextlib.suppress(OSError):
                    for line in ("look", "commands", "say are you there", "history"):
                        process.stdin.write(json.dumps({"line": line}).encode() + b"\n")
            await asyncio.sleep(0.3)
    for connection, _ in programs:
        connection.abort()


@pytest.mark.prove
async def test_a_whole_history_reaches_who_reads_slowly(victim):
    """More than a line may owe: it waits in the server until there is room for it."""
    connection, process = await program(victim.server, window=16_384)
    said, length = [], 0
    for line in ("open stockpile pace=instant", "bot 1", "bot 1", "start"):
        process.stdin.write(json.dumps({"line": line}).encode() + b"\n")
    await asyncio.sleep(0.5)
    with victim.attacked("json: a slow reader of long histories", growth_mib=32):
        for _ in range(15):
            process.stdin.write(b'{"line": "history"}\n{"line": "look"}\n')
            await asyncio.sleep(0.2)  # as fast as lines are read
        process.stdin.write(b'{"line": "about"}\n')
        async with asyncio.timeout(30):
            while row := await process.stdout.readline():
                said.append(json.loads(row))
                length += len(row)
                if said[-1]["type"] == "page":
                    break
                await asyncio.sleep(0.002)
    assert "Lockdown" == said[-1]["title"]
    assert length > OUTPUT_BYTES_MAX
    begun = [each for each in said if each.get("event", {}).get("kind") == "GameBegun"]
    assert 16 == len(begun)
    assert not [each for each in said if each["type"] == "lost"]
    connection.abort()
