"""The functions of `import ludex`, each a short way through the library's layers.

Loaded games, and the engines for their logs, are cached as long as the game's files are unchanged.
"""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial, wraps
from pathlib import Path
from threading import local
from typing import Any, ParamSpec, TypeVar

from . import interpreter, spec
from .grammar import STDIN, Diagnostic, Failure, Message, languages, shown_value
from .interpreter import (
    Engine,
    GameRow,
    Log,
    LogRow,
    LogText,
    Play,
    Policy,
    Report,
    State,
    Validator,
    checked,
    checked_names,
)
from .spec import DEFAULT_BUDGET, Budget, Game

PATH = (str, os.PathLike)
FILES = (bool, *PATH)
SPEC_FILES = (".ludex", ".yaml", ".yml", ".json")
"""Endings of the files that a game is made of."""
MOST_KEPT = 16
"""Most games and engines in the cache; the least recently used goes first."""
Kept = TypeVar("Kept")
Key = TypeVar("Key")
Given = ParamSpec("Given")
Result = TypeVar("Result")


class _Caches(local):
    """The games by the arguments of the call, and the engines by their games.

    Each thread has its own, as an engine counts the work of one play at a time.
    """

    def __init__(self) -> None:
        self.games: OrderedDict[str, Game] = OrderedDict()
        self.engines: OrderedDict[int, Engine] = OrderedDict()


_CACHES = _Caches()


def _bounded(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Decorator: raise Failure if the machine's memory or stack is exhausted before a budget is."""

    @wraps(function)
    def call(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        try:
            return function(*args, **kwargs)
        except (MemoryError, RecursionError) as fault:
            named = next((str(each) for each in (*args, *kwargs.values()) if isinstance(each, PATH)), "")
            diagnostic = spec.exhausted(fault, f"`{function.__name__}`", named if len(named) < 200 else "")
        raise Failure((diagnostic,))

    return call


@_bounded
@checked(name_or_path=PATH, players=int, edition=str, options=Mapping, readings=Mapping, silence=str, budget=Budget)
def load(
    name_or_path: str | Path,
    *,
    players: int | None = None,
    edition: str | None = None,
    options: Mapping[str, object] | None = None,
    readings: Mapping[str, str] | None = None,
    silence: str = "borrow",
    budget: Budget = DEFAULT_BUDGET,
) -> Engine:
    """Make an engine for one game at one table.

    Args:
        name_or_path: a shipped game's name, or the path of a spec's folder or file.
        players: number of players; by default the least that the game allows.
        edition: the text by which to play; by default the first that the game names.
        options, readings: by name, where they differ from the defaults.
        silence: `borrow` or `literal`: what happens to a clause that the text does not state.
        budget: how much work the spec may ask for (`Budget().times(10)`: ten times as much).

    Raises `Failure`, with diagnostics, if there is no such game or it has faults; ValueError for a number of players
    below 0 or above 2^64 - 1.
    """
    if players is not None:
        _check_word("players", players)
    _check_settings("options", options)
    _check_settings("readings", readings)
    return Engine(_game(name_or_path, players, edition, options, readings, silence, budget=budget))


def games() -> tuple[str, ...]:
    """List the names of the shipped games."""
    return spec.shipped_games()


@_bounded
@checked(name_or_path=PATH, sources=PATH, budget=Budget)
def check(
    name_or_path: str | Path, *, sources: str | Path | None = None, budget: Budget = DEFAULT_BUDGET
) -> tuple[Diagnostic, ...]:
    """Check a spec for every edition and number of players; return every diagnostic, () if there are none.

    Args:
        sources: the folder of the rulebooks' texts, if they are available.
        budget: how much work the spec may ask for.

    Never raises for what the files hold.
    """
    return spec.check(name_or_path, words=None if sources is None else Path(sources), budget=budget).diagnostics


@_bounded
@checked(log=PATH, game=(*PATH, Engine), budget=Budget, files=FILES)
def judge(
    log: str | Path,
    *,
    game: str | Path | Engine | None = None,
    budget: Budget = DEFAULT_BUDGET,
    files: bool | str | Path = True,
) -> Report:
    """Judge a recorded game; every fault is in the report's findings. Never raises for what the log holds.

    Args:
        log: a file's path, `-` for the standard input, or the text of a log (a string with a line end, or that begins
            with a bracket).
        game: judge by this game: the path of a spec or a shipped game's name, for any table (raises `Failure` if it
            cannot be played); or an engine, which judges logs of its own table. It is a finding if the log names
            another game.
        budget: how much work the game's spec may ask for; an engine's game has its own.
        files: the files that the log may name, as its game or its position: any (True), none (False), or those in a
            folder. No other file is looked at, and no part of it shown.
    """
    return _validator(game, budget, files).validate(_log(log))


LogLike = str | Path | tuple[str, str | bytes]


@_bounded
@checked(logs=Iterable, game=(*PATH, Engine), budget=Budget, files=FILES, language=str)
def judge_many(
    logs: Iterable[LogLike],
    *,
    game: str | Path | Engine | None = None,
    budget: Budget = DEFAULT_BUDGET,
    files: bool | str | Path = True,
    language: str | None = None,
) -> Iterator[LogRow]:
    """Judge any number of recorded games, one at a time; yield a row for each. Each game is loaded once a process.

    Args:
        logs: for each log, or file of logs, a path (a file, which may be compressed, all logs of a folder, or a
            pattern), or `-`: the standard input, which is read where it is first named; a text, as for `judge`; or a
            pair of a name, for the rows, and a text. Files of a folder that are not logs are skipped. Anything else
            among them raises TypeError when its turn comes.
        game, budget, files: as for `judge`. A path among `logs` is the caller's own, and always read.
        language: of messages and hints: `en`, `ru` or `he`, with the game's terms; None: English, with the names that
            the spec has for the things of the game. Raises ValueError for another one.

    Never raises for what the logs hold.
    """
    if language not in (None, *languages()):
        raise ValueError(f"no messages are in {shown_value(language)}; they are in {', '.join(languages())}")
    # Python goes through a text letter by letter, and each would be read as the name of a log.
    if isinstance(logs, str | os.PathLike):
        raise TypeError("`logs` has to be several logs, such as a list; `judge` takes one")
    # It goes through the keys of a mapping, which would be read as paths.
    if isinstance(logs, Mapping):
        raise TypeError("`logs` must not be a mapping; `mapping.items()` gives pairs of a name and a text")
    # The rows are a generator that is returned: a generator function would check its arguments at the first row only.
    validator = _validator(game, budget, files)
    return (_row(validator, source, language) for log in _once_readable(logs) for source in _sources(log))


def _once_readable(logs: Iterable[LogLike]) -> Iterator[LogLike]:
    """Leave out the standard input where it is named again: it has been read to its end."""
    is_read = False
    for log in logs:
        is_stdin = isinstance(log, str | os.PathLike) and str(log) == STDIN
        if not (is_stdin and is_read):
            yield log
        is_read = is_read or is_stdin


def _sources(log: LogLike) -> Iterator[LogText]:
    match log:
        case str() if _is_text(log):
            return interpreter.logs_in(log, "log")
        case str() | os.PathLike():
            return (each for each in interpreter.logs_of(str(log)) if isinstance(each, LogText))
        case (str(name), str() | bytes() as text) if isinstance(log, tuple):
            return interpreter.logs_in(text, name)
    raise TypeError(f"each of `logs` must be a path, a text, or a pair of a name and a text, not {shown_value(log)}")


def _row(validator: Validator, source: LogText, language: str | None) -> LogRow:
    try:
        report = source.explained(validator.validate(source.log()))
    except Exception as fault:  # noqa: BLE001 - a fault of our own says nothing about the other logs
        report = interpreter.report_of_fault(source, fault)
    return interpreter.log_row(interpreter.report_to_json(report, language, source))


@_bounded
@checked(log=PATH, until=int, game=(*PATH, Engine), budget=Budget, files=FILES)
def replay(
    log: str | Path,
    *,
    until: int | None = None,
    game: str | Path | Engine | None = None,
    budget: Budget = DEFAULT_BUDGET,
    files: bool | str | Path = True,
) -> Play:
    """Replay a recorded game, to its end or for `until` events; return the engine, the state, the events, the
    report.

    A log with faults is replayed up to the first of them; if no game could be loaded, engine and state are None. game,
    budget, files: as for `judge`. Raises ValueError if `until` is below 0.
    """
    if until is not None and until < 0:
        raise ValueError(f"`until` has to be 0 or more, not {shown_value(until)}")
    return _validator(game, budget, files).play(_log(log), until)


@_bounded
@checked(game=(*PATH, Engine), games=int, seed=int, first=int, policy=interpreter.FUNCTION, events=bool)
def simulate(
    game: str | Path | Engine,
    games: int = 100,
    seed: int = 0,
    *,
    first: int = 1,
    policy: Policy | None = None,
    events: bool = False,
) -> Iterator[GameRow]:
    """Play random games, one at a time; yield a row for each. They are the games of `ludex simulate`.

    Args:
        game: a shipped game's name, the path of a spec, or an engine for the table that is wanted.
        games, first: how many, and the number of the first: a game depends on the seed and on its own number only.
        policy: picks one of the legal moves of a state; without one, each is equally likely.
        events: also make a row for each event, in `turns` of the game's row.

    Raises `Failure` if the game cannot be played, ValueError for a number below 0 or above 2^64 - 1; and while it
    plays, `SpecFault` where the rules do not say what happens, `OverBudget` for a game that takes too much work.
    """
    for name, given in (("games", games), ("seed", seed), ("first", first)):
        _check_word(name, given)
    engine = game if isinstance(game, Engine) else load(game)
    return (interpreter.random_game(engine, seed, number, policy, events) for number in range(first, first + games))


@checked(engine=Engine, state=State, player=int, language=str, width=int)
def picture(
    engine: Engine,
    state: State,
    player: int | None = None,
    *,
    names: Sequence[str] = (),
    language: str | None = None,
    width: int = 100,
) -> str:
    """Draw a state as `ludex show` does: boards as grids, zones in words, players side by side.

    Args:
        player: the seat that looks; None: all is shown, hidden pieces included.
        names: of the players, by seat.
        language: of the words, one of `engine.game.languages`; by default those of the spec.
        width: the most columns, where a part can be broken.

    Raises ValueError for a state of another game, a seat at which nobody sits, names that are not one for each seat,
    or a language that the game does not have.
    """
    from .cli import drawn_position

    names = checked_names(names, engine.game.players)
    if language is not None and language not in engine.game.languages:
        known = ", ".join(engine.game.languages)
        raise ValueError(f"{engine.game.name} has no words in {shown_value(language)}; it has {known}")
    return drawn_position(engine, state, player, names, language, width)


def _check_word(name: str, given: int) -> None:
    if not 0 <= given < 2**64:
        raise ValueError(f"`{name}` has to be from 0 to 2^64 - 1, not {shown_value(given)}")


def _check_settings(name: str, given: Mapping[Any, object] | None) -> None:
    for key, value in (given or {}).items():
        if not isinstance(key, str):
            raise TypeError(f"`{name}` must be by name, not by {shown_value(key)}")
        try:
            json.dumps(value)
        except (TypeError, ValueError, RecursionError) as fault:
            raise ValueError(f"`{name}` has for {shown_value(key)} what JSON cannot hold: {fault}") from None


def _log(log: str | Path) -> Log:
    return interpreter.parse_log(str(log)) if _is_text(log) else interpreter.read_log(log)


def _is_text(log: str | Path) -> bool:
    return isinstance(log, str) and ("\n" in log or log.lstrip()[:1] in ("{", "["))


# ---- games and engines that are kept


def _validator(given: str | Path | Engine | None, budget: Budget, files: bool | str | Path) -> Validator:
    find = partial(_game, budget=budget)
    if given is None:
        return Validator(find, compiled=_engine, files=files)
    if isinstance(given, Engine):
        return _validator_of(given, find, files)
    name, source = find(given).name, given

    def load(asked: str, /, *table: Any, **settings: Any) -> Game:
        _refuse_another(asked, name, "game", find)
        return find(source, *table, **settings)

    return Validator(load, (name,), _engine, files=files)


def _validator_of(engine: Engine, find: Callable[..., Game], files: bool | str | Path) -> Validator:
    name, header = engine.game.name, interpreter.header_of(engine.game)
    own = header.players, header.edition, header.options, header.readings, engine.game.silence

    def load(asked: str, /, *table: Any, **settings: Any) -> Game:
        _refuse_another(asked, name, "engine", find)
        if table == own:
            return engine.game
        if asked == name and name not in games():
            raise interpreter.not_this_engine(Message("other-table", name=repr(name)), Message("other-table-hint"))
        return find(asked, *table, **settings)

    return Validator(load, (name,), lambda game: engine if game is engine.game else _engine(game), files=files)


def _refuse_another(asked: str, name: str, given: str, find: Callable[..., Game]) -> None:
    """Raise Failure unless the log means the game of this name, by its name or by the path of a spec of it.

    given: what the caller gave, a game or an engine.
    """
    try:
        if asked == name or find(asked).name == name:
            return
    except Failure:
        pass  # what leads to no game is not this one
    message = Message(f"other-{given}", asked=repr(asked), name=repr(name))
    raise interpreter.not_this_engine(message, Message(f"other-{given}-hint"))


def _game(name_or_path: str | Path, *table: Any, **settings: Any) -> Game:
    """Load a game as `spec.load` does, from the cache if its files are unchanged."""
    # The key is text, since the options are a mapping, which has no hash.
    key = repr((str(name_or_path), table, sorted(settings.items()), _stamp(name_or_path)))
    return _kept(_CACHES.games, key, lambda: spec.load(name_or_path, *table, **settings))


def _engine(game: Game) -> Engine:
    """Return the engine of a cached game. It keeps its game, so no other game can have the same identity."""
    return _kept(_CACHES.engines, id(game), lambda: Engine(game))


def _kept(known: OrderedDict[Key, Kept], key: Key, make: Callable[[], Kept]) -> Kept:
    if key not in known:
        known[key] = make()
    known.move_to_end(key)
    while len(known) > MOST_KEPT:
        known.popitem(last=False)
    return known[key]


def _stamp(name_or_path: str | Path) -> object:
    """Return a stamp that is equal as long as no file beside the spec has changed."""
    try:
        folder = spec.find(name_or_path).parent
        with os.scandir(folder) as entries:
            files = [(entry.name, entry.stat()) for entry in entries if entry.name.endswith(SPEC_FILES)]
    except (Failure, OSError, ValueError):
        return None
    return str(folder.resolve()), sorted((name, status.st_mtime_ns, status.st_size) for name, status in files)
