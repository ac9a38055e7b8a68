"""Of a game that is played on one server nothing crosses to another but what lists show."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from mudserver.cluster import events as e
from mudserver.cluster.exchange import Exchange
from mudserver.data_messages import OwnGame, TableRow
from mudserver.lobby.seek import Seek
from mudserver.messages import ViewMessage
from tests.several_servers import come_in, says, until

ALLOWED = {
    e.AskPlace, e.AskSource, e.AskToInvite, e.AskToTake, e.Beat, e.Declined, e.Hello, e.LateTell,
    e.Leaving, e.News, e.Noticed, e.PersonGone, e.PersonHere, e.RoundEnd, e.Said, e.SessionLeft,
    e.SessionTaken, e.TableGone, e.TableHere, e.TablesGiven, e.Tell, e.Told,
}  # fmt: skip
LISTS = {
    tuple[str, ...], tuple[e.Invitation, ...], tuple[e.OwnElsewhere, ...], tuple[Seek, ...],
    dict[str, str], dict[str, int],
}  # fmt: skip
PHASE = Literal["waiting", "playing", "over", "closed"]


class Wire:
    """All that a server tells the others."""

    def __init__(self, exchange: Exchange) -> None:
        assert exchange._bus is not None
        self.payloads: list[str] = []
        self._tell = exchange._bus.tell
        exchange._bus.tell = self.tell  # type: ignore[method-assign]

    def tell(self, text: str) -> int:
        self.payloads.append(text)
        return self._tell(text)

    @property
    def words(self) -> set[str]:
        return words_of(" ".join(self.payloads))


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[\w']+", text))


def test_every_event_is_one_that_is_known_to_be_public():
    assert ALLOWED == set(e.AnyEvent.__args__)
    kinds = {*ALLOWED, e.Access, e.Invitation, e.OwnElsewhere}
    fields = {field.type for kind in kinds for field in msgspec.structs.fields(kind)}
    alone = {str, int, bool, float, float | None, int | None, TableRow | None, e.Access | None}
    alone |= {OwnGame | None, PHASE}
    assert alone | LISTS | {tuple[int, ...]} == fields


async def test_neither_a_hand_nor_a_record_crosses(several):
    one, other = await several.open("g1"), await several.open("g2")
    await several.know_each_other()
    wire = Wire(one.app.exchange)
    ann, _ = await come_in(one, "ann"), await come_in(other, "bob")
    opened = await says(ann, "open elimination pace=instant", r"table \d+>")
    number = int(re.findall(r"table (\d+)>", opened)[-1])
    await says(ann, "bot easy", "Milo|computer")
    await says(ann, "start", "your turn|Your hand|to play")
    for _ in range(4):
        ann.type("pass")
        ann.type("draw")
    await says(ann, "say good luck", "good luck")
    view = one.app.service.view_of(one.app.account_service.person_named("ann"))
    assert isinstance(view, ViewMessage)
    one.app.mirror._tell_all()
    await until(lambda: other.app.directory.row_of(number))
    row = one.app.table_manager.lists.shown_row(number)
    assert row is not None and row.phase in ("playing", "over")
    await until(lambda: row == other.app.directory.row_of(number))
    records = await one.journal.read(f"table/{number}")
    secrets = words_of(" ".join(str(card) for card in view.view.hand)) - {""}
    assert secrets and len(records) > 3
    listed = words_of(str(msgspec.to_builtins(row)))
    assert not {word for word in secrets & wire.words if word not in listed}
    for record in records:
        body = bytes(record.body).decode("utf-8", "replace")
        assert not any(body in payload for payload in wire.payloads)
    seed = [w for w in words_of(str([bytes(r.body) for r in records])) if len(w) >= 32]
    assert not set(seed) & wire.words
    one.app.exchange.tell(e.News(f"planted {' '.join(map(str, view.view.hand))}"))
    await until(lambda: secrets <= wire.words)  # a leak is found
