"""What people read about tournaments."""

from __future__ import annotations

UNKNOWN = "There is no tournament {}. For a list: tourney"
ENTERED_ALREADY = "You play in tournament {} already."
NOT_ENTERED = "You do not play in tournament {}."
DOES_NOT_PLAY = "{} does not play in tournament {}."
TAKEN_OUT = "The organiser has taken you out of tournament {}, and can take you back in."
PLAYS_ALREADY = "{} plays in tournament {} already."
WAS_NOT_DROPPED = "{0} was not taken out of tournament {1}, so {0} can't be taken back in."
STARTED_ALREADY = "Tournament {} has started already."
RUNS = "Tournament {0} has started already. To see it: tourney {0}"
CLOSED = "Tournament {} is over."
FULL = "Tournament {} is full: {} people play in it."
TOO_FEW = "A tournament needs {} people. {} play in it so far."
HAS_TABLE = "This place has its table."

# -- pages -----------------------------------------------------------------------------------------

NONE = "There are no tournaments."
HOW_TO_OPEN = "To open one: tourney open GAME TITLE. See also: help tourney"
BY_ORGANISER = "when the organiser says so"
TO_JOIN = "To play: tourney {} join"
TO_WITHDRAW = "You play. To withdraw: tourney {} withdraw"
TO_SEE = "See also: tourney {0} standings, tourney {0} round"
NOBODY = "Nobody plays in it yet."
NO_ROUND = "Tournament {} has not started."

# -- commands --------------------------------------------------------------------------------------

GUESTS = "Only registered players play tournaments. To register: register NAME"
USAGE = "Type tourney, tourney NUMBER, or tourney open GAME TITLE. See also: help tourney"
ONLY_ORGANISER = "Only {} can do that: the tournament is theirs."
YOU_JOIN = "You play in tournament {}. It starts {}."
YOU_WITHDRAW = "You play no more in tournament {}."
YOU_START = "Tournament {} starts."
YOU_DROP = "{} plays no more in tournament {}."
YOU_SEAT = "{} plays in tournament {} from the next round on."
YOU_CLOSE = "Tournament {} is closed."
YOU_OPEN = "You have opened tournament {0}. You do not play in it yet. To play: tourney {0} join"
UNKNOWN_NAME = "Nobody is registered as {}."
SAY_WHY = "Say why: tourney {} close REASON"
SAY_WHO = "Say who: tourney {} {} NAME"
TOO_MANY = "You have {} open already. To close one: tourney {} close REASON"
TOO_MANY_HERE = "There are {} tournaments already, as many as this server has. Try again later."
NO_PROGRAMS = "Programs don't play in tournament {}."
TITLE = "A title has {} to {} characters: letters, digits, spaces, ' and -. {}"
TITLE_DENIED = "Choose another title: this one has a word that is not welcome here."
TITLE_EXAMPLE = "As in: tourney open words Winter Cup rounds=3"
NOSHOW_LIVE = "noshow is for live games. By correspondence it is the time of the first own turn."
START_FORM = "start must be a date and a time, as in start=2026-12-05T18:00 (your time zone: {})."
START_RANGE = "start must be within the next 30 days."
NOT_IN_TOURNEYS = "Games of tournaments have {}."
NO_SUCH_SEATS = "{} is played by {} to {}, so seats can't be {}."
NUMBER = "{} must be a number from {} to {}."

# -- what is told ----------------------------------------------------------------------------------

LABEL = "tournament {} ({})"
OPENED = "{} opened {}, {}. To play: tourney {} join"
STARTED = "{} has started, with {} players and {}."
ROUND = "Round {} of {} has begun. You play at table {}."
ROUND_SLOW = "Round {0} of {1} has begun. You play at table {2}. To go there: go {2}"
ROUND_ELSEWHERE = "Round {0} of {1} has begun. You play at table {2}. To take your seat: sit {2}"
AGAIN = (
    "A fault of the server has ended your game in round {0} of {1}. It begins anew, at table {2}."
)
AGAIN_SLOW = AGAIN + " To go there: go {2}"
AGAIN_ELSEWHERE = AGAIN + " To take your seat: sit {2}"
VOID = (
    "A fault of the server has ended your game in round {} of {} once more. It has no result:"
    " everybody there gets {} points."
)
SITS_OUT = "Round {} of {} has begun. You sit it out, and get {} points for it."
ROUND_OVER = "Round {0} of {1} is over. Round {2} begins in {3}. The order: tourney {4}"
WAITS = "Round {} of {} starts when there is room for its tables."
BACK_IN = "You play in {} again, from the next round on."
DROPPED = "You play no more in {}: {}. What you won counts."
DROPPED_EARLY = "You do not play in {}: {}."
DROPPED_WHY = {
    "withdrawn": "you have withdrawn",
    "left": "you have left a game",
    "noshow": "you missed two games",
    "organiser": "the organiser has taken you out",
    "deleted": "your account is gone",
    "banned": "you are banned",
}
FINISHED = "{} is over. {} To see the order: tourney {}"
WON = "{} wins with {} points."
SHARED = "{} share the first place with {} points."
CLOSED_BY = "{} closed {}"
CLOSED_EARLY = "{} is closed: {}. To see the order: tourney {}"
TOO_FEW_CAME = "fewer than {} people play in it"
NOBODY_RAN_IT = "nothing was played for a week"
CALL = "Round {} of your tournament has begun."
CALL_AGAIN = "Your game in round {} of your tournament begins anew."
ENDS_EARLY = "The round is over, so your game ends here."
