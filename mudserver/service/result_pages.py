"""Pages about recorded games: `game`, `games`, `stats`, `vs`, and what `finger` says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256

from mudserver.clock import format_date, format_minute
from mudserver.data_messages import OwnGame
from mudserver.messages import Page
from mudserver.results import texts
from mudserver.results.pools import pool_words
from mudserver.results.queries import SeatRow
from mudserver.results.rating import Standing, rating_change, rating_text
from mudserver.results.seasons import season_name
from mudserver.results.statistics import Statistics, Won
from mudserver.service.result_lookup import GamesPage, Meetings, ShownGame, TopPage
from mudserver.tables.rated_start import BETWEEN_TWO
from variants.kit.text import duration, game_length, join_words, quantity

NameOf = Callable[[str], str]
"""The present name of an account, by its id."""

_FATES = {"left": "left", "forfeit": "was away too long", "replaced": "took over"}


def game_page(shown: ShownGame, name_of: NameOf, seed: bytes | None) -> Page:
    """Args: seed: None: the cards of the game are no longer kept."""
    game, seats = shown
    length = game_length(game.ended_ms - game.started_ms)
    rows = [_seat_row(seat, seats, name_of) for seat in _best_first(seats)]
    rows.append(f"ended\t{_ending(game.ending, game.reason)}")
    rows.append(f"began\t{format_minute(game.started_ms)} UTC, {length}")
    rows.append(f"options\t{game.options}")
    if game.match_id:
        rows.append(f"match\tdeal {game.deal} of match {game.match_id}")
    if game.tourney:
        number = f", round {game.round}" if game.round else ""
        rows.append(f"tournament\t{game.tourney}{number}. To see it: tourney {game.tourney}")
    if game.pool:
        rows.append(f"rated\tas {pool_words(game.pool)}{texts.VOID if game.is_void else ''}")
    elif game.why_unrated:
        rows.append(f"unrated\t{public_reason(game.why_unrated)}")
    if seed is None:
        rows.append(f"The cards of game {game.number} are no longer kept; the result is.")
    else:
        rows += [f"seed\t{seed.hex()}", f"its hash\t{sha256(seed).hexdigest()}"]
    return Page(f"Game {game.number}: {game.variant}, {game.id}", tuple(rows))


def _seat_row(seat: SeatRow, seats: Sequence[SeatRow], name_of: NameOf) -> str:
    name, place = seat_name(seat, name_of), "-" if seat.place is None else str(seat.place)
    notes = [f"{seat.level} computer player"] if seat.kind == "computer" else []
    notes += [_FATES[seat.fate]] if seat.fate in _FATES else []
    if seat.fate == "substitute":
        others = (it for it in seats if it.seat == seat.place_at_table)
        notes += [f"took over from {seat_name(it, name_of)}" for it in others]
    notes += [f"rated {_change(seat)}"] if seat.mu_after is not None else []
    score = "" if seat.score is None else f" ({seat.score})"
    return f"{place}\t{', '.join((name + score, *notes))}"


def public_reason(why_unrated: str) -> str:
    """Why a game is unrated, for everybody."""
    return texts.UNRATED_PAIR if why_unrated in BETWEEN_TWO else why_unrated


def _change(seat: SeatRow) -> str:
    before = seat.mu_before or 0, seat.sigma_before or 0
    return rating_change(before, (seat.mu_after or 0, seat.sigma_after or 0))


def seat_name(seat: SeatRow, name_of: NameOf) -> str:
    """Who had a seat, under the name of now."""
    if seat.kind == "computer":
        return seat.name
    return name_of(seat.person) if seat.person else texts.A_GUEST


def _ending(ending: str, reason: str) -> str:
    return reason if ending in ("finished", "draw") else f"{ending}: {reason}"


def _best_first(seats: Sequence[SeatRow]) -> list[SeatRow]:
    last = len(seats) + 1
    return sorted(seats, key=lambda seat: (seat.place or last, seat.place_at_table, seat.seat))


def game_line(shown: ShownGame, name_of: NameOf) -> str:
    """One row of a list."""
    game, seats = shown
    people = [
        (f"{seat.place} " if seat.place is not None else "") + seat_name(seat, name_of)
        for seat in _best_first(seats)
    ]
    end = "" if game.ending in ("finished", "draw") else f", {game.ending}"
    end += ", void" if game.is_void else ""
    text = f"{game.variant}, {format_date(game.ended_ms)}{end}: {', '.join(people)}"
    return f"{game.number}\t{text}"


def games_page(
    found: GamesPage,
    name_of: NameOf,
    running: Sequence[OwnGame],
    now_ms: int,
    states: Mapping[int, str],
) -> Page:
    """Args:
    running: Games that go on.
    states: What those of them wait for where nobody has to be, by table.
    """
    going_on = [_running_row(own, now_ms, states.get(own.table, "")) for own in running]
    rows = [*going_on, *(game_line(each, name_of) for each in found.games)]
    if not rows:
        rows = [texts.NO_GAMES_OF]
    elif found.page < found.pages:
        rows.append(f"More: games {found.account.name} page {found.page + 1}")
    page = f", page {found.page} of {found.pages}" if found.pages > 1 else ""
    count = quantity(found.total, "game")
    if running:
        count = f"{quantity(len(running), 'running game')} and {found.total} finished"
    return Page(f"{count} of {found.account.name}{page}", tuple(rows))


def _running_row(own: OwnGame, now_ms: int, state: str) -> str:
    how = state or "goes on"
    if own.is_left:
        how = f"you have left; to go back: return {own.table}"
    if own.question is not None and not state:
        left_s = 0 if own.deadline is None else max(0, own.deadline - now_ms) / 1000
        how = "your move" + ("" if own.deadline is None else f", {duration(left_s)} left")
    return f"table {own.table}\t{'' if own.is_left else f'{own.variant}, '}{how}"


def stats_page(name: str, found: Sequence[Statistics]) -> Page:
    rows = [row for each in found for row in _stats_rows(each)]
    return Page(f"Games of {name}", tuple(rows) or (texts.NO_GAMES_OF,))


def _stats_rows(own: Statistics) -> Iterator[str]:
    places = ", ".join(f"{_ordinal(place)} {own.places[place]}" for place in sorted(own.places))
    if own.substitute:
        yield f"{own.variant}\t{quantity(own.substitute, 'game')} as a substitute"
    if not own.all.games:
        return
    yield f"{own.variant}\t{quantity(own.all.games, 'game')}: {places}"
    yield f"  mean place\t{own.mean_place:.2f}; by chance {own.expected_place:.2f}"
    yield f"  won in a row\t{own.longest_row} at most"
    for seats in sorted(own.by_seats):
        yield f"  {seats} players\t{_won(own.by_seats[seats])}"
    for level in sorted(own.by_level):
        yield f"  computers: {level}\t{_won(own.by_level[level])}"
    yield f"  last 30 days\t{_won(own.recent)}"
    if own.left:
        yield f"  left\t{quantity(own.left, 'game')}"


def _won(won: Won) -> str:
    return f"{quantity(won.games, 'game')}, {won.won} won"


def _ordinal(number: int) -> str:
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"


def meetings_page(name: str, other: str, found: Sequence[Meetings]) -> Page:
    rows = [
        f"{it.variant}\t{quantity(it.games, 'game')}: {name} ahead {it.ahead},"
        f" {other} ahead {it.behind}, tied {it.games - it.ahead - it.behind}"
        for it in found
    ]
    return Page(f"{name} and {other}", tuple(rows) or (texts.NEVER_MET.format(name, other),))


def top_page(found: TopPage, name_of: NameOf) -> Page:
    """The established accounts of a pool."""
    rows = [
        f"{place}\t{name_of(person)} {standing.shown}, {quantity(standing.games, 'game')}"
        for place, (person, standing) in zip(found.places, found.rows, strict=True)
    ]
    if found.own is not None:
        place, standing = found.own
        where = f"place {place}" if found.is_own_established else "not established"
        text = rating_text(standing.mu, standing.sigma)
        rows.append(f"You: {text}, {quantity(standing.games, 'game')}, {where}")
    if found.page < found.pages:
        rows.append(f"More: top {_top_words(found)} page {found.page + 1}")
    empty = texts.TOP_EMPTY if found.season_ms is None else texts.TOP_SEASON_EMPTY
    return Page(f"Ratings: {_top_words(found)}", tuple(rows) or (empty,))


def _top_words(found: TopPage) -> str:
    """As it could be typed behind `top`."""
    season = "" if found.season_ms is None else f" season {season_name(found.season_ms)}"
    return f"{pool_words(found.pool)}{season}{' programs' if found.is_program else ''}"


def rating_rows(found: Mapping[str, Standing]) -> list[str]:
    """What `finger` says of ratings, by pool."""
    return [
        f"{pool_words(pool)} {rating_text(own.mu, own.sigma)} ± {own.deviation}"
        f" ({quantity(own.games, 'game')})"
        for pool, own in found.items()
    ]


def finger_rows(games: Sequence[ShownGame], left: tuple[int, int], person: str) -> list[str]:
    """What `finger` says of the last games of an account."""
    rows = [f"left {left[0]} of {left[1]} games"] if left[0] else []
    if games:
        rows.append(f"last games: {join_words([_place_in(each, person) for each in games])}")
    return rows


def _place_in(shown: ShownGame, person: str) -> str:
    game, seats = shown
    own = next((seat for seat in seats if seat.person == person), None)
    place = None if own is None else own.place
    count = sum(seat.fate != "substitute" for seat in seats)
    how = game.ending if place is None else f"{_ordinal(place)} of {count}"
    if own is not None and own.fate == "substitute":
        how = "as a substitute"
    return f"{game.number} {game.variant} ({how})"
