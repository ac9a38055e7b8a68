"""The way back for somebody who lost key and password: a code that an operator issued.

Rule 1: with the code its owner sets a new password, or adds a key that was signed with; the other
        codes of the account end, and its open session does.
Rule 2: a thief may have added a key, so the other keys go unless who recovers says no.
Rule 3: the next login says that a code was issued, and when.
"""

from __future__ import annotations

from collections.abc import Callable

from mudserver.accounts import codes, texts
from mudserver.accounts.accounts import Accounts
from mudserver.accounts.person import Person
from mudserver.accounts.ssh_keys import parse_public_key
from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.service.account_streams import AccountStreams
from mudserver.service.auth_log import AuthLog

HOUR_MS = 3_600_000


class AccountRecovery:
    """Args: choose: one character of a text, by a secure generator."""

    def __init__(
        self,
        limits: schema.PeopleLimits,
        clock: Clock,
        streams: AccountStreams,
        auth_log: AuthLog,
        choose: Callable[[str], str],
    ) -> None:
        self.limits = limits  # replaced when the settings change
        self._clock, self._streams, self._auth_log = clock, streams, auth_log
        self._choose = choose
        self.end_session: Callable[[str, str], None] = lambda person_id, text: None

    @property
    def _accounts(self) -> Accounts:
        return self._streams.accounts

    def new_code(self) -> tuple[str, int]:
        """A code, and when it expires, UTC in ms."""
        code_ms = int(self.limits.code_recover_h * HOUR_MS)
        return codes.new_code("recover", self._choose), self._clock.now_ms() + code_ms

    def other_keys(self, typed_name: str, fingerprint: str = "") -> int | None:
        """How many keys an account has but for this one.  None: `ann+CODE` opens nothing."""
        name, code = codes.split_code(typed_name)
        found = self._accounts.live_code(name, "recover", code, self._clock.now_ms())
        return None if found is None else len({*found[0].fingerprints} - {fingerprint})

    async def recover(
        self, typed_name: str, source: str, *, hashed: str = "", key: str = "", keeps_keys: bool
    ) -> Person:
        """Use a code; returns whose it was.

        Args:
            typed_name: `ann+CODE`.
            hashed: Of the new password; "": there is none.
            key: One that was signed with; "": there is none.

        Raises:
            UserError: The code opens nothing any more, or the key cannot be added.
        """
        name, code = codes.split_code(typed_name)
        found = self._accounts.live_code(name, "recover", code, self._clock.now_ms())
        if found is None:
            raise UserError(texts.CODE_NOT_VALID, "not_found")
        person = found[0].person
        new_key = parse_public_key(key)[0] if key else ""
        await self._streams.change(
            person.id,
            lambda: self._accounts.recover(
                *(name, code, self._clock.now_ms()),
                hashed=hashed, key=new_key, keeps_keys=keeps_keys,
            ),
        )  # fmt: skip
        self._auth_log.account_changed(person.id, "key-added" if key else "password", source)
        self.end_session(person.id, texts.RECOVERED_ELSEWHERE)
        return person
