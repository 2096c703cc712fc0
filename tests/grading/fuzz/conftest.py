"""How much Hypothesis tries: a little with the other tests, much more for `./tilelab fuzz`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("test", max_examples=60, deadline=None, database=None, derandomize=True)
settings.register_profile(
    "fuzz",
    max_examples=500,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile(os.environ.get("TILELAB_FUZZING", "test"))
