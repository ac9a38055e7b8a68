import pytest

from tests.mudserver.transport.house import House


@pytest.fixture
async def house():
    house = House()
    yield house
    if hasattr(house, "ssh"):
        await house.close()


@pytest.fixture
async def doors(house):
    await house.open()
    return house
