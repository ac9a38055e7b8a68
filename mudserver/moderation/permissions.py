"""What each role may do: the one declaration of every staff verb's permission.

Rule 1: nobody acts on a person of the own role or above, or on oneself.  The console may.
Rule 2: staff verbs need a session that came in with a proven SSH key.  Without one somebody of the
        staff has what a helper may do without it: `warn`, and `mute` for a short time.
Rule 3: a refusal names who may, and how long is allowed; it says nothing of the target.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from mudserver.accounts.roles import RANK, STAFF, Role
from mudserver.errors import UserError
from mudserver.moderation import texts
from mudserver.moderation.spans import DAY_S, span_text

SHORT_MUTE_S = 15 * 60


class NotPermitted(UserError):
    """Somebody may not do that; the text says who may."""


class Actor(NamedTuple):
    """Who acts."""

    id: str  # of a person, or `console:UID`
    name: str
    role: Role
    has_key: bool = True  # the session came in with a proven key
    network: str = ""  # of the session; "": none

    @property
    def is_staff(self) -> bool:
        return self.role in STAFF or self.role == "console"


@dataclass(frozen=True)
class Permission:
    """Who may use a verb."""

    least: Role
    most_s: Mapping[Role, int] = field(default_factory=dict)
    """The longest time that a role may choose, in seconds; a role without one may choose any."""
    needs_key: bool = True
    keyless_s: int | None = None  # the longest time without a proven key; None: as with one


PERMISSIONS: Mapping[str, Permission] = MappingProxyType(
    {
        "modsay": Permission("helper"),
        "warn": Permission("helper", needs_key=False),
        "mute": Permission(
            "helper",
            {"helper": SHORT_MUTE_S, "moderator": 7 * DAY_S},
            needs_key=False,
            keyless_s=SHORT_MUTE_S,
        ),
        "unmute": Permission("helper"),
        "purge": Permission("helper"),
        "kick": Permission("moderator"),
        "ban": Permission("moderator", {"moderator": 30 * DAY_S}),
        "ban guest": Permission(
            "moderator",
            {
                "moderator": DAY_S,
                "operator": 30 * DAY_S,
                "owner": 30 * DAY_S,
                "console": 30 * DAY_S,
            },
        ),
        "ban network": Permission(
            "operator",
            {"operator": 30 * DAY_S, "owner": 365 * DAY_S, "console": 365 * DAY_S},
        ),
        "ban key": Permission("moderator", {"moderator": 30 * DAY_S}),
        "unban": Permission("moderator"),
        "sanction": Permission("moderator"),
        "sanctions": Permission("moderator"),
        "reports": Permission("helper"),
        "reports NUMBER": Permission("moderator"),
        "close": Permission("moderator"),
        "announce": Permission("operator"),
        "motd": Permission("operator"),
        "news": Permission("operator"),
        "registration": Permission("operator"),
        "guests": Permission("operator"),
        "invitation": Permission("moderator"),
        "invitation revoke": Permission("moderator"),
        "rename": Permission("moderator"),
        "lookup": Permission("moderator"),
        "recover": Permission("operator"),
        "delete": Permission("operator"),
        "keep": Permission("operator"),
        "erase": Permission("owner"),
        "export": Permission("console"),
        "role": Permission("operator"),
        "shutdown": Permission("operator"),
        "void": Permission("operator"),
        "audit": Permission("moderator"),
    }
)
"""By verb; `ban guest`, `ban network` and `ban key` are kinds of `ban`.  `reports` shows helpers
numbers; `reports NUMBER` is all else that is done with reports."""


def may_use(role: Role, verb: str, *, has_key: bool = True) -> bool:
    """Whether somebody of that role may use a verb on anybody at all."""
    permission = PERMISSIONS[verb]
    return RANK[role] >= RANK[permission.least] and (has_key or not permission.needs_key)


def check_verb(actor: Actor, verb: str) -> None:
    """NotPermitted: the actor may not use the verb."""
    permission = PERMISSIONS[verb]
    if RANK[actor.role] < RANK[permission.least]:
        raise NotPermitted(texts.NOT_ALLOWED.format(_plural(permission.least), verb))
    if permission.needs_key and not actor.has_key:
        raise NotPermitted(texts.NEEDS_KEY)


def check_target(actor: Actor, target_id: str, target_role: Role) -> None:
    """NotPermitted: the actor may not act on this person [rule 1]."""
    if actor.role == "console":
        return
    if target_id == actor.id:
        raise NotPermitted(texts.ON_ONESELF)
    if RANK[target_role] >= RANK[actor.role]:
        raise NotPermitted(texts.ON_PEER.format(_plural(actor.role)))


def check_time(actor: Actor, verb: str, time_s: int | None) -> None:
    """NotPermitted: that is too long for the actor.  Args: time_s: None: for ever."""
    permission = PERMISSIONS[verb]
    most_s = permission.most_s.get(actor.role)
    if permission.keyless_s is not None and not actor.has_key:
        most_s = permission.keyless_s
    if most_s is not None and (time_s is None or time_s > most_s):
        raise NotPermitted(texts.TOO_LONG_FOR_ROLE.format(verb, span_text(most_s)))


def check_new_role(actor: Actor, role: Role) -> None:
    """NotPermitted: the actor may not give this role to anybody."""
    if actor.role == "operator" and RANK[role] > RANK["moderator"]:
        raise NotPermitted(texts.ROLE_TOO_HIGH.format(_plural("owner"), role))


def is_sanction_of_others(actor: Actor, by_role: Role) -> bool:
    """Whether a sanction that somebody of *by_role* made is not the actor's to lift or change."""
    return actor.role == "moderator" and RANK[by_role] > RANK["moderator"]


def _plural(role: Role) -> str:
    return f"{role}s"
