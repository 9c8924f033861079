"""The cache of loaded games: entries depend on everything that was read, and damaged or foreign ones are not used."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from ludex.grammar import Failure, keep
from ludex.spec import Budget, Request, check, load, overview
from ludex.spec.loading import every_table, game_cache, game_text, loader

ROOT = Path(__file__).parents[2]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder, empty."""
    monkeypatch.setattr(game_cache, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache" / "games"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "spec/games/boreal", tmp_path / "boreal", ignore=shutil.ignore_patterns("logs", "sources"))
    return tmp_path / "boreal" / "boreal.ludex"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Records what was loaded on a cache miss."""
    answers: list[object] = []
    by_hand = game_text.read_game

    def noted(name: Any, *rest: Any) -> Any:
        answers.append(name.file.stem)
        return by_hand(name, *rest)

    monkeypatch.setattr(game_text, "read_game", noted)
    return answers


def test_a_game_is_cached(cache: Path, read: list[object]) -> None:
    assert load("pig") == load("pig")
    assert overview("pig") == overview("pig")
    assert read == ["pig", "pig"]
    assert len(list(cache.iterdir())) == 2


def test_each_request_has_its_own_entry(cache: Path, read: list[object]) -> None:
    asked: list[tuple[str, dict[str, Any]]] = [
        ("pig", {}), ("pig", {"players": 3}), ("pig", {"budget": Budget().times(2)}), ("nim", {}),
        ("boreal", {}), ("boreal", {"edition": "aid"}), ("boreal", {"silence": "literal"}),
    ]  # fmt: skip
    games, again = ([load(name, **table) for name, table in asked] for _ in range(2))
    assert games == again
    assert len(read) == len(asked) == len(list(cache.iterdir()))
    assert [each.name for each in games] == [name for name, _ in asked]
    assert (games[1].players, games[2].budget) == (3, Budget().times(2))
    assert (games[5].edition, games[6].silence) == ("aid", "literal")


def test_1_and_true_are_different_requests(cache: Path) -> None:
    load("nim", options={"misere": True})
    with pytest.raises(Failure):
        load("nim", options={"misere": 1})


def test_a_game_without_faults_is_checked_once(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, looked_at, check_text = tmp_path / "nim" / "nim.ludex", list[object](), every_table.check_every_table
    shutil.copytree(ROOT / "spec/games/nim", game.parent, ignore=shutil.ignore_patterns("logs"))

    def noted(text: Any, asked: Any) -> Any:
        looked_at.append(asked)
        return check_text(text, asked)

    monkeypatch.setattr(every_table, "check_every_table", noted)
    first, second = check(game), check(game)
    assert first.diagnostics == second.diagnostics == ()
    assert len(looked_at) == 1
    check(game, [Request(players=2)])
    assert len(looked_at) == 2
    game.write_text(f"{game.read_text('utf-8')}\nfact wrong = nobody\n", "utf-8")
    assert any(fault.is_error for fault in check(game).diagnostics)
    assert check(game).diagnostics == check(game).diagnostics
    assert len(looked_at) == 5, "a game with faults must not be cached"


def test_a_change_of_the_stored_lines_is_found_in_a_game_that_was_checked(cache: Path, tmp_path: Path) -> None:
    game = tmp_path / "boreal"
    shutil.copytree(ROOT / "spec/games/boreal", game, ignore=shutil.ignore_patterns("logs"))
    assert check(game).diagnostics == check(game).diagnostics == ()
    for name in ("ru.lines", "ru.lock"):
        stored = game / "sources" / name
        content = stored.read_text("utf-8")
        stored.unlink()
        assert check(game).diagnostics, name
        stored.write_text(content, "utf-8")
        assert check(game).diagnostics == ()
    (game / "sources" / "ru.excuses").write_text("no excuse\n", "utf-8")
    assert check(game).diagnostics


def changes(game: Path) -> Iterator[None]:
    """The ways to change the game."""
    folder = game.parent
    game.write_text(game.read_text("utf-8") + '\nfact more = 1  ruling "why not"\n', "utf-8")
    yield
    part = folder / "further.ludex"
    part.write_text('part further of boreal\n\nfact other = 1  ruling "why not"\n', "utf-8")
    yield
    part.unlink()
    yield
    data = folder / "components.yaml"
    data.write_text(f"# a remark\n{data.read_text('utf-8')}", "utf-8")
    yield


def test_a_changed_game_is_loaded_again(cache: Path, game: Path, read: list[object]) -> None:
    times, at_first = 1, load(game)
    for _ in changes(game):
        times += 1
        assert load(game) == load(game)
        assert len(read) == times
    assert len(list(cache.iterdir())) == 1
    assert load(game).clauses.keys() != at_first.clauses.keys()


def test_a_removed_component_table_is_noticed(cache: Path, game: Path) -> None:
    load(game)
    (game.parent / "components.yaml").unlink()
    with pytest.raises(Failure):
        load(game)


def test_a_game_with_faults_is_not_cached(cache: Path, game: Path, read: list[object]) -> None:
    game.write_text(game.read_text("utf-8") + '\nfact more = none_such  ruling "why not"\n', "utf-8")
    for times in (1, 2):
        with pytest.raises(Failure):
            load(game)
        assert len(read) == times
    assert not cache.exists()


def test_a_game_that_changes_while_it_is_read_is_loaded_again(
    cache: Path, game: Path, read: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The entry belongs to the bytes that were read, so the next run notices the change."""
    by_hand = loader.build

    def slow(*given: Any) -> Any:
        with game.open("a", encoding="utf-8") as file:
            file.write("# meanwhile\n")
        return by_hand(*given)

    monkeypatch.setattr(loader, "build", slow)
    load(game)
    monkeypatch.setattr(loader, "build", by_hand)
    assert load(game) == load(game)
    assert len(read) == 2


def test_places_are_relative_to_the_readers_folder(cache: Path, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def place() -> str:
        return load(game).play.body.span.file

    monkeypatch.chdir(game.parent)
    assert place() == place() == "boreal.ludex"
    monkeypatch.chdir(game.parents[1])
    assert place() == place() == str(Path("boreal", "boreal.ludex"))


# ---- entries that are not used ------------------------------------------------------------------------------------


@pytest.fixture
def answer(cache: Path) -> Path:
    """The cache entry that `load` uses next."""
    load("pig")
    [stored] = cache.iterdir()
    return stored


def is_mended(answer: Path, good: bytes, read: list[object]) -> bool:
    """Return whether the game was loaded again, and its entry written again."""
    return load("pig").name == "pig" and len(read) == 1 and answer.read_bytes() == good


def test_a_truncated_entry_is_replaced(answer: Path, read: list[object]) -> None:
    good = answer.read_bytes()
    for size in (0, 10, 64, 65, 66, len(good) // 2, len(good) - 1):
        answer.write_bytes(good[:size])
        assert is_mended(answer, good, read), size
        read.clear()


def test_an_entry_with_a_changed_byte_is_replaced(answer: Path, read: list[object]) -> None:
    good = answer.read_bytes()
    for at in random.sample(range(len(good)), 20):
        answer.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        assert is_mended(answer, good, read), at
        read.clear()


SHAPES: tuple[Callable[[Any], Any], ...] = (
    lambda data: [],
    lambda data: {**data, "place": "another"},
    lambda data: {**data, "made": None},
    lambda data: {**data, "made": {"strings": [], "blocks": [["Popen", {}, 1, [["one", "true"]]]]}},
    lambda data: {**data, "made": {**data["made"], "blocks": data["made"]["blocks"][:-1]}},
    lambda data: {**data, "made": {**data["made"], "strings": []}},
    lambda data: {**data, "from": {}},
    lambda data: {**data, "from": dict.fromkeys(data["from"], sha256(b"").hexdigest())},
)  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_an_entry_of_another_shape_is_replaced(answer: Path, read: list[object], shape: Any) -> None:
    good = answer.read_bytes()
    keep(answer, shape(json.loads(good.partition(b"\n")[2])))
    assert is_mended(answer, good, read)


def test_an_entry_under_the_wrong_name_is_replaced(answer: Path, cache: Path, read: list[object]) -> None:
    """The entry is valid and belongs to this user, but is for another game."""
    good = answer.read_bytes()
    load("nim")
    [other] = set(cache.iterdir()) - {answer}
    shutil.copy(other, answer)
    read.clear()
    assert load("pig").name == "pig"
    assert answer.read_bytes() == good


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners here")
def test_an_entry_of_another_user_is_not_used(answer: Path, read: list[object]) -> None:
    answer.chmod(0o666)
    load("pig")
    assert read == ["pig"]
    if os.geteuid() == 0:
        answer.chmod(0o644)
        os.chown(answer, 4321, 4321)
        read.clear()
        load("pig")
        assert read == ["pig"]


def test_an_entry_of_another_version_of_the_code_is_not_used(
    answer: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_cache, "code_digest", lambda *_: "another version")
    load("pig")
    assert len(list(cache.iterdir())) == 2


# ---- the folder of the cache --------------------------------------------------------------------------------------


def test_without_a_cache_folder_games_are_loaded(cache: Path) -> None:
    cache.parent.write_text("a file", "utf-8")
    assert load("pig") == load("pig")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="this user may write everything")
def test_with_a_read_only_cache_folder_games_are_loaded(answer: Path, cache: Path) -> None:
    cache.chmod(0o500)
    assert load("nim") == load("nim")
    assert load("pig").name == "pig"
    assert list(cache.iterdir()) == [answer]


def test_the_least_recently_used_entry_is_removed(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pig", "nim"):
        load(name)
    for age, file in enumerate(sorted(cache.iterdir(), key=lambda each: each.stat().st_mtime_ns)):
        os.utime(file, (age, age))
    load("pig")
    sizes = [each.stat().st_size for each in cache.iterdir()]
    monkeypatch.setattr(game_cache, "_MOST_BYTES", sum(sizes))
    pig, nim = sorted(cache.iterdir(), key=lambda each: -each.stat().st_mtime_ns)
    load("kuhn_poker")
    assert pig.exists()
    assert not nim.exists()


def environment(folder: Path, **changes: str) -> dict[str, str]:
    return {**os.environ, "XDG_CACHE_HOME": str(folder), "LOCALAPPDATA": str(folder), **changes}


VALIDATE = [sys.executable, "-m", "ludex", "validate", "spec/games/tic_tac_toe/logs/full.jsonl"]


def test_the_cache_can_be_disabled(tmp_path: Path) -> None:
    subprocess.run(VALIDATE, cwd=ROOT, env=environment(tmp_path, LUDEX_CACHE="off"), check=True, capture_output=True)
    assert not any(tmp_path.iterdir())


def test_several_processes_may_write_the_cache_at_once(tmp_path: Path, is_long: bool) -> None:
    begun = [
        subprocess.Popen(
            VALIDATE, cwd=ROOT, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        for _ in range(4 if is_long else 2)
    ]
    assert len({(each.communicate(timeout=120)[0], each.returncode) for each in begun}) == 1
    assert {each.returncode for each in begun} == {0}
    assert len(list((tmp_path / "ludex" / "games").iterdir())) == 1, "no temporary files may remain"
