"""What messages mean to a full screen: the table, the log, the chat, the bar.

Rule 1: the table is laid out anew for whatever width its pane has; it is the same view as in line
        mode, rendered by the game itself.
Rule 2: the bar tells what line mode says in a sentence at each turn: who is asked, and how long.
Rule 3: nothing is kept but the message that the table shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mudserver import messages as m
from mudserver.session.presenter import RenderProfile
from mudserver.session.render_profile import with_columns
from mudserver.tables import notifications
from variants.kit.text import Style, join_words

if TYPE_CHECKING:
    from mudserver.session.manager import SessionManager
    from mudserver.session.terminal_session import TerminalSession
    from mudserver.ui.fullscreen.screen import FullScreen
    from variants.kit.text import StyledLine

CHAT_TYPES = (m.SayMessage, m.EmoteMessage, m.TellMessage)


class FullScreenFeed:
    def __init__(
        self, screen: FullScreen, session: TerminalSession, manager: SessionManager
    ) -> None:
        self.screen, self._session, self._manager = screen, session, manager
        self._table_shown: int | None = None  # whose game the pane shows, or showed last
        self._is_over = False  # that game

    def show_location(self, location: m.LocationMessage | None) -> None:
        """Where the reader is now.  A game that is over is seen until there is another."""
        if location is None or location.table != self._table_shown:
            self._table_shown, self._is_over = None, False
            self.screen.show_table(None)
        name = self._session.person.name if self._session.person else ""
        if location is None or location.table is None:
            about = self._manager.server_name
            self.screen.show_status(
                where="Lobby", where_short="Lobby", who=name, asks=(about,), is_mine=False,
                deadline_ms=None,
            )  # fmt: skip
            return
        here, who = f"Table {location.table}", f"{name}, watching"
        if location.seat is not None:
            who = f"{name}, seat {location.seat + 1}"
        self.screen.show_status(where=f"{here}, {location.variant}", where_short=here, who=who)
        if not location.is_playing:
            short = "The game is over." if self._is_over else "No game runs here now."
            more = "start plays again." if self._is_over else "start begins one."
            asks = (short,) if location.seat is None else (f"{short} {more}", short)
            self.screen.show_status(asks=asks, is_mine=False, deadline_ms=None)

    def show_message(self, message: m.Message, is_fresh: bool) -> None:
        if isinstance(message, m.ViewMessage):
            self._show_table(message)
            return
        lines = self._manager.message_lines(message, self._profile, is_fresh)
        is_page = isinstance(message, m.Page | m.AnswerMessage)
        self.screen.show(lines, is_chat=isinstance(message, CHAT_TYPES), is_page=is_page)
        if isinstance(message, m.GameOver):
            self._is_over = True
            self.screen.show_status(asks=("The game is over.",), is_mine=False, deadline_ms=None)

    def _show_table(self, message: m.ViewMessage) -> None:
        variant = self._manager.service.catalogue[message.variant]

        def render(cols: int) -> list[StyledLine]:
            style = with_columns(self._session.profile, cols).style
            return list(variant.render(message.view, message.names, style))

        is_new = self._table_shown != message.table or (self._is_over and bool(message.asked))
        self._table_shown, self._is_over = message.table, self._is_over and not is_new
        is_mine = message.seat in message.asked and not message.has_answered
        self.screen.show_table(render, shows_own_seat=is_mine, is_new=is_new)
        self.screen.show_status(
            asks=_turn_texts(message),
            is_mine=is_mine and not message.passes_itself,
            deadline_ms=message.deadline_ms if message.asked else None,
        )

    @property
    def _profile(self) -> RenderProfile:
        return with_columns(self._session.profile, self.screen.log_cols)

    @property
    def style(self) -> Style:
        """How answers for the log are laid out."""
        return self._profile.style


def _turn_texts(message: m.ViewMessage) -> tuple[str, ...]:
    """Who is asked what, the longest form first."""
    if not message.asked:
        return ("The game is over.",)
    if message.passes_itself:
        return ("You pass by yourself in a moment, unless you type first.", "You pass by yourself.")
    missing = notifications.missing_answers(message.missing) if message.missing else ""
    if message.has_answered:
        return (f"You have answered; {missing}.", "You have answered.")
    if message.seat in message.asked:
        you = f"You are {message.asks}"
        return (f"{you}; {missing}.", f"{you}.") if missing else (f"{you}.",)
    names = [message.names[seat] for seat in message.asked]
    who = f"{join_words(names)} {'is' if len(names) == 1 else 'are'} {message.asks}"
    count = f"{len(names)} seats are asked."
    short = (f"{who}.",) if len(names) == 1 else (f"{who}.", count)
    return (f"{who}; {missing}.", *short) if missing else short
