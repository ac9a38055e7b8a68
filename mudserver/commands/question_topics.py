"""What a question or a wish is about, by its words, where no phrase and no move says it.

Rule 1: it comes last: only for a line of somebody who plays, which the game cannot read.
Rule 2: a line asks if it begins as a question or a wish does, or ends with a question mark.  It is
        about the first topic of which it holds a word.
Rule 3: the answer is one that is there already: of the game, of a command that changes nothing, or
        of `phrases`; else it says what to type.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from variants.kit.matcher import name_words
from variants.kit.synonyms import plain

WORDS_MAX = 16  # of a line; a longer one is talk


class Topic(NamedTuple):
    words: re.Pattern[str]
    questions: Sequence[str] = ()
    """Of games; the first that the game at the table has is the answer."""
    phrase: str = ""
    """The kind of `phrases` that answers."""
    verb: str = ""
    """The command that answers."""
    text: str = ""

    @property
    def is_of_rules(self) -> bool:
        return self.text == _RULES


_POLITE = r"(?:(?:and|but|so|hey|hmm|um|wait|ok|okay|please|sorry|oops|well) )*"
_ASKS = re.compile(
    _POLITE + r"(?:what|whats|what's|how|hows|who|whos|who's|whose|which|why|when|where|wheres|is|"
    r"if|isn't|are|am|was|were|does|do|did|has|have|had|can|could|may|might|should|shall|would|will|"
    r"any|anyone|anybody|remind|explain|tell me|show|see|view|list|(?:did|does|is|was|are|ca|could|"
    r"should|wo|would|has|have)n'?t)\b.*"
)
_WISHES = re.compile(
    _POLITE + r"(?:let|lets|let's|i (?:want|need|have|would|gotta|got|can't|cant|don't|dont|did|"
    r"made)|i'd|i've|help|turn|make|change|need|want|wrong|my mistake|misclick|mistake|undo|"
    r"take)\b.*"
)


def _topic(words: str, *questions: str, phrase: str = "", verb: str = "", text: str = "") -> Topic:
    return Topic(re.compile(rf"\b(?:{words})\b"), questions, phrase, verb, text)


_REQUEST = re.compile(_POLITE + r"(?:can|could|would|will|may|might) (?!we\b).*")
_EXPLAINS = re.compile(r"(?:what|whats|what's) .*\b(?:mean|do|is)\b")
_SENTENCE = re.compile(r"(?<=[,.;!?]) ")
_OF_PLAYER = re.compile(
    r"\b(?:have|has|got|hold|holds|holding|left|cards?|letters?|hands?|words?|points?|stockpiles?|"
    r"many|much|where|indoors|outdoors|infected|supplies|out|pairs?|triplets?|missed)\b"
)
_TALK = re.compile(
    r"(?:ha(?:ha)+|he(?:he)+|lo+l|rofl|lmao|gg|wow|whoa|woah|ouch|ow|argh|ugh|oh|ooh|ah|aha|aw+|omg|"
    r"damn|darn|yay|yes+|no+|nah|hmm+|nice|good|great|cool|awesome|lovely|well|bravo|congrats|"
    r"sorry|oops|thanks|thank|thx|ty|cheers|hi|hello|hey|bye|brb|afk|back|im|i'm|wait|hang|hold on|"
    r"hurry|come on|cmon|c'mon|that|this|you|you're|youre|he|she|they|we|we're|my|it|it's|its|not|"
    r"never|so|too|but|because|if only|welcome|same|sure|fine|just)\b.*"
)
_TALKED = Topic(_TALK, phrase="talk")
_ABOUT_CARD = re.compile(
    _POLITE + r"(?:what|whats|what's|how|explain|tell me about)(?: (?:do|does|is|are))?"
    r"(?: (?:an?|the|my))? (?P<name>.{3,}?)(?: cards?)?(?: (?:do|does|means?|works?|for|again))*"
)
_ASK_OTHERS = "To ask the others, type '"
_RULES = f"Type rules for the rules. {_ASK_OTHERS}"
_TO_DO = (
    _topic("undo|put (?:\\w+ )*back|take (?:that|it|this|my (?:last )?(?:move|turn|card)) back|"
           "take back|"
           "wrong (?:one|card|move|word|letter|button)|(?:my |by )?mistake|misclick(?:ed)?|"
           "did ?n[o']?t mean(?: that| it| to)?", phrase="undo"),
    _topic("pause|break|minutes?|mins?|wait for me",
           text="To ask the others for a pause, type offer pause."),
    _topic("a draw", text="To offer the others a draw, type offer draw."),
    _topic("start over|restart|start again|end (?:the|this) game|abort|cancel (?:the|this) game",
           text="To end this game without a result, if all agree, type offer abort."),
    _topic("rematch|new game|another game", text="When this game is over, type rematch."),
    _topic("(?:have|got|need|gotta|want) (?:to )?go|out of here|quit|exit|log ?out|disconnect|"
           "leave(?: now| the (?:game|table))?$|go home|stop playing", phrase="stop"),
    _topic("colou?r(?:s|ed)?", text="set colour off, 16, 256 or true changes the colours."),
    _topic("font|text|bigger|smaller|screen|wider|beep|bell|sound",
           text="Type set to see what you can change."),
    _topic("chat|talk|say (?!no\\b|yes\\b)|speak|message|write to",
           text="To say something to the table, type '"),
)  # fmt: skip
_TO_KNOW = (
    _topic("till (?:it's|its) my (?:go|turn)|when (?:am i(?! allowed)|is it my)", phrase="turn"),
    _topic("how long|time (?:is )?left|time do|much time|seconds|clock|timer|time limit|"
           "out of time|more time", verb="time"),
    _topic("(?:can|could|should|do) i (?:even |actually |now )?do|can i play|options|actions?|"
           "possible|(?:do i|i) (?:have to|need to|must) do|"
           "(?:can|may|could|am) i (?:allowed to )?(?:pick|choose|give|take)$|"
           "am i allowed to \\w+$", phrase="help"),
    _topic("bots?|computers?|robots?|ai|a human|real person|real people|levels?",
           text="tables says who is a computer player, and at which level."),
    _topic("rules?|how (?:do|does|can) (?:i|you|we|one|this|it|the game)|how to|works?|wins?|"
           "goal|aim|object|worth|means?|explain|tutorial|allowed|counts?|if|dead|dies?|"
           "game (?:end|ends|over)|"
           "dangerous|safer?|risky|better|worse|"
           "points (?:do|does|to)(?: \\w+)? (?:need|win)|do i need|have to|must i|"
           "(?:what is|what's|whats) an?|what are|what (?:does|do|if|happens (?:if|when))|why",
           text=_RULES),
    _topic("^(?:can|may) (?:i|we) (?!see|look|view|check|know|have)\\w+", text=_RULES),
    _topic("scores?|scored|points?|winning|ahead|in front|leading|leader|lead|(?:is|in) first|"
           "standings|rank|losing",
           "score", "table"),
    _topic("my (?:hand|cards|letters)|do i have|do i hold|i hold|i've got|have i got", "hand"),
    _topic("manifest|my words|my list|in set|need to spell|supposed to (?:make|spell)", "manifest"),
    _topic("am i|where|inside|indoors|outdoors|infected|of a kind|triplets?|pairs?|locked",
           "table"),
    _topic("discards?|discarded|thrown|threw|face up|outside", "discards", "piles"),
    _topic("decks?|piles?|stack|stock|left|remain|remaining", "piles"),
    _topic("turn|go|next|waiting|up|move|playing", phrase="turn"),
    _topic("(?:who|whos|who's) (?:has|have|got|holds?|is holding)", "table"),
    _topic("happen(?:s|ed|ing)?|miss|missed|last|before|again|repeat|just|did|was that|earlier",
           text=f"history shows what was said and played. {_ASK_OTHERS}"),
    _topic("table|board|everything|everybody|everyone|stockpiles?|see|look|dealt|dealer", "table"),
    _topic("(?:can|may|must|could|should|will|would) \\w+", text=_RULES),
    _topic("what|whats|how|who|whos|which|when|is|are|was|does|do|did",
           text=f"Type look for the table, rules for the rules. {_ASK_OTHERS}"),
)  # fmt: skip


def is_request(line: str) -> bool:
    """Whether a line asks for something to be done, rather than for an answer."""
    return _REQUEST.fullmatch(plain(line)) is not None


def asked_card(line: str) -> str:
    """What may be the name of a card, in a line that asks what something is or does; "": none."""
    asked = _ABOUT_CARD.fullmatch(plain(line))
    return asked["name"] if asked else ""


def asks(line: str) -> bool:
    """Whether a line of several words asks something."""
    return " " in line and _asks(line, plain(line))


def is_talk(line: str) -> bool:
    """Whether a line of several words begins as talk does."""
    return " " in line and _TALK.fullmatch(plain(line)) is not None


def first_sentence(line: str) -> str:
    """What is said before the first sign that parts a line."""
    return _SENTENCE.split(line, 1)[0]


def is_of_a_topic(line: str) -> bool:
    """Whether a line asks, wishes or is talk."""
    said = plain(line)
    if len(said.split()) > WORDS_MAX:
        return False
    return _asks(line, said) or any(begins.fullmatch(said) for begins in (_WISHES, _TALK))


def _asks(line: str, said: str) -> bool:
    return line.rstrip().endswith("?") or _ASKS.fullmatch(said) is not None


def find_topic(line: str, questions: Collection[str], people: Sequence[str]) -> Topic | None:
    """The topic of a line that `is_of_a_topic`; None: it wishes nothing that is known.

    Args:
        questions: What can be asked of the game at the table.
        people: Who plays there.
    """
    said = plain(line)
    if (topic := _first(_TO_DO, said)) and not _EXPLAINS.match(said):
        return topic
    if not _asks(line, said):
        return None if _WISHES.fullmatch(said) else _TALKED
    topic = _first(_TO_KNOW, said)
    of_state = topic in (None, _TO_KNOW[-1]) or topic.questions or topic.phrase == "turn"
    people_words = name_words(tuple(people))
    named = {word for word in said.replace("'s", "").split() if word in people_words}
    if of_state and len(named) == 1 and "table" in questions and _OF_PLAYER.search(said):
        return Topic(_OF_PLAYER, (f"table {named.pop()}",))
    if topic is None or not topic.questions:
        return topic or _TALKED
    asked = tuple(each for each in topic.questions if each in questions)
    return topic._replace(questions=asked) if asked else _TALKED


def _first(topics: Sequence[Topic], said: str) -> Topic | None:
    return next((topic for topic in topics if topic.words.search(said)), None)
