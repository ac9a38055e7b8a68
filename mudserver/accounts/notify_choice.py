"""What a person is to be told outside the server of games by correspondence, and of offered games.

Rule 1: nothing, unless the person has chosen a topic: the name under which the host's command knows
        where to send.
Rule 2: quiet hours are hours of the person's own day.
Rule 3: offered games are told in the terminal alone, at any hour, with a topic or without.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

import msgspec

from mudserver.accounts import texts
from mudserver.errors import UserError
from variants.kit.text import join_words

NotifyEvent = Literal["moves", "invitations", "results"]
EVENTS: tuple[NotifyEvent, ...] = get_args(NotifyEvent)
TOPIC = re.compile("[A-Za-z0-9_-]{8,64}")
HOURS = re.compile(r"([0-9]{1,2})(?::00)?-([0-9]{1,2})(?::00)?")


class NotifyChoice(msgspec.Struct, frozen=True):
    topic: str = ""  # "": nothing is sent
    events: tuple[NotifyEvent, ...] = EVENTS
    quiet_from: int = 0  # hour of the day, 0 to 23
    quiet_to: int = 0  # the same; as `quiet_from`: no hour is quiet
    zone: str = "UTC"  # of these hours
    seeks: tuple[str, ...] = ()  # games; offers of these are told at a table, too

    def is_quiet_at(self, hour: int) -> bool:
        """Args: hour: of the day in `zone`."""
        if self.quiet_from <= self.quiet_to:
            return self.quiet_from <= hour < self.quiet_to
        return hour >= self.quiet_from or hour < self.quiet_to

    @property
    def has_quiet_hours(self) -> bool:
        return self.quiet_from != self.quiet_to


NO_NOTICES = NotifyChoice()


def check_topic(text: str) -> str:
    """UserError: it cannot be a topic."""
    if not TOPIC.fullmatch(text):
        raise UserError(texts.TOPIC_CHARACTERS, "usage")
    return text


def check_events(text: str) -> tuple[NotifyEvent, ...]:
    """`moves,results`.  UserError: there are no such events."""
    typed = text.casefold().replace(",", " ").split()
    if not typed or not set(typed) <= {*EVENTS}:
        raise UserError(texts.EVENTS_UNKNOWN.format(text[:40], join_words(EVENTS, "or")), "usage")
    return tuple([event for event in EVENTS if event in typed])


def check_hours(text: str) -> tuple[int, int]:
    """`22-08`, or `off`: from and to.  UserError: these are no hours."""
    if text.casefold() == "off":
        return 0, 0
    found = HOURS.fullmatch(text.replace(" ", ""))
    hours = tuple(int(it) % 24 for it in found.groups() if int(it) <= 24) if found else ()
    if len(hours) != 2 or hours[0] == hours[1]:
        raise UserError(texts.HOURS_WRONG.format(text[:20]), "usage")
    return hours
