"""Resume codes: with one a guest takes an old seat back.

Rule 1: a code is 128 bits of an HMAC over the guest's id, keyed with a secret of this server.  It
        needs no store, survives a restart and cannot be guessed.
Rule 2: a code is shown to its guest only, and works only while that guest's seat waits.
"""

from __future__ import annotations

import base64
import hmac


class ResumeCodes:
    def __init__(self, secret: bytes) -> None:
        self.secret = secret

    def code_for(self, person_id: str) -> str:
        """26 letters and digits."""
        digest = hmac.digest(self.secret, person_id.encode(), "sha256")[:16]
        return base64.b32encode(digest).decode().rstrip("=").lower()

    def matches(self, person_id: str, code: str) -> bool:
        return hmac.compare_digest(self.code_for(person_id).encode(), code.strip().lower().encode())
