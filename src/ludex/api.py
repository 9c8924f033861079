"""The functions of `import ludex`: each a short way through the library's layers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from . import interpreter, spec
from .grammar import Diagnostic
from .interpreter import Engine, Log, Play, Report, Validator
from .spec import DEFAULT_BUDGET, Budget


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
        silence: `borrow` or `literal`: what a clause is worth that the edition does not state.
        budget: how much work the spec may ask for (`Budget().times(10)`: ten times as much).

    Raises `Failure`, which carries diagnostics, if there is no such game or it has faults.
    """
    return Engine(spec.load(name_or_path, players, edition, options, readings, silence, budget))


def games() -> tuple[str, ...]:
    """Names of the games that come with Ludex."""
    return spec.shipped_games()


def check(
    name_or_path: str | Path, *, sources: str | Path | None = None, budget: Budget = DEFAULT_BUDGET
) -> tuple[Diagnostic, ...]:
    """Every diagnostic of a spec, for every edition and number of players; () if it is clean.

    sources: the folder of the rulebooks' texts, if they are at hand. budget: how much work the spec may ask for. Raises
    nothing for what the files hold.
    """
    return spec.check(name_or_path, words=None if sources is None else Path(sources), budget=budget).diagnostics


def validate(log: str | Path, *, budget: Budget = DEFAULT_BUDGET) -> Report:
    """Judge a recorded game: a file's path, or the text of a log (anything of more than one line, or that begins with
    a bracket). budget: how much work the game's spec may ask for. Raises nothing for what the log holds: what is wrong
    stands in the report's findings."""
    return Validator(partial(spec.load, budget=budget)).validate(_log(log))


def replay(log: str | Path, *, until: int | None = None, budget: Budget = DEFAULT_BUDGET) -> Play:
    """A recorded game played again, to its end or for `until` events: the engine, the state, the events, the report.

    A log with faults is played as far as it is good; if no game could be loaded, engine and state are None.
    """
    return Validator(partial(spec.load, budget=budget)).play(_log(log), until)


def _log(log: str | Path) -> Log:
    is_text = isinstance(log, str) and ("\n" in log or log.lstrip()[:1] in ("{", "["))
    return interpreter.parse_log(str(log)) if is_text else interpreter.read_log(log)
