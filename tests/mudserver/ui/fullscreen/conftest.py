from __future__ import annotations

import pytest

from tests.mudserver.ui.fullscreen.desk import Desk


@pytest.fixture
def desk():
    return Desk()
