"""The rows of each stage of the pipeline (`ludex check --stage`), from tokens to the program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ludex.grammar import Diagnostic, format_declaration, lexemes
from ludex.interpreter import listing, lower
from ludex.spec import Game, GameText, Request, build, declared, types

from ..reporting import place, table
from ..view.edition_summary import origin_words
from .dump import dump


def stage_rows(text: GameText, stage: str, request: Request) -> tuple[list[str], tuple[Diagnostic, ...]]:
    """Return the rows of a stage, and the faults that it found.

    request: the table, for the stages that make the game of one.
    """
    match stage:
        case "tokens":
            return list(_token_rows(text)), text.diagnostics
        case "tree":
            return list(_tree_rows(text)), text.diagnostics
        case "declarations":
            merged = declared(text, request)
            return list(_declaration_rows(merged.declarations, merged.clauses, merged.silent)), merged.diagnostics
        case "model":
            built = build(text, request)
            return list(_model_rows(built.game)) if built.game else [], built.diagnostics
        case _:
            built = build(text, request)
            # A program is made of a checked game only.
            return list(listing(lower(built.game))) if built.game and not built.errors else [], built.diagnostics


def _token_rows(text: GameText) -> Iterator[str]:
    for file in text.files:
        yield f"# {file.name}"
        depth = 0
        for lexeme in lexemes(file.text, file.name):
            depth += {"_INDENT": 1, "_DEDENT": -1}.get(lexeme.kind, 0)
            at = f"{lexeme.span.line}:{lexeme.span.column}"
            yield f"{at:>8}  {'  ' * depth}{lexeme.kind:<12} {lexeme.text}".rstrip()


def _tree_rows(text: GameText) -> Iterator[str]:
    for file in text.files:
        yield f"# {file.name}"
        if file.module.header:
            yield from dump(file.module.header)
        for node in file.module.declarations:
            yield from dump(node)


def _declaration_rows(declarations: Any, clauses: Any, silent: tuple[str, ...]) -> Iterator[str]:
    for node in declarations:
        yield format_declaration(node)
        yield ""
    yield f"# {len(clauses)} clauses: path, kind, where it comes from, its place"
    rows = [
        (f"# {each.path}", each.kind, origin_words(each.origin, each.stated_by), place(each.span))
        for each in clauses.values()
    ]
    yield from table(rows) if rows else ()
    if silent:
        yield f"# silent here: {', '.join(silent)}"


def _model_rows(game: Game) -> Iterator[str]:
    yield f"{game.name}, edition {game.edition}, {game.players} players, silence {game.silence}"
    yield f"fingerprint {game.fingerprint}"
    for name, type_ in game.types.items():
        yield f"type {name}: {_members(type_)}"
    for component in game.components:
        columns = ", ".join(f"{name}: {type_}" for name, type_ in component.columns)
        yield f"component {component.name}: {len(component.ids)} kinds, {sum(component.copies)} pieces ({columns})"
    for element in game.elements:
        indices = f"({', '.join(map(str, element.indices))})" if element.indices else ""
        cells = f"cells {element.offset}..{element.offset + element.count - 1}"
        yield f"{element.kind} {element.name}{indices}: {element.type}, {element.visibility}, {cells}"
    parts: tuple[Any, ...] = (*game.defines.values(), *game.actions.values())
    parts += (*filter(None, [game.setup]), game.play, *game.scores, *game.winner, *game.refills)
    parts += (*game.invariants, *game.examples)
    for part in parts:
        yield ""
        yield from dump(part)


def _members(type_: Any) -> str:
    count = types.size(type_)
    return f"{type(type_).__name__}, {count} values" if count is not None else type(type_).__name__
