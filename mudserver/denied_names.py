"""What no name may contain, from the file `people.names_denied`.

Rule 1: one word a line; empty lines and lines that begin with # are skipped.
Rule 2: a wrong file is a configuration error that names the key, the file, the line and the reason.
"""

from __future__ import annotations

import re

from mudserver.errors import ConfigError
from mudserver.plain_file import read_text_file

FILE_BYTES_MAX = 65_536
WORD = re.compile("[A-Za-z][A-Za-z0-9]{2,15}")


def load_denied_names(path: str) -> list[str]:
    """The words in the file *path*; "": there is none.  ConfigError: it cannot be used."""
    if not path:
        return []
    where = f"people.names_denied: {path}"
    try:
        text = read_text_file(path, FILE_BYTES_MAX)
    except OSError as exc:
        raise ConfigError(f"{where}: cannot be read: {exc.strerror}") from None
    words = []
    for number, line in enumerate(text.splitlines(), 1):
        word = line.strip()
        if not word or word.startswith("#"):
            continue
        if not WORD.fullmatch(word):
            raise ConfigError(
                f"{where}: line {number}: must be one word of 3 to 16 letters a to z and digits, a"
                " letter first"
            )
        words.append(word)
    return words
