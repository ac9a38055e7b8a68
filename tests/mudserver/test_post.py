from mudserver import post
from mudserver.messages import Notice
from mudserver.post import Box, Post


def test_a_box_wakes_its_visit_once_and_gives_the_oldest_first():
    woken = []
    box = Box(lambda: woken.append(1))
    box.put(Notice("first"))
    box.put(Notice("second"))
    assert [1] == woken
    assert [Notice("first"), Notice("second")] == box.take()
    assert [] == box.take()
    box.put(Notice("third"))
    assert [1, 1] == woken


def test_a_full_box_drops_its_oldest_mail_and_counts_it():
    box = Box(lambda: None)
    for number in range(post.MAIL_MAX + 3):
        box.put(Notice(str(number)))
    mail = box.take()
    assert (3, post.MAIL_MAX) == (box.dropped, len(mail))
    assert (Notice("3"), Notice(str(post.MAIL_MAX + 2))) == (mail[0], mail[-1])


def test_mail_for_somebody_who_is_not_in_goes_nowhere():
    office, box = Post(), Box(lambda: None)
    office.open("p1", box)
    office.deliver([("p2", Notice("lost")), ("p1", Notice("kept"))])
    assert [Notice("kept")] == box.take()
