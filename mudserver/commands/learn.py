"""Lessons: learn, and what is typed in one.

Rule 1: the words of a lesson come first, then questions to its game and commands of the server;
        what is left is a move.  `/` before a word is always a command.
Rule 2: no game has a move called like a word of a lesson (a test says so).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from mudserver.commands.phrases import find_phrase
from mudserver.commands.verb import VERBS, CommandContext, verb
from mudserver.errors import NotUnderstood, UserError
from mudserver.messages import Page
from mudserver.service import lesson_texts as texts
from mudserver.service.moves import moves_rows
from mudserver.tables.texts import IN_A_GAME
from variants.contract import lists_all_actions
from variants.kit.synonyms import plain

BOARD_WORDS = ("look", "l", "board")


@verb("learn [GAME] [again]", "play", see_also=("rules", "practice"))
def learn(context: CommandContext, game: str | None, again: str | None) -> Awaitable[None] | None:
    """A lesson of about five minutes, with real moves.
    Without GAME it goes on with the lesson that you have begun, or asks which game it is to be.
    As in: learn elimination, learn words again

    In a lesson an empty line repeats the text, and show makes the move for you. skip and back go to
    another step. stop ends the lesson. How far you have come is kept in your account."""
    if again not in (None, "again"):
        raise UserError(
            f'"{again}" is too much here. Type learn GAME, or learn GAME again', "usage"
        )
    if context.session.is_program:
        raise UserError(texts.FOR_PEOPLE)
    if context.service.is_playing(context.person):
        raise UserError(IN_A_GAME.format(context.table))
    if context.service.is_game_running(context.person):
        raise UserError(texts.WATCHING.format(context.table))
    if context.replays.is_open(context.person.id):
        raise UserError(texts.IN_A_REPLAY)
    name = game or context.lessons.choose(context.person)
    if not name:
        return None
    return context.lessons.start(context.person, name.lower(), is_again=again is not None)


def lesson_line(context: CommandContext, line: str) -> Callable[[], Awaitable[None] | None] | None:
    """What answers a line that is typed in a lesson; None: the server does, as anywhere."""
    lessons, person = context.lessons, context.person
    said = plain(line)
    if not line and lessons.accepts_empty_line(person):
        return lambda: _type(context, "")
    if said in _WORDS:
        return lambda: _WORDS[said](context)
    word = said.split()[0] if said else ""
    game = lessons.game_of(person)
    kind = find_phrase(line)
    question = game.question_phrases.get(said, line if word in game.questions else "")
    if question:
        return lambda: _ask(context, question)
    if word == "moves":
        return lambda: _moves(context, line.partition(" ")[2])
    if kind == "stop" and "give up" not in said:  # which is a move of some game
        return lambda: lessons.stop(person)
    is_command = word in VERBS and word not in game.verbs
    is_move = word == "play" and lessons.reads(person, line)  # as at a table
    if (is_command and not is_move) or line.startswith("/"):
        return None
    if kind in ("help", "turn"):
        return lambda: lessons.repeat(person)
    return None if kind in ("greeting", "talk") else lambda: _type(context, line)


async def _type(context: CommandContext, line: str) -> None:
    try:
        await context.lessons.type(context.person, line)
    except NotUnderstood as strange:
        window = context.service.window_key(context.person)
        context.session.last_line.note(line, strange.suggestion, window)
        raise


def _ask(context: CommandContext, question: str) -> None:
    """About the lesson's position; `cards GAME` about the box of another game."""
    style = context.session.style
    printed = context.service.game_questions.answer_of_box(question, style)
    context.reply(printed or context.lessons.answer(context.person, question, style))


def _moves(context: CommandContext, prefix: str) -> None:
    game, view, moves = context.lessons.moves(context.person)
    rows = moves_rows(moves, prefix, is_all=lists_all_actions(game, view))
    context.reply(Page("You can type", tuple(rows)))


def _repeat(context: CommandContext) -> None:
    context.lessons.repeat(context.person)


def _look(context: CommandContext) -> None:
    context.lessons.repeat(context.person, is_look=True)


_WORDS: dict[str, Callable[[CommandContext], Awaitable[None] | None]] = {
    "skip": lambda context: context.lessons.go(context.person, 1),
    "back": lambda context: context.lessons.go(context.person, -1),
    "show": lambda context: context.lessons.show(context.person),
    **dict.fromkeys(("stop", "leave"), lambda context: context.lessons.stop(context.person)),
    **dict.fromkeys(("", "repeat"), _repeat),
    **dict.fromkeys(BOARD_WORDS, _look),
}
LESSON_WORDS = tuple(word for word in _WORDS if word)
