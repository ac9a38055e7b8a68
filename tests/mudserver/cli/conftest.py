"""A server that does not run, and the commands that look at it."""

from __future__ import annotations

from pathlib import Path

import asyncssh
import pytest

from mudserver.__main__ import main
from tests.samples.make import unpacked

KEY = asyncssh.generate_private_key("ssh-ed25519").export_private_key().decode()


@pytest.fixture
def server(tmp_path):
    """The data directory of a server that does not run."""
    return laid_in(tmp_path / "var")


def laid_in(directory: Path) -> Path:
    unpacked(1, directory)
    (directory / "ssh_host_ed25519_key").write_text(KEY)
    return directory


@pytest.fixture
def told(capfd):
    """Runs a command; answers its exit status, and what it says on both outputs."""

    def run(*words: object) -> tuple[int, str, str]:
        capfd.readouterr()
        status = main([str(word) for word in words])
        return status, *capfd.readouterr()

    return run
