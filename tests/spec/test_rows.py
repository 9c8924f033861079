"""Rows of the report on texts, computed from the apparatus and the decisions of a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.spec import (
    GameText,
    RowPair,
    Section,
    TextRow,
    attested_clauses,
    read_decisions,
    read_game,
    row_pair_of,
    rows,
    without_examples,
)

from .test_apparatus import NIMM

DECIDED = """\
- clauses: [take.most, take.most.first]
  verdict: differ
  kind: {kind}
  binds: play
  about: {{en: How many pieces one takes}}
  readings:
    three: {{en: A player takes three pieces at most.}}
    two: {{en: A player takes two pieces at most.}}
  texts:
    ru: {{lines: 4, reading: three}}
    en: {{lines: "4, 5-6", reading: two}}
    he: {{lines: 4, open: [three, two], adds: the number}}
  why: the numbers differ
- clauses: [take.enough]
  verdict: same
  binds: nobody
  readings: {{said: {{en: One takes what is there.}}}}
  texts:
    ru: {{lines: 3, reading: said}}
    en: {{lines: 3, reading: said}}
    he: {{silent: 3}}
  why: he says nothing
"""


OPEN = """\
- clauses: [{{fork: last}}]
  verdict: {verdict}
  binds: score
  about: {{en: What the last piece is worth}}
  readings:
    wins: {{en: Who takes the last piece wins.}}
    loses: {{en: Who takes the last piece loses.}}
  texts:
    ru: {{lines: 9, {ru}}}
    he: {{lines: 9, open: [wins, loses]}}
  why: he 9 names nobody
"""


def test_a_text_without_its_examples_shares_the_component_data() -> None:
    text = read_game("boreal")
    data = text.component_files
    assert [id(each) for each in without_examples(text).component_files.values()] == [id(data[name]) for name in data]
    assert data


def rows_of(tmp_path: Path, source: str, decisions: str = "") -> dict[str, TextRow]:
    (tmp_path / "nimm.ludex").write_text(source, encoding="utf-8")
    text: GameText = read_game(tmp_path / "nimm.ludex")
    decided, faults = read_decisions(decisions, "collation.yaml", tuple(text.texts)) if decisions else ((), ())
    assert not faults
    return {row.name: row for row in rows(attested_clauses(text.declarations, text.texts), text.texts, decided)}


def test_undecided_clauses_become_rows_by_the_apparatus(tmp_path: Path) -> None:
    rows_by_name = rows_of(tmp_path, NIMM)
    assert {name: row.section for name, row in rows_by_name.items()} == {
        "take.most": Section.CONTRADICTION,
        "take.away": Section.CONTRADICTION,
        "take.enough": Section.OMISSION,
    }
    assert [dict(reading.lines) for reading in rows_by_name["take.most"].readings] == [
        {"ru": ((4, 4),), "he": ((4, 4),)},
        {"en": ((4, 4),)},
    ]
    assert rows_by_name["take.enough"].silent == {"he": ((3, 3),)}
    assert rows_by_name["take.most"].pair == ("ru", "en")
    assert rows_by_name["take.enough"].pair == ("ru", "he")


def test_a_decision_is_one_row_with_all_its_clauses(tmp_path: Path) -> None:
    rows_by_name = rows_of(tmp_path, NIMM, DECIDED.format(kind="amount"))
    row = rows_by_name["take.most"]
    assert (row.section, row.clauses) == (Section.CONTRADICTION, ("take.most", "take.most.first"))
    assert [dict(reading.lines) for reading in row.readings] == [
        {"ru": ((4, 4),)},
        {"en": ((4, 4), (5, 6))},
        {"he": ((4, 4),)},
    ]
    assert [len(reading.between) for reading in row.readings] == [0, 0, 2]
    assert row.readings[2].adds == {"he": "the number"}
    assert "take.most.first" not in rows_by_name


@pytest.mark.parametrize(("kind", "section"), [("duty", Section.DUTY), ("order", Section.CONTRADICTION)])
def test_team_duties_have_a_section_of_their_own(tmp_path: Path, kind: str, section: Section) -> None:
    assert rows_of(tmp_path, NIMM, DECIDED.format(kind=kind))["take.most"].section is section


def test_clauses_omitted_by_a_summary_are_no_omission(tmp_path: Path) -> None:
    summary = NIMM.replace("lacuna: en 90..100", "summary: ru")
    assert rows_of(tmp_path, NIMM, DECIDED.format(kind="amount"))["take.enough"].section is Section.OMISSION
    assert rows_of(tmp_path, summary, DECIDED.format(kind="amount"))["take.enough"].section is Section.SUMMARY
    assert rows_of(tmp_path, summary)["take.enough"].section is Section.SUMMARY


def test_a_lacuna_is_one_row_for_each_text(tmp_path: Path) -> None:
    torn = NIMM.replace("lacuna: en 90..100", "lacuna: en 5..6").replace("[ru 5] [en 6]", "[en 6]")
    row = rows_of(tmp_path, torn)["lacuna.he"]
    assert (row.section, row.clauses, row.about) == (Section.LACUNA, ("take.most.first",), {"en": "en 5-6"})


def test_rows_that_bind_players_come_first(tmp_path: Path) -> None:
    rows_by_name = list(rows_of(tmp_path, NIMM, DECIDED.format(kind="amount")).values())
    order = list(Section)
    assert [order.index(row.section) for row in rows_by_name] == sorted(
        order.index(row.section) for row in rows_by_name
    )
    assert not rows_by_name[-1].matters


def test_statements_and_omissions_at_one_place_are_one_row(tmp_path: Path) -> None:
    whole = DECIDED.format(kind="amount")
    second = whole[whole.index("- clauses: [take.enough]") :].replace("take.enough", "take.away")
    other = second.replace("lines: 3", "lines: 5").replace("take.away", "turns").replace("silent: 3", "silent: 9")
    rows_by_name = rows_of(tmp_path, NIMM, whole + second + other)
    row = rows_by_name["take.enough"]
    assert row.clauses == ("take.enough", "take.away")
    assert [part.clauses for part in row.parts] == [("take.enough",), ("take.away",)]
    assert rows_by_name["turns"].parts == (rows_by_name["turns"],)


def test_only_the_compared_texts_decide_about_a_row(tmp_path: Path) -> None:
    (tmp_path / "nimm.ludex").write_text(NIMM, encoding="utf-8")
    text = read_game(tmp_path / "nimm.ludex")
    decided, _ = read_decisions(DECIDED.format(kind="amount"), "collation.yaml", tuple(text.texts))
    attested = attested_clauses(text.declarations, text.texts)

    def section(*names: str) -> dict[str, Section]:
        judged = rows(attested, {name: text.texts[name] for name in names}, decided)
        return {row.name: row.section for row in judged if row.section is not Section.LACUNA}

    assert section("ru", "en") == {"take.most": Section.CONTRADICTION}, "only the Hebrew text has another `away`"
    assert section("ru", "he")["take.away"] is Section.CONTRADICTION
    assert section("ru", "he")["take.most"] is Section.VAGUENESS
    assert section("ru", "he")["take.enough"] is Section.OMISSION
    assert "take.enough" not in section("ru", "en")


def test_a_rule_that_no_text_states_rests_on_a_ruling(tmp_path: Path) -> None:
    (tmp_path / "nimm.ludex").write_text(NIMM, encoding="utf-8")
    text = read_game(tmp_path / "nimm.ludex")
    (row,) = [row for row in rows((), text.texts, (), text.declarations) if row.section is Section.RULING]
    assert (row.name, row.about) == ("score.left", {"en": "nobody has points"})


def test_a_question_answered_by_a_ruling_of_the_game_is_not_reported_twice(tmp_path: Path) -> None:
    (tmp_path / "nimm.ludex").write_text(NIMM, encoding="utf-8")
    text = read_game(tmp_path / "nimm.ludex")
    (ruling,) = [row for row in rows((), text.texts, (), text.declarations) if row.section is Section.RULING]
    none = "- clauses: [{path}]\n  verdict: none\n  binds: play\n  about: {{en: A tie}}\n  readings: {{}}\n"
    none += "  texts:\n    ru: {{silent: 3}}\n    en: {{silent: 3}}\n    he: {{silent: 3}}\n  why: none says it\n"

    def told(path: str) -> list[dict[str, str]]:
        decided, faults = read_decisions(none.format(path=path), "collation.yaml", tuple(text.texts))
        assert not faults
        judged = rows((), text.texts, decided, text.declarations)
        return [dict(row.about) for row in judged if row.section is Section.RULING]

    assert told(ruling.name) == [dict(ruling.about)]
    assert told("take.enough") == [{"en": "A tie"}, dict(ruling.about)]


def test_a_question_left_open_by_one_text_is_played_in_both_its_readings(tmp_path: Path) -> None:
    row = rows_of(tmp_path, NIMM, OPEN.format(verdict="vague", ru="reading: loses"))["fork last"]
    assert row.pair == ("ru", "he")
    assert row.doubt is not None
    assert (row.doubt.fork, row.doubt.readings) == ("last", ("loses", "wins"))
    trial = row_pair_of(read_game(tmp_path / "nimm.ludex"), row)
    assert isinstance(trial, RowPair)
    asked = [(each.edition, dict(each.readings)) for _, each in (trial.left, trial.right)]
    assert asked == [("he", {"last": "loses"}), ("he", {"last": "wins"})]


def test_a_question_left_open_by_all_is_played_in_the_first_text(tmp_path: Path) -> None:
    source = NIMM.replace("[ru 9]", "").replace("[he 9]", "[ru 9] [he 9]")
    row = rows_of(tmp_path, source, OPEN.format(verdict="open", ru="open: [wins, loses]"))["fork last"]
    assert row.pair == ("ru", "ru")
    assert row.doubt is not None
    assert row.doubt.readings == ("loses", "wins")


def test_a_part_of_another_decision_is_in_its_row(tmp_path: Path) -> None:
    decided = DECIDED.format(kind="amount")
    part = decided[decided.index("- clauses: [take.enough]") :].replace(": 3", ": 7")
    part = part.replace("[take.enough]", "[take.away]\n  part_of: take.most.first")
    row = rows_of(tmp_path, NIMM, decided + part)["take.most"]
    assert [each.name for each in row.parts] == ["take.most", "take.away"]
    assert row.section is Section.CONTRADICTION
    assert row.binds == "play"


def test_a_part_must_name_a_decision_with_a_row() -> None:
    decided = DECIDED.format(kind="amount").replace(
        "- clauses: [take.enough]", "- clauses: [take.enough]\n  part_of: take.nothing"
    )
    _, faults = read_decisions(decided, "collation.yaml", ("ru", "en", "he"))
    assert [(each.code.code, each.span.line) for each in faults] == [("K111", 14)]


def test_a_text_that_contradicts_itself_has_both_readings_and_none_open(tmp_path: Path) -> None:
    decided = OPEN.format(verdict="vague", ru="reading: loses").replace("open: [wins, loses]", "both: [wins, loses]")
    row = rows_of(tmp_path, NIMM, decided)["fork last"]
    assert [(reading.is_both, len(reading.between)) for reading in row.readings] == [(False, 0), (True, 2)]
    assert row.doubt is not None


def test_a_lost_clause_with_a_decision_is_in_the_row_of_the_lacuna(tmp_path: Path) -> None:
    torn = NIMM.replace("lacuna: en 90..100", "lacuna: en 5..6").replace("[ru 5] [en 6]", "[en 6]")
    decided = DECIDED.format(kind="amount").replace(
        "he: {lines: 4, open: [three, two], adds: the number}", "he: {lost: true}"
    )
    rows_by_name = rows_of(tmp_path, torn, decided)
    assert rows_by_name["lacuna.he"].section is Section.LACUNA
    assert rows_by_name["take.most"].parts == (rows_by_name["take.most"],)
