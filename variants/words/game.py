"""The word game: its rule book as one record, built from a box of cards and a word list.

Rule 1: the word list is read once and shared by all tables; every function that asks it gets it
        here.  No state, event or view holds it: a journal outlives a change of the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from hashlib import sha256

from variants.contract import Variant
from variants.words import (
    answers,
    check,
    grammar,
    moves,
    observe,
    phrasing,
    render,
    rules,
    scoring,
    setup,
    text,
    verbs,
    view,
    worlds,
)
from variants.words.actions import ACTION_TYPES, Action
from variants.words.arrange import arrange
from variants.words.bot import BOTS
from variants.words.box import Box, Manifest
from variants.words.boxfile import fingerprint
from variants.words.events import EVENT_TYPES, Event
from variants.words.fold import evolve
from variants.words.guide import GUIDE
from variants.words.lexicon import Lexicon
from variants.words.settings import OPTIONS
from variants.words.state import State
from variants.words.view import View

WordGame = Variant[State, Action, Event, View]


def build(box: Box, lexicon: Lexicon, scenario_cards: Sequence[Manifest] = ()) -> WordGame:
    """The game with this box and these words.

    Args:
        scenario_cards: Manifests that an arranged position can name and no game deals.
    """
    return Variant(
        name="words",
        title="LockDown, the word game",
        summary="Spell the words of a secret manifest, lock them, and spoil those of the others.",
        guide=GUIDE,
        seats=setup.SEATS,
        options=OPTIONS,
        clocks={"turn": 180, "trade": 45, "removal": 60},  # [G-08]
        action_types=ACTION_TYPES,
        event_types=EVENT_TYPES,
        view_type=View,
        state_type=State,
        data=sha256(f"{fingerprint(box)} {lexicon.fingerprint}".encode()).hexdigest(),
        check_options=partial(setup.check_options, box, lexicon),
        deal=partial(setup.deal, box, lexicon),
        asked=view.asked,
        check=partial(check.check, lexicon),
        legal_actions=partial(moves.legal_actions, lexicon),
        lists_all=False,
        lists_all_in=moves.lists_all,
        decide=partial(rules.decide, lexicon),
        evolve=evolve,
        observe=observe.observe,
        redact=observe.redact,
        default=moves.default,
        outcome=scoring.outcome,
        may_act=moves.may_act,
        decision_bound=partial(scoring.decision_bound, box),
        components=partial(setup.components, box),
        zones=setup.zones,
        arrange=partial(arrange, box, lexicon, extra=scenario_cards),
        worlds=partial(worlds.worlds, lexicon),
        parse=partial(grammar.parse, lexicon),
        phrase=phrasing.phrase,
        tell=text.tell,
        render=render.render,
        brief=render.brief,
        questions=answers.QUESTIONS,
        answer=partial(answers.answer, lexicon),
        verbs=verbs.VERBS,
        bots={level: partial(bot, lexicon) for level, bot in BOTS.items()},
    )
