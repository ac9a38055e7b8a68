"""What people see while somebody is asked whether to react, and seats that pass by themselves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.live import live_table
from tests.mudserver.session.at_a_table import Play, run_at_a_table
from tests.simulation.server import Seatholder, SimServer
from tests.toys.multistep.game import MULTISTEP, asked
from variants.contract import Window

# -- autopass ------------------------------------------------------------------------------------


def test_whose_seat_passes_by_itself_is_told_so_in_one_line_and_not_called():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        assert "Auto-pass is on:" in " ".join((await play("Bob> autopass on"))["Bob"])
        heard = await play("Ann> ask Bob")
        assert heard["Bob"] == [
            "Ann: ask.",
            "You will pass automatically in a moment. To respond, type now.",
            "table 1>",
        ]
        assert b"\a" not in people["Bob"].link.heard
        assert heard["Cyd"][-2:] == ["Waiting for Bob to answer (25 s).", "table 1>"]
        heard = await play("Ann> look", wait_s=3.0)
        assert heard["Bob"][:2] == ["Bob: answer. (autopass)", "Waiting for Ann to step (60 s)."]
        assert heard["Cyd"][:2] == ["Bob: answer.", "Waiting for Ann to step (60 s)."]

    run_at_a_table(scenario)


def test_autopass_stays_with_the_name_and_goes_along_to_the_next_seat():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        heard = " ".join((await play("Wim> autopass"))["Wim"])
        assert "autopass is off (default): pass automatically when you are asked" in heard
        assert "autopass: on." in (await play("Wim> set autopass on"))["Wim"]
        await play("Wim> /unwatch", "Wim> open multistep", "Wim> bot", "Wim> start")
        table: Any = live_table(server.app.table_manager, 2)
        assert [True, False] == [o.has_autopass for o in table.seats]
        assert "autopass on" in " ".join((await play("Wim> set"))["Wim"])
        await play("Wim> /autopass off")
        assert [False, False] == [o.has_autopass for o in table.seats]
        await play("Wim> autopass on", "Wim> leave now")
        await play("Ann> leave now", "Bob> leave now", "Cyd> leave now")
        await play("Ann> open multistep", "Wim> sit 3")
        table = live_table(server.app.table_manager, 3)
        assert [("Ann", False), ("Wim", True)] == [(o.name, o.has_autopass) for o in table.seats]

    run_at_a_table(scenario)


def test_a_wrong_word_for_autopass_is_told_the_right_ones():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        heard = await play("Bob> autopass maybe")
        assert 'autopass can\'t be "maybe". It can be on or off.' in heard["Bob"]

    run_at_a_table(scenario)


# -- who is asked, and until when ----------------------------------------------------------------


def test_everybody_reads_who_is_asked_what_and_until_when():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        heard = await play("Ann> ask Bob")
        for name in ("Ann", "Cyd", "Wim"):
            assert heard[name][-2:] == ["Waiting for Bob to answer (25 s).", "table 1>"]
        assert heard["Bob"][-2:] == [
            "Your turn to answer. You have 25 s. Type moves for a list.",
            "table 1, your turn>",
        ]
        assert people["Bob"].link.heard.count(b"\a") == 1
        heard = await play("Bob> answer")
        assert heard["Ann"][-2:] == [
            "Your turn to step. You have 60 s. Type moves for a list.",
            "table 1, your turn>",
        ]
        for name in ("Bob", "Cyd", "Wim"):
            assert heard[name][-2:] == ["Waiting for Ann to step (60 s).", "table 1>"]

    run_at_a_table(scenario)


def test_each_short_window_is_one_line_to_whoever_only_waits():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        questions = ("Ann> ask Bob", "Bob> answer", "Ann> ask Cyd", "Cyd> answer") * 2
        heard = await play(*questions, wait_s=0.05)
        asked = ["Waiting for Bob to answer (25 s).", "Waiting for Ann to step (60 s)."]
        assert [row for row in heard["Wim"] if row.startswith("Waiting for ")] == [
            *asked, "Waiting for Cyd to answer (25 s).", asked[1],
        ] * 2  # fmt: skip
        told = ["Ann: ask.", "Bob: answer.", "Ann: ask.", "Cyd: answer."] * 2
        assert [row for row in heard["Wim"] if row in told] == told
        assert len(heard["Wim"]) == 16 + 1, "a line for what is done, a line for who is next"

    run_at_a_table(scenario)


def test_who_waits_reads_once_who_is_to_play_and_who_plays_reads_it_each_time():
    def asked_step_by_step(view: Any) -> Window | None:
        window = asked(view)
        is_turn = window is not None and view.answerer is None
        return replace(window, key=f"{window.key} step {view.steps}") if is_turn else window

    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        heard = await play("Ann> step")
        assert heard["Bob"] == heard["Cyd"] == heard["Wim"] == ["Ann: step.", "table 1>"]
        assert heard["Ann"][-3:-1] == [
            "Turn 1, 1 steps.",
            "Your turn to step. You have 60 s. Type moves for a list.",
        ]
        heard = await play("Ann> ask Bob", "Bob> answer")
        assert [row for row in heard["Wim"] if row.startswith("Waiting for ")] == [
            "Waiting for Bob to answer (25 s).",
            "Waiting for Ann to step (60 s).",
        ]

    run_at_a_table(scenario, replace(MULTISTEP, open_window=asked_step_by_step))


def test_a_window_that_was_asked_before_is_not_said_again_when_time_runs():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        await play("Ann> ask Bob")
        heard = await play("Ann> /who", "Cyd> step", wait_s=5.0)
        assert [] == [row for name in heard for row in heard[name] if "to answer" in row]

    run_at_a_table(scenario)
