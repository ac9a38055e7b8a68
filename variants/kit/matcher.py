"""The matcher: a typed line becomes a play that the game declares, an action what to type.

A game declares a `Play` for each kind of action: its phrase, `give {card} to {seat}`, and a `Slot`
for each name in braces, in the order in which people say them.  `docs/adding-a-game.md` has an
example that a test runs.

Rule 1: forgiving in form, strict in meaning.  Case, punctuation, fillers, the order of the parts
        and every abbreviation that fits one thing only do not matter.  But each word of a line
        must fit a slot or be a filler; a line with any other word is never played.
Rule 2: of all that a line could mean, what is legal counts.  If that is more than one play, they
        are asked back, each as it can be typed.
Rule 3: the matcher does not judge.  A play that is well said and forbidden becomes an action, so
        that `check` can say why.
Rule 4: the whole name of another player wins over everything else that its words could mean; the
        beginning of a name wins over nothing.
Rule 5: one letter with nothing but fillers is asked back.
Rule 6: bounded: at most WAYS_MAX ways to read the first words of a line, WORDS_MAX words, and
        CHECKED_MAX actions that are checked; PARTS_MAX words where slots are said twice at most.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import groupby, islice, product
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from variants.contract import AmbiguousInput, ParseError, Seat, SeatNames
from variants.kit import typos
from variants.kit.english import split_possessives, typeable_names
from variants.kit.text import join_words, shortened

WORDS_MAX, PARTS_MAX = 80, 20
QUOTED_MAX = 30  # characters of a line that are said back
WAYS_MAX = 100  # ways to read the first words of a line; a line that makes sense has a few
CHECKED_MAX = 60  # actions that fit a line; of more all count, legal or not
GUESSED_MAX, GUESSED_WORDS_MAX = 40, 12  # actions, and words, of a line that is guessed at
LISTED_MAX = 12  # choices that are offered one by one
EXAMPLES_MAX = 4  # plays of the kind that was meant
PUNCTUATION = str.maketrans(',.;:!?"()<>=/\\’`', " " * 14 + "''")
CHOICE_WORDS = 4  # words of a text that means a value
MARKS_MAX = 3  # words that mark one part
_SIGNS = str.maketrans("#+*", "   ")

# -- what a game declares --------------------------------------------------------------------------

WHOLE_NAME, PLAIN, OWN_NAME = 0, 1, 2
"""Ranks of a reading: with the whole name of another player, without, with the reader's own name.
Of all readings that fit a line, those of the lowest rank count."""

Words = Sequence[str]
V = TypeVar("V")  # the view of a game
A = TypeVar("A")  # its actions


@dataclass(eq=False)  # made for each phrase, so not frozen, which takes three times as long
class Table(Generic[V]):
    """Where a line is typed; a game that needs more to read a line derives from it."""

    view: V  # has a `seat` and a `turn`
    names: SeatNames

    @property
    def me(self) -> Seat:
        """Whose words they are; a watcher's are refused whatever they mean."""
        view: Any = self.view
        return Seat(view.turn if view.seat is None else view.seat)


T = TypeVar("T", bound=Table[Any])


class Meaning(NamedTuple):
    """What the next words of a line can mean in a slot."""

    words: int  # how many, from 1
    value: Any  # hashable
    rank: int = PLAIN
    turns: int = 0  # how far this is from the usual way to say it


@dataclass(frozen=True)
class Slot(Generic[T]):
    """One part of a play that is filled in: a card, a player, a number."""

    form: str  # in a list of plays: "CARD"; "": it is left out there
    read: Callable[[Words, int, T], Iterable[Meaning]]
    """(words, at, table) -> everything that the words from place *at* on can mean."""
    say: Callable[[Any, Any, T], str] = lambda value, action, table: str(value).lower()
    """(value, action, table) -> how it is typed; "" drops it and the words before it."""
    fill: Callable[[T, Sequence[Any]], Iterable[Any]] = lambda table, legal: ()
    """(table, values of the legal actions that fit) -> what is meant where nothing is said; by
    default it has to be said."""
    fits: Callable[[Any, Any, T], bool] | None = None
    """(value, action, table) -> whether an action is meant; None: if its field has that value."""
    most: int = 1  # how often it may be said


class Reading(NamedTuple):
    """One way to read the words after the verb."""

    play: Play[Any, Any]
    rank: int = PLAIN
    turns: int = 0  # how far from the phrase: parts in another order, fillers that could be names
    said: tuple[tuple[str, Any], ...] = ()  # (slot, value), in the order in which they were typed
    last: int = -1  # place of the slot that was read last

    def all(self, slot: str) -> list[Any]:
        """All that was said in *slot*."""
        return [value for name, value in self.said if name == slot]

    def get(self, slot: str) -> Any:
        """What was said in *slot* first; None: nothing."""
        return next(iter(self.all(slot)), None)

    def with_slot(self, name: str, place: int, meaning: Meaning) -> Reading:
        """This reading, and one more slot."""
        ranks = (self.rank, meaning.rank)
        return Reading(
            self.play,
            WHOLE_NAME if WHOLE_NAME in ranks else max(ranks),
            self.turns + meaning.turns + (place < self.last),
            (*self.said, (name, meaning.value)),
            max(place, self.last),
        )


@dataclass(frozen=True, eq=False)
class Play(Generic[T, A]):
    """One kind of action, and how people say it."""

    phrase: str
    """How it is written: `stay {to}`, `steal {letter} from {word}`.  The first word is its verb."""
    kind: Any  # the action, a class with fields of the names of the slots; None: the game reads it
    slots: Mapping[str, Slot[T]] = field(default_factory=dict)
    words: str = ""  # other words with which it may begin
    fillers: str = ""  # words that say nothing in this play; with slots those of the grammar, too
    asked: tuple[str, ...] = ()  # the open questions that it answers
    form: str = ""  # in a list of plays; "": made from the phrase
    missing: str = ""  # asked where nothing follows the verb: "Give which card to whom?"
    letters_min: int = 1  # letters that can be short for its verb
    actions: Callable[[Reading, Sequence[A], T], Iterable[A]] | None = None
    """(reading, legal actions that agree with it, table) -> all that it could mean, the likeliest
    first.  None: all that the slots say and fill."""
    otherwise: Callable[[Reading, T], Iterable[A]] = lambda reading, table: ()
    """(reading, table) -> what it means if `actions` has nothing, also for `check` to refuse."""
    is_for: Callable[[Any, T], bool] = lambda action, table: True
    """Whether the phrase says this action, where several plays have its kind."""

    @cached_property
    def verb(self) -> str:
        return self.phrase.split()[0]

    @cached_property
    def first_words(self) -> tuple[str, ...]:
        return (self.verb, *self.words.split())

    @cached_property
    def own_fillers(self) -> frozenset[str]:
        """With the words of the phrase after the verb; the first may be begun: `home del`."""
        literals = re.sub(r"{\w+}", "", self.phrase).split()[1:]
        begun = [word[:end] for word in literals[:1] for end in range(2, len(word))]
        return frozenset((*literals, *begun, *self.fillers.split()))

    @cached_property
    def parts(self) -> Sequence[tuple[str, str]]:
        """(words before it, name) of each slot of the phrase."""
        return re.findall(r"([^{}]*){(\w+)}", self.phrase.removeprefix(self.verb))

    @cached_property
    def listed(self) -> str:
        """`give CARD to NAME`."""
        forms = [(before, self.slots[name].form) for before, name in self.parts]
        made = self.verb + "".join([before + form for before, form in forms if form])
        return self.form or (made if self.slots else self.phrase)

    def write(self, action: A, table: T) -> str:
        """Exactly what to type for *action*."""
        text = self.verb if self.parts else self.phrase
        for before, name in self.parts:
            value = getattr(action, name)
            if value is not None and (said := self.slots[name].say(value, action, table)):
                text += before + said
        return text


# -- how a line is read ----------------------------------------------------------------------------


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
        """The action that *words* mean.  ParseError says what could be typed, if they mean none;
        AmbiguousInput offers what they mean, if that is several."""
        if not words or len(words) > WORDS_MAX:
            raise self._strange(" ".join(words), table)
        bare = self.by_word.get(self.bare.get(self.question(table), ""), ())
        for play in bare if words[0] not in self.by_word else ():
            ways = [way for way in self.readings(play, words, table) if way.said]
            if found := self._fitting(ways, table):
                return self._one_of(found, play, table)
        plays = self.begun(words[0], table)
        if not plays:
            raise self._wrong(bare[0], words, table) if bare else self._strange(words[0], table)
        begun, first, words = words[0], plays[0], words[1:]
        if len(begun) == 1 and self._fillers[first].issuperset(words):  # rule 5
            whole = next(word for word in first.first_words if word.startswith(begun))
            more = [whole[:2]] * (len(whole) > 2 and len(self.beginnings(whole[:2], table)) == 1)
            raise AmbiguousInput("{}: {}? Type {}.", begun, whole, join_words([*more, whole], "or"))
        for play in plays:
            ways = self.readings(play, words, table)
            if play is not first and play.slots:  # a word for several plays: fillers alone say none
                ways = [way for way in ways if way.said]
            if found := self._fitting(ways, table):
                return self._one_of(found, play, table)
        raise self._wrong(first, words, table)

    def _fitting(self, ways: Sequence[Reading], table: T) -> Sequence[A]:
        """The legal actions that fit the words best; if there are none, one for `check`."""
        for _, some in groupby(ways, attrgetter("rank")):  # rule 4
            near = list(some)
            tiers = (self._meant, self._meant_less) if near[0] is ways[0] else (self._meant,)
            nearest = [list(same) for _, same in groupby(near, attrgetter("turns"))]
            for actions, same in product(tiers, nearest):
                found = list(dict.fromkeys([a for way in same for a in actions(way, table)]))
                if 1 < len(found) <= CHECKED_MAX:
                    return [a for a in found if self.is_legal(a, table)] or found[:1]
                if found:
                    return found
        return ()

    def _meant(self, reading: Reading, table: T) -> Iterable[A]:
        """What a reading says whole."""
        play: Play[T, A] = reading.play
        if play.actions:
            return play.actions(reading, self._agreeing(reading, table), table)
        is_whole = len(reading.said) == len(play.slots)
        return [play.kind(**dict(reading.said))] if is_whole else ()

    def _meant_less(self, reading: Reading, table: T) -> Iterable[A]:
        """What it could mean if no reading says a play whole: slots are filled in."""
        play: Play[T, A] = reading.play
        if play.actions:
            return play.otherwise(reading, table)
        said, legal = dict(reading.said), self._agreeing(reading, table)
        values = []
        for name, slot in play.slots.items():
            allowed = list(dict.fromkeys([getattr(action, name) for action in legal]))
            values.append([said[name]] if name in said else slot.fill(table, allowed))
        return [play.kind(*some) for some in product(*values)]

    def _agreeing(self, reading: Reading, table: T) -> list[A]:
        """The legal actions that agree with all that was said."""
        play = reading.play
        legal = [a for a in self.legal_actions(table) if type(a) is play.kind]
        found = [action for action in legal if play.is_for(action, table)]
        for name, value in reading.said:
            if fits := play.slots[name].fits:
                found = [action for action in found if fits(value, action, table)]
            else:
                found = [action for action in found if getattr(action, name) == value]
        return found

    def readings(
        self, play: Play[T, A], words: Words, table: T, *, may_skip: bool = False
    ) -> list[Reading]:
        """Every way to read *words* as slots of the play and fillers; the best first.

        Args:
            may_skip: Any word may be a filler.
        """
        if len(words) > PARTS_MAX and all(slot.most < 3 for slot in play.slots.values()):
            return []
        ways: list[dict[Reading, None]] = [{Reading(play): None}, *[{} for _ in words]]
        slots = [*enumerate(play.slots.items())][::-1]
        for at, word in enumerate(words):
            before, is_read = list(ways[at])[:WAYS_MAX], False
            for place, (name, slot) in slots if before else ():
                for meaning in slot.read(words, at, table):
                    is_read = True
                    for way in before:
                        if len(way.said) < slot.most or len(way.all(name)) < slot.most:
                            ways[at + meaning.words][way.with_slot(name, place, meaning)] = None
            if may_skip or word in self._fillers[play]:
                skipped = [w._replace(turns=w.turns + 1) for w in before] if is_read else before
                ways[at + 1] |= dict.fromkeys(skipped)
        return sorted(list(ways[-1])[:WAYS_MAX], key=lambda w: (w.rank, w.turns, -len(w.said)))

    def guesses(self, words: Words, table: T, verbs: Mapping[str, str]) -> list[A]:
        """What a line may mean that holds other words, too; only to be asked back.  If that is
        nothing legal: what it says whole.

        Each word that is read speaks for a play, each strange one against it; of the plays whose
        verb is said, or of all, those count for which most words speak.  Without a verb numbers
        alone speak for nothing: they may count anything.

        Args:
            verbs: By verb the other words that people use for it.
        """
        found, refused, checked = dict[int, list[A]](), dict[int, list[A]](), 0
        own = {p: {*p.first_words, *verbs.get(p.verb, "").split()} for p in self._now(table)}
        said = [play for play in own if not own[play].isdisjoint(words)]
        is_short = len(words) <= (GUESSED_WORDS_MAX if said else GUESSED_WORDS_MAX // 2)
        for play in (said or own) if is_short else ():
            rest = [word for word in words if word not in own[play]]
            read = self._read_words(play, rest, table)
            if not said and all(word.isdecimal() for word in read):
                continue
            strange = [word for word in rest if word not in read | self._fillers[play]]
            ways = self.readings(play, [w for w in rest if w in read], table, may_skip=True)
            has_verb = len(rest) < len(words)
            for slots, group in groupby(sorted(ways, key=_said), _said):
                evidence, same = has_verb - slots, list(group)
                is_enough = evidence > 1 or (has_verb and not play.slots)
                if not is_enough or len(strange) > evidence:
                    break
                legal, more = self._legal_of(same, table, GUESSED_MAX - checked)
                checked += more
                if legal:
                    found.setdefault(evidence, []).extend(legal)
                    break
                if has_verb and not strange:
                    whole = dict.fromkeys(a for way in same for a in self._meant(way, table))
                    refused.setdefault(evidence, []).extend(whole)
        likely = found or refused
        return [a for a in likely[max(likely)] if self.may_name(a, table)] if likely else []

    def _legal_of(self, ways: Iterable[Reading], table: T, most: int) -> tuple[list[A], int]:
        """What ways to read a line mean, whole or else less, that is legal and may be named; and
        how many actions were checked for it, at *most*."""
        known, ways, checked = self.legal_actions(table), list(ways), 0
        for actions in (self._meant, self._meant_less):
            meant = dict.fromkeys(action for way in ways for action in actions(way, table))
            some = [*islice(meant, most - checked)]
            checked += len(some)
            if found := [
                action
                for action in some
                if self.is_legal(action, table)
                and (not known or action in known)
                and self.may_name(action, table)
            ]:
                return found, checked
        return [], checked

    def _read_words(self, play: Play[T, A], words: Words, table: T) -> set[str]:
        """Those of *words* that mean something in a slot of the play."""
        return {
            word
            for at, slot in product(range(len(words)), play.slots.values())
            for meaning in slot.read(words, at, table)
            for word in words[at : at + meaning.words]
        }

    # -- verbs -------------------------------------------------------------------------------------

    def begun(self, word: str, table: T) -> list[Play[T, A]]:
        """The plays that begin with *word*, whole or its beginning: what is asked for first.
        AmbiguousInput if it begins several words of plays."""
        question = self.question(table)
        if whole := self.by_word.get(word):
            return sorted(whole, key=lambda p: (question not in p.asked, p.verb != word))
        shown = self.beginnings(word, table)
        if len(shown) > 1:
            wrong = '"{}" is ambiguous: {}?'
            raise AmbiguousInput(wrong, word, join_words(shown, "or"))
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
        more = ", or say more" if len(shown) < len(actions) else ""
        if not shown:
            raise AmbiguousInput("Several words are possible. Which one? Type: {}", play.listed)
        wrong = play.missing or "Several moves are possible."
        raise AmbiguousInput(f"{wrong} Type {{}}{{}}.", join_words(shown, "or"), more)

    def _strange(self, said: str, table: T) -> ParseError:
        """That *said* begins no play, and the plays there are now."""
        if not said:
            return ParseError("Which move? Type moves for a list.")
        now, short = self._now(table), shortened(said, QUOTED_MAX)
        if not now:
            return ParseError('You can\'t do "{}" now. Please wait until you are asked.', short)
        known = {word for p in now for word in p.first_words}
        near = typos.nearest(said, known)
        mean = f" Did you mean {join_words(near, 'or')}?" if near else ""
        listed = ", ".join(dict.fromkeys([play.listed for play in now if play.kind]))
        return ParseError('I don\'t understand "{}".{} You can: {}.', short, mean, listed)

    def _wrong(self, play: Play[T, A], words: Words, table: T) -> ParseError:
        """What says nothing of *words* after the verb of a play, and what could be typed: plays
        that agree with all the rest, if there are."""
        if play not in self._now(table):
            return self._strange(play.verb, table)
        if not play.slots:
            return ParseError("{} stands alone. Type: {}", play.phrase.capitalize(), play.phrase)
        words = words[:PARTS_MAX]
        known = self._fillers[play] | self._read_words(play, words, table)
        rest = [word for word in words if word in known]
        strange = next((word for word in words if word not in known), "")
        wrong = 'I don\'t understand "{}".' if words else "{}: something is missing."
        wrong = 'I don\'t understand "{}" here.' if strange else wrong
        way = next(iter(self.readings(play, rest, table)), Reading(play))
        fitting = self._agreeing(way, table) or self._agreeing(Reading(play), table)
        fitting = fitting or [a for a in self.examples(table) if type(a) is play.kind]
        some = dict.fromkeys([self.phrase(action, table) for action in fitting[:EXAMPLES_MAX]])
        said = shortened(strange or " ".join((play.verb, *words)), QUOTED_MAX)
        right = join_words([*some], "or") or play.listed
        if play.missing and not words:
            return ParseError(f"{play.missing} For example: {{}}", right)
        return ParseError(f"{wrong} You can type: {{}}.", said, right)

    def _now(self, table: T) -> Sequence[Play[T, A]]:
        """The plays there are now: those of legal actions, where the game lists these."""
        question, kinds = self.question(table), {type(a) for a in self.legal_actions(table)}
        return [p for p in self.plays if (p.kind in kinds if kinds else question in p.asked)]


# -- the words of a line, and slots that many games need -------------------------------------------


def _said(way: Reading) -> int:
    """The fewer, the more slots are said."""
    return -len({name for name, _ in way.said})


def normal(name: str) -> str:
    """A name as it is typed: small letters, no punctuation."""
    return " ".join(name.lower().translate(PUNCTUATION).translate(_SIGNS).split())


@lru_cache(maxsize=128)
def name_words(names: tuple[str, ...]) -> frozenset[str]:
    """All words of all names."""
    return frozenset(word for name in names for word in normal(name).split())


@lru_cache(maxsize=128)
def _beginnings(names: tuple[str, ...]) -> Mapping[str, Mapping[Seat, bool]]:
    """By text the seats whose names begin so, and whether they are called so."""
    found: dict[str, dict[Seat, bool]] = {}
    for number, name in enumerate(map(normal, names)):
        for end in range(1, len(name) + 1):
            found.setdefault(name[:end].rstrip(), {})[Seat(number)] = end == len(name)
    return found


def split(line: str, names: SeatNames, keep: str = "") -> list[str]:
    """The words of a line; `#` says nothing where it is not kept."""
    words = (
        line.lower().translate(PUNCTUATION).replace(" - ", " ").replace("#", keep or " ").split()
    )
    has_possessives = "'" in line or "’" in line or "`" in line
    return split_possessives(words, name_words(tuple(names))) if has_possessives else words


def called(seat: Seat, names: SeatNames) -> str:
    """How a player is typed; `seat 2` where two are called alike."""
    return typeable_names(tuple(names), normal)[seat]


def number_of(word: str) -> int | None:
    """The number that is typed in plain digits, up to 999."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 4 else None


def seat_of(word: str, names: SeatNames) -> Seat | None:
    """The seat whose number is typed, from 1."""
    number = number_of(word)
    return Seat(number - 1) if number is not None and 1 <= number <= len(names) else None


def player(
    others: Callable[[T], Sequence[Seat]], fillers: Container[str] = (), *, by_number: bool = False
) -> Slot[T]:
    """The slot of a player: whole names, `seat 2`, `me`, the beginnings of names.  Nobody named is
    whomever the rules allow; if they allow nobody, somebody for `check` to refuse.

    Args:
        others: Whom the play can name; the beginning of a name means them first.
        fillers: Words that are no beginning of a name, but at the end of a line that says more.
        by_number: Whether the number of the seat is enough.
    """

    def read(words: Words, at: int, table: T) -> Iterator[Meaning]:
        known, own, word = _beginnings(tuple(table.names)), table.view.seat, words[at]
        whole, begun = list[Meaning](), list[Meaning]()
        for end in range(at + 1, len(words) + 1):
            found = known.get(" ".join(words[at:end]), {})
            if not found:
                break
            whole += [Meaning(end - at, seat, WHOLE_NAME) for seat in found if found[seat]]
            begun += [Meaning(end - at, seat, PLAIN) for seat in found if not found[seat]]
        after = words[at + 1] if word == "seat" and at + 1 < len(words) else ""
        if (number := seat_of(after, table.names)) is not None:
            whole.append(Meaning(2, number, WHOLE_NAME, turns=len(whole) > 0))
        elif word in ("me", "myself") and own is not None and not whole:
            whole.append(Meaning(1, own, OWN_NAME))
        yield from [m._replace(rank=OWN_NAME) if m.value == own else m for m in whole]
        is_filler = word in fillers and (at + 1 < len(words) or all(w in fillers for w in words))
        if begun and not word.isdigit() and not is_filler:
            first = others(table)
            yield from [m for m in begun if m.value in first] or begun
        seat = seat_of(word, table.names)
        if by_number and seat is not None:
            yield Meaning(1, seat)

    return Slot(
        "NAME", read, lambda seat, _, table: called(seat, table.names),
        lambda table, legal: legal or [*others(table), table.me][:1],
    )  # fmt: skip


def choice(
    values: Mapping[str, Any] | Callable[[T], Mapping[str, Any]], form: str = "", **slot: Any
) -> Slot[T]:
    """The slot of one of some values, each by the text that means it."""

    def read(words: Words, at: int, table: T) -> Iterator[Meaning]:
        known = values(table) if callable(values) else values
        for end in range(at + 1, min(at + CHOICE_WORDS, len(words)) + 1):
            if (text := " ".join(words[at:end])) in known:
                yield Meaning(end - at, known[text])

    return Slot(form, read, **slot)


def marked(
    slot: Slot[T], before: str, after: str = "", *,
    plain: Callable[[Words, int, T], Iterable[Meaning]] | None = None, turns: int = 0,
) -> Slot[T]:  # fmt: skip
    """A slot that words may stand *before* or *after*, which mark it.

    Args:
        plain: Reads it without a mark before it; None: as with one.
        turns: How far it is off without a mark.
    """
    first, last = before.split(), after.split()

    def read(words: Words, at: int, table: T) -> Iterator[Meaning]:
        for start in range(at, min(at + MARKS_MAX, len(words))):
            reader = slot.read if start > at or plain is None else plain
            for meaning in reader(words, start, table):
                length, off = start - at + meaning.words, turns * (start == at)
                yield meaning._replace(words=length, turns=meaning.turns + off)
                if at + length < len(words) and words[at + length] in last:
                    yield meaning._replace(words=length + 1)
            if words[start] not in first:
                return

    return replace(slot, read=read)
