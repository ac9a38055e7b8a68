"""When each of many tables has something due: one time for each, the soonest first."""

from __future__ import annotations

from mudserver.tables.temporary_database import TemporaryDatabase


class DueTimes:
    """Args: name: Of what is due; another in *db* has another."""

    def __init__(self, db: TemporaryDatabase, name: str) -> None:
        self._db, self._name = db, name
        db.write(
            (f"create table {name} (number integer primary key, at_ms integer)", [()]),
            (f"create index soonest_{name} on {name} (at_ms)", [()]),
        )

    def __len__(self) -> int:
        return int(self._db.value(f"select count(*) from {self._name}"))

    def get(self, number: int) -> int | None:
        """When the table is due, UTC; None: never."""
        found: int | None = self._db.value(
            f"select at_ms from {self._name} where number = ?", number
        )
        return found

    def set(self, number: int, at_ms: int | None) -> None:
        """Args: at_ms: UTC; None: the table is not due any more."""
        if at_ms == self.get(number):
            return
        if at_ms is None:
            self._db.write((f"delete from {self._name} where number = ?", [(number,)]))
        else:
            self._db.write((f"replace into {self._name} values (?, ?)", [(number, at_ms)]))

    @property
    def next_ms(self) -> int | None:
        """When the first one is due, UTC; None: none ever is."""
        found: int | None = self._db.value(f"select min(at_ms) from {self._name}")
        return found

    def take(self, now_ms: int) -> tuple[int, int] | None:
        """The number of the first one that is due, and since when, UTC; None: none is."""
        due_ms = self.next_ms
        if due_ms is None or due_ms > now_ms:
            return None
        first = f"select number from {self._name} where at_ms = ? order by number limit 1"
        number = self._db.value(first, due_ms)
        self.set(number, None)
        return number, due_ms
