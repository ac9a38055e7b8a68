"""What the tests of all games are told of the word game."""

from __future__ import annotations

import re

from tests.games import Profile
from tests.variants.words import knowledge, mutants, mutants_asked, mutants_windows, rigged

_WORDING = re.compile(
    r"\b([Cc]ards?|[Pp]oints|[Ww]ords?|no|You|have|has|of|all|set|Set)\b|(?<= )-(?= |$)"
)


def rewrite(text: str) -> str:
    """Locked words in brackets or in words; somebody else's as a number of letters.  What is said
    once for all sets of a manifest, or all words of a player, or again for each."""
    text = re.sub(r"word (\d+), a locked word of (\d+) letters", r"\1 \2 locked", text)
    text = re.sub(r"\[(\.+)\]", lambda m: f"{len(m[1])} locked", text)
    text = re.sub(r"\[(\w+)\]", r"\1 locked", text)
    text = re.sub(r"(\w+) \(on (the table|your manifest)\)", r"*\1", text)
    text = re.sub(r"\(lacks (\w)\)", r"+\1", text)
    text = re.sub(r"Card \d+, set ([2-4])", r"\1", text.replace(", set 1:", " 1:"))
    text = text.replace(" manifest, set 1", " manifest 1")
    text = re.sub(r"\S+ manifest, set ([2-9])", r"\1", text)
    text = text.replace("Not seen in this round, of all in the box",
                        "Letters that you have not seen in this round")  # fmt: skip
    text = re.sub(r"([A-Z]+)\*", r"*\1", text.replace("; * is on your manifest", ""))
    text = re.sub(r"(\d+) letters:", r"\1:", text)
    text = re.sub(r" times (\d):", r" (x\1)", text)
    heads = set[str]()
    text = re.sub(r"Set \d(, your bonus, x\d)?: ",
                  lambda m: "" if m[0] in heads else heads.add(m[0]) or m[0], text)  # fmt: skip
    text = re.sub(r"(Your|\w+'s) words: |(You|\w+) ha(s|ve) no words\.", "", text)
    return _WORDING.sub(" ", text)


PROFILE = Profile(
    knowledge=knowledge,
    mutants=(*mutants.MUTANTS, *mutants_windows.MUTANTS),
    rule_mutants=mutants_windows.RULE_MUTANTS,
    on_demand=mutants_asked.MUTANTS,
    rigged=rigged.RIGGED,
    rewrite=rewrite,
    golden_scenarios=16,
    brief={"max_rounds": "2"},
    one_round={"max_rounds": "1"},
    shortest={"max_rounds": "1", "target": "50"},
    slow={"manifests": "fresh"},
    is_sealed=True,
    bench_seats=6,
)
