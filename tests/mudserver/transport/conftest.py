import pytest

from tests.mudserver.transport.server import TransportServer


@pytest.fixture
async def server():
    server = TransportServer()
    yield server
    if hasattr(server, "ssh"):
        await server.close()


@pytest.fixture
async def open_server(server):
    await server.open()
    return server
