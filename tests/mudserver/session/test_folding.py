"""What is done again and again is one row, in its place and never late."""

from __future__ import annotations

import asyncio

import pytest

from mudserver import messages as m
from mudserver.session.folding import HELD_MS, EventGroup, Folding
from tests.conformance.play import whole_game
from tests.conformance.settings import settings_of
from tests.games import games
from tests.mudserver.ui.fullscreen.harness import HandClock
from tests.mudserver.ui.fullscreen.watched import told
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world
from variants.catalogue import CATALOGUE
from variants.contract import Seat
from variants.kit.text import Style, plain_text
from variants.stockpile.data.cards import Card
from variants.stockpile.events import CardDrawn, SupplyDrawn
from variants.words.events import LetterDiscarded, LetterDrawn, PhaseOpened

NAMES = ("Ann", "Bob", "Vera")


def event(happened: object, **what) -> m.EventMessage:
    return m.EventMessage(1, "words", 0, NAMES, happened, **what)


def drawn(seat: int = 2, **what) -> m.EventMessage:
    return event(LetterDrawn(Seat(seat), "pile", None), **what)


class Reader:
    def __init__(self) -> None:
        self.clock = HandClock()
        self.shown: list[m.Message] = []
        self.folding = Folding(CATALOGUE, self.clock, self.shown.extend, self.is_silent)

    def is_silent(self, message: m.Message) -> bool:
        return isinstance(message, m.EventMessage) and isinstance(message.event, PhaseOpened)

    def read(self, *messages: m.Message) -> list[m.Message]:
        self.shown += self.folding.fold(messages)
        return self.shown


def test_repeats_wait_for_each_other_and_are_one_row():
    reader, first, second = Reader(), drawn(), drawn()
    assert [] == reader.read(first)
    assert [] == reader.read(second)
    reader.clock.wait(HELD_MS / 1000 - 0.01)
    assert [] == reader.shown
    reader.clock.wait(0.02)
    assert [EventGroup((first, second))] == reader.shown
    assert not reader.clock.timers


def test_one_event_alone_stays_what_it_is():
    reader, only = Reader(), drawn()
    reader.read(only)
    reader.clock.wait(2)
    assert [only] == reader.shown


@pytest.mark.parametrize(
    "other",
    [m.Notice("hello"), drawn(1), drawn(mark="away"), event(LetterDiscarded(Seat(2), "K"))],
    ids=str,
)
def test_anything_else_is_shown_after_what_was_held(other):
    reader, first = Reader(), drawn()
    reader.read(first, other)
    reader.clock.wait(2)
    assert [first, other] == reader.shown


def test_what_makes_no_row_does_not_part_them():
    reader, first, second = Reader(), drawn(), drawn()
    silent = event(PhaseOpened(Seat(2), "main"))
    reader.read(first, silent, second)
    reader.clock.wait(2)
    assert [silent, EventGroup((first, second))] == reader.shown


@pytest.mark.parametrize("what", [{"is_own": True}, {"is_past": True}], ids=str)
def test_what_the_reader_did_or_asked_for_is_shown_at_once(what):
    reader, first, second = Reader(), drawn(**what), drawn(**what)
    assert [EventGroup((first, second))] == reader.read(first, second)


FOLDED = {
    "Vera draws 3 letters.": ("words", [LetterDrawn(Seat(2), "pile", None)] * 3),
    "You draw O and F.": ("words", [LetterDrawn(Seat(0), "pile", c) for c in "OF"]),
    "Vera takes K and P from the discard pile.": (
        "words", [LetterDrawn(Seat(2), "discard", c) for c in "KP"]),
    "Vera discards K, P and T.": ("words", [LetterDiscarded(Seat(2), c) for c in "KPT"]),
    "Bob draws 2 Outdoor cards.": ("stockpile", [CardDrawn(Seat(1), "outdoor", None)] * 2),
    "Bob draws Food 2 and Sold Out (worth nothing).": (
        "stockpile",
        [SupplyDrawn(Seat(1), Card("a", "supplies", "Food", "supply", 2)),
         SupplyDrawn(Seat(1), Card("b", "supplies", "Sold Out", "supply"))]),
}  # fmt: skip


@pytest.mark.parametrize("sentence", FOLDED)
def test_a_folded_sentence_says_all_of_them(sentence):
    game, events = FOLDED[sentence]
    variant = CATALOGUE[game]
    assert 1 == len({variant.fold_key(each) for each in events}) and variant.fold_key(events[0])
    line = variant.describe_folded(events, Seat(0), NAMES, Style())
    assert line is not None and sentence == plain_text(line)


@pytest.mark.parametrize("variant", games().values(), ids=lambda variant: variant.name)
def test_whoever_reads_it_an_event_folds_alike(variant):
    """[G-12]"""
    for number in range(3):
        (setting, *_) = settings_of(variant)
        for happened in whole_game(setting, number).events:
            seen = [variant.redact(happened, reader) for reader in (None, Seat(0), Seat(1))]
            assert len({variant.fold_key(each) for each in seen if each is not None}) <= 1


def test_the_full_screen_rewrites_the_row():
    async def scenario(server, ann):
        for _ in range(3):
            ann.session.show_message(drawn())
            await asyncio.sleep(0.3)
        rows = ann.look().rows
        ann.session.show_message(event(LetterDiscarded(Seat(2), "K")))
        ann.session.show_message(drawn())
        await asyncio.sleep(0.3)
        return rows, ann.look().rows

    rows, later = told(scenario)
    assert 1 == sum("Vera draws" in row for row in rows)
    assert "Vera draws 3 letters." in rows
    assert later.index("Vera draws 3 letters.") < later.index("Vera draws a letter.")


@pytest.mark.parametrize("keys", [b"", b"password\r"])
def test_talk_comes_after_a_row_that_waits_also_while_a_password_is_asked_for(keys):
    async def scenario():
        server = await SimServer(new_world(1)).open()
        ann = server.person("ann")
        await asyncio.sleep(1)
        session = ann.link.handler
        ann.press(keys)
        await asyncio.sleep(0.5)
        ann.forget()
        for message in (m.Announcement("before"), drawn(), m.SayMessage("Bob", "after")):
            server.app.outbox.send(session.person.id, message)
            await asyncio.sleep(0.1)
        return ann.text

    said = virtual.run(scenario())
    assert 0 < said.index("before") < said.index("Vera draws a letter.") < said.index("after")
