"""The stockpile game: its rule book as one record, built from the cards of a data file."""

from __future__ import annotations

from functools import partial

from variants.contract import Variant
from variants.stockpile import grammar, moves, observe, rules, scoring, setup, text, view, worlds
from variants.stockpile.actions import ACTION_TYPES, Action
from variants.stockpile.answers import QUESTIONS, answer
from variants.stockpile.arrange import arrange
from variants.stockpile.bot import BOTS
from variants.stockpile.cards import Decks
from variants.stockpile.check import check
from variants.stockpile.decks import fingerprint
from variants.stockpile.events import EVENT_TYPES, Event
from variants.stockpile.fold import evolve
from variants.stockpile.guide import GUIDE
from variants.stockpile.render import render
from variants.stockpile.state import State
from variants.stockpile.view import View


def build(decks: Decks) -> Variant[State, Action, Event, View]:
    """The game with these cards in the box."""
    return Variant(
        name="stockpile",
        title="The Big Lockdown, the stockpile game",
        summary="Gather supplies at home or outside, fend off the others, and do not catch it.",
        guide=GUIDE,
        seats=setup.SEATS,
        options=(),
        clocks={"action": 60, "location": 25, "reaction": 25, "card": 25},  # [G-08]
        action_types=ACTION_TYPES,
        event_types=EVENT_TYPES,
        view_type=View,
        state_type=State,
        data=fingerprint(decks),
        check_options=setup.check_options,
        deal=partial(setup.deal, decks),
        asked=view.asked,
        check=check,
        legal_actions=moves.legal_actions,
        lists_all=True,
        decide=rules.decide,
        evolve=evolve,
        observe=observe.observe,
        redact=observe.redact,
        default=moves.default,
        outcome=scoring.outcome,
        out=view.out,
        decision_bound=scoring.decision_bound,
        components=partial(setup.components, decks),
        zones=setup.zones,
        arrange=partial(arrange, decks),
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
