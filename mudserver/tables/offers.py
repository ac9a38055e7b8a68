"""Offers in a running game: to share it as a draw, to abort, pause or adjourn it.  Pure.

Rule 1: who is asked is fixed when it is offered.  All must agree; who does not answer has declined.
Rule 2: one open offer at a table, for a minute; a person makes few of them, and not at once again.
Rule 3: only public facts count: who sits there, who is out and who is away.  Computer players agree
        unasked.
"""

from __future__ import annotations

from collections.abc import Sequence

from mudserver.errors import UserError
from mudserver.tables import offer_texts as texts
from mudserver.tables import pauses, permissions
from mudserver.tables import records as f
from mudserver.tables.correspondence import ANSWER_MS
from mudserver.tables.game import Game
from mudserver.tables.result import places_with_forfeits
from mudserver.tables.table import Table
from variants.contract import Seat
from variants.kit.text import join_words

KINDS: tuple[f.OfferKind, ...] = ("draw", "abort", "pause", "adjourn")
AGAIN_MS = 60_000  # after the end of the last one
SETTLE_MS = 3_000  # to read what is open now
OF_A_KIND_MAX = 2  # of one person in one game or match
OFFERS_MAX = 4  # the same, of all kinds


def parse_kind(word: str) -> f.OfferKind:
    """What is offered by this word.  UserError: nothing."""
    for kind in KINDS:
        if word == kind:
            return kind
    kinds = join_words([f"offer {kind}" for kind in KINDS], "or")
    raise UserError(texts.NO_KIND.format(word, kinds), "usage")


def offer(table: Table, person: str, kind: f.OfferKind, now_ms: int) -> list[f.AnyFact]:
    permissions.check_allowed(table, person, "offer")
    game = _game(table)
    seat = game.seat_of(person)
    assert seat is not None
    if game.offer is not None:
        is_asked_too = is_asked(table, person)
        raise UserError(texts.OPEN_ALREADY if is_asked_too else texts.WAIT_FOR_ANSWERS)
    asked = _asked(game, kind)
    if seat not in asked:
        raise UserError(texts.OUT)
    if kind == "draw":
        _check_may_draw(game)
    elif kind in ("pause", "adjourn") and table.options.is_correspondence:
        raise UserError(texts.NO_SLOW_PAUSE)
    elif kind == "adjourn":
        pauses.check_may_adjourn(table, person)
    elif kind == "pause":
        pauses.check_may_pause(game)
    made = [each for each, by in game.offers_made if by == person]
    if made.count(kind) >= OF_A_KIND_MAX or len(made) >= OFFERS_MAX:
        raise UserError(texts.ALL_MADE.format("game" if table.match is None else "match"), "limit")
    if now_ms < game.offer_ended_ms + AGAIN_MS:
        wait = -(-(game.offer_ended_ms + AGAIN_MS - now_ms) // 1000)
        raise UserError(texts.ENDED_JUST_NOW.format(wait), "limit", wait_s=wait)
    others = tuple(int(n) for n in asked if n != seat)
    number = len(game.offers_made) + 1
    offered = f.Offered(number, kind, seat, others, now_ms + offer_ms(table))
    return [offered] if others else [offered, *_done(table, game, offered, now_ms)]


def accept(table: Table, person: str, now_ms: int) -> list[f.AnyFact]:
    game, offered, seat = _open_offer(table, person)
    if now_ms - game.offered_ms < SETTLE_MS:
        raise UserError(_just_offered(table, game, offered), "stale")
    agreed = f.Agreed(offered.offer, seat)
    if set(offered.asked) - game.agreed - {int(seat)}:
        return [agreed]
    return [agreed, *_done(table, game, offered, now_ms)]


def decline(table: Table, person: str) -> list[f.AnyFact]:
    _, offered, _ = _open_offer(table, person)
    return [f.OfferEnded(offered.offer, "declined")]


def is_asked(table: Table, person: str) -> bool:
    """Whether an offer waits for the answer of *person*."""
    game = table.game
    if game is None or not table.is_playing or game.offer is None:
        return False
    seat = game.seat_of(person)
    return seat is not None and seat in game.offer.asked and seat not in game.agreed


def waiting_offer(table: Table, person: str) -> str:
    """The offer that waits for the answer of *person*, who has come back; "": none does."""
    game = table.game
    if game is None or game.offer is None or not is_asked(table, person):
        return ""
    left_s = max(0, game.offer.until_ms - table.at_ms) // 1000
    name, is_match = table.seat_name(game.offer.seat), table.match is not None
    return texts.offered(name, game.offer.kind, left_s, is_match=is_match)


def asked_now(table: Table, person: str, now_ms: int) -> f.OfferKind | None:
    """What `accept` or `decline` alone answers, which may mean an invitation too; None: no offer.

    UserError: an offer of the table has ended so lately that the word may have been for it.
    """
    game = table.game
    if game is None or not table.is_playing or game.seat_of(person) is None:
        return None
    if game.offer is None and now_ms - game.offer_ended_ms < SETTLE_MS:
        raise UserError(texts.GONE, "expired")
    return game.offer.kind if game.offer is not None and is_asked(table, person) else None


def offer_ms(table: Table) -> int:
    """How long people have to agree."""
    return ANSWER_MS if table.is_slow else texts.OFFER_S * 1000


def until_ms(table: Table) -> int | None:
    """When the open offer ends, UTC; None: there is none."""
    if table.game is None or not table.is_playing or table.game.offer is None:
        return None
    return table.game.offer.until_ms


def overtaken(table: Table, facts: Sequence[f.AnyFact]) -> list[f.AnyFact]:
    """The end of the open offer, if *facts* take away somebody whom it concerns, or bring somebody
    back whom it did not ask."""
    game = table.game
    if game is None or not table.is_playing or game.offer is None:
        return []
    ends = (f.Ended, f.Aborted, f.Abandoned, f.OfferEnded, f.Paused)
    if any(isinstance(fact, ends) for fact in facts):
        return []
    offered, gone = game.offer, _fallen(game, facts)
    gone |= {fact.seat for fact in facts if isinstance(fact, f.HandedOver | f.Gone)}
    is_pause = offered.kind in ("pause", "adjourn")
    back = f.SeatReturned | f.Substituted
    is_other = any(isinstance(fact, back) for fact in facts)
    is_other |= is_pause and any(isinstance(fact, f.CameBack) for fact in facts)
    # It was open for days, and all others wait for its end.
    is_other |= any(isinstance(fact, f.Resumed) and fact.kind == "adjourn" for fact in facts)
    if not is_other and not gone & {*offered.asked, offered.seat}:
        return []
    return [f.OfferEnded(offered.offer, "changed")]


def _fallen(game: Game, facts: Sequence[f.AnyFact]) -> set[int]:
    """The seats that the plays among *facts* put out of the game."""
    plays = [fact for fact in facts if isinstance(fact, f.Played)]
    if not plays:
        return set()
    state, variant = game.state, game.variant
    for play in plays:
        for event in play.events:
            state = variant.evolve(state, event)
    out = variant.eliminated_seats(variant.observe(state, None))
    return {int(seat) for seat in out if not game.is_out(seat)}


def _game(table: Table) -> Game:
    assert table.game is not None
    return table.game


def _asked(game: Game, kind: f.OfferKind) -> list[Seat]:
    people = [Seat(n) for n, o in enumerate(game.seats) if o.person is not None]
    if kind == "abort":
        return people
    still_in = [seat for seat in people if not game.is_out(seat)]
    return [s for s in still_in if kind == "draw" or not game.seats[s].is_away]


def _check_may_draw(game: Game) -> None:
    if not game.variant.may_draw:
        raise UserError(texts.NO_DRAW.format(game.variant.name))
    for n, occupant in enumerate(game.seats):
        if not game.is_out(Seat(n)) and occupant.person is None:
            raise UserError(texts.NEEDS_PEOPLE)


def _open_offer(table: Table, person: str) -> tuple[Game, f.Offered, Seat]:
    permissions.check_allowed(table, person, "offer")
    game = _game(table)
    seat = game.seat_of(person)
    if game.offer is None or seat is None or not is_asked(table, person):
        raise UserError(texts.NO_OFFER, "not_found")
    return game, game.offer, seat


def _just_offered(table: Table, game: Game, offered: f.Offered) -> str:
    name, is_match = game.names[offered.seat], table.match is not None
    return texts.just_offered(name, offered.kind, is_match=is_match)


def _done(table: Table, game: Game, offered: f.Offered, now_ms: int) -> list[f.AnyFact]:
    if offered.kind == "abort":
        return [f.Aborted("consent")]
    if offered.kind == "pause" or offered.kind == "adjourn":
        return pauses.begin(table, game, now_ms, offered.kind)
    forfeits = [n for n, occupant in enumerate(game.seats) if occupant.has_forfeited]
    places = places_with_forfeits(draw_places(game), forfeits)
    scores = game.variant.scores_now(game.view(None)) or (None,) * len(game.seats)
    return [f.Ended(places, tuple(scores), texts.DRAWN, "draw")]


def draw_places(game: Game) -> tuple[int, ...]:
    """Who is still in shares the first place; who went out earlier is further behind."""
    variant, state, out_at = game.variant, None, dict[int, int]()
    for number, play in enumerate(game.plays):
        for event in play.events:
            state = variant.evolve(state, event)
        for seat in variant.eliminated_seats(variant.observe(state, None)):
            out_at.setdefault(int(seat), number)
    last = len(game.plays)
    ends = [out_at.get(n, last) for n in range(len(game.seats))]
    return tuple(1 + sum(other > end for other in ends) for end in ends)
