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

from mudserver import settings
from mudserver.keys import KEYS, SECTIONS, toml, value_of

SHORT = ("data", "ssh", "telnet")  # keys of [server] with an option of their own


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


def wish(options: argparse.Namespace) -> settings.Wish:
    """What the command was told, by options and by the environment."""
    given = [(name, getattr(options, name)) for name in SHORT]
    short = [f"server.{name}={text}" for name, text in given if text is not None]
    return settings.Wish(options.config, os.environ, [*short, *options.set])


def _show(options: argparse.Namespace) -> int:
    print("\n".join(_lines(settings.read(wish(options)))))
    return 0


def _lines(loaded: settings.Loaded) -> Iterator[str]:
    for section, names in SECTIONS.items():
        yield f"[{section}]"
        for name in names:
            key = KEYS[f"{section}.{name}"]
            origin = loaded.origins.get(key.path)
            said = f"{origin}; default {toml(key.default)}" if origin else "default"
            yield f"{name} = {toml(value_of(loaded.config, key.path))}  # {said}"
        yield ""
