"""Former players: what is left of accounts that are erased, and how they are called.

Rule 1: an id that was an account's and is none any more is a former player's, wherever it stands.
Rule 2: of an erased account only hashes of its names are kept, until the last of them can be taken
        by somebody else; its records go with that one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mudserver.accounts import names

FORMER_PLAYER = "former player"
_ACCOUNT_ID = re.compile("p[1-9][0-9]*")


def is_account_id(person_id: str) -> bool:
    """Whether that is, or was, the id of an account."""
    return _ACCOUNT_ID.fullmatch(person_id) is not None


class FormerAccounts:
    def __init__(self) -> None:
        self._held: dict[str, dict[str, int]] = {}  # by id: `names.claim_key`, end, UTC in ms
        self._holders: dict[str, str] = {}  # ids, by `names.claim_key`

    def __contains__(self, account_id: str) -> bool:
        return account_id in self._held

    def ids(self) -> list[str]:
        """Of all that are kept."""
        return list(self._held)

    def holds(self, name: str) -> bool:
        """Whether a name that looks like *name* is held for an account that is no more."""
        return names.claim_key(name) in self._holders

    def keys(self, account_id: str) -> list[str]:
        """The `names.claim_key`s that are held."""
        return list(self._held.get(account_id, ()))

    def holders(self) -> list[tuple[str, str]]:
        """What is held: the `names.claim_key`, and the id that has it."""
        return list(self._holders.items())

    def over(self, now_ms: int) -> list[str]:
        """The ids of which no name is held any longer."""
        return [
            account_id
            for account_id, held in self._held.items()
            if all(until_ms <= now_ms for until_ms in held.values())
        ]

    def add(self, account_id: str, held: Sequence[tuple[str, int]]) -> None:
        self._held[account_id] = dict(held)
        self._holders.update((key, account_id) for key, _ in held)

    def forget(self, account_id: str) -> None:
        """Its stream was removed from the journal."""
        for key in self._held.pop(account_id, {}):
            self._holders.pop(key, None)
