"""Answers the questions of SSH authentication about names, keys and passwords."""

from __future__ import annotations

from typing import Literal

from mudserver.errors import JournalWriteError, UserError
from mudserver.service.account_service import AccountService
from mudserver.transport.gate import source_of


class SshAuthenticator:
    """`transport.link.Authenticator`: returns sentences instead of raising exceptions."""

    def __init__(self, account_service: AccountService) -> None:
        self._account_service = account_service

    def name_status(self, name: str) -> tuple[Literal["guest", "known", "free", "refused"], str]:
        return self._account_service.name_status(name)

    def has_key(self, name: str, fingerprint: str) -> bool:
        return self._account_service.has_key(name, fingerprint)

    async def check_password(self, name: str, password: str) -> bool:
        try:
            return await self._account_service.check_password(name, password)
        except UserError:
            return False

    async def register(self, name: str, password: str, peer: str) -> str:
        try:
            await self._account_service.register(name, password, source_of(peer))
        except UserError as exc:
            return str(exc)
        except JournalWriteError:
            return "The server cannot write just now. Please try again in a minute."
        return ""
