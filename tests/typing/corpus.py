"""Lines that people type at a table, through a whole session, and what became of each.

Rule 1: a file is one game, and `[[position]]` a decision of it: `seat` types, after `before` (rows
        `Ann> draw`) was played from what `zones` arranges.  `place = "lobby"` needs no game.
Rule 2: a row is a `line` and what it has to lead to: `plays` the move as it is written in full,
        `asks` a question that contains a text, `refuses` a reason that contains it, `tells` an
        answer that contains it.
Rule 3: no row changes the table: the game says which move it would make, and makes none.
Rule 4: `misread` is a move that nobody meant.  Asked back with the move that was meant is fine
        where a move is wanted, and is counted apart; a list of all plays asks nothing.

`python -m tests.typing.corpus FILE...` prints the figures of files in this form, and each row that
is not as it should be.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from tests.simulation import virtual
from tests.simulation.server import ANSI, Seatholder, SimServer, new_world
from variants.catalogue import CATALOGUE
from variants.contract import Refusal

HERE = Path(__file__).parent
NAMES = ("Ann", "Bob", "Cyd", "Dee")  # unless a file has others
BLIND = ("second-", "third-", "fourth-", "fifth-", "sixth-", "seventh-", "eighth-")
"""Files of lines by people who knew nothing of the grammar."""
ALL_PLAYS = '". You can: '  # what there is, whatever was meant
WANTS = ("plays", "asks", "refuses", "tells")
Fate = Literal["understood", "asked", "refused", "not", "misread"]


class Row(NamedTuple):
    """A line, and what it has to lead to."""

    line: str
    want: str  # one of WANTS
    text: str


class Outcome(NamedTuple):
    """What became of a line."""

    played: tuple[str, ...]  # moves, as they are written in full
    text: str  # all that the person has read, in one row

    def fate(self, row: Row) -> Fate:
        """How the line fared beside what it should lead to."""
        if self.played:
            return "understood" if row.want == "plays" and self.played == (row.text,) else "misread"
        if row.text.lower() not in self.text.lower():
            return "not"
        if row.want == "plays" and ALL_PLAYS in self.text:
            return "not"
        return {"plays": "asked", "asks": "asked", "refuses": "refused"}.get(row.want, "understood")  # type: ignore[return-value]


@dataclass
class Probe:
    """A game whose moves are noted and not made, once it listens."""

    game: Any
    names: Sequence[str]
    zones: Mapping[str, Any]
    is_on: bool = False
    played: list[str] = field(default_factory=list)

    def variant(self) -> Any:
        return replace(self.game, deal=self._deal, decide=self._decide)

    def _deal(self, seats: int, options: Mapping[str, str], chance: Any) -> Any:
        return self.game.arrange(seats, options, self.zones, chance)

    def _decide(self, state: Any, seat: Any, action: Any, chance: Any) -> Any:
        events = self.game.decide(state, seat, action, chance)
        if not self.is_on:
            return events
        view = self.game.observe(state, seat)
        self.played.append(self.game.phrase(action, view, self.names))
        raise Refusal("(noted)")


def rows_of(position: Mapping[str, Any]) -> list[Row]:
    found = []
    for row in position["rows"]:
        ((want, text),) = [(key, row[key]) for key in WANTS if key in row]
        found.append(Row(row["line"], want, text))
    return found


async def outcomes(corpus: Corpus, position: Mapping[str, Any]) -> list[Outcome]:
    """What becomes of each line of a position, one after the other."""
    lines = [row.line for row in rows_of(position)]
    names = corpus.names[: position.get("seats", 3)]
    probe = Probe(_game(corpus.game), names, position.get("zones", {}))
    found: list[Outcome] = []
    typist: Seatholder | None = None
    for line in lines:
        if typist is None:
            typist, server = await _seated(corpus.game, position, probe)
        typist.forget()
        probe.played.clear()
        typist.type(line)
        await asyncio.sleep(0.5)
        found.append(Outcome(tuple(probe.played), _answer(typist.text, line)))
        if not typist.link.is_open or not _is_there(server, typist, position):
            typist = None
    return found


def _game(name: str) -> Any:
    if name == "words":  # with the manifests of scenarios
        from tests.variants.words.driver import words_game

        return words_game()
    return CATALOGUE[name]


async def _seated(
    game: str, position: Mapping[str, Any], probe: Probe
) -> tuple[Seatholder, SimServer]:
    """The one who types, when all that goes before has been played."""
    probe.is_on = False
    world = new_world(1)
    world.catalogue = {**CATALOGUE, game: probe.variant()}
    server = await SimServer(world).open()
    wide = replace(ANSI, cols=300)
    people = {name: server.person(name, wide) for name in probe.names}
    first, *others = people.values()
    await asyncio.sleep(0.5)
    if position.get("place") != "lobby":
        first.type(f"open {game} clocks=off")
        await asyncio.sleep(0.5)
        for person in others:
            person.type("sit 1")
        await asyncio.sleep(0.5)
        for person in people.values():
            person.type("start")
        await asyncio.sleep(0.5)
        for row in position.get("before", ()):
            name, _, line = row.partition("> ")
            people[name].type(line)
            await asyncio.sleep(0.5)
    probe.is_on = True
    return people[position.get("seat", "Ann")], server


def _answer(text: str, line: str) -> str:
    """What a person has read, in one row, without the own line and prompts."""
    shown = " ".join(re.sub(r"(table \d+(, your turn)?|lobby)?> ", " ", text).split())
    return shown.removeprefix(" ".join(line.split())).strip()


def _is_there(server: SimServer, typist: Seatholder, position: Mapping[str, Any]) -> bool:
    if position.get("place") == "lobby":
        return True
    people = [session.person for session in server.app.session_manager.sessions]
    return any(p is not None and p.name == typist.name and server.app.service.is_playing(p)
               for p in people)  # fmt: skip


# -- files -----------------------------------------------------------------------------------------


class Corpus(NamedTuple):
    game: str
    names: tuple[str, ...]
    positions: tuple[Mapping[str, Any], ...]


def read(path: Path) -> Corpus:
    data = tomllib.loads(path.read_text())
    return Corpus(data["game"], tuple(data.get("names", NAMES)), tuple(data["position"]))


def files() -> list[Path]:
    """Those of the specification, in which each line leads to what it has to."""
    return sorted(path for path in HERE.glob("*.toml") if not path.name.startswith(BLIND))


def blind_files() -> list[Path]:
    return sorted(path for path in HERE.glob("*.toml") if path.name.startswith(BLIND))


def fates(corpus: Corpus) -> Iterator[tuple[str, Row, Outcome]]:
    """Of each row: the name of its position, and what became of it."""
    for position in corpus.positions:
        rows = rows_of(position)
        for row, outcome in zip(rows, virtual.run(outcomes(corpus, position)), strict=True):
            yield position["name"], row, outcome


def main(paths: Sequence[str]) -> None:
    for path in map(Path, paths):
        corpus, count = read(path), Counter[Fate]()
        for name, row, outcome in fates(corpus):
            fate = outcome.fate(row)
            count[fate] += 1
            if fate in ("not", "misread") or (fate, row.want) == ("asked", "plays"):
                got = "plays " + ", ".join(outcome.played) if outcome.played else outcome.text
                print(f"{fate:8} {name:12} {row.line!r} {row.want} {row.text!r}: {got[:300]}")
        print(path.name, sum(count.values()), dict(count))


if __name__ == "__main__":
    main(sys.argv[1:] or [str(path) for path in files()])
