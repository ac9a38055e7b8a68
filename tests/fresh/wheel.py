"""The wheel, made of the files of the checkout and of nothing that an older build left behind."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def built(folder: Path) -> Path:
    """Make it in *folder*; answers the file."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split("\0")  # fmt: skip
    sources = folder / "sources"
    for name in filter(None, listed):
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (sources / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, sources / name)
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
         "--wheel-dir", str(folder), str(sources)],
        check=True,
    )  # fmt: skip
    (wheel,) = folder.glob("lockdown_mudserver-*.whl")
    return wheel
