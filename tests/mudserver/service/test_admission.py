import pytest

from mudserver.accounts.person import Person
from mudserver.config.schema import PeopleLimits
from mudserver.errors import UserError
from mudserver.service.admission import check_capacity

GUEST = Person("g9", "guest9", is_guest=True)
ANN = Person("p1", "ann", is_guest=False)
LIMITS = PeopleLimits(sessions_max=4, guests_max=3, guests_per_source_max=2)
HERE = "192.0.2.1"


def test_a_full_server_admits_nobody():
    online = [(f"p{n}", "198.51.100.1") for n in range(4)]
    for person in (ANN, GUEST):
        with pytest.raises(UserError, match="The server is full"):
            check_capacity(person, HERE, online, LIMITS)


def test_guests_have_places_of_their_own_and_accounts_need_none():
    online = [(f"g{n}", f"198.51.100.{n}") for n in range(3)]
    with pytest.raises(UserError, match="All guest places are taken"):
        check_capacity(GUEST, HERE, online, LIMITS)
    check_capacity(ANN, HERE, online, LIMITS)
    check_capacity(GUEST, HERE, [*online[:2], ("p2", HERE)], LIMITS)


def test_one_source_brings_so_many_guests_and_another_may_still():
    online = [("g1", HERE), ("g2", HERE)]
    with pytest.raises(UserError, match="At most 2 guests may come from one address"):
        check_capacity(GUEST, HERE, online, LIMITS)
    check_capacity(GUEST, "192.0.2.2", online, LIMITS)
    check_capacity(ANN, HERE, online, LIMITS)
