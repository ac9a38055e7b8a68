"""States that fit what one seat sees and has heard, drawn by chance.

Rule 1: the true state is no parameter; what comes out can only repeat what went in.  [G-14]
Rule 2: every world is legal: all letters of the box and both End of Round cards, the counts hold,
        nobody holds two End of Round cards, every seat has a manifest and an indicator of its own.
Rule 3: what was heard is used as far as it is certain: letters shown in hands, the discard pile,
        locked words, who cannot hold End of Round, who ended the round and how.  All else that
        fits is equally likely.  [G-18]
Rule 4: of fresh manifests the own one and those that were turned up are known, the others are made
        anew.  Who holds which of them is any, whatever words lie there.
Rule 5: who has not listened gets words and letters that fit what lies there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from variants.contract import Chance, Seat
from variants.words.actions import Offer
from variants.words.data.box import END_OF_ROUND, Box, Indicator, Manifest, sets_of
from variants.words.events import Event, Removal, Word
from variants.words.legal_actions import legal_removals
from variants.words.lexicon.dictionary import Dictionary, dictionary
from variants.words.lexicon.lexicon import LETTERS_MAX, Lexicon
from variants.words.lexicon.multiset import letter_cards
from variants.words.manifests.maker import maker_for
from variants.words.public_knowledge import (
    HandPool,
    RoundKnowledge,
    ends_in_other_hands,
    known_manifests,
)
from variants.words.state import Player, Reply, State
from variants.words.view import NOT_TOLD, View

TRIES = 24  # handfuls of letters in which a word is looked for that was not heard of


def sample_states(
    box: Box, lexicon: Lexicon, view: View, seen_events: Sequence[Event], chance: Chance
) -> Iterator[State]:
    """Endless states that fit.  ValueError if there is none: no view of a game is like that.

    Args:
        box: The printed one, beside which fresh manifests are made.
    """
    words = dictionary(lexicon, view.box, view.settings.level)
    heard = RoundKnowledge(view, seen_events)
    turned_up = known_manifests(view, seen_events)
    whole = view.box
    while True:
        if view.settings.has_fresh:
            whole = _box_with_fresh(box, lexicon, view, turned_up, chance)
        yield _StateSampler(words, whole, view, heard, chance).state()


def _box_with_fresh(
    box: Box, lexicon: Lexicon, view: View, turned_up: Sequence[Manifest], chance: Chance
) -> Box:
    """The public box with the known manifests, and new ones in place of the others."""
    known = {card.id: card for card in turned_up}
    if view.manifest:
        known[view.manifest.id] = view.manifest
    used = [word for card in known.values() for words in card.sets for word in words]
    printed = replace(view.box, manifests=box.manifests)
    made = maker_for(lexicon, printed).cards(chance, used)
    others = (card for card in made if not (view.manifest and _shares_word(card, view.manifest)))
    ids = (f"X{number}" for number in count(1))
    free = (id_ for id_ in ids if id_ not in known)
    while len(known) < len(box.manifests):
        id_ = next(free)
        known[id_] = replace(next(others), id=id_)
    return replace(view.box, manifests=tuple(known.values()))


def _shares_word(one: Manifest, other: Manifest) -> bool:
    return any(sets_of(other, word) for words in one.sets for word in words)


@dataclass
class _StateSampler:
    """One state in the making: letters leave `free` as they find their place."""

    words: Dictionary
    box: Box
    view: View
    knowledge: RoundKnowledge
    chance: Chance

    def __post_init__(self) -> None:
        self.seats = range(len(self.view.seats))
        self.free = Counter({entry.letter: entry.number for entry in self.view.box.letters})

    def state(self) -> State:
        view = self.view
        self._take(letter_cards(view.hand))
        pools = self.knowledge.letter_knowledge.known_pools()
        for pool in pools:
            self._take(pool.letters.elements())
        known_discards = self._known_discards()
        self._take(known_discards)
        words = self._laid()
        ends = self._ends(pools)
        hands = self._hands(pools, ends)
        rest = list(self.chance.shuffled(sorted(self.free.elements())))
        for seat in self.seats:
            if seat != view.seat:
                missing = view.seats[seat].cards - len(hands[seat])
                hands[seat] += _take_first(rest, missing)
        buried = _take_first(rest, view.discards - len(known_discards))
        if len(rest) != view.pile:
            raise ValueError("no state fits this view")
        players = self._players(hands, words)
        return State(
            box=self.box,
            settings=view.settings,
            players=players,
            seats=len(view.seats),
            totals=tuple([it.total for it in view.seats]),
            round=view.round,
            starter=view.starter,
            turn=view.turn,
            number=view.number,
            phase=view.phase,
            drawn=view.drawn,
            pile=tuple(rest),
            discards=(*buried, *known_discards),
            words=words,
            next_word=self.knowledge.next_word,
            traded=view.traded,
            stolen=view.stolen,
            added=view.added,
            changes=view.changes,
            tapped=view.tapped,
            offers=self._offers(players),
            removers=view.removers,
            replies=self._replies(players, words),
            quiet=view.quiet,
            still=view.still,
            is_end_played=view.is_end_played,
            last=view.last,
            ended=view.ended,
        )

    def _take(self, letters: Iterable[str]) -> None:
        for letter in letters:
            if self.free[letter] < 1:
                raise ValueError(f"no state fits this view: no {letter} is left")
            self.free[letter] -= 1

    # -- where letters lie ---------------------------------------------------------------------

    def _known_discards(self) -> list[str]:
        """The upper end of the discard pile, top last."""
        known = (
            self.knowledge.letter_knowledge.discards[-self.view.discards :]
            if self.view.discards
            else []
        )
        if known and known[-1] == self.view.top:
            return known
        return [self.view.top] if self.view.top else []

    def _laid(self) -> tuple[Word, ...]:
        """The words on the table; a locked one as it was when it was made."""
        spelled: dict[int, str] = {}
        unknown = []
        for word in self.view.words:
            heard = self.knowledge.letter_knowledge.words.get(word.number)
            spelling = word.spelling or (heard.spelling if heard else "")
            if len(spelling) == word.length:
                spelled[word.number] = spelling
                self._take(spelling)
            else:
                unknown.append(word)
        for word in unknown:
            spelled[word.number] = self._spelling(word.length)
            self._take(spelled[word.number])
        return tuple(
            [Word(w.number, w.owner, spelled[w.number], w.is_locked) for w in self.view.words]
        )

    def _spelling(self, length: int) -> str:
        """Some word of that length; where none is found, the letters alone: they stay hidden."""
        letters: Sequence[str] = ()
        for _ in range(TRIES):
            letters = self.chance.shuffled(sorted(self.free.elements()))
            some = "".join(letters[: min(LETTERS_MAX, 2 * length)])
            found = sorted({w for w in self.words.within(some, length) if len(w) == length})
            if found:
                return found[self.chance.below(len(found))]
        if len(letters) < length:
            raise ValueError("no state fits this view")
        return "".join(letters[:length])

    # -- hands ---------------------------------------------------------------------------------

    def _ends(self, pools: Sequence[HandPool]) -> set[Seat]:
        """The others who hold End of Round in this world."""
        view, ending = self.view, self.knowledge.ending
        number = ends_in_other_hands(view)
        room = {Seat(s): view.seats[s].cards for s in self.seats if s != view.seat}
        possible = [seat for seat, cards in room.items() if cards]
        possible = [s for s in possible if s not in self.knowledge.empty_handed_seats] or possible
        order = list(self.chance.shuffled(possible))
        if ending and ending.why == "out" and ending.seat in order:  # its last card
            order.remove(ending.seat)
            order.insert(0, ending.seat)
        held: set[Seat] = set()
        for seat in order:
            others = (held | {seat}) if len(held) < number else held
            if self._can_offer(others) and all(_fits(pool, room, others) for pool in pools):
                held = others
        if len(held) != number:
            raise ValueError("no state fits this view: nobody can hold End of Round")
        return held

    def _can_offer(self, ends: set[Seat]) -> bool:
        """Whether who is trading has a letter for each partner.  [WR-25]"""
        view = self.view
        return view.seats[view.turn].cards - (view.turn in ends) >= len(view.partners)

    def _hands(self, pools: Sequence[HandPool], ends: set[Seat]) -> list[list[str]]:
        """Known letters and End of Round cards; what is missing is filled up by chance."""
        view = self.view
        hands = [[END_OF_ROUND] * (seat in ends) for seat in map(Seat, self.seats)]
        if view.seat is not None:
            hands[view.seat] = list(view.hand)
        for pool in pools:
            for letter in self.chance.shuffled(sorted(pool.letters.elements())):
                open_ = [s for s in pool.seats if len(hands[s]) < view.seats[s].cards]
                hands[open_[self.chance.below(len(open_))]].append(letter)
        return hands

    def _players(self, hands: Sequence[Sequence[str]], words: Sequence[Word]) -> tuple[Player, ...]:
        view = self.view
        manifests, indicators = self._manifests(words), self._indicators()
        players = []
        for seat in self.seats:
            hand = tuple(hands[seat])
            if seat != view.seat:
                hand = self.chance.shuffled(hand)
            players.append(Player(manifests[seat], indicators[seat], hand))
        return tuple(players)

    def _manifests(self, words: Sequence[Word]) -> list[Manifest]:
        """After the last round all are turned up; before, those of others are any that fit."""
        view = self.view
        if view.ended:
            return [sheet.manifest for sheet in view.last]
        rest = list(self.chance.shuffled([m for m in self.box.manifests if m != view.manifest]))
        found: dict[int, Manifest] = {}
        if view.seat is not None and view.manifest is not None:
            found[view.seat] = view.manifest
        ending = self.knowledge.ending
        if ending and ending.seat not in found and not view.settings.has_fresh:
            own = [word for word in words if word.owner == ending.seat]
            fits = [card for card in rest if _may_have_ended(card, ending.why, own)]
            if fits:
                found[ending.seat] = fits[0]
                rest.remove(fits[0])
        for seat in self.seats:
            if seat not in found:
                found[seat] = rest.pop()
        return [found[seat] for seat in self.seats]

    def _indicators(self) -> list[Indicator]:
        view = self.view
        if view.ended:
            return [sheet.indicator for sheet in view.last]
        rest = list(self.chance.shuffled([i for i in view.box.indicators if i != view.indicator]))
        return [
            view.indicator if seat == view.seat and view.indicator else rest.pop()
            for seat in self.seats
        ]

    # -- sealed windows ------------------------------------------------------------------------

    def _offers(self, players: Sequence[Player]) -> tuple[Offer, ...]:
        """In a trade; who does not know the letters gets any of that hand."""
        view = self.view
        if view.offers or not view.partners:
            return view.offers
        letters = self.chance.shuffled(letter_cards(players[view.turn].hand))
        return tuple([Offer(to, x) for to, x in zip(view.partners, letters, strict=False)])

    def _replies(self, players: Sequence[Player], words: Sequence[Word]) -> tuple[Reply, ...]:
        """So many answers as are given; whose they are is not known but for the own."""
        view = self.view
        asked = {"trade": view.partners, "removal": view.removers}.get(view.phase, ())
        given = len(asked) - view.missing if view.missing != NOT_TOLD else view.has_answered
        answered = list(self.chance.shuffled([seat for seat in asked if seat != view.seat]))
        if view.has_answered and view.seat is not None:
            answered.insert(0, view.seat)
        return tuple([self._reply(seat, players, words) for seat in answered[:given]])

    def _reply(self, seat: Seat, players: Sequence[Player], words: Sequence[Word]) -> Reply:
        view = self.view
        if seat == view.seat:
            return Reply(seat, view.answer, view.removal)
        if view.phase == "trade":
            letters = letter_cards(players[seat].hand)
            return Reply(seat, letters[self.chance.below(len(letters))])
        possible = legal_removals(self.words, [word for word in words if word.owner == seat])
        at = self.chance.below(len(possible) + 1)
        if at == len(possible):
            return Reply(seat)
        it = possible[at]
        return Reply(seat, removal=Removal(it.word, it.letter, it.leaving))


def _take_first(cards: list[str], number: int) -> list[str]:
    """The first of *cards*, which lose them."""
    if not 0 <= number <= len(cards):
        raise ValueError("no state fits this view")
    found, cards[:] = cards[:number], cards[number:]
    return found


def _fits(pool: HandPool, room: dict[Seat, int], ends: set[Seat]) -> bool:
    """Whether hands have room for their known letters beside the End of Round cards."""
    places = sum([room[seat] - (seat in ends) for seat in pool.seats])
    return pool.letters.total() <= places


def _may_have_ended(card: Manifest, why: str, own: Sequence[Word]) -> bool:
    """Whether who holds this card could end the round like that.  [WR-44] [WR-48]"""
    if why == "out":
        return all(sets_of(card, word.spelling) for word in own)
    exposed = [word for word in own if not word.is_locked]
    return why != "end" or any(sets_of(card, word.spelling) for word in exposed)
