"""What programs are told of a table as data: no more than the sentences beside it say."""

from __future__ import annotations

from typing import Any

import pytest

from mudserver.data_messages import AwayData, SeatChanged
from mudserver.messages import Message
from mudserver.tables import program_data
from mudserver.tables import records as f
from mudserver.tables import requests as r
from tests.mudserver.tables.driver import Driver
from tests.mudserver.tables.test_missed_turns import multistep, others_play
from tests.toys.multistep.game import MULTISTEP


def told_of_leaving(why: Any) -> list[Message]:
    """What Ann is told when Bob's seat goes to a computer player."""
    driver = Driver({}, variant=MULTISTEP).starts("b", "c")
    driver.does(r.Leave("b", why=why))
    told: list[Message] = driver.to("a")
    assert any(isinstance(message, SeatChanged) for message in told)
    return told


def tells_why(patch: pytest.MonkeyPatch) -> None:
    honest = program_data.DataBuilder.add_fact

    def add_fact(self: Any, fact: f.AnyFact, change: str) -> None:
        honest(self, fact, change)
        if isinstance(fact, f.HandedOver):
            self._messages[-1] = SeatChanged(7, "7.1", fact.seat, fact.name, "computer", fact.why)

    patch.setattr(program_data.DataBuilder, "add_fact", add_fact)


def why_is_told() -> bool:
    told = [told_of_leaving(why) for why in ("left", "banned", "deleted")]
    return any(other != told[0] for other in told[1:])


def test_that_somebody_is_banned_or_has_the_account_deleted_is_told_to_nobody_at_the_table():
    assert not why_is_told()


def test_a_builder_that_tells_it_is_found(monkeypatch):
    tells_why(monkeypatch)
    assert why_is_told()


def test_a_forfeit_is_data_as_it_is_a_sentence():
    driver = multistep(absence="forfeit")
    driver.passes(60)
    others_play(driver, "a")
    driver.passes(60)
    (changed,) = driver.to("b", SeatChanged)
    assert (0, "computer", "forfeit") == (changed.seat, changed.kind, changed.why)


def test_the_turns_that_were_missed_are_told_with_the_one_that_has_just_ended():
    driver = multistep()
    driver.passes(60)
    others_play(driver, "a")
    driver.passes(60)
    assert driver.to("b", AwayData) == [AwayData(7, 0, True, 2, "time")]
    driver.does(r.OwnerTyped("a"))
    assert driver.to("b", AwayData) == [AwayData(7, 0, False, 1, "typed")]
