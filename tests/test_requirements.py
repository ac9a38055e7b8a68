"""What is installed is pinned by hashes, within the ranges that pyproject.toml allows."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from mudserver.version import PRODUCT

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LOCKED = ("requirements.txt", "requirements-build.txt", "requirements-release.txt")


def pins(name: str) -> dict[str, str]:
    """Versions by package."""
    found = re.findall(r"^([\w.-]+)==([^\s\\]+)", (ROOT / name).read_text("utf-8"), re.M)
    return {canonicalize_name(package): version for package, version in found}


@pytest.mark.parametrize("name", LOCKED)
def test_every_package_of_a_lock_file_has_hashes(name):
    rows = (ROOT / name).read_text("utf-8").replace("\\\n", " ").splitlines()
    rows = [row for row in rows if row and not row.startswith("#")]
    assert len(rows) == len(pins(name)) > 0
    assert [] == [row for row in rows if " --hash=sha256:" not in row]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("requirements.txt", PROJECT["project"]["dependencies"]),
        ("requirements-build.txt", PROJECT["build-system"]["requires"]),
        ("requirements-test.txt", PROJECT["project"]["optional-dependencies"]["test"]),
    ],
)
def test_what_is_pinned_is_what_the_project_wants(name, wanted):
    locked = pins(name)
    for each in map(Requirement, wanted):
        assert locked[canonicalize_name(each.name)] in each.specifier, f"{each}: make lock"


def test_a_package_has_one_version_in_all_files():
    files = sorted(ROOT.glob("requirements*.txt"))
    versions: dict[str, set[str]] = {}
    for file in files:
        for package, version in pins(file.name).items():
            versions.setdefault(package, set()).add(version)
    assert {} == {package: each for package, each in versions.items() if len(each) > 1}


def test_the_sdist_has_the_product_and_nothing_else():
    included = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert set(PRODUCT) == {name.removeprefix("/") for name in included} | {"pyproject.toml"}
