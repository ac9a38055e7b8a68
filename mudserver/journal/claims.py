"""Claims: what one owner at a time can have, such as a name.

Rule 1: a claim is unique by kind and key.  Whoever owns it already is granted it again.
Rule 2: claims are not stored here.  The events of the streams say who owns what; the replay at the
        start adopts it, and `append_all` changes it together with its records.
Rule 3: a batch works on a draft.  The index changes when the batch is committed, or not at all.
Rule 4: old journals may have several owners of one key.  The first one adopted holds the claim, and
        a release hands it to the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mudserver.errors import JournalConflictError


class Claim(NamedTuple):
    kind: str  # "name"
    key: str  # for a name the SHA-256 of its skeleton
    owner: str  # a person's id


_Key = tuple[str, str]
_Owners = dict[_Key, tuple[str, ...]]  # the first one holds the claim


class ClaimIndex:
    def __init__(self) -> None:
        self._owners: _Owners = {}

    def adopt(self, claims: Iterable[Claim]) -> None:
        """Take claims that a replay found, in the order of their streams."""
        for kind, key, owner in claims:
            owners = self._owners.get((kind, key), ())
            if owner not in owners:
                self._owners[kind, key] = (*owners, owner)

    def draft(self) -> ClaimDraft:
        return ClaimDraft(self._owners)


class ClaimDraft:
    """Changes of one batch.  Made by `ClaimIndex.draft`."""

    def __init__(self, owners: _Owners) -> None:
        self._owners, self._changed = owners, _Owners()

    def take(self, claims: Iterable[Claim], releases: Iterable[Claim]) -> None:
        """Release, then claim.  JournalConflictError: one is somebody else's; nothing is taken."""
        changed = _Owners()

        def owners_of(key: _Key) -> tuple[str, ...]:
            if key in changed:
                return changed[key]
            return self._changed[key] if key in self._changed else self._owners.get(key, ())

        for kind, key, owner in releases:
            held = owners_of((kind, key))
            changed[kind, key] = tuple(other for other in held if other != owner)
        for kind, key, owner in claims:
            held = owners_of((kind, key))
            if held and held[0] != owner:
                raise JournalConflictError(f"the {kind} belongs to somebody else")
            changed[kind, key] = held or (owner,)
        self._changed.update(changed)

    def commit(self) -> None:
        for key, owners in self._changed.items():
            if owners:
                self._owners[key] = owners
            else:
                self._owners.pop(key, None)
