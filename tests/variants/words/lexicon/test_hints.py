"""Words that the word game names of its own accord."""

from __future__ import annotations

from dataclasses import replace

from tests.variants.words.language.typed import typed
from tests.variants.words.views import lexicon, view
from variants.words.actions import Form
from variants.words.check import check
from variants.words.data.box import Manifest
from variants.words.legal_actions import legal_actions
from variants.words.lexicon.dictionary import blocklist, dictionary, hints

RUDE = sorted(word for word in blocklist() if 3 <= len(word) <= 7)
ALL = replace(view().settings, hints=80)
AT = view(settings=ALL)


def test_what_nobody_wants_to_read_is_a_word_and_no_hint():
    valid, named = dictionary(lexicon(), AT.box), hints(lexicon(), AT)
    played = [word for word in RUDE if valid.is_word(word)]
    assert len(played) > 100
    for word in played:
        assert not named.is_word(word)
        assert word in valid.anagrams(word) and word not in named.anagrams(word)
        assert word not in named.within(word)
        assert all(word != made for _, made in named.plus_one(word[1:], word[0]))
        assert all(left not in blocklist() for _, left in named.minus_one(word + "S"))
    assert set(named.within("EASTD")) == set(valid.within("EASTD")) - blocklist()


def test_it_can_be_played_and_is_not_offered():
    rude = next(word for word in RUDE if dictionary(lexicon(), AT.box).is_word(word))
    at = replace(AT, hand=tuple(rude))
    assert Form(rude) == typed(f"form {rude.lower()}", at)
    check(lexicon(), at, Form(rude))
    assert Form(rude) not in legal_actions(lexicon(), at)


def test_its_letters_are_not_spelled_for_whoever_types_them_in_another_order():
    known = dictionary(lexicon(), AT.box)
    rude = next(word for word in RUDE if known.anagrams(word) == (word,))
    reason = known.rejection_reason(rude[::-1])
    assert f"{rude[::-1]} isn't in the word list. Try other letters, or another order." == reason


def test_what_is_printed_on_a_manifest_is_named():
    rude = next(word for word in RUDE if len(word) == 3)
    card = Manifest("T1", ((rude, *AT.box.manifests[0].sets[0][1:]), *AT.box.manifests[0].sets[1:]))
    at = replace(AT, box=replace(AT.box, manifests=(*AT.box.manifests, card)))
    assert hints(lexicon(), at).is_word(rude)
