"""Whoever is ignored is not heard, and reads so where somebody was spoken to alone."""

from __future__ import annotations

import pytest

from mudserver.accounts import Person
from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.lobby.ignore_list import IGNORE_LISTS_MAX, IGNORED_PER_PERSON_MAX, IgnoreList
from mudserver.lobby.lobby import Lobby

ANN, BOB, CID = (Person(name.lower(), name, is_guest=False) for name in ("Ann", "Bob", "Cid"))
GUEST = Person("g1", "guest1", is_guest=True)


@pytest.fixture
def parlour():
    parlour = Lobby(schema.Chat())
    for person in (ANN, BOB, CID, GUEST):
        parlour.enter(person, 0.0)
    return parlour


def heard(deliveries):
    return {address for address, _ in deliveries}


def refusal(call, *arguments) -> str:
    with pytest.raises(UserError) as caught:
        call(*arguments)
    return str(caught.value)


def test_nothing_is_heard_of_who_is_ignored_and_all_of_the_others(parlour):
    assert "Bob" == parlour.ignore("ann", "bo")
    assert {"bob", "cid", "g1"} == heard(parlour.say("bob", "hello", 1.0))
    assert {"bob", "cid", "g1"} == heard(parlour.emote("bob", "waves", 3.0))
    assert {"ann", "bob", "cid", "g1"} == heard(parlour.say("cid", "hello", 1.0))
    assert {"ann", "bob", "cid", "g1"} == heard(parlour.say("ann", "hello", 1.0))


def test_a_private_line_is_refused_both_ways(parlour):
    parlour.tell("bob", "ann", "before", 1.0)
    parlour.ignore("ann", "bob")
    assert "Ann ignores you, and did not hear that." == refusal(
        parlour.tell, "bob", "ann", "after", 3.0
    )
    first = "You ignore Bob, who could not answer. First: unignore Bob"
    assert first == refusal(parlour.tell, "ann", "bob", "and?", 3.0)
    assert first == refusal(parlour.reply, "ann", "and?", 3.0)


def test_it_holds_for_who_comes_in_again_until_it_is_taken_back(parlour):
    parlour.ignore("ann", "bob")
    for person in (ANN, BOB):
        parlour.leave(person.id, 1.0)
        parlour.enter(person, 2.0)
    assert "ann" not in heard(parlour.say("bob", "hello", 3.0))
    assert ["Bob"] == parlour.ignored_names("ann")
    assert "Bob" == parlour.unignore("ann", " BOB ")
    assert "ann" in heard(parlour.say("bob", "again", 6.0))
    assert [] == parlour.ignored_names("ann")


def test_a_later_guest_of_the_same_name_is_heard(parlour):
    parlour.ignore("ann", "guest1")
    parlour.leave("g1", 1.0)
    parlour.enter(Person("g2", "guest1", is_guest=True), 2.0)
    assert "ann" in heard(parlour.say("g2", "hello", 3.0))


def test_of_guests_with_one_name_all_are_heard_again(parlour):
    parlour.ignore("ann", "guest1")
    parlour.leave("g1", 1.0)
    parlour.enter(Person("g2", "guest1", is_guest=True), 2.0)
    parlour.ignore("ann", "guest1")
    assert "guest1" == parlour.unignore("ann", "guest1")
    assert "ann" in heard(parlour.say("g2", "hello", 3.0)) and [] == parlour.ignored_names("ann")


def test_what_a_guest_ignored_ends_with_the_visit(parlour):
    """Or guests without end would push out what people with names have chosen."""
    parlour.ignore("ann", "bob")
    for number in range(2, IGNORE_LISTS_MAX + 3):
        guest = Person(f"g{number}", f"guest{number}", is_guest=True)
        parlour.enter(guest, 1.0)
        parlour.ignore(guest.id, "bob")
        parlour.leave(guest.id, 1.0)
    assert "ann" not in heard(parlour.say("bob", "hello", 2.0))
    assert {"ann"} == set(parlour._ignore_list._ignored_by)
    parlour.unignore("ann", "bob")
    assert not parlour._ignore_list._ignored_by


def test_what_cannot_be_ignored_is_said_with_what_to_do(parlour):
    assert "That is you. Choose somebody else to ignore." == refusal(parlour.ignore, "ann", "ann")
    assert 'Nobody called "zed" is here. Type who for a list.' == refusal(
        parlour.ignore, "ann", "zed"
    )
    assert 'You ignore nobody called "bob". ignore lists whom you do.' == refusal(
        parlour.unignore, "ann", "bob"
    )


def test_neither_those_who_ignore_nor_those_ignored_grow_without_end():
    ignoring = IgnoreList()
    for number in range(IGNORED_PER_PERSON_MAX):
        ignoring.add("ann", Person(f"p{number}", f"P{number}", is_guest=False))
    assert "unignore NAME" in refusal(ignoring.add, "ann", BOB)
    ignoring.add("ann", Person("p0", "P0", is_guest=False))  # is one of them already
    for number in range(IGNORE_LISTS_MAX - 1):
        ignoring.add(f"p{number}", BOB)
    ignoring.add("p0", CID)
    for person in ("late", "later"):
        ignoring.add(person, BOB)
    assert not ignoring.is_ignoring("ann", "p0") and not ignoring.is_ignoring("p1", "bob")
    assert ignoring.is_ignoring("p0", "bob") and ("ann",) == ignoring.listeners(
        ["ann", "p0"], "bob"
    )
