"""The version of this build: no two different builds have the same one.

Rule 1: a commit with a tag `vX.Y.Z` is `X.Y.Z`; N commits later it is `X.Y.Z.postN+gCOMMIT`.
Rule 2: product files that are not those of the commit add `.tree.DIGEST`, the first digits of a
        SHA-256 over all of them.  Where no commit is known, it is `0+tree.DIGEST`.
Rule 3: an installation, an sdist and an archive of git say what they were made as.  A checkout is
        looked at, once in each process.
Rule 4: no other module of ours is imported: the build loads this file before there is a package.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

METADATA = "lockdown_mudserver-*.dist-info/METADATA"
BEFORE_ANY_TAG = "0.1.0"
COMMIT_DIGITS, DIGEST_DIGITS = 12, 12
GIT_S = 10.0
PRODUCT = (
    *("mudserver", "variants", "config", "systemd", "docs", "release"),
    *("README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE"),
    *("pyproject.toml", "requirements.txt"),
)
"""Directories and files that a release is made of."""

_DESCRIBED = re.compile(r"v(\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?)(?:-(\d+)-g[0-9a-f]+)?")


@functools.cache
def version() -> str:
    root = Path(__file__).parents[1]
    if (root / "pyproject.toml").exists():
        return of_sources(root)
    return of_installed(root)


def of_installed(root: Path) -> str:
    """What the metadata beside the package say, as pip has written them."""
    for metadata in root.glob(METADATA):
        if found := _stated(metadata):
            return found
    return f"0+tree.{_digest(root)}"


def of_sources(root: Path) -> str:
    """The version of a checkout, an unpacked sdist, or the tree of `git archive`."""
    return (
        _of_repository(root)
        or _stated(root / "PKG-INFO")
        or _of_archive(root)
        or f"0+tree.{_digest(root)}"
    )  # fmt: skip


def _of_repository(root: Path) -> str | None:
    """None: git is missing, or *root* is not the top of a repository with a commit."""
    found = _git(root, "rev-parse", "--show-toplevel", "HEAD")
    if found is None:
        return None
    top, commit = found.splitlines()
    if not os.path.samefile(top, root):
        return None
    described = _git(root, "describe", "--tags", "--match", "v[0-9]*")
    distance = 0 if described else int(_git(root, "rev-list", "--count", "HEAD") or 0)
    clean = _of_commit(described or "", commit, distance)
    if _git(root, "status", "--porcelain", "--", *PRODUCT) == "":
        return clean
    return f"{clean}{'.' if '+' in clean else '+'}tree.{_digest(root)}"


def _stated(metadata: Path) -> str | None:
    """The version in the metadata of a distribution."""
    found = re.search(r"^Version: (\S+)$", _text(metadata), re.M)
    return found[1] if found else None


def _of_archive(root: Path) -> str | None:
    """From the file that `git archive` fills in."""
    text = _text(root / ".git_archival.txt")
    commit = re.search(r"^node: ([0-9a-f]{40,64})$", text, re.M)
    described = re.search(r"^describe: (\S+)$", text, re.M)
    return _of_commit(described[1] if described else "", commit[1], 0) if commit else None


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except FileNotFoundError:
        return ""


def _of_commit(described: str, commit: str, distance: int) -> str:
    """*described* as `git describe` says it; without a tag *distance* counts commits."""
    base = BEFORE_ANY_TAG
    if found := _DESCRIBED.fullmatch(described):
        base, behind = found.groups()
        if behind is None:
            return base
        distance = int(behind)
    return f"{base}.post{distance}+g{commit[:COMMIT_DIGITS]}"


def _git(root: Path, *words: str) -> str | None:
    """What git prints.  None: it failed, or there is none."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["git", "--no-optional-locks", "-C", str(root), *words],
            env=kept, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=GIT_S,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    return None if done.returncode else done.stdout.strip()


def _digest(root: Path) -> str:
    """The beginning of a SHA-256 over names and bytes of the product's files.

    Without leading zeros: if all digits were decimal, pip would read a number.
    """
    whole = hashlib.sha256()
    for name in sorted(_product_files(root)):
        content = (root / name).read_bytes()
        whole.update(os.fsencode(f"{name}\0{len(content)}\0"))
        whole.update(content)
    return whole.hexdigest().lstrip("0")[:DIGEST_DIGITS]


def _product_files(root: Path) -> Iterator[str]:
    for name in PRODUCT:
        place = root / name
        for file in place.rglob("*") if place.is_dir() else [place]:
            if file.is_file() and "__pycache__" not in file.parts:
                yield file.relative_to(root).as_posix()
