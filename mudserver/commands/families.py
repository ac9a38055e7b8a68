"""The families of verbs.  A new file of commands is entered here.

Rule 1: importing a family declares its verbs.  So all of them are known to whoever takes `VERBS`
        from here.
"""

from __future__ import annotations

from mudserver.commands import (
    account,
    channels,
    chat,
    help,
    learn,
    mail,
    names,
    news,
    notify,
    own_games,
    people,
    play,
    preferences,
    programs,
    replay,
    results,
    seeks,
    sessions,
    staff,
    tables,
    tourney,
)
from mudserver.commands.verb import VERBS

__all__ = ["FAMILIES", "VERBS"]

FAMILIES = (
    account,
    channels,
    chat,
    help,
    learn,
    mail,
    names,
    news,
    notify,
    own_games,
    people,
    play,
    preferences,
    programs,
    replay,
    results,
    seeks,
    sessions,
    staff,
    tables,
    tourney,
)
