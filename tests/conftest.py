"""Settings that every test shares, what is drawn of many cases, and the seed that draws it."""

from __future__ import annotations

import gc
from collections import defaultdict
from random import Random

import pytest
from hypothesis import HealthCheck, settings

# No deadline and no slowness check: a busy machine is not a fault in the code. Each run draws anew, in CI too, whatever
# Hypothesis thinks best there; `cases.py` goes by how many cases a profile asks for.
settings.register_profile(
    "some", deadline=None, derandomize=False, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("long", parent=settings.get_profile("some"), max_examples=1000)
settings.load_profile("some")

SEED = "hypothesis_seed"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="write expected reports anew; read every diff")
    parser.addoption("--long", action="store_true", help="try every case, and draw ten times as many; takes long")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """One seed draws all; the processes of one run share it, as they share all options."""
    if config.getoption(SEED) is None:
        config.option.hypothesis_seed = str(Random().randrange(2**32))
    if config.getoption("--long"):
        settings.load_profile("long")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the cases of a test that is marked `drawn(n)` keep n."""
    if config.getoption("--long"):
        return
    cases = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        if item.get_closest_marker("drawn") is not None:
            cases[item.nodeid.partition("[")[0]].append(item)
    left = {id(item) for name, found in cases.items() for item in _left(found, f"{config.getoption(SEED)} {name}")}
    if left:
        config.hook.pytest_deselected(items=[item for item in items if id(item) in left])
        items[:] = [item for item in items if id(item) not in left]


def _left(found: list[pytest.Item], seed: str) -> list[pytest.Item]:
    mark = found[0].get_closest_marker("drawn")
    assert mark is not None
    (many,) = mark.args
    return Random(seed).sample(found, max(0, len(found) - many))


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> Random:
    """Chance for a test that draws by itself."""
    return Random(f"{request.config.getoption(SEED)} {request.node.nodeid}")


@pytest.fixture
def is_long(request: pytest.FixtureRequest) -> bool:
    """Whether the run tries every case."""
    return bool(request.config.getoption("--long"))


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: the collector of garbage need not look at it again."""
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    long = " --long" if config.getoption("--long") else ""
    terminalreporter.write_line(
        f"to draw the same cases again: pytest --hypothesis-seed={config.getoption(SEED)}{long}"
    )
