"""The levels above easy: players that count letters, with more or less skill.

Rule 1: such a player lays the words worth most (`word_selection.py`), estimates how soon the round
        ends and what others hold (`estimate.py`), and keeps the letters worth most in likely draws.
Rule 2: its intention for a turn depends only on what carrying it out does not change, so a turn
        comes to its end; CHANGES_MAX is a second bound.
Rule 3: what a level lacks stands in its `Skill`; the way it thinks is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from variants.contract import Chance
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
from variants.words.bots import word_selection
from variants.words.bots.beginner import best_removal, own_table_points
from variants.words.bots.estimate import SeatKnowledge
from variants.words.bots.skill import Skill
from variants.words.bots.word_selection import (
    WordSelection,
    WordSelector,
    layout_changes,
    own_points,
)
from variants.words.data.box import HAND_SIZE
from variants.words.events import Event
from variants.words.legal_actions import (
    DISCARD,
    PILE,
    addable_words,
    cards_to_discard,
    cards_to_draw,
    may_end_round,
    may_go_out,
    trade_partners,
)
from variants.words.lexicon.dictionary import Dictionary, blocklist, dictionary
from variants.words.lexicon.lexicon import Lexicon
from variants.words.lexicon.multiset import (
    letter_cards,
    missing_letters,
    subtract_letters,
)
from variants.words.view import View

CHANGES_MAX = 24  # of words in one turn


# Found by play: `tests.bench.league`.
AHEAD = 8  # letters in each draw that is imagined


TAKE = 0.6  # points that the top of the discard pile has to bring beyond a card of the pile


LAST_TURN = 0.6  # from this likelihood on it takes a turn for its last of the round


HARM = 2.0  # points that adding a letter has to cost its owner, on average


SPOILS = 0.4  # how often an exposed word is spoilt when it matters


FLEXIBLE = {3: 3.0, 4: 3.5, 5: 3.5, 6: 1.0}  # points of being able to use its letters anew


TRADES_ONE_IN = 6  # times that it could be of use


TRADE_WORTH = 15  # points of a word that a letter would complete


DEAD = 0.5  # points that the letter it gives may have been worth


RARE = "QZJXVKWFYBHMPCUGDLNTRSIOAE"  # the first are those that fit the fewest words


def skilled_action(
    skill: Skill, lexicon: Lexicon, view: View, seen: Sequence[Event], chance: Chance
) -> Action:
    """What a player of this skill does."""
    words = dictionary(lexicon, view.box, min(skill.vocabulary, view.settings.level))
    player = SkilledPlayer(skill, words, SeatKnowledge(lexicon, view, seen), chance)
    match view.phase:
        case "trade":
            return Answer(player.least_useful_letters()[0])
        case "removal":
            return best_removal(words, view, player.me)
        case "close":
            ends = may_end_round(view) and player.wants_end(own_table_points(view, player.me))
            return EndRound() if ends else Pass()
        case "main":
            return player.choose_option()
    if number := cards_to_discard(view):
        return Discard(tuple(player.least_useful_letters()[:number]))
    return player.draw()


class SkilledPlayer:
    def __init__(
        self, skill: Skill, words: Dictionary, known: SeatKnowledge, chance: Chance
    ) -> None:
        self.skill, self.words, self.known, self.chance = skill, words, known, chance
        self.view, self.me = known.view, known.me

    @cached_property
    def selector(self) -> WordSelector:
        return WordSelector(self.words, self.known, self.skill)

    # -- letters -------------------------------------------------------------------------------

    @cached_property
    def sampled_draws(self) -> list[int]:
        """Letters that may come, in packets."""
        found: list[int] = []
        size = min(AHEAD, len(self.known.unseen))
        while size and len(found) < self.skill.sampled_draws:
            mixed = self.chance.shuffled(self.known.unseen)
            for at in range(0, len(mixed) - size + 1, size):
                found.append(word_selection.pack_letters(mixed[at : at + size]))
        return found[: self.skill.sampled_draws] or [0]

    def expected_points(self, pool: int) -> float:
        """Points that these letters bring with those to come, on average."""
        items = self.selector.items
        found = [word_selection.greedy_points(items, pool + more) for more in self.sampled_draws]
        return sum(found) / len(found)

    def least_useful_letters(self) -> list[str]:
        """The letters of the hand, the least useful first."""
        pool, left = self.selector.pool, list(letter_cards(self.view.hand))
        found = []
        while left:
            least = max(
                sorted(set(left)),
                key=lambda x: (
                    round(self.expected_points(pool - word_selection.LETTER_UNITS[x]), 6),
                    -RARE.index(x),
                ),
            )
            left.remove(least)
            pool -= word_selection.LETTER_UNITS[least]
            found.append(least)
            if len(found) > len(self.view.hand) - HAND_SIZE + 1:
                break
        return found + left

    def draw(self) -> Action:
        view, number = self.view, cards_to_draw(self.view)
        if not view.pile:
            return Draw(DISCARD, min(number, view.discards))
        if not view.discards:
            return Draw(PILE, min(number, view.pile))
        if not any(view.top in it.spelling for it in self.selector.items):
            return Draw(PILE, min(number, view.pile))
        pool = self.selector.pool
        there = self.expected_points(pool + word_selection.LETTER_UNITS[view.top])
        one = [word_selection.LETTER_UNITS[x] for x in self.chance.shuffled(self.known.unseen)] or [
            0
        ]
        unknown = sum(
            word_selection.greedy_points(self.selector.items, pool + more + one[n % len(one)])
            for n, more in enumerate(self.sampled_draws)
        )
        return Draw(DISCARD if there > unknown / len(self.sampled_draws) + TAKE else PILE)

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
        if points >= self.skill.ends_from and lead >= self.skill.lead:
            return True
        if not self.skill.fears_end:
            return False
        return lead > 0 and points > 0 and known.ends_before_next_turn_odds(0) > LAST_TURN

    # -- the options ---------------------------------------------------------------------------

    def choose_option(self) -> Action:
        view, plans = self.view, self.selector
        if view.changes >= CHANGES_MAX:
            return Done()
        if self.skill.attacks and (trade := self._trade()):
            return trade
        if self.skill.attacks and (theft := plans.plan_steal()):
            needed = subtract_letters(theft.making, theft.letter)
            if not missing_letters(needed, self.selector.hand):
                return Steal(*theft)
            if laying := self._laying(plans.layout_without(needed)):
                return laying
        is_end = self._is_end()
        plan = plans.manifest_words_only() if is_end else plans.with_parked_letters()
        if laying := self._laying(plan.layout):
            return laying
        if not is_end and (lock := self._lock(plan)):
            return lock
        spoil_odds = 1.0 if is_end else plan.ends_first / 2
        if self.skill.attacks and (add := self._add(spoil_odds, is_end)):
            return add
        if may_go_out(view) and self.wants_end(own_table_points(view, self.me)):
            return Out()
        return Done()

    def _is_end(self) -> bool:
        """Whether this turn is to end the round with the card."""
        return (
            self.selector.holds_end
            and bool(self.selector.best.spellings)
            and self.wants_end(self.selector.points)
        )

    def _laying(self, layout: Sequence[str]) -> Action | None:
        """The next step towards these own words; None: they lie there."""
        taken, missing = layout_changes(self.selector.exposed, layout)
        if taken:
            return Rebuild(tuple(taken), tuple(missing))
        return Form(max(missing, key=len)) if missing else None

    def _lock(self, plan: WordSelection) -> Action | None:
        """A word that has more to lose than to become."""
        printed = [w for w in self.selector.exposed if own_points(self.view, w.spelling) > 0]
        if self.selector.holds_end and printed:  # [WR-44] one stays exposed
            printed.remove(min(printed, key=lambda w: own_points(self.view, w.spelling)))
        for word in printed:
            risk = plan.ends_first * SPOILS * 2 * own_points(self.view, word.spelling)
            if risk > (1 - plan.ends_first) * FLEXIBLE.get(word.length, 0.0):
                return Lock(word.number)
        return None

    def _add(self, odds: float, is_end: bool) -> Action | None:
        """A letter that is not needed spoils a word, if the round may end before it is mended."""
        left = len(self.selector.hand) - (0 if is_end else HAND_SIZE - self.selector.holds_end)
        if left <= 0 or odds <= 0:
            return None
        letters = self.selector.hand if is_end else self.least_useful_letters()[:left]
        best: tuple[float, Add] | None = None
        for word in addable_words(self.view, self.me):
            was = self.known.expected_points(word.owner, word.spelling)
            for letter, spelling in self.words.plus_one(word.spelling, "".join(letters)):
                if spelling in blocklist():
                    continue
                harm = odds * (was - self.known.expected_points(word.owner, spelling))
                if harm > (best[0] if best else HARM):
                    best = harm, Add(letter, word.number, spelling)
        return best[1] if best else None

    def _trade(self) -> Action | None:
        """A letter that it does not need for one that may complete a word; seldom, since it holds
        everybody up."""
        view, plans = self.view, self.selector
        if view.traded or view.changes or not (wished := self._letters_wanted()):
            return None
        if not (others := trade_partners(view, self.me)) or self.chance.below(TRADES_ONE_IN):
            return None
        spare = self.least_useful_letters()[:2]
        if (
            self.expected_points(plans.pool)
            - self.expected_points(plans.pool - word_selection.LETTER_UNITS[spare[0]])
            > DEAD
        ):
            return None
        own = [word.spelling for word in plans.exposed]
        offered = [x for x in spare if not any(self.words.plus_one(w, x) for w in own)] or spare
        holders = [
            seat
            for pool in self.known.letter_knowledge.known_pools()
            for seat in pool.seats
            if seat in others and any(pool.letters[letter] for letter in wished)
        ]
        asked = holders or others
        return Trade((Offer(asked[self.chance.below(len(asked))], offered[0]),))

    def _letters_wanted(self) -> set[str]:
        """Letters each of which alone would complete an own word worth a trade."""
        plans, found = self.selector, set()
        for it in plans.items:
            missing = missing_letters(it.spelling, plans.letters)
            if (
                len(missing) == 1
                and it.worth >= TRADE_WORTH
                and self.known.may_others_hold(missing)
            ):
                found.add(missing)
        return found
