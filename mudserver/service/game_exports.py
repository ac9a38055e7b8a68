"""A game that is over as a file: text, a record that proves it, or a recording for a terminal.

Rule 1: only who may see the replay has the file, and it holds what those eyes saw; the record
        alone has all cards, as `record` at the table.
Rule 2: it is made in pieces, so that the event loop runs between two of them, and one person has
        few in a minute.
Rule 3: what paints rows for a terminal stands above this layer: see `Painter`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from textwrap import wrap
from typing import Literal, Protocol, get_args

from mudserver.accounts.person import Person
from mudserver.clock import Clock, format_minute
from mudserver.errors import UserError
from mudserver.messages import Page, ReplayStep
from mudserver.rate_limit import KeyedTokenBuckets
from mudserver.service import replay_texts as texts
from mudserver.service.replay_finder import FoundGame, ReplayFinder
from mudserver.service.replays import Eyes, eyes_of, reader_name, step_message
from mudserver.tables.result import game_records
from variants.contract import Seat
from variants.kit.text import quantity
from variants.verify import Record, to_json_lines

Form = Literal["text", "json", "cast"]
FORMS = get_args(Form)
PER_MINUTE, PEOPLE_MAX = 6, 10_000
COLS, ROWS = 80, 24  # of a recording
TEXT_COLS = 72  # of a text
IDLE_S = 3.0  # a longer wait is cut in a recording
RECORDS_PER_PIECE = 20
TERMINAL_BYTES_MAX = 200_000  # a screen writes a page at once; see `door.output_bytes_max`


class Painter(Protocol):
    """What shows a place in a replay as rows."""

    def text(self, step: ReplayStep) -> list[str]:
        """What was heard there, in rows of a text."""

    def painted(self, step: ReplayStep, *, has_board: bool) -> str:
        """The same for a terminal of COLS columns, with its line ends; the board, too."""


class GameExports:
    def __init__(self, clock: Clock, finder: ReplayFinder) -> None:
        self._clock, self._finder = clock, finder
        self._asked = KeyedTokenBuckets(PER_MINUTE / 60, PER_MINUTE, PEOPLE_MAX)
        self.painter: Painter  # whoever makes sessions sets it

    async def page(
        self, person: Person, source: str, typed: str, form: str, eyes: str, *, is_program: bool
    ) -> Page:
        """The file as rows to copy.  UserError: see `rows`; it is too long for a terminal."""
        rows = [row async for row in self.rows(person, source, typed, form, eyes)]
        size = sum(map(len, rows)) + len(rows)
        if size > TERMINAL_BYTES_MAX and not is_program:
            wanted = f"game {typed} {form} {eyes}".strip()
            raise UserError(texts.TOO_LONG_A_FILE.format(size // 1_000, wanted), "limit")
        title = f"Game {typed} as {form.lower()}"
        return Page(title, tuple(rows), is_to_copy=True, has_whole_rows=True)

    async def rows(
        self, person: Person, source: str, typed: str, form: str, eyes: str
    ) -> AsyncIterator[str]:
        """The rows of the file, without their line ends.

        Args:
            eyes: As for `Replays.open`; a record has none.

        Raises:
            UserError: There is no such game, form or seat, or too many were asked for.
        """
        if form.lower() not in FORMS:
            raise UserError(texts.BAD_FORM.format(texts.FORMS), "usage")
        if form.lower() == "json" and eyes:
            raise UserError(texts.RECORD_HAS_ALL, "usage")
        if not self._asked.try_consume(person.id, self._clock.monotonic()):
            raise UserError(texts.TOO_MANY_EXPORTS, "limit")
        found = await self._finder.find(person, source, typed)
        chosen = eyes_of(found, eyes)
        makers = {"text": self._text, "json": self._json, "cast": self._cast}
        async for row in makers[form.lower()](found, chosen):
            yield row

    async def _text(self, found: FoundGame, eyes: Eyes) -> AsyncIterator[str]:
        replay, ended = found.replay, found.replay.ended
        begun, who = format_minute(ended.started_ms), reader_name(found, eyes)
        about = (
            f"Game {found.label}: {ended.variant}, {ended.id}",
            f"{begun} UTC, {quantity(replay.last, 'decision')}, seen by {who}",
            f"Options: {ended.options}",
        )
        for row in about:
            for part in wrap(row, TEXT_COLS):
                yield part
        async for step in _steps(found, eyes):
            for row in self.painter.text(step):
                yield row
        yield ""
        for part in wrap(replay.result_text(), TEXT_COLS):
            yield part

    async def _json(self, found: FoundGame, eyes: Eyes) -> AsyncIterator[str]:
        replay = found.replay
        for _ in replay.go(replay.last):
            await asyncio.sleep(0)
        about: Record = {"id": replay.ended.id, "started": replay.ended.started_ms}
        if found.number is not None:
            about["number"] = found.number
        for count, record in enumerate(game_records(replay.game, about, has_times=True), 1):
            yield to_json_lines([record]).rstrip("\n")
            if count % RECORDS_PER_PIECE == 0:
                await asyncio.sleep(0)

    async def _cast(self, found: FoundGame, eyes: Eyes) -> AsyncIterator[str]:
        """asciicast v2: a header, then `[seconds, code, data]`, one JSON value a row."""
        replay = found.replay
        header = {
            "version": 2,
            "width": COLS,
            "height": ROWS,
            "timestamp": replay.ended.started_ms // 1000,
            "title": f"Lockdown {replay.ended.variant}, game {found.label}",
            "idle_time_limit": IDLE_S,
        }
        yield json.dumps(header)
        turns = {position: turn for turn, position in replay.turns}
        at_s, before_ms = 0.0, None
        async for step in _steps(found, eyes):
            if before_ms is not None:
                at_s += min(IDLE_S, max(0, step.at_ms - before_ms) / 1000)
            before_ms, at = step.at_ms, round(at_s, 3)
            if step.position in turns:
                yield json.dumps([at, "m", f"Turn {turns[step.position]}"])
            has_board = step.position in turns or bool(step.result)
            yield json.dumps([at, "o", self.painter.painted(step, has_board=has_board)])


async def _steps(found: FoundGame, eyes: Eyes) -> AsyncIterator[ReplayStep]:
    """Every place of the game, first to last."""
    replay = found.replay
    seat = None if isinstance(eyes, str) else Seat(eyes)
    for position in range(replay.last + 1):
        for _ in (*replay.go(position), *replay.know(seat)):
            pass  # one decision is no work
        yield step_message(found, eyes, position - 1, "UTC")
        await asyncio.sleep(0)
