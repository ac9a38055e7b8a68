"""How much of each module its own tests run: `make coverage`.

A module's own tests are the files that stand where it stands: `tests/mudserver/test_status*.py`
for `mudserver/status.py`; where there is none, the tests of its folder.  A line that only a test of
another subject runs counts as not covered: nobody would miss it there.

    python -m tests.own_coverage            run the tests, print a table, lines and branches
    python -m tests.own_coverage --write    and put the table into docs/proofs.md
    python -m tests.own_coverage --read     print it again from the last run

Exit status 1: a branch of a module of authentication or authorisation is not run by its own tests.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from coverage import Coverage
from coverage.exceptions import NoDataError

ROOT = Path(__file__).parents[1]
DATA = ROOT / ".coverage"
PAGE = ROOT / "docs" / "proofs.md"
START, END = "<!-- coverage -->\n", "<!-- end of coverage -->\n"
SUITES = ("tests/mudserver", "tests/variants")
AT_IMPORT = "^$"  # the context of definitions, before any test runs

GUARDED = (
    "mudserver/accounts/codes.py",
    "mudserver/accounts/ssh_keys.py",
    "mudserver/service/account_keys.py",
    "mudserver/service/guest_seats.py",
    "mudserver/service/password_hasher.py",
    "mudserver/service/resume_codes.py",
    "mudserver/session/authenticator.py",
    "mudserver/session/key_question.py",
    "mudserver/session/login.py",
    "mudserver/session/password_dialog.py",
    "mudserver/transport/gate.py",
    "mudserver/transport/ssh/authentication.py",
)
"""Modules that decide who somebody is: every branch is run by their own tests."""


class Row(NamedTuple):
    module: str
    percent: float  # of lines and branches
    missing: str  # lines and branches as coverage names them


def modules() -> Iterator[str]:
    for package in ("mudserver", "variants"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if path.name not in ("__init__.py", "__main__.py"):
                yield str(path.relative_to(ROOT))


def own_tests(module: str) -> str:
    """A pattern of the tests whose subject is *module*: its own files, or its folder's."""
    path = Path("tests") / module
    own = sorted((ROOT / path.parent).glob(f"test_{path.stem}*.py"))
    if own:
        return "|".join(rf"{re.escape(str(each.relative_to(ROOT)))}::" for each in own)
    folder = path.parent
    while not any((ROOT / folder).glob("test_*.py")):
        folder = folder.parent
    return re.escape(str(folder)) + r"/test_\w+\.py::"


def run() -> None:
    command = (
        *(sys.executable, "-m", "pytest", "-n", "2", "--dist", "worksteal", *SUITES),
        *("--cov=mudserver", "--cov=variants", "--cov-branch", "--cov-context=test"),
        "--cov-report=",
    )
    DATA.unlink(missing_ok=True)
    environment = {**os.environ, "COVERAGE_FILE": str(DATA)}
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def rows() -> list[Row]:
    found = []
    measured = Coverage(data_file=str(DATA), branch=True)
    measured.load()
    for module in modules():
        text = io.StringIO()
        try:
            percent = measured.report(
                include=[str(ROOT / module)], contexts=[AT_IMPORT, own_tests(module)],
                show_missing=True, file=text,
            )  # fmt: skip
        except NoDataError:
            percent = 0.0
        line = next((row for row in text.getvalue().splitlines() if row.startswith(module)), "")
        found.append(Row(module, percent, line.partition("%")[2].strip()))
    return found


def table(found: list[Row]) -> str:
    """Figures by folder, lowest module first, as it stands in docs/proofs.md."""
    folders: dict[str, list[Row]] = {}
    for row in found:
        folders.setdefault(str(Path(row.module).parent), []).append(row)
    written = ["| folder | modules | mean | lowest |", "|---|--:|--:|---|"]
    for folder, inside in folders.items():
        mean = sum(row.percent for row in inside) / len(inside)
        lowest = sorted(inside, key=lambda row: row.percent)[:3]
        named = ", ".join(f"`{Path(row.module).name}` {row.percent:.0f}" for row in lowest)
        written.append(f"| `{folder}` | {len(inside)} | {mean:.0f} % | {named} |")
    return "\n".join(written) + "\n"


def main(arguments: list[str]) -> int:
    if "--read" not in arguments:
        run()
    found = rows()
    for row in sorted(found, key=lambda row: row.percent):
        print(f"{row.percent:6.1f} %  {row.module}  {row.missing}")
    if "--write" in arguments:
        before, _, rest = PAGE.read_text("utf-8").partition(START)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{START}{table(found)}{END}{after}", "utf-8")
    short = [row for row in found if row.module in GUARDED and row.percent < 100]
    for row in short:
        print(f"not covered by its own tests: {row.module} {row.missing}", file=sys.stderr)
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
