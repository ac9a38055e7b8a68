"""Why an action is refused.  `{}` is a name, cards or what else the view shows everybody or the
seat itself.

Rule 1: a sentence says what is wrong, then what can be done.
"""

from __future__ import annotations

MOVES_HINT = " Type moves for a list."

GAME_OVER = "The game is over. Type rematch to play again."
WATCHING = "You are watching, so you can't make moves."
OUT = "You are out of this game. Keep watching, or type leave."
OTHERS_TURN = "It's {}'s turn."
OTHERS_WINDOW = "Waiting for {} {}."
NOT_A_MOVE = "That isn't a move of this game." + MOVES_HINT

LOCATIONS = "There are two locations. Type in, out or stay"
LOCATION_LATER = "You choose your location after your last action." + MOVES_HINT
LOCATION_NOW = "You have used your three actions. Where to next turn: in, out or stay?"
THREE_ACTIONS = (
    "A turn has three actions. You can end it before only when a deck is empty." + MOVES_HINT
)
NO_SKIPPING = "You can't skip an action." + MOVES_HINT
NOTHING_TO_RESPOND = "Nothing was played on you, so there is nothing to respond to." + MOVES_HINT
RESPOND_LATER = "You can respond only when a card has been played on you. {}"
RESPOND_FIRST = "First respond to {}'s {}: nice try, reflect or pass."
IS_RESPONSE = "{} is a response: you can play it when a card was played on you." + MOVES_HINT

GIVE_UP_FIRST = "{} costs you one supply. Which one: {}?"
GIVE_UP_KIND = "{} takes {} only."
GIVE_UP_THESE = "{} You can give up {}."
NOTHING_TO_GIVE_UP = "No card costs you a supply now." + MOVES_HINT
NOT_IN_STOCKPILE = "You have no {} in your stockpile."
UNKNOWN_CARD = "There is no such card."
NO_SUCH_CARD = "There is no such card in this game." + MOVES_HINT

HAND_FULL = "You have {} cards, which is the limit, so you can't draw." + MOVES_HINT
DECK_EMPTY = "The {} deck is empty, and {} you can't draw from another one." + MOVES_HINT
SUPPLIES_EMPTY = "The Supplies deck is empty, {}." + MOVES_HINT
NO_GAIN = "so that card would bring nothing"
NO_SWAP = "so nobody can play Swap Shop"
SWAP_ANOTHER = "Swap Shop goes together with another Effect card. Choose that one."
SWAP_NOT_EFFECT = "{} isn't an Effect card. Swap Shop goes together with another Effect card."
SWAP_NOT_HELD = "You have no {} card. With Swap Shop you can discard {}"
SWAP_ALONE = "Swap Shop goes together with another Effect card, and you have none." + MOVES_HINT
DISCARD_ONLY = "You can discard only with {} cards in hand and none you can play." + MOVES_HINT
DISCARD_NOT = "You can play a card, so you can't discard one." + MOVES_HINT
NOSEY_KINDS = "Nosey Neighbour makes a player discard all Food or all Toilet Paper. Which of them?"
ISOLATED_ALREADY = "Your Self-Isolation is in play already, until your next turn." + MOVES_HINT

NOT_HELD = "You have no {} card. Your hand: {}"
NOT_THAT_KIND = "{} isn't {}." + MOVES_HINT
NO_SUCH_PLAYER = "There is no such player."
NOT_ON_YOURSELF = "You can't play {} on yourself."
CHOOSE_AMONG = "You can choose {}."
NOBODY_TO_HIT = "There is nobody now on whom you can play {}{}."
TARGET_OUT = "{} is out of the game."
TARGET_ISOLATED = "{} is in Self-Isolation, safe from Effect cards."
TARGET_HAS_NOTHING = "{} has no supplies to trade."
NOTHING_TO_TRADE = "You have no supplies to trade."
TARGET_INDOORS = "{} is Indoors. Nosey Neighbour works only on players who are Outdoors."
TARGET_LACKS = "{{}} has no {}."
TAKES_ONLY = "{} takes {} here, not {}."
OTHER_LACKS = "{} has no {}. You can take {}."
YOU_CAN = "{} You can {} {}."

REFLECT_ALONE = "A Reflection of {} only cancels it. Type: reflect"
REFLECT_NOBODY = (
    "There is nobody on whom you can turn {}. You can pass, or play a Nice Try! if you have one."
)
REFLECT_WHOM = "On whom do you turn {}? You can choose "
REFLECT_NEEDS = "To reflect {}, choose {}." + MOVES_HINT
