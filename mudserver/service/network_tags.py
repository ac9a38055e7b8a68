"""Tags of networks, with which the staff sees that two people share one.

Rule 1: a tag tells nothing of an address: it is six digits of an HMAC with a secret of this server.
Rule 2: the tags of a month say nothing of those of the next.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable

from mudserver.clock import format_date
from mudserver.source_budgets import network_of

DIGITS = 6


def network_tag(secret: bytes, source: str, now_ms: int) -> str:
    """Six hexadecimal digits for the network of *source* in this month, UTC."""
    month = format_date(now_ms)[:7]
    key = hmac.digest(secret, f"network tags {month}".encode(), "sha256")
    return hmac.digest(key, network_of(source).encode(), "sha256").hex()[:DIGITS]


TagOf = Callable[[str], str]
"""The tag of a source's network."""
