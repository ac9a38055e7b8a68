"""Inboxes: bounded, and large enough for what one line can ask for."""

from __future__ import annotations

from mudserver.messages import LocationMessage, Notice, SayMessage
from mudserver.outbox import INBOX_MESSAGES_MAX, Inbox, Outbox
from mudserver.service.game_history import HISTORY_MAX


def test_a_full_inbox_drops_its_oldest_message_and_says_how_many():
    wakes = []
    inbox = Inbox(lambda _: wakes.append(1), None)
    for n in range(INBOX_MESSAGES_MAX + 3):
        inbox.put(Notice(str(n)))
    assert [str(n) for n in range(3, INBOX_MESSAGES_MAX + 3)] == [m.text for m in inbox.take_all()]
    assert (3, 1) == (inbox.dropped_count, len(wakes))


def test_the_newest_visit_owns_the_box():
    outbox, old, new = Outbox(), Inbox(lambda _: None, None), Inbox(lambda _: None, None)
    outbox.attach("p1", old)
    outbox.attach("p1", new)
    outbox.detach("p1", old)
    outbox.send("p1", Notice("hello"))
    assert ["hello"] == [m.text for m in new.take_all()]
    outbox.detach("p1", new)
    assert not outbox.has_inbox("p1")


def test_the_history_of_the_longest_game_fits_an_inbox():
    assert 1 + HISTORY_MAX < INBOX_MESSAGES_MAX // 2


def test_only_a_line_of_talk_that_waits_alone_says_nothing_of_a_table():
    inbox, said = Inbox(lambda _: None, None), SayMessage("ann", "hello")
    for waiting, is_talk in (
        ([], False), ([said], True), ([LocationMessage(None)], False),
        ([said, LocationMessage(None)], False), ([said, said], False),
    ):  # fmt: skip
        inbox.take_all()
        for message in waiting:
            inbox.put(message)
        assert is_talk is inbox.is_line_of_talk, waiting
