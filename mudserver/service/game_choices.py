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
        self, person: str, line: str, games: Callable[[Command], Collection[str]]
    ) -> tuple[Command, str] | None:
        """What was asked, and the game that *line* names; None: nothing, or it names none.

        The question is over either way.
        """
        if (command := self._asked.pop(person, None)) is None:
            return None
        word, names = line.strip().lower(), games(command)
        numbers = {str(n): game for n, game in enumerate(names, start=1)}
        named = [game for game in names if word and game.startswith(word)]
        game = numbers.get(word, "") or (named[0] if len(named) == 1 and len(word) > 3 else "")
        return (command, game) if game else None
