"""The SSH host key.

Rule 1: one ed25519 key, created once, atomically, with mode 0600 from its first byte.
Rule 2: a server that has accounts in its journal never creates a new key: every client would warn
        of an attack.  The error says what to do instead.
Rule 3: a damaged key is refused; it never loads as a different key.
Rule 4: where doors have it in a directory of their own, the data directory keeps its fingerprint: a
        door with another key is a warning, and a backup knows why there is no key.
"""

from __future__ import annotations

import base64
import logging
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

import asyncssh

from mudserver import atomic_file
from mudserver.errors import DataError, StartError
from mudserver.plain_file import read_plain_file

FILE_NAME = "ssh_host_ed25519_key"
DOOR_FILE_NAME = "door_host_key"  # the fingerprint of the key that the doors have
FILE_BYTES_MAX = 65_536  # an ed25519 key has some 400

log = logging.getLogger("mudserver")


@dataclass(frozen=True, slots=True)
class HostKeys:
    keys: tuple[asyncssh.SSHKey, ...]
    fingerprint: str  # "SHA256:...", as `ssh` shows it at the first connection

    def secret(self) -> bytes:
        """What only this server knows: the same at every start, as long as the key is."""
        return self.keys[0].export_private_key("pkcs8-der")


def load_or_create(directory: Path, may_create: bool) -> HostKeys:
    """Load the host key from *directory*, which exists; create it if it is missing and may be.

    Raises:
        StartError: The key cannot be read or written.
        DataError: It is damaged, readable by others, or missing although it may not be created.
    """
    path = directory / FILE_NAME
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return _create(path) if may_create else load(path)
    except OSError as exc:
        raise StartError(f"{path}: the host key cannot be read: {exc.strerror}") from None
    if stat.S_ISREG(mode) and mode & 0o077:
        raise DataError(
            f"{path}: others can read the host key (mode {mode & 0o777:04o}); run: chmod 600 {path}"
        )
    return load(path)


def load(path: Path) -> HostKeys:
    """Load the key file *path*, whatever its mode; raises as `load_or_create`."""
    try:
        content = read_plain_file(path, FILE_BYTES_MAX)
        key = asyncssh.import_private_key(content)
    except FileNotFoundError:
        raise DataError(
            f"{path}: the host key is missing, but clients already know this server's key; put the"
            " old one back from your copy (a new one would make every client warn of an attack)"
        ) from None
    except OSError as exc:
        raise StartError(f"{path}: the host key cannot be read: {exc.strerror}") from None
    except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError, re.error) as exc:
        # re.error: asyncssh searches for the end marker with the text of the begin marker.
        raise DataError(f"{path}: not a usable private key: {exc}") from None
    if not _is_whole(content, key):
        raise DataError(
            f"{path}: not a usable private key: it is damaged (its two halves are not of one key);"
            " put the old key back from your copy"
        )
    return _host_keys(key)


def move(source: Path, target: Path) -> HostKeys:
    """Move the host key from one directory to another, whose owner gets it.  May be called again.

    Raises:
        StartError: It cannot be read or written, or the other directory has another key.
        DataError: It is damaged, or there is none.
    """
    old, new = source / FILE_NAME, target / FILE_NAME
    if not os.path.lexists(old) and os.path.lexists(new):
        return load(new)  # it has been moved
    keys = load(old)
    if os.path.lexists(new) and load(new).fingerprint != keys.fingerprint:
        raise StartError(
            f"{new} is another host key: move it away first if nobody knows it yet; every client"
            " warns of a key that changes"
        )
    try:
        if not os.path.lexists(new):
            _copy(old, new)
        write_door_key(source, keys.fingerprint)
        old.unlink()
        atomic_file.fsync_path(source)
    except OSError as exc:
        raise StartError(f"{exc.filename or new} cannot be written: {exc.strerror}") from None
    return keys


def _copy(old: Path, new: Path) -> None:
    """A copy for the owner of its directory: whole, synced, never through a link."""
    part, owner = new.with_name(f"{new.name}.new"), new.parent.stat()
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(read_plain_file(old, FILE_BYTES_MAX))
        file.flush()
        if os.geteuid() == 0:
            os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
        os.fsync(file.fileno())
    atomic_file.link_into_place(part, new)
    part.unlink(missing_ok=True)
    atomic_file.fsync_path(new.parent)


def door_key(directory: Path) -> str:
    """The fingerprint of the key that the doors have, as far as this directory knows; or ""."""
    try:
        return read_plain_file(directory / DOOR_FILE_NAME, 128).decode("ascii").strip()
    except (OSError, ValueError):
        return ""


def write_door_key(directory: Path, fingerprint: str) -> None:
    """OSError: it cannot be written."""
    file, owner = directory / DOOR_FILE_NAME, directory.stat()
    new = file.with_name(f"{file.name}.new")
    new.unlink(missing_ok=True)
    atomic_file.write_exclusive(new, f"{fingerprint}\n".encode("ascii"))
    if os.geteuid() == 0:
        os.chown(new, owner.st_uid, owner.st_gid, follow_symlinks=False)
    new.replace(file)


def note_door_key(directory: Path, own: str, fingerprint: str) -> None:
    """A door has come.  Args: own: the fingerprint of the key in *directory*; "": there is none."""
    if own and own != fingerprint:
        log.warning("a door has another host key than dir=%s: mudserver migrate-keys moves it",
                    directory)  # fmt: skip
    before = door_key(directory)
    if own or before == fingerprint:
        return
    if before:
        log.warning("a door has another host key than before: clients warn of it old=%s new=%s",
                    before, fingerprint)  # fmt: skip
    try:
        write_door_key(directory, fingerprint)
    except OSError as exc:
        log.warning("host key of the doors not noted dir=%s err=%s", directory, exc.strerror)


def _create(path: Path) -> HostKeys:
    key = asyncssh.generate_private_key("ssh-ed25519", comment="mudserver")
    new = path.with_name(f"{path.name}.new")
    try:
        new.unlink(missing_ok=True)  # left by a start that was killed here
        # O_EXCL: never write into a file, or through a link, that somebody else put here.
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(key.export_private_key())
            file.flush()
            os.fsync(file.fileno())
        atomic_file.link_into_place(new, path)
        new.unlink(missing_ok=True)
        atomic_file.fsync_path(path.parent)  # before the first client sees the key
    except OSError as exc:
        raise StartError(f"{path}: the host key cannot be written: {exc.strerror}") from None
    return _host_keys(key)


def _is_whole(content: bytes, key: asyncssh.SSHKey) -> bool:
    """Check the public half in the file: asyncssh only derives it from the secret half."""
    body = content.partition(b"-----BEGIN OPENSSH PRIVATE KEY-----")[2].partition(b"-----END")[0]
    # Other key formats hold no public half.
    return not body or key.public_data in base64.b64decode(body)


def _host_keys(key: asyncssh.SSHKey) -> HostKeys:
    return HostKeys((key,), key.get_fingerprint())
