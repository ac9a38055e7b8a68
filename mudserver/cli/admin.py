"""`mudserver admin`: keeping order from the machine's own shell.

Rule 1: it asks the running server over the control socket, and never opens the database.
Rule 2: exit status 0: done; 1: refused, or no server runs; 2: wrong usage.  With --json standard
        output has one object: `{"ok": true, ...}` or `{"ok": false, "error": "..."}`.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from mudserver.atomic_file import write_exclusive
from mudserver.cli.config import add_options, config_sources
from mudserver.config import load
from mudserver.errors import StartError
from mudserver.moderation import texts
from mudserver.ops.control_socket import RequestRefused, ServerNotRunning, send_request
from mudserver.ui.encode import wrap_line
from variants.kit.text import plain_text, styled_line

ANSWER_S = 30.0


class _Command(NamedTuple):
    help: str
    words: tuple[str, ...] = ()  # positional arguments
    flags: tuple[str, ...] = ()  # on or off
    options: tuple[str, ...] = ()  # with a value, may be left out
    has_reason: bool = False  # --reason, required
    last: str = ""  # one positional argument more, which may be left out
    writes: str = ""  # the key of the answer that goes into the file of the last argument


COMMANDS: Mapping[str, _Command] = {
    "people": _Command("list accounts, 500 at a time, or who is here",
                       flags=("here",), options=("after",)),
    "person": _Command("show what is known of one person", ("name",)),
    "tables": _Command("list all tables, private ones too"),
    "owner": _Command("make an account owner of this server", ("name",)),
    "role": _Command("make an account player, helper, moderator, operator or owner",
                     ("name", "typed_role"), has_reason=True),
    "recover": _Command("make a code for somebody who lost key and password", ("name",)),
    "export": _Command("write all that is kept of an account into a new file, as JSON",
                       ("name",), writes="export"),
    "delete": _Command("have an account deleted after some days", ("name",), has_reason=True),
    "keep": _Command("take back that the staff has an account deleted", ("name",)),
    "erase": _Command("erase an account now; NAME can be its id, as after a restore",
                      ("name",), has_reason=True),
    "rename": _Command("give an account another name", ("name", "new"), has_reason=True),
    "lookup": _Command("show from where somebody is connected", ("name",)),
    "warn": _Command("warn somebody, who reads it at each login until confirming it",
                     ("name",), has_reason=True),
    "mute": _Command("let somebody say nothing for TIME (10m, 2h, 7d, 4w, forever)",
                     ("name", "time"), has_reason=True),
    "unmute": _Command("end a mute", ("name",), has_reason=True),
    "purge": _Command("take away somebody's lines, words with away, and profile",
                      ("name",), has_reason=True),
    "kick": _Command("end somebody's session; no way back for 5 minutes",
                     ("name",), has_reason=True),
    "ban": _Command("keep an account, or guests from where a guest is, out for TIME",
                    ("name", "time"), has_reason=True),
    "ban-key": _Command("let a key open no account for TIME",
                        ("fingerprint", "time"), has_reason=True),
    "ban-network": _Command("admit no guests and no new names from a network for TIME; "
                            "--hard: no accounts, either",
                            ("network", "time"), ("is_hard",), has_reason=True),
    "unban": _Command("end a ban or a mute by its number", ("which",), has_reason=True),
    "sanction": _Command("give a ban or a mute another end, TIME from now",
                         ("which", "time"), has_reason=True),
    "sanctions": _Command("list bans and mutes in force", options=("name",)),
    "close-table": _Command("close a table; its game ends without a result",
                            ("number",), has_reason=True),
    "void": _Command("take back what a rated game has made of ratings",
                     ("game",), has_reason=True),
    "announce": _Command("tell everybody who is here", ("text",)),
    "shutdown": _Command("shut the server down in MINUTES, which everybody is told, or cancel that",
                         ("minutes",), has_reason=True),
    "reports": _Command("list reports that are not decided"),
    "report": _Command("show one report with its lines of talk", ("number",)),
    "report-decide": _Command("decide a report: none, warned or sanctioned",
                              ("number", "typed_outcome"), options=("note",)),
    "registration": _Command("say who may register: open, invite or closed", ("typed",)),
    "guests": _Command("admit guests, or not: on or off", ("mode",)),
    "invite": _Command("make a code with which new names can be registered",
                       options=("uses", "days")),
    "invite-revoke": _Command("withdraw an invitation by its number or its code", ("which",)),
    "motd": _Command("show a text at every login; - reads standard input, nothing prints the text",
                     last="file", flags=("clear",)),
    "news list": _Command("list the news"),
    "news add": _Command("add a piece of news, of which everybody is told at login",
                         ("title", "file")),
    "news remove": _Command("take a piece of news away", ("which",)),
    "audit": _Command("list what the staff did, the newest first", options=("about", "since")),
}  # fmt: skip


FAMILIES = {"news": "what is new on this server: list, add, remove"}


def add(commands: Any) -> None:
    admin = commands.add_parser(
        "admin",
        help="keep order: people, roles, bans, the audit",
        description="Ask the running server to act on people and tables.  Every act is in the "
        "audit, as that of console:UID.",
    )
    verbs = admin.add_subparsers(title="commands", metavar="COMMAND", required=True)
    families: dict[str, Any] = {"": verbs}
    for name, command in COMMANDS.items():
        family, _, own_name = name.rpartition(" ")
        if family not in families:
            both = verbs.add_parser(family, help=FAMILIES[family])
            families[family] = both.add_subparsers(
                title="commands", metavar="COMMAND", required=True
            )
        parser = families[family].add_parser(
            own_name, help=command.help, description=f"{command.help}."
        )
        for word in command.words:
            parser.add_argument(word, metavar=_shown(word), type=_type(word))
        if command.last:
            parser.add_argument(
                command.last,
                metavar=_shown(command.last),
                type=_type(command.last),
                nargs="?",
            )
        if command.writes:
            parser.add_argument("output", metavar="FILE", help="must not exist")
        for flag in command.flags:
            parser.add_argument(_option(flag.removeprefix("is_")), dest=flag, action="store_true")
        for option in command.options:
            parser.add_argument(
                _option(option), dest=option, metavar=_shown(option), type=_type(option)
            )
        if command.has_reason:
            parser.add_argument("--reason", required=True, metavar="TEXT",
                                help="the person reads it")  # fmt: skip
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        add_options(parser)
        parser.set_defaults(run=_run, command=name)


def _type(word: str) -> Callable[[str], Any]:
    if word == "file":
        return _text_of
    return int if word in {"number", "uses", "days"} else str


def _text_of(path: str) -> str:
    try:
        return sys.stdin.read() if path == "-" else Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise argparse.ArgumentTypeError(f"{path} cannot be read: {exc}") from None


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _shown(word: str) -> str:
    shown = {"typed": "MODE", "typed_role": "ROLE", "typed_outcome": "OUTCOME", "which": "NUMBER"}
    return shown.get(word, word.upper())


def _run(options: argparse.Namespace) -> int:
    command = COMMANDS[options.command]
    words = (*command.words, *[command.last] * bool(command.last))
    names = (*words, *command.flags, *command.options, *["reason"] * command.has_reason)
    given = {name: getattr(options, name) for name in names}
    # 0 is a value, though it equals False.
    arguments = {k: v for k, v in given.items() if v is not None and v is not False}
    if "is_hard" in command.flags:
        arguments["is_hard"] = options.is_hard
    directory = Path(load.load(config_sources(options)).config.server.data)
    try:
        if command.writes and os.path.lexists(options.output):
            raise StartError(f"{options.output} exists already.")
        answer = send_request(
            directory, "admin", ANSWER_S, command=options.command, arguments=arguments
        )
        if command.writes:
            _write_new(Path(options.output), json.dumps(answer.pop(command.writes), indent=2))
    except (RequestRefused, ServerNotRunning, StartError) as exc:
        if not options.json:
            raise
        said = exc.sentence if isinstance(exc, RequestRefused) else str(exc)
        print(json.dumps({"ok": False, "error": said}))
        return 1
    if options.json:
        print(json.dumps({"ok": True, **answer}))
        return 0
    cols = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    for row in rows_of(answer):
        print("\n".join(_wrapped(row, cols)) if cols else row)
    return 0


def _wrapped(row: str, cols: int) -> list[str]:
    """The row for a terminal: what somebody has written never begins one."""
    return [plain_text(line) for line in wrap_line(styled_line((row, "quote")), cols, "utf-8")]


def _write_new(path: Path, text: str) -> None:
    """StartError: it exists, or cannot be written."""
    try:
        write_exclusive(path, f"{text}\n".encode())
    except OSError as exc:
        raise StartError(f"{path} cannot be written: {exc.strerror}.") from None


def rows_of(answer: Mapping[str, Any]) -> Iterator[str]:
    """The answer as people read it."""
    match answer:
        case {"text": text}:
            yield text
        case {"report": report, "state": state, "evidence": lines}:
            yield from (report["text"], state, *(_texts(lines) or [texts.NO_LINES]))
        case {"motd": rows}:
            yield from rows or [texts.NO_MOTD]
        case {"acts": rows} | {"news": rows} | {"reports": rows} | {"sanctions": rows}:
            yield from _texts(rows) or ["none"]
        case {"people": people}:
            yield from [_person_row(it) for it in people] or ["nobody"]
        case {"tables": tables}:
            for it in tables:
                private = ", private" if it["is_private"] else ""
                yield f"{it['table']:>4}  {it['game']}, {it['phase']}{private}: {it['people']}"
            if not tables:
                yield "none"
        case _:
            width = max(map(len, answer))
            for name, value in answer.items():
                yield f"{name.replace('_', ' '):<{width}}  {_value(value)}"


def _texts(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return [it["text"] for it in rows]


def _person_row(it: Mapping[str, Any]) -> str:
    where = "" if not it["is_here"] else "lobby" if it["table"] is None else f"table {it['table']}"
    seen = it.get("last_seen", "")
    return f"{it['id']:<18} {it['name']:<16} {it['role']:<10} {seen:<10} {where}".rstrip()


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "; ".join(str(it.get("reason", it)) for it in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value in (None, "") else str(value)
