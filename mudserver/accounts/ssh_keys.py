"""Public SSH keys as text.

Rule 1: a key is identified by its fingerprint; its comment is dropped.
Rule 2: a key that somebody else could sign for is refused: a point of small order, a short RSA key.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Callable
from hashlib import sha256

from mudserver.accounts import texts
from mudserver.errors import UserError

KEY_CHARS_MAX = 4_096
LABEL_CHARS_MAX = 20
RSA_BITS_MIN, RSA_BITS_MAX = 2_048, 16_384
RSA_EXPONENT_MAX = 2**64 - 1  # OpenSSL's own limit for long keys

_SMALL_ORDER = frozenset(
    bytes.fromhex(text)
    for text in (
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    )
)
"""The y of the eight points of small order, the last two a second time as not reduced.

Source: libsodium, ge25519_has_small_order.  The sign of x, the highest bit, is masked.
"""


def parse_public_key(line: str) -> tuple[str, str]:
    """The key without comment, and its fingerprint `SHA256:...`, from a line of a `.pub` file.

    Raises:
        UserError: This is not a public key that the SSH listener accepts.

    Source: RFC 4253 section 6.6; the fingerprint as ssh-keygen -l shows it.
    """
    if "PRIVATE KEY" in line:
        raise UserError(texts.KEY_PRIVATE, "usage")
    words = line.split(None, 2)
    if len(words) < 2 or words[0] not in KEY_TYPES or len(line) > KEY_CHARS_MAX:
        raise UserError(texts.KEY_UNREADABLE, "usage")
    kind, text = words[:2]
    try:
        blob = b64decode(text, validate=True)
        fields = _fields(blob)
    except (Error, ValueError):
        raise UserError(texts.KEY_DAMAGED, "usage") from None
    if not fields or fields[0] != kind.encode():  # the key repeats its kind inside
        raise UserError(texts.KEY_DAMAGED, "usage")
    if not _CHECKS[kind](fields[1:]):
        raise UserError(texts.KEY_UNUSABLE)
    mark = b64encode(sha256(blob).digest()).decode().rstrip("=")
    return f"{kind} {b64encode(blob).decode()}", f"SHA256:{mark}"


def kind_of(key: str) -> str:
    """What people call the kind of a key: `ed25519`, `rsa`, `ecdsa`; `-sk` for a security key."""
    return KEY_TYPES[key.partition(" ")[0]]


def split_label(text: str) -> tuple[str, str]:
    """A public key and a label, in this order; each may be missing.

    The comment of a pasted line is its label; of a longer one the beginning.

    Raises:
        UserError: A label that is too long, or a key that is none.
    """
    words = text.split(None, 2)
    if not words or not (words[0].startswith(("ssh-", "ecdsa-", "sk-")) or "PRIVATE KEY" in text):
        return "", check_label(text) if words else ""
    key, _ = parse_public_key(text)
    return key, words[2].strip()[:LABEL_CHARS_MAX].strip() if len(words) > 2 else ""


def check_label(text: str) -> str:
    """The label without spaces around it.  UserError: it is too long or empty."""
    label = " ".join(text.split())
    if not 1 <= len(label) <= LABEL_CHARS_MAX:
        raise UserError(texts.LABEL_LENGTH.format(LABEL_CHARS_MAX), "usage")
    return label


# -- what is inside ------------------------------------------------------------------------------


def _fields(blob: bytes) -> list[bytes]:
    """The strings that *blob* consists of.  ValueError: it ends in the middle of one."""
    fields, at = [], 0
    while at < len(blob):
        length = int.from_bytes(blob[at : at + 4], "big")
        at += 4 + length
        if at > len(blob):
            raise ValueError(blob)
        fields.append(blob[at - length : at])
    return fields


def _is_ed25519(fields: list[bytes]) -> bool:
    if len(fields) != 1 or len(fields[0]) != 32:
        return False
    point = fields[0]
    return point[:31] + bytes([point[31] & 0x7F]) not in _SMALL_ORDER


def _is_ecdsa(curve: bytes, coordinate_bytes: int) -> Callable[[list[bytes]], bool]:
    def check(fields: list[bytes]) -> bool:
        return (
            len(fields) == 2
            and fields[0] == curve
            and len(fields[1]) == 1 + 2 * coordinate_bytes
            and fields[1][0] == 4  # not compressed
        )

    return check


def _is_rsa(fields: list[bytes]) -> bool:
    if len(fields) != 2:
        return False
    exponent, modulus = (int.from_bytes(field, "big", signed=True) for field in fields)
    return (
        3 <= exponent <= RSA_EXPONENT_MAX
        and exponent % 2 == 1
        and modulus % 2 == 1
        and RSA_BITS_MIN <= modulus.bit_length() <= RSA_BITS_MAX
        and modulus > 0
    )


def _on_security_key(check: Callable[[list[bytes]], bool]) -> Callable[[list[bytes]], bool]:
    """The fields of the key, and behind them the application that it is for."""
    return lambda fields: bool(fields) and bool(fields[-1]) and check(fields[:-1])


_is_p256 = _is_ecdsa(b"nistp256", 32)
_CHECKS: dict[str, Callable[[list[bytes]], bool]] = {
    "ssh-ed25519": _is_ed25519,
    "sk-ssh-ed25519@openssh.com": _on_security_key(_is_ed25519),
    "ecdsa-sha2-nistp256": _is_p256,
    "ecdsa-sha2-nistp384": _is_ecdsa(b"nistp384", 48),
    "ecdsa-sha2-nistp521": _is_ecdsa(b"nistp521", 66),
    "sk-ecdsa-sha2-nistp256@openssh.com": _on_security_key(_is_p256),
    "ssh-rsa": _is_rsa,
}
KEY_TYPES = {
    "ssh-ed25519": "ed25519",
    "sk-ssh-ed25519@openssh.com": "ed25519-sk",
    "ecdsa-sha2-nistp256": "ecdsa",
    "ecdsa-sha2-nistp384": "ecdsa",
    "ecdsa-sha2-nistp521": "ecdsa",
    "sk-ecdsa-sha2-nistp256@openssh.com": "ecdsa-sk",
    "ssh-rsa": "rsa",
}
