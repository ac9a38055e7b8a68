from types import SimpleNamespace

import pytest

from mudserver.clock import Clock


@pytest.mark.parametrize("at_s", [150.6, 150.6 + 3e-14, 150.6 - 3e-14, 150.6009])
def test_a_sum_of_floats_that_lacks_a_trace_of_a_millisecond_counts_as_that_millisecond(at_s):
    loop = SimpleNamespace(time=lambda: 0.0)
    clock = Clock(loop, wall_ms=1_000_000)
    loop.time = lambda: at_s
    assert 1_150_600 == clock.now_ms()
