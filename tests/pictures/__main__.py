"""python -m tests.pictures [--write]

Makes the pictures in `docs/pictures/` anew; without --write it says which of them are stale, and
then ends with 1.
"""

from __future__ import annotations

import sys

from tests.pictures.gallery import FOLDER, PICTURES, stale, svg


def main(args: list[str]) -> int:
    if args not in ([], ["--write"]):
        sys.exit(__doc__)
    found = stale()
    for name in found:
        print(f"{name}.svg {'is written' if args else 'is stale'}")
    if not args:
        return int(bool(found))
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.svg"):
        if path.stem not in PICTURES:
            path.unlink()
    for name in PICTURES:
        (FOLDER / f"{name}.svg").write_bytes(svg(name).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
