"""Who is online once, when two sessions of a person go on."""

from __future__ import annotations

import pytest

from mudserver.accounts.person import Person
from mudserver.config.schema import PeopleLimits
from mudserver.service.online_people import OnlinePeople

ANN = Person("p1", "ann", False)


@pytest.mark.parametrize(
    ("here", "goes_on", "is_later"),
    [
        ((5, "d1-1"), (4, "d1-2"), True),
        ((5, "d1-2"), (6, "d1-1"), False),
        ((5, "d1-10"), (5, "d1-9"), True),
        ((5, "d1-9"), (5, "d1-10"), False),
        ((5, "d1-1"), (4, "d1-1"), False),  # the same connection, once more
    ],
)
def test_the_later_session_stays_and_of_one_moment_the_larger_id(here, goes_on, is_later):
    online = OnlinePeople(PeopleLimits(), None, lambda: None)  # type: ignore[arg-type]
    assert not online.has_later("p1", *goes_on)
    since_ms, session = here
    online.enter(ANN, lambda: None, "", since_ms=since_ms, has_seat=False, session=session)
    assert is_later is online.has_later("p1", *goes_on)
