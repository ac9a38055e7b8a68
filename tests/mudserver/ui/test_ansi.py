from __future__ import annotations

from pathlib import Path

import mudserver.ui

SERVER = Path(mudserver.ui.__file__).parent.parent


def test_only_one_file_of_the_server_can_write_an_escape():
    holders = {
        path.relative_to(SERVER).as_posix()
        for path in SERVER.rglob("*.py")
        if any(mark in path.read_text("utf-8") for mark in ("\\x1b", "\\033", "\\u001b", "\x1b"))
    }
    assert {"ui/ansi.py"} == holders
