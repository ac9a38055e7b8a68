"""Before the first turn: options, the cards in the box, the deal of a round, where every card lies.

Rule 1: an option that is not named has its default; values come checked.  [G-15]
Rule 2: fresh manifests are made before anything is shuffled, from one number that chance gives.
        They are in the box of that game, and so in its journal; the settings say that they are
        secret.  [WR-10]
Rule 3: a round shuffles and deals everything anew.  Chance is asked for the letters, for who gets
        End of Round with the packet that is mixed from it, for the indicators, for the manifests
        and, in the first round, for the first player.  Packets of one card or of equal cards are
        shuffled like any others.  [WR-54]
Rule 4: everybody is dealt seven cards: six letters and one of the mixed packet.  [WR-12]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from variants.contract import Chance, InvalidData, Option, Preset, Refusal, Seat
from variants.words.data.box import END_CARDS, END_OF_ROUND, HAND_SIZE, Box
from variants.words.events import Event, GameBegun, Letters, RoundBegun, Settings, TurnStarted
from variants.words.lexicon.lexicon import Lexicon
from variants.words.manifests.maker import maker_for
from variants.words.rules.transition import Transition
from variants.words.state import State

SEATS = range(2, 7)
SEED_MAX = 2**62  # numbers from which fresh manifests are made
OFF = "off"
ROUNDS_MAX = 100
STANDARD, FRESH = "standard", "fresh"

OPTIONS = (
    Option(
        "target",
        "200",
        (),
        "points that win; 150 suits five players, 100 suits six",
        range(50, 501),
    ),  # [WR-55]
    Option(
        "level",
        "80",
        ("80", "70", "60"),
        "words that are accepted: 80 all, 70 as in most dictionaries, 60 those of family games",
    ),  # [WR-02]
    Option(
        "max_rounds",
        "25",
        (),
        "rounds at most; then the highest total wins",
        range(1, ROUNDS_MAX + 1),
    ),  # [WR-56]
    Option(
        "wordlist",
        "50",
        (OFF, "35", "50", "60", "80"),
        "how rare the words are that `words` shows: 35 common ones, 80 all; or off",
        old_name="hints",
    ),
    Option(
        "manifests",
        STANDARD,
        (STANDARD, FRESH),
        "standard: the cards in the box; fresh: others, made for this game",
    ),  # [WR-10]
)


_QUICK = {"turn": "90", "trade": "30", "removal": "40"}
_SLOW = {"turn": "360", "trade": "90", "removal": "120"}
PRESETS = (
    Preset("standard", "everything as usual", 60),
    Preset("short", "to 100 points, for players who are quick", 25, {"target": "100", **_QUICK}),
    Preset("long", "six minutes to think", 90, _SLOW),
    Preset("sprint", "one round", 13, {"max_rounds": "1"}),
    Preset("correspondence", "two days for each move", 0, {"move": "2d"}),
)


def letters_in(box: Box) -> Letters:
    """All letter cards, A to Z."""
    return tuple([entry.letter for entry in box.letters for _ in range(entry.number)])


def begin_round(transition: Transition) -> None:
    """The next round, up to the first draw: both piles hold cards, so there is a choice."""
    state, chance = transition.state, transition.chance
    box, seats = state.box, state.seats
    letters = chance.shuffled(letters_in(box))
    hands, rest = deal_hands(letters, seats)
    mixed = chance.shuffled((*(END_OF_ROUND,) * END_CARDS, *rest[: seats - END_CARDS]))  # [WR-11]
    rest = rest[seats - END_CARDS :]
    indicators = chance.shuffled(box.indicators)[:seats]
    manifests = chance.shuffled(box.manifests)[:seats]
    starter = (
        Seat(chance.below(seats)) if state.starter is None else transition.next_seat(state.starter)
    )
    transition.add(
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
    transition.add(TurnStarted(starter, 1))


def deal_hands(letters: Letters, seats: int) -> tuple[list[Letters], Letters]:
    """Hands of six by seat, and the letters left."""
    size = HAND_SIZE - 1
    hands = [letters[size * seat : size * (seat + 1)] for seat in range(seats)]
    return hands, letters[size * seats :]


def check_options(box: Box, lexicon: Lexicon, options: Mapping[str, str]) -> None:
    """A host's own letters may be such that no fresh manifests can be made of them."""
    if _are_fresh(options):
        try:
            maker_for(lexicon, box)
        except InvalidData:
            raise Refusal(
                "Of the letters and words on this server no fresh manifests can be made. Choose "
                f"manifests={STANDARD}."
            ) from None


def _are_fresh(options: Mapping[str, str]) -> bool:
    return options.get("manifests") == FRESH


def components(box: Box, options: Mapping[str, str]) -> Sequence[str]:
    """Letters and End of Round cards: a multiset, since equal ones are interchangeable."""
    return sorted((*(END_OF_ROUND,) * END_CARDS, *letters_in(box)))


def zones(state: State) -> Mapping[str, Sequence[str]]:
    """Every card, by where it lies; in a trade the offered ones lie in hands still.  [G-19]"""
    found: dict[str, Sequence[str]] = {"pile": state.pile, "discards": state.discards}
    for seat, player in enumerate(state.players):
        found[f"hand {seat}"] = player.hand
    if state.is_end_played:
        found["played"] = (END_OF_ROUND,)
    for word in state.words:
        found[f"word {word.number} of {word.owner}"] = tuple(word.spelling)
    return found


def box_of_game(box: Box, lexicon: Lexicon, options: Mapping[str, str], chance: Chance) -> Box:
    """The box with the manifests of a game: those that are printed, or fresh ones."""
    if not _are_fresh(options):
        return box
    deck = maker_for(lexicon, box).deck(chance.below(SEED_MAX), len(box.manifests))
    return replace(box, manifests=deck)


def deal(
    box: Box, lexicon: Lexicon, seats: int, options: Mapping[str, str], chance: Chance
) -> Sequence[Event]:
    """The first round, up to its first draw."""
    return _deal_from(box_of_game(box, lexicon, options, chance), lexicon, seats, options, chance)


def redeal(
    box: Box,
    lexicon: Lexicon,
    seats: int,
    options: Mapping[str, str],
    chance: Chance,
    recorded: Sequence[Event],
) -> Sequence[Event] | None:
    """`deal` with the fresh manifests that an earlier edition of the maker made.

    None: they are the printed ones, and every edition deals alike.
    """
    if not _are_fresh(options):
        return None
    chance.below(SEED_MAX)
    begun = [event for event in recorded if isinstance(event, GameBegun)]
    cards = begun[0].box.manifests if begun else ()
    return _deal_from(replace(box, manifests=cards), lexicon, seats, options, chance)


def _deal_from(
    box: Box, lexicon: Lexicon, seats: int, options: Mapping[str, str], chance: Chance
) -> Sequence[Event]:
    transition = Transition(lexicon, None, chance, GameBegun(box, settings_from(options), seats))
    begin_round(transition)
    return transition.events


def settings_from(options: Mapping[str, str]) -> Settings:
    """The numbers of these options."""
    chosen = {option.name: option.default for option in OPTIONS} | dict(options)
    shown = chosen["wordlist"]
    return Settings(
        target=int(chosen["target"]),
        level=int(chosen["level"]),
        rounds=int(chosen["max_rounds"]),
        hints=0 if shown == OFF else int(shown),
        has_fresh=_are_fresh(chosen),
    )
