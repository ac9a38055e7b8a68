"""The private authority of the walls between machines, and its certificates.

Rule 1: a certificate names the doors (`door:1`) and game servers (`game:g1`) that may use it, and
        can be used as what it names only.
Rule 2: nothing that is there is replaced.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from mudserver.atomic_file import write_exclusive
from mudserver.clock import format_date, utc_datetime
from mudserver.errors import StartError
from mudserver.plain_file import read_plain_file
from mudserver.transport.tls import FILE_BYTES_MAX

NAME = re.compile(r"(door|game):[A-Za-z0-9][A-Za-z0-9.-]{0,23}")
DAY_MS = 86_400_000
DAYS = 3_650
NAMES_MAX = 16
WARN_DAYS = 60  # before the end of a certificate

log = logging.getLogger("wall")


def check_names(names: Sequence[str]) -> None:
    """StartError: one of them is no name of a door or a game server."""
    for name in names:
        if not NAME.fullmatch(name):
            raise StartError(f"{name[:40]!r} is no name: type door:1 or game:g1")
    if len(names) > NAMES_MAX:
        raise StartError(f"a certificate has at most {NAMES_MAX} names")


def make(directory: Path, names: Sequence[str], now_ms: int) -> list[Path]:
    """Make a certificate and its key, and the authority where there is none; the new files.

    Args:
        names: As of rule 1; the first one is in the names of the files.
        now_ms: UTC.

    Raises:
        StartError: A name is none, or a file is there already or cannot be used.
    """
    check_names(names)
    base = names[0].replace(":", "-")
    made = list[Path]()
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        for taken in (directory / f"{base}.crt", directory / f"{base}.key"):
            if taken.exists():
                raise StartError(f"{taken} is there already: remove it to make another")
        if not (directory / "ca.key").exists():
            made += _make_authority(directory, now_ms)
        authority, authority_key = _load_authority(directory)
        certificate, key = _make_certificate(authority, authority_key, names, now_ms)
        for path, content in (
            (directory / f"{base}.crt", certificate),
            (directory / f"{base}.key", key),
        ):
            write_exclusive(path, content)
            made.append(path)
    except OSError as exc:
        raise StartError(f"{exc.filename or directory}: {exc.strerror}") from None
    return made


def names_of(certificate: bytes) -> tuple[frozenset[str], int]:
    """Whom a certificate in PEM is for, and when it ends, UTC in ms.  ValueError: it is none."""
    read = x509.load_pem_x509_certificate(certificate)
    ends_ms = int(read.not_valid_after_utc.timestamp() * 1_000)
    try:
        names = read.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return frozenset(), ends_ms
    return frozenset(names.get_values_for_type(x509.UniformResourceIdentifier)), ends_ms


def check_own(path: str, name: str, now_ms: int) -> None:
    """Check that the certificate *path* is for *name*; the log warns WARN_DAYS before its end.

    StartError: it is not for it, or not any more.
    """
    names, ends_ms = _read_own(path)
    if name not in names:
        raise StartError(f"{_whom(path, names)}, not for {name}: {_again(name)}")
    _check_end(path, name, ends_ms, now_ms)
    if (days := (ends_ms - now_ms) // DAY_MS) < WARN_DAYS:
        log.warning("wall.cert %s ends in %d days", path, days)


def describe_own(path: str, authority: str, kinds: Sequence[str], now_ms: int) -> str:
    """Whom the certificate *path* is for, and until when.

    Args:
        authority: The file of `wall.ca`.
        kinds: Of names that are needed: "door", "game".

    Raises:
        StartError: None of a kind is among its names, it has ended, or it is another authority's.
    """
    names, ends_ms = _read_own(path)
    for kind in kinds:
        if not any(it.startswith(f"{kind}:") for it in names):
            raise StartError(f"{_whom(path, names)}, not for a {kind}: {_again(f'{kind}:NAME')}")
    _check_end(path, " ".join(sorted(names)), ends_ms, now_ms)
    if not _is_made_by(authority, path):
        raise StartError(f"wall.cert {path} was made by another authority than wall.ca {authority}")
    return f"{_whom(path, names)}, until {format_date(ends_ms)}"


def _read_own(path: str) -> tuple[frozenset[str], int]:
    try:
        return names_of(read_plain_file(path, FILE_BYTES_MAX))
    except (OSError, ValueError):
        raise StartError(f"wall.cert {path} is no certificate, in PEM") from None


def _whom(path: str, names: Collection[str]) -> str:
    return f"wall.cert {path} is for {' '.join(sorted(names)) or 'nobody'}"


def _again(name: str) -> str:
    return f"make one with mudserver wall-cert DIR {name}"


def _check_end(path: str, name: str, ends_ms: int, now_ms: int) -> None:
    if ends_ms <= now_ms:
        raise StartError(f"wall.cert {path} has ended on {format_date(ends_ms)}: {_again(name)}")


def _is_made_by(authority: str, path: str) -> bool:
    """Of a certificate that comes with others between them, TLS says it."""
    own = x509.load_pem_x509_certificates(read_plain_file(path, FILE_BYTES_MAX))
    for one in x509.load_pem_x509_certificates(read_plain_file(authority, FILE_BYTES_MAX)):
        with suppress(ValueError, TypeError, InvalidSignature):
            own[0].verify_directly_issued_by(one)
            return True
    return len(own) > 1


def _make_authority(directory: Path, now_ms: int) -> list[Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Lockdown walls")])
    public = key.public_key()
    made = (
        _begin(name, name, public, now_ms)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = [directory / "ca.crt", directory / "ca.key"]
    write_exclusive(paths[0], made.public_bytes(serialization.Encoding.PEM))
    write_exclusive(paths[1], _private(key))
    return paths


def _load_authority(directory: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """StartError: it is none."""
    try:
        certificate = x509.load_pem_x509_certificate(
            read_plain_file(directory / "ca.crt", FILE_BYTES_MAX)
        )
        key = serialization.load_pem_private_key(
            read_plain_file(directory / "ca.key", FILE_BYTES_MAX), None
        )
    except (ValueError, TypeError):
        raise StartError(f"{directory}: ca.crt and ca.key are no authority, in PEM") from None
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise StartError(f"{directory / 'ca.key'} is no key that mudserver wall-cert has made")
    return certificate, key


def _make_certificate(
    authority: x509.Certificate,
    authority_key: ec.EllipticCurvePrivateKey,
    names: Sequence[str],
    now_ms: int,
) -> tuple[bytes, bytes]:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
    kinds = {name.partition(":")[0] for name in names}
    purposes = {"door": ExtendedKeyUsageOID.CLIENT_AUTH, "game": ExtendedKeyUsageOID.SERVER_AUTH}
    issuer_key = authority.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    made = (
        _begin(subject, authority.subject, key.public_key(), now_ms)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(
            x509.ExtendedKeyUsage([purposes[kind] for kind in sorted(kinds)]), critical=True
        )
        .add_extension(
            x509.SubjectAlternativeName([x509.UniformResourceIdentifier(it) for it in names]),
            critical=False,
        )
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(issuer_key),
            critical=False,
        )
        .sign(authority_key, hashes.SHA256())
    )
    return made.public_bytes(serialization.Encoding.PEM), _private(key)


def _begin(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now_ms: int
) -> x509.CertificateBuilder:
    begins_ms = now_ms - DAY_MS  # the clock of the other machine may be behind
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(utc_datetime(begins_ms))
        .not_valid_after(utc_datetime(now_ms + DAYS * DAY_MS))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
