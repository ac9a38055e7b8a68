"""The mapping from seed to draw is published, so it must never move; and it must be fair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from itertools import permutations
from typing import Any

import pytest

from variants.kit.chance import Draw, ScriptedChance, SeededChance

SEED = bytes(range(32))


def numbers(seed: bytes, count: int) -> list[int]:
    """The stream of the module's docstring, written a second time and in another way."""
    blocks = b"".join(sha256(seed + bytes(7) + bytes([n])).digest() for n in range(count // 4 + 1))
    return [int.from_bytes(blocks[8 * i : 8 * i + 8], "big") for i in range(count)]


def chi_square(counts: Sequence[int]) -> float:
    mean = sum(counts) / len(counts)
    return sum((count - mean) ** 2 / mean for count in counts)


# -- vectors: a new version that changes one of these can no longer prove old games -----------


def test_the_stream_starts_with_the_published_numbers() -> None:
    stream = [0xA9D6E500293A88BD, 0x38CBE213D07AB71F, 0x8CB2258552072A01, 0xBDF1C40BE527F4D0]
    chance = SeededChance(SEED)
    assert stream == numbers(SEED, 4)
    assert [number % (1 << 63) for number in stream] == [chance.below(1 << 63) for _ in stream]


def test_below_maps_the_seed_to_the_published_draws() -> None:
    chance = SeededChance(SEED)
    assert [chance.below(n) for n in (2, 6, 54, 1000, 1, 8)] == [1, 1, 47, 392, 0, 6]


def test_shuffled_maps_the_seed_to_the_published_order() -> None:
    assert "".join(SeededChance(SEED).shuffled("ABCDEFGHIJ")) == "HCAGDIFJEB"


# -- laws -------------------------------------------------------------------------------------


def test_the_stream_is_the_digest_of_seed_and_counter() -> None:
    chance = SeededChance(SEED)
    assert [n % 1000 for n in numbers(SEED, 50)] == [chance.below(1000) for _ in range(50)]


def test_a_number_above_the_last_whole_multiple_is_skipped() -> None:
    n = (1 << 63) + 1  # nearly every second number must be thrown away
    fitting = [number for number in numbers(SEED, 40) if number < n]
    chance = SeededChance(SEED)
    assert fitting[:8] == [chance.below(n) for _ in range(8)]
    assert chance.position == numbers(SEED, 40).index(fitting[7]) + 1


def test_shuffling_swaps_from_the_top_down() -> None:
    order, stream = list(range(20)), iter(numbers(SEED, 19))
    for i in range(19, 0, -1):
        j = next(stream) % (i + 1)
        order[i], order[j] = order[j], order[i]
    assert tuple(order) == SeededChance(SEED).shuffled(range(20))


def test_a_position_carries_on_where_the_stream_was_left() -> None:
    whole, first = SeededChance(SEED), SeededChance(SEED)
    expected = [whole.below(77) for _ in range(30)]
    begun = [first.below(77) for _ in range(13)]
    second = SeededChance(SEED, first.position)
    assert expected == begun + [second.below(77) for _ in range(17)]


def test_every_answer_is_logged_and_the_log_answers_again() -> None:
    def draw(chance: Any) -> list[Any]:
        return [chance.below(9), chance.shuffled("abcd"), chance.below(1), chance.shuffled("")]

    seeded = SeededChance(SEED)
    answers = draw(seeded)
    scripted = ScriptedChance(seeded.draws)
    assert answers == draw(scripted)
    assert seeded.draws == scripted.draws
    assert [int, tuple, int, tuple] == [type(drawn) for drawn in seeded.draws]


@pytest.mark.parametrize("n", [0, -1])
def test_nothing_can_be_drawn_from_nothing(n: int) -> None:
    with pytest.raises(ValueError, match="nothing to draw from"):
        SeededChance(SEED).below(n)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ([], "used up"),
        ([6], "where a number below 6 is drawn"),
        ([-1], "where a number below 6 is drawn"),
        ([(0, 1)], "where a number below 6 is drawn"),
    ],
)
def test_a_log_that_does_not_fit_is_refused(script: list[Draw], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        ScriptedChance(script).below(6)


@pytest.mark.parametrize("draw", [3, (0, 0, 1), (0, 1), (0, 1, 3)])
def test_a_logged_shuffle_must_be_a_permutation(draw: Draw) -> None:
    with pytest.raises(ValueError, match="no permutation of 3"):
        ScriptedChance([draw]).shuffled("abc")


# -- fairness: 99.9 % points of chi-square; the seeds are fixed, so a pass stays a pass ---------


@pytest.mark.parametrize(("n", "limit"), [(2, 10.83), (6, 20.52), (54, 90.57)])
def test_below_is_uniform(n: int, limit: float) -> None:
    chance = SeededChance(SEED)
    counts = Counter(chance.below(n) for _ in range(200 * n))
    assert chi_square([counts[i] for i in range(n)]) < limit


def test_each_order_of_four_is_equally_likely() -> None:
    chance = SeededChance(SEED)
    counts = Counter(chance.shuffled("abcd") for _ in range(24 * 200))
    assert chi_square([counts[order] for order in permutations("abcd")]) < 49.73  # 23 degrees


def test_each_card_is_equally_likely_at_each_place_of_a_shuffled_pack() -> None:
    chance, size, rounds = SeededChance(SEED), 54, 600
    counts = Counter(
        (place, card)
        for _ in range(rounds)
        for place, card in enumerate(chance.shuffled(range(size)))
    )
    # 53 x 53 degrees of freedom: mean 2809, standard deviation sqrt(2 x 2809) = 75.
    assert (
        abs(chi_square([counts[p, c] for p in range(size) for c in range(size)]) - 2809) < 3.3 * 75
    )


def test_neighbouring_seeds_give_unrelated_draws() -> None:
    other = SeededChance(bytes([SEED[0] ^ 1]) + SEED[1:])
    chance = SeededChance(SEED)
    same = sum(chance.below(10) == other.below(10) for _ in range(2000))
    assert 140 < same < 260  # expected 200, standard deviation 13.4
