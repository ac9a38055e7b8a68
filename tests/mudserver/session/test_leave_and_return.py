"""Leaving is asked twice, the seat is taken back, and who is away reads it in the second person."""

from __future__ import annotations

from tests.mudserver.session.at_a_table import run_at_a_table

QUESTION = (
    "Leave this game? A computer player takes your seat. Type leave again within 30 s to confirm."
)
LEFT = "You left the game. Vera (computer) takes over. To come back, type return"


def read(rows: list[str]) -> str:
    """Rows as one text, as if the terminal were wide enough."""
    return " ".join(rows)


def test_leave_is_asked_twice_and_the_second_one_leaves():
    async def scenario(server, play, people) -> None:
        heard = await play("Bob> leave")
        assert QUESTION in read(heard["Bob"])
        assert not heard["Ann"] and not heard["Cyd"]
        heard = await play("Bob> leave")
        assert LEFT in read(heard["Bob"]) and heard["Bob"][-1] == "lobby>"
        assert "-- Bob left the game. Vera (computer) takes over." in heard["Ann"]

    run_at_a_table(scenario)


def test_another_line_or_half_a_minute_cancels_it():
    async def scenario(server, play, people) -> None:
        await play("Bob> leave", "Bob> look")
        assert QUESTION in read((await play("Bob> resign"))["Bob"])
        await play("Ann> look", wait_s=31)
        assert QUESTION in read((await play("Bob> leave"))["Bob"])

    run_at_a_table(scenario)


def test_leave_now_does_not_ask_and_another_word_is_refused():
    async def scenario(server, play, people) -> None:
        assert "Type leave, or leave now" in read((await play("Bob> leave soon"))["Bob"])
        assert LEFT in read((await play("Bob> leave now"))["Bob"])

    run_at_a_table(scenario)


def test_who_only_watches_or_sits_at_no_game_leaves_at_once():
    async def scenario(server, play, people) -> None:
        assert (await play("Wim> leave"))["Wim"][-1] == "lobby>"
        await play("Wim> open multistep")
        assert (await play("Wim> leave"))["Wim"][-1] == "lobby>"

    run_at_a_table(scenario)


def test_a_game_that_has_ended_in_between_is_not_left():
    async def scenario(server, play, people) -> None:
        await play("Ann> fall")
        heard = await play("Cyd> leave", "Bob> fall", "Cyd> leave")
        assert QUESTION in read(heard["Cyd"])
        assert "The game has just ended. Type leave again to leave the table." in read(heard["Cyd"])
        assert heard["Cyd"][-1] == "table 1>"
        assert (await play("Cyd> leave"))["Cyd"][-1] == "lobby>"

    run_at_a_table(scenario)


def test_return_or_sit_takes_the_seat_back_and_nothing_else():
    async def scenario(server, play, people) -> None:
        assert "You have your seat." in read((await play("Bob> /return"))["Bob"])
        await play("Bob> leave now")
        heard = await play("Bob> return")
        assert "You have your seat back." in read(heard["Bob"])
        assert heard["Bob"][-1] == "table 1>"
        assert "-- Bob is back in the game and takes over from Vera." in heard["Ann"]
        await play("Bob> leave now", "Bob> watch 1")
        assert "You have your seat back." in read((await play("Bob> sit 1"))["Bob"])
        assert "No seat waits for you." in read((await play("Wim> unwatch", "Wim> return"))["Wim"])

    run_at_a_table(scenario)


def test_who_is_away_reads_it_and_is_back_with_any_line():
    async def scenario(server, play, people) -> None:
        heard = await play("Wim> who", wait_s=61)
        assert "You missed a turn. Miss another and a computer player takes over" in read(
            heard["Ann"]
        )
        await play("Bob> step", "Bob> step", "Cyd> step", "Cyd> step")
        heard = await play("Wim> who", wait_s=62)
        assert "You are away, so a computer player decides for you." in read(heard["Ann"])
        assert heard["Ann"][-1].endswith("table 1, away>")
        assert "-- Ann is away. A computer player plays for Ann for now." in heard["Bob"]
        heard = await play("Bob> step", "Bob> step", "Cyd> step", "Cyd> step", wait_s=0.05)
        assert "Your turn. Type anything within 5 s to play it yourself." in read(heard["Ann"])
        assert any(b"\x07" in data for _, data in people["Ann"].link.received)
        heard = await play("Ann> ", wait_s=0.3)  # an empty line only returns
        assert "You are back. It's your turn." in read(heard["Ann"])
        assert heard["Ann"][-1].endswith("table 1, your turn>")
        assert "-- Ann is back." in heard["Bob"]

    run_at_a_table(scenario)
