"""What is remembered of the line before."""

from __future__ import annotations

from mudserver.commands.last_line import OFFER_S, LastLine


class Typist(LastLine):
    """With a clock that is moved by hand."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        super().__init__(lambda: self.now_s)

    def mistypes(self, line: str, suggestion: str, window: str = "3 1 turn 7") -> None:
        self.begin(line)
        self.note(line, suggestion, window)


def test_an_offer_holds_for_the_next_line_and_no_other() -> None:
    ann = Typist()
    ann.mistypes("opne", "open")
    assert "" == ann.confirmed("3 1 turn 7")  # not for the line itself
    ann.begin("y")
    assert "open" == ann.confirmed("3 1 turn 7")
    ann.begin("y")
    assert "" == ann.confirmed("3 1 turn 7")


def test_an_offer_holds_for_a_minute_and_in_its_window() -> None:
    ann = Typist()
    ann.mistypes("opne", "open")
    ann.begin("y")
    assert "" == ann.confirmed("3 1 turn 8")
    ann.now_s += OFFER_S + 1
    assert "" == ann.confirmed("3 1 turn 7")


def test_an_offer_that_comes_after_the_next_line_is_none() -> None:
    ann = Typist()
    ann.begin("drwa")
    ann.begin("look")
    ann.note("drwa", "draw", "")
    ann.begin("y")
    assert "" == ann.confirmed("")


def test_what_was_not_understood_can_be_said_once_within_a_minute() -> None:
    ann = Typist()
    ann.mistypes("hi all", "")
    ann.begin("look")
    assert ["hi all", ""] == [ann.take_unread(), ann.take_unread()]
    ann.mistypes("hi all", "")
    ann.now_s += OFFER_S + 1
    assert "" == ann.take_unread()
