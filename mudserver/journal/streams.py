"""The kinds of streams in the journal: the one list of them.

Rule 1: what is stored keeps its name for ever: prefixes here never change, new kinds are added.
Rule 2: a stream is called by its kind's prefix and a number from 1.
Rule 3: a kind that is not in STREAM_KINDS is foreign to `mudserver check`; each kind has its own
        audit in `ops/journal_audit.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class StreamKind:
    prefix: str
    is_single: bool = False  # there is number 1 only

    def name(self, number: int) -> str:
        return f"{self.prefix}{number}"

    def number(self, stream: str) -> int:
        return int(stream.removeprefix(self.prefix))

    def owns(self, stream: str) -> bool:
        """Whether *stream* is of this kind."""
        numbers = "1" if self.is_single else "[1-9][0-9]*"
        return re.fullmatch(re.escape(self.prefix) + numbers, stream) is not None


TABLE_STREAMS = StreamKind("table/")  # one table, all its games
ACCOUNT_STREAMS = StreamKind("person/")  # one account
SERVER_STREAMS = StreamKind("house/", is_single=True)  # the server itself
SANCTION_STREAMS = StreamKind("sanction/")  # a mute or a ban, by the number of its act
REPORT_STREAMS = StreamKind("report/")
AUDIT_STREAMS = StreamKind("audit/")  # a month of acts of the staff: 202611 is November 2026
SITE_STREAMS = StreamKind("site/", is_single=True)  # who may come in, and what they read
MAILBOX_STREAMS = StreamKind("mailbox/")  # of the account of that number
RESULT_STREAMS = StreamKind("results/", is_single=True)  # of all games that are over
TOURNEY_STREAMS = StreamKind("tourney/")  # a tournament

STAFF_STREAMS = (SANCTION_STREAMS, REPORT_STREAMS, AUDIT_STREAMS, SITE_STREAMS)
STREAM_KINDS = (
    TABLE_STREAMS,
    ACCOUNT_STREAMS,
    SERVER_STREAMS,
    MAILBOX_STREAMS,
    RESULT_STREAMS,
    TOURNEY_STREAMS,
    *STAFF_STREAMS,
)

RESULT_STREAM = RESULT_STREAMS.name(1)  # no start reads it whole: what is needed is looked up
RESUME_SECRET_STREAM = SERVER_STREAMS.name(1)  # one record: the secret of the guests' codes


def stream_kind(stream: str) -> StreamKind | None:
    """The kind of *stream*; None: no server writes such a stream."""
    return next((kind for kind in STREAM_KINDS if kind.owns(stream)), None)
