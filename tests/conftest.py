"""For all tests: the search for counterexamples is bounded in examples, never in time.

Machines are noisy; what is slow is measured in `tests/bench/`.
"""

import gc

import pytest
from hypothesis import settings

pytest_plugins = ["tests.postgres", "tests.postgres_servers"]

settings.register_profile("tests", deadline=None, database=None)
settings.load_profile("tests")

# Twelve thousand tests are 400,000 objects, which stay: no collection has to look at them.
gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()
