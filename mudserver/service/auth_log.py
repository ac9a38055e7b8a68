"""Log lines about logins and accounts, for operators and for fail2ban.

Rule 1: one line for each failed login, new account, and change of a key or password.
Rule 2: nothing that somebody typed is in a line: people type passwords at the prompt for a name.
Rule 3: the address comes last, as `docs/fail2ban/` expects it; `-` without `log_addresses`.
"""

from __future__ import annotations

import logging
from typing import Literal

log = logging.getLogger("auth")

AccountChange = Literal["password", "key-added", "key-removed", "renamed", "deletion"]


class AuthLog:
    """Args: has_addresses: as `server.log_addresses`."""

    def __init__(self, *, has_addresses: bool) -> None:
        self.has_addresses = has_addresses

    def login_failed(
        self, how: str, protocol: str, account_name: str | None, left: int, source: str
    ) -> None:
        """Args:
        account_name: None: no account has the name that was given.
        left: How many tries the source has left.
        """
        log.info("login failed how=%s protocol=%s name=%s left=%d from=%s", how, protocol,
                 account_name or "-", left, self._shown(source))  # fmt: skip

    def account_opened(self, account_id: str, what: AccountChange, source: str) -> None:
        log.info("account opened person=%s what=%s by=self from=%s", account_id, what,
                 self._shown(source))  # fmt: skip

    def account_changed(
        self, account_id: str, what: AccountChange, source: str, by: str = "self"
    ) -> None:
        """Args: by: person id, or `console:UID`, of the staff; or `server`."""
        log.info("account changed person=%s what=%s by=%s from=%s", account_id, what, by,
                 self._shown(source))  # fmt: skip

    def _shown(self, source: str) -> str:
        return source if self.has_addresses and source else "-"
