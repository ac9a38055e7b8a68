"""Every transcript is what the house says today; `python -m tests.transcripts.play --write`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.transcripts.play import files, played


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_what_is_heard_is_what_was_written_down(path: Path) -> None:
    written = path.read_text("utf-8")
    assert written == played(written)


def test_there_is_something_to_read() -> None:
    assert files()
