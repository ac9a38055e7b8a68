"""docs/bots.md says what is so: every type, the figures, the heart of the bot."""

from __future__ import annotations

import re
from textwrap import indent

import pytest

from mudserver.config.schema import Config
from mudserver.errors import REFUSAL_CODES
from mudserver.outbox import INBOX_MESSAGES_MAX
from mudserver.session import json_protocol, json_session
from tests.programs import BOT_FILE, bot_module

TEXT = BOT_FILE.with_name("bots.md").read_text("utf-8")
TEXT_1 = BOT_FILE.with_name("bots-1.md").read_text("utf-8")


@pytest.mark.parametrize(("protocol", "text"), [(1, TEXT_1), (2, TEXT)])
def test_every_type_of_object_is_told_of_and_no_other(protocol, text):
    (table,) = re.findall(r"\| `type` \| when \|\n\|---\|---\|\n((?:\|.*\n)+)", text)
    types = [
        name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])
    ]
    assert sorted(map(json_protocol.type_name, json_protocol.OBJECTS[protocol])) == sorted(types)


def test_every_code_of_a_refusal_is_told_of_and_no_other():
    (table,) = re.findall(r"\| code \| .*\n\|---\|---\|\n((?:\|.*\n)+)", TEXT)
    assert list(REFUSAL_CODES) == re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)


@pytest.mark.parametrize("text", [TEXT, TEXT_1], ids=["2", "1"])
def test_the_figures_are_the_defaults(text):
    session, door, chat, tables = Config().session, Config().door, Config().chat, Config().tables
    object_bytes = (
        json_session.JSON_BYTES_PER_CHARACTER * session.line_chars_max
        + json_session.JSON_OVERHEAD_BYTES
    )
    for figure in (
        f"{session.lines_per_s} a second, {session.lines_burst} at once",
        f"{tables.plays_per_person_per_s:g} a second, {tables.plays_burst} at once",
        f"{session.line_chars_max} characters; an object {object_bytes:,} bytes",
        f"over {door.output_lag_bytes // 1_024} KiB behind",
        f"Over {INBOX_MESSAGES_MAX:,} messages",
        f"Not a byte read in {door.output_stall_s:g} seconds",
    ):
        assert figure in text, figure
    assert (1.0, 0.34, 7_200.0) == (chat.per_s, chat.guest_per_s, session.idle_s)
    assert (5, 1) == (Config().sources.guests_per_source_max, Config().tables.per_guest_max)


def test_the_heart_of_the_bot_is_that_of_the_bot():
    heart = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)[0]
    bot = BOT_FILE.read_text("utf-8")
    assert indent(heart, "        ") in bot
    rows = bot.partition('"""\n\n')[2].splitlines()
    assert len([row for row in rows if row.strip()]) <= 50


def test_the_bot_answers_a_question_once_and_says_nothing_after_the_game():
    bot = bot_module().Bot("words")
    view = {"type": "view", "question": "7.1.4.0", "moves": ["remove 1"]}
    refused = {"type": "refused", "text": "That is no play."}
    answer = [{"line": "remove 1", "question": "7.1.4.0", "id": "7.1.4.0"}]
    assert answer == bot.answer(view)
    assert [] == bot.answer(view)  # another has answered meanwhile
    assert [] == bot.answer(view | {"question": None, "moves": []})
    bot.is_playing = True
    assert [{"line": "look"}] == bot.answer(refused)
    assert answer == bot.answer(view)
    assert "7.1.4.1" == bot.answer(view | {"question": "7.1.4.1"})[0]["question"]
    assert [{"line": "quit"}] == bot.answer({"type": "over", "text": "Game over: Ann wins."})
    assert [] == bot.answer(refused) == bot.answer(view)
