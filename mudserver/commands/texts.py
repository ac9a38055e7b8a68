"""What commands answer, besides their help and what the games say."""

from __future__ import annotations

ACCOUNT_HOW = 'You can\'t "{}" an account. Type account delete, account keep, or account'

KEYS_HOW = 'keys can\'t do "{}". Type keys, keys add, keys label 2 TEXT or keys remove 2'
KEYS_ADD_PASSWORD = "To add a key, first type your password."
KEYS_ADD_ONCE = "The code works once, for {}."
KEYS_ADD_WHERE = "Connect once from the machine that has the key:"
KEYS_LABEL_WHICH = "Which key, and what is it called? For example: keys label 2 laptop"
KEYS_LABELLED = "Key {} is now called {}."
KEYS_REMOVE_WHICH = "Which key? To see their numbers, type keys. Then for example: keys remove 2"
KEYS_REMOVED = "Key removed: {}."
WHOAMI = "You are {}, {}. This session is {}: tell it if something went wrong and you ask for help."

IGNORED = "You are now ignoring {0}. To undo: unignore {0}"
UNIGNORED = "You can hear {} again."
BEFRIENDED = "You will be told when {} comes and goes."
UNFRIENDED = "You won't be told of {} any more."
NO_FRIENDS = "nobody yet: friend NAME"
AWAY_NOW = "You are away now. Type back when you return."
NOT_AWAY = "You are not away."
PROFILE_SET = "finger shows it to everybody now."
PROFILE_GONE = "finger says nothing of you now."

AMBIGUOUS = '"{}" is ambiguous: {}?'
WHOLE_WORD = 'For "{0}" type the whole word: {1}'
INCOMPLETE = "{}: something is missing. Type it like this: {}"
TOO_MUCH = '{}: I don\'t understand "{}". Type it like this: {}'
GAME_NAME = "{0} is a game. Type play {1} to start one, learn {1} for a lesson."
QUESTION_ELSEWHERE = '"{}" is a question at a table of {}. Type tables to find one.'
NOT_IN_GAME = "You aren't in a game. Type play to start one, or tables to find one."
NOT_STARTED = "The game hasn't started yet. Type start when everybody is ready."
WATCHING = "You are watching, so you can't make moves."
ONLY_REGISTERED = "Only registered players can use {}. Type register NAME to register."
REGISTERED_ALREADY = "You are registered as {} already. For another name: rename NAME"
NAME_AGAIN = "Type the new name again: "
NOT_AT_TABLE = "You aren't at a table. Type play to start a game, or sit NUMBER to join one."
NO_GAME_YET = "No game has been played here yet. Type start to begin one."

NOT_A_TABLE = '"{}" isn\'t a table number. For a list, type tables'
NOT_AN_OPTION = '"{}" isn\'t an option. Options look like deck=50, without spaces.'
OPTION_TWICE = "{} is given twice. Give it once."
NO_HELP = 'No help on "{}".{} Type help for all topics.'
SIMILAR_TOPICS = " Similar topics: {}."

SETTING_NOW = "{}: {}."
SETTING_DEFAULT = "{}: {} (default)."
FULL_SCREEN_ON = "Full screen on. Type screen off to go back."
SETTINGS_HOW = "To change one: set colour off. To go back: set colour default"
SEAT_KEPT = " Your seat is kept until the game ends; log in again to continue."
TOO_LONG_TO_DECLINE = "That text is too long ({} of {} characters)."

CHANNEL_HOW = "To talk in a channel type its name: #help TEXT. To see all: channels"
QUIET_NOW = "You hear your table, friends and the staff alone. To end it: quiet off"
NOT_QUIET = "You hear everybody again."
QUIET_HOW = "Type quiet on or quiet off"

IS_PROGRAM = "This account is a program's. Everybody can see that."
IS_NO_PROGRAM = "This account is a person's."
PROGRAM_AGAIN = "Declare this account a program's, for good? Type yes, or anything else for no: "
NOT_A_PROGRAM_THEN = "Nothing has changed."
TABLE_MOVED = "Table {} is moving between servers. Please try again in a moment."
