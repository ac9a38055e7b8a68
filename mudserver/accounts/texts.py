"""What people read about names, passwords, keys and settings.

Rule 1: a sentence says what is wrong, then what to do; what is to be typed stands last.
Rule 2: `tests/test_voice.py` holds the voice of all sentences of the server.
"""

from __future__ import annotations

WRONG_PASSWORD = "Wrong password."
TOO_MANY_WRONG_PASSWORDS = "Too many wrong passwords. Please wait a minute and try again."
PASSWORDS_DIFFER = "The passwords don't match. Please try again."
PASSWORD_TOO_LONG = "That password is too long (at most {} {})."
PASSWORD_TOO_SHORT = "That password is too short (at least {} characters)."
PASSWORD_CHARACTERS = "A password can have letters, digits, punctuation and spaces."
PASSWORD_TOO_EASY = "That password is too easy to guess. Please choose another one."

NAME_FREE = '"{}" is free. Choose a password to register it'
NAME_LENGTH = "Names have {} to {} characters."
NAME_CHARACTERS = "Names can have letters a to z, digits, _ and -."
NAME_START = "Names begin with a letter."
NAME_END = "Names end with a letter or a digit."
NAME_SEPARATORS = "Names can't have two of _ and - in a row."
NAME_RESERVED = "{} is a reserved name. Please choose another one."
NAME_DENIED = "{} isn't allowed as a name here. Please choose another one."
NAME_TAKEN = "The name {} is taken. Please choose another one."
NAME_TOO_SIMILAR = "{} is too similar to {}, an existing account. Please choose another name."
NAME_BEING_TAKEN = "Somebody else is registering {} right now. Please choose another name."
NAME_IS_SAME = "The name is {} already."
NAME_TAKEN_AWAY = "The staff took the name {} away. Please choose another one."
NAMES_ARE_MANY = "{} has had {} names, which is the limit. Wait until one is free again."
RENAMED_LATELY = "You have changed your name lately. You can do it again in {}."
NAME_DIFFERS = "That is another name. Nothing has changed."
RENAMED = "You are called {} now. Nobody else can take the name {} until {}."
RENAMED_FREE = "You are called {} now."
IS_CALLED_NOW = "{} is now called {}."
TOO_MANY_WRONG_CODES = "Too many wrong codes. Please wait a minute."
REGISTERED = "You are registered as {}."
REGISTERED_WITH_KEY = '"{}" is now registered with your SSH key ({}). Log in with it any time.'

CODE_NOT_VALID = "This code isn't valid any more."
CODE_OF_OTHER_KEY = "This code is for another key."
TOO_MANY_CODES = "You have had {} codes within an hour. Please wait {}."
TOO_MANY_RECOVERY_CODES = "{} has had {{}} codes within an hour. Please wait {{}}."
RECOVERY_ISSUED = "An operator issued a recovery code for this account on {}."
RECOVERED_ELSEWHERE = "Your account was recovered with a code, so this session ends."
NO = ("n", "no")  # keeps them
REMOVE_OTHER_KEYS = "Remove the other {} of this account, too? Type no to keep: "
KEY_UNUSABLE = "This key can't be used here."
KEY_DAMAGED = "That key is damaged: part of it is missing. Paste the whole line."
KEY_PRIVATE = (
    "That is a private key! Show it to nobody, and make a new one. Paste the line of the .pub file."
)
KEY_UNREADABLE = "That isn't a public key. Paste the line of your .pub file: ssh-ed25519 ..."
KEY_HAS_ACCOUNT = (
    "Your key belongs to the account {name}: ssh {name}@HOST. To use it for another account too,"
    " register that one with a password first. Then type keys add"
)
KEY_HAS_TOO_MANY = "This key belongs to {} here already, which is the limit."
KEY_ADDED_BEFORE = "The key {} belongs to {} already."
KEYS_ARE_MANY = "{} has {} keys already, which is the limit."
KEY_UNKNOWN = 'You have no key "{}". To list yours, type keys'
KEY_BEING_ADDED = "This key is being added right now. Please try again."
KEY_BEING_REMOVED = "Another of your keys is being removed right now. Please try again."
KEY_WAS_ADDED = "A key was added to your account on {}: {}. To list your keys, type keys"
TOO_MANY_CHANGES = "You have changed a lot in a short time. Please wait {}."
LAST_KEY = "That is your only way to log in. Set a password or add another key first."
LABEL_LENGTH = "A label has 1 to {} characters."

IGNORE_FULL = "You are ignoring {} people already. To hear one of them again: unignore NAME"
FRIEND_SELF = "That is you. Choose somebody else."
FRIEND_GUEST = "{} is a guest, whom nobody can know again. Friends have a registered name."
FRIEND_ALREADY = "{} is among your friends already."
FRIENDS_FULL = "You have {} friends, which is the limit. To take one off: unfriend NAME"
NO_FRIEND = 'You have no friend called "{}". For a list: friends'
PROGRAM_FOR_GOOD = "This account has played as a program, so it stays one."
PROFILE_LENGTH = "A profile has at most {} characters; this one has {}."

ERASED = "This account has been deleted."
DELETED_ALREADY = "The account of {} will be deleted already."
NO_DELETION = "Nobody has asked to delete the account of {}."
ASKED_BY_STAFF = "The staff will delete your account. Write to whoever runs this server."
ASKED_BY_OWNER = "{0} has asked for that, so only {0} can take it back."

PROMPT_LENGTH = "A prompt has at most {} characters; this one has {}."
PROMPT_UNKNOWN_FIELD = "Unknown field {{{}}}. The fields are {{table}}, {{turn}} and {{time}}."
PROMPT_FIELD_TWICE = "{{{}}} stands twice in it. Once is enough."
PROMPT_BRACES = "Braces stand around a field only. The fields are {table}, {turn} and {time}."
PROMPT_SAYS_TURN = 'Only {turn} says "your turn", when it is so.'
PROMPT_WITHOUT_TURN = (
    "Without {turn} you would not see that it is your turn. short and full have it; so has:"
    " set prompt {table} {turn} {time}"
)
EASIER_TABLE = "Want an easier table? practice {} {}"
SETTING_UNKNOWN = 'Unknown setting "{}". {}'
TOPIC_CHARACTERS = "A topic has 8 to 64 characters: letters, digits, - and _."
EVENTS_UNKNOWN = 'You can\'t be told of "{}". There are {}. Type notify events moves,results'
HOURS_WRONG = '"{}" is not a span of hours. Type notify quiet 22-08, or notify quiet off'
SETTING_VALUE = '{} can\'t be "{}". It can be {}.'
TIME_ZONE_UNKNOWN = 'Unknown time zone "{}". {}'
TIME_ZONE_EXAMPLES = "It is a name such as Europe/Berlin, America/New_York or UTC."
WHY_IS_ABOVE = "The reason stands above."
