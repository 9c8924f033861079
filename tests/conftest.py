"""Settings that every test shares, what is drawn of many cases, and the seed that draws it."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from ludex.spec import Game

from .tiers import TIERS, Missing, Tier

# No deadline and no slowness check: a busy machine is not a fault in the code. Each run draws anew, in CI too, whatever
# Hypothesis thinks best there; `cases.py` goes by how many cases a profile asks for.
settings.register_profile(
    "some", deadline=None, derandomize=False, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("long", parent=settings.get_profile("some"), max_examples=1000)
settings.load_profile("some")

SEED = "hypothesis_seed"
FULLY, OTHERWISE = "python", 2
"""A test that takes the fixture `tier` is held in this one as ever, and so many of its cases in each of the others."""


@pytest.fixture(autouse=True, scope="session")
def _games_are_read_anew() -> Iterator[None]:
    """In the tests' own processes, where parts of Ludex are put in the place of others: what these make is not kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ludex.spec.loading.game_cache.cache_folder", lambda: None)
        patch.setattr("ludex.grammar.files.cache.cache_folder", lambda: None)
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="write expected reports anew; read every diff")
    parser.addoption("--long", action="store_true", help="try every case, and draw ten times as many; takes long")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """One seed draws all: the worker processes of a run have that of the process which began it."""
    if config.getoption(SEED) is None:
        of_the_run = getattr(config, "workerinput", {}).get(SEED)
        config.option.hypothesis_seed = of_the_run or str(Random().randrange(2**32))
    if config.getoption("--long"):
        settings.load_profile("long")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker process of pytest-xdist the seed, which it does not have from the options."""
    node.workerinput[SEED] = node.config.getoption(SEED)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the cases of a test that is marked `drawn(n)` keep n; with `by`, n of those for which it returns the same. Of
    those in another tier than that of Python keep `OTHERWISE`."""
    if config.getoption("--long"):
        return
    cases, left = defaultdict[tuple[str, int, object], list[pytest.Item]](list), set[pytest.Item]()
    for item in items:
        mark = item.get_closest_marker("drawn")
        params = dict(item.callspec.params) if hasattr(item, "callspec") else {}
        tier = params.pop("tier", FULLY)
        if tier != FULLY:
            cases[item.nodeid.partition("[")[0], OTHERWISE, tier].append(item)
        elif mark is not None:
            group = mark.kwargs["by"](**params) if "by" in mark.kwargs else None
            cases[item.nodeid.partition("[")[0], mark.args[0], group].append(item)
    for number, ((name, many, _), found) in enumerate(cases.items()):  # a group may name a file of this process alone
        rng = Random(f"{config.getoption(SEED)} {name} {number}")
        left.update(rng.sample(found, max(0, len(found) - many)))
    if left:
        config.hook.pytest_deselected(items=list(left))
        items[:] = [item for item in items if item not in left]


@pytest.fixture(params=TIERS)
def tier(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Game], Tier]:
    """What makes the engine of a game, in each tier. A test ends, skipped, where the tier does not carry the game."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp().parent / "cache"))  # one for all processes
    return TIERS[request.param]


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Iterator[None]:
    """`test_tiers.py` holds the list of what a tier does not carry."""
    try:
        return (yield)
    except Missing as reason:
        pytest.skip(str(reason))


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> Random:
    """Chance for a test that draws by itself."""
    return Random(f"{request.config.getoption(SEED)} {request.node.nodeid}")


@pytest.fixture(scope="session")
def play_seed(request: pytest.FixtureRequest) -> int:
    """The seed of plays that several tests look at."""
    return Random(request.config.getoption(SEED)).randrange(10**6)


@pytest.fixture(scope="session")
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
