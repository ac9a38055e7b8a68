"""The two commands of docs/notify/ send what the server hands them."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

COMMANDS = Path(__file__).parents[1] / "docs" / "notify"
TEXT = "It is your move at table 31 (words); 24 h."
NOTICE = {"name": "Ann", "topic": "Kz81-quiet-heron", "event": "move", "table": 31,
          "variant": "words", "text": TEXT}  # fmt: skip


def runs(name: str, *arguments: str, notice: dict[str, object] = NOTICE) -> int:
    done = subprocess.run(
        [sys.executable, "-I", str(COMMANDS / name), *arguments],
        input=json.dumps(notice).encode(), capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    return done.returncode


class Ntfy(HTTPServer):
    def __init__(self, status: int = 200) -> None:
        self.heard: list[tuple[str, str, str | None]] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(handler) -> None:
                body = handler.rfile.read(int(handler.headers["Content-Length"])).decode()
                self.heard.append((handler.path, body, handler.headers["Title"]))
                handler.send_response(status)
                handler.end_headers()

            def log_message(handler, *args: object) -> None: ...

        super().__init__(("127.0.0.1", 0), Handler)


@pytest.mark.parametrize(("status", "ends_well"), [(200, True), (429, False)])
def test_ntfy_is_sent_the_sentence_under_the_topic(status: int, ends_well: bool):
    server = Ntfy(status)
    thread = threading.Thread(target=server.handle_request)
    thread.start()
    code = runs("ntfy", f"http://127.0.0.1:{server.server_port}/")
    thread.join(60)
    server.server_close()
    assert [("/Kz81-quiet-heron", TEXT, "Lockdown")] == server.heard
    assert ends_well is (code == 0)


def test_mail_goes_to_the_address_that_the_host_has_for_the_name(tmp_path: Path):
    (tmp_path / "addresses").write_text("bob bob@example.org\nann ann@example.org\n\nbroken\n")
    listener = socket.create_server(("127.0.0.1", 0))
    said: list[str] = []

    def serve() -> None:
        connection, _ = listener.accept()
        with connection, connection.makefile("rw", newline="\r\n") as mail:
            is_text = False

            def answer(line: str) -> None:
                mail.write(f"{line}\n")
                mail.flush()

            answer("220 here")
            for line in mail:
                said.append(line.rstrip())
                if is_text:
                    is_text = said[-1] != "."
                    if not is_text:
                        answer("250 taken")
                elif said[-1].upper() == "DATA":
                    is_text = True
                    answer("354 go on")
                elif said[-1].upper() == "QUIT":
                    answer("221 bye")
                    return
                else:
                    answer("250 ok")

    thread = threading.Thread(target=serve)
    thread.start()
    port = str(listener.getsockname()[1])
    places = str(tmp_path / "addresses"), "lockdown@example.org", "127.0.0.1", port
    assert 0 == runs("sendmail", *places)
    thread.join(60)
    assert "rcpt to:<ann@example.org>" in [line.lower() for line in said]
    assert f"Subject: Lockdown: {TEXT}" in said and "To: ann@example.org" in said
    listener.close()
    assert 0 == runs("sendmail", *places, notice=NOTICE | {"name": "cid"})  # nothing is opened


def test_the_guide_shows_what_the_commands_say_of_themselves():
    guide = (COMMANDS.parent / "hosting.md").read_text("utf-8")
    for name in ("ntfy", "sendmail"):
        text = (COMMANDS / name).read_text("utf-8")
        assert f"`{name}`" in guide and len(text.splitlines()) <= 45
    assert 'command = ["/usr/bin/python3", "/etc/mudserver/ntfy", "https://ntfy.sh"]' in guide
