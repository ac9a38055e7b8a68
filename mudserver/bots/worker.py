"""The process of the computer players: read a question, think, answer; end with the pipe.

Rule 1: first it is handed the data files of the games and builds those: it opens none itself,
        so that all processes play alike.  Then it holds nothing between two questions: killing
        it at any moment loses one answer.
Rule 2: an answer is an action that the variant's own `check` accepts from the same view.
Rule 3: it is the last to get the processor and the first to be ended: nice 10, no core file, a
        bound on memory, and an alarm on every decision for the day its parent is gone.
Rule 4: standard output is the pipe.  Whatever a player prints goes to standard error.
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
    AnyVariant,
    Codec,
    Reply,
    body_length,
    decode_files,
    decode_question,
    encode_action,
    reply_frame,
)
from variants.catalogue import Catalogue, build_catalogue
from variants.kit.chance import SeededChance

NICENESS = 10
MEMORY_BYTES = 1024 * 1024 * 1024  # of address space
ALARM_S = 60  # a decision that nobody ended; the pool's own budget is far shorter


def choose_action(
    variant: AnyVariant, level: int, view: Any, seen: Sequence[Any], seed: bytes
) -> Any:
    """What the computer player of this level does: an action that `variant.check` accepts.

    Raises:
        LookupError: No such level.
        TypeError: What came is no action of this variant.
        IllegalAction: The rules forbid it.
        Exception: Whatever the player itself runs into.
    """
    action = variant.bots[level](view, seen, SeededChance(seed))
    if type(action) not in variant.action_types:
        raise TypeError(f"{type(action).__name__} is no action")
    variant.check(view, action)
    return action


class QuestionHandler:
    """Answers questions, one at a time."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._codecs = {name: Codec(variant) for name, variant in catalogue.items()}

    def answer(self, body: bytes) -> Reply:
        """One question's reply; an error inside it is a reply too."""
        ask = decode_question(body)
        try:
            variant = self._catalogue[ask.variant]
            codec = self._codecs[ask.variant]
            view, seen = codec.view(ask.view), codec.events(ask.seen)
            action = choose_action(variant, ask.level, view, seen, ask.seed)
            return Reply(ask.number, encode_action(action))
        except Exception as exc:
            return Reply(ask.number, error=error_location(exc))


def error_location(exc: BaseException) -> str:
    """`KeyError at bot.py:88`: enough to search for, nothing of what the player held."""
    trace = exc.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(exc).__name__
    file = os.path.basename(trace.tb_frame.f_code.co_filename)
    return f"{type(exc).__name__} at {file}:{trace.tb_lineno}"


BuildCatalogue = Callable[[Mapping[str, bytes]], Catalogue]


def serve(questions: BinaryIO, answers: BinaryIO, build: BuildCatalogue) -> None:
    """Answer until *questions* ends.  The first frame in are files, the first out says: ready."""
    head = questions.read(LENGTH_BYTES)
    if not head:
        return
    files = decode_files(questions.read(body_length(head, FILES_BYTES_MAX)))
    desk = QuestionHandler(build(files))
    _send(answers, Reply(0))
    while head := questions.read(LENGTH_BYTES):
        body = questions.read(body_length(head, QUESTION_BYTES_MAX))
        signal.alarm(ALARM_S)
        reply = desk.answer(body)
        signal.alarm(0)
        _send(answers, reply)


def _send(answers: BinaryIO, reply: Reply) -> None:
    answers.write(reply_frame(reply))
    answers.flush()


def main(build: BuildCatalogue = build_catalogue) -> None:
    """The whole life of the process."""
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with contextlib.suppress(BrokenPipeError):  # the parent went away: so do we
        serve(sys.stdin.buffer, answers, build)
    # Nothing here is worth flushing, and a closed pipe has no reader to complain to.
    os._exit(0)
