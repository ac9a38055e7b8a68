"""Tournaments, as commands use them: who may do what, and the pages.

Rule 1: accounts open and play them, one open tournament of each; helpers and above have
        STAFF_OPEN_MAX.  Guests read.
Rule 2: the organiser starts, drops, seats and closes; so do moderators and above, for others.
Rule 3: each change is charged to the account and its source, as any change of an account.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import ceil

from mudserver.accounts.account import Account
from mudserver.accounts.person import Person
from mudserver.accounts.roles import RANK
from mudserver.clock import Clock, minute_in_zone_ms
from mudserver.errors import UserError
from mudserver.game_files import find_variant
from mudserver.messages import Page
from mudserver.results.pools import CORRESPONDENCE
from mudserver.service import tourney_pages as pages
from mudserver.service.account_service import AccountService
from mudserver.service.moderation import Moderation, parse_reason
from mudserver.service.tourney_pages import Reader
from mudserver.service.tourney_streams import Decide, TourneyStreams
from mudserver.tables.options import parse_typed_options
from mudserver.tables.presets import ONE_PRESET, STANDARD, presets_of
from mudserver.tourneys import texts
from mudserver.tourneys.events import AnyTourneyEvent, ClosedWhy, DroppedWhy, TourneyOpened
from mudserver.tourneys.points import SEATS_MAX
from mudserver.tourneys.tourney import ENTRIES_MIN, START_MS, Tourney
from variants.catalogue import AnyVariant, Catalogue
from variants.kit.text import join_words

STAFF_OPEN_MAX = 5
TITLE_CHARS = range(3, 31)
MINUTES_OF_OTHERS = 20  # of a game of which nobody has said how long it takes
ROUND_FACTOR = 3  # a round ends after so many times the usual length of a game
ROUND_MOVES = 7  # by correspondence after so many times the time for a move

NUMBERS: Mapping[str, tuple[range, int]] = {
    "rounds": (range(1, 10), 3),
    "max": (range(ENTRIES_MIN, 129), 64),
    "break": (range(1, 61), 3),  # minutes
}
"""What is typed as a number, with its default."""

FIXED = {"kibitz": "off", "substitutes": "off", "hints": "off", "bots": "owner"}
"""Options of all tables of tournaments."""
NOT_TYPED = frozenset({*FIXED, "who", "code", "fill", "deals", "between", "pace", "absence"})


class Tourneys:
    """Args:
    is_program: Whether a program reads in the person's session, or the account is one's.
    open_max: How many tournaments can be open at once.
    gone: Who plays in a tournament and can't any more, and why.
    greeting: What somebody reads of a tournament at login; "": nothing.
    check_seats: UserError: the person has too many games by correspondence.
    charge: Count a change of the account.
    charge_talk: Count a line that others read.  UserError: the person is muted.
    """

    def __init__(
        self,
        clock: Clock,
        catalogue: Catalogue,
        streams: TourneyStreams,
        accounts: AccountService,
        moderation: Moderation,
        is_program: Callable[[str], bool],
        open_max: Callable[[], int],
        gone: Callable[[Tourney], Mapping[str, DroppedWhy]],
        greeting: Callable[[Tourney, str], str],
        check_seats: Callable[[str], None],
        charge: Callable[[Person], None],
        charge_talk: Callable[[str], None],
    ) -> None:
        self._clock, self._catalogue, self._streams = clock, catalogue, streams
        self._account_service, self._accounts = accounts, accounts.streams.accounts
        self._moderation, self._is_program = moderation, is_program
        self._open_max, self._gone, self._check_seats = open_max, gone, check_seats
        self._greeting = greeting
        self._charge, self._charge_talk = charge, charge_talk
        self.take_to_seat: Callable[[str], bool] = lambda person: False
        """Has a person who is here go to the seat on another server, if that can be."""

    def greetings(self, person: Person) -> list[str]:
        """What is read at login, of each tournament that the person plays in."""
        told = [self._greeting(it, person.id) for it in self._streams.open_ones()]
        return [text for text in told if text]

    # -- pages ---------------------------------------------------------------------------------

    def list_page(self, person: Person) -> Page:
        return pages.list_page(self._streams.all(), self._reader(person))

    async def about_page(self, person: Person, number: int) -> Page:
        """UserError: there is no such tournament.  So with the other pages."""
        return pages.about_page(await self._streams.find(number), self._reader(person))

    async def standings_page(self, person: Person, number: int) -> Page:
        return pages.standings_page(await self._streams.find(number), self._reader(person))

    async def round_page(self, person: Person, number: int) -> Page:
        tourney = await self._streams.find(number)
        if tourney.round is None:
            raise UserError(texts.NO_ROUND.format(number), "not_found")
        return pages.round_page(tourney, self._reader(person))

    def _reader(self, person: Person) -> Reader:
        zone = self._accounts.preference(person.id, "timezone")
        return Reader(person.id, zone, self._name, lambda it: self._accounts.by_id(it) is not None)

    def _name(self, person: str) -> str:
        return self._accounts.name_of(person, "former player")

    # -- opening -------------------------------------------------------------------------------

    async def open(self, person: Person, words: Sequence[str]) -> str:
        """Args: words: `GAME TITLE... [correspondence] [OPTION=VALUE...]`.

        UserError: whatever is wrong.
        """
        account = self._account(person)
        if not words:
            raise UserError(texts.USAGE, "usage")
        variant = find_variant(words[0], self._catalogue)
        title = [word for word in words[1:] if "=" not in word]
        typed = dict(word.lower().split("=", 1) for word in words[1:] if "=" in word)
        if title and title[-1].lower() == CORRESPONDENCE:
            typed["preset"] = _only_preset(title.pop().lower(), typed)
        opened = self._opened(account, variant, self._title(title), typed)
        self._check_may_open(account)
        self._charge_talk(person.id)
        self._charge(person)

        def check() -> None:
            self._check_may_open(account)

        number = await self._account_service.run_to_completion(self._streams.open(opened, check))
        return texts.YOU_OPEN.format(number)

    def _check_may_open(self, account: Account) -> None:
        open_ones = self._streams.open_ones()
        own = [it.number for it in open_ones if it.opened.by == account.id]
        is_staff = RANK[account.role] >= RANK["helper"]
        if len(own) >= (STAFF_OPEN_MAX if is_staff else 1):
            raise UserError(texts.TOO_MANY.format(len(own), own[0]), "limit")
        if len(open_ones) >= self._open_max():
            raise UserError(texts.TOO_MANY_HERE.format(len(open_ones)), "limit")

    def _title(self, words: Sequence[str]) -> str:
        title = " ".join(words)
        form = TITLE_CHARS[0], TITLE_CHARS[-1]
        if len(title) not in TITLE_CHARS or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9 '-]*", title):
            raise UserError(texts.TITLE.format(*form, texts.TITLE_EXAMPLE), "usage")
        joined = "".join(words)
        rules = self._accounts.name_rules
        if any(rules.is_denied(re.sub("[ '-]", "", it)) for it in (*words, joined)):
            raise UserError(texts.TITLE_DENIED)
        return title

    def _opened(
        self, account: Account, variant: AnyVariant, title: str, typed: dict[str, str]
    ) -> TourneyOpened:
        numbers = {name: _number(typed.pop(name, ""), name) for name in NUMBERS}
        noshow = typed.pop("noshow", "")
        start_ms = self._start_ms(account, typed.pop("start", ""))
        programs = typed.pop("programs", "off")
        if not_here := NOT_TYPED & typed.keys():
            fixed = join_words([f"{name}={FIXED[name]}" for name in FIXED])
            raise UserError(f"{min(not_here)} can't be set. {texts.NOT_IN_TOURNEYS.format(fixed)}")
        seats = self._seats(variant, typed)
        typed |= {**FIXED, "seats": str(seats), "programs": programs}
        if typed.get("rated") != "on":
            typed.pop("rated", None)
        options = parse_typed_options(variant, typed)
        if options.deals > 1 or not options.clocks:
            raise UserError(texts.NOT_IN_TOURNEYS.format("one game, with its clocks"))
        if options.is_correspondence:
            round_max_s, noshow_s = ROUND_MOVES * options.move_s, _no_noshow(noshow)
        else:
            minutes = _minutes(variant, typed.get("preset", STANDARD.name))
            round_max_s = ROUND_FACTOR * minutes * 60
            noshow_s = 60 * _in_range(noshow or "3", "noshow", range(1, 16))
        named = tuple(f"{name}={value}" for name, value in typed.items())
        return TourneyOpened(
            self._clock.now_ms(),
            *(account.id, title, variant.name, named, numbers["rounds"], seats, start_ms),
            *(numbers["max"], numbers["break"] * 60, noshow_s, round_max_s),
            programs == "on",
            options.move_s,
        )

    def _seats(self, variant: AnyVariant, typed: Mapping[str, str]) -> int:
        """As typed; else those of the preset; else four, or as many as there are."""
        allowed = range(variant.seats[0], min(variant.seats[-1], SEATS_MAX) + 1)
        preset = presets_of(variant).get(typed.get("preset", ""), STANDARD)
        usual = preset.values.get("seats", str(min(4, allowed[-1])))
        seats = _in_range(typed.get("seats", usual), "seats", range(2, SEATS_MAX + 1))
        # Two at a table are not to be avoided: rounds have the fewest tables, of like size.
        if seats not in allowed or 2 not in allowed:
            raise UserError(
                texts.NO_SUCH_SEATS.format(variant.name, allowed[0], allowed[-1], seats), "usage"
            )
        return seats

    def _start_ms(self, account: Account, typed: str) -> int:
        if not typed:
            return 0
        zone = self._accounts.preference(account.id, "timezone")
        start_ms, now_ms = minute_in_zone_ms(typed, zone), self._clock.now_ms()
        if start_ms is None:
            raise UserError(texts.START_FORM.format(zone), "usage")
        if not now_ms < start_ms <= now_ms + START_MS:
            raise UserError(texts.START_RANGE, "usage")
        return start_ms

    # -- changes -------------------------------------------------------------------------------

    async def join(self, person: Person, number: int) -> str:
        account, at_ms = self._account(person), self._clock.now_ms()
        tourney = await self._streams.find(number)
        self._check_program(account, tourney)

        def decide(now: Tourney) -> Sequence[AnyTourneyEvent]:
            events = now.enter(account.id, at_ms)
            if now.is_slow:
                self._check_seats(account.id)
            return events

        await self._change(person, number, decide)
        zone = self._accounts.preference(account.id, "timezone")
        starts_ms = tourney.opened.start_ms
        when = Reader("", zone, self._name, bool).when(starts_ms) if starts_ms else ""
        return texts.YOU_JOIN.format(number, when or texts.BY_ORGANISER)

    async def withdraw(self, person: Person, number: int) -> str:
        account, at_ms = self._account(person), self._clock.now_ms()
        await self._change(person, number, lambda now: now.withdraw(account.id, at_ms))
        return texts.YOU_WITHDRAW.format(number)

    async def start(self, person: Person, number: int) -> str:
        account = await self._organiser(person, number)
        at_ms = self._clock.now_ms()

        def decide(now: Tourney) -> Sequence[AnyTourneyEvent]:
            return now.start(account.id, at_ms, self._gone(now))

        await self._change(person, number, decide)
        return texts.YOU_START.format(number)

    async def drop(self, person: Person, number: int, name: str) -> str:
        account = await self._organiser(person, number)
        other, at_ms = self._named(name, number, "drop"), self._clock.now_ms()

        def decide(now: Tourney) -> Sequence[AnyTourneyEvent]:
            return now.drop(other.id, other.name, "organiser", account.id, at_ms)

        await self._change(person, number, decide)
        return texts.YOU_DROP.format(other.name, number)

    async def seat(self, person: Person, number: int, name: str) -> str:
        """Take somebody back in who was dropped: nobody enters others."""
        account = await self._organiser(person, number)
        other, at_ms = self._named(name, number, "seat"), self._clock.now_ms()
        self._check_program(other, await self._streams.find(number))
        await self._change(
            person, number, lambda now: now.seat(other.id, other.name, account.id, at_ms)
        )
        return texts.YOU_SEAT.format(other.name, number)

    async def close(self, person: Person, number: int, reason: str) -> str:
        account = await self._organiser(person, number)
        if not reason:
            raise UserError(texts.SAY_WHY.format(number), "usage")
        said, at_ms = parse_reason(reason)[0], self._clock.now_ms()
        self._charge_talk(person.id)
        await self._change(
            person, number, lambda now: now.close(self._by(account, now), account.id, said, at_ms)
        )
        return texts.YOU_CLOSE.format(number)

    def _by(self, account: Account, tourney: Tourney) -> ClosedWhy:
        return "organiser" if tourney.opened.by == account.id else "staff"

    async def _change(self, person: Person, number: int, decide: Decide) -> None:
        self._charge(person)
        await self._account_service.run_to_completion(self._streams.change(number, decide))

    # -- who -----------------------------------------------------------------------------------

    def _account(self, person: Person) -> Account:
        account = self._accounts.by_id(person.id)
        if account is None:
            raise UserError(texts.GUESTS, "not_allowed")
        return account

    def _named(self, name: str, number: int, what: str) -> Account:
        if not name:
            raise UserError(texts.SAY_WHO.format(number, what), "usage")
        account = self._accounts.find(name)
        if account is None:
            raise UserError(texts.UNKNOWN_NAME.format(name[:16]), "not_found")
        return account

    async def _organiser(self, person: Person, number: int) -> Account:
        """[rule 2] UserError: the person is not."""
        account, tourney = self._account(person), await self._streams.find(number)
        is_staff = RANK[account.role] >= RANK["moderator"]
        if tourney.opened.by != account.id and not is_staff:
            name = self._name(tourney.opened.by)
            raise UserError(texts.ONLY_ORGANISER.format(name), "not_allowed")
        return account

    def _check_program(self, account: Account, tourney: Tourney) -> None:
        is_program = account.is_program or self._is_program(account.id)
        if is_program and not tourney.opened.programs:
            raise UserError(texts.NO_PROGRAMS.format(tourney.number), "not_allowed")


def _only_preset(name: str, typed: Mapping[str, str]) -> str:
    """UserError: another one is typed as well."""
    if "preset" in typed:
        raise UserError(ONE_PRESET.format(join_words([name, typed["preset"]])), "usage")
    return name


def _no_noshow(typed: str) -> int:
    """UserError: it is typed where nobody has to be there."""
    if typed:
        raise UserError(texts.NOSHOW_LIVE, "usage")
    return 0


def _number(typed: str, name: str) -> int:
    allowed, default = NUMBERS[name]
    return _in_range(typed, name, allowed) if typed else default


def _in_range(typed: str, name: str, allowed: range) -> int:
    number = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 5 else -1
    if number not in allowed:
        raise UserError(texts.NUMBER.format(name, allowed[0], allowed[-1]), "usage")
    return number


def _minutes(variant: AnyVariant, preset: str) -> int:
    """About how long a game takes.  Args: preset: as typed: other seats make no other minutes."""
    known = {it.name: it.minutes for it in variant.presets}
    minutes = known.get(preset) or known.get(STANDARD.name) or MINUTES_OF_OTHERS
    return ceil(minutes)
