"""The question of a session that came in as `ssh ann+CODE@HOST`: is the key to be added?

Rule 1: nothing but `yes` adds it.  So nobody gives a key to a name without having read which.
        Under a recovery code a second question follows: whether the other keys go.
Rule 2: the session ends with the answer, or QUESTION_S after the question; it never becomes that
        of a person.  Without a `yes` the code lives on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from mudserver.accounts import codes
from mudserver.accounts.ssh_keys import kind_of
from mudserver.accounts.texts import CODE_NOT_VALID, NO, REMOVE_OTHER_KEYS
from mudserver.clock import Clock
from mudserver.errors import JournalWriteError, UserError
from mudserver.service.account_service import AccountService
from mudserver.session import texts
from mudserver.session.password_dialog import DialogOutput
from mudserver.transport.link import AuthenticatedUser
from variants.kit.text import quantity

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
        self._clock, self._is_agreed = clock, False
        self._start_timer()
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

    def _start_timer(self) -> None:
        self._timer = self._clock.call_later(QUESTION_S, lambda: self._end(texts.NOTHING_CHANGED))

    def handle_line(self, line: str) -> Awaitable[None] | None:
        self.close()
        answer = line.strip().lower()
        if self._is_agreed:
            self._output.show_prompt("")  # no prompt while it is written
            return self._add(keeps_keys=answer in NO)
        if answer != "yes":
            self._end(texts.NOTHING_CHANGED)
            return None
        proven = self._proven
        others = self._account_service.recovery.other_keys(proven.name, proven.fingerprint)
        if others:
            self._is_agreed = True
            self._start_timer()
            self._output.show_prompt(REMOVE_OTHER_KEYS.format(quantity(others, "key")))
            return None
        self._output.show_prompt("")
        return self._add(keeps_keys=True)

    def close(self) -> None:
        self._timer.cancel()

    async def _add(self, *, keeps_keys: bool) -> None:
        proven, accounts = self._proven, self._account_service
        try:
            if accounts.recovery.other_keys(proven.name) is None:
                name = await accounts.add_key(proven.name, proven.key, self._source)
            else:
                person = await accounts.recover(
                    proven.name, self._source, key=proven.key, keeps_keys=keeps_keys
                )
                name = person.name
            self._end(texts.KEY_ADDED.format(proven.fingerprint, name))
        except UserError as exc:
            self._end(str(exc))
        except JournalWriteError:
            self._end(texts.CANNOT_SAVE)
