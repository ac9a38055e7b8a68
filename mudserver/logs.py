"""What operators read: one line for each event, `key=value`, with ids that can be searched.

Rule 1: a bug is one line (which, where, ref), never what the exception says: that may hold a hand
        or a password.  Stack traces come with `log = "debug"`, and say no more of it.  [SEC-7]
Rule 2: a line holds no control character and is never long, whatever went into it.
Rule 3: what repeats is said once a minute with how often it happened, so that no flood of faults
        is a flood of lines.
Rule 4: whatever is left is bounded in all; the next line that gets through says how many did not.
        What only informs may fill half of that, so that it never keeps out what went wrong.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import traceback
from collections.abc import Callable
from typing import Any

from mudserver import metrics
from mudserver.rate_limit import TokenBucket

LINE_CHARS_MAX = 500
LOG_SPAN_S = 30.0
REPEAT_S = 60.0  # between two lines about the same thing
PRIORITIES = ((logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6), (0, 7))  # syslog(3)
CAUSES_MAX, FRAMES_MAX = 4, 50  # of one trace
EVENT_KINDS_MAX = 256  # things remembered; more than that are all alike

log = logging.getLogger("house")


def raise_location(bug: BaseException) -> str:
    """`file.py:12`, where the exception was raised."""
    frames = traceback.extract_tb(bug.__traceback__)
    return f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else "?"


def format_trace(bug: BaseException | None) -> str:
    """The frames of a bug and of what it came from, each with the kind of bug and no more."""
    parts: list[str] = []
    while bug is not None and len(parts) < CAUSES_MAX:
        frames = "".join(traceback.format_tb(bug.__traceback__, FRAMES_MAX))
        parts.append(f"{frames}{type(bug).__name__}")
        bug = bug.__cause__ or bug.__context__
    return "\nfrom\n".join(parts)


def log_exception(logger: logging.Logger, event: str, exc: BaseException, **words: object) -> str:
    """Log a bug in one line; answers the reference that its person is told."""
    metrics.INTERNAL_ERRORS.value += 1
    ref = secrets.token_hex(3)
    rest = "".join(f" {key}={value}" for key, value in words.items())
    logger.error("%s%s err=%s at=%s ref=%s", event, rest, type(exc).__name__, raise_location(exc),
                 ref, exc_info=exc)  # fmt: skip
    return ref


class LogLineFormatter(logging.Formatter):
    """A record as one line; its stack trace only below, or in the object, if *has_traces*.

    Args:
        is_json: An object a line, the words `key=value` of the message as its fields.
        stamp: Writes a time, UTC seconds; None: whoever reads the lines has times of his own.
        has_priority: `<4>` at the head of each line, for journald: sd-daemon(3).
    """

    def __init__(
        self,
        *,
        has_traces: bool = False,
        is_json: bool = False,
        stamp: Callable[[float], str] | None = None,
        has_priority: bool = False,
    ) -> None:
        super().__init__("%(levelname)s %(name)s %(message)s")
        self.has_traces, self._is_json = has_traces, is_json
        self._stamp, self._has_priority = stamp, has_priority

    def format(self, record: logging.LogRecord) -> str:
        record.message = record.getMessage()
        at = self._stamp(record.created) if self._stamp is not None else ""
        text = self._object(record, at) if self._is_json else self._plain(record, at)
        if self.has_traces and record.exc_info and not self._is_json:
            text = f"{text}\n{format_trace(record.exc_info[1])}"
        if not self._has_priority:
            return text
        priority = next(n for level, n in PRIORITIES if record.levelno >= level)
        return "\n".join(f"<{priority}>{row}" for row in text.split("\n"))

    def _plain(self, record: logging.LogRecord, at: str) -> str:
        text = _short(self.formatMessage(record))
        return f"{at} {text}" if at else text

    def _object(self, record: logging.LogRecord, at: str) -> str:
        event, *words = re.split(r" (?=\w+=)", _short(record.message))
        fields = {"time": at} if at else {}
        fields |= {"level": record.levelname.lower(), "room": record.name, "event": event}
        for word in words:
            key, _, value = word.partition("=")
            fields.setdefault(key, value)
        if self.has_traces and record.exc_info:
            fields["trace"] = format_trace(record.exc_info[1])
        return json.dumps(fields)


def escape_controls(text: str) -> str:
    """*text* with whatever moves a cursor or breaks a line written as an escape."""
    if text.isprintable():  # nearly always
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _short(text: str) -> str:
    text = escape_controls(text)
    return text if len(text) <= LINE_CHARS_MAX else text[:LINE_CHARS_MAX] + "..."


class LogRateFilter(logging.Filter):
    """At most so many lines in LOG_SPAN_S; those dropped are counted on the next that is not."""

    def __init__(self, lines_max: int, monotonic: Callable[[], float]) -> None:
        super().__init__()
        self._monotonic, self._dropped, self._lines_max = monotonic, 0, lines_max
        self._budget = TokenBucket(lines_max / LOG_SPAN_S, lines_max, monotonic())

    def reconfigure(self, lines_max: int) -> None:
        """So many lines from now on."""
        self._lines_max = lines_max
        self._budget.set_rate(self._monotonic(), lines_max / LOG_SPAN_S, lines_max)

    def filter(self, record: logging.LogRecord) -> bool:
        now_s, kept = self._monotonic(), 0
        if record.levelno < logging.WARNING:
            kept = self._lines_max // 2
        if not (self._budget.has(now_s, 1 + kept) and self._budget.try_consume(now_s)):
            self._dropped += 1
            metrics.LOG_DROPPED.value += 1
            return False
        if self._dropped:
            record.msg = f"{record.getMessage()} dropped_before={self._dropped}"
            record.args, self._dropped = (), 0
        return True


class RepeatLimiter:
    """The first of its kind is told at once, the rest once in REPEAT_S, with their number."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._kinds: dict[str, tuple[float, int]] = {}  # kind: quiet until, times since

    def count_to_log(self, kind: str) -> int:
        """How many times it happened since it was last told; 0: do not tell it now."""
        if kind not in self._kinds and len(self._kinds) >= EVENT_KINDS_MAX:
            kind = "more"
        now_s = self._monotonic()
        quiet_until_s, count = self._kinds.get(kind, (now_s, 0))
        if now_s < quiet_until_s:
            self._kinds[kind] = (quiet_until_s, count + 1)
            return 0
        self._kinds[kind] = (now_s + REPEAT_S, 0)
        return count + 1


class LoopExceptionHandler:
    """The event loop's exception handler: what nobody caught."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._seldom = RepeatLimiter(monotonic)

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        bug = context.get("exception")
        what = str(context.get("message") or "fault")
        if isinstance(bug, ConnectionError | TimeoutError):
            return  # the other end's doing
        if "accept" in what:
            what = "no more connections can be taken"  # it names our sockets; errno says why
        kind = f"{what.partition('<')[0]} {type(bug).__name__} {bug and raise_location(bug)}"
        times = self._seldom.count_to_log(kind)
        if not times:
            return
        if bug is None:
            log.error("%s times=%s", what, times)
        else:
            log_exception(log, what, bug, errno=getattr(bug, "errno", None), times=times)
