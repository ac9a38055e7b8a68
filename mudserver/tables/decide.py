"""The decisions of a table: which facts a request, or the passing of time, leads to.  Pure.

Rule 1: everything here reads the table and changes nothing.
Rule 2: the checks come in the order of what is public: the table, the seat, then the rule book.
        [SEC-3]
Rule 3: a request that comes too late (a computer's answer to a window that has closed, a tick
        with nothing due) decides nothing and is no error.
Rule 4: a tick decides the most urgent thing that is due, one thing only; the next tick looks
        again.  None of this needs a client that is connected.  [TIME-3]
Rule 5: a person who missed too many turns (`missed_turns.py`), or is offline too long, is *away*:
        a computer player decides until the owner types.  With `absence=pause` the clock stops
        instead, with `absence=forfeit` the seat is given up.  [G-09]
Rule 6: a person who leaves a running game hands the seat over to a computer player, and may take
        it back while the game runs, until somebody else has taken it over.  Without any person
        left the game is abandoned and the table closes.  [G-10]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from mudserver.errors import UserError
from mudserver.tables import (
    between_deals,
    match_texts,
    offers,
    pauses,
    planned,
    texts,
    tourney_tables,
    vacant_seats,
    waiting,
)
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.correspondence import OUTAGE_MS
from mudserver.tables.game import Game, give_time_back, remaining_ms
from mudserver.tables.game_facts import GameFactsBuilder, stop_clock_if_absent, used_pause_ms
from mudserver.tables.levels import free_computer_name
from mudserver.tables.offer_texts import PAUSED
from mudserver.tables.pause_state import OUTAGE_WAIT_MS
from mudserver.tables.replaced_person import decide_replacing
from mudserver.tables.table import ALONE_WARNING_MS, Table
from variants.contract import Seat, Window

GAME_ENDED = "The game has just ended. Type leave again to leave the table."
AUTOPASS_SET_MAX = 20  # by one seat in one game: the records of a table are bounded (`Table`)


def decide(table: Table, request: r.Request, now_ms: int) -> f.Record:
    """The record that *request* leads to, the table's next one.

    Raises:
        UserError: It cannot be done here and now.
        Refusal: The rule book refuses the play.
    """
    facts, presence_changes = _decide(table, request, now_ms)
    if facts and not isinstance(facts[-1], f.Closed):
        facts = [*facts, *offers.overtaken(table, facts), *waiting.new_owner(table, facts)]
    return f.Record(table.sequence + 1, now_ms, tuple(facts), tuple(presence_changes))


def wake_ms(table: Table) -> int | None:
    """When the next tick has something to decide, UTC; None: never, unless somebody acts."""
    if table.is_closed:
        return None
    if table.is_full:
        return 0
    times = [ms for ms, _ in _absence_deadlines(table)] + waiting.times_ms(table)
    times += vacant_seats.times_ms(table)
    abandoned_ms = between_deals.abandoned_ms(table)
    times += [] if abandoned_ms is None else [abandoned_ms]
    if table.is_playing and table.game is not None:
        clock, offer_ms = table.game.clock, offers.until_ms(table)
        forgets_ms = table.going_on.forgets_ms if table.game.waits_for_resume else None
        ends_ms = (clock.deadline_ms, clock.until_ms, offer_ms, table.goes_on_ms, forgets_ms)
        times += [ms for ms in (*ends_ms, planned.next_ms(table)) if ms is not None]
    elif table.empty_until_ms is not None:
        times.append(table.empty_until_ms)
    if table.alone_until_ms is not None:
        warning_ms = 0 if table.is_closing_told else ALONE_WARNING_MS
        times.append(table.alone_until_ms - warning_ms)
    return min(times, default=None)


def _offer_or_answer(
    table: Table, request: r.Offer | r.AnswerOffer, now_ms: int
) -> list[f.AnyFact]:
    if isinstance(request, r.Offer):
        return offers.offer(table, request.person, request.kind, now_ms)
    if request.is_accepted:
        return offers.accept(table, request.person, now_ms)
    return offers.decline(table, request.person)


def _is_sent_away(request: r.Request) -> bool:
    """Whether the server, not the person, wants the seat empty: of who may not even be here."""
    return isinstance(request, r.Leave) and request.why != "left"


def _decide(
    table: Table, request: r.Request, now_ms: int
) -> tuple[list[f.AnyFact], list[f.PresenceChange]]:
    if table.is_closed:
        raise UserError(texts.TABLE_CLOSED.format(table.number), "stopped")
    person = request.person
    presence: list[f.PresenceChange] = []
    is_asked = not isinstance(request, r.INTERNAL_REQUESTS) and not _is_sent_away(request)
    if is_asked and person not in table.online:
        presence.append(f.CameOnline(person))  # the person asks, so is online
    facts: list[f.AnyFact] = []
    match request:
        case r.Open():
            facts, more = waiting.open_table(table, request)
            presence += more
        case r.OpenRound():
            facts, presence = tourney_tables.open_round(table, request, now_ms)
        case r.EndRound():
            facts = tourney_tables.end_round(table)
        case r.NotCome():
            facts = tourney_tables.not_come(table, person)
        case r.Configure():
            facts, more = waiting.configure(table, request, now_ms)
            presence += more
        case r.Sit():
            facts, more = waiting.sit(table, request, now_ms)
            presence += more
        case r.Substitute():
            facts, more = vacant_seats.substitute(table, request, now_ms)
            presence += more
        case r.Stand() | r.Unwatch() | r.Leave():
            if person in table.watchers:
                presence = [f.StoppedWatching(person)]
            else:
                _check_same_game(table, request)
                facts = _stand_or_leave(table, request)
        case r.Watch():
            if request.goes_on:
                seen = request.seen
                presence = [f.CameOnline(person, is_new_session=True, is_silent=True, seen=seen)]
            presence.append(waiting.watch(table, request, now_ms))
        case r.SetAutopass(is_on=is_on):
            facts = _set_autopass(table, person, is_on)
        case r.AddBot(level=level):
            facts = waiting.add_computer(table, person, level, now_ms)
        case r.RemoveBot(which=which):
            facts = waiting.remove_computer(table, person, which)
        case r.Unseat():
            facts, more = waiting.unseat(table, request, now_ms)
            presence += more
        case r.Invite():
            facts = waiting.invite(table, request, now_ms)
        case r.Offer() | r.AnswerOffer():
            facts = _offer_or_answer(table, request, now_ms)
        case r.GoOn():
            presence.append(pauses.go_on(table, person))
        case r.CloseByStaff(reason=reason):
            facts = [f.Closed("moderator", reason=reason)]
        case r.ReplacePerson():
            facts = decide_replacing(table, request)
        case r.Decline():
            facts = waiting.decline(table, person)
        case r.SetOwner(name=name):
            facts = waiting.hand_on(table, person, name)
        case r.Start() if table.is_adjourned:
            presence.append(pauses.go_on(table, person))
        case r.Start():
            begin = between_deals.ready if table.is_between_deals else waiting.ready
            facts, more = begin(table, request, now_ms)
            presence += more
        case r.Unready():
            facts = waiting.unready(table, person)
        case r.Play():
            facts = _play(table, request, now_ms)
        case r.ChangePlan(line=line):
            facts = planned.change(table, person, line)
        case r.OwnerTyped():
            facts = _note_typing(table, person)
        case r.ComputerPlay():
            facts = _computer_play(table, request, now_ms)
        case r.StepOut():
            presence = [f.LeftRoom(person)] if person in table.online else []
        case r.Disconnect():
            facts, presence = _disconnect(table, person, now_ms)
        case r.Reconnect():
            facts, presence = _reconnect(table, request, now_ms)
        case r.Tick():
            facts, presence = _tick(table, request, now_ms)
        case r.GiveBackTime(since_ms=since_ms):
            facts = _give_back_time(table, since_ms, now_ms)
        case _:
            raise TypeError(f"no table knows {type(request).__name__}")
    return facts, presence


# -- seats ---------------------------------------------------------------------------------------


def _check_same_game(table: Table, request: r.Request) -> None:
    """Whoever said twice to leave a game leaves that one, and nothing else."""
    asked = request.game if isinstance(request, r.Leave) else None
    if asked is None:
        return
    given_up = table.given_up(request.person)
    if given_up is None or given_up[0] != asked:
        raise UserError(GAME_ENDED, "expired")


def _stand_or_leave(table: Table, request: r.Stand | r.Unwatch | r.Leave) -> list[f.AnyFact]:
    person, is_final = request.person, isinstance(request, r.Leave)
    seat = _own_seat(table, person)
    if table.is_between_deals:
        if not is_final:
            raise UserError(match_texts.goes_on(table), "stopped")
        return between_deals.leave(table, person)
    if not table.is_playing:
        return [f.Stood(person, table.seat_name(seat))]
    if not is_final and not table.is_out(person):
        raise UserError(texts.GAME_RUNNING)
    if not is_final and table.deals_left:
        raise UserError(match_texts.deals_follow(table.deals_left))
    why = request.why if isinstance(request, r.Leave) else "left"
    return _hand_over_seats(table, [seat], why)


def _set_autopass(table: Table, person: str, is_on: bool) -> list[f.AnyFact]:
    seat = table.seats[_own_seat(table, person)]
    if table.is_playing and seat.autopass_set >= AUTOPASS_SET_MAX:
        kept = "on" if seat.has_autopass else "off"
        raise UserError(texts.AUTOPASS_SET.format(AUTOPASS_SET_MAX, kept), "limit")
    return [f.AutopassSet(person, is_on)]


# -- in a game -----------------------------------------------------------------------------------


def _play(table: Table, request: r.Play, now_ms: int) -> list[f.AnyFact]:
    game, person = table.game, request.person
    if request.question and request.question != table.question_of(person):
        raise UserError(texts.STALE, "stale")
    if table.is_between_deals:
        raise UserError(match_texts.goes_on(table), "stopped")
    if game is None or not table.is_playing:
        raise UserError(texts.no_game(table.number, table.tourney.tourney), "no_game")
    seat = game.seat_of(person)
    if seat is None:
        raise UserError(texts.ONLY_WATCHING, "not_seated")
    if game.pause is not None:
        raise UserError(PAUSED, "stopped")
    action = table.variant.parse(request.line, game.view(seat), game.names)
    builder = GameFactsBuilder(game, table.make_chance)
    builder.play(seat, "person", action)
    return _settle(table, builder, now_ms)


def _computer_play(table: Table, request: r.ComputerPlay, now_ms: int) -> list[f.AnyFact]:
    game, seat = table.game, request.seat
    if game is None or not table.is_playing or game.window is None:
        return []
    if game.window.key != request.window or seat not in game.window.seats:
        return []  # the window has closed
    by = _decided_by(game, seat, game.window)
    if not by or not game.may_act(seat):
        return []  # the owner is back, or the answer is in
    builder = GameFactsBuilder(game, table.make_chance)
    # [G-12] Who passes by itself passes, whatever a computer player would have done.
    action = None if by == "autopass" else request.action
    builder.play_for_computer(seat, by, action, request.seed)
    return _settle(table, builder, now_ms)


def _decided_by(game: Game, seat: Seat, window: Window) -> f.DecidedBy:
    """Who decides in this seat, if not its owner; "": nobody."""
    occupant = game.seats[seat]
    if occupant.is_decided_by_computer:
        return "away" if occupant.person is not None else "computer"
    return "autopass" if game.passes_itself(seat, window) else ""


# -- time --------------------------------------------------------------------------------------


def _tick(
    table: Table, request: r.Tick, now_ms: int
) -> tuple[list[f.AnyFact], list[f.PresenceChange]]:
    """The most urgent thing that is due; nothing, if the tick comes too early."""
    if facts := _due_facts(table, now_ms):
        return facts, []
    if seats := planned.due_seats(table, now_ms):
        return _look_up_plans(table, seats, now_ms)
    if waiting.is_due(table, now_ms) and (request.seed or request.refusal):
        if table.is_between_deals:
            return between_deals.begin_by_itself(table, request, now_ms)
        return waiting.begin_by_itself(table, request, now_ms)
    if too_long := pauses.wanted_too_long(table, now_ms):
        return [], too_long
    if offered := vacant_seats.offer(table, now_ms):
        return [], offered
    told = _warn_who_is_alone(table, now_ms) or waiting.hurry(table, now_ms)
    return [], told or waiting.told_of_nobody(table, now_ms)


def _look_up_plans(
    table: Table, seats: Sequence[Seat], now_ms: int
) -> tuple[list[f.AnyFact], list[f.PresenceChange]]:
    """What *seats* have kept for later: one move is played, the next tick looks again."""
    game, facts = table.game, list[f.AnyFact]()
    assert game is not None
    for seat in seats:
        if (builder := planned.played(game, seat, table.make_chance)) is not None:
            return [*facts, *_settle(table, builder, now_ms)], []
        facts += planned.unfit(game, seat)
    return facts, [f.PlansLookedUp("")]


def _due_facts(table: Table, now_ms: int) -> list[f.AnyFact]:
    if table.is_full:
        return [f.Closed("full")]
    game = table.game
    if game is not None and table.is_playing:
        clock = game.clock
        if clock.deadline_ms is not None and clock.deadline_ms <= now_ms:
            return _expire_window(table, game, now_ms)
        if clock.until_ms is not None and clock.until_ms <= now_ms:
            return _resume_clock(table, game, now_ms)
        if table.goes_on_ms is not None and table.goes_on_ms <= now_ms:
            return _end_pause(table, game, now_ms)
    for since_ms, person in _absence_deadlines(table):
        seat = table.seat_of(person)
        if since_ms > now_ms or seat is None:
            continue
        if table.is_playing:
            return _mark_away(table, [seat], "offline")
        return [f.Stood(person, table.person_name(person), is_gone=True)]
    if (until_ms := offers.until_ms(table)) is not None and until_ms <= now_ms:
        assert game is not None and game.offer is not None
        return [f.OfferEnded(game.offer.offer, "expired")]
    if ended := waiting.ended_invitations(table, now_ms):
        return ended
    if not table.is_playing and (ended := waiting.ended_marks(table, now_ms)):
        return ended
    if ended := between_deals.abandon(table, now_ms):
        return ended
    if table.empty_until_ms is not None and table.empty_until_ms <= now_ms:
        return [f.Closed("empty")]
    if table.is_closing_told and table.alone_until_ms is not None:
        return [f.Closed("alone")] if table.alone_until_ms <= now_ms else []
    return []


def _warn_who_is_alone(table: Table, now_ms: int) -> list[f.PresenceChange]:
    """A table with one person and no game keeps its place from others: it closes, but not before
    that person has been told."""
    until_ms = table.alone_until_ms
    if until_ms is None or table.is_closing_told or until_ms - ALONE_WARNING_MS > now_ms:
        return []
    return [f.WarnedOfClosing(person) for person in table.people()]


def _absence_deadlines(table: Table) -> list[tuple[int, str]]:
    """(UTC ms when the absence becomes too long, person), of offline people, soonest first."""
    if table.is_between_deals or table.is_slow:
        return []  # nobody loses the seat, and nobody is waited for
    limit_ms = int(table.config.offline_s * 1000)
    if table.goes_on_ms is not None:
        return []  # the game is paused
    if table.is_playing and table.options.absence == "pause":
        if table.options.clocks:
            return []  # the clock waits as long as it may, then runs out
        limit_ms = _pause_max_ms(table)  # without a clock the others wait as long
    waits_ms = _awaited_ms(table)
    return sorted(
        (max(since_ms + limit_ms, waits_ms.get(person, 0)), person)
        for person, since_ms in table.offline_since_ms.items()
        if not table.is_away(person) and not table.is_out(person)
    )


def _awaited_ms(table: Table) -> dict[str, int]:
    """So long the game waits for people who are not back since an outage, UTC, by person."""
    game = table.game
    if game is None or not table.is_playing:
        return {}
    people = [game.seats[seat].person for seat in game.awaited]
    return {it: game.awaited_until_ms for it in people if it is not None}


def _expire_window(table: Table, game: Game, now_ms: int) -> list[f.AnyFact]:
    assert game.window is not None
    builder = GameFactsBuilder(game, table.make_chance)
    builder.expire(game.window)
    return _settle(table, builder, now_ms)


def _settle(table: Table, builder: GameFactsBuilder, now_ms: int) -> list[f.AnyFact]:
    """The plays of *builder* and what follows from them."""
    missed_max = table.config.missed_turns_max
    gone = builder.end_turn(missed_max, tourney_tables.first_missed_max(table, missed_max))
    builder.facts += _mark_away(table, gone, "time") if gone else []
    if builder.facts and isinstance(builder.facts[-1], f.Closed):
        return builder.facts
    offline = _offline_seats(table, builder.game) - set(gone)
    builder.close_decision(now_ms, offline, _pause_max_ms(table))
    return _waiting_for_who_is_not_back(table, builder, now_ms)


def _waiting_for_who_is_not_back(
    table: Table, builder: GameFactsBuilder, now_ms: int
) -> list[f.AnyFact]:
    """The facts of *builder*; where they open a window for somebody who is not back since an
    outage, the game waits."""
    facts, game = builder.facts, builder.game
    asked = [fact for fact in facts if isinstance(fact, f.Asked)]
    window = builder.window() if asked and game.awaited else None
    if window is None:
        return facts
    played = {fact.seat for fact in facts if isinstance(fact, f.Played) and fact.by == "person"}
    awaited, until_ms = game.awaited - played, game.awaited_until_ms
    times = until_ms, asked[-1].deadline_ms, now_ms
    pause = pauses.until_back(table, window, awaited, *times)
    kept = [fact for fact in facts if not (pause and isinstance(fact, f.ClockStopped))]
    return [*kept, *pause]


# -- away and gone -------------------------------------------------------------------------------


def _note_typing(table: Table, person: str) -> list[f.AnyFact]:
    """[G-09] Whoever types is back; and who was late has the full time of one window."""
    game, seat = table.game, table.seat_of(person)
    if game is None or seat is None or not table.wants_to_know_of_typing(person):
        return []
    if table.is_between_deals:
        return [f.CameBack(seat)]
    is_away, clock = game.seats[seat].is_away, game.clock
    facts: list[f.AnyFact] = [f.CameBack(seat)] if is_away else []
    if not game.may_be_extended(seat):
        return facts or [f.TimeExtended(seat)]
    if clock.cut_ms and clock.deadline_ms is not None:
        facts.append(f.TimeExtended(seat, clock.deadline_ms + clock.cut_ms))
    return facts


def _mark_away(
    table: Table, seats: Sequence[Seat], why: Literal["time", "offline"]
) -> list[f.AnyFact]:
    if table.options.absence == "forfeit":
        return _hand_over_seats(table, seats, "forfeit")
    return [f.WentAway(seat, why) for seat in seats]


def _hand_over_seats(
    table: Table, seats: Sequence[Seat], why: Literal["left", "forfeit", "banned", "deleted"]
) -> list[f.AnyFact]:
    """[G-10] Give the seats to computer players; without people the game is abandoned."""
    game, facts = table.game, list[f.AnyFact]()
    assert game is not None
    if seats and not any(o.person for n, o in enumerate(game.seats) if n not in seats):
        return [f.Abandoned(), f.Closed("abandoned")]
    left_names = [o.replaced_name for o in game.seats]
    used_names = [*game.names, *left_names, *(o.name for o in table.roster)]
    for seat in seats:
        if game.is_out(seat):
            facts.append(f.Gone(seat, game.names[seat]))
            continue
        level, person = table.variant.stand_in, game.seats[seat].person or ""
        used_names.append(free_computer_name(used_names, level))
        facts.append(
            f.HandedOver(seat, used_names[-1], game.names[seat], why, level, person=person)
        )
    return facts


# -- presence ------------------------------------------------------------------------------------


def _disconnect(
    table: Table, person: str, now_ms: int
) -> tuple[list[f.AnyFact], list[f.PresenceChange]]:
    if person not in table.online:
        return [], []
    game, facts = table.game, []
    if game is not None and table.is_playing and game.window and game.clock.deadline_ms is not None:
        seats = _offline_seats(table, game)
        if (seat := game.seat_of(person)) is not None:
            seats.add(seat)
        facts = stop_clock_if_absent(
            game, game.window, game.clock.deadline_ms, now_ms, seats, _pause_max_ms(table)
        )
    return facts, [f.WentOffline(person)]


def _reconnect(
    table: Table, request: r.Reconnect, now_ms: int
) -> tuple[list[f.AnyFact], list[f.PresenceChange]]:
    person = request.person
    if person not in table.people():
        return [], []
    game, facts = table.game, []
    if game is not None and table.is_playing:
        seat = game.seat_of(person)
        if seat is not None and game.clock.seat == seat:
            facts = _resume_clock(table, game, now_ms, back=seat)
    came = f.CameOnline(person, is_new_session=True, is_silent=request.is_silent, seen=request.seen)
    return facts, [came]


def _resume_clock(
    table: Table, game: Game, now_ms: int, back: Seat | None = None
) -> list[f.AnyFact]:
    """Restart a stopped clock, unless it now waits for another absent person."""
    clock, window = game.clock, game.window
    assert clock.seat is not None and clock.left_ms is not None and clock.until_ms is not None
    assert window is not None
    seat, deadline_ms = Seat(clock.seat), now_ms + clock.left_ms
    used_ms = used_pause_ms(game, now_ms, _pause_max_ms(table))
    others = _offline_seats(table, game) - {seat, back}
    return [
        f.ClockRuns(deadline_ms, seat, used_ms),
        *stop_clock_if_absent(game, window, deadline_ms, now_ms, others, _pause_max_ms(table)),
    ]


def _end_pause(table: Table, game: Game, now_ms: int) -> list[f.AnyFact]:
    if game.waits_for_resume and game.pause is not None and game.pause.until_ms <= now_ms:
        return [f.Aborted("expired")]
    resumed, window = pauses.end(game, now_ms), game.window
    if resumed.deadline_ms is None or window is None:
        return [resumed]
    times = (resumed.deadline_ms, now_ms, _offline_seats(table, game), _pause_max_ms(table))
    return [resumed, *stop_clock_if_absent(game, window, *times)]


def _offline_seats(table: Table, game: Game) -> set[Seat]:
    return {Seat(n) for n, o in enumerate(game.seats) if o.person and o.person not in table.online}


def _pause_max_ms(table: Table) -> int:
    return int(table.config.pause_max_s * 1000)


def _give_back_time(table: Table, since_ms: int | None, now_ms: int) -> list[f.AnyFact]:
    """[TIME-2] Give the open window what it had left when the server was last known alive."""
    game = table.game
    if game is None or not table.is_playing or game.window is None:
        return [f.TimeGivenBack()]
    if table.is_slow and since_ms is not None and now_ms - since_ms < OUTAGE_MS:
        return [f.TimeGivenBack(game.clock.deadline_ms, None, offers.until_ms(table))]
    full_ms = game.open_ms() or 0
    allowed_ms = _pause_max_ms(table)
    deadline_ms, until_ms = give_time_back(game.clock, since_ms, now_ms, full_ms, allowed_ms)
    offer_ms = offers.until_ms(table)
    if offer_ms is not None:
        offer_ms = now_ms + remaining_ms(offer_ms, since_ms, offers.offer_ms(table))
    pause_ms = None
    if game.pause is not None:
        pause_ms = now_ms + remaining_ms(game.pause.until_ms, since_ms, game.pause.longest_ms)
    awaited = pauses.not_back(table, game, since_ms, now_ms)
    awaited_ms = now_ms + OUTAGE_WAIT_MS if awaited else None
    given = f.TimeGivenBack(deadline_ms, until_ms, offer_ms, pause_ms, awaited, awaited_ms)
    facts: list[f.AnyFact] = [given]
    if awaited_ms is not None:
        left_ms, ends_ms = game.clock.left_ms, deadline_ms
        if left_ms is not None:  # the clock waits for somebody
            ends_ms = now_ms + left_ms
        waiting = awaited, awaited_ms, ends_ms, now_ms
        if pause := pauses.until_back(table, game.window, *waiting):
            return [*facts, *pause]
    if deadline_ms is not None:
        offline = _offline_seats(table, game)
        facts += stop_clock_if_absent(game, game.window, deadline_ms, now_ms, offline, allowed_ms)
    return facts


# -- what must hold ------------------------------------------------------------------------------


def _own_seat(table: Table, person: str) -> Seat:
    seat = table.seat_of(person)
    if seat is None:
        hint = "" if table.is_playing else texts.TAKE_SEAT.format(table.number)
        raise UserError(texts.NO_SEAT.format(table.number, hint), "not_seated")
    return seat
