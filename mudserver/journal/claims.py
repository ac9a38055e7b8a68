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
from hashlib import blake2b
from typing import NamedTuple

from mudserver.errors import JournalConflictError


class Claim(NamedTuple):
    kind: str  # "name", or "seat" where several servers write
    key: str  # for a name the SHA-256 of its skeleton, for a seat a person's id
    owner: str  # a person's id, or the stream of a table


_Owners = dict[bytes, str | tuple[str, ...]]
"""By `_place`: the owner, or several, of whom the first holds the claim."""

PLACE_BYTES = 16


class ClaimIndex:
    def __init__(self) -> None:
        self._owners: _Owners = {}

    def adopt(self, claims: Iterable[Claim]) -> None:
        """Take claims that a replay found, in the order of their streams."""
        for claim in claims:
            owners = _owners_of(self._owners, claim)
            if claim.owner not in owners:
                _set_owners(self._owners, claim, (*owners, claim.owner))

    def draft(self) -> ClaimDraft:
        return ClaimDraft(self._owners)


class ClaimDraft:
    """Changes of one batch.  Made by `ClaimIndex.draft`."""

    def __init__(self, owners: _Owners) -> None:
        self._owners, self._changed = owners, _Owners()

    def take(self, claims: Iterable[Claim], releases: Iterable[Claim]) -> None:
        """Release, then claim.  JournalConflictError: one is somebody else's; nothing is taken."""
        changed = _Owners()
        for claim in releases:
            left = tuple(o for o in self._find(changed, claim) if o != claim.owner)
            _set_owners(changed, claim, left)
        for claim in claims:
            owners = self._find(changed, claim)
            if owners and owners[0] != claim.owner:
                raise JournalConflictError(
                    f"the {claim.kind} belongs to somebody else", claim.key, owners[0]
                )
            _set_owners(changed, claim, owners or (claim.owner,))
        self._changed.update(changed)

    def commit(self) -> None:
        for key, owners in self._changed.items():
            if owners:
                self._owners[key] = owners
            else:
                self._owners.pop(key, None)

    def _find(self, changed: _Owners, claim: Claim) -> tuple[str, ...]:
        """The owners as the batch leaves them so far."""
        for owners in (changed, self._changed):
            if _place(claim) in owners:
                return _owners_of(owners, claim)
        return _owners_of(self._owners, claim)


def _place(claim: Claim) -> bytes:
    """A digest of kind and key: half as long as a key, of which there is one for each account."""
    return blake2b(f"{claim.kind}/{claim.key}".encode(), digest_size=PLACE_BYTES).digest()


def _owners_of(owners: _Owners, claim: Claim) -> tuple[str, ...]:
    found = owners.get(_place(claim), ())
    return (found,) if isinstance(found, str) else found


def _set_owners(owners: _Owners, claim: Claim, new: tuple[str, ...]) -> None:
    """One owner is kept without a tuple: there is one for each account."""
    owners[_place(claim)] = new[0] if len(new) == 1 else new
