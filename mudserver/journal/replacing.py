"""Records that replace all records before them in their stream.

Rule 1: a record replaces its past if its body begins with an event `snapshot` or `erased`, as
        `accounts/events.py` encodes them.  A journal looks at no other content.
"""

REPLACING = (b'[{"type":"snapshot",', b'[{"type":"erased",')
"""How the body of such a record begins."""


def replaces_past(body: bytes) -> bool:
    """Whether the records before this one can be removed."""
    return body.startswith(REPLACING)
