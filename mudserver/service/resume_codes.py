"""Resume codes: with one a guest takes an old seat back.

Rule 1: a code is 59 bits of an HMAC over the guest's id, keyed with a secret of this server.  It
        needs no store and survives a restart; a source has few tries for guessing one.
Rule 2: a code is shown to its guest only, and works only while that guest's seat waits.
Rule 3: a code of an older server, of 26 characters, works for the seats that it was shown for.
"""

from __future__ import annotations

import base64
import hmac

from mudserver.accounts.codes import ALPHABET

GROUPS, GROUP_CHARS = 3, 4


class ResumeCodes:
    def __init__(self, secret: bytes) -> None:
        self.secret = secret

    def code_for(self, person_id: str) -> str:
        """Three groups of letters and digits: `k7w2-m9px-qd3n`."""
        number = int.from_bytes(self._digest(f"resume {person_id}"), "big")
        characters = ""
        for _ in range(GROUPS * GROUP_CHARS):
            number, rest = divmod(number, len(ALPHABET))
            characters += ALPHABET[rest]
        starts = range(0, len(characters), GROUP_CHARS)
        return "-".join(characters[start : start + GROUP_CHARS] for start in starts)

    def matches(self, person_id: str, code: str) -> bool:
        """Whether *code* is the guest's, with or without dashes."""
        typed = code.strip().lower().replace("-", "").encode()
        own = self.code_for(person_id).replace("-", "").encode()
        older = base64.b32encode(self._digest(person_id)[:16]).rstrip(b"=").lower()
        return hmac.compare_digest(own, typed) | hmac.compare_digest(older, typed)

    def _digest(self, text: str) -> bytes:
        return hmac.digest(self.secret, text.encode(), "sha256")
