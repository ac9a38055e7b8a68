"""Mail boxes: bounded, and large enough for what one line can ask for."""

from __future__ import annotations

from mudserver.house.house import HISTORY_MAX
from mudserver.messages import Notice
from mudserver.post import MAIL_MAX, Box, Post


def test_a_full_box_drops_its_oldest_mail_and_says_how_many():
    wakes = []
    box = Box(lambda: wakes.append(1))
    for n in range(MAIL_MAX + 3):
        box.put(Notice(str(n)))
    assert [str(n) for n in range(3, MAIL_MAX + 3)] == [m.text for m in box.take()]
    assert (3, 1) == (box.dropped, len(wakes))


def test_the_newest_visit_owns_the_box():
    post, old, new = Post(), Box(lambda: None), Box(lambda: None)
    post.open("p1", old)
    post.open("p1", new)
    post.close("p1", old)
    post.send("p1", Notice("hello"))
    assert ["hello"] == [m.text for m in new.take()]
    post.close("p1", new)
    assert not post.is_open("p1")


def test_the_history_of_the_longest_game_fits_a_box():
    assert 1 + HISTORY_MAX < MAIL_MAX // 2
