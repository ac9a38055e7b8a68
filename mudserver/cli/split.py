"""`mudserver serve --split`: a door, a game server and its standby, and who starts them.

Rule 1: this process holds no connection and reads no input.  A child that ends is started again,
        after RESTART_S.  If one cannot start at all, everything ends with its status, as `serve`;
        not for a game server while another one serves.
Rule 2: the game server begins first: it alone makes what a new data directory lacks, and says what
        is wrong with one.  The door begins when it is ready, and the standby after the ready line,
        which is the door's and that of `serve`.
Rule 3: SIGHUP is passed on.  SIGTERM ends the door and the standby, and when they have ended, or
        after FAREWELL_S, the game server, which says farewell at the door; all within END_S.  None
        is started again meanwhile.  Ctrl-C does the same: it reaches no child.  A child that hangs
        is killed (`watched.py`).
Rule 4: it holds the other end of each child's standard input, so that the children see its end when
        it is killed, and end as at SIGTERM.  The next one waits for that (`split_lock.py`).
Rule 5: children may be of another release: this process outlives an upgrade.  They get the options
        of the configuration and no others, and WITH_PARENT.  Only the first game server, which is
        of this release, is given more (`at_first`).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Sequence
from pathlib import Path

from mudserver.cli import split_lock
from mudserver.cli.process import WITH_PARENT, own_program, prepare, print_ready
from mudserver.cli.watched import Watchdog
from mudserver.logs import LoopExceptionHandler
from mudserver.ops import sd_notify

RESTART_S = (0.2, 1.0, 5.0, 10.0)  # before a child is started again; the last one from then on
STEADY_S = 60.0  # after so long a child counts as running well
NOT_STARTED = 127  # status of a child that could not be started, as shells have it
END_S = 9.0  # from SIGTERM to SIGKILL, of all: container engines kill after 10 s
FAREWELL_S = 3.0  # a door waits longer only for clients that do not hang up
OWN_VARIABLES = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID")

log = logging.getLogger("split")


def run_split(options: argparse.Namespace) -> int:
    """Args: options: Those of `serve`; the children get the same."""
    _, config, _ = prepare(options)
    return asyncio.run(_run(child_options(options), Path(config.server.data)))


def child_options(options: argparse.Namespace) -> list[str]:
    """The options of the configuration, as they were given."""
    given: list[str] = []
    for name in ("config", "data", "ssh", "telnet"):
        if (value := getattr(options, name)) is not None:
            given += [f"--{name}", str(value)]
    for each in options.set:
        given += ["--set", each]
    return given


class Child:
    """One process, started again whenever it ends."""

    def __init__(
        self, command: str, options: Sequence[str], *, held: Sequence[int] = (),
        at_first: Sequence[str] = (), may_fail: bool = False,
    ) -> None:  # fmt: skip
        """Args:
        held: Descriptors that are open as long as it runs.
        at_first: More options, until it has been ready once.
        may_fail: If it cannot start at all, it is tried again.
        """
        self.command, self._may_fail = command, may_fail
        self._arguments = [*own_program(), command, *options]
        self._held, self._at_first = held, at_first
        self._process: asyncio.subprocess.Process | None = None
        self.is_ending = False  # it is not started again
        self.ready = asyncio.Event()
        self.ready_line = ""
        self.status = 0  # that of the process, when there is no use in another

    async def keep_running(self) -> None:
        """Returns when the process has ended and is not started again."""
        loop, failures = asyncio.get_running_loop(), 0
        while not self.is_ending:
            started_s = loop.time()
            try:
                status = await self._run_once()
            except OSError as exc:  # a new version is being installed
                log.error("process not started command=%s error=%s", self.command, exc)
                status = NOT_STARTED
            is_hopeless = status > 0 and not (self.ready.is_set() or self._may_fail)
            if self.is_ending or is_hopeless:
                self.status = status
                return
            self.ready_line = ""
            is_well = not status or loop.time() - started_s > STEADY_S
            failures = 0 if is_well else failures + 1
            delay_s = RESTART_S[min(max(failures, 1), len(RESTART_S)) - 1]
            log.warning("process ended command=%s status=%d again_s=%g", self.command, status,
                        delay_s)  # fmt: skip
            await asyncio.sleep(delay_s)

    async def _run_once(self) -> int:
        environment = {k: v for k, v in os.environ.items() if k not in OWN_VARIABLES}
        environment[WITH_PARENT] = "1"
        with contextlib.closing(Watchdog()) as watchdog:
            self._process = process = await asyncio.create_subprocess_exec(
                *self._arguments,
                *(() if self.ready.is_set() else self._at_first),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=environment | watchdog.variables,
                pass_fds=self._held,
                start_new_session=True,  # no terminal: Ctrl-C is for this process
            )
            if self.is_ending:
                process.terminate()
            watching = asyncio.create_task(watchdog.watch(process, self.command), name="watchdog")
            try:
                await self._read(process)
                return await process.wait()
            finally:
                watching.cancel()

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """What it prints, until it has ended."""
        assert process.stdout is not None
        while line := await process.stdout.readline():
            self.ready_line = line.decode("utf-8", "replace").rstrip("\n")
            self.ready.set()

    @property
    def is_serving(self) -> bool:
        """Whether it has said so last; a standby says something else."""
        return self.ready_line.startswith("ready ")

    def signal(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(number)

    def begin_to_end(self) -> None:
        self.is_ending = True
        self.signal(signal.SIGTERM)

    async def ended(self) -> None:
        if self._process is not None:
            await self._process.wait()


async def end_all(door: Child, *games: Child) -> None:
    """End them in their order [rule 3]."""
    *waiting, serving = sorted(games, key=lambda child: child.is_serving)
    serving.is_ending = True
    for child in (door, *waiting):
        child.begin_to_end()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(END_S):
            await asyncio.wait(
                [asyncio.create_task(child.ended()) for child in (door, *waiting)],
                timeout=FAREWELL_S,
            )
            for child in waiting:
                child.signal(signal.SIGKILL)  # it has nothing to end, and is no successor now
            serving.begin_to_end()
            await asyncio.gather(*(child.ended() for child in (door, *games)))
    for child in (door, *games):
        child.signal(signal.SIGKILL)


async def _run(options: Sequence[str], directory: Path) -> int:
    manager = sd_notify.ServiceManager.from_environment(os.environ, os.getpid())
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    loop.set_exception_handler(LoopExceptionHandler(loop.time))
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    stopping = asyncio.create_task(stop.wait(), name="stop")
    with manager.starting():
        holding = asyncio.create_task(split_lock.hold(directory), name="lock")
        await asyncio.wait((holding, stopping), return_when=asyncio.FIRST_COMPLETED)
    if not holding.done():
        holding.cancel()
        await asyncio.gather(holding, return_exceptions=True)
        return 0
    held = holding.result()
    # Nobody waits for another server to let go of the data, as `serve` does not.
    game = Child("game", options, held=held, at_first=("--standby", "never"))
    door = Child("door", options, held=held)
    standby = Child("game", options, held=held, may_fail=True)

    def pass_on() -> None:
        for child in (game, door, standby):
            child.signal(signal.SIGHUP)

    loop.add_signal_handler(signal.SIGHUP, pass_on)
    running = list[asyncio.Task[None]]()

    async def begin(child: Child) -> bool:
        """Start it; whether it is ready before another one or all have to end."""
        running.append(asyncio.create_task(child.keep_running(), name=child.command))
        ready = asyncio.create_task(child.ready.wait(), name="ready")
        await asyncio.wait((ready, stopping, *running), return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        return child.ready.is_set()

    with manager.starting():
        is_ready = await begin(game) and await begin(door)
    if is_ready:
        print_ready(door.ready_line)
        manager.send_ready("")
        running.append(asyncio.create_task(standby.keep_running(), name="standby"))
        watchdog = asyncio.create_task(
            sd_notify.run_watchdog(manager, lambda: True, lambda: ""), name="service manager"
        )
        await asyncio.wait((stopping, *running), return_when=asyncio.FIRST_COMPLETED)
        watchdog.cancel()
    manager.send_stopping()
    await end_all(door, game, standby)
    for task in (stopping, *running):
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    manager.close()
    return 0 if stop.is_set() else max(game.status, door.status)
