"""The rules for people, a paragraph or a play an item.  RULES.md has every ruling."""

from __future__ import annotations

GUIDE: tuple[str, ...] = (
    "For 2 to 8 players. Whoever gets a fourth card of one rank is"
    " out. The last one in wins. Suits never matter.",
    "The pack has 54 cards, two of them jokers. Everybody starts with four cards. The cards in"
    " your hand are mobile: they can be given, taken and shuffled away. The dealer, drawn by"
    " chance, goes first.",
    "Locking happens by itself. Two cards of a rank in your hand lock as a pair, face down before"
    " you. The third of that rank joins them and all three turn face up: a triplet. The fourth"
    " puts you out: those four leave the game (Outside), and all your other cards are shuffled"
    " into the deck unseen.",
    "In your turn do one thing. There is no passing.",
    "draw\ttake the top card of the deck; only you see it.",
    "give CARD NAME\tgive a card of your hand to another player; only you two see it.",
    "take NAME\ttake a card from a player's hand, blind; you two see which it was.",
    "force NAME\tthe top card of the deck is shown to all and goes into that player's hand.",
    "shuffle\tall hands are shuffled together and everybody gets back as many as before. Locks"
    " then happen clockwise from your left, yours last; it ends when one player is left. At least"
    " two players must have cards in hand.",
    "clear\tuse up a joker, or a pair of aces (clear joker, clear pair). Your hand and everything"
    " you have locked are shuffled into the deck and you draw four new cards. Aces and jokers"
    " never lock and put nobody out; used ones stay Outside.",
    "Who is next? If your move put somebody else out, you play again. Otherwise the player you gave"
    " to, took from or forced is next. After a draw, shuffle or clear you choose: next NAME. The"
    " Rule of 3: if another player has a triplet, you must choose one who has.",
    "If you put yourself out by a take, the player you took from is next. In any other way it is"
    " the next player clockwise with a triplet. If there is no triplet, it is simply the next.",
    "No give-backs: a card from the deck or from another player can't be given in your next turn."
    " You can give it in the turn after that. Your first four cards and those from a shuffle are"
    " free at once, and a shuffle wipes out old waits. Such a card can still be used to clear.",
    "hand\t(or piles, or table NAME) a piece of the table alone: your cards, the deck and what lies"
    " Outside, or what everybody may know of a player. You can ask at any time.",
    "cards\t(or card NAME) what you can know of every rank: where its cards are, and how many are"
    " unseen.",
    "When the deck is empty, nobody can draw or force; it fills again by a clear or when somebody"
    " goes out. If you have no move at all, you pass and choose the next player.",
    "If nothing has changed for 60 turns, the game is a draw. Nothing has changed if no card left"
    " the deck, nothing locked, and nobody cleared or went out. The count is shown from 40 on. The"
    " game is also a draw when no card is left to draw or move. Those still in share the first"
    " place.",
    "Options: deck=50 plays without jokers and with two aces, each of which clears alone as a"
    " joker does. With twos_as_aces=on the twos then do what aces did: they never lock, and a"
    " pair of them clears. until=half ends the game when half of the players are out, rounded"
    " down, until=first when the first is out: those still in share the first place, and the"
    " others are placed as they fell.",
    "In a match (deals=3) a deal counts two points for every player who is placed behind you. Every"
    " other player who shares your place counts one.",
    "If your time runs out, the first of these that is possible is done for you: draw, shuffle,"
    " take, give, clear. A name not chosen in time is the first one clockwise.",
)
