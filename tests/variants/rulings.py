"""Which scenario shows which ruling: the last column of the table in each RULES.md.

`python -m tests.variants.rulings --write` fills the column from the `rulings` of the scenario
files.  A ruling that no scenario shows has `-`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from variants.catalogue import CATALOGUE
from variants.scenario_file import parse_scenario

ROOT = Path(__file__).parents[2]
SCENARIOS = ROOT / "tests" / "scenarios"
NONE = "-"
COMMON = ""
"""In place of a variant: the rulings of all games, `G-`."""
TABLES = (COMMON, *CATALOGUE)

_ROW = re.compile(r"^(?P<start>\| *(?P<ruling>[A-Z]{1,2}-\d\d) *\|.*\|)(?P<cell>[^|]*)\|\s*$")


def rules_of(variant: str) -> Path:
    return ROOT / "variants" / variant / "RULES.md"


def shown_by(variant: str) -> dict[str, list[str]]:
    """Names of the scenarios (`E-G08a`) by ruling of this table, as the scenario files say."""
    found: dict[str, list[str]] = {}
    for path in sorted((SCENARIOS / variant).rglob("*.toml")):
        for ruling in parse_scenario(path.read_text(encoding="utf-8")).rulings:
            if ruling.startswith("G-") != (variant == COMMON):
                continue
            found.setdefault(ruling, []).append("-".join(path.stem.split("-")[:2]))
    return found


def claimed_by(text: str) -> dict[str, list[str]]:
    """The same as the table in RULES.md says."""
    rows = (_ROW.match(line) for line in text.splitlines())
    cells = {row["ruling"]: row["cell"].strip() for row in rows if row}
    return {ruling: [] if cell == NONE else cell.split(", ") for ruling, cell in cells.items()}


def filled(text: str, shown: dict[str, list[str]]) -> str:
    """*text* with the last column of its table made from *shown*."""

    def row(line: str) -> str:
        if (found := _ROW.match(line)) is None:
            return line
        return f"{found['start']} {', '.join(shown.get(found['ruling'], [])) or NONE} |"

    return "\n".join(map(row, text.splitlines())) + "\n"


def main(arguments: list[str]) -> int:
    if arguments != ["--write"]:
        print("usage: python -m tests.variants.rulings --write", file=sys.stderr)
        return 2
    for variant in TABLES:
        path = rules_of(variant)
        path.write_text(filled(path.read_text("utf-8"), shown_by(variant)), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
