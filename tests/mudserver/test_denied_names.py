"""The file of words that no name may contain."""

from __future__ import annotations

import os

import pytest

from mudserver.__main__ import main
from mudserver.denied_names import FILE_BYTES_MAX, load_denied_names
from mudserver.errors import ConfigError


def test_the_file_has_a_word_a_line_with_comments_and_empty_lines_between(tmp_path):
    file = tmp_path / "denied.txt"
    file.write_text("\ufeff# not here\nbadword\n\n  Worse7  \n", "utf-8")
    assert ["badword", "Worse7"] == load_denied_names(str(file))
    assert [] == load_denied_names("")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"badword\nab\n", "line 2: must be one word of 3 to 16 letters"),
        (b"two words\n", "line 1: must be one word"),
        (b"x" * 17, "line 1: must be one word"),
        (b"12345", "line 1: must be one word"),
        (b"\xff", "it is no UTF-8 text"),
        (b"#" * (FILE_BYTES_MAX + 1), "it is longer than 65,536 bytes"),
        (None, "No such file"),
    ],
)
def test_a_wrong_file_is_refused_with_key_file_and_reason(tmp_path, content, reason):
    file = tmp_path / "denied.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigError, match=f"^people.names_denied: {file}: .*{reason}"):
        load_denied_names(str(file))


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "denied.txt")
    with pytest.raises(ConfigError, match="it is no plain file"):
        load_denied_names(str(tmp_path / "denied.txt"))


def test_check_config_reads_the_file_too(tmp_path, capfd):
    (tmp_path / "mudserver.toml").write_text('[people]\nnames_denied = "denied.txt"\n')
    (tmp_path / "denied.txt").write_text("a b\n")
    assert 2 == main(["check-config", str(tmp_path / "mudserver.toml")])
    assert f"people.names_denied: {tmp_path}/denied.txt: line 1: " in capfd.readouterr().err
