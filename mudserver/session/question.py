"""A dialog of one question: the next line is the answer.

Rule 1: an empty answer changes nothing, and the person reads that.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from mudserver.session.password_dialog import DialogOutput


class Question:
    """Args:
    answer: Called with the answer; it reports the result.
    on_empty: Called when there is none.
    on_end: Called when the dialog is over, answered or not.
    """

    def __init__(
        self,
        output: DialogOutput,
        prompt: str,
        answer: Callable[[str], Awaitable[None]],
        on_empty: Callable[[], None],
        on_end: Callable[[], None],
    ) -> None:
        self._answer, self._on_empty, self._on_end = answer, on_empty, on_end
        output.show_prompt(prompt)

    async def handle_line(self, line: str) -> None:
        try:
            if line.strip():
                await self._answer(line.strip())
            else:
                self._on_empty()
        finally:
            self._on_end()
