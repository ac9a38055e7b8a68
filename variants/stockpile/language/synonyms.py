r"""What people type for a move of the stockpile game in other words, and what they mean by it.

Data for `variants.kit.synonyms`: `? ` before a move offers it, `! ` says a sentence, `\1` is what
stood in the first brackets.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Refusal
from variants.kit.synonyms import Reader, Synonyms, by_line
from variants.stockpile.actions import Action, Draw
from variants.stockpile.check import check
from variants.stockpile.data.cards import card_title
from variants.stockpile.language.grammar import PLAY_VERBS, guesses, parse, phrase
from variants.stockpile.view import View

_CARD = r"(?:(?:a|an|one|1|another|the|my)(?: next| new| top)? )?cards?"
_TAKE = r"(?:draw|take|pick|pick up|get|grab)"
_FROM = rf"(?: {_CARD}| one| 1)? (?:from|off|of) (?:the |my )?"
_DRAW = rf"(?:{_TAKE}|(?:one more |another )(?:draw|card))"
_KIND, _MORE = rf"(?:{_CARD} |an |the )?", "(?: cards?)?(?: instead)?"
_DISCARD = r"(?:discard|throw|toss|dump|ditch|drop|bin|chuck|get rid of)(?: (?:away|out))?"
_DECK = r"(?: deck| pile| cards?)?"
_IT, _STRAIGHT = "(?: (?:it|that|this))?", "(?:right |straight )?back"
_BACK = (rf"(?:(?:bounce|mirror|deflect|redirect|reflect){_IT}(?: {_STRAIGHT})?"
         rf"|(?:send|turn|throw|return|give){_IT} (?:{_STRAIGHT}|around))")  # fmt: skip
_RESPOND = "! Do you want to let it happen (pass) or respond (nice try, reflect)?"
_BLOCK = "! Play Nice Try!? Type nice try. Let it happen? Type pass."
_SUPPLIES = r"(?:toilet paper|paper|food|infection prevention|prevention)(?: \d)?"
_NO_CARD = "! Supplies stay in your stockpile and count in the end. You play cards of your hand."
_SUPPLY_CARD = "! You get supplies by a Stock Up or a Home Delivery. A card of your deck: draw"
_WHERE = "! Where to next turn? Type in or out."

SYNONYMS = Synonyms(
    first={
        "action": (
            ("swap", "! Swap Shop, or a trade? Type swap CARD, or trade NAME SUPPLY for SUPPLY."),
            ("take", "! Draw a card (draw), or take a supply (loot NAME)?"),
            ("n", "! Type moves for all moves."),
        ),
        "reaction": (
            ("n|no|nope|nah|nothing|skip|done|go ahead|whatever|i don't mind|i dont mind|no"
             " response|let it happen|let it go|let it be|let them|let him|"
             "let her|allow|allow it|don't|dont|do nothing|don't respond|dont respond", "pass"),
            ("ok|okay|yes|y|sure|yep|yeah|fine|alright", _RESPOND),
            ("take it|have it|wait", _RESPOND),
            ("stop|cancel|no way|nice|nice one|refuse|deny|deny it|refuse it|oh no you don't|oh no"
             " you dont|no you don't|no you dont|not so fast|no chance|not today", _BLOCK),
        ),
        "location delivery": (("home", "! Stay Indoors, or play Home Delivery? Type in or out."),),
        "location": (
            ("same|no change|same place|same as now|stay here|stay put|remain|keep|stay where i am",
             "stay"),
            ("flip|flip my card|turn my card|switch|change|swap|other|move|change location|switch"
             " location", _WHERE),
            ("home|go home|go in|go back in|back inside", "in"),
        ),
        "location indoor": (("stay home|stay at home|at home", "in"),),
    },
    rows={
        "action indoor": (
            (rf"{_DRAW}{_FROM}indoors?{_DECK}|{_TAKE} {_KIND}indoors?{_MORE}", "draw"),
            (rf"{_DRAW}{_FROM}outdoors?{_DECK}|{_TAKE} {_KIND}outdoors?{_MORE}",
             "! You are Indoors, so you draw from the Indoor deck: draw"),
        ),
        "action outdoor": (
            (rf"{_DRAW}{_FROM}outdoors?{_DECK}|{_TAKE} {_KIND}outdoors?{_MORE}", "draw"),
            (rf"{_DRAW}{_FROM}indoors?{_DECK}|{_TAKE} {_KIND}indoors?{_MORE}",
             "! You are Outdoors, so you draw from the Outdoor deck: draw"),
        ),
        "action": (
            (rf"{_TAKE}(?: {_CARD}| one| 1)?(?: up)?(?:{_FROM}(?:deck|pile|stack|top))?", "draw"),
            (r"(?:one|1|an?)(?: card)? (?:from|off|of) (?:the )?(?:deck|pile|stack|top)", "draw"),
            (r"hit(?: me)?|new card", "draw"),
            (rf"{_TAKE}{_FROM}suppl(?:y|ies){_DECK}|(?:get|order|buy|fetch) (?:some |more"
             rf" )?supplies|resupply|"
             rf"restock",
             "stock up"),
            (rf"{_TAKE} (?:an? |one |two |three |[123] )?suppl(?:y|ies)(?: cards?)?", "? stock up"),
            (r"(?:order|get|call|make)(?: an?| my| the)? (?:home )?delivery", "home delivery"),
            (rf"(?:use|play) (?:my |the |an? )?{_SUPPLIES}", _NO_CARD),
            (r"give me (?:an? |one |some |the )?suppl(?:y|ies)(?: cards?)?", _SUPPLY_CARD),
            (r"(?:want|need|have) (.+)", r"? loot \1"),
            (r"(?:flip|turn|move) (.+?)'s (?:card|location|status)(?: over)?", r"? switch \1"),
            (rf"{_TAKE} ([123]) suppl(?:y|ies)", r"? home delivery \1"),
            (r"(?:use |play )?(?:stockup|stock-up|su) ?(\d?)", r"stock up \1"),
            (r"(?:use |play )?(?:order(?: in| out| online)?|deliver|home-?delivery|hd) ?(\d?)",
             r"home delivery \1"),
            (r"(?:play|use) (?:my )?(?:card|number|no|card number) (\d)", r"play \1"),
            (r"(?:use|play) (?:my |the |an? )(.+)", r"\1"),
            (r"use (.+)", r"play \1"),
            (rf"{_TAKE} (?:two|2|three|3)(?: cards?)?", "! Each action draws one card: draw"),
            (r"(?:swap|switch|change|trade) (?:locations?|places?)(?: with)? (.+)", r"? switch \1"),
            (r"(?:send|make|get) (.+?)(?: to)?(?: go)? home", r"switch \1 in"),
            (r"(?:make|force|let) (.+?)(?: to)? go (.+)", r"switch \1 \2"),
            (r"(?:steal|take|rob|grab|nick|get|snatch|pinch|swipe|want) (\S+)'s (.+)",
             r"loot \2 \1"),
            (r"(?:loot|steal|take|rob|grab|nick|get|snatch|raid|pinch|swipe)"
             r"(?: (?:some|a|one|1|the|any))? (.+?)"
             r" (?:from|of|off) (.+)", r"loot \1 \2"),
            (r"(?:rob|raid|mug) (.+?) (?:of|for) (.+)", r"loot \2 \1"),
            (r"(?:rob|raid|mug|steal from|take from|loot from) (.+)", r"loot \1"),
            (r"(?:steal|take|rob|grab|nick) (.+)", r"? loot \1"),
            (r"(?:swap|exchange|trade|switch|give)(?: my)? (.+?) (?:for|with|against|and get) (.+)",
             r"trade \1 for \2"),
            (r"give (\S+) (?:my )?(.+?) (?:and|to) (?:take|get|have) (?:(?:his|her|their) )?(.+)",
             r"trade \1 \2 for \3"),
            (r"(?:swap|exchange|trade)(?: my)? (.+?) (?:for|with|against) (\S+?)'s (.+)",
             r"trade \2 \1 for \3"),
            (r"(?:send|move) (.+)", r"switch \1"),
            (r"(?:put|push|kick|throw|get) (.+ (?:in|out)(?:side|doors?)?)", r"switch \1"),
            (r"(?:report|(?:snitch|spy|tell|grass|tattle|rat) on) (.+?) and (?:make|let|have)"
             r" (?:him|her|them) (?:bin|discard|lose|drop|throw away|give up) (?:his|her|their|all)"
             r" (.+)", r"nosey \1 \2"),
            (r"(?:report|denounce|(?:snitch|spy|tell|grass|tattle|rat|call the police|"
             r"call the cops) on) (.+)",
             r"nosey \1"),
            (r"(?:quarantine|self-?isolate|isolate)(?: myself| me)?", "isolate"),
            (r"put (?:myself|me) in(?:to)? (?:quarantine|(?:self-?)?isolation)(?: so .+)?",
             "? isolate"),
            (r"lock ?down|hide|stay home|stay at home|lock (?:myself|me) (?:in|up|away)(?: .+)?",
             "? isolate"),
            (r"(?:use |play )?(?:swap ?shop|swap|shop)(?: to| and)? (?:discard|discarding|"
             r"throw|drop|ditch|dump|away)(?: out| away)?"
             r" (?:the |my )?(.+)", r"swap \1"),
            (r"(?:use |play )?swap ?shop (?:using|with|for) (?:the |my )?(.+)", r"swap \1"),
            (r"(?:i'm |im |i am )?(?:done|finished?)(?: and)?(?: end(?: my| the) (?:turn|game))?|"
             r"end(?: my| the)? turn", "end"),
            (rf"{_DISCARD} (.+?)(?: away| out)?", r"discard \1"),
            (r"stop|skip|no more|pass", "? end"),
        ),
        "reaction": (
            (r"(?:block|counter|prevent)(?: it| that| this| him| her| them)?", "nice try"),
            (r"(?:no way |no |hey )?(?:stop|cancel) (?:it|that|this|him|her|them)", "nice try"),
            (r"(?:stop|block|cancel|counter) (.+)", "? nice try"),
            (r"(?:fine|ok|okay|sure|yes|alright)(?: then)? (?:swap|trade|take it|have it|go ahead|"
             r"do it)", "? pass"),
            (r"let \S+ (?:have|take|do|get) (?:it|that|them)(?: i (?:won't|wont|don't|dont) .+)?",
             "pass"),
            (r"(?:play|use) (?:my )?(?:card|number|no|card number) (\d)", r"play \1"),
            (r"(?:fine |go on )?(?:just )?(?:take|have) it(?: then)?(?: you \S+)?", "? pass"),
            (rf"{_BACK}", "reflect"),
            (r"(?:reflect|reflection)(?: it)? (?:and|to) (?:take|get|loot|have) (.+?)"
             r" (?:from|of|off) (.+)", r"reflect \2 \1"),
            (rf"{_BACK}(?: (?:at|to|on|onto|against))? (.+)", r"reflect \1"),
            (r"use (.+)", r"play \1"),
        ),
        "give up": (
            (r"(?:none|nothing|neither|no)(?: of them)?"
             r"(?: i keep (?:it|them|all|everything)(?: all)?)?|"
             r"(?:i )?keep (?:it|them|all|everything)(?: all)?", "pass"),
            (r"(?:(?:pay|use|drop|lose|ditch|throw away|throw|give up|discard) )?"
             r"(?:the |my )?(?:cheap(?:est)?|small(?:est)?|low(?:est)?|worst|lesser|minimum)(?:"
             r" (?:one|card))?",
             "lowest"),
            (r"(?:the )?(?:dear(?:est)?|big(?:gest)?|high(?:est)?|larg(?:e|est)|best|most"
             r" expensive)"
             r"(?: (?:one|card))?", "highest"),
            (r"(?:the )?(?:first|last|second|either|any|anything|whatever|which|left|right)(?:"
             r" one)?",
             "give up"),
            (r"(?:pay|use|drop|lose|ditch|throw away|throw|hand over|take)(?: my| the)? (.+?)"
             r"(?: away)?",
             r"give up \1"),
        ),
        "location": (
            (r"(?:i'm )?(?:go|going|move|moving|head|heading|stay|staying|step|be|keep)(?: back)?"
             r"(?: to)?(?: the)? (in|out)(?:side|doors?)?",
             r"\1"),
            (r"(?:i'm )?(?:stay|staying|be|remain|go|going) (?:at )?home", "in"),
        ),
        "": (
            (r"(.+) worth (\d)(.*)", r"? \1 \2\3"),
            (r"(.+ )(?:loo|bog|toilet) rolls?(.*)", r"\1paper\2"),
        ),
    },
    verbs={
        "draw": "take pick get hit",
        "loot": "steal rob grab nick snatch raid pinch swipe take want have give mug plunder yoink",
        "trade": "swap exchange change barter",
        "switch": "send move flip kick force push make put",
        "nosey": "report snitch spy tell grass tattle police cops rat neighbour neighbor",
        "isolate": "quarantine hide isolation",
        "discard": "throw drop dump toss chuck ditch bin",
        "end": "finish done stop over",
        "pass": "nothing allow accept skip",
        "reflect": "bounce mirror deflect return",
        "nice": "block counter stop prevent nope",
        "home": "deliver order delivery",
        "stock": "supplies restock shop buy groceries",
        "give": "pay sacrifice hand",
    },
)  # fmt: skip

QUESTIONS = by_line({
    "hand": "my cards|cards in my hand|show my hand|show hand|my hand|show my cards|show cards|"
    "what do i have|whats in my hand|what's in my hand|what is in my hand",
    "table": "score|scores|points|who is winning|who's winning|whos winning|standings|players|"
    "stockpiles|my stockpile|supplies|stockpile|all stockpiles|show stockpiles|"
    "show everyone's stockpile|how much is everyones pile worth|how much is everybody's pile worth|"
    "how much is everyone's pile worth|show everybody's stockpile|show all stockpiles",
    "piles": "cards left|how many cards are left|decks|the decks|show decks",
})  # fmt: skip
"""What people say for a question."""


def _windows(view: View) -> Sequence[str]:
    """The open question: with a Home Delivery in hand, with the own location, alone."""
    if view.seat is None or view.seat != view.asked:
        return ()
    has_delivery = any(card.name == "Home Delivery" for card in view.hand)
    delivery = (f"{view.asks} delivery",) * has_delivery
    return (*delivery, f"{view.asks} {view.seats[view.seat].location}", view.asks)


def _words(view: View) -> frozenset[str]:
    titles = {card_title(card) for card in view.decks.all_cards}
    return _VERBS | {word for title in titles for word in title.lower().rstrip("!").split()}


_VERBS = frozenset(PLAY_VERBS)

_OWN_VERBS = {"reaction": "nice reflect pass", "give up": "give", "location": "in out stay"}


def _why_not(words: Sequence[str], view: View) -> Refusal | None:
    """What the seat is asked, where a line begins with the verb of another question."""
    if view.seat != view.asked or view.asks not in _OWN_VERBS or not words:
        return None
    verbs = {other: verb for verb, others in SYNONYMS.verbs.items() for other in others.split()}
    verb = verbs.get(words[0], words[0])
    if verb not in PLAY_VERBS or verb in _OWN_VERBS[view.asks].split():
        return None
    try:
        check(view, Draw())
    except Refusal as reason:
        return reason
    return None


read: Reader[View, Action] = Reader(
    parse, phrase, check, _windows, SYNONYMS, _words, guesses, why_not=_why_not
)
