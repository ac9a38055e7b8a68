"""What people read about results."""

from __future__ import annotations

RECORDED = "This was game {0}. To see its result again: game {0}"
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
NO_PAGE = "There are {} pages only."
TOO_MANY_NAMES = '"{}" is too much here. Type: games NAME GAME vs NAME'
A_GUEST = "a guest"
