"""Answers the questions of SSH authentication about names, keys and passwords."""

from __future__ import annotations

from collections.abc import Awaitable

from mudserver.accounts.texts import CODE_NOT_VALID
from mudserver.errors import JournalWriteError, UserError
from mudserver.service.account_service import AccountService
from mudserver.service.sanction_service import sentences_of
from mudserver.session import texts
from mudserver.session.refusals import plain_rows
from mudserver.source_budgets import source_of
from mudserver.transport.link import NameStatus

REGISTERED_S = 60  # so long ago a registration that is asked again may have been made


class SshAuthenticator:
    """`transport.link.Authenticator`: returns sentences instead of raising exceptions."""

    def __init__(self, account_service: AccountService) -> None:
        self._account_service = account_service

    async def name_status(self, name: str, peer: str) -> tuple[NameStatus, str]:
        status, sentence = self._name_status(name)
        if status == "free" and peer:  # a door of an older release does not say from where
            try:
                self._account_service.admission.check_source(source_of(peer))
            except UserError as exc:
                return "refused", plain_rows(sentences_of(exc))
        return status, sentence

    def _name_status(self, name: str) -> tuple[NameStatus, str]:
        if "+" not in name:
            return self._account_service.name_status(name)
        if self._account_service.recovery.other_keys(name) is not None:
            return "recovery", ""
        if self._account_service.keys.owner_of_code(name) is not None:
            return "code", ""
        if self._account_service.name_status(name)[0] == "free":  # it is an invitation
            return "free", ""
        return "wrong code", CODE_NOT_VALID

    async def has_key(self, name: str, fingerprint: str, peer: str) -> bool:
        accounts = self._account_service
        if peer and not accounts.admission.opens_despite_ban(name, source_of(peer)):
            return False
        await accounts.catch_up(name)
        return accounts.keys.has_key(name, fingerprint)

    async def new_key_obstacle(self, name: str, key: str, fingerprint: str) -> str | None:
        keys = self._account_service.keys
        try:
            keys.check_usable(key)
        except UserError as exc:
            return str(exc)
        if keys.owner_of_code(name) is not None and not keys.is_awaited(name, fingerprint):
            return ""  # an agent offers the right one later
        return None

    async def proven_key_obstacle(self, fingerprint: str) -> str:
        try:
            self._account_service.keys.check_opens_nothing(fingerprint)
        except UserError as exc:
            return str(exc)
        return ""

    async def check_password(self, name: str, password: str, peer: str) -> bool:
        try:
            return await self._account_service.check_password(name, password, source_of(peer))
        except UserError:
            return False

    async def other_keys(self, name: str) -> int:
        return self._account_service.recovery.other_keys(name) or 0

    async def recover(self, name: str, password: str, peer: str, *, keeps_keys: bool) -> str:
        return await _sentence(
            self._account_service.recover(
                name, source_of(peer), password=password, keeps_keys=keeps_keys
            )
        )

    async def register(self, name: str, password: str, peer: str, *, is_again: bool = False) -> str:
        accounts, plain = self._account_service, name.partition("+")[0]
        may_be_made = is_again and accounts.is_opened_within(plain, REGISTERED_S)
        if may_be_made and await self.check_password(plain, password, peer):
            return ""
        return await _sentence(accounts.register(name, password, source_of(peer)))


async def _sentence(work: Awaitable[object]) -> str:
    """Why *work* was refused; "": it is done."""
    try:
        await work
    except UserError as exc:
        return plain_rows(sentences_of(exc))
    except JournalWriteError:
        return texts.CANNOT_SAVE
    return ""
