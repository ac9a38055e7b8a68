"""Replays: who looks at a game that is over, where in it, and with whose eyes.

Rule 1: a replay is its reader's alone: nobody else hears of it, and nothing of it is written.
Rule 2: bounded: so many of a source and in all (`Kind.REPLAYS`), and whose reader types nothing for
        IDLE_S is closed.
Rule 3: a game comes first.  Who looks at a replay when one begins is led out of it, and a line
        that was meant for the replay is not played there.
Rule 4: one step at a time: what runs by itself waits for a jump that is under way.
Rule 5: a replay goes on in another process where it stood.  Until the game is folded again, the
        lines of its reader wait.  Nothing is shown twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from mudserver.accounts.person import Person
from mudserver.clock import Clock, TimerHandle
from mudserver.data_messages import MovesData
from mudserver.errors import JournalWriteError, NotUnderstood, UserError
from mudserver.logs import log_exception
from mudserver.messages import AnswerMessage, Message, Notice, Page, ReplayOver, ReplayStep
from mudserver.outbox import Outbox
from mudserver.sanitize import sanitize
from mudserver.service import replay_texts as texts
from mudserver.service.game_history import history_messages
from mudserver.service.game_questions import bounded_answer
from mudserver.service.moves import ROWS_MAX as MOVES_MAX
from mudserver.service.moves import moves_rows, sample_of_kinds
from mudserver.service.replay_finder import FoundGame, ReplayFinder
from mudserver.service.shields import Shields
from mudserver.source_budgets import LOCAL, Hold, Kind, SourceBudgets
from variants.contract import Refusal, Seat, lists_all_actions
from variants.kit.text import Style, join_words

IDLE_S = 600.0
EVENTS_MAX = 40  # of one step; of a longer one the last
AUTO_S = range(1, 61)
TICK_OFFSET_S = 0.0005  # a timer is never due at one instant with another's  [SEC-4]

log = logging.getLogger(__name__)

Eyes = Seat | Literal["watch", "all"]


class CarriedReplay(NamedTuple):
    """Where somebody is in a replay, for another process."""

    game: str  # as it is typed
    position: int
    last: int
    eyes: str  # as they are typed
    auto_s: int  # 0: it does not go by itself


@dataclass
class _Reader:
    """Somebody who looks at a replay now."""

    person: Person
    found: FoundGame
    eyes: Eyes
    time_zone: str
    hold: Hold
    typed_s: float  # when a line was typed last, on the monotonic clock
    timer: TimerHandle | None = None  # closes it when nothing is typed
    auto: TimerHandle | None = None  # takes the next step
    auto_s: int = 0
    is_busy: bool = False  # a jump is under way
    is_new: bool = True  # nothing was shown yet

    @property
    def seat(self) -> Seat | None:
        """None: a watcher's view, whatever else is shown."""
        return _seat_of(self.eyes)


@dataclass
class _Expected:
    """Somebody whose replay goes on as soon as the game is folded again [rule 5]."""

    person: Person
    carried: CarriedReplay
    folding: asyncio.Future[tuple[FoundGame, Eyes]] | None = None

    def end(self) -> None:
        if self.folding is not None:
            self.folding.cancel()


@dataclass
class Replays:
    clock: Clock
    outbox: Outbox
    budgets: SourceBudgets
    finder: ReplayFinder
    _readers: dict[str, _Reader] = field(default_factory=dict)  # by person id
    _expected: dict[str, _Expected] = field(default_factory=dict)  # likewise; in no replay yet
    _shields: Shields = field(init=False)

    def __post_init__(self) -> None:
        self._shields = Shields(self.clock)

    # -- who looks -------------------------------------------------------------------------------

    def is_open(self, person_id: str) -> bool:
        return person_id in self._readers

    def count(self) -> int:
        """How many are open."""
        return len(self._readers)

    def place(self, person_id: str) -> str:
        """`replay 45/161`, for a prompt; "": the person looks at none."""
        carried = self.carried(person_id)
        return "" if carried is None else f"replay {carried.position}/{carried.last}"

    def command(self, person: Person | None) -> str:
        """`replay 1042`, which opens it again; "": the person looks at none."""
        carried = None if person is None else self.carried(person.id)
        return "" if carried is None else f"replay {carried.game}"

    def carried(self, person_id: str) -> CarriedReplay | None:
        """For another process; None: the person looks at none."""
        reader = self._readers.get(person_id)
        if reader is None:
            expected = self._expected.get(person_id)
            return None if expected is None else expected.carried
        replay, eyes = reader.found.replay, reader.eyes
        typed = eyes if isinstance(eyes, str) else str(eyes + 1)
        auto_s = 0 if reader.auto is None else reader.auto_s
        return CarriedReplay(reader.found.label, replay.position, replay.last, typed, auto_s)

    def auto_s(self, person: Person | None) -> int:
        """How often the person's replay takes a step by itself; 0: it does not."""
        carried = None if person is None else self.carried(person.id)
        return 0 if carried is None else carried.auto_s

    def expect(self, person: Person, carried: CarriedReplay) -> None:
        """The person has come from another process; `go_on` follows."""
        if before := self._expected.get(person.id):
            before.end()
        self._expected[person.id] = _Expected(person, carried)

    def is_expected(self, person_id: str) -> bool:
        """Whether the game is folded again for the person, who is in no replay yet."""
        return person_id in self._expected

    async def go_on(self, person: Person, source: str, time_zone: str) -> None:
        """Open the one that is expected where it stood [rule 5].

        If it is closed meanwhile, return at once: the person was told why [rule 3].  A session may
        be cancelled while it waits: the game is folded on for the newer one of the same person.

        Raises:
            UserError: It cannot be shown any more, or there is no room.
            JournalWriteError: The journal cannot be read now.
        """
        source, expected = source or LOCAL, self._expected.get(person.id)
        if expected is None:
            return
        if (folding := expected.folding) is None:
            folding = asyncio.ensure_future(self._fold_again(expected, source))
            expected.folding = folding
            folding.add_done_callback(_note_folded)  # perhaps nobody waits for it any more
        await asyncio.wait([folding])
        person = expected.person  # it may have another name by now
        if folding.cancelled() or self._expected.get(person.id) is not expected:
            return
        del self._expected[person.id]
        found, eyes = folding.result()
        hold = self.budgets.hold(Kind.REPLAYS, source, is_account=not person.is_guest)
        reader = _Reader(person, found, eyes, time_zone, hold, self.clock.monotonic(), is_new=False)
        self._readers[person.id] = reader
        self._wait(reader, IDLE_S)
        if auto_s := expected.carried.auto_s:
            reader.auto_s = auto_s
            self._plan(reader)

    async def _fold_again(self, expected: _Expected, source: str) -> tuple[FoundGame, Eyes]:
        """Errors: as of `go_on`."""
        carried = expected.carried
        try:
            found = await self.finder.find(expected.person, source, carried.game)
            eyes = eyes_of(found, carried.eyes)
            for _ in _steps(found, eyes, carried.position):
                await asyncio.sleep(0)
        except (UserError, JournalWriteError):
            raise
        except Exception as bug:
            log_exception(log, "replay failed", bug, game=carried.game, person=expected.person.id)
            raise UserError(texts.NOT_FOLDED.format(carried.game, carried.game)) from None
        return found, eyes

    async def open(
        self,
        person: Person,
        source: str,
        typed: str,
        eyes: str,
        time_zone: str,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Show a game from its beginning.

        Args:
            eyes: A name, `2`, `watch` or `all`; "": those of a watcher.
            check: Raises UserError where the person cannot look at one now; a game may have begun
                while this one was looked for [rule 3].

        Raises:
            UserError: There is no such game or seat, no room, or the person may not see it.
        """
        check()
        source = source or LOCAL
        if not self.is_open(person.id):  # else the new one takes the place of that one
            self.budgets.hold(Kind.REPLAYS, source, is_account=not person.is_guest).release()
        found = await self.finder.find(person, source, typed)
        chosen = eyes_of(found, eyes)
        for _ in found.replay.go(0):
            await asyncio.sleep(0)
        check()
        self.close(person.id)
        hold = self.budgets.hold(Kind.REPLAYS, source, is_account=not person.is_guest)
        reader = _Reader(person, found, chosen, time_zone, hold, self.clock.monotonic())
        self._readers[person.id] = reader
        self._wait(reader, IDLE_S)
        self._show(reader, -1)

    def close(self, person_id: str) -> str:
        """Close the person's replay.  Returns its game; "": there was none."""
        carried = self.carried(person_id)
        if expected := self._expected.pop(person_id, None):
            expected.end()
        if reader := self._readers.pop(person_id, None):
            for timer in (reader.timer, reader.auto):
                if timer is not None:
                    timer.cancel()
            reader.hold.release()
        return "" if carried is None else carried.game

    def leave(self, person: Person) -> None:
        if game := self.close(person.id):
            self.outbox.send(person.id, ReplayOver(texts.LEFT.format(game)))

    def forget(self, person_id: str) -> None:
        """The person is not online any more."""
        self.close(person_id)
        self._shields.forget(person_id)

    def replace_person(self, old: str, person: Person) -> None:
        """A guest has registered, or somebody has another name: the replay goes on."""
        self._shields.rename(old, person.id)
        if reader := self._readers.pop(old, None):
            reader.person = person
            self._readers[person.id] = reader
        if expected := self._expected.pop(old, None):
            expected.person = person
            self._expected[person.id] = expected

    def pause(self, person_id: str, table: int, *, is_playing: bool) -> None:
        """A game is shown at the table: one in which the person plays, or watches."""
        if self.close(person_id):
            text = texts.PAUSED if is_playing else texts.PAUSED_TO_WATCH
            self.outbox.send(person_id, ReplayOver(text.format(table)))
            if is_playing:
                self._shields.raise_for(person_id)

    def is_shielded(self, person_id: str) -> bool:
        """Whether a word of replays may have been meant for the one that has just been closed."""
        return self._shields.is_up(person_id)

    # -- to move about ---------------------------------------------------------------------------

    async def step(self, person: Person, by: int) -> None:
        """On or back by some decisions.  UserError: there is none in this direction."""
        reader = self._typing(person)
        replay = reader.found.replay
        if replay.position == (replay.last if by > 0 else 0):
            raise UserError(texts.AT_THE_END if by > 0 else texts.AT_THE_START, "not_found")
        await self._go(reader, replay.position + by)

    async def at(self, person: Person, position: int) -> None:
        """To the place behind a decision; one behind the end is the end."""
        await self._go(self._typing(person), position, is_jump=True)

    async def end(self, person: Person) -> None:
        reader = self._typing(person)
        await self._go(reader, reader.found.replay.last, is_jump=True)

    async def turn(self, person: Person, number: int) -> None:
        """To the beginning of a turn.  UserError: there is none of that number."""
        reader = self._typing(person)
        replay = reader.found.replay
        position = replay.turn_position(number)
        if position is None:
            numbers = [turn for turn, _ in replay.turns]
            if not numbers:
                raise UserError(texts.NO_TURNS, "not_found")
            text = texts.NO_TURN.format(number, min(numbers), max(numbers))
            raise UserError(text, "not_found")
        await self._go(reader, position, is_jump=True)

    async def look_as(self, person: Person, typed: str) -> None:
        """Other eyes, at the same place.  UserError: there is no such seat."""
        reader = self._typing(person)
        reader.eyes = eyes_of(reader.found, typed)
        await self._go(reader, reader.found.replay.position, is_jump=True)

    def repeat(self, person: Person) -> None:
        """The place again, with the board."""
        self._show(self._typing(person), None)

    def auto(self, person: Person, seconds: int) -> None:
        """One decision each *seconds* from now on, up to the end."""
        reader = self._typing(person)
        self._stop(reader)
        reader.auto_s = seconds
        self._send(reader, Notice(texts.AUTO_ON.format(seconds)))
        self._plan(reader)

    def stop(self, person: Person) -> None:
        """UserError: nothing runs by itself."""
        if not self._stop(self._typing(person)):
            raise UserError(texts.AUTO_NOT_ON, "not_found")
        self._send(self._readers[person.id], Notice(texts.AUTO_OFF))

    # -- to ask ----------------------------------------------------------------------------------

    def moves(self, person: Person, prefix: str) -> Page:
        """What the seat could have typed here.  UserError: it was not asked."""
        reader = self._typing(person)
        replay, eyes = reader.found.replay, reader.eyes
        asked = [Seat(seat) for seat in replay.view(None).asked]
        if eyes == "watch" and asked:
            raise UserError(texts.NO_MOVES_TO_WATCH.format(replay.names[asked[0]]))
        seats = asked if isinstance(eyes, str) else [eyes]
        found = [(seat, moves) for seat in seats if (moves := replay.moves(seat))]
        if not found:
            if isinstance(eyes, str):
                raise UserError(texts.NOBODY_ASKED, "not_found")
            raise UserError(texts.NOT_ASKED.format(replay.names[eyes]), "not_found")
        rows, typed = list[str](), list[str]()
        is_all = True
        for seat, moves in found:
            is_whole = lists_all_actions(replay.variant, replay.view(seat).view)
            rows += [replay.names[seat]] if len(found) > 1 else []
            rows += moves_rows(moves, prefix, is_all=is_whole)
            listed = sample_of_kinds(moves, MOVES_MAX)
            typed += listed
            is_all = is_all and is_whole and len(listed) == len(set(moves))
        title = texts.COULD_TYPE.format(join_words([replay.names[seat] for seat, _ in found]))
        return Page(title, tuple(rows), data=MovesData(tuple(typed), not is_all))

    def history(self, person: Person) -> Sequence[Message]:
        """What the seat has heard up to here."""
        reader = self._typing(person)
        return history_messages(reader.found.replay.events(reader.seat, -1), 0)

    def answer(self, person: Person, line: str, style: Style) -> AnswerMessage:
        """What the game answers to a question about this place.

        Raises:
            NotUnderstood: The game does not know the question; it may offer another.
        """
        reader = self._typing(person)
        replay = reader.found.replay
        try:
            return bounded_answer(replay.answer(reader.seat, line, style))
        except Refusal as refusal:
            text = refusal.format(replay.names)
            raise NotUnderstood(text, refusal.suggestion, "not_understood") from None

    def game_of(self, person: Person) -> Any:
        """The variant of the person's replay."""
        return self._readers[person.id].found.replay.variant

    # -- inside ----------------------------------------------------------------------------------

    async def _go(self, reader: _Reader, position: int, *, is_jump: bool = False) -> None:
        """Args: is_jump: what happened in between is not told."""
        replay = reader.found.replay
        since = replay.position
        reader.is_busy = True
        try:
            with closing(_steps(reader.found, reader.eyes, position)) as steps:
                for _ in steps:
                    await asyncio.sleep(0)
        finally:
            reader.is_busy = False
        if self._readers.get(reader.person.id) is reader:  # no game has begun meanwhile
            is_told = not is_jump and since < replay.position
            self._show(reader, since if is_told else replay.position - 1)

    def _show(self, reader: _Reader, since: int | None) -> None:
        """Args: since: the events behind that position are told; None: none are."""
        self._send(reader, step_message(reader.found, reader.eyes, since, reader.time_zone,
                                        is_first=reader.is_new))  # fmt: skip
        reader.is_new = False

    def _plan(self, reader: _Reader) -> None:
        wait_s = reader.auto_s + TICK_OFFSET_S
        reader.auto = self.clock.call_later(wait_s, lambda: self._take_step(reader))

    def _take_step(self, reader: _Reader) -> None:
        replay = reader.found.replay
        if not reader.is_busy:
            since = replay.position
            for _ in _steps(reader.found, reader.eyes, since + 1):
                pass  # one decision is no work
            reader.typed_s = self.clock.monotonic()
            self._show(reader, since)
        if replay.position < replay.last:
            self._plan(reader)
        else:
            reader.auto = None

    def _stop(self, reader: _Reader) -> bool:
        was, reader.auto = reader.auto, None
        if was is not None:
            was.cancel()
        return was is not None

    def _typing(self, person: Person) -> _Reader:
        """The reader who has typed a line."""
        reader = self._readers[person.id]
        reader.typed_s = self.clock.monotonic()
        return reader

    def _wait(self, reader: _Reader, wait_s: float) -> None:
        wait_s += TICK_OFFSET_S
        reader.timer = self.clock.call_later(wait_s, lambda: self._close_if_idle(reader))

    def _close_if_idle(self, reader: _Reader) -> None:
        left_s = reader.typed_s + IDLE_S - self.clock.monotonic()
        if left_s > 0:
            self._wait(reader, left_s)
            return
        self.close(reader.person.id)
        self._send(reader, ReplayOver(texts.ASLEEP.format(reader.found.label)))

    def _send(self, reader: _Reader, message: Message) -> None:
        self.outbox.send(reader.person.id, message)


def _note_folded(folding: asyncio.Future[Any]) -> None:
    """Else asyncio logs an error of which nobody hears: its reader has gone."""
    if not folding.cancelled():
        folding.exception()


def _steps(found: FoundGame, eyes: Eyes, position: int) -> Generator[None, None, None]:
    """Go there, and work out what these *eyes* have seen by then."""
    replay = found.replay
    yield from replay.go(position)
    seats = map(Seat, range(replay.seats)) if eyes == "all" else [_seat_of(eyes)]
    for seat in {None, *seats}:
        yield from replay.know(seat)


def _seat_of(eyes: Eyes) -> Seat | None:
    return None if isinstance(eyes, str) else eyes


def eyes_of(found: FoundGame, typed: str) -> Eyes:
    """UserError: there is no such seat."""
    word, names = typed.strip().casefold(), found.replay.names
    if word in ("", texts.WATCH_WORD, "watcher"):
        return "watch"
    if word == texts.ALL_WORD:
        return "all"
    if word.isascii() and word.isdigit() and len(word) < 4 and 0 < int(word) <= len(names):
        return Seat(int(word) - 1)
    own = [name.casefold() for name in names]
    begin = [seat for seat, name in enumerate(own) if name.startswith(word)]
    if word in own:
        return Seat(own.index(word))
    if len(begin) == 1:
        return Seat(begin[0])
    text = texts.NO_SEAT.format(sanitize(typed, "name", 40), ", ".join(names))
    raise UserError(text, "not_found")


def reader_name(found: FoundGame, eyes: Eyes) -> str:
    if isinstance(eyes, str):
        return texts.ALL if eyes == "all" else texts.A_WATCHER
    return found.replay.names[eyes]


def step_message(
    found: FoundGame, eyes: Eyes, since: int | None, time_zone: str, *, is_first: bool = False
) -> ReplayStep:
    """What is shown at the place where the replay stands.

    Args:
        since: The events behind that position are told; None: none are.
    """
    replay = found.replay
    seat = None if isinstance(eyes, str) else eyes
    events = () if since is None else tuple(replay.events(seat, since)[-EVENTS_MAX:])
    views = [replay.view(Seat(each)).view for each in range(replay.seats)] if eyes == "all" else ()
    waited_ms = replay.waited_ms
    return ReplayStep(
        *(f"Game {found.label}", found.number, replay.position, replay.last),
        *(reader_name(found, eyes), replay.at_ms, waited_ms, time_zone),
        *(replay.view(seat), events, tuple(views)),
        result=replay.result_text() if replay.position == replay.last else "",
        is_first=is_first,
        is_look=since is None,
    )
