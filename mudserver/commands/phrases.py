"""What people say that is neither a command nor a move: greetings, thanks, calls for help.

Rule 1: a phrase is a whole line, without what is polite and the signs at its end.  The moves of
        the open window come before it, prefixes of commands after it.
Rule 2: nothing is sent to others: talk is answered with how to say it.
Rule 3: a phrase changes nothing; what would is answered with what to type.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping

from mudserver.commands import help
from mudserver.commands.verb import VERBS, CommandContext
from mudserver.errors import UserError
from mudserver.messages import Notice, ViewMessage
from mudserver.service.moves import sample_of_kinds, waiting_row
from mudserver.tables.offer_texts import PAUSED
from variants.kit.synonyms import by_line, plain, polite

FORMS_MAX = 6  # moves that are shown as examples
NO_GAME = "You aren't in a game. Type play to start one, or tables to find one."
NOT_STARTED = "The game hasn't started yet. Type ready, and it starts when everybody is."
_SHOW = re.compile(r"(?:show|see|view|check|look at|list|display)(?: me)?(?: the| my| our)? (\w+)")
_OF_PLAYER = re.compile(
    r"(?:how many cards|how many points|what) (?:does|has) (\w+)(?: have|"
    r" got)?|(?:show|see)(?: me)? (\w+?)'?s (?:cards|hand|stockpile|words|letters|table)"
)
_TO_ALL = re.compile(
    r" (?:all|everybody|everyone|guys|folks|there|here|again|people|friends|both)$"
)

_LINES = by_line(
    {
        "greeting": "hi|hello|hey|hiya|hi there|good morning|good evening|good afternoon|yo|howdy|"
        "greetings|morning|evening",
        "talk": "thanks|thank you|thx|ty|thank you very much|gg|good game|well played|wp|lol|"
        "haha|ok|"
        "okay|bye all|bye everybody|bye everyone|bye bye|see you|brb|nice|nice one|cool|great|"
        "sorry|"
        "oh no|wow|ouch|welcome|yw|you're welcome|good luck|gl|have fun|how are you|cheers|rofl|"
        "oops "
        "sorry",
        "help": "help me|help please|what can i do|what can i type|what now|now what|what do i do|"
        "what do i do now|what should i do|what to do|how do i play|how to play|how does this work|"
        "i'm lost|im lost|i am lost|huh|what|i don't understand|i dont understand|"
        "what are my options|what are my moves|options please|what next|what is happening|whats"
        " happening|what's happening|what's going on|how do i start",
        "turn": "whose turn is it|whose turn|who's turn is it|whos turn is it|who is next|who's"
        " next|"
        "whos next|my turn|is it my turn|whose go is it|when is it me|"
        "when is it my turn|is it me|when do i play|who plays|who is playing|who is on",
        "undo": "undo|undo that|take back|take that back|oops|go back|i take it back|undo move",
        "pass": "done|i'm done|im done|finished|i'm finished|pass|skip|end turn|end my turn|pass"
        " turn|skip turn|skip my turn|do nothing|wait|"
        "i pass",
        "stop": "stop|cancel|exit game|quit game|leave game|stop game|stop playing|i quit|i give"
        " up|"
        "give up|i want to leave|end game|abort",
        "game": "my cards|my hand|my letters|show my hand|show hand|show my cards|score|points|"
        "who is winning|who's winning|my manifest|cards in my hand",
        "rematch": "again|another game|one more|one more game|play again|rematch|new game|"
        "let's play again",
    }
)


NO_MOVES = ("greeting", "talk", "help", "turn", "undo", "stop", "game")
"""Kinds that mean no move, even where a game has a reason why it would be forbidden."""


def find_phrase(line: str) -> str:
    """The kind of phrase that a line is; "": none."""
    said = plain(line)
    if said in VERBS:
        return ""
    asked = polite(said)
    return _LINES.get(said) or _LINES.get(asked) or _LINES.get(_TO_ALL.sub("", asked), "")


def find_question(context: CommandContext, line: str) -> str:
    """The question that a line asks the game at the table, in other words; "": none."""
    said = plain(line)
    if said in VERBS:
        return ""
    phrases = context.service.game_questions.phrases(context.person)
    asked = polite(said)
    shown = _SHOW.fullmatch(asked)
    if shown and shown[1] in context.service.game_questions.questions(context.person):
        return shown[1]
    if of_player := _OF_PLAYER.fullmatch(asked):
        return f"table {of_player[1] or of_player[2]}" if "table" in phrases.values() else ""
    return phrases.get(said) or phrases.get(asked) or phrases.get(_TO_ALL.sub("", asked), "")


def answer_phrase(context: CommandContext, kind: str, line: str) -> Awaitable[None] | None:
    """UserError: what was said cannot be done, and what can."""
    return _ANSWERS[kind](context, line)


def _greeting(context: CommandContext, line: str) -> None:
    context.session.last_line.note(line)
    if context.table is not None:
        context.reply(Notice("To say that to the table, type '"))
        return
    hello = f"Hello, {context.person.name}!"
    if context.service.lobby_count() > 1:
        context.reply(Notice(f"{hello} To greet everybody, type '"))
    else:
        context.reply(Notice(f"{hello} Nobody else is here right now. Type play or learn"))


def _talk(context: CommandContext, line: str) -> None:
    context.session.last_line.note(line)
    context.reply(Notice("To say that, type '"))


def _help(context: CommandContext, line: str) -> None:
    if not context.service.is_playing(context.person):
        is_new = context.session.is_first_visit and context.table is None
        service = context.service
        context.reply(
            service.welcome_page(context.person)
            if is_new
            else help.help_page(None, service.catalogue, service.host_pages, context.shows)
        )
        return
    forms = _forms(context)
    advice = "hint for advice, " * context.service.hints.are_on(context.person)
    more = f"Type moves for all moves, {advice}rules for the rules."
    context.reply(Notice(f"{_turn_row(context)} {forms}{more}"))


def _turn(context: CommandContext, line: str) -> None:
    _check_game(context)
    context.reply(Notice(_turn_row(context)))


def _undo(context: CommandContext, line: str) -> None:
    _check_game(context)
    raise UserError("Moves can't be taken back.")


def _pass(context: CommandContext, line: str) -> None:
    _check_game(context)
    has_pass = context.service.is_game_word(context.person, "pass")
    where = "now" if has_pass else "in this game"
    raise UserError(f"You can't pass {where}. {_forms(context) or _turn_row(context)}".rstrip())


def _stop(context: CommandContext, line: str) -> None:
    if context.table is None:
        raise UserError("To disconnect, type quit")
    raise UserError("Type leave to give up your seat, quit to disconnect and keep it.")


def _game(context: CommandContext, line: str) -> None:
    """A question to a game that does not answer it, or where none is."""
    _check_game(context)
    raise UserError("This game has no answer to that. Type look to see the table.")


def _rematch(context: CommandContext, line: str) -> Awaitable[None] | None:
    if context.table is None:
        raise UserError(NO_GAME, "no_game")
    return VERBS["rematch"].handler(context)


_ANSWERS: Mapping[str, Callable[[CommandContext, str], Awaitable[None] | None]] = {
    "greeting": _greeting,
    "talk": _talk,
    "help": _help,
    "turn": _turn,
    "undo": _undo,
    "pass": _pass,
    "stop": _stop,
    "game": _game,
    "rematch": _rematch,
}


def _check_game(context: CommandContext) -> None:
    """UserError: no game runs where the person is."""
    if not context.service.is_game_running(context.person):
        in_lobby = context.service.own_games.in_lobby(context.person) or NO_GAME
        raise UserError(in_lobby if context.table is None else NOT_STARTED, "no_game")


def _turn_row(context: CommandContext) -> str:
    """Whose turn it is."""
    view = context.service.view_of(context.person)
    if isinstance(view, ViewMessage) and view.is_paused:
        return PAUSED
    if not isinstance(view, ViewMessage) or not view.asked:
        return "No game is running here."
    is_mine = view.seat in view.asked and not view.has_answered
    return f"It's your turn ({view.asks})." if is_mine else waiting_row(view)


def _forms(context: CommandContext) -> str:
    """Some moves that can be typed now, of as many kinds as there are."""
    moves = sample_of_kinds(context.service.legal_moves(context.person), FORMS_MAX)
    return f"You can: {', '.join(moves)}. " if moves else ""
