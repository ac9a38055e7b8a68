"""For all tests: the search for counterexamples is bounded in examples, never in time.

Machines are noisy; what is slow is measured in `tests/bench/`.
"""

from hypothesis import settings

pytest_plugins = ["tests.postgres"]

settings.register_profile("tests", deadline=None, database=None)
settings.load_profile("tests")
