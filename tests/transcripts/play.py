"""Transcripts that read like a play: what people type in the house, and what each of them hears.

Rule 1: a line `ann> who` is typed, a row in brackets is a stage direction, `#` begins a remark.
        All other rows (`ann: Ann sits down.`) are what was heard, made anew by playing the rest.
Rule 2: the house is the whole one, on a virtual clock and with the chances of one seed, so that the
        same play always ends the same way.
Rule 3: prompts of the house (`lobby> `) are left out, questions (`Name: `) are not.

Stage directions:

    (ann comes by telnet.)  (ann comes by telnet, 40 columns wide.)  (ann comes by ssh, read aloud.)
    (ann comes by ssh.)     with a key of her own, which claims the name on her first visit
    (gus comes by ssh as a guest.)
    (ann drops.)            the line breaks without a goodbye
    (60 seconds pass.)

`python -m tests.transcripts.play --write` plays all of them and writes down what is heard now.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from mudserver.transport.link import AuthenticatedUser, Terminal
from tests.simulation import virtual
from tests.simulation.house import FakeLink, SimHouse, new_world, proven_by_key

HERE = Path(__file__).parent
ANSWERED_S = 0.9  # after a line, before the next one is typed

TYPED = re.compile(r"(\w+)> ?(.*)")
COMES = re.compile(
    r"\((\w+) comes by (telnet|ssh)( as a guest)?(?:, (\d+) columns wide)?(, read aloud)?\.\)"
)
DROPS = re.compile(r"\((\w+) drops\.\)")
PASSES = re.compile(r"\((\d+) seconds? pass(?:es)?\.\)")


def files() -> list[Path]:
    return sorted(HERE.glob("*.txt"))


def played(text: str) -> str:
    """The transcript *text* with what is heard today."""
    return virtual.run(_play(text))


async def _play(text: str) -> str:
    house = await SimHouse(new_world(1)).open()
    stage = Stage(house)
    rows = []
    for row in text.splitlines():
        is_remark = not row or row.startswith("#")
        if is_remark or await stage.do(row):
            rows += [row, *stage.heard()]
    return "\n".join(rows) + "\n"


class Stage:
    def __init__(self, house: SimHouse) -> None:
        self._house = house
        self._links: dict[str, FakeLink] = {}  # whoever has acted last comes last

    async def do(self, row: str) -> bool:
        """Do what a row says.  False: it only tells what was heard."""
        seconds = ANSWERED_S
        if found := TYPED.fullmatch(row):
            link = self._links[found[1]]
            assert link.is_open and link.handler is not None, f"{found[1]} is not there: {row}"
            link.handler.on_data(found[2].encode() + b"\r\n")
        elif found := COMES.fullmatch(row):
            self._come(found[1], found[2], bool(found[3]), int(found[4] or 80), bool(found[5]))
        elif found := DROPS.fullmatch(row):
            self._links[found[1]].drop()
        elif found := PASSES.fullmatch(row):
            seconds = float(found[1])
        else:
            assert not row.startswith("("), f"no stage direction: {row}"
            return False
        await asyncio.sleep(seconds)
        return True

    def _come(self, name: str, door: str, is_guest: bool, cols: int, is_read_aloud: bool) -> None:
        terminal = Terminal(cols=cols, is_screen_reader=is_read_aloud)  # keeps its own line
        link = FakeLink(terminal, "ssh" if door == "ssh" else "telnet")
        proven = None
        if is_guest:
            proven = AuthenticatedUser("guest", "guest")
        elif door == "ssh":
            is_known = self._house.app.account_service.name_status(name)[0] == "known"
            proven = proven_by_key(name, is_known=is_known)
            if not is_known:
                proven = replace(proven, fingerprint=f"SHA256:{name}s-key")  # easily read
        before = self._links.get(name)
        if before is not None and before.is_open:
            self._links[f"{name}, before"] = self._links.pop(name)
        self._links[name] = self._house.connect(link, proven)

    def heard(self) -> Iterator[str]:
        """Rows for everybody who heard something since the last time."""
        for name, link in self._links.items():
            text = link.text
            link.received.clear()
            for row in text.split("\n"):
                if row and not row.endswith("> "):
                    yield f"{name}: {row}".rstrip()


def main() -> int:
    if sys.argv[1:] != ["--write"]:
        sys.exit("python -m tests.transcripts.play --write")
    for path in files():
        path.write_text(played(path.read_text("utf-8")), "utf-8")
        print(path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
