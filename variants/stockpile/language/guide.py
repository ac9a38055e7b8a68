"""The rules for people, a paragraph or a play an item.  RULES.md has every ruling."""

from __future__ import annotations

GUIDE: tuple[str, ...] = (
    "For 2 to 4 players. Gather supplies and do not get infected. When a deck has run out, the most"
    " valuable stockpile wins; but if everybody else is infected before that, you win with whatever"
    " you have.",
    "There are three decks of 35 cards. Everybody starts Indoors with an empty hand and a stockpile"
    " of Food 1, Toilet Paper 1 and Infection Prevention 2. A number on a supply is its value."
    " Stockpiles lie open; of your hand the others see only how many Indoor and how many Outdoor"
    " cards there are, by their backs.",
    "A turn has three actions, and you must use all three. Then you say where to be in your next"
    " turn: in, out or stay. Indoors there are fewer infections and the cards to defend yourself,"
    " but your supplies dwindle. Outdoors there are most of the new supplies and the cards to take"
    " other people's, and more infections.",
    "draw\ttake the top card of the deck of your location. You keep Stock Up and Effect cards in"
    " your hand, eight at most; with eight you can't draw. Impact cards are dealt with at once.",
    "stock up N\t(or home delivery N) draw N cards from the Supplies deck. Sold Out is worth"
    " nothing and is discarded.",
    "loot KIND NAME VALUE\ttake that supply from another player: loot food bob 3. Loot Any Supply"
    " takes any kind: loot any bob paper 2.",
    "trade NAME SUPPLY for SUPPLY\tTrading Station: swap one of yours for one of theirs, as in"
    " trade bob paper 1 for food 4. Nobody's consent is needed.",
    "switch NAME\tLocation Switch: another player is at once at the other location.",
    "nosey NAME KIND\tNosey Neighbour: a player who is Outdoors discards all Food, or all Toilet"
    " Paper.",
    "isolate\tSelf-Isolation: until your next turn nobody can play an Effect card on you.",
    "swap CARD\tSwap Shop: discard another Effect card and draw a supply. Add: without drawing, if"
    " you would rather not.",
    "Every card in your hand has a number: play 2 is the same as its name. Type moves for all you"
    " can do now.",
    "Impact cards take one supply each; if the values differ you say which one goes, as in food 1."
    " Snack Attack, Binge Watch, Sourdough Solution and Feed The Family take Food. Caught Short,"
    " Feeling Flushed, Dress To Impress and Personal Space take Toilet Paper. If you have none of"
    " it and are Indoors, you must go Outdoors; if that happens in your third action, you stay"
    " there for your whole next turn. If you are Outdoors, nothing happens. Caught Red Handed takes"
    " Infection Prevention, and does nothing if you have none.",
    "Infection takes Infection Prevention too, and you can't keep it back: if you have any, one"
    " goes, and only which one is up to you.",
    "An Infection on somebody without Infection Prevention means a test: the top card of the same"
    " deck is shown, and every Indoor and Outdoor card bears a sign. With + you are infected: you"
    " and all your cards are out. With - you are safe. If no card is left for the test, you are"
    " infected. The board shows the signs of your own cards and counts those of the discards.",
    "A test card with - is yours if it is a Stock Up or Effect card; everybody has seen it. If"
    " it is an Impact card, it is dealt with at once, in the same action.",
    "Responses. When an Effect card is played on you and you have an Indoor card, you can respond."
    " nice try cancels the card. reflect (Reflection) turns it on another player of your choice and"
    " for your own profit, as in reflect cy 2. pass lets it happen. You are asked whatever your"
    " Indoor cards are, so that being asked tells nobody what you have. A response costs no"
    " action.",
    "Others can respond to a response in turn, by nice try or reflect. Each cancels exactly the"
    " card before it. Nice Try! against a Reflection brings the first effect back against the"
    " player it was played on, who can respond again. Nice Try! against Nice Try! makes the effect"
    " work after all.",
    "Self-Isolation shields your attacks too: nobody can respond to what you play while it lies"
    " before you. It is discarded when your next turn begins, and does not help against"
    " Impact cards.",
    "discard CARD\tonly if you hold eight cards and none of them can be played; then it is the only"
    " thing you can do.",
    "The last turn. When any of the three decks is empty, this turn is the last of the game. Its"
    " player may use the actions that are left, or end. Cards in hand count nothing; equal"
    " stockpiles share the win, and all who were infected share the last place.",
    "The board: > is beside the player who is to act. The discard piles are lists with the top card"
    " first and long names cut to a word: Snack is Snack Attack, Delivery 2 is Home Delivery 2."
    " discards lists every card of them by its whole name, with its sign.",
    "hand\t(or piles, or table NAME) a piece of the board alone: your cards, the decks with their"
    " discard piles, or what everybody may know of a player. You can ask at any time.",
    "cards\t(or card NAME) every card of the decks: its signs, where its copies are known to be,"
    " and how many are unseen.",
    "Options: with grace=1 an Infection that is drawn in the first round does nothing, with grace=2"
    " in the first two. prevention=2 gives everybody two Infection Prevention (not with four"
    " players). infected=restart: nobody is out; who is infected discards everything and plays on,"
    " and only a deck that runs out ends the game. decks=indoors: three Impact cards of the Indoor"
    " deck (a Binge Watch, a Sourdough Solution, a Feeling Flushed) are Home Delivery 2.",
    "In a match (deals=3) a deal counts the value of your stockpile, and nothing for the infected.",
    "If your time runs out, you draw if you can; else the first of these is done for you: a Stock"
    " Up, Self-Isolation, another card or a discard by chance. A supply not chosen in time is the"
    " least valuable; a location stays as it is; no response is a pass; in the last turn, the game"
    " ends.",
)
