"""Account events as bytes and back.  One decision is one record of one or more events."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from mudserver.accounts.events import (
    AccountEvent,
    AccountOpened,
    AccountSnapshot,
    Befriended,
    ChannelSet,
    CodeEnded,
    CodeIssued,
    DeletionAsked,
    DeletionWithdrawn,
    Erased,
    GamePlayed,
    HoldEnded,
    Ignored,
    KeyAdded,
    KeyLabelled,
    KeyProven,
    KeyRemoved,
    LessonFinished,
    LessonReached,
    NewsSeen,
    NotifySet,
    PasswordSet,
    PreferenceSet,
    ProfileSet,
    ProgramDeclared,
    Renamed,
    RoleNoted,
    RoleSet,
    Seen,
    Unfriended,
    Unignored,
    Warned,
    WarningRead,
)

_decoder = msgspec.json.Decoder(
    tuple[
        AccountOpened
        | AccountSnapshot
        | PasswordSet
        | KeyAdded
        | KeyProven
        | KeyLabelled
        | KeyRemoved
        | CodeIssued
        | CodeEnded
        | Seen
        | PreferenceSet
        | GamePlayed
        | LessonReached
        | LessonFinished
        | RoleSet
        | RoleNoted
        | Warned
        | WarningRead
        | NewsSeen
        | Ignored
        | Unignored
        | Befriended
        | Unfriended
        | ProfileSet
        | ProgramDeclared
        | Renamed
        | HoldEnded
        | DeletionAsked
        | DeletionWithdrawn
        | Erased
        | ChannelSet
        | NotifySet,
        ...,
    ]
)
_encoder = msgspec.json.Encoder()


def encode(events: Sequence[AccountEvent]) -> bytes:
    return _encoder.encode(events)


def decode(body: bytes) -> tuple[AccountEvent, ...]:
    """msgspec.DecodeError: this is not a record of events, or one of a newer server."""
    return _decoder.decode(body)
