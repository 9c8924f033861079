"""Pretty-printer for expressions and types: text with its possible line breaks.

Brackets are printed only where the grammar's levels of precedence need them: around a part that binds looser than its
place allows, and around an open form (a quantifier, an `if`) that is followed by something.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from .. import syntax as s
from ..source import Span

SourcePoint = tuple[int, int]
"""A line and a column of the source."""


def start_of(span: Span) -> SourcePoint:
    return span.line, span.column


def end_point(span: Span) -> SourcePoint:
    return span.end_line, span.end_column


# Breaks are compared by identity: a text may have two breaks of one depth at one place.
@dataclass(frozen=True, slots=True, eq=False)
class LineBreak:
    """A place where a text may be broken; if it is not broken, it is one space.

    Attributes:
        depth: the nesting of the place; a long text is broken at its outermost places (the least depth) first.
        before: the source place of what follows.
        fill: whether the pieces between such breaks are words of a list, of which as many go on a line as fit.
    """

    depth: int
    before: SourcePoint
    fill: bool = False


BreakableText = list[str | LineBreak]
"""A text on one line, with the places where it may be broken."""

# The grammar's levels of precedence, the loosest first. A part needs brackets if its level is below that of its place.
IMPLIES, OR, AND, NOT, COMPARISON, INTERVAL, SUM, TERM, SIGNED, POSTFIX = range(10)
_LEVELS = {
    "implies": IMPLIES,
    "or": OR,
    "and": AND,
    **dict.fromkeys(("=", "!=", "<", "<=", ">", ">=", "in", "not in"), COMPARISON),
    **dict.fromkeys(("+", "-"), SUM),
    **dict.fromkeys(("*", "div", "mod"), TERM),
}
# A line that begins with one of these continues the line above.
# `-` is not among them, as it may begin a value.
_BREAKING = ("implies", "or", "and", "+", "*")


def flat(text: BreakableText) -> str:
    """Return the text without line breaks."""
    return "".join(" " if isinstance(piece, LineBreak) else piece for piece in text)


def _joined(parts: Iterable[BreakableText], separator: str = ", ") -> BreakableText:
    result: BreakableText = []
    for number, part in enumerate(parts):
        result += [separator, *part] if number else part
    return result


def string_literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


# ---- expressions ----------------------------------------------------------------------------------------------


def expression_text(expression: s.Expression, level: int = IMPLIES, last: bool = True, depth: int = 1) -> BreakableText:
    """Return the text of an expression, in brackets if its place needs them.

    `level` is the loosest level its place takes, `last` whether an open form may be there because nothing follows
    that could be taken for its part, `depth` the depth of its outermost break.
    """
    is_open = isinstance(expression, s.Quantified | s.Conditional)
    if _level(expression) < level or (is_open and not last):
        return ["(", *_bare(expression, True, depth + 1), ")"]
    return _bare(expression, last, depth)


def _level(expression: s.Expression) -> int:
    match expression:
        case s.Binary(operator=operator):
            return _LEVELS[operator]
        case s.Not() | s.Quantified() | s.Conditional():
            return NOT
        case s.IsEmpty():
            return COMPARISON
        case s.Interval():
            return INTERVAL
        case s.Negate():
            return SIGNED
        case s.Integer(value=number) if number < 0:
            return SIGNED
        case _:
            return POSTFIX


def _bare(expression: s.Expression, last: bool, depth: int) -> BreakableText:
    match expression:
        case s.Integer(value=number):
            return [str(number)]
        case s.Boolean(value=value):
            return ["true" if value else "false"]
        case s.NoneLiteral():
            return ["none"]
        case s.Name(name=name, arguments=arguments, my=my):
            return ["my " * my + name, *arguments_text(arguments, depth)]
        case s.TypeName(name=name, arguments=arguments, optional=optional):
            return [name + "?" * optional, *arguments_text(arguments, depth)]
        case s.Can(action=action, arguments=arguments):
            return [f"can {action}", *arguments_text(arguments, depth)]
        case s.SetLiteral(items=items):
            return ["{", *_list(items, depth), "}"]
        case s.Interval(low=low, high=high):
            return [*expression_text(low, SUM, False, depth), "..", *expression_text(high, SUM, False, depth)]
        case s.Dot(operand=operand, field=field):
            return [*expression_text(operand, POSTFIX, False, depth), f".{field}"]
        case s.Negate(operand=operand):
            return ["-", *expression_text(operand, SIGNED, False, depth)]
        case s.Not(operand=operand):
            return ["not ", *expression_text(operand, NOT, last, depth)]
        case s.IsEmpty(operand=operand, negated=negated):
            return [*expression_text(operand, SUM, False, depth), " is not empty" if negated else " is empty"]
        case s.Binary():
            return _binary(expression, last, depth)
        case s.Conditional() | s.Quantified():
            return _open_form(expression, depth)
        case s.Count() | s.Aggregate() | s.Extremum() | s.Pick() | s.Top():
            return _function(expression, depth + 1)
        case _:
            assert_never(expression)


def _binary(expression: s.Binary, last: bool, depth: int) -> BreakableText:
    level = _LEVELS[expression.operator]
    if level == IMPLIES:  # groups to the right
        chained = isinstance(expression.right, s.Binary) and expression.right.operator == "implies"
        left = expression_text(expression.left, OR, False, depth + 1)
        return left + _operation(expression, IMPLIES, last, depth, depth if chained else depth + 1)
    if level == COMPARISON:  # does not chain
        left = expression_text(expression.left, INTERVAL, False, depth + 1)
        return left + _operation(expression, INTERVAL, False, depth, depth + 1)
    return _chain(expression, level, last, depth)


def _chain(expression: s.Binary, level: int, last: bool, depth: int) -> BreakableText:
    """Return the text of `a or b or c`: operators of one level group to the left, and are all broken or none."""
    # Products are broken after the sums around them.
    depth += level == TERM
    links = [expression]
    while isinstance(first := links[-1].left, s.Binary) and _LEVELS[first.operator] == level:
        links.append(first)
    text = expression_text(first, level, False, depth + 1)
    for link in reversed(links):
        text += _operation(link, level + 1, last and link is expression, depth, depth + 1)
    return text


def _operation(expression: s.Binary, level: int, last: bool, depth: int, inner: int) -> BreakableText:
    """Return the text of an operator and its right operand, whose own breaks start at depth `inner`."""
    right = expression_text(expression.right, level, last, inner)
    if expression.operator in _BREAKING:
        return [LineBreak(depth, start_of(expression.right.span)), f"{expression.operator} ", *right]
    return [f" {expression.operator} ", *right]


def _open_form(expression: s.Conditional | s.Quantified, depth: int) -> BreakableText:
    if isinstance(expression, s.Quantified):
        start: BreakableText = [f"{expression.kind} ", *generators_text(expression.generators, depth + 1)]
        return [*start, *where_text(expression.where, depth), *after("has", expression.has, depth)]
    condition = expression_text(expression.condition, depth=depth + 1)
    otherwise = expression_text(expression.otherwise, depth=depth + 1)
    return ["if ", *condition, *after("then", expression.then, depth), " else ", *otherwise]


def _function(expression: s.Count | s.Aggregate | s.Extremum | s.Pick | s.Top, depth: int) -> BreakableText:
    """Return the text of a function with a syntax of its own. depth: the depth of the breaks between its brackets."""
    match expression:
        case s.Count(generators=generators, where=where):
            return ["count(", *generators_text(generators, depth + 1), *where_text(where, depth), ")"]
        case s.Aggregate(kind=kind, value=value, generators=generators, where=where, otherwise=otherwise):
            domain = [LineBreak(depth, start_of(generators[0].span)), "for ", *generators_text(generators, depth + 1)]
            start: BreakableText = [f"{kind}(", *expression_text(value, depth=depth + 1), *domain]
            return [*start, *where_text(where, depth), *_else(otherwise, depth), ")"]
        case s.Extremum(kind=kind, items=items):
            return [f"{kind}(", *_list(items, depth), ")"]
        case s.Pick(kind=kind, generator=generator, where=where, otherwise=otherwise):
            start = [f"{kind}(", *generators_text((generator,), depth + 1)]
            return [*start, *where_text(where, depth), *_else(otherwise, depth), ")"]
        case s.Top(operand=operand):
            return ["top(", *expression_text(operand, depth=depth + 1), ")"]
        case _:
            assert_never(expression)


def where_text(condition: s.Expression | None, depth: int) -> BreakableText:
    """Return ` where ...`, or an empty text."""
    return [] if condition is None else after("where", condition, depth)


def after(word: str, expression: s.Expression, depth: int) -> BreakableText:
    """Return the text of a word that may begin a line, and its expression."""
    return [LineBreak(depth, start_of(expression.span)), f"{word} ", *expression_text(expression, depth=depth + 1)]


def _else(expression: s.Expression | None, depth: int) -> BreakableText:
    return [] if expression is None else [" else ", *expression_text(expression, depth=depth + 1)]


def _list(items: Iterable[s.Expression], depth: int) -> BreakableText:
    return _joined(expression_text(item, depth=depth + 1) for item in items)


def generators_text(generators: Iterable[s.Generator], depth: int) -> BreakableText:
    return _joined(_generator(generator, depth) for generator in generators)


def _generator(generator: s.Generator, depth: int) -> BreakableText:
    word = "within" if generator.within else "in"
    return [f"{generator.name} {word} ", *expression_text(generator.domain, INTERVAL, False, depth)]


def arguments_text(arguments: tuple[s.Argument, ...] | None, depth: int) -> BreakableText:
    """Return `(x, card: y)`, or an empty text if there are no arguments."""
    if not arguments:
        return []
    return ["(", *_joined(_argument(argument, depth + 1) for argument in arguments), ")"]


def _argument(argument: s.Argument, depth: int) -> BreakableText:
    value = expression_text(argument.value, depth=depth)
    return value if argument.label is None else [f"{argument.label}: ", *value]


def place_text(place: s.Place, depth: int = 1) -> BreakableText:
    return ["my " * place.my + place.name, *arguments_text(place.arguments, depth)]


# ---- types ----------------------------------------------------------------------------------------------------


def type_text(type_: s.TypeExpression) -> str:
    match type_:
        case s.NamedType(name=name):
            return name
        case s.OptionalType(of=of):
            return f"{of.name}?"
        case s.CollectionType(kind=kind, of=of, most=most):
            return f"{kind} of {type_text(of)}{up_to_text(most)}"
        case s.RangeType(low=low, high=high):
            return f"{_bound(low)}..{_bound(high)}"
        case _:
            assert_never(type_)


def _bound(bound: s.Expression, level: int = SUM) -> str:
    """Return the text of a bound: a sum or product of numbers and names; anything else gets brackets."""
    match bound:
        case s.Integer() | s.Negate(operand=s.Integer()) | s.Name(arguments=None, my=False):
            return flat(expression_text(bound))
        case s.Binary(operator=operator, left=left, right=right) if _LEVELS[operator] >= level:
            own = _LEVELS[operator]
            return f"{_bound(left, own)} {operator} {_bound(right, own + 1)}"
        case _:
            return f"({flat(expression_text(bound))})"


def up_to_text(most: s.Expression | None) -> str:
    """Return the text of a declared capacity, or an empty text."""
    return "" if most is None else f" up to {_bound(most)}"


def parameters_text(parameters: tuple[s.Parameter, ...]) -> str:
    """Return `(x: T, y: U)`, or an empty text if there are no parameters."""
    inside = ", ".join(f"{parameter.name}: {type_text(parameter.type)}" for parameter in parameters)
    return f"({inside})" if parameters else ""
