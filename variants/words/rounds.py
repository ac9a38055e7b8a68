"""A round begins: everything is shuffled and dealt anew.  [W2.1] [WR-54]

Rule 1: chance is asked for the letters, for who gets End of Round with the packet that is mixed
        from it, for the indicators, for the manifests and, in the first round, for the first
        player.  Packets of one card or of equal cards are shuffled like any others.
Rule 2: everybody is dealt seven cards: six letters and one of the mixed packet.  [WR-12]
"""

from __future__ import annotations

from variants.contract import Seat
from variants.words.box import END_CARDS, END_OF_ROUND, HAND_SIZE, Box
from variants.words.events import Letters, RoundBegun, TurnStarted
from variants.words.play import Play


def letters_in(box: Box) -> Letters:
    """All letter cards, A to Z."""
    return tuple([entry.letter for entry in box.letters for _ in range(entry.number)])


def begin(play: Play) -> None:
    """The next round, up to the first draw: both piles hold cards, so there is a choice."""
    state, chance = play.state, play.chance
    box, seats = state.box, state.seats
    letters = chance.shuffled(letters_in(box))
    hands, rest = dealt(letters, seats)
    mixed = chance.shuffled((*(END_OF_ROUND,) * END_CARDS, *rest[: seats - END_CARDS]))  # [WR-11]
    rest = rest[seats - END_CARDS :]
    indicators = chance.shuffled(box.indicators)[:seats]
    manifests = chance.shuffled(box.manifests)[:seats]
    starter = Seat(chance.below(seats)) if state.starter is None else play.after(state.starter)
    play.do(
        RoundBegun(
            number=state.round + 1,
            starter=starter,
            hands=tuple([(*hand, card) for hand, card in zip(hands, mixed, strict=True)]),
            manifests=manifests,
            indicators=indicators,
            pile=rest[1:],
            discards=rest[:1],
            pile_count=len(rest[1:]),
        )
    )
    play.do(TurnStarted(starter, 1))


def dealt(letters: Letters, seats: int) -> tuple[list[Letters], Letters]:
    """Hands of six by seat, and the letters left."""
    size = HAND_SIZE - 1
    hands = [letters[size * seat : size * (seat + 1)] for seat in range(seats)]
    return hands, letters[size * seats :]
