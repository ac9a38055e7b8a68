"""Every limit of the house, with its unit, its default and its range.

Rule 1: a limit that a host may want to change stands here; its name ends in its unit.  What nobody
        needs to change is a constant in capitals at the head of the module that keeps it.
Rule 2: `config/mudserver.toml` shows every key at its default (a test compares them).
Rule 3: what is written here is frozen; `settings.py` reads it from where hosts write it.

Source of the limits: OpenSSH's defaults and the measurements in docs/limits.md.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from mudserver.errors import ConfigError

Positive = Annotated[int, Meta(ge=1, le=1_000_000)]
Bytes = Annotated[int, Meta(ge=1, le=1_073_741_824)]
Rate = Annotated[float, Meta(gt=0, le=1_000_000)]
Seconds = Annotated[float, Meta(gt=0, le=86_400)]

# What a text must be; `keys.py` knows these words.
OptionalAddress = Annotated[str, Meta(description='HOST:PORT or ""')]  # "": there is none
Directory = Annotated[str, Meta(description="a directory", min_length=1)]
OptionalDirectory = Annotated[str, Meta(description='a directory or ""')]
OptionalFile = Annotated[
    str, Meta(description='a file or ""')
]  # from the configuration's directory
Networks = Annotated[tuple[str, ...], Meta(description="a list of networks")]
Title = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[^\x00-\x1f\x7f-\x9f]+$")]


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One table of the TOML file."""


class Server(Section, frozen=True):
    ssh: OptionalAddress = "127.0.0.1:2222"  # where to listen; port 0: any; "": no such door
    telnet: OptionalAddress = "127.0.0.1:2323"  # the same for telnet
    tls: OptionalAddress = ""  # telnet over TLS, for example 0.0.0.0:2324; "": no such door
    tls_cert: OptionalFile = ""  # PEM, with what signed it; from this file's directory, or absolute
    tls_key: OptionalFile = ""  # PEM, without a pass phrase; the same
    data: Directory = "var"  # directory, made on the first start, mode 0700
    name: Title = "Lockdown"  # what the greeting says
    log: Literal["info", "debug"] = "info"  # debug: stack traces below the lines about bugs
    log_format: Literal["plain", "json"] = "plain"  # key=value, or an object a line
    log_addresses: bool = True  # where each visit came from: the address, of IPv6 its /64
    log_lines_max: Positive = 2_000  # in 30 s; more are dropped and counted


class DoorLimits(Section, frozen=True):
    """Before and below login, SSH and telnet alike."""

    waiting_max: Positive = 100  # connections that have not logged in, in all
    waiting_per_source_max: Positive = 10  # the same from one source (/32, /64)
    connections_per_source_max: Positive = 40
    new_per_source_per_s: Rate = 1.0
    new_per_source_burst: Positive = 30
    new_per_s: Rate = 50.0
    login_s: Seconds = 30.0  # absolute, from accept to login
    login_named_s: Seconds = 120.0  # the same, once a name was given; never less than login_s
    failures_per_connection_max: Positive = 5  # SSH; telnet allows failures_telnet_max
    failures_telnet_max: Positive = 3
    failures_per_source_max: Positive = 12  # points; one is forgiven every failure_forgiven_s
    failure_forgiven_s: Seconds = 4.0
    channel_opens_max: Positive = 8  # per SSH connection; one session at a time
    ssh_window_bytes: Annotated[int, Meta(ge=16_384, le=2_097_152)] = 32_768
    ssh_packet_bytes: Annotated[int, Meta(ge=4_096, le=65_536)] = 16_384
    environment_max: Positive = 32  # variables; only TERM, COLORTERM, LANG, LC_ALL are kept
    environment_bytes: Bytes = 64  # of one value
    resizes_per_s: Positive = 5
    keepalive_s: Annotated[float, Meta(ge=1, le=3_600)] = 30.0
    keepalive_misses_max: Annotated[int, Meta(ge=1, le=100)] = 3
    telnet_wait_s: Annotated[float, Meta(gt=0, le=0.5)] = 0.35  # for a first answer to TTYPE
    telnet_commands_per_s: Positive = 20
    telnet_commands_burst: Positive = 400
    telnet_subnegotiation_bytes: Bytes = 2_048
    tls_handshake_s: Seconds = 10.0  # within login_s
    proxy_from: Networks = ()  # networks whose PROXY header is believed, and expected
    proxy_header_s: Seconds = 3.0
    input_bytes_per_s: Bytes = 8_192  # over it reading pauses
    input_bytes_burst: Bytes = 524_288  # one large paste
    input_before_login_bytes: Bytes = 16_384  # over it the line is cut
    output_lag_bytes: Bytes = 65_536  # queued: chat is dropped and counted
    output_bytes_max: Bytes = 262_144  # queued: the line is cut
    output_stall_s: Seconds = 30.0  # queued bytes without progress: the line is cut
    close_s: Seconds = 5.0  # to flush a last word


class SessionLimits(Section, frozen=True):
    """What one person types."""

    line_chars_max: Annotated[int, Meta(ge=80, le=4_096)] = 512
    paste_chars_max: Positive = 4_096  # in brackets; the rest is cut
    history_lines: Positive = 100
    lines_per_s: Positive = 10
    lines_burst: Positive = 20
    lines_refused_max: Positive = 200_000  # "slow down" so often: disconnect
    idle_s: Annotated[float, Meta(ge=180, le=604_800)] = 7_200.0  # warned two minutes before
    tick_ms: Annotated[int, Meta(ge=1, le=200)] = 20  # output is gathered so long
    full_screens_max: Annotated[int, Meta(ge=0, le=1_000)] = 50  # at once; beyond it line mode
    full_screen_beat_ms: Annotated[int, Meta(ge=100, le=1_000)] = 100  # between two drawings of one
    full_screen_lines: Annotated[int, Meta(ge=50, le=5_000)] = 300  # of log, and as many of chat


class Chat(Section, frozen=True):
    chars_max: Annotated[int, Meta(ge=80, le=2_000)] = 400
    per_s: Rate = 1.0
    burst: Positive = 5
    guest_per_s: Rate = 0.34
    repeats_max: Positive = 3  # the same text
    mute_s: Seconds = 60.0


class People(Section, frozen=True):
    sessions_max: Positive = 2_000
    guests_max: Positive = 1_000
    memory_mib_max: Annotated[int, Meta(ge=0, le=1_048_576)] = 600  # nobody new beyond; 0: none
    guests_per_source_max: Positive = 5
    registrations_per_source_per_hour: Positive = 30
    password_chars_min: Annotated[int, Meta(ge=6, le=32)] = 8
    password_bytes_max: Annotated[int, Meta(ge=32, le=1_024)] = 128
    argon2_memory_kib: Annotated[int, Meta(ge=8, le=1_048_576)] = 19_456
    argon2_passes: Annotated[int, Meta(ge=1, le=20)] = 2
    hash_threads: Annotated[int, Meta(ge=1, le=16)] = 2
    hash_queue_max: Positive = 20


class Tables(Section, frozen=True):
    all_max: Positive = 200
    per_person_max: Positive = 2
    per_guest_max: Positive = 1
    opened_per_person_s: Annotated[float, Meta(ge=0, le=86_400)] = 30.0  # between two new tables
    opened_burst: Positive = 3
    changed_per_person_s: Annotated[float, Meta(ge=0, le=86_400)] = 3.0  # between two changes
    changed_burst: Positive = 30
    watchers_max: Positive = 50
    queue_max: Positive = 64  # lines waiting for one table
    empty_s: Seconds = 60.0  # a table without people closes
    offline_s: Seconds = 120.0  # [G-09] away after so long offline
    expiries_max: Positive = 2  # [G-09] away after so many time-outs in a row
    pause_max_s: Seconds = 600.0  # [G-09] policy pause
    retry_s: Seconds = 5.0  # a table whose record was not saved tries again
    records_max: Annotated[int, Meta(ge=1_000, le=1_000_000)] = 20_000  # of a table; see folding


class Games(Section, frozen=True):
    """Files that replace shipped ones; `mudserver/game_files.py` reads them at the start."""

    stockpile_decks: OptionalFile = (
        ""  # from this file's directory, or absolute; "": the shipped one
    )
    words_list: OptionalFile = ""  # one word a line, or word, tab, level; plain or packed with gzip
    words_extra: OptionalFile = ""  # words to add to the list; "": none
    words_removed: OptionalFile = ""  # words to take out of it; "": none
    words_denied: OptionalFile = ""  # words that no fresh manifest has; "": only the shipped
    words_box: OptionalFile = ""  # letters, points, bonuses and manifests


class Bots(Section, frozen=True):
    decision_s: Seconds = 2.0  # of waiting; then the default is played
    processes: Annotated[int, Meta(ge=1, le=16)] = 1
    queue_max: Positive = 256


class Journal(Section, frozen=True):
    batch_max: Annotated[int, Meta(ge=1, le=4_096)] = 512  # records in one commit
    queue_max: Positive = 8_192  # records waiting
    record_bytes_max: Annotated[int, Meta(ge=65_536, le=1_073_741_824)] = 1_048_576
    heartbeat_s: Seconds = 5.0
    size_mib_max: Annotated[int, Meta(ge=16, le=1_048_576)] = 4_096  # over it nothing new begins
    keep_days: Annotated[int, Meta(ge=0, le=36_500)] = 365  # a closed table; 0: for ever


class Backup(Section, frozen=True):
    """Backups that the server has made by itself; see docs/hosting.md."""

    directory: OptionalDirectory = ""  # where they go; "": none are made
    every_h: Annotated[float, Meta(gt=0, le=8_760)] = 24.0
    kept: Annotated[int, Meta(ge=1, le=10_000)] = 14  # the newest; older ones are removed


class Metrics(Section, frozen=True):
    """Figures for Prometheus: `GET /metrics`, and `GET /healthz`."""

    address: OptionalAddress = ""  # for example 127.0.0.1:9222; "": no such door
    anywhere: bool = False  # the address need not be this machine's own


class Config(Section, frozen=True):
    server: Server = Server()
    door: DoorLimits = DoorLimits()
    session: SessionLimits = SessionLimits()
    chat: Chat = Chat()
    people: People = People()
    tables: Tables = Tables()
    games: Games = Games()
    bots: Bots = Bots()
    journal: Journal = Journal()
    backup: Backup = Backup()
    metrics: Metrics = Metrics()


def split_address(address: str) -> tuple[str, int]:
    """`HOST:PORT` or `[IPv6]:PORT` -> host and port.  ConfigError if it is neither."""
    found = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]\s]+)):(\d{1,5})", address)
    if not found or int(found[3]) > 65_535 or not _is_host(host := found[1] or found[2]):
        raise ConfigError(f"{address!r} is no address: write HOST:PORT, for example 127.0.0.1:2222")
    return host, int(found[3])


def _is_host(name: str) -> bool:
    """Whether the system can be asked where it is: RFC 1035, 63 characters between two dots."""
    try:
        return name.isprintable() and bool(name.encode("idna"))
    except UnicodeError:
        return False
