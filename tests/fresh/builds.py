"""Releases, made of the files of the checkout and of nothing that an older build left behind."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def copied_sources(to: Path) -> Path:
    """What a release is made of, without a repository: it has the version of its files."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split("\0")  # fmt: skip
    for name in filter(None, listed):
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, to / name)
    return to


def build(sources: Path, dist: Path) -> Path:
    """`make release` in *sources*; answers *dist*."""
    done = subprocess.run(
        [sys.executable, "-m", "release.build", str(dist)], cwd=sources,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert not done.returncode, done.stdout
    return dist


def version_of(dist: Path) -> str:
    (wheel,) = dist.glob("*.whl")
    return wheel.name.split("-")[1]
