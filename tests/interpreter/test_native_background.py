"""Fully optimised code that another process compiles plays the same, and nobody waits for it."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest

from ..once import game_once

pytest.importorskip("llvmlite")

from ludex.interpreter.program.native import Native, background, compiling, library
from ludex.interpreter.program.native.cache import cached, forget_code
from ludex.interpreter.program.native.play_parts import PlayParts

NAME = "pig"
IDLE = "import time; time.sleep(600)"


@pytest.fixture(scope="module")
def light_code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache in which the code of a game is, not optimised."""
    folder = tmp_path_factory.mktemp("light")
    with pytest.MonkeyPatch.context() as patch:
        _prepare(patch, folder)
        Native(game_once(NAME))
    return folder


@pytest.fixture
def light(light_code: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Native:
    """An engine of code that is not optimised, for which optimised code is due at once; its cache is a copy."""
    _prepare(monkeypatch, tmp_path)
    for file in (light_code / "ludex" / "native").iterdir():
        copy = tmp_path / "ludex" / "native" / file.name
        copy.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
        copy.chmod(0o600)
    return Native(game_once(NAME))


def _prepare(patch: pytest.MonkeyPatch, folder: Path) -> None:
    patch.setenv("XDG_CACHE_HOME", str(folder))
    patch.delenv("LUDEX_CACHE", raising=False)
    for limit in ("_FULL", "LIGHT"):
        patch.setattr(compiling, limit, 0)
    patch.setattr(background, "COMPILED", 0)


def _until(test: Callable[[], bool]) -> None:
    end = monotonic() + 60
    while not test():
        assert monotonic() < end, "this took a minute"
        sleep(0.01)


def _words(engine: Native, threads: int = 1) -> list[bytes]:
    """Return all results of some plays."""
    played = engine.playouts(60, 5, threads)
    return [array("q", memoryview(each).cast("B").cast("q")).tobytes() for each in (played.points, played.events)]


def _process_of(engine: Native) -> subprocess.Popen[bytes]:
    engine.playouts(1, threads=1)
    better = engine._better
    assert better is not None
    assert better._process is not None
    return better._process


def test_optimised_code_replaces_the_other_and_plays_the_same(light: Native) -> None:
    before, method, state = _words(light), light.event_ids, light.start()
    events, code = method(state), light._code
    assert not light.is_settled
    process = _process_of(light)

    def settled() -> bool:
        assert _words(light, threads=2) == before
        return light.is_settled

    _until(settled)
    assert process.returncode == 0
    assert light._code is not code
    assert _words(light) == before
    assert light.event_ids is not method
    assert method(state) == light.event_ids(state) == events, "methods that somebody holds go on"
    again = Native(game_once(NAME))
    assert again.is_settled, "a second start takes the optimised code"
    assert _words(again) == before


@pytest.mark.parametrize("fault", ("no such program", "no success", "no process", "no text"))
def test_a_failure_changes_nothing(fault: str, light: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    better = light._better
    assert better is not None
    match fault:
        case "no such program":
            monkeypatch.setattr(sys, "executable", os.devnull)
        case "no process":
            monkeypatch.setattr(sys, "executable", "")
        case "no text":
            forget_code(background._text(better._key))
        case _:
            monkeypatch.setattr(background, "COMMAND", "raise SystemExit(1)")
    code, before = light._code, _words(light)

    def settled() -> bool:
        assert _words(light) == before
        return light.is_settled

    _until(settled)
    assert light._code is code


def test_a_short_run_starts_no_process(light: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    better = light._better
    assert better is not None
    better._left = 1000.0
    light.playouts(50)
    light.judge_ids(light.event_ids(light.start()))
    light.perft(light.start(), 2)
    assert better._process is None
    assert 999 < better._left < 1000, "every call counts"


def test_play_from_python_counts(light: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "CHANGE_SECONDS", 10.0)
    better, state = light._better, light.start()
    assert better is not None
    better._left = 1000.0
    for _ in range(4):
        light.advance_id(state, light.event_ids(state)[0])
    light.start()
    assert better._left <= 1000 - 8 * 10, "at each of eight calls a state changed"


def test_without_a_cache_nothing_is_compiled_again(light: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDEX_CACHE", "off")
    assert Native(game_once(NAME)).is_settled


def test_the_process_ends_with_its_engine(light: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "COMMAND", IDLE)
    better, process = light._better, _process_of(light)
    assert process.poll() is None
    assert os.getpgid(process.pid) != os.getpgrp(), "Ctrl-C must not reach it"
    light._better = None
    del better
    gc.collect()
    assert process.returncode == -9


def test_the_end_of_this_process_does_not_wait_for_it() -> None:
    """However it ends: `finalize` ends the process at a usual exit; after a kill it notices."""
    code = f"""
import os, subprocess, sys
from ludex.interpreter.program.native import background
owner = os.getpid()
watches = os.fork()
if not watches:
    background._end_with(owner)
class Engine: pass
engine, sleeps = Engine(), subprocess.Popen([sys.executable, "-c", {IDLE!r}])
background.finalize(engine, background._end, sleeps, owner)
print(sleeps.pid, flush=True)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    # `run` returns once nobody holds the output: the other process has ended, too
    assert not _is_alive(int(ran.stdout))


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_of_several_processes_one_compiles(light: Native) -> None:
    made = list[bytes]()

    def make() -> bytes:
        sleep(0.05)
        made.append(b"code")
        return b"code"

    def compile_() -> None:
        with background._alone("key"):
            cached("key", make)

    threads = [Thread(target=compile_) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [b"code"]


def test_ctrl_c_ends_a_long_call(light: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pool of threads waits for them, so they must stop after the part under way."""
    light._better, taken, take = None, list[range](), PlayParts.take

    def seen(parts: PlayParts) -> range:
        taken.append(take(parts))
        return taken[-1]

    class Interrupted(ThreadPoolExecutor):
        def map(self, *given: Any, **_: Any) -> Any:
            super().map(*given)
            _until(lambda: len(taken) > 20)
            raise KeyboardInterrupt

    monkeypatch.setattr(PlayParts, "take", seen)
    monkeypatch.setattr("ludex.interpreter.program.native.play_parts.SECONDS", 0)
    monkeypatch.setattr(library, "ThreadPoolExecutor", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        light.playouts(300_000, threads=2)
    assert len(taken) < 300_000


def test_parts_are_as_long_as_they_should_be() -> None:
    parts, sizes = PlayParts(100_000, 2), list[int]()
    played = list[int]()
    while part := parts.take():
        sizes.append(len(part))
        played += part
        parts.took(len(part), len(part) / 1000)  # a thousand plays a second
    assert played == list(range(100_000))
    assert sizes[:3] == [16, 500, 500]
    assert sizes[-8:] == [5, 4, 3, 2, 1, 1, 1, 1], "the last parts are short, so that no thread waits for another"
    assert max(PlayParts(8, 2).take()) == 1, "a few plays are shared, too"
    parts = PlayParts(100_000, 2)
    parts.stop()
    assert not parts.take()
