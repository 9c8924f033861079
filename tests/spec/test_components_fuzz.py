"""No content of a component file raises: arbitrary text, arbitrary bytes, damaged good files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludex.grammar import Diagnostic, Span
from ludex.grammar.files.yaml_tree import read_yaml
from ludex.spec.components import (
    ComponentFile,
    check_documents,
    check_tables,
    decode_table,
    load_components,
    read_components,
)
from ludex.spec.values.types import Bool, Case, ComponentType, ListOf, Optional, Range, Words

from ..cases import cases

FAMILY = Words("Family", (Case("earth"), Case("air")))
EFFECT = Words("Effect", (Case("level"), Case("gain", (("x", Range(1, 3)),))))
GOOD = """\
# cards
sources:
  box: {stated: ru 41}
  page: {found: [https://example.org/cards], note: "seen\\u0020in May"}
facts:
- {fact: 'the backs are blue', provenance: page}
tables:
  Place:
    provenance: box
    provenance_of: {effect: page}
    counts:
    - {count: 3, where: {family: earth}, provenance: {stated: "ru 40"}}
    rows:
    - {id: s01, family: earth, cost: 0, effect: level, next: s02, tags: []}
    - {id: s02, family: earth, cost: 8, effect: {gain: {x: 2}}, next: null, tags: [air, air], copies: 2}
    - id: l_1
      family: air
      cost: 3
      effect: level
      next: s01
      tags:
      - earth
      provenance:
        assumed: >-
          nobody
          knows
        constrained_by: "ru 40, 43-45"
"""
PIECES = st.sampled_from(
    [*"\t\n\r -:,?[]{}#&*!|>'\"%@`\\\0\ufeff\u2028\x85é", "- ", ": ", "\n---\n", "...", "<<: *a", "&a ", "!!int ", "? ",
     "|2\n", "\\U99999999", "%YAML 9999.1\n", "null", "yes", "1e999", "0x1F", "007", "rows:", "id: s01",
     "ру", "ש", "stated: ru 1"]
)  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn) -> str:
    text = GOOD
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        middle = draw(st.one_of(PIECES, st.just(""), st.text(max_size=3), st.just(text[start:end] * 2)))
        text = text[:start] + middle + text[end:]
    return text


def check(file: ComponentFile) -> None:
    here = Span("g.ludex", 1, 1, 1, 1)
    reports: list[Diagnostic] = [
        *file.diagnostics,
        *check_tables(file, {"Place": here}),
        *check_documents(file, ["ru"]),
    ]
    for name, raw in file.tables.items():
        place = ComponentType("Place", raw.ids, (), (), ())
        columns = (
            ("family", FAMILY),
            ("cost", Range(0, 8)),
            ("effect", EFFECT),
            ("next", Optional(place)),
            ("tags", ListOf(FAMILY)),
        )
        table = decode_table(raw, name, columns)
        assert len(table.rows) == len(table.copies) == len(table.provenance) == len(raw.ids)
        assert decode_table(raw, name, (("big", Bool()),)).diagnostics or not raw.rows
        reports += table.diagnostics
    assert file.readable or any(report.is_error for report in reports), (
        "an unreadable file must have a report with its reason"
    )
    for report in reports:
        assert report.span.line >= 1
        assert report.span.column >= 1
        assert report.message.encode(), "every message must be printable"


@cases(800)
@given(damaged())
def test_damaged_component_texts_never_raise(text: str) -> None:
    check(read_components(text, "f.yaml"))


@cases(400)
@given(st.one_of(st.text(), st.text(st.characters(min_codepoint=9, max_codepoint=126)), st.lists(PIECES).map("".join)))
def test_any_text_of_components_never_raises(text: str) -> None:
    check(read_components(text, "f.yaml"))


@settings(cases(300), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(), damaged().map(lambda text: text.encode("utf-8", "surrogatepass"))))
def test_any_bytes_of_components_never_raise(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "components.yaml"
    path.write_bytes(content)
    check(load_components(path))


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? ", "!x ", "&a [", "'", '"', "|", "[{"])
def test_deep_and_long_files_take_no_long_time(opening: str) -> None:
    tree, reports = read_yaml(opening * 50_001, "f.yaml")
    assert tree is None
    assert 1 <= len(reports) <= 2


def test_aliases_are_not_expanded() -> None:
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]" for n in range(1, 200))]
    tree, reports = read_yaml("\n".join(lines), "f.yaml")
    assert tree is None
    assert [report.code.name for report in reports] == ["yaml-reference"]
