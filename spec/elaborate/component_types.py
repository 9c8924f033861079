"""Elaboration of components: the ids of their rows, their columns, and their rows from the component files."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from ludex.grammar import Span
from ludex.grammar import syntax as s

from .. import spec_codes
from ..components import ComponentFile, ComponentTable, RawTable, check_documents, check_tables, decode_table
from ..values import types as t
from .declared import USED_AS_VALUES, noun, takes_brackets
from .symbols import Symbols
from .type_resolver import TypeResolver


@dataclass(frozen=True, slots=True)
class ComponentTypes:
    """Makes the types of components.

    Attributes:
        files: the component files, by the name that the spec gives them.
        documents: the tags of the game's texts.
        tables: the typed rows of each component.
    """

    symbols: Symbols
    types: TypeResolver
    files: Mapping[str, ComponentFile]
    documents: Collection[str]
    tables: dict[str, ComponentTable] = field(default_factory=dict)

    def declare(self) -> None:
        """Declare each component with the ids of its rows only, since options, types and tables may use these."""
        nodes = list(self.symbols.declared.each(s.ComponentDeclaration))
        self._check_files(nodes)
        for node in nodes:
            raw = self._raw(node)
            if raw is None:
                self.symbols.checks.mute()
            ids = raw.ids if raw else ()
            self.symbols.types[node.name] = t.ComponentType(node.name, ids, (), (), tuple(1 for _ in ids))

    def complete(self) -> None:
        """Elaborate the columns' types, then the rows. The values of a faulty table stay unknown."""
        for node in self.symbols.declared.each(s.ComponentDeclaration):
            columns = tuple((column.name, self.types.resolve(column.type)) for column in node.columns)
            self.symbols.report_repeated(column.name for column in node.columns)
            bare = self.symbols.types[node.name]
            assert isinstance(bare, t.ComponentType)
            unknown = tuple((name, t.Never()) for name, _ in columns)
            empty = tuple((None,) * len(columns) for _ in bare.ids)
            # Until the rows are decoded, and permanently if they are faulty, the columns have no type.
            self.symbols.types[node.name] = replace(bare, columns=unknown, rows=empty)
            raw = self._raw(node)
            if raw is None or not all(self.types.sound(type_) for _, type_ in columns):
                continue
            table = decode_table(raw, node.name, columns)
            self.symbols.diagnostics.extend(table.diagnostics)
            self.tables[node.name] = table
            if not table.diagnostics:
                full = t.ComponentType(node.name, raw.ids, columns, table.rows, table.copies)
                self.symbols.types[node.name] = full

    def check_words(self) -> None:
        """Report words and ids of rows with the name of a function that is written alike: they share a namespace."""
        for node in self.symbols.declared.each(s.TypeDeclaration):
            for variant in node.body.words if isinstance(node.body, s.WordsBody) else ():
                self._check_word(variant.name, bool(variant.fields), variant.name.span)
        for component in self.symbols.declared.each(s.ComponentDeclaration):
            raw = self._raw(component)
            for row in raw.rows if raw else ():
                self._check_word(row.id, False, row.span)

    def _check_word(self, word: str, brackets: bool, span: Span) -> None:
        node = self.symbols.declared.names.get(word)
        if isinstance(node, USED_AS_VALUES) and takes_brackets(node) == brackets:
            message, notes = f"`{word}` is {noun(node)} already", self.symbols.declared.notes(word)
            self.symbols.diagnostics.report(spec_codes.DUPLICATE_NAME, message, span, notes=notes)

    def _check_files(self, nodes: list[s.ComponentDeclaration]) -> None:
        """Report tables without a declaration, and declarations without a table."""
        diagnostics = self.symbols.diagnostics
        for node in nodes:
            if node.file is None:
                message = f"component `{node.name}` does not say which file holds its table"
                diagnostics.report(spec_codes.MISSING_DATA, message, node.name.span, '`from "components.yaml"`')
            elif node.file not in self.files:
                message = f"there is no file `{node.file}` in the game's folder"
                diagnostics.report(spec_codes.MISSING_DATA, message, node.file.span)
        for name, file in self.files.items():
            declared: dict[str, Span] = {node.name: node.name.span for node in nodes if node.file == name}
            diagnostics.extend(file.diagnostics)
            diagnostics.extend(check_tables(file, declared))
            diagnostics.extend(check_documents(file, self.documents))

    def _raw(self, node: s.ComponentDeclaration) -> RawTable | None:
        file = self.files.get(node.file) if node.file else None
        return file.tables.get(node.name) if file else None
