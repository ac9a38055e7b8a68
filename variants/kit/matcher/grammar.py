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
Rule 6: bounded: `Play.words_max` words, and at most WAYS_MAX ways to read the first words of a
        line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from itertools import groupby, product, zip_longest
from operator import attrgetter
from typing import Any, Generic

from variants.contract import AmbiguousInput, ParseError
from variants.kit.matcher.line import name_words
from variants.kit.matcher.plays import WHOLE_NAME, A, Meaning, Play, Reading, Slot, T, Words
from variants.kit.text import join_words

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
    fillers: frozenset[str] = frozenset()  # words that say nothing in any play
    doubtful: Callable[[T], Set[str]] = lambda table: name_words(tuple(table.names))
    """Fillers that are rather something else where they can be: the names of players."""
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
        if not words or len(words) > self._words_max:
            raise self.not_understood(" ".join(words), table)
        verb = self.bare.get(self.question(table))
        found = self.fit(verb, words, table) if verb and not self.knows(words[0]) else None
        if found and found[1].said:  # more than fillers
            return self.chosen(self.play(verb or ""), found[0], table)
        if (play := self.begun(words[0], table)) is None:
            if verb and self.play(verb).people:
                raise self.wrong(self.play(verb), words[:1], table)
            raise self.not_understood(words[0], table)
        others = [p for p in self._by_word.get(words[0], ()) if p is not play and not play.reads]
        if others and not self.fit(play.verb, words[1:], table):  # the word begins others, too
            fits = [(p, self.fit(p.verb, words[1:], table)) for p in others]
            fitting = [p for p, found in fits if found and (found[1].said or not p.slots)]
            play = [*fitting, *[p for p in others if words[1:2] == [p.second]], play][0]
        return self.said(play.verb, words[1:], table, begun=words[0])

    def said(self, verb: str, words: Words, table: T, begun: str = "") -> A:
        """The action that *words* mean after the verb, of which *begun* was typed."""
        play = self.play(verb)
        is_bare = len(begun) == 1 and self._fillers[verb].issuperset(words)
        if is_bare and (words or not play.by_letter or verb[0] != begun):
            whole = next(word for word in play.first_words if word.startswith(begun))
            raise AmbiguousInput('"{}" could be {}. Type a little more.', begun, whole)  # rule 5
        if play.reads is not None:
            return play.reads(words, table)
        if len(words) <= play.words_max and (found := self.fit(verb, words, table)):
            return self.chosen(play, found[0], table)
        return self.refused(play, words, table)

    def refused(self, play: Play[T, A], words: Words, table: T) -> A:
        """An action for `check` to refuse; ParseError: what is wrong."""
        action = self.unclear(play, words, table)
        if action is None:
            raise self.wrong(play, words, table)
        return action

    def fit(self, verb: str, words: Words, table: T) -> tuple[list[A], Reading] | None:
        """The actions that fit the words best, and a reading of them; None: nothing fits."""
        play = self.play(verb)
        for _, some in groupby(self.readings(play, words, table), attrgetter("rank")):
            ways = list(some)
            if len(ways) == 1:  # as nearly always
                for actions in filter(None, _actions(play, ways[0], table)):
                    return list(dict.fromkeys(actions)), ways[0]
                continue
            for lists in zip_longest(*[_actions(play, way, table) for way in ways], fillvalue=()):
                pairs = zip(ways, lists, strict=True)
                for _, near in groupby(pairs, lambda pair: pair[0].turns):
                    if fitting := [(action, way) for way, actions in near for action in actions]:
                        return list(dict(fitting)), fitting[0][1]
        return None

    def chosen(self, play: Play[T, A], actions: Sequence[A], table: T) -> A:
        """The one action that is left; AmbiguousInput if there are several."""
        if len(actions) > 1:
            legal = set() if self.choose else set(self.legal_actions(table))
            some = [action for action in actions if action in legal] or actions[:1]
            actions = self.choose(actions, table) if self.choose else some
        if len(actions) == 1:
            return actions[0]
        if self.ask is not None:
            raise self.ask(play, actions, table)
        phrases = [self.phrase(action, table) for action in actions]
        raise ask_back(phrases, len(actions), " To see them all, type moves.")

    def readings(self, play: Play[T, A], words: Words, table: T) -> list[Reading]:
        """Every way to read *words* as slots of the play and fillers; the best first."""
        fillers, doubtful = self._fillers[play.verb], None
        ways: list[dict[Reading, None]] = [{} for _ in range(len(words) + 1)]
        ways[0] = {Reading(): None}
        for at, word in enumerate(words):
            for name, slot, place in play.backwards if ways[at] else ():
                for meaning in slot.read(words, at, table):
                    ahead = ways[at + meaning.words]
                    for way in ways[at]:
                        if [other for other, _ in way.said].count(name) < slot.most:
                            ahead[_longer(way, name, place, meaning)] = None
                        if len(ahead) >= WAYS_MAX:
                            break
            if word in fillers or (at == 0 and len(word) > 1 and play.second.startswith(word)):
                doubtful = doubtful or {*self.doubtful(table), *play.literals}
                turns, ahead = int(word in doubtful), ways[at + 1]
                longer = [
                    way._replace(turns=way.turns + turns) if turns else way for way in ways[at]
                ]
                ahead.update(dict.fromkeys(longer[: max(0, WAYS_MAX - len(ahead))]))
        if len(ways[-1]) < 2:
            return list(ways[-1])
        return sorted(ways[-1], key=lambda way: (way.rank, way.turns, -len(way.said)))

    # -- verbs -------------------------------------------------------------------------------------

    def play(self, verb: str) -> Play[T, A]:
        return self._by_verb[verb]

    def knows(self, word: str) -> bool:
        """Whether some play begins with that whole word."""
        return word in self._by_word

    def begun(self, word: str, table: T) -> Play[T, A] | None:
        """The play that begins with *word*, whole or its beginning; None: there is none.  What the
        open question asks for comes first.  AmbiguousInput: the word begins several."""
        question = self.question(table)
        if whole := self._by_word.get(word):
            return min(whole, key=lambda play: (question not in play.asked, play.verb != word))
        found = self.beginnings(word, question)
        shown = list(dict.fromkeys([found[verb] for verb in sorted(found)]))
        if len(shown) > 1:
            choices = join_words(["{}"] * len(shown), "or")
            wrong = f'"{{}}" could be {choices}. Type a little more.'
            raise AmbiguousInput(wrong, quoted(word), *shown)
        if len(found) > 1:  # one word of several plays
            return self.begun(shown[0], table)
        return self.play(next(iter(found))) if found else None

    def beginnings(self, word: str, question: str) -> dict[str, str]:
        """By verb the whole word that *word* begins: of plays that are asked for, if there are."""
        able = [play for play in self.plays if len(word) >= play.letters_min]
        begun = [(p, whole) for p in able for whole in p.first_words if whole.startswith(word)]
        now = [(play, whole) for play, whole in begun if question in play.asked]
        return {play.verb: whole for play, whole in reversed(now or begun)}

    @cached_property
    def _by_verb(self) -> Mapping[str, Play[T, A]]:
        return {play.verb: play for play in self.plays}

    @cached_property
    def _by_kind(self) -> Mapping[Any, list[Play[T, A]]]:
        kinds = {play.kind for play in self.plays}
        return {kind: [play for play in self.plays if play.kind is kind] for kind in kinds}

    @cached_property
    def _fillers(self) -> Mapping[str, frozenset[str]]:
        shared = {
            play.verb: frozenset[str]() if play.is_alone else self.fillers for play in self.plays
        }
        return {play.verb: shared[play.verb] | play.own_fillers for play in self.plays}

    @cached_property
    def _words_max(self) -> int:
        return max([play.words_max for play in self.plays])

    @cached_property
    def _by_word(self) -> Mapping[str, list[Play[T, A]]]:
        words = {word for play in self.plays for word in play.first_words}
        return {w: [play for play in self.plays if w in play.first_words] for w in words}

    # -- an action becomes a phrase ----------------------------------------------------------------

    def phrase(self, action: A, table: T) -> str:
        """Exactly what to type for *action*."""
        for play in self._by_kind[type(action)]:
            if play.is_for is None or play.is_for(action, table):
                break
        words: list[str] = []
        for is_optional, parts in play.parts:
            some = []
            for word, slot in parts:
                value = None if slot is None else getattr(action, word)
                said = (
                    word
                    if slot is None
                    else ""
                    if value is None
                    else slot.say(value, action, table)
                )
                some += [said] if said or is_optional else []
            words += [] if "" in some else some
        return " ".join(words)

    # -- what could be typed -----------------------------------------------------------------------

    def not_understood(self, said: str, table: T) -> ParseError:
        """What was said, and the plays there are now; out of turn, the plays there are at all."""
        if not said:
            return ParseError("Type a play; moves lists what you can do now.")
        kinds = {type(action) for action in self.legal_actions(table)}
        now = self.offered(table) if self.offered else [p for p in self.plays if p.kind in kinds]
        known = [word for p in now for word in p.first_words if abs(len(word) - len(said)) < 3]
        near = get_close_matches(said, known, 3, 0.75) if known else ()
        mean = f" Did you mean {join_words(near, 'or')}?" if near else ""
        right = f" here.{mean} You can type: {{}}." if now else ". The plays: {}."
        listed = ", ".join(dict.fromkeys([p.listed for p in now or self.plays if p.kind]))
        return ParseError('"{}" is no play' + right, quoted(said), listed)

    def wrong(self, play: Play[T, A], words: Words, table: T) -> ParseError:
        """What is wrong with *words* after a verb that is right: a word that a slot does not know,
        what the slots could hold that nothing was said for, and how the play is typed."""
        if not play.slots:
            return ParseError("{} stands alone. Type: {}.", play.phrase.capitalize(), play.phrase)
        slots, known = list(play.slots.values()), set[int]()
        missing = [slot for slot in slots if not _known(slot, words, table, known)]
        strict = [slot for slot in missing if slot.unknown]
        unknown = [w for at, w in enumerate(words) if at not in known]
        unknown = [word for word in unknown if word not in self._fillers[play.verb]]
        said = quoted(" ".join((play.verb, *words)).replace(" + ", "+"))
        wrong = f'"{said}" is no play here.' if words else f'"{said}" needs a little more.'
        wrong = strict[0].unknown.format(quoted(unknown[0])) if unknown and strict else wrong
        legal = [a for a in self.legal_actions(table) if type(a) is play.kind]
        right = self.phrase(legal[0], table) if legal else play.listed
        there_is = [text for slot in missing if (text := slot.choices(table))]
        there_is = there_is or [text for slot in slots if (text := slot.choices(table))]
        sentences = [wrong, *there_is, f"Type it like this: {right}."]
        return ParseError("{}", " ".join(dict.fromkeys(sentences)))


def _known(slot: Slot[T], words: Words, table: T, places: set[int]) -> bool:
    """Whether some words mean something in a slot; their *places* are added."""
    found = [
        range(at, at + meaning.words)
        for at in range(len(words))
        for meaning in slot.read(words, at, table)
    ]
    places.update(*found)
    return bool(found)


def quoted(text: str) -> str:
    """What was typed, its beginning if it is long."""
    return text if len(text) <= QUOTED_MAX else text[: QUOTED_MAX - 3] + "..."


def _longer(way: Reading, name: str, place: int, meaning: Meaning) -> Reading:
    """*way* with one more meaning in a slot."""
    ranks = (way.rank, meaning.rank)
    return Reading(
        WHOLE_NAME if WHOLE_NAME in ranks else max(ranks),
        way.turns + meaning.turns + (place < way.last),
        (*way.said, (name, meaning.value)),
        max(place, way.last),
    )


def _actions(play: Play[T, A], reading: Reading, table: T) -> Iterable[Sequence[A]]:
    """The actions that fit a reading; those with a slot that was filled in come second."""
    if play.actions is not None:
        return play.actions(reading, table)
    said = {name: [value] for name, value in reading.said}
    values = [
        said.get(name) or list(slot.fill(table) if slot.fill else ())
        for name, slot in play.slots.items()
    ]
    actions = [play.kind(**dict(zip(play.slots, some, strict=True))) for some in product(*values)]
    return [actions] if len(said) == len(play.slots) else [(), actions]


def ask_back(phrases: Sequence[str], fitting: int, more: str = "") -> AmbiguousInput:
    """The choices; if there are too many, their number and an example.

    Args:
        fitting: How many plays fit, also those that are not among the phrases.
        more: A sentence for long lists.
    """
    if len(phrases) > LISTED_MAX:
        wrong = f"That fits {{}} plays. Say more, as in: {{}}.{more}"
        return AmbiguousInput(wrong, str(fitting), phrases[0])
    other = ", or name another word" if len(phrases) < fitting else ""
    if len(phrases) == 1:
        return AmbiguousInput(f"That fits {{}} plays. Type {{}}{other}.", str(fitting), phrases[0])
    fields = join_words(["{}"] * len(phrases), "or")
    return AmbiguousInput(f"That fits more than one play. Type {fields}{other}.", *phrases)
