"""What people read on pages and as answers to questions about the server and their game."""

from __future__ import annotations

RESUME_NOT_NEEDED = "Your seat belongs to your account, so you don't need a code."
RESUME_UNKNOWN = "That code doesn't match a running game."
SHORTER = "Shorter: open {} short ({} minutes)."
RESUME_HOW = "If you lose the connection, log in as guest and type: resume {}"

NO_GAME_NOW = "No game is running here. Type start to begin one."
NO_MOVES_NOW = "You can't make a move now."
NO_MOVE_BEGINS_SO = 'No move begins with "{}". Moves begin with {}.'
NO_LISTED_MOVE_BEGINS_SO = (
    'No listed move begins with "{}". They begin with {}. There are more moves than can be listed;'
    " to read how they are typed: rules"
)
SOME_MOVES = "{} of {} moves{}, some of each kind. For more: {}"
MORE_MOVES = "There are more moves than can be listed. For what else there is: rules"
QUESTIONS = "At any time you can ask: {}"
NUMBERS_HOW = "To make one of these moves, type its number."
NUMBER_OUTDATED = "{} was {} in a list that is out of date. For a new list: moves"
NUMBER_IN_GAME = "The game itself reads {} as {}: type that in full."
WAITING_FOR = "Waiting for {}."
CHOSEN = "You have chosen."
HISTORY_CUT = "These are the last {:,} of {:,} events. When the game is over, record has them all."

UTILITY_AGAIN = "This takes the server some time. Please wait ten seconds."
UTILITY_BUSY = "The server is busy with this right now. Please wait a few seconds."
PRACTICE_HINT = "When you don't know what to play, type hint"
HINT_NOT_YOUR_TURN = "It's {}'s turn."
HINT_AGAIN = "You can ask for one hint in three seconds."
HINT_BUSY = "The advisor is busy. Try again in a moment."
HINTS_USED = "You have had {} hints in this game, and there are no more."
LAST_HINT = "That was your last hint of this game."
REVIEW_BEGINS = "Looking at your decisions. This takes some seconds."
REVIEW_RUNS = "Your review is on its way."
NO_REVIEWS = "There are no reviews of {}."
REVIEW_TITLE = "What could have been better in {} decisions"
BETTER = "Turn {}: {}\tBetter: {}.{}"
NO_DECISIONS = "There is nothing to review: you had no choice to make in this game."
NOTHING_BETTER = "Of your {} decisions none could have been clearly better."
HINT_OF_STEP = "It is what this step is about."
BEST_OF = "It scored best of {} moves."
BEST = "It scored best of all moves."
NO_TIPS = "There are no tips for {0}. Type rules {0}"
CARDS_OF_WHICH = "Which game? Type cards and its name: {}"
NO_CARDS = "Nothing is known of the cards of {0}. Type rules {0}"
