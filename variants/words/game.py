"""The word game: its rule book as one record, built from a box of cards and a word list.

Rule 1: the word list is read once and shared by all tables; every function that asks it gets it
        here.  No state, event or view holds it: a journal outlives a change of the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from hashlib import sha256

from variants.contract import Variant
from variants.kit.tips import shipped_tips
from variants.words import check, legal_actions, view
from variants.words.actions import ACTION_TYPES, Action
from variants.words.bots.beginner import better_action
from variants.words.bots.levels import ANCHORS, BOTS, STAND_IN
from variants.words.data.box import Box, Manifest, fingerprint
from variants.words.events import EVENT_TYPES, Event
from variants.words.language import answers, cards_text, events_text, grammar, render, synonyms
from variants.words.language.end_text import summarize_end
from variants.words.language.guide import GUIDE
from variants.words.language.reasons import explain, explain_end
from variants.words.lexicon.lexicon import Lexicon
from variants.words.manifests.maker import EDITION
from variants.words.rules import decide, observe, sample_states, scoring, setup
from variants.words.rules.arrange import arrange
from variants.words.rules.evolve import evolve
from variants.words.state import State
from variants.words.view import View

WordGame = Variant[State, Action, Event, View]


def _data_fingerprint(box: Box, lexicon: Lexicon, edition: int) -> str:
    """Of the files, and of what the maker of fresh manifests makes of them."""
    files = f"{fingerprint(box)} {lexicon.fingerprint}"
    return sha256((files if edition == 1 else f"{files} {edition}").encode()).hexdigest()


def build_game(box: Box, lexicon: Lexicon, scenario_cards: Sequence[Manifest] = ()) -> WordGame:
    """The game with this box and these words.

    Args:
        scenario_cards: Manifests that an arranged position can name and no game deals.
    """
    return Variant(
        name="words",
        may_draw=False,  # scores are open to the end
        title="LockDown, the word game",
        summary="Spell the words of a secret manifest, lock them, and spoil those of the others.",
        guide=GUIDE,
        seats=setup.SEATS,
        options=setup.OPTIONS,
        presets=setup.PRESETS,
        practice={"seats": "2", "target": "100"},
        default_clocks_s={"turn": 180, "trade": 45, "removal": 60},  # [G-08]
        action_types=ACTION_TYPES,
        event_types=EVENT_TYPES,
        view_type=View,
        constants=("box", "settings"),
        state_type=State,
        data_fingerprint=_data_fingerprint(box, lexicon, EDITION),
        earlier_data=tuple([_data_fingerprint(box, lexicon, n) for n in range(1, EDITION)]),
        redeal=partial(setup.redeal, box, lexicon),
        check_options=partial(setup.check_options, box, lexicon),
        deal=partial(setup.deal, box, lexicon),
        open_window=view.open_window,
        check=partial(check.check, lexicon),
        legal_actions=partial(legal_actions.legal_actions, lexicon),
        lists_all=False,
        lists_all_in=legal_actions.lists_all,
        decide=partial(decide.decide, lexicon),
        evolve=evolve,
        observe=observe.observe,
        redact=observe.redact,
        hide_missing=observe.hide_missing,
        default_action=legal_actions.default_action,
        outcome=scoring.outcome,
        may_act=legal_actions.may_act,
        no_match="words counts several rounds already. Use target or max_rounds.",
        decisions_max=partial(scoring.decisions_max, box),
        components=partial(setup.components, box),
        zones=setup.zones,
        arrange=partial(arrange, box, lexicon, extra=scenario_cards),
        sample_states=partial(sample_states.sample_states, box, lexicon),
        parse=synonyms.reader(lexicon),
        phrase=grammar.phrase,
        turn_begun=events_text.turn_begun,
        describe_event=partial(events_text.describe_event, box),
        fold_key=events_text.fold_key,
        describe_folded=events_text.describe_folded,
        render=render.render,
        brief=render.brief,
        tips=shipped_tips("variants.words"),
        questions=answers.QUESTIONS,
        answer=partial(answers.answer, lexicon),
        printed=partial(cards_text.printed, box),
        question_phrases=synonyms.QUESTIONS,
        verbs=grammar.PLAY_VERBS,
        explain=explain,
        explain_end=explain_end,
        summarize_end=summarize_end,
        held_now=render.held_now,
        bots={level: partial(bot, lexicon) for level, bot in BOTS.items()},
        anchors=ANCHORS,
        stand_in=STAND_IN,
        better_action=better_action,
    )
