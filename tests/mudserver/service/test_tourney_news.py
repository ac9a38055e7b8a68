"""What people read of a tournament when they log in."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec

from mudserver.service.tourney_news import TourneyNews
from mudserver.tourneys.events import TableOpened
from mudserver.tourneys.tourney import PlaceKey, Tourney
from tests.mudserver.tourneys.test_tourney import PEOPLE, begun


def told(news: TourneyNews, tourney: Tourney, *events: Any) -> None:
    for event in events:
        tourney.apply(event)
        news.tell(tourney, [event])


def test_who_was_away_when_a_game_by_correspondence_began_anew_reads_of_it_once():
    here = {*PEOPLE}
    outbox: Any = SimpleNamespace(
        send_each=lambda *told: None, send=lambda *told: None, has_inbox=lambda it: it in here
    )
    accounts: Any = SimpleNamespace(by_id=lambda person: None)
    outside: Any = SimpleNamespace(is_on=False)
    clock: Any = SimpleNamespace(now_ms=lambda: 0)
    news = TourneyNews(
        *(clock, accounts, outbox, outside, lambda text: None),
        lambda person, table: False,
        lambda person: False,
    )
    tourney = begun(*PEOPLE)
    tourney.opened = msgspec.structs.replace(tourney.opened, move_s=3_600)
    told(news, tourney, TableOpened(9, 1, 1, 40), TableOpened(9, 1, 2, 41))
    assert [""] * 4 == [news.greeting(tourney, person) for person in PEOPLE]
    here.clear()
    told(news, tourney, *tourney.lose_table(PlaceKey(3, 1, 2), 41, 9))
    assert [""] * 4 == [news.greeting(tourney, person) for person in PEOPLE]
    told(news, tourney, TableOpened(9, 1, 2, 42))
    read = [news.greeting(tourney, person) for person in PEOPLE]
    assert ["", ""] == read[:2] and all("It begins anew, at table 42." in it for it in read[2:])
    assert [""] * 4 == [news.greeting(tourney, person) for person in PEOPLE]
