"""The answer to "Which game?": the number or the name of a game, in the very next line."""

from __future__ import annotations

from collections.abc import Callable, Collection


class GameChoices:
    def __init__(self) -> None:
        self._asked: set[str] = set()  # people who are online

    def ask(self, person: str) -> None:
        self._asked.add(person)

    def forget(self, person: str) -> None:
        self._asked.discard(person)

    def take(self, person: str, line: str, games: Callable[[], Collection[str]]) -> str:
        """The game that *line* names; "": none.  The question is over either way."""
        if person not in self._asked:
            return ""
        self._asked.discard(person)
        word, names = line.strip().lower(), games()
        numbers = {str(n): game for n, game in enumerate(names, start=1)}
        named = [game for game in names if word and game.startswith(word)]
        return numbers.get(word, "") or (named[0] if len(named) == 1 and len(word) > 3 else "")
