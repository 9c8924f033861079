"""Component files: good ones, and a bad sample for every fault. `§` in a sample marks the place of the report."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ludex.grammar import YAML_CODES, Diagnostic, Span
from ludex.spec.components import (
    COMPONENT_CODES,
    ComponentFile,
    ComponentTable,
    check_documents,
    check_tables,
    decode_table,
    load_components,
    read_components,
)
from ludex.spec.values.types import Bool, Case, ComponentType, ListOf, Optional, Range, Type, Words

FAMILY = Words("Family", (Case("earth"), Case("air")))
EFFECT = Words("Effect", (Case("level"), Case("gain", (("x", Range(1, 3)),))))

GOOD = """\
sources:
  box: {stated: ru 41}
  page: {found: "https://example.org/cards", note: seen in May}
facts:
- {fact: the backs are blue, provenance: page}
tables:
  Place:
    provenance: box
    provenance_of: {effect: page}
    counts:
    - {count: 4, provenance: {stated: "ru 40"}}
    - {count: 3, where: {family: earth}}
    rows:
    - {id: s01, family: earth, cost: 0, effect: level, big: true, next: s02, tags: []}
    - {id: s02, family: earth, cost: 8, effect: {gain: {x: 2}}, big: false, next: null, tags: [air, air], copies: 2}
    - id: l_1
      family: air
      cost: 3
      effect: level
      big: no_value
      next: s01
      tags: [earth]
      provenance: {assumed: nobody knows, constrained_by: "ru 40, 43-45"}
      provenance_of: {cost: page}
""".replace("no_value", "false")


def columns(ids: tuple[str, ...]) -> tuple[tuple[str, Type], ...]:
    place = ComponentType("Place", ids, (), (), ())
    return (
        ("family", FAMILY),
        ("cost", Range(0, 8)),
        ("effect", EFFECT),
        ("big", Bool()),
        ("next", Optional(place)),
        ("tags", ListOf(FAMILY)),
    )


DECLARED = {"Place": Span("boreal.ludex", 19, 1, 19, 10)}


def read(text: str) -> tuple[ComponentFile, ComponentTable | None, list[Diagnostic]]:
    """Return the checked contents of a file of one table, and all reports."""
    file = read_components(text, "components.yaml")
    reports = [*file.diagnostics, *check_tables(file, DECLARED), *check_documents(file, ["ru"])]
    raw = file.tables.get("Place")
    if raw is None:
        return file, None, reports
    table = decode_table(raw, "Place", columns(raw.ids))
    return file, table, [*reports, *table.diagnostics]


def test_a_good_component_file_is_read() -> None:
    file, table, reports = read(GOOD)
    assert reports == []
    assert table is not None
    assert file.tables["Place"].ids == ("s01", "s02", "l_1")
    assert table.copies == (1, 2, 1)
    assert table.rows == (
        (0, 0, 0, True, 1, ()),
        (0, 8, 2, False, None, (1, 1)),
        (1, 3, 0, False, 0, (0,)),
    )


def test_the_nearest_provenance_applies() -> None:
    _, table, _ = read(GOOD)
    assert table is not None
    first, _, last = table.provenance
    assert str(first["cost"]) == "stated: ru 41"
    assert str(first["effect"]) == "found: https://example.org/cards", "the column's must override the table's"
    assert str(last["effect"]) == "assumed: nobody knows (within ru 40, 43-45)", "the row's must override the column's"
    assert str(last["id"]) == str(last["copies"]) == str(last["effect"])
    assert last["cost"].kind == "found", "the field's must override all others"
    assert last["cost"].note == "seen in May"
    kinds = Counter(each.kind for row in table.provenance for name, each in row.items() if name != "copies")
    assert kinds == {"stated": 12, "found": 3, "assumed": 6}


def test_a_file_may_state_facts_beside_the_tables() -> None:
    file, _, _ = read(GOOD)
    assert [(fact.text, fact.provenance.kind) for fact in file.facts] == [("the backs are blue", "found")]
    assert [(citation.document, citation.lines) for citation in file.citations] == [
        ("ru", ((41, 41),)),
        ("ru", ((40, 40),)),
        ("ru", ((40, 40), (43, 45))),
    ]


ROW = "{id: a, family: earth, cost: 1, effect: level, big: true, next: null, tags: []}"


def one(row: str, before: str = "", after: str = "") -> str:
    """Return a file of this row and a good one."""
    good = ROW.replace("id: a", "id: good")
    return (
        f"{before}tables:\n  Place:\n    provenance: {{stated: ru 41}}\n    rows:\n    - {row}\n    - {good}\n{after}"
    )


def swapped(old: str, new: str) -> str:
    assert old in ROW
    return one(ROW.replace(old, new))


SAMPLES: list[tuple[str, str, str]] = [
    # -- YAML
    ("C201", one("{id: a, family: earth§: x, cost: 1}"), "a comma, or the closing }, is missing"),
    ("C201", "tables:\n  Place: §'abc\n", "this quote is never closed"),
    ("C201", "tables:\n  Place: §{rows: [1]\n", "this bracket is never closed"),
    ("C201", "tables: {Place: §", "the file breaks off here: a value is missing"),
    ("C201", "facts: []\n§tables\nsources: {}\n", "neither a field"),
    ("C201", "tables: x§: y\n", "this colon begins a field where none is possible"),
    ("C201", "tables: §@x\n", "a value cannot begin with the sign @"),
    ("C201", "tables:\n  a: 1\n §b: 2\n", "this does not continue"),
    ("C201", 'tables: "\\§q"\n', "a backslash before q has no meaning"),
    ("C201", 'tables: "\\U§99999999"\n', "is too large"),
    ("C201", "§%YAML 2.0\n---\ntables: 1\n", "cannot be read as YAML"),
    ("C202", "tables:\n§\tPlace: 1\n", "there is a tab here"),
    ("C203", "tables: a§\x07b\n", "U+0007"),
    ("C203", "a: b\r\ntables: a§\u2028b\n", "U+2028"),
    ("C203", 'facts: [{fact: §"\\ud800", provenance: {stated: ru 1}}]\n' + one(ROW), "U+D800"),
    ("C204", "tables: §&x {}\nfacts: *x\n", "`&x` names a value here, for use in several places (and 1 more"),
    ("C204", one(ROW).replace("stated: ru 41", "<<: §*box"), "`*box`"),
    ("C205", one(ROW).replace("{stated", "§!!map {stated"), "a tag"),
    ("C205", "facts: §!!python/object/apply:os.getcwd []\n" + one(ROW), "a tag"),
    ("C206", one(ROW, after="§---\ntables: {}\n"), "a second document begins here"),
    ("C207", f"tables: {'[' * 23}§[{'[' * 5000}", "nested more than 24 levels"),
    ("C208", f"§tables: {{}}\n{'#' * 1_000_001}", "characters"),
    ("C209", one(ROW, after="§tables: {}\n"), 'the field "tables" occurs twice'),
    ("C209", swapped("cost: 1", "cost: 1, §cost: 2"), 'the field "cost" occurs twice'),
    ("C210", one(ROW, before="§1: {}\n"), "the name of this field is a number"),
    ("C210", one(ROW, before="§[a]: {}\n"), "the name of this field is a list"),
    ("C211", swapped("cost: 1", "cost: §01"), "the number 01 begins with a zero"),
    # -- layout
    ("C220", "§", "the file is empty"),
    ("C220", "§- tables\n", "expected the fields `tables`"),
    ("C220", "tables: §[]\n", "expected a table for each component, by name"),
    ("C220", "tables: {Place: §3}\n", "expected a table with `rows`, found the number 3"),
    ("C220", "tables:\n  Place:\n    rows: §{}\n", "expected a list (`- ...`) under `rows`"),
    ("C220", "tables:\n  Place:\n    §rows:\n", "expected a list (`- ...`) under `rows`, found null"),
    ("C220", "tables:\n  Place:\n    rows: §[]\n", "expected at least one row"),
    ("C220", one("§s01"), 'expected a row: an `id` and a value for each column, found "s01"'),
    ("C220", "facts: [{fact: §3, provenance: {stated: ru 1}}]\n" + one(ROW), "expected words, found the number 3"),
    ("C220", one(ROW).replace("rows:", "counts: [{count: §-1}]\n    rows:"), "a whole number, 0 or more"),
    ("C221", one(ROW, before="§titel: x\n"), 'a component file has no entry "titel"'),
    ("C221", one(ROW).replace("provenance:", "§provnance: {stated: ru 41}\n    provenance:"), '"provnance"'),
    ("C221", one(ROW.replace("}", ", provenance: {stated: ru 4, §lines: 3}}")), 'a provenance has no "lines"'),
    ("C221", one(ROW.replace("}", ", provenance: {stated: ru 4, §constrained_by: ru 3}}")), "constrained_by"),
    ("C222", "§facts: []\n", "the file has no `tables`"),
    ("C222", "tables:\n  §Place:\n    provenance: {stated: ru 4}\n", 'the table "Place" has no `rows`'),
    ("C222", one("§{family: earth}"), "this row has no `id`"),
    ("C222", "facts: [§{fact: x}]\n" + one(ROW), "this fact has no `provenance`"),
    # -- tables and rows
    ("C223", one(ROW).replace("Place", "§Plaec"), 'the game declares no component "Plaec"'),
    ("C223", one(ROW) + "  §Token: {rows: [{id: t}]}\n", 'the game declares no component "Token"'),
    ("C224", "§tables: {}\n", "there is no table Place"),
    ("C225", swapped("id: a", "id: §S-01"), 'an id is expected here, not "S-01"'),
    ("C225", swapped("id: a", "id: §7"), "an id is expected here, not the number 7"),
    ("C226", swapped("id: a", "id: good").replace("- {id: good", "- {id: §good").replace("§", "", 1), "a second row"),
    ("C227", swapped("cost: 1", "§cots: 1"), 'Place has no column "cots"'),
    ("C227", swapped("cost: 1", "cost: 1, §weight: 1"), 'Place has no column "weight"'),
    ("C227", one(ROW).replace("cost: ", "§cots: ", 1).replace("cost: ", "cots: "), "(the same in all rows)"),
    ("C227", one(ROW.replace("}", ", provenance_of: {§colour: {stated: ru 4}}}")), 'Place has no column "colour"'),
    ("C227", one(ROW).replace("rows:", "counts: [{count: 2, where: {§famly: earth}}]\n    rows:"), '"famly"'),
    ("C228", one(ROW.replace(" cost: 1,", "").replace("id: a", "id: §a")), "a has no `cost`"),
    ("C228", one(ROW).replace(" cost: 1,", "").replace("Place", "§Place"), "no row of Place has the column `cost`"),
    ("C229", swapped("cost: 1", "cost: §9"), "`cost` of a: expected a whole number from 0 to 8, found the number 9"),
    ("C229", swapped("cost: 1", "cost: §1.0"), "found the number 1.0"),
    ("C229", swapped("cost: 1", 'cost: §"1"'), 'found "1"'),
    ("C229", swapped("cost: 1", "cost: §12345678901234567890"), "whole number from 0 to 8"),
    ("C229", swapped(" cost: 1", "\n      §cost: "), "`cost` of a: expected a whole number from 0 to 8, found null"),
    ("C229", swapped("big: true", "big: §yes"), "`big` of a: expected true or false"),
    ("C229", swapped("earth", "§eart"), "(did you mean `earth`?)"),
    ("C229", swapped("earth", "§2024-03-08"), 'found "2024-03-08"'),
    ("C229", swapped("effect: level", "effect: §gain(2)"), 'such as {"gain": {"x": 1}}'),
    ("C229", swapped("effect: level", "effect: {gain: {x: §4}}"), "expected a whole number from 1 to 3"),
    ("C229", swapped("effect: level", "effect: {gain: {§y: 4}}"), "expected only the fields x"),
    ("C229", swapped("next: null", "next: §godo"), "the id of a Place (did you mean `good`?), or null"),
    ("C229", swapped("tags: []", "tags: [earth, §fire]"), "one of earth, air"),
    ("C230", swapped("cost: 1", "cost: 1, copies: §0"), "`copies` is a whole number from 1 to 10000"),
    ("C230", swapped("cost: 1", "cost: 1, copies: §true"), "found true"),
    ("C231", one(ROW).replace("rows:", "counts: [{count: §3}]\n    rows:"), "the rows make 2 of Place, not 3"),
    (
        "C231",
        one(ROW).replace("rows:", "counts: [{count: §1, where: {family: earth}}]\n    rows:"),
        "the rows with `family` earth make 2 of Place, not 1",
    ),
    # -- provenance
    ("C240", one(ROW).replace("    provenance: {stated: ru 41}\n", "").replace("Place", "§Place"), "no row of Place"),
    (
        "C240",
        one(ROW.replace("id: a", "id: §a"))
        .replace("    provenance: {stated: ru 41}\n", "")
        .replace("good, ", "good, provenance: {stated: ru 41}, "),
        "a does not say where its data come from",
    ),
    ("C241", one(ROW).replace("{stated: ru 41}", "§[]"), "expected one of `stated: ru 41`"),
    ("C241", one(ROW).replace("{stated: ru 41}", "§{}"), "expected one of `stated: ru 41`"),
    ("C241", one(ROW).replace("{stated: ru 41}", "§ru 41"), 'found "ru 41"'),
    ("C241", one(ROW).replace("ru 41", "§41"), "expected a text, found the number 41"),
    ("C241", one(ROW).replace("ru 41", "§ru p. 41"), 'expected a citation such as ru 41 or "ru 41, 43-45"'),
    ("C241", one(ROW).replace("ru 41", "§ru 45-41"), "ends before it begins"),
    ("C241", one(ROW).replace("ru 41", "§[]"), "expected at least one item"),
    ("C241", one(ROW).replace("stated: ru 41", "found: §somewhere"), "expected an address"),
    ("C241", one(ROW).replace("stated: ru 41", "§assumed: "), "expected words, found null"),
    ("C241", one(ROW).replace("stated: ru 41", "stated: ru 41, §assumed: x"), "data are either stated or assumed"),
    ("C241", "sources: {§My source: {stated: ru 41}}\n" + one(ROW), "a source cannot have the name"),
    ("C242", one(ROW).replace("{stated: ru 41}", "§box"), '`sources` has no entry "box"'),
    ("C243", "sources: {§box: {stated: ru 41}}\n" + one(ROW), 'no datum names the source "box"'),
    ("C244", one(ROW).replace("ru 41", "§rus 41"), 'the game names no document "rus"'),
]


@pytest.mark.parametrize("code, marked, message", SAMPLES, ids=[f"{c}-{m[:30]}" for c, _, m in SAMPLES])
def test_one_fault_gives_one_report_at_its_place(code: str, marked: str, message: str) -> None:
    before, _, after = marked.partition("§")
    line = before.replace("\r\n", "\n").count("\n") + 1
    place = (line, len(before) - max(before.rfind("\n"), before.rfind("\r")))
    _, _, reports = read(before + after)
    reported = [f"{r.span.line}:{r.span.column} {r.code.code} {r.message} ({r.hint})" for r in reports]
    assert [r.code.code for r in reports] == [code], reported
    assert message in reports[0].message, reported
    assert (reports[0].span.line, reports[0].span.column) == place, reported
    assert reports[0].span.file == "components.yaml"


def test_every_code_has_a_bad_sample() -> None:
    sampled = {code for code, _, _ in SAMPLES} | {"C232"}
    lacking = [code.code for code in (*YAML_CODES, *COMPONENT_CODES) if code.code not in sampled]
    assert not lacking, f"add samples for {lacking} to SAMPLES"


def test_a_column_may_not_have_the_name_of_an_entry_of_every_row() -> None:
    raw = read_components(one("{id: a}").replace(ROW.replace("id: a", "id: good"), "{id: b}"), "f").tables["Place"]
    table = decode_table(raw, "Place", (("copies", Range(1, 2)),))
    assert [report.code.code for report in table.diagnostics] == ["C232"]


def test_several_faults_give_several_reports() -> None:
    text = GOOD.replace("cost: 0", "cost: 9").replace("id: l_1", "id: L1").replace("big: true", "big: on")
    assert [(r.span.line, r.code.code) for r in sorted(read(text)[2], key=lambda r: r.span)] == [
        (14, "C229"),
        (14, "C229"),
        (16, "C225"),
    ]


def test_a_repeated_id_names_the_first_use() -> None:
    text = GOOD.replace("id: s02", "id: s01").replace("next: s02", "next: null")
    (report,) = read(text)[2]
    assert report.notes[0].span is not None
    assert (report.span.line, report.notes[0].span.line) == (15, 14)


def test_a_report_has_a_pointer_into_the_data() -> None:
    (report,) = read(swapped("effect: level", "effect: {gain: {x: 4}}"))[2]
    assert report.pointer == "/tables/Place/rows/0/effect/gain/x"


HINTS = [
    (swapped("big: true", "big: off"), "write true or false; yes, no, on and off are texts"),
    (swapped("cost: 1", "cost: '1'"), "take the quotes off"),
    (swapped("cost: 1", "cost: 1.0"), "write it without a decimal point"),
    (swapped("id: a", "id: S-01"), "write s_01"),
    (one(ROW).replace("{stated: ru 41}", "{stated: ru 41, 43}"), "quotes are needed around a text with a comma in it"),
    (one(ROW).replace("Place", "Plaec"), "did you mean `Place`?"),
    (one(ROW).replace("  Place", "Place").replace("\n    ", "\n  "), "put the tables under `tables`, indented"),
]


@pytest.mark.parametrize("text, hint", HINTS)
def test_a_report_has_a_hint(text: str, hint: str) -> None:
    assert hint in [report.hint for report in read(text)[2]]


def test_the_hint_depends_on_the_type_and_not_on_the_message() -> None:
    raw = read_components(swapped("family: earth", "family: '7'"), "components.yaml").tables["Place"]
    words = Words("Family", (Case("numbered"), Case("earth")))
    table = decode_table(raw, "Place", (("family", words), *columns(raw.ids)[1:]))
    assert [report.hint for report in table.diagnostics] == [None]


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    file = load_components(tmp_path / "components.yaml")
    assert [report.code.name for report in file.diagnostics] == ["missing-file"]
    assert check_tables(file, DECLARED) == (), "the tables of a missing file must not be reported as missing, too"


def test_a_component_file_is_read_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "components.yaml"
    path.write_text(GOOD.replace("\n", "\r\n"), encoding="utf-8-sig")
    assert load_components(path).tables["Place"].ids == ("s01", "s02", "l_1")
