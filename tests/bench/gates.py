"""Which level of computer players must beat which: the gates of `tests.bench.league --gates`.

Rule 1: a level beats the one below if the lower end of the 95 % interval of its share is above a
        bound, and is no wall if the upper end of the share of one below stays above another.
Rule 2: a stand-in for a newcomer takes 0.6 to 1.3 of its fair share against the easy level.
Rule 3: all of them together take 20 minutes of CPU at most.
"""

from __future__ import annotations

from dataclasses import dataclass

NEWCOMER_SHARES = (0.6, 1.3)  # of the fair share
MATRIX_SEATS = {"elimination": 4, "stockpile": 4, "words": 3}
OPTIONS = {"words": {"target": "100"}}  # of gates and matrices, beside the defaults


@dataclass(frozen=True)
class Gate:
    variant: str
    seats: int
    challenger: str
    opponents: str
    games: int
    low_above: float = 0.0  # of the lower end of the interval
    high_above: float = 0.0  # of the upper end
    fair_shares: tuple[float, float] = (0.0, 99.0)  # of the share itself, in fair ones

    def holds(self, share: float, low: float, high: float) -> bool:
        least, most = self.fair_shares
        is_fair = least <= share * self.seats <= most
        return low > self.low_above and high > self.high_above and is_fair

    @property
    def wants(self) -> str:
        if self.low_above:
            return f"low > {self.low_above:.2f}"
        if self.high_above:
            return f"high > {self.high_above:.2f}"
        least, most = (fair / self.seats for fair in self.fair_shares)
        return f"share {least:.3f} to {most:.3f}"


def _newcomer(variant: str, seats: int, games: int) -> Gate:
    return Gate(variant, seats, "newcomer", "easy", games, fair_shares=NEWCOMER_SHARES)


GATES = (
    Gate("elimination", 4, "easy", "random", 400, 0.30),
    Gate("elimination", 4, "medium", "easy", 600, 0.29),
    Gate("elimination", 4, "hard", "medium", 400, 0.33),
    Gate("elimination", 4, "expert", "hard", 400, 0.30),
    Gate("elimination", 8, "expert", "hard", 150, 0.15),
    Gate("elimination", 2, "expert", "hard", 600, 0.46),  # not weaker; a gain is not proved
    Gate("elimination", 4, "easy", "hard", 400, high_above=0.10),
    Gate("elimination", 4, "medium", "hard", 400, high_above=0.15),
    _newcomer("elimination", 2, 300),
    _newcomer("elimination", 4, 300),
    Gate("stockpile", 4, "medium", "easy", 600, 0.30),
    Gate("stockpile", 4, "hard", "medium", 1_000, 0.26),
    Gate("stockpile", 4, "hard", "easy", 400, 0.36),
    _newcomer("stockpile", 2, 300),
    _newcomer("stockpile", 4, 300),
    Gate("words", 3, "medium", "easy", 300, 0.38),
    Gate("words", 3, "hard", "medium", 150, 0.45),
    Gate("words", 3, "expert", "hard", 150, 0.50),
    Gate("words", 3, "master", "expert", 150, 0.60),
    _newcomer("words", 2, 200),
    _newcomer("words", 3, 200),
)
