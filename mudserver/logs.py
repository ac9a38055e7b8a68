"""The log: one line for each event, `key=value`, with searchable ids.

Rule 1: an unexpected exception is one line: its type, its place and a reference, never its message,
        which may hold a hand or a password.  `server.log = "debug"` adds the stack trace, also
        without the message.  [SEC-7]
Rule 2: a log line has no control character and at most LINE_CHARS_MAX characters.
Rule 3: a repeated event is logged once a minute with its count, so that a flood of errors does not
        flood the log.
Rule 4: the number of lines is bounded; the next line that is written says how many were dropped.
        INFO may use half of the bound, so that it never displaces warnings and errors.
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
REPEAT_S = 60.0  # between two lines about the same event
PRIORITIES = ((logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6), (0, 7))  # syslog(3)
CAUSES_MAX, FRAMES_MAX = 4, 50  # of one trace
EVENT_KINDS_MAX = 256  # told apart; all further ones count as one

log = logging.getLogger("mudserver")


def raise_location(bug: BaseException) -> str:
    """`file.py:12`, where the exception was raised."""
    frames = traceback.extract_tb(bug.__traceback__)
    return f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else "?"


def format_trace(bug: BaseException | None) -> str:
    """The frames and types of an exception and its causes, without their messages."""
    parts: list[str] = []
    while bug is not None and len(parts) < CAUSES_MAX:
        frames = "".join(traceback.format_tb(bug.__traceback__, FRAMES_MAX))
        parts.append(f"{frames}{type(bug).__name__}")
        bug = bug.__cause__ or bug.__context__
    return "\nfrom\n".join(parts)


def log_exception(logger: logging.Logger, event: str, exc: BaseException, **fields: object) -> str:
    """Log an exception in one line; returns the reference that the user is shown."""
    metrics.INTERNAL_ERRORS.value += 1
    ref = secrets.token_hex(3)
    rest = "".join(f" {key}={value}" for key, value in fields.items())
    logger.error("%s%s err=%s at=%s ref=%s", event, rest, type(exc).__name__, raise_location(exc),
                 ref, exc_info=exc)  # fmt: skip
    return ref


class LogLineFormatter(logging.Formatter):
    """Formats a record as one line; with *has_traces* the stack trace follows, or is a field.

    Args:
        is_json: One JSON object per line, the `key=value` pairs of the message as its fields.
        format_time: Formats a time in UTC seconds; None: no time, the reader adds its own.
        has_priority: Put `<4>` before each line, for journald: sd-daemon(3).
    """

    def __init__(
        self,
        *,
        has_traces: bool = False,
        is_json: bool = False,
        format_time: Callable[[float], str] | None = None,
        has_priority: bool = False,
    ) -> None:
        super().__init__("%(levelname)s %(name)s %(message)s")
        self.has_traces, self._is_json = has_traces, is_json
        self._format_time, self._has_priority = format_time, has_priority

    def format(self, record: logging.LogRecord) -> str:
        record.message = record.getMessage()
        at = self._format_time(record.created) if self._format_time is not None else ""
        text = self._as_json(record, at) if self._is_json else self._as_text(record, at)
        if self.has_traces and record.exc_info and not self._is_json:
            text = f"{text}\n{format_trace(record.exc_info[1])}"
        if not self._has_priority:
            return text
        priority = next(n for level, n in PRIORITIES if record.levelno >= level)
        return "\n".join(f"<{priority}>{row}" for row in text.split("\n"))

    def _as_text(self, record: logging.LogRecord, at: str) -> str:
        text = _truncate(self.formatMessage(record))
        return f"{at} {text}" if at else text

    def _as_json(self, record: logging.LogRecord, at: str) -> str:
        event, *words = re.split(r" (?=\w+=)", _truncate(record.message))
        fields = {"time": at} if at else {}
        fields |= {"level": record.levelname.lower(), "logger": record.name, "event": event}
        for word in words:
            key, _, value = word.partition("=")
            fields.setdefault(key, value)
        if self.has_traces and record.exc_info:
            fields["trace"] = format_trace(record.exc_info[1])
        return json.dumps(fields)


def escape_controls(text: str) -> str:
    """*text* with control characters and line breaks written as escapes."""
    if text.isprintable():  # nearly always
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _truncate(text: str) -> str:
    text = escape_controls(text)
    return text if len(text) <= LINE_CHARS_MAX else text[:LINE_CHARS_MAX] + "..."


class LogRateFilter(logging.Filter):
    """At most *lines_max* lines in LOG_SPAN_S; the next line written counts the dropped ones."""

    def __init__(self, lines_max: int, monotonic: Callable[[], float]) -> None:
        super().__init__()
        self._monotonic, self._dropped, self._lines_max = monotonic, 0, lines_max
        self._bucket = TokenBucket(lines_max / LOG_SPAN_S, lines_max, monotonic())

    def reconfigure(self, lines_max: int) -> None:
        """Apply another limit from now on."""
        self._lines_max = lines_max
        self._bucket.set_rate(self._monotonic(), lines_max / LOG_SPAN_S, lines_max)

    def filter(self, record: logging.LogRecord) -> bool:
        now_s, reserved = self._monotonic(), 0
        if record.levelno < logging.WARNING:
            reserved = self._lines_max // 2
        if not (self._bucket.has(now_s, 1 + reserved) and self._bucket.try_consume(now_s)):
            self._dropped += 1
            metrics.LOG_DROPPED.value += 1
            return False
        if self._dropped:
            record.msg = f"{record.getMessage()} dropped_before={self._dropped}"
            record.args, self._dropped = (), 0
        return True


class RepeatLimiter:
    """Logs the first of a kind at once, and later ones every REPEAT_S with their number."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._kinds: dict[str, tuple[float, int]] = {}  # kind: silent until, times since

    def count_to_log(self, kind: str) -> int:
        """How many times it happened since it was last logged; 0: do not log it now."""
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
    """The event loop's exception handler, for exceptions that nobody caught."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._repeats = RepeatLimiter(monotonic)

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        bug = context.get("exception")
        event = str(context.get("message") or "unhandled exception")
        if isinstance(bug, ConnectionError | TimeoutError):
            return  # caused by the peer
        if "accept" in event:
            event = "cannot accept connections"  # the message names our sockets; errno says why
        kind = f"{event.partition('<')[0]} {type(bug).__name__} {bug and raise_location(bug)}"
        times = self._repeats.count_to_log(kind)
        if not times:
            return
        if bug is None:
            log.error("%s times=%s", event, times)
        else:
            log_exception(log, event, bug, errno=getattr(bug, "errno", None), times=times)
