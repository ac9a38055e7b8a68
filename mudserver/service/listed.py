"""What lists of the staff's consist of: a row for people, the same as data for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from mudserver.clock import format_instant
from mudserver.messages import PageRow, QuotedRow, row_text


class Listed(NamedTuple):
    """An entry of a list.

    Attributes:
        data: Without the row; its keys are documented in `docs/moderation.md` and only added to.
        shown: The same in an object of protocol 2; None: it has none.
    """

    row: PageRow
    data: Mapping[str, Any]
    shown: Any = None

    def to_json(self) -> dict[str, Any]:
        return {**self.data, "text": row_text(self.row).replace("\t", "  ")}


def without_term(row: PageRow) -> PageRow:
    """The row where the title of the page says what its term does."""
    if isinstance(row, str):
        return row.partition("\t")[2]
    return QuotedRow(row.head.partition("\t")[2], row.speaker, row.words)


def json_time(at_ms: int | None) -> str | None:
    """None: for ever."""
    return None if at_ms is None else format_instant(at_ms / 1_000)
