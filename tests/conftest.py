"""Fixtures and settings for all tests, among them the seed of everything random."""

from __future__ import annotations

import atexit
import gc
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from ludex.spec import Game

from .once import evaluate_facts_once, parse_shipped_once, share_games
from .tiers import NOT_CARRIED, Missing, TierQueries, here

# No deadline and no check for slowness: a busy machine is not a fault in the code. Every run, in CI too, draws with its
# own seed, unlike Hypothesis's default for CI. `cases.py` computes from the number of cases in the profile.
settings.register_profile(
    "some",
    max_examples=40,
    deadline=None,
    derandomize=False,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("long", parent=settings.get_profile("some"), max_examples=1000)
settings.load_profile("some")

SEED = "hypothesis_seed"


@pytest.fixture(autouse=True, scope="session")
def _games_are_read_anew() -> Iterator[None]:
    """Disable the cache of loaded games in the tests' own processes: tests replace parts of Ludex, and nothing that
    they make may be kept.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ludex.spec.loading.game_cache.cache_folder", lambda: None)
        patch.setattr("ludex.grammar.files.cache.cache_folder", lambda: None)
        parse_shipped_once(patch)
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="write expected reports; read every diff")
    parser.addoption("--long", action="store_true", help="try every case, and draw ten times as many; takes long")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Give all worker processes of a run the same seed."""
    if hasattr(config, "workerinput"):
        # What is registered first runs last. To destroy all objects would take a worker process ten seconds.
        atexit.register(os._exit, 0)
    if config.getoption(SEED) is None:
        of_the_run = getattr(config, "workerinput", {}).get(SEED)
        config.option.hypothesis_seed = of_the_run or str(Random().randrange(2**32))
    if config.getoption("--long"):
        settings.load_profile("long")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Pass the seed to a worker process of pytest-xdist, which does not get it from the options."""
    node.workerinput[SEED] = node.config.getoption(SEED)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep n cases of each test marked `drawn(n)`, or with `by` n cases of each group."""
    if config.getoption("--long"):
        return
    cases, left = defaultdict[tuple[str, int, object], list[pytest.Item]](list), set[pytest.Item]()
    for item in items:
        mark = item.get_closest_marker("drawn")
        if mark is not None and isinstance(item, pytest.Function):
            group = mark.kwargs["by"](**item.callspec.params) if "by" in mark.kwargs else None
            cases[item.nodeid.partition("[")[0], mark.args[0], group].append(item)
    # the group of a file may exist in this process only
    for number, ((name, many, _), found) in enumerate(cases.items()):
        rng = Random(f"{config.getoption(SEED)} {name} {number}")
        left.update(rng.sample(found, max(0, len(found) - many)))
    if left:
        config.hook.pytest_deselected(items=list(left))
        items[:] = [item for item in items if item not in left]


@pytest.fixture
def tiers(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, is_long: bool
) -> dict[str, Callable[[Game], TierQueries]]:
    """The tiers that can be used here, by name, each as a function that makes the engine of a game.

    Native code is optimised in a long run only: that takes four times as long as all else in making it.
    """
    # one file for all processes
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp().parent / "cache"))
    return here(None if is_long else False)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Iterator[None]:
    """Skip a test of a game that native code does not support, if `NOT_CARRIED` of `tiers.py` lists it."""
    try:
        return (yield)
    except Missing as reason:
        if str(reason) not in NOT_CARRIED.values():
            raise
        pytest.skip(str(reason))


@pytest.fixture(autouse=True, scope="session")
def _facts_are_evaluated_once(is_long: bool) -> Iterator[None]:
    """Let the reference compute each value of a fact once, except in a long run."""
    with pytest.MonkeyPatch.context() as patch:
        if not is_long:
            evaluate_facts_once(patch)
        yield


@pytest.fixture
def games_are_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands in this process share shipped games. A module that looks at how games are read has a fixture of this
    name that does nothing.
    """
    share_games(monkeypatch)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> Random:
    """A random number generator for tests that draw by themselves."""
    return Random(f"{request.config.getoption(SEED)} {request.node.nodeid}")


@pytest.fixture(scope="session")
def play_seed(request: pytest.FixtureRequest) -> int:
    """The seed of the plays that several tests share."""
    return Random(request.config.getoption(SEED)).randrange(10**6)


@pytest.fixture(scope="session")
def is_long(request: pytest.FixtureRequest) -> bool:
    """Whether the run tries every case."""
    return bool(request.config.getoption("--long"))


def pytest_collection_finish() -> None:
    """Exempt imported and collected objects from garbage collection: they live until the end. So do games and engines,
    so that a full collection is long and frees little.
    """
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    long = " --long" if config.getoption("--long") else ""
    terminalreporter.write_line(
        f"to draw the same cases again: pytest --hypothesis-seed={config.getoption(SEED)}{long}"
    )
