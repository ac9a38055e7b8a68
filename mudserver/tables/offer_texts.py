"""What people read of offers in a running game, and of the pause that one of them may bring.

Rule 1: the sentences are public but for those that say "you".  Nobody reads who has agreed or
        declined.
"""

from __future__ import annotations

from collections.abc import Sequence

from mudserver.tables.pause_state import ADJOURN_MS, ALL_MS, PAUSE_MS
from mudserver.tables.records import OfferKind
from variants.kit.text import duration, join_words

OFFER_S = 60  # so long an offer is open

NO_KIND = 'You can\'t offer "{}". Type {}'
GONE = "That offer has just ended."
NO_OFFER = "There is no offer for you to answer."
OPEN_ALREADY = "An offer is open already. Type accept or decline"
WAIT_FOR_ANSWERS = "Your offer is open already. The others have not answered yet."
OUT = "You are out of this game, so you can't offer that."
ALL_MADE = "You have made all the offers that you can make in one {}."
ENDED_JUST_NOW = "The last offer has just ended. You can offer again in {} s."
NO_DRAW = "There is no draw in {}. To end the game: offer abort"
NEEDS_PEOPLE = "A draw needs people on all seats that are still in. To end the game: offer abort"
AGREED = "You agree."
BY_AGREEMENT = "This game ended by agreement, so it has no record."
DRAWN = "everybody has agreed to a draw"

PAUSED = "The game is paused. Type resume to go on."
NO_SLOW_PAUSE = "A game by correspondence has time enough: there is no pause."
NOT_PAUSED = "No game is paused here."
NO_MORE_PAUSES = "This game has been paused {} times already."
WANTED_TOO_LONG = "Not everybody has come within 10 min. To ask again: resume"
PAUSE_BEGINS = f"The game is paused for at most {PAUSE_MS // 60_000} min. Type resume to go on."
DAYS = ADJOURN_MS // 86_400_000
GUESTS_CANNOT = "Guests can't adjourn. register NAME keeps your seat."
GUESTS_PLAY = "A guest plays here, so the game can't be adjourned. For a break: offer pause"
NO_ADJOURNED_MATCH = "A match can't be adjourned. For a break: offer pause"
ADJOURNED_ALREADY = "The game is adjourned already."
ADJOURNED_MAX = 5  # games of one person
TOO_MANY_ADJOURNED = "You have {} adjourned games already. To see them: go"
ADJOURNED = (
    "The game is adjourned, for {1} days at most. You keep your seat wherever you are. It goes on"
    " when everybody has typed resume {0} within 10 min."
)
OUTAGE = (
    "The server was away, so the game waits for {}, for 48 h at most. It goes on when {} is back at"
    " the table. You keep your seat wherever you are."
)
PAUSE_ENDS = "The game goes on."
ALL_GO_ON = f"The game goes on in {ALL_MS // 1000} s."

_OFFERS = {
    "draw": "a draw",
    "abort": "to end the game without a result",
    "pause": f"a pause of at most {PAUSE_MS // 60_000} min",
    "adjourn": "to adjourn the game and go on another day",
}
_NAMES = {"draw": "a draw", "abort": "ending the game", "pause": "a pause",
          "adjourn": "adjourning the game"}  # fmt: skip


def adjourned_for(names: Sequence[str]) -> str:
    """In lists, of those for whom the game waits."""
    return f"adjourned, waits for {join_words(names)}"


def outage(names: Sequence[str]) -> str:
    return OUTAGE.format(join_words(names), "everybody" if len(names) > 1 else names[0])


def waits_after_outage(names: Sequence[str]) -> str:
    """To who wants to go on."""
    if not names:
        return "The game goes on in a moment."
    return f"The game waits for {join_words(names)}, who must come back to the table first."


def offered(name: str, kind: OfferKind, seconds: int, *, is_match: bool) -> str:
    what = _what(kind, is_match=is_match)
    return f"{name} offers {what}. Type accept or decline within {duration(seconds)}."


def just_offered(name: str, kind: OfferKind, *, is_match: bool) -> str:
    """To who answers before it can have been read."""
    what = _what(kind, is_match=is_match)
    return f"{name} has just offered {what}. Type accept or decline"


def you_offer(kind: OfferKind, asked: list[str], *, is_match: bool) -> str:
    return f"You offer {_what(kind, is_match=is_match)}. Waiting for {join_words(asked)}."


def aborted(why: str) -> str:
    """Args: why: as of `records.Aborted`."""
    if why == "expired":
        return "Nobody has played on, so the game is aborted and has no result."
    if why == "tourney":
        return "The round is over, so this game ends without a result."
    return "The game is aborted, so it has no result."


def offer_ended(kind: OfferKind) -> str:
    return f"The offer of {_NAMES[kind]} has ended. The game goes on."


def wants_to_go_on(name: str, seconds: int) -> str:
    """The first of them.  Args: seconds: Until it goes on in any case."""
    return f"{name} wants to go on. Type resume, or it goes on by itself in {seconds} s."


def wants_to_go_on_together(name: str, number: int) -> str:
    """With an adjourned game at table *number*."""
    return f"{name} wants to go on with the game at table {number}. Type resume {number}"


def you_wait(waits_for: list[str]) -> str:
    return f"Waiting for {join_words(waits_for)}, within 10 min."


def wants_already(waits_for: list[str]) -> str:
    """Args: waits_for: Without whom the game does not go on."""
    how = f"Waiting for {join_words(waits_for)}." if waits_for else "The game goes on in a moment."
    return f"You have typed resume already. {how}"


def wants_to_go_on_too(name: str) -> str:
    return f"{name} wants to go on, too."


def you_want_to_go_on(waits_for: list[str], seconds: int) -> str:
    """Args: seconds: Until it goes on in any case."""
    return f"Waiting for {join_words(waits_for)}. The game goes on in {seconds} s at the latest."


def _what(kind: OfferKind, *, is_match: bool) -> str:
    if is_match and kind == "abort":
        return "to end the whole match without a total"
    return _OFFERS[kind]
