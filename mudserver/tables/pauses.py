"""A pause by agreement, or an adjourned game: how it begins and how the game goes on.  Pure.

An outage adjourns live games by itself: they wait for whom they ask.

Rule 1: while a game is paused no clock runs, no move is taken, nobody becomes away, and computer
        players wait.
Rule 2: the open window has what it had left, and at least LEAST_MS; after having been adjourned at
        least half of its time.
Rule 3: a pause depends on nothing but what people agree to and when, and on who is not back since
        the server was away.  Who has answered a sealed window plays no part.  [G-11]
Rule 4: nobody waits for guests after an outage, whose names may not last, nor in a match.
"""

from __future__ import annotations

from collections.abc import Collection

from mudserver.errors import UserError
from mudserver.tables import offer_texts as texts
from mudserver.tables import permissions
from mudserver.tables import records as f
from mudserver.tables.game import Game
from mudserver.tables.game_facts import used_pause_ms
from mudserver.tables.pause_state import ADJOURN_MS, PAUSE_MS
from mudserver.tables.table import Table
from variants.contract import Seat, Window

LEAST_MS = 15_000
PAUSES_MAX = 2  # in one game


def check_may_pause(game: Game) -> None:
    """UserError: no pause can be offered now."""
    if game.pause is not None:
        raise UserError(texts.PAUSED, "stopped")
    if game.pause_count >= PAUSES_MAX:
        raise UserError(texts.NO_MORE_PAUSES.format(PAUSES_MAX), "limit")


def check_may_adjourn(table: Table, person: str) -> None:
    """UserError: the game can't be adjourned: it is, or a guest plays, whose name does not last."""
    game = table.game
    if game is not None and game.pause is not None and game.pause.is_adjourned:
        raise UserError(texts.ADJOURNED_ALREADY)
    if table.match is not None:
        raise UserError(texts.NO_ADJOURNED_MATCH)
    guests = [o.person for o in table.seats if o.is_guest and o.person is not None]
    if guests:
        raise UserError(texts.GUESTS_CANNOT if person in guests else texts.GUESTS_PLAY)


def begin(table: Table, game: Game, now_ms: int, kind: f.PauseKind) -> list[f.AnyFact]:
    """All have agreed."""
    clock, used_ms = game.clock, 0
    left_ms = clock.left_ms if clock.deadline_ms is None else max(0, clock.deadline_ms - now_ms)
    if clock.seat is not None:
        used_ms = used_pause_ms(game, now_ms, int(table.config.pause_max_s * 1000))
    until_ms = now_ms + (ADJOURN_MS if kind == "adjourn" else PAUSE_MS)
    return [f.Paused(kind, left_ms, until_ms, clock.seat, used_ms)]


def go_on(table: Table, person: str) -> f.PresenceChange:
    """Somebody wants to go on."""
    permissions.check_allowed(table, person, "resume")
    if table.game is None or table.game.pause is None:
        raise UserError(texts.NOT_PAUSED)
    if table.game.pause.is_outage:
        raise UserError(
            texts.waits_after_outage([table.person_name(it) for it in table.waited_for()])
        )
    if person in table.going_on.people:
        names = [table.person_name(it) for it in table.waited_for()]
        raise UserError(texts.wants_already(names if table.is_adjourned else []))
    return f.WantsToGoOn(person)


def not_back(table: Table, game: Game, since_ms: int | None, now_ms: int) -> tuple[Seat, ...]:
    """The seats whose people the game waits for, if it asks them, as the server was away.  [rule 4]

    Args:
        since_ms: When the server was last alive, UTC; None: that is not known.
    """
    is_outage = since_ms is not None and now_ms - since_ms >= table.config.adjourn_after_s * 1000
    if not is_outage or table.is_slow or table.match is not None or game.pause is not None:
        return ()
    if any(o.is_guest for o in game.seats):
        return ()
    return tuple([
        Seat(seat)
        for seat, o in enumerate(game.seats)
        if o.person is not None and not o.is_away and o.person not in table.online
    ])  # fmt: skip


def until_back(
    table: Table,
    window: Window,
    awaited: Collection[int],
    until_ms: int,
    deadline_ms: int | None,
    now_ms: int,
) -> list[f.AnyFact]:
    """The game waits, if *window* asks somebody who is not back since an outage.

    Args:
        awaited: Seats whose people may not be back.
        until_ms: So long, UTC.
        deadline_ms: Of the window, UTC; None: no clock runs.
    """
    if now_ms >= until_ms:
        return []
    seats = tuple([seat for seat in window.seats if seat in awaited and _is_missing(table, seat)])
    if not seats:
        return []
    left_ms = None if deadline_ms is None else max(0, deadline_ms - now_ms)
    offer = None if table.game is None else table.game.offer
    ended: list[f.AnyFact] = [] if offer is None else [f.OfferEnded(offer.offer, "changed")]
    return [*ended, f.Paused("outage", left_ms, until_ms, asked=seats)]


def _is_missing(table: Table, seat: Seat) -> bool:
    person = table.seats[seat].person
    return person is not None and not table.seats[seat].is_away and person not in table.online


def wanted_too_long(table: Table, now_ms: int) -> list[f.PresenceChange]:
    """Who has to want it again, because the others have not come in time."""
    if table.game is None or not table.game.waits_for_resume:
        return []
    return [f.WantedTooLong(person) for person in table.going_on.too_long(now_ms)]


def end(game: Game, now_ms: int) -> f.Resumed:
    """The game goes on."""
    left_ms, pause = game.clock.left_ms, game.pause
    assert pause is not None, "nothing to go on with"
    least_ms = max(LEAST_MS, (game.open_ms() or 0) // 2) if pause.is_adjourned else LEAST_MS
    deadline_ms = None if left_ms is None else now_ms + max(least_ms, left_ms)
    return f.Resumed(pause.kind, deadline_ms)
