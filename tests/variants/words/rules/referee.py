"""A second set of rules for the word game, written from the text alone, to check the first.

Rule 1: nothing here but types comes from the rule book under test.
Rule 2: the game is told as the text tells it: a round and a turn are loops, and a question is a
        `yield` that waits for the answer.  There is no state to fold.
Rule 3: chance speaks only where a round is dealt.  That event is read, and held against the text;
        everything else is worked out again, event by event and letter by letter.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Iterable, Sequence
from typing import Any

from tests.variants.words.rules.referee_laws import END, Laid, Person, Table, Words
from variants.contract import Outcome, Seat
from variants.words import actions as a
from variants.words import events as e
from variants.words.state import State

Answered = tuple[int, Any]
Told = Generator[None, Answered, Any]
"""A piece of the game: yields where somebody has to answer, is sent (seat, action)."""


class Over(Exception):
    """The game has ended."""


class Referee:
    """Plays along with one game, from its first events on."""

    def __init__(self, events: Sequence[Any]) -> None:
        begun = events[0]
        assert isinstance(begun, e.GameBegun)
        self.box, self.settings, self.seats = begun.box, begun.settings, begun.seats
        self.words = Words(begun.box, begun.settings.level)
        self.totals, self.round, self.starter = [0] * self.seats, 0, -1
        self.quiet, self.still, self.number, self.reason = 0, 0, 0, ""
        self.table = Table(self.box, self.settings, [], self.words, [], [])
        self.said: list[Any] = [begun]
        self._dealt: deque[e.RoundBegun] = deque()
        self._driver = self._game()
        self._go_on(None, events)

    @property
    def owing(self) -> list[int]:
        return self.table.owing

    def lists(self, seat: int, listed: Sequence[Any]) -> None:
        for action in listed:
            assert self.table.allows(seat, action), action

    def follows(self, seat: int, action: Any, events: Sequence[Any]) -> None:
        """The rule book says *events* of *action*: so must the text."""
        assert self.table.allows(seat, action), (seat, action)
        self.said = []
        self._go_on((seat, action), events)

    def _go_on(self, answer: Answered | None, events: Sequence[Any]) -> None:
        self._dealt.extend(event for event in events if isinstance(event, e.RoundBegun))
        try:
            self._driver.send(answer)  # type: ignore[arg-type]
        except StopIteration:
            self.table.owing = []
        assert self.said == list(events), (self.said, events)

    def _say(self, event: Any) -> None:
        self.said.append(event)

    # -- the game and its rounds ---------------------------------------------------------------

    def _game(self) -> Told:
        while not self.reason:
            self._deal()
            yield from self._play_round()
            yield from self._removal()
            self._score()
        self._say(e.GameEnded(tuple(self.totals), self.reason))

    def _deal(self) -> None:
        """As the event says, if that is a deal at all."""
        event = self._dealt.popleft()
        n, self.round = self.seats, self.round + 1
        hands = [list(hand or ()) for hand in event.hands]
        pile, discards = list(event.pile or ()), list(event.discards)
        cards = Counter([*pile, *discards, *(card for hand in hands for card in hand)])
        assert cards == Counter({x.letter: x.number for x in self.box.letters}) + Counter({END: 2})
        assert [len(hand) for hand in hands] == [7] * n and len(discards) == 1
        assert all(END not in hand[:6] for hand in hands)  # it comes with the mixed packet
        assert len(pile) == event.pile_count == sum(cards.values()) - 7 * n - 1
        manifests = [manifest for manifest in event.manifests if manifest in self.box.manifests]
        indicators = [each for each in event.indicators if each in self.box.indicators]
        assert len({m.id for m in manifests if m}) == len({i.id for i in indicators if i}) == n
        is_next = event.starter == (self.starter + 1) % n or self.round == 1
        assert event.number == self.round and is_next
        self.starter = event.starter
        people = [
            Person(manifest, indicator, hand)
            for manifest, indicator, hand in zip(manifests, indicators, hands, strict=True)
            if manifest and indicator
        ]
        self.table = Table(self.box, self.settings, people, self.words, pile, discards)
        self._say(event)

    def _play_round(self) -> Told:
        self.quiet = self.still = self.number = 0
        seat, why = self.starter, ""
        while not why:
            why = yield from self._turn(seat)
            if why:
                self._say(e.RoundEnding(Seat(seat), why))
            if why == "end":
                self.table.people[seat].hand.remove(END)  # it lies open, and is held no more
            seat = (seat + 1) % self.seats

    # -- a turn --------------------------------------------------------------------------------

    def _turn(self, me: int) -> Told:
        """Why the round ends with it; "" if it goes on."""
        table, hand = self.table, self.table.people[me].hand
        table.turn, table.drawn, table.changes, table.added = me, 0, 0, []
        table.has_traded = table.has_stolen = False
        self.number += 1
        before = len(table.pile)
        self._say(e.TurnStarted(Seat(me), self.number))
        table.phase = "draw"
        yield from self._draw(me, 2)
        self._open(me, "main")
        while not isinstance(action := (yield from self._ask(me)), a.Done):
            if isinstance(action, a.Out):
                return "out"
            yield from self._option(me, action)
        if len(hand) > 7 or (len(hand) < 7 and table.sources()):
            is_drawn_by_itself = len(hand) < 7 and not (table.pile and table.discards)
            self._open(me, "settle", has_choice=not is_drawn_by_itself)
        while len(hand) > 7:
            discard = yield from self._ask(me)
            for letter in discard.letters:
                self._lose_latest(me, letter)
                table.discards.append(letter)
                self._say(e.LetterDiscarded(Seat(me), letter))
        yield from self._draw(me, 7 - len(hand))
        if table.mine(me, exposed=True):
            self._open(me, "close")
            if isinstance((yield from self._ask(me)), a.EndRound):
                return "end"
            self._say(e.Passed(Seat(me)))
        is_tapped = len(table.pile) < before
        self.still = 0 if is_tapped else self.still + 1
        self.quiet = 0 if is_tapped or table.changes else self.quiet + 1
        self._say(e.TurnEnded(Seat(me), self.quiet, self.still))
        if not table.pile:
            return "pile"
        if self.quiet >= 4 * self.seats:
            return "quiet"
        return "still" if self.still >= 12 * self.seats else ""

    def _open(self, me: int, phase: str, has_choice: bool = True) -> None:
        self.table.phase = phase
        self._say(e.PhaseOpened(Seat(me), phase, len(self.table.people[me].hand), has_choice))

    def _ask(self, me: int) -> Told:
        self.table.owing = [me]
        _, action = yield
        self.table.owing = []
        return action

    def _draw(self, me: int, number: int) -> Told:
        """So many cards, one at a time, as far as there are any."""
        table, drawn = self.table, 0
        while drawn < number and (sources := table.sources()):
            wanted = a.Draw(sources[0])
            if len(sources) == 2:
                wanted = yield from self._ask(me)
            for nth in range(wanted.count):
                is_pile = wanted.source == "pile"
                card = table.pile.pop(0) if is_pile else table.discards.pop()
                table.people[me].hand.append(card)
                drawn += 1
                table.drawn = drawn
                cards = 0 if nth else wanted.count
                self._say(e.LetterDrawn(Seat(me), wanted.source, card, cards))

    def _lose(self, seat: int, letters: Iterable[str]) -> None:
        """Of equal letters the oldest is used first."""
        for letter in letters:
            self.table.people[seat].hand.remove(letter)

    def _lose_latest(self, seat: int, letter: str) -> None:
        hand = self.table.people[seat].hand
        del hand[len(hand) - 1 - hand[::-1].index(letter)]

    # -- options -------------------------------------------------------------------------------

    def _option(self, me: int, action: Any) -> Told:
        table, hand = self.table, self.table.people[me].hand
        if isinstance(action, a.Trade):
            yield from self._trade(me, action)
            return
        table.changes += 1
        match action:
            case a.Form(spelling):
                self._lose(me, spelling)
                self._say(e.WordFormed(self._lay(me, spelling), self._printed(me, spelling)))
            case a.Lock(number):
                table.laid[number].is_locked = True
                word = shown(table.laid[number])
                self._say(e.WordLocked(word, self._printed(me, word.spelling)))
            case a.Add(letter, number, spelling):
                self._lose(me, letter)
                table.added.append(number)
                was, table.laid[number].spelling = table.laid[number].spelling, spelling
                self._say(e.LetterAdded(Seat(me), shown(table.laid[number]), letter, was))
            case a.Steal(letter, number, leaving, making):
                table.has_stolen = True
                self._lose(me, (Counter(making) - Counter(letter)).elements())
                was, table.laid[number].spelling = table.laid[number].spelling, leaving
                made = self._lay(me, making, is_locked=True)
                now = shown(table.laid[number])
                on = self._printed(me, making)
                self._say(e.LetterStolen(Seat(me), now, letter, was, made, on))
            case a.Rebuild(numbers, spellings):
                taken = [shown(table.laid.pop(number)) for number in sorted(numbers)]
                had, has = (Counter("".join(x)) for x in ([w.spelling for w in taken], spellings))
                used, left = sorted((has - had).elements()), sorted((had - has).elements())
                self._lose(me, used)
                hand.extend(left)
                old, laid = list(taken), []
                for spelling in spellings:  # [WR-28] what comes out as it was keeps its number
                    same = next((word for word in old if word.spelling == spelling), None)
                    if same is None:
                        laid.append(self._lay(me, spelling))
                    else:
                        old.remove(same)
                        table.laid[same.number] = Laid(same.number, me, spelling)
                        laid.append(same)
                sets = tuple([self._printed(me, word.spelling) for word in laid])
                self._say(e.WordsRebuilt(Seat(me), tuple(taken), tuple(laid), tuple(used),
                                         tuple(left), sets))  # fmt: skip

    def _printed(self, me: int, spelling: str) -> int:
        """[WR-06] The set of the own card that has exactly this word, or 0."""
        own = self.table.people[me].manifest.sets
        return next((number for number, words in enumerate(own, 1) if spelling in words), 0)

    def _lay(self, me: int, spelling: str, *, is_locked: bool = False) -> e.Word:
        table = self.table
        word = table.laid[table.next_number] = Laid(table.next_number, me, spelling, is_locked)
        table.next_number += 1
        return shown(word)

    def _trade(self, me: int, action: a.Trade) -> Told:
        table = self.table
        offered = {offer.to: offer.letter for offer in action.offers}
        partners = tuple(Seat(seat) for seat in sorted(offered))
        given = tuple(offered[seat] for seat in partners)
        table.has_traded, table.phase = True, "trade"
        self._say(e.TradeOffered(Seat(me), partners, given))
        got: dict[int, str] = {}
        while waits := [seat for seat in partners if seat not in got]:
            table.owing = list(waits)
            seat, answer = yield
            got[seat] = answer.letter
            self._say(e.TradeAnswered(Seat(seat), answer.letter, len(waits) - 1))
        received = tuple(got[seat] for seat in partners)
        self._lose(me, given)
        table.people[me].hand.extend(received)
        for seat in partners:
            self._lose(seat, got[seat])
            table.people[seat].hand.append(offered[seat])
        table.phase = "main"
        self._say(e.Traded(Seat(me), partners, given, received))

    # -- the end of a round --------------------------------------------------------------------

    def _removal(self) -> Told:
        table = self.table
        could = tuple(Seat(s) for s in range(self.seats) if any(table.removals(s)))
        if not could:
            return
        table.phase = "removal"
        self._say(e.RemovalOpened(could))
        answers: dict[int, Any] = {}
        while waits := [seat for seat in could if seat not in answers]:
            table.owing = list(waits)
            seat, action = yield
            answers[seat] = action
            removal = None if action == a.Pass() else e.Removal(
                action.word, action.letter, action.leaving
            )  # fmt: skip
            self._say(e.RemovalAnswered(Seat(seat), removal, len(waits) - 1))
        for seat in sorted(answers):
            if isinstance(action := answers[seat], a.Remove):
                word = table.laid[action.word]
                was, word.spelling = word.spelling, action.leaving
                table.discards.append(action.letter)
                self._say(e.LetterRemoved(Seat(seat), shown(word), action.letter, was))

    def _score(self) -> None:
        table, sheets = self.table, []
        table.phase = ""
        for seat, person in enumerate(table.people):
            rows = []
            for word in table.mine(seat):
                n, sets = len(word.spelling), person.set_of(word.spelling)
                points = {3: 5, 4: 10, 5: 15, 6: 20}.get(n, 5 * (n - 2))
                bonus = person.indicator.set if person.indicator.set in sets else 0
                worth = points * (person.indicator.multiplier if bonus else 1 if sets else -1)
                number = bonus or (sets[0] if sets else 0)
                rows.append(e.Scored(word.spelling, word.is_locked, number, worth))
            total = sum(row.points for row in rows)
            self.totals[seat] += total
            sheets.append(e.Sheet(person.manifest, person.indicator, tuple(rows), total,
                                  self.totals[seat]))  # fmt: skip
        self._say(e.RoundScored(self.round, tuple(sheets)))
        best = max(self.totals)
        if best >= self.settings.target and self.totals.count(best) == 1:  # [WR-53]
            self.reason = "target"
        elif self.round == self.settings.rounds:  # [WR-56]
            self.reason = "rounds"

    # -- the two beside each other -------------------------------------------------------------

    def agrees(self, state: State, outcome: Outcome | None) -> None:
        """Raise AssertionError where *state* differs from what the text makes of the game."""
        table = self.table
        assert (list(state.pile), list(state.discards)) == (table.pile, table.discards)
        assert [list(p.hand) for p in state.players] == [p.hand for p in table.people]
        assert list(state.words) == [shown(table.laid[n]) for n in sorted(table.laid)]
        assert (list(state.totals), state.round, state.phase) == (
            self.totals, self.round, table.phase,
        )  # fmt: skip
        assert (outcome is None) == (not self.reason) == (not state.ended)
        if outcome is None:
            assert (state.turn, state.number) == (table.turn, self.number)
            return
        assert list(outcome.scores) == self.totals
        places = [1 + sum(t > own for t in self.totals) for own in self.totals]
        assert list(outcome.places) == places


def shown(word: Laid) -> e.Word:
    """As it lies now."""
    return e.Word(word.number, Seat(word.owner), word.spelling, word.is_locked)
