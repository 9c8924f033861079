"""`ludex diff` of the texts of one game."""

from __future__ import annotations

import csv
import json
import re
import shutil
import zipfile
from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from ludex.cli.diff_report import report_schema
from ludex.cli.diff_report.phrases import Phrases
from ludex.grammar import languages
from ludex.interpreter import Response, RowPlayer, RowResult, play_all
from ludex.spec import ROW_DECISIONS, RowPair, Section

from ..no_files import NO_FILES, put
from .books_game import DECIDED, write_game
from .running import Ran, ludex

ROOT = Path(__file__).parents[2]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return write_game(tmp_path)


FORK = """\
fork goes                                                       [ru 5] [en 5] [he 5] [aid 1]
  off: "they leave the game"
  back: "they go back"
  default off "as most play it"

"""


def diff(game: Path, *arguments: object) -> Ran:
    return ludex("diff", game, "--effort", "2000", *arguments)


def chapters(game: Path, *arguments: object) -> dict[str, list[dict[str, Any]]]:
    data = json.loads(diff(game, "--format", "json", *arguments).output)
    Draft202012Validator(report_schema()).validate(data)
    return {chapter["section"]: chapter["rows"] for chapter in data["chapters"]}


# ---- the content of reports


def test_each_phrase_of_the_catalogue_is_used() -> None:
    entries = re.findall("^diff-([a-z-]+) =", (ROOT / "grammar/messages/en.ftl").read_text("utf-8"), re.MULTILINE)
    files = [path for path in (ROOT / "cli/diff_report").rglob("*.*") if path.suffix in (".py", ".j2", ".js")]
    text = "\n".join(path.read_text("utf-8") for path in files)
    named = {
        *re.findall(r"""["']([\w -]+)["']""", text),
        *re.findall(r"said\.(\w+)", text),
        *Section,
        *get_args(Response),
    }
    made = {*(f"d {each}" for each in ROW_DECISIONS), *(f"binds {each}" for each in ("play", "score", "setup"))}
    used = {name.replace(" ", "-") for name in (*named, *made)}
    assert not set(entries) - used


def test_a_row_says_in_one_sentence_which_text_says_what(game: Path) -> None:
    done = diff(game)
    assert done.code == 1
    words = " ".join(done.output.split())
    assert "1. the Russian book and the Hebrew book: A player takes three stones at most; the English book:" in words
    assert "take.most [ru 4] [he 4] [en 4]; changes what may be done" in words
    assert "the Hebrew book: nothing about it." in words
    assert "can be read as “They go back” or as “They leave the game”." in words
    assert "the English book: ends before what other texts say at ru 20-30 (1)" in words
    assert "1. the last one counts (score.last)" in words
    assert done.output.endswith("concern only a summary (--all): 1\n")
    assert "Odd ones" not in done.output
    assert "Two are odd" in diff(game, "--all", "--no-play").output


def test_a_contradiction_within_a_text_is_no_vagueness(game: Path) -> None:
    decisions = game / "collation.yaml"
    changed = decisions.read_text(encoding="utf-8").replace("he: {lines: 5, open:", "he: {lines: 5, both:")
    decisions.write_text(
        changed.replace("verdict: open", "verdict: vague").replace(", open: [off, back]", ", reading: off"),
        encoding="utf-8",
    )
    row = chapters(game, "--no-play")["contradiction"][-1]
    assert row["statements"][-1] == {
        "titles": "the Hebrew book",
        "words": "one passage says “They go back”, another says “They leave the game”",
    }


def test_an_omission_of_a_summary_is_not_in_the_sentence(game: Path) -> None:
    decisions = game / "collation.yaml"
    changed = decisions.read_text(encoding="utf-8").replace(
        "    he: {silent: 3}\n", "    he: {silent: 3}\n    aid: {lines: 1, reading: said, adds: all}\n", 1
    )
    decisions.write_text(changed, encoding="utf-8")
    (row,) = [row for row in chapters(game, "--no-play")["omission"] if row["name"] == "take.enough"]
    assert row["statements"][0]["titles"] == "the Russian book and the English book"
    assert [text["siglum"] for text in row["parts"][0]["sayings"][0]["texts"]] == ["ru", "en", "aid"]


def test_sections_come_in_their_order(game: Path) -> None:
    assert list(chapters(game, "--no-play")) == ["contradiction", "omission", "vagueness", "lacuna", "ruling"]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("ru", "русские правила и английские правила: Берут из кучи; правила на иврите: об этом ничего."),
        ("he", "הספר הרוסי ו־הספר האנגלי: לוקחים מה שיש; הספר העברי: אין על כך דבר."),
    ],
)
def test_the_report_is_written_in_each_language(game: Path, language: str, sentence: str) -> None:
    done = diff(game, "--lang", language)
    assert sentence in " ".join(done.output.split())
    steps = chapters(game, "--lang", language)["contradiction"][0]["story"]["steps"]
    assert {"ru": "игрок 1: взять(камней: 3)", "he": "שחקן 1: לקחת(אבנים: 3)"}[language] == steps[0]["words"]


@pytest.mark.parametrize(("language", "player", "frame"), [("ru", "игрок", "да"), ("he", "שחקן", "כן")])
def test_words_that_the_game_lacks_are_quoted_and_the_rest_is_in_the_language(
    game: Path, language: str, player: str, frame: str
) -> None:
    source = game / "nimm.ludex"
    changed = re.sub(r"  take.*: en .*\n", "", source.read_text(encoding="utf-8"))
    changed = changed.replace("state heap: 0..9 = 5 ", "state over: Bool = false\nstate heap: 0..9 = 5 ")
    done = "tell: over := heap = 0                                          [ru 5] [en 5] [he 5] [aid 1]\n"
    source.write_text(changed.replace("  away: heap", f"  {done}  away: heap"), encoding="utf-8")
    (row,) = chapters(game, "--lang", language)["contradiction"]
    assert row["story"]["steps"][0]["words"] == f"{player} 1: `take`(`n`: 3)"
    assert {"ru": "`over`: нет", "he": "`over`: לא"}[language] in " ".join(row["story"]["table"])


def test_a_move_has_no_quotation_marks_where_the_game_has_no_word_in_the_language(game: Path) -> None:
    spec = game / "nimm.ludex"
    spec.write_text(re.sub(r', he "(נים|לקחת|הערימה|אבנים)"', "", spec.read_text("utf-8")), encoding="utf-8")
    steps = chapters(game, "--lang", "he")["contradiction"][0]["story"]["steps"]
    assert steps[0]["words"] == "שחקן 1: take(n: 3)"


def test_reports_in_files_have_no_terminal_marks(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = SimpleNamespace(stdout=SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("ludex.cli.view.display_names.sys", terminal)
    (row,) = chapters(game, "--lang", "he", "--fresh")["contradiction"]
    assert row["story"]["steps"][0]["words"] == "שחקן 1: לקחת(אבנים: 3)"


def test_the_game_of_a_row_is_a_short_story_about_its_pair(game: Path) -> None:
    (row,) = chapters(game)["contradiction"]
    story = row["story"]
    assert row["effect"] == "legal-moves"
    assert [(each["siglum"], each["answer"]) for each in story["answers"]] == [("ru", "allows"), ("en", "refuses")]
    assert story["changes"] == [{"what": "the heap", "before": "5", "left": "2", "right": ""}]
    assert [step["shown"] for step in story["steps"]] == [True]
    (row,) = chapters(game)["omission"][:1]
    assert [each["siglum"] for each in row["story"]["answers"]] == ["ru", "he"]
    (row,) = chapters(game, "en", "he")["contradiction"]
    assert [each["siglum"] for each in row["story"]["answers"]] == ["en", "he"]


def test_the_page_has_no_table_of_consequences_for_a_forbidden_move(game: Path) -> None:
    heads = re.findall(r'<th scope="col">(.*?)</th>', diff(game, "--clause", "take.most", "--format", "html").output)
    assert heads == ["What changes", "before", "after: <bdi>the Russian book</bdi>"]


def test_a_decision_that_also_names_clauses_of_transcriptions_is_played(tmp_path: Path) -> None:
    game = write_game(tmp_path, DECIDED.replace("[take.most]", "[take.most, {fork: most_of}, take.utmost]"))
    assert "take.most [ru 4] [he 4] [en 4]; changes what may be done" in " ".join(diff(game).output.split())


def test_a_point_left_open_is_shown_in_both_readings(game: Path) -> None:
    source = game / "nimm.ludex"
    changed = source.read_text(encoding="utf-8").replace("state heap", FORK + "state heap")
    source.write_text(
        changed.replace("if heap = 0 then 1", "if heap = 0 then (if goes = off then 1 else 2)"), encoding="utf-8"
    )
    decisions = game / "collation.yaml"
    named = decisions.read_text(encoding="utf-8").replace("- clauses: [take.away]", "- clauses: [{fork: goes}]")
    decisions.write_text(named, encoding="utf-8")
    (row,) = chapters(game)["vagueness"]
    assert row["effect"] == "score"
    assert [each["title"] for each in row["story"]["answers"]] == ["“They go back.”", "“They leave the game.”"]


def test_the_texts_are_quoted_and_differing_words_marked(game: Path) -> None:
    (row,) = chapters(game, "--sources", game.parent / "books", "--no-play")["contradiction"]
    quoted = {
        text["siglum"]: [(piece["words"], piece["marked"]) for quote in text["quotes"] for piece in quote["pieces"]]
        for saying in row["parts"][0]["sayings"]
        for text in saying["texts"]
    }
    assert ("two", True) in quoted["en"]
    assert ("трёх", True) in quoted["ru"]
    assert ("שלוש", True) in quoted["he"]
    assert ("at most", True) not in quoted["en"], "all three texts must be quoted"
    output = diff(game, "--sources", game.parent / "books", "--details", "--no-play").output
    assert "4 | One may take two stones at most" in output


def test_an_unreadable_text_is_named(game: Path) -> None:
    books = game.parent / "books"
    (books / "en.txt").write_bytes(b"\xff")
    (books / "he.txt").unlink()
    for _ in range(2):  # the second report was stored
        notes = diff(game, "--sources", books, "--no-play").stderr.splitlines()
        assert notes == [
            f"note: the words of `en` are not shown: {books / 'en.txt'}: F105 the byte 0xFF is not UTF-8",
            f"note: the words of `he` are not shown: {books / 'he.txt'}: F101 there is no such file",
        ]


def test_only_named_texts_are_compared(game: Path) -> None:
    assert "take.most" not in str(chapters(game, "ru", "he", "--no-play").get("contradiction"))
    done = diff(game, "fr")
    assert done.code == 3
    assert "has no text `fr`" in done.output


def test_rows_of_other_texts_only_are_left_out(tmp_path: Path) -> None:
    """A clause that is stated or varied by the only text compared makes no row either."""
    game = write_game(tmp_path, DECIDED.replace("en: {lines: 3, reading: said}", "en: {silent: 3}"))
    chapter = chapters(game, "en", "he", "--no-play")
    assert list(chapter) == ["contradiction", "vagueness", "lacuna", "ruling"]
    (game / "collation.yaml").unlink()
    for name in ("ru", "en", "he"):
        assert chapters(game, name, "--no-play").keys() <= {"lacuna", "ruling"}


def test_a_part_is_a_row_of_its_own_where_the_texts_agree_on_the_rest(tmp_path: Path) -> None:
    decided = DECIDED.replace("clauses: [take.most]", "clauses: [take.most]\n  part_of: take.enough")
    (row,) = chapters(write_game(tmp_path, decided), "ru", "en", "--no-play")["contradiction"]
    assert row["sentence"].startswith("the Russian book: A player takes three stones at most; the English book:")


@pytest.mark.parametrize("language", languages())
def test_texts_that_agree_are_reported_to_agree(tmp_path: Path, language: str) -> None:
    game = write_game(tmp_path, "")
    spec = (game / "nimm.ludex").read_text(encoding="utf-8")
    (game / "nimm.ludex").write_text(spec.replace('ruling "the last one counts"', "[ru 6]"), encoding="utf-8")
    done = diff(game, "ru", "--lang", language, "--no-play")
    assert done.code == 0
    assert done.output.endswith(f"\n\n{Phrases(language)['no parting']}\n")
    page = diff(game, "ru", "--lang", language, "--no-play", "--format", "html").output
    assert f'<p id="nothing">{Phrases(language)["no parting"]}</p>' in page


def test_a_clause_is_reported_with_everything_known(game: Path) -> None:
    output = diff(game, "--clause", "take.most").output
    assert "if one adds: that a number is a bound" in output
    assert "Why: the numbers differ (readers of the lines: 2)" in output
    assert "take.enough" not in output
    done = diff(game, "--clause", "take.most", "--clause", "take.moost")
    assert done.code == 3
    assert "did you mean `take.most`?" in done.output


def test_a_row_without_a_decision_quotes_no_words_of_the_spec(tmp_path: Path) -> None:
    output = " ".join(diff(write_game(tmp_path, ""), "--no-play", "--details").output.split())
    assert (
        "the Russian book and the Hebrew book: a rule that nobody has put into words yet; the English book:" in output
    )
    assert "take.most [ru 4] [he 4] [en 4]" in output
    assert "<=" not in output


def test_every_row_has_a_sentence(tmp_path: Path) -> None:
    record = """\
- clauses: []
  suggest: more_{0}
  verdict: same
  binds: play
  about: {{en: More}}
  readings: {{said: {{en: Rule {0} is kept.}}}}
  texts:
    ru: {{lines: {0}, reading: said}}
    en: {{silent: {0}}}
    he: {{lines: {0}, reading: said}}
  why: so
"""
    game = write_game(tmp_path, DECIDED + "".join(record.format(n) for n in range(40, 52)))
    output = " ".join(diff(game, "--no-play").output.split())
    for n in range(40, 52):
        assert f"the Russian book and the Hebrew book: Rule {n} is kept; the English book: nothing about it." in output


def test_rules_that_no_text_states_have_a_sentence_and_are_folded_if_not_binding(tmp_path: Path) -> None:
    record = """\
- clauses: []
  suggest: lucky
  verdict: none
  kind: wording
  binds: nobody
  about: {en: Luck}
  readings: {said: {en: Seven stones are lucky.}}
  texts:
    ru: {silent: 3}
    en: {silent: 3}
    he: {silent: 3}
  why: nobody says it
"""
    game = write_game(tmp_path, DECIDED + record)
    assert "lucky" not in diff(game, "--no-play").output
    assert "Seven stones are lucky (lucky)" in " ".join(diff(game, "--no-play", "--all").output.split())
    assert "Seven stones are lucky" in diff(game, "--no-play", "--format", "csv").output


def test_omissions_at_one_place_are_one_row(tmp_path: Path) -> None:
    decided = DECIDED.replace("  binds: nobody\n  about: {en: Odd", "  binds: play\n  about: {en: Odd").replace(
        "en: {silent: 3}", "en: {lines: 3, reading: said}"
    )
    (row,) = chapters(write_game(tmp_path, decided), "--no-play")["omission"]
    assert row["sentence"] == (
        "the Russian book and the English book: One takes what is there; Two are odd; "
        "the Hebrew book: nothing about it."
    )
    assert [part["clauses"] for part in row["parts"]] == [["take.enough"], ["take.odd"]]
    shutil.rmtree(tmp_path / "nimm")
    shutil.rmtree(tmp_path / "books")
    decided = decided.replace("  about: {en: Odd ones}\n", "")
    (row,) = chapters(write_game(tmp_path, decided), "--no-play")["omission"]
    assert row["parts"][1]["about"] == "take.odd", "a part without a title must be called by its path"


# ---- tables


def test_the_csv_has_one_line_for_each_difference(game: Path) -> None:
    head, *rows = csv.reader(StringIO(diff(game, "--format", "csv", "--no-play").output.lstrip("\ufeff")))
    (first,) = (dict(zip(head, row, strict=True)) for row in rows if row[-1] == "take.most")
    assert first["the English book"] == "A player takes <b>two</b> stones at most."
    assert first["Lines: the Hebrew book"] == "4"
    assert first["the player aid"] == ""


def test_the_workbook_is_in_the_language_and_its_direction(game: Path, tmp_path: Path) -> None:
    assert diff(game, "--format", "xlsx", "--no-play", "--lang", "he", "--out", tmp_path / "a.xlsx").code == 1
    with zipfile.ZipFile(BytesIO((tmp_path / "a.xlsx").read_bytes())) as book:
        words = book.read("xl/sharedStrings.xml").decode()
        assert 'rightToLeft="1"' in book.read("xl/worksheets/sheet1.xml").decode()
    assert "הספר העברי" in words
    done = diff(game, "--format", "xlsx", "--no-play")
    assert done.code == 3
    assert "name it with --out" in done.output


def test_a_report_is_written_into_a_folder_and_a_failed_write_is_reported_first(game: Path, tmp_path: Path) -> None:
    assert diff(game, "--format", "json", "--no-play", "--out", tmp_path / "made").code == 1
    assert [file.name for file in (tmp_path / "made").iterdir()] == ["nimm.json"]
    done = diff(game, "--format", "rulings", "--out", tmp_path / "made")
    assert done.output == f"wrote {tmp_path / 'made' / 'nimm.yaml'}\n"
    for form in ("text", "xlsx"):
        for place in (tmp_path / "made" / "nimm.json" / "a.txt", tmp_path / "nowhere" / "a.txt"):
            done = diff(game, "--effort", "1000000000", "--format", form, "--out", place)
            assert done.code == 3
            assert "cannot be written" in done.output
    assert diff(game, "--effort", "1000000000", "--format", "xlsx").code == 3


@pytest.mark.parametrize("form", ["text", "json", "html", "csv", "xlsx", "rulings"])
def test_a_report_overwrites_reports_only(form: str, game: Path) -> None:
    out = game.parent / "out.file"
    for language in ("he", "en"):
        assert diff(game, "--no-play", "--format", form, "--out", out, "--lang", language).output == f"wrote {out}\n"
    for lost in (game / "nimm.ludex", game / "collation.yaml", game.parent / "books" / "en.txt"):
        there = lost.read_bytes()
        done = diff(game, "--no-play", "--format", form, "--out", lost)
        assert done.code == (1 if form == "rulings" else 3)
        assert form == "rulings" or "exists already and is not a report" in done.output
        assert lost.read_bytes() == there


@pytest.mark.parametrize("formula", ("=1+1", "  =1+1", "\uff1d1+1"))
def test_no_cell_is_a_formula(formula: str, tmp_path: Path) -> None:
    game = write_game(tmp_path, DECIDED.replace("en: How many stones", f'en: "{formula}"'))
    rows = list(csv.reader(StringIO(diff(game, "--format", "csv", "--no-play").output)))
    assert any(cell in (f"'{formula}", f"'{formula.strip()}") for cell in rows[1])


# ---- rulings

RULED = 'rulings:\n  - {row: take.most, says: "mebeglgpak", decision: differ, counts: ru, comment: "printed wrong"}\n'


def test_rulings_of_a_team_are_shown_by_row(game: Path, tmp_path: Path) -> None:
    file = game / "rulings.yaml"
    assert diff(game, "--format", "rulings", "--out", file).code == 1
    assert diff(game, "--check").code == 1
    file.write_text(file.read_text("utf-8").replace('decision: ""', 'decision: "same"', 1), encoding="utf-8")
    assert "take.most" not in str(chapters(game, "--check")), "every form must show the ruling"
    file.write_text(file.read_text("utf-8").replace('decision: ""', 'decision: "same"'), encoding="utf-8")
    assert diff(game, "--check").code == 0
    assert "the texts say the same" in diff(game, "--no-play").output
    text = (game / "collation.yaml").read_text("utf-8").replace("three stones", "four stones")
    (game / "collation.yaml").write_text(text, encoding="utf-8")
    done = diff(game, "--check")
    assert done.code == 1
    assert "changed since it was decided: the texts say the same" in " ".join(done.output.split())
    assert "take.enough" not in done.output


def test_a_downloaded_file_is_merged_and_rows_not_in_it_are_new(game: Path, tmp_path: Path) -> None:
    file, downloaded = game / "rulings.yaml", tmp_path / "down.yaml"
    file.write_text(f"# ours\n{RULED}", encoding="utf-8")
    downloaded.write_text(
        'rulings:\n  - {row: take.most, says: "mebeglgpak", decision: same}\n'
        '  - {row: take.away, says: "", comment: "asked"}\n',
        encoding="utf-8",
    )
    rows = {row["name"]: row for each in chapters(game, "--no-play", "--rulings", downloaded).values() for row in each}
    assert rows["take.most"]["ruled"]["decision"] == "same"
    assert rows["take.most"]["earlier"] == [{"decision": "differ", "counts": "ru", "comment": "printed wrong"}]
    assert [name for name, row in rows.items() if row["is_new"]] == [
        "take.enough", "take.odd", "lacuna.en", "score.last",
    ]  # fmt: skip
    assert diff(game, "--rulings", downloaded, "--format", "rulings", "--out", file).code == 1
    merged = file.read_text("utf-8")
    assert merged.startswith("# ours\n")
    assert all(words in merged for words in ('"printed wrong"', '"asked"', '"take.enough"'))
    assert diff(game, "--rulings", downloaded, "--format", "rulings", "--out", file).code == 1
    assert file.read_text("utf-8") == merged


@pytest.mark.parametrize(
    ("text", "code"), [("rulings: 3\n", "D101"), ("rulings: [\n", "C201"), (RULED.replace("ru,", "fr,"), "D103")]
)
def test_rulings_with_faults_are_refused(game: Path, text: str, code: str) -> None:
    (game / "rulings.yaml").write_text(text, encoding="utf-8")
    done = diff(game, "--no-play")
    assert done.code == 1
    assert code in done.output


def test_a_ruling_on_a_missing_row_is_stored_and_named(game: Path) -> None:
    file = game / "rulings.yaml"
    file.write_text(RULED.replace("take.most", "take.moost"), encoding="utf-8")
    note = "note: there is a ruling on `take.moost`, but no row has this name; did you mean `take.most`?\n"
    for _ in range(2):  # the second report was stored
        assert diff(game, "--no-play").stderr == note
    assert diff(game, "ru", "en", "--no-play").stderr == ""
    assert diff(game, "--no-play", "--format", "rulings", "--out", file).stderr == note
    assert '"take.moost"' in file.read_text("utf-8")


def test_a_file_without_rulings_is_unreadable(game: Path) -> None:
    done = diff(game, "--rulings", game.parent / "books")
    assert done.code == 2
    assert "F102 this is a folder" in done.output


def test_a_missing_number_is_requested_in_plain_words(game: Path) -> None:
    for option, words in (("--effort", "whole number"), ("--seconds", "number of seconds")):
        done = diff(game, option, "many")
        assert done.code == 3
        assert f"'many' is not a valid {words}." in done.output


def test_rulings_on_another_game_are_refused(game: Path, tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text(f"game: heap\n{RULED}", encoding="utf-8")
    done = diff(game, "--no-play", "--rulings", tmp_path / "r.yaml")
    assert done.code == 1
    assert "r.yaml:1:7: D105 these rulings are about the game `heap`, and not about `nimm`" in done.output


def test_decisions_with_faults_are_refused(game: Path) -> None:
    (game / "collation.yaml").write_text("- clauses: 3\n", encoding="utf-8")
    done = diff(game, "--no-play")
    assert done.code != 0
    assert "collation.yaml" in done.output


@pytest.mark.parametrize("kind", NO_FILES)
@pytest.mark.parametrize("name", ["collation.yaml", "rulings.yaml"])
def test_a_file_beside_the_game_that_is_not_regular_is_reported(game: Path, name: str, kind: str) -> None:
    (game / name).unlink(missing_ok=True)
    code = put(kind, game / name)
    done = diff(game, "--no-play")
    assert done.code == 2
    assert re.findall("F10[0-9]", done.output) == [code]


def test_the_schema_is_published() -> None:
    Draft202012Validator.check_schema(report_schema())
    assert json.loads(ludex("schema", "--report", "texts").output) == report_schema()
    assert json.loads(ludex("schema", "--report", "rulings").output)["title"].startswith("Rulings")


def test_games_are_cached_until_something_changes(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    asked = (game, "--effort", "500")
    first = diff(*asked)
    played: list[str] = []
    play = RowPlayer.play

    def noted(table: RowPlayer, row_pair: RowPair) -> RowResult:
        played.append(row_pair.name)
        return play(table, row_pair)

    monkeypatch.setattr(RowPlayer, "play", noted)
    assert (diff(*asked).output, played) == (first.output, [])
    file = game / "nimm.ludex"
    file.write_text(file.read_text(encoding="utf-8").replace("n <= 2", "n <= 1"), encoding="utf-8")
    diff(*asked)
    assert "take.most" in played


def test_a_changed_game_is_not_taken_from_the_cache(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first = diff(game, "--effort", "500")
    for path in (tmp_path / "cache" / "ludex").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:-9])
    assert diff(game, "--effort", "500").output == first.output


@pytest.mark.parametrize("form", ["json", "text", "html", "csv"])
def test_an_interrupted_search_is_reported_as_incomplete(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def first_only(*asked: Any) -> Iterator[tuple[RowPair, RowResult]]:
        yield next(play_all(*asked))
        raise KeyboardInterrupt

    monkeypatch.setattr("ludex.cli.diff_report.compare_editions.play_all", first_only)
    done = diff(game, "--format", form)
    assert (done.code, done.stderr.split()) == (130, ["stopped"])
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    again = diff(game, "--format", form)
    mark = '<p class="incomplete">NOT COMPLETE' if form == "html" else "NOT COMPLETE"
    assert (again.code, mark in again.stdout) == (1, False), "an incomplete report must not be stored"
    if form == "json":
        data = json.loads(done.stdout)
        rows = {row["name"]: row["effect"] for each in data["chapters"] for row in each["rows"]}
        assert (data["complete"], rows["take.most"], rows["take.enough"]) == (False, "legal-moves", "unknown")
        assert json.loads(again.stdout)["complete"] is True
    else:
        assert mark in done.stdout


def test_rows_do_not_depend_on_the_number_of_processes(game: Path) -> None:
    asked = (game, "--effort", "500", "--fresh")
    assert diff(*asked, "--jobs", "2").output == diff(*asked).output
