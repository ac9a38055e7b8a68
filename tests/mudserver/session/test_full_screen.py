"""The full screen from where a person sits: in and out of it, and who may not have it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from mudserver.config import schema
from mudserver.session import texts
from mudserver.transport.link import Terminal
from tests.mudserver.ui.fullscreen.watched import Watched, play, sit_down, told
from tests.prompts import LOBBY
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer, new_world

# -- in and out ------------------------------------------------------------------------------------


def test_it_opens_and_closes_in_the_middle_of_a_line_and_keeps_what_was_typed():
    async def scenario(server, ann):
        opened = ann.look()
        is_full, rows = opened.is_full, opened.rows
        ann.type("about")
        await asyncio.sleep(0.5)
        ann.type("screen off")  # which waits for the journal
        ann.press(b"half a li")
        await asyncio.sleep(0.5)
        emulator = ann.look()
        ann.press(b"ne\x15")
        ann.press(b"\x1b[A\x1b[A")  # the history came along, too
        await asyncio.sleep(0.5)
        return is_full, rows, emulator.is_full, emulator.wraps, emulator.text, ann.look().text

    is_full, rows, is_still, wraps, before, after = told(scenario)
    assert (True, False, True) == (is_full, is_still, wraps)
    assert "Full screen on." in "\n".join(rows)
    assert "lobby>" == rows[-1]
    assert f"\n{LOBBY}half a li\n" in before
    assert "mudserver " in before  # what was said meanwhile is there to be read
    assert f"{LOBBY}about" in after


def test_it_stays_with_the_name_and_opens_at_once_on_the_next_visit():
    async def scenario(server, ann):
        ann.type("quit")
        await asyncio.sleep(0.5)
        left = ann.look()
        again = Watched.comes_in(server, "Ann", ANSI)
        await asyncio.sleep(0.5)
        again.type("screen off")
        await asyncio.sleep(0.5)
        was_full = again.look().text
        again.type("quit")
        await asyncio.sleep(0.5)
        third = Watched.comes_in(server, "Ann", ANSI)
        await asyncio.sleep(0.5)
        return left.is_as_found, left.text, was_full, third.look().is_full

    is_as_found, text, _, is_full = told(scenario)
    assert is_as_found
    assert "Goodbye, Ann." in text
    assert not is_full


def test_who_opens_it_in_a_game_sees_the_table():
    async def scenario(server, ann):
        ann.type("screen off")
        await asyncio.sleep(0.3)
        await sit_down(server, ann, "elimination")
        ann.type("screen on")
        await asyncio.sleep(0.5)
        return ann.look().rows

    rows = told(scenario)
    assert rows[0].startswith("── Table ──")
    assert any(row.startswith(" ┌─────┐") for row in rows)
    assert "Table 1, elimination │ Ann, seat 1" in rows[-2]
    assert ":" in rows[-2][:5]


def test_a_game_is_played_in_it_and_its_clock_runs_down():
    async def scenario(server, ann):
        bob = await sit_down(server, ann, "elimination")
        await play([ann, bob], 3)
        shown = []
        for _ in range(3):
            shown.append(ann.look().rows[-2][:6])
            await asyncio.sleep(1)
        bob.type("/say hello")
        ann.type("leave now")
        await asyncio.sleep(0.5)
        return shown, ann.look().rows

    shown, rows = told(scenario)
    left = [int(text[1]) * 60 + int(text[3:5]) for text in shown]
    assert [left[0], left[0] - 1, left[0] - 2] == left
    assert "Lobby │ Ann" in rows[-2]
    assert "Table ──" not in rows[0]


def test_pages_never_stop_there_and_are_shown_from_their_beginning():
    async def scenario(server, ann):
        ann.type("rules elimination")
        await asyncio.sleep(0.5)
        first = ann.look().rows
        ann.press(b"\x1b[6~")
        await asyncio.sleep(0.5)
        return first, ann.look().rows

    first, second = told(scenario)
    title = next(at for at, row in enumerate(first) if "Esc or q closes" in row)
    assert "elimination" in first[title].lower() and "more: PageDown" in first[title]
    assert "more: Enter" not in "\n".join(first)
    assert first[-3] == second[title + 1]


def test_a_page_beside_the_marked_pane_names_the_key_that_leads_to_it():
    async def scenario(server, ann):
        await sit_down(server, ann, "elimination")
        shown = []
        for keys in (b"\x1b[17~", b"/rules\r", b"\x1b[17~"):  # F6, the page, F6
            ann.press(keys)
            await asyncio.sleep(0.5)
            titles = [row for row in ann.look().rows if row.startswith("──")]
            shown.append(titles[-1])
        return shown

    _, marked, aside = told(scenario, 80, 24)
    assert "[ " in marked and "more: PageDown, Esc or q closes" in marked
    assert "[ " not in aside and "more: F6" in aside


def test_on_the_smallest_screen_f1_shows_the_keys_for_its_panes_whichever_was_read():
    async def scenario(server, ann):
        await sit_down(server, ann, "elimination")
        shown = []
        for keys in (b"", b"\x1b[17~", b"\x1b[17~\x1bOQ"):  # F6, F6 and F2: the table alone
            ann.press(keys + b"\x1bOP")
            await asyncio.sleep(0.5)
            rows = ann.look().rows
            shown.append(rows[next(at for at, row in enumerate(rows) if "[" in row) :])
        return shown

    for title, *rows in told(scenario, 40, 12):
        assert "[ Keys of the full sc... ]" in title and "q closes" in title
        assert ("F6 ", "PageUp") == (rows[0][:3], rows[1][:6])


def test_a_resize_is_followed_and_a_page_is_laid_out_for_its_pane():
    async def scenario(server, ann):
        ann.resize(40, 12)
        await asyncio.sleep(0.3)
        ann.type("help")
        await asyncio.sleep(0.3)
        small = ann.look().rows
        ann.resize(120, 30)
        await asyncio.sleep(0.3)
        return small, ann.look().rows

    small, wide = told(scenario)
    assert max(map(len, small)) <= 40
    assert any("Chat" in row for row in wide)
    assert 30 == len(wide)


# -- who may not have it ---------------------------------------------------------------------------


def asked(terminal: Terminal, *lines: str, **sections: object) -> tuple[str, bool]:
    async def whole():
        server = await SimServer(new_world(1, **sections)).open()
        ann = Watched.comes_in(server, "Ann", terminal)
        await asyncio.sleep(0.5)
        for typed in lines:
            ann.type(typed)
            await asyncio.sleep(0.5)
        kept = server.app.account_service.preference(ann.session.person, "screen")
        return " ".join(ann.text.split()), kept == "on"

    return virtual.run(whole())


@pytest.mark.parametrize("typed", ["screen on", "set screen on"])
@pytest.mark.parametrize(
    ("terminal", "sentence"),
    [
        (
            replace(ANSI, is_character_mode=False, is_ansi=False),
            texts.NEEDS_SINGLE_KEYS,
        ),
        (replace(ANSI, is_ansi=False, name="dumb"), texts.NEEDS_CURSOR),
        (replace(ANSI, is_screen_reader=True), texts.NEEDS_EYES),
    ],
)
def test_who_cannot_have_it_reads_why_and_nothing_is_kept(terminal, sentence, typed):
    text, is_kept = asked(terminal, typed)
    assert sentence in text
    assert "\x1b[?1049h" not in text
    assert not is_kept


def test_beyond_so_many_the_next_one_reads_so_and_gets_it_when_one_is_free():
    async def scenario(server, ann):
        bob = Watched.comes_in(server, "Bob", ANSI)
        await asyncio.sleep(0.3)
        bob.type("screen on")
        await asyncio.sleep(0.3)
        refused = bob.look().text
        ann.link.drop()
        await asyncio.sleep(0.3)
        bob.type("screen on")
        await asyncio.sleep(0.3)
        open_screens = server.app.session_manager.screen_factory._places
        return refused, bob.look().is_full, len(open_screens)

    refused, is_full, count = told(scenario, session=schema.SessionLimits(full_screens_max=1))
    assert "All full screens are in use right now." in refused
    assert (True, 1) == (is_full, count)


def test_who_has_it_set_comes_in_without_it_where_there_is_none_left():
    async def scenario(server, ann):
        bob = Watched.comes_in(server, "Bob", ANSI)
        await asyncio.sleep(0.3)
        await server.app.account_service.save_preference(bob.session.person, "screen", "on")
        bob.link.drop()
        await asyncio.sleep(0.3)
        again = Watched.comes_in(server, "Bob", ANSI)
        await asyncio.sleep(0.5)
        again.resize(100, 30)
        ann.link.drop()
        await asyncio.sleep(0.5)
        again.resize(80, 24)
        await asyncio.sleep(0.5)
        return again.look().text, again.look().is_full

    text, is_full = told(scenario, session=schema.SessionLimits(full_screens_max=1))
    assert 1 == text.count("full screens are in use")
    assert not is_full  # nobody is taken there by surprise


def test_a_screen_reader_that_is_switched_on_ends_it_with_a_sentence():
    async def scenario(server, ann):
        ann.type("screenreader on")
        await asyncio.sleep(0.5)
        return ann.look().is_full, " ".join(ann.look().text.split())

    is_full, text = told(scenario)
    assert not is_full
    assert texts.NEEDS_EYES[:50] in text
