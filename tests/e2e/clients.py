"""The real programs by which people and programs come in, each as it is started here.

Rule 1: no configuration, agent, cache or history of this machine is read or written.
Rule 2: on a machine without a client the tests that need it are skipped and say what to install;
        CI must have all of them.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.e2e.client import Client, Server

PATH = f"{os.environ['PATH']}:/usr/games"
PACKAGES = {
    "ssh": "openssh-client", "ssh-keygen": "openssh-client", "telnet": "inetutils-telnet",
    "nc": "netcat-openbsd", "tt++": "tintin++", "openssl": "openssl", "plink": "putty-tools",
}  # fmt: skip
TERMINAL = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"}


def program(name: str) -> str:
    """The path of a client; without it the test is skipped."""
    path = shutil.which(name, path=PATH)
    if path is None and not os.environ.get("CI"):
        pytest.skip(f"{name} is missing: apt install {PACKAGES[name]}")
    assert path is not None, name
    return path


def ssh_options(server: Server, name: str, key: Path | None = None) -> list[str]:
    """What stands between `ssh` and a command.  Skips where there is no ssh."""
    program("ssh")
    return [
        *("-F", "/dev/null", "-o", "StrictHostKeyChecking=no", "-o", "IdentityAgent=none"),
        *("-o", f"UserKnownHostsFile={server.data.parent / 'known_hosts'}"),
        *("-o", "IdentitiesOnly=yes", "-o", "LogLevel=ERROR"),
        *(("-i", str(key)) if key else ("-o", "PubkeyAuthentication=no")),
        *("-p", str(server.ssh_port), f"{name}@127.0.0.1"),
    ]


def ssh(
    server: Server, name: str, *, key: Path | None = None, address: str = "127.0.0.1", **size: int
) -> Client:
    """OpenSSH `ssh name@host`.  Args: address: of loopback, from which it comes."""
    return Client([program("ssh"), "-b", address, *ssh_options(server, name, key)], **size)


def ssh_full(server: Server, name: str, *, key: Path | None = None, **size: int) -> Client:
    """OpenSSH `ssh -t name@host screen`."""
    return Client([program("ssh"), "-t", *ssh_options(server, name, key), "screen"], **size)


def plink(server: Server, name: str, **size: int) -> Client:
    """PuTTY's `plink`; it keeps what it knows in a directory that is empty."""
    command = [program("plink"), "-noagent", "-P", str(server.ssh_port), f"{name}@127.0.0.1"]
    return Client(command, env={**TERMINAL, "PUTTYDIR": str(server.data.parent / "putty")}, **size)


def telnet(server: Server, *, address: str = "127.0.0.1", **size: int) -> Client:
    """inetutils `telnet`.  Args: address: of loopback, from which it comes."""
    command = [program("telnet"), "-b", address, "127.0.0.1", str(server.telnet_port)]
    return Client(command, **size)


def netcat(server: Server, **size: int) -> Client:
    """`nc`: whole lines of plain text, and not one option of telnet."""
    return Client([program("nc"), "127.0.0.1", str(server.telnet_port)], **size)


def openssl(server: Server, *options: str) -> Client:
    """`openssl s_client` at the TLS port, which checks who the server is."""
    command = [
        *(program("openssl"), "s_client", "-quiet", "-connect", f"127.0.0.1:{server.tls_port}"),
        *("-CAfile", str(server.data.parent / "server.crt"), "-verify_return_error", *options),
    ]
    return Client(command, cols=100)


# -- TinTin++ --------------------------------------------------------------------------------------

TINTIN = r"""#config {verbose} {off}
#config {charset} {utf-8}
#event {IAC WILL GMCP}
{
    #send {\xFF\xFD\xC9\};
    #send {\xFF\xFA\xC9Core.Hello {"client":"tt++","version":"2"}\xFF\xF0\};
    #send {\xFF\xFA\xC9Core.Supports.Set ["Char 1","Comm.Channel 1","Lockdown 1"]\xFF\xF0\};
    #send {\xFF\xFA\xC9Core.Ping\xFF\xF0\}
}
#event {IAC SB GMCP} {#line {log} {HOME/gmcp} {%2}}
#event {IAC WILL MSSP} {#send {\xFF\xFD\x46\}}
#event {IAC SB MSSP} {#line {log} {HOME/mssp} {%0=%1}}
#session {lockdown} {127.0.0.1} {PORT}
"""


def tintin(server: Server, home: Path) -> Client:
    """`tt++`, which writes down in *home* what it is told beside the text."""
    home.mkdir()
    script = home / "script.tin"
    text = TINTIN.replace("HOME", str(home)).replace("PORT", str(server.telnet_port))
    script.write_text(text)
    return Client([program("tt++"), "-G", str(script)], cols=100, rows=40, env=TERMINAL)


def mssp(home: Path) -> list[str]:
    """What it was told of the server: NAME=VALUE, in order."""
    return _written(home / "mssp")


def gmcp(home: Path) -> list[tuple[str, object]]:
    """The packages that came: names and contents, in order."""
    found = [row.partition(" ") for row in _written(home / "gmcp")]
    return [(name, json.loads(text)) for name, _, text in found if text]


def _written(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines() if path.exists() else []
