"""What people read of games that others offer, and of those that they offer themselves."""

from __future__ import annotations

SOUGHT = "{} seeks a game: {}. To play: accept {}"
SOUGHT_SEVERAL = "Games are sought: {}. To see all: seeks"
YOU_SEEK = (
    "You seek a game: {} (offer {}). It stands for {} while you are here. To end it: seek off"
)
TITLE = "Games that people seek"
NONE = "Nobody seeks a game right now. To seek one: seek {}"
YOURS = "{} (yours)"
HOW = "To play one of them: accept NUMBER"
OFF = "You seek no game any more."
OFF_ALREADY = "You seek no game. To seek one: seek {}"
TOO_MANY = "You seek {} already. To end that: seek off"
SAME = "You seek that already (offer {}). To end it: seek off"
TOO_OFTEN = "You can seek 10 games in 10 min. Please wait a minute."
TOO_LONG = "That is too much for one line. Name a preset, and change fewer options."
FOR_EVERYBODY = (
    "Everybody here can take the offer, so who=invited and code=on don't fit. For one person: match"
    " NAME"
)
NO_PROGRAM_SEEKS = "You are a program yourself, so programs=off doesn't fit."

GONE = "That offer is gone. To see all: seeks"
TWICE = "Two offers have the number {} now. Please try again in a minute."
OWN = "Offer {} is your own. To end it: seek off"
CANNOT_TAKE = "You can't take this offer."
FOR_REGISTERED = "Offer {} is for registered players. To be one: register NAME"
TAKES_NO_PROGRAMS = "Offer {} takes no programs."
BUSY = "{} is busy at a table right now. The offer stands."
NO_TABLE = "No table can be opened for {} right now. The offer stands."
NOT_REACHED = "{} can't be reached right now. Please try again in a moment."
NO_WAY = "{} is on another server, where this connection can't go. To take the offer, log in there."
TAKEN = "{} takes your offer {} ({}), at table {}. To begin: ready"
YOU_TAKE = "You take {}'s offer ({}), at table {}. To begin: ready"
ENDED = "Your offer {} ({}) has ended after {}. To repeat it: seek {}"
YOU_SIT = "You sit at a table, so your offers of live games have ended."

MATCH_IS_INVITED = "A match is for the person you name, so who stays invited."
MATCH_SELF = "That is you. To seek somebody: seek GAME"
MATCH_WHICH = "You and {0} have no game in common yet. Name one, as in: match {0} {1}"
MATCH_GUEST = "{} is a guest, and this game is for registered players."
