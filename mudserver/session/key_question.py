"""The only question of a session that came in as `ssh ann+CODE@HOST`: is the key to be added?

Rule 1: nothing but `yes` adds it.  So nobody gives a key to a name without having read which.
Rule 2: the session ends with the answer, or QUESTION_S after the question; it never becomes that
        of a person.  Without a `yes` the code lives on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from mudserver.accounts import codes
from mudserver.accounts.ssh_keys import kind_of
from mudserver.accounts.texts import CODE_NOT_VALID
from mudserver.clock import Clock
from mudserver.errors import JournalWriteError, UserError
from mudserver.service.account_service import AccountService
from mudserver.session import texts
from mudserver.session.password_dialog import DialogOutput
from mudserver.transport.link import AuthenticatedUser

QUESTION_S = 60.0


class KeyQuestion:
    """A `Dialog`.  Args: end: says a last sentence and ends the session."""

    def __init__(
        self,
        output: DialogOutput,
        account_service: AccountService,
        proven: AuthenticatedUser,
        source: str,
        clock: Clock,
        end: Callable[[str], None],
    ) -> None:
        self._output, self._account_service, self._end = output, account_service, end
        self._proven, self._source = proven, source
        self._timer = clock.call_later(QUESTION_S, lambda: end(texts.NOTHING_CHANGED))
        owner = account_service.keys.owner_of_code(proven.name)
        if owner is None:  # since the signature: used on another connection, or expired
            self.close()
            end(CODE_NOT_VALID)
            return
        _, code = codes.split_code(proven.name)
        output.send_text(
            texts.KEY_QUESTION.format(proven.fingerprint, kind_of(proven.key), owner.name),
            texts.KEY_OTHER.format(owner.name, code),
        )
        output.show_prompt("> ")

    def handle_line(self, line: str) -> Awaitable[None] | None:
        self.close()
        if line.strip().lower() == "yes":
            self._output.show_prompt("")  # no prompt while it is written
            return self._add()
        self._end(texts.NOTHING_CHANGED)
        return None

    def close(self) -> None:
        self._timer.cancel()

    async def _add(self) -> None:
        proven = self._proven
        try:
            name = await self._account_service.add_key(proven.name, proven.key, self._source)
            self._end(texts.KEY_ADDED.format(proven.fingerprint, name))
        except UserError as exc:
            self._end(str(exc))
        except JournalWriteError:
            self._end(texts.CANNOT_SAVE)
