"""Decisions on what the texts of a game say: the file `collation.yaml` beside a game.

The file is a list of records; each gives the reading of every text for some clauses. `docs/collation.md` shows one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludex.grammar import (
    Code,
    Diagnostic,
    Diagnostics,
    LineRanges,
    Note,
    Packing,
    Span,
    code_digest,
    did_you_mean,
    escaped,
    recalled,
    shown_text,
)
from ludex.grammar import yaml_tree as y

from ..text import fork_path
from ..values.type_schema import JsonSchema, validator
from .collation_codes import DECIDED_TWICE, DECISION_TEXT, DECISION_VERDICT, DECISIONS_LAYOUT

DECISIONS_FILE = "collation.yaml"
_HINT = "it is a list of records, each with `clauses`, `verdict`, `readings`, `texts` and `why`"
VERDICTS = ("same", "differ", "vague", "open", "none")
_LINE = "[1-9][0-9]{0,5}"
_LINES = rf"{_LINE}(-{_LINE})?(, ?{_LINE}(-{_LINE})?)*"
_NAME = {"type": "string", "minLength": 1, "maxLength": 200}
_CLAUSE = {**_NAME, "type": ["string", "object"], "properties": {"fork": _NAME}, "required": ["fork"]}
_CLAUSE |= {"additionalProperties": False}
_WORDS = {"type": "object", "additionalProperties": {"type": "string"}, "minProperties": 1}
_CITED = {
    # YAML reads `120` as a number and `120-124` as a string; both have the same bound.
    "anyOf": [{"type": "string", "pattern": f"^{_LINES}$"}, {"type": "integer", "minimum": 1, "maximum": 999_999}]
}
_SEVERAL = {"type": "array", "items": _NAME, "minItems": 2, "uniqueItems": True}


_TEXT: JsonSchema = {
    "type": "object",
    "properties": {
        "lines": {"description": "the lines that say it", **_CITED},
        "reading": {"description": "what they say: a name under `readings`", **_NAME},
        "open": {"description": "they leave it open between these", **_SEVERAL},
        "both": {"description": "they say each of these, at different lines", **_SEVERAL},
        "adds": {"description": "what has to be added to the lines to read them so", "type": "string"},
        "silent": {"description": "nothing is said; it would be said near these lines", **_CITED},
        "lost": {"description": "the page is lost", "const": True},
    },
    "additionalProperties": False,
    "oneOf": [
        {"required": ["lines", "reading"]},
        {"required": ["lines", "open"]},
        {"required": ["lines", "both"]},
        {"required": ["silent"]},
        {"required": ["lost"]},
    ],
}


def decisions_schema(texts: Collection[str] = ()) -> JsonSchema:
    """Return the JSON Schema (2020-12) of a file of decisions. texts: the sigla of the game; by default any is
    valid."""
    named: JsonSchema = {"type": "object", "additionalProperties": _TEXT, "minProperties": 1}
    if texts:
        named["propertyNames"] = {"enum": list(texts)}
    properties: dict[str, Any] = {
        "clauses": {
            "description": "paths of clauses, and forks",
            "type": "array",
            "items": _CLAUSE,
            "uniqueItems": True,
        },
        "verdict": {"enum": list(VERDICTS)},
        "kind": {"enum": ["rule", "duty", "amount", "order", "time", "scope", "wording"]},
        "binds": {"enum": ["play", "score", "setup", "nobody"]},
        "about": {"description": "what it is about, by language", **_WORDS},
        "readings": {
            "description": "by name, one plain sentence in each language",
            "type": "object",
            "additionalProperties": _WORDS,
        },
        "texts": named,
        "why": {"type": "string"},
        "readers": {"description": "how many read the lines", "type": "integer", "minimum": 1},
        "settled": {"description": "what a third reader found where two parted", "type": "string"},
        "lists": {
            "description": "entries of other lists that it answers",
            "type": "array",
            "items": {"type": "string"},
        },
        "suggest": {"description": "the path of a clause that is still to be written", **_NAME},
        "part_of": {"description": "a clause of another record: a report has one row for both", **_NAME},
    }
    record = {
        "type": "object",
        "properties": properties,
        "required": ["clauses", "verdict", "readings", "texts", "why"],
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Decisions on what the texts of a game say",
        "type": "array",
        "items": record,
    }


@dataclass(frozen=True, slots=True)
class TextEntry:
    """A text's entry in a decision.

    Attributes:
        lines: the lines that state the reading; for a silent text, the lines near which they would be.
        readings: the names of the readings that the lines admit; none if the text is silent or torn there.
        adds: what has to be added to the lines to read them so.
        is_lost: the text is torn there.
        is_both: the text states each of its readings, at different lines.
    """

    lines: LineRanges
    readings: tuple[str, ...]
    adds: str | None = None
    is_lost: bool = False
    is_both: bool = False


@dataclass(frozen=True, slots=True)
class TextDecision:
    """A record of the file: what the texts say about some clauses.

    Attributes:
        clauses: the paths of the clauses, and of the forks among them.
        forks: the names of these forks.
        verdict: one of `VERDICTS`.
        texts: the entries of the texts, by siglum.
        readings: by name, a sentence in each language.
        suggest: the path of a clause that is still to be written.
        span: the place of the record.
        about: a title, by language.
        binds: what the rule affects: `play`, `score`, `setup` or `nobody`; empty if the record does not say.
        readers: how many people read the lines.
        part_of: a clause of another decision; a report merges the rows of both.
    """

    clauses: tuple[str, ...]
    forks: tuple[str, ...]
    verdict: str
    texts: Mapping[str, TextEntry]
    readings: Mapping[str, Mapping[str, str]]
    suggest: str | None
    span: Span
    about: Mapping[str, str] = field(default_factory=dict)
    kind: str = ""
    binds: str = ""
    why: str = ""
    readers: int = 1
    part_of: str | None = None

    @property
    def sentences(self) -> Mapping[str, str]:
        """The sentence of each reading in English, else in any language."""
        # Reports are in English.
        return {name: words.get("en") or next(iter(words.values()), "") for name, words in self.readings.items()}

    @property
    def left_open(self) -> tuple[str, ...]:
        """The texts whose words admit several readings."""
        return tuple(siglum for siglum, entry in self.texts.items() if len(entry.readings) > 1)

    @property
    def groups(self) -> dict[tuple[str, ...], list[str]]:
        """The texts that are not silent, by the readings that they admit."""
        groups: dict[tuple[str, ...], list[str]] = {}
        for siglum, entry in self.texts.items():
            if entry.readings:
                groups.setdefault(tuple(sorted(entry.readings)), []).append(siglum)
        return groups

    @property
    def implied_verdict(self) -> str:
        """The verdict that follows from the entries of the texts."""
        # A group with several readings leaves the question open.
        single = sum(len(readings) == 1 for readings in self.groups)
        if single > 1:
            return "differ"
        if single == len(self.groups):
            return "same" if single else "none"
        return "vague" if single else "open"

    @property
    def contradicted(self) -> frozenset[str]:
        """The texts that contradict themselves."""
        return frozenset(siglum for siglum, entry in self.texts.items() if entry.is_both)


@dataclass(frozen=True, slots=True)
class Read:
    """The valid decisions of a file, and its faults."""

    decisions: tuple[TextDecision, ...]
    faults: tuple[Diagnostic, ...] = ()


_PACKING = Packing(Read, Read, TextDecision, TextEntry, Span)


def read_decisions(
    text: str, file: str, texts: Collection[str]
) -> tuple[tuple[TextDecision, ...], tuple[Diagnostic, ...]]:
    """Return the valid decisions of a file, and its faults. text: its content; texts: the sigla of the game."""

    def write(read: Read) -> Any:
        # The packing knows no diagnostics, so only files without faults are kept.
        return None if read.faults else _PACKING.packed(read)

    # The code that reads the file is a part of the question, as other code may answer otherwise.
    question = repr((code_digest("grammar", "spec"), "decisions", text, file, tuple(texts)))
    read = recalled("texts", question, lambda: _read(text, file, texts), write, _PACKING.unpacked)
    return read.decisions, read.faults


def _read(text: str, file: str, texts: Collection[str]) -> Read:
    root, faults = y.read_yaml(text, file)
    diagnostics = Diagnostics()
    diagnostics.extend(faults)
    if root is None:
        return Read((), diagnostics.sorted())
    diagnostics.extend(layout_faults(root, decisions_schema(), DECISIONS_LAYOUT, _HINT))
    # The checks below rely on the layout.
    if diagnostics.has_errors or not isinstance(root, y.Items):
        return Read((), diagnostics.sorted())
    decisions = tuple(_decision(y.plain(item), item.span) for item in root.items)
    diagnostics.extend(_no_texts(root, decisions, texts))
    for at, decision in enumerate(decisions):
        diagnostics.extend(_unknown(decision, root, f"/{at}"))
    diagnostics.extend(each for decision in decisions for each in _misjudged(decision))
    diagnostics.extend(_twice(decisions))
    diagnostics.extend(_orphans(decisions))
    return Read(decisions, diagnostics.sorted())


def layout_faults(root: y.Node, schema: JsonSchema, code: Code, hint: str) -> Iterator[Diagnostic]:
    """Yield the faults of a YAML tree against a schema, each at its place.

    code: the code of the diagnostics. hint: what the file should be, for a file that is something else."""
    errors: Iterator[Any] = validator(schema).iter_errors(y.plain(root))
    for error in errors:
        pointer = "".join(f"/{escaped(step)}" for step in error.absolute_path)
        place = y.locate(root, pointer)
        match error.validator:
            case "required":
                absent = [name for name in error.validator_value if name not in error.instance]
                message = f"this lacks {', '.join(f'`{name}`' for name in absent)}"
            case "additionalProperties":
                unknown = [name for name in error.instance if name not in error.schema.get("properties", {})]
                message = f"{', '.join(f'`{shown_text(name)}`' for name in unknown)} means nothing here"
                # One error names all unknown keys, so it is shown at the first.
                place = y.locate(root, f"{pointer}/{escaped(unknown[0])}", at_key=True)
            case "oneOf":
                message = "a text has `lines` with a `reading`, `open` or `both`; or it is `silent` or `lost`"
            case "enum":
                message = f"expected one of {', '.join(str(each) for each in error.validator_value if each)}"
            case "anyOf" | "pattern":
                message = "expected lines, such as `120-124, 130`"
            case "type":
                message = f"expected {_expected(error.validator_value)} here"
            case kind:
                message = _BOUNDS[kind].format(error.validator_value)
        # The hint describes a record as a whole; at a field the message says enough.
        is_other = not pointer and error.validator in ("type", "required")
        yield Diagnostic(code, message, place, hint if is_other else None)


def _expected(kinds: object) -> str:
    first = kinds[0] if isinstance(kinds, list) else kinds
    return _EXPECTED[str(first)]


_EXPECTED = {"array": "a list", "object": "a group of fields", "string": "words", "integer": "a whole number"}
_BOUNDS = {
    "const": "expected `true` here",
    "maxLength": "this is too long; {} characters are allowed",
    "maximum": "expected a number up to {} here",
    "minItems": "expected at least {} names here",
    "minLength": "this is empty",
    "minProperties": "this is empty",
    "minimum": "expected a number from {} on here",
    "uniqueItems": "this list has a name twice",
}
"""The messages for faults against a keyword of JSON Schema."""


def _decision(record: Any, span: Span) -> TextDecision:
    entries = {siglum: _entry(each) for siglum, each in record["texts"].items()}
    return TextDecision(
        tuple(each if isinstance(each, str) else fork_path(each["fork"]) for each in record["clauses"]),
        tuple(each["fork"] for each in record["clauses"] if not isinstance(each, str)),
        record["verdict"],
        entries,
        record["readings"],
        record.get("suggest"),
        # The place is the first character alone, since a record takes many lines.
        span.start,
        record.get("about", {}),
        record.get("kind", ""),
        record.get("binds", ""),
        record["why"],
        record.get("readers", 1),
        record.get("part_of"),
    )


def _orphans(decisions: tuple[TextDecision, ...]) -> Iterator[Diagnostic]:
    """Report decisions that are part of a decision that does not exist or that is a part itself."""
    # A part of a part would have no row in any report.
    whole = {path for each in decisions if each.part_of is None for path in each.clauses}
    for each in decisions:
        if each.part_of is not None and each.part_of not in whole:
            message = f"no other record that is a row of its own has the clause `{shown_text(each.part_of)}`"
            yield Diagnostic(DECISION_TEXT, message, each.span)


def _misjudged(decision: TextDecision) -> Iterator[Diagnostic]:
    """Report a verdict that does not follow from the entries of the texts. Without entries, any verdict is right."""
    # A text that contradicts itself differs from every other text, but may also be called vague or open.
    allowed = {decision.implied_verdict, "differ"} if decision.contradicted else {decision.implied_verdict}
    if decision.groups and decision.verdict not in allowed:
        message = (
            f"the verdict is `{decision.verdict}`, but by the entries under `texts` it is `{decision.implied_verdict}`"
        )
        hint = "correct the verdict, or the entries under `texts`"
        yield Diagnostic(DECISION_VERDICT, message, decision.span, hint)


def _entry(text: Any) -> TextEntry:
    # A single line is a number in YAML.
    lines = tuple(_span(each) for each in str(text.get("lines", text.get("silent", ""))).split(",") if each.strip())
    readings = (text["reading"],) if "reading" in text else tuple(text.get("open", text.get("both", ())))
    return TextEntry(lines, readings, text.get("adds"), "lost" in text, "both" in text)


def _span(lines: str) -> tuple[int, int]:
    first, _, last = lines.strip().partition("-")
    return int(first), int(last or first)


def _no_texts(root: y.Node, decisions: Sequence[TextDecision], texts: Collection[str]) -> Iterator[Diagnostic]:
    """Report each text that the game does not have, once for all the records that name it."""
    places: dict[str, list[Span]] = {}
    for at, decision in enumerate(decisions):
        # A wrong siglum is usually in every record, and one message about it is enough.
        for siglum in decision.texts.keys() - set(texts):
            places.setdefault(siglum, []).append(y.locate(root, f"/{at}/texts/{escaped(siglum)}", at_key=True))
    for siglum, (first, *others) in places.items():
        hint = did_you_mean(siglum, texts) or f"the game has {', '.join(texts) or 'none'}"
        more = f" (and {len(others)} more of the records name it)" if others else ""
        yield Diagnostic(DECISION_TEXT, f"the game has no text `{shown_text(siglum)}`{more}", first, hint)


def _unknown(decision: TextDecision, root: y.Node, pointer: str) -> Iterator[Diagnostic]:
    for siglum, entry in decision.texts.items():
        place = y.locate(root, f"{pointer}/texts/{escaped(siglum)}", at_key=True)
        for first, last in entry.lines:
            if first > last:
                message = f"the lines {first}-{last} run backwards"
                at = y.locate(root, f"{pointer}/texts/{escaped(siglum)}/{'lines' if entry.readings else 'silent'}")
                yield Diagnostic(DECISIONS_LAYOUT, message, at, f"write {last}-{first}")
        for reading in entry.readings:
            if reading not in decision.sentences:
                yield Diagnostic(DECISION_TEXT, f"there is no reading `{shown_text(reading)}`", place)


def _twice(decisions: tuple[TextDecision, ...]) -> Iterator[Diagnostic]:
    seen: dict[str, Span] = {}
    for decision in decisions:
        for path in decision.clauses:
            # A repetition within one record is already reported by the schema (`uniqueItems`).
            if path in seen and seen[path] != decision.span:
                note = Note("the first is here", seen[path])
                yield Diagnostic(
                    DECIDED_TWICE, f"there is a decision on `{shown_text(path)}` already", decision.span, None, (note,)
                )
            seen.setdefault(path, decision.span)
