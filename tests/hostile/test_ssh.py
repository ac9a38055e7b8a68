"""What SSH can do besides typing, and who one may pretend to be."""

from __future__ import annotations

import asyncio
import contextlib
import socket

import asyncssh
import pytest

from tests.hostile.attack import attacker_socket, known, new_source, ssh

PASSWORD = "correct horse battery"


@pytest.mark.parametrize(
    "command",
    ["id", "$(id)", "json x", "scp -t .", "rsync --server", "-", "\x1b[2J", "x" * 15_000, "\x00"],
)
async def test_a_command_is_refused_in_a_sentence(server, command):
    async with await ssh(server) as connection:
        process = await connection.create_process(command, encoding=None)
        said = await asyncio.wait_for(process.stderr.read(), 5)
        assert said.strip()
        assert b"\x1b" not in said
        await asyncio.wait_for(process.wait_closed(), 5)
        assert 1 == process.exit_status


@pytest.mark.parametrize("subsystem", ["sftp", "netconf", "../../bin/sh"])
async def test_a_subsystem_is_refused(server, subsystem):
    async with await ssh(server) as connection:
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.create_process(subsystem=subsystem, encoding=None)


async def test_nothing_is_forwarded(server):
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.2)
    port = listener.getsockname()[1]
    async with await ssh(server) as connection:
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.open_connection("127.0.0.1", port)
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.open_unix_connection("/tmp/no-such-socket")
        with pytest.raises(asyncssh.ChannelListenError):
            await connection.forward_remote_port("127.0.0.1", 0, "127.0.0.1", port)
        with pytest.raises(asyncssh.ChannelListenError):
            await connection.forward_remote_path("/tmp/mud-forwarded", "/tmp/x")
    with pytest.raises(TimeoutError):
        listener.accept()
    listener.close()


async def test_two_hundred_channels_are_one_session(victim):
    async with await ssh(victim.server) as connection:
        opened = 0
        with victim.attacked("ssh: 200 channels", growth_mib=8):
            for _ in range(200):
                with contextlib.suppress(asyncssh.Error):
                    await connection.create_process(encoding=None)
                    opened += 1
        assert 1 == opened


async def test_an_environment_without_end_is_not_kept(victim):
    environment = {f"NAME{n}": "v" * 1_000 for n in range(300)}
    async with await ssh(victim.server) as connection:
        with victim.attacked("ssh: 300 variables", growth_mib=8), contextlib.suppress(Exception):
            await connection.create_process(encoding=None, env=environment)
        connection.abort()


@pytest.mark.parametrize("size", [(0, 0), (1, 1), (65_535, 65_535), (2**32 - 1, 2**32 - 1)])
async def test_an_impossible_size_is_a_possible_one(victim, size):
    async with await ssh(victim.server) as connection:
        with victim.attacked(f"ssh: a terminal of {size}", growth_mib=8):
            process = await connection.create_process(
                encoding=None, term_type="xterm", term_size=size
            )
            for n in range(200):
                process.change_terminal_size(2**32 - 1 - n, n)
            process.stdin.write(b"terminal\r")
            heard = b""
            while b"rows" not in heard:
                heard += await asyncio.wait_for(process.stdout.read(4_096), 5)
        connection.abort()


@pytest.mark.parametrize(
    "said",
    [
        b"SSH-2.0-" + b"v" * 20_000 + b"\r\n",
        b"noise\r\n" * 2_000,
        b"SSH-2.0-\x1b[2J\r\n" + b"\xff" * 5_000,
        b"SSH-1.5-old\r\n",
        b"SSH-2.0-x\r\n" + b"\x7f\xff\xff\xff" + b"\x00" * 5_000,
        b"GET / HTTP/1.1\r\n\r\n" * 20,
        b"\x16\x03\x01" + b"\x00" * 500,
    ],
    ids=lambda said: repr(said[:18]),
)
def test_no_greeting_of_a_stranger_harms_the_server(victim, said):
    with victim.attacked(f"ssh greeting: {said[:12]!r}", worst_s=0.5, growth_mib=8):
        sock = attacker_socket(new_source())
        sock.connect(("127.0.0.1", victim.server.ssh_port))
        sock.settimeout(0.3)
        with contextlib.suppress(OSError):
            sock.sendall(said)
            while sock.recv(4_096):
                pass
        sock.close()


async def expect_greeting(connection, said: bytes) -> None:
    """Read until the server has *said* this; the first prompt may come before it."""
    process = await connection.create_process(encoding=None)
    heard = b""
    while said not in heard and (data := await asyncio.wait_for(process.stdout.read(4_096), 5)):
        heard += data
    assert said in heard


async def test_a_key_that_is_offered_but_not_proven_is_nobodys(server):
    """CVE-2024-45337: the victim's public key is asked about, the attacker's own one signs."""
    theirs, mine = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
    async with await ssh(server, "vic", client_keys=[theirs]) as connection:
        await expect_greeting(connection, b"vic")
        connection.abort()

    class Shown(asyncssh.SSHKeyPair):
        """Shows their public key and signs with some other."""

        _key_type, _comment, _cert = "lying", b"", None

        def __init__(self, signer: asyncssh.SSHKey) -> None:
            self.signer, self.signed = signer, 0
            public = theirs.public_data
            super().__init__(theirs.algorithm, b"ssh-ed25519", (b"ssh-ed25519",), (), public, None)

        def sign(self, data: bytes) -> bytes:
            self.signed += 1
            return self.signer.sign(data, b"ssh-ed25519")

    honest, liar = Shown(theirs), Shown(mine)
    async with await ssh(server, "vic", client_keys=[honest]) as connection:
        await expect_greeting(connection, b", vic")
        connection.abort()
    with pytest.raises(asyncssh.PermissionDenied):
        await ssh(server, "vic", client_keys=[liar])
    assert (1, 1) == (honest.signed, liar.signed)  # it was asked about, and then not proven


async def test_nobody_comes_in_as_another_with_a_key_of_their_own(server):
    annes, bobs = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
    for name, key in (("anne", annes), ("bobby", bobs)):
        async with await ssh(server, name, client_keys=[key]) as connection:
            await expect_greeting(connection, b"is now registered with your SSH key")
            connection.abort()
    with pytest.raises((asyncssh.Error, OSError)):
        await ssh(server, "anne", client_keys=[bobs])
    with pytest.raises((asyncssh.Error, OSError)):  # a slip registers nothing
        await ssh(server, "carla", client_keys=[bobs])
    async with await ssh(server, "ANNE", client_keys=[annes]) as connection:
        await expect_greeting(connection, b", anne")
        connection.abort()


async def test_a_name_registered_by_telnet_is_not_taken_by_a_new_key(server):
    (await asyncio.to_thread(known, server, "teln")).close()
    with pytest.raises((asyncssh.Error, OSError)):
        await ssh(server, "teln", client_keys=[asyncssh.generate_private_key("ssh-ed25519")])


async def test_the_password_is_the_same_over_ssh_and_telnet(server):
    (await asyncio.to_thread(known, server, "samepass", "ｐａｓｓ① word")).close()
    async with await ssh(server, "samepass", password="pass1 word") as connection:
        await expect_greeting(connection, b", samepass")
        connection.abort()
