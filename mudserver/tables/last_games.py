"""Which game each person has finished last since the start.  State without I/O.

Rule 1: the oldest are forgotten: memory is bounded.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

ENTRIES_MAX = 10_000


class LastGames:
    def __init__(self) -> None:
        self._variants: OrderedDict[str, str] = OrderedDict()  # by person

    def note(self, people: Iterable[str], variant: str) -> None:
        for person in people:
            self._variants[person] = variant
            self._variants.move_to_end(person)
            if len(self._variants) > ENTRIES_MAX:
                self._variants.popitem(last=False)

    def of(self, person: str) -> str:
        """The name of the variant; "": none."""
        return self._variants.get(person, "")

    def replace_person(self, old: str, new: str) -> None:
        """The person has another id."""
        if old in self._variants:
            self.note([new], self._variants.pop(old))
