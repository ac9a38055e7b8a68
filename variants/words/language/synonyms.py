r"""What people type for a move of the word game in other words, and what they mean by it.

Data for `variants.kit.synonyms`: `? ` before a move offers it, `! ` says a sentence, `\1` is what
stood in the first brackets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from variants.contract import IllegalAction, Refusal
from variants.kit.synonyms import Reader, Synonyms, by_line
from variants.words.actions import (
    Action,
    Add,
    Discard,
    Draw,
    Form,
    Lock,
    Rebuild,
    Steal,
    Trade,
)
from variants.words.check import check, refuse_out_of_turn
from variants.words.language.grammar import PLAY_VERBS, guesses, parse, phrase
from variants.words.legal_actions import cards_to_discard, manifest_words, may_act
from variants.words.lexicon.dictionary import dictionary
from variants.words.lexicon.lexicon import Lexicon
from variants.words.view import View

_COUNT = r"(one|two|three|four|five|six|[1-6]|both|all)"
_TAKE = r"(?:draw|take|pick|pick up|get|grab|give me|have)"
_PILE = r"(?: (?:from|off|of) (?:the )?(?:draw )?(?:pile|deck|stack|stock|bag))?"
_X = r"(?:the |an? |my |letter )*([a-z*])"  # a letter
_THROW = r"(?:throw away|throw out|throw|drop|dump|toss|chuck|ditch|scrap|get rid of|bin|discard)"
_W = r"(?:the |my |word |his |her )*(\S+)"  # a word
_LAY = r"(?:make|build|play|lay|lay down|put down|write|create|spell|form|place)"
_TO = r"(?:->|=>|=|to|into|in to|as|becomes)"

SYNONYMS = Synonyms(
    first={
        "main": (
            ("end|call end|close|close the round|finish the round",
             "! To end your turn, type done. A round is ended only after that: end round"),
            ("skip|next", "? done"),
            ("finished|finish|that's it|thats it", "done"),
        ),
        "removal": (("n|no|nope|nah|nothing|none|skip|no removal|keep|keep it|keep them|"
        "keep all|leave it|"
                     "no thanks|don't|dont", "pass"),),
        "close": (("n|no|nope|nah|nothing|skip|no thanks|don't|dont|not yet|not now|nah not"
        " yet|no not yet|done|keep|keep"
        " playing|go"
        " on",
                   "pass"),
                  ("end|call end|close|close the round|end it|end this round|finish the round|"
                   "call end of round|play end of round|play end round", "end round"),
                  ("lockdown|lock down|yes|y|ok|okay|sure", "? end round")),
        "trade": (("n|no|nope|nothing|none|refuse|no thanks",
                   "! You have to give a letter. Type give LETTER"),),
    },
    rows={
        "draw": (
            (rf"{_TAKE} (?:one|1)? ?(?:of|from)? ?each(?: pile)?",
             "! One after the other: type draw, then draw discard"),
            (rf"(?:{_TAKE} )?(?:an? |the )?face ?down(?: one| card| letter)?",
             "draw"),
            (rf"(?:{_TAKE} )?(?:an? |the )?face ?up(?: one| card| letter)?",
             "draw discard"),
            (rf"(?:{_TAKE} )?(?:one|1|the top(?: one| letter| card)?|an?(?: letter| card)?)"
             r" (?:from|off|of) (?:the )?discards?(?: pile)?", "draw discard"),
            (rf"{_TAKE} (?:that )?{_X}(?: (?:from|off|out of|you) .+)?",
             "! Of the discard pile you can take the top letter only: draw discard"),
            (r"(?:take |draw |get |grab )?(?:both|two|2)(?: cards?| letters?)? (?:from|off|of)"
             r" (?:the )?discards?(?: pile)?",
             "! One after the other: type draw discard, then draw discard"),
            (r"(?:only )?(?:the|that) ([a-z*])", "? draw discard"),
            (r"same(?: again)?|again|another(?: one)?|one more", "? draw"),
            (r"(?:both|two|2)(?: cards?| letters?)? (?:from|off|of) (?:the )?(?:draw )?"
             r"(?:pile|deck|stack)", "draw 2"),
            (rf"{_TAKE} (?:both|two|2)(?: (?:new )?(?:cards?|letters?))?{_PILE}", "draw 2"),
            (rf"{_TAKE}(?: (?:an?|one|1|the))?(?: new| top)?(?: (?:card|letter))?{_PILE}", "draw"),
            (r"(?:one|1|an?)(?: card| letter)? (?:from|off|of) (?:the )?(?:pile|deck)", "draw"),
            (r"hit(?: me)?|new letters?|new cards?", "draw"),
        ),
        "settle": (
            (rf"{_TAKE} {_COUNT}(?: (?:new |more )?(?:cards?|letters?))?{_PILE}", r"draw \1"),
        ),
        "main": (
            (r"is (\S+) (?:a|an|any) (?:valid |real |legal |good )?word", r"? form \1"),
            (rf"{_LAY} ([a-z]+) (?:and|plus|&) ([a-z]+)",
             r"! One word at a time: type form \1, then form \2"),
            (rf"(?:{_LAY} )?([a-z]+) (?:(?:and|\+|then|n) )*(?:lock|locked|flip|turn over|protect|"
             r"face ?down|face ?up)(?: it| that)?(?: .+)?", r"? form \1"),
            (rf"(?:take|grab|nick|rob|steal) {_X} (?:from|out of|of|off) .+ and keep(?: it)?",
             "! A stolen letter goes into a new word at once. Type steal LETTER from NAME WORD"
             " leaving WORD making WORD"),
            (rf"(?:take|grab|nick|rob|steal) {_X} (?:from|out of|of|off) \S+"
             r" (?:hidden|locked|secret|closed|face ?down) (?:word|one)",
             "! Locked words can't be changed, and no letter can be taken from them."),
            (rf"(?:take|grab|nick|rob|steal|pinch) {_X} (?:from|out of|of|off) (.+?) leav(?:es|ing)"
             rf" {_W} (?:and |to )?mak(?:e|es|ing) {_W}(?: with(?: my)?(?: [a-z])+)?",
             r"steal \1 from \2 leaving \3 making \4"),
            (rf"(?:put|add|stick|play) {_X} (?:and )?{_X} (?:on|onto|to|in|into) {_W}"
             rf" (?:makes?|making|for|gives?|to make|as|is) {_W}", r"rebuild \3+\1+\2 as \4"),
            (rf"(?:put|place|stick|play) {_X} (?:(?:at|on|onto|to) the (?:end|front|back|start)"
             r" of|on|onto|to|in|into|at the end of|behind|before)"
             rf" (?:the )?(.+)",
             r"add \1 to \2"),
            (rf"(?:take|grab|nick|rob|steal|pinch) {_X} (?:from|out of|of|off) (.+?)"
             rf"(?: (?:that|he|she|they|it))? (?:leaves|leaving|keeps?|to|so (?:it's|its)) {_W}"
             rf"(?: and)?(?: i)?(?: (?:makes?|making|new word|to make|form|for|spell))? {_W}",
             r"steal \1 from \2 leaving \3 making \4"),
            (r"(?:swap|exchange|trade|switch) (?:my )?([a-z]) for (?:something|anything|one|"
             r"a letter) (?:of|from) (\S+?)(?:'s)?", r"trade \1 with \2"),
            (rf"(?:combine|join) (.+?) (?:and|with|plus) {_X} {_TO} {_W}", r"rebuild \1+\2 as \3"),
            (rf"(?:take|break|pull|tear)(?: up| apart)? {_W}(?: apart| up| down)? (?:and|to)"
             rf" (?:make|form|build|spell|lay) {_W}(?: .+)?", r"? rebuild \1 as \2"),
            (rf"(?:give|put|add) {_X} (?:to|on|onto|in) (\S+?)(?:'s)? (?:word|one) (?:so )?"
             rf"(?:it |that )?(?:to make|making|becomes?|makes?|is|for) {_W}",
             r"? add \1 to \2 making \3"),
            (r"use .+ to (?:make|form|spell|lay) (\S+)", r"? form \1"),
            (rf"(?:put|place|stick|play|add) {_X} (?:on|onto|to) (.+?)"
             rf" (?:to make|making|for|as|into|to form|to get) {_W}", r"add \1 to \2 making \3"),
            (r"(?:make|build|put down|place|play|lay down|lay out|lay|write|create|put|spell out|"
             r"form)"
             r"(?: (?:a|the|my))?(?: new)?(?: word)? (\S+)(?: down)?", r"form \1"),
            (rf"(?:make|turn|change|transform|extend|rearrange|rebuild|convert|grow) (.+?) {_TO}"
             rf" {_W}",
             r"rebuild \1 as \2"),
            (rf"(?:make|turn|change|transform|extend|convert|grow) (.+?) {_TO} {_W}",
             r"add \1 making \2"),
            (rf"(?:make|turn|change|transform|extend|rearrange|rebuild|convert|grow) (.+?) {_TO}"
             rf" {_W} (?:with|using|and|adding) {_X}", r"rebuild \1+\3 as \2"),
            (r"make (.+) (\S+)", r"add \1 making \2"),
            (r"(\S+?) ?\+ ?([a-z]) ?(?:=|->|=>|as|making) ?(\S+)", r"rebuild \1+\2 as \3"),
            (r"(\S+?) ?\+ ?([a-z]) ?(?:=|->|=>|as|making) ?(\S+)", r"add \2 to \1 making \3"),
            (r"(\S+?) ?(?:\+|plus) ?(?:an? )?([a-z])", r"add \2 to \1"),
            (r"my (?:new |next |first )?word(?: is|:)? (\S+)", r"form \1"),
            (r"(?:swap|exchange|trade|switch) (?:my |the )?([a-z]) with (?:some|any)(?:one|body)"
             r"(?: else)?(?: maybe| perhaps)? (\S+)", r"? trade \1 with \2"),
            (r"(?:offer|give) (\S+) (?:my |an? |the )?([a-z*]) for .+", r"trade \2 with \1"),
            (rf"{_X} (?:on|onto|to) (.+?) {_TO} {_W}", r"add \1 to \2 making \3"),
            (rf"(\S+) {_TO} (\S+)", r"rebuild \1 as \2"),
            (rf"(\S+) {_TO} (\S+)", r"add \1 making \2"),
            (r"(?:flip over|flip|turn over|protect|lock down|lock up|lock in|lock|secure) (.+?)"
             r"(?: (?:over|down|face ?down|up|away|in))*", r"lock \1"),
            (r"(?:turn|put) (.+?) (?:over|face ?down)", r"lock \1"),
            (r"(?:turn|hide|close|keep) (.+)", r"? lock \1"),
            (rf"(?:take|grab|nick|rob|steal|pinch) {_X} (?:from|out of|of|off) (.+?)"
             rf" (?:and|to|for|,)* ?(?:make|making|form|spell|build|get|lay) {_W}",
             r"? steal \1 from \2 making \3"),
            (rf"(?:take|grab|nick|rob|pinch) {_X} (?:from|out of|of|off) (.+)", r"? steal \1"
             r" from \2"),
            (rf"(?:steal|rob) (.+?) of {_X}", r"steal \2 from \1"),
            (r"(?:pick|take|get|put) (.+?) back(?: up| in(?:to)?(?: my)? hand)?", r"take up \1"),
            (r"(?:take back|take up|take|pick up|return|unlay|undo|withdraw|retrieve|get back)"
             r" (.+?)(?: (?:back|up|in hand|in my hand|into my hand))*", r"take up \1"),
            (r"(?:swap|exchange|trade|switch) (?:my )?(.+)", r"trade \1"),
            (r"(?:offer|give) (.+)", r"? trade \1"),
            (r"(?:i'm |im |i am )?out(?: (?:end|call|close)(?: the)? round)?", "out"),
            (r"(?:that's|thats|that is) (?:it|all|me)(?: (?:i'm|i am) (?:done|finished)| next)?",
             "done"),
            (r"(?:i'm done|im done|i'm finished|im finished|i am done|i am finished|that's all|"
             r"thats all|that is all|end(?: of)?(?: my| the)? turn)", "done"),
            (r"stop|no more|next player|my turn is over", "? done"),
            (r"finish(?: my| the)? turn", "done"),
        ),
        "trade": (
            (r"(?:give|hand|here is|here)(?: (?:him|her|them|you|back))?(?: (?:the|a|an|my))?"
             r"(?: letter)? ([a-z])", r"give \1"),
            (r"(?:give|trade|offer)(?: (?:him|her|them))?(?: (?:the|my|an))?"
             r" (?:end(?: of)?(?: the)? (?:game|round)|eor)(?: card)?", "give *"),
            (r"(?:no|nope|never|none|nothing)(?: (?:thanks|thank you|way))?(?: \S+)?", "pass"),
            (r"the ([a-z])", r"? give \1"),
            (r"\S+ (?:can|may|gets?|could)(?: have| take| get)? (?:my |the |this |an? )?"
             r"([a-z])", r"? give \1"),
            (r"here(?: you go| u go)?(?: \w+)?(?: have| take) (?:my |the |this |an? )?"
             r"(?:\w+ )?([a-z])", r"? give \1"),
            (r"(?:any ?(?:one|letter|thing)?|whatever|you (?:pick|choose))(?: .*)?",
             "! Which letter do you give? Type give LETTER"),
        ),
        "removal": (
            (rf".+ and {_X} (?:from|off|of|out of) .+",
             "! Only one letter of one word can be removed. Type remove LETTER from WORD, or pass"),
            (r"(?:take|remove|drop|cut|lose) (?:a|one|any|some) letters? (?:from|off|out of|of) .+",
             "! Which letter? Type remove LETTER from WORD. Words of 3 letters keep them all."),
            (r"(?:leave|keep) (?:it|them|all|that|this|everything)(?: (?:as|how|like) .+)?",
             "pass"),
            (rf"(?:take|drop|throw|cut|delete|remove|discard|lose) {_X}(?: away)?(?: (?:out of|"
             rf"from|off|"
             rf"of|in) {_W})?", r"remove \1 from \2"),
            (rf"(?:make |turn |change )?{_W} {_TO} {_W}", r"remove from \1 leaving \2"),
            (r"([a-z])", r"? remove \1"),
        ),
        "close": (
            (r"(?:end|call(?: the)? end|close|finish|stop)(?: of)?(?: the| this)? round(?: now)?",
             "end round"),
            (r"(?:play|use)(?: my| the| an)? end(?: of)?(?: the)? (?:game|round)(?: card)?",
             "end round"),
            (r"(?:don't|dont|do not|won't|wont|never) (?:end|close|call|finish).*", "pass"),
        ),
        "": (
            (rf"{_THROW} (?:both|two|2)(?: of)?(?: the| my)? ([a-z])(?:'?s)?(?: away)?",
             r"discard \1 \1"),
            (r"(?:throw away|throw out|throw|drop|dump|toss|chuck|ditch|scrap|"
             r"get rid of|bin|discard|lose) (.+?)(?: away)?",
             r"discard \1"),
        ),
    },
    verbs={
        "draw": "take pick get grab gimme hit have want card fetch fish",
        "form": "lay make spell play build place down create write set complete use",
        "add": "put stick append attach slap tack join",
        "steal": "rob nick pinch snatch swipe grab borrow yoink",
        "lock": "flip turn protect secure hide face seal",
        "rebuild": "change extend transform convert rearrange becomes anagram turn grow make "
        "modify alter upgrade",
        "take": "back return withdraw retrieve undo pick",
        "trade": "swap exchange offer switch give have want",
        "discard": "throw drop dump toss chuck ditch bin scrap lose",
        "remove": "delete cut strip drop take lose",
        "done": "finish end over through",
        "pass": "nothing keep leave skip",
    },
)  # fmt: skip

QUESTIONS = by_line({
    "hand": "my cards|my letters|cards in my hand|show my hand|show hand|my hand|show my letters|"
    "show me my letters|letters|show my cards|what do i have|whats in my hand|what's in my hand|"
    "what letters do i have",
    "manifest": "what words are on my manifest|what is on my manifest|whats on my manifest|"
    "what's on my manifest|what do i have to make|which words are on my card again|"
    "which words are on my card|what words are on my card|"
    "show my manifest|my manifest|show manifest|"
    "my words|what are my words|what do i need",
    "score": "score|scores|points|who is winning|who's winning|whos winning|standings",
    "piles": "cards left|letters left|how many cards are left|how many letters are left",
    "words": "what can i spell|what words can i make|what can i make|"
    "what words can i make with these|what can i make with these|what can i spell with these",
    "discards": "what is in the discard pile|what's in the discard pile|discard pile|show discards",
})  # fmt: skip
"""What people say for a question."""


def _windows(view: View) -> Sequence[str]:
    """The phase; also `settle` where letters are to be drawn or thrown away."""
    if view.seat is None or not may_act(view):
        return ()
    return ("discard",) if cards_to_discard(view) else (view.phase,)


def _words(view: View) -> frozenset[str]:
    laid = {word.spelling.lower() for word in view.words if word.spelling}
    return _VERBS | laid | {word.lower() for word in manifest_words(view)}


_VERBS = frozenset(PLAY_VERBS)


def _is_word(lexicon: Lexicon, word: str, view: View) -> bool:
    return dictionary(lexicon, view.box, view.settings.level).is_word(word.upper())


_OF_VERB: Mapping[str, Action] = {
    "draw": Draw("pile"), "form": Form(""), "add": Add("", 0, ""), "steal": Steal("", 0, "", ""),
    "lock": Lock(0), "rebuild": Rebuild((), ()), "trade": Trade(()), "discard": Discard(()),
}  # fmt: skip
"""An action for each verb: whether it can be made at all depends on its kind alone."""


def _why_not(lexicon: Lexicon, words: Sequence[str], view: View) -> Refusal | None:
    means = [[v for v in _OF_VERB if w in (v, *SYNONYMS.verbs[v].split())] for w in words]
    said = next(filter(None, means), [])  # by the first verb
    if len(words) == 1 and not said and _is_word(lexicon, words[0], view):
        said = ["form"]
    reason = None
    for verb in said:
        try:
            refuse_out_of_turn(view, _OF_VERB[verb])
        except IllegalAction as refusal:
            reason = reason or refusal
        else:
            return None  # what is wrong with the line is something else
    return reason


def reader(lexicon: Lexicon) -> Reader[View, Action]:
    """`Variant.parse` with these words."""
    return Reader(
        partial(parse, lexicon),
        phrase,
        partial(check, lexicon),
        _windows,
        SYNONYMS,
        _words,
        partial(guesses, lexicon),
        partial(_is_word, lexicon),
        partial(_why_not, lexicon),
    )
