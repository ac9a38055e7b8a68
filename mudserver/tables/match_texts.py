"""What people read of a match of several deals.

Rule 1: every sentence is public, and holds names, points and times alone.
"""

from __future__ import annotations

from mudserver.tables.match import Match
from mudserver.tables.result import ranking, verdict
from mudserver.tables.table import Table
from variants.kit.text import number_in_words

ABORTED = "The match is aborted: this deal has no result, and there is no total."


def deal_begins(deal: int, deals: int, names: tuple[str, ...]) -> str:
    return f"Deal {deal} of {deals} begins. {', '.join(names)}."


def deal_over(table: Table, match: Match) -> str:
    points = ", ".join(
        f"{seat.name} {points}" for seat, points in zip(match.seats, match.points, strict=True)
    )
    next_one = _begins(table, "The next")
    return f"Deal {match.deal} of {match.deals} is over. Points: {points}. {next_one}"


def match_over(match: Match) -> str:
    """`The match is over: Ann wins. 1 Ann (14), 2 Bob (9)`."""
    places, seats = match.places(), match.seats
    order = ranking(places, match.points, seats)
    return f"The match is over: {verdict(places, seats)}. {order}"


def next_deal(table: Table) -> str:
    """When it begins, for somebody who arrives between two deals."""
    match = table.match
    assert match is not None
    if match.is_restarted:
        return f"The server was restarted. {_begins(table, 'The next deal')}"
    return _begins(table, f"Deal {match.deal + 1} of {match.deals}")


def goes_on(table: Table) -> str:
    """The refusal of what has to wait for the end of the match."""
    match = table.match
    assert match is not None
    number = match.deal + 1
    return f"The match goes on with deal {number}. To give your seat to a computer player: leave"


def deals_follow(deals: int) -> str:
    """The refusal of `stand` by somebody who is out."""
    return f"{_follow(deals)}. To give your seat to a computer player: leave"


def leave_question(deals: int) -> str:
    """To who types `leave` while no game runs that the person is still in."""
    them = "it" if deals == 1 else "them"
    return f"{_follow(deals)}. Type leave again to give {them} to a computer player."


def is_ready(name: str, deal: int, ready: int, people: int) -> str:
    return f"{name} is ready for deal {deal} ({ready} of {people} ready). Type start."


def is_out(place: int | None, deals: int) -> str:
    """What the owner of a seat reads who is out while others play on.

    Args:
        place: None: it is not known before the end.
        deals: How many follow.
    """
    what = "You are out" if place is None else f"You are out; place {place} is yours"
    if deals:
        return f"{what}. You can stay and watch; the next deal is yours again."
    return (
        f"{what}. You can stay and watch, or type leave: your place stays, and tables lists other "
        "games."
    )


def _follow(deals: int) -> str:
    follow = f"{number_in_words(deals)} more {'deal follows' if deals == 1 else 'deals follow'}"
    return follow.capitalize()


def _begins(table: Table, which: str) -> str:
    if table.starts_ms is None:
        return f"{which} begins when all have typed start."
    seconds = max(0, -(-(table.starts_ms - table.at_ms) // 1000))
    return f"{which} begins in {seconds} s, or when all have typed start."
