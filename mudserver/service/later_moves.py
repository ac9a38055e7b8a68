"""Moves that people keep for later, in games by correspondence: the list, and its changes."""

from __future__ import annotations

from collections.abc import Callable

from mudserver.accounts.person import Person
from mudserver.data_messages import LaterData
from mudserver.messages import Page
from mudserver.tables import plan_texts as texts
from mudserver.tables import requests
from mudserver.tables.manager import TableManager

CLEAR = "clear"


class LaterMoves:
    """Args: submit: Hand a request to the table of its person.  UserError: at no table."""

    def __init__(self, tables: TableManager, submit: Callable[[requests.Request], None]) -> None:
        self._tables, self._submit = tables, submit

    def page(self, person: Person) -> Page:
        """What the person keeps.  UserError: nothing can be kept at the own table."""
        plan = self._tables.own_plan(person.id)
        data = LaterData(plan.table, plan.game, plan.lines)
        rows = [f"{number}\t{line}" for number, line in enumerate(plan.lines, 1)]
        rows = [*rows, "", texts.HOW, texts.CHANGE] if rows else [texts.NONE]
        return Page(f"Your moves for later at table {plan.table}", tuple(rows), data=data)

    def change(self, person: Person, typed: str) -> None:
        """Keep *typed* besides, or nothing any more if it is `clear`.  UserError: at no table."""
        line = "" if typed.lower() == CLEAR else typed
        self._submit(requests.ChangePlan(person.id, line))
