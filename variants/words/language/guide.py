"""The rules for people, a paragraph or a play an item.  RULES.md has every ruling."""

from __future__ import annotations

GUIDE: tuple[str, ...] = (
    "For 2 to 6 players. Spell the words of your secret manifest and keep them safe until the round"
    " ends. After each round the words in front of you are scored; whoever first has the target,"
    " 200 points unless the table says otherwise, and more than anybody else, wins.",
    "There are 106 letters and two End of Round cards. For each round everybody is dealt seven"
    " cards, a manifest of sixteen words and a bonus. A manifest has four sets. In each are words"
    " of three, four, five and six letters, each the one before with a letter more: SEA EAST DATES"
    " TASTED. Points: 5, 10, 15 and 20. The bonus doubles one of your four sets. Nobody else sees"
    " your hand, manifest and bonus before the round is scored.",
    "End of Round is one of the seven cards of your hand, so who holds it has six letters. It can"
    " be neither discarded nor traded. Of other hands you see the number of cards, End of Round"
    " counted, so nothing shows who has one.",
    "Your turn has four parts: draw two cards; play as many of the options as you like, in any"
    " order; bring your hand to seven cards; and if a word of yours lies exposed, end the round or"
    " pass.",
    "draw\ttake the top letter of the draw pile; draw 2 takes two. draw discard takes the top"
    " letter of the discard pile, which everybody sees. After the first you can think again.",
    "form WORD\tlay a word of letters from your hand, exposed: form east. Any word of three letters"
    " or more is valid if it is in the list, on your manifest or not. Each word on the table has a"
    " number, and can be named by it.",
    "rebuild WORDS as WORDS\ttake up exposed words of your own, add letters of your hand and lay"
    " others: rebuild east+t+d as tasted, or rebuild 2 3 as foam. What is left over goes to your"
    " hand.",
    "take up WORD\tsimply take a word of yours back to your hand, without laying a new one. Do it"
    " in time with a word that is not on your manifest.",
    "lock WORD\tturn an exposed word of yours face down: lock 2. Nobody can touch it for the rest"
    " of the round, and neither can you. It still scores.",
    "add LETTER to WORD\tadd a letter of your hand to an exposed word of another player, and"
    " rearrange it: add d to bob dates makes DATES of Bob's EAST. It stays Bob's. Each word takes"
    " one letter a turn; add to as many words as you like.",
    "steal LETTER from WORD\tonce a turn take a letter out of another player's exposed word of four"
    " letters or more. What is left must be a word. At once you make a word of the letter and at"
    " least two of your hand, and it is locked: steal d from dates leaving seat making dog.",
    "trade LETTER with NAME\tonce a turn swap a letter with one or more others, one for one: trade"
    " e with bob, k with cleo. They choose what they give without seeing what they get, and can't"
    " refuse; asked for a letter, type give S. Only the two see the letters of their swap.",
    "In one turn words can be changed sixty times, so that every turn comes to its end.",
    "done\tno more options. With more than seven cards you discard the rest, as in discard r x, the"
    " last one on top. With fewer you draw up to seven, and can't use those letters any more in"
    " this turn.",
    "end round\tplay End of Round as the last thing in your turn. You need a word of your manifest"
    " that lies exposed: locked words score, but do not count for this. Otherwise pass. Everybody"
    " with an exposed word is asked, so being asked tells nothing.",
    "out\tend the round at once if you have no letter in hand and all your words are on your"
    " manifest. End of Round in the hand does not matter.",
    "A round also ends with the turn in which the draw pile runs out, and if it makes no progress."
    " Four turns of every player are enough if no card left the draw pile and no word changed;"
    " twelve are enough if no card left it.",
    "remove LETTER from WORD\twhen a round has ended, everybody can take one letter out of one"
    " exposed word of their own: remove b from beast leaving east. The word"
    " needs four letters or more, and what is left must be a word. All choose at the same time and"
    " in secret; or pass.",
    "Scoring. All your words count, exposed and locked alike. A word of your manifest brings its"
    " points, doubled in your bonus set; each copy counts. Any other word costs what a word of its"
    " length brings, and 5 more for each letter beyond six. So does a word that somebody made of"
    " yours. SEAT is not EAST: the spelling must be that of the manifest. Letters in hand cost"
    " nothing.",
    "Then the target is looked at: the highest total wins if it has reached the target and nobody"
    " shares it. Otherwise everything is shuffled and dealt anew, and the next player starts. A"
    " table allows 25 rounds unless it says otherwise. After the last one the highest total wins,"
    " and equal totals share.",
    "Whoever adds, steals or removes a letter also says what the word becomes. If only one word is"
    " possible you need not say it; if several are, you are offered them.",
    "hand\t(or piles, or table NAME) a piece of the board alone: your cards, the two piles, or what"
    " everybody may know of a player.",
    "words\twhat your hand can spell, alone and with each of your exposed words taken up; words 5"
    " lists words of five letters or more. A table may limit it to familiar words, or switch it"
    " off.",
    "manifest\tyour manifest word by word: on the table, ready to lay, or which letters are"
    " missing.",
    "cards\tthe letters with copies and unseen ones, and the bonuses; card Q tells of one letter.",
    "cards manifests\t(or cards 7) the manifests everybody knows: the twenty printed ones; each"
    " player has one of them. At a table with fresh manifests those that were turned up"
    " after a round; the others nobody can know, and a computer player does not either.",
    "count\twhich letters you have seen, and how many of each you have not.",
    "discards\twhat lies on the discard pile, and who put it there and took from it.",
    "score\tthe last round turned up: manifests, bonuses, words and points.",
    "The board: > is beside who is to act. 3 EAST is word number three. [OVER] is a locked word of"
    " yours, and [....] a locked word of four letters of somebody else. In your manifest * is"
    " before a word that you have on the table, and (x2) marks your bonus set.",
    "Words of the table are those of its list up to its level: 80 has rare ones, 60 is for"
    " families. Whatever is printed on a manifest is a word, too. A word that is not valid is"
    " simply refused; nobody else hears of it, and you can try again.",
    "If your time runs out, letters are drawn from the pile and no word is laid. The letters that"
    " came last are discarded, and the round is not ended. In a trade a letter is chosen by chance;"
    " after a round nothing is removed.",
)
