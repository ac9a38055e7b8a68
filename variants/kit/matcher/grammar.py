"""A typed line becomes one of the plays that a game declares, and an action becomes what to type.

Rule 1: forgiving in form, strict in meaning.  Case, fillers, the order of the parts and every
        abbreviation that fits one thing only do not matter.  But each word of a line must fit a
        slot or be a filler; a line with any other word is never played.
Rule 2: of all that a line could mean, what is legal counts.  If that is more than one play, they
        are asked back, each as it can be typed.
Rule 3: the matcher does not judge.  A play that is well said and forbidden becomes an action, so
        that `check` can say why.
Rule 4: the whole name of another player wins over everything else that its words could mean; the
        beginning of a name wins over nothing.
Rule 5: one letter with nothing but fillers is asked back, unless the play says `by_letter`.
Rule 6: bounded: at most WAYS_MAX ways to read the first words of a line, WORDS_MAX words, and
        CHECKED_MAX actions that are checked; PARTS_MAX words where slots are said twice at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from itertools import groupby, product
from operator import attrgetter
from typing import Any, Generic

from variants.contract import AmbiguousInput, ParseError
from variants.kit.matcher.plays import A, Play, Reading, T, Words
from variants.kit.text import join_words

WORDS_MAX, PARTS_MAX = 80, 20
QUOTED_MAX = 30  # characters of a line that are said back
WAYS_MAX = 100  # ways to read the first words of a line; a line that makes sense has a few
CHECKED_MAX = 60  # actions that fit a line; of more all count, legal or not
LISTED_MAX = 12  # choices that are offered one by one
EXAMPLES_MAX = 4  # plays of the kind that was meant


@dataclass(frozen=True)
class Grammar(Generic[T, A]):
    """The plays of one game."""

    plays: Sequence[Play[T, A]]
    question: Callable[[T], str]  # the open question, as `Play.asked` names it; "" out of turn
    legal_actions: Callable[[T], Sequence[A]] = lambda table: ()
    is_legal: Callable[[A, T], bool] = lambda action, table: True
    """Whether an action counts beside others that fit the line; by default all do."""
    may_name: Callable[[A, T], bool] = lambda action, table: True
    """Whether an action may be offered to somebody who did not say it."""
    examples: Callable[[T], Sequence[A]] = lambda table: ()
    """Legal actions of a game that does not list them all."""
    fillers: frozenset[str] = frozenset()  # words that say nothing in any play with slots
    bare: Mapping[str, str] = field(default_factory=dict)
    """By question the verb whose play answers it: a line may leave that verb out."""

    # -- a line becomes an action ------------------------------------------------------------------

    def parse(self, words: Words, table: T) -> A:
        """The action that *words* mean.

        Raises:
            ParseError: They mean none; it says what could be typed.
            AmbiguousInput: They mean several; it offers them.
        """
        if not words or len(words) > WORDS_MAX:
            raise self._strange(" ".join(words), table)
        bare = self.by_word.get(self.bare.get(self.question(table), ""), ())
        for play in bare if words[0] not in self.by_word else ():
            ways = [way for way in self.readings(play, words, table) if way.said]
            if found := self._fitting(play, ways, table):
                return self._one_of(found, play, table)
        plays = self.begun(words[0], table)
        if not plays:
            raise self._wrong(bare[0], words, table) if bare else self._strange(words[0], table)
        begun, first, words = words[0], plays[0], words[1:]
        is_known = first.by_letter and first.verb[0] == begun and not words
        if len(begun) == 1 and not is_known and self._fillers[first].issuperset(words):  # rule 5
            whole = next(word for word in first.first_words if word.startswith(begun))
            raise AmbiguousInput('"{}" could be {}. Type a little more.', begun, whole)
        for play in plays:
            ways = self.readings(play, words, table)
            if play is not first and play.slots:  # a word for several plays: fillers alone say none
                ways = [way for way in ways if way.said]
            if found := self._fitting(play, ways, table):
                return self._one_of(found, play, table)
        raise self._wrong(first, words, table)

    def _fitting(self, play: Play[T, A], ways: Sequence[Reading], table: T) -> Sequence[A]:
        """The legal actions that fit the words best; if there are none, one for `check`."""
        for _, some in groupby(ways, attrgetter("rank")):  # rule 4
            near = list(some)
            tiers = (self._meant, self._meant_less) if near[0] is ways[0] else (self._meant,)
            for actions in tiers:
                turns: dict[A, int] = {}
                for way in near:
                    for action in actions(play, way, table):
                        turns.setdefault(action, way.turns)
                best = min(turns.values(), default=0)
                found = [action for action in turns if turns[action] == best]
                if 1 < len(found) <= CHECKED_MAX:
                    return [a for a in found if self.is_legal(a, table)] or found[:1]
                if found:
                    return found
        return ()

    def _meant(self, play: Play[T, A], reading: Reading, table: T) -> Iterable[A]:
        """What a reading says whole."""
        if play.actions:
            return play.actions(reading, self._agreeing(play, reading, table), table)
        is_whole = len(reading.said) == len(play.slots)
        return [play.kind(**dict(reading.said))] if is_whole else ()

    def _meant_less(self, play: Play[T, A], reading: Reading, table: T) -> Iterable[A]:
        """What it could mean if no reading says a play whole: slots are filled in."""
        if play.actions:
            return play.otherwise(reading, table)
        said, legal = dict(reading.said), self._agreeing(play, reading, table)
        values = []
        for name, slot in play.slots.items():
            allowed = list(dict.fromkeys([getattr(action, name) for action in legal]))
            values.append([said[name]] if name in said else slot.fill(table, allowed))
        return [play.kind(*some) for some in product(*values)]

    def _agreeing(self, play: Play[T, A], reading: Reading, table: T) -> list[A]:
        """The legal actions that agree with all that was said."""
        legal = [a for a in self.legal_actions(table) if type(a) is play.kind]
        found = [action for action in legal if play.is_for(action, table)]
        for name, value in reading.said:
            if fits := play.slots[name].fits:
                found = [action for action in found if fits(value, action, table)]
            else:
                found = [action for action in found if getattr(action, name) == value]
        return found

    def readings(self, play: Play[T, A], words: Words, table: T) -> list[Reading]:
        """Every way to read *words* as slots of the play and fillers; the best first."""
        if len(words) > PARTS_MAX and all(slot.most < 3 for slot in play.slots.values()):
            return []
        ways: list[list[Reading]] = [[Reading()], *[[] for _ in words]]
        slots = [*enumerate(play.slots.items())][::-1]
        for at, word in enumerate(words):
            before, is_read = _distinct(ways[at]), False
            for place, (name, slot) in slots if before else ():
                for meaning in slot.read(words, at, table):
                    is_read = True
                    for way in before:
                        if len(way.said) < slot.most or len(way.all(name)) < slot.most:
                            ways[at + meaning.words].append(way.with_slot(name, place, meaning))
            if word in self._fillers[play]:
                skipped = [w._replace(turns=w.turns + 1) for w in before] if is_read else before
                ways[at + 1] += skipped
        return sorted(_distinct(ways[-1]), key=lambda way: (way.rank, way.turns, -len(way.said)))

    # -- verbs -------------------------------------------------------------------------------------

    def begun(self, word: str, table: T) -> list[Play[T, A]]:
        """The plays that begin with *word*, whole or its beginning: what is asked for first.

        Raises:
            AmbiguousInput: The word begins several words of plays.
        """
        question = self.question(table)
        if whole := self.by_word.get(word):
            return sorted(whole, key=lambda p: (question not in p.asked, p.verb != word))
        shown = self.beginnings(word, table)
        if len(shown) > 1:
            wrong = '"{}" could be {}. Type a little more.'
            raise AmbiguousInput(wrong, quoted(word), join_words(shown, "or"))
        return self.begun(shown[0], table) if shown else []

    def beginnings(self, word: str, table: T) -> list[str]:
        """The words that *word* begins: of plays that are asked for, if there are."""
        question = self.question(table)
        able = [play for play in self.plays if len(word) >= play.letters_min]
        begun = {p: next((w for w in p.first_words if w.startswith(word)), "") for p in able}
        now = {whole for play, whole in begun.items() if whole and question in play.asked}
        return sorted(now or {*begun.values()} - {""})

    @cached_property
    def by_word(self) -> Mapping[str, Sequence[Play[T, A]]]:
        """By each word with which a play may begin those that begin so."""
        words = {word for play in self.plays for word in play.first_words}
        return {word: [p for p in self.plays if word in p.first_words] for word in words}

    @cached_property
    def _by_kind(self) -> Mapping[Any, Sequence[Play[T, A]]]:
        return {p.kind: [other for other in self.plays if other.kind is p.kind] for p in self.plays}

    @cached_property
    def _fillers(self) -> Mapping[Play[T, A], frozenset[str]]:
        return {p: p.own_fillers | (self.fillers if p.slots else set()) for p in self.plays}

    # -- what can be typed -------------------------------------------------------------------------

    def phrase(self, action: A, table: T) -> str:
        """Exactly what to type for *action*."""
        for play in self._by_kind[type(action)]:
            if play.is_for(action, table):
                return play.write(action, table)
        raise ValueError(f"{action} has no phrase")

    def _one_of(self, actions: Sequence[A], play: Play[T, A], table: T) -> A:
        """The one action that is left; AmbiguousInput if there are several."""
        if len(actions) == 1:
            return actions[0]
        phrases = [self.phrase(each, table) for each in actions if self.may_name(each, table)]
        shown = phrases if len(phrases) <= LISTED_MAX else phrases[:EXAMPLES_MAX]
        more = ", or say more" if 0 < len(shown) < len(actions) else ""
        wrong = "That fits more than one play. Type {}{}."
        raise AmbiguousInput(wrong, join_words(shown or [play.listed], "or"), more)

    def _strange(self, said: str, table: T) -> ParseError:
        """That *said* begins no play, and the plays there are now."""
        if not said:
            return ParseError("Type a play; moves lists what you can do now.")
        now = self._now(table)
        if not now:
            return ParseError('"{}" is no play now. Wait until you are asked.', quoted(said))
        known = [word for p in now for word in p.first_words if abs(len(word) - len(said)) < 3]
        near = get_close_matches(said, known, 3, 0.75)
        mean = f" Did you mean {join_words(near, 'or')}?" if near else ""
        listed = ", ".join(dict.fromkeys([play.listed for play in now if play.kind]))
        return ParseError('"{}" is no play here.{} You can type: {}.', quoted(said), mean, listed)

    def _wrong(self, play: Play[T, A], words: Words, table: T) -> ParseError:
        """What says nothing of *words* after the verb of a play, and what could be typed: plays
        that agree with all the rest, if there are."""
        if play not in self._now(table):
            return self._strange(play.verb, table)
        if not play.slots:
            return ParseError("{} stands alone. Type: {}.", play.phrase.capitalize(), play.phrase)
        words, known = words[:PARTS_MAX], {*self._fillers[play]}
        for at, slot in product(range(len(words)), play.slots.values()):
            for meaning in slot.read(words, at, table):
                known.update(words[at : at + meaning.words])
        rest = [word for word in words if word in known]
        strange = next((word for word in words if word not in known), "")
        wrong = '"{}" is no play here.' if words else '"{}" needs a little more.'
        wrong = 'I don\'t understand "{}" here.' if strange else wrong
        way = next(iter(self.readings(play, rest, table)), Reading())
        fitting = self._agreeing(play, way, table) or self._agreeing(play, Reading(), table)
        fitting = fitting or [a for a in self.examples(table) if type(a) is play.kind]
        some = dict.fromkeys([self.phrase(action, table) for action in fitting[:EXAMPLES_MAX]])
        said = quoted(strange or " ".join((play.verb, *words)))
        right = join_words([*some], "or") or play.listed
        return ParseError(f"{wrong} You can type: {{}}.", said, right)

    def _now(self, table: T) -> Sequence[Play[T, A]]:
        """The plays there are now: those of legal actions, where the game lists these."""
        question, kinds = self.question(table), {type(a) for a in self.legal_actions(table)}
        return [p for p in self.plays if (p.kind in kinds if kinds else question in p.asked)]


def _distinct(ways: list[Reading]) -> list[Reading]:
    return ways if len(ways) < 2 else list(dict.fromkeys(ways))[:WAYS_MAX]


def quoted(text: str) -> str:
    """What was typed, its beginning if it is long."""
    return text if len(text) <= QUOTED_MAX else text[: QUOTED_MAX - 3] + "..."
