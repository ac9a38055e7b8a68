"""What one source and its network may hold and spend: one account of cost for the whole server.

Rule 1: a source is an IPv4 address or an IPv6 /64: one person can have many addresses of a /64.
        Its network is the IPv4 /24 or IPv6 /48: one tenant can have many sources of it.
Rule 2: a gauge counts what is held, and is given back; a rate is spent, and comes back with time.
        Both count for the source, for its network and for the server as a whole; the first of these
        that has no room refuses, and a refusal changes nothing.
Rule 3: while less than half of the whole is in use, shares are four times as large, so that a class
        or a club evening behind one address is not refused; a network's at most a quarter of the
        whole.  What was granted stays when the shares are narrow again.
Rule 4: the last fifth of the whole is only for networks that hold none or little of it, and for
        registered people where the limit says so.  So no network ever shuts the others out.
Rule 5: at most SOURCES_MAX sources and NETWORKS_MAX networks are remembered, those at rest are
        forgotten first; beyond that everybody new shares one entry: nothing is ever granted free.
Rule 6: all of it is in memory.  With doors, what concerns connections (DOOR_KINDS) is counted by
        each door, and outlives the game server.  A server that hands over to another one carries
        what was spent; after any other restart every source begins anew.
Rule 7: a rate with debt is charged for what has happened and is never refused: who has spent too
        much waits longer, and begins nothing new.  What a source spends first on a UTC day is
        charged as well, but never held up by its network.

After OpenSSH's PerSourceMaxStartups, PerSourceNetBlockSize and PerSourcePenalties.
"""

from __future__ import annotations

import ipaddress
import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from math import ceil
from typing import NamedTuple, NoReturn

from mudserver import metrics
from mudserver.clock import Clock
from mudserver.config.schema import Config
from mudserver.errors import UserError
from mudserver.rate_limit import TokenBucket
from variants.kit.text import quantity

SOURCES_MAX = 20_000
NETWORKS_MAX = 10_000
LOOKED_AT_MAX = 16  # entries looked at for one to forget
UTILITY_BURST = 3.0  # commands that take long, of a source at once; of a network twice as many
CHARGED_KEPT = 1_000  # who was charged less on a day may be forgotten on that day
WIDE_FACTOR = 4  # while there is room
DAY_S = 86_400.0
LOCAL = "local"  # the source of a socket without an address
DAY_MS = 86_400_000
FULL_DELAY_S = 60.0  # of debt: from here on a delay is as long as it may be

log = logging.getLogger("mudserver")


class Kind(StrEnum):
    """What is accounted for; the word of the log and of the metrics."""

    CONNECTIONS = "connections"
    WAITING = "waiting"
    ARRIVALS = "arrivals"
    FAILURES = "failures"
    GUESTS = "guests"
    REGISTRATIONS = "registrations"
    TABLES = "tables"
    CORRESPONDENCE = "correspondence"
    DECISIONS = "decisions"
    CHANGES = "changes"
    TALK = "talk"
    UTILITY = "utility"
    FULL_SCREENS = "full_screens"
    RESULTS = "results"
    REPLAYS = "replays"
    SEEKS = "seeks"


DOOR_KINDS = frozenset({Kind.CONNECTIONS, Kind.WAITING, Kind.ARRIVALS, Kind.FAILURES})
"""What concerns connections: counted by whoever holds them, a door or the server."""


class Level(StrEnum):
    """Who has no room left."""

    SOURCE = "source"
    NETWORK = "network"
    ALL = "all"


LEVELS = tuple(Level)  # asked often: iterating over an enumeration is slow


class Gauge(NamedTuple):
    """How many may be held at once."""

    per_source: int
    per_network: int
    all_max: int
    widens: bool = True  # rule 3
    spare: int = 1  # rule 4: the last fifth is for networks that hold fewer; 0: not kept
    spare_for_accounts: bool = False  # rule 4: and for everybody who is registered


class Debt(NamedTuple):
    """What a rate with debt has besides [rule 7]."""

    per_source_day: int  # in a UTC day
    per_network_day: int
    free_per_source_day: int  # so many are not held up by the network
    delay_max_s: float  # of what still goes on


class Rate(NamedTuple):
    """A sustained rate and a burst, of each level that has one."""

    per_source: tuple[float, float]
    per_network: tuple[float, float] | None = None
    all: tuple[float, float] | None = None
    keeps_last_fifth: bool = False  # rule 4: for networks that took nothing for a day
    debt: Debt | None = None  # rule 7


class Carried(NamedTuple):
    """What is left of a rate, and what was charged on a UTC day, for another process."""

    level: str
    name: str
    kind: str
    left: float
    per_s: float
    burst: float
    charged_day: int = 0
    charged: int = 0


Limits = dict[Kind, Gauge | Rate]


def limits_of(config: Config) -> Limits:
    """The limits as the settings have them."""
    sources, people = config.sources, config.people
    return {
        Kind.CONNECTIONS: Gauge(
            sources.connections_per_source_max,
            sources.connections_per_network_max,
            people.sessions_max,
            spare=20,
        ),
        Kind.WAITING: Gauge(
            sources.waiting_per_source_max,
            sources.waiting_per_network_max,
            config.door.waiting_max,
            spare=0,  # whoever waits longest makes room
        ),
        Kind.ARRIVALS: Rate(
            (sources.new_per_source_per_s, sources.new_per_source_burst),
            (sources.new_per_network_per_s, sources.new_per_network_burst),
        ),
        Kind.FAILURES: Rate(
            (1 / sources.failure_forgiven_s, sources.failures_per_source_max),
            (1 / sources.failure_network_forgiven_s, sources.failures_per_network_max),
        ),
        Kind.GUESTS: Gauge(
            sources.guests_per_source_max, sources.guests_per_network_max, people.guests_max
        ),
        Kind.REGISTRATIONS: Rate(
            _per_hour(sources.registrations_per_source_per_hour),
            _per_hour(sources.registrations_per_network_per_hour),
            _per_hour(sources.registrations_per_hour),
            keeps_last_fifth=True,
        ),
        Kind.TABLES: Gauge(
            sources.tables_per_source_max, sources.tables_per_network_max, config.tables.all_max
        ),
        Kind.CORRESPONDENCE: Gauge(
            sources.correspondence_per_source_max,
            sources.correspondence_per_network_max,
            config.tables.correspondence_max,
        ),
        Kind.DECISIONS: Rate(
            (sources.decisions_per_source_per_s, sources.decisions_per_source_burst),
            (sources.decisions_per_network_per_s, sources.decisions_per_network_burst),
            debt=Debt(
                sources.decisions_per_source_day,
                sources.decisions_per_network_day,
                sources.decisions_free_per_source_day,
                sources.decisions_delay_s,
            ),
        ),
        Kind.CHANGES: Rate((sources.changes_per_source_per_s, sources.changes_per_source_burst)),
        Kind.TALK: Rate(
            (sources.talk_per_source_per_s, sources.talk_per_source_burst),
            (sources.talk_per_network_per_s, sources.talk_per_network_burst),
        ),
        Kind.UTILITY: Rate(
            (1 / sources.utility_per_source_s, UTILITY_BURST),
            (1 / sources.utility_per_network_s, 2 * UTILITY_BURST),
        ),
        Kind.FULL_SCREENS: Gauge(
            sources.full_screens_per_source_max,
            sources.full_screens_per_network_max,
            config.session.full_screens_max,
            widens=False,
            spare_for_accounts=True,
        ),
        Kind.RESULTS: Rate(
            _per_day(sources.results_per_source_day), _per_day(sources.results_per_network_day)
        ),
        Kind.SEEKS: Gauge(
            sources.seeks_per_source_max, sources.seeks_per_network_max, config.tables.seeks_max
        ),
        Kind.REPLAYS: Gauge(
            sources.replays_per_source_max,
            sources.replays_per_network_max,
            config.results.replays_max,
        ),
    }


def _per_day(count: int) -> tuple[float, float]:
    return count / 86_400, count


def _per_hour(count: int) -> tuple[float, float]:
    return count / 3600, count


_FROM = {Level.SOURCE: "your address", Level.NETWORK: "your network"}
_FROM_OPENER = {
    Level.SOURCE: "the address that opened this table",
    Level.NETWORK: "the network that opened this table",
}
_REFUSALS = {
    Kind.CONNECTIONS: "Too many connections are open from {place}. Please try again later.",
    Kind.WAITING: "Too many people from {place} are logging in. Please try again in a minute.",
    Kind.ARRIVALS: "Too many connections from {place}. Please try again in a minute.",
    Kind.FAILURES: "Too many failed logins from {place}. Please wait a minute.",
    Kind.GUESTS: "Too many guests from {place}. Log in with a name, or register one.",
    Kind.REGISTRATIONS: "Too many registrations from {place}. Log in as guest, or try again in an"
    " hour.",
    Kind.TABLES: "Too many tables are open from {place}. Type tables to find a free seat.",
    Kind.CORRESPONDENCE: "Too many games by correspondence are open from {place}.",
    Kind.DECISIONS: "Too many games have been played from {place}. New games again in {wait}.",
    Kind.CHANGES: "Too many changes from {place} in a short time. Please wait a few seconds.",
    Kind.TALK: "Too many messages from {place}. Please wait a few seconds.",
    Kind.UTILITY: "This takes the server some time, and others from {place} are waiting for it."
    " Please try again in a few seconds.",
    Kind.FULL_SCREENS: "Too many full screens are open from {place}. Line mode has everything"
    " that the full screen has.",
    Kind.RESULTS: "Too many games from {place} have been recorded today.",
    Kind.REPLAYS: "Too many replays are open from {place}. Please try again in a few minutes.",
    Kind.SEEKS: "Too many people from {place} seek a game already. Type seeks to find one of them.",
}  # fmt: skip
_FULL = {  # nobody gets one, or, of the last fifth [rule 4], only others do
    Kind.CONNECTIONS: "The server is full. Please try again in a few minutes.",
    Kind.GUESTS: "No more guests can connect right now. Log in with a name, or register one.",
    Kind.REGISTRATIONS: "Too many registrations right now. Log in as guest, or try again in an"
    " hour.",
    Kind.TABLES: "All tables are taken. Type tables to find a free seat.",
    Kind.CORRESPONDENCE: "No more games by correspondence can be opened right now.",
    Kind.FULL_SCREENS: "All full screens are in use right now. Type screen on to try again.",
    Kind.REPLAYS: "Many games are being replayed right now. Please try again in a few minutes.",
    Kind.SEEKS: "Many people seek a game already. Type seeks to find one of them.",
}


def _refusal(kind: Kind, level: Level, wait_s: float, is_own: bool) -> str:
    place = (_FROM if is_own else _FROM_OPENER)[level]
    return _REFUSALS[kind].format(place=place, wait=quantity(ceil(wait_s / 60), "minute"))


class OverBudget(UserError):
    """There is no room; the text says what to do."""

    def __init__(
        self, kind: Kind, level: Level, wait_s: float = 0.0, *, is_own: bool = True
    ) -> None:
        sentence = _FULL[kind] if level is Level.ALL else _refusal(kind, level, wait_s, is_own)
        super().__init__(sentence, "full" if level is Level.ALL else "limit", wait_s=wait_s)
        self.kind, self.level = kind, level


def source_of(peer: str) -> str:
    """The source that an address counts against: itself, or its /64."""
    try:
        address = ipaddress.ip_address(peer.partition("%")[0])
    except ValueError:
        return LOCAL
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))


@lru_cache(NETWORKS_MAX)
def network_of(source: str) -> str:
    """The /24 or /48 that contains a source."""
    try:
        address = ipaddress.ip_network(source)
    except ValueError:
        return source  # a socket without an address
    return str(address.supernet(new_prefix=24 if address.version == 4 else 48))


@dataclass(slots=True)
class _Entry:
    """What one source or one network holds and has spent."""

    name: str
    held: dict[Kind, int]
    spent: dict[Kind, TokenBucket]
    taken_at_s: dict[Kind, float]  # of rates that keep their last fifth
    logged_on: dict[Kind, int]  # the UTC day of the last line in the log
    charged: dict[Kind, tuple[int, int]]  # UTC day, and what was charged on it [rule 7]

    def bucket(
        self, kind: Kind, rate: tuple[float, float], factor: int, now_s: float
    ) -> TokenBucket:
        """The bucket of a kind; what was spent stays spent when *factor* changes."""
        per_s, burst = rate[0] * factor, rate[1] * factor
        bucket = self.spent.get(kind)
        if bucket is None:
            bucket = self.spent[kind] = TokenBucket(per_s, burst, now_s)
        bucket.set_rate(now_s, per_s, burst)
        return bucket

    def charged_on(self, kind: Kind, today: int) -> int:
        day, count = self.charged.get(kind, (today, 0))
        return count if day == today else 0

    def is_at_rest(self, now_s: float, today: int) -> bool:
        return (
            not any(self.held.values())
            and all(bucket.is_full(now_s) for bucket in self.spent.values())
            and all(at_s + DAY_S <= now_s for at_s in self.taken_at_s.values())
            and all(self.charged_on(kind, today) < CHARGED_KEPT for kind in self.charged)
        )


class _Entries:
    """The entries of one level, least recently used first [rule 5]."""

    def __init__(self, entries_max: int) -> None:
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._entries_max = entries_max
        self._overflow = _new_entry("others")

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def all(self) -> Iterable[_Entry]:
        return self._entries.values()

    def entry(self, name: str, now_s: float, today: int) -> _Entry:
        found = self._entries.get(name)
        if found is None:
            if len(self._entries) >= self._entries_max and not self._forget_one(now_s, today):
                return self._overflow
            found = self._entries[name] = _new_entry(name)
        self._entries.move_to_end(name)
        return found

    def _forget_one(self, now_s: float, today: int) -> bool:
        for _ in range(LOOKED_AT_MAX):
            name, entry = self._entries.popitem(last=False)
            if entry.is_at_rest(now_s, today):
                return True
            self._entries[name] = entry
        return False


def _new_entry(name: str) -> _Entry:
    return _Entry(name, {}, {}, {}, {}, {})


class Hold:
    """One thing that is held; `release` gives it back, once."""

    __slots__ = ("_entries", "kind")

    def __init__(self, kind: Kind, entries: Sequence[_Entry]) -> None:
        self.kind, self._entries = kind, entries

    def release(self) -> None:
        for entry in self._entries:
            entry.held[self.kind] -= 1
        self._entries = ()


class SourceBudgets:
    """All accounts.  A *source* is what `source_of` says of an address.

    Args:
        kinds: What this process accounts for.
    """

    def __init__(self, config: Config, clock: Clock, kinds: Collection[Kind] = tuple(Kind)) -> None:
        self._clock, self._kinds = clock, kinds
        self._sources, self._networks = _Entries(SOURCES_MAX), _Entries(NETWORKS_MAX)
        self._all = _new_entry("all")
        self.is_roomy: dict[Kind, Callable[[], bool]] = {}
        """When the shares of a kind are wide, where that is not half of the whole [rule 3]."""
        self.make_room: dict[Kind, Callable[[], bool]] = {}
        """Called when all of a kind are held: gives one back.  False: none can be."""
        self.reconfigure(config)

    def reconfigure(self, config: Config) -> None:
        """Apply other limits from now on; what is held or was spent stays so."""
        self._limits = {
            kind: limit for kind, limit in limits_of(config).items() if kind in self._kinds
        }
        self._exempt = tuple(map(ipaddress.ip_network, config.sources.exempt))
        self._logs_addresses = config.server.log_addresses

    def carried(self) -> Iterator[Carried]:
        """What of rates was spent, and is not back yet."""
        now_s, today = self._clock.monotonic(), self._today()
        for level, entry in self._all_entries():
            for kind, bucket in entry.spent.items():
                count = entry.charged_on(kind, today)
                if not bucket.is_full(now_s) or count:
                    yield Carried(level, entry.name, kind, *bucket.state, today, count)

    def take_up(self, carried: Iterable[Carried]) -> None:
        """The same of a server that has handed over to this one; a kind that is unknown is not."""
        now_s, today = self._clock.monotonic(), self._today()
        for each in carried:
            if each.kind not in self._limits or not isinstance(self._limits[Kind(each.kind)], Rate):
                continue
            kind, entry = Kind(each.kind), self._all
            if each.level == Level.SOURCE:
                entry = self._sources.entry(each.name, now_s, today)
            elif each.level == Level.NETWORK:
                entry = self._networks.entry(each.name, now_s, today)
            bucket = TokenBucket(each.per_s, each.burst, now_s)
            bucket.try_consume(now_s, max(0.0, each.burst - max(0.0, each.left)))
            if each.left < 0:
                bucket.consume_with_debt(now_s, -each.left)
            entry.spent[kind] = bucket
            if each.charged:
                entry.charged[kind] = (each.charged_day, each.charged)

    def _all_entries(self) -> Iterator[tuple[Level, _Entry]]:
        for level, entries in ((Level.SOURCE, self._sources), (Level.NETWORK, self._networks)):
            for entry in entries.all():
                yield level, entry
        yield Level.ALL, self._all

    @property
    def sources(self) -> list[str]:
        """The sources that are remembered, the last one used at the end."""
        return list(self._sources)

    # -- gauges ------------------------------------------------------------------------------

    def hold(self, kind: Kind, source: str, *, is_account: bool = False) -> Hold:
        """Take one of a gauge for *source*.

        Raises:
            OverBudget: The source, its network or the server has none left.
        """
        limit, entries = self._gauge(kind), self._entries(source)
        network = entries[1]
        *shares, all_max = self.shares(kind, source)
        for level, entry, share in zip(LEVELS, entries, shares, strict=False):
            if entry.held.get(kind, 0) >= share:
                self._refuse(kind, level, entry)
        is_scarce = limit.spare and self.held(kind) >= limit.all_max - limit.all_max // 5
        may_have_spare = network.held.get(kind, 0) < limit.spare or (
            is_account and limit.spare_for_accounts
        )
        if is_scarce and not may_have_spare and not self.is_exempt(source):
            self._refuse(kind, Level.ALL, network)
        if self.held(kind) >= all_max and not self._make_room(kind):
            self._refuse(kind, Level.ALL, network)
        return self._hold(kind, entries)

    def hold_again(self, kind: Kind, source: str) -> Hold:
        """Count for *source* what was granted before a restart, whatever it holds by now."""
        return self._hold(kind, self._entries(source))

    @staticmethod
    def _hold(kind: Kind, entries: tuple[_Entry, ...]) -> Hold:
        for entry in entries:
            entry.held[kind] = entry.held.get(kind, 0) + 1
        return Hold(kind, entries)

    def _make_room(self, kind: Kind) -> bool:
        return kind in self.make_room and self.make_room[kind]()

    def held(self, kind: Kind, source: str = "") -> int:
        """How many are held by *source*; "": in all."""
        entry = self._entries(source)[0] if source else self._all
        return entry.held.get(kind, 0)

    def shares(self, kind: Kind, source: str, in_use: int | None = None) -> tuple[int, int, int]:
        """What this source, its network and all together may hold just now [rule 3].

        Args:
            in_use: Of the whole; None: as many as are held here.
        """
        limit = self._gauge(kind)
        all_max, in_use = limit.all_max, self.held(kind) if in_use is None else in_use
        if self.is_exempt(source):
            return all_max, all_max, all_max
        if not limit.widens or in_use >= all_max / 2:
            return limit.per_source, limit.per_network, all_max
        widest = max(limit.per_network, all_max // WIDE_FACTOR)
        return (
            max(limit.per_source, min(limit.per_source * WIDE_FACTOR, widest)),
            min(limit.per_network * WIDE_FACTOR, widest),
            all_max,
        )

    def _gauge(self, kind: Kind) -> Gauge:
        limit = self._limits[kind]
        assert isinstance(limit, Gauge), kind
        return limit

    # -- rates -------------------------------------------------------------------------------

    def take(self, kind: Kind, source: str) -> None:
        """Spend one of a rate for *source*.

        Raises:
            OverBudget: The source, its network or the server has none left.  Nothing is spent.
        """
        now_s = self._clock.monotonic()
        buckets = self._buckets(kind, source, now_s)
        for level, entry, bucket in buckets:
            if not bucket.has(now_s):
                self._refuse(kind, level, entry)
        if self._rate(kind).keeps_last_fifth:
            self._take_of_last_fifth(kind, source, now_s)
        for _, _, bucket in buckets:
            bucket.try_consume(now_s)

    def used_up(self, kind: Kind, source: str) -> list[Level]:
        """The levels that have nothing of a rate left, the last fifth aside."""
        now_s = self._clock.monotonic()
        buckets = self._buckets(kind, source, now_s)
        return [level for level, _, each in buckets if not each.has(now_s)]

    def spend(self, kind: Kind, source: str) -> int | None:
        """Spend one of a rate at each level that has one: there is no debt, and no refusal.

        Returns:
            How many the source has left; None if it had none to spend.
        """
        now_s, left = self._clock.monotonic(), None
        for level, _, bucket in self._buckets(kind, source, now_s):
            if bucket.try_consume(now_s) and level is Level.SOURCE:
                left = bucket.left(now_s)
        return left

    def _rate(self, kind: Kind) -> Rate:
        limit = self._limits[kind]
        assert isinstance(limit, Rate), kind
        return limit

    def _buckets(
        self, kind: Kind, source: str, now_s: float
    ) -> list[tuple[Level, _Entry, TokenBucket]]:
        rate = self._rate(kind)
        factor = self._factor(kind, rate, now_s)
        found = []
        for level, entry, each in zip(LEVELS, self._entries(source), rate[:3], strict=True):
            if each is None or (level is not Level.ALL and self.is_exempt(source)):
                continue
            widened = 1 if level is Level.ALL else factor
            found.append((level, entry, entry.bucket(kind, each, widened, now_s)))
        return found

    def _factor(self, kind: Kind, rate: Rate, now_s: float) -> int:
        """How many times as large the shares are just now [rule 3]."""
        if kind in self.is_roomy:
            has_room = self.is_roomy[kind]()
        else:
            has_room = rate.all is not None and self._is_left(kind, rate.all, 1 / 2, now_s)
        return WIDE_FACTOR if has_room else 1

    def _is_left(self, kind: Kind, rate: tuple[float, float], part: float, now_s: float) -> bool:
        return self._all.bucket(kind, rate, 1, now_s).has(now_s, rate[1] * part)

    def _take_of_last_fifth(self, kind: Kind, source: str, now_s: float) -> None:
        """Rule 4 for a rate: of the last fifth a network that took some today gets no more."""
        network, rate = self._entries(source)[1], self._rate(kind).all
        assert rate is not None
        last_s = network.taken_at_s.get(kind)
        is_fresh = last_s is None or last_s + DAY_S <= now_s
        if not (is_fresh or self.is_exempt(source) or self._is_left(kind, rate, 1 / 5, now_s)):
            self._refuse(kind, Level.ALL, network)
        network.taken_at_s[kind] = now_s

    # -- rates with debt ---------------------------------------------------------------------------

    def charge(self, kind: Kind, source: str, amount: int = 1) -> None:
        """Spend *amount* of a rate with debt; nothing refuses it [rule 7]."""
        now_s, today = self._clock.monotonic(), self._today()
        for _, entry, bucket in self._buckets(kind, source, now_s):
            bucket.consume_with_debt(now_s, amount)
            entry.charged[kind] = (today, entry.charged_on(kind, today) + amount)

    def wait_s(self, kind: Kind, source: str) -> float:
        """For how many seconds the source is in debt; 0.0: it is not."""
        return max((wait_s for _, _, wait_s in self._debts(kind, source)), default=0.0)

    def delay_s(self, kind: Kind, source: str) -> float:
        """By how many seconds what goes on is delayed, by how deep the source is in debt."""
        debt, wait_s = self._rate(kind).debt, self.wait_s(kind, source)
        assert debt is not None, kind
        return debt.delay_max_s * min(1.0, wait_s / FULL_DELAY_S)

    def check_debt(self, kind: Kind, source: str, *, is_own: bool = True) -> None:
        """Whether something new may begin.

        Args:
            is_own: The source is the reader's own; False: that of who opened the table.

        Raises:
            OverBudget: The source is in debt.
        """
        debts = self._debts(kind, source)
        if not debts:
            return  # exempt
        level, entry, wait_s = max(debts, key=lambda debt: debt[2])
        if wait_s > 0:
            self._refuse(kind, level, entry, wait_s, is_own=is_own)

    def _debts(self, kind: Kind, source: str) -> list[tuple[Level, _Entry, float]]:
        """Each level that can hold the source up, with the seconds until its debt is paid."""
        rate, now_s, today = self._rate(kind), self._clock.monotonic(), self._today()
        debt, factor = rate.debt, self._factor(kind, rate, now_s)
        assert debt is not None, kind
        day_max = {Level.SOURCE: debt.per_source_day, Level.NETWORK: debt.per_network_day}
        found: list[tuple[Level, _Entry, float]] = []
        for level, entry, bucket in self._buckets(kind, source, now_s):
            own = found[0][1] if found else entry
            if level is Level.NETWORK and own.charged_on(kind, today) < debt.free_per_source_day:
                continue
            wait_s = bucket.consume_with_debt(now_s, 0)
            if entry.charged_on(kind, today) >= day_max[level] * factor:
                wait_s = max(wait_s, self._day_left_s())
            found.append((level, entry, wait_s))
        return found

    def _today(self) -> int:
        return self._clock.now_ms() // DAY_MS

    def _day_left_s(self) -> float:
        return (DAY_MS - self._clock.now_ms() % DAY_MS) / 1000

    # -- both --------------------------------------------------------------------------------

    def is_exempt(self, source: str) -> bool:
        """Whether the host has put *source* under no limit of its own (`sources.exempt`).

        An exempt IPv6 address, such as ::1, makes its whole /64 exempt, since that is one source.
        """
        if not self._exempt:
            return False
        try:
            network = ipaddress.ip_network(source)
        except ValueError:
            return False  # a socket without an address
        return any(each.overlaps(network) for each in self._exempt)

    def _entries(self, source: str) -> tuple[_Entry, _Entry, _Entry]:
        now_s, today = self._clock.monotonic(), self._today()
        return (
            self._sources.entry(source, now_s, today),
            self._networks.entry(network_of(source), now_s, today),
            self._all,
        )

    def _refuse(
        self, kind: Kind, level: Level, entry: _Entry, wait_s: float = 0.0, *, is_own: bool = True
    ) -> NoReturn:
        """Rule 2; the first refusal of a day is one line of the log, so that the host learns it."""
        metrics.BUDGET_REFUSALS.increment(f"{kind},{level}")
        today = self._today()
        if level is not Level.ALL and entry.logged_on.get(kind) != today:
            entry.logged_on[kind] = today
            where = entry.name if self._logs_addresses else "-"
            log.info("budget used up kind=%s level=%s from=%s", kind, level, where)
        raise OverBudget(kind, level, wait_s, is_own=is_own)
