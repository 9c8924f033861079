"""Settings that every test shares."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# No deadline and no slowness check: a busy machine is not a fault in the code. `ci` always draws the same cases, so
# that a commit's verdict does not change from run to run; at the desk each run draws new ones.
settings.register_profile("desk", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("desk"), derandomize=True, print_blob=True)
settings.load_profile("desk")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="write expected reports anew; read every diff")
