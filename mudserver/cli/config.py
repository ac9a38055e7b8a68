"""Where a command finds its configuration, and `show-config`, which prints it.

Rule 1: the output of `show-config` is a valid configuration: every key with its value, and in a
        comment its source.  No key holds a secret; keys and certificates are named by their files.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mudserver.config import load
from mudserver.config.setting_info import SECTIONS, SETTINGS, to_toml, value_of
from mudserver.config.sources import ConfigSources

SERVER_OPTIONS = ("data", "ssh", "telnet")  # keys of [server] with an option of their own


def add(commands: Any) -> None:
    show = commands.add_parser(
        "show-config",
        help="print every setting and where it comes from",
        description="Print every key with its value and its source: default, file, environment or "
        "option.",
    )
    add_options(show)
    show.set_defaults(run=_show)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that locate the configuration and override it."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML file; see config/")
    parser.add_argument("--data", metavar="DIR", help="where the journal and the host key are kept")
    parser.add_argument(
        "--ssh", metavar="HOST:PORT", help='the SSH listener; port 0: any free port; "": disabled'
    )
    parser.add_argument("--telnet", metavar="HOST:PORT", help="the same for the telnet listener")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="SECTION.KEY=VALUE",
        help="any other setting, for example door.login_s=20; may be repeated",
    )


def config_sources(options: argparse.Namespace) -> ConfigSources:
    """The sources of the configuration: file, environment and options."""
    given = [(name, getattr(options, name)) for name in SERVER_OPTIONS]
    short = [f"server.{name}={text}" for name, text in given if text is not None]
    return ConfigSources(options.config, os.environ, [*short, *options.set])


def _show(options: argparse.Namespace) -> int:
    print("\n".join(_lines(load.load(config_sources(options)))))
    return 0


def _lines(loaded: load.LoadedConfig) -> Iterator[str]:
    for section, names in SECTIONS.items():
        yield f"[{section}]"
        for name in names:
            key = SETTINGS[f"{section}.{name}"]
            origin = loaded.origins.get(key.path)
            note = f"{origin}; default {to_toml(key.default)}" if origin else "default"
            yield f"{name} = {to_toml(value_of(loaded.config, key.path))}  # {note}"
        yield ""
