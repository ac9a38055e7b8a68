"""Codes of private tables, as people type them: which table one opens, and how many may be wrong.

Rule 1: a wrong code counts for the source of who typed it, as a wrong password does.
"""

from __future__ import annotations

from collections.abc import Iterable

from mudserver.errors import UserError
from mudserver.source_budgets import Kind, SourceBudgets
from mudserver.tables.table_codes import matches
from mudserver.tables.texts import WRONG_CODE
from mudserver.tables.waiting import WrongCode


class PrivateCodes:
    def __init__(self, budgets: SourceBudgets) -> None:
        self._budgets = budgets

    def check(self, source: str) -> None:
        """UserError: the source has tried too many wrong codes or passwords."""
        if self._budgets.used_up(Kind.FAILURES, source):
            raise UserError("Too many wrong codes. Please wait a minute and try again.", "limit")

    def note_wrong(self, source: str) -> None:
        self._budgets.spend(Kind.FAILURES, source)

    def find(self, source: str, code: str, tables: Iterable[tuple[int, str]]) -> int:
        """The number of the table that *code* opens.  UserError: none, or as of `check`.

        Args: tables: Numbers, and hashes of codes.
        """
        self.check(source)
        for number, code_hash in tables:
            if matches(number, code, code_hash):
                return number
        self.note_wrong(source)
        raise WrongCode(WRONG_CODE, "not_found")
