"""The HTTP listener for scrapers and probes: two pages, and bounds."""

from __future__ import annotations

import asyncio
import errno
import socket

import pytest

from mudserver.clock import Clock
from mudserver.config.load import parse_text
from mudserver.errors import ConfigError, StartError
from mudserver.ops import metrics_http
from mudserver.ops.metrics_http import TEXT_PLAIN, MetricsHttpServer


@pytest.fixture
async def metrics_server():
    clock = Clock(asyncio.get_running_loop())
    found = MetricsHttpServer(clock, {b"/metrics": lambda: (200, TEXT_PLAIN, b"people 2\n")})
    await found.open("127.0.0.1", 0)
    yield found
    found.close()


async def asked(metrics_server: MetricsHttpServer, *parts: bytes) -> bytes:
    """What is answered until the connection ends; b"" if it is just cut."""
    host, _, port = metrics_server.address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


async def test_a_page_is_answered_in_whole_and_the_line_ends(metrics_server):
    answer = await asked(metrics_server, b"GET /metrics?x=1 HTTP/1.1\r\nHost: a\r\n", b"\r\n")
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"people 2\n" == body
    rows = head.split(b"\r\n")
    assert b"HTTP/1.1 200 OK" == rows[0]
    assert {b"Content-Length: 9", b"Connection: close"} <= {*rows}
    await asyncio.sleep(0)
    assert set() == metrics_server.connections


@pytest.mark.parametrize(
    "request_, status",
    [
        (b"HEAD /metrics HTTP/1.1\r\n\r\n", b"200 OK"),
        (b"GET / HTTP/1.1\r\n\r\n", b"404 Not Found"),
        (b"GET /metrics/../etc HTTP/1.1\r\n\r\n", b"404 Not Found"),
        (b"POST /metrics HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", b"405 Method Not Allowed"),
        (b"what is this\r\n\r\n", b"400 Bad Request"),
        (b"\r\n\r\n", b"400 Bad Request"),
        (b"GET /metrics HTTP/9.9\n\n", b"400 Bad Request"),
    ],
)
def test_everything_else_is_refused_in_a_line(request_, status):
    page = {b"/metrics": lambda: (200, TEXT_PLAIN, b"people 2\n")}
    answer = MetricsHttpServer(None, page).respond(request_)  # type: ignore[arg-type]
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert b"people" not in answer


async def test_a_request_without_an_end_is_cut_by_its_length(metrics_server):
    assert b"" == await asked(metrics_server, b"GET /metrics HTTP/1.1\r\nA: " + b"x" * 5_000)


async def test_who_says_nothing_is_cut_by_the_clock(metrics_server, monkeypatch):
    monkeypatch.setattr(metrics_http, "REQUEST_S", 0.05)
    assert b"" == await asked(metrics_server, b"GET /met")


async def test_more_lines_than_there_may_be_are_cut_and_the_others_served(
    metrics_server, monkeypatch
):
    monkeypatch.setattr(metrics_http, "CONNECTIONS_MAX", 2)
    host, _, port = metrics_server.address.rpartition(":")
    held = [await asyncio.open_connection(host, int(port)) for _ in range(2)]
    assert b"" == await asked(metrics_server, b"GET /metrics HTTP/1.1\r\n\r\n")
    held[0][1].write(b"GET /metrics HTTP/1.1\r\n\r\n")
    assert (await held[0][0].read()).endswith(b"people 2\n")
    for _, writer in held:
        writer.close()


async def test_an_address_that_cannot_be_had_is_a_sentence(metrics_server):
    _, _, port = metrics_server.address.rpartition(":")
    other = MetricsHttpServer(metrics_server.clock, {})
    with pytest.raises(
        StartError, match=f"cannot open metrics on 127.0.0.1:{port}: address already"
    ):
        await other.open("127.0.0.1", int(port))


async def test_a_host_that_nobody_knows_is_a_sentence(metrics_server, monkeypatch):
    async def nobody(*_: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(asyncio.get_running_loop(), "create_server", nobody)
    with pytest.raises(StartError, match=r"metrics on nosuch:1: name or service not known$"):
        await MetricsHttpServer(metrics_server.clock, {}).open("nosuch", 1)


async def test_a_process_that_may_open_no_socket_says_who_can(metrics_server, monkeypatch):
    def refused(*_: object) -> None:  # as RestrictAddressFamilies= of the unit does
        raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")

    monkeypatch.setattr(socket, "socket", refused)
    with pytest.raises(StartError, match=r"enable mudserver-metrics\.socket and set"):
        await MetricsHttpServer(metrics_server.clock, {}).open("127.0.0.1", 9_222)


async def test_a_socket_that_was_handed_over_is_listened_on():
    with socket.create_server(("127.0.0.1", 0)) as sock:
        metrics_server = MetricsHttpServer(
            Clock(asyncio.get_running_loop()), {b"/healthz": lambda: (503, TEXT_PLAIN, b"")}
        )
        await metrics_server.open(*sock.getsockname(), sock)
        assert metrics_server.address == f"127.0.0.1:{sock.getsockname()[1]}"
        answer = await asked(metrics_server, b"GET /healthz HTTP/1.0\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        metrics_server.close()


@pytest.mark.parametrize("address", ["127.0.0.1:9222", "[::1]:9222", "localhost:0"])
def test_figures_are_for_this_machine(address):
    assert address == parse_text(f'[metrics]\naddress = "{address}"').metrics.address


@pytest.mark.parametrize("address", ["0.0.0.0:9222", "[::]:9222", "cards.example.org:9222"])
def test_figures_for_others_have_to_be_wanted_in_so_many_words(address):
    with pytest.raises(ConfigError, match="is not loopback"):
        parse_text(f'[metrics]\naddress = "{address}"')
    assert parse_text(f'[metrics]\naddress = "{address}"\nallow_remote = true').metrics.allow_remote
