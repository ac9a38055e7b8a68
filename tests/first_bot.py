"""The bot that docs/ had for protocol 1: it plays random moves, and works unchanged."""

from __future__ import annotations

import random
from typing import Any


class FirstBot:
    def __init__(self, game: str) -> None:
        self.game, self.is_playing, self.answered, self.result = game, False, "", ""

    def answer(self, received: dict[str, Any]) -> list[dict[str, str]]:
        """What to write after one received object."""
        return [{"line": line} for line in self._lines(received)]

    def _lines(self, received: dict[str, Any]) -> list[str]:
        match received:
            case _ if self.result:
                return []  # it has said goodbye
            case {"type": "place", "table": None}:
                return [f"open {self.game}"]
            case {"type": "place", "is_playing": is_playing}:
                self.is_playing = is_playing
                return [] if is_playing else ["bot 1", "ready"]
            case {"type": "notice", "text": text} if text.endswith("Type ready again."):
                return ["ready"]  # somebody else has changed the table
            case {"type": "view", "window": self.answered, "missing": missing} if missing:
                return []  # its answer is on the way
            case {"type": "view", "moves": [_, *_] as moves, "window": window}:
                self.answered = window
                return [random.choice(moves)]
            case {"type": "over", "text": text}:
                self.result = text
                return ["quit"]
            case {"type": "refused"}:
                self.answered = ""
                return ["look"] if self.is_playing else ["quit"]
        return []
