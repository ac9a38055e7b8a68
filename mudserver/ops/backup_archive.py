"""The backup archive: one file with all that a server needs to run elsewhere.

Rule 1: a plain tar of the manifest `about.json`, then the parts, so that `tar` can read it.  The
        manifest has the size and the sha256 of each part.
Rule 2: it is written under a temporary name, synced, and renamed: there is a whole backup or none.
        It never overwrites a file.
Rule 3: mode 0600 from its first byte, because it holds secrets: hidden cards, password hashes, the
        host key.
Rule 4: only requested parts are unpacked: known names, regular files, the sizes in the manifest.
        Nothing else in the tar is used.
Rule 5: a tar that somebody made up is refused at once: a plain file, at most 64 KiB of headers,
        and nothing copied that is larger than the file or than the part may be.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import stat
import tarfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from mudserver import atomic_file
from mudserver.errors import StartError
from mudserver.ops import temp_files

MANIFEST_NAME = "about.json"
FORMAT = 1
ABOUT_BYTES_MAX = 65_536
HEADER_BYTES_MAX = 65_536  # of all headers together; `pack` writes some 3 KiB
BLOCK_BYTES = 1_048_576
SPARE_DIVISOR = 8  # an eighth of the size is kept free as well


def pack(path: Path, parts: Mapping[str, Path], about: Mapping[str, Any]) -> int:
    """Write *parts* (files by name) into the backup *path*; returns its size in bytes.

    Raises:
        StartError: The file exists already, or cannot be written; nothing is left behind.
    """
    new = temp_files.unfinished_path(path.parent)
    try:
        if os.path.lexists(path):
            raise StartError(f"{path} is there already: choose another name")
        temp_files.remove_stale(path.parent)
        check_free_space(path.parent, sum(part.stat().st_size for part in parts.values()))
        try:
            handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "wb") as file:
                _write_parts(file, parts, about)
                file.flush()
                os.fsync(file.fileno())
            atomic_file.link_into_place(new, path)
        finally:
            new.unlink(missing_ok=True)
        atomic_file.fsync_path(path.parent)
        return path.stat().st_size
    except FileExistsError:
        raise StartError(f"{path} is there already: choose another name") from None
    except OSError as exc:
        raise StartError(f"{path} cannot be written: {exc.strerror}") from None


def check_free_space(folder: Path, size_bytes: int) -> None:
    """Check that *size_bytes* fit, with some to spare: a full disk would stop all tables.

    Raises:
        StartError: They do not fit; the sentence says how much to free.
        OSError: The free space is unknown.
    """
    needed = size_bytes + size_bytes // SPARE_DIVISOR
    if shutil.disk_usage(folder).free < needed:
        raise StartError(
            f"{folder} has no room for it: make {needed // 1_048_576 + 1} MiB free on its disk"
        )


def _write_parts(file: IO[bytes], parts: Mapping[str, Path], about: Mapping[str, Any]) -> None:
    sizes = {name: part.stat().st_size for name, part in parts.items()}
    sums = {name: {"bytes": sizes[name], "sha256": _sha256(part)} for name, part in parts.items()}
    text = json.dumps({"format": FORMAT, **about, "parts": sums}, indent=1).encode()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as tar:
        _add_member(tar, MANIFEST_NAME, len(text), io.BytesIO(text))
        for name, part in parts.items():
            with open(part, "rb") as content:
                _add_member(tar, name, sizes[name], content)


def _add_member(tar: tarfile.TarFile, name: str, size_bytes: int, content: IO[bytes]) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size_bytes, 0o600
    tar.addfile(member, content)


def unpack(
    path: Path, parts: Mapping[str, int], into: Path, *, may_lack: Collection[str] = ()
) -> dict[str, Any]:
    """Extract *parts* of a backup into the directory *into*; returns its manifest.

    Args:
        parts: By name, the most bytes that each may have.
        may_lack: Those of them that need not be there, if the manifest names them as `absent`.

    Raises:
        StartError: It cannot be read, is no backup, lacks a part, or differs from its manifest.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe would be waited for
            raise StartError(f"{path} is no backup: it is no plain file")
        with _ArchiveFile(path) as file, tarfile.open(fileobj=file, mode="r:") as tar:
            about = _read_manifest(tar, file, path)
            for name, bytes_max in parts.items():
                if name in may_lack and about.get("absent") == [name]:
                    continue
                member, sha256 = _find_part(tar, path, name, about["parts"])
                if member.size > bytes_max:
                    raise StartError(f"{path} is damaged: {name} has more than {bytes_max} bytes")
                if member.offset_data + member.size > os.fstat(file.fileno()).st_size:
                    raise tarfile.ReadError("the file ends too early")
                _extract(file, path, member, into / name, sha256)
    except (tarfile.TarError, EOFError, ValueError, OverflowError, RecursionError):
        raise StartError(f"{path} is no backup, or only a piece of one") from None
    except OSError as exc:
        raise StartError(f"{path} cannot be read: {exc.strerror}") from None
    return about


class _ArchiveFile(io.FileIO):
    """An archive.  `tarfile` reads its headers, and no more than HEADER_BYTES_MAX of them.

    It would read one of any length into memory, and any number of them.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._left_bytes = HEADER_BYTES_MAX

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or not 0 <= size <= self._left_bytes:
            raise tarfile.ReadError("the headers are too long")
        self._left_bytes -= size
        return super().read(size)

    def content(self, member: tarfile.TarInfo) -> Iterator[bytes]:
        """The content of *member*, in blocks; less of it if the file ends before."""
        left_bytes = member.size
        self.seek(member.offset_data)
        while left_bytes > 0 and (block := super().read(min(left_bytes, BLOCK_BYTES))):
            left_bytes -= len(block)
            yield block


def _read_manifest(tar: tarfile.TarFile, file: _ArchiveFile, path: Path) -> dict[str, Any]:
    try:
        member = tar.next()
        if member is None or member.name != MANIFEST_NAME or not _is_plain_file(member):
            raise ValueError
        if member.size > ABOUT_BYTES_MAX:
            raise ValueError
        about: dict[str, Any] = json.loads(b"".join(file.content(member)))
        format_found = int(about["format"])
        is_ours = isinstance(about["parts"], dict)
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise StartError(f"{path} is no backup of this server") from None
    if not is_ours or format_found != FORMAT:
        raise StartError(
            f"{path} was written by a newer server (format {format_found}): restore it there"
        )
    return about


def _find_part(
    tar: tarfile.TarFile, path: Path, name: str, sums: Mapping[str, Any]
) -> tuple[tarfile.TarInfo, str]:
    """The member *name*, a plain file of the size in the manifest, and its sha256 there."""
    try:
        member = tar.getmember(name)
        size_bytes, sha256 = int(sums[name]["bytes"]), str(sums[name]["sha256"])
    except (KeyError, TypeError, ValueError, OverflowError):
        raise StartError(f"{path} is no whole backup: it lacks {name}") from None
    if not _is_plain_file(member) or member.size != size_bytes:
        raise StartError(f"{path} is damaged: {name} is not what was packed")
    return member, sha256


def _extract(
    file: _ArchiveFile, path: Path, member: tarfile.TarInfo, target: Path, sha256: str
) -> None:
    folder = target.parent.parent
    try:
        check_free_space(folder, member.size)
        digest = _copy(file.content(member), target)
    except OSError as exc:
        raise StartError(f"{path} cannot be laid out in {folder}: {exc.strerror}") from None
    if digest != sha256:
        raise StartError(f"{path} is damaged: {member.name} is not what was packed")


def _copy(content: Iterator[bytes], target: Path) -> str:
    """Write *content* to the new file *target*; returns its sha256."""
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as file:
        digest = hashlib.sha256()
        for block in content:
            digest.update(block)
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


def _is_plain_file(member: tarfile.TarInfo) -> bool:
    """A regular file, not sparse: a sparse one could fill the disk with zeros."""
    return member.isreg() and not member.issparse()


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()
