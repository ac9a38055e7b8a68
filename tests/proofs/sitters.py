"""People at tables behind a door, who play, talk and type while their game server dies.

Rule 1: a sitter at a terminal reads rows, as a person does; a sitter who asks for packages, or is a
        program, reads objects.  All act as soon as they have read the answer to what they did.
Rule 2: every line is typed once, in pieces, and its word is said once in the whole run.
Rule 3: what was under way at a kill is *open*: done once or not at all, and whoever does not see it
        done has read that the last line may not have been taken.  Everything else is done once.
Rule 4: a sitter who is still has a half line at the prompt.
Rule 5: what has come is read once, as it comes: hundreds of sitters live in one process.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
from collections import Counter, deque
from collections.abc import Callable
from itertools import chain
from random import Random
from typing import Any

import asyncssh

from tests.hostile.attack import negotiated
from tests.proofs.gmcp_line import ASKS, COMMAND, IAC, GmcpReader
from tests.proofs.pauses import PAUSES, Picture, is_same_but_for_pauses
from tests.simulation.server import plain
from tests.terminal import Emulator

SIZES = ((80, 24), (120, 40), (40, 20))
PATIENCE_S = 60.0
LOOK_S = 0.5
DRAWN_S = 1.5  # at most, from a key to the frame that shows what it has done
SEEN_S = 5.0  # a full screen may have nothing of an answer any more when it is painted
UNCERTAIN = "may not have been taken"
SAID = re.compile(r"guest\d+: (w\d+\.\d+\.end)\b")
NEWEST = re.compile(r"(?m)^ ?\d+ new: .*$")  # says again what perhaps stands above it
PROMPT = re.compile(r"(?:lobby|table \d+)(, your turn)?> $")
MOVE = re.compile(r"(?m)^- (\S.*?) *$")
LOG = re.compile(r"──\[? Log")
TAIL = 200  # characters, in which the sentence that a line may be lost has room
PAGE_UP, PAGE_DOWN = b"\x1b[5~", b"\x1b[6~"
PAGES = 20
FRAMES_KEPT = 250  # of a full screen, the last ones
FRAME_END = b"\x1b[?25h"  # the cursor is shown again
TITLE = re.compile(rb"\x1b\]2;[^\x1b]*\x1b\\")
ERASED = re.compile(rb"\r\x1b\[K")


class Rows:
    """The rows that were read in a round: what was said, and how often that a line may be lost."""

    def __init__(self) -> None:
        self.said: Counter[str] = Counter()
        self.told = 0
        self._rest = self._tail = ""

    def add(self, text: str) -> None:
        rows, end, self._rest = (self._rest + text).rpartition("\n")
        rows += end
        self.said.update(SAID.findall(rows))
        before, self._tail = self._tail, (self._tail + rows)[-TAIL:]
        self.told += _warnings_in(before + rows) - _warnings_in(before)


def _warnings_in(text: str) -> int:
    """A narrow terminal has the sentence on several rows."""
    return " ".join(text.split()).count(UNCERTAIN)


class Sitter:
    """One session at a table.

    Args:
        number: Makes its words, its size and the seed of what it does.
    """

    kind = ""

    def __init__(self, number: int, seed: int) -> None:
        self.number, self.rng = number, Random(f"{seed}/{number}")
        self.table: int | None = None
        self.mates: list[Sitter] = []  # the others at the table
        self.is_gone = False
        self.words = 0
        self.drafted = self.half = b""  # what was typed of a line, and the rest of it
        self.typed = self.shown = 0  # plays; and those that were seen to be taken
        self.events: list[tuple[Any, str]] | None = None  # None: it reads none
        self.heard_bytes = 0
        self.kept_typed = self.kept_shown = 0  # plays, before the last kill
        self.kept_events: list[tuple[Any, str]] = []
        self.certain: list[str] = []  # words of this round
        self.open: list[str] = []
        self._open_at: float | None = None  # when what is under way was typed
        self.answered_s = 0.0  # when the last act began that has its answer
        self._news = asyncio.Event()
        self._write: Callable[[bytes], None] = lambda data: None

    # -- what it does ----------------------------------------------------------------------------

    async def come(self, ssh: int, telnet: int) -> None:
        raise NotImplementedError

    async def goes(self, line: str) -> int:
        """Type *line*, which brings one to a table; answers its number."""
        raise NotImplementedError

    def type(self, line: str) -> None:
        self._write(self.encoded(line))

    def encoded(self, line: str) -> bytes:
        return line.encode() + b"\r"

    def begin_round(self) -> None:
        self.certain, self.open = [], []

    async def live(self, is_over: asyncio.Event, pause_s: float) -> None:
        """Play and talk, each act after the answer to the one before."""
        while not is_over.is_set():
            began_s = time.monotonic()
            if not (self.is_asked() and self.rng.random() < 0.7 and await self.play()):
                await self.say()
            self.answered_s = began_s
            await asyncio.sleep(self.rng.uniform(0, 2 * pause_s))

    def draft(self) -> None:
        """Type the half of a line, and stay so."""
        self.words += 1
        line = self.encoded(f"say w{self.number}.{self.words}.end")
        cut = self.rng.randrange(1, len(line) - 1)
        self.drafted, self.half = line[:cut], line[cut:]
        self._write(self.drafted)

    async def say(self, was_drafted: bool = False) -> None:
        if not was_drafted:
            self.draft()
            await asyncio.sleep(self.rng.uniform(0, 0.1))
        word = f"w{self.number}.{self.words}.end"
        self.certain.append(word)
        self._open_at = time.monotonic()
        told = self.told()
        self._write(self.half)

        def is_known() -> bool:  # a line that no kill has made open is not the one it was told of
            return self.has_heard(word) or (self.told() > told and word in self.open)

        await self.until(is_known, word)
        self._open_at = None

    def note_kill(self) -> None:
        """The game server is dead: what was typed and is not answered is open [rule 3].

        What was told meanwhile may be about the line before.
        """
        if self.certain and (self._open_at is not None or not self.has_heard(self.certain[-1])):
            self.open.append(self.certain.pop())
        self.kept_typed, self.kept_shown = self.typed, self.shown
        self.kept_events = list(self.events or ())

    async def play(self) -> bool:
        """Whether there was a play to make."""
        raise NotImplementedError

    # -- what it sees ----------------------------------------------------------------------------

    def is_asked(self) -> bool:
        raise NotImplementedError

    def said(self) -> Counter[str]:
        """The words that were heard in this round."""
        raise NotImplementedError

    def has_heard(self, word: str) -> bool:
        return word in self.said()

    def told(self) -> int:
        """How often, in this round, it was told that a line may be lost."""
        raise NotImplementedError

    def picture(self) -> object:
        """What a still one sees."""
        raise NotImplementedError

    def is_as(self, before: object) -> bool:
        """Whether a still one sees what it has seen *before*, and about pauses at most."""
        return before == self.picture()

    def has_draft(self) -> bool:
        """Whether what a still one has typed is where it belongs."""
        return True

    async def until(self, claim: Callable[[], bool], what: str) -> None:
        end_s = time.monotonic() + PATIENCE_S
        while not claim():
            assert not self.is_gone, f"{self.number}: the connection is lost"
            self._news.clear()
            assert time.monotonic() < end_s, (
                self.kind, self.number, what, self.told(), self.evidence(),
                [(mate.kind, what in mate.said()) for mate in self.mates],
            )  # fmt: skip
            with contextlib.suppress(TimeoutError):  # then others may know more
                async with asyncio.timeout(LOOK_S):
                    await self._news.wait()
            await self.look_back(claim)

    async def look_back(self, claim: Callable[[], bool]) -> None:
        """Look for what may have been read over."""

    def last_words(self) -> str:
        return ""

    def evidence(self) -> str:
        """More of what was seen, for whoever looks for a fault."""
        return self.last_words()

    def judge(self, everybody: set[str]) -> None:
        """What was said in this round, against what was typed."""
        said = self.said()
        assert not self.is_gone, (self.kind, self.number)
        assert set(said) <= everybody, (self.number, set(said) - everybody)  # nothing is garbled
        assert all(times == 1 for times in said.values()), (self.kind, self.number, said)
        for word in self.certain:
            assert self.has_heard(word), (self.kind, word, self.last_words())
        for word in self.open:
            assert self.has_heard(word) or self.told(), (self.kind, word, "lost without a word")


class Terminal(Sitter):
    """Reads rows."""

    def __init__(self, number: int, seed: int) -> None:
        super().__init__(number, seed)
        self.size = SIZES[number % len(SIZES)]
        self.emulator = Emulator(*self.size)
        self._heard = bytearray()  # in this round
        self._rows, self._read_until = Rows(), 0

    def begin_round(self) -> None:
        super().begin_round()
        self._heard.clear()
        self._rows, self._read_until = Rows(), 0

    def feed(self, data: bytes) -> None:
        self._heard += data
        self.heard_bytes += len(data)
        self.emulator.feed(data)
        if (end := self._heard.rfind(b"\n") + 1) > self._read_until:
            at, self._read_until = self._read_until, end
            self._rows.add(plain(ERASED.sub(b"\n", bytes(self._heard[at:end]))))
        self._news.set()

    def text(self, at: int = 0) -> str:
        """The rows since the byte *at* of this round."""
        return plain(ERASED.sub(b"\n", bytes(self._heard[at:])))

    def last_heard(self, count: int) -> bytes:
        """The last *count* bytes, without titles of the window."""
        return TITLE.sub(b"", bytes(self._heard[len(self._heard) - count :]))

    def last_words(self) -> str:
        return self.text()[-1_500:]

    def evidence(self) -> str:
        return self.text()[-20_000:]

    def picture(self) -> Picture:
        return self.emulator.rows, self.emulator.cursor

    def is_as(self, before: Any) -> bool:
        return is_same_but_for_pauses(before, self.picture())

    def has_draft(self) -> bool:
        typed = self.drafted.decode()
        row = self.emulator.row[: self.emulator.cursor[1]]
        return row.replace(" ", "").endswith(typed.replace(" ", ""))

    def prompt(self) -> re.Match[str] | None:
        return PROMPT.search(self.text(max(0, len(self._heard) - 100)))

    def is_asked(self) -> bool:
        found = self.prompt()
        return found is not None and bool(found[1])

    def is_settled(self) -> bool:
        """Whether the prompt is there, and asks for nothing: the next server clears it first."""
        found = self.prompt()
        return found is not None and not found[1]

    def said(self) -> Counter[str]:
        return self._rows.said

    def told(self) -> int:
        return self._rows.told

    async def goes(self, line: str) -> int:
        self.type(line)
        await self.until(lambda: "table" in str(self.prompt()), line)
        found = re.search(r"table (\d+)", str(self.prompt()))
        assert found is not None
        self.table = int(found[1])
        return self.table

    async def play(self) -> bool:
        rows = await self._answer("moves")
        moves = MOVE.findall(rows)
        if moves:
            self.typed += 1
            told = self.told()
            await self._answer(self.rng.choice(moves))
            self.shown += self.is_settled() and self.told() == told
        return bool(moves)

    async def _answer(self, line: str) -> str:
        """Type *line*; the rows that are its answer, or what was read when none can come."""
        at, told = len(self._heard), self.told()
        self._open_at = time.monotonic()
        self.type(line)

        def is_answered() -> bool:
            _, typed, rows = self.text(at).partition(line)
            is_shown = bool(typed) and rows.count("\n") > 1 and self.prompt() is not None
            return is_shown or self.told() > told

        await self.until(is_answered, line)
        self._open_at = None
        return self.text(at)


class SshTerminal(Terminal):
    kind, command = "ssh", ""

    async def come(self, ssh: int, telnet: int) -> None:
        self._connection = await asyncssh.connect(
            "127.0.0.1", ssh, username="guest", known_hosts=None, client_keys=None,
            agent_path=None, config=None,
        )  # fmt: skip
        process = await self._connection.create_process(
            self.command or None, encoding=None, term_type="xterm-256color", term_size=self.size
        )
        self._write = process.stdin.write
        self._reading = asyncio.create_task(self._read(process.stdout))
        await self.until(lambda: self.prompt() is not None, "lobby")

    async def _read(self, source: Any) -> None:
        while data := await source.read(65_536):
            self.feed(data)
        self.is_gone = True
        self._news.set()


class FullScreen(SshTerminal):
    """What it reads stands in a pane of a few rows for a while: the others at the table may have
    heard what has left it between two pictures.
    """

    kind, command = "full", "screen"

    def __init__(self, number: int, seed: int) -> None:
        super().__init__(number, seed)
        self.size = SIZES[number % 2]
        self.emulator = Emulator(*self.size)
        self._said: Counter[str] = Counter()
        self._told, self._is_told = 0, False
        self._awaited = self._answer_rows = ""  # the echo of a command; what stood below it
        self._shown_rows: list[str] = []
        self._looked_at: float | None = None  # back, for what was typed at that time
        self._frames, self._drawn = deque[str](maxlen=FRAMES_KEPT), asyncio.Event()

    def evidence(self) -> str:
        return "\n\n".join(self._frames)

    def begin_round(self) -> None:
        super().begin_round()
        self._said.clear()
        self._told = 0

    def note_kill(self) -> None:
        super().note_kill()
        self._is_told, self._looked_at = False, None  # the next server begins its log anew

    def feed(self, data: bytes) -> None:
        self.heard_bytes += len(data)
        *frames, rest = data.split(FRAME_END)
        for frame in frames:
            self.emulator.feed(frame + FRAME_END)
            self._look()
        self.emulator.feed(rest)
        self._news.set()

    def _look(self) -> None:
        """Read a whole frame: halfway through one a row can stand there twice."""
        self._shown_rows = self.emulator.rows
        text = self.text()
        self._drawn.set()
        self._frames.append(f"{time.monotonic() - (self._open_at or 0):.2f} s\n{text}")
        said, again = (Counter(SAID.findall(each)) for each in (NEWEST.sub("", text), text))
        self._said |= said | Counter(set(again))
        was_told, self._is_told = self._is_told, bool(_warnings_in(text))
        self._told += self._is_told and not was_told
        _, echo, rows = text.rpartition(self._awaited) if self._awaited else ("", "", "")
        if echo and rows.count("\n") > 1:
            self._answer_rows = rows

    def text(self, at: int = 0) -> str:
        """The rows; of a wide screen those of the chat pane after the others."""
        if (border := self._shown_rows[0].find("┬") if self._shown_rows else -1) < 0:
            return "\n".join(self._shown_rows)
        panes = [(row[:border].rstrip(), row[border + 1 :].strip()) for row in self._shown_rows]
        return "\n".join(chain(*zip(*panes, strict=True)))

    def picture(self) -> Any:
        """The chat, and all else but the log, which has less after a restart: answers to commands
        are in no journal.
        """
        board, last = self._shown_rows[:-2], self._shown_rows[-2:]
        for at, row in enumerate(board):
            if (found := LOG.search(row)) is not None:  # below the board, or beside it
                left = found.start()
                board = [each[: left - 1] for each in board] if left else board[:at]
                break
        border = board[0].find("┬") if board else -1
        chat = [row[border:] for row in board] if border > 0 else []
        return chat, [row[: max(0, border) or None] for row in board], last, self.emulator.cursor

    def is_as(self, before: Any) -> bool:
        return bool(before == self.picture())

    def is_as_but_for_talk(self, before: Any) -> bool:
        """A crash takes the talk of the last `wall.keep_every_s` from the chat pane."""
        return bool(before[1:] == self.picture()[1:])

    async def look_back(self, claim: Callable[[], bool]) -> None:
        """Scroll the log back once: after a kill its few rows are full before they are drawn."""
        typed_at = self._open_at
        if typed_at in (None, self._looked_at) or time.monotonic() < typed_at + SEEN_S:
            return
        self._looked_at = typed_at
        for _ in range(PAGES):
            self._write(PAGE_UP)
            await self._is_drawn()
            if claim():
                break
        self._write(PAGE_DOWN * PAGES)
        await asyncio.sleep(LOOK_S)

    async def _is_drawn(self) -> None:
        """Until a frame has come that has what was typed; the next one may be on its way already.

        A busy machine draws several keys at once, and what stood between them is never seen.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAWN_S):
                for _ in range(2):
                    self._drawn.clear()
                    await self._drawn.wait()

    def prompt(self) -> re.Match[str] | None:
        return PROMPT.search(self.emulator.row[: self.emulator.cursor[1]])

    def said(self) -> Counter[str]:
        return self._said

    def told(self) -> int:
        return self._told

    def has_heard(self, word: str) -> bool:
        return super().has_heard(word) or any(word in mate.said() for mate in self.mates)

    async def _answer(self, line: str) -> str:
        """What was seen of the answer; "" also where nothing of it was."""
        told, end_s = self.told(), time.monotonic() + SEEN_S
        self._open_at = time.monotonic()
        self._answer_rows, self._awaited = "", f"> {line}\n"
        self.type(line)
        await self.until(
            lambda: bool(self._answer_rows) or self.told() > told or self.is_settled()
            or time.monotonic() > end_s,
            line,
        )  # fmt: skip
        self._open_at, self._awaited = None, ""
        return self._answer_rows


class TelnetTerminal(Terminal):
    """A terminal that lets the server echo."""

    kind, end = "telnet", b"\r\n"

    async def come(self, ssh: int, telnet: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", telnet)
        self._write = writer.write
        self._rest = b""
        self._reading = asyncio.create_task(self._read(reader))
        await self.until(lambda: self.text().endswith("Name: "), "Name: ")
        self.type("guest")
        await self.until(lambda: self.prompt() is not None, "lobby")

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while data := await reader.read(65_536):
            data = self._rest + data
            self._write(negotiated(data, self.size))
            at = 0
            for found in COMMAND.finditer(data):
                self.feed(data[at : found.start()])
                at = found.end()
            rest = data[at:]
            half = rest.find(IAC)
            self.feed(rest if half < 0 else rest[:half])
            self._rest = b"" if half < 0 else rest[half:]
        self.is_gone = True
        self._news.set()


class Reader(Sitter):
    """Reads objects."""

    def __init__(self, number: int, seed: int) -> None:
        super().__init__(number, seed)
        self.events = []
        self._view: dict[str, Any] = {}
        self._said: Counter[str] = Counter()
        self._told, self._is_refused, self._refusal = 0, False, ""
        self._objects = 0

    def begin_round(self) -> None:
        super().begin_round()
        self._said.clear()
        self._told = 0

    def take(self, kind: str, said: Any) -> None:
        self.heard_bytes += 1
        self._news.set()
        is_pause = kind == "notice" and said["text"] in PAUSES
        self._objects += kind not in ("view", "place") and not is_pause
        match kind:
            case "place":
                self.table = said["table"]
            case "event":
                assert self.events is not None
                self.events.append((said["event"], said["mark"]))
            case "view":
                self._view = said
            case "said":
                self._said[said["text"]] += 1
            case "refused":
                self._is_refused, self._refusal = True, said["text"]
            case "restarted":
                self._told += said["is_line_uncertain"]
            case "notice":
                self._told += UNCERTAIN in said["text"]

    def is_asked(self) -> bool:
        return bool(self._view.get("moves"))

    def said(self) -> Counter[str]:
        return self._said

    def told(self) -> int:
        return self._told

    def picture(self) -> object:
        """A view may come again; all else once, and what tells of a pause is not counted."""
        return self._view | {"why": ""}, self._objects

    def last_words(self) -> str:
        return f"{self._view.get('window')} {list(self._said)[-20:]} {self._refusal}"

    async def goes(self, line: str) -> int:
        self.type(line)
        await self.until(lambda: self.table is not None, line)
        assert self.table is not None
        return self.table

    async def play(self) -> bool:
        view, told, self._is_refused = self._view, self.told(), False
        end_s = time.monotonic() + SEEN_S

        def is_taken() -> bool:
            now = self._view
            return now["has_answered"] or any(now[key] != view[key] for key in ("window", "moves"))

        self.typed += 1
        self._open_at = time.monotonic()
        self.type(self.rng.choice(view["moves"]))
        await self.until(
            lambda: is_taken() or self._is_refused or self.told() > told
            or time.monotonic() > end_s,  # the same question, as after a guess
            "an answer",
        )  # fmt: skip
        self._open_at = None
        if self._is_refused:
            self.type("look")
        self.shown += is_taken() and not self._is_refused and self.told() == told
        return True


class Program(Reader):
    """`ssh guest@host json`."""

    kind = "json"

    def encoded(self, line: str) -> bytes:
        return json.dumps({"line": line}).encode() + b"\n"

    async def come(self, ssh: int, telnet: int) -> None:
        self._connection = await asyncssh.connect(
            "127.0.0.1", ssh, username="guest", known_hosts=None, client_keys=None,
            agent_path=None, config=None,
        )  # fmt: skip
        process = await self._connection.create_process("json", encoding=None)
        self._write, self._is_in = process.stdin.write, False
        self._reading = asyncio.create_task(self._read(process.stdout))
        await self.until(lambda: self._is_in, "place")

    async def _read(self, source: Any) -> None:
        rest = b""
        while data := await source.read(65_536):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                said = json.loads(line)
                self._is_in = self._is_in or said["type"] == "place"
                self.take(said["type"], said)
        self.is_gone = True
        self._news.set()


class PackageReader(Reader):
    """A line-mode client that asks for packages (GMCP)."""

    kind = "telnet"

    def encoded(self, line: str) -> bytes:
        return line.encode() + b"\r\n"

    async def come(self, ssh: int, telnet: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", telnet)
        self._write, self._is_in, self._text, self._rows = writer.write, False, "", Rows()
        self._reader = GmcpReader(self._hear, self._take)
        writer.write(ASKS)
        self._reading = asyncio.create_task(self._read(reader))
        await self.until(lambda: self._text.endswith("Name: "), "Name: ")
        self.type("guest")
        await self.until(lambda: self._is_in, "place")

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while data := await reader.read(65_536):
            self._reader.feed(data)
        self.is_gone = True
        self._news.set()

    def begin_round(self) -> None:
        super().begin_round()
        self._text, self._rows = "", Rows()

    def _hear(self, text: str) -> None:
        self._text += text
        self._rows.add(text)
        self.heard_bytes += len(text)
        self._news.set()

    def _take(self, package: str, content: Any) -> None:
        if package.startswith("Lockdown."):
            kind = package.removeprefix("Lockdown.").lower()
            self._is_in |= kind == "place"
            self.take(kind, content)

    def said(self) -> Counter[str]:
        return self._rows.said

    def told(self) -> int:
        return self._rows.told

    def last_words(self) -> str:
        return self._text[-1_500:]


def sitters(ssh: int, telnet: int, full: int, programs: int, seed: int) -> list[Sitter]:
    """So many of each, in an order that mixes them at the tables."""
    kinds: list[type[Sitter]] = [SshTerminal] * ssh + [FullScreen] * full + [Program] * programs
    kinds += [TelnetTerminal] * (telnet // 2) + [PackageReader] * (telnet - telnet // 2)
    Random(seed).shuffle(kinds)
    return [kind(number, seed) for number, kind in enumerate(kinds)]
