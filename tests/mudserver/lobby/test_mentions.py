"""Names in what people say."""

from __future__ import annotations

import pytest

from mudserver.lobby.mentions import MENTIONS_MAX, mentioned, split_at

IDS = {"ann": "p1", "bob": "p2", "al_ice": "p3", "x-ray": "p4"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ann, are you there?", ["p1"]),
        ("ask BOB or (Ann)!", ["p2", "p1"]),
        ("Ann's cards", ["p1"]),
        ("ann ann ann", ["p1"]),
        ("anna and banns and ann-marie and ann_b", []),
        ("-ann- and al_ice and X-ray.", ["p1", "p3", "p4"]),
        ("Ännann", []),
        ("", []),
    ],
)
def test_a_mention_is_a_whole_word_that_equals_a_name(text, found):
    assert found == mentioned(text, IDS)


def test_a_line_mentions_so_many_people_at_most():
    ids = {f"name{number}": f"p{number}" for number in range(40)}
    assert MENTIONS_MAX == len(mentioned(" ".join(ids), ids))


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("ann, are you there?", "<ann>, are you there?"),
        ("so _Ann_ and ANN", "so _<Ann>_ and <ANN>"),
        ("anna ann", "anna <ann>"),
        ("nobody", "nobody"),
        ("ann", "<ann>"),
    ],
)
def test_every_such_word_is_marked_and_nothing_is_lost(text, marked):
    parts = split_at(text, "Ann")
    assert marked == "".join(f"<{part}>" if is_name else part for part, is_name in parts)
    assert text == "".join(part for part, _ in parts)
