"""Whether a server could start from a journal: every record is replayed and checked.

Rule 1: the server's own replay is used, so a journal without faults here starts there.
Rule 2: one fault is one line with the stream and the sequence number, and the check continues.  A
        line never holds a hand, a seed or a password.
Rule 3: at the end of every game each seat's view and history is made, each card of the box is in
        exactly one zone, and the seed is the one that was announced.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.codec import decode as decode_facts
from mudserver.accounts.names import claim_key
from mudserver.config.schema import TablesConfig
from mudserver.errors import JournalCorruptError
from mudserver.journal import JournalInspector, StoredRecord
from mudserver.journal.streams import (
    ACCOUNT_STREAMS,
    MAILBOX_STREAMS,
    RESULT_STREAMS,
    STAFF_STREAMS,
    TABLE_STREAMS,
    TOURNEY_STREAMS,
    stream_kind,
)
from mudserver.mail.events import decode as decode_mail_events
from mudserver.mail.mailbox import Mailbox
from mudserver.moderation.codec import decode as decode_staff_events
from mudserver.moderation.events import CLOSING
from mudserver.results.events import GameRecorded
from mudserver.results.events import decode as decode_result_event
from mudserver.tables import codec
from mudserver.tables import records as f
from mudserver.tables.commit import commit
from mudserver.tables.game import Game
from mudserver.tables.table import Table
from mudserver.tourneys.events import RoundDrawn, TableDone, TableLost, TableOpened, TourneyOpened
from mudserver.tourneys.events import decode as decode_tourney_events
from mudserver.tourneys.tourney import PlaceKey, Tourney
from variants.catalogue import Catalogue
from variants.contract import Seat


@dataclass
class AuditReport:
    """What was found, and how much was looked at."""

    faults: list[str] = field(default_factory=list)
    records: int = 0
    tables: int = 0
    open_tables: int = 0
    games: int = 0
    people: int = 0
    places: dict[PlaceKey, set[int]] = field(default_factory=dict)  # of tournaments: their tables

    def __str__(self) -> str:
        return (
            f"records={self.records} tables={self.tables} open={self.open_tables}"
            f" games={self.games} accounts={self.people} faults={len(self.faults)}"
        )


class _Inconsistent(Exception):
    """Folds, and yet cannot be right."""


def audit_journal(
    inspector: JournalInspector, catalogue: Catalogue, config: TablesConfig
) -> AuditReport:
    """Check every record of the journal.  Slow: some 10,000 records a second."""
    audit, book = AuditReport(inspector.find_flaws()), Accounts()
    if audit.faults and audit.faults[0].startswith("the file"):
        return audit
    for stream, is_closed in inspector.streams():
        kind = stream_kind(stream)
        if kind is RESULT_STREAMS:
            _check_results(audit, stream, inspector.read_pieces(stream))
            continue
        try:
            stored = inspector.read(stream)
        except JournalCorruptError as exc:
            audit.faults.append(str(exc))
            continue
        audit.records += len(stored)
        if kind is TABLE_STREAMS:
            audit.tables += 1
            audit.open_tables += not is_closed
            _check_table(audit, stream, is_closed, stored, catalogue, config)
        elif kind is ACCOUNT_STREAMS:
            audit.people += 1
            _check_account(audit, stream, stored, book)
        elif kind is MAILBOX_STREAMS:
            _check_mailbox(audit, stream, stored)
        elif kind is TOURNEY_STREAMS:
            _check_tourney(audit, stream, is_closed, stored)
        elif kind in STAFF_STREAMS:
            _check_staff_stream(audit, stream, is_closed, stored)
    _check_claims(audit, inspector, book)
    return audit


def _check_claims(audit: AuditReport, inspector: JournalInspector, book: Accounts) -> None:
    """Whoever claims a name has it or holds it.  Claims that are missing are made at a start."""
    own = {(claim_key(account.name), account.id) for account in book.all()}
    own.update(book.held_names())
    for claim in inspector.name_claims():
        if (claim.key, claim.owner) not in own:
            audit.faults.append(f"claims: {claim.owner} claims a name that is not its own")


def _check_account(
    audit: AuditReport, stream: str, stored: Sequence[StoredRecord], book: Accounts
) -> None:
    at = 0
    try:
        for record in stored:
            at = record.sequence
            for fact in decode_facts(record.body):
                if fact.id != f"p{ACCOUNT_STREAMS.number(stream)}":
                    raise _Inconsistent("it is about somebody else")
                book.apply(fact)
    except Exception as exc:
        audit.faults.append(_fault(stream, at, exc))


def _check_mailbox(audit: AuditReport, stream: str, stored: Sequence[StoredRecord]) -> None:
    at, box = 0, Mailbox()
    try:
        for record in stored:
            at = record.sequence
            for event in decode_mail_events(record.body):
                box.apply(event)
    except Exception as exc:
        audit.faults.append(_fault(stream, at, exc))


def _check_staff_stream(
    audit: AuditReport, stream: str, is_closed: bool, stored: Sequence[StoredRecord]
) -> None:
    """Every record can be read, and the last one says whether the stream goes on."""
    at = 0
    try:
        ends = False
        for record in stored:
            at = record.sequence
            if ends:
                raise _Inconsistent("it goes on behind its end")
            ends = isinstance(decode_staff_events(record.body)[-1], CLOSING)
        if ends is not is_closed:
            raise _Inconsistent("its last record and its end disagree")
    except Exception as exc:
        audit.faults.append(_fault(stream, at, exc))


def _check_tourney(
    audit: AuditReport, stream: str, is_closed: bool, stored: Sequence[StoredRecord]
) -> None:
    """Every record folds, the opening is the first and the end the last, and each place has one
    table, or one more where that was lost, and one result."""
    at, tourney, has_begun = 0, Tourney(TOURNEY_STREAMS.number(stream)), False
    seen = set[tuple[str, int, int]]()
    try:
        for record in stored:
            at = record.sequence
            for event in decode_tourney_events(record.body):
                if tourney.phase == "closed":
                    raise _Inconsistent("it goes on behind its end")
                if isinstance(event, TourneyOpened) is has_begun:
                    raise _Inconsistent("it has no opening, or two")
                has_begun = True
                if isinstance(event, RoundDrawn) and event.number != len(tourney.rounds) + 1:
                    raise _Inconsistent("its round is not the next one")
                if isinstance(event, TableOpened | TableLost | TableDone):
                    key = type(event).__name__, event.round, event.place
                    if key in seen:
                        raise _Inconsistent("a place has two tables, or two results")
                    seen.add(key)
                if isinstance(event, TableOpened):
                    place = PlaceKey(tourney.number, event.round, event.place)
                    audit.places.setdefault(place, set()).add(event.table)
                if isinstance(event, TableLost):
                    seen.discard((TableOpened.__name__, event.round, event.place))
                tourney.apply(event)
            tourney.standings()
        if (tourney.phase == "closed") is not is_closed:
            raise _Inconsistent("its last record and its end disagree")
    except Exception as exc:
        audit.faults.append(_fault(stream, at, exc))


def _check_results(
    audit: AuditReport, stream: str, pieces: Iterable[Sequence[StoredRecord]]
) -> None:
    """Numbers count up from 1, and each game is recorded once."""
    at, ids = 0, set[str]()
    try:
        for record in chain.from_iterable(pieces):
            at = record.sequence
            audit.records += 1
            event = decode_result_event(record.body)
            if isinstance(event, GameRecorded):
                if event.number != len(ids) + 1:
                    raise _Inconsistent("its number is not the next one")
                if event.id in ids:
                    raise _Inconsistent("its game is recorded twice")
                ids.add(event.id)
    except JournalCorruptError as exc:
        audit.faults.append(str(exc))
    except Exception as exc:
        audit.faults.append(_fault(stream, at, exc))


def _check_table(
    audit: AuditReport,
    stream: str,
    is_closed: bool,
    stored: Sequence[StoredRecord],
    catalogue: Catalogue,
    config: TablesConfig,
) -> None:
    at = 0
    try:
        name = codec.variant_name(stored[0].body)
        if name not in catalogue:
            raise _Inconsistent(f"there is no game called {name}")
        table = Table(TABLE_STREAMS.number(stream), catalogue[name], config)
        for record in stored:
            at = record.sequence
            decoded = codec.decode(at, record.body, catalogue[name])
            if table.game is not None and any(_replaces(fact) for fact in decoded.facts):
                check_game(table.game)
            commit(table, decoded)
            known = audit.places.get(PlaceKey(*table.tourney))
            if at == 1 and known is not None and table.number not in known:
                raise _Inconsistent("its tournament has another table there")
            audit.games += sum(isinstance(fact, f.Started) for fact in decoded.facts)
            _check_seed_commitment(decoded)
        if table.is_closed is not is_closed:
            raise _Inconsistent("its stream is closed, the table is not" if is_closed else
                         "the table is closed, its stream is not")  # fmt: skip
        if table.game is not None:
            check_game(table.game)
    except Exception as exc:
        audit.faults.append(_fault(stream, at, exc))


def _replaces(fact: f.AnyFact) -> bool:
    """Whether the game before is not to be seen any more after this fact."""
    return isinstance(fact, f.Started | f.Abandoned | f.Closed)


def _check_seed_commitment(record: f.Record) -> None:
    for fact in record.facts:
        if isinstance(fact, f.Started) and sha256(fact.seed).hexdigest() != fact.commitment:
            raise _Inconsistent("the seed is not the one that was announced")


def check_game(game: Game) -> None:
    """Make what every seat and a watcher may see, and count the cards."""
    for reader in (*map(Seat, range(len(game.seats))), None):
        game.view(reader)
        game.known_events(reader)
    zones = game.variant.zones(game.state)
    lying = sorted(card for cards in zones.values() for card in cards)
    if lying != sorted(game.variant.components(game.options.game)):
        raise _Inconsistent("its cards are not those of the box")


def _fault(stream: str, sequence: int, exc: Exception) -> str:
    """Only what was written here is quoted: another exception may hold a hand."""
    why = str(exc) if isinstance(exc, _Inconsistent) else f"it does not fold ({type(exc).__name__})"
    return f"{stream} seq={sequence}: {why}"
