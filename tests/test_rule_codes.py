"""Rule codes in brackets: each is defined once, in a RULES.md or in docs/proofs.md."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = ("mudserver", "variants", "tests", "docs", "config", "README.md", "Makefile")
SUFFIXES = (".py", ".md", ".toml", ".txt", ".yml", ".json", "")
LAWS = ("SEC-", "DUR-", "TIME-")

_CODE = r"[A-Z]{1,4}-?[A-Z]?\d{1,2}(?:\.\d)?[a-z]?"
_CITED = re.compile(rf"(?<![\w\])])\[({_CODE}(?:(?:, ?|-| ){_CODE})*)\]")
_DEFINED = re.compile(r"^\| *([A-Z]+-\d+) *\|", re.M)
_RULING = re.compile(r"\b(?:ER|SR|WR|G|SEC|DUR|TIME)-\d+\b")  # with brackets or without


def cited_in(text: str) -> set[str]:
    in_brackets = (re.findall(_CODE, found) for found in _CITED.findall(text))
    return {code for codes in in_brackets for code in codes} | set(_RULING.findall(text))


@cache
def codes() -> dict[Path, set[str]]:
    """What each file cites."""
    return {path: cited_in(text) for path, text in texts()}


def texts() -> Iterator[tuple[Path, str]]:
    for place in PLACES:
        below = [ROOT / place] if (ROOT / place).is_file() else (ROOT / place).rglob("*")
        for path in below:
            if path.suffix in SUFFIXES and path.is_file() and "__pycache__" not in path.parts:
                yield path.relative_to(ROOT), path.read_text("utf-8")


def definitions() -> Counter[str]:
    """How often each code is defined."""
    sources = [*(ROOT / "variants").rglob("RULES.md"), ROOT / "docs" / "proofs.md"]
    return Counter(code for path in sources for code in _DEFINED.findall(path.read_text("utf-8")))


def scenarios() -> set[str]:
    """Names of the golden scenarios, `S-G01a`, and of those that belong together, `S-G01`."""
    stems = (path.stem for path in (ROOT / "tests" / "scenarios").rglob("*.toml"))
    names = {"-".join(stem.split("-")[:2]) for stem in stems}
    return names | {name.rstrip("abcd") for name in names}


def test_no_code_is_defined_twice() -> None:
    assert [] == [code for code, times in definitions().items() if times > 1]


def test_every_code_is_defined() -> None:
    known = definitions().keys() | scenarios()
    dangling = [(str(path), sorted(cited - known)) for path, cited in codes().items()]
    assert [] == [(path, cited) for path, cited in dangling if cited]


def test_every_law_is_cited_by_a_test() -> None:
    tests = [codes()[path] for path in codes() if path.name.startswith("test_")]
    cited = {code for each in tests for code in each}
    laws = {code for code in definitions() if code.startswith(LAWS)}
    assert laws and set() == laws - cited


def test_codes_are_found_alone_together_and_without_brackets() -> None:
    alone, together, plain = "[" + "Q7]", "[" + "Q-01, Q2.3b]", "G" + "-77"
    assert {"Q7", "Q-01", "Q2.3b", plain} == cited_in(f"# {alone} and {together}, see {plain}")
    assert set() == cited_in("hands[" + 'T1] = ["F3"], f(x)[' + "A1], re [A-Z0-9]")
