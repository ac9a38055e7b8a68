"""A typed line becomes an action, and an action what to type.

Rule 1: forgiving in form, strict in meaning.  Case, fillers, the order of name and card, and any
        abbreviation that fits one thing only do not matter; what fits two is asked back with the
        choices, each exactly as it can be typed.
Rule 2: the grammar does not judge.  A play that is well said and forbidden becomes an action, also
        one with a card that is not there (then the box's own copy), so that `check` can say why.
Rule 3: what a line means follows from the line and the own view alone.  [G-03] [G-12]
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from variants.contract import AmbiguousInput, ParseError, Seat, SeatNames
from variants.kit.text import join_words
from variants.stockpile.actions import (
    Action,
    Discard,
    Draw,
    End,
    GiveUp,
    Go,
    Pass,
    Reflect,
    Swap,
)
from variants.stockpile.data.cards import (
    INDOORS,
    LOOT_ANY,
    LOOT_KINDS,
    OUTDOORS,
    SWAP_SHOP,
    Card,
    distinct_cards,
)
from variants.stockpile.language.offers import Offer, offers, speaker, supplies
from variants.stockpile.language.phrase import phrase as phrase
from variants.stockpile.language.slots import (
    FILLERS,
    HIGHEST,
    LOWEST,
    Reading,
    means_nothing,
    readings,
    value_of,
    words_of,
)
from variants.stockpile.language.verbs import (
    ACTION_OF,
    CARDS_OF,
    FORMS,
    PLAYS,
    QUOTED_MAX,
    TAILS,
    after_tail,
    hand_cards,
    hand_listed,
    numbered,
    verb_of,
)
from variants.stockpile.legal_actions import legal_actions
from variants.stockpile.view import View

WORDS_MAX = 16  # in one play; more is no play
LISTED_MAX = 12  # choices that are offered one by one

PLAY_VERBS = (
    "draw", "play", "stock", "home", "loot", "trade", "switch", "nosey", "neighbour", "isolate",
    "swap", "discard", "end", "give", "in", "out", "stay", "pass", "nice", "reflect",
)  # fmt: skip

Words = Sequence[str]


def parse(line: str, view: View, names: SeatNames) -> Action:
    """What a line means for this seat.  NotUnderstood or Ambiguous say what could be typed."""
    words = words_of(line, names)
    if not words or len(words) > WORDS_MAX:
        raise _not_understood(" ".join(words), view)
    if value_of(words[0]).isdigit() and view.asks != "give up":
        if len(words) == 1:  # the answer to a question that has just been closed by its clock?
            raise ParseError("To play your card {0}, type: play {0}.", words[0][:QUOTED_MAX])
        words = ["play", *words]
    word, rest = words[0], words[1:]
    if word not in PLAYS and view.asks == "give up" and (found := _supplies(words, view)):
        return found  # a bare supply answers the question
    verb = verb_of(word, view)
    if not verb:
        raise _not_understood(word, view)
    if verb == "discard" and view.asks == "give up":
        verb = "give"
    if verb != "play":
        return _said(verb, rest, view, names)
    if rest and value_of(rest[0]).isdigit():
        return _play(numbered(rest[0], view), rest[1:], view, names)
    verb = verb_of(rest[0], view) if rest else ""
    if verb not in CARDS_OF:
        raise ParseError("Play which card? {}", hand_listed(view))
    return _said(verb, rest[1:], view, names)


def _said(verb: str, rest: Words, view: View, names: SeatNames) -> Action:
    match verb:
        case "in" | "out" | "stay" | "go":
            return _go(verb, rest, view)
        case "draw" | "end" | "pass":
            _refuse_more(verb, rest)
            return Draw() if verb == "draw" else End() if verb == "end" else Pass()
        case "give":
            if found := _supplies(after_tail(verb, rest), view):
                return found
            raise _unclear(verb, rest, view, names)
        case "discard":
            return _only([Discard(card.id) for card in hand_cards(rest, view)], view, names)
        case "swap":
            return _swap(after_tail(verb, rest), view, names)
    if verb in ("isolate", "nice"):
        _refuse_more(verb, rest)
    if verb in ("stock", "home"):
        rest = after_tail(verb, rest)
    held = [card for card in distinct_cards(view.hand) if card.name in CARDS_OF[verb]]
    boxed = [card for card in distinct_cards(view.decks.all_cards) if card.name in CARDS_OF[verb]]
    return _with(verb, held, boxed, rest, view, names)


def _play(card: Card, rest: Words, view: View, names: SeatNames) -> Action:
    """`play 2 ...`: a card by its number in the hand."""
    verb = next((verb for verb, cards in CARDS_OF.items() if card.name in cards), "")
    if verb == "swap":
        return _swap(rest, view, names)
    if verb in ("isolate", "nice"):
        _refuse_more(verb, rest)
    return _with(verb, [card], [], rest, view, names, is_numbered=True)


# -- plays with a card -----------------------------------------------------------------------------


def _with(
    verb: str,
    held: Sequence[Card],
    boxed: Sequence[Card],
    rest: Words,
    view: View,
    names: SeatNames,
    *,
    is_numbered: bool = False,
) -> Action:
    """The play that fits the words: with held cards, else with others, else with other supplies."""
    people = () if verb in ("stock", "home", "isolate", "nice") else names
    form = verb
    if verb == "reflect" and view.effects:
        form = next((v for v, cards in CARDS_OF.items() if view.effects[0].card.name in cards), "")
    found = readings(
        rest, view, people, verb="trade" if form == "trade" else "" if is_numbered else verb,
        tails=TAILS[verb],
    )  # fmt: skip
    for rank in sorted({reading.rank for reading in found}):
        ranked = [reading for reading in found if reading.rank == rank]
        for cards, is_boxed in ((held, False), (boxed, False), (held, True), (boxed, True)):
            said = [offer for card in cards for offer in offers(card, view, is_boxed)]
            for turns in sorted({reading.turns for reading in ranked}):
                some = [
                    offer
                    for reading in ranked
                    if reading.turns == turns
                    for offer in _fitting(said, reading, view, is_numbered)
                ]
                if some:
                    return _chosen(some, ranked, view, names)
    raise _unclear(verb, rest, view, names)


def _fitting(said: Sequence[Offer], reading: Reading, view: View, is_numbered: bool) -> list[Offer]:
    """The offers that one reading may mean."""
    some = [offer for offer in said if _fits(offer, reading, view)]
    if any(offer.card.name in LOOT_KINDS for offer in some) and not is_numbered:
        kind = reading.take.kind
        if reading.is_any:
            return [offer for offer in some if offer.card.name == LOOT_ANY]
        if kind:  # `loot food`: the card of that name; Loot Any Supply if there is none
            some = [offer for offer in some if kind in LOOT_KINDS[offer.card.name]]
            return [o for o in some if o.card.name != LOOT_ANY] or some
        return some
    return [] if reading.is_any else some


def _fits(offer: Offer, reading: Reading, view: View) -> bool:
    target = offer.target
    if reading.seat is not None:
        is_meant = target == reading.seat
    else:  # nobody is named: anybody else who is in the game, if the play needs somebody
        is_meant = target is None or (target != speaker(view) and view.seats[target].is_in)
    if not is_meant:
        return False
    if isinstance(offer.action, Reflect) and (view.counters or not view.effects):
        return True  # no supply is needed, and `check` says so
    give, take = reading.give, reading.take
    if offer.supply:
        return take.kind in ("", offer.supply) and not (take.value or any(give))
    if offer.give is None and any(give):
        return False
    if offer.take is None:
        number = str(offer.card.number or "")
        return not take.kind and take.value in ("", number)
    return take.fits(offer.take) and (offer.give is None or give.fits(offer.give))


def _chosen(
    some: Sequence[Offer], found: Sequence[Reading], view: View, names: SeatNames
) -> Action:
    """Of several offers those that are legal; of these the lowest or the highest, if so said."""
    if len(some) > 1:
        legal = set(legal_actions(view))
        some = [offer for offer in some if offer.action in legal] or some[:1]
    some = _extreme(some, {reading.take.value for reading in found}, lambda offer: offer.take)
    some = _extreme(some, {reading.give.value for reading in found}, lambda offer: offer.give)
    return _only([offer.action for offer in some], view, names)


def _extreme(
    some: Sequence[Offer], said: Container[str], supply: Callable[[Offer], Card | None]
) -> Sequence[Offer]:
    """Those with the lowest, or the highest, supply, if that was said."""
    values = [card.number for card in map(supply, some) if card]
    if not values or not (LOWEST in said or HIGHEST in said):
        return some
    best = min(values) if LOWEST in said else max(values)
    return [offer for offer in some if (card := supply(offer)) and card.number == best]


def _only(actions: Sequence[Action], view: View, names: SeatNames) -> Action:
    """The one that is left; else they are asked back as they are typed."""
    actions = list(dict.fromkeys(actions))
    if len(actions) == 1:
        return actions[0]
    lines = [phrase(action, view, names) for action in actions]
    if len(lines) > LISTED_MAX:
        raise AmbiguousInput(
            "That fits {} plays. Say more, as in: {}. To see them all, type moves.",
            str(len(lines)), lines[0],
        )  # fmt: skip
    fields = join_words(["{}"] * len(lines), "or")
    raise AmbiguousInput(f"That fits more than one play. Type {fields}.", *lines)


# -- cards of the hand, and supplies ---------------------------------------------------------------


def _swap(words: Words, view: View, names: SeatNames) -> Action:
    """`swap nice try`, `swap nice try without drawing`, `swap 3 no draw`."""
    spoken, draws = list(words), True
    for at, word in enumerate(spoken):
        tail = [other for other in spoken[at + 1 :] if other not in FILLERS]
        if word in ("without", "no", "not", "and", "then") and set(tail) <= {"draw", "drawing"}:
            spoken, draws = spoken[:at], word in ("and", "then")
            break
    copies = [card for card in (*view.hand, *view.decks.all_cards) if card.name == SWAP_SHOP]
    if not copies:
        raise ParseError("There is no Swap Shop in this game. {}", hand_listed(view))
    shop = copies[0].id
    if any(word not in FILLERS for word in spoken):
        others = hand_cards(spoken, view, without=shop)
    else:
        others = distinct_cards([c for c in view.hand if c.sort == "effect" and c.id != shop])
        if not others:
            raise ParseError("Swap Shop goes with another Effect card. {}", hand_listed(view))
    return _only([Swap(shop, other.id, draws) for other in others], view, names)


def _supplies(words: Words, view: View) -> Action | None:
    """Which own supply goes: `food 1`, `f1`, `1`, `lowest`.  None if the words say no supply."""
    found = readings(words, view, ())
    for is_boxed in (False, True):
        own = supplies(view, speaker(view), is_boxed)
        some = [
            Offer(GiveUp(card.id), card, take=card)
            for reading in found
            for card in own
            if not reading.is_any and reading.take.fits(card)
        ]
        if some:
            return _chosen(some, found, view, ())
    return None


# -- the other plays -------------------------------------------------------------------------------


def _go(verb: str, rest: Words, view: View) -> Go:
    here = view.seats[speaker(view)].location
    places = {PLAYS.get(word, "") for word in rest if word not in FILLERS}
    if verb in ("in", "out"):
        places.add(verb)
    if places in ({"in"}, {"out"}):
        return Go(INDOORS if places == {"in"} else OUTDOORS)
    if verb == "stay" and not places:
        return Go(here)
    raise ParseError("Where will you be? Type in, out or stay.")


def _refuse_more(verb: str, rest: Words) -> None:
    more = [word for word in rest if word not in FILLERS and word not in TAILS[verb]]
    if more:
        alone = "nice try" if verb == "nice" else verb
        raise ParseError("{} stands alone. Type: {}.", alone.capitalize(), alone)


# -- what could be typed ---------------------------------------------------------------------------


def _unclear(verb: str, rest: Words, view: View, names: SeatNames) -> ParseError:
    """What is wrong with the words after a verb that is right, and how that play is typed."""
    if verb == "reflect" and view.counters and view.asked == view.seat:  # [SR-59]
        return ParseError(
            "A Reflection against {} only turns it away, and hits nobody. Type reflect alone.",
            view.counters[-1].card.name,
        )  # fmt: skip
    kind = ACTION_OF[verb]
    legal = [action for action in legal_actions(view) if type(action).__name__ == kind]
    right = phrase(legal[0], view, names) if legal else FORMS[kind]
    word = means_nothing(rest, view, names if "NAME" in FORMS[kind] else (), TAILS[verb])
    if word and "NAME" in FORMS[kind]:
        me, seats = speaker(view), view.seats
        others = [Seat(n) for n, seat in enumerate(seats) if seat.is_in and n != me]
        called = join_words(["{}"] * len(others), "or")
        return ParseError(
            f'Nobody here is called "{{}}". You can name: {called}. Type it like this: {{}}.',
            word[:QUOTED_MAX], *others, right,
        )  # fmt: skip
    said = " ".join((verb, *rest))[:QUOTED_MAX]
    wrong = '"{}" is no play here.' if rest else '"{}" needs a little more.'
    return ParseError(f"{wrong} Type it like this: {{}}.", said, right)


def _not_understood(said: str, view: View) -> ParseError:
    """What was said, and the plays there are now; out of turn, the plays there are at all."""
    if not said:
        return ParseError("Type a play; moves lists what you can do now.")
    kinds = {type(action).__name__ for action in legal_actions(view)}
    forms = [form for kind, form in FORMS.items() if kind in kinds or not kinds]
    return ParseError(
        '"{}" is no play here. You can type: {}.' if kinds else '"{}" is no play. The plays: {}.',
        said[:QUOTED_MAX],
        ", ".join(forms),
    )
