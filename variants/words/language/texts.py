"""Why an action is refused, and what several modules of this game say.

Rule 1: a sentence says what is wrong, then what can be done.
"""

from __future__ import annotations

from variants.words.view import NOT_TOLD

GAME_OVER = "The game is over. Type rematch to play again."
WATCHING = "You are watching, so you can't make moves."
OTHERS_TURN = "It's {}'s turn."
WHICH_LETTER = "{} trades with you. Which letter do you give? Type: give LETTER"
CHANGES_USED = "You have rearranged words {} times this turn, which is the limit. Type done."
LAY_NOW = "You can lay words now. Type "
LAY_UNTIL = " when you have finished."
NOT_ON_MANIFEST = " {} isn't on your manifest: if the round ends now, it costs {}."
NOT_A_WORD = "{} isn't in the word list. Try other letters, or another order."
UNSEEN = "{} unseen: {}."


def waiting_for(players: int) -> str:
    """How many have not chosen yet: all that is public of a sealed window.  [G-11]"""
    if players == NOT_TOLD:
        return "Waiting for the others."
    return f"Waiting for {'one more player' if players == 1 else f'{players} more players'}."
