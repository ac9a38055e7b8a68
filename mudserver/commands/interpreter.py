"""Interprets an input line: as a command of the server or as a play at the table.

Rule 1: a word after `/` is always a command of the server; `'` is say, `:` is me, `#` is for a
        channel.  `'` alone says the last line that was not understood, `y` alone runs what was
        offered for it.  Behind a list (`seeks`, `tables`, `go`, `games`) a number alone is that of
        a row, unless the person is in a running game.
Rule 2: for a person in a running game bare words are plays.  A whole word wins over a prefix: a
        server command or its alias works bare, too, unless the game has the same word
        (`Variant.verbs`).  So `l` is look, and `lo` may begin a play.
Rule 3: questions to the game (`Variant.questions`) need their whole word from people who play; for
        others a unique prefix is enough.  Plays of the game come before them, server commands
        after them.
Rule 4: utility commands of a game (`Variant.utility_commands`) are found by all the words of their
        name, anywhere, unless the first of them is a play of the game at the table.
Rule 5: for everybody else a bare word is a server command.  A unique prefix is enough, unless it is
        a whole word of some game: a play typed just after the end of a game must do nothing else.
        quit and leave need their whole word, since `q` also leaves a page.  Anything else is
        refused with what it may have meant: text is never broadcast by accident.
Rule 6: for screen-reader users a bare number selects that row of the last `moves`
        (`service/numbered_moves.py`); without such a row the game reads the number.
Rule 7: a line that the game reads as a move and the server as a command is asked back.  What people
        say to anybody (`phrases.py`) comes after the moves of the open window.
Rule 8: a mistyped command is offered with its whole line (`variants.kit.typos`), never run.
Rule 9: completion follows from the same declarations and from the person's view, nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable
from functools import partial

from mudserver.commands import help, texts
from mudserver.commands.channels import say_in_channel
from mudserver.commands.families import VERBS
from mudserver.commands.learn import LESSON_WORDS, lesson_line
from mudserver.commands.phrases import NO_MOVES, answer_phrase, find_phrase
from mudserver.commands.phrases import find_question as find_question_phrase
from mudserver.commands.question_topics import (
    asked_card,
    asks,
    find_topic,
    first_sentence,
    is_of_a_topic,
    is_request,
    is_talk,
)
from mudserver.commands.replay import REPLAY_WORDS, check_not_for_replay, replay_line
from mudserver.commands.verb import CommandContext, Verb, all_verbs, verbs_starting_with
from mudserver.errors import NotUnderstood, UserError
from mudserver.messages import AnswerMessage, Notice, ViewMessage
from mudserver.service.game_questions import PRINTED_QUESTIONS
from mudserver.service.lesson_texts import NOT_PLAYED, YOUR_TURN
from variants.contract import UtilityCommand
from variants.kit import typos
from variants.kit.text import join_words

QUOTED_WORD_MAX = 40  # characters of a word in a refusal; every verb and play is shorter
CONFLICT_CHARS_MAX = 60  # of a line that begins like a command and could be a move
OFFERED_MAX = 3  # lines that are offered for a mistyped one
YES = ("y", "yes")
ARTICLES = ("the", "a", "an", "my")  # which are nobody's name
NAMES_OF_READER = ("me", "myself")
PREFIXES_OF_TALK = ("'", ":", "#")
FOR_THE_GAME = ("play",)  # who plays already means a move, if it can be one


def interpret(context: CommandContext, line: str) -> Awaitable[None] | None:
    """Do what *line* says; an awaitable answer must finish before the next line.

    Raises:
        UserError: What is wrong, then what to do.
    """
    line = line.strip()
    service, person = context.service, context.person
    if answer := _line_of_lesson_or_replay(context, line):
        return answer()
    if not line:
        if service.accepts_empty_line(person):
            service.play(person, "")
        elif text := service.wait_text(person):
            context.reply(Notice(text))
        return None
    if line[0] in PREFIXES_OF_TALK:
        return _talk(context, line)
    if line.lower() in YES:
        return confirm(context, line.lower())
    if choice := service.lessons.take_choice(person, line):
        asked_by, game = choice
        return run_verb(context, VERBS[asked_by], game)
    word, _, rest = line.partition(" ")
    word = word.lower()
    is_playing = not word.startswith("/") and service.is_playing(person)
    move = None
    if is_playing and line.isascii() and line.isdigit() and context.session.has_numbered_moves:
        move = service.move_by_number(person, line)
    if move is not None:
        service.play(person, move)
        return None
    if not is_playing and (verb := _verb_of_row(context, line)) is not None:
        return run_verb(context, verb, line)
    if is_playing and service.is_game_word(person, word):
        if answer := topic_answer(context, line):
            return answer()
        service.play(person, line)
        return None
    if not word.startswith("/"):
        if is_playing and (play := line_of_game(context, line, word, rest)):
            service.play(person, play)
            return None
        if phrase := phrase_answer(context, line):
            return phrase()
    has_slash, word = word.startswith("/"), word.removeprefix("/") or "help"
    if command := service.game_questions.find_utility_command(line.removeprefix("/")):
        return run_utility_command(context, *command)
    if printed := printed_answer(context, word, rest):
        context.reply(printed)
        return None
    question = find_question(word, service.game_questions.questions(person), is_whole=is_playing)
    if question and not (has_slash and word in VERBS):
        _answer_question(context, f"{question} {rest}".rstrip())
    elif is_playing and word in VERBS and _is_rather_a_move(context, line, rest):
        service.play(person, line)
    elif word in VERBS or not is_playing:
        found = find_verb(word, context, rest, is_server_command=has_slash)
        return run_verb(context, found, rest)
    else:
        _check_not_mistyped(context, line)
        service.play(person, line)
    return None


def _verb_of_row(context: CommandContext, line: str) -> Verb | None:
    """What the number of a row means alone, behind a list of people's; None: it is no such line."""
    if not (line.isascii() and line.isdigit()) or context.session.is_program:
        return None
    return VERBS.get(context.session.last_line.verb_of_row(line))


def _line_of_lesson_or_replay(
    context: CommandContext, line: str
) -> Callable[[], Awaitable[None] | None] | None:
    """What answers a line in the lesson or the replay that is open; None: the server does.

    UserError: The line was meant for one that a game has just closed.
    """
    service, person = context.service, context.person
    if service.lessons.is_learning(person.id) and not _goes_to_people(line):
        return lesson_line(context, line)
    if service.lessons.is_shielded(person.id, line):
        _check_not_for_lesson(context, line)
    if not service.replays.is_open(person.id):
        check_not_for_replay(context, line)
        return None
    return None if _goes_to_people(line) else replay_line(context, line)


def _talk(context: CommandContext, line: str) -> Awaitable[None] | None:
    """`'` is say, `:` is me, `#` a channel; `'` alone says what was not read as talk before."""
    if line[0] == "#":
        if context.session.takes_talk():
            say_in_channel(context, line)
        return None
    if line[0] == ":":
        return run_verb(context, VERBS["me"], line[1:])
    unread = context.session.last_line.take_unread() if line == "'" else ""
    return run_verb(context, VERBS["say"], unread or line[1:])


def _is_rather_a_move(context: CommandContext, line: str, rest: str) -> bool:
    """Whether a line says more than its command can take: `who has three nines?` asks for no list
    of people, and `tell the police about Bob` is for nobody called The."""
    verb, second = VERBS[line.split()[0].lower()], rest.partition(" ")[0].lower()
    if verb.name in FOR_THE_GAME:
        return bool(rest) and second not in context.service.catalogue
    if not rest:
        return False
    can_take = _can_take(verb, rest)
    if can_take and verb.params and second not in ARTICLES:
        return False
    if rest.endswith("?") if can_take else " " in rest:
        return True
    reading = context.service.reads(context.person, line)
    if reading is None:
        return False
    return reading.is_guess or (not can_take and bool(reading.kind))


def _can_take(verb: Verb, rest: str) -> bool:
    try:
        verb.parse_arguments(rest)
    except UserError:
        return False
    return True


def _check_not_mistyped(context: CommandContext, line: str) -> None:
    """UserError: a word alone is nothing to the game, and nearly a command."""
    reading = None if " " in line else context.service.reads(context.person, line)
    is_nothing = reading is not None and not (reading.kind or reading.is_guess)
    if is_nothing and typos.nearest(line.lower(), VERBS):
        raise unknown_command(line.lower(), "", context)


def _goes_to_people(line: str) -> bool:
    """Whether a line goes to people, or confirms what was offered, wherever it is typed."""
    return line[:1] in PREFIXES_OF_TALK or line.lower() in YES


def _check_not_for_lesson(context: CommandContext, line: str) -> None:
    """UserError: a lesson was interrupted by a game, and the line is a move."""
    service, person = context.service, context.person
    if line.startswith("/") or _goes_to_people(line) or line.split()[0].lower() in VERBS:
        return
    reading = service.reads(person, line)
    if reading is None or reading.kind:
        view = service.view_of(person)
        is_mine = isinstance(view, ViewMessage) and view.seat in view.asked
        raise UserError(NOT_PLAYED.format(YOUR_TURN if is_mine else ""))


def confirm(context: CommandContext, line: str) -> Awaitable[None] | None:
    """`y` or `yes`: run what was offered after the line before; else it is for the game."""
    service, person = context.service, context.person
    offered = context.session.last_line.confirmed(service.window_key(person))
    reading = service.reads(person, line)
    is_letter = line == "y" and reading is not None and reading.kind == "legal"
    if offered and not is_letter:
        return interpret(context, offered)
    if service.is_playing(person) and (reading is None or reading.kind):
        service.play(person, line)
        return None
    raise UserError("There is nothing to confirm.", "not_found")


def line_of_game(context: CommandContext, line: str, word: str, rest: str) -> str:
    """The line as the game is to read it, where the server knows its first word or the whole of
    it, too; "": it is for the server.

    Raises:
        UserError: It is as much the one as the other.
    """
    service, person = context.service, context.person
    questions = service.game_questions.questions(person)
    is_command = word in VERBS or (word in questions and not rest)
    if len(word) == 1 == len(line) and word not in VERBS:
        return _verb_of_letter(context, word)
    kind, question = find_phrase(line), find_question_phrase(context, line)
    is_known = is_command or word in questions or kind or question
    if not is_known or len(line) > CONFLICT_CHARS_MAX:
        return ""
    reading = service.reads(person, line)
    if reading is None or not reading.kind:
        return ""
    if reading.kind == "forbidden" and (question or kind in NO_MOVES):
        return ""
    if not is_command and (word not in questions or reading.kind == "legal"):
        return line
    if word in FOR_THE_GAME or (word == "offer" and " " in rest):  # offer draw is one word more
        return line
    takes = word in questions or VERBS[word].may_mean(rest)
    if reading.kind != "legal":  # what the server can do needs no question
        if word in NAMES_OF_READER and reading.kind == "forbidden":
            return line  # the reader is no command here, whatever the rules say
        return "" if takes or reading.kind == "forbidden" else line
    if not takes:
        return line
    raise UserError(
        f'"{line}" could be a move or a command. Type {reading.move} for the move, /{line} for the'
        " command.",
        "ambiguous",
    )


def _verb_of_letter(context: CommandContext, letter: str) -> str:
    """The one verb of a move that begins so, for who has set it; "": none, or several."""
    if context.session.preference("short") != "on":
        return ""
    moves = context.service.legal_moves(context.person)
    begun = {verb for verb in (move.split()[0] for move in moves) if verb.startswith(letter)}
    return begun.pop() if len(begun) == 1 else ""


def phrase_answer(
    context: CommandContext, line: str
) -> Callable[[], Awaitable[None] | None] | None:
    """What answers a line that people say to anybody; None: it is none."""
    if line.lower() in VERBS:
        return None
    question, kind = find_question_phrase(context, line), find_phrase(line)
    service, person = context.service, context.person
    is_playing = service.is_playing(person)
    if not question and not kind:
        return topic_answer(context, line) if is_playing else card_answer(context, line)
    if is_playing and service.reads(person, line) is None:
        return None  # the game reads it when the moves before it are made
    if not is_playing and any(line.lower() in game.verbs for game in service.catalogue.values()):
        return None  # a move that comes too late
    if question:
        return partial(_answer_question, context, question)
    return partial(answer_phrase, context, kind, line)


def topic_answer(context: CommandContext, line: str) -> Callable[[], Awaitable[None] | None] | None:
    """What answers a line of somebody who plays that asks something and is no move; None: it is
    for the game."""
    service, person = context.service, context.person
    first, *others = line.split()
    verb = VERBS.get(first.lower())
    is_command = verb is not None and (not others or verb.may_mean(" ".join(others)))
    sentence = first_sentence(line)
    kind = find_phrase(sentence) if sentence != line else ""
    if is_command or not (kind or is_of_a_topic(line)):
        return None
    reading = service.reads(person, line)
    if reading is None or reading.kind:
        return None
    if kind not in ("", "greeting", "talk") and not reading.is_guess:
        return partial(answer_phrase, context, kind, line)
    if kind in ("greeting", "talk") and is_of_a_topic(line.removeprefix(sentence).strip()):
        line = line.removeprefix(sentence).strip()  # a question behind a greeting
    asked = sentence if reading.has_move else line  # a question behind a move can be asked again
    view = service.view_of(person)
    if not isinstance(view, ViewMessage):
        return None
    topic = find_topic(asked, service.game_questions.questions(person), view.names)
    is_talk = topic is not None and topic.phrase == "talk"
    is_for_game = reading.is_guess or service.is_game_word(person, first.lower())
    is_asked_for = reading.is_guess and is_request(asked)
    if topic is None or is_asked_for or (is_talk and is_for_game):
        return None  # the game says what is wrong with it, or what it may mean
    if topic.is_of_rules and (answer := card_answer(context, asked)):
        return answer
    if topic.questions:
        return partial(_answer_question, context, topic.questions[0])
    if topic.verb:
        return partial(run_verb, context, VERBS[topic.verb], "")
    if topic.phrase:
        return partial(answer_phrase, context, topic.phrase, line)
    context.session.last_line.note(line)
    return partial(context.reply, Notice(topic.text))


def card_answer(context: CommandContext, line: str) -> Callable[[], None] | None:
    """What a card does, for a line that asks so in other words; None: it names no card.

    NotUnderstood: it nearly names one.
    """
    if not (name := asked_card(line)):
        return None
    questions, style = context.service.game_questions, context.session.style
    is_playing = context.service.is_playing(context.person)
    nearly: NotUnderstood | None = None
    for each in (name, name.removesuffix("s")):
        try:
            found = (
                questions.answer_question(context.person, f"card {each}", style)
                if is_playing
                else printed_answer(context, "card", each)
            )
            return None if found is None else partial(context.reply, found)
        except NotUnderstood as exc:
            nearly = exc if exc.suggestion else nearly
        except UserError:
            continue
    if nearly is not None:
        raise nearly
    return None


def printed_answer(context: CommandContext, word: str, rest: str) -> AnswerMessage | None:
    """What the box of a game says of its cards, where no game of the own table does."""
    if word not in PRINTED_QUESTIONS:
        return None
    questions, style = context.service.game_questions, context.session.style
    return questions.answer_printed(context.person, f"{word} {rest}".rstrip(), style)


def _answer_question(context: CommandContext, text: str) -> None:
    questions = context.service.game_questions
    context.reply(questions.answer_question(context.person, text, context.session.style))


async def run_utility_command(context: CommandContext, command: UtilityCommand, rest: str) -> None:
    await context.service.wait_for_utility_turn(context.person)
    for page in context.service.game_questions.run_utility_command(
        command, rest, context.session.style
    ):
        context.reply(page)
        await asyncio.sleep(0)  # serve the others


def find_question(word: str, questions: Collection[str], *, is_whole: bool) -> str:
    """The question that *word* names or, if no verb begins so, abbreviates; "": none."""
    if word in questions:
        return word
    matches = [] if is_whole else [question for question in questions if question.startswith(word)]
    return matches[0] if len(matches) == 1 and not verbs_starting_with(word) else ""


def find_verb(
    word: str, context: CommandContext, rest: str = "", *, is_server_command: bool = False
) -> Verb:
    """The verb that *word* names or uniquely abbreviates.  UserError offers what was meant.

    Args:
        rest: What stands behind it.
        is_server_command: A prefix is enough, even if some game has a play of this name.
    """
    if word in VERBS:
        return VERBS[word]
    if len(word) > QUOTED_WORD_MAX:
        word = f"{word[:QUOTED_WORD_MAX]}..."
    games = context.service.catalogue.values()
    is_play = any(word in variant.verbs for variant in games)
    matches = verbs_starting_with(word) if is_server_command or not is_play else []
    if context.table is None:  # what works only at a table makes no word ambiguous elsewhere
        matches = [verb for verb in matches if not verb.needs_table] or matches
    # Offer the alias that begins so, not the verb's name: otherwise the offer looks wrong.
    candidates = [next(w for w in (v.name, *v.aliases) if w.startswith(word)) for v in matches]
    if len(matches) == 1:
        if matches[0].needs_whole_word:
            raise UserError(texts.WHOLE_WORD.format(word, candidates[0]), "usage")
        return matches[0]
    if matches:
        raise UserError(texts.AMBIGUOUS.format(word, join_words(candidates, "or")), "ambiguous")
    commands = context.service.game_questions.utility_commands
    if usages := [each.usage for each in commands if each.name_words[0] == word]:
        raise UserError(texts.INCOMPLETE.format(word, join_words(usages, "or")), "usage")
    asked = [variant.name for variant in games if word in variant.questions]
    if (asked or is_play) and context.table is None:
        context.service.check_tables_restored()  # the person may sit at one that is not
    if word in context.service.catalogue and context.table is None:
        raise UserError(texts.GAME_NAME.format(word.capitalize(), word), "usage")
    if asked:
        raise UserError(texts.QUESTION_ELSEWHERE.format(word, join_words(asked, "or")), "ambiguous")
    if is_play:
        if context.table is None:
            in_lobby = context.service.own_games.in_lobby(context.person)
            raise UserError(in_lobby or texts.NOT_IN_GAME, "no_game")
        is_watching = context.service.is_game_running(context.person)
        raise UserError(texts.WATCHING if is_watching else texts.NOT_STARTED, "not_seated")
    raise unknown_command(word, rest, context)


def unknown_command(word: str, rest: str, context: CommandContext) -> NotUnderstood:
    """What is said of a word that is no command, with the lines that were probably meant."""
    is_elsewhere = context.table is None  # what works only at a table is not meant elsewhere
    known = [
        name
        for name, verb in VERBS.items()
        if not (verb.needs_table and is_elsewhere) and context.shows(verb)
    ]
    near = typos.nearest(word, [*known, *context.service.catalogue])
    lines = [f"{each} {rest}".rstrip() for each in near[:OFFERED_MAX]]
    wrong = f'Unknown command "{word}".'
    if is_talk(f"{word} {rest}"):
        return NotUnderstood("To say that, type '")
    if asks(f"{word} {rest}"):
        return NotUnderstood("Type help for all commands, rules for the rules, or ' to say it.")
    if not lines:
        return NotUnderstood(f"{wrong} Type help for a list, or ' to say it.")
    quoted = join_words([f'"{each}"' for each in lines], "or")
    if len(lines) > 1:
        return NotUnderstood(f"{wrong} Did you mean {quoted}?")
    return NotUnderstood(f"{wrong} Did you mean {quoted}? Type y to run it.", lines[0])


def run_verb(context: CommandContext, verb: Verb, rest: str) -> Awaitable[None] | None:
    if verb.needs_account and context.person.is_guest:
        raise UserError(texts.ONLY_REGISTERED.format(verb.name))
    if verb.needs_table and context.table is None:
        context.service.check_tables_restored()  # the person may sit at one that is not
        in_lobby = context.service.own_games.in_lobby(context.person)
        raise UserError(in_lobby or texts.NOT_AT_TABLE, "not_seated")
    if verb.permission and not context.may_use(verb.permission):
        return _refuse(context, verb, rest)
    if verb.is_talk and not context.session.takes_talk():
        return None
    return verb.handler(context, *verb.parse_arguments(rest))


async def _refuse(context: CommandContext, verb: Verb, rest: str) -> None:
    """NotPermitted, whatever else is wrong with the line; of the staff it is in the audit."""
    first = rest.strip().partition(" ")[0]
    about = first if verb.params[:1] == ("NAME",) else ""
    await context.service.moderation.check_may(context.login, verb.permission, about)


def completion_lines(context: CommandContext, line: str) -> Iterable[str]:
    """Whole lines that complete the last word of *line*."""
    service = context.service
    questions = service.game_questions.questions(context.person)
    head, space, _ = line.rpartition(" ")
    if line.startswith("#"):
        yield from (f"#{channel} " for channel in service.channels.visible(context.person))
        return
    if service.is_playing(context.person) and not line.startswith("/"):
        yield from service.legal_moves(context.person)
    elif context.lessons.is_learning(context.person.id):
        yield from (*context.lessons.moves(context.person)[2], *LESSON_WORDS)
    elif context.replays.is_open(context.person.id):
        yield from REPLAY_WORDS
    slash = "/" if line.startswith("/") else ""
    for command in service.game_questions.utility_commands:
        yield f"{slash}{' '.join(command.name_words)} "
    if not space:
        for verb in all_verbs():
            if not context.shows(verb):
                continue
            if verb.needs_table and not service.may(context.person, verb.name):
                continue
            yield slash + verb.name + (" " if verb.params else "")
        yield from (slash + question for question in questions)
        return
    given = head.removeprefix("/").split()
    known = VERBS.get(given[0].lower()) if given else None
    if known is None or not known.params:
        return
    param = known.params[min(len(given) - 1, len(known.params) - 1)].strip("[].")
    if param == "WORDS":  # of `moves`
        yield from (f"{slash}{given[0]} {move}" for move in service.legal_moves(context.person))
        return
    if param == "TOPIC":
        verbs = (v.name for v in all_verbs() if context.shows(v))
        topics = help.topics_shown(context.shows)
        values: Iterable[str] = (*topics, *help.EXTRA_TOPICS, *verbs, *questions)
    elif param == "CHANNEL":
        values = service.channels.visible(context.person)
    else:
        values = service.argument_completions(context.person, param, given)
    for value in values:
        yield f"{head} {value}"


def completions(context: CommandContext, typed: str) -> tuple[int, tuple[str, ...]]:
    """The index where the last word of *typed* begins, and what it may become, in order."""
    start = typed.rfind(" ") + 1
    words = {
        whole[start:].partition(" ")[0]: None
        for whole in completion_lines(context, typed)
        if whole.lower().startswith(typed.lower())
    }
    return start, tuple(word for word in words if word)
