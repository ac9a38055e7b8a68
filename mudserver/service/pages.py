"""Pages of public facts about people, tables and the server.  [SEC-7]"""

from __future__ import annotations

from collections.abc import Sequence

from mudserver.accounts.account import Account
from mudserver.clock import format_date
from mudserver.data_people import FriendRow
from mudserver.lobby.presence import PresenceSummary
from mudserver.messages import Page, WireMessage
from mudserver.tables.substitute_texts import HOW, to_take_over
from mudserver.tables.summary import TableSummary
from mudserver.tables.texts import STILL_RESTORING
from variants.kit.text import quantity

WELCOME_ROWS = (
    ("learn", "a five-minute lesson with real moves: the best start"),
    ("play", "start a game now; computer players take the free seats"),
    ("tables, who", "what is being played, and who is here"),
    ("say TEXT", "talk to everybody in the lobby (' is short for say)"),
    ("help", "all the rest; quit to leave, screenreader on for plain text"),
)
"""What somebody reads who is here for the first time: commands that there are, and what for."""


def welcome_page(server: str, name: str) -> Page:
    """For a first registration, and for guests."""
    title = f"Welcome to {server}, {name}! Three card games, against people or computer players."
    rows = [f"  {command}\t{text}" for command, text in WELCOME_ROWS]
    return Page(title, tuple(rows))


def where_to_begin(people: int, tables: int, table: int | None, *, is_restoring: bool) -> str:
    """Who is here, and what somebody who has just logged in can do.

    Args:
        table: Where the person is; None: in the lobby.
    """
    here = "Nobody else is here" if people == 1 else f"{people} people here"
    games = f", {quantity(tables, 'table')}" if tables else ""
    where = "Type play to start a game, or help."
    if table is not None:
        where = f"You have a seat at table {table}; here is your game."
    elif is_restoring:
        where = STILL_RESTORING
    elif tables:
        where = "Type tables to see them, or play."
    return f"{here}{games}. {where}"


def guest_profile_page(presence: PresenceSummary, *, is_program: bool = False) -> Page:
    return Page(presence.name, ("a guest, online", *(["a program"] if is_program else [])))


def account_profile_page(
    account: Account, presence: PresenceSummary | None, *, is_program: bool = False
) -> Page:
    """A person with an account.  Args: presence: None: not online."""
    rows = [f"registered since {format_date(account.opened_ms)}"]
    rows += ["a program"] if is_program else []
    if account.role != "player":
        rows.insert(0, f"{account.role} of this server")
    own = [hold.name for hold in account.held.values() if hold.by == account.id]
    rows += [f"was {name}" for name in own[-1:]]
    where = "offline" if presence is None else f"online, {place_text(presence)}"
    if presence is None and account.preferences.get("lastseen") != "off":
        where += f", last here {format_date(max(account.seen_ms, account.opened_ms))}"
    return Page(account.name, (*rows, where))


def place_text(presence: PresenceSummary) -> str:
    return "in the lobby" if presence.table is None else f"at table {presence.table}"


def friend_place(friend: FriendRow) -> str:
    if not friend.is_here:
        return "offline"
    return "in the lobby" if friend.table is None else f"at table {friend.table}"


def tables_page(
    tables: Sequence[TableSummary],
    private: int,
    pending: int,
    more: int,
    suggested_game: str,
    data: WireMessage | None = None,
) -> Page:
    """Public tables.

    Args:
        private: How many no list shows.
        pending: How many more are being restored.
        more: How many more there are, where nobody can sit down.
        suggested_game: What to open where there is no table.
    """
    rows = []
    for row in tables:
        free = f", {quantity(row.free_seats, 'free seat')}" if row.free_seats else ""
        kind = ", rated" * row.is_rated + ", by correspondence" * row.is_slow
        vacant = to_take_over(row.to_take_over)
        state = row.phase + kind + free + (f", {vacant}" if vacant else "")
        watchers = f"; {quantity(row.watchers, 'watcher')}" if row.watchers else ""
        rows.append(f"{row.number}\t{row.variant}, {state}: {row.people or 'nobody'}{watchers}")
    if pending:
        rows.append(f"{quantity(pending, 'more is', 'more are')} being loaded. Try again soon.")
    if more:
        rows.append(f"{quantity(more, 'more game')} by correspondence. For one game: tables GAME")
    if private:
        rows.append(quantity(private, "private table"))
    rows = rows and [*rows, "To join: sit NUMBER. To watch: watch NUMBER"]
    if any(row.to_take_over for row in tables):
        rows.append(HOW)
    shown = tuple(rows) or (f"None yet. To open one: open {suggested_game}",)
    return Page("Tables", shown, data=data)


def server_page(
    name: str, version: str, minutes: int, people: int, tables: int, fingerprint: str
) -> Page:
    """The server.  Args: minutes: since its start; fingerprint: of its SSH host key, or ""."""
    rows = [
        f"mudserver {version}, running for {_span(minutes)}",
        f"{quantity(people, 'person', 'people')} online, {quantity(tables, 'table')}",
    ]
    if fingerprint:
        rows.append(f"SSH host key {fingerprint}")
    return Page(name, tuple(rows))


def _span(minutes: int) -> str:
    """The two largest units that are not zero: `3 days, 2 hours`."""
    parts = ((minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute"))
    units = [quantity(number, unit) for number, unit in parts if number]
    return ", ".join(units[:2]) or "less than a minute"
