"""The command line, which `cli/command_line.py` reads: here is its end by Ctrl-C.

Rule 1: all else is imported inside `main`, which takes some tenths of a second: Ctrl-C ends that,
        too, without a word.
"""

import sys
from collections.abc import Sequence

INTERRUPTED = 130  # as a shell reports Ctrl-C


def main(argv: Sequence[str] | None = None) -> int:
    try:
        from mudserver.cli.command_line import run

        return run(argv)
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
