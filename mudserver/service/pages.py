"""Pages of public facts: about people, tables and the house itself.  [SEC-7]"""

from __future__ import annotations

from collections.abc import Sequence

from mudserver.accounts.accounts import Account
from mudserver.clock import format_date
from mudserver.lobby.lobby import Presence
from mudserver.messages import Page
from mudserver.tables.manager import TableSummary
from variants.kit.text import quantity


def guest_profile_page(presence: Presence) -> Page:
    return Page(presence.person.name, ("a guest, here now",))


def account_profile_page(account: Account, presence: Presence | None) -> Page:
    """Somebody with a name; no *presence*: who is not in."""
    since = f"known here since {format_date(account.opened_ms)}"
    if presence is None:
        return Page(account.name, (since, "not here now"))
    where = "in the lobby" if presence.table is None else f"at table {presence.table}"
    return Page(account.name, (since, f"here now, {where}"))


def tables_page(tables: Sequence[TableSummary], pending: int, suggested_game: str) -> Page:
    """All open tables.

    Args:
        late: How many more are being set up.
        first_game: What to open where there is none.
    """
    rows = []
    for row in tables:
        state = row.phase + (f", {quantity(row.free_seats, 'free seat')}" if row.free_seats else "")
        watchers = f"; {quantity(row.watchers, 'watcher')}" if row.watchers else ""
        rows.append(f"{row.number}\t{row.variant}, {state}: {row.people or 'nobody'}{watchers}")
    if pending:
        rows.append(f"{quantity(pending, 'more is', 'more are')} being set up: look again soon.")
    rows = rows and [*rows, "To join: sit NUMBER. To look on: watch NUMBER"]
    return Page("Tables", tuple(rows) or (f"None yet. To open one: open {suggested_game}",))


def server_page(
    name: str, version: str, minutes: int, people: int, tables: int, fingerprint: str
) -> Page:
    """The house.  Args: minutes: since it opened; fingerprint: of its SSH host key, or ""."""
    rows = [
        f"mudserver {version}, open for {_span(minutes)}",
        f"{quantity(people, 'person', 'people')} in, {quantity(tables, 'table')}",
    ]
    if fingerprint:
        rows.append(f"SSH host key {fingerprint}")
    return Page(name, tuple(rows))


def _span(minutes: int) -> str:
    """The two largest units that are not nought: `3 days, 2 hours`."""
    parts = ((minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute"))
    said = [quantity(number, unit) for number, unit in parts if number]
    return ", ".join(said[:2]) or "less than a minute"
