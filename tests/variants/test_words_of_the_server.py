"""Words that mean the same at every table: no game may use them."""

import pytest

from mudserver.commands.families import VERBS
from variants.catalogue import CATALOGUE

RESERVED = ("y", "accept", "decline", "offer", "ready", "leave")


@pytest.mark.parametrize("name", CATALOGUE)
def test_no_game_has_a_word_of_the_server_in_its_grammar(name):
    variant = CATALOGUE[name]
    words = {*variant.verbs, *variant.questions}
    words |= {command.name_words[0] for command in variant.utility_commands}
    assert not words & set(RESERVED)


def test_the_server_has_these_words():
    assert {"accept", "decline", "offer", "ready", "leave"} <= VERBS.keys()
