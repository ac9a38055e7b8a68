"""Capsules as releases wrote them: `python -m tests.samples.capsules` makes what is missing.

Rule 1: an existing sample is never overwritten; what an older server signed is the point of it.
"""

from __future__ import annotations

from pathlib import Path

from mudserver.wall.capsule import VERSION, Capsule, CapsuleSeal, Learned, OpenLine, Replayed, Talk

FOLDER = Path(__file__).parent / "capsules"
SECRET, NONCE = bytes(range(32)), b"12345678"
BYTES_MAX = 16_384

PERSON = {
    "person": "p12", "name": "ann", "since_ms": 1_795_600_000_000, "heard_ms": 1_795_600_060_000,
    "auth_how": "key", "auth_key": "SHA256:" + "x" * 43, "auth_at_ms": 1_795_600_000_000,
}  # fmt: skip
CAPSULES = {
    "lines": Capsule(
        VERSION, "49d2a7-31", NONCE, "terminal", 1_795_600_090_000, **PERSON,
        settings={"theme": "mono"}, draft="give 7h", cursor=4, killed="pass", input_offset=812,
        history=("give 7h ann", "look", "bot 3"), table=5, seen=41, window="5/2",
        chat=(Talk(1_795_600_080_000, "bob", "lobby", "grüß dich"),), line_tokens=18.5,
    ),
    "full": Capsule(
        VERSION, "49d2a7-32", NONCE, "terminal", 1_795_600_090_000, **PERSON,
        screen="full", scroll=(0, 12), focus="chat",
    ),
    "reader": Capsule(
        VERSION, "49d2a7-33", NONCE, "terminal", 1_795_600_090_000,
        person="g0123456789abcdef", name="guest7", is_guest=True, guest_place=2, reads_aloud=True,
        declines_full=True, ignored=("p3",),
    ),
    "guest": Capsule(
        VERSION, "49d2a7-36", NONCE, "terminal", 1_795_600_090_000,
        person="g0123456789abcdef", name="guest7", is_guest=True, lesson="elimination",
        lesson_inputs=2, learned={"elimination": Learned(1, 3, "The fourth card", False),
                                  "words": Learned(1, 0, "", True)},
        ignored=("p3",), ignored_guests={"gfedcba9876543210": "guest9"},
        channels={"help": False, "chat": True},
    ),
    "replay": Capsule(
        VERSION, "49d2a7-37", NONCE, "terminal", 1_795_600_090_000, **PERSON,
        dialog="replay 1042", replay=Replayed("1042", 45, 161, "2", 3),
    ),
    "login": Capsule(
        VERSION, "49d2a7-34", NONCE, "terminal", 1_795_600_090_000,
        stage="login", login_step="password", login_name="ann", tries_left=2,
    ),
    "program": Capsule(
        VERSION, "49d2a7-35", NONCE, "json", 1_795_600_090_000, **PERSON,
        protocol=2, open_lines=("a1",), partial_object=b'{"line": "gi',
    ),
    "line": Capsule(
        VERSION, "49d2a7-38", NONCE, "json", 1_795_600_090_000, **PERSON,
        open_line=OpenLine("0f8fad5b-d9cb-469f-a165-70867728950e", 812),
    ),
}  # fmt: skip


def sample(version: int, name: str) -> Path:
    return FOLDER / f"{version}-{name}.bin"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, capsule in CAPSULES.items():
        if not sample(VERSION, name).exists():
            sample(VERSION, name).write_bytes(CapsuleSeal(SECRET).pack(capsule, BYTES_MAX))


if __name__ == "__main__":
    main()
