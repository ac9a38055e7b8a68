"""Pages that are longer than the screen, as their readers see them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from mudserver import messages as m
from mudserver.outbox import INBOX_MESSAGES_MAX
from mudserver.session.terminal_session import TerminalSession
from mudserver.session.texts import MORE_PROMPT
from tests.mudserver.session.reading import LONG, PROMPT, SMALL, Reading, read
from variants.kit.text import styled_line


def test_a_page_stops_where_the_screen_is_full_and_goes_on_row_after_row():
    async def scenario(at: Reading):
        screens = []
        await at.page()
        screens.append(at.rows)
        for _ in range(3):
            await at.type("\r")
            screens.append(at.rows)
        return screens

    first, second, third, last = read(scenario)
    assert ["Title", *LONG[:8], PROMPT] == first
    assert [*LONG[8:17], PROMPT] == second
    assert [*LONG[17:26], PROMPT] == third
    assert [*LONG[26:30], "lobby>"] == last[-5:]
    assert not any(PROMPT in row for row in last)


@pytest.mark.parametrize("key", ["\r", " ", "  \r"])
def test_enter_and_the_space_bar_go_on(key):
    async def scenario(at: Reading):
        await at.page()
        await at.type(key)
        return at.rows

    assert LONG[16] in read(scenario)


@pytest.mark.parametrize("key", ["q\r", "Q\r", "\x03"])
def test_q_and_control_c_leave(key):
    async def scenario(at: Reading):
        await at.page()
        await at.type(key)
        return at.rows, at.session._pager.is_open

    rows, is_open = read(scenario)
    assert not is_open
    assert "lobby>" == rows[-1]
    assert not any(LONG[9] in row for row in rows)


def test_a_page_that_fits_does_not_stop():
    async def scenario(at: Reading):
        await at.page(*LONG[:8])
        return at.rows

    assert ["Title", *LONG[:8], "lobby>"] == read(scenario)[-10:]


def test_what_comes_meanwhile_waits_in_its_order_and_nothing_is_lost():
    async def scenario(at: Reading):
        await at.page()
        at.bob.type("say one")
        await at.settled()
        at.send(m.Notice("two"), m.TellMessage("Cyd", "three"))
        at.bob.type("say four")
        await at.settled()
        standing = at.rows
        await at.type("\r")
        await at.type("\r")
        between = at.rows
        await at.type("\r")
        return standing, between, at.ann.text

    standing, between, text = read(scenario)
    assert ["Title", *LONG[:8], PROMPT] == standing
    assert [*LONG[17:26], PROMPT] == between
    places = [text.index(w) for w in (LONG[29], "guest2: one", "two", "tells you: three", ": four")]
    assert places == sorted(places)


def test_a_command_leaves_the_page_and_works():
    async def scenario(at: Reading):
        await at.page()
        at.bob.type("say hello")
        await at.settled()
        await at.type("who\r")
        return at.rows

    rows = read(scenario)
    assert "guest2: hello" in rows
    assert "2 people are here" in rows
    assert "lobby>" == rows[-1]
    assert not any(LONG[12] in row for row in rows)


def test_a_page_behind_a_page_stops_too():
    """Two commands in one packet: the second page stands when the first has been left."""

    async def scenario(at: Reading):
        await at.page()
        at.send(m.Page("Second", LONG))
        await at.settled()
        await at.type("q\r")
        second = at.rows
        await at.type("q\r")
        return second, at.rows

    second, last = read(scenario)
    assert ["Second", *LONG[:8], PROMPT] == second[-10:]
    assert "lobby>" == last[-1]


def test_an_answer_in_several_pieces_is_left_at_once():
    async def scenario(at: Reading):
        await at.page("one row")
        pieces = [m.AnswerMessage((styled_line(f"piece {n}"),)) for n in range(40)]
        at.send(*pieces, m.Notice("afterwards"))
        await at.settled()
        stopped = at.rows
        await at.type("q\r")
        return stopped, at.rows

    stopped, left = read(scenario)
    assert PROMPT == stopped[-1]
    assert ["afterwards", "lobby>"] == left[-2:]
    assert not any("piece 39" in row for row in left)


def shown(seat: int, window: str, **how: object) -> m.ViewMessage:
    return m.ViewMessage(1, "no game", seat, ("Ann", "Bob"), None, (0,), window=window, **how)


def test_a_question_ends_the_page(monkeypatch):
    async def scenario(at: Reading):
        calls = []
        # The view itself is of no interest.
        monkeypatch.setattr(TerminalSession, "render_message", lambda _, each: calls.append(each))
        await at.page()
        at.send(m.Notice("before"), shown(1, "w1"), shown(0, "w2", passes_itself=True))
        await at.settled()
        is_open = at.session._pager.is_open
        at.send(shown(0, "w3"), m.Notice("after"))
        await at.settled()
        return is_open, at.session._pager.is_open, [type(c) for c in calls], at.ann.text

    was_open, is_open, shown_, text = read(scenario)
    assert (True, False) == (was_open, is_open)
    assert [m.Notice, m.ViewMessage, m.ViewMessage, m.ViewMessage, m.Notice] == shown_
    assert "-- Page closed: it's your turn." in text


def test_nothing_stops_while_one_is_asked():
    async def scenario(at: Reading):
        at.session._is_asked = True
        await at.page()
        return at.rows, at.session._pager.is_open

    rows, is_open = read(scenario)
    assert not is_open
    assert LONG[29] in rows


def test_a_record_is_copied_off_the_screen_and_never_stops():
    async def scenario(at: Reading):
        at.send(m.Page("The record of this game", LONG, is_to_copy=True))
        await at.settled()
        return at.rows

    assert LONG[29] in read(scenario)


def test_history_stops_and_what_happens_now_does_not():
    async def scenario(at: Reading):
        for typed in ("open elimination pace=instant", "bot", "bot", "start"):
            at.bob.type(typed)
            await at.settled()
        await at.type("watch 1\r")
        for _ in range(6):
            plays = await at.bob.moves()
            if plays:
                at.bob.type(plays[0])
                await at.settled()
        live = at.session._pager.is_open
        await at.type("history\r")
        stopped = at.rows
        count, pages = len(at.server.app.table_manager.history(at.session.person.id)), 1
        while at.session._pager.is_open:
            await at.type("\r")
            pages += 1
        assert 1 < pages <= count  # an event takes a row or more
        return live, stopped, at.rows

    live, stopped, after = read(scenario)
    assert not live
    assert PROMPT == stopped[-1]
    assert 5 < len(stopped) <= 10  # without the blank rows between the turns
    assert "table 1>" == after[-1]


@pytest.mark.parametrize(
    ("terminal", "settings", "stops"),
    [
        (SMALL, [], True),
        (replace(SMALL, is_character_mode=False), [], False),
        (replace(SMALL, is_character_mode=False), ["pager on"], True),
        (replace(SMALL, is_screen_reader=True), [], False),
        (SMALL, ["screenreader on"], False),
        (SMALL, ["screenreader on", "pager on"], True),
        (SMALL, ["pager off"], False),
        (SMALL, ["height 0"], False),
        (SMALL, ["height 40"], False),
        (replace(SMALL, rows=50), ["height 20"], True),
        (SMALL, ["pager off", "pager default"], True),
        (replace(SMALL, is_ansi=False), [], True),
    ],
)
def test_where_pages_stop(terminal, settings, stops):
    async def scenario(at: Reading):
        for setting in settings:
            await at.type(f"set {setting}\r")
        await at.page()
        return at.session._pager.is_open

    assert stops is read(scenario, terminal)


def test_who_sends_whole_lines_goes_on_with_an_empty_one():
    async def scenario(at: Reading):
        await at.type("set pager on\r\n")
        await at.page()
        before = at.ann.text
        at.ann.forget()
        at.seen = 0
        await at.type("\r\n")
        return before, at.ann.text

    before, after = read(
        scenario, replace(SMALL, is_character_mode=False, is_ansi=False, colours="off")
    )
    assert before.endswith(f"{LONG[7]}\n{MORE_PROMPT}")
    assert after.startswith(f"{LONG[8]}\n")
    assert after.endswith(f"{LONG[16]}\n{MORE_PROMPT}")


def test_a_terminal_that_becomes_narrower_has_no_row_that_is_wider():
    wide = tuple(f"{n} " + "word " * 15 for n in range(30))

    async def scenario(at: Reading):
        await at.page(*wide)
        at.ann.link.terminal = replace(SMALL, cols=30)
        at.session.on_resize(at.ann.link.terminal)
        at.ann.forget()
        at.ann.press(b"\r")
        await asyncio.sleep(0.2)
        return at.ann.text

    rows = read(scenario).split("\n")
    assert len(rows) == 10
    assert max(map(len, rows)) <= 30


@pytest.mark.parametrize("change", [{"rows": 1}, {"is_character_mode": False}])
def test_where_pages_no_longer_stop_the_next_key_shows_all_the_rest(change):
    async def scenario(at: Reading):
        await at.page()
        at.ann.link.terminal = replace(SMALL, **change)
        at.session.on_resize(at.ann.link.terminal)
        at.ann.forget()
        at.ann.press(b"\r\n")
        await asyncio.sleep(0.2)
        return at.ann.text, at.session._pager.is_open

    text, is_open = read(scenario)
    assert text.index(LONG[8]) < text.index(LONG[29])
    assert not is_open


def test_what_waits_behind_a_page_is_bounded_and_what_is_too_much_ends_the_page():
    async def scenario(at: Reading):
        await at.page()
        for n in range(INBOX_MESSAGES_MAX + 10):
            at.send(m.TellMessage("Cyd", f"number {n}"))
            if n % 500 == 0:
                await asyncio.sleep(0)
        await at.settled()
        return at.session._pager.is_open, at.ann.text

    is_open, text = read(scenario)
    assert not is_open
    assert "Page closed: too many messages." in text
    assert "number 0" in text
    assert f"number {INBOX_MESSAGES_MAX + 9}" in text


def test_the_line_ends_with_all_that_waited():
    async def scenario(at: Reading):
        await at.page()
        at.send(m.TellMessage("Cyd", "before you go"))
        await at.settled()
        at.server.app.session_manager.close("The server closes.")
        await at.settled()
        return at.ann.text

    text = read(scenario)
    assert text.index("before you go") < text.index("The server closes.")


def test_a_page_that_breaks_costs_itself_and_no_more(caplog):
    async def scenario(at: Reading):
        await at.page()
        at.send(m.Page("broken", (None,) * 40), m.Notice("sound"))  # type: ignore[arg-type]
        await at.settled()
        await at.type("q\r")
        return at.ann.text, at.ann.link.is_open

    text, is_open = read(scenario)
    assert is_open
    assert "Sorry, something went wrong on the server" in text
    assert "sound" in text
    assert "delivery failed" in caplog.text


def test_enter_held_down_is_no_flood_of_commands():
    async def scenario(at: Reading):
        await at.page(*(f"row {n}" for n in range(300)))
        for _ in range(40):
            at.ann.press(b"\r")
        await at.settled()
        return at.ann.text

    text = read(scenario)
    assert "row 299" in text
    assert "Too fast" not in text
