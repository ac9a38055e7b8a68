"""From a line to a verb, or to a play at the table.

Rule 1: `/` before a word always means the house, `'` is say, `:` is me.
Rule 2: at a table with a running game bare words are plays.  A house verb written out works bare
        too, unless the game claims that word (`Variant.verbs`).
Rule 3: elsewhere a bare word is a house verb; a unique beginning is enough.  Anything else is
        refused with what it may have meant: text is never broadcast by accident.
Rule 4: what is completed follows from the same declarations and from the own view, no more.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from difflib import get_close_matches

from mudserver.commands import about, people, play, settings, tables, talk  # noqa: F401
from mudserver.commands.declare import TOPICS, VERBS, Context, Verb, declared
from mudserver.errors import HouseError
from variants.catalogue import CATALOGUE
from variants.kit.text import series

CLOSE = 0.7  # a slip of the fingers; at less, "hello" would be taken for "tell"


def interpret(context: Context, line: str) -> Awaitable[None] | None:
    """Do what *line* says.  An awaitable answer is still to be waited for.

    Raises:
        HouseError: What is wrong, then what to do.
    """
    line = line.strip()
    if not line:
        if context.house.takes_empty(context.person):
            context.house.play(context.person, "")
        return None
    if line[0] == "'":
        return run(context, VERBS["say"], line[1:])
    if line[0] == ":":
        return run(context, VERBS["me"], line[1:])
    house = context.house
    word, _, rest = line.partition(" ")
    if word.startswith("/"):
        return run(context, find(word[1:].lower() or "help", context), rest)
    word = word.lower()
    if house.is_playing(context.person):
        if word not in VERBS or house.claims(context.person, word):
            house.play(context.person, line)
            return None
        return run(context, VERBS[word], rest)
    return run(context, find(word, context), rest)


def find(word: str, context: Context) -> Verb:
    """The verb for a word or for its unique beginning.  HouseError offers what was meant."""
    if word in VERBS:
        return VERBS[word]
    matches = declared(word)
    if len(matches) == 1:
        return matches[0]
    if matches:
        # Among a verb's words the one that was begun, or nobody sees why it is offered.
        begun = [next(w for w in (v.name, *v.also) if w.startswith(word)) for v in matches]
        choices = series(begun, "or")
        raise HouseError(f'"{word}" could be {choices}. Type a little more.')
    if any(word in variant.verbs for variant in CATALOGUE.values()):
        raise HouseError(
            f'"{word}" is a play, and you play in no running game. tables shows the tables.'
        )
    close = get_close_matches(word, VERBS, 1, CLOSE)
    if close:
        raise HouseError(
            f'"{word}" is no command here. Did you mean {close[0]}? commands lists all.'
        )
    raise HouseError(
        f'"{word}" is no command here. help lists what you can do; to talk, begin with say.'
    )


def run(context: Context, verb: Verb, rest: str) -> Awaitable[None] | None:
    if verb.accounts_only and context.person.is_guest:
        raise HouseError(
            f"{verb.name} is for people with a name of their own. Come in with a name to get one."
        )
    if verb.at_table and context.table is None:
        raise HouseError(f"{verb.name} works at a table. tables shows them; sit NUMBER joins one.")
    return verb.handler(context, *verb.arguments(rest))


def candidates(context: Context, line: str) -> Iterable[str]:
    """Whole lines that *line* may become: completion for the word at its end."""
    house = context.house
    head, space, _ = line.rpartition(" ")
    if house.is_playing(context.person) and not line.startswith("/"):
        yield from house.moves(context.person)
    slash = "/" if line.startswith("/") else ""
    if not space:
        for verb in declared():
            yield slash + verb.name + (" " if verb.params else "")
        return
    given = head.removeprefix("/").split()
    known = VERBS.get(given[0].lower()) if given else None
    if known is None or not known.params:
        return
    param = known.params[min(len(given) - 1, len(known.params) - 1)].strip("[].")
    if param == "TOPIC":
        values: Iterable[str] = (*TOPICS, "keys", "playing", *(v.name for v in declared()))
    else:
        values = house.suggestions(param, given)
    for value in values:
        yield f"{head} {value}"


def completions(context: Context, typed: str) -> tuple[int, tuple[str, ...]]:
    """Where the last word of *typed* begins, and the words it may become, in order."""
    start = typed.rfind(" ") + 1
    words = {
        whole[start:].partition(" ")[0]: None
        for whole in candidates(context, typed)
        if whole.lower().startswith(typed.lower())
    }
    return start, tuple(word for word in words if word)
