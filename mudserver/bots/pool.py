"""The server's end of the computer players: a bounded queue and a pool of processes.

Rule 1: `choose` returns an action or raises `BotError` within `decision_s`, queueing included.  If
        no process is ready yet, it waits until one has started (START_S at most), and then for
        `decision_s` again: building the games is not thinking.
Rule 2: a process thinks about one question at a time.  A process that overruns `decision_s` is
        killed.  When a process dies by itself, the question is asked once more, of the next one.
Rule 3: a process that ended is replaced after `RESTART_S`; one that never answered anything,
        after twice as long each time, up to `RESTART_MAX_S`.
Rule 4: the caller may stop waiting at any time.  A late answer is dropped.
Rule 5: the networks whose tables ask take turns (`turns.py`), and of one network at most a quarter
        of the queue waits: the tables of one network delay no computer player elsewhere for long.
Rule 6: advice for people has a queue of its own, which is served while no table waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from mudserver import metrics
from mudserver.bots.bot_process import START_S, BotProcess, ProcessDied, ProcessLost
from mudserver.bots.codec import Codec, FrameTooLong, Reply, files_frame, question_frame, seed_bytes
from mudserver.bots.interface import BotError
from mudserver.bots.worker import error_location
from mudserver.config.schema import BotsConfig
from mudserver.turns import Turns
from variants.catalogue import NO_FILES, AnyVariant, Catalogue

PROCESS_COMMAND = (sys.executable, "-m", "mudserver.bots")
FIRST_S = 5.0  # then the processes start even without a question
RESTART_S = 1.0
RESTART_MAX_S = 60.0


@dataclass(eq=False, slots=True)
class _Question:
    frame: bytes
    number: int
    subject: str  # variant and level, for the log
    answer: asyncio.Future[Reply]
    is_second_try: bool = False


class BotPool:
    """The processes of computer players, and one bounded queue of questions.

    Args:
        config: Time limit, number of processes, length of the queue.
        catalogue: The games by name.
        files: The data files that they were built from; each process builds the same games.
        log: Takes one line for operators, `key=value`, without cards.
        command: Starts a process.
        restart_s: Seconds before a dead process is replaced.
    """

    def __init__(
        self,
        config: BotsConfig,
        catalogue: Catalogue,
        files: Mapping[str, bytes] = NO_FILES,
        *,
        log: Callable[[str], None],
        command: Sequence[str] = PROCESS_COMMAND,
        restart_s: float = RESTART_S,
    ) -> None:
        self._config, self._log, self._command = config, log, tuple(command)
        self._restart_s = restart_s
        self._catalogue, self._files = catalogue, files_frame(files)
        self._codecs: dict[str, Codec] = {}
        self._questions, self._advice = (
            Turns[_Question](max(1, config.queue_max // 4), config.queue_max) for _ in range(2)
        )
        self._has_questions = asyncio.Event()
        self._asked = 0
        self._supervisors: list[asyncio.Task[None]] = []
        self._children: dict[int, BotProcess] = {}
        self._wanted = asyncio.Event()
        self._starting: set[asyncio.Future[None]] = set()  # done when a process is ready, or is not
        self._started_count = 0

    async def start(self, *, wait_until_ready: bool = True, begins_now: bool = False) -> None:
        """Start the processes.

        Args:
            wait_until_ready: Wait for all of them, START_S at most.  Otherwise they start with the
                first question, or after FIRST_S, and so do not delay the start of the server.
            begins_now: Start them now all the same: a standby is not ready without them.
        """
        ready = [asyncio.Event() for _ in range(self._config.processes)]
        self._supervisors = [
            asyncio.create_task(self._supervise(each), name="bots") for each in ready
        ]
        if wait_until_ready or begins_now:
            self._wanted.set()
        if not wait_until_ready:
            return  # `choose` waits for a process that still starts
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_S):
                for event in ready:
                    await event.wait()

    async def close(self) -> None:
        """End the processes; callers that still wait get a BotError."""
        for supervisor in self._supervisors:
            supervisor.cancel()
        await asyncio.gather(*self._supervisors, return_exceptions=True)
        self._supervisors.clear()
        for queue in (self._questions, self._advice):
            while queue:
                _fail(queue.pop(), "the pool is closed")

    @property
    def is_ready(self) -> bool:
        """Whether a process answers at once, if there are to be any."""
        return bool(self._children) or not self._config.processes

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that are ready."""
        return tuple(self._children)

    async def choose(
        self,
        variant: str,
        level: str,
        view: Any,
        seen: Sequence[Any],
        seed: int,
        network: str = "",
        *,
        is_advice: bool = False,
    ) -> Any:
        """The action of a computer player in a seat.

        Args:
            variant: A name in the catalogue.
            level: A key of `Variant.bots`.
            view: The view of the seat.
            seen: The redacted events of the seat, oldest first.
            seed: Any whole number; the same question with the same seed has the same answer.
            network: Whose turn it takes.
            is_advice: See rule 6.

        Returns:
            An action of the variant that its `check` accepted in the process.

        Raises:
            BotError: See rule 1 for the time limit.
        """
        rules = self._catalogue.get(variant)
        if rules is None or level not in rules.bots:
            raise BotError(f"no computer player variant={variant} level={level}")
        reply = await self._ask(
            rules, level, view, seen, seed_bytes(seed), network, is_advice=is_advice
        )
        return self._action(rules, reply, f"variant={variant} level={level}")

    async def better_action(
        self, variant: str, view: Any, seen: Sequence[Any], action: Any, network: str = ""
    ) -> tuple[Any, float] | None:
        """See `Variant.better_action`.  BotError: the game has none, or see rule 1."""
        rules = self._catalogue.get(variant)
        if rules is None or rules.better_action is None:
            raise BotError(f"no reviews variant={variant}")
        reply = await self._ask(
            rules, "", view, seen, seed_bytes(0), network, is_advice=True, played=action
        )
        if reply.action is None and not reply.error:
            return None
        return self._action(rules, reply, f"variant={variant} review"), reply.gain

    async def _ask(
        self, rules: AnyVariant, level: str, view: Any, seen: Sequence[Any], seed: bytes,
        network: str, *, is_advice: bool, played: Any = None,
    ) -> Reply:  # fmt: skip
        if not self._supervisors:
            raise BotError("the pool is closed")
        self._asked += 1
        try:
            frame = question_frame(self._asked, rules.name, level, seed, view, seen, played)
        except FrameTooLong as exc:
            raise BotError(f"the question is too long: {exc}") from None
        self._wanted.set()
        answer = asyncio.get_running_loop().create_future()
        question = _Question(frame, self._asked, f"variant={rules.name} level={level}", answer)
        queue = self._advice if is_advice else self._questions
        if not queue.put(network, question):
            raise BotError("too many are waiting")
        self._has_questions.set()
        try:
            return await self._wait_for_reply(answer)
        finally:
            answer.cancel()  # so that a late reply is dropped
            queue.remove(network, question)

    async def _wait_for_reply(self, answer: asyncio.Future[Reply]) -> Reply:
        started_before = self._started_count
        await asyncio.wait({answer}, timeout=self._config.decision_s)
        if not answer.done() and self._starting and not self._children:
            first: set[asyncio.Future[Any]] = {answer, *self._starting}
            await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done() and self._started_count > started_before:
            await asyncio.wait({answer}, timeout=self._config.decision_s)
        if not answer.done():
            raise BotError("too slow")
        return answer.result()

    def _action(self, rules: AnyVariant, reply: Reply, subject: str) -> Any:
        codec = self._codecs.get(rules.name) or self._codecs.setdefault(rules.name, Codec(rules))
        if reply.action is None:
            self._log(f"computer player failed {subject} err={reply.error!r}")
            raise BotError(reply.error)
        try:
            return codec.action(reply.action)
        except msgspec.ValidationError as exc:
            self._log(f"computer player failed {subject} err={error_location(exc)!r}")
            raise BotError("nonsense") from None

    async def _supervise(self, ready: asyncio.Event) -> None:
        """Keep one process running; it runs until the pool is closed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FIRST_S):
                await self._wanted.wait()
        pause_s = self._restart_s
        child: BotProcess | None = None
        question: _Question | None = None
        try:
            while True:
                try:
                    child = await self._start_process()
                    ready.set()
                    while True:
                        question = question or await self._next_question()
                        if not question.answer.done():
                            await self._put(child, question)
                            pause_s = self._restart_s
                        question = None
                except ProcessLost as lost:
                    if question is not None:
                        question = self._retry_once(question, lost)
                    if child is not None:
                        await self._end_process(child)
                    metrics.COMPUTER_PROCESSES_LOST.value += 1
                    stderr = child.last_stderr_line if child else ""
                    child = None
                    self._log(
                        f"computer player process died reason={str(lost)!r} stderr={stderr!r}"
                    )
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, RESTART_MAX_S)
        finally:
            if question is not None:
                _fail(question, "the pool is closed")
            if child is not None:
                await self._end_process(child)

    async def _next_question(self) -> _Question:
        while not (queue := self._questions or self._advice):
            self._has_questions.clear()
            await self._has_questions.wait()
        return queue.pop()

    async def _start_process(self) -> BotProcess:
        """A process that is ready.  ProcessLost: it did not start."""
        started = asyncio.get_running_loop().create_future()
        self._starting.add(started)
        try:
            child = await BotProcess.start(self._command, self._files)
            self._children[child.pid] = child
            self._started_count += 1
        finally:
            self._starting.discard(started)
            started.set_result(None)
        return child

    def _retry_once(self, question: _Question, lost: ProcessLost) -> _Question | None:
        """The question for the next process; None: it has failed."""
        if isinstance(lost, ProcessDied) and not question.is_second_try:
            question.is_second_try = True
            return question
        _fail(question, str(lost))
        return None

    async def _end_process(self, child: BotProcess) -> None:
        self._children.pop(child.pid, None)
        await child.kill()

    async def _put(self, child: BotProcess, question: _Question) -> None:
        """Ask *child* and pass on the reply.  ProcessLost: it must be replaced."""
        try:
            async with asyncio.timeout(self._config.decision_s):
                reply = await child.request(question.frame)
        except TimeoutError:
            raise ProcessLost(f"too slow {question.subject}") from None
        if reply.number != question.number:
            raise ProcessLost(f"answered another question {question.subject}")
        if not question.answer.done():
            question.answer.set_result(reply)


def _fail(question: _Question, why: str) -> None:
    if not question.answer.done():
        question.answer.set_exception(BotError(why))
