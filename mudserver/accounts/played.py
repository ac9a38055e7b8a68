"""What an account has played, game by game, and which computer players fit it.

Rule 1: two wins of the last three games against the level that fits lead to the next level, four
        losses in a row back to the one before.  Then the counting begins anew.
Rule 2: games against other levels, several levels or none leave the level as it is.
Rule 3: the level is decided when a game ends and stored with it: levels that a later release adds
        or renames change no past.  Only levels and places of finished games are looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

WINS, LOOKED_AT = 2, 3  # so many of the last so many, for the next level
LOSSES = 4  # in a row, for the level before
ADVISED_LOSSES = 3  # in a row, for advice
EARLY_GAMES = 5  # the first ones, which tell whether the lowest level fits newcomers
LAST_GAMES = 10  # of all variants, that are remembered one by one
PER_DAY_MAX = 100  # games on one UTC day; further ones leave no trace


class PlayedGame(msgspec.Struct, frozen=True):
    """A finished game of one account."""

    variant: str
    table: int
    game: int
    level: str  # of all computer players; "": of several levels, or there were none
    place: int  # from 1
    seats: int
    at_ms: int  # UTC
    fits: str = ""  # the level that fits from now on
    is_early: bool = False  # one of the first games, against the lowest level


class PlayedVariant(msgspec.Struct, frozen=True):
    """All finished games of one account in one variant."""

    finished: int = 0
    fits: str = ""  # "": nothing was played, so the lowest level does
    results: tuple[bool, ...] = ()  # the last few against that level: won, or not
    early: int = 0  # games with `is_early`
    early_wins: int = 0
    early_fair: float = 0.0  # wins of an average player: the sum of 1 / seats

    def after(self, game: PlayedGame) -> PlayedVariant:
        before, results = self.fits or game.fits, self.results
        if game.fits != before:
            results = ()
        elif game.level == before:
            results = (*results, game.place == 1)[-LOSSES:]
        won = game.is_early and game.place == 1
        return PlayedVariant(
            self.finished + 1,
            game.fits,
            results,
            self.early + game.is_early,
            self.early_wins + won,
            self.early_fair + (1 / game.seats if game.is_early else 0.0),
        )


NEVER_PLAYED = PlayedVariant()


def fitting_level(played: PlayedVariant, levels: Sequence[str]) -> str:
    """The one of *levels*, weakest first, that fits; "": the variant has no computer players."""
    return played.fits if played.fits in levels else next(iter(levels), "")


def easier_level(played: PlayedVariant, levels: Sequence[str]) -> str:
    """The level below, for who has lost several games in a row; "": there is no reason, or none."""
    last, fits = played.results[-ADVISED_LOSSES:], fitting_level(played, levels)
    if len(last) < ADVISED_LOSSES or any(last) or not fits:
        return ""
    at = levels.index(fits)
    return levels[at - 1] if at else ""


def decided(game: PlayedGame, before: PlayedVariant, levels: Sequence[str]) -> PlayedGame:
    """*game* with what follows from it.  Args: levels: of the variant, weakest first."""
    fits = fitting_level(before, levels)
    is_early = before.finished < EARLY_GAMES and game.level == next(iter(levels), "") != ""
    game = msgspec.structs.replace(game, fits=fits, is_early=is_early)
    if game.level != fits or not fits:
        return game
    results, at = before.after(game).results, levels.index(fits)
    if sum(results[-LOOKED_AT:]) >= WINS:
        at = min(at + 1, len(levels) - 1)
    elif len(results) == LOSSES and not any(results):
        at = max(at - 1, 0)
    return msgspec.structs.replace(game, fits=levels[at])
