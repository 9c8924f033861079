"""The functions of `import ludex`: each a short way through the library's layers.

Games that were loaded, and engines for their logs, are kept for the next call, as long as the game's files are as they
were.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from . import interpreter, spec
from .grammar import Diagnostic, Failure
from .interpreter import Engine, Log, Play, Report, Validator, checked
from .spec import DEFAULT_BUDGET, Budget, Game

PATH = (str, os.PathLike)
SPEC_FILES = (".ludex", ".yaml", ".yml", ".json")
"""How the names end of the files that a game is made of."""
MOST_KEPT = 16
"""So many games and engines are kept, those used last."""
_GAMES: OrderedDict[str, Game] = OrderedDict()
_ENGINES: OrderedDict[int, Engine] = OrderedDict()
Kept = TypeVar("Kept")
Key = TypeVar("Key")
Given = ParamSpec("Given")
Result = TypeVar("Result")


def _bounded(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Raise Failure, with the report of it, where the machine's memory or stack ends before a budget does."""

    @wraps(function)
    def call(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        try:
            return function(*args, **kwargs)
        except (MemoryError, RecursionError) as fault:
            named = next((str(each) for each in (*args, *kwargs.values()) if isinstance(each, PATH)), "")
            found = spec.exhausted(fault, f"`{function.__name__}`", named if len(named) < 200 else "")
        raise Failure((found,))

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
    """An engine for one game at one table.

    Args:
        name_or_path: a shipped game's name, or the path of a spec's folder or file.
        players: how many sit at the table; the least that the game allows if not given.
        edition: whose text is played; the first that the game names if not given.
        options, readings: by name, where they differ from the defaults.
        silence: `borrow` or `literal`: what becomes of a clause that its text does not state.
        budget: how much work the spec may ask for (`Budget().times(10)`: ten times as much).

    Raises `Failure`, which carries diagnostics, if there is no such game or it has faults.
    """
    return Engine(_game(name_or_path, players, edition, options, readings, silence, budget=budget))


def games() -> tuple[str, ...]:
    """Names of the games that come with Ludex."""
    return spec.shipped_games()


@_bounded
@checked(name_or_path=PATH, sources=PATH, budget=Budget)
def check(
    name_or_path: str | Path, *, sources: str | Path | None = None, budget: Budget = DEFAULT_BUDGET
) -> tuple[Diagnostic, ...]:
    """Every diagnostic of a spec, for every edition and number of players; () if it is clean.

    sources: the folder of the rulebooks' texts, if they are at hand. budget: how much work the spec may ask for. Raises
    nothing for what the files hold.
    """
    return spec.check(name_or_path, words=None if sources is None else Path(sources), budget=budget).diagnostics


@_bounded
@checked(log=PATH, game=(*PATH, Engine), budget=Budget)
def validate(log: str | Path, *, game: str | Path | Engine | None = None, budget: Budget = DEFAULT_BUDGET) -> Report:
    """Judge a recorded game: a file's path, or the text of a log (anything of more than one line, or that begins with
    a bracket). Raises nothing for what the log holds: what is wrong stands in the report's findings.

    Args:
        game: by which game the log is judged: the path of a spec or a shipped game's name, for any table (raises
            `Failure` if it cannot be played); or an engine, which is used as it is for logs of its own table. That a
            log names another game is a finding.
        budget: how much work the game's spec may ask for; an engine's game has its own.
    """
    return _validator(game, budget).validate(_log(log))


@_bounded
@checked(log=PATH, until=int, game=(*PATH, Engine), budget=Budget)
def replay(
    log: str | Path,
    *,
    until: int | None = None,
    game: str | Path | Engine | None = None,
    budget: Budget = DEFAULT_BUDGET,
) -> Play:
    """A recorded game played again, to its end or for `until` events: the engine, the state, the events, the report.

    A log with faults is played as far as it is good; if no game could be loaded, engine and state are None. game,
    budget: as for `validate`. Raises ValueError if `until` is below 0.
    """
    if until is not None and until < 0:
        raise ValueError(f"`until` has to be 0 or more, not {until}")
    return _validator(game, budget).play(_log(log), until)


def _log(log: str | Path) -> Log:
    is_text = isinstance(log, str) and ("\n" in log or log.lstrip()[:1] in ("{", "["))
    return interpreter.parse_log(str(log)) if is_text else interpreter.read_log(log)


# ---- games and engines that are kept


def _validator(given: str | Path | Engine | None, budget: Budget) -> Validator:
    found = partial(_game, budget=budget)
    if given is None:
        return Validator(found, compiled=_engine)
    if isinstance(given, Engine):
        return _validator_of(given, found)
    name, source = found(given).name, given

    def load(asked: str, /, *table: Any, **settings: Any) -> Game:
        _refuse_another(asked, name, "game", found)
        return found(source, *table, **settings)

    return Validator(load, (name,), _engine)


def _validator_of(engine: Engine, found: Callable[..., Game]) -> Validator:
    name, header = engine.game.name, interpreter.header_of(engine.game)
    own = header.players, header.edition, header.options, header.readings, engine.game.silence

    def load(asked: str, /, *table: Any, **settings: Any) -> Game:
        _refuse_another(asked, name, "engine", found)
        if table == own:
            return engine.game
        if asked == name and name not in games():
            message = f"the engine given plays {name!r} at another table than the log's"
            hint = "load the engine with the players, edition, options and readings that the log's header names"
            raise interpreter.not_this_engine(message, hint)
        return found(asked, *table, **settings)

    return Validator(load, (name,), lambda game: engine if game is engine.game else _engine(game))


def _refuse_another(asked: str, name: str, given: str, found: Callable[..., Game]) -> None:
    """Raises Failure where the log does not mean the game of this name by what it asks for: the name, or the path of a
    spec of it. given: what the caller gave, a game or an engine."""
    try:
        if asked == name or found(asked).name == name:
            return
    except Failure:
        pass
    message = f"the log names the game {asked!r}; the {given} given {'plays' if given == 'engine' else 'is'} {name!r}"
    raise interpreter.not_this_engine(message, f"give the {given} that the log names, or none")


def _game(name_or_path: str | Path, *table: Any, **settings: Any) -> Game:
    """`spec.load`, which reads nothing again that is as it was."""
    key = repr((str(name_or_path), table, sorted(settings.items()), _stamp(name_or_path)))
    return _kept(_GAMES, key, lambda: spec.load(name_or_path, *table, **settings))


def _engine(game: Game) -> Engine:
    """The engine of a game that is kept; it keeps its game, so no other can have the same identity."""
    return _kept(_ENGINES, id(game), lambda: Engine(game))


def _kept(known: OrderedDict[Key, Kept], key: Key, make: Callable[[], Kept]) -> Kept:
    if key not in known:
        known[key] = make()
    known.move_to_end(key)
    while len(known) > MOST_KEPT:
        known.popitem(last=False)
    return known[key]


def _stamp(name_or_path: str | Path) -> object:
    """Equal as long as no file beside the spec has changed."""
    try:
        folder = spec.find(name_or_path).parent
        with os.scandir(folder) as entries:
            files = [(entry.name, entry.stat()) for entry in entries if entry.name.endswith(SPEC_FILES)]
    except (Failure, OSError, ValueError):
        return None
    return str(folder.resolve()), sorted((name, kept.st_mtime_ns, kept.st_size) for name, kept in files)
