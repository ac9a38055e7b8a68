"""What one table and its records cost, and whose source pays.

Rule 1: a record that a typed line puts into the stream costs one, whatever it holds, and so does a
        decision of a computer player or of the clock.  The opening of a table costs OPENING.  Who
        comes online or goes, that somebody types, and time that is given back, cost nothing.
Rule 2: what a seat decides is paid by the source of its person, whether that was typed or not: that
        a seat passes by itself is nobody else's business [G-12].  To choose so, or to keep a move
        for later, costs nothing while a game runs; `decide.py` and `planned.py` bound it.  For
        computer players, and for people who are away or offline, whoever opened the table pays;
        after a restart the first of its people who is back.
Rule 3: answers to a sealed window are paid when it closes, one for each seat that was asked.  So
        nothing that a budget delays or refuses tells who has answered.  [G-11]
Rule 4: while a person's source is in debt, the source of the table pays for that person as well:
        nobody plays without end at the tables of others.
Rule 5: while the source of the table is in debt, its computer players think longer.  By how much is
        fixed when a window opens, and the same for all of them.
Rule 6: the table holds a place of its source until it closes: of those by correspondence, also
        while its game is adjourned.
"""

from __future__ import annotations

from collections.abc import Callable

from mudserver import metrics
from mudserver.source_budgets import LOCAL, Hold, Kind, SourceBudgets, network_of
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.table import Table
from variants.contract import Window

OPENING = 4  # what a table costs that is opened

SourceOf = Callable[[str], str]
"""The source of a person's session; "": the person is not online."""


class TableCharges:
    """Args:
    source: Of who opened the table; "": not known since a restart.
    place: What that source holds for it; None: nothing yet.
    """

    __slots__ = (
        "_asked", "_budgets", "_place", "_source", "_source_of", "_window", "delay_s"
    )  # fmt: skip

    def __init__(
        self,
        budgets: SourceBudgets,
        source_of: SourceOf,
        source: str = "",
        place: Hold | None = None,
    ) -> None:
        self._budgets, self._source_of = budgets, source_of
        self._source, self._place = source, place
        self._window = ""  # key of the open one
        self._asked: list[str] | None = None  # the sources of its seats, if it is sealed
        self.delay_s = 0.0  # of computer players in the open window

    @property
    def source(self) -> str:
        """Of who opened the table; "": not known."""
        return self._source

    def network(self) -> str:
        """The same, its network."""
        return network_of(self._source) if self._source else ""

    def check_game(self, person: str) -> None:
        """UserError: no further game may begin, for *person* or at this table."""
        own = self._source_of(person)
        if own:
            self._budgets.check_debt(Kind.DECISIONS, own)
        if self._source:
            self._budgets.check_debt(Kind.DECISIONS, self._source, is_own=False)

    def charge(self, table: Table, request: r.Request, record: f.Record) -> None:
        """Charge a record that is written; *table* is still as it was before."""
        played = next((fact for fact in record.facts if isinstance(fact, f.Played)), None)
        if isinstance(request, r.Open):
            self._spend(self._source, OPENING)
        elif played is not None:
            if self._asked is None:
                self._spend(self._payer(table, played.seat))
        elif isinstance(request, r.SetAutopass | r.ChangePlan) and table.is_playing:
            return
        elif not isinstance(request, (r.OwnerTyped, *r.INTERNAL_REQUESTS)):
            self._spend(self._source_of(request.person) or self._source)

    def on_commit(self, table: Table, request: r.Request) -> None:
        """*table* has changed: perhaps a window has closed, or somebody is back."""
        if not self._source and table.seat_of(request.person) is not None:
            self._source = self._source_of(request.person)
        self._hold_place(Kind.CORRESPONDENCE if table.is_slow else Kind.TABLES)
        window = table.game.window if table.game is not None and table.is_playing else None
        if (window.key if window is not None else "") != self._window:
            self._close_window()
            self._open_window(table, window)

    def close(self) -> None:
        """The table is closed.  May be called twice."""
        if self._place is not None:
            self._place.release()
            self._place = None

    def _hold_place(self, kind: Kind) -> None:
        """[rule 6] After a restart, or when a live game is adjourned or goes on, one of *kind*."""
        if self._place is None and self._source:
            self._place = self._budgets.hold_again(kind, self._source)
        elif self._place is not None and self._place.kind is not kind:
            self._place.release()
            self._place = self._budgets.hold_again(kind, self._source or LOCAL)

    def _close_window(self) -> None:
        for source in self._asked or ():
            self._spend(source)
        self._window, self._asked, self.delay_s = "", None, 0.0

    def _open_window(self, table: Table, window: Window | None) -> None:
        if window is None:
            return
        self._window = window.key
        if window.is_sealed:
            self._asked = [self._payer(table, seat) for seat in window.seats]
        if self._source:
            self.delay_s = self._budgets.delay_s(Kind.DECISIONS, self._source)
        metrics.DELAYED_WINDOWS.value += self.delay_s > 0

    def _payer(self, table: Table, seat: int) -> str:
        occupant = table.seats[seat]
        if occupant.person is None or occupant.is_away:
            return self._source
        return self._source_of(occupant.person) or self._source

    def _spend(self, source: str, amount: int = 1) -> None:
        if not source:
            return
        self._budgets.charge(Kind.DECISIONS, source, amount)
        if self._source not in ("", source) and self._budgets.wait_s(Kind.DECISIONS, source):
            self._budgets.charge(Kind.DECISIONS, self._source, amount)
