"""What notices of games say, in a terminal and outside: nothing of the position."""

from __future__ import annotations

from collections.abc import Sequence

from mudserver.service.joined_notices import PlacedNotice
from mudserver.tables.notices import Event
from variants.kit.text import duration

YOUR_MOVE = "It is your move at table {} ({}); {}."
YOUR_MOVE_NO_CLOCK = "It is your move at table {} ({})."
MOVES = "Your move at {} tables."
INVITED = "You are invited to table {} ({})."
INVITATIONS = "You are invited to {} tables."
OFFERED = "An offer waits for your answer at table {} ({}); {}."
OFFERS = "Offers wait for your answer at {} tables."
OVER = "Your game at table {} ({}) is over."
GAMES_OVER = "Your games at {} tables are over."
EXPIRES = "Your adjourned game at table {} ({}) ends in {}."
GAMES_EXPIRE = "Your adjourned games at {} tables end soon."
TEST = "This is a test."

TITLE = "Notices outside the server"
NOTHING_SENT = "none: nothing is sent. To choose one: notify topic TEXT"
NOT_HERE = "This server sends nothing outside. In your terminal: set alert bell,title"
NO_TOPIC = "You have not chosen a topic. Type notify topic TEXT"
TESTED_LATELY = "You can send one test an hour."
TEST_SENT = "A test is on its way."
HOW = (
    "Type notify topic TEXT, notify events moves,results, notify quiet 22-08, notify seeks words,"
    " or notify off"
)
NO_SEEKS = "read in the lobby alone. For tables, too: notify seeks all"

GO = " To go there: go {}"
RESUME = " To go on: resume {}"
LIST = " To see them: go"

_KINDS: tuple[tuple[tuple[Event, ...], str, str], ...] = (
    (("move", "half", "tenth"), YOUR_MOVE, MOVES),
    (("offered",), OFFERED, OFFERS),
    (("invited",), INVITED, INVITATIONS),
    (("over",), OVER, GAMES_OVER),
    (("expires",), EXPIRES, GAMES_EXPIRE),
)


def sentences(notices: Sequence[PlacedNotice], now_ms: int) -> str:
    """One sentence for each kind of event."""
    found = []
    for events, one, several in _KINDS:
        tables = {it.table: it for it in notices if it.notice.event in events}
        if len(tables) == 1:
            found.append(_sentence(one, next(iter(tables.values())), now_ms))
        elif tables:
            found.append(several.format(len(tables)))
    return " ".join(found)


def what_to_type(notices: Sequence[PlacedNotice]) -> str:
    tables = {it.table for it in notices}
    if len(tables) > 1:
        return LIST
    (number,) = tables
    is_adjourned = any(it.notice.event == "expires" for it in notices)
    return (RESUME if is_adjourned else GO).format(number)


def _sentence(text: str, placed: PlacedNotice, now_ms: int) -> str:
    until_ms = placed.notice.until_ms
    if until_ms is None:
        text = YOUR_MOVE_NO_CLOCK if text is YOUR_MOVE else text
        return text.format(placed.table, placed.variant)
    left_s = max(0, until_ms - now_ms) / 1000
    return text.format(placed.table, placed.variant, duration(left_s))
