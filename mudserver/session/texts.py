"""What people read from the first connection to the last line, besides commands and games."""

from __future__ import annotations

LOGIN_TITLE = "Welcome to {}: three card games for people and computer players."
LOGIN_HOW = "Type your name, or a new name to register, or guest. Type help for help."
LOGIN_HELP = (
    "guest: play without an account",
    "a new name: register it; you will choose a password",
    "your name: log in",
    "screenreader on: plain text for screen readers",
    "quit: disconnect",
)
SCREEN_READER_ON = "Screen-reader mode is on."
SCREEN_READER_OFF = "Screen-reader mode is off."
SCREEN_READER_HOW = "Type screenreader on, or screenreader off"
NAME_AND_PASSWORD = "Type only your name first; the password is asked for next."
NOT_A_NAME = "A name is a single word. Type your name, guest or help."
OR_GO_BACK = ", or press Enter to go back."
GOODBYE = "Goodbye."

WRONG_PASSWORD_AGAIN = "Wrong password again. Goodbye."
NOTHING_CHANGED = "Nothing has changed."
PASSWORD_FIRST = "First type your present password."
PASSWORD_SAVED = "Password saved. It works over SSH and telnet."
KEY_FIRST = "Log in again with your key first."
KEY_REMOVED_MEANWHILE = "This key was removed from the account."
KEY_QUESTION = "Add the key {} ({}) to the account {}? Type yes"
KEY_OTHER = "Another key? ssh -i FILE -o IdentitiesOnly=yes {}+{}@HOST"
KEY_ADDED = "Key added: {}. Log in with: ssh {}@HOST"
BANNED_HOW = (
    "These work here for five minutes: export, account delete, account keep, help privacy, quit"
)
BANNED_OVER = "The five minutes are over. Goodbye."
GAME_NEEDS_ACCOUNT = "Log in to your account: ssh NAME@HOST game 1042 cast"
CANNOT_READ = "The server can't read that now. Please try again in a minute."
EXPORT_NEEDS_ACCOUNT = "Log in to your account: ssh NAME@HOST export"
CANNOT_SAVE = "The server can't save right now. Please try again in a minute."
NOT_SAVED = "The server can't save right now, so nothing was changed. Please try again in a minute."

SERVER_RESTARTS = "-- One moment: the server restarts. What you type is kept."
SERVER_RESTARTS_FORMS = (
    SERVER_RESTARTS,
    "-- One moment: the server restarts.",
    "-- One moment.",
)
NOT_TAKEN_UP = "The server restarted and could not take your session up. Please log in again."
NOT_REACHED = "Table {} can't be reached now; you are where you were."
TABLE_MOVES = "Table {} is moving between servers. Please try again in a moment."
ON_ANOTHER_SERVER = (
    "Table {0} is on another server, where this connection can't go. For table {0}, log in there."
)
ERRAND_TOO_LONG = "Table {} is on another server, and that line is too long to be passed on."
PLACE_COMES_BACK = "Your place is at table {}. It comes back in some seconds."
TYPE_AGAIN = "The server restarted; please type that again."
QUESTION_CANCELLED = (
    "-- The server restarted, so the question is cancelled. Type the command again."
)
REPLAY_CLOSED = "-- The server restarted, so the replay is closed. To see it again: {}"
PAGE_LEFT_OUT = "-- The rest of this page is left out: the server restarted."
LINE_UNCERTAIN = (
    "-- The server has restarted. Your last line may not have been taken;"
    " look shows how things stand."
)

CONNECTION_ENDS = (
    "This connection ends in {}, because a part of the server is replaced."
    " Your seat is kept; just connect again."
)
WELCOME_BACK = "Welcome back, {}. "
HAS_MOVED = "Your session has moved here"
GOES_ON = "Your session goes on here"
HAD_BEGUN = "; you had begun to type"
OTHER_SESSION = "Your session from {} ({}) is kept. To take it up later, type attach"
ATTACH_QUESTION = "Take it up now? Type yes, or press Enter: "
YES = ("yes", "y")
DETACHED = "Your session stays here for {}. Come back from any terminal."
NOTHING_TO_TAKE_UP = "There is nothing to take up: this is your only session."
SESSION_OUT_OF_REACH = (
    "Your other session waits on another server, where this connection can't go."
    " Log in there to take it up."
)
SESSION_NOT_REACHED = "Your other session can't be reached now. To try again, type attach"
LEAVE_TO_ATTACH = (
    "Your other session waits on another server. To take it up, first leave table {}: leave"
)
NOTHING_IS_KEPT = "This server can't keep your session. To leave, type quit"
GUEST_CANNOT_DETACH = "A guest without a seat can't come back. To leave, type quit"
PROGRAM_HAS_NO_DRAFT = "A program has no session to take up or to keep. To leave, send quit"
THIS_ONE, IS_DETACHED = "this one", "detached"
SINCE, AT_TABLE, LEFT_AGO = "since {}", "table {}", "left {} ago"
STILL_THERE = "Are you still there? You will be disconnected in two minutes. Press Enter to stay."
IDLE = "Disconnected after {} of inactivity."
SEAT_KEPT = " Your seat is kept."
TOO_MANY_COMMANDS = "Disconnected: too many commands at once."
TOO_FAST = "Too fast: some of your commands were ignored. Please slow down."
BUG_APOLOGY = "Sorry, something went wrong on the server. Your game is safe. (ref {})"
BUG_DISCONNECTED = BUG_APOLOGY + " Please log in again."

AUTOPASS_SOON = "You will pass automatically in a moment. To respond, type now."
CHOSEN = "You have chosen."
MORE_PROMPT = "-- more: Enter, q to stop -- "
PAGE_CLOSED = "-- Page closed: {}."
YOUR_TURN = "it's your turn"
TOO_MANY_MESSAGES = "too many messages"
GAME_OVER = "The game is over."
GAME_OVER_TITLE = "Game over"
NO_GAME = "No game is running here."
MESSAGES_LOST = "... {} lost: the connection was too slow."

NEEDS_SINGLE_KEYS = (
    "Your telnet client sends whole lines, so the full screen can't work. It works over SSH."
)
NEEDS_CURSOR = (
    "Your terminal says that it can't move its cursor, which the full screen needs. If it can, log"
    " in again with TERM=xterm."
)
NEEDS_EYES = (
    "Screen readers can't follow the full screen. To try it anyway, first type screenreader off"
)
NO_FULL_SCREEN = "This server has no full screen."
FULL_SCREEN_FAILED = "Sorry, the full screen failed; this is line mode. Your game is safe. (ref {})"
NO_SCREEN = "This connection sends objects, so it has no screen."

YOUR_TERMINAL = "Your terminal"

OBJECT_TOO_LONG = "That object is too long (at most {:,} bytes)."
OBJECT_KEYS = 'An object holds "line" with a text, and nothing else: {}'
OBJECT_KEYS_2 = 'An object holds "line", and perhaps "id" and "question", or else "ping": {}'
TOO_MANY_UNREADABLE = "Too much of what you write can't be read, so this session ends."
OBJECT_UNREADABLE = "That isn't JSON. Write one object a line: {}"
LINE_TOO_LONG = "That line is too long (at most {} characters)."
LINE_BREAK = "A line can't hold a line break. Write one object for each line."
PASTED = "That was {} lines. Paste at most {} at a time."
