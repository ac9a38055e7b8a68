"""Elimination: avoid the fourth card of a rank, and hand it to somebody else."""

from __future__ import annotations

from variants.contract import Variant
from variants.elimination import view
from variants.elimination.actions import ACTION_TYPES, Action
from variants.elimination.bots.levels import (
    ANCHORS,
    BOTS,
    SEARCHING,
    STAND_IN,
    better_action,
)
from variants.elimination.check import check
from variants.elimination.events import EVENT_TYPES, Event
from variants.elimination.language import cards_text, events_text, grammar, synonyms
from variants.elimination.language.answers import QUESTIONS, answer
from variants.elimination.language.end_text import held_at_end, summarize_end
from variants.elimination.language.guide import GUIDE
from variants.elimination.language.reasons import explain, explain_end
from variants.elimination.language.render import render
from variants.elimination.legal_actions import default_action, legal_actions
from variants.elimination.rules import decide, observe, sample_states, scoring, setup
from variants.elimination.rules.arrange import arrange
from variants.elimination.rules.evolve import evolve
from variants.elimination.state import State
from variants.elimination.view import View
from variants.kit.tips import shipped_tips

ELIMINATION: Variant[State, Action, Event, View] = Variant(
    name="elimination",
    title="Lockdown, the elimination game",
    summary="Lock your pairs, fear the fourth card of a rank, and hand it to somebody else.",
    guide=GUIDE,
    seats=setup.SEATS,
    options=setup.OPTIONS,
    presets=setup.PRESETS,
    practice={"seats": "4"},
    default_clocks_s={"action": 60, "next": 25},  # [G-08]
    action_types=ACTION_TYPES,
    event_types=EVENT_TYPES,
    view_type=View,
    constants=("pack", "until"),
    state_type=State,
    check_options=setup.check_options,
    deal=setup.deal,
    open_window=view.open_window,
    check=check,
    legal_actions=legal_actions,
    lists_all=True,
    decide=decide.decide,
    evolve=evolve,
    observe=observe.observe,
    redact=observe.redact,
    default_action=default_action,
    outcome=scoring.outcome,
    eliminated_seats=view.eliminated_seats,
    falls_in_place=True,
    match_points=scoring.match_points,
    decisions_max=scoring.decisions_max,
    components=setup.components,
    zones=setup.zones,
    arrange=arrange,
    sample_states=sample_states.sample_states,
    parse=synonyms.read,
    phrase=grammar.phrase,
    turn_begun=events_text.turn_begun,
    describe_event=events_text.describe_event,
    render=render,
    tips=shipped_tips("variants.elimination"),
    questions=QUESTIONS,
    answer=answer,
    printed=cards_text.printed,
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
    searching=SEARCHING,
)
