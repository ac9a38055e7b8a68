"""The rules for people, a paragraph an item."""

from __future__ import annotations

GUIDE: tuple[str, ...] = ("",)
