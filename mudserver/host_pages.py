"""The pages in the host's own words: `help conduct` and `help privacy`.

Rule 1: without a file, or with an empty one, each page has a text of ours; the spans in it are
        those of the settings.
Rule 2: a wrong file is a configuration error that names the key, the file and the reason.
"""

from __future__ import annotations

from typing import NamedTuple

from mudserver.config.schema import Config
from mudserver.errors import ConfigError
from mudserver.plain_file import read_text_file
from mudserver.sanitize import sanitize

FILE_BYTES_MAX = 16_384  # of one page

CONDUCT = (
    "Be polite. No insults, no threats, no sexual talk, no advertising.",
    "Keep other people's private data to yourself.",
    "Play under one name at a table. Tell no player about cards that you saw elsewhere.",
    "Staff may warn, mute or ban. To call them, type report NAME REASON",
)
ACCOUNTS = (
    "An account has a name, and a password, a key or both. What it keeps of you is in export.",
    "account delete has it deleted after {deletion_days} days; until then account keep keeps it. "
    "Then a computer player takes your seat in a game, and games name you as a former player.",
    "{inactive}",
    "A name under which games were finished is free again {hold_days} days after its account has "
    "gone.",
)
INACTIVE = "An account that nobody logs in to is deleted after {} days. "
UNUSED = (
    "One that finished no game, and that nobody came back to after its first day, is deleted after "
    "{} days. "
)
NEVER_INACTIVE = "Not so those of the staff, of people with a seat in a game, and under a ban."
KEPT_FOR_EVER = "An account that nobody uses stays."
PRIVACY = (
    "You can play as a guest without giving any data. The server asks for no real name and no "
    "e-mail address.",
    "",
    "Kept for an account: the name and those before it, a hash of your password, your SSH keys, "
    "your settings, your profile, your friends, whom you ignore, your channels, mail sent to you, "
    "the lessons you took, the days you were here, warnings, mutes and bans with their reasons, "
    "reports you filed, and the games you played with all that happened in them.",
    "Mail is kept for {read_days} days after it was read, or {unread_days} days unread.",
    "Else what you say is not stored, but for lines that somebody quotes in a report: for "
    "{report_days} days after it was decided. The last lines of each place are in memory for a "
    "day at most, for who comes later.",
    "Your address is {log_text}in memory while you are here, and for a day after a login as a "
    "keyed hash of your network. A ban of a network or a guest keeps it until {staff_days} days "
    "after the ban has ended.",
    "",
    "Everybody here can read your name, your profile, when you registered, the last day you were "
    "here (set lastseen off hides it), and your games. Staff read reports and sanctions. No "
    "command shows anybody your mail or what you tell somebody in private; whoever runs the "
    "machine could read its files.",
    "Games are kept {game_span} after their table closed, games of guests {guest_span}, acts of "
    "the staff {staff_days} days. Results of games with somebody registered in them stay: places "
    "and scores; set results off hides the list of yours.",
    "",
    "An account stays until you have it deleted{keep_text}. Backups hold what was deleted since.",
    "export gives you what is kept of you. profile corrects what you say of yourself. account "
    "delete has your account deleted after {deletion_days} days; games then name a former player, "
    "and go with their tables. For everything else write to whoever runs this server.",
)


class HostPages(NamedTuple):
    """Rows."""

    conduct: tuple[str, ...]
    privacy: tuple[str, ...]
    accounts: tuple[str, ...] = ()


def load_host_pages(config: Config) -> HostPages:
    """ConfigError: a file of `[moderation]` cannot be used."""
    files = config.moderation
    return HostPages(
        _rows("moderation.conduct", files.conduct) or CONDUCT,
        _rows("moderation.privacy", files.privacy) or _privacy(config),
        _accounts(config),
    )


def _rows(key: str, path: str) -> tuple[str, ...]:
    if not path:
        return ()
    try:
        text = read_text_file(path, FILE_BYTES_MAX)
    except OSError as exc:
        raise ConfigError(f"{key}: {path}: cannot be read: {exc.strerror}") from None
    return tuple([sanitize(line.rstrip()) for line in text.strip().splitlines()])


def _accounts(config: Config) -> tuple[str, ...]:
    people = config.people
    spans = {
        "deletion_days": people.deletion_days,
        "hold_days": people.name_hold_days,
        "inactive": _inactive(config),
    }
    return tuple(row.format(**spans) for row in ACCOUNTS)


def _inactive(config: Config) -> str:
    keep_days, unused_days = config.people.keep_days, config.people.keep_unused_days
    rules = INACTIVE.format(keep_days) if keep_days else ""
    rules += UNUSED.format(unused_days) if unused_days else ""
    return rules + NEVER_INACTIVE if rules else KEPT_FOR_EVER


def _privacy(config: Config) -> tuple[str, ...]:
    journal, moderation = config.journal, config.moderation
    guest_days = journal.keep_guest_days or journal.keep_days
    spans = {
        "report_days": moderation.report_keep_days,
        "staff_days": moderation.keep_days,
        "read_days": config.chat.mail_read_days,
        "unread_days": config.chat.mail_unread_days,
        "log_text": "in the system log, " if config.server.log_addresses else "",
        "game_span": _span(journal.keep_days),
        "guest_span": _span(guest_days),
        "deletion_days": config.people.deletion_days,
        "keep_text": _keep_text(config.people.keep_days),
    }
    return tuple(row.format(**spans) for row in PRIVACY)


def _keep_text(days: int) -> str:
    return f", or nobody has logged in to it for {days} days" if days else ""


def _span(days: int) -> str:
    return f"{days} days" if days else "for ever"
