"""`make release`: everything that a host can install, in one directory.

Usage: python -m release.build DIRECTORY (new or empty)

Rule 1: the same sources give the same bytes: no time, path or name of this machine gets in.
Rule 2: each file is made of the one before: the wheel of the sdist, the package of the wheel, the
        list of components of the package.  What is missing in one of them is missed here.
Rule 3: what a host installs is pinned: `requirements.txt` names the wheel and all that it needs by
        their hashes, `SHA256SUMS` has those of the files beside it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from mudserver.version import version

ROOT = Path(__file__).parents[1]
DEBIAN_PYTHON = "/usr/bin/python3"
TIME_OF_FILES = "1580601600"  # 2020-02-02, what the builder of wheels takes too
DISTRIBUTION = "lockdown-mudserver"
CONTAINER = ("Containerfile", "compose.yaml")


def build(dist: Path) -> None:
    """Raises CalledProcessError where a tool fails; it has printed why."""
    os.umask(0o022)
    os.environ.setdefault("SOURCE_DATE_EPOCH", TIME_OF_FILES)
    _run(sys.executable, "-m", "build", "--no-isolation", "--outdir", dist, ROOT)
    _pin(dist)
    for name in CONTAINER:
        shutil.copyfile(ROOT / "release" / name, dist / name)
    _run(DEBIAN_PYTHON, ROOT / "release" / "package.py", dist)
    _list_components(dist)
    names = sorted(path.name for path in dist.iterdir())
    (dist / "SHA256SUMS").write_text("".join(f"{_sha256(dist / name)}  {name}\n" for name in names))


def _run(*command: str | Path) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _pin(dist: Path) -> None:
    """Add the wheel to the lock file: pip then installs all of it by hashes, from one file."""
    (wheel,) = dist.glob("*.whl")
    lock = (ROOT / "requirements.txt").read_text("utf-8")
    ours = f"{DISTRIBUTION}=={version()} --hash=sha256:{_sha256(wheel)}"
    (dist / "requirements.txt").write_text(f"{lock}--find-links .\n{ours}\n", "utf-8")


def _list_components(dist: Path) -> None:
    """An SBOM in CycloneDX of what the package has inside: ours, and what it is made of."""
    (package,) = dist.glob("*.deb")
    file = dist / f"{DISTRIBUTION}-{version()}.cdx.json"
    with tempfile.TemporaryDirectory(prefix="release-") as unpacked:
        _run("dpkg-deb", "--extract", package, unpacked)
        tool = Path(sys.executable).parent / "cyclonedx-py"
        python = Path(unpacked) / "opt/mudserver/bin/python"
        _run(tool, "environment", "--output-reproducible", "--output-file", file, python)
    found = json.loads(file.read_text("utf-8"))
    (ours,) = (each for each in found["components"] if each["name"] == DISTRIBUTION)
    found["components"].remove(ours)
    found["metadata"]["component"] = {**ours, "type": "application"}
    file.write_text(json.dumps(found, indent=2) + "\n", "utf-8")


def main(*words: str) -> int:
    parser = argparse.ArgumentParser("python -m release.build")
    parser.add_argument("directory", type=Path)
    dist = parser.parse_args(words).directory
    missing = [name for name in (DEBIAN_PYTHON, "dpkg-deb") if not shutil.which(name)]
    if missing:
        print(f"A release is built on Debian or Ubuntu: {' and '.join(missing)} is missing.")
        return 1
    if dist.exists() and any(dist.iterdir()):
        print(f"{dist} is not empty: name another directory, or remove what is in it.")
        return 1
    dist.mkdir(parents=True, exist_ok=True)
    try:
        build(dist.resolve())
    except subprocess.CalledProcessError as exc:
        print(f"No release: {Path(exc.cmd[0]).name} ended with {exc.returncode}.")
        return 1
    for file in sorted(dist.iterdir()):
        print(f"{file.stat().st_size / 1_048_576:7.2f} MiB  {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
