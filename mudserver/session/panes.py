"""What messages mean to a full screen: the table, the log, the chat, the bar.

Rule 1: the table is laid out anew for whatever width its pane has; it is the same view as in line
        mode, rendered by the game itself.
Rule 2: the bar tells what line mode says in a sentence at each turn: who is asked, and how long.
Rule 3: nothing is kept but the message that the table shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mudserver import messages as m
from mudserver.session.present import Reader
from mudserver.session.tastes import narrowed
from mudserver.tables import telling
from variants.kit.text import Style, series

if TYPE_CHECKING:
    from mudserver.session.reception import Reception
    from mudserver.session.visit import Visit
    from mudserver.ui.full.screen import FullScreen
    from variants.kit.text import Line

SPOKEN = (m.Said, m.Emoted, m.Told)


class Panes:
    def __init__(self, screen: FullScreen, visit: Visit, reception: Reception) -> None:
        self.screen, self._visit, self._reception = screen, visit, reception
        self._table: int | None = None  # whose game the pane shows, or showed last
        self._is_over = False  # that game

    def place(self, seated: m.Seated | None) -> None:
        """Where the reader is now.  A game that is over is seen until there is another."""
        if seated is None or seated.table != self._table:
            self._table, self._is_over = None, False
            self.screen.show_table(None)
        name = self._visit.person.name if self._visit.person else ""
        if seated is None or seated.table is None:
            about = self._reception.name
            self.screen.show_status(
                where="Lobby", where_short="Lobby", who=name, asks=(about,), is_mine=False,
                deadline_ms=None,
            )  # fmt: skip
            return
        here, who = f"Table {seated.table}", f"{name}, watching"
        if seated.seat is not None:
            who = f"{name}, seat {seated.seat + 1}"
        self.screen.show_status(where=f"{here}, {seated.variant}", where_short=here, who=who)
        if not seated.is_playing:
            short = "The game is over." if self._is_over else "No game runs here now."
            more = "start plays again." if self._is_over else "start begins one."
            asks = (short,) if seated.seat is None else (f"{short} {more}", short)
            self.screen.show_status(asks=asks, is_mine=False, deadline_ms=None)

    def show(self, message: m.Message, is_fresh: bool) -> None:
        if isinstance(message, m.Shown):
            self._show_table(message)
            return
        lines = self._reception.lines(message, self._reader, is_fresh)
        is_page = isinstance(message, m.Page | m.Answered)
        self.screen.show(lines, is_talk=isinstance(message, SPOKEN), is_page=is_page)
        if isinstance(message, m.GameOver):
            self._is_over = True
            self.screen.show_status(asks=("The game is over.",), is_mine=False, deadline_ms=None)

    def _show_table(self, message: m.Shown) -> None:
        variant = self._reception.house.catalogue[message.variant]

        def render(cols: int) -> list[Line]:
            style = narrowed(self._visit.reader, cols).style
            return list(variant.render(message.view, message.names, style))

        is_new = self._table != message.table or (self._is_over and bool(message.asked))
        self._table, self._is_over = message.table, self._is_over and not is_new
        is_mine = message.seat in message.asked and not message.has_answered
        self.screen.show_table(render, ends=is_mine, is_new=is_new)
        self.screen.show_status(
            asks=_asked(message),
            is_mine=is_mine and not message.passes_itself,
            deadline_ms=message.deadline_ms if message.asked else None,
        )

    @property
    def _reader(self) -> Reader:
        return narrowed(self._visit.reader, self.screen.log_cols)

    @property
    def style(self) -> Style:
        """How answers for the log are laid out."""
        return self._reader.style


def _asked(message: m.Shown) -> tuple[str, ...]:
    """Who is asked what, the longest form first."""
    if not message.asked:
        return ("The game is over.",)
    if message.passes_itself:
        return ("You pass by yourself in a moment, unless you type first.", "You pass by yourself.")
    missing = telling.missing(message.missing) if message.missing else ""
    if message.has_answered:
        return (f"You have answered; {missing}.", "You have answered.")
    if message.seat in message.asked:
        you = f"You are {message.asks}"
        return (f"{you}; {missing}.", f"{you}.") if missing else (f"{you}.",)
    names = [message.names[seat] for seat in message.asked]
    who = f"{series(names)} {'is' if len(names) == 1 else 'are'} {message.asks}"
    count = f"{len(names)} seats are asked."
    short = (f"{who}.",) if len(names) == 1 else (f"{who}.", count)
    return (f"{who}; {missing}.", *short) if missing else short
