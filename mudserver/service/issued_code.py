"""A code that the staff has made for somebody: sentences for people, and data for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class IssuedCode(NamedTuple):
    """Attributes:
    text: Rows that say how the code is used.
    data: Its keys are documented in `docs/moderation.md` and only added to.
    """

    text: str
    data: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        return {**self.data, "text": self.text}
