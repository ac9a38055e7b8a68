"""Events of keeping order as bytes and back.  One decision is one record a stream."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from mudserver.moderation.events import (
    GuestsSet,
    InviteIssued,
    InviteRevoked,
    InviteUsed,
    LoginsNoted,
    MonthEnded,
    MotdSet,
    NewsAdded,
    NewsRemoved,
    OwnersSet,
    RegistrationSet,
    ReportDecided,
    ReportFiled,
    ReportTaken,
    SanctionChanged,
    SanctionEnded,
    SanctionSet,
    SiteSnapshot,
    StaffAct,
    StaffEvent,
)

_decoder = msgspec.json.Decoder(
    tuple[
        SanctionSet
        | SanctionChanged
        | SanctionEnded
        | ReportFiled
        | ReportTaken
        | ReportDecided
        | StaffAct
        | MonthEnded
        | RegistrationSet
        | GuestsSet
        | InviteIssued
        | InviteRevoked
        | InviteUsed
        | MotdSet
        | NewsAdded
        | NewsRemoved
        | OwnersSet
        | LoginsNoted
        | SiteSnapshot,
        ...,
    ]
)
_encoder = msgspec.json.Encoder()


def encode(events: Sequence[StaffEvent]) -> bytes:
    return _encoder.encode(events)


def decode(body: bytes) -> tuple[StaffEvent, ...]:
    """msgspec.DecodeError: this is not a record of events, or one of a newer server."""
    return _decoder.decode(body)
