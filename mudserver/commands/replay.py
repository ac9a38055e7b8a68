"""Replays: replay, and what is typed in one.

Rule 1: the words of a replay come first, then questions to its game; what is left is a command of
        the server.  `/` before a word is always a command.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from mudserver.commands import texts as command_texts
from mudserver.commands.verb import CommandContext, verb
from mudserver.errors import NotUnderstood, UserError
from mudserver.service import replay_texts as texts
from mudserver.service.replays import AUTO_S
from mudserver.tables.texts import IN_A_GAME
from variants.kit.synonyms import plain

Done = Awaitable[None] | None
NUMBER_DIGITS = 6  # which are read; no game has so many decisions


@verb("replay NUMBER [SEAT...]", "play", is_newer=True, see_also=("game", "games", "history"))
async def replay(context: CommandContext, number: str, seat: str | None) -> None:
    """See a game that is over again, decision by decision.
    replay 1042  as somebody who watches
    replay 1042 bob  with the eyes of bob
    replay 1042 all  with all cards up
    replay 117.3  the third game of table 117

    Enter, or next, is the next decision; next 5 and back 5 go further. turn 3, at 45, start and end
    jump. seat bob, seat watch and seat all give other eyes. moves lists what the seat could have
    typed there; look, history and the questions of the game (hand, piles) are about that place.
    auto 3 takes a step every three seconds, stop ends that, leave leaves the replay.

    Everybody can see a game again. Only those who had a seat in it see one at a private table, or
    of somebody who hides results. Your seat at a table stays yours.
    """
    service, person = context.service, context.person
    zone = context.session.preference("timezone")
    where = service.source_of(person.id), number, seat or "", zone
    await context.replays.open(person, *where, lambda: _check_is_free(context))


def _check_is_free(context: CommandContext) -> None:
    """UserError: the person is in a game, watches one, or takes a lesson."""
    service, person = context.service, context.person
    if service.is_playing(person):
        raise UserError(IN_A_GAME.format(context.table))
    if service.is_game_running(person):
        raise UserError(texts.WATCHING.format(context.table))
    if context.lessons.is_learning(person.id):
        raise UserError(texts.IN_A_LESSON)


def replay_line(context: CommandContext, line: str) -> Callable[[], Done] | None:
    """What answers a line that is typed in a replay; None: the server does, as anywhere."""
    if line.startswith("/"):
        return None
    word, _, rest = line.strip().partition(" ")
    word, rest = word.lower(), rest.strip()
    if word in _WORDS:
        return lambda: _WORDS[word](context, rest)
    game = context.replays.game_of(context.person)
    question = game.question_phrases.get(plain(line), line if word in game.questions else "")
    return (lambda: _ask(context, question)) if question else None


def check_not_for_replay(context: CommandContext, line: str) -> None:
    """UserError: a replay was closed by a game, and the line is a word of replays."""
    word = line.strip().partition(" ")[0].lower()
    if word in _WORDS and context.replays.is_shielded(context.person.id):
        raise UserError(texts.NOT_PLAYED)


def _ask(context: CommandContext, question: str) -> None:
    """About the place in the replay; `cards GAME` about the box of another game."""
    style = context.session.style
    try:
        printed = context.service.game_questions.answer_of_box(question, style)
        context.reply(printed or context.replays.answer(context.person, question, style))
    except NotUnderstood as strange:
        context.session.last_line.note(question, strange.suggestion)
        raise


def _next(context: CommandContext, rest: str) -> Done:
    return context.replays.step(context.person, _number("next", rest, 1))


def _back(context: CommandContext, rest: str) -> Done:
    return context.replays.step(context.person, -_number("back", rest, 1))


def _at(context: CommandContext, rest: str) -> Done:
    return context.replays.at(context.person, _number("at", rest))


def _turn(context: CommandContext, rest: str) -> Done:
    return context.replays.turn(context.person, _number("turn", rest))


def _start(context: CommandContext, rest: str) -> Done:
    _check_alone("start", rest)
    return context.replays.at(context.person, 0)


def _end(context: CommandContext, rest: str) -> Done:
    _check_alone("end", rest)
    return context.replays.end(context.person)


def _seat(context: CommandContext, rest: str) -> Done:
    if not rest:
        raise UserError(texts.WHOSE_EYES, "usage")
    return context.replays.look_as(context.person, rest)


def _moves(context: CommandContext, rest: str) -> None:
    context.reply(context.replays.moves(context.person, rest))


def _look(context: CommandContext, rest: str) -> None:
    _check_alone("look", rest)
    context.replays.repeat(context.person)


def _history(context: CommandContext, rest: str) -> None:
    _check_alone("history", rest)
    for message in context.replays.history(context.person):
        context.reply(message)


def _auto(context: CommandContext, rest: str) -> None:
    seconds = _read_number(rest or "3")
    if seconds not in AUTO_S:
        raise UserError(texts.AUTO_BAD, "usage")
    context.replays.auto(context.person, seconds)


def _stop(context: CommandContext, rest: str) -> None:
    _check_alone("stop", rest)
    context.replays.stop(context.person)


def _leave(context: CommandContext, rest: str) -> None:
    _check_alone("leave", rest)
    context.replays.leave(context.person)


def _number(word: str, typed: str, otherwise: int | None = None) -> int:
    """A number behind a word of replays.  UserError: it is none."""
    if not typed and otherwise is not None:
        return otherwise
    number = _read_number(typed)
    if number < (0 if otherwise is None else otherwise):
        raise UserError(texts.NO_NUMBER.format(word, word), "usage")
    return number


def _read_number(typed: str) -> int:
    """-1: it is none."""
    return int(typed[:NUMBER_DIGITS]) if typed.isascii() and typed.isdigit() else -1


def _check_alone(word: str, rest: str) -> None:
    if rest:
        raise UserError(command_texts.TOO_MUCH.format(word, rest, word), "usage")


_WORDS: dict[str, Callable[[CommandContext, str], Done]] = {
    "": _next,
    "next": _next,
    "back": _back,
    "at": _at,
    "turn": _turn,
    "start": _start,
    "end": _end,
    "seat": _seat,
    "moves": _moves,
    **dict.fromkeys(("look", "l", "board"), _look),
    "history": _history,
    "auto": _auto,
    "stop": _stop,
    "leave": _leave,
}
REPLAY_WORDS = tuple(word for word in _WORDS if len(word) > 1)
