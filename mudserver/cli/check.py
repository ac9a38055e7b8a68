"""Commands that need no server: `check-config`, `schema`."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from mudserver import game_files
from mudserver.clock import wall_clock_ms
from mudserver.config import load, schema
from mudserver.config.sources import ConfigSources
from mudserver.denied_names import load_denied_names
from mudserver.errors import ConfigError, StartError
from mudserver.host_pages import load_host_pages
from mudserver.journal.opening import require_postgres
from mudserver.wall.game import user_ids
from mudserver.wall.settings import TLS_PREFIX
from mudserver.wall.tls import context_of


def add(commands: Any) -> None:
    check = commands.add_parser(
        "check-config",
        help="check a configuration file",
        description="Check a configuration file, together with the environment variables that "
        "override it.  Exit status 0, or 2 and a line for each fault.",
    )
    check.add_argument("file", type=Path, metavar="FILE")
    check.add_argument(
        "--connect", action="store_true",
        help="also connect to the PostgreSQL of journal.postgres, and check what is there",
    )  # fmt: skip
    check.set_defaults(run=_check_config)

    schema_command = commands.add_parser(
        "schema",
        help="print the JSON Schema of the protocol for programs",
        description="Print the JSON Schema of what programs read and write; see docs/bots.md.",
    )
    schema_command.add_argument(
        "--protocol", type=int, choices=(1, 2), default=1, help="which one; 1 if nothing is said"
    )
    schema_command.set_defaults(run=_schema)


def _check_config(options: argparse.Namespace) -> int:
    loaded, faults = load.examine(ConfigSources(options.file, os.environ))
    notes: list[str] = []
    checks = (
        *(_game_notes, _check_denied_names, _check_host_pages, _check_certificate, _kept_names),
        *(_check_door_user, wall_certificate),
    )
    for check in checks:
        try:
            notes += check(loaded.config)
        except ConfigError as exc:
            faults += exc.lines
        except StartError as exc:
            faults.append(f"{options.file}: {exc}")
    if options.connect and not faults:
        found, told = _examine_postgres(loaded.config.journal)
        faults += [f"{options.file}: {fault}" for fault in found]
        notes += told
    if faults:
        raise ConfigError(*faults)
    for note in notes:
        print(note)
    print(f"{options.file}: ok")
    return 0


def _game_notes(config: schema.Config) -> list[str]:
    return game_files.game_notes(game_files.load_games(config.games).catalogue)


def _check_host_pages(config: schema.Config) -> list[str]:
    load_host_pages(config)
    return []


def _check_denied_names(config: schema.Config) -> list[str]:
    load_denied_names(config.people.names_denied)
    return []


def _check_certificate(config: schema.Config) -> list[str]:
    server = config.server
    if server.tls and server.tls_cert and server.tls_key:
        from mudserver.transport import tls

        tls.server_context(server.tls_cert, server.tls_key)
    return []


def wall_certificate(config: schema.Config) -> list[str]:
    """Of walls between machines; which of its names is used is said when a process is started."""
    wall, kinds = config.wall, list[str]()
    if wall.tls:
        kinds.append("game")
    if any(it.startswith(TLS_PREFIX) for it in wall.games):
        kinds.append("door")
    if not (wall.ca and wall.cert and wall.key):
        return []
    from mudserver.wall import certificates

    context_of(wall, is_server="game" in kinds)
    return [certificates.describe_own(wall.cert, wall.ca, kinds, wall_clock_ms())]


def _check_door_user(config: schema.Config) -> list[str]:
    user_ids(config.wall.door_user)
    return []


def _kept_names(config: schema.Config) -> list[str]:
    if config.journal.keep_days:
        return []
    return ["journal.keep_days = 0: closed tables keep the names of deleted accounts for ever"]


def _examine_postgres(config: schema.JournalConfig) -> tuple[list[str], list[str]]:
    """Faults and notes."""
    if not config.postgres:
        return [], ["journal.postgres is empty: the journal is in SQLite"]
    try:
        require_postgres()
    except StartError as exc:
        return [str(exc)], []
    from mudserver.journal.postgres.examining import examine

    return asyncio.run(examine(config))


def _schema(options: argparse.Namespace) -> int:
    from mudserver.session.json_schema import schema_json

    games = game_files.load_games(schema.GamesConfig()).catalogue
    sys.stdout.write(schema_json(games, options.protocol))
    return 0
