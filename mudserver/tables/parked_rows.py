"""The rows of parked tables that a server keeps, packed: there may be very many of them.

Rule 1: whoever asks for one table unpacks that one.  Lists of all unpack one after the other, and
        of each only what they show.
Rule 2: everything that is asked for a person or a code, and not for a table, is found without
        unpacking.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

import msgspec

from mudserver.data_messages import TableRow
from mudserver.tables.parked import Parked, decode, encode
from mudserver.tables.summary import TableSummary

_WBITS = -15  # no header and no sum: it leaves no memory
_USUAL = (
    b'{"number":1,"sequence":1,"at_ms":17,"next_ms":17,"deadline_ms":17,"offer_ms":null,'
    b'"pause_ms":null,"game":1,"people":["p","p"],"left":["p"],"games":{"p":[1,"","playing",true,'
    b'[],17,false,true,[]],"p":[1,"","playing",false,[""],17,false,false,[]]},"own":{"p":{"table":'
    b'1,"game":"1.1","variant":"","seat":1,"is_left":true,"question":"1.1","deadline":17},"p":{'
    b'"table":1,"game":"1.1","variant":"","seat":0,"is_left":false,"question":null,"deadline":null'
    b'}},"here":["p",["p","p"],[],true,true,false],"code_hash":"","summary":[1,"","playing","",0,0,'
    b'false,false,true,[]],"row":{"number":1,"variant":"","phase":"playing","options":{"seats":"2",'
    b'"pace":"person","absence":"computer","move":"1d","bots":"owner","who":"accounts","code":"off"'
    b',"fill":"off","programs":"on","kibitz":"on","substitutes":"on","hints":"alone","rated":"off",'
    b'"delay":"0"},"preset":"correspondence","owner":"","is_private":false,"seats":[{"seat":0,'
    b'"name":"","kind":"person","level":null,"is_ready":false,"is_away":false,"is_vacant":false,'
    b'"can_substitute":false},{"seat":1,"name":"","kind":"computer","level":"medium","is_ready":'
    b'false,"is_away":false,"is_vacant":false,"can_substitute":false}],"free":0,"rated":false,'
    b'"watchers":0,"game":"1.1","can_sit":false,"speed":"correspondence","tourney":null},"names":['
    b'"",""],"notices":[["p","move","1.1.1",17,17],["p","half","1.1.1",17,17],["p","tenth","1.1.1",'
    b"17,17]]}"
)
"""What nearly every row has."""


class _Summary(msgspec.Struct):
    summary: TableSummary


class _Row(msgspec.Struct):
    row: TableRow


class _People(msgspec.Struct):
    people: tuple[str, ...]


def pack(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=_WBITS, zdict=_USUAL)
    return packer.compress(body) + packer.flush()


def unpack(packed: bytes) -> bytes:
    return zlib.decompressobj(wbits=_WBITS, zdict=_USUAL).decompress(packed)


class ParkedRows:
    def __init__(self) -> None:
        self._packed: dict[int, bytes] = {}  # by number
        self._code_hashes: dict[int, str] = {}  # of the private ones
        self._live = set[int]()
        self._left_by: dict[str, list[int]] = {}  # by person who has left a seat to a computer
        self._asking: dict[str, list[int]] = {}  # by person who is to move, and need not be there

    def __contains__(self, number: int) -> bool:
        return number in self._packed

    def __len__(self) -> int:
        return len(self._packed)

    def put(self, row: Parked) -> None:
        number = row.number
        self._packed[number] = pack(encode(row))
        if row.code_hash:
            self._code_hashes[number] = row.code_hash
        if row.is_live:
            self._live.add(number)
        for person in row.left:
            self._left_by.setdefault(person, []).append(number)
        for person in _asked(row):
            self._asking.setdefault(person, []).append(number)

    def pop(self, number: int) -> Parked | None:
        """The row, which is forgotten; None: the table is not parked."""
        if (row := self.get(number)) is None:
            return None
        del self._packed[number]
        self._code_hashes.pop(number, None)
        self._live.discard(number)
        for person in row.left:
            _remove(self._left_by, person, number)
        for person in _asked(row):
            _remove(self._asking, person, number)
        return row

    # -- of one table --------------------------------------------------------------------------

    def get(self, number: int) -> Parked | None:
        """The table as it was parked; None: it is not."""
        packed = self._packed.get(number)
        return None if packed is None else decode(unpack(packed))

    # -- of all --------------------------------------------------------------------------------

    def numbers(self) -> list[int]:
        return sorted(self._packed)

    def summaries(self) -> Iterator[TableSummary]:
        """By number."""
        return map(self.summary, self.numbers())

    def summary(self, number: int) -> TableSummary:
        """Of a table that is parked."""
        return msgspec.json.decode(unpack(self._packed[number]), type=_Summary).summary

    def table_rows(self) -> Iterator[TableRow]:
        """By number."""
        for number in self.numbers():
            yield msgspec.json.decode(unpack(self._packed[number]), type=_Row).row

    def public_count(self) -> int:
        return len(self) - self.private_count()

    def private_count(self) -> int:
        return len(self._code_hashes)

    def code_hashes(self) -> Iterable[tuple[int, str]]:
        """Of the private ones, by number."""
        return self._code_hashes.items()

    # -- of people -----------------------------------------------------------------------------

    def left_by(self, person: str) -> list[int]:
        """Where a computer player has the seat of that person."""
        return self._left_by.get(person, [])

    def asking(self, person: str) -> list[int]:
        """Where that person is to move, but for live games."""
        return self._asking.get(person, [])

    def live_of(self, numbers: Iterable[int]) -> list[int]:
        """Those of *numbers* where a live game waits for its people, who are offline."""
        return [it for it in numbers if it in self._live]

    def knowing(self, person: str) -> list[int]:
        """Those that remember anything of the person."""
        return [
            number
            for number in self.numbers()
            if person in msgspec.json.decode(unpack(self._packed[number]), type=_People).people
        ]


def _asked(row: Parked) -> list[str]:
    return [] if row.is_live else [who for who, game in row.games.items() if game.is_asked]


def _remove(numbers_of: dict[str, list[int]], person: str, number: int) -> None:
    if others := [it for it in numbers_of.pop(person) if it != number]:
        numbers_of[person] = others
