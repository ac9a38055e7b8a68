"""Where a command finds its configuration, and `show-config`, which says what it is.

Rule 1: what `show-config` prints is a configuration itself: every key with its value, and behind
        it who said so.  No key holds a secret; keys and certificates are named by their files.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mudserver.config import load
from mudserver.config.options import OPTIONS, SECTIONS, to_toml, value_of

SERVER_OPTIONS = ("data", "ssh", "telnet")  # keys of [server] with an option of their own


def add(commands: Any) -> None:
    show = commands.add_parser(
        "show-config",
        help="print every setting and where it comes from",
        description="Print every key, its value, and who said so: default, file, environment or "
        "option.",
    )
    add_options(show)
    show.set_defaults(run=_show)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that say where the configuration is, and what else counts."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML file; see config/")
    parser.add_argument("--data", metavar="DIR", help="where the journal and the host key are kept")
    parser.add_argument("--ssh", metavar="HOST:PORT", help='for SSH; port 0: any; "": no such door')
    parser.add_argument("--telnet", metavar="HOST:PORT", help="the same for telnet")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="SECTION.KEY=VALUE",
        help="any other setting, for example door.login_s=20; may be repeated",
    )


def config_sources(options: argparse.Namespace) -> load.ConfigSources:
    """What the command was told, by options and by the environment."""
    given = [(name, getattr(options, name)) for name in SERVER_OPTIONS]
    short = [f"server.{name}={text}" for name, text in given if text is not None]
    return load.ConfigSources(options.config, os.environ, [*short, *options.set])


def _show(options: argparse.Namespace) -> int:
    print("\n".join(_lines(load.load(config_sources(options)))))
    return 0


def _lines(loaded: load.LoadedConfig) -> Iterator[str]:
    for section, names in SECTIONS.items():
        yield f"[{section}]"
        for name in names:
            key = OPTIONS[f"{section}.{name}"]
            origin = loaded.origins.get(key.path)
            said = f"{origin}; default {to_toml(key.default)}" if origin else "default"
            yield f"{name} = {to_toml(value_of(loaded.config, key.path))}  # {said}"
        yield ""
