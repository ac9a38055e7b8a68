"""Which channels there are, who is in them, and how much is said.  Time is a number."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mudserver.config.schema import ChatLimits
from mudserver.errors import UserError
from mudserver.lobby.channels import DELIVERIES_BURST_S, LINES_BURST, Channels

LIMITS = ChatLimits()


def refusal(call, *arguments, **named) -> str:
    with pytest.raises(UserError) as caught:
        call(*arguments, **named)
    return str(caught.value)


def lines_said(channels: Channels, readers: int, seconds: int, name: str = "lobby") -> int:
    """How many lines are taken if ten are tried every tenth of a second."""
    said = 0
    for tenth in range(seconds * 10):
        for _ in range(10):
            try:
                channels.check_busy(name, tenth / 10)
            except UserError:
                break
            channels.charge(name, readers, tenth / 10)
            said += 1
    return said


@pytest.mark.parametrize(
    ("typed", "found"),
    [("help", "help"), ("HE", "help"), ("el", "elimination"), ("lobby", "lobby")],
)
def test_a_beginning_that_fits_one_channel_is_enough(typed, found):
    assert found == Channels(LIMITS, 0.0).find(typed, is_staff=False)


def test_no_channel_and_several_are_refused_and_the_staffs_is_its_own():
    channels = Channels(LIMITS, 0.0)
    assert 'There isn\'t a channel "zoo". To see all: channels' == (
        refusal(channels.find, "zoo", is_staff=False)
    )
    assert "channels" in refusal(channels.find, "", is_staff=False)
    assert '"st" is ambiguous: stockpile or staff?' == refusal(channels.find, "st", is_staff=True)
    assert "stockpile" == channels.find("st", is_staff=False)
    assert "Only the staff can use the channel staff." == (
        refusal(channels.find, "staff", is_staff=False)
    )
    assert "staff" == channels.find("staff", is_staff=True)
    assert "staff" not in channels.visible(is_staff=False)


def test_who_has_left_is_in_no_channel_and_who_comes_is_in_those_alone():
    channels = Channels(LIMITS, 0.0)
    channels.enter("ann", ["help", "chat"])
    channels.enter("bob", ["help"])
    channels.part("bob", "help")
    channels.join("bob", "words")
    assert (["ann"], ["ann"], ["bob"]) == tuple(
        list(channels.members(name)) for name in ("help", "chat", "words")
    )
    channels.enter("ann", ["chat"])
    channels.leave("bob")
    assert ([], ["ann"], []) == tuple(
        list(channels.members(name)) for name in ("help", "chat", "words")
    )


def test_other_channels_apply_at_once_and_their_members_stay():
    channels = Channels(LIMITS, 0.0)
    channels.enter("ann", ["help", "chat"])
    channels.reconfigure(replace(LIMITS, channels=("chat", "poker")), 1.0)
    assert ("lobby", "chat", "poker", "staff") == channels.names
    assert ["ann"] == list(channels.members("chat"))
    assert [] == list(channels.members("poker"))


@pytest.mark.parametrize(("readers", "per_s"), [(10, 10), (600, 10), (1_500, 4)])
def test_a_channel_takes_as_many_lines_as_its_readers_allow(readers, per_s):
    seconds = 60
    most = LINES_BURST + per_s * seconds
    assert most - per_s - 1 <= lines_said(Channels(LIMITS, 0.0), readers, seconds) <= most


def test_a_line_that_nobody_else_reads_costs_nothing():
    channels = Channels(LIMITS, 0.0)
    for _ in range(1_000):
        channels.check_busy("chat", 0.0)
        channels.charge("chat", 0, 0.0)
    channels.check_busy("chat", 0.0)


def test_all_channels_together_take_so_many_deliveries():
    channels, readers, seconds = Channels(LIMITS, 0.0), 2_000, 100
    names = ("lobby", "help", "chat", "words")
    said = 0
    for tenth in range(seconds * 10):
        for name in names:
            try:
                channels.check_busy(name, tenth / 10)
            except UserError:
                continue
            channels.charge(name, readers, tenth / 10)
            said += 1
    most = LIMITS.deliveries_per_s * (seconds + DELIVERIES_BURST_S) + readers
    assert 0.95 * most <= said * readers <= most


def test_a_busy_channel_says_so_and_another_is_not_held_up():
    channels = Channels(LIMITS, 0.0)
    for _ in range(LINES_BURST):
        channels.charge("lobby", 50, 0.0)
        channels.charge("words", 50, 0.0)
    assert "The lobby is very busy. Try again in a second." == (
        refusal(channels.check_busy, "lobby", 0.0)
    )
    assert "The channel words is very busy. Try again in a second." == (
        refusal(channels.check_busy, "words", 0.0)
    )
    channels.check_busy("chat", 0.0)
    channels.check_busy("lobby", 1.0)
