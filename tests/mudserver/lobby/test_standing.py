"""How fast new people talk, and to how many strangers anybody writes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import structs

from mudserver.accounts.person import Person
from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.lobby.lobby import Lobby
from mudserver.lobby.standing import (
    HEARD_MAX,
    STRANGERS_S,
    WRITERS_MAX,
    Standing,
    Strangers,
)

LIMITS = schema.ChatLimits(per_s=100.0, guest_per_s=100.0, burst=100)
ANN = Person("p1", "Ann", is_guest=False)
MIA = Person("p2", "Mia", is_guest=False)
GUEST = Person("g1", "guest1", is_guest=True)
MANY = "You have written to many new people. Wait a few minutes."


def others(count: int) -> list[Person]:
    return [Person(f"p{n + 10}", f"Zoe{n:02}x", is_guest=False) for n in range(count)]


def lobby_of(standing: Standing, *people: Person, limits: schema.ChatLimits = LIMITS) -> Lobby:
    lobby = Lobby(limits, standing=standing)
    for person in people:
        lobby.enter(person, 0.0)
    return lobby


def told(lobby: Lobby, people: list[Person], now: float) -> int:
    """How many of them Ann may tell something."""
    count = 0
    for person in people:
        try:
            lobby.tell("p1", person.name, f"hello {person.name}", now)
            count += 1
        except UserError as refusal:
            assert MANY == str(refusal)
    return count


@pytest.mark.parametrize(("is_regular", "most"), [(True, 20), (False, 5)])
def test_so_many_people_who_have_not_written_before_are_written_to_in_ten_minutes(is_regular, most):
    zoes = others(25)
    lobby = lobby_of(Standing(is_regular=lambda person: is_regular), ANN, *zoes)
    assert most == told(lobby, zoes, 1.0)
    assert most == told(lobby, zoes[:most], 2.0), "they are no new people"
    assert 0 == told(lobby, zoes[most:], STRANGERS_S)
    assert most == told(lobby, zoes[-most:], 2.0 + STRANGERS_S)


def test_who_has_written_is_no_stranger_until_the_session_ends():
    zoes = others(6)
    lobby = lobby_of(Standing(is_regular=lambda person: False), ANN, *zoes)
    lobby.tell(zoes[5].id, "Ann", "hello", 1.0)
    assert 6 == told(lobby, zoes, 2.0)
    lobby.leave("p1", 3.0)
    lobby.enter(ANN, 4.0)
    assert 5 == told(lobby, zoes, 5.0), "coming in again gives no other try"


def test_what_is_refused_counts_nothing():
    zoes = others(6)
    lobby = lobby_of(Standing(is_regular=lambda person: False), ANN, *zoes)
    lobby.ignore(zoes[0].id, ANN)
    for _ in range(5):
        with pytest.raises(UserError, match="isn't receiving"):
            lobby.tell("p1", zoes[0].name, "hello", 1.0)
    assert 5 == told(lobby, zoes[1:], 1.0)


def test_a_new_account_talks_as_slowly_as_a_guest_until_it_is_new_no_more():
    is_new = [True]
    limits = structs.replace(LIMITS, per_s=1.0, guest_per_s=0.34, burst=1)
    lobby = lobby_of(Standing(is_new=lambda person: is_new[0]), ANN, limits=limits)
    lobby.say("p1", "one", 1.0)
    with pytest.raises(UserError, match="too fast"):
        lobby.say("p1", "two", 3.5)
    is_new[0] = False
    lobby.say("p1", "three", 4.5)
    assert lobby.say("p1", "four", 5.5)


def test_guests_may_tell_the_staff():
    lobby = lobby_of(Standing(is_staff=lambda person: person == MIA), ANN, MIA, GUEST)
    assert lobby.tell("g1", "mia", "help", 1.0)
    with pytest.raises(UserError, match="Guests can't"):
        lobby.tell("g1", "ann", "hello", 1.0)


def test_a_guest_who_registers_is_known_to_whom_the_guest_has_written():
    zoes = others(6)
    lobby = lobby_of(Standing(lambda _: True, lambda _: False, lambda _: True), ANN, GUEST, *zoes)
    lobby.tell("g1", "Ann", "hello", 1.0)
    registered = Person("p99", "Gus", is_guest=False)
    lobby.replace_person("g1", registered, 2.0)
    assert 6 == told(lobby, [*zoes[:5], registered], 3.0)
    assert 0 == told(lobby, zoes[5:], 4.0)
    assert lobby.reply("p99", "hello again", 5.0)


def test_what_is_remembered_of_strangers_is_bounded():
    strangers = Strangers(LIMITS, lambda person: True)
    for number in range(WRITERS_MAX + 1):
        strangers.note(f"w{number}", f"r{number}", 1.0)
    for number in range(HEARD_MAX + 1):
        strangers.note(f"x{number}", "ann", 1.0)
    assert WRITERS_MAX == len(strangers._written) == len(strangers._heard)
    assert HEARD_MAX == len(strangers._heard["ann"])


def refusal(call: Callable[..., object], *arguments: object) -> str:
    with pytest.raises(UserError) as caught:
        call(*arguments)
    return str(caught.value)


def test_who_is_muted_for_repeating_can_still_tell_the_staff_and_nobody_else():
    zoe = others(1)[0]
    lobby = lobby_of(Standing(is_staff=lambda person: person == MIA), ANN, MIA, zoe)
    for second in range(3):
        lobby.say("p1", "buy!", 10.0 + second)
    assert "You can't talk for 60 s" in refusal(lobby.say, "p1", "buy!", 13.0)
    assert lobby.tell("p1", "mia", "what did I do?", 14.0)
    assert lobby.tell("p1", "mia", "please", 15.0)
    for refused in (
        refusal(lobby.tell, "p1", zoe.name, "hi", 16.0),
        refusal(lobby.say, "p1", "hi", 16.0),
    ):
        assert "You can't talk for 57 s more" in refused
    lobby.tell("p2", "ann", "stop that", 17.0)
    assert lobby.reply("p1", "all right", 18.0)


def test_the_staff_is_not_told_the_same_again_and_again_nor_too_fast():
    limits = structs.replace(LIMITS, per_s=1.0, burst=4)
    lobby = lobby_of(Standing(is_staff=lambda person: person == MIA), ANN, MIA, limits=limits)
    for second in range(3):
        lobby.tell("p1", "mia", "help!", 10.0 + second)
    assert "That is the same message again." in refusal(lobby.tell, "p1", "mia", "help!", 13.0)
    for number in range(3):
        lobby.tell("p1", "mia", f"line {number}", 13.0)
    assert "too fast" in refusal(lobby.tell, "p1", "mia", "one more", 13.0)
