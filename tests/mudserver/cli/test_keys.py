"""The host key goes to the directory of the doors, keeps its fingerprint, and is in no danger."""

from __future__ import annotations

import os
import stat

import asyncssh
import pytest

from mudserver.transport.ssh import host_keys

KEY = host_keys.FILE_NAME


@pytest.fixture
def doors(tmp_path):
    directory = tmp_path / "doors"
    directory.mkdir(mode=0o700)
    return directory


def test_the_key_moves_with_its_fingerprint_and_back(server, doors, told):
    fingerprint = host_keys.load(server / KEY).fingerprint
    assert (0, f"{doors / KEY} {fingerprint}\n", "") == told(
        "migrate-keys", doors, "--data", server
    )
    assert not (server / KEY).exists()
    assert 0o600 == stat.S_IMODE((doors / KEY).stat().st_mode)
    assert [KEY] == os.listdir(doors)
    assert fingerprint == host_keys.door_key(server)
    assert 0 == told("migrate-keys", doors, "--data", server)[0]  # again: nothing to do
    assert 0 == told("migrate-keys", server, "--data", doors)[0]
    assert fingerprint == host_keys.load_or_create(server, may_create=False).fingerprint


def test_a_move_that_was_killed_in_the_middle_is_finished(server, doors, told):
    (doors / f"{KEY}.new").write_text("half a k")
    (doors / KEY).write_bytes((server / KEY).read_bytes())
    (doors / KEY).chmod(0o600)
    assert 0 == told("migrate-keys", doors, "--data", server)[0]
    assert not (server / KEY).exists() and host_keys.door_key(server)


def test_no_other_key_is_replaced(server, doors, told):
    other = asyncssh.generate_private_key("ssh-ed25519").export_private_key()
    (doors / KEY).write_bytes(other)
    status, _, err = told("migrate-keys", doors, "--data", server)
    assert 1 == status and "is another host key: move it away first" in err
    assert other == (doors / KEY).read_bytes() and (server / KEY).exists()


@pytest.mark.parametrize(
    ("where", "said"),
    [("absent", "cannot be used: No such file"), ("var", "is not another directory")],
)
def test_a_directory_that_cannot_have_it_is_refused(server, tmp_path, told, where, said):
    status, _, err = told("migrate-keys", tmp_path / where, "--data", server)
    assert 1 == status and said in err and (server / KEY).exists()


def test_without_a_key_nothing_is_moved(server, doors, told):
    (server / KEY).unlink()
    status, _, err = told("migrate-keys", doors, "--data", server)
    assert os.EX_DATAERR == status and "the host key is missing" in err
    assert [] == os.listdir(doors)


def test_a_file_in_the_place_of_the_new_key_is_not_followed(server, doors, tmp_path, told):
    (tmp_path / "elsewhere").write_text("mine")
    (doors / f"{KEY}.new").symlink_to(tmp_path / "elsewhere")
    assert 0 == told("migrate-keys", doors, "--data", server)[0]
    assert "mine" == (tmp_path / "elsewhere").read_text()


# -- what the data directory remembers -------------------------------------------------------------


def test_a_backup_of_a_server_behind_doors_is_whole_without_a_key(server, doors, tmp_path, told):
    file, new = tmp_path / "b.tar", tmp_path / "new"
    assert 0 == told("migrate-keys", doors, "--data", server)[0]
    status, _, err = told("backup", file, "--data", server)
    assert (0, "") == (status, err)
    assert 0 == told("check", file)[0] and 0 == told("check", "--data", server)[0]
    status, out, _ = told("restore", file, "--data", new)
    assert 0 == status and "the host key is that of the doors" in out
    assert not (new / KEY).exists() and (new / "journal.db").exists()


def test_a_key_that_is_lost_is_still_a_fault(server, tmp_path, told):
    (server / KEY).unlink()
    status, _, err = told("backup", tmp_path / "b.tar", "--data", server)
    assert 1 == status and "the host key is missing" in err


def test_a_door_with_another_key_is_a_warning(tmp_path, caplog):
    host_keys.note_door_key(tmp_path, "SHA256:own", "SHA256:own")
    assert "" == host_keys.door_key(tmp_path) and not caplog.text
    host_keys.note_door_key(tmp_path, "SHA256:own", "SHA256:other")
    assert "another host key than dir=" in caplog.text and "" == host_keys.door_key(tmp_path)
    caplog.clear()
    host_keys.note_door_key(tmp_path, "", "SHA256:a")
    host_keys.note_door_key(tmp_path, "", "SHA256:a")
    assert "SHA256:a" == host_keys.door_key(tmp_path) and not caplog.text
    host_keys.note_door_key(tmp_path, "", "SHA256:b")
    assert "clients warn of it old=SHA256:a new=SHA256:b" in caplog.text
