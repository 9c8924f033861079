"""Expressions in symbols: what is read and called, what is made of parts, and what branches."""

from __future__ import annotations

from collections.abc import Mapping

from ludex.spec import OverBudget
from ludex.spec import model as m
from ludex.spec import types as t

from ...events import Undefined
from .gates import FALSE, TRUE, Literal
from .translate import Env, Found, Translation, Translator
from .values import Cases, Members, Number, Symbol, Truth, Unsupported, constant


def _constant(x: Translator, expr: m.Constant, env: Env) -> Found:
    return constant(expr.type, expr.value), FALSE


def _local(x: Translator, expr: m.Local, env: Env) -> Found:
    return x.slot(expr.slot, env), FALSE


def _all_values(x: Translator, expr: m.AllValues, env: Env) -> Found:
    return Members(dict.fromkeys(t.values(expr.of), TRUE)), FALSE


def _read(x: Translator, expr: m.Read, env: Env) -> Found:
    places, fault = _places(x, expr, env)
    return x.values.among([(when, x.shared.cell(expr.element, at)) for at, when in places.items()]), fault


def _places(x: Translator, expr: m.Read, env: Env) -> tuple[Mapping[int, Literal], Literal]:
    """The cells that may be meant."""
    indices = [x.cases(index, env) for index in expr.indices]
    found: dict[int, list[Literal]] = {}
    faults = [fault for _, fault in indices]
    for values, when in x.product([cases for cases, _ in indices]):
        pairs = zip(values, expr.element.indices, strict=True)
        if any(value is None and not isinstance(of, t.Optional) for value, of in pairs):
            faults.append(when)
            continue
        at = x.engine.machine.cell(expr.element.name, values)
        found.setdefault(at, []).append(when)
    return {at: x.gates.either(whens) for at, whens in found.items()}, x.gates.either(faults)


def _table_field(x: Translator, expr: m.TableField, env: Env) -> Found:
    cases, fault = x.cases(expr.operand, env)
    parts = [(None if value is None else expr.table[value], when) for value, when in cases.items()]
    return x.values.typed(expr.type, x.values.gathered(parts)), fault


def _call(x: Translator, expr: m.CallDefine, env: Env) -> Found:
    define = x.game.defines[expr.name]
    if expr.name not in x.reading:
        return _tabled(x, expr, env)
    if define.cycle is not None:
        raise Unsupported
    given = [x.of(argument, env) for argument in expr.arguments]
    inner = dict(enumerate((symbol for symbol, _ in given), start=1))
    found, fault = x.of(define.body, inner)
    return found, x.gates.either((fault, *(each for _, each in given)))


def _tabled(x: Translator, expr: m.CallDefine, env: Env) -> Found:
    """A call that reads no state: worked out for all arguments that may be meant."""
    given = [x.cases(argument, env) for argument in expr.arguments]
    parts: list[tuple[t.Value, Literal]] = []
    faults = [fault for _, fault in given]
    for values, when in x.product([cases for cases, _ in given]):
        try:
            value = x.engine.machine.called(expr.name, values)
        except OverBudget:
            raise Unsupported from None
        except Undefined:
            faults.append(when)
            continue
        parts.append((value, when))
    if not parts:
        raise Unsupported
    return x.values.typed(expr.type, x.values.gathered(parts)), x.gates.either(faults)


def _make_record(x: Translator, expr: m.MakeRecord, env: Env) -> Found:
    assert isinstance(expr.record, t.Record)
    parts = [x.cases(part, env) for part in expr.parts]
    found = [(expr.record.positions.get(values), when) for values, when in x.product([each for each, _ in parts])]
    return Cases(x.values.gathered(found)), x.gates.either(fault for _, fault in parts)


def _make_word(x: Translator, expr: m.MakeWord, env: Env) -> Found:
    assert isinstance(expr.words, t.Words)
    parts = [x.cases(part, env) for part in expr.parts]
    faults = [fault for _, fault in parts]
    found: list[tuple[t.Value, Literal]] = []
    for values, when in x.product([each for each, _ in parts]):
        position = expr.words.positions.get((expr.case, values))
        if position is None:
            faults.append(when)
        else:
            found.append((position, when))
    return Cases(x.values.gathered(found)), x.gates.either(faults)


def _set_of(x: Translator, expr: m.SetExpr, env: Env) -> Found:
    items = [x.cases(item, env) for item in expr.items]
    parts = [pair for cases, _ in items for pair in cases.items()]
    return Members(x.values.gathered(parts)), x.gates.either(fault for _, fault in items)


def _interval(x: Translator, expr: m.IntervalExpr, env: Env) -> Found:
    (low, low_fault), (high, high_fault) = x.cases(expr.low, env), x.cases(expr.high, env)
    ends = [value for value in (*low, *high) if value is not None]
    parts = []
    for value in range(min(ends, default=0), max(ends, default=-1) + 1):
        above = x.gates.either(when for each, when in low.items() if each is not None and each <= value)
        below = x.gates.either(when for each, when in high.items() if each is not None and value <= each)
        parts.append((value, x.gates.both((above, below))))
    return Members(x.values.gathered(parts)), x.gates.either((low_fault, high_fault))


def _checked(x: Translator, expr: m.Checked, env: Env) -> Found:
    found, fault = x.of(expr.operand, env)
    if isinstance(found, Number) and isinstance(expr.type, t.Range):
        ends = Cases({expr.type.low: TRUE}), Cases({expr.type.high: TRUE})
        fits = x.values.at_most(ends[0], found)[0], x.values.at_most(found, ends[1])[0]
        return found, x.gates.either((fault, fits[0] ^ 1, fits[1] ^ 1))
    if isinstance(found, Cases):
        wrong = [when for value, when in found.of.items() if not _lies_in(expr.type, value)]
        kept = {value: when for value, when in found.of.items() if _lies_in(expr.type, value)}
        if not kept:
            raise Unsupported
        return x.values.typed(expr.type, kept), x.gates.either((fault, *wrong))
    if isinstance(found, Members) and isinstance(expr.type, t.SetOf) and expr.type.most is None:
        of = expr.type.of
        return found, x.gates.either((fault, *(when for item, when in found.of.items() if not _lies_in(of, item))))
    if isinstance(found, Truth):
        return found, fault
    raise Unsupported


def _if(x: Translator, expr: m.IfExpr, env: Env) -> Found:
    when, fault = x.truth(expr.condition, env)
    if when in {TRUE, FALSE}:
        found, other = x.of(expr.then if when == TRUE else expr.otherwise, env)
        return found, x.gates.either((fault, other))
    (then, one_fault), (otherwise, two_fault) = x.of(expr.then, env), x.of(expr.otherwise, env)
    return x.values.choose(when, then, otherwise), x.gates.either((fault, x.gates.choose(when, one_fault, two_fault)))


def _let(x: Translator, expr: m.LetExpr, env: Env) -> Found:
    value, fault = x.of(expr.value, env)
    found, other = x.of(expr.body, {**env, expr.slot: value})
    return found, x.gates.either((fault, other))


def _match(x: Translator, expr: m.MatchExpr, env: Env) -> Found:
    cases, fault = x.cases(expr.subject, env)
    left, options, faults = dict(cases), [], [fault]
    for case in expr.cases:
        mine = {value: left.pop(value) for value in list(left) if case.values is None or value in case.values}
        if not mine:
            continue
        when = x.gates.either(mine.values())
        inner = dict(env)
        for bind in case.binds:
            inner[bind.slot] = Cases(x.values.gathered((bind.table[value], each) for value, each in mine.items()))
        found, wrong = x.of(case.body, inner)
        options.append((when, found))
        faults.append(x.gates.both((when, wrong)))
    faults.extend(left.values())
    return x.values.among(options), x.gates.either(faults)


def _with_exceptions(x: Translator, expr: m.WithExceptions, env: Env) -> Found:
    gates, values = x.gates, x.values
    held: list[tuple[Literal, Symbol]] = []
    faults: list[Literal] = []
    found: list[tuple[Literal, Symbol]] = []
    none = TRUE
    for case in expr.exceptions:
        (when, one_fault), (value, two_fault) = x.truth(case.condition, env), x.of(case.value, env)
        faults += [one_fault, gates.both((when, two_fault))]
        faults += [gates.both((when, other, values.equal(value, said) ^ 1)) for other, said in held]
        found.append((gates.both((none, when)), value))
        none = gates.both((none, when ^ 1))
        held.append((when, value))
    body, fault = x.of(expr.body, env)
    return values.among([*found, (none, body)]), gates.either((*faults, gates.both((none, fault))))


def _nothing(x: Translator, expr: m.Expr, env: Env) -> Found:
    """What depends on more than cells and names (`can`: on whole actions)."""
    raise Unsupported


def _lies_in(of: t.Type, value: t.Value) -> bool:
    return isinstance(of, t.Optional) if value is None else t.contains(of, value)


EXPRESSIONS: Mapping[type, Translation] = {
    m.Constant: _constant,
    m.Local: _local,
    m.Read: _read,
    m.CallDefine: _call,
    m.TableField: _table_field,
    m.MakeRecord: _make_record,
    m.MakeWord: _make_word,
    m.IfExpr: _if,
    m.Checked: _checked,
    m.SetExpr: _set_of,
    m.IntervalExpr: _interval,
    m.AllValues: _all_values,
    m.CanPerform: _nothing,
    m.MatchExpr: _match,
    m.LetExpr: _let,
    m.WithExceptions: _with_exceptions,
}
