"""The key by which people know the house.

Rule 1: one ed25519 key, made once, whole or not at all, mode 0600 from its first byte.
Rule 2: a house that has people in its journal never makes a new key by itself: every client would
        warn of an attack.  It says what to do instead.
Rule 3: a damaged key is refused, or is the same key; never another one.
"""

from __future__ import annotations

import base64
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

import asyncssh

from mudserver import atomic_file
from mudserver.errors import DataError, StartError

FILE_NAME = "ssh_host_ed25519_key"


@dataclass(frozen=True, slots=True)
class HostKeys:
    keys: tuple[asyncssh.SSHKey, ...]
    fingerprint: str  # "SHA256:...", as `ssh` shows it on the first visit


def load_or_create(directory: Path, may_create: bool) -> HostKeys:
    """The host key in *directory*, which exists.

    Raises:
        StartError: The key cannot be read.
        DataError: It is broken, can be read by others, or is missing although it may not be made.
    """
    path = directory / FILE_NAME
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return _made(path) if may_create else load(path)
    except OSError as exc:
        raise StartError(f"{path}: the host key cannot be read: {exc.strerror}") from None
    if stat.S_ISREG(mode) and mode & 0o077:
        raise DataError(
            f"{path}: others can read the host key (mode {mode & 0o777:04o}); run: chmod 600 {path}"
        )
    return load(path)


def load(path: Path) -> HostKeys:
    """The host key in the file *path*, whoever else can read that; raises as `load_or_create`."""
    try:
        content = path.read_bytes()
        key = asyncssh.import_private_key(content)
    except FileNotFoundError:
        raise DataError(
            f"{path}: the host key is missing, but people already know this house; put the old"
            " key back from your copy (a new one would make every client warn of an attack)"
        ) from None
    except OSError as exc:
        raise StartError(f"{path}: the host key cannot be read: {exc.strerror}") from None
    except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError, re.error) as exc:
        # re.error: the library looks for the end of a key by what stands at its beginning.
        raise DataError(f"{path}: not a usable private key: {exc}") from None
    if not _is_whole(content, key):
        raise DataError(
            f"{path}: not a usable private key: it is damaged (its two halves are not of one key);"
            " put the old key back from your copy"
        )
    return _known(key)


def _made(path: Path) -> HostKeys:
    key = asyncssh.generate_private_key("ssh-ed25519", comment="mudserver")
    new = path.with_name(f"{path.name}.new")
    try:
        new.unlink(missing_ok=True)  # of a start that was killed here
        # O_EXCL: never write into a file or through a link that somebody else put here.
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(key.export_private_key())
            file.flush()
            os.fsync(file.fileno())
        atomic_file.link_into_place(new, path)
        new.unlink(missing_ok=True)
        atomic_file.fsync_path(path.parent)  # before there are people who know it
    except OSError as exc:
        raise StartError(f"{path}: the host key cannot be written: {exc.strerror}") from None
    return _known(key)


def _is_whole(content: bytes, key: asyncssh.SSHKey) -> bool:
    """The library makes the public half anew from the secret one and compares it with nothing."""
    body = content.partition(b"-----BEGIN OPENSSH PRIVATE KEY-----")[2].partition(b"-----END")[0]
    # Another form has no public half.
    return not body or key.public_data in base64.b64decode(body)


def _known(key: asyncssh.SSHKey) -> HostKeys:
    return HostKeys((key,), key.get_fingerprint())
