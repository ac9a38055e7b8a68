"""Rules that concern several settings: what makes no sense together.

Rule 1: every contradiction is named, with both settings and their values.
Rule 2: nothing is said of a setting whose own value is wrong already.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable, Container, Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from mudserver.config.schema import Config, split_address
from mudserver.config.setting_info import to_toml, value_of
from mudserver.errors import ConfigError
from mudserver.protocols import LISTENERS
from variants.kit.text import join_words

MIB = 1_048_576
SOCKET_BYTES_MAX = 100  # of the 108 of sun_path, unix(7)
ADDRESSES = (*(f"server.{name}" for name in LISTENERS), "metrics.address", "wall.tls")

TAKEN_CHANNELS = {"lobby", "staff", "table", "tell"}  # of the server, and of GMCP

# The first must not be more than the second.
ORDERED = (
    ("door.ssh_packet_bytes", "door.ssh_window_bytes"),
    ("door.output_lag_bytes", "door.output_bytes_max"),
    # what one source may do, its network may do
    ("sources.connections_per_source_max", "sources.connections_per_network_max"),
    ("sources.waiting_per_source_max", "sources.waiting_per_network_max"),
    ("sources.new_per_source_per_s", "sources.new_per_network_per_s"),
    ("sources.new_per_source_burst", "sources.new_per_network_burst"),
    ("sources.failures_per_source_max", "sources.failures_per_network_max"),
    ("sources.failure_network_forgiven_s", "sources.failure_forgiven_s"),
    ("sources.guests_per_source_max", "sources.guests_per_network_max"),
    ("sources.registrations_per_source_per_hour", "sources.registrations_per_network_per_hour"),
    ("sources.tables_per_source_max", "sources.tables_per_network_max"),
    ("sources.correspondence_per_source_max", "sources.correspondence_per_network_max"),
    ("sources.seeks_per_source_max", "sources.seeks_per_network_max"),
    ("sources.decisions_per_source_per_s", "sources.decisions_per_network_per_s"),
    ("sources.decisions_per_source_burst", "sources.decisions_per_network_burst"),
    ("sources.decisions_per_source_day", "sources.decisions_per_network_day"),
    ("sources.talk_per_source_per_s", "sources.talk_per_network_per_s"),
    ("sources.talk_per_source_burst", "sources.talk_per_network_burst"),
    ("sources.utility_per_network_s", "sources.utility_per_source_s"),
    ("sources.results_per_source_day", "sources.results_per_network_day"),
    ("sources.replays_per_source_max", "sources.replays_per_network_max"),
    ("sources.full_screens_per_source_max", "sources.full_screens_per_network_max"),
)
# The same, where somebody has set both: the first would never apply.  Where only the second was
# lowered, a default that never applies does no harm.
ORDERED_IF_SET = (
    ("sources.waiting_per_network_max", "door.waiting_max"),
    ("door.failures_per_connection_max", "sources.failures_per_source_max"),
    ("door.failures_telnet_max", "sources.failures_per_source_max"),
    ("door.tls_handshake_s", "door.login_s"),
    ("door.proxy_header_s", "door.login_s"),
    ("session.line_chars_max", "session.paste_chars_max"),
    ("chat.chars_max", "session.line_chars_max"),
    ("sources.connections_per_network_max", "people.sessions_max"),
    ("sources.guests_per_network_max", "people.guests_max"),
    ("sources.registrations_per_network_per_hour", "sources.registrations_per_hour"),
    ("sources.tables_per_network_max", "tables.all_max"),
    ("sources.correspondence_per_network_max", "tables.correspondence_max"),
    ("sources.seeks_per_network_max", "tables.seeks_max"),
    ("tables.correspondence_opened_max", "tables.correspondence_per_person_max"),
    ("sources.full_screens_per_network_max", "session.full_screens_max"),
    ("people.guests_max", "people.sessions_max"),
    ("tables.per_guest_max", "tables.per_person_max"),
    ("tables.per_person_max", "tables.all_max"),
)


class Contradiction(NamedTuple):
    paths: tuple[str, ...]
    sentence: str


def check_consistency(config: Config) -> None:
    """ConfigError: settings contradict each other."""
    if found := list(find_contradictions(config)):
        raise ConfigError(*(one.sentence for one in found))


def find_contradictions(
    config: Config, wrong: Container[str] = (), given: Container[str] = ()
) -> Iterator[Contradiction]:
    """What contradicts each other.

    Args:
        wrong: The settings whose own value is wrong.
        given: Those that somebody has set.
    """
    pairs = [*ORDERED, *(pair for pair in ORDERED_IF_SET if all(path in given for path in pair))]
    found = [one for rule in _RULES for one in rule(config)]
    for one in (*found, *_limits_are_ordered(config, pairs)):
        if not any(path in wrong for path in one.paths):
            yield one


def _has_listener(config: Config) -> Iterator[Contradiction]:
    if not any(getattr(config.server, name) for name in LISTENERS):
        names = join_words(LISTENERS)
        sentence = f"server.ssh: there is no listener: set one of {names}"
        yield Contradiction(tuple(f"server.{name}" for name in LISTENERS), sentence)


def _tls_has_files(config: Config) -> Iterator[Contradiction]:
    server = config.server
    if server.tls and not (server.tls_cert and server.tls_key):
        sentence = "server.tls: needs the files tls_cert and tls_key as well"
        yield Contradiction(("server.tls", "server.tls_cert", "server.tls_key"), sentence)


def _socket_name_is_short(config: Config) -> Iterator[Contradiction]:
    games = [it.removeprefix("unix:") for it in config.wall.games if not it.startswith("tls:")]
    named = [("wall.socket", config.wall.socket), *(("wall.games", it) for it in games)]
    for setting, name in named:
        length = len(os.fsencode(name))
        if length > SOCKET_BYTES_MAX:
            sentence = (
                f"{setting}: the name has {length} bytes, at most {SOCKET_BYTES_MAX} fit the"
                " address of a socket: choose a shorter one, such as /run/mudserver/game.sock"
            )
            yield Contradiction((setting,), sentence)


def _walls_between_machines_have_files(config: Config) -> Iterator[Contradiction]:
    wall, files = config.wall, ("wall.ca", "wall.cert", "wall.key")
    remote = [it.removeprefix("tls:") for it in wall.games if it.startswith("tls:")]
    for setting, is_used in (("wall.tls", bool(wall.tls)), ("wall.games", bool(remote))):
        if is_used and not (wall.ca and wall.cert and wall.key):
            sentence = f"{setting}: TLS needs the files wall.ca, cert and key: mudserver wall-cert"
            yield Contradiction((setting, *files), sentence)
    for address in remote:
        try:
            split_address(address)
        except ConfigError as exc:
            yield Contradiction(("wall.games",), f"wall.games: {exc}")


def _ports_differ(config: Config) -> Iterator[Contradiction]:
    given = [(path, address) for path in ADDRESSES if (address := value_of(config, path))]
    for (one, its_address), (other, address) in combinations(given, 2):
        if _is_same_port(its_address, address):
            sentence = f"{other}: {address} is taken by {one} = {its_address}; choose another port"
            yield Contradiction((one, other), sentence)


def _is_same_port(one: str, other: str) -> bool:
    """Whether only one of two listeners can have its address."""
    (host, port), (other_host, other_port) = split_address(one), split_address(other)
    if port != other_port or not port:  # 0: any free port
        return False
    if host == other_host:
        return True
    try:
        hosts = ipaddress.ip_address(host), ipaddress.ip_address(other_host)
    except ValueError:  # a name: the start looks it up
        return False
    return hosts[0].version == hosts[1].version and any(ip.is_unspecified for ip in hosts)


def _metrics_are_private(config: Config) -> Iterator[Contradiction]:
    address = config.metrics.address
    if address and not config.metrics.allow_remote:
        try:
            check_loopback(split_address(address)[0])
        except ConfigError as exc:
            yield Contradiction(("metrics.address", "metrics.allow_remote"), str(exc))


def check_loopback(host: str) -> None:
    """ConfigError if *host* is not loopback: anybody who reaches it can read the metrics."""
    try:
        is_own = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_own = False
    if not is_own:
        raise ConfigError(
            f"metrics.address: {host} is not loopback, and metrics need no login: choose "
            "127.0.0.1, or set metrics.allow_remote to true"
        )


def _a_record_fits_the_journal(config: Config) -> Iterator[Contradiction]:
    if config.journal.record_bytes_max > config.journal.size_mib_max * MIB:
        yield _too_much(config, "journal.record_bytes_max", "journal.size_mib_max")


def _the_lease_outlives_heartbeats(config: Config) -> Iterator[Contradiction]:
    journal = config.journal
    if journal.postgres and journal.lease_s < 2 * journal.heartbeat_s:
        sentence = (
            f"journal.lease_s = {journal.lease_s} is less than twice journal.heartbeat_s ="
            f" {journal.heartbeat_s}: raise it, or lower the other"
        )
        yield Contradiction(("journal.lease_s", "journal.heartbeat_s"), sentence)


def _a_server_has_a_plain_name(config: Config) -> Iterator[Contradiction]:
    if not re.fullmatch("[a-z0-9-]*", config.journal.server):
        sentence = "journal.server: small letters, digits and - only, such as g1"
        yield Contradiction(("journal.server",), sentence)


def has_password(address: str) -> bool:
    return "password=" in address or re.search(r"://[^/@:]*:[^/@]*@", address) is not None


def _postgres_has_no_password(config: Config) -> Iterator[Contradiction]:
    if has_password(config.journal.postgres):
        sentence = "journal.postgres: a password has no place in it: use PGPASSFILE or ~/.pgpass"
        yield Contradiction(("journal.postgres",), sentence)


def _postgres_has_its_own_backups(config: Config) -> Iterator[Contradiction]:
    if config.journal.postgres and config.backup.directory:
        sentence = (
            "backup.directory: the journal is in PostgreSQL, which has its own backups: leave it"
            " empty, see docs/hosting-many.md"
        )
        yield Contradiction(("journal.postgres", "backup.directory"), sentence)


def _channels_are_new_names(config: Config) -> Iterator[Contradiction]:
    names = config.chat.channels
    for name in sorted({*names}):
        if name in TAKEN_CHANNELS:
            yield Contradiction(
                ("chat.channels",), f"chat.channels: {name!r} exists already; leave it out"
            )
        elif names.count(name) > 1:
            yield Contradiction(
                ("chat.channels",), f"chat.channels: {name!r} stands there twice; write it once"
            )


def _the_notify_command_is_a_path(config: Config) -> Iterator[Contradiction]:
    command = config.notify.command
    if command and not os.path.isabs(command[0]):
        sentence = (
            f"notify.command: {command[0]!r} is no path: write it from / on, such as"
            ' ["/etc/mudserver/notify"]'
        )
        yield Contradiction(("notify.command",), sentence)


def _limits_are_ordered(
    config: Config, pairs: Iterable[tuple[str, str]]
) -> Iterator[Contradiction]:
    for lower, higher in pairs:
        if value_of(config, lower) > value_of(config, higher):
            yield _too_much(config, lower, higher)


def _too_much(config: Config, lower: str, higher: str) -> Contradiction:
    less, more = (to_toml(value_of(config, path)) for path in (lower, higher))
    sentence = f"{lower} = {less} is more than {higher} = {more}: lower it, or raise the other"
    return Contradiction((lower, higher), sentence)


_RULES: tuple[Callable[[Config], Iterator[Contradiction]], ...] = (
    _has_listener,
    _tls_has_files,
    _socket_name_is_short,
    _walls_between_machines_have_files,
    _ports_differ,
    _metrics_are_private,
    _a_record_fits_the_journal,
    _the_lease_outlives_heartbeats,
    _a_server_has_a_plain_name,
    _postgres_has_no_password,
    _postgres_has_its_own_backups,
    _channels_are_new_names,
    _the_notify_command_is_a_path,
)
