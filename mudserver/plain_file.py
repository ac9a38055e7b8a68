"""Reading a file that an operator has named, whole and bounded.

Rule 1: nothing but a plain file is opened: a pipe or a device would be waited for.
Rule 2: a file that is longer than its limit is refused, and no more of it is read.
"""

from __future__ import annotations

import errno
import os
import stat


def read_plain_file(path: str | os.PathLike[str], bytes_max: int) -> bytes:
    """The content of *path*.  OSError: it cannot be read; `strerror` says why in plain words."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file")
        with open(path, "rb") as file:
            content = file.read(bytes_max + 1)
    except ValueError as exc:  # a path that cannot exist
        raise OSError(errno.EINVAL, str(exc)) from None
    if len(content) > bytes_max:
        raise OSError(errno.EFBIG, f"it is longer than {bytes_max:,} bytes")
    return content


def read_text_file(path: str | os.PathLike[str], bytes_max: int) -> str:
    """As `read_plain_file`, of a file that has to be UTF-8."""
    try:
        return read_plain_file(path, bytes_max).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, "it is no UTF-8 text") from None
