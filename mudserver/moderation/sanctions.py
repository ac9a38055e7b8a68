"""Mutes and bans: a fold over their events, and the decisions that lead to new ones.

Rule 1: `apply` accepts every event; it and `forget` alone change anything.  What is decided is
        written to the journal before it is applied.
Rule 2: whether a sanction is in force is judged by its end at each check; no timer has to run.
Rule 3: of one kind there is one in force for one target, which the service sees to.
Rule 4: a ban of an account is one of the keys that opened it then.  A ban of a network keeps out
        guests and new names; a hard one also accounts, but for staff with their key.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from mudserver.accounts.roles import Role
from mudserver.errors import UserError
from mudserver.moderation import texts
from mudserver.moderation.events import (
    SanctionChanged,
    SanctionEnded,
    SanctionKind,
    SanctionSet,
    StaffEvent,
    TargetKind,
)

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

SHARED = tuple(
    map(
        ipaddress.ip_network,
        ("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
         "172.16.0.0/12", "192.168.0.0/16", "224.0.0.0/3", "::/127", "fc00::/7", "fe80::/10",
         "ff00::/8"),
    )
)  # fmt: skip
"""Networks that no ban can name: they are this machine's, a provider's, or nobody's."""
LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128"))
FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")
WIDEST = {4: 16, 6: 32}  # shortest prefix of a ban


@dataclass(frozen=True, slots=True)
class Sanction:
    number: int
    kind: SanctionKind
    target_kind: TargetKind
    target: str
    until_ms: int | None
    reason: str
    by: str
    by_role: Role
    at_ms: int
    fingerprints: tuple[str, ...]
    is_hard: bool
    is_kick: bool
    name: str
    note: str
    seats: tuple[str, ...]
    report: int  # for which it was made; 0: none
    ended_ms: int | None = None  # when it was lifted, or was seen to have expired

    def is_in_force(self, now_ms: int) -> bool:
        return self.ended_ms is None and (self.until_ms is None or now_ms < self.until_ms)

    @property
    def is_lifted(self) -> bool:
        """Whether it was ended before its time."""
        return self.ended_ms is not None and (
            self.until_ms is None or self.ended_ms < self.until_ms
        )

    @property
    def verb(self) -> str:
        """The one whose limits it has, as in `PERMISSIONS`."""
        has_own = self.kind == "ban" and self.target_kind != "account"
        return f"ban {self.target_kind}" if has_own else self.kind


class Sanctions:
    def __init__(self) -> None:
        self._by_number: dict[int, Sanction] = {}
        self._by_target: dict[tuple[SanctionKind, TargetKind, str], list[int]] = {}
        self._by_key: dict[str, list[int]] = {}  # bans, by fingerprint
        self._networks: dict[int, Network] = {}  # bans of networks, by number
        self._by_seat: dict[str, list[int]] = {}  # bans, by the id of who has to leave a table

    # -- reading -------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Sanction]:
        """All that are stored, ended or not, the newest first."""
        return iter(sorted(self._by_number.values(), key=lambda it: -it.number))

    def stored(self, number: int) -> Sanction | None:
        """The one of that number, ended or not."""
        return self._by_number.get(number)

    def find(self, number: int, now_ms: int) -> Sanction:
        """The one of that number that is in force.  UserError: there is none."""
        found = self._by_number.get(number)
        if found is None or not found.is_in_force(now_ms):
            raise UserError(texts.NO_SANCTION.format(number), "not_found")
        return found

    def on(
        self, kind: SanctionKind, target_kind: TargetKind, target: str, now_ms: int
    ) -> Sanction | None:
        """The one in force on exactly this target."""
        numbers = self._by_target.get((kind, target_kind, target), ())
        return self._first_in_force(numbers, now_ms)

    def made_for(self, report: int, accused: Collection[str], since_ms: int, now_ms: int) -> int:
        """The number of the sanction that was made because of a report; 0: none.

        The newest that names the report and was not lifted, one in force before one that has
        expired, as a kick soon has; else the newest in force on whom it is about, made since then.

        Args:
            accused: The targets that whom the report is about has.
        """
        in_force = [it for it in self if it.is_in_force(now_ms)]
        named = [it for it in in_force if it.report == report]
        expired = [it for it in self if it.report == report and not it.is_lifted]
        since = [it for it in in_force if it.target in accused and it.at_ms >= since_ms]
        return next((it.number for it in (*named, *expired, *since)), 0)

    def ban_of_account(self, account_id: str, fingerprint: str, now_ms: int) -> Sanction | None:
        """What keeps an account out.  Args: fingerprint: of the key of this login; "": none."""
        banned = self.on("ban", "account", account_id, now_ms)
        return banned or self._first_in_force(self._by_key.get(fingerprint, ()), now_ms)

    def ban_of_guest(self, source: str, now_ms: int, guest_id: str = "") -> Sanction | None:
        """What keeps guests and new names of a source out.  Args: guest_id: "": a new one."""
        banned = self.on("ban", "guest", source, now_ms) or self.ban_of_network(source, now_ms)
        return banned or self.on("ban", "guest", guest_id, now_ms)

    def ban_of_network(self, source: str, now_ms: int, *, is_hard: bool = False) -> Sanction | None:
        """Args: is_hard: only one that keeps accounts out, too."""
        if not self._networks or (address := _network(source)) is None:
            return None
        for number, network in self._networks.items():
            sanction = self._by_number[number]
            is_meant = sanction.is_hard or not is_hard
            if is_meant and _contains(network, address) and sanction.is_in_force(now_ms):
                return sanction
        return None

    def takes_seat(self, person_id: str, since_ms: int, now_ms: int) -> bool:
        """Whether a ban takes the seat that the person has had since then.

        Who may come back, such as the owner of an account of which only a key is banned, keeps a
        seat taken later.
        """
        account = self.on("ban", "account", person_id, now_ms)
        if account is not None and not account.is_kick:
            return True
        bans = (self._by_number[number] for number in self._by_seat.get(person_id, ()))
        return any(it.is_in_force(now_ms) and since_ms <= it.at_ms for it in bans)

    def mute_of(self, account_id: str, source: str, now_ms: int) -> Sanction | None:
        """What silences somebody.  Args: account_id: "" for a guest, whose source counts."""
        if account_id:
            return self.on("mute", "account", account_id, now_ms)
        return self.on("mute", "guest", source, now_ms)

    def _first_in_force(self, numbers: Iterable[int], now_ms: int) -> Sanction | None:
        found = (self._by_number[number] for number in numbers)
        return next((sanction for sanction in found if sanction.is_in_force(now_ms)), None)

    def expired(self, now_ms: int) -> list[int]:
        """Numbers of those whose time is over, and that are not known to have ended."""
        return [
            number
            for number, it in self._by_number.items()
            if it.ended_ms is None and not it.is_in_force(now_ms)
        ]

    def ended_before(self, before_ms: int) -> list[int]:
        """Numbers of those that ended before."""
        found = self._by_number.items()
        return [n for n, it in found if it.ended_ms is not None and it.ended_ms < before_ms]

    # -- the fold ------------------------------------------------------------------------------

    def apply(self, number: int, event: StaffEvent) -> None:
        match event:
            case SanctionSet():
                self._add(number, event)
            case SanctionChanged(until_ms=until_ms, reason=reason):
                before = self._by_number[number]
                self._by_number[number] = replace(before, until_ms=until_ms, reason=reason)
            case SanctionEnded(at_ms=at_ms):
                self._by_number[number] = replace(self._by_number[number], ended_ms=at_ms)
                self._networks.pop(number, None)

    def _add(self, number: int, fact: SanctionSet) -> None:
        self._by_number[number] = Sanction(
            *(number, fact.kind, fact.target_kind, fact.target, fact.until_ms, fact.reason),
            *(fact.by, fact.by_role, fact.at_ms, fact.fingerprints, fact.is_hard, fact.is_kick),
            *(fact.name, fact.note, fact.seats, fact.report),
        )
        for person in fact.seats:
            self._by_seat.setdefault(person, []).append(number)
        self._by_target.setdefault((fact.kind, fact.target_kind, fact.target), []).append(number)
        if fact.kind == "ban":
            own = (fact.target,) if fact.target_kind == "key" else fact.fingerprints
            for fingerprint in own:
                self._by_key.setdefault(fingerprint, []).append(number)
            if fact.target_kind == "network" and (network := _network(fact.target)):
                self._networks[number] = network

    def forget(self, number: int) -> None:
        """Its stream was removed from the journal."""
        gone = self._by_number.pop(number, None)
        if gone is not None:
            self._by_target[gone.kind, gone.target_kind, gone.target].remove(number)
            for numbers in self._by_key.values():
                if number in numbers:
                    numbers.remove(number)
            self._networks.pop(number, None)
            for person in gone.seats:
                self._by_seat[person].remove(number)
                if not self._by_seat[person]:
                    del self._by_seat[person]


def is_in_network(source: str, network: str) -> bool:
    """Whether a source is one of the network of a ban."""
    address, banned = _network(source), _network(network)
    return address is not None and banned is not None and _contains(banned, address)


def check_fingerprint(typed: str) -> None:
    """UserError: this is not the form of a key's fingerprint."""
    if not FINGERPRINT.fullmatch(typed):
        raise UserError(texts.NOT_A_FINGERPRINT.format(typed[:50]), "usage")


def parse_network(typed: str, own_source: str, proxies: Sequence[str]) -> str:
    """The network of a ban as it is stored.

    Args:
        own_source: Of the session of who bans; "": none.
        proxies: `door.proxy_from`.

    Raises:
        UserError: No network, too wide, or one that no ban can name.
    """
    network = _network(typed)
    if network is None:
        raise UserError(texts.NOT_A_NETWORK.format(typed[:50]), "usage")
    if network.prefixlen < WIDEST[network.version]:
        raise UserError(texts.NETWORK_TOO_WIDE.format(WIDEST[4], WIDEST[6]))
    kept = [*SHARED, *(each for each in map(_network, proxies) if each is not None)]
    if any(_contains(network, each) or _contains(each, network) for each in kept):
        raise UserError(texts.NETWORK_OF_SERVER)
    own = _network(own_source)
    if own is not None and _contains(network, own):
        raise UserError(texts.NETWORK_OF_ACTOR)
    return str(network)


def check_source(source: str, proxies: Sequence[str]) -> None:
    """UserError: a ban of guests from there would meet everybody behind a proxy, or this machine.

    Args: as of `is_shared`.
    """
    if is_shared(source, proxies):
        raise UserError(texts.NETWORK_OF_SERVER)


def is_shared(source: str, proxies: Sequence[str]) -> bool:
    """Whether it is the address of a proxy, or of this machine, and so nobody's own.

    Args:
        source: An address or an IPv6 /64.
        proxies: `door.proxy_from`.
    """
    network = _network(source)
    kept = [*LOOPBACK, *(each for each in map(_network, proxies) if each is not None)]
    return network is not None and any(
        _contains(network, each) or _contains(each, network) for each in kept
    )


def _network(text: str) -> Network | None:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None


def _contains(network: Network, other: Network) -> bool:
    return network.version == other.version and network.supernet_of(other)  # type: ignore[arg-type]
