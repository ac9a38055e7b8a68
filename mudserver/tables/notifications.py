"""What people are told of a record: the sentences of a table, and who is sent which.

Rule 1: the sentences are public: they hold names and options, never a card or the seed of a
        running game.
Rule 2: the commitment is announced before the first card, the seed after the last.  [G-02]
Rule 3: a fact is put into words before it is applied: its sentence speaks of the table as it
        was.  A play is noted by its number; its events are redacted for each reader at the end.
Rule 4: readers of one kind are sent the same objects.  A reader for whom nothing happened is sent
        nothing.  [SEC-4]
Rule 5: a person who arrives is sent the location and the view, one who goes the public messages and
        the new location.  People are not notified of their own arrival or departure.
"""

from __future__ import annotations

from collections.abc import Sequence

from mudserver.data_messages import InvitationEndedData
from mudserver.messages import (
    Announcement,
    AwayMessage,
    EventMessage,
    LocationMessage,
    Message,
    Notice,
    QuotedAnnouncement,
    RefusalMessage,
)
from mudserver.outbox import Deliveries, Delivery
from mudserver.tables import match_texts, texts
from mudserver.tables import offer_texts as offers
from mudserver.tables import records as f
from mudserver.tables.absence_texts import (
    AWAY,
    forfeit_text,
    left_text,
    missed_turn_text,
    offline_sentence,
    own_turn_while_away,
    returned_text,
    stopped_sentence,
    whose_turn,
)
from mudserver.tables.countdown_messages import countdown_messages
from mudserver.tables.end_messages import end_messages, explained_end
from mudserver.tables.going_on_messages import called_back, going_on_messages
from mudserver.tables.levels import stored_level
from mudserver.tables.missed_events import what_was_missed
from mudserver.tables.offers import waiting_offer
from mudserver.tables.options import describe_unusual
from mudserver.tables.permissions import is_allowed
from mudserver.tables.plan_messages import plan_messages, plan_text
from mudserver.tables.program_data import game_message, invitation_data
from mudserver.tables.rated_start import rated_sentence
from mudserver.tables.replaced_person import is_former, name_of
from mudserver.tables.result import game_over_text
from mudserver.tables.seats import Occupant, with_distinct_names
from mudserver.tables.substitute_messages import (
    offered_seats,
    offers_to_watchers,
    substitution_sentences,
    told_former_holder,
)
from mudserver.tables.substitute_texts import number_of, you_take_over
from mudserver.tables.summary import TableSummary
from mudserver.tables.table import Table
from mudserver.tables.vacant_seats import open_seats
from mudserver.tables.waiting import missing_people, names_of
from variants.contract import Seat


class NotificationBuilder:
    """Collects the deliveries of one record.  The order of calls:

    the constructor, before the record changes *table*; `add_...` for each change and each fact,
    before it is applied; `build`, when all of them are applied.
    """

    def __init__(self, table: Table, *, is_start: bool = False) -> None:
        self._table, self._is_start = table, is_start
        self._locations_before, self._game_before = _locations(table), table.game
        self._out_before = _out(table)
        self._public_state_before = _public_state(table) if self._locations_before else None
        self._code = ""  # a new one
        self._going_on: dict[str, int] = {}  # person -> record up to which all was shown
        self._is_silent = False  # a session goes on: the others read nothing of it
        self._seats_taken = set[int]()  # again, or over
        self._items: list[Message | int] = []  # a public message, or the number of a play
        self._turns_before = _missed_turns(table)
        self._excluded: Deliveries = []  # what people are not told of themselves
        self._private: Deliveries = []  # what one person alone is told
        self._outside: Deliveries = []  # what people are told who are not at the table

    def add_presence_change(self, change: f.PresenceChange) -> None:
        """Add a change of presence that is about to be applied."""
        match change:
            case f.CameOnline(person=person, is_silent=is_silent, seen=seen):
                self._is_silent = is_silent
                if seen is not None and 0 < seen <= self._table.sequence:
                    self._going_on[person] = seen
            case f.CodeMade(code=code):
                self._code = code
            case f.CountdownStopped(text=text):
                self.add_announcement(text)
            case f.WantsToGoOn(person=person):
                self._add_going_on(person)
            case f.WantedTooLong(person=person):
                self._private.append((person, Notice(offers.WANTED_TOO_LONG)))
            case f.ToldOfNobody(person=person):
                told = Notice(texts.nobody_has_come(self._table.variant.name))
                self._private.append((person, told))
            case f.WarnedOfWaiting(person=person):
                self._private.append((person, Notice(texts.HURRY)))
            case f.StartRefused(person=person, text=text):
                self._private.append((person, RefusalMessage(text, "limit")))
            case f.SeatOffered(seat=seat):
                self._private += offers_to_watchers(self._table, seat)
        for text in describe_presence_change(self._table, change):
            announcement = Announcement(text)
            self._items.append(announcement)
            self._excluded.append((change.person, announcement))
        if isinstance(change, f.WentOffline) or (
            isinstance(change, f.CameOnline) and change.is_new_session
        ):
            # Nobody reads there any more, or a new session has to be shown everything.
            self._locations_before.pop(change.person, None)

    def add_fact(self, fact: f.AnyFact) -> None:
        """Add a fact that is about to be applied."""
        self._items += () if self._is_silent else announcements(self._table, fact)
        if (own := own_message(self._table, fact)) is not None:
            person, _ = own
            self._excluded += [
                (person, item) for item in self._items[-1:] if not isinstance(item, int)
            ]
            self._private.append(own)
        if isinstance(fact, f.PersonReplaced):
            self._move(fact)
        self._outside += invitation_messages(self._table, fact) + plan_messages(self._table, fact)
        if isinstance(fact, f.SeatReturned | f.Substituted):
            self._seats_taken.add(fact.seat)
        if isinstance(fact, f.Substituted):
            self._outside += told_former_holder(self._table, fact)
        if not self._is_start and (change := texts.change_text(fact)):
            told = Notice(texts.changed(change))
            self._private += [(person, told) for person in self._table.readiness.marks]
        if isinstance(fact, f.Dealt | f.Played):
            assert self._table.game is not None, fact
            self._items.append(len(self._table.game.plays))

    def _move(self, fact: f.PersonReplaced) -> None:
        """The person is neither gone nor new here, and is told elsewhere."""
        if fact.old in self._locations_before:
            self._locations_before[fact.new] = self._locations_before.pop(fact.old)
        self._excluded += [
            (fact.new, item) for item in self._items[-1:] if not isinstance(item, int)
        ]

    def _add_going_on(self, person: str) -> None:
        """Somebody wants to go on with the paused game."""
        told, own = going_on_messages(self._table, person)
        self._items.append(told)
        self._excluded.append((person, told))
        self._outside += called_back(self._table, person)
        if own is not None:
            self._private.append((person, own))
        else:
            self.add_announcement(offers.ALL_GO_ON)

    def add_announcement(self, text: str) -> None:
        self._items.append(Announcement(text))

    def build(self, facts: Sequence[f.AnyFact]) -> Deliveries:
        """All deliveries, in order for each person; *facts* are applied."""
        after = _locations(self._table)
        if not self._locations_before and not after:
            return [] if self._table.is_behind else self._outside
        endings = [
            message
            for fact in facts
            if isinstance(fact, f.Ended)
            for message in end_messages(self._table)
        ]
        deliveries = self._deliveries(after, endings)
        if self._table.is_behind:  # what one person alone is told was told at once
            return deliveries
        is_here = self._locations_before.keys() | after.keys()
        deliveries += [each for each in self._private if each[0] in is_here]
        deliveries += [each for each in self._news_of_being_out() if each[0] in is_here]
        deliveries += self._outside
        if any(isinstance(fact, f.Sat) for fact in facts):
            deliveries += countdown_messages(self._table, self._locations_before)
        if self._code:
            told = Notice(texts.code_is(self._table.number, self._code))
            deliveries += [(person, told) for person in self._table.seated]
        deliveries += [
            (fact.person, Notice(autopass_text(fact.is_on)))
            for fact in facts
            if isinstance(fact, f.AutopassSet)
        ]
        deliveries += self._turn_notices(facts)
        if endings:
            deliveries += [each for each in self._why_it_ended() if each[0] in is_here]
        return [delivery for delivery in deliveries if delivery not in self._excluded]

    def _why_it_ended(self) -> Deliveries:
        game = self._table.game
        assert game is not None
        people = [occupant.person for occupant in game.seats if occupant.person is not None]
        told = [(person, explained_end(self._table, person)) for person in people]
        return [(person, message) for person, message in told if message is not None]

    def _deliveries(self, after: dict[str, LocationMessage], endings: list[Message]) -> Deliveries:
        before, table, has_new_view = self._locations_before, self._table, self._has_new_view()
        by_reader: dict[Seat | None, list[Message]] = {}
        deliveries: Deliveries = []
        for person, location in after.items():
            reader = table.reader_of(person)
            if (seen := self._going_on.get(person)) is not None:
                missed = what_was_missed(table, person, location, seen)
                if table.game is None and table.told_sequence > seen:
                    missed.append(Notice(describe_table(table, person)))
                deliveries += [(person, message) for message in missed]
                continue
            if reader not in by_reader:
                by_reader[reader] = self._messages_for(reader, has_new_view, endings)
            is_arrival, is_moved = person not in before, before.get(person) != location
            if is_moved and (is_arrival or location.is_playing):
                deliveries.append((person, location))
            deliveries.extend((person, message) for message in by_reader[reader])
            if is_arrival:
                arrival = arrival_messages(table, person, reader, has_new_view)
                if table.code and not self._code and person in table.seated:
                    arrival.append(Notice(texts.code_is(table.number, table.code)))
                if offer := "" if table.is_behind else waiting_offer(table, person):
                    arrival.append(Notice(offer))
                if kept := plan_text(table, person):
                    arrival.append(Notice(kept))
                deliveries.extend((person, message) for message in arrival)
                if table.is_away(person):
                    deliveries.append((person, AwayMessage(True, AWAY)))
            elif is_moved and not location.is_playing:
                deliveries.append((person, location))
        public = [item for item in self._items if not isinstance(item, int)]
        for person in before:
            if person not in after:
                deliveries.extend((person, message) for message in (*public, LocationMessage(None)))
        return deliveries

    def _turn_notices(self, facts: Sequence[f.AnyFact]) -> Deliveries:
        """What single persons are told of a turn that they have missed, or that is theirs."""
        table, game = self._table, self._table.game
        if game is None or not table.is_playing or not any(isinstance(x, f.Asked) for x in facts):
            return []
        notices: Deliveries = []
        missed, missed_max = _missed_turns(table), table.config.missed_turns_max
        for seat, occupant in enumerate(game.seats):
            if occupant.person is None or occupant.person not in table.online:
                continue
            if occupant.is_away and game.window is not None and seat in game.window.seats:
                if wait_s := table.away_wait_s(seat):
                    notices.append((occupant.person, own_turn_while_away(wait_s)))
                continue
            if seat in game.plans.lines and game.may_act(Seat(seat)):
                notices.append((occupant.person, Notice(plan_text(table, occupant.person))))
            is_late = self._turns_before.get(seat, 0) < missed[seat] == missed_max - 1
            if is_late and not occupant.is_away:
                notices.append((occupant.person, Notice(missed_turn_text(table.options.absence))))
        return notices

    def _news_of_being_out(self) -> Deliveries:
        """What people read whose seat has just fallen, while others play on."""
        table, out = self._table, _out(self._table)
        if (
            table.game is None
            or table.game is not self._game_before
            or len(out) == len(self._out_before)
        ):
            return []
        seats, deliveries = table.game.seats, list[tuple[str, Message]]()
        if len(seats) - len(out) < 2:
            return []
        for number, seat in enumerate(out):
            person = seats[seat].person
            if person is None or seat in self._out_before:
                continue
            place = len(seats) - number if table.variant.falls_in_place else None
            text = match_texts.is_out(place, table.deals_left)
            deliveries.append((person, Notice(text)))
        return deliveries

    def _has_new_view(self) -> bool:
        """Whether everybody is shown the own view: the game or what is public of it is another."""
        game, before = self._table.game, self._public_state_before
        if game is None:
            return False
        return game is not self._game_before or (
            before is not None and before != _public_state(self._table)
        )

    def _messages_for(
        self, reader: Seat | None, has_new_view: bool, endings: list[Message]
    ) -> list[Message]:
        """What readers of one kind are told of the record: the same objects for all of them."""
        table, messages = self._table, list[Message]()
        if self._is_start and table.game is not None:
            messages.append(game_message(table))
        for item in self._items:
            messages.extend(
                table.event_messages(reader, item, item) if isinstance(item, int) else (item,)
            )
        if has_new_view or any(isinstance(message, EventMessage) for message in messages):
            why = "back" if reader in self._seats_taken else "changed"
            messages.append(table.view_message(reader, "over" if endings else why))
        return messages + endings


def _missed_turns(table: Table) -> dict[int, int]:
    """How many turns in a row the owner of each seat has missed.  [G-09]"""
    game = table.game if table.is_playing else None
    return {} if game is None else {n: o.turns.missed for n, o in enumerate(game.seats)}


def arrival_messages(
    table: Table, person: str, reader: Seat | None, is_view_sent: bool
) -> list[Message]:
    """What a person is told on arrival.

    Args:
        is_view_sent: The view is among the other messages already.
    """
    about: list[Message] = [Notice(describe_table(table, person))]
    about += offered_seats(table) if reader is None else ()
    if table.is_between_deals:
        about.append(Notice(match_texts.next_deal(table)))
    if table.game is None or is_view_sent:
        return about
    about.append(game_message(table))
    return [*about, table.view_message(reader, "look" if reader is None else "back")]


def _locations(table: Table) -> dict[str, LocationMessage]:
    """Where each person is who is at the table and online, seats first."""
    number, name, is_playing = table.number, table.variant.name, table.is_playing
    locations = {
        o.person: LocationMessage(number, name, seat, is_playing)
        for seat, o in enumerate(table.seats)
        if o.person is not None and o.person in table.online and not table.is_behind
    }
    watching = LocationMessage(number, name, None, is_playing)
    if table.behind is None:  # else they are told of another table
        locations.update((person, watching) for person in table.watchers)
    return locations


def _out(table: Table) -> tuple[Seat, ...]:
    """The seats that are out of the running game, first to fall first."""
    if table.game is None or not table.is_playing or table.game.state is None:
        return ()
    return tuple(table.variant.eliminated_seats(table.game.view(None)))


def _public_state(table: Table) -> tuple[object, ...] | None:
    """What is public of the game; if it changes, everybody is shown the own view."""
    game = table.game
    if game is None:
        return None
    return game.window, game.clock, game.names, game.result, game.is_aborted, game.pause is None


# -- sentences ------------------------------------------------------------------------------------


def announcements(table: Table, fact: f.AnyFact) -> list[Announcement | QuotedAnnouncement]:
    """What everybody there reads of *fact*, which is not yet applied to *table*."""
    if table.is_behind and isinstance(fact, f.ClockStopped | f.ClockRuns):
        return []
    if isinstance(fact, f.Closed) and fact.why == "moderator":
        head = texts.CLOSED_BY_STAFF.format(table.number)
        return [QuotedAnnouncement(head, "staff", fact.reason)]
    return [Announcement(text) for text in describe_fact(table, fact)]


def describe_fact(table: Table, fact: f.AnyFact) -> list[str]:
    """The announcements of *fact*, which is not yet applied to *table*."""
    match fact:
        case f.OptionsSet(options=options):
            ended = [] if table.countdown is None else [texts.COUNTDOWN_ENDED]
            return [f"The options are now: {options.describe()}", *ended]
        case f.Sat(name=name):
            if table.tourney.tourney:
                return []  # all of them at once
            return [*_rename_sentences(table, name), f"{name} joined the table."]
        case f.Stood(name=name, is_gone=is_gone):
            return [
                f"{name} is gone, and the seat is free." if is_gone else f"{name} left the table."
            ]
        case f.Unseated(name=name):
            return [f"{name} left the table."]
        case f.Offered(kind=kind, seat=seat, asked=asked) if asked:
            name, is_match = table.seat_name(seat), table.match is not None
            left_s = (fact.until_ms - table.at_ms) // 1000
            return [offers.offered(name, kind, left_s, is_match=is_match)]
        case f.OfferEnded() if table.game is not None and table.game.offer is not None:
            return [offers.offer_ended(table.game.offer.kind)]
        case f.Paused(kind="adjourn"):
            return [offers.ADJOURNED.format(table.number, offers.DAYS)]
        case f.Paused(kind="outage", asked=asked):
            return [offers.outage([table.seat_name(seat) for seat in asked])]
        case f.Paused():
            return [offers.PAUSE_BEGINS]
        case f.Resumed():
            return [offers.PAUSE_ENDS]
        case f.Aborted() if table.game is not None:
            seed = f"Seed: {table.game.seed.hex()}."
            if tourney := table.tourney.tourney:
                then = texts.ROUND_PLAYED.format(tourney, table.tourney.round)
                return [offers.aborted(fact.why), seed, then]
            seed += " Type rematch to play again."
            if table.match is not None:
                return [match_texts.ABORTED, seed]
            return [offers.aborted(fact.why), seed]
        case f.Invited(name=name, by=by):
            say = texts.invited_for_days if table.is_slow else texts.invited
            return [say(table.person_name(by), name)]
        case f.InvitationEnded(name=name, why=why):
            return [texts.invitation_ended(name, why)]
        case f.OwnerIs(name=name):
            return [texts.owns(name, table.number)]
        case f.Readied(person=person, is_ready=True):
            return _ready_sentence(table, person)
        case f.Readied(person=person):
            return [texts.is_not_ready(table.person_name(person))]
        case f.ComputerSat(name=name):
            level = stored_level(table.variant, fact.player, fact.level)
            return [f"{name} joined the table (computer, {level})."]
        case f.ComputerLeft(name=name):
            return [f"{name} (computer) was removed."]
        case f.Started():
            return [
                _start_sentence(table, fact),
                *rated_sentence(table, fact),
                f"Seal: {fact.commitment}",
            ]
        case f.ClockStopped(seat=seat):
            return [stopped_sentence(table, fact)]
        case f.ClockRuns():
            return ["The clock is running again."]
        case f.WentAway(seat=seat):
            name = table.seat_name(seat)
            return [f"{name} is away. A computer player plays for {name} for now."]
        case f.CameBack(seat=seat):
            return [f"{table.seat_name(seat)} is back."]
        case f.HandedOver(left=left, name=name, why="forfeit"):
            return [f"{left} was away too long and forfeits. {name} (computer) takes over."]
        case f.HandedOver(left=left, name=name, why="noshow"):
            return [f"{left} is not here yet. {name} (computer) plays for {left}."]
        case f.HandedOver(left=left, name=name):
            return [f"{left} left the game. {name} (computer) takes over."]
        case f.SeatReturned(seat=seat, name=name):
            return [f"{name} is back in the game and takes over from {table.seat_name(seat)}."]
        case f.Substituted():
            return substitution_sentences(table, fact)
        case f.Gone(name=name):
            return [f"{name} left the game."]
        case f.PersonReplaced(name=name) if is_former(name):
            return []  # who leaves next
        case f.PersonReplaced(old=old, name=name) if name_of(table, old) not in ("", name):
            return [texts.IS_NOW.format(name_of(table, old), name)]
        case f.Abandoned() if table.is_between_deals:
            return ["Everybody has left, so the match ends here."]
        case f.Abandoned():
            return ["Everybody has left, so the game ends without a result."]
        case f.Closed():
            return [_closing_sentence(table, fact)]
        case _:
            return []


def _closing_sentence(table: Table, fact: f.Closed) -> str:
    number, name = table.number, table.variant.name
    match fact.why:
        case "fault":
            return (
                "Sorry, something went wrong on the server and this table can't continue. "
                f"Other tables are not affected. (ref {fact.ref})"
            )
        case "full":
            no_result = "; the game ends without a result" if table.is_playing else ""
            return (
                f"Table {number} has no room for more moves and is closed{no_result}. "
                f"To play at another one: open {name}"
            )
        case "alone":
            closed = f"Nobody else came to table {number}, so it is closed."
            return f"{closed} To open another: open {name}"
    return f"Table {number} is closed."


def own_message(table: Table, fact: f.AnyFact) -> Delivery | None:
    """What one person reads instead of the announcement of *fact*; None: the same as everybody.

    *fact* is not yet applied.
    """
    match fact:
        case f.Unseated(person=person):
            return person, Notice(texts.unseated(table.number))
        case f.Offered(kind=kind, seat=seat, asked=asked) if asked:
            names = [table.seat_name(each) for each in asked]
            told = offers.you_offer(kind, names, is_match=table.match is not None)
            return table.seats[seat].person or "", Notice(told)
        case f.Agreed(seat=seat):
            return table.seats[seat].person or "", Notice(offers.AGREED)
        case f.OwnerIs(person=person):
            return person, Notice(texts.you_own(table.number))
        case f.Readied(person=person, is_ready=True):
            missing = names_of(table, missing_people(table, person))
            return (person, Notice(texts.you_are_ready(missing))) if missing else None
        case f.Readied(person=person):
            return person, Notice(texts.NO_LONGER_READY)
        case f.SeatReturned(seat=seat, person=person):
            has_forfeited = table.seats[seat].has_forfeited
            return person, Notice(returned_text(has_forfeited=has_forfeited))
        case f.Substituted(seat=seat, person=person):
            return person, Notice(you_take_over(table.seats[seat].replaced_name))
        case f.WentAway(seat=seat):
            message: Message = AwayMessage(True, AWAY)
        case f.CameBack(seat=seat):
            message = AwayMessage(False, f"You are back.{whose_turn(table, seat)}")
        case f.HandedOver(seat=seat, name=name, why=why):
            message = Notice(forfeit_text(name) if why == "forfeit" else left_text(name))
        case _:
            return None
    person = table.seats[seat].person or ""
    return person, message


def invitation_messages(table: Table, fact: f.AnyFact) -> Deliveries:
    """What the invited person is told, who is somewhere else."""
    match fact:
        case f.Invited(person=person, by=by):
            inviter = table.person_name(by)
            place = table.number, table.variant.name
            text = texts.you_are_invited(inviter, *place, is_slow=table.is_slow)
            data: Message = invitation_data(table, inviter, fact.until_ms)
        case f.InvitationEnded(person=person, why=why) if why != "declined":
            inviter, begun = table.person_name(table.invitations[person].by), why == "started"
            text = texts.your_invitation_ended(inviter, table.number, has_started=begun)
            data = InvitationEndedData(inviter, table.number, why)
        case _:
            return []
    return [(person, Notice(text)), (person, data)]


def _ready_sentence(table: Table, person: str) -> list[str]:
    """Nothing if the game starts with this mark: that is told by itself."""
    if not missing_people(table, person):
        return []
    is_rematch, people = table.game is not None, len(table.seated)
    marked = len(table.readiness.marks.keys() | {person})
    if table.match is not None and table.is_between_deals:
        name, deal = table.person_name(person), table.match.deal + 1
        return [match_texts.is_ready(name, deal, marked, people)]
    return [texts.is_ready(table.person_name(person), marked, people, is_rematch=is_rematch)]


def describe_presence_change(table: Table, change: f.PresenceChange) -> list[str]:
    """The announcements of *change*: only seated people in a running game are announced."""
    if not table.is_playing or table.is_slow or table.seat_of(change.person) is None:
        return []
    match change:
        case f.WentOffline(person=person):
            return [offline_sentence(table, person)]
        case f.CameOnline(person=person, is_silent=False) if person not in table.online:
            return [f"{table.person_name(person)} is connected again."]
        case _:
            return []


def alone_warning() -> str:
    """The warning that the table closes around its only person."""
    return (
        "Nobody else is at this table, so it closes in a minute. To keep it, type bot to add a "
        "computer player, start to begin."
    )


def records_warning(table: Table) -> str:
    """The warning that the table becomes full, in time to finish the game."""
    left = max(1, table.plays_left)
    unit = 10 ** (len(str(left)) - 1)
    rounded = -(-left // unit) * unit  # the last digits would tell how much private was written
    return (
        f"This table has little room left. After some {rounded:,} more moves it closes, and a game "
        "that is not over ends without a result."
    )


def missing_answers(answers: int) -> str:
    """How many answers a sealed window lacks: all that is public while it is open.  [G-11]"""
    who = "one more player" if answers == 1 else f"{answers} more players"
    return f"Waiting for {who}"


def autopass_text(is_on: bool) -> str:
    """What the person who has set autopass is told, and nobody else."""
    if not is_on:
        return "Auto-pass is off: the game waits for you when you are asked to respond."
    return (
        "Auto-pass is on: you will pass automatically when you are asked to respond. Turn it off "
        "with: autopass off"
    )


def lobby_announcement(table: Table, fact: f.AnyFact, coming: int = 0) -> str:
    """What everybody in the lobby is told of a fact; "" for most facts.

    Args:
        coming: So many people are about to sit down there.
    """
    if table.is_private:
        return ""
    match fact:
        case f.Opened(name=name) if not fact.tourney:
            number, game = table.number, table.variant.name
            game += " by correspondence" if table.options.is_correspondence else ""
            is_full = len(table.roster) + coming >= table.options.seats
            if table.options.who == "invited" or is_full:
                return f"{name} opened table {number} ({game}). Type watch {number} to watch."
            return f"{name} opened table {number} ({game}). Type sit {number} to join."
        case f.Ended() if table.game is not None:
            return f"Table {table.number}: {game_over_text(fact, table.game.seats)}"
        case _:
            return ""


def describe_table(table: Table, person: str = "") -> str:
    """A table in one line, for a person who arrives.  Args: person: "": somebody without a seat."""
    occupants = list_occupants(table) or "nobody"
    unusual = describe_unusual(table.variant, table.options)
    about = f"Table {table.number}, {table.variant.name}. Players: {occupants}."
    if unusual:
        about += f" Options: {unusual}."
    if table.tourney.tourney:
        about += f" It belongs to tournament {table.tourney.tourney}."
    elif not table.goes_on and table.countdown is None:
        about += _what_begins(table, person)
    return about


def _what_begins(table: Table, person: str) -> str:
    """What a person types who sits where no game runs."""
    if table.seat_of(person) is None:
        return ""
    if is_allowed(table, person, "bot"):
        return " Type bot to add a computer player, start to begin."
    return " Type ready to begin."


def summary_of(table: Table) -> TableSummary:
    table = table.shown
    return TableSummary(
        *(table.number, table.variant.name, table.phase),
        list_occupants(table),
        0 if table.goes_on else table.options.seats - len(table.roster),
        len(table.watchers),
        table.is_private,
        table.options.rated == "on",
        table.options.is_correspondence,
        tuple([number_of(seat) for seat in open_seats(table)]),
    )


def list_occupants(table: Table) -> str:
    return ", ".join([_occupant_text(table, occupant) for occupant in table.seats])


def _occupant_text(table: Table, occupant: Occupant) -> str:
    if occupant.is_computer:
        return f"{occupant.name} (computer, {occupant.level})"
    is_program = occupant.person is not None and table.is_program(occupant.person)
    return f"{occupant.name} [program]" if is_program else occupant.name


def _rename_sentences(table: Table, name: str) -> list[str]:
    """A computer player is renamed when a person of its name sits down."""
    return [
        f"{old.name} (computer) is now called {new.name}."
        for old, new in zip(table.roster, with_distinct_names(table.roster, name), strict=True)
        if old.name != new.name
    ]


def _start_sentence(table: Table, fact: f.Started) -> str:
    if fact.deal > 1:
        return match_texts.deal_begins(fact.deal, table.options.deals, fact.names)
    unusual = describe_unusual(table.variant, table.options)
    options = f" Options: {unusual}." if unusual else ""
    return f"The game starts: {table.variant.name}. {', '.join(fact.names)}.{options}"
