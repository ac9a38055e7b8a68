"""Moves that people keep for later, in games by correspondence: what is kept, and when it is looked
up.  Pure.

Rule 1: a list belongs to one seat and is shown to nobody else.  Other readers learn nothing from
        it before one of its moves is played, and then they read an ordinary move.
Rule 2: whenever a person is asked, a pause is drawn, and the list is looked up at its end, empty or
        not.  The pause follows from the seed and from times that everybody knows, so it is the same
        whatever is kept, and after a restart too.  A parked table is fetched for an empty list as
        well: nothing that the server does tells whether there is one.
Rule 3: nobody can add to the list while asked: what is looked up was there before the question.  To
        look twice does no harm.
Rule 4: a move of one's own by hand ends the list, and so does whatever else takes the seat or the
        game away.
"""

from __future__ import annotations

from copy import copy
from hashlib import sha256

from mudserver.tables import records as f

LINES_MAX = 5  # moves in one list
LINE_CHARS_MAX = 100  # of one move
CHANGES_MAX = 20  # of one seat in one game: each is a record
PAUSE_MS = (60_000, 600_000)  # from the question to the move


class Plans:
    """The lists of one game, by seat.  `note` is the only mutator."""

    def __init__(self) -> None:
        self.lines: dict[int, tuple[str, ...]] = {}
        self.changes: dict[int, int] = {}  # that their owners have made
        self.unfit: set[int] = set()  # whose list ended because nothing fitted; asked still
        self._since_ms = 0  # when the open window opened, UTC
        self._answered_ms: dict[int, int] = {}  # when a seat last decided in it

    def copy(self) -> Plans:
        other = copy(self)
        other.lines, other.changes = dict(self.lines), dict(self.changes)
        other.unfit, other._answered_ms = set(self.unfit), dict(self._answered_ms)
        return other

    def note(self, fact: f.AnyFact, at_ms: int) -> None:
        """*fact* is applied to the game."""
        match fact:
            case f.PlanSet(seat=seat, lines=lines, is_rest=is_rest):
                self.lines[seat] = lines
                self._count(seat, is_typed=not is_rest)
            case f.PlanEnded(seat=seat, why=why):
                self.lines.pop(seat, None)
                self._count(seat, is_typed=why == "cleared")
                if why == "unfit":
                    self.unfit.add(seat)
            case f.Played(seat=seat, by=by):
                self.unfit.discard(seat)
                self._answered_ms[seat] = at_ms
                if by == "person":
                    self.lines.pop(seat, None)
            case f.HandedOver(seat=seat) | f.WentAway(seat=seat) | f.Gone(seat=seat):
                self.lines.pop(seat, None)
                self.unfit.discard(seat)
            case f.Asked():
                self._since_ms, self._answered_ms = at_ms, {}
            case f.Ended() | f.Aborted():
                self.lines, self.unfit = {}, set()

    def _count(self, seat: int, *, is_typed: bool) -> None:
        self.changes[seat] = self.changes.get(seat, 0) + is_typed

    def due_ms(self, seat: int, seed: bytes, *, is_sealed: bool) -> int:
        """When the list of *seat*, which the open window asks, is looked up, UTC.

        Args:
            seed: Of the game.
            is_sealed: The window is: who has answered it is nobody's business, so that plays no
                part.
        """
        since_ms = self._since_ms
        if not is_sealed:
            since_ms = max(since_ms, self._answered_ms.get(seat, 0))
        drawn = sha256(b"later" + seed + f"{seat} {since_ms}".encode()).digest()
        least_ms, most_ms = PAUSE_MS
        return since_ms + least_ms + int.from_bytes(drawn[:8]) % (most_ms - least_ms + 1)
