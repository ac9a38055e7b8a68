import contextlib
import errno
import os

import asyncssh
import pytest

from mudserver.errors import StartError
from mudserver.transport.ssh import host_keys
from mudserver.transport.ssh.host_keys import FILE_NAME, load_or_create


def test_the_key_is_made_once_for_the_owner_only(tmp_path):
    old = os.umask(0)
    try:
        made = load_or_create(tmp_path, may_create=True)
    finally:
        os.umask(old)
    assert 0o600 == (tmp_path / FILE_NAME).stat().st_mode & 0o777
    assert made.fingerprint.startswith("SHA256:")
    assert made.fingerprint == load_or_create(tmp_path, may_create=False).fingerprint


def test_a_start_that_is_killed_over_its_key_leaves_none_and_the_next_one_makes_it(
    tmp_path, monkeypatch
):
    class Killed(BaseException):
        pass

    def die(*_: object) -> None:
        raise Killed

    for call in ("fsync", "link"):  # half written; whole and without its name
        monkeypatch.setattr(host_keys.os, call, die)
        with pytest.raises(Killed):
            load_or_create(tmp_path, may_create=True)
        assert not (tmp_path / FILE_NAME).exists()
        monkeypatch.undo()
    load_or_create(tmp_path, may_create=True)
    assert [FILE_NAME] == os.listdir(tmp_path)


def test_a_link_that_leads_nowhere_is_not_replaced(tmp_path):
    (tmp_path / FILE_NAME).symlink_to(tmp_path / "a disk that is not there yet")
    with pytest.raises(StartError, match="cannot be written: File exists"):
        load_or_create(tmp_path, may_create=True)
    assert (tmp_path / FILE_NAME).is_symlink()


def test_a_server_with_people_makes_no_new_key(tmp_path):
    with pytest.raises(StartError, match="missing"):
        load_or_create(tmp_path, may_create=False)
    assert [] == list(tmp_path.iterdir())


def test_a_key_that_others_can_read_is_refused(tmp_path):
    load_or_create(tmp_path, may_create=True)
    (tmp_path / FILE_NAME).chmod(0o644)
    with pytest.raises(StartError, match="chmod 600"):
        load_or_create(tmp_path, may_create=True)


@pytest.mark.parametrize("code", [errno.EPERM, errno.ENOTSUP])
def test_a_disk_without_second_names_holds_a_key_too(tmp_path, monkeypatch, code):
    def refuse(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(host_keys.os, "link", refuse)
    made = load_or_create(tmp_path, may_create=True)
    assert [FILE_NAME] == os.listdir(tmp_path)
    assert made.fingerprint == load_or_create(tmp_path, may_create=False).fingerprint


@pytest.mark.parametrize(
    "content",
    [b"", b"not a key", b"\xff" * 100, b"-----BEGIN OPEN(SH PRIVATE KEY-----\nb3Bl\n"],
)
def test_a_broken_key_is_refused_and_kept(tmp_path, content):
    path = tmp_path / FILE_NAME
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(StartError, match="not a usable private key"):
        load_or_create(tmp_path, may_create=True)
    assert content == path.read_bytes()


def test_whatever_byte_of_a_key_is_wrong_it_never_becomes_another_key(tmp_path):
    made = load_or_create(tmp_path, may_create=True)
    path = tmp_path / FILE_NAME
    whole = path.read_bytes()
    refused = 0
    for at in range(0, len(whole), 3):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        try:
            assert made.fingerprint == load_or_create(tmp_path, may_create=False).fingerprint
        except StartError as exc:
            assert "not a usable private key" in str(exc)
            refused += 1
    assert refused > len(whole) // 6


def test_what_stands_around_a_key_does_not_matter(tmp_path):
    made = load_or_create(tmp_path, may_create=True)
    path = tmp_path / FILE_NAME
    whole = path.read_bytes()
    for content in (b"# made in May\n" + whole, whole + b"the house of cards\n", b"\n" + whole):
        path.write_bytes(content)
        assert made.fingerprint == load_or_create(tmp_path, may_create=False).fingerprint


def test_a_blank_behind_the_first_line_hides_no_damage(tmp_path):
    made = load_or_create(tmp_path, may_create=True)
    path = tmp_path / FILE_NAME
    first, *rows = path.read_bytes().splitlines()
    fingerprints = set()
    for at in range(len(rows[2])):
        row = bytearray(rows[2])
        row[at] ^= 1
        path.write_bytes(b"\n".join([first + b" ", *rows[:2], bytes(row), *rows[3:], b""]))
        with contextlib.suppress(StartError):
            fingerprints.add(load_or_create(tmp_path, may_create=False).fingerprint)
    assert fingerprints <= {made.fingerprint}


def test_a_key_of_another_form_is_read(tmp_path):
    key = asyncssh.generate_private_key("ssh-ed25519")
    (tmp_path / FILE_NAME).write_bytes(key.export_private_key("pkcs8-pem"))
    (tmp_path / FILE_NAME).chmod(0o600)
    assert key.get_fingerprint() == load_or_create(tmp_path, may_create=False).fingerprint


def test_a_key_that_is_a_directory_is_refused(tmp_path):
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(StartError, match="cannot be read"):
        load_or_create(tmp_path, may_create=True)


def test_a_directory_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(StartError, match="cannot be written"):
        load_or_create(tmp_path / "nowhere", may_create=True)
