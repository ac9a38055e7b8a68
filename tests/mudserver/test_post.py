"""Mail boxes: bounded, and large enough for what one line can ask for."""

from __future__ import annotations

from random import Random

import pytest

from mudserver.messages import Notice
from mudserver.post import MAIL_MAX, Box, Post
from variants.catalogue import CATALOGUE
from variants.kit.chance import SeededChance


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


@pytest.mark.parametrize("variant", CATALOGUE.values(), ids=lambda v: v.name)
def test_the_history_of_a_long_game_fits_a_box(variant):
    random, chance, state, told = Random(7), SeededChance(b"7" * 32), None, 0
    options = {option.name: option.default for option in variant.options}
    events = variant.deal(variant.seats[-1], options, chance)
    while True:
        for event in events:
            state = variant.evolve(state, event)
        told += len(events)
        window = variant.asked(variant.observe(state, None))
        if window is None:
            break
        seat = window.seats[0]
        actions = variant.legal_actions(variant.observe(state, seat))
        events = variant.decide(state, seat, random.choice(actions), chance)
    assert 300 < told < MAIL_MAX
