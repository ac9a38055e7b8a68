"""Chance that can be proved afterwards.  [G-02]

One secret 256-bit seed per game.  The stream of 64-bit numbers is
`sha256(seed || n as 8 bytes big-endian)` for n = 0, 1, 2, ...; each digest gives four numbers,
big-endian, first to last.

Rule 1: `below(n)` takes numbers from the stream until one is smaller than the largest multiple
        of n that fits 64 bits, and answers that number modulo n: uniform, no bias.
Rule 2: `shuffled` is Fisher and Yates from the top: for i = len-1 .. 1 swap i with below(i + 1).
Rule 3: every answer is logged in `draws` (an int for `below`, the permutation for `shuffled`),
        so the journal can replay the game without the seed and anybody can check it with it.

The same file serves the server, the verifier, tests and computer players.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")
Draw = int | tuple[int, ...]

_SPAN = 1 << 64


SEED_BYTES = 32  # of a seed


class SeededChance:
    """The stream of one seed, from *position* (numbers already taken) onwards."""

    __slots__ = ("_digest", "_digest_number", "_seed", "draws", "position")

    def __init__(self, seed: bytes, position: int = 0) -> None:
        self._seed, self.position = seed, position
        self._digest, self._digest_number = b"", -1
        self.draws: list[Draw] = []

    def _next(self) -> int:
        number, place = divmod(self.position, 4)
        if number != self._digest_number:
            self._digest = sha256(self._seed + number.to_bytes(8, "big")).digest()
            self._digest_number = number
        self.position += 1
        return int.from_bytes(self._digest[8 * place : 8 * place + 8], "big")

    def _below(self, n: int) -> int:
        limit = _SPAN - _SPAN % n
        while (number := self._next()) >= limit:
            pass
        return number % n

    def below(self, n: int) -> int:
        if n < 1:
            raise ValueError(f"below({n}): nothing to draw from")
        value = self._below(n)
        self.draws.append(value)
        return value

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        order = list(range(len(items)))
        for i in range(len(order) - 1, 0, -1):
            j = self._below(i + 1)
            order[i], order[j] = order[j], order[i]
        self.draws.append(tuple(order))
        return tuple(items[i] for i in order)


class ScriptedChance:
    """Answers from a log: the same draws again (replays, twins, scenarios).

    Raises:
        ValueError: The log is used up, or holds another kind of draw than is asked for.
    """

    __slots__ = ("_script", "draws")

    def __init__(self, script: Sequence[Draw]) -> None:
        self._script = list(reversed(script))
        self.draws: list[Draw] = []

    def _take(self) -> Draw:
        if not self._script:
            raise ValueError("the log of draws is used up")
        draw = self._script.pop()
        self.draws.append(draw)
        return draw

    def below(self, n: int) -> int:
        draw = self._take()
        if not isinstance(draw, int) or not 0 <= draw < n:
            raise ValueError(f"the log holds {draw!r} where a number below {n} is drawn")
        return draw

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        draw = self._take()
        if isinstance(draw, int) or sorted(draw) != list(range(len(items))):
            raise ValueError(f"the log holds no permutation of {len(items)} here")
        return tuple(items[i] for i in draw)
