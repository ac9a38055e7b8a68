"""What the word list costs: to load, to keep, and to ask; and what manifests cost that are made.

Rule 1: CPU time of one process, with the shipped list and box; questions are about random hands
        and words, the same ones each time, answered up to the highest level.
Rule 2: what others do on the machine can only slow it: the least of three passes counts.
Rule 3: memory is counted in a process of its own, as what the process has grown by (Linux).
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pkgutil import get_data
from random import Random

from tests.bench.report import Row, Target
from variants.words.data.box import ALPHABET, Box, parse_box
from variants.words.lexicon.lexicon import LEVEL_MAX, Lexicon
from variants.words.lexicon.word_list import parse_word_list
from variants.words.manifests.maker import Maker

LETTERS = (7, 9, 12)  # in one question
CARDS = 20
PASSES = 3
GROWN = """
import sys
from tests.bench.words import shipped
from tests.memory import resident_kib
from variants.words.lexicon.word_list import parse_word_list
data = shipped("words.tsv.gz")
before = resident_kib()
lexicon, _ = parse_word_list(data)
print(resident_kib() - before)
"""
TARGETS = {
    "load_ms": ("ms to load the list", 500),
    "grown_mib": ("MiB of memory", 25),
    **{
        f"within_{number}_us": (f"us for all words of {number} letters", limit)
        for number, limit in zip(LETTERS, (27, 87, 424), strict=True)
    },
    "plus_us": ("us to add one of 26 letters to a word", 13),
    "minus_us": ("us to take a letter away", 3),
    "maker_ms": ("ms to make ready for manifests", 500),
    "card_ms": ("ms a manifest, of twenty", 5),
}


def shipped(name: str) -> bytes:
    data = get_data("variants.words", f"data/{name}")
    assert data, f"{name} is not shipped"
    return data


def run(questions: int = 2_000) -> dict[str, float]:
    """Milliseconds, MiB and microseconds by the names of TARGETS; *questions* of each kind."""
    data, box = shipped("words.tsv.gz"), parse_box(shipped("box.json").decode())
    figures = {"load_ms": 1e3 * _cpu_s(lambda: parse_word_list(data)), "grown_mib": _grown_mib()}
    lexicon, _ = parse_word_list(data)
    figures |= _asked(lexicon, box, questions)
    figures["maker_ms"] = 1e3 * _cpu_s(lambda: Maker(lexicon, box))
    made = Maker(lexicon, box)
    decks = max(1, questions // 200)
    figures["card_ms"] = (
        1e3 / (decks * CARDS) * _cpu_s(lambda: [made.deck(seed, CARDS) for seed in range(decks)])
    )
    return figures


def rows(times: int, questions: int = 2_000) -> list[Row]:
    """The figures of so many runs beside what the reference reached."""
    found = [run(questions) for _ in range(times)]
    return [
        Row(f"words: {name}", tuple(each[key] for each in found), (), Target("<=", limit))
        for key, (name, limit) in TARGETS.items()
    ]


def _asked(lexicon: Lexicon, box: Box, questions: int) -> dict[str, float]:
    rng = Random(1)
    bag = "".join(count.letter * count.number for count in box.letters)
    figures = {}
    for number in LETTERS:
        hands = ["".join(rng.sample(bag, number)) for _ in range(questions // (number - 6))]
        figures[f"within_{number}_us"] = _each_us(
            hands, lambda hand: lexicon.within(hand, LEVEL_MAX)
        )
    words = rng.sample(lexicon.words(LEVEL_MAX, 6), questions)
    figures["plus_us"] = _each_us(words, lambda word: lexicon.plus_one(word, ALPHABET, LEVEL_MAX))
    figures["minus_us"] = _each_us(words, lambda word: lexicon.minus_one(word, LEVEL_MAX))
    return figures


def _each_us(asked: Sequence[str], question: Callable[[str], object]) -> float:
    return 1e6 * _cpu_s(lambda: [question(each) for each in asked]) / len(asked)


def _cpu_s(work: Callable[[], object]) -> float:
    passes_s = []
    for _ in range(PASSES):
        start = time.process_time()
        work()
        passes_s.append(time.process_time() - start)
    return min(passes_s)


def _grown_mib() -> float:
    child = subprocess.run([sys.executable, "-c", GROWN], capture_output=True, check=True)
    return int(child.stdout) / 1024
