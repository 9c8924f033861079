"""Provenance of a datum: stated in the rulebook, found elsewhere, or assumed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ludex.grammar import Citation, Code, Diagnostics, Note, Span, did_you_mean, shown_text
from ludex.grammar import yaml_tree as y

from ..values.phrases import found_words
from .component_codes import BAD_PROVENANCE, UNKNOWN_ENTRY, UNKNOWN_SOURCE, UNUSED_SOURCE

ProvenanceKind = Literal["stated", "found", "assumed", "unclear"]
"""`unclear`: the provenance is faulty and was reported."""

_KINDS = ("stated", "found", "assumed")
# The JSON Schema uses these patterns, too, and searches for them: hence the anchors.
CITATION = r"^ *[a-z][a-z0-9_.]* +[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?( *, *[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?)* *$"
ADDRESS = r"^(https?://[^\s/]+\S*|copy of \S.*)$"
SOURCE_NAME = r"^[a-z_][a-z0-9_]*$"
SOME_TEXT = r"\S"


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of data.

    Attributes:
        citations: for `stated`, the lines that state the data; for `assumed`, lines that limit what may be assumed.
        found_at: for `found`, web addresses or the copy of the game that was looked at.
        reason: for `assumed`, the reason for the value.
        note: a remark for readers.
        name: the name of the entry of `sources` that it comes from, if any.
    """

    kind: ProvenanceKind
    span: Span
    citations: tuple[Citation, ...] = ()
    found_at: tuple[str, ...] = ()
    reason: str = ""
    note: str = ""
    name: str | None = None

    def __str__(self) -> str:
        cited = ", ".join(map(citation_text, self.citations))
        match self.kind:
            case "stated":
                return f"stated: {cited}"
            case "found":
                return f"found: {', '.join(self.found_at)}"
            case "assumed":
                return f"assumed: {self.reason}" + (f" (within {cited})" if cited else "")
            case "unclear":
                return "unclear"


def citation_text(citation: Citation) -> str:
    """Return a citation as an author writes it: `ru 41, 43-45`."""
    lines = (str(first) if first == last else f"{first}-{last}" for first, last in citation.lines)
    return f"{citation.document} {', '.join(lines)}"


_FORMS = "one of `stated: ru 41`, `found: https://...`, `assumed: why this value`, or a name from `sources`"


class ProvenanceReader:
    """Reads provenances, and records the named ones and which of them are used."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        self.named: dict[str, Provenance] = {}
        self.all: list[Provenance] = []
        self._used: set[str] = set()

    def name(self, name: str, entry: y.Entry) -> None:
        """Read an entry of `sources`."""
        if not re.search(SOURCE_NAME, name):
            message = f'a source cannot have the name "{shown_text(name)}": use small letters, digits and _'
            self.diagnostics.report(BAD_PROVENANCE, message, entry.key)
            # The name is at fault, and that nothing uses it would be a second report of it.
            self._used.add(name)
        self.named[name] = self._read_forms(entry.node, name)

    def read(self, node: y.Node) -> Provenance:
        """Read a provenance: the name of a source, or one written on the spot."""
        if not isinstance(node, y.Scalar):
            return self._read_forms(node, None)
        name = node.value
        if isinstance(name, str) and name in self.named:
            self._used.add(name)
            return self.named[name]
        return self._unknown(node)

    def report_unused(self, entries: Mapping[str, y.Entry]) -> None:
        for name, entry in entries.items():
            if name not in self._used:
                self.diagnostics.report(UNUSED_SOURCE, f'no datum names the source "{name}"', entry.key)

    def _unknown(self, node: y.Scalar) -> Provenance:
        name = node.value
        # A text with one of these signs is not a name with a slip, but an address or a citation without its word.
        if isinstance(name, str) and name and not set(name) & set(" :/"):
            hint = did_you_mean(name, self.named) or f"write {_FORMS}"
            self.diagnostics.report(UNKNOWN_SOURCE, f'`sources` has no entry "{shown_text(name)}"', node.span, hint)
        else:
            self._bad(f"expected {_FORMS}, found {found_words(name)}", node.span)
        return Provenance("unclear", node.span)

    def _bad(self, message: str, span: Span, hint: str | None = None, code: Code = BAD_PROVENANCE) -> None:
        self.diagnostics.report(code, message, span, hint)

    def _read_forms(self, node: y.Node, name: str | None) -> Provenance:
        unclear = Provenance("unclear", node.span, name=name)
        if not isinstance(node, y.Fields):
            self._bad(f"expected {_FORMS}, found {found_words(y.plain(node))}", node.span)
            return unclear
        kinds = [kind for kind in _KINDS if kind in node.entries]
        bad = list(self._strangers(node, kinds))
        if len(kinds) != 1:
            if len(kinds) > 1:
                first, second = (node.entries[kind].key for kind in kinds[:2])
                message = f"data are either {kinds[0]} or {kinds[1]}, not both"
                self.diagnostics.report(BAD_PROVENANCE, message, second, None, (Note("the other is here", first),))
            # A misspelt `stated` was reported as unknown, so its absence is not a second fault.
            elif not bad:
                self._bad(f"expected {_FORMS}", node.span)
            return unclear
        provenance = self._read_kind(kinds[0], node, name)
        self.all.append(provenance)
        return provenance

    def _strangers(self, node: y.Fields, kinds: list[str]) -> Iterator[str]:
        # What is stated or found needs no limits: it is known.
        allowed = [*_KINDS, "note", *(["constrained_by"] if kinds == ["assumed"] else [])]
        for key, entry in node.entries.items():
            if key not in allowed:
                yield key
                hint = did_you_mean(key, allowed)
                if key == "constrained_by":
                    hint = "only `assumed` has it"
                self._bad(f'a provenance has no "{shown_text(key)}"', entry.key, hint, UNKNOWN_ENTRY)

    def _read_kind(self, kind: str, node: y.Fields, name: str | None) -> Provenance:
        value, note = node.entries[kind], self._text(node.entries.get("note"))
        match kind:
            case "stated":
                return Provenance("stated", node.span, self._citations(value), note=note, name=name)
            case "found":
                return Provenance("found", node.span, (), self._addresses(value), note=note, name=name)
            case _:
                within = node.entries.get("constrained_by")
                citations = self._citations(within) if within else ()
                return Provenance("assumed", node.span, citations, (), self._text(value), note, name)

    def _text(self, entry: y.Entry | None) -> str:
        if entry is None:
            return ""
        value = entry.node.value if isinstance(entry.node, y.Scalar) else None
        if isinstance(value, str) and re.search(SOME_TEXT, value):
            return value.strip()
        self._bad(f"expected words, found {found_words(y.plain(entry.node))}", entry.node.span)
        return ""

    def _texts(self, entry: y.Entry) -> tuple[tuple[str, Span], ...]:
        """Return the texts of an entry, which is one text or a list of them."""
        nodes = entry.node.items if isinstance(entry.node, y.Items) else (entry.node,)
        if not nodes:
            self._bad("expected at least one item, found an empty list", entry.node.span)
        texts = []
        for node in nodes:
            if isinstance(node, y.Scalar) and isinstance(node.value, str):
                texts.append((node.value, node.span))
            else:
                self._bad(f"expected a text, found {found_words(y.plain(node))}", node.span)
        return tuple(texts)

    def _citations(self, entry: y.Entry) -> tuple[Citation, ...]:
        citations = []
        for text, span in self._texts(entry):
            if not re.search(CITATION, text):
                hint = "a document's tag, a space, then lines and spans of lines with commas between them"
                self._bad(
                    f'expected a citation such as ru 41 or "ru 41, 43-45", found "{shown_text(text)}"', span, hint
                )
                continue
            tag, lines = text.split(maxsplit=1)
            spans = tuple(_line_span(part) for part in lines.split(","))
            if any(first > last for first, last in spans):
                self._bad(f'a span of lines ends before it begins in "{shown_text(text)}"', span)
                continue
            citations.append(Citation(span, tag, spans))
        return tuple(citations)

    def _addresses(self, entry: y.Entry) -> tuple[str, ...]:
        addresses = []
        for text, span in self._texts(entry):
            if re.search(ADDRESS, text):
                addresses.append(text.strip())
            else:
                hint = "`found: https://...` for a page, `found: copy of EDITION, YEAR` for the game on your table"
                self._bad(f'expected an address, found "{shown_text(text)}"', span, hint)
        return tuple(addresses)


def _line_span(text: str) -> tuple[int, int]:
    first, _, last = text.strip().partition("-")
    return int(first), int(last or first)
