"""Every transcript is what the server says today; `python -m tests.transcripts.play --write`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mudserver.session import json_protocol
from tests.transcripts.play import PROTOCOL_1, files, played, program_files
from variants.catalogue import CATALOGUE

SENTENCES = ("text", "title", "rows")  # keys of objects; what they say may change


def objects(transcript: str) -> list[dict[str, Any]]:
    return [json.loads(row) for row in re.findall(r"(?m)^\w+(?:, before)?: (\{.*\})$", transcript)]


def without_sentences(transcript: str) -> list[str]:
    """The rows; of objects without what people read, but with its keys."""
    rows = []
    for row in transcript.splitlines():
        reader, mark, data = row.partition(": {")
        if mark:
            made = json.loads("{" + data)
            row = f"{reader}: {made | {key: '...' for key in SENTENCES if key in made}}"
        rows.append(row)
    return rows


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_what_is_heard_is_what_was_written_down(path: Path) -> None:
    written = path.read_text("utf-8")
    assert written == played(written)


@pytest.mark.parametrize("path", program_files(), ids=lambda path: path.stem)
def test_a_program_reads_the_objects_that_were_written_down(path: Path) -> None:
    written = path.read_text("utf-8")
    assert without_sentences(written) == without_sentences(played(written)), (
        "Protocol 1 is frozen.  If only plays or times differ, because a game plays differently: "
        "python -m tests.transcripts.play --write"
    )


def test_programs_read_every_type_of_object_and_play_every_game_to_the_end() -> None:
    read = [each for path in program_files() for each in objects(path.read_text("utf-8"))]
    assert set(map(json_protocol.type_name, json_protocol.OBJECTS[1])) == {
        each["type"] for each in read
    }
    for game in CATALOGUE:
        transcript = objects((PROTOCOL_1 / f"{game}.txt").read_text("utf-8"))
        views = [each for each in transcript if each["type"] == "view"]
        assert {game} == {view["variant"] for view in views}
        assert "over" == views[-1]["why"]
        assert "over" in [each["type"] for each in transcript]


def test_protocol_2_has_the_same_objects_but_for_what_is_new() -> None:
    transcript = (PROTOCOL_1 / "lobby.txt").read_text("utf-8")
    heard = played(re.sub("comes by json", "comes by json 2", transcript))
    assert reduced(heard) == reduced(transcript)
    assert transcript.count('"type":"view"') == heard.count('"type":"view"') > 0


def reduced(transcript: str) -> list[tuple[str, object]]:
    """The objects with the keys of protocol 1, without those that are data in protocol 2, and
    without what a game holds, which protocol 2 says once."""
    type_name = json_protocol.type_name
    fields = {type_name(it): {*it.__struct_fields__, "type"} for it in json_protocol.OBJECTS_1}
    found = list[tuple[str, object]]()
    for row in transcript.splitlines():
        name, colon, text = row.partition(": {")
        made = json.loads("{" + text) if colon else {}
        keys = fields.get(made.get("type", ""), set()) - {"protocol", "view", "event", *SENTENCES}
        if keys and made["type"] != "page":
            found.append((name, {key: made[key] for key in keys}))
    return found


def test_another_key_or_value_of_an_object_is_a_difference_and_another_sentence_is_none() -> None:
    row = 'ann: {"type": "said", "who": "bob", "text": "hi", "table": null}'
    same = row.replace("hi", "hello")
    assert without_sentences(row) == without_sentences(same)
    for old, new in (
        ("bob", "cyd"),
        ("null", "1"),
        ("null", 'null, "at": 1'),
        (', "text": "hi"', ""),
    ):
        other = row.replace(old, new)
        assert without_sentences(row) != without_sentences(other)


def test_there_is_something_to_read() -> None:
    assert files()
