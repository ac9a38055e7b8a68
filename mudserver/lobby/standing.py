"""How long somebody has been here, and to how many people who do not know them they have written.

Rule 1: whom one has heard from counts until the session ends.  What one has written outlives it:
        logging in again gives nobody another try.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from mudserver import metrics
from mudserver.accounts.person import Person
from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.lobby import texts

STRANGERS_S = 600.0  # in which they are counted
HEARD_MAX = 200  # people from whom one person has heard; the first are forgotten
WRITERS_MAX = 4_096  # people whose writing is counted; the least recent are forgotten


class Standing(NamedTuple):
    """What is known of a person who talks."""

    is_new: Callable[[Person], bool] = lambda person: person.is_guest
    """A guest, or an account of the last hour that has finished no game."""
    is_regular: Callable[[Person], bool] = lambda person: not person.is_guest
    """An account that is older than a day."""
    is_staff: Callable[[Person], bool] = lambda person: False


NAMES_ALONE = Standing()
"""Where nothing else is known, names tell guests from accounts."""


class Strangers:
    """Who writes, by tells and mail, to people who have not written to them."""

    def __init__(self, limits: schema.ChatLimits, is_regular: Callable[[Person], bool]) -> None:
        self.limits = limits  # replaced when the settings change
        self._is_regular = is_regular
        self._written: OrderedDict[str, dict[str, float]] = OrderedDict()  # to whom, and when
        self._heard: OrderedDict[str, OrderedDict[str, None]] = OrderedDict()  # of whom

    def check(self, writer: Person, reader_id: str, now: float) -> None:
        """UserError: the writer has written to many new people, and the reader is another."""
        written = self._recent(writer.id, now)
        limits = self.limits
        most = limits.strangers_max if self._is_regular(writer) else limits.strangers_new_max
        if reader_id in written or self._knows(writer.id, reader_id) or len(written) < most:
            return
        metrics.REFUSALS.increment("strangers")
        raise UserError(texts.MANY_STRANGERS, "limit")

    def note(self, writer_id: str, reader_id: str, now: float) -> None:
        """Somebody has written to somebody else."""
        if not self._knows(writer_id, reader_id):
            self._written[writer_id] = {**self._recent(writer_id, now), reader_id: now}
            self._written.move_to_end(writer_id)
            if len(self._written) > WRITERS_MAX:
                self._written.popitem(last=False)
        heard = self._heard.setdefault(reader_id, OrderedDict())
        heard[writer_id] = None
        if len(heard) > HEARD_MAX:
            heard.popitem(last=False)
        self._heard.move_to_end(reader_id)
        if len(self._heard) > WRITERS_MAX:
            self._heard.popitem(last=False)

    def forget(self, person_id: str) -> None:
        """The person's session has ended."""
        self._heard.pop(person_id, None)

    def replace_person(self, old: str, new: str) -> None:
        """The person of id *old* has the id *new*."""
        if old in self._written:
            self._written[new] = self._written.pop(old)
        if old in self._heard:
            self._heard[new] = self._heard.pop(old)
        for heard in self._heard.values():
            if old in heard:
                del heard[old]
                heard[new] = None

    def _knows(self, person_id: str, other_id: str) -> bool:
        return other_id in self._heard.get(person_id, ())

    def _recent(self, writer_id: str, now: float) -> dict[str, float]:
        written = self._written.get(writer_id, {})
        return {reader: at for reader, at in written.items() if now - at < STRANGERS_S}
