"""Public SSH keys as text.

Rule 1: a key is identified by its fingerprint; its comment is dropped.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error
from hashlib import sha256

from mudserver.errors import UserError

KEY_CHARS_MAX = 4_096
KEY_TYPES = (
    "ssh-ed25519",
    "sk-ssh-ed25519@openssh.com",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "sk-ecdsa-sha2-nistp256@openssh.com",
    "ssh-rsa",
)


def parse_public_key(line: str) -> tuple[str, str]:
    """The key without comment, and its fingerprint `SHA256:...`, from a line of a `.pub` file.

    Raises:
        UserError: This is not a public key that the SSH listener accepts.

    Source: RFC 4253 section 6.6; the fingerprint as ssh-keygen -l shows it.
    """
    if "PRIVATE KEY" in line:
        raise UserError(
            "That is a private key! Show it to nobody, and make a new one. Paste the line of the"
            " .pub file."
        )
    words = line.split(None, 2)
    if len(words) < 2 or words[0] not in KEY_TYPES or len(line) > KEY_CHARS_MAX:
        raise UserError("That is no public key. Paste the line of your .pub file: ssh-ed25519 ...")
    kind, text = words[:2]
    try:
        blob = b64decode(text, validate=True)
    except (Error, ValueError):
        blob = b""
    # The key repeats its kind inside, after a length of four bytes.
    inside = kind.encode()
    if not blob.startswith(len(inside).to_bytes(4, "big") + inside) or len(blob) < 32 + len(inside):
        raise UserError("That key is damaged: part of it is missing. Paste the whole line.")
    mark = b64encode(sha256(blob).digest()).decode().rstrip("=")
    return f"{kind} {b64encode(blob).decode()}", f"SHA256:{mark}"
