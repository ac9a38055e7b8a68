"""Messages about people that are data for programs of protocol 2; see `data_messages.py`.

Rule 1: lists of one's own (friends, ignored, mail, private messages) are sent to their owner alone.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from mudserver.data_messages import AnswerId, PlayerKind, UnixMillis
from mudserver.data_results import Left, Rating
from mudserver.messages import TableNumber, TableOrLobby, WireMessage


class PersonRow(msgspec.Struct, frozen=True):
    """A person who is here."""

    name: str
    person: Annotated[str, Meta(description="id, which never changes")]
    kind: PlayerKind
    role: Annotated[str, Meta(description="`player`, or what the staff calls itself")]
    table: TableOrLobby
    away: Annotated[str, Meta(description='what the person says of being away; "": is not')]


class PeopleData(WireMessage, frozen=True, tag="people"):
    """The answer to `who`."""

    people: tuple[PersonRow, ...]
    total: Annotated[int, Meta(description="people who are here, listed or not")]
    id: AnswerId = None


class PersonData(WireMessage, frozen=True, tag="person"):
    """The answer to `finger`: what is public of one person."""

    name: str
    person: str
    kind: PlayerKind
    role: str
    since: Annotated[UnixMillis | None, Meta(description="of the account; null: a guest")]
    is_here: bool
    table: TableOrLobby
    away: str
    profile: Annotated[str, Meta(description="what the person says of itself")]
    ratings: Annotated[
        tuple[Rating, ...], Meta(description="empty: there are none, or the reader sees none")
    ] = ()
    left: Annotated[
        Left | None, Meta(description="null: too few games, or the reader sees none")
    ] = None
    recent: Annotated[
        tuple[int, ...], Meta(description="numbers of the last games, newest first")
    ] = ()
    id: AnswerId = None


class FriendRow(msgspec.Struct, frozen=True):
    """A friend of the reader."""

    name: str
    person: str
    is_here: bool
    table: Annotated[TableOrLobby, Meta(description="null: the lobby, or not here")]


class FriendsData(WireMessage, frozen=True, tag="friends"):
    """The answer to `friends`."""

    friends: tuple[FriendRow, ...]
    id: AnswerId = None


class IgnoredData(WireMessage, frozen=True, tag="ignored"):
    """The answer to `ignore`: whom the reader does not hear."""

    names: tuple[str, ...]
    id: AnswerId = None


class ChannelRow(msgspec.Struct, frozen=True):
    """A channel that the reader can join."""

    name: str
    topic: str
    readers: Annotated[int, Meta(description="people who hear it now")]
    is_joined: Annotated[bool, Meta(description="the reader hears it everywhere")]


class ChannelsData(WireMessage, frozen=True, tag="channels"):
    """The answer to `channels`, the lobby first."""

    channels: tuple[ChannelRow, ...]
    id: AnswerId = None


class TellRow(msgspec.Struct, frozen=True):
    """A private message of the reader."""

    at: UnixMillis
    who: Annotated[str, Meta(description="who has sent it")]
    to: Annotated[str | None, Meta(description="null: the reader")]
    text: str


class TellsData(WireMessage, frozen=True, tag="tells"):
    """The answer to `tells`: those of this session, oldest first."""

    tells: tuple[TellRow, ...]
    id: AnswerId = None


class MailRow(msgspec.Struct, frozen=True):
    """A message of the reader's mailbox, without its words."""

    number: Annotated[int, Meta(description="for `mail read`")]
    at: UnixMillis
    who: str
    is_new: Annotated[bool, Meta(description="it was not read yet")]


class MailboxData(WireMessage, frozen=True, tag="mailbox"):
    """The answer to `mail`: newest first."""

    messages: tuple[MailRow, ...]
    id: AnswerId = None


class OwnSession(msgspec.Struct, frozen=True):
    """A session of the reader."""

    protocol: Annotated[str, Meta(description="how it came: `ssh`, `json`, `telnet`, ...")]
    since: UnixMillis
    left: Annotated[UnixMillis | None, Meta(description="by its terminal; null: this session")]
    table: Annotated[int | None, Meta(description="where it was when it was left")]


class SessionsData(WireMessage, frozen=True, tag="sessions"):
    """The answer to `sessions`: this one first, then one that a terminal can take up."""

    sessions: tuple[OwnSession, ...]
    id: AnswerId = None


class WatcherRow(msgspec.Struct, frozen=True):
    """A person who watches a table."""

    name: str
    person: Annotated[str, Meta(description="id, which never changes")]
    kind: PlayerKind


class WatchersData(WireMessage, frozen=True, tag="watchers"):
    """The answer to `watchers`: those of the reader's table."""

    table: TableNumber
    watchers: tuple[WatcherRow, ...]
    behind: Annotated[int, Meta(ge=0, description="decisions that they are behind in this game")]
    id: AnswerId = None


PEOPLE_TYPES: tuple[type[WireMessage], ...] = (
    *(PeopleData, PersonData, FriendsData, IgnoredData, ChannelsData, TellsData, MailboxData),
    *(SessionsData, WatchersData),
)
