"""Whoever is ignored is not heard, and reads so where somebody was spoken to alone."""

from __future__ import annotations

import pytest

from mudserver.accounts.person import Person
from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.lobby.ignore_list import (
    ALL_GUESTS,
    IGNORE_LISTS_MAX,
    IGNORED_PER_PERSON_MAX,
    IgnoreList,
)
from mudserver.lobby.lobby import Lobby

ANN, BOB, CID = (Person(name.lower(), name, is_guest=False) for name in ("Ann", "Bob", "Cid"))
GUEST = Person("g1", "guest1", is_guest=True)


@pytest.fixture
def lobby():
    lobby = Lobby(schema.ChatLimits())
    for person in (ANN, BOB, CID, GUEST):
        lobby.enter(person, 0.0)
    return lobby


def heard(deliveries):
    return {address for address, _ in deliveries}


def ignore(lobby: Lobby, person_id: str, name: str, now: float) -> str:
    other = lobby.person_by_name(name, now)
    lobby.ignore(person_id, other)
    return other.name


def unignore(lobby: Lobby, person_id: str, name: str) -> str:
    found = lobby.find_ignored(person_id, name)
    lobby.unignore(person_id, found)
    return next(iter(found.values()))


def refusal(call, *arguments) -> str:
    with pytest.raises(UserError) as caught:
        call(*arguments)
    return str(caught.value)


def test_nothing_is_heard_of_who_is_ignored_and_all_of_the_others(lobby):
    assert "Bob" == ignore(lobby, "ann", "bo", 1.0)
    assert {"bob", "cid", "g1"} == heard(lobby.say("bob", "hello", 1.0))
    assert {"bob", "cid", "g1"} == heard(lobby.emote("bob", "waves", 3.0))
    assert {"ann", "bob", "cid", "g1"} == heard(lobby.say("cid", "hello", 1.0))
    assert {"ann", "bob", "cid", "g1"} == heard(lobby.say("ann", "hello", 1.0))


def test_a_private_line_is_refused_both_ways(lobby):
    lobby.tell("bob", "ann", "before", 1.0)
    ignore(lobby, "ann", "bob", 1.0)
    assert "Ann isn't receiving your messages." == refusal(lobby.tell, "bob", "ann", "after", 3.0)
    first = "You are ignoring Bob. Type unignore Bob first."
    assert first == refusal(lobby.tell, "ann", "bob", "and?", 3.0)
    assert first == refusal(lobby.reply, "ann", "and?", 3.0)


def test_it_holds_for_who_comes_in_again_until_it_is_taken_back(lobby):
    ignore(lobby, "ann", "bob", 1.0)
    for person in (ANN, BOB):
        lobby.leave(person.id, 1.0)
        lobby.enter(person, 2.0)
    assert "ann" not in heard(lobby.say("bob", "hello", 3.0))
    assert ["Bob"] == lobby.ignored_names("ann")
    assert "Bob" == unignore(lobby, "ann", " BOB ")
    assert "ann" in heard(lobby.say("bob", "again", 6.0))
    assert [] == lobby.ignored_names("ann")


def test_a_later_guest_of_the_same_name_is_heard(lobby):
    ignore(lobby, "ann", "guest1", 1.0)
    lobby.leave("g1", 1.0)
    lobby.enter(Person("g2", "guest1", is_guest=True), 3_602.0)
    assert "ann" in heard(lobby.say("g2", "hello", 3_603.0))


def test_who_ignores_guests_hears_none_of_them_and_is_told_how_to_undo_it(lobby):
    lobby.ignore("ann", ALL_GUESTS)
    lobby.ignore("g1", ALL_GUESTS)
    lobby.enter(Person("g2", "guest2", is_guest=True), 1.0)
    assert {"bob", "cid", "g2"} == heard(lobby.say("g2", "hello", 1.0))
    assert {"ann", "bob", "cid", "g1", "g2"} == heard(lobby.say("bob", "hello", 1.0))
    first = "You are ignoring guests. Type unignore guests first."
    assert first == refusal(lobby.tell, "ann", "guest1", "hi", 2.0)
    lobby.unignore("ann", lobby.find_ignored("ann", "Guests"))
    lobby.tell("ann", "guest1", "hi", 2.0)
    lobby.ignore("ann", ALL_GUESTS)
    assert "Ann isn't receiving your messages." == refusal(lobby.reply, "g1", "hi", 3.0)


def test_of_guests_with_one_name_all_are_heard_again(lobby):
    ignore(lobby, "ann", "guest1", 1.0)
    lobby.leave("g1", 1.0)
    lobby.enter(Person("g2", "guest1", is_guest=True), 3_602.0)
    ignore(lobby, "ann", "guest1", 3_603.0)
    assert "guest1" == unignore(lobby, "ann", "guest1")
    assert "ann" in heard(lobby.say("g2", "hello", 3_604.0)) and [] == lobby.ignored_names("ann")


def test_what_a_guest_ignored_ends_with_the_visit(lobby):
    """Or guests without end would push out what people with names have chosen."""
    ignore(lobby, "ann", "bob", 1.0)
    for number in range(2, IGNORE_LISTS_MAX + 3):
        guest = Person(f"g{number}", f"guest{number}", is_guest=True)
        lobby.enter(guest, 1.0)
        ignore(lobby, guest.id, "bob", 1.0)
        lobby.leave(guest.id, 1.0)
    assert "ann" not in heard(lobby.say("bob", "hello", 2.0))
    assert {"ann"} == set(lobby._ignore_list._ignored_by)
    unignore(lobby, "ann", "bob")
    assert not lobby._ignore_list._ignored_by


def test_what_cannot_be_ignored_is_said_with_what_to_do(lobby):
    assert "That is you. Choose somebody else to ignore." == refusal(
        ignore, lobby, "ann", "ann", 1.0
    )
    assert 'Nobody called "zed" is online. Type who for a list.' == refusal(
        ignore, lobby, "ann", "zed", 1.0
    )
    assert 'You aren\'t ignoring anybody called "bob".' == refusal(unignore, lobby, "ann", "bob")


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
    assert ignoring.is_ignoring("p0", "bob") and ("ann",) == ignoring.listeners(["ann", "p0"], BOB)
