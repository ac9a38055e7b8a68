"""A short word list, with which a server starts in half the time.

Rule 1: it has the most common words of the shipped one.  The server that all end-to-end tests
        share, the bench and the wheel have the shipped list itself.
"""

from __future__ import annotations

import os
from functools import cache
from gzip import decompress
from pathlib import Path
from pkgutil import get_data

from variants.catalogue import SHIPPED_FILES

SETTING = "MUDSERVER_GAMES__WORDS_LIST"


@cache
def few_words() -> str:
    shipped = get_data(*SHIPPED_FILES["words.list"])
    assert shipped is not None
    rows = decompress(shipped).decode().splitlines()
    return "\n".join(row for row in rows if row.endswith("\t10"))


def environment(directory: Path) -> dict[str, str]:
    """That of a server with few words; the list is written into *directory*."""
    path = directory / "few_words.txt"
    path.write_text(few_words())
    return {**os.environ, SETTING: str(path)}
