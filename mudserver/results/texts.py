"""What people read about results."""

from __future__ import annotations

RECORDED = "This was game {0}.{1} To see it again: replay {0}"
NOT_RECORDED = "This game was not recorded: {} games a day are."
NO_SUCH_GAME = "There is no game {}. Yours: games"
NOT_A_GAME = '"{}" is no game. Type its number, as in: game 1042'
NO_GAMES = "None yet. To begin one: play"
NO_GAMES_OF = "None yet."
HIDES = "{} does not show results."
GUESTS_HAVE_NONE = "Guests have no results. register NAME keeps your games."
UNKNOWN = "Nobody is registered as {}."
WITH_ONESELF = "That is you. Choose somebody else."
NEVER_MET = "{} and {} have not played together yet."
NOT_A_PAGE = '"{}" is no page. Type a number, as in: games page 2'
NO_PAGE = "The last page is page {}."
NOT_A_SEASON = '"{}" is no season until now. Type one, as in: top words season {}'
TOP_EMPTY = "Nobody is established yet: that takes some twenty rated games."
TOP_SEASON_EMPTY = "Nobody who is established has played ten rated games in it yet."
TOO_MANY_NAMES = '"{}" is too much here. Type: games NAME GAME vs NAME'
RATINGS = " Ratings: {}."
UNRATED_GUEST = "a guest plays"
UNRATED_PEOPLE = "two people with accounts are needed from the start"
UNRATED_PROGRAM = "a program plays for an account that has not typed program on"
UNRATED_FILES = "this server plays it with files of its own"
UNRATED_LEVEL = "the computer players of level {} are not measured"
UNRATED_PAIR = "two of its players are not rated against each other then"
UNRATED_END = "it has no result"
UNRATED_IDLE = "somebody decided nothing"
TOLD_SHARED_ADDRESS = "This game is unrated: two players share a network address."
TOLD_MET_TOO_OFTEN = (
    "This game is unrated: two of you have had {} rated games today, or {} this season."
)
TOLD_WATCHER = "This game is unrated: a player and a watcher share a network address."
WATCHER_SHARES_ADDRESS = "You share a network address with a player of this rated game."
VOID = "; void: what it made of ratings was given back"
VOIDED = "Game {} is void now: {} got back what it made of ratings."
VOID_ALREADY = "Game {} is void already."
VOID_UNRATED = "Game {} is unrated: there is nothing to give back."
A_GUEST = "a guest"
