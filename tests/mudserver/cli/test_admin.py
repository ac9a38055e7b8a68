"""`mudserver admin` without a server: usage, exit status, and what its answers look like."""

from __future__ import annotations

import json

import pytest

from mudserver.__main__ import main
from mudserver.cli import admin
from mudserver.cli.admin import COMMANDS, rows_of

ANN = {"id": "p1", "name": "ann", "role": "owner", "is_here": True, "table": 3}


def test_without_a_server_it_is_one_sentence_and_status_1(told, tmp_path):
    status, out, err = told("admin", "tables", "--data", tmp_path)
    assert 1 == status and not out and "no server runs" in err
    status, out, err = told("admin", "tables", "--data", tmp_path, "--json")
    assert 1 == status and not err
    assert {"ok": False, "error": f"no server runs in {tmp_path}"} == json.loads(out)


@pytest.mark.parametrize("words", [["ban", "cid", "1d"], ["nonsense"], ["close-table", "x"], []])
def test_wrong_usage_is_status_2(words, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["admin", *words])
    assert 2 == stop.value.code


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help(name, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["admin", *name.split(), "--help"])
    assert 0 == stop.value.code and COMMANDS[name].help[:20] in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answer", "rows"),
    [
        ({"text": "cid can talk again."}, ["cid can talk again."]),
        ({"acts": []}, ["none"]),
        ({"sanctions": [{"sanction": 3, "text": "#3  ban"}]}, ["#3  ban"]),
        ({"reports": [{"text": "1  cid"}]}, ["1  cid"]),
        ({"news": [{"text": "1  Tea"}]}, ["1  Tea"]),
        (
            {"report": {"text": "1  cid"}, "state": "open", "evidence": [{"text": "a line"}]},
            ["1  cid", "open", "a line"],
        ),
        (
            {"report": {"text": "1  cid"}, "state": "none", "evidence": []},
            ["1  cid", "none", "no lines of talk"],
        ),
        ({"motd": []}, ["There is no message of the day."]),
        ({"motd": ["Be kind.", ""]}, ["Be kind.", ""]),
        ({"people": []}, ["nobody"]),
        ({"people": [ANN]}, ["p1                 ann              owner                 table 3"]),
        ({"tables": []}, ["none"]),
        (
            {"tables": [{"table": 3, "game": "words", "phase": "playing", "people": "ann",
                         "is_private": True}]},
            ["   3  words, playing, private: ann"],
        ),
        ({"id": "p1", "is_here": False}, ["id       p1", "is here  no"]),
    ],
)  # fmt: skip
def test_answers_read_as_rows(answer, rows):
    assert rows == list(rows_of(answer))


@pytest.mark.parametrize("cols", [40, 80])
def test_on_a_terminal_no_row_begins_with_what_somebody_has_written(
    cols, told, tmp_path, monkeypatch
):
    filler = "#3  ban  cid  for ever  by mia: ".ljust(cols, ".")
    answer = {"sanctions": [{"text": f"{filler} #4  ban  ann  for ever  by mia: {'x' * cols}"}]}
    monkeypatch.setattr(admin, "send_request", lambda *_, **asked: answer)
    words = ("admin", "sanctions", "--data", tmp_path)
    assert (0, f"{answer['sanctions'][0]['text']}\n", "") == told(*words)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(cols))
    first, *further = told(*words)[1].splitlines()
    assert first.startswith("#3") and len(further) >= 2
    assert all(row.lstrip(" ").startswith("| ") and len(row) <= cols for row in further)


def test_an_export_is_a_new_file_for_its_owner_alone(told, tmp_path, monkeypatch):
    answer = {"text": "The file has all that is kept of ann.", "export": {"format": 1}}
    monkeypatch.setattr(admin, "send_request", lambda *_, **asked: dict(answer))
    file = tmp_path / "ann.json"
    words = ("admin", "export", "ann", file, "--data", tmp_path)
    assert (0, f"{answer['text']}\n", "") == told(*words)
    assert ({"format": 1}, 0o600) == (json.loads(file.read_text()), file.stat().st_mode & 0o777)
    file.write_text("mine")
    status, out, err = told(*words)
    assert (1, "", "mine") == (status, out, file.read_text()) and "exists already" in err
    status, out, _ = told("admin", "export", "ann", tmp_path / "no" / "ann.json", "--json")
    assert 1 == status and "cannot be written" in json.loads(out)["error"]
