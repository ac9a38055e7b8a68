"""What a server shows of the others: nothing of one that does not live, nothing that is its own."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace

import msgspec
import pytest

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.cluster import events as e
from mudserver.cluster import mirror
from mudserver.cluster.asking import Asking
from mudserver.cluster.directory import Directory
from mudserver.cluster.exchange import Exchange
from mudserver.cluster.mirror import Mirror, OwnPeople
from mudserver.config import schema
from mudserver.journal.interface import LiveServer
from mudserver.journal.postgres.bus import Talk
from mudserver.lobby.lobby import Lobby
from mudserver.lobby.private_lines import PrivateLine
from mudserver.service.tells import Tells
from tests.mudserver.lobby.test_lobby import ANN, BOB


class Town:
    """The server g1 with ann; what the others tell is typed by the test."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.live = ["g1", "g2", "g3"]
        self.own: dict[int, object] = {}  # tables
        self.tables = SimpleNamespace(
            lists=SimpleNamespace(
                count=int,
                numbers=lambda: [*self.own],
                find=self.own.get,
                has=self.own.__contains__,
                parked=lambda number: None,
                shown_row=lambda number: None,
            )
        )
        clock = Clock(asyncio.get_running_loop())
        self.talk = Talk("g1", "run", self._tell)
        self.exchange = Exchange(self.talk, clock)
        self.lobby = Lobby(schema.ChatLimits())
        self.directory = Directory(self)  # type: ignore[arg-type]
        self.came: list[tuple[str, bool]] = []
        self.mirror = Mirror(
            *(self, clock, self.exchange, self.directory, self.lobby, self.tables),  # type: ignore[arg-type]
            OwnPeople(lambda person: 0, lambda person: False),
            lambda person, is_here: self.came.append((person.id, is_here)),
        )
        self.lobby.enter(ANN, 0.0)

    server = "g1"

    async def live_servers(self) -> list[LiveServer]:
        return [LiveServer(name, 9.0) for name in self.live]

    async def follow_lag_s(self) -> float:
        return 0.0

    async def clock_ms(self) -> None:
        return None

    def _tell(self, text: str) -> bool:
        self.told.append(text)
        return True

    def hear(self, server: str, *events: e.Event) -> None:
        self.exchange._hear(server, 1, msgspec.json.encode(events).decode())

    @property
    def people(self) -> list[str]:
        return [it.name for it in self.lobby.people()]


@pytest.fixture
async def town(monkeypatch):
    monkeypatch.setattr(mirror, "LOOK_S", 0.1)
    made = Town()
    await made.mirror._look()
    return made


def here(person: Person, number: int = 1, *, is_news: bool = False) -> e.PersonHere:
    return e.PersonHere(person.id, person.name, False, False, 5, None, "", 0, number, is_news)


async def test_nothing_is_shown_of_a_server_that_is_gone_also_when_it_still_tells(town):
    town.hear("g2", here(BOB, is_news=True), e.TableHere(7, None, 1))
    assert ["Ann", "Bob"] == town.people and "g2" == town.directory.server_of(7)
    town.live.remove("g2")
    await town.mirror._look()
    town.hear("g2", here(BOB, is_news=True), e.TableHere(7, None, 1))
    assert ["Ann"] == town.people and 0 == town.directory.table_count()
    assert [("bob", True)] == town.came


async def test_where_a_server_goes_the_others_are_asked_anew(town):
    """Its last words may have come after those of who has its tables now."""
    town.hear("g3", e.TableHere(7, None, 1))
    town.hear("g2", e.TableHere(7, None, 1))  # it hung, and does not know yet
    town.live.remove("g2")
    town.told.clear()
    await town.mirror._look()
    await asyncio.sleep(0.01)
    assert any('"hello"' in text for text in town.told)
    town.told.clear()
    await town.mirror._look()
    await asyncio.sleep(0.01)
    assert town.told and not any('"hello"' in text for text in town.told)


async def test_a_table_that_was_taken_over_is_no_other_servers_any_more(town):
    town.hear("g2", e.TableHere(7, None, 1))
    town.own[7] = object()
    town.mirror.note_table(7)
    assert 0 == town.directory.table_count()
    town.hear("g2", e.TableHere(7, None, 2))  # it was on its way
    assert "" == town.directory.server_of(7)
    town.hear("g2", e.TableHere(8, None, 2))
    assert "g2" == town.directory.server_of(8)


async def test_a_bug_costs_one_look_and_not_the_next_ones(town, caplog):
    town.live.remove("g2")
    town.directory.on_table = lambda number: 1 // 0
    town.directory._tables[7] = SimpleNamespace(server="g2")  # type: ignore[assignment]
    looking = asyncio.create_task(town.mirror.run())
    await asyncio.sleep(0.05)
    assert "look at the other servers failed" in caplog.text and town.directory.is_alive("g3")
    town.live.remove("g3")
    await asyncio.sleep(0.25)
    assert not town.directory.is_alive("g3")
    looking.cancel()


async def test_who_was_not_told_of_in_a_round_has_gone(town):
    cid = Person("cid", "Cid", False)
    town.hear("g2", here(BOB), here(cid), e.TableHere(7, None, 1))
    town.hear("g2", here(BOB, 2), e.RoundEnd(2, 2, 0))  # one was lost, so nobody knows
    assert ["Ann", "Bob", "Cid"] == town.people
    town.hear("g2", here(BOB, 3), e.RoundEnd(3, 1, 0))
    assert ["Ann", "Bob"] == town.people and 0 == town.directory.table_count()


async def test_a_round_of_many_tables_is_told_in_pieces_and_ends_with_the_last(town, monkeypatch):
    """All at once would be more than the bus holds, which would ask for another round."""
    monkeypatch.setattr(mirror, "TABLES_AT_ONCE", 2)
    monkeypatch.setattr(mirror, "TABLES_S", 0.0)
    monkeypatch.setattr(mirror, "access_of", lambda table: None)
    monkeypatch.setattr(mirror, "own_of", lambda table: ())
    town.own.update(dict.fromkeys(range(5), object()))
    town.told.clear()
    town.mirror._tell_all()
    town.mirror._tell_all()  # the first one has not ended
    assert 2 == len(town.mirror._told)
    await asyncio.sleep(0.05)
    said = "".join(town.told)
    assert 5 == said.count('["table",') and 1 == said.count('["round",')
    assert said.rindex('["table",') < said.index('["round",')
    town.mirror._tell_all()
    await asyncio.sleep(0.05)
    assert 10 == "".join(town.told).count('["table",')


async def test_no_log_has_what_people_say(town, caplog):
    caplog.set_level(logging.DEBUG)
    town.exchange._hear("g2", 1, "words of somebody")
    town.exchange._hear("g2", 1, '[["tell","g1","words of somebody"]]')
    town.talk.hear("words of somebody")
    assert 3 == caplog.text.count("not understood") and "somebody" not in caplog.text


# -- tells ---------------------------------------------------------------------------------------


async def test_a_tell_to_somebody_who_comes_here_meanwhile_is_answered(town):
    heard = list[str]()
    history = SimpleNamespace(with_tells=lambda deliveries: deliveries)
    outbox = SimpleNamespace(send_each=lambda told: heard.extend(person for person, _ in told))
    asking = town.exchange, Asking(town.exchange)
    tells = Tells(town.exchange._clock, town.lobby, outbox, history, *asking)  # type: ignore[arg-type]
    town.hear("g2", here(BOB))
    asked = asyncio.ensure_future(tells._ask(PrivateLine(ANN, BOB, "hello")))
    await asyncio.sleep(0.01)
    town.lobby.enter(BOB, town.exchange._clock.monotonic())
    tell = e.Tell("g1", 1, ANN.id, ANN.name, False, BOB.id, "hello", asked_by="g1")
    town.hear("g2", tell)  # as it is passed on
    await asyncio.wait_for(asked, 1)
    assert ["bob", "ann"] == heard
