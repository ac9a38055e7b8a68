"""Public keys as people paste them, and those that nobody may log in with."""

from __future__ import annotations

import base64

import asyncssh
import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519

from mudserver.accounts.ssh_keys import kind_of, parse_public_key, split_label
from mudserver.accounts.texts import KEY_UNUSABLE
from mudserver.errors import UserError
from tests.mudserver.accounts.test_accounts import key


def line(kind: str, *fields: bytes) -> str:
    """A well-formed line of a key with these fields."""
    blob = b"".join(len(each).to_bytes(4, "big") + each for each in (kind.encode(), *fields))
    return f"{kind} {base64.b64encode(blob).decode()}"


def number(value: int) -> bytes:
    """A positive number as SSH writes it."""
    return value.to_bytes(value.bit_length() // 8 + 1, "big")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "isn't a public key"),
        ("ssh-ed25519", "isn't a public key"),
        ("ssh-dss AAAA", "isn't a public key"),
        ("ssh-ed25519 " + "A" * 5_000, "isn't a public key"),
        ("ssh-ed25519 AAAA", "damaged"),
        ("ssh-ed25519 not*base64", "damaged"),
        (key(1).replace("ssh-ed25519", "ssh-rsa"), "damaged"),
        (key(1)[:40], "damaged"),
        ("-----BEGIN OPENSSH PRIVATE KEY----- b3Blbn", "private key"),
    ],
)
def test_what_is_no_public_key_is_refused(line, reason):
    with pytest.raises(UserError, match=reason):
        parse_public_key(line)


def test_a_fingerprint_is_the_one_ssh_keygen_shows():
    made = asyncssh.generate_private_key("ssh-ed25519", comment="ann@home")
    line = made.export_public_key().decode()
    text, fingerprint = parse_public_key(line)
    assert made.get_fingerprint() == fingerprint
    assert text == line.removesuffix("ann@home\n").rstrip()


@pytest.mark.parametrize(
    ("algorithm", "options", "kind"),
    [
        ("ssh-ed25519", {}, "ed25519"),
        ("ecdsa-sha2-nistp256", {}, "ecdsa"),
        ("ecdsa-sha2-nistp384", {}, "ecdsa"),
        ("ecdsa-sha2-nistp521", {}, "ecdsa"),
        ("ssh-rsa", {"key_size": 2_048}, "rsa"),
    ],
)
def test_every_kind_that_ssh_keygen_makes_is_accepted(algorithm, options, kind):
    made = asyncssh.generate_private_key(algorithm, **options)
    text, fingerprint = parse_public_key(made.export_public_key().decode())
    assert (kind, made.get_fingerprint()) == (kind_of(text), fingerprint)


def test_keys_on_a_security_key_are_accepted():
    point = bytes([9] * 32)
    text, _ = parse_public_key(line("sk-ssh-ed25519@openssh.com", point, b"ssh:"))
    assert "ed25519-sk" == kind_of(text)
    curve = (b"nistp256", b"\4" + bytes([9] * 64), b"ssh:")
    text, _ = parse_public_key(line("sk-ecdsa-sha2-nistp256@openssh.com", *curve))
    assert "ecdsa-sk" == kind_of(text)


P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P


def small_order_points() -> list[bytes]:
    """The eight points whose multiples by eight are nothing, by the equation of the curve."""
    root = pow(2, (P - 1) // 4, P)  # of -1
    found = [(0, 1), (0, P - 1), (root, 0), (P - root, 0)]
    # Of order 8: doubled they have y = 0, so x^2 = -y^2, and the curve gives d y^4 + 2 y^2 - 1 = 0.
    half = pow(1 + D, (P + 3) // 8, P)
    half = half if half * half % P == (1 + D) % P else half * root % P
    for sign in (1, -1):
        square = (-1 + sign * half) * pow(D, -1, P) % P
        y = pow(square, (P + 3) // 8, P)
        y = y if y * y % P == square else y * root % P
        if y * y % P == square:
            found += [(y * root % P, y), (-y * root % P, y), (y * root % P, P - y),
                      (-y * root % P, P - y)]  # fmt: skip
    assert all((-x * x + y * y - 1 - D * x * x * y * y) % P == 0 for x, y in found)
    return [(y | (x & 1) << 255).to_bytes(32, "little") for x, y in found]


def test_points_of_small_order_are_refused_however_they_are_written():
    points = small_order_points()
    assert 8 == len(set(points))
    not_reduced = [(y + P | sign << 255).to_bytes(32, "little") for y in (0, 1) for sign in (0, 1)]
    for point in [*points, *not_reduced]:
        for text in (
            line("ssh-ed25519", point),
            line("sk-ssh-ed25519@openssh.com", point, b"ssh:"),
        ):
            with pytest.raises(UserError, match=KEY_UNUSABLE):
                parse_public_key(text)


def test_whoever_signs_for_a_point_of_small_order_needs_no_secret():
    """Why they are refused: this signature is valid for every text."""
    point = (1).to_bytes(32, "little")
    ed25519.Ed25519PublicKey.from_public_bytes(point).verify(point + bytes(32), b"any text")


RSA = 2**2_047 + 1


@pytest.mark.parametrize(
    "text",
    [
        line("ssh-rsa", number(65_537), number(2**2_046 + 1)),
        line("ssh-rsa", number(65_537), number(2**16_384 + 1)),
        line("ssh-rsa", number(65_537), number(RSA + 1)),
        line("ssh-rsa", number(65_537), RSA.to_bytes(256, "big")),  # as SSH reads it: negative
        line("ssh-rsa", number(1), number(RSA)),
        line("ssh-rsa", number(65_538), number(RSA)),
        line("ssh-rsa", number(2**64 + 1), number(RSA)),
        line("ssh-rsa", number(65_537), number(RSA), b"more"),
        line("ssh-ed25519", bytes([9] * 31)),
        line("ssh-ed25519", bytes([9] * 32), b"more"),
        line("ssh-ed25519"),
        line("ecdsa-sha2-nistp256", b"nistp384", b"\4" + bytes([9] * 64)),
        line("ecdsa-sha2-nistp256", b"nistp256", b"\2" + bytes([9] * 64)),
        line("ecdsa-sha2-nistp256", b"nistp256", b"\4" + bytes([9] * 63)),
        line("ecdsa-sha2-nistp256", b"nistp256"),
        line("sk-ssh-ed25519@openssh.com", bytes([9] * 32)),
        line("sk-ssh-ed25519@openssh.com", bytes([9] * 32), b""),
        line("sk-ssh-ed25519@openssh.com"),
    ],
)
def test_a_key_that_proves_nothing_is_refused(text):
    with pytest.raises(UserError, match=f"^{KEY_UNUSABLE}$"):
        parse_public_key(text)


def test_an_rsa_key_of_2048_bits_is_long_enough():
    assert parse_public_key(line("ssh-rsa", number(65_537), number(RSA)))


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("", ""),
        ("laptop", "laptop"),
        ("  my   old laptop ", "my old laptop"),
        (key(1), "ann@home number 1"),
        (key(1).removesuffix("ann@home number 1"), ""),
        (f"{key(1)} {'x' * 40}", "ann@home number 1 xx"),
    ],
)
def test_what_follows_keys_add_is_a_key_or_a_label_or_both(text, label):
    line, given = split_label(text)
    assert (" ".join(key(1).split()[:2]) if "AAAA" in text else "", label) == (line, given)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x" * 21, "A label has 1 to 20 characters"),
        ("ssh-ed25519", "isn't a public key"),
        ("ecdsa-nothing AAAA", "isn't a public key"),
        ("-----BEGIN OPENSSH PRIVATE KEY----- b3Blbn", "private key"),
    ],
)
def test_what_is_neither_is_refused(text, reason):
    with pytest.raises(UserError, match=reason):
        split_label(text)
