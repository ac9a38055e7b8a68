"""Commands that need no server: `check-config`, `schema`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from mudserver import game_files
from mudserver.config import load, schema
from mudserver.denied_names import load_denied_names
from mudserver.errors import ConfigError, StartError


def add(commands: Any) -> None:
    check = commands.add_parser(
        "check-config",
        help="check a configuration file",
        description="Check a configuration file, together with the environment variables that "
        "override it.  Exit status 0, or 2 and a line that says what is wrong.",
    )
    check.add_argument("file", type=Path, metavar="FILE")
    check.set_defaults(run=_check_config)

    schema_command = commands.add_parser(
        "schema",
        help="print the JSON Schema of the protocol for programs",
        description="Print the JSON Schema of what programs read and write; see docs/bots.md.",
    )
    schema_command.set_defaults(run=_schema)


def _check_config(options: argparse.Namespace) -> int:
    config = load.load(load.ConfigSources(options.file, os.environ)).config
    games = game_files.load_games(config.games)
    load_denied_names(config.people.names_denied)
    if config.server.tls:
        from mudserver.transport import tls

        try:
            tls.server_context(config.server.tls_cert, config.server.tls_key)
        except StartError as exc:
            raise ConfigError(f"{options.file}: {exc}") from None
    for note in game_files.game_notes(games.catalogue):
        print(note)
    print(f"{options.file}: ok")
    return 0


def _schema(options: argparse.Namespace) -> int:
    from mudserver.session.json_schema import schema_json

    sys.stdout.write(schema_json(game_files.load_games(schema.GamesConfig()).catalogue))
    return 0
