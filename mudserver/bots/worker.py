"""The process of the computer players: it reads questions, thinks and replies until the pipe ends.

Rule 1: the first frame holds the data files of the games.  The process opens no data file itself,
        so that all processes play alike.  It keeps no state between two questions: killing it at
        any moment loses one reply.
Rule 2: a reply is an action that the variant's `check` accepts for the same view.
Rule 3: it has bounds: no core file, a bound on memory, and an alarm on every decision in case its
        parent is gone.  It thinks with a low priority, nice 10.  It builds the games, for about a
        second, with that of the server: on a busy machine it would never be ready, and nor would a
        standby, which waits for it.
Rule 4: standard output is the pipe.  What a computer player prints goes to standard error.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO

from mudserver.bots.codec import (
    FILES_BYTES_MAX,
    LENGTH_BYTES,
    QUESTION_BYTES_MAX,
    Codec,
    Reply,
    body_length,
    decode_files,
    decode_question,
    encode_action,
    reply_frame,
)
from mudserver.logs import raise_location
from variants.catalogue import AnyVariant, Catalogue, build_catalogue
from variants.kit.chance import SeededChance

NICENESS = 10
MEMORY_BYTES = 1024 * 1024 * 1024  # of address space
ALARM_S = 60  # for one decision; the pool's own limit is far shorter


def choose_action(
    variant: AnyVariant, level: str, view: Any, seen: Sequence[Any], seed: bytes
) -> Any:
    """The action of the computer player of this level; `variant.check` accepts it.

    Raises:
        LookupError: No such level.
        TypeError: It returned no action of this variant.
        IllegalAction: The rules forbid it.
        Exception: Any bug of the computer player.
    """
    action = variant.bots[level](view, seen, SeededChance(seed))
    if type(action) not in variant.action_types:
        raise TypeError(f"{type(action).__name__} is no action")
    variant.check(view, action)
    return action


def reviewed(
    number: int, variant: AnyVariant, view: Any, seen: Sequence[Any], played: Any
) -> Reply:
    """What would have been better than *played*."""
    assert variant.better_action is not None
    found = variant.better_action(view, seen, played)
    if found is None:
        return Reply(number)
    action, gain = found
    variant.check(view, action)
    return Reply(number, encode_action(action), gain=gain)


class QuestionHandler:
    """Answers questions, one at a time."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._codecs = {name: Codec(variant) for name, variant in catalogue.items()}

    def answer(self, body: bytes) -> Reply:
        """The reply to one question; an error makes a reply, too."""
        question = decode_question(body)
        try:
            variant = self._catalogue[question.variant]
            codec = self._codecs[question.variant]
            view, seen = codec.view(question.view), codec.events(question.seen)
            if question.played is not None:
                return reviewed(question.number, variant, view, seen, codec.action(question.played))
            action = choose_action(variant, question.level, view, seen, question.seed)
            return Reply(question.number, encode_action(action))
        except Exception as exc:
            return Reply(question.number, error=error_location(exc))


def error_location(exc: BaseException) -> str:
    """`KeyError at search.py:88`: enough to find the bug, and nothing of the hand."""
    return f"{type(exc).__name__} at {raise_location(exc)}"


BuildCatalogue = Callable[[Mapping[str, bytes]], Catalogue]


def serve(questions: BinaryIO, answers: BinaryIO, build: BuildCatalogue) -> None:
    """Reply until *questions* ends.  The first frame in holds files, the first out means: ready."""
    head = questions.read(LENGTH_BYTES)
    if not head:
        return
    files = decode_files(questions.read(body_length(head, FILES_BYTES_MAX)))
    handler = QuestionHandler(build(files))
    os.nice(NICENESS)
    _send(answers, Reply(0))
    while head := questions.read(LENGTH_BYTES):
        body = questions.read(body_length(head, QUESTION_BYTES_MAX))
        signal.alarm(ALARM_S)
        reply = handler.answer(body)
        signal.alarm(0)
        _send(answers, reply)


def _send(answers: BinaryIO, reply: Reply) -> None:
    answers.write(reply_frame(reply))
    answers.flush()


def main(build: BuildCatalogue = build_catalogue) -> None:
    """Run the process to its end."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with contextlib.suppress(BrokenPipeError):  # the parent is gone
        serve(sys.stdin.buffer, answers, build)
    # Skip flushing: the pipe may be closed.
    os._exit(0)
