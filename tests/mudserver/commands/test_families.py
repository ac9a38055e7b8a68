"""The list of families: no file of verbs is left out."""

from __future__ import annotations

from pathlib import Path

from mudserver import commands
from mudserver.commands.families import FAMILIES


def test_every_file_that_declares_verbs_is_a_family():
    files = Path(commands.__file__).parent.glob("*.py")
    declaring = {path.stem for path in files if "\n@verb(" in path.read_text()}
    assert declaring == {family.__name__.rpartition(".")[2] for family in FAMILIES}
