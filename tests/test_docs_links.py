"""What the documents name is there: links, files, constants, settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mudserver.config.setting_info import SECTIONS, SETTINGS

ROOT = Path(__file__).parents[1]
PAGES = sorted((*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("variants/**/*.md")))
DECISION_LINES_MAX = 60
README_LINES_MAX = 60

_FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FILE = re.compile(r"`((?:[\w.-]+/)*[\w.-]+\.(?:py|toml|md|json|yml|svg|txt|gz|service|socket))`")
EXAMPLES = ("alerts.yml", "cards.pdf", "ssh_host_ed25519_key")
"""Files of a host's own machine."""


def prose(page: Path) -> str:
    return _FENCE.sub("", page.read_text("utf-8"))


def names_of(page: Path) -> Iterator[str]:
    """Files in backquotes with a folder before them; `*` and capitals stand for something else."""
    for name in _FILE.findall(prose(page)):
        if "/" in name and not re.search(r"(?:^|/)(?:GAME|VARIANT|mygame)\b|mygame", name):
            yield name


def is_there(name: str, page: Path) -> bool:
    places = (page.parent, ROOT, ROOT / "mudserver", ROOT / "variants", *ROOT.glob("variants/*/"))
    return any((place / name).exists() for place in places)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    assert [] == [name for name in names_of(page) if not is_there(name, page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    targets = [link for link in _LINK.findall(prose(page)) if "://" not in link]
    missing = [link for link in targets if not (page.parent / link.partition("#")[0]).exists()]
    assert [] == missing


def test_every_constant_stands_in_the_file_that_the_limits_name() -> None:
    text = (ROOT / "docs" / "limits.md").read_text("utf-8")
    named = re.findall(r"`([A-Z]+(?:_[A-Z]+)*)`[^`|,]*\(`([\w/]+\.py)`", text)
    assert len(named) >= 4
    for constant, name in named:
        source = (ROOT / "mudserver" / name).read_text("utf-8")
        assert re.search(rf"^{constant}\b.* = ", source, re.M), (constant, name)


GUIDES = [page for page in PAGES if page.name != "CHANGELOG.md"]  # which has former names


def settings_named_in(text: str) -> set[str]:
    named = re.findall(r"`([a-z]+)\.([a-z][a-z_]*)(?=[` ])", text)
    return {f"{section}.{name}" for section, name in named if section in SECTIONS}


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_setting_that_a_page_names_is_there(page: Path) -> None:
    others = {"journal.append", *(f"{section}.py" for section in SECTIONS)}
    assert set() == settings_named_in(page.read_text("utf-8")) - SETTINGS.keys() - others


def test_settings_are_found_in_texts() -> None:
    text = "`tables.none_max` (4), `door.login_s`; `chat.per_s = 1.0`, `table.x`, `door.failures_*`"
    assert {"tables.none_max", "door.login_s", "chat.per_s"} == settings_named_in(text)


def test_a_missing_file_and_a_missing_link_are_found() -> None:
    page = ROOT / "README.md"
    assert ["no/such.py"] == [
        name for name in _FILE.findall("see `no/such.py`") if not is_there(name, page)
    ]
    assert ["docs/none.md"] == _LINK.findall("[here](docs/none.md)")


def test_every_decision_is_in_the_index_short_and_has_its_parts() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text("utf-8")
    for page in sorted(folder.glob("0*.md")):
        text = page.read_text("utf-8")
        assert f"]({page.name})" in index, page.name
        assert len(text.splitlines()) < DECISION_LINES_MAX, page.name
        for part in ("Context", "Decision", "Alternatives", "Consequences", "Figures"):
            assert f"**{part}" in text, (page.name, part)


def test_the_first_page_is_short_and_has_the_two_commands() -> None:
    rows = (ROOT / "README.md").read_text("utf-8").splitlines()
    assert len(rows) <= README_LINES_MAX
    assert {"    make serve", "    make test"} <= set(rows)
