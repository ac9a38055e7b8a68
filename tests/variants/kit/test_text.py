"""Small words that every game and the server use."""

from variants.kit.text import game_length, join_words, quantity


def test_a_series_is_said_as_people_say_it():
    words = ("Ann", "Bob", "Cid")
    assert ["", "Ann", "Ann and Bob", "Ann, Bob and Cid"] == [
        join_words(words[:n]) for n in range(4)
    ]
    assert "Ann, Bob or Cid" == join_words(words, "or")


def test_one_thing_is_singular():
    assert ["0 cards", "1 card", "2 cards"] == [quantity(n, "card") for n in range(3)]
    assert ["1 person", "2 people"] == [quantity(n, "person", "people") for n in (1, 2)]


def test_a_game_is_as_long_on_every_page():
    assert ["1 minute", "1 minute", "9 minutes"] == [
        game_length(ms) for ms in (0, 80_000, 8 * 60_000 + 40_000)
    ]
