"""What the server says besides the game: the same words in columns, at 40 columns, read aloud."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from mudserver import messages as m
from mudserver.session.presenter import RenderProfile, message_lines
from mudserver.ui.encode import encode_lines
from mudserver.ui.page_layout import lay_out_page
from mudserver.ui.terminal_profile import TerminalProfile
from tests.conformance.vocabulary import facts
from tests.games import profile_of
from tests.mudserver.session.test_presenter import NAMES, shown
from variants.catalogue import CATALOGUE
from variants.elimination.events import CardDrawn, TurnEnded
from variants.kit.text import Style, StyledLine, styled_line

READERS = {
    "80": RenderProfile(Style(80), TerminalProfile()),
    "40": RenderProfile(Style(40), TerminalProfile(40)),
    "aloud": RenderProfile(Style(80, is_linear=True), TerminalProfile()),
    "aloud at 40": RenderProfile(Style(40, is_linear=True), TerminalProfile(40)),
}
EVENT: dict[str, Any] = {"table": 1, "variant": "elimination", "seat": 0, "names": NAMES}
MARGIN = re.compile(r'\n(" \w+: | +\| )')  # of a person's text that goes on
ROWS = (
    "draw\ttake the top card of the deck; only you see it.",
    "",
    "  who\twho is here",
    "See also",
)
ENDED = (replace(shown().view, pairs=(("5S", "5H"),)), shown().view)
EVERY_MESSAGE = [
    m.Notice("bell is now on."),
    m.AwayMessage(True, "You are away, so a computer player decides for you."),
    m.QuotedNotice("You are muted by the staff until 2026-11-22 13:40 UTC", "staff", "insults"),
    m.QuotedAnnouncement("The staff closed table 5", "staff", "insults"),
    m.StaffPage("Message of the day", ("No bots on Friday evening.", "Be kind.")),
    m.EndExplained("You went out on the fourth 8.", "Type review for more."),
    m.GameSummary("elimination", NAMES, "3 turns, 1 minute", ("", "out in turn 2"), ENDED),
    m.RefusalMessage("It's Bob's turn."),
    m.Announcement("Bob joined the table."),
    m.ReadMail("2. Bob wrote on 2026-11-22", "Bob", "See you on Friday."),
    m.SanctionedMessage("mute", 18, None, "insults"),
    m.WarnedMessage(17, "insults"),
    m.PresenceMessage("Bob", True),
    m.RestartedMessage(True),
    m.RingingAnnouncement("Bob wants to go on."),
    m.WatchersNotice("1 watcher: Cid"),
    m.CallNotice("It is your move at table 1 (words), 24 h left.", "It is your move."),
    m.SayMessage("Bob", "hello to everybody who is here tonight, and to those who come later"),
    m.SayMessage("Bob", "hello", channel="help"),
    m.EmoteMessage("Bob", "waves"),
    m.SayMessage("Cid", "nice cards", 1, is_watcher=True),
    m.EmoteMessage("Cid", "whistles", 1, is_watcher=True),
    m.EarlierTalk("Earlier here:", ((0, m.SayMessage("Bob", "hi")),), "Europe/Berlin"),
    m.TellMessage("Bob", "psst"),
    m.TellMessage("Ann", "psst", "Bob"),
    m.Page("Help", ROWS),
    m.AnswerMessage((styled_line(("Your hand: ", "title"), "nothing"),)),
    *(
        m.EventMessage(event=CardDrawn(1, None), mark=mark, **EVENT)
        for mark in ("", "time", "away")
    ),
    m.EventMessage(event=TurnEnded(1, 3), **EVENT),
    m.LessonStep(
        "elimination",
        "Elimination, step 1 of 6: Draw",
        "1 of 6",
        "Type: draw (now)",
        NAMES,
        shown().view,
        is_look=True,
    ),
    m.LessonOver("Lesson finished."),
    m.ReplayStep(
        *("Game 3", 3, 45, 161, "Bob", 0, 22_000, "UTC", shown(), ()),
        result="The game has ended: aborted, by agreement.",
        is_look=True,
    ),
    m.ReplayOver("The replay is closed. To see it again: replay 3"),
    m.HintMessage("give qc juno", "Juno has three queens, so this puts Juno out.", ("code",)),
    shown(asked=(0,)),
    shown(asked=(0,), deadline_ms=None),
    shown(asked=(1,)),
    shown(asked=(0, 1), missing=1, has_answered=True),
    shown(asked=(0, 1), missing=1),
    shown(asked=(1,), why="look"),
    shown(asked=(0,), passes_itself=True),
    shown(why="over"),
    shown(is_paused=True, why="look"),
    m.LocationMessage(1, "elimination", 0, True),
    m.GameOver(1, "Game over: all the others are out. Juno wins. 1 Juno, 2 Ann"),
]


def said(message: m.Message, reader: RenderProfile, is_fresh: bool) -> Counter[str]:
    rows = message_lines(message, reader, 1_000, is_fresh, CATALOGUE)
    text = MARGIN.sub("\n", encode_lines(rows, reader.terminal_profile).decode())
    return facts(" ".join(text.split()), profile_of("elimination").rewrite)


@pytest.mark.parametrize("is_fresh", [True, False], ids=["new", "old"])
@pytest.mark.parametrize("message", EVERY_MESSAGE, ids=lambda message: type(message).__name__)
def test_a_message_says_the_same_to_whoever_reads_it(message, is_fresh):
    first, *others = [said(message, reader, is_fresh) for reader in READERS.values()]
    for other in others:
        assert not (first - other) and not (other - first), (first - other, other - first)


def test_every_kind_of_message_is_among_them():
    kinds = {*m.Message.__subclasses__(), *m.WireMessage.__subclasses__()} - {m.WireMessage}
    kinds |= {*m.QuotedNotice.__subclasses__()}
    own = {kind for kind in kinds if kind.__module__ == m.__name__}
    # A refusal in a session, and what makes no row.
    own -= {m.NotUnderstood, m.KnownPlace, m.LineAnswered, m.MovesWait}
    assert own == {type(message) for message in EVERY_MESSAGE}


def test_a_row_that_is_not_read_aloud_is_found(monkeypatch):
    def lossy(rows: Sequence[str], cols: int, is_linear: bool) -> list[StyledLine]:
        return list(lay_out_page(rows[1:] if is_linear else rows, cols, is_linear))

    monkeypatch.setattr("mudserver.session.presenter.lay_out_page", lossy)
    with pytest.raises(AssertionError):
        test_a_message_says_the_same_to_whoever_reads_it(m.Page("Help", ROWS), True)
