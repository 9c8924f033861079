"""Pretty-printer for statements, declarations and header values that take one line, without their authority."""

from __future__ import annotations

import re
from typing import assert_never

from .. import syntax as s
from .expressions import (
    INTERVAL,
    SUM,
    BreakableText,
    LineBreak,
    after,
    arguments_text,
    expression_text,
    flat,
    generators_text,
    parameters_text,
    place_text,
    start_of,
    string_literal,
    type_text,
    up_to_text,
    where_text,
)

StatementNode = (
    s.LocalState
    | s.Assign
    | s.Fill
    | s.Shuffle
    | s.Draw
    | s.Move
    | s.Put
    | s.Remove
    | s.Swap
    | s.Call
    | s.ChooseValue
    | s.ChooseAction
    | s.Random
    | s.OpenWindow
    | s.EndGame
    | s.Nothing
    | s.May
    | s.RepeatMay
)
"""Statements that take one line; `may` and `repeat may` do if the statement after them does."""

_PAIRED = re.compile(r"^all$|\b(?:up|down)$")
_SHAPES = {"pile": "pile of", "bag": "bag of", "one": "one"}


def is_step(statement: s.Statement) -> bool:
    if isinstance(statement, s.May | s.RepeatMay):
        return is_step(statement.body)
    return isinstance(statement, StatementNode)


# ---- statements -----------------------------------------------------------------------------------------------


def step_text(step: s.Statement) -> BreakableText:
    """Return the text of a step or a `let`."""
    match step:
        case s.May(body=body):
            return ["may ", *step_text(body)]
        case s.RepeatMay(body=body):
            return ["repeat may ", *step_text(body)]
        case s.LocalState(name=name, type=type_, value=value):
            return [f"state {name}: {type_text(type_)} = ", *expression_text(value)]
        case s.Let(name=name, value=value):
            return [f"let {name} = ", *expression_text(value)]
        case s.Assign():
            return _assign(step)
        case s.Call(action=action, arguments=arguments):
            return [action, *arguments_text(arguments, 0)]
        case s.OpenWindow(window=window, arguments=arguments):
            return [f"window {window}", *arguments_text(arguments, 0)]
        case s.ChooseValue(generators=generators, where=where):
            return ["choose ", *generators_text(generators, 1), *where_text(where, 0)]
        case s.ChooseAction(calls=calls):
            return ["choose ", *_alternatives(calls)]
        case s.Random(generator=generator, where=where):
            return ["random ", *generators_text((generator,), 1), *where_text(where, 0)]
        case s.EndGame():
            return ["end game"]
        case s.Nothing():
            return ["nothing"]
        case s.Fill() | s.Shuffle() | s.Draw() | s.Move() | s.Put() | s.Remove() | s.Swap():
            return _moving(step)
        case _:
            raise AssertionError(f"{type(step).__name__} takes more than one line")


def _assign(step: s.Assign) -> BreakableText:
    text = [*place_text(step.place), f" {step.operator} ", *expression_text(step.value)]
    if step.bound is None:
        return text
    return [*text, *after("up to" if step.operator == "+=" else "down to", step.bound, 0)]


def _alternatives(calls: tuple[s.Call, ...]) -> BreakableText:
    text = step_text(calls[0])
    for call in calls[1:]:
        text += [LineBreak(0, start_of(call.span)), "or ", *step_text(call)]
    return text


def _moving(step: s.Fill | s.Shuffle | s.Draw | s.Move | s.Put | s.Remove | s.Swap) -> BreakableText:
    """Return the text of a step that moves pieces."""
    match step:
        case s.Fill(place=place, value=value):
            return ["fill ", *place_text(place), " with ", *expression_text(value)]
        case s.Shuffle(place=place):
            return ["shuffle ", *place_text(place)]
        case s.Draw(count=count, source=source, target=target):
            origin = [" from ", *place_text(source)]
            return ["draw ", *expression_text(count), *origin, " to ", *_target(target)]
        case s.Move(piece=piece, source=source, target=target):
            origin = [] if source is None else [" from ", *place_text(source)]
            return ["move ", *(["all"] if piece is None else _moved(piece)), *origin, " to ", *_target(target)]
        case s.Put(piece=piece, target=target):
            # An `in` of the piece would be read as the word of the step.
            return ["put ", *expression_text(piece, INTERVAL, False), " in ", *_target(target)]
        case s.Remove(piece=piece, source=source):
            return ["remove ", *expression_text(piece), " from ", *place_text(source)]
        case s.Swap(left=left, right=right):
            return ["swap ", *place_text(left), " with ", *place_text(right)]
        case _:
            assert_never(step)


def _moved(piece: s.Expression) -> BreakableText:
    """Return the text of a piece, in brackets if it would read as part of `move all`, `up to` or `down to`."""
    text = expression_text(piece)
    return ["(", *text, ")"] if _PAIRED.search(flat(text)) else text


def _target(target: s.Target) -> BreakableText:
    end = f"{target.end} of " if target.end is not None else ""
    return [end, *place_text(target.place)]


def patterns_text(patterns: tuple[s.Pattern, ...]) -> str:
    return ", ".join(map(_pattern, patterns))


def _pattern(pattern: s.Pattern) -> str:
    match pattern.kind:
        case "otherwise":
            return "otherwise"
        case "number":
            return str(pattern.low) if pattern.low == pattern.high else f"{pattern.low}..{pattern.high}"
        case _:
            binds = f"({', '.join(pattern.binds)})" if pattern.binds else ""
            return f"{pattern.name}{binds}"


# ---- declarations ---------------------------------------------------------------------------------------------

OneLine = (
    s.TypeDeclaration
    | s.ZoneDeclaration
    | s.StateDeclaration
    | s.OptionDeclaration
    | s.WindowDeclaration
    | s.RefillDeclaration
    | s.NoteDeclaration
    | s.SilentDeclaration
)


def one_line_text(node: OneLine) -> BreakableText:
    match node:
        case s.TypeDeclaration():
            return _type_declaration(node)
        case s.ZoneDeclaration(name=name, indices=indices, shape=shape, of=of, most=most, visibility=visibility):
            content = f"{_SHAPES[shape]} {type_text(of)}{up_to_text(most)}"
            return [f"zone {_indexed(name, indices)}: {content}", *_visibility(visibility)]
        case s.StateDeclaration(name=name, indices=indices, initial=initial, visibility=visibility):
            value: BreakableText = [" = ", *expression_text(initial)] if initial is not None else []
            return [f"state {_indexed(name, indices)}: {type_text(node.type)}", *value, *_visibility(visibility)]
        case s.OptionDeclaration(name=name, default=default):
            return [f"option {name}: {type_text(node.type)} = ", *expression_text(default)]
        case s.WindowDeclaration(name=name, parameters=parameters):
            return [f"window {name}{parameters_text(parameters)}"]
        case s.RefillDeclaration(place=place, source=source):
            return ["refill ", *place_text(place), " from ", *place_text(source)]
        case s.NoteDeclaration():
            return _note(node)
        case s.SilentDeclaration(path=path):
            return [f"silent {path}"]
        case _:
            assert_never(node)


def _type_declaration(node: s.TypeDeclaration) -> BreakableText:
    body = node.body
    start: BreakableText = [f"type {node.name} = "]
    match body:
        case s.RangeType():
            return [*start, type_text(body)]
        case s.RecordBody(fields=fields, where=where):
            return [*start, parameters_text(fields), *where_text(where, 0)]
        case s.WordsBody(words=(first, *others)):
            text: BreakableText = [*start, _type_word(first)]
            for other in others:
                # As many words on a line as fit: one a line would make long lists of most types.
                text += [LineBreak(0, start_of(other.span), fill=True), f"| {_type_word(other)}"]
            return text
        case _:
            raise AssertionError("a type of words has words")


def _type_word(word: s.TypeWord) -> str:
    return f"{word.name}{parameters_text(word.fields)}"


def _note(node: s.NoteDeclaration) -> BreakableText:
    sign = ": " if node.text is not None else " = " if node.value is not None else ""
    return [f"note {node.name}{sign}", *note_value(node)]


def note_value(node: s.NoteDeclaration) -> BreakableText:
    """Return the text of a note after its name."""
    if node.text is not None:
        return [string_literal(node.text)]
    return expression_text(node.value) if node.value is not None else []


def mark_text(entry: s.Omission | s.Ruled | s.Order) -> str:
    """Return the text of an entry of the apparatus that is not a variant."""
    sigla = ", ".join(entry.sigla)
    match entry:
        case s.Omission():
            return f"silent {sigla}"
        case s.Ruled(reason=reason):
            return f"ruled {sigla}: {string_literal(reason)}"
        case s.Order(labels=labels):
            return f"order {sigla}: {', '.join(labels)}"


def _indexed(name: str, indices: tuple[s.TypeExpression, ...]) -> str:
    return f"{name}({', '.join(map(type_text, indices))})" if indices else name


def _visibility(visibility: str | None) -> BreakableText:
    return [f", {visibility}"] if visibility is not None else []


Headed = (
    s.TextDeclaration
    | s.ValueDeclaration
    | s.ScoreDeclaration
    | s.InvariantDeclaration
    | s.ComponentDeclaration
    | s.ActionDeclaration
    | s.SetupDeclaration
    | s.PlayDeclaration
    | s.WinnerDeclaration
    | s.ForkDeclaration
    | s.TermsDeclaration
    | s.ExampleDeclaration
)


def head_text(node: Headed) -> BreakableText:
    """Return the text of a declaration above its block, or before its value."""
    match node:
        case s.ValueDeclaration(kind=kind, name=name, parameters=parameters, cycle=cycle):
            type_ = f": {type_text(node.type)}" if node.type is not None else ""
            # An `=` in it would be read as that of the declaration.
            again = [" cycle ", *expression_text(cycle, SUM, False, 2)] if cycle is not None else []
            return [f"{kind} {name}{parameters_text(parameters)}{type_}", *again, " = "]
        case s.TextDeclaration(name=name):
            return [f"text {name}"]
        case s.ScoreDeclaration(name=name):
            return [f"score {name}: "]
        case s.InvariantDeclaration(name=name):
            return [f"invariant {name}: "]
        case s.ComponentDeclaration(name=name, file=file):
            return [f"component {name}{f' from {string_literal(file)}' if file is not None else ''}"]
        case s.ActionDeclaration(name=name, parameters=parameters, during=during, during_parameters=moment):
            when = f" during {during}{parameters_text(moment)}" if during is not None else ""
            return [f"action {name}{parameters_text(parameters)}{when}"]
        case s.SetupDeclaration():
            return ["setup"]
        case s.PlayDeclaration():
            return ["play"]
        case s.WinnerDeclaration():
            return ["winner"]
        case s.ForkDeclaration(name=name):
            return [f"fork {name}"]
        case s.TermsDeclaration():
            return ["terms"]
        case s.ExampleDeclaration(name=name):
            return [f"example {name}"]
        case _:
            assert_never(node)


def term_word_text(word: s.TermWord) -> str:
    return f"{word.language} {string_literal(word.text)}"


def check_text(check: s.Cast | s.Taken | s.After | s.AfterChance | s.Allow | s.Refuse | s.Expect) -> BreakableText:
    match check:
        case s.Cast(names=names):
            return [f"with {', '.join(names)}"]
        case s.Taken(name=name, value=value):
            return [f"with {name} = ", *expression_text(value)]
        case s.After(player=player, move=move):
            return [f"after {player} ", *step_text(move)]
        case s.AfterChance(value=value):
            return ["after chance ", *expression_text(value)]
        case s.Allow(player=player, move=move):
            return [f"allow {player} ", *step_text(move)]
        case s.Refuse(player=player, move=move, because=because):
            return [f"refuse {player} ", *step_text(move), f" because {because}"]
        case s.Expect(value=value):
            return ["expect ", *expression_text(value)]
        case _:
            assert_never(check)


# ---- the header -----------------------------------------------------------------------------------------------


def header_text(header: s.Header) -> str:
    return f"{header.kind} {header.name}" + (f" of {header.of}" if header.of is not None else "")


def header_value_text(value: s.HeaderValue) -> str:
    words: list[str] = [value.tag] if value.tag is not None else []
    if value.low is not None:
        words.append(str(value.low) if value.high in (None, value.low) else f"{value.low}..{value.high}")
    if value.text is not None:
        words.append(string_literal(value.text))
    return " ".join(words)
