"""YAML reader: turns a text into a tree with the place of each node.

Scalars are read by the core schema of YAML 1.2: `yes`, `off`, `1_000`, `2024-03-08` and `12:30` are texts; `true`,
`null` and `1.5` are not. Numbers that JSON does not have, `.inf` and `.nan`, are texts, too. Features by which a file
means something else than it shows, or by which a small file becomes a huge tree, are faults: references, tags, several
documents, a field twice, numbers with a leading zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import inf, isfinite
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..diagnostics import Code, Diagnostic, Diagnostics, Note, shown_text
from ..messages.message import Message
from ..source import Span, whole_file
from ..text_codes import (
    BAD_YAML,
    DUPLICATE_KEY,
    KEY_NOT_TEXT,
    LEADING_ZERO,
    SEVERAL_DOCUMENTS,
    YAML_CHARACTER,
    YAML_REFERENCE,
    YAML_TAB,
    YAML_TAG,
    YAML_TOO_DEEP,
    YAML_TOO_LARGE,
)
from .json_pointer import Json, unescaped

if TYPE_CHECKING:
    from yaml import Event

LARGEST_TEXT = 1_000_000
"""The largest number of characters in a text; a table of five thousand cards has fewer."""
MOST_VALUES = 200_000
"""The largest number of values and names of fields in a text: no table or log of the largest size has as many, and each
takes a hundred times as long and as much memory as a character."""
DEEPEST = 24
"""The greatest depth of nested lists and fields."""
MOST_REPEATED = 10
"""The number of further repeated fields that a report names."""
LONGEST_NUMBER = 20
"""The largest number of digits of a whole number: as many as in a log of JSON Lines, which can be converted without
loss. A longer one is read as a text, which is a fault where a number is needed."""


@dataclass(frozen=True, slots=True)
class Scalar:
    value: bool | int | float | str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Items:
    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Entry:
    """A field: the place of its name, and its value."""

    key: Span
    node: Node


@dataclass(frozen=True, slots=True)
class Fields:
    entries: Mapping[str, Entry]
    span: Span


Node: TypeAlias = Scalar | Items | Fields


def read_yaml(text: str, file: str) -> tuple[Node | None, tuple[Diagnostic, ...]]:
    """Return the tree of a YAML text, and its faults. The tree is None if the text cannot be parsed.

    file: the name that the places of nodes and faults show."""
    reader = _Reader(file)
    reader.read(text)
    return (None if reader.broken else reader.root), tuple(reader.diagnostics.items)


def plain(node: Node) -> Json:
    """Return the data of a node, without places."""
    match node:
        case Scalar(value=value):
            return value
        case Items(items=items):
            return [plain(item) for item in items]
        case Fields(entries=entries):
            return {name: plain(entry.node) for name, entry in entries.items()}


def locate(node: Node, pointer: str, at_key: bool = False) -> Span:
    """Return the place of a JSON pointer into `plain(node)`. at_key: the place of the field's name, not of its value.

    A pointer that leads out of the tree gives the last place inside it.
    """
    *_, last = _walk(node, pointer)
    return last.key if at_key else last.node.span


def _walk(node: Node, pointer: str) -> Iterator[Entry]:
    """Yield the entries along a pointer, beginning with the node itself."""
    entry: Entry | None = Entry(node.span, node)
    # No step leads on from the last entry.
    for step in (*pointer.split("/")[1:], None):
        if entry is None:
            return
        yield entry
        entry = None if step is None else _inside(entry.node, unescaped(step))


def _inside(node: Node, step: str) -> Entry | None:
    match node:
        case Fields(entries=entries):
            return entries.get(step)
        case Items(items=items) if step.isdecimal() and int(step) < len(items):
            item = items[int(step)]
            return Entry(item.span, item)
        case _:
            return None


# ---- events to tree -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Open:
    """A list or group of fields that is not complete yet."""

    span: Span
    is_fields: bool
    flow: bool
    items: list[Node] = field(default_factory=list)
    entries: dict[str, Entry] = field(default_factory=dict)
    key: Node | None = None
    repeated: list[tuple[str, Span, Span]] = field(default_factory=list)

    def close(self, end: Span) -> Node:
        """Return the complete node. A block ends with its last item, since YAML puts its end at the next token."""
        last = end if self.flow else (self.last or self.span)
        span = self.span.to(last)
        return Fields(self.entries, span) if self.is_fields else Items(tuple(self.items), span)

    @property
    def last(self) -> Span | None:
        if self.is_fields:
            return next((entry.node.span for entry in reversed(self.entries.values())), None)
        return self.items[-1].span if self.items else None


@dataclass(slots=True)
class _Reader:
    file: str
    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    root: Node | None = None
    broken: bool = False
    stack: list[_Open] = field(default_factory=list)
    references: list[tuple[str, Span]] = field(default_factory=list)
    count: int = 0

    def read(self, text: str) -> None:
        if not self._is_text(text):
            return
        for event in self._events(text):
            self._take(event)
            if self.broken:
                return
        self._report_references()
        self.root = self.root or Scalar(None, whole_file(self.file))

    def _stop(self, code: Code, message: str, span: Span, hint: str | None = None, *notes: Note) -> None:
        self.diagnostics.report(code, message, span, hint, notes)
        self.broken = True

    def _is_text(self, text: str) -> bool:
        if len(text) > LARGEST_TEXT:
            message = Message("yaml-too-long", count=len(text), most=LARGEST_TEXT)
            self._stop(YAML_TOO_LARGE, message, whole_file(self.file))
        elif bad := NO_CHARACTER.search(text):
            line = len(_LINE_BREAK.findall(text, 0, bad.start())) + 1
            column = bad.start() - max(text.rfind(sign, 0, bad.start()) for sign in "\r\n")
            span = Span(self.file, line, column, line, column + 1)
            self._stop(YAML_CHARACTER, Message("yaml-character-in-file", character=f"U+{ord(bad[0]):04X}"), span)
        return not self.broken

    def _events(self, text: str) -> Iterator[Event]:
        """Yield the events of PyYAML's parser, which is not recursive, so deep nesting is reported before it does
        harm."""
        import yaml

        loader = yaml.SafeLoader(_without_tabs(text))
        try:
            while loader.check_event():
                yield loader.get_event()  # type: ignore[no-untyped-call]
        # PyYAML's other error, for characters it does not read, cannot come: they were reported before.
        except yaml.MarkedYAMLError as fault:
            self._syntax(fault)
        except (ValueError, OverflowError):
            # PyYAML raises these for an escape sequence or a `%YAML` version with a huge number.
            self._stop(BAD_YAML, Message("yaml-number-too-large"), self._sign(loader.get_mark()))
        finally:
            loader.dispose()

    def _place(self, start: Any, end: Any) -> Span:
        return Span(self.file, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    def _take(self, event: Any) -> None:
        import yaml

        match event:
            case yaml.DocumentStartEvent() if self.root is not None:
                span = self._place(event.start_mark, event.end_mark)
                self._stop(SEVERAL_DOCUMENTS, Message("yaml-second-document"), span)
            case yaml.AliasEvent():
                span = self._place(event.start_mark, event.end_mark)
                self.references.append((f"*{event.anchor}", span))
                # A reference is a fault of the whole file; the placeholder keeps the tree in step until that is
                # reported.
                self._attach(Scalar(None, span))
            case yaml.ScalarEvent():
                self._check_decoration(event)
                self._attach(self._scalar(event))
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                self._check_decoration(event)
                self._open(event, isinstance(event, yaml.MappingStartEvent))
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                closed = self.stack.pop()
                self._report_repeated(closed)
                self._attach(closed.close(self._place(event.start_mark, event.end_mark)))
            case _:
                pass

    def _check_decoration(self, event: Any) -> None:
        span = self._place(event.start_mark, event.end_mark)
        if event.anchor is not None:
            self.references.append((f"&{event.anchor}", span))
        if event.tag is not None:
            self.diagnostics.report(YAML_TAG, Message("yaml-tag", tag=shown_text(event.tag)), span)

    def _open(self, event: Any, is_fields: bool) -> None:
        start = self._place(event.start_mark, event.start_mark)
        if len(self.stack) == DEEPEST:
            self._stop(YAML_TOO_DEEP, Message("yaml-too-deep", levels=DEEPEST), start)
            return
        self.stack.append(_Open(start, is_fields, bool(event.flow_style)))

    def _attach(self, node: Node) -> None:
        self.count += 1
        if self.count > MOST_VALUES:
            self._stop(YAML_TOO_LARGE, Message("yaml-too-many-values", most=MOST_VALUES), node.span)
        if not self.stack:
            self.root = node
            return
        top = self.stack[-1]
        if not top.is_fields:
            top.items.append(node)
        # Names and values of a mapping come in turns.
        elif top.key is None:
            top.key = node
        else:
            self._add_field(top, top.key, node)
            top.key = None

    def _add_field(self, top: _Open, key: Node, node: Node) -> None:
        if not isinstance(key, Scalar) or not isinstance(key.value, str):
            what = {Items: "yaml-a-list", Fields: "yaml-a-group"}.get(type(key), "yaml-no-text")
            hint = Message("yaml-quote-name") if isinstance(key, Scalar) and key.value is not None else None
            # In `{a, b: 1}` a comma in a text without quotes has made a field of it.
            if top.flow and isinstance(node, Scalar) and _is_empty(node.span):
                hint = Message("yaml-quote-comma")
            self.diagnostics.report(KEY_NOT_TEXT, Message("yaml-name-is", what=Message(what)), key.span, hint)
            return
        if (first := top.entries.get(key.value)) is not None:
            top.repeated.append((key.value, first.key, key.span))
            return
        # A missing value has no place of its own: reports about it point to the name.
        if isinstance(node, Scalar) and node.value is None and _is_empty(node.span):
            node = replace(node, span=key.span)
        top.entries[key.value] = Entry(key.span, node)

    def _report_repeated(self, fields: _Open) -> None:
        """Report all repeated names of a group of fields as one fault.

        Usually the line between two groups of fields is missing or wrongly indented."""
        if not fields.repeated:
            return
        (name, first, again), *others = fields.repeated
        more = (Note(Message("also", name=_quoted(name)), span) for name, _, span in others[:MOST_REPEATED])
        notes = (Note(Message("here-already"), first), *more)
        message = Message("yaml-repeated-field", name=_quoted(name))
        self.diagnostics.report(DUPLICATE_KEY, message, again, None, notes)

    def _scalar(self, event: Any) -> Scalar:
        text, span = str(event.value), self._place(event.start_mark, event.end_mark)
        # Escape sequences may stand for characters that are not allowed in the file itself, but not for half of one.
        if bad := _HALF_CHARACTER.search(text):
            self.diagnostics.report(
                YAML_CHARACTER, Message("yaml-character-in-text", character=f"U+{ord(bad[0]):04X}"), span
            )
            return Scalar(text.encode("utf-8", "replace").decode(), span)
        # With quotes everything is a text.
        if event.style is not None:
            return Scalar(text, span)
        if _LEADING_ZERO.fullmatch(text):
            self.diagnostics.report(LEADING_ZERO, Message("yaml-leading-zero", number=shown_text(text)), span)
        return Scalar(scalar_value(text), span)

    def _report_references(self) -> None:
        if not self.references:
            return
        (text, span), *others = self.references
        message = Message("yaml-anchor" if text.startswith("&") else "yaml-alias", sign=shown_text(text))
        if others:
            message = Message("more-in-file", message=message, count=len(others))
        self._stop(YAML_REFERENCE, message, span)

    def _syntax(self, fault: Any) -> None:
        """Report a fault of PyYAML in the author's words, since its own messages are about tokens and simple keys."""
        problem = f"{fault.problem} / {fault.context}"
        end, begin = fault.problem_mark or fault.context_mark, fault.context_mark or fault.problem_mark
        # The first that matches counts: narrow patterns are before wider ones.
        for sample in _SYNTAX_FAULTS:
            if matched := re.match(sample.pattern, problem):
                at, begun = self._sign(end), self._sign(begin)
                signs = {"sign": shown_text(matched[1])} if matched.groups() else {}
                hint = Message(sample.hint, **signs) if sample.hint else None
                notes = (Note(Message("begins-here"), begun),) if sample.at == "end" and begun != at else ()
                place = begun if sample.at == "begin" else at
                self._stop(sample.code, Message(sample.message, **signs), place, hint, *notes)
                return

    def _sign(self, mark: Any) -> Span:
        return self._place(mark, mark).start


def _without_tabs(text: str) -> str:
    """Return a text that begins with a bracket, such as JSON, with a blank in place of each tab between its parts.

    YAML allows tabs there, too, but PyYAML does not. Every part keeps its place.
    """
    return _QUOTED_OR_TAB.sub(lambda found: found[1] or " ", text) if text.lstrip()[:1] in ("{", "[") else text


def _quoted(name: str) -> str:
    return f'"{shown_text(name)}"'


def _is_empty(span: Span) -> bool:
    return (span.line, span.column) == (span.end_line, span.end_column)


# The Unicode line breaks are among them: PyYAML counts them as ends of lines, and editors do not.
NO_CHARACTER = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_QUOTED_OR_TAB = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'[^'\n]*')|\t""")
_LINE_BREAK = re.compile("\r\n|\r|\n")
_WHOLE = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]+")
_WORDS: Mapping[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


def scalar_value(text: str) -> bool | int | float | str | None:
    """Return what a scalar without quotes means, as YAML 1.2 reads it."""
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        # Python takes long for a number of many digits, and refuses the longest.
        return int(text) if len(text.lstrip("+-")) <= LONGEST_NUMBER else text
    number = float(text) if _FLOAT.fullmatch(text) else inf
    # JSON, in which logs are written, too, has no infinity: such a number stays a text.
    return number if isfinite(number) else text


@dataclass(frozen=True, slots=True)
class _Sample:
    """A message of PyYAML and the report in its place.

    Attributes:
        pattern: a regular expression for "problem / context"; its group is the sign that message and hint name.
        message, hint: entries of the catalogue.
        at: whether the report points to the beginning of the construct that PyYAML was reading, or to its end.
    """

    pattern: str
    at: Literal["begin", "end"]
    message: str
    hint: str | None = None
    code: Code = BAD_YAML


_QUOTES = "yaml-quotes"
_SYNTAX_FAULTS = (
    _Sample(r"found character '\\t'", "end", "yaml-tab", None, YAML_TAB),
    _Sample(r"found character '(.)'", "end", "yaml-value-begins", _QUOTES),
    _Sample(
        r"could not find expected ':'",
        "begin",
        "yaml-neither",
        "yaml-neither-hint",
    ),
    _Sample(
        r"sequence entries are not allowed here",
        "end",
        "yaml-item-here",
        "yaml-item-hint",
    ),
    _Sample(
        r"mapping values are not allowed here",
        "end",
        "yaml-colon-here",
        "yaml-colon-hint",
    ),
    _Sample(r"mapping keys are not allowed here", "end", "yaml-question-mark", _QUOTES),
    _Sample(r"found unexpected end of stream / while scanning a quoted", "begin", "yaml-quote-open"),
    _Sample(r"found unexpected document separator", "begin", "yaml-quote-open-document"),
    _Sample(
        r"found unknown escape character '(.*)'",
        "end",
        "yaml-backslash",
        "yaml-backslash-hint",
    ),
    _Sample(r"expected escape sequence", "end", "yaml-short-escape", "yaml-two-backslashes"),
    _Sample(
        r"expected ',' or '(.)', but got '<(?:stream|document|block)",
        "begin",
        "yaml-bracket-open",
        "yaml-bracket-hint",
    ),
    _Sample(
        r"expected ',' or '(.)', but got",
        "end",
        "yaml-comma",
        "yaml-comma-hint",
    ),
    _Sample(r"expected <block end>, but found '([\]},])'", "end", "yaml-stray-sign", _QUOTES),
    _Sample(
        r"expected <block end>, but found",
        "end",
        "yaml-no-continuation",
        "yaml-no-continuation-hint",
    ),
    _Sample(r"expected the node content, but found '<", "end", "yaml-breaks-off"),
    _Sample(r"expected the node content, but found '(.*)'", "end", "yaml-value-missing", _QUOTES),
    _Sample(
        r"expected '<document start>'",
        "end",
        "yaml-stranger",
        "yaml-stranger-hint",
    ),
    _Sample(r".* / while scanning an a", "begin", "yaml-reference-sign", _QUOTES),
    _Sample(r".* / while (?:scanning|parsing) a tag", "begin", "yaml-tag-sign", _QUOTES),
    _Sample(r"found undefined tag handle", "end", "yaml-tag-sign", _QUOTES),
    _Sample(
        r".* / while scanning a block scalar",
        "begin",
        "yaml-block",
        "yaml-block-hint",
    ),
    _Sample(r".* / while scanning a directive", "begin", "yaml-directive", _QUOTES),
    _Sample(r"(?s).*", "end", "yaml-unreadable"),
)
