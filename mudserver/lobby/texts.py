"""What people read in the lobby, and about what they say there and at tables."""

from __future__ import annotations

ARRIVED = "{} is here."
LEFT = "{} has left."
IS_NOW = "{} is now {}."
IGNORE_SELF = "That is you. Choose somebody else to ignore."
IGNORE_FULL = "You are ignoring {} people already. To hear one of them again: unignore NAME"
NOT_IGNORING = 'You aren\'t ignoring anybody called "{}".'
IGNORING = "You are ignoring {0}. Type unignore {0} first."
IGNORED = "{} isn't receiving your messages."
GUEST_CANNOT_TELL = "Guests can't send private messages. Use say, or register."
NO_MESSAGE_YET = "Nobody has sent you a message yet. Type: tell NAME TEXT"
OTHER_GUEST = "{0} has left. The next {0} is somebody else."
TELLER_ERASED = "Whoever told you something last is a former player, whom no message reaches."
OFFLINE = "{0} is offline. Type mail {0} TEXT to leave a message."
NOT_REACHED = "{} can't be reached right now. That message may not have arrived."
JUST_LEFT = "That person has just left. That message was not sent."
MISSED = "Some talk may have been missed."
TELL_SELF = "That is you. Choose somebody else to tell it to."
IS_AWAY = "{} is away"
BACK_LATER = "Back later."  # of who says nothing else
AWAY_LENGTH = "That is too long. Say it in {} characters."
QUIET = "{0} is quiet now. mail {0} TEXT leaves a message."
QUIET_GUEST = "{0} is quiet now."
IDLE = "{} has been idle for {} and may not see this."
SAY_WHAT = "Say what? Type: {} TEXT"
TOO_LONG = "That message is too long ({} of {} characters)."
TOO_FAST = "You're talking too fast. That message was not sent."
MUTED = "You can't talk for {} more: you said the same again and again."
MANY_STRANGERS = "You have written to many new people. Wait a few minutes."
REPEATED = "That is the same message again. You can't talk for {}."
WHO_MORE = "... and {} more: who A, who friends, who staff, who table 5"
WHO_AMONG = "{} of {} who are here"
NONE_OF_THEM = "None of them is here. To list everybody: who"
AMBIGUOUS = '"{}" is ambiguous: {}?'
NOT_ONLINE = 'Nobody called "{}" is online. {}'

# -- channels --

TOPICS = {
    "lobby": "everybody who is at no table",
    "staff": "who keeps order here",
    "help": "questions of newcomers, and answers",
    "chat": "anything you like",
    "elimination": "the game elimination",
    "stockpile": "the game stockpile",
    "words": "the game words",
    "bots": "programs that play",
}
NO_CHANNEL = 'There isn\'t a channel "{}". To see all: channels'
STAFF_ALONE = "Only the staff can use the channel staff."
LOBBY_BUSY = "The lobby is very busy. Try again in a second."
CHANNEL_BUSY = "The channel {} is very busy. Try again in a second."
LOBBY_NOT_JOINED = "At a table you don't hear the lobby. First: join lobby"
NOT_JOINED = "You aren't in {0}. First: join {0}"
