"""Other words for a move: what a line means that the grammar of a game does not read.

A game declares `Synonyms`: sentences as people type them, as patterns of a whole line, and what
each of them means: a line that the grammar reads.  `Reader` is its `parse`.

Rule 1: the grammar reads first, so that what it reads costs nothing more and means what it did;
        only `Synonyms.first` comes before it, for lines that it would take for something else and
        in which nobody is named.
Rule 2: strict in meaning as the grammar is: a pattern fits a whole line, each part of it says
        something, and what it leads to is read by the grammar.  So no word is passed over but what
        is polite.
Rule 3: two sentences that fit and mean two legal moves are asked back.
Rule 4: what is probably meant (`? MOVE`) and what is mistyped is offered with the whole line that
        `y` runs.  It is never done by itself.  If the rules forbid it now, the reason is told.
Rule 5: bounded: a line of at most LINE_MAX characters, WORDS_MAX words, TRIES_MAX corrections.
Rule 6: one move a line: of `MOVE then MOVE` none is made, and what is legal is said back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, product
from typing import Generic, TypeVar

from variants.contract import AmbiguousInput, ParseError, Refusal, SeatNames
from variants.kit import typos
from variants.kit.matcher import QUOTED_MAX, name_words
from variants.kit.text import join_words, shortened

LINE_MAX, WORDS_MAX = 200, 12  # of a line that is read a second time
PROSE_WORDS = 4  # so many, mostly strange ones, are no move
TRIES_MAX = 12  # corrections that are tried
OFFERED_MAX = 3  # corrections that are offered
PARTS_MAX = 4  # of a line, of which one may be a move
VERB_MIN, VERB_WORDS = 5, 7  # letters of a mistyped verb; words of a short line
ONE_MOVE, NOT_READ = "One move at a time. ", "I'm not sure what you mean. "
MEANT, TOLD = "? ", "! "  # before a move that is only offered, and before a sentence

_HEAD = re.compile(
    r"^(?:(?:please|i(?:'d| would|d) (?:quite |really )?(?:like|love)(?: very much)? to|i want to|"
    r"i want|i wanna|i'm going to|"
    r"im going to|i'm gonna|im gonna|gonna|going to|gotta|i need to|i have to|i think|i guess|"
    r"i'll|i will|"
    r"i'd rather|i'd better|better|let me|let's|lets|can you|could you|i|just|ok|okay|well|hmm|now|"
    r"then|actually|maybe|so|right) )+"
    r"(?=\S)"
)
_QUESTION = re.compile(r"^(?:can|could|may|should|shall|would|do) i (?:just )?(?=\S)")
_TAIL = re.compile(
    r"(?: (?:please|pls|plz|thanks|thank you|i guess|i think|i suppose|instead|dear|mate|for me|"
    r"thx|ty|lol|haha|hehe|lmao|ok|okay|bye|sorry|tbh|honestly|this time|for now|right now|"
    r"rn|atm))+$"
)
_SPELLED = re.compile(r"\b(?:[a-z]-){2,}[a-z]\b")  # c-o-a-t
_BEGINS_WITH_LETTER = re.compile(r"[a-z] .+ ")  # which is no verb, with so much behind it
_THEN = re.compile(r" (?:and )?then ")
_ASKS = re.compile(
    r"(?:what|whats|how|who|whos|which|why|when|where|is|are|am|was|does|do|did)\b.*|.*\?\W*",
    re.DOTALL,
)
_PARTS = re.compile(r"[,.;!?]+|\b(?:and then|then|and|but|so)\b")
_CALLS = re.compile(r"\s*\w+\s*[,:]")  # somebody
_ENDINGS = ("s", "es", "ed", "d", "ing", "in'")  # of another form of a verb
_IS_NOT = frozenset(("not", "don't", "dont", "never", "won't", "wont", "no", "can't", "cant"))
_SHORT = {"gimme": "give me", "wanna": "want to", "im": "i'm", "ill": "i'll"}
_ENDS = " .,;:!?"
_SIGNS = str.maketrans('’`,.;:!?"()', "''         ")

_NOTHING = frozenset(
    ("the", "my", "your", "his", "her", "their", "an", "of", "to", "with", "from", "and", "card",
     "cards", "hand", "hands", "deck", "pile", "discard", "table", "it", "them", "this", "that",
     "some", "any")
)  # fmt: skip

V = TypeVar("V")  # the view of a game
A = TypeVar("A")  # its actions
Rows = Sequence[tuple[str, str]]


def plain(line: str) -> str:
    """A line in small letters, without the signs that say nothing."""
    spelled = _SPELLED.sub(lambda found: found[0].replace("-", ""), line.lower())
    words = (
        spelled.replace("->", " to ")
        .replace(">", " to ")
        .replace("w/", "with ")
        .translate(_SIGNS)
        .split()
    )
    return " ".join([_SHORT.get(word, word) for word in words])


def polite(said: str) -> str:
    """What is said without `please` and the like."""
    return _HEAD.sub("", _TAIL.sub("", said))


def by_line(rows: Mapping[str, str]) -> Mapping[str, str]:
    """(meaning -> lines with `|` between them) by line."""
    return {line: meaning for meaning, lines in rows.items() for line in lines.split("|")}


_UNREAD = by_line(
    {
        "": (
            "a|i|u|an|the|my|your|his|her|their|our|this|that|it|its|them|they|he|"
            "she|you|we|me|us|is|are|am|be|i'm|i'll|i'd|i've|let|let's|lets|lemme|"
            "please|pls|plz|thanks|ok|okay|so|just|then|and|but|now|here|there|will|"
            "would|can|could|should|shall|may|might|if|do|does|did|want|wanna|like|"
            "likes|to|of|one|some|any|hey|come|on|well|oh|yes|yeah|yep|guess|think|"
            "maybe|instead|again|too|also|right|away|gonna|going|go|have|has|had|got|"
            "get|rid|sorry|bye|all|yours|mine|off|because|cos|since|been|yet|already|even|still|"
            "really|up|down|together|around|both|everybody|everyone|everybody's|everyone's|be|made|"
            "back|over|must|has|needs|need|time|again|another|more"
        )
    }
)
"""Talk, rather than letters and parts of a move."""


def _verb_of(word: str, verbs: Collection[str]) -> str:
    """The verb of which a word is a form, as `swaps` and `grabbing` are; else the word."""
    stems = [word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending)]
    forms = [form for stem in stems for form in (stem, f"{stem}e", stem[:-1])]
    return next((form for form in (word, *forms) if form in verbs), word)


def _with_owners(said: str, names: SeatNames) -> str:
    """What is said with `Bob's` where it says `bobs`."""
    owners = {f"{name}s": f"{name}'s" for name in name_words(tuple(names))}
    return " ".join([owners.get(word, word) for word in said.split()])


def _says_nothing(part: str) -> bool:
    """Whether a part names nobody and nothing: `rob the hand` is not meant for the only victim."""
    return bool(part) and _NOTHING.issuperset(part.split())


@dataclass(frozen=True)
class Synonyms:
    """By window, as the game names it; "" goes with every window and comes after the others."""

    rows: Mapping[str, Rows]
    """(pattern of a whole line, in small letters; what it means).  `\1` is what stood there."""
    first: Mapping[str, Rows] = field(default_factory=dict)
    """(whole lines with `|` between them; what each means, whatever the grammar makes of it)."""
    verbs: Mapping[str, str] = field(default_factory=dict)
    """By verb of the game other words that people use for it: where a line is guessed at."""

    @cached_property
    def patterns(self) -> Mapping[str, Sequence[tuple[re.Pattern[str], str]]]:
        return {w: [(re.compile(p), meaning) for p, meaning in r] for w, r in self.rows.items()}

    @cached_property
    def lines(self) -> Mapping[str, Mapping[str, str]]:
        found: dict[str, dict[str, str]] = {}
        for window, rows in self.first.items():
            by_line = found.setdefault(window, {})
            by_line |= {line: meaning for lines, meaning in rows for line in lines.split("|")}
        return found

    @cached_property
    def guessed_verbs(self) -> frozenset[str]:
        return frozenset(word for verb in self.verbs.items() for word in " ".join(verb).split())

    @cached_property
    def all_lines(self) -> frozenset[str]:
        return frozenset(line for lines in self.lines.values() for line in lines)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of all patterns that stand there whole."""
        patterns = " ".join([pattern for rows in self.rows.values() for pattern, _ in rows])
        return frozenset(re.findall(r"(?<![\\a-z?])[a-z]{4,}(?![a-z?*{]|\()", patterns))


@dataclass(frozen=True)
class Reader(Generic[V, A]):
    """`Variant.parse` of a game that has synonyms."""

    parse: Callable[[str, V, SeatNames], A]  # by the grammar alone
    phrase: Callable[[A, V, SeatNames], str]
    check: Callable[[V, A], None]
    windows: Callable[[V], Sequence[str]]
    """Those of the synonyms that are open for this seat, the narrowest first."""
    synonyms: Synonyms
    words: Callable[[V], Iterable[str]]
    """Words that a line may hold, besides those of synonyms and the names of players."""
    guesses: Callable[[str, V, SeatNames, Mapping[str, str]], Sequence[A]]
    """(line, view, names, `Synonyms.verbs`) -> `Grammar.guesses`"""
    is_word: Callable[[str, V], bool] = lambda word, view: False
    """Whether any other word stands for itself, so that it is not mistyped."""
    why_not: Callable[[Sequence[str], V], Refusal | None] = lambda words, view: None
    """Why what the words of a line speak of cannot be done at all now."""

    def __call__(self, line: str, view: V, names: SeatNames) -> A:
        """What a line means for this seat.  ParseError, AmbiguousInput: what could be typed."""
        try:
            return self._plainly(line, view, names)
        except (ParseError, AmbiguousInput) as refusal:
            said = plain(line)
            is_short_verb = bool(_BEGINS_WITH_LETTER.match(said))
            is_clear = isinstance(refusal, AmbiguousInput) and not is_short_verb
            if is_clear or not said or len(said) > LINE_MAX:
                raise
            strange = refusal
        if isinstance(strange, ParseError):
            move = self._first_of_several(said, view, names)
            if move is not None:
                return move
            self._offer_corrected(said, view, names)
        self._offer_guessed(line, view, names)
        if isinstance(strange, ParseError):
            if reason := self.why_not(polite(said).split(), view):
                strange = ParseError(reason.template, *reason.values)
            strange.is_question = bool(_ASKS.fullmatch(line.strip().lower()))
            strange.is_talk = self._is_talk(said.split(), view, names)
        raise strange

    def _plainly(self, line: str, view: V, names: SeatNames) -> A:
        """What a line says by the grammar, or in other words that are known."""
        said = plain(line)
        is_first = line.lower().strip(_ENDS) in self.synonyms.all_lines
        if is_first and (meaning := self._meaning_of(said, view, names)):
            return self._read([meaning], view, names)
        try:
            return self.parse(line, view, names)
        except (ParseError, AmbiguousInput) as refusal:
            is_clear = isinstance(refusal, AmbiguousInput) and polite(said) == said
            is_clear = is_clear and not _BEGINS_WITH_LETTER.match(said)
            if is_clear or not said or len(said) > LINE_MAX:
                raise
            strange = refusal
        try:
            return self._read(self._meanings(said, view, names), view, names)
        except ParseError as refusal:
            is_letter = bool(_BEGINS_WITH_LETTER.match(said))
            is_said = refusal.template and (is_letter or not isinstance(strange, AmbiguousInput))
            raise (refusal if is_said else strange) from None

    def _is_talk(self, typed: Sequence[str], view: V, names: SeatNames) -> bool:
        """Whether a line that means nothing does not begin as a move does, or calls somebody."""
        people = name_words(tuple(names))
        calls = typed[-1] in people and typed[0] not in self.words(view)
        known = self._known(view)
        strange = [word not in known for word in typed]
        is_prose = len(typed) >= PROSE_WORDS and 2 * sum(strange) > len(typed)
        return calls or typed[0] in people or strange[0] or is_prose

    def _first_of_several(self, said: str, view: V, names: SeatNames) -> A | None:
        """Of a line that means several moves, one after the other, the first if it is forbidden,
        for `check`; ParseError, which offers the legal ones; None: it does not mean that."""
        parts = _THEN.split(said)
        if not 1 < len(parts) <= OFFERED_MAX:
            return None
        try:
            moves = [self._plainly(part, view, names) for part in parts]
        except ParseError:
            return None
        if not self._is_legal(moves[0], view):
            return moves[0]
        legal = [self.phrase(move, view, names) for move in moves if self._is_legal(move, view)]
        raise self._offer([*dict.fromkeys(legal)], ONE_MOVE)

    def _known(self, view: V) -> set[str]:
        return {*self.synonyms.words, *self.words(view)}

    def _meaning_of(self, said: str, view: V, names: SeatNames) -> str:
        """What `first` says of a whole line; "": nothing, or it names somebody."""
        if not name_words(tuple(names)).isdisjoint(said.split()):
            return ""
        by_window = self.synonyms.lines
        found = [by_window.get(window, {}).get(said, "") for window in (*self.windows(view), "")]
        return next(filter(None, found), "")

    def _meanings(self, said: str, view: V, names: SeatNames) -> list[str]:
        """What a line could mean: lines that the grammar reads, `?` and `!`, the best first."""
        wish = polite(_with_owners(said, names))
        asked = _QUESTION.sub("", wish)
        found = [self._meaning_of(asked, view, names), asked]
        found = [line for line in found if line and line != said]
        for window in (*self.windows(view), ""):
            for pattern, meaning in self.synonyms.patterns.get(window, ()):
                match = pattern.fullmatch(asked)
                if match and not any(_says_nothing(part) for part in match.groups("")):
                    found.append(" ".join(match.expand(meaning).split()))
        if asked == wish:
            return found
        # who asks whether it can be done has not decided
        return [line if line.startswith((MEANT, TOLD)) else MEANT + line for line in found]

    def _read(self, meanings: Sequence[str], view: V, names: SeatNames) -> A:
        """The one legal move that the *meanings* have, else what is probably meant, else one for
        `check`; a ParseError without a text: they have none."""
        legal, others = list[A](), list[A]()
        refusals, forbidden = list[Refusal](), list[Refusal]()
        for meaning in meanings:
            if meaning.startswith(TOLD):
                refusals.append(AmbiguousInput(meaning.removeprefix(TOLD)))
                continue
            try:
                action = self.parse(meaning.removeprefix(MEANT), view, names)
            except Refusal as refusal:
                if isinstance(refusal, AmbiguousInput) or not meaning.startswith(MEANT):
                    refusals.append(refusal)
                continue
            if meaning.startswith(MEANT):
                if reason := self._refused(action, view, names):
                    forbidden.append(AmbiguousInput(reason.template, *reason.values))
                else:
                    refusals.append(self._offer([self.phrase(action, view, names)]))
            elif action not in (*legal, *others):
                (legal if self._is_legal(action, view) else others).append(action)
        if len(legal) > 1:
            raise self._offer([self.phrase(action, view, names) for action in legal])
        refusals += forbidden
        questions = [each for each in refusals if isinstance(each, AmbiguousInput)]
        if questions and not legal:
            raise questions[0]
        for action in (*legal, *others):
            return action
        raise next(iter(refusals), ParseError(""))

    def _is_legal(self, action: A, view: V) -> bool:
        try:
            self.check(view, action)
        except Refusal:
            return False
        return True

    def _offer(self, moves: Sequence[str], wrong: str = "") -> Refusal:
        """The question whether one of *moves* is meant; `y` runs it if it is the only one."""
        quoted = join_words([f'"{move}"' for move in moves[:OFFERED_MAX]], "or")
        last = " Type y to run it." if len(moves) == 1 else ""
        kind = ParseError if wrong else AmbiguousInput
        question = kind("{}Did you mean {}?{}", wrong, quoted, last)
        question.suggestion = moves[0] if len(moves) == 1 else ""
        return question

    def _offer_corrected(self, said: str, view: V, names: SeatNames) -> None:
        """ParseError if words of the line are mistyped, and it means something without that."""
        said = _with_owners(said, names)
        typed = said.split()
        known = self._known(view) | name_words(tuple(names)) | _NOTHING
        known |= _UNREAD.keys()
        strange = [w for w in typed if w.isalpha() and not (w in known or self.is_word(w, view))]
        near = [typos.nearest(w, known) if w in strange else [] for w in typed]
        if len(typed) > WORDS_MAX or not any(near):
            return
        found: dict[str, str] = {}  # the line by what it means
        ways = product(*[[*words, word] for words, word in zip(near, typed, strict=True)])
        for way in islice(ways, TRIES_MAX):
            line = " ".join(way)
            if line != said and (meaning := self._sense(line, view, names)):
                found.setdefault(meaning, line)
        if lines := [*found.values()]:
            at = next(n for n, word in enumerate(lines[0].split()) if word != typed[n])
            wrong = 'I don\'t understand "{}". ' if at else 'Unknown command "{}". '
            raise self._offer(lines, wrong.format(shortened(typed[at], QUOTED_MAX)))

    def _offer_guessed(self, line: str, view: V, names: SeatNames) -> None:
        """ParseError if a part of the line means a legal move, or some words of it, and not too
        few, do."""
        people = name_words(tuple(names))
        first, *others = plain(line).split() or [""]
        is_order = bool(others) and others[0] in self.synonyms.verbs
        is_talk = _CALLS.match(line) and first in people and not is_order
        if is_talk:
            return
        # The game says best what is wrong with a short line that begins as a move does.
        has_guesses = first not in self.synonyms.verbs or len(others) >= VERB_WORDS
        parts = [plain(part) for part in _PARTS.split(line) if part.strip(_ENDS)]
        parts = parts if 1 < len(parts) <= PARTS_MAX else []
        senses = [self._sense_of_part(part, view, names) for part in parts]
        moves = dict.fromkeys([sense for sense, _ in senses if sense])
        told = [a for part, (_, a) in zip(parts, senses, strict=True) if " " in polite(part)]
        forbidden = dict.fromkeys([action for action in told if action is not None])
        vague = [part for part, sense in zip(parts, senses, strict=True) if sense == ("", None)]
        wholes = [] if moves or forbidden else [plain(line), " ".join(parts[:2])]
        for some in dict.fromkeys([*wholes, *vague]) if has_guesses else ():
            if some in wholes and moves:
                continue
            for action in self._guessed(some.split(), view, names):
                if self._is_legal(action, view):
                    moves[self.phrase(action, view, names)] = None
                elif some in wholes:
                    forbidden[action] = None
        guess, has_move = None, len(vague) < len(parts)
        if moves:
            listed = [*moves]
            few = self._offer(listed, NOT_READ)
            many = ParseError(f"{NOT_READ}You can type, for example: {{}}", listed[0])
            guess = few if len(listed) <= OFFERED_MAX else many
        elif len(forbidden) == 1 and self.windows(view):
            guess = self._refused(next(iter(forbidden)), view, names)
        if guess is not None:
            guess.is_guess, guess.has_move = True, has_move
            raise guess

    def _refused(self, action: A, view: V, names: SeatNames) -> Refusal | None:
        """What is said of a move that a line probably means, and that is forbidden."""
        try:
            self.check(view, action)
        except Refusal as reason:
            move = self.phrase(action, view, names)
            return ParseError('Did you mean "{}"? {}', move, reason.format(names))
        return None

    def _guessed(self, typed: Sequence[str], view: V, names: SeatNames) -> list[A]:
        """The moves that some words of a line mean, if one is legal these alone."""
        people, verbs = name_words(tuple(names)), self.synonyms.guessed_verbs
        # `no, the ten to Bob` forbids nothing
        if not typed or _IS_NOT.intersection(typed[typed[0] == "no" :]):
            return []
        near = {word: typos.nearest(word, verbs) for word in typed if len(word) >= VERB_MIN}
        read = [near[word][0] if len(near.get(word, ())) == 1 else word for word in typed]
        read = [_verb_of(word, verbs) for word in _with_owners(" ".join(read), names).split()]
        clear = [word for word in read if word not in _UNREAD or word in people]
        vague = [word for word in read if word in clear or word in verbs]  # `get`, `have`
        found: Sequence[A] = ()
        for words in dict.fromkeys((" ".join(vague), " ".join(clear))):
            if words and not any(self._is_legal(move, view) for move in found):
                found = self.guesses(words, view, names, self.synonyms.verbs) or found
        begun = typed[0] if typed[0] in self.synonyms.verbs else ""
        return [m for m in found if begun in ("", self.phrase(m, view, names).split()[0])]

    def _sense_of_part(self, said: str, view: V, names: SeatNames) -> tuple[str, A | None]:
        """The legal move that a sentence means, or the forbidden one; nothing: none, or several."""
        forbidden: A | None = None
        for meanings in ([said], self._meanings(said, view, names)):
            try:
                action = self._read(meanings, view, names)
            except Refusal as question:
                if question.suggestion:
                    return question.suggestion, None
                continue
            if self._is_legal(action, view):
                return self.phrase(action, view, names), None
            forbidden = action if forbidden is None else forbidden
        return "", forbidden

    def _sense(self, line: str, view: V, names: SeatNames) -> str:
        """The move that a line means, or the question that is asked back; "": it means nothing."""
        for meanings in ([line], self._meanings(line, view, names)):
            try:
                return self.phrase(self._read(meanings, view, names), view, names)
            except AmbiguousInput as question:
                return question.format(names)
            except Refusal:
                continue
        return ""
