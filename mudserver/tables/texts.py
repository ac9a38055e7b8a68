"""What a table refuses with, and what it says of its people: owner, seats, and who is ready.

Rule 1: sentences about people are public, but for those that say "you": these are sent to one
        person alone.  What else happens is told by `notifications.py`.
"""

from __future__ import annotations

from mudserver.tables import records as f
from variants.kit.text import join_words

CLOSED_BY_STAFF = "The staff closed table {}"
ROUND_PLAYED = "This was a game of round {1} of tournament {0}. What comes next: tourney {0}"
OF_TOURNEY = "Table {0} belongs to tournament {1}. To see it: tourney {1}"
TABLE_CLOSED = "Table {} is closed. For the others, type tables"
NO_TABLE = "You aren't at a table. To find one, type tables"
NO_SUCH_TABLE = "There is no table {}. For a list, type tables"
NO_GAME_YET = "No game has been played here yet. Type start to begin one."
IN_A_GAME = "You are in a game at table {}. Finish it, or type leave."
SITS_ELSEWHERE = "You have a seat at table {}. To give it up: leave"
NO_GAME_AT_TABLE = "No game has been played at this table yet."
NO_GAME_NOW = "No game is running here. To start one: start"
GAME_NOT_OVER = "The record of a game is available when it is over."

OPTIONS_FIXED = "Options can't be changed during a game."
ONLY_OWNER = "Only {} can {}."
TOO_FEW_SEATS = "{} players are here already, so seats can't be {}."
CANNOT_UNSEAT_NOW = "Nobody can be asked to leave a running game."
UNBOT_INSTEAD = "To remove a computer player: unbot NAME"
STAND_INSTEAD = "That is you. To leave your seat: stand"
COMPUTER_CANNOT_OWN = "Computer players can't own tables."
OWNS_ALREADY = "You own this table already."
GUEST_CANNOT_OWN = "{} is a guest. Choose somebody who is registered."
IS_COMPUTER = "{} is a computer player. {}"
NOT_AT_TABLE = 'Nobody called "{}" is at table {}. There are: {}'
NOT_READY = "You aren't marked ready. To start a game: ready"
SITS_ALREADY = "You already have a seat at table {}."
TABLE_PLAYING = "Table {0} is in the middle of a game. You can watch it: watch {0}"
TABLE_FULL = "Table {} is full. {}"
SEAT_KEPT = "Somebody is on the way to table {}. Please try again in 10 s."
WATCH_IT = "You can watch it: watch {}"
HAS_SEAT = "You have a seat at table {}. To see it, type look"
WATCHES_ALREADY = "You are watching table {} already. To see it again, type look"
WATCHERS_FULL = "Table {} has {} and no room for more."
GAME_RUNNING = "A game is running. To give your seat to a computer player, type leave."
PLAYING_ELSEWHERE = "You are in a game at table {}. To give that seat to a computer player: leave"
AUTOPASS_SET = (
    "In one game your seat can switch autopass {} times, and has done so; it stays {}."
    " When the game is over: autopass on, or autopass off"
)
COMPUTERS_BEFORE = "Computer players can join only before the game starts."
START_NOW = "To begin: start"
COMPUTERS_STAY = "Computer players stay until the game is over."
NO_COMPUTERS = "There are no computer players at this table."
NO_SUCH_COMPUTER = "There is no such computer player. At this table: {}."
RUNNING_ALREADY = "The game is already running. Type look to see the table."
TABLE_KEEPS_NO_MORE = "This table has no room for another game. To play at another one: open {}"
NEEDS_PLAYERS = "{} needs at least {} players. Type bot to add a computer player."
ONLY_WATCHING = "You are watching, so you can't make moves."
NO_SEAT = "You have no seat at table {}.{}"
TAKE_SEAT = " To take one: sit {}"

SERVER_FULL = (
    "The server has no room for another game right now; running games go on."
    " Please tell the server owner."
)
TOO_FAST = "Too fast: that move was not made. Please slow down."
GUESTS_OPEN_NO_TABLES = "Only registered players can open tables right now."
ALL_TABLES_TAKEN = "All {} tables are taken. To find a free seat, type tables"
OWN_TABLES = (
    "You have opened {}: {}. One closes {} after everybody has left it. To go there: sit {}"
)
OWN_SLOW_TABLES = (
    "You have opened {} for games by correspondence. Play one to its end, or type leave there."
)
SLOW_SEATS = "You play {} by correspondence already. For a list, type go"
NO_MORE_SLOW = "No more games by correspondence can be opened right now."
OPENS_TOO_FAST = "You are opening tables too quickly. Please wait {}."
TOO_MANY_CHANGES = "Too many changes at tables at once. Please wait {}, then try again."

SUSPENDED = (
    "The server can't save this game right now, so the table is paused."
    " Nothing is lost; it continues by itself."
)
MAY_BE_LOST = "Whether your last line counts shows when the table continues."
STILL_SUSPENDED = "The server still can't save this game. It continues by itself."
RESUMED = "The game continues. All clocks have been set back to where they were."
RESUMED_WITHOUT_GAME = "The server can save again, so the table continues."
NOT_OPENED = "The server can't save your table, so it was not opened. Please try again in a minute."
MOVES = "Table {} is moving between servers. Please try again in a moment."
QUEUE_FULL = "The table is busy. Your command was ignored; please try again."
BUG_APOLOGY = "Sorry, something went wrong on the server. Your game is as it was. (ref {})"
TABLES_COME_BACK = "Many tables are being fetched. Please try again in a moment."
NOT_RESTORED = "Table {} can't be shown now. Please tell the people who run this server."
RESTORING = "The server has just restarted and is loading the tables. Please try again in a moment."
STILL_RESTORING = (
    "The server has just restarted and is loading the tables. If you have a seat, you will see it"
    " in a moment."
)

QUESTION_HINT = " Type look for the table, rules for the rules."
TALK_HINT = " To say it to the table, type '"
NO_LONGER_READY = "You are no longer marked ready."
HURRY = "Everybody is waiting for you. Type ready or leave."
WRONG_CODE = "No table has this code."
GUESTS_PLAY_LIVE = "Games by correspondence are for registered players."
PLAY_IS_LIVE = "{} is for live games. To open one by correspondence: open {} correspondence"
GUESTS_OPEN_TO_ALL = "Guests can't open private tables. Only registered players can."
INVITATION_GONE = "That invitation has ended."

REVIEW_FOR_MORE = "Type review for more."
NO_REVIEW_NOW = "Nothing to review: you have played no game to its end here."
NO_HINT_NOW = "No game is running here. To read advice on a game, type tips GAME"
NO_HINT_FOR_WATCHERS = "Hints are for those who play. You are watching."
HINTS_OFF = "Hints are off at this table. To read advice on the game, type tips"


IS_NOW = "{} is now {}."


def change_text(fact: f.AnyFact) -> str:
    """A change of a waiting table in a few words; "": *fact* changes nothing to agree on."""
    match fact:
        case f.OptionsSet():
            return "other options"
        case f.Sat(name=name):
            return f"{name} joined"
        case f.Stood(name=name) | f.Unseated(name=name):
            return f"{name} left"
        case f.ComputerSat(name=name):
            return f"computer player {name} added"
        case f.ComputerLeft(name=name):
            return f"computer player {name} removed"
        case _:
            return ""


def changed(change: str) -> str:
    """The answer to a word that was typed for the table as it was before."""
    return f"The table has changed: {change}. Type ready again."


def you_are_ready(waits_for: list[str]) -> str:
    return f"You are ready. Waiting for {join_words(waits_for)}."


def no_game(number: int, tourney: int) -> str:
    """Args: number: of the table; tourney: that it belongs to; 0: to none."""
    return OF_TOURNEY.format(number, tourney) if tourney else NO_GAME_NOW


def is_ready(name: str, ready: int, people: int, *, is_rematch: bool) -> str:
    wants = "wants a rematch" if is_rematch else "is ready to start"
    return f"{name} {wants} ({ready} of {people} ready). Type ready or leave."


def is_not_ready(name: str) -> str:
    return f"{name} is no longer ready."


def owns(name: str, table: int) -> str:
    return f"{name} owns table {table} now."


def you_own(table: int) -> str:
    return f"You own table {table} now. You can add computer players (bot) and change options."


def code_is(table: int, code: str) -> str:
    return f"Table {table} is private. Others join it with: sit {code}"


def invited(by: str, name: str) -> str:
    return f"{by} invites {name}."


def invited_for_days(by: str, name: str) -> str:
    return f"{by} invites {name}. {name} has 72 h to answer."


def you_are_invited(by: str, table: int, game: str, *, is_slow: bool) -> str:
    kind = " by correspondence" if is_slow else ""
    return f"{by} invites you to table {table} ({game}{kind}). Type accept {by}, or decline {by}"


def invitation_ended(name: str, why: str) -> str:
    if why == "declined":
        return f"{name} declines the invitation."
    if why == "started":
        return f"The game begins without {name}, who was invited."
    return f"{name} has not answered the invitation."


def your_invitation_ended(by: str, table: int, *, has_started: bool = False) -> str:
    why = " The game has begun without you." if has_started else ""
    what = f"{by}'s invitation" if by else "An invitation"
    return f"{what} to table {table} has ended.{why}"


TOO_FEW = "There are too few players to begin. Type bot to add a computer player."
COUNTDOWN_ENDED = "The table does not start by itself any more. It starts when everybody is ready."


def starts_alone(table: int, seconds: int, computers: list[str]) -> str:
    others = f" with {join_words(computers)} (computer)" if computers else ""
    return (
        f"You have table {table} to yourself. It starts in {seconds} s{others}. "
        "Type start to begin now."
    )


def starts(table: int, seconds: int) -> str:
    return (
        f"You sit at table {table}. It starts in {seconds} s, with computer players in the free "
        "seats. start begins now, leave goes back."
    )


def waits_for_account(table: int, game: str) -> str:
    return (
        f"You wait at table {table} for somebody else with an account: its game is rated. leave "
        f"goes back, play {game} starts a game with computer players."
    )


def nobody_has_come(game: str) -> str:
    waits = "Nobody has come yet. Still waiting;"
    return f"{waits} play {game} starts one with computer players."


STALE = "That question is not open any more, so nothing was played. look shows what is asked."


def starts_later(seconds: int) -> str:
    return f"The game starts in {seconds} s."


def lost_seat(table: int) -> str:
    return f"You were offline, so your seat at table {table} is free now. To find one, type tables"


def unseated(table: int) -> str:
    return f"The owner of table {table} has asked you to leave it."


def barred(table: int, wait_ms: int, *, is_by_owner: bool) -> str:
    why = (
        f"The owner of table {table} has asked you to leave it."
        if is_by_owner
        else f"You have left table {table} twice in 10 min."
    )
    minutes = -(-wait_ms // 60_000)
    return f"{why} You can join it again in {minutes} min."
