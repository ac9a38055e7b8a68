"""What is kept of sessions that have lost their terminal, until their people come back.

Rule 1: a person has one at most; what is left later takes the place of what was left before.
Rule 2: memory alone, for `people.detached_keep_h`; DETACHED_MAX of them, each at most
        `wall.capsule_bytes` long; the oldest go first.
Rule 3: they are signed as for a door, with a nonce that no connection has: what travels to the next
        process in a handover is checked there.
Rule 4: other servers are told what waits here, and nothing of what is in it (`LeftSessions`).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

from msgspec.structs import replace

from mudserver.clock import Clock
from mudserver.cluster.events import SessionLeft
from mudserver.cluster.left_sessions import LeftSessions
from mudserver.config.schema import Config
from mudserver.wall.capsule import Capsule, CapsuleRefused, CapsuleSeal

DETACHED_MAX = 2_000  # sessions
MOVING_MS = 1_000  # how long a session that moves is kept where no other is
NONCE = b"detached"

log = logging.getLogger("session")


def left_of(capsule: Capsule) -> SessionLeft:
    """What others may know of it."""
    return SessionLeft(
        *(capsule.person, capsule.visit, capsule.came_by),
        *(capsule.since_ms, capsule.made_ms, capsule.table),
    )


class DetachedSessions:
    def __init__(self, config: Config, clock: Clock, left: LeftSessions) -> None:
        self.config = config  # replaced when the settings change
        self._left = left
        left.forget_own = self.forget
        self._clock = clock
        self._kept: dict[str, tuple[int, bytes]] = {}  # by person: when, signed; oldest first
        self.seal: CapsuleSeal | None = None  # None: the journal has not been read
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._kept)

    def close(self, *, is_closed: bool = True) -> None:
        """The process ends: a connection that is lost now is no sign that its person has gone.

        Args:
            is_closed: False: it goes on after all.
        """
        self._is_closed = is_closed

    @property
    def keep_s(self) -> float:
        """0: what has lost its connection is not kept."""
        return self.config.people.detached_keep_h * 3_600

    def keep(self, capsule: Capsule) -> bool:
        """Keep it until its person comes back.  False: it is not kept."""
        if self.seal is None or self._is_closed:
            return False
        packed = self.seal.pack(replace(capsule, nonce=NONCE), self.config.wall.capsule_bytes)
        if not packed:
            log.warning("capsule too large session=%s", capsule.visit)
            return False
        self._add(capsule, packed)
        return True

    def _add(self, capsule: Capsule, packed: bytes) -> None:
        self._kept.pop(capsule.person, None)
        self._kept[capsule.person] = capsule.made_ms, packed
        self._left.note_kept(left_of(capsule))
        if len(self._kept) > DETACHED_MAX:
            self.forget(next(iter(self._kept)))

    def find(self, person_id: str) -> Capsule | None:
        """What was left of the person's session, if it is not too long ago."""
        self.expire()
        found = self._kept.get(person_id)
        return None if found is None else self._opened(found[1])

    def forget(self, person_id: str) -> None:
        if self._kept.pop(person_id, None) is not None:
            self._left.note_forgotten(person_id)

    def expire(self) -> None:
        """Forget what is too old."""
        oldest_ms = self._clock.now_ms() - max(int(self.keep_s * 1_000), MOVING_MS)
        while self._kept:
            person_id, (left_ms, _) = next(iter(self._kept.items()))
            if left_ms > oldest_ms:
                return
            self.forget(person_id)

    def _opened(self, packed: bytes) -> Capsule | None:
        if self.seal is None:
            return None
        try:
            return self.seal.open(packed, NONCE)
        except CapsuleRefused as exc:
            log.info("capsule refused error=%s", exc)
            return None

    # -- a planned restart -----------------------------------------------------------------------

    def give(self, bytes_max: int) -> list[tuple[str, bytes]]:
        """All, by person, oldest first, for the next process; the oldest are left out of more
        than *bytes_max*."""
        self.expire()
        given: list[tuple[str, bytes]] = []
        for person_id, (_, packed) in reversed(self._kept.items()):
            bytes_max -= len(person_id) + len(packed)
            if bytes_max < 0:
                break
            given.append((person_id, packed))
        return given[::-1]

    def take(self, given: Iterable[tuple[str, bytes]]) -> None:
        """Keep what the process before had; what cannot be read is left out."""
        for person_id, packed in given:
            if len(packed) > self.config.wall.capsule_bytes or person_id in self._kept:
                continue
            capsule = self._opened(packed)
            if capsule is not None and capsule.person == person_id:
                self._add(capsule, packed)
