"""A telnet client that is a bare socket, fast enough for a thousand restarts.

Rule 1: it negotiates nothing: the server treats it as whole lines of plain text.
Rule 2: it waits for words, never for a time; what never comes is an error after PATIENCE_S.
"""

from __future__ import annotations

import re
import select
import socket
import time

from tests.prompts import YOUR_TURN

PATIENCE_S = 20.0
PROMPT = r"(?:lobby|table \d+(?:, your turn)?)> "
PASSWORD = "correct horse battery"


class Gone(Exception):
    """The server is no more."""


class RawTelnet:
    def __init__(self, port: int, name: str) -> None:
        self.name = name
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.text = ""  # heard since the last `forget`
        self.asked = 0

    def type(self, line: str) -> None:
        try:
            self.socket.sendall(line.encode() + b"\r\n")
        except OSError as exc:
            raise Gone from exc

    def read(self) -> None:
        """What the line brings next."""
        try:
            data = self.socket.recv(65_536)
        except ConnectionError as exc:
            raise Gone from exc
        except TimeoutError:
            raise AssertionError(f"{self.name} waits in vain; heard: {self.text!r}") from None
        if not data:
            raise Gone
        data = re.sub(rb"\xff(?:\xfa.*?\xff\xf0|[\xfb-\xfe].|.)", b"", data, flags=re.DOTALL)
        self.text += data.decode("utf-8", "replace").replace("\r", "")

    def wait_for(self, pattern: str) -> str:
        """Until *pattern* has come; answers all that was heard since the last `forget`."""
        while not re.search(pattern, self.text):
            self.read()
        return self.text

    def catch_up(self) -> None:
        """Take in what has come already."""
        while select.select([self.socket], [], [], 0)[0]:
            self.read()

    def settle(self) -> None:
        """Until all that was said before has come: a question nobody else asks is answered."""
        self.asked += 1
        self.type(f"/zz{self.asked}")
        self.wait_for(rf'Unknown command "zz{self.asked}"(?s:.*)> $')
        self.forget()

    def forget(self) -> None:
        """Only what was read: what has come and waits in the socket is heard afterwards."""
        self.text = ""

    def wait_answer(self) -> None:
        """Until there is more than prompts, and a prompt behind it.

        A prompt alone may come before the answer: it follows the line that was typed.
        """
        while not (self.rows and re.search(PROMPT + "$", self.text)):
            self.read()

    def ask(self, line: str) -> list[str]:
        """Type *line* at a table and read the answer."""
        self.settle()
        self.type(line)
        self.wait_answer()
        return self.rows

    @property
    def rows(self) -> list[str]:
        """What was heard since the last `forget`, without prompts and blank rows."""
        return [row for row in re.sub(PROMPT, "", self.text).split("\n") if row.strip("\a ")]

    def come_in(self) -> None:
        """By name and password; a new name registers."""
        self.wait_for("Name: $")
        self.type(self.name)
        if "Choose" in self.wait_for("(?:Choose a p|P)assword: $"):
            self.type(PASSWORD)
            self.wait_for("Again: $")
        self.type(PASSWORD)
        self.wait_for(rf"Welcome(?: back| to \w+)?, {self.name}[.!](?s:.*)> $")

    @property
    def is_asked(self) -> bool:
        return self.text.endswith(YOUR_TURN)

    def close(self) -> None:
        self.socket.close()


def connect(port: int, name: str) -> RawTelnet:
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            return RawTelnet(port, name)
        except ConnectionRefusedError:
            assert time.monotonic() < end
