"""Why an action is refused.  `{}` is a name or cards; what somebody may not know stands in none.

Rule 1: a sentence says what is wrong, then what can be done.
"""

from __future__ import annotations

MOVES_HINT = " Type moves for a list."

GAME_OVER = "The game is over. Type rematch to play again."
WATCHING = "You are watching, so you can't make moves."
OUT = "You are out of this game. Keep watching, or type leave."
OTHERS_CHOICE = "{} is choosing the next player."
OTHERS_TURN = "It's {}'s turn."
NEXT_TOO_EARLY = "You choose the next player after your move." + MOVES_HINT
NOT_A_MOVE = "That isn't a move of this game." + MOVES_HINT

WHO_NEXT = "Who plays next? Choose "
NOT_YOURSELF = "You can't choose yourself. " + WHO_NEXT
NO_SUCH_SEAT = "There is no such seat. " + WHO_NEXT
CHOSEN_IS_OUT = "{} is out. " + WHO_NEXT
RULE_OF_3 = "{} has no triplet (Rule of 3). You must choose a player with a triplet: "

TARGET_YOURSELF = "You can't {}. Choose another player."
TARGET_UNKNOWN = "There is no such seat. Choose another player."
TARGET_OUT = "{} is out. Choose a player who is still in."
NOBODY_DRAWS = "The deck is empty, so nobody can draw." + MOVES_HINT
NOBODY_FORCED = "The deck is empty, so nobody can be made to draw." + MOVES_HINT
NOTHING_TO_TAKE = "{} has no card in hand to take." + MOVES_HINT
NOTHING_TO_SHUFFLE = "A shuffle needs two hands with cards in them." + MOVES_HINT

NO_SUCH_CARD = "You don't have that card. Your hand: {}."
NOT_HELD = "You don't have {}. Your hand: {}."
LOCKED = "Your {}s are locked, and locked cards stay where they are. Your hand: {}."
NO_GIVE_BACKS = "No Give-Backs: you only just got the {}. You can give it {}. "
NOW_GIVE = "Now you can give {}."
NOTHING_TO_GIVE = (
    "You only just got all your cards, so you can't give any of them yet." + MOVES_HINT
)

NO_SINGLE = "You have no {} to clear with."
NO_PAIR = "A pair to clear with is two {}s; you have {}."
NO_PAIR_CLEARS = "With this pack no pair clears."
NO_SUCH_CLEAR = "You can't clear with that."
