"""Level 2: somebody who counts.  [W6]

Rule 1: it lays what brings most (`plans.py`), judges how soon the round ends and what others have
        (`estimate.py`), and keeps the letters that bring most in what may still be drawn.
Rule 2: what it means to do in a turn follows from what does not change by doing it, so that it
        gets through; a bound on the changes of a turn stands behind that.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from variants.contract import Chance
from variants.words import packing
from variants.words.actions import (
    Action,
    Add,
    Answer,
    Discard,
    Done,
    Draw,
    EndRound,
    Form,
    Lock,
    Offer,
    Out,
    Pass,
    Rebuild,
    Steal,
    Trade,
)
from variants.words.beginner import best_removal, on_table
from variants.words.box import HAND_SIZE
from variants.words.denied import denied
from variants.words.dictionary import Dictionary, dictionary
from variants.words.estimate import Known
from variants.words.events import Event
from variants.words.lexicon import Lexicon
from variants.words.moves import (
    DISCARD,
    PILE,
    addable,
    may_end_round,
    may_go_out,
    partners,
    surplus,
    wanted,
)
from variants.words.plans import Plan, Planner, kept_apart, own_worth
from variants.words.spelled import lacking, less, letter_cards
from variants.words.view import View

VOCABULARY = 50  # the highest level of the words it knows
CHANGES = 24  # of words in one turn

# Found by play: `tests.bench.league`.
FUTURES = 36  # draws that are imagined
AHEAD = 8  # letters in each of them
TAKE = 0.6  # points that the top of the discard pile has to bring beyond a card of the pile
END_AT = 50  # points on the table at which it ends a round ...
END_LEAD = 15  # ... if it is so far ahead of every other
LAST_TURN = 0.6  # from this likelihood on it takes a turn for its last of the round
HARM = 2.0  # points that adding a letter has to cost its owner, on average
SPOILS = 0.4  # how often an exposed word is spoilt when it matters
FLEXIBLE = {3: 3.0, 4: 3.5, 5: 3.5, 6: 1.0}  # points of being able to use its letters anew
TRADES_ONE_IN = 6  # times that it could be of use
TRADE_WORTH = 15  # points of a word that a letter would complete
DEAD = 0.5  # points that the letter it gives may have been worth
RARE = "QZJXVKWFYBHMPCUGDLNTRSIOAE"  # the first are those that fit the fewest words


def expert(lexicon: Lexicon, view: View, seen: Sequence[Event], chance: Chance) -> Action:
    """Level 2."""
    words = dictionary(lexicon, view.box, min(VOCABULARY, view.settings.level))
    mind = Mind(words, Known(view, seen), chance)
    match view.phase:
        case "trade":
            return Answer(mind.spare()[0])
        case "removal":
            return best_removal(words, view, mind.me)
        case "close":
            ends = may_end_round(view) and mind.wants_end(on_table(view, mind.me))
            return EndRound() if ends else Pass()
        case "main":
            return mind.option()
    if number := surplus(view):
        return Discard(tuple(mind.spare()[:number]))
    return mind.draw()


class Mind:
    def __init__(self, words: Dictionary, known: Known, chance: Chance) -> None:
        self.words, self.known, self.chance = words, known, chance
        self.view, self.me = known.view, known.me

    @cached_property
    def plans(self) -> Planner:
        return Planner(self.words, self.known)

    # -- letters -------------------------------------------------------------------------------

    @cached_property
    def futures(self) -> list[int]:
        """Letters that may come, in packets."""
        found: list[int] = []
        size = min(AHEAD, len(self.known.unseen))
        while size and len(found) < FUTURES:
            mixed = self.chance.shuffled(self.known.unseen)
            for at in range(0, len(mixed) - size + 1, size):
                found.append(packing.bits_of(mixed[at : at + size]))
        return found[:FUTURES] or [0]

    def promise(self, pool: int) -> float:
        """Points that these letters bring with those to come, on average."""
        items = self.plans.items
        found = [packing.quick(items, pool + more) for more in self.futures]
        return sum(found) / len(found)

    def spare(self) -> list[str]:
        """The letters of the hand, the least useful first."""
        pool, left = self.plans.pool, list(letter_cards(self.view.hand))
        found = []
        while left:
            least = max(
                sorted(set(left)),
                key=lambda x: (round(self.promise(pool - packing.UNITS[x]), 6), -RARE.index(x)),
            )
            left.remove(least)
            pool -= packing.UNITS[least]
            found.append(least)
            if len(found) > len(self.view.hand) - HAND_SIZE + 1:
                break
        return found + left

    def draw(self) -> Action:
        view, number = self.view, wanted(self.view)
        if not view.pile:
            return Draw(DISCARD, min(number, view.discards))
        if not view.discards:
            return Draw(PILE, min(number, view.pile))
        if not any(view.top in it.spelling for it in self.plans.items):
            return Draw(PILE, min(number, view.pile))
        pool = self.plans.pool
        there = self.promise(pool + packing.UNITS[view.top])
        one = [packing.UNITS[x] for x in self.chance.shuffled(self.known.unseen)] or [0]
        unknown = sum(
            packing.quick(self.plans.items, pool + more + one[n % len(one)])
            for n, more in enumerate(self.futures)
        )
        return Draw(DISCARD if there > unknown / len(self.futures) + TAKE else PILE)

    # -- the end of the round ------------------------------------------------------------------

    def wants_end(self, points: float) -> bool:
        """Whether it is good to end the round with so many points of one's own."""
        view, known = self.view, self.known
        target = view.settings.target
        total = view.seats[self.me].total + points
        others = {seat: known.points(seat) for seat in known.others}
        totals = [view.seats[seat].total + theirs for seat, theirs in others.items()]
        if total >= target and total > max(totals) + 10:
            return True
        if max(totals) >= target and max(totals) >= total:
            return False
        lead = points - max(others.values())
        if points >= END_AT and lead >= END_LEAD:
            return True
        return lead > 0 and points > 0 and known.ends_first(0) > LAST_TURN

    # -- the options ---------------------------------------------------------------------------

    def option(self) -> Action:
        view, plans = self.view, self.plans
        if view.changes >= CHANGES:
            return Done()
        if trade := self._trade():
            return trade
        if theft := plans.theft():
            needed = less(theft.making, theft.letter)
            if not lacking(needed, self.plans.hand):
                return Steal(*theft)
            if laying := self._laying(plans.layout_without(needed)):
                return laying
        is_end = self._is_end()
        plan = plans.bare() if is_end else plans.parked()
        if laying := self._laying(plan.layout):
            return laying
        if not is_end and (lock := self._lock(plan)):
            return lock
        if add := self._add(1.0 if is_end else plan.ends_first / 2, is_end):
            return add
        if may_go_out(view) and self.wants_end(on_table(view, self.me)):
            return Out()
        return Done()

    def _is_end(self) -> bool:
        """Whether this turn is to end the round with the card."""
        return (
            self.plans.holds_end
            and bool(self.plans.best.spellings)
            and self.wants_end(self.plans.points)
        )

    def _laying(self, layout: Sequence[str]) -> Action | None:
        """The next step towards these own words; None: they lie there."""
        taken, missing = kept_apart(self.plans.exposed, layout)
        if taken:
            return Rebuild(tuple(taken), tuple(missing))
        return Form(max(missing, key=len)) if missing else None

    def _lock(self, plan: Plan) -> Action | None:
        """A word that has more to lose than to become.  [W6]"""
        printed = [w for w in self.plans.exposed if own_worth(self.view, w.spelling) > 0]
        if self.plans.holds_end and printed:  # [WR-44] one stays exposed
            printed.remove(min(printed, key=lambda w: own_worth(self.view, w.spelling)))
        for word in printed:
            risk = plan.ends_first * SPOILS * 2 * own_worth(self.view, word.spelling)
            if risk > (1 - plan.ends_first) * FLEXIBLE.get(word.length, 0.0):
                return Lock(word.number)
        return None

    def _add(self, odds: float, is_end: bool) -> Action | None:
        """A letter that is not needed spoils a word, if the round may end before it is mended."""
        left = len(self.plans.hand) - (0 if is_end else HAND_SIZE - self.plans.holds_end)
        if left <= 0 or odds <= 0:
            return None
        letters = self.plans.hand if is_end else self.spare()[:left]
        best: tuple[float, Add] | None = None
        for word in addable(self.view, self.me):
            was = self.known.worth_for(word.owner, word.spelling)
            for letter, spelling in self.words.plus_one(word.spelling, "".join(letters)):
                if spelling in denied():
                    continue
                harm = odds * (was - self.known.worth_for(word.owner, spelling))
                if harm > (best[0] if best else HARM):
                    best = harm, Add(letter, word.number, spelling)
        return best[1] if best else None

    def _trade(self) -> Action | None:
        """A letter that it does not need for one that may complete a word; seldom, since it holds
        everybody up."""
        view, plans = self.view, self.plans
        if view.traded or view.changes or not (wished := self._wished()):
            return None
        if not (others := partners(view, self.me)) or self.chance.below(TRADES_ONE_IN):
            return None
        spare = self.spare()[:2]
        if self.promise(plans.pool) - self.promise(plans.pool - packing.UNITS[spare[0]]) > DEAD:
            return None
        own = [word.spelling for word in plans.exposed]
        offered = [x for x in spare if not any(self.words.plus_one(w, x) for w in own)] or spare
        holders = [
            seat
            for pool in self.known.record.shown_pools()
            for seat in pool.seats
            if seat in others and any(pool.letters[letter] for letter in wished)
        ]
        asked = holders or others
        return Trade((Offer(asked[self.chance.below(len(asked))], offered[0]),))

    def _wished(self) -> set[str]:
        """Letters each of which alone would complete an own word worth a trade."""
        plans, found = self.plans, set()
        for it in plans.items:
            missing = lacking(it.spelling, plans.letters)
            if len(missing) == 1 and it.worth >= TRADE_WORTH and self.known.is_about(missing):
                found.add(missing)
        return found
