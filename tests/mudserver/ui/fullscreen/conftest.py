from __future__ import annotations

import pytest

from tests.mudserver.ui.fullscreen.harness import Harness


@pytest.fixture
def harness():
    return Harness()
