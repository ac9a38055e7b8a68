"""What SSH authentication asks about names, answered by the registrar."""

from __future__ import annotations

from typing import Literal

from mudserver.errors import HouseError, JournalFailed
from mudserver.house.registrar import Registrar
from mudserver.transport.gate import source_of


class HouseDoorman:
    """`transport.link.Doorman`: sentences instead of exceptions."""

    def __init__(self, registrar: Registrar) -> None:
        self._registrar = registrar

    def standing(self, name: str) -> tuple[Literal["guest", "known", "free", "refused"], str]:
        return self._registrar.standing(name)

    def has_key(self, name: str, fingerprint: str) -> bool:
        return self._registrar.has_key(name, fingerprint)

    async def check_password(self, name: str, password: str) -> bool:
        try:
            return await self._registrar.check_password(name, password)
        except HouseError:
            return False

    async def register(self, name: str, password: str, peer: str) -> str:
        try:
            await self._registrar.register(name, password, source_of(peer))
        except HouseError as exc:
            return str(exc)
        except JournalFailed:
            return "The house cannot write just now. Please try again in a minute."
        return ""
