"""The last lines of each place."""

from __future__ import annotations

from mudserver.lobby.scrollback import KEPT_MS, Scrollback
from mudserver.messages import SayMessage


def line(text: str, speaker: str = "ann") -> SayMessage:
    return SayMessage(speaker.capitalize(), text, None, speaker)


def texts_of(kept: Scrollback, place="help", count=10, now_ms=100, since_ms=0, ignored="") -> str:
    found = kept.last(
        place, count, now_ms, since_ms=since_ms, is_heard=lambda line: line.speaker != ignored
    )
    return " ".join(message.text for _, message in found)


def test_the_last_lines_are_shown_oldest_first_and_of_the_place_alone():
    kept = Scrollback(50)
    for number in range(12):
        kept.add("help", number + 1, line(str(number)))
    kept.add("chat", 20, line("elsewhere"))
    kept.add(4, 20, line("at the table"))
    assert "2 3 4 5 6 7 8 9 10 11" == texts_of(kept)
    assert "11" == texts_of(kept, count=1)
    assert "" == texts_of(kept, count=0) == texts_of(kept, "words")
    assert "at the table" == texts_of(kept, 4)


def test_a_place_keeps_so_many_lines_and_none_for_more_than_a_day():
    kept = Scrollback(3)
    for number in range(5):
        kept.add("help", number + 1, line(str(number)))
    assert "2 3 4" == texts_of(kept, count=50)
    assert "4" == texts_of(kept, count=50, now_ms=4 + KEPT_MS)
    kept.add("help", 4 + KEPT_MS, line("new"))
    assert "4 new" == texts_of(kept, count=50, now_ms=4 + KEPT_MS)
    kept.lines_max = 0
    kept.add("help", 5 + KEPT_MS, line("newer"))
    assert "" == texts_of(kept, now_ms=5 + KEPT_MS)


def test_nobody_is_shown_what_was_heard_before_or_said_by_who_is_ignored():
    kept = Scrollback(50)
    kept.add("help", 5, line("first"))
    kept.add("help", 6, line("rude", "bob"))
    kept.add("help", 7, line("last"))
    assert "rude last" == texts_of(kept, since_ms=5)
    assert "first last" == texts_of(kept, ignored="bob")


def test_what_somebody_has_said_is_removed_everywhere():
    kept = Scrollback(50)
    kept.add("help", 1, line("one", "bob"))
    kept.add("help", 2, line("two"))
    kept.add(4, 3, line("three", "bob"))
    assert 2 == kept.remove_of("bob")
    assert ("two", "") == (texts_of(kept), texts_of(kept, 4))
    kept.forget("help")
    assert "" == texts_of(kept)
