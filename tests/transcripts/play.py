"""Transcripts that read like a play: what people type in the server, and what each of them hears.

Rule 1: a line `ann> who` is typed, a row in brackets is a direction, `#` begins a remark.
        All other rows (`ann: Bob is here.`) are what was heard, made anew by playing the rest.
Rule 2: the server is the whole one, on a virtual clock and with the chances of one seed, so that
        the same play always ends the same way.
Rule 3: prompts of the server (`lobby> `) are left out, questions (`Name: `) are not.

Directions:

    (ann comes by telnet.)  (ann comes by telnet, 40 columns wide.)  (ann comes by ssh, read aloud.)
    (ann comes by ssh.)     with a key of her own, which claims the name on her first visit
    (gus comes by ssh as a guest.)
    (phone comes by ssh under the last code.)  `ssh ann+CODE@HOST`, with a key of the phone's own
    (ann begins: give 7h)   she has typed it, and not Enter
    (ann drops.)            the line breaks without a goodbye
    (60 seconds pass.)

For programs, whose transcripts are in `protocol-1/`.  They read one JSON object a row; a part of
a game's view that is as it was in the view before is written as `"="`.  What follows `ann>` is the
`line` of the object that they write:

    (ann comes by json.)    with a key of her own; (gus comes by json as a guest.)
    (ann plays to the end.) she answers each view with one of its `moves`, until `over`; the rows
                            `ann types: draw` are written by the play, as what was heard is
    (ann stops reading.)    64 KiB are on the way to her already
    (ann reads on.)

`python -m tests.transcripts.play --write` plays all of them and writes down what is heard now.
Look at the difference in git: in `protocol-1/` only sentences, plays and times may change.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from mudserver.transport.link import AuthenticatedUser, Terminal
from tests.simulation import virtual
from tests.simulation.server import FakeLink, SimServer, new_world, proven_by_key

HERE = Path(__file__).parent
PROTOCOL_1 = HERE / "protocol-1"
ANSWERED_S = 0.9  # after a line, before the next one is typed
LAG_BYTES = 65_537  # on the way to somebody who has stopped reading
PLAYS_MAX = 1_000  # of one seat in a game that is played to the end

TYPED = re.compile(r"(\w+)> ?(.*)")
COMES = re.compile(
    r"\((\w+) comes by (telnet|ssh|json|json 2)( as a guest)?"
    r"(?:, (\d+) columns wide)?(, read aloud)?\.\)"
)
UNDER_CODE = re.compile(r"\((\w+) comes by ssh under the last code\.\)")
CODE = re.compile(r"ssh (\w+\+\w+)@HOST")
PLAYS = re.compile(r"\((\w+) plays to the end\.\)")
READS = re.compile(r"\((\w+) (stops reading|reads on)\.\)")
BEGINS = re.compile(r"\((\w+) begins: (.+)\)")
DROPS = re.compile(r"\((\w+) drops\.\)")
PASSES = re.compile(r"\((\d+) seconds? pass(?:es)?\.\)")


def files() -> list[Path]:
    """Transcripts of people."""
    return sorted(HERE.glob("*.txt"))


def program_files() -> list[Path]:
    return sorted(PROTOCOL_1.glob("*.txt"))


def played(text: str) -> str:
    """The transcript *text* with what is heard today."""
    return virtual.run(_play(text))


async def _play(text: str) -> str:
    server = await SimServer(new_world(1)).open()
    player = Player(server)
    rows = []
    for row in text.splitlines():
        is_remark = not row or row.startswith("#")
        if is_remark or await player.do(row):
            rows += [row, *player.heard()]
    return "\n".join(rows) + "\n"


class Player:
    def __init__(self, server: SimServer) -> None:
        self._server = server
        self._code = ""  # `ann+CODE`, the last that anybody was given
        self._links: dict[str, FakeLink] = {}  # whoever has acted last comes last
        self._played: list[str] = []  # rows of a game that was played to the end
        self._views: dict[str, dict[str, Any]] = {}  # what a program's last `view` held, by name

    async def do(self, row: str) -> bool:
        """Do what a row says.  False: it only tells what was heard."""
        seconds = ANSWERED_S
        if found := TYPED.fullmatch(row):
            self._type(found[1], found[2])
        elif found := COMES.fullmatch(row):
            self._come(found[1], found[2], bool(found[3]), int(found[4] or 80), bool(found[5]))
        elif found := UNDER_CODE.fullmatch(row):
            self._come_under_code(found[1])
        elif found := PLAYS.fullmatch(row):
            await self._play_to_the_end(found[1])
        elif found := READS.fullmatch(row):
            self._read(self._links[found[1]], found[2] == "reads on")
        elif found := BEGINS.fullmatch(row):
            self._links[found[1]].handler.on_data(found[2].encode())
        elif found := DROPS.fullmatch(row):
            self._links[found[1]].drop()
        elif found := PASSES.fullmatch(row):
            seconds = float(found[1])
        else:
            assert not row.startswith("("), f"no direction: {row}"
            return False
        await asyncio.sleep(seconds)
        return True

    def _come(
        self, name: str, protocol: str, is_guest: bool, cols: int, is_read_aloud: bool
    ) -> None:
        terminal = Terminal(cols=cols, is_screen_reader=is_read_aloud)  # keeps its own line
        link = FakeLink(terminal, "telnet" if protocol == "telnet" else "ssh")
        link.wants_json, link.json_protocol = (
            protocol.startswith("json"),
            2 if "2" in protocol else 1,
        )
        proven = None
        if is_guest:
            proven = AuthenticatedUser("guest", "guest")
        elif protocol != "telnet":
            is_known = self._server.app.account_service.name_status(name)[0] == "known"
            proven = proven_by_key(name, is_known=is_known)
            if not is_known:
                proven = replace(proven, fingerprint=f"SHA256:{name}s-key")  # easily read
        before = self._links.get(name)
        if before is not None and before.is_open:
            self._links[f"{name}, before"] = self._links.pop(name)
        self._links[name] = self._server.connect(link, proven)

    def _come_under_code(self, name: str) -> None:
        proven = proven_by_key(name, is_known=True)
        proven = replace(proven, name=self._code, method="code")
        link = FakeLink(Terminal(cols=80), "ssh")
        self._links[name] = self._server.connect(link, proven)

    def _type(self, name: str, line: str) -> None:
        link = self._links[name]
        assert link.is_open and link.handler is not None, f"{name} is not there: {line}"
        typed = json.dumps({"line": line}) if link.wants_json else line
        link.handler.on_data(typed.encode() + b"\r\n")

    def _read(self, link: FakeLink, reads_on: bool) -> None:
        if reads_on:
            link.read_on()
        else:
            link.is_stalled, link.queued = True, LAG_BYTES

    async def _play_to_the_end(self, name: str) -> None:
        chance, line = random.Random(name), "look"
        for _ in range(PLAYS_MAX):
            if line:
                self._type(name, line)
                self._played.append(f"{name} types: {line}")
                line = ""
            await asyncio.sleep(ANSWERED_S)
            for row in self._fresh():
                self._played.append(row)
                reader, _, data = row.partition(": ")
                read = json.loads(data) if reader == name else {}
                if read.get("type") == "over":
                    return
                if read.get("type") == "view":
                    line = chance.choice(read["moves"] or [""])
        raise AssertionError(f"{name} has played {PLAYS_MAX} times and the game is not over")

    def heard(self) -> Iterator[str]:
        """Rows for everybody who heard something since the last time."""
        played, self._played = self._played, []
        yield from played
        yield from self._fresh()

    def _fresh(self) -> Iterator[str]:
        for name, link in self._links.items():
            rows, data = link.text.split("\n"), link.heard
            link.received.clear()
            if link.wants_json:
                rows = [self._shortened(name, row) for row in data.decode().splitlines()]
            for row in rows:
                if found := CODE.search(row):
                    self._code = found[1]
                if row and not row.endswith("> "):
                    yield f"{name}: {row}".rstrip()

    def _shortened(self, name: str, row: str) -> str:
        read = json.loads(row)
        if read["type"] != "view":
            return row
        view, before = read["view"], self._views.get(name, {})
        self._views[name] = view
        same = {key for key in view if key in before and view[key] == before[key]}
        read["view"] = {key: "=" if key in same else value for key, value in view.items()}
        return json.dumps(read, ensure_ascii=False, separators=(",", ":"))


def main() -> int:
    if sys.argv[1:] != ["--write"]:
        sys.exit("python -m tests.transcripts.play --write")
    for path in (*files(), *program_files()):
        path.write_text(played(path.read_text("utf-8")), "utf-8")
        print(path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
