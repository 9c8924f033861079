"""Common parts of all commands: their class, shared options, and the settings of a game's table."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import field, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ludex.grammar import value_class

from .reporting import Exit, say

if TYPE_CHECKING:
    from ludex.grammar import Diagnostic
    from ludex.spec import Budget, Game, OpenGame, Request

ALL = "all"
"""The word for every edition of a game."""

AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])
Decorator = Callable[[AnyFunction], AnyFunction]


class Command(click.Command):
    """A command whose function returns an `Exit`, or None for success. It reports a `Failure` or a spec fault in the
    format asked for."""

    def invoke(self, ctx: click.Context) -> Exit:
        try:
            return super().invoke(ctx) or Exit.GOOD
        except Exception as fault:
            diagnostics = _about(fault, ctx)
            if diagnostics is None:
                raise
            from ludex.grammar import Unreadable

            from .reporting import Reporter, exit_of

            Reporter().show(diagnostics, ctx.params.get("format") == "json")
            return Exit.UNREADABLE if isinstance(fault, Unreadable) else exit_of(diagnostics)


def _about(fault: Exception, ctx: click.Context) -> tuple[Diagnostic, ...] | None:
    """Return the diagnostics of a spec fault or an input fault; None for a fault of Ludex."""
    from ludex.grammar import Diagnostic, Failure, Message
    from ludex.interpreter import SPEC_FAULT, SpecFault
    from ludex.spec import OverBudget, exhausted

    # What takes all memory or nests too deep was read from a file, so it is the input that has to change.
    if isinstance(fault, MemoryError | RecursionError):
        given = ctx.params.get("game") or ctx.params.get("games") or ctx.params.get("logs") or ""
        named = " ".join(map(str, given)) if isinstance(given, tuple | list) else str(given)
        return (exhausted(fault, f"`ludex {ctx.info_name}`", named),)
    if isinstance(fault, Failure):
        return fault.diagnostics
    if isinstance(fault, OverBudget):
        return (fault.diagnostic(),)
    if isinstance(fault, SpecFault):
        message = Message("budget-in-clause", message=fault.message, clause=fault.path) if fault.path else fault.message
        return (Diagnostic(SPEC_FAULT, message, fault.span),)
    return None


def subcommand(name: str, example: str) -> Callable[[Callable[..., Exit | None]], click.Command]:
    """Decorator: make a command of this name, whose help ends with the example."""
    shown = "\n".join(f"  ludex {line}" for line in example.splitlines())
    return click.command(name, cls=Command, epilog=f"\b\nExample:\n{shown}")


class GameName(click.types.StringParamType):
    """The name of a shipped game, or a path. If the word could be both, a note says which is meant."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from ludex.spec import hidden_by_shipped

        if hidden_by_shipped(value):
            from .reporting import words

            say(words("note-shipped-game", name=value, path=f"./{value}"), err=True)
        return value


GAME = GameName()


class Seed(click.types.IntParamType):
    """A seed, as `Generator` takes it."""

    name = "seed"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            seed = int(value)
        except ValueError:
            # A word gets the same message as a number out of range.
            seed = -1
        if not 0 <= seed < 2**64:
            from ludex.grammar import Message

            self.fail(Message("usage-seed", value=str(value), most=str(2**64 - 1)), param, ctx)
        return seed


SEED = Seed()


class Count(click.IntRange):
    """A whole number within bounds."""

    name = "whole number"


class EventPlace(click.ParamType[Any]):
    """An event of a log: its number, or `line:N`, the number of its line. The value is both, one of them None."""

    name = "event"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int | None, int | None]:
        if isinstance(value, tuple):
            return value
        word, is_line, number = value.rpartition("line:")
        written = number if is_line and not word else value
        if not re.fullmatch(r"\s*[+-]?[0-9]+\s*", written):
            from ludex.grammar import Message, shown_text

            self.fail(Message("usage-event-place", value=shown_text(value)), param, ctx)
        at = COUNT.convert(written, param, ctx)
        return (None, at) if is_line else (at, None)


COUNT = Count(min=1)


class Seconds(click.FloatRange):
    """A number of seconds. It refuses `nan`, which no bounds exclude."""

    name = "number of seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds: float = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            from ludex.grammar import Message

            self.fail(Message("usage-seconds", value=str(value)), param, ctx)
        return seconds


# ---- options that many commands share ---------------------------------------------------------------------------


def format_option_of(*kinds: str) -> Callable[[AnyFunction], AnyFunction]:
    """Add --format with these formats, of which the first is the default."""
    help_ = "Print for people, or for programs."
    return click.option("--format", type=click.Choice(kinds), default=kinds[0], show_default=True, help=help_)


format_option = format_option_of("text", "json")


def seed_option(function: AnyFunction) -> AnyFunction:
    help_ = "Seed of the random numbers: the same seed gives the same result."
    return click.option("--seed", type=SEED, default=0, show_default=True, metavar="N", help=help_)(function)


def _allowed(ctx: click.Context, parameter: click.Parameter, times: int) -> Budget:
    from ludex.spec import DEFAULT_BUDGET

    return DEFAULT_BUDGET.times(times)


def budget_option(function: AnyFunction) -> AnyFunction:
    help_ = "Allow a spec N times the work and memory."
    times = Count(1, 10_000)
    option = click.option(
        "--budget", type=times, default=1, show_default=True, metavar="N", callback=_allowed, help=help_
    )
    return option(function)


def _spoken(ctx: click.Context, parameter: click.Parameter, tag: str | None) -> str | None:
    from .reporting import use_language

    return use_language(tag)


def _known(ctx: click.Context, parameter: click.Parameter, tag: str | None) -> None:
    from ludex.grammar import Message, languages

    if tag is not None and _spoken(ctx, parameter, tag) not in languages():
        raise click.BadParameter(Message("usage-language", tag=tag, names=languages()))


def lang_option(function: AnyFunction) -> AnyFunction:
    help_ = "The language of the output, with the game's own words in it: en, ru, he."
    # The option is eager, so that faults of all other options are reported in this language.
    return click.option("--lang", metavar="TAG", callback=_spoken, is_eager=True, help=help_)(function)


def message_lang_option(function: AnyFunction) -> AnyFunction:
    """Add --lang to a command that prints no words of a game; its callback sets the language of the run."""
    help_ = "The language of the output: en, ru, he.  [default: en]"
    # This option is eager for the same reason as that of `lang_option`.
    option = click.option("--lang", metavar="TAG", callback=_known, is_eager=True, expose_value=False, help=help_)
    return option(function)


def _called(ctx: click.Context, parameter: click.Parameter, text: str | None) -> tuple[str, ...]:
    if text is None:
        return ()
    names = tuple(name.strip() for name in text.split(","))
    # A number would be taken for a seat.
    if not all(names) or len(set(names)) < len(names) or any(name.isdecimal() for name in names):
        from ludex.grammar import Message

        raise click.UsageError(Message("usage-names"))
    return names


def names_option(function: AnyFunction) -> AnyFunction:
    """Add --names; the function gets a tuple, empty if it is not given."""
    help_ = "The players' names, by seat."
    return click.option("--names", metavar="A,B,...", callback=_called, help=help_)(function)


def sources_option(function: AnyFunction) -> AnyFunction:
    folder = click.Path(exists=True, file_okay=False, path_type=Path)
    help_ = "The folder of the rulebooks' texts; reports then quote the cited lines."
    return click.option("--sources", type=folder, metavar="DIR", help=help_)(function)


def table_options(function: AnyFunction) -> AnyFunction:
    """Add --players, --edition, --option, --reading, --silence, --budget; the function gets them as `table`."""
    return _with_table(function, "The edition played.  [default: the game's first]")


def tables_options(default: str) -> Decorator[Any]:
    """Add the same options for a command that accepts `all` for the edition. default: the default in words, for the
    help."""
    return lambda function: _with_table(function, f"The edition played; `{ALL}`: each in turn.  [default: {default}]")


def _with_table(function: AnyFunction, edition: str) -> AnyFunction:
    @wraps(function)
    def with_table(*arguments: Any, **given: Any) -> Any:
        names = ("players", "edition", "option", "reading", "silence", "budget")
        return function(*arguments, table=TableSettings(**{name: given.pop(name) for name in names}), **given)

    # Click lists options from the last decorator to the first.
    for option in reversed(_table_options(edition)):
        with_table = option(with_table)
    return with_table  # type: ignore[return-value]


def pairs(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    from ludex.grammar import Message

    pairs: list[tuple[str, str]] = []
    for value in values:
        name, sign, wanted = value.partition("=")
        if not sign or not name.strip():
            raise click.BadParameter(Message("usage-form", value=value, form=str(parameter.metavar)))
        # The last one would win, and nobody would know that the first was ignored.
        if name.strip() in dict(pairs):
            raise click.BadParameter(Message("usage-given-twice", name=name.strip()))
        pairs.append((name.strip(), wanted.strip()))
    return tuple(pairs)


def silence_option(function: AnyFunction) -> AnyFunction:
    kinds = click.Choice(["borrow", "literal"])
    help_ = "Clauses that the text lacks: borrow them from another text, or leave them out."
    return click.option("--silence", type=kinds, default="borrow", show_default=True, help=help_)(function)


def _table_options(edition: str) -> tuple[Callable[[Any], Any], ...]:
    return (
        click.option("--players", type=int, metavar="N", help="Number of players.  [default: the lowest]"),
        click.option("--edition", metavar="NAME", help=edition),
        click.option("--option", multiple=True, metavar="NAME=VALUE", callback=pairs, help="An option of the game."),
        click.option("--reading", multiple=True, metavar="FORK=READING", callback=pairs, help="The reading of a fork."),
        silence_option,
        budget_option,
    )


@value_class
class TableSettings:
    """The settings of a game's table on the command line; budget: None is the default."""

    players: int | None = None
    edition: str | None = None
    option: tuple[tuple[str, str], ...] = ()
    reading: tuple[tuple[str, str], ...] = ()
    silence: str = "borrow"
    # A larger budget changes nothing that is played, so a table with one is still the default table.
    budget: Budget | None = field(default=None, compare=False)

    @property
    def allowed(self) -> Budget:
        """The budget for the spec."""
        from ludex.spec import DEFAULT_BUDGET

        return self.budget or DEFAULT_BUDGET

    @property
    def is_default(self) -> bool:
        return self == TableSettings()

    def editions(self, game: OpenGame) -> tuple[TableSettings, ...]:
        """List a table for each edition that is asked for: for `all`, every edition of the game. Raises Failure."""
        if self.edition != ALL:
            return (self,)
        editions = game.text.names or (None,)
        return tuple(replace(self, edition=edition) for edition in editions)

    def request(self) -> Request:
        from ludex.spec import Request

        options = {name: _value(text) for name, text in self.option}
        return Request(self.players, self.edition, self.silence, options, dict(self.reading))

    def load(self, name_or_path: str) -> Game:
        """Load the game for this table. Raises Failure."""
        from ludex.spec import load

        asked = self.request()
        setting = asked.players, asked.edition, asked.options, asked.readings, asked.silence
        return load(name_or_path, *setting, self.allowed)

    def load_for(self, name_or_path: str, names: tuple[str, ...]) -> Game:
        """Load the game for these players, () for any. Raises Failure, and UsageError if others play than are named."""
        # The names say how many play.
        table = replace(self, players=len(names)) if names and self.players is None else self
        game = table.load(name_or_path)
        check_names(game, names)
        return game


def check_names(game: Game, names: tuple[str, ...]) -> None:
    """Raise UsageError if there are names, but not one for each player."""
    if names and len(names) != game.players:
        from ludex.grammar import Message

        raise click.UsageError(Message("usage-names-count", count=len(names), players=game.players))


def _value(text: str) -> object:
    """Parse an option's value as in a log; text that is not JSON is a word."""
    try:
        return json.loads(text)
    # A word may begin with brackets by the thousand.
    except (ValueError, RecursionError):
        return text
