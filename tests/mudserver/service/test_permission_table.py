"""Role, verb and target through the whole server: every cell of the table, written out here.

Nothing is written: an act that would be is counted as allowed where its record is made.
"""

from __future__ import annotations

import asyncio

import pytest

from mudserver.errors import UserError
from mudserver.moderation.permissions import NotPermitted
from mudserver.service.moderation import Login
from tests.mudserver.service.test_moderation import cast, coming, told
from tests.simulation.server import SimServer

PEOPLE = ("player", "helper", "moderator", "operator", "owner")
TARGETS = ("guest", *PEOPLE)
# By who acts: on whom at most.  Nobody acts on the own role or above.
ON_WHOM = {
    "guest": (),
    "player": (),
    "helper": ("guest", "player"),
    "moderator": ("guest", "player", "helper"),
    "operator": ("guest", "player", "helper", "moderator"),
    "owner": ("guest", "player", "helper", "moderator", "operator"),
    "console": ("guest", "player", "helper", "moderator", "operator", "owner"),
}
HELPERS = ("helper", "moderator", "operator", "owner", "console")
MODERATORS = ("moderator", "operator", "owner", "console")
OPERATORS = ("operator", "owner", "console")
OWNERS = ("owner", "console")
# By verb: who may use it, and the arguments behind the name.
VERBS = {
    "warn": (HELPERS, ("a test",)),
    "mute": (HELPERS, ("5m", "a test")),
    "unmute": (HELPERS, ("",)),
    "purge": (HELPERS, ("a test",)),
    "kick": (MODERATORS, ("a test",)),
    "ban": (MODERATORS, ("5m", "a test")),
    "rename": (MODERATORS, ("zedname", "a test")),
    "lookup": (MODERATORS, ()),
    "recover": (OPERATORS, ()),
    "delete": (OPERATORS, ("a test",)),
    "keep": (OPERATORS, ()),
    "role": (OPERATORS, ("helper", "a test")),
    "erase": (OWNERS, ("a test",)),
}


class Decided(Exception):
    """The act was allowed and would be written."""


def without_writing(server: SimServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async def write(decide):
        if decide(1).act.outcome != "refused":
            raise Decided

    monkeypatch.setattr(server.app.moderation, "write", write)
    monkeypatch.setattr(server.app.moderation, "_charge", lambda _: None)


async def is_allowed(server: SimServer, login: Login, verb: str, name: str) -> bool:
    app = server.app
    acts = {
        "warn": app.moderation.warn, "mute": app.sanctions.mute, "unmute": app.sanctions.unmute,
        "purge": app.service.channels.purge, "kick": app.sanctions.kick, "ban": app.sanctions.ban,
        "rename": app.service.names.rename_by_staff, "lookup": app.moderation.lookup,
        "recover": app.moderation.recover, "delete": app.service.deletion.ask_for,
        "keep": app.service.deletion.keep_for, "role": app.moderation.set_role,
        "erase": app.service.deletion.erase_for,
    }  # fmt: skip
    try:
        await acts[verb](login, name, *VERBS[verb][1])
    except NotPermitted:
        return False
    except (Decided, UserError):  # such as: a guest has no account to erase
        return True
    raise AssertionError(f"{verb} wrote nothing")


def test_each_role_acts_with_each_verb_on_those_below_and_on_nobody_else(monkeypatch):
    async def scenario(server):
        await cast(server, **{f"by{role}": role for role in PEOPLE})
        await cast(server, **{f"on{role}": role for role in PEOPLE})
        guests = [coming(server, "guest", f"192.0.2.{n}", how="guest") for n in (1, 2)]
        await asyncio.sleep(0.5)
        assert all(guest.link.is_open for guest in guests)
        without_writing(server, monkeypatch)
        find = server.app.moderation.target
        logins = {role: Login(find(f"by{role}").id, f"by{role}", True, "192.0.2.9")
                  for role in PEOPLE}  # fmt: skip
        logins["guest"] = Login(find("guest1").id, "guest1", True, "192.0.2.1")
        logins["console"] = Login("console:0", "the console", True, "")
        names = {role: f"on{role}" for role in PEOPLE} | {"guest": "guest2"}
        found = {
            (by, verb, on): await is_allowed(server, logins[by], verb, names[on])
            for by in ON_WHOM
            for verb in VERBS
            for on in TARGETS
        }
        on_oneself = [
            (by, verb)
            for by in PEOPLE
            for verb in VERBS
            if await is_allowed(server, logins[by], verb, f"by{by}")
        ]
        return found, on_oneself

    found, on_oneself = told(scenario)
    needs_account = {"rename", "recover", "delete", "keep", "role", "erase"}
    wrong = [
        cell
        for cell, is_done in found.items()
        for by, verb, on in [cell]
        if is_done is not (by in VERBS[verb][0] and on in ON_WHOM[by])
        # Who may use a verb of accounts on anybody reads that a guest has none.
        and not (on == "guest" and verb in needs_account and by in VERBS[verb][0])
    ]
    assert [] == wrong and 7 * 13 * 6 == len(found)
    assert [] == on_oneself
