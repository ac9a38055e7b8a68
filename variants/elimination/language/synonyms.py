r"""What people type for a move of elimination in other words, and what they mean by it.

Data for `variants.kit.synonyms`: `? ` before a move offers it, `! ` says a sentence, `\1` is what
stood in the first brackets.
"""

from __future__ import annotations

from variants.elimination.actions import Action
from variants.elimination.check import check
from variants.elimination.data.cards import RANK_NAMES, SUIT_NAMES
from variants.elimination.language.grammar import PLAY_VERBS, guesses, parse, phrase
from variants.elimination.view import View
from variants.kit.synonyms import Reader, Synonyms, by_line

_ONE = r"(?:(?:a|an|one|1|any|another|some|the|my|his|her|their)(?: random| top| next)? )?"
_CARD = rf"{_ONE}cards?"
_SUIT = r"(?:hearts|spades|diamonds|clubs)"
_NAMED = rf"(?:(?:ace|king|queen|jack|joker)s?|\w+ of {_SUIT}|\d+[shdc])"
_TO_CLEAR = "! A joker clears alone, and two aces clear together: type clear joker or clear pair"

SYNONYMS = Synonyms(
    first={
        "action": (
            ("take a card|take the card|take one card|take card|take cards|take one|a card|the"
             " card|give me one|give me a card|have a card|have one|one card",
             "! Draw from the deck (draw), or take one from a player (take NAME)?"),
            ("clear the deck|clear deck|clear hand|clear my hand|clear screen|clear the screen",
             "! To use a joker or a pair of aces, type clear joker or clear pair. To clear the"
             " screen, type /clear"),
            ("force deck|force the deck", "! Who has to draw? Type force NAME"),
            ("n|no|nothing", "! You can't pass in this game. Type moves for all moves."),
        ),
    },
    rows={
        "next": (
            (r"(?:your turn|go|over to you|up to you) (.+)", r"next \1"),
            (r"(.+?) (?:your turn|you're next|you're up)", r"next \1"),
            (r"(?:not|never|anyone but|anybody but) .+", "next"),
            (r"(?:pick|take|go|go to|let|now|play) (.+?)(?: go| play)?", r"next \1"),
            (r"(.+?) (?:is |goes |plays |go )?(?:next|now|first|goes|plays|should go)", r"next \1"),
            (r"(.+?) (?:can|may|should|could) (?:go|play|be)(?: next| now| first)?", r"next \1"),
            (r"(?:it's |its |it is )?(?:now )?(.+?)(?:'s)? (?:turn|go)", r"next \1"),
            (r"(.+?) again", r"next \1"),
            (r"(?:any|some)(?:one|body)|whoever|random|who|whom|either|any", "next"),
        ),
        "action": (
            (rf"(?:draw|pick|pick up|get|take)(?: {_CARD}| one| 1)?(?: up)?(?: face ?down)?"
             r"(?: (?:from|off|of) (?:the )?(?:top of the )?(?:deck|pile|stack|top))?", "draw"),
            (rf"(?:draw|pick|pick up|take)(?: {_CARD}| one| 1)?(?: from (?:the )?deck)? (?:and|to)"
             r" (?:give|hand|pass) (?:it |that |this )?(?:to )?(.+)", r"? force \1"),
            (rf"(?:take|steal|grab|nick|get|snatch) (?:.+? )?{_NAMED}(?: (?:from|of) .+)?",
             "! What you take is a random card, so name the player alone: take NAME"),
            (r"(?:draw|pick|pick up|get|grab|take) (?:the )?top(?: card)?(?: of the"
             r" deck)?", "draw"),
            (r"(?:one|1|an?)(?: card)? (?:from|off|of) (?:the )?(?:deck|pile|stack|top)", "draw"),
            (r"hit(?: me)?|new card", "draw"),
            (r"(?:give|hand|pass) (?:(?:the|my|that) )?(.+?) back(?: to)? (\S+)", r"give \1 to \2"),
            (r"have (?:your|the|this) (.+?) back (\S+)(?: you .+)?", r"give \1 to \2"),
            (r"(?:get rid of|lose) (?:(?:the|my) )?(.+?)(?: and)? let (.+?) have (?:it|that)",
             r"give \1 to \2"),
            (r"(\S+) here(?:'s| is) (?:an? |the |my )?(.+?)(?: for you)?", r"give \2 to \1"),
            (r"(?:feed|pass|hand|send|give|slip) (\S+) (?:his|her|their|the)"
             r"(?: (?:fourth|4th|last|missing))? (.+)", r"give \2 to \1"),
            (r"(?:pass|hand|send|offer|slip|slide|toss|chuck|shove|gift|donate|deal|feed|put)"
             r"(?: over)? (.+)", r"give \1"),
            (r"give(?: away| over| up)? (.+?) (?:away )?(?:to|for) (.+)", r"give \1 to \2"),
            (r"(.+?) (?:gets|receives|can have) (.+)", r"? give \2 \1"),
            (r"(?:the )?top card (?:to|on|onto|for) (.+)", r"force \1"),
            (r"(?:flip|turn|reveal|put|drop) (?:a|the|the top|one) card (?:to|on|onto|for) (.+)",
             r"? force \1"),
            (r"(?:kill|eliminate|finish|knock)(?: off| out)? (.+?)(?: (?:out|off))?", r"give \1"),
            (r"(?:put|take|throw) (.+?) out", r"give \1"),
            (r"(?:attack|hurt|target|hit) (.+)", r"? force \1"),
            (r"(?:dump|drop|lose|throw|put|stick|dish|lay|drop off)(?: off)? (.+?) "
             r"(?:on|onto|at|with|in front of) (.+)", r"give \1 to \2"),
            (r"(?:make|force|have|let|get) (.+?) (?:to )?give (?:me|us) .+", r"? take \1"),
            (r"(?:steal|rob|grab|nick|take|get|draw) (?:one|any|some|something|anything|a card)"
             r" (?:of|from) (.+?)(?:'s)?(?: (?:cards?|hand))?", r"take \1"),
            (r"(?:reset|renew|replace|change|exchange)(?: my)?(?: hand| cards)?|"
             r"(?:want |get |need )?(?:an? |four |4 )?(?:whole )?(?:new|fresh) (?:hand|cards)",
             "? clear"),
            (r"(?:shuffle|mix|reshuffle) (?:the )?deck",
             "! Shuffling mixes all hands, not the deck: shuffle"),
            (rf"(?:steal|rob|grab|nick|snatch|pinch|swipe|take)(?: from)? (.+?)(?: of)?(?:"
             rf" {_CARD})?",
             r"take \1"),
            (rf"(?:draw|pick|pick up|get|take|steal|rob|grab|nick|snatch|pinch|swipe)"
             rf"(?: {_ONE}(?:cards?|one))? (?:from|off|out of) (.+?)(?:(?:'s)? (?:hand|cards?))?",
             r"take \1"),
            (rf"(?:make|force|have|let|get) (.+?) (?:to )?(?:draw|take|pick|pull|get|grab)(?: up)?"
             rf"(?: {_CARD}| one)?"
             r"(?: (?:from|off) the (?:deck|pile))?", r"force \1"),
            (rf"(?:force|deal|push) {_CARD} (?:on|onto|to|at|into|upon) (.+)", r"force \1"),
            (rf"(?:force|make|deal) (.+?) (?:draw |take )?{_CARD}", r"force \1"),
            (rf"(.+?) (?:(?:has|needs) to |must )?(?:draws?|takes?|picks?)(?: {_CARD}| one| 1)?"
             r"(?: up)?", r"? force \1"),
            (rf"{_CARD} (?:for|to) (.+?)(?: from the (?:deck|pile))?(?: face ?up)?", r"? force \1"),
            (r"(?:every(?:one|body) )?(?:re-?shuffle|mix|scramble|shuffle)(?: up)?(?: (?:all|the|"
             r"everything|everybody'?s?|"
             r"everyone'?s?|our|it|hands?|cards?|together|of))*", "shuffle"),
            (r"(?:use|play|spend|burn|clear using)(?: (?:a|an|my|the))? (joker|jk)", r"clear"
             r" joker"),
            (r"(?:use|play|spend|burn|clear using)(?: (?:a|an|my|the|both|two|2))*(?: pair(?:"
             r" of)?)?"
             r" (aces?|pair|twos)(?: for .+)?", r"clear \1"),
            (r"(?:(?:the|my|both|two|2) )*aces (?:to |and )?clear(?: my hand)?", "clear pair"),
            (r"(?:(?:use|play|spend|clear with) )?(?:(?:an?|my|the|one) )*"
             r"(?:joker .*\bace\b.*|ace .*\bjoker\b.*)", _TO_CLEAR),
            (r"(?:use|play|spend|clear with|clear using) (?:my |the )?(?:(?:one|1|single) ace"
             r"|ace of \w+)(?: (?:to|and) clear)?", _TO_CLEAR),
            (r"(?:deal|give) (?:everyone|everybody|all|us)(?: all)?(?: a)? new (?:hands?|cards)",
             "! To mix all hands, type shuffle. To change your own, type clear joker or clear"
             " pair"),
            (r"(?:put|return|send|shuffle) .+ (?:back|into|in|under|on) (?:.+ )?(?:deck|pile)",
             "! Cards, also locked ones, go back into the deck with your whole hand only: clear"
             " joker, clear pair"),
            (r"(?:use|play|spend) (?:a |my |the )?pair of (?:aces|twos)", "clear pair"),
            (r"(?:(?:the|my|a) )?joker", "? clear joker"),
            (r"clear (?:with )?(?:(?:the|my|an?|one) )*(?:aces?|joker|pair)", _TO_CLEAR),
            (r"(.+) to (.+)", r"give \1 to \2"),
            (r"(?!to )(\S+) (?!to )(\S+)", r"? give \1 \2"),
            (r"(?:discard|throw|dump|lose|drop|get rid of)(?: (?:(?! (?:on|onto|at) ).)+)?",
             "! There is no discarding. You can give a card: give CARD NAME. A joker or two aces"
             " change your whole hand: clear joker, clear pair"),
        ),
        "": (
            (r"(?:choose|select|nominate) (.+?)(?: next)?", r"next \1"),
        ),
    },
    verbs={
        "draw": "pick get hit have want fetch fish",
        "give": "hand pass send offer slip donate slide feed put have toss chuck throw goes deal "
        "return shove dump kill knock",
        "take": "steal rob grab nick snatch pinch swipe have want borrow pull lift yoink pluck "
        "pickpocket",
        "force": "make made push draws oblige compel must flip",
        "shuffle": "mix reshuffle scramble jumble stir swap",
        "clear": "use burn spend reset empty wipe cash play trade replace refresh redeem",
        "next": "choose pick select goes turn plays let go",
    },
)  # fmt: skip

QUESTIONS = by_line({
    "hand": "my cards|cards in my hand|show my hand|show hand|my hand|show my cards|show cards|"
    "what do i have|whats in my hand|what's in my hand|what is in my hand",
    "table": "score|scores|points|who is winning|who's winning|whos winning|standings|players",
    "piles": "cards left|how many cards are left|deck|the deck|show deck",
})  # fmt: skip
"""What people say for a question."""

_WORDS = frozenset((*PLAY_VERBS, *RANK_NAMES.values(), *(n.lower() for n in SUIT_NAMES.values())))

read: Reader[View, Action] = Reader(
    parse, phrase, check, lambda view: (view.asks,) if view.seat == view.turn else (), SYNONYMS,
    lambda view: _WORDS, guesses,
)  # fmt: skip
