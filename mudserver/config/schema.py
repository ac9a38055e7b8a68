"""The configuration schema: every setting with its unit, default and range.

Rule 1: a limit that an operator may want to change is a setting; its name ends in its unit.  Other
        limits are constants in capitals at the head of the module that enforces them.
Rule 2: `config/mudserver.toml` shows every key at its default (a test compares them).
Rule 3: configuration objects are frozen; `load.py` reads them from their sources.

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

# What a text must be; `setting_info.py` reads these descriptions.
OptionalAddress = Annotated[str, Meta(description='HOST:PORT or ""')]  # "": none
Directory = Annotated[str, Meta(description="a directory", min_length=1)]
OptionalDirectory = Annotated[str, Meta(description='a directory or ""')]
GameAddresses = Annotated[  # /FILE, unix:/FILE or tls:HOST:PORT
    tuple[Annotated[str, Meta(pattern="^(/|unix:/|tls:.)")], ...],
    Meta(description="a list of addresses", max_length=10),
]
OptionalFile = Annotated[str, Meta(description='a file or ""')]  # relative to the config file
Networks = Annotated[tuple[str, ...], Meta(description="a list of networks")]
ChannelName = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{1,14}[a-z0-9]$")]
ChannelNames = Annotated[
    tuple[ChannelName, ...],
    Meta(description="a list of names", max_length=20),
]
Days = Annotated[int, Meta(ge=1, le=36_500)]
OptionalSentence = Annotated[str, Meta(max_length=200, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
Title = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[^\x00-\x1f\x7f-\x9f]+$")]


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One table of the TOML file."""


class ServerConfig(Section, frozen=True):
    ssh: OptionalAddress = "127.0.0.1:2222"  # SSH; port 0: any free port; "": disabled
    telnet: OptionalAddress = "127.0.0.1:2323"  # telnet, likewise
    tls: OptionalAddress = ""  # telnet over TLS, e.g. 0.0.0.0:2324; "": disabled
    tls_cert: OptionalFile = ""  # PEM certificate with its chain
    tls_key: OptionalFile = ""  # PEM private key without a pass phrase
    data: Directory = "var"  # data; created on the first start with mode 0700
    name: Title = "Lockdown"  # shown in the greeting
    log: Literal["info", "debug"] = "info"  # debug adds stack traces, and more
    log_format: Literal["plain", "json"] = "plain"  # key=value pairs, or one JSON object per line
    log_addresses: bool = True  # log the client address of each session; of IPv6 the /64
    log_lines_max: Positive = 2_000  # per 30 s; more are dropped and counted


class DoorLimits(Section, frozen=True):
    """Limits of connections, before and after login, for SSH and telnet."""

    waiting_max: Positive = 1_000  # connections that have not logged in, in all
    queue_max: Positive = 2_000  # connections that wait for their turn, before any handshake
    tls_handshakes_max: Positive = 100  # TLS handshakes that are not done
    new_per_s: Rate = 60.0  # new connections served; beyond it networks take turns
    login_s: Seconds = 30.0  # from accept to login, whatever arrives
    login_named_s: Seconds = 120.0  # instead, once a name was given, if longer
    failures_per_connection_max: Positive = 5  # failed SSH logins; for telnet see the next
    failures_telnet_max: Positive = 3  # failed logins on one telnet connection
    channel_opens_max: Positive = 8  # per SSH connection; one session at a time
    ssh_window_bytes: Annotated[int, Meta(ge=16_384, le=2_097_152)] = 32_768  # flow control
    ssh_packet_bytes: Annotated[int, Meta(ge=4_096, le=65_536)] = 16_384  # largest SSH packet
    environment_max: Positive = 32  # variables sent; TERM, COLORTERM, LANG, LC_ALL are kept
    environment_bytes: Bytes = 64  # of one value
    resizes_per_s: Positive = 5  # of one terminal; the last one always applies
    keepalive_s: Annotated[float, Meta(ge=1, le=3_600)] = 30.0  # between two probes
    keepalive_misses_max: Annotated[int, Meta(ge=1, le=100)] = 3  # unanswered probes
    telnet_wait_s: Annotated[float, Meta(gt=0, le=0.5)] = 0.35  # for a first answer to TTYPE
    telnet_commands_per_s: Positive = 20  # sustained rate of telnet commands
    telnet_commands_burst: Positive = 400  # at once; beyond it the connection is aborted
    telnet_subnegotiation_bytes: Bytes = 2_048  # if longer: connection aborted
    tls_handshake_s: Seconds = 10.0  # part of login_s
    proxy_from: Networks = ()  # proxies that must send a PROXY header
    proxy_header_s: Seconds = 3.0  # for that header, from accept
    input_bytes_per_s: Bytes = 8_192  # beyond it reading pauses
    input_bytes_burst: Bytes = 524_288  # one large paste
    input_before_login_bytes: Bytes = 16_384  # beyond it the connection is aborted
    # Behind a door a session knows it in steps of `wall.ack_bytes`.
    output_lag_bytes: Annotated[int, Meta(ge=32_768, le=1_073_741_824)] = (
        65_536  # queued; beyond it chat is dropped
    )
    output_bytes_max: Bytes = 262_144  # queued; beyond it: aborted
    output_stall_s: Seconds = 30.0  # queued bytes without progress: aborted
    close_s: Seconds = 5.0  # to send queued output at the end


class SessionLimits(Section, frozen=True):
    """Input and screens of one session."""

    line_chars_max: Annotated[int, Meta(ge=80, le=4_096)] = 512  # of one input line; more is cut
    paste_chars_max: Positive = 4_096  # of one bracketed paste; more is cut
    history_lines: Positive = 100  # recalled with the arrow keys
    lines_per_s: Positive = 10  # sustained input rate of one person
    lines_burst: Positive = 20  # input lines at once
    lines_refused_max: Positive = 200_000  # refused by lines_per_s: then disconnect
    idle_s: Annotated[float, Meta(ge=180, le=604_800)] = 7_200.0  # then disconnect
    tick_ms: Annotated[int, Meta(ge=1, le=200)] = 20  # output is gathered for so long
    full_screens_max: Annotated[int, Meta(ge=0, le=1_000)] = 50  # open at once
    full_screen_frame_ms: Annotated[int, Meta(ge=100, le=1_000)] = 100  # between two frames
    full_screen_lines: Annotated[int, Meta(ge=50, le=5_000)] = 300  # of log, and of chat


class ChatLimits(Section, frozen=True):
    chars_max: Annotated[int, Meta(ge=80, le=2_000)] = 400  # of one message
    per_s: Rate = 1.0  # sustained rate of messages of one person
    burst: Positive = 5  # messages at once
    guest_per_s: Rate = 0.34  # sustained rate for a guest, and for who has just registered
    arrivals_max: Annotated[int, Meta(ge=0, le=10_000)] = 30  # in the lobby: who comes is told
    repeats_max: Positive = 3  # identical messages within mute_s
    mute_s: Seconds = 60.0  # mute after too many identical messages
    strangers_max: Positive = 20  # people told or mailed in 10 minutes who have not written before
    strangers_new_max: Positive = 5  # the same for an account that is no day old
    pasted_lines_max: Positive = 5  # of talk that are said of a pasted text
    channels: ChannelNames = ("help", "chat", "elimination", "stockpile", "words", "bots")
    channel_per_s: Rate = 10.0  # lines said in the lobby, and in each channel
    deliveries_per_s: Rate = 6_000.0  # of all such lines to their readers
    scrollback_lines: Annotated[int, Meta(ge=0, le=1_000)] = 50  # kept of each place, for a day
    mail_unread_days: Days = 90  # then mail that nobody read is removed
    mail_read_days: Days = 30  # the same, since it was read


class PeopleLimits(Section, frozen=True):
    sessions_max: Positive = 2_000  # sessions in all
    guests_max: Positive = 1_000  # guests in all
    memory_mib_max: Annotated[int, Meta(ge=0, le=1_048_576)] = 600  # 0: no limit
    registration: Literal["open", "invite", "closed"] = "open"  # until the staff sets it
    guests: bool = True  # whether guests are admitted, until the staff sets it
    names_denied: OptionalFile = ""  # words that no new name may contain, one a line; "": none
    changed_per_person_s: Annotated[float, Meta(ge=0, le=86_400)] = 5.0  # per account change
    changed_burst: Positive = 30  # such changes at once
    accounts_per_key_max: Annotated[int, Meta(ge=1, le=1_000)] = 5  # accounts that a key may open
    detached_keep_h: Annotated[float, Meta(ge=0, le=720)] = 24.0  # a session without a terminal
    code_key_s: Annotated[float, Meta(ge=60, le=86_400)] = 600.0  # a code to add a key
    code_recover_h: Annotated[float, Meta(ge=1, le=720)] = 24.0  # a recovery code of an operator
    rename_days: Annotated[int, Meta(ge=0, le=3_650)] = 30  # between two names of an account
    keep_days: Annotated[int, Meta(ge=0, le=36_500)] = 1_095  # an account nobody uses; 0: for ever
    keep_unused_days: Annotated[int, Meta(ge=0, le=36_500)] = 30  # one never used; 0: for ever
    deletion_days: Annotated[int, Meta(ge=0, le=365)] = 14  # in which who asked can take it back
    name_hold_days: Annotated[int, Meta(ge=0, le=3_650)] = 365  # a former name; 0: free at once
    password_chars_min: Annotated[int, Meta(ge=6, le=32)] = 8  # of a new password
    password_bytes_max: Annotated[int, Meta(ge=32, le=1_024)] = 128  # refused unhashed
    argon2_memory_kib: Annotated[int, Meta(ge=8, le=1_048_576)] = 19_456  # per password hash
    argon2_passes: Annotated[int, Meta(ge=1, le=20)] = 2  # per password hash
    hash_threads: Annotated[int, Meta(ge=1, le=16)] = 2  # password hashes computed in parallel
    hash_queue_max: Positive = 200  # hashes waiting; beyond it: "try again"


class TablesConfig(Section, frozen=True):
    all_max: Positive = 200  # open tables
    per_person_max: Positive = 2  # open tables of one host
    per_guest_max: Positive = 1  # open tables of one host who is a guest
    opened_per_person_s: Annotated[float, Meta(ge=0, le=86_400)] = 30.0  # per new table
    opened_burst: Positive = 3  # new tables at once
    changed_per_person_s: Annotated[float, Meta(ge=0, le=86_400)] = 3.0  # per sit, watch ...
    changed_burst: Positive = 30  # such changes at once
    plays_per_person_per_s: Rate = 2.0  # sustained rate of plays, and of all else at tables
    plays_burst: Positive = 120  # the same at once
    watchers_max: Positive = 50  # at one table
    queue_max: Positive = 64  # requests waiting for one table
    empty_s: Seconds = 60.0  # a table without people closes
    alone_s: Annotated[float, Meta(ge=120, le=86_400)] = 600.0  # with one person and no game, too
    offline_s: Seconds = 120.0  # [G-09] offline for longer: away
    missed_turns_max: Positive = 2  # [G-09] missed turns in a row: away
    away_wait_s: Annotated[float, Meta(ge=0, le=10)] = 5.0  # [G-09] for who is away, each turn
    pause_max_s: Seconds = 600.0  # [G-09] longest pause of policy "pause"
    adjourn_after_s: Annotated[float, Meta(ge=60, le=86_400)] = 300.0  # away: live games wait
    retry_s: Seconds = 5.0  # after a record could not be written
    correspondence_max: Positive = 10_000  # open tables of games by correspondence
    correspondence_per_person_max: Positive = 20  # seats of one person at them
    correspondence_opened_max: Positive = 10  # of these, at tables that the person opened
    seeks_max: Positive = 100  # games that people offer without a table
    records_max: Annotated[int, Meta(ge=1_000, le=1_000_000)] = 20_000  # then it closes
    tourneys_max: Annotated[int, Meta(ge=0, le=1_000)] = 20  # open tournaments; 0: nobody opens one
    play_wait_s: Annotated[float, Meta(ge=5, le=600)] = 20.0  # for others, at a table of `play`
    program_wait_ms: Annotated[int, Meta(ge=0, le=10_000)] = 300  # before a play in a rated game


class SourceLimits(Section, frozen=True):
    """Shares of one source (an IPv4 address, an IPv6 /64) and of its network (/24, /48).

    Most are four times as large while less than half of the whole is in use; docs/limits.md.
    """

    connections_per_source_max: Positive = 40  # connections open, logged in or not
    connections_per_network_max: Positive = 200  # the same of a network
    waiting_per_source_max: Positive = 10  # connections that have not logged in
    waiting_per_network_max: Positive = 40  # the same of a network
    new_per_source_per_s: Rate = 1.0  # sustained rate of new connections
    new_per_source_burst: Positive = 30  # new connections at once
    new_per_network_per_s: Rate = 5.0  # sustained rate of new connections of a network
    new_per_network_burst: Positive = 100  # the same at once
    failures_per_source_max: Positive = 12  # failed logins; see failure_forgiven_s
    failure_forgiven_s: Seconds = 4.0  # one failure of a source is forgiven in this time
    failures_per_network_max: Positive = 60  # failed logins of a network
    failure_network_forgiven_s: Seconds = 1.0  # one of them is forgiven in this time
    guests_per_source_max: Positive = 5  # guests who are here
    guests_per_network_max: Positive = 20  # the same of a network
    registrations_per_source_per_hour: Positive = 10  # new names
    registrations_per_network_per_hour: Positive = 30  # the same of a network
    registrations_per_hour: Positive = 200  # the same of all networks
    tables_per_source_max: Positive = 10  # open tables
    tables_per_network_max: Positive = 20  # the same of a network
    correspondence_per_source_max: Positive = 60  # open tables of games by correspondence
    correspondence_per_network_max: Positive = 200  # the same of a network
    seeks_per_source_max: Positive = 6  # games that people offer without a table
    seeks_per_network_max: Positive = 20  # the same of a network
    decisions_per_source_per_s: Rate = 4.0  # decisions at tables, people's and computers'
    decisions_per_source_burst: Positive = 4_000  # the same at once
    decisions_per_source_day: Positive = 50_000  # the same in a UTC day
    decisions_per_network_per_s: Rate = 16.0  # the same of a network
    decisions_per_network_burst: Positive = 16_000  # the same at once
    decisions_per_network_day: Positive = 200_000  # the same in a UTC day
    # The first ones of a source on a UTC day are not held up by what its network has spent.
    decisions_free_per_source_day: Annotated[int, Meta(ge=0, le=1_000_000)] = 2_000
    # By how much computer players think longer at most; the shortest clock is 5 s.
    decisions_delay_s: Annotated[float, Meta(ge=0, le=2)] = 2.0
    changes_per_source_per_s: Rate = 1.0  # changes of accounts (set, keys ...)
    changes_per_source_burst: Positive = 100  # the same at once
    talk_per_source_per_s: Rate = 5.0  # lines of talk
    talk_per_source_burst: Positive = 20  # the same at once
    talk_per_network_per_s: Rate = 10.0  # lines of talk of a network
    talk_per_network_burst: Positive = 40  # the same at once
    utility_per_source_s: Seconds = 2.0  # between two commands that take long
    utility_per_network_s: Seconds = 1.0  # the same of a network
    results_per_source_day: Positive = 500  # games recorded of tables that it opened
    results_per_network_day: Positive = 2_000  # the same of a network
    replays_per_source_max: Positive = 4  # replays open
    replays_per_network_max: Positive = 10  # the same of a network
    full_screens_per_source_max: Positive = 5  # full screens open
    full_screens_per_network_max: Positive = 10  # the same of a network
    exempt: Networks = ()  # networks without shares, for programs of the host


class ModerationConfig(Section, frozen=True):
    appeal: OptionalSentence = ""  # how to appeal, said with each ban; "": to the host
    conduct: OptionalFile = ""  # text of help conduct; "": ours
    privacy: OptionalFile = ""  # text of help privacy; "": ours, with the spans of the settings
    keep_days: Days = 730  # ended bans and mutes, and the audit
    report_keep_days: Days = 180  # decided reports
    dismissed_keep_days: Days = 30  # reports that came to nothing
    undecided_days: Days = 90  # then a report has come to nothing


class LessonsConfig(Section, frozen=True):
    at_once: Annotated[int, Meta(ge=0, le=10_000)] = 200  # people who take a lesson; 0: nobody


class GamesConfig(Section, frozen=True):
    """Files that replace shipped ones; `mudserver/game_files.py` reads them at start."""

    stockpile_decks: OptionalFile = ""  # "": the shipped file
    words_list: OptionalFile = ""  # one word a line, or word, tab, level; plain or gzip
    words_extra: OptionalFile = ""  # words to add to the list; "": none
    words_removed: OptionalFile = ""  # words to remove from the list; "": none
    words_denied: OptionalFile = ""  # more words that no new manifest may contain; "": none
    words_box: OptionalFile = ""  # letters, points, bonuses and manifests; "": shipped


class BotsConfig(Section, frozen=True):
    decision_s: Seconds = 2.0  # per decision; then the default is played
    processes: Annotated[int, Meta(ge=1, le=16)] = 1  # for computer players
    queue_max: Positive = 256  # decisions waiting
    expert_tables_max: Annotated[int, Meta(ge=1, le=64)] = 8  # with a player that searches


class JournalConfig(Section, frozen=True):
    postgres: Annotated[str, Meta(max_length=500)] = ""  # where; "": SQLite in server.data
    server: Annotated[str, Meta(max_length=16)] = ""  # "": as the host is called
    lease_s: Annotated[int, Meta(ge=3, le=120)] = 15  # then others may take over
    append_wait_s: Annotated[float, Meta(ge=0.1, le=60)] = 5.0  # for PostgreSQL to come back
    numbers_block: Annotated[int, Meta(ge=1, le=1_000)] = 20  # of tables and accounts, at once
    batch_max: Annotated[int, Meta(ge=1, le=4_096)] = 512  # records per commit
    queue_max: Positive = 8_192  # records waiting
    record_bytes_max: Annotated[int, Meta(ge=131_072, le=1_073_741_824)] = (
        1_048_576  # of one record
    )
    heartbeat_s: Seconds = 5.0  # between two heartbeats
    size_mib_max: Annotated[int, Meta(ge=16, le=1_048_576)] = 4_096  # from 80 % closed tables go
    keep_days: Annotated[int, Meta(ge=0, le=36_500)] = 365  # for closed tables; 0: for ever
    keep_guest_days: Annotated[int, Meta(ge=0, le=36_500)] = 7  # no account played; 0: keep_days
    snapshot_records: Annotated[int, Meta(ge=10, le=1_000_000)] = 100  # of an account, then one
    snapshot_bytes: Annotated[int, Meta(ge=1_024, le=1_073_741_824)] = 32_768  # the same


class BackupConfig(Section, frozen=True):
    """Scheduled backups; see docs/hosting.md."""

    directory: OptionalDirectory = ""  # where backups go; "": no scheduled backups
    every_h: Annotated[float, Meta(gt=0, le=8_760)] = 24.0  # between two backups
    keep: Annotated[int, Meta(ge=1, le=10_000)] = 14  # the newest; older ones are removed


class MetricsConfig(Section, frozen=True):
    """Metrics for Prometheus: `GET /metrics`, and `GET /healthz`."""

    address: OptionalAddress = ""  # e.g. 127.0.0.1:9222; "": disabled
    allow_remote: bool = False  # allow an address that is not loopback


class NotifyConfig(Section, frozen=True):
    """Notices of games by correspondence to people elsewhere; see docs/hosting.md."""

    # Started for each notice, without a shell; (): none are sent.
    command: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=1_000)], ...],
        Meta(description="a program and its arguments", max_length=20),
    ] = ()


class ResultsConfig(Section, frozen=True):
    """What is recorded of games, and how much of it is shown again."""

    per_account_day: Positive = 100  # games of one account on one UTC day
    replays_max: Annotated[int, Meta(ge=1, le=1_000)] = 40  # replays open at once


class RatingsConfig(Section, frozen=True):
    shared_networks: Networks = ()  # whose addresses are many people's, such as a school's


CAPSULE_BYTES_MAX = 40_960  # OPEN carries it, and up to 24,576 bytes besides: key, names, modules


class WallConfig(Section, frozen=True):
    """Between `mudserver door` and `mudserver game`; `mudserver serve` has no wall."""

    socket: OptionalFile = ""  # of the game server; "": game.sock in server.data
    games: GameAddresses = ()  # of several game servers behind one door; (): the one of `socket`
    tls: OptionalAddress = ""  # of the game server, for doors of other machines
    ca: OptionalFile = ""  # PEM, of the authority of all certificates of these walls
    cert: OptionalFile = ""  # PEM, of this machine's game server or door
    key: OptionalFile = ""  # PEM, without a pass phrase
    door_user: Annotated[str, Meta(max_length=32)] = ""  # whose doors are heard, besides our own
    hold_s: Annotated[float, Meta(ge=5, le=3_600)] = 120.0  # connections wait for a game server
    notice_s: Annotated[float, Meta(ge=0.5, le=60)] = 3.0  # then those who wait are told so
    ask_s: Annotated[float, Meta(ge=5, le=120)] = 30.0  # an SSH login waits for an answer
    retained_bytes: Annotated[int, Meta(ge=4_096, le=65_536)] = 16_384  # typed, and not begun
    capsule_bytes: Annotated[int, Meta(ge=4_096, le=CAPSULE_BYTES_MAX)] = 16_384  # of a session
    keep_every_s: Annotated[float, Meta(ge=5, le=600)] = 30.0  # between two of one session
    held_mib_max: Annotated[int, Meta(ge=8, le=4_096)] = 128  # capsules of one door
    ack_bytes: Annotated[int, Meta(ge=4_096, le=65_536)] = 16_384  # of output; then a receipt
    queue_mib_max: Annotated[int, Meta(ge=1, le=256)] = 16  # not taken by the other side


class Config(Section, frozen=True):
    server: ServerConfig = ServerConfig()
    door: DoorLimits = DoorLimits()
    session: SessionLimits = SessionLimits()
    chat: ChatLimits = ChatLimits()
    people: PeopleLimits = PeopleLimits()
    sources: SourceLimits = SourceLimits()
    tables: TablesConfig = TablesConfig()
    results: ResultsConfig = ResultsConfig()
    ratings: RatingsConfig = RatingsConfig()
    moderation: ModerationConfig = ModerationConfig()
    lessons: LessonsConfig = LessonsConfig()
    games: GamesConfig = GamesConfig()
    bots: BotsConfig = BotsConfig()
    journal: JournalConfig = JournalConfig()
    backup: BackupConfig = BackupConfig()
    metrics: MetricsConfig = MetricsConfig()
    notify: NotifyConfig = NotifyConfig()
    wall: WallConfig = WallConfig()


# Settings, and whole sections, of what is built or opened only once: a reload does not apply them.
RESTART_ONLY = frozenset(
    {
        *("session.tick_ms", "session.full_screen_frame_ms"),  # all screens share these timers
        *("server.ssh", "server.telnet", "server.tls", "server.data"),
        *("people.password_bytes_max", "people.argon2_memory_kib", "people.argon2_passes"),
        *("people.hash_threads", "people.hash_queue_max"),
        *("games", "bots", "metrics", "wall", "server.log_format", "journal.heartbeat_s"),
        *("journal.postgres", "journal.server"),
    }
)


def split_address(address: str) -> tuple[str, int]:
    """Split `HOST:PORT` or `[IPv6]:PORT`.  ConfigError if it is neither."""
    found = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]\s]+)):(\d{1,5})", address)
    if not found or int(found[3]) > 65_535 or not _is_host(host := found[1] or found[2]):
        raise ConfigError(f"{address!r} is no address: write HOST:PORT, for example 127.0.0.1:2222")
    return host, int(found[3])


def _is_host(name: str) -> bool:
    """Whether *name* can be resolved: RFC 1035, at most 63 characters between two dots."""
    try:
        return name.isprintable() and bool(name.encode("idna"))
    except UnicodeError:
        return False
