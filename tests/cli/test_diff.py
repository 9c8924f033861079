"""`ludex diff`: what it writes, what rulings do to it, and that its forms are what others can read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from jsonschema import Draft202012Validator

from ludex.cli.diff import EFFORT
from ludex.cli.differences import text, to_markdown, to_sarif, to_text
from ludex.cli.exits import Exit
from ludex.cli.report import json_text
from ludex.cli.terminal import unstyled
from ludex.interpreter import Effort, difference_schema
from ludex.spec import RULINGS_FILE, path_of

from ..no_files import NO_FILES, put
from .running import Ran, compare, ludex
from .sarif import LOG
from .specs import write_ferry
from .tellings import ferry as telling


@pytest.fixture
def ferry(tmp_path: Path) -> Path:
    return write_ferry(tmp_path)


def diff(*args: object) -> Ran:
    """With so little searching as small games need."""
    return ludex("diff", *args, "--effort", 200, "--fresh")


def ruled(folder: Path, *args: object) -> Path:
    """A file in which everything is decided, beside the game."""
    file = folder / RULINGS_FILE
    draft = diff(folder, *args, "--format", "rulings").stdout
    file.write_text(draft.replace('""', "so it was meant"), encoding="utf-8")
    return file


def change(folder: Path, edition: str, before: str, after: str) -> None:
    file = folder / f"{edition}.ludex"
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after), encoding="utf-8")


# ---- how it is told: findings are made up, so that a better search changes no report


def test_the_report_for_a_terminal(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    compare("report_text", unstyled(to_text(telling(tmp_path, everything=True))) + "\n", request)


def test_the_report_as_markdown(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    compare("report_markdown", to_markdown(telling(tmp_path)), request)


def test_the_report_as_sarif(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    told = json_text(to_sarif(telling(tmp_path, "en", "he"), "0.1"))
    compare("report_sarif", told.replace(tmp_path.as_uri(), "TMP") + "\n", request)


def test_only_a_clause_with_all_inside(ferry: Path) -> None:
    ran = ludex("diff", ferry, "--no-play", "--clause", "take.small", "--all")
    assert "take.small.full" in ran.output
    assert "take.enough" not in ran.output
    assert "boats" not in ran.output
    both = ludex("diff", ferry, "--no-play", "--clause", "take.small", "--clause", "crew", "--format", "json")
    told = json.loads(both.stdout)["divergences"]
    assert {each["clause"] for each in told} == {"take.small", "take.small.full", "score.cargo"}, "where it is told"


def test_a_clause_said_alike_is_no_finding(ferry: Path) -> None:
    ran = ludex("diff", ferry, "en", "en.margin", "--no-play", "--clause", "take.gain")
    assert (ran.code, "1 clause said alike" in ran.output) == (Exit.GOOD, True), ran.output


def test_a_clause_that_nobody_states_is_wrong_usage(ferry: Path) -> None:
    ran = ludex("diff", ferry, "--no-play", "--clause", "take.smal")
    assert ran.code == Exit.USAGE
    assert "did you mean `take.small`?" in ran.output


def test_of_many_divergences_only_the_table(ferry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MOST_DETAILS", 3)
    ran = ludex("diff", ferry, "--no-play")
    assert "--clause NAME" in ran.output
    assert "require enough" not in ran.output
    assert "require enough" in ludex("diff", ferry, "--no-play", "--details").output


def test_a_report_always_says_how_far_was_looked(ferry: Path) -> None:
    searched = diff(ferry).output
    assert "at most 200 events and 240 s for each pair of readings, seed 0" in searched
    assert "no play came to where it could matter: " in searched
    assert "stopped by the clock: " in searched
    for form in ("text", "markdown", "html", "sarif"):
        assert "nothing was played" in ludex("diff", ferry, "--no-play", "--format", form).stdout
    told = json.loads(diff(ferry, "--format", "json").stdout)
    assert told["bounds"]["effort"] == {"events": 200, "seconds": 240.0, "seed": 0, "players": []}
    assert set(told["bounds"]["unreached"]) <= {each["clause"] for each in told["divergences"]}


@pytest.mark.parametrize("seconds", ["nan", "NaN", "inf", "-inf", "-1", "0", "1e400", "1e-300", "soon", ""])
def test_a_stop_is_a_number_of_seconds(ferry: Path, seconds: str) -> None:
    ran = ludex("diff", ferry, "--no-play", "--seconds", seconds)
    assert ran.code == Exit.USAGE
    assert "Invalid value for '--seconds'" in ran.stderr


def test_the_effort_is_the_librarys_own() -> None:
    assert Effort().events == EFFORT


# ---- what is written


def test_json_is_as_the_published_schema_says(ferry: Path) -> None:
    schema = json.loads(ludex("schema", "--report", "diff").stdout)
    assert schema == difference_schema()
    told = json.loads(diff(ferry, "--format", "json").stdout)
    Draft202012Validator(schema).validate(told)
    assert any(each["witness"] for each in told["divergences"])
    assert told["bounds"]["events"] > 0


def test_a_folder_gets_the_report_and_the_logs(ferry: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = diff(ferry, "--format", "json", "--out", out)
    assert ran.stdout == ""
    told = json.loads((out / "ferry-en-en.margin-he.json").read_text(encoding="utf-8"))
    logs = [shown["log"] for each in told["divergences"] for shown in (each["witness"], *each["others"]) if shown]
    assert logs
    assert sorted(logs) == sorted(str(path) for path in out.glob("*.jsonl"))


def test_a_written_log_is_read_by_the_other_commands(ferry: Path, tmp_path: Path) -> None:
    diff(ferry, "en", "he", "--out", tmp_path / "out")
    logs = list((tmp_path / "out").glob("*.jsonl"))
    assert logs
    for log in logs:
        ran = ludex("validate", log, "--game", ferry)
        assert ran.code in {Exit.GOOD, Exit.FINDINGS}, ran.output
        assert " F1" not in ran.output


@pytest.mark.parametrize("form", ["text", "markdown", "sarif", "html", "rulings"])
def test_every_form_can_be_a_file(ferry: Path, tmp_path: Path, form: str) -> None:
    file = tmp_path / "report.txt"
    ran = ludex("diff", ferry, "--no-play", "--format", form, "--out", file)
    assert (ran.code, ran.stdout) == (Exit.FINDINGS, "")
    text = file.read_text(encoding="utf-8")
    assert "take.enough" in text.replace("<wbr>", "")
    assert "\x1b" not in text


def test_a_page_has_the_table_beside_the_events(ferry: Path, tmp_path: Path) -> None:
    diff(ferry, "en", "he", "--format", "html", "--out", tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert 'class="position"' in text
    assert "here they part" in text


def test_what_cannot_be_written_is_wrong_usage(ferry: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert ludex("diff", ferry, "--no-play", "--out", tmp_path / "file" / "x").code == Exit.USAGE
    assert ludex("diff", ferry, "--no-play", "--out", tmp_path / "no" / "x.txt").code == Exit.USAGE


def test_alike_is_said_with_how_much_was_compared(ferry: Path) -> None:
    (ferry / "he.ludex").write_text(
        (ferry / "en.ludex")
        .read_text(encoding="utf-8")
        .replace("edition en", "edition he")
        .replace("lines: 1..3, 6..7", 'document: en "ferry.txt"'),
        encoding="utf-8",
    )
    ran = ludex("diff", ferry, "en", "he", "--no-play")
    assert ran.code == Exit.GOOD
    assert "0 divergences" in ran.output
    assert re.search(r"^0 divergences; \d+ clauses said alike$", ran.output, re.MULTILINE)
    assert "nothing was played" in ran.output


def test_a_game_with_faults_is_not_played(ferry: Path) -> None:
    change(ferry, "he", "<= 5", "<= nobody")
    ran = diff(ferry)
    assert ran.code == Exit.FINDINGS
    assert "nobody" in ran.output
    assert "divergence" not in ran.output


@pytest.mark.parametrize(("options", "allowed"), [((), "1,000,000"), (("--budget", 10), "10,000,000")])
def test_a_text_that_asks_for_too_much_is_not_played(ferry: Path, options: tuple[object, ...], allowed: str) -> None:
    change(ferry, "he", "<= 5", "<= 5 + count(k in 1..900000000 where k < 1)")
    ran = diff(ferry, "en", "he", *options)
    assert ran.code == Exit.FINDINGS
    assert f"B101 types, ranges, states and zones hold more values here than the budget of {allowed}" in ran.output


# ---- an edition that nobody asked for


FAULTY = {
    "unread": ("edition he of ferry", "edition he of ferry\n  lines: nine"),
    "of another game": ("edition he of ferry", "edition he of fery"),
    "no edition": ("edition he of ferry", "he"),
    "faulty": ("<= 5", "<= nobody"),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_only_the_editions_asked_for_can_stop_a_run(ferry: Path, tmp_path: Path, fault: str) -> None:
    sound = json.loads(diff(ferry, "en", "en.margin", "--format", "json").stdout)
    change(ferry, "he", *FAULTY[fault])
    assert diff(ferry).code == Exit.FINDINGS
    assert "divergences" not in diff(ferry, "en", "he").stdout, "what is asked for has to be sound"
    ran = diff(ferry, "en", "en.margin", "--format", "json")
    assert ran.code == Exit.FINDINGS
    assert ran.stderr.count("H103") == 1
    assert "`he` is left out" in ran.stderr
    found = json.loads(ran.stdout)
    assert [each["clause"] for each in found["divergences"]] == [each["clause"] for each in sound["divergences"]]
    page = diff(ferry, "en", "en.margin", "--format", "html", "--out", tmp_path / "page.html")
    assert "Traceback" not in page.output
    assert (tmp_path / "page.html").exists()


def test_an_edition_that_is_needed_has_to_be_sound(ferry: Path) -> None:
    """The number is borrowed from the Hebrew text, which alone states it."""
    change(ferry, "en", "load(me) + n <= 6", "load(me) + n <= 4 + crew")
    change(ferry, "he", "<= 5", "<= nobody")
    ran = diff(ferry, "en", "en.margin")
    assert ran.code == Exit.FINDINGS
    assert "nobody" in ran.output
    assert "H103" not in ran.output


# ---- rulings


def test_what_is_decided_is_no_finding_of_a_check(ferry: Path) -> None:
    assert diff(ferry, "--check").code == Exit.FINDINGS
    ruled(ferry)
    ran = diff(ferry, "--check")
    assert ran.code == Exit.GOOD, ran.output
    assert "decided by rulings" in ran.output
    assert "accepted: so it was meant" in diff(ferry).output


def test_a_draft_is_added_to_what_was_decided(ferry: Path) -> None:
    """The command of the docs, again and again: no decision, reason or comment is lost, and nothing stands twice."""
    file = ruled(ferry)
    whole = file.read_text(encoding="utf-8")
    diff(ferry, "--format", "rulings", "--out", file)
    assert file.read_text(encoding="utf-8") == whole
    head, *entries = whole.split("  - clause:")
    assert len(entries) > 1
    first = f"# ours\n{head}  - clause:{entries[0]}  # to be asked again\n"
    file.write_text(first, encoding="utf-8")
    ran = diff(ferry, "--format", "rulings", "--out", file)
    assert f"{len(entries) - 1} divergence" in ran.stderr
    assert file.read_text(encoding="utf-8").startswith(first)
    filled = file.read_text(encoding="utf-8").replace('""', "so it was meant")
    file.write_text(filled, encoding="utf-8")
    assert diff(ferry, "--check").code == Exit.GOOD


def test_a_draft_that_is_filled_in_in_part_stops_nothing(ferry: Path) -> None:
    file = ruled(ferry)
    file.write_text(file.read_text("utf-8").replace("so it was meant", '""', 1), encoding="utf-8")
    ran = diff(ferry, "--check")
    assert ran.code == Exit.FINDINGS
    assert "the ruling on `take.enough` gives no reason, and is passed over" in ran.output
    assert "decided by rulings" in ran.output


def test_a_ruling_that_has_lapsed_stays_alone(ferry: Path) -> None:
    file = ruled(ferry)
    change(ferry, "he", "<= 5", "<= 4")
    before = file.read_text(encoding="utf-8")
    ran = diff(ferry, "--format", "rulings", "--out", file)
    assert "D105" in ran.stderr
    assert file.read_text(encoding="utf-8") == before


@pytest.mark.parametrize("text", ["rulings: 3\n", "rulings: [\n", "- a\n", "mine", "rulings: [{clause: a}]\n", "\xff"])
def test_what_is_no_list_of_rulings_is_not_written_over(ferry: Path, tmp_path: Path, text: str) -> None:
    file = tmp_path / "mine.yaml"
    file.write_bytes(text.encode("latin-1"))
    ran = ludex("diff", ferry, "--no-play", "--format", "rulings", "--out", file)
    assert ran.code in (Exit.USAGE, Exit.UNREADABLE)
    assert file.read_bytes() == text.encode("latin-1")


def test_rulings_hold_where_fewer_editions_are_compared(ferry: Path) -> None:
    ruled(ferry)
    ran = diff(ferry, "en", "he", "--check")
    assert "take.enough" not in ran.output


def test_a_change_lets_a_ruling_lapse(ferry: Path) -> None:
    file = ruled(ferry)
    change(ferry, "he", "<= 5", "<= 4")
    ran = diff(ferry, "--check")
    assert ran.code == Exit.FINDINGS
    assert "D105 warning: the ruling has lapsed: he says something else" in ran.output
    assert "now `says: {" in ran.output
    elsewhere = file.rename(ferry.parent / "decided.yaml")
    assert "D105" in diff(ferry, "--rulings", elsewhere, "--check").output
    assert "D105" not in diff(ferry, "--check").output


def test_another_wording_of_the_encoding_is_no_change(ferry: Path) -> None:
    ruled(ferry)
    change(ferry, "he", "load(me) + n <= 5", "5 >= n + my load")
    assert diff(ferry, "--check").code == Exit.GOOD


def test_an_idle_ruling_is_told(ferry: Path) -> None:
    ruled(ferry, "en", "he")
    change(ferry, "he", "<= 5", "<= 6")
    assert "D106 warning" in ludex("diff", ferry, "en", "he", "--check", "--no-play").output


@pytest.mark.parametrize(("text", "code"), [("rulings: 3\n", "D101"), ("rulings: [\n", "C201")])
def test_a_faulty_file_is_told_at_once(ferry: Path, text: str, code: str) -> None:
    (ferry / RULINGS_FILE).write_text(text, encoding="utf-8")
    ran = ludex("diff", ferry, "--check", "--no-play")
    assert ran.code == Exit.FINDINGS
    assert f"{RULINGS_FILE}:" in ran.output
    assert code in ran.output


@pytest.mark.parametrize(
    "name", ["none/deep/report.html", "a" * 300, "a" * 300 + ".html", "loop", "file.txt/report.html"]
)
def test_where_nothing_can_be_written(ferry: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "file.txt").write_text("mine", encoding="utf-8")
    ran = ludex("diff", ferry, "--no-play", "--format", "html", "--out", tmp_path / name)
    assert (ran.code, ran.stdout) == (Exit.USAGE, ""), ran.output
    assert re.search("cannot be (written|made)", ran.stderr)
    assert (tmp_path / "file.txt").read_text(encoding="utf-8") == "mine"


def test_where_nothing_can_be_written_nothing_is_searched(
    ferry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is found is kept, so it would stand in the cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "file").write_text("", encoding="utf-8")
    for name in ("file/folder", "file/report.html", "no/report.html"):
        assert ludex("diff", ferry, "--effort", 200, "--out", tmp_path / name).code == Exit.USAGE
    assert not list(tmp_path.rglob("*.finding"))
    ludex("diff", ferry, "--effort", 200, "--out", tmp_path / "report.html")
    assert list(tmp_path.rglob("*.finding"))


def test_a_file_that_is_not_there(ferry: Path) -> None:
    assert ludex("diff", ferry, "--no-play", "--rulings", ferry / "none.yaml").code == Exit.UNREADABLE


@pytest.mark.parametrize("kind", NO_FILES)
def test_rulings_beside_the_game_that_are_no_file_are_reported(ferry: Path, kind: str) -> None:
    code = put(kind, ferry / "rulings.yaml")
    ran = ludex("diff", ferry, "--no-play")
    assert ran.code == Exit.UNREADABLE
    assert re.findall("F10[0-9]", ran.output) == [code]


BAD_RULINGS = {
    "deep": "[" * 5000,
    "aliases": "a: &a [x, x, x]\nb: &b [*a, *a, *a]\nc: [*b, *b, *b]\n",
    "of itself": "rulings: &a\n- *a\n",
    "keys twice": "rulings: []\nrulings: []\n",
    "no number": "rulings:\n- {clause: take, says: {en: .nan}, decision: .inf, reason: 1}\n",
    "wrong types": "rulings:\n- {clause: {a: b}, says: [1], decision: [accept], reason: {x: 1}}\n",
    "no list": "rulings: 5\n",
    "no date": "rulings: 2020-13-45\n",
    "an object": "rulings: !!python/object/apply:os.system [ls]\n",
    "long": "x: " + "9" * 6000 + "\n",
    "nothing": "",
}


@pytest.mark.parametrize("text", BAD_RULINGS.values(), ids=BAD_RULINGS)
def test_rulings_that_are_none(ferry: Path, text: str) -> None:
    (ferry / RULINGS_FILE).write_text(text, encoding="utf-8")
    ran = ludex("diff", ferry, "--no-play")
    assert ran.code == Exit.FINDINGS
    assert re.search(rf"{re.escape(RULINGS_FILE)}(:\d+:\d+)?: [A-Z]\d+ ", ran.output), ran.output
    assert "Traceback" not in ran.output


BAD_EDITIONS = {
    "F104": bytes(range(256)),
    "F105": "edition he of ferry\n# é\n".encode("latin-1"),
    "H101": b"\n",
}


@pytest.mark.parametrize("code", BAD_EDITIONS)
def test_an_edition_that_cannot_be_read(ferry: Path, code: str) -> None:
    """It is told of the file that is there, not that there is none."""
    (ferry / "he.ludex").write_bytes(BAD_EDITIONS[code])
    ran = ludex("diff", ferry, "--no-play")
    assert ran.code == (Exit.FINDINGS if code == "H101" else Exit.UNREADABLE)
    assert re.search(rf"he\.ludex(:\d+:\d+)?: {code} ", ran.output), ran.output
    assert "1 error" in ran.output


def test_an_odd_name_moves_no_cursor(ferry: Path) -> None:
    ran = ludex("diff", ferry, "--no-play", "--clause", "take\x1b[2J" + "x" * 5000)
    assert ran.code == Exit.USAGE
    assert "\x1b" not in ran.output
    assert len(ran.output) < 1000


# ---- SARIF: the rules of version 2.1.0 that a reader relies on


@pytest.fixture
def sarif(ferry: Path) -> dict[str, Any]:
    ruled(ferry)
    change(ferry, "he", "<= 5", "<= 4")
    told: dict[str, Any] = json.loads(diff(ferry, "--all", "--format", "sarif").stdout)
    return told


def test_sarif_has_only_members_of_its_standard(sarif: dict[str, Any], tmp_path: Path) -> None:
    Draft202012Validator.check_schema(LOG)
    Draft202012Validator(LOG).validate(sarif)
    Draft202012Validator(LOG).validate(to_sarif(telling(tmp_path / "told", everything=True), "0.1"))


def test_sarif_messages_have_no_place_for_an_argument(tmp_path: Path) -> None:
    """A reader would put something in the place of `{0}`, so a curly bracket that is meant stands twice."""
    told = telling(tmp_path, everything=True)
    log = to_sarif(replace(told, findings=tuple(replace(each, reason="Like {0}") for each in told.findings)), "0.1")
    assert any("Like {{0}}" in each["message"]["text"] for each in log["runs"][0]["results"])
    Draft202012Validator(LOG).validate(log)


def test_sarif_of_a_shipped_game() -> None:
    told = json.loads(
        ludex("diff", "tests/spec/mistakes/frames/relay", "--no-play", "--all", "--format", "sarif").stdout
    )
    Draft202012Validator(LOG).validate(told)
    assert list(places(told))
    for place, base in places(told):
        assert base or path_of(unquote(place["artifactLocation"]["uri"])).is_file()


def places(sarif: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str | None]]:
    """Every place, with the base of its address if it has one."""
    for result in sarif["runs"][0]["results"]:
        for each in (*result["locations"], *result["relatedLocations"]):
            place = each["physicalLocation"]
            yield place, place["artifactLocation"].get("uriBaseId")


def test_sarif_places_are_there(sarif: dict[str, Any], ferry: Path) -> None:
    """Each place lies in a file that is there: a spec, or a text in the folder of the texts."""
    assert list(places(sarif))
    for place, base in places(sarif):
        uri = place["artifactLocation"]["uri"]
        file = ferry.parent / "books" / unquote(uri) if base else Path(unquote(urlsplit(uri).path))
        lines = file.read_text(encoding="utf-8").splitlines()
        region = place["region"]
        assert 1 <= region["startLine"] <= region["endLine"] <= len(lines) + 1, (uri, region)
        if not base:
            first = lines[region["startLine"] - 1]
            assert first[region["startColumn"] - 1 :].strip(), (uri, region)


def test_sarif_has_what_every_log_must_have(sarif: dict[str, Any]) -> None:
    assert sarif["version"] == "2.1.0"
    (run,) = sarif["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules))
    assert run["results"]
    for result in run["results"]:
        assert result["message"]["text"]
        assert result["level"] in {"none", "note", "warning", "error"}
        assert rules[result["ruleIndex"]] == result["ruleId"]


def test_sarif_places_are_files_and_lines(sarif: dict[str, Any]) -> None:
    (run,) = sarif["runs"]
    assert run["results"]
    for result in run["results"]:
        assert result["locations"]
        related = result["relatedLocations"]
        assert [each["id"] for each in related] == list(range(1, len(related) + 1))
        for each in (*result["locations"], *related):
            place = each["physicalLocation"]
            region, artifact = place["region"], place["artifactLocation"]
            assert 1 <= region["startLine"] <= region["endLine"]
            assert re.fullmatch(r"[\w:/.~%-]+", artifact["uri"]), artifact
            if "uriBaseId" in artifact:
                assert artifact["uriBaseId"] in run["originalUriBaseIds"]


def test_sarif_suppresses_what_is_decided(sarif: dict[str, Any]) -> None:
    (run,) = sarif["runs"]
    open_ = [each["partialFingerprints"] for each in run["results"] if not each.get("suppressions")]
    decided = [each["suppressions"] for each in run["results"] if each.get("suppressions")]
    assert open_
    assert decided
    assert all(
        each == {"kind": "external", "status": "accepted", "justification": "accepted: so it was meant"}
        for (each,) in decided
    )
