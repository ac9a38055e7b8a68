"""Elimination: avoid the fourth card of a rank, and hand it to somebody else."""

from __future__ import annotations

from variants.contract import Variant
from variants.elimination import grammar, observe, rules, scoring, setup, text, view, worlds
from variants.elimination.actions import ACTION_TYPES, Action
from variants.elimination.answers import QUESTIONS, answer
from variants.elimination.arrange import arrange
from variants.elimination.bot import BOTS
from variants.elimination.events import EVENT_TYPES, Event
from variants.elimination.fold import evolve
from variants.elimination.guide import GUIDE
from variants.elimination.render import render
from variants.elimination.state import State
from variants.elimination.view import View

ELIMINATION: Variant[State, Action, Event, View] = Variant(
    name="elimination",
    title="Lockdown, the elimination game",
    summary="Lock your pairs, fear the fourth card of a rank, and hand it to somebody else.",
    guide=GUIDE,
    seats=setup.SEATS,
    options=setup.OPTIONS,
    clocks={"action": 60, "next": 25},  # [G-08]
    action_types=ACTION_TYPES,
    event_types=EVENT_TYPES,
    view_type=View,
    state_type=State,
    check_options=setup.check_options,
    deal=setup.deal,
    asked=view.asked,
    check=view.check,
    legal_actions=view.legal_actions,
    lists_all=True,
    decide=rules.decide,
    evolve=evolve,
    observe=observe.observe,
    redact=observe.redact,
    default=view.default,
    outcome=scoring.outcome,
    out=view.out,
    decision_bound=scoring.decision_bound,
    components=setup.components,
    zones=setup.zones,
    arrange=arrange,
    worlds=worlds.worlds,
    parse=grammar.parse,
    phrase=grammar.phrase,
    tell=text.tell,
    render=render,
    questions=QUESTIONS,
    answer=answer,
    verbs=grammar.VERBS,
    bots=BOTS,
)
