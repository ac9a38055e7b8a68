"""The prompt `banned> `: what is left to the owner of a banned account, after the proof.

Rule 1: the owner has the own data, and may have the account deleted or keep it; nothing else works.
Rule 2: who is here is not present: nobody is told, and nothing is told to the person.
Rule 3: it ends after PROMPT_S.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.errors import JournalWriteError, UserError
from mudserver.messages import Spoken
from mudserver.service.game_service import GameService
from mudserver.session import texts
from mudserver.session.password_dialog import DialogOutput

PROMPT_S = 300.0


class BannedActions(NamedTuple):
    """What the prompt calls in the session."""

    start_deletion: Callable[[], None]  # UserError: it is not possible
    end: Callable[[str], None]  # with a last sentence


class BannedPrompt:
    """A `Dialog`.  Args: why: the sentences of the ban."""

    def __init__(
        self,
        output: DialogOutput,
        service: GameService,
        person: Person,
        source: str,
        clock: Clock,
        why: Sequence[Spoken],
        actions: BannedActions,
    ) -> None:
        self._output, self._service, self._person = output, service, person
        self._source, self._actions = source, actions
        self._timer = clock.call_later(PROMPT_S, lambda: actions.end(texts.BANNED_OVER))
        output.send_text(*why, texts.BANNED_HOW)
        self.ask()

    def ask(self) -> None:
        self._output.show_prompt("banned> ")

    def close(self) -> None:
        self._timer.cancel()

    def handle_line(self, line: str) -> Awaitable[None] | None:
        match line.lower().removeprefix("/").split():
            case []:
                self.ask()
            case ["export"]:
                return self._answer(self._export())
            case ["account", "delete"]:
                try:
                    self._actions.start_deletion()
                except UserError as exc:
                    self._say(str(exc))
            case ["account", "keep"]:
                return self._answer(self._service.deletion.keep(self._person, self._source))
            case ["help", "privacy"]:
                self._say(*self._service.host_pages.privacy)
            case ["quit"]:
                self._actions.end(texts.GOODBYE)
            case _:
                self._say(texts.BANNED_HOW)
        return None

    async def _export(self) -> str:
        return await self._service.export.own_text(self._person)

    async def _answer(self, work: Awaitable[str]) -> None:
        try:
            self._say(*(await work).splitlines())
        except UserError as exc:
            self._say(str(exc))
        except JournalWriteError:
            self._say(texts.NOT_SAVED)

    def _say(self, *sentences: str) -> None:
        self._output.send_text(*sentences)
        self.ask()
