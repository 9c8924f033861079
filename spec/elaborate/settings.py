"""Elaboration of options and forks: their values at one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from ludex.grammar import Message
from ludex.grammar import syntax as s

from .. import model as m
from .. import spec_codes
from ..ranges.bounds import a
from ..values import types as t
from ..values.codec import JsonFault, from_json, to_json
from .symbols import ConstantFunction, Faulty, Symbols
from .type_resolver import TypeResolver


@dataclass(frozen=True, slots=True)
class Settings:
    """The options and forks of a game, by name: those without a fault."""

    symbols: Symbols
    types: TypeResolver
    options: dict[str, m.OptionSetting] = field(default_factory=dict)
    forks: dict[str, m.OptionSetting] = field(default_factory=dict)

    @property
    def all(self) -> Mapping[str, m.OptionSetting]:
        """Options and forks."""
        return {**self.options, **self.forks}

    def fork(self, node: s.ForkDeclaration) -> m.Fork:
        """Declare a fork as a constant, with the words of its readings."""
        names = list(dict.fromkeys(str(reading.name) for reading in node.readings))
        self.symbols.report_repeated(reading.name for reading in node.readings)
        # With one reading there is no question.
        if len(node.readings) < 2:
            message = f"fork `{node.name}` has only one reading: add another, or write a ruling"
            self.symbols.diagnostics.report(spec_codes.UNUSED_FORK, message, node.name.span)
        if node.default not in names:
            self.symbols.unknown(f"reading of `{node.name}`", node.default, names)
        chosen = node.default if node.decided else self.symbols.setting.readings.get(node.name, node.default)
        type_ = t.Words(node.name, tuple(t.Case(name) for name in names))
        position = names.index(chosen) if chosen in names else 0
        self.symbols.functions[node.name] = ConstantFunction(type_, position)
        default = names.index(node.default) if node.default in names else 0
        self.forks[node.name] = m.OptionSetting(node.name, type_, position, default, node.span)
        readings = tuple((reading.name, reading.text) for reading in node.readings)
        return m.Fork(node.name, readings, chosen, node.default, node.reason, node.span, node.decided)

    def declare_options(self) -> tuple[m.OptionSetting, ...]:
        """Declare the options. Each is evaluated on demand, since types and facts may connect them."""
        nodes, defines = tuple(self.symbols.declared.each(s.OptionDeclaration)), self.types.constants.defines
        defines.options.update({node.name: partial(self._option, node) for node in nodes})
        for node in nodes:
            # Until its turn, an option that is asked for while it is evaluated counts as faulty.
            self.symbols.functions.setdefault(node.name, Faulty())
        for node in nodes:
            defines.function(node.name, node.span)
        return tuple(self.options[node.name] for node in nodes if node.name in self.options)

    def _option(self, node: s.OptionDeclaration) -> None:
        type_, setting, diagnostics = self.types.resolve(node.type), self.symbols.setting, self.symbols.diagnostics
        if not isinstance(type_, t.Never) and t.size(type_) is None:
            message = f"{a(type_)} has no list of values to choose an option from"
            diagnostics.report(spec_codes.WRONG_TYPE, message, node.type.span)
            return
        default = self.types.constants.constant(node.default, type_)
        if default is None:
            return
        value = default.value
        if node.name in setting.options:
            given = from_json(type_, setting.options[node.name])
            if isinstance(given, JsonFault):
                message = Message("game-option-needs", name=f"`{node.name}`", expected=given.expected)
                diagnostics.report(spec_codes.BAD_SETTING, message, setting.span or node.span)
            else:
                value = given
        # The value is known at this table, so that whatever depends on it gets its exact range.
        narrowed = t.Range(value, value) if isinstance(type_, t.Range) and t.contains(type_, value) else type_
        self.symbols.functions[node.name] = ConstantFunction(narrowed, value)
        self.options[node.name] = m.OptionSetting(node.name, type_, value, default.value, node.span)

    def are(self, taken: Mapping[str, t.Value]) -> bool:
        """Return whether an example with these settings is for this table.

        Options that it does not take must have their defaults; forks that it does not take may have any reading."""
        options = all(option.value == taken.get(name, option.default) for name, option in self.options.items())
        return options and all(fork.value == taken.get(name, fork.value) for name, fork in self.forks.items())


def other_than_default(taken: Mapping[str, t.Value], settings: Mapping[str, m.OptionSetting]) -> dict[str, object]:
    """Return the settings that differ from the defaults, in the form of a log."""
    chosen = ((settings[name], value) for name, value in taken.items() if name in settings)
    return {each.name: to_json(each.type, value) for each, value in chosen if value != each.default}
