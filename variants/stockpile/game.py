"""The stockpile game: its rule book as one record, built from the cards of a data file."""

from __future__ import annotations

from functools import partial

from variants.contract import Variant
from variants.kit.tips import shipped_tips
from variants.stockpile import legal_actions, view
from variants.stockpile.actions import ACTION_TYPES, Action
from variants.stockpile.bots.levels import ANCHORS, BOTS, STAND_IN, better_action
from variants.stockpile.check import check
from variants.stockpile.data.cards import Box
from variants.stockpile.data.decks import fingerprint
from variants.stockpile.events import EVENT_TYPES, Event
from variants.stockpile.language import cards_text, events_text, grammar, synonyms
from variants.stockpile.language.answers import QUESTIONS, answer
from variants.stockpile.language.end_text import held_at_end, summarize_end
from variants.stockpile.language.guide import GUIDE
from variants.stockpile.language.reasons import explain, explain_end
from variants.stockpile.language.render import render
from variants.stockpile.rules import decide, observe, sample_states, scoring, setup
from variants.stockpile.rules.arrange import arrange
from variants.stockpile.rules.evolve import evolve
from variants.stockpile.state import State
from variants.stockpile.view import View


def build_game(box: Box) -> Variant[State, Action, Event, View]:
    """The game with the decks of this box."""
    return Variant(
        name="stockpile",
        title="The Big Lockdown, the stockpile game",
        summary="Gather supplies at home or outside, fend off the others, and do not catch it.",
        guide=GUIDE,
        seats=setup.SEATS,
        options=setup.OPTIONS,
        presets=setup.PRESETS,
        practice={"seats": "3"},
        default_clocks_s={"action": 60, "location": 25, "reaction": 25, "card": 25},  # [G-08]
        reaction_clocks=frozenset({"reaction"}),
        action_types=ACTION_TYPES,
        event_types=EVENT_TYPES,
        view_type=View,
        constants=("decks", "settings"),
        state_type=State,
        data_fingerprint=fingerprint(box.standard),
        check_options=partial(setup.check_options, box),
        check_seats=partial(setup.check_seats, box),
        deal=partial(setup.deal, box),
        open_window=view.open_window,
        check=check,
        legal_actions=legal_actions.legal_actions,
        lists_all=True,
        decide=decide.decide,
        evolve=evolve,
        observe=observe.observe,
        redact=observe.redact,
        default_action=legal_actions.default_action,
        outcome=scoring.outcome,
        eliminated_seats=view.eliminated_seats,
        match_points=scoring.match_points,
        scores_now=scoring.scores_now,
        decisions_max=scoring.decisions_max,
        components=partial(setup.components, box),
        zones=setup.zones,
        arrange=partial(arrange, box),
        sample_states=sample_states.sample_states,
        parse=synonyms.read,
        phrase=grammar.phrase,
        turn_begun=events_text.turn_begun,
        describe_event=events_text.describe_event,
        fold_key=events_text.fold_key,
        describe_folded=events_text.describe_folded,
        render=render,
        tips=shipped_tips("variants.stockpile"),
        questions=QUESTIONS,
        answer=answer,
        printed=partial(cards_text.printed, box.standard),
        question_phrases=synonyms.QUESTIONS,
        verbs=grammar.PLAY_VERBS,
        explain=explain,
        explain_end=explain_end,
        summarize_end=summarize_end,
        held_at_end=held_at_end,
        held_now=held_at_end,
        bots=BOTS,
        anchors=ANCHORS,
        stand_in=STAND_IN,
        better_action=better_action,
    )
