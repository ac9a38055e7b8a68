"""What everybody reads of a game that is over.  The sheets of the rounds say what each had."""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import EndSummary
from variants.kit.text import quantity
from variants.words.events import Event
from variants.words.view import View


def summarize_end(view: View, heard: Sequence[Event]) -> EndSummary:
    return EndSummary(quantity(view.round, "round"))
