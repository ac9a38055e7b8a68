"""A typed line becomes one of the plays that a game declares, and an action becomes what to type.

Rule 1: forgiving in form, strict in meaning.  Case, fillers, the order of the parts and every
        abbreviation that fits one thing only do not matter.  But each word of a line must fit a
        slot or be a filler; a line with any other word is never played.
Rule 2: what fits several plays is asked back with the choices, each as it can be typed.
Rule 3: the matcher does not judge.  A play that is well said and forbidden becomes an action, so
        that `check` can say why.
Rule 4: the whole name of another player wins over everything else that its words could mean; the
        beginning of a name wins over nothing.
Rule 5: one letter with nothing but fillers is asked back, unless the play says `by_letter`.
Rule 6: bounded: at most WAYS_MAX ways to read the first words of a line, and WORDS_MAX words; in
        a play whose slots are said twice at most, PARTS_MAX words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from itertools import groupby, islice, product, zip_longest
from operator import attrgetter
from typing import Any, Generic

from variants.contract import AmbiguousInput, ParseError
from variants.kit.matcher.plays import A, Play, Reading, T, Words
from variants.kit.text import join_words

WORDS_MAX, PARTS_MAX = 80, 20
QUOTED_MAX = 30  # characters of a line that are said back
WAYS_MAX = 100  # ways to read the first words of a line; a line that makes sense has a few
LISTED_MAX = 12  # choices that are offered one by one


@dataclass(frozen=True)
class Grammar(Generic[T, A]):
    """The plays of one game."""

    plays: Sequence[Play[T, A]]
    question: Callable[[T], str]  # the open question, as `Play.asked` names it
    legal_actions: Callable[[T], Sequence[A]] = lambda table: ()
    offered: Callable[[T], Sequence[Play[T, A]]] | None = None
    """The plays there are now, none out of turn; None: those of the legal actions."""
    fillers: frozenset[str] = frozenset()  # words that say nothing in any play with slots
    bare: Mapping[str, str] = field(default_factory=dict)
    """By question the verb whose play answers it: a line may leave that verb out."""
    choose: Callable[[Sequence[A], T], Sequence[A]] | None = None
    """Of several actions those that count, never none; None: the legal ones, else the first."""
    ask: Callable[[Play[T, A], Sequence[A], T], AmbiguousInput] | None = None
    """What is asked where several actions are left; None: which of them."""
    unclear: Callable[[Play[T, A], Words, T], A | None] = lambda play, words, table: None
    """Where the verb is right and nothing fits: an action for `check` to refuse; it may raise a
    ParseError of its own.  None: `wrong`."""

    # -- a line becomes an action ------------------------------------------------------------------

    def parse(self, words: Words, table: T) -> A:
        """The action that *words* mean.

        Raises:
            ParseError: They mean none; it says what could be typed.
            AmbiguousInput: They mean several; it offers them.
        """
        if not words or len(words) > WORDS_MAX:
            raise self.not_understood(" ".join(words), table)
        bare = self.by_word.get(self.bare.get(self.question(table), ""), [])
        for play in bare if words[0] not in self.by_word else ():
            if found := self.fit(play, words, table, is_bare=True):
                return self.chosen(play, found, table)
        if plays := self.begun(words[0], table):
            return self.said(plays, words[0], words[1:], table)
        if any(slot.unknown for play in bare for slot in play.slots.values()):
            raise self.wrong(bare[0], words[:1], table)
        raise self.not_understood(words[0], table)

    def said(self, plays: Sequence[Play[T, A]], begun: str, words: Words, table: T) -> A:
        """The action that *words* mean after *begun*, which begins each of *plays*."""
        first = plays[0]
        is_known = first.by_letter and first.verb[0] == begun and not words
        if len(begun) == 1 and not is_known and self._fillers[first].issuperset(words):  # rule 5
            whole = next(word for word in first.first_words if word.startswith(begun))
            raise AmbiguousInput('"{}" could be {}. Type a little more.', begun, whole)
        if first.reads:
            return first.reads(words, table)
        for play in plays:
            is_bare = play is not first and bool(play.slots)
            if found := self.fit(play, words, table, is_bare=is_bare):
                return self.chosen(play, found, table)
        play = next((play for play in plays if [*words[:1]] == [*play.literals[:1]]), first)
        action = self.unclear(play, words, table)
        if action is None:
            raise self.wrong(play, words, table)
        return action

    def fit(
        self, play: Play[T, A], words: Words, table: T, *, is_bare: bool = False
    ) -> Sequence[A]:
        """The actions that fit the words best.

        Args:
            is_bare: Whether the verb was not typed: then fillers alone are not enough.
        """
        ways = [way for way in self.readings(play, words, table) if way.said or not is_bare]
        for rank, some in groupby(ways, attrgetter("rank")):
            near = list(some)
            lists = zip_longest(*[self._actions(play, way, table) for way in near], fillvalue=())
            for each in islice(lists, None if rank == ways[0].rank else 1):  # rule 4
                fitting = [
                    (way.turns, a) for way, fits in zip(near, each, strict=True) for a in fits
                ]
                if fitting:
                    return list(
                        dict.fromkeys([a for turns, a in fitting if turns == fitting[0][0]])
                    )
        return ()

    def _actions(self, play: Play[T, A], reading: Reading, table: T) -> Iterable[Sequence[A]]:
        """The actions that fit a reading; those with a slot that was filled in come second."""
        said = dict(reading.said)
        is_whole = len(said) == len(play.slots) and not play.actions
        legal = () if is_whole else self.fitting(play, reading, table)
        if play.actions:
            return play.actions(reading, legal, table)
        values = []
        for name, slot in play.slots.items():
            fill = slot.fill or (lambda table, legal: ())
            allowed = list(dict.fromkeys([getattr(action, name) for action in legal]))
            values.append([said[name]] if name in said else fill(table, allowed))
        found = [play.kind(**dict(zip(play.slots, some, strict=True))) for some in product(*values)]
        return [found] if is_whole else [(), found]

    def readings(self, play: Play[T, A], words: Words, table: T) -> list[Reading]:
        """Every way to read *words* as slots of the play and fillers; the best first."""
        is_short = all(slot.most < 3 for slot in play.slots.values())
        if is_short and len(words) > PARTS_MAX:
            return []
        ways: list[list[Reading]] = [[Reading()], *[[] for _ in words]]
        slots = [*enumerate(play.slots.items())][::-1]
        for at, word in enumerate(words):
            before, is_read = _distinct(ways[at]), False
            for place, (name, slot) in slots if before else ():
                for meaning in slot.read(words, at, table):
                    is_read = True
                    able = [way for way in before if way.may_take(name, slot)]
                    ahead = [way.with_slot(name, place, meaning) for way in able]
                    ways[at + meaning.words] += ahead
            if word in self._fillers[play]:
                ways[at + 1] += [
                    way._replace(turns=way.turns + 1) if is_read else way for way in before
                ]
        return sorted(_distinct(ways[-1]), key=lambda way: (way.rank, way.turns, -len(way.said)))

    def fitting(self, play: Play[T, A], reading: Reading, table: T) -> list[A]:
        """The legal actions that agree with all that was said."""
        some = [action for action in self.legal_actions(table) if type(action) is play.kind]
        return [action for action in some if play.agrees(action, reading, table)]

    def chosen(self, play: Play[T, A], actions: Sequence[A], table: T) -> A:
        """The one action that is left; AmbiguousInput if there are several."""
        if len(actions) > 1 and self.choose:
            actions = self.choose(actions, table)
        elif len(actions) > 1:
            legal = self.fitting(play, Reading(), table)
            actions = [action for action in actions if action in legal] or actions[:1]
        if len(actions) == 1:
            return actions[0]
        if self.ask:
            raise self.ask(play, actions, table)
        phrases = [self.phrase(action, table) for action in actions]
        raise ask_back(phrases, len(actions), " To see them all, type moves.")

    # -- verbs -------------------------------------------------------------------------------------

    def begun(self, word: str, table: T) -> list[Play[T, A]]:
        """The plays that begin with *word*, whole or its beginning: what is asked for first.

        Raises:
            AmbiguousInput: The word begins several words of plays.
        """
        question = self.question(table)
        if whole := self.by_word.get(word):
            return sorted(whole, key=lambda p: (question not in p.asked, p.verb != word))
        shown = self.beginnings(word, question)
        if len(shown) > 1:
            choices = join_words(["{}"] * len(shown), "or")
            wrong = f'"{{}}" could be {choices}. Type a little more.'
            raise AmbiguousInput(wrong, quoted(word), *shown)
        return self.begun(shown[0], table) if shown else []

    def beginnings(self, word: str, question: str) -> list[str]:
        """The words that *word* begins: of plays that are asked for, if there are."""
        able = [p for p in self._by_name if len(word) >= p.letters_min]
        begun = {p: [each for each in p.first_words if each.startswith(word)] for p in able}
        found = {play: words[0] for play, words in begun.items() if words}
        now = {play: whole for play, whole in found.items() if question in play.asked}
        return list(dict.fromkeys((now or found).values()))

    @cached_property
    def by_word(self) -> Mapping[str, Sequence[Play[T, A]]]:
        """By each word with which a play may begin those that begin so."""
        words = {word for play in self.plays for word in play.first_words}
        return {word: [p for p in self.plays if word in p.first_words] for word in words}

    @cached_property
    def _by_name(self) -> Sequence[Play[T, A]]:
        return sorted(self.plays, key=attrgetter("verb"))

    @cached_property
    def _by_kind(self) -> Mapping[Any, Sequence[Play[T, A]]]:
        return {p.kind: [other for other in self.plays if other.kind is p.kind] for p in self.plays}

    @cached_property
    def _fillers(self) -> Mapping[Play[T, A], frozenset[str]]:
        return {p: p.own_fillers | (self.fillers if p.slots else set()) for p in self.plays}

    # -- an action becomes a phrase ----------------------------------------------------------------

    def phrase(self, action: A, table: T) -> str:
        """Exactly what to type for *action*."""
        play = next(p for p in self._by_kind[type(action)] if p.is_for(action, table))
        if not play.slots:
            return play.phrase
        said = {
            name: play.slots[name].say(value, action, table)
            for _, names in play.parts
            for name in names
            if (value := getattr(action, name)) is not None
        }
        texts = [
            text.format(**said)
            for number, (text, names) in enumerate(play.parts)
            if number % 2 == 0 or all(said.get(name) for name in names)
        ]
        return " ".join("".join(texts).split())

    # -- what could be typed -----------------------------------------------------------------------

    def not_understood(self, said: str, table: T) -> ParseError:
        """What was said, and the plays there are now; out of turn, the plays there are at all."""
        if not said:
            return ParseError("Type a play; moves lists what you can do now.")
        kinds = {type(action) for action in self.legal_actions(table)}
        now = self.offered(table) if self.offered else [p for p in self.plays if p.kind in kinds]
        known = [word for p in now for word in p.first_words if abs(len(word) - len(said)) < 3]
        near = get_close_matches(said, known, 3, 0.75)
        mean = f" Did you mean {join_words(near, 'or')}?" if near else ""
        right = f" here.{mean} You can type: {{}}." if now else ". The plays: {}."
        listed = ", ".join(dict.fromkeys([p.listed for p in now or self.plays if p.kind]))
        return ParseError('"{}" is no play' + right, quoted(said), listed)

    def wrong(self, play: Play[T, A], words: Words, table: T) -> ParseError:
        """What is wrong with *words* after a verb that is right: a word that a slot does not know,
        what the slots could hold that nothing was said for, and how the play is typed."""
        if not play.slots:
            return ParseError("{} stands alone. Type: {}.", play.phrase.capitalize(), play.phrase)
        slots, known, words = list(play.slots.values()), {*self._fillers[play]}, words[:PARTS_MAX]
        missing = []
        for slot in slots:
            read = [
                word
                for at in range(len(words))
                for m in slot.read(words, at, table)
                for word in words[at : at + m.words]
            ]
            known.update(read)
            missing += [] if read and slot.most == 1 else [slot]
        said = quoted(" ".join((play.verb, *words)).replace(" + ", "+"))
        wrong = f'"{said}" is no play here.' if words else f'"{said}" needs a little more.'
        for word in [word for word in words if word not in known][:1]:
            for slot in [slot for slot in missing if slot.unknown][:1]:
                wrong, missing = slot.unknown.format(quoted(word)), [slot]
        there_is = [slot.choices(table) for slot in missing]
        there_is = there_is if any(there_is) else [slot.choices(table) for slot in slots]
        legal = self.fitting(play, Reading(), table)
        right = self.phrase(legal[0], table) if legal else play.listed
        sentences = filter(None, [wrong, *there_is, f"Type it like this: {right}."])
        return ParseError("{}", " ".join(dict.fromkeys(sentences)))


def _distinct(ways: list[Reading]) -> list[Reading]:
    return ways if len(ways) < 2 else list(dict.fromkeys(ways))[:WAYS_MAX]


def quoted(text: str) -> str:
    """What was typed, its beginning if it is long."""
    return text if len(text) <= QUOTED_MAX else text[: QUOTED_MAX - 3] + "..."


def ask_back(phrases: Sequence[str], fitting: int, more: str = "") -> AmbiguousInput:
    """The choices; if there are too many, their number and an example.

    Args:
        fitting: How many plays fit, also those that are not among the phrases.
        more: A sentence for long lists.
    """
    other = ", or name another word" if len(phrases) < fitting else ""
    if len(phrases) > LISTED_MAX:
        wrong = f"That fits {{}} plays. Say more, as in: {{}}.{more}"
    elif len(phrases) == 1:
        wrong = f"That fits {{}} plays. Type {{}}{other}."
    else:
        fields = join_words(["{}"] * len(phrases), "or")
        return AmbiguousInput(f"That fits more than one play. Type {fields}{other}.", *phrases)
    return AmbiguousInput(wrong, str(fitting), phrases[0])
