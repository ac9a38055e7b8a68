"""The answer to "Which game?": the number or the name of a game, in the very next line."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Literal

Command = Literal["play", "learn"]  # that has asked


class GameChoices:
    def __init__(self) -> None:
        self._asked: dict[str, Command] = {}  # of people who are online

    def ask(self, person: str, command: Command) -> None:
        self._asked[person] = command

    def asked(self, person: str) -> Command | Literal[""]:
        """The command that waits for an answer; "": none does."""
        return self._asked.get(person, "")

    def forget(self, person: str) -> None:
        self._asked.pop(person, None)

    def take(
        self, person: str, command: Command, line: str, games: Callable[[], Collection[str]]
    ) -> str:
        """The game that *line* names; "": none.  The question is over either way."""
        if self.asked(person) != command:
            return ""
        self.forget(person)
        word, names = line.strip().lower(), games()
        numbers = {str(n): game for n, game in enumerate(names, start=1)}
        named = [game for game in names if word and game.startswith(word)]
        return numbers.get(word, "") or (named[0] if len(named) == 1 and len(word) > 3 else "")
