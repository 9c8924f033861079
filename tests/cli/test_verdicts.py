"""The formats of `ludex validate`: complete, valid for their readers, and safe for any content of a log or its name."""

from __future__ import annotations

import csv
import json
import os
import re
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema.validators import validator_for

from ludex.cli.verdicts import markdown_writer
from ludex.cli.verdicts.judged import Judged, LogTally
from ludex.cli.verdicts.verdict_words import details, head_words
from ludex.cli.verdicts.writer import WRITERS, VerdictWriter, writer
from ludex.interpreter import LogText, Verdict

from ..cases import cases
from .running import ludex

ROOT = Path(__file__).parents[2]
GOOD = "spec/games/tic_tac_toe/logs/full.jsonl"
BAD = "tests/games/bad_logs/tic_tac_toe/claim-free.jsonl"
MISSING = "no_such.jsonl"
WON = "0 : 1, Nought wins (winner.line)"


def told(log_format: str, *more: str) -> str:
    ran = ludex("validate", GOOD, BAD, MISSING, "--format", log_format, *more)
    assert (ran.code, ran.stderr) == (2, "")
    return ran.stdout


def test_a_log_that_is_not_judged_to_its_end_is_not_legal(tmp_path: Path) -> None:
    log = tmp_path / "open.jsonl"
    log.write_text('{"ludex": 1, "game": "pig", "players": 2}\n{"gap": 60}\n{"claim": {"scores": [1, 0]}}\n')
    kept = "--results", str(tmp_path / "results.sqlite")
    # Judging takes long; from the second run on its results are read.
    for _ in range(2):
        ran = ludex("validate", GOOD, str(log), *kept)
        assert ran.code == 1
        assert "2 logs: 1 legal, 1 not judged to the end" in ran.output
    assert f"{log}: not judged to its end (1 warning)" in ludex("validate", str(log), "--only-failing").output
    data = json.loads(ludex("validate", GOOD, str(log), "--format", "json", *kept).stdout)
    assert [data[verdict] for verdict in ("legal", "unjudged", "findings", "unreadable")] == [1, 1, 0, 0]
    (suite,) = ET.fromstring(ludex("validate", str(log), "--format", "junit", *kept).stdout)
    assert suite.get("skipped") == "1"
    assert "**not judged to its end**" in ludex("validate", str(log), "--format", "markdown", *kept).stdout


def test_json_lines() -> None:
    rows = [json.loads(line) for line in told("jsonl").splitlines()]
    assert rows == json.loads(told("json"))["logs"]
    assert [row["verdict"] for row in rows] == ["legal", "findings", "unreadable"]


def test_csv() -> None:
    rows = list(csv.DictReader(StringIO(told("csv"))))
    assert [(row["file"], row["verdict"], row["code"]) for row in rows] == [
        (GOOD, "legal", ""), (BAD, "findings", "L460"), (MISSING, "unreadable", "F101")
    ]  # fmt: skip
    assert (rows[0]["players"], rows[0]["winners"], rows[0]["result"]) == ("Cross; Nought", "2", "rules")
    assert (rows[1]["line"], rows[1]["column"], rows[1]["clause"]) == ("3", "49", "claim.free")


def test_sarif_has_what_the_standard_requires() -> None:
    data = json.loads(told("sarif"))
    assert data["version"] == "2.1.0"
    (run,) = data["runs"]
    assert run["tool"]["driver"]["name"] == "Ludex"
    assert run["columnKind"] == "unicodeCodePoints"
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"]
    (ended,) = invocation["toolExecutionNotifications"]
    assert ended["message"]["text"] == f"legal, 8 events; {WON}"
    assert ended["properties"]["result"]["winners"] == [2]
    assert ended["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": GOOD}}}]
    assert [(result["ruleId"], result["level"]) for result in run["results"]] == [("L460", "error"), ("F101", "error")]
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {"L460", "F101"}
    bad, missing = (result["locations"][0]["physicalLocation"] for result in run["results"])
    assert bad["artifactLocation"]["uri"] == BAD
    assert bad["region"] == {"startLine": 3, "startColumn": 49, "endLine": 3, "endColumn": 79}
    assert missing == {"artifactLocation": {"uri": MISSING}}
    (related,) = run["results"][0]["relatedLocations"]
    assert related["physicalLocation"]["region"]["startLine"] == 25
    assert related["message"]["text"].startswith("`claim.free` does not hold")


def test_sarif_says_what_each_code_means() -> None:
    rules = json.loads(told("sarif"))["runs"][0]["tool"]["driver"]["rules"]
    illegal = next(rule for rule in rules if rule["id"] == "L460")
    assert illegal["shortDescription"]["text"] == "The rules forbid the move in this position."
    assert illegal["fullDescription"]["text"].startswith("The rules forbid the move in this position. The finding")
    assert illegal["help"]["text"].endswith("ludex explain L460")
    assert not any("helpUri" in rule for rule in rules), "the pages have no address"
    spoken = json.loads(told("sarif", "--lang", "ru"))["runs"][0]["tool"]["driver"]["rules"]
    assert all(re.search("[а-я]", rule["shortDescription"]["text"]) for rule in spoken)


def test_sarif_fits_the_schema_of_the_standard() -> None:
    """For a bad log of every code, and for a file that is not a log."""
    package = ROOT / "tests/node/node_modules/@microsoft/jest-sarif/lib/schemas"
    schema = next(iter(package.glob("sarif-2.1.0*.json")), None)
    if schema is None:
        pytest.skip("run npm install --prefix tests/node --no-save --no-package-lock")
    data = json.loads(schema.read_text(encoding="utf-8"))
    folders = [f"tests/games/bad_logs/{name}" for name in ("tic_tac_toe", "kuhn_poker", "pig", "nim")]
    whole = json.loads(ludex("validate", *folders, GOOD, MISSING, "docs", "--format", "sarif").stdout)
    form = writer("sarif")()
    empty = json.loads(form.opening + "".join(form.closing(LogTally())))
    of = validator_for(data)
    assert len(whole["runs"][0]["results"]) > 5
    assert [fault.message for each in (whole, empty) for fault in of(data).iter_errors(each)] == []
    whole["runs"][0]["results"][0]["level"] = "bad"
    assert not of(data).is_valid(whole), "the schema must refuse something"


def test_junit() -> None:
    root = ET.fromstring(told("junit"))
    suites = list(root)
    assert [(suite.get("name"), suite.get("failures"), suite.get("errors")) for suite in suites] == [
        (GOOD, "0", "0"), (BAD, "1", "0"), (MISSING, "0", "1")
    ]  # fmt: skip
    cases = [suite.findall("testcase")[0] for suite in suites]
    assert [[child.tag for child in case] for case in cases] == [[], ["failure"], ["error"]]
    assert cases[1].get("classname") == "tic_tac_toe"
    assert "claim.free" in (cases[1][0].text or "")
    properties = [{each.get("name"): each.get("value") for each in suite.iter("property")} for suite in suites]
    assert properties == [{"result": WON, "ended_by": "rules", "winners": "2"}, {}, {}]


def test_github_annotations() -> None:
    good, bad, missing, total = told("github").splitlines()
    assert good == f"legal, 8 events; {WON}: {GOOD}"
    assert bad.startswith(
        f"::error file={BAD},line=3,endLine=3,col=49,endColumn=79,title=L460 illegal-move::`Nought: claim 3,3` breaks"
    )
    assert "%0Awhy: claim.free" in bad
    assert missing == f"::error file={MISSING},title=F101 missing-file::there is no such file"
    assert total == "3 logs: 1 legal, 1 with findings, 1 unreadable"


def test_markdown() -> None:
    rows = told("markdown").splitlines()
    assert rows[0] == f"- `{GOOD}`: **legal**, 8 events; `{WON}`"
    assert rows[1:3] == [
        f"- `{BAD}`: **findings**, 2 events",
        "  - **L460** line 3: `` `Nought: claim 3,3` breaks claim.free ``",
    ]
    assert rows[-1] == "3 logs: 1 legal, 1 with findings, 1 unreadable"


def test_markdown_leaves_out_what_a_summary_cannot_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markdown_writer, "_MOST_BYTES", 200)
    rows = told("markdown").splitlines()
    assert [row for row in rows if row] == [
        f"- `{GOOD}`: **legal**, 8 events; `{WON}`",
        "2 logs left out here, because a summary may have at most 1 MB",
        "3 logs: 1 legal, 1 with findings, 1 unreadable",
    ]


RESIGNED = """{"ludex": 1, "game": "pig", "players": ["Anna", "Boris"]}
{"result": {"by": "resigned", "player": "Boris"}}
"""


@pytest.mark.parametrize("log_format", WRITERS)
def test_every_format_says_how_the_players_ended_a_legal_game(log_format: str, tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    log.write_text(RESIGNED * 2)
    shown = ludex("validate", str(log), "--format", log_format).stdout
    # Tables and data have the members, the others a sentence.
    words = {"json": '"by": "resigned"', "jsonl": '"by": "resigned"', "csv": ",resigned,1,"}
    assert shown.count(words.get(log_format, "Boris resigned, Anna wins")) == 2


@pytest.mark.drawn(2)
@pytest.mark.parametrize("log_format", WRITERS)
def test_only_findings_leaves_out_good_logs(log_format: str) -> None:
    some = told(log_format, "--only-failing")
    assert GOOD not in some
    assert BAD in some
    if log_format == "json":
        assert json.loads(some)["legal"] == 1, "good logs must be counted"
    if log_format == "text":
        assert "3 logs: 1 legal" in some


@pytest.mark.drawn(1)
@pytest.mark.parametrize("log_format", WRITERS)
def test_quiet_does_not_change_the_exit_code(log_format: str) -> None:
    for logs, code in (((GOOD,), 0), ((GOOD, BAD), 1), ((BAD, MISSING), 2)):
        ran = ludex("validate", *logs, "--format", log_format, "--quiet")
        assert (ran.code, ran.output) == (code, "")


@pytest.mark.parametrize("log_format", WRITERS)
def test_a_format_is_complete_without_any_log(log_format: str) -> None:
    """An interrupt before the first log leaves such output."""
    kind = writer(log_format)
    form = kind()
    text = form.opening + "".join(form.closing(LogTally()))
    if log_format in ("json", "sarif"):
        data = json.loads(text)
        said = data.get("complete", data.get("runs", [{}])[0].get("invocations", [{}])[0].get("executionSuccessful"))
        assert said is False
    if log_format == "junit":
        assert len(ET.fromstring(text)) == 0


@pytest.mark.parametrize("log_format", ["text", "github", "markdown"])
def test_a_stopped_run_counts_the_judged_logs(log_format: str) -> None:
    tally = LogTally()
    tally.verdicts.update({Verdict.LEGAL: 2, Verdict.FINDINGS: 1})
    closing = "".join(writer(log_format)().closing(tally))
    assert closing.strip() == "3 logs: 2 legal, 1 with findings; stopped before all logs were judged"


# ---- whatever is in it ------------------------------------------------------------------------------------------

ODD = "=1+1\n::error::x%0A##[error]|`*_<b>&\"',;]]>--\x00\x1b[31m\x85\u2028\ud83d\ufffe @you \\|"
TEXTS = st.text(min_size=1, max_size=40) | st.sampled_from([ODD, "@a", "+1", "`", "``", "\n", " =1", "\t=1"])


def odd(text: str) -> Judged:
    """A log with the given text in each of its texts."""
    finding = {
        "code": "L460", "name": "illegal-move", "severity": "error", "message": text, "hint": text, "file": text,
        "line": 2, "column": 1, "end_line": 2, "end_column": 9, "pointer": text, "legal": [text],
        "why": [{"clause": text, "authority": text}], "notes": [{"message": text}],
    }  # fmt: skip
    result = {
        "by": "rules", "scores": [1, 0], "winners": [1], "decided_by": text, "shared": False, "undecided": False
    }  # fmt: skip
    data = {
        "file": text, "number": 1, "verdict": "findings", "game": text, "edition": text, "silence": text,
        "players": [text, text], "events": 1, "replayed": 0, "stopped_at": None, "result": result,
        "findings": [finding],
    }  # fmt: skip
    return cast(Judged, SimpleNamespace(data=data, source=LogText(text, b"")))


def written(log_format: str, text: str) -> str:
    """Return the format's report on it, as written to a file."""
    form: VerdictWriter = writer(log_format)()
    whole = form.opening + form.aside(form.log(odd(text))) + "".join(form.closing(LogTally(is_complete=True)))
    return whole.encode("utf-8", "backslashreplace").decode("utf-8")


@cases(200)
@example(text=ODD)
@given(text=TEXTS)
def test_texts_from_logs_are_escaped(text: str) -> None:
    for log_format in ("jsonl", "sarif"):
        assert json.loads(written(log_format, text))
    header, *rows = csv.reader(StringIO(written("csv", text), newline=""))
    assert [len(row) for row in rows] == [len(header)]
    assert not [cell for cell in rows[0] if cell.lstrip().startswith(("=", "+", "-", "@"))], (
        "a spreadsheet would run the formula"
    )
    suite = ET.fromstring(written("junit", text))[0]
    assert suite.tag == "testsuite"
    assert [child.tag for child in suite] == ["properties", "testcase"]
    assert [child.tag for child in suite[1]] == ["failure"]
    command, row, *rest = written("github", text).splitlines()
    assert rest == ["0 logs: none"]
    assert row.startswith("findings, 1 event; 1 : 0, ")
    assert "##[" not in row
    assert re.fullmatch(r"::error file=[^,:]*,line=2,endLine=2,col=1,endColumn=9,title=L460 illegal-move::.*", command)
    items = written("markdown", text).splitlines()
    assert [row[: len(row) - len(row.lstrip())] for row in items] == ["", "  ", *["    "] * 4, "", ""]
    for row in items[1:6]:
        fence, inner = re.fullmatch(r"\s+- (?:\*\*L460\*\* line 2: )?(`+)(.*)\1", row).groups()  # type: ignore[union-attr]
        assert max((len(run) for run in re.findall("`+", inner)), default=0) < len(fence)


LINK = re.compile(r"\[(?:[^\\\[\]]|\\[\\\[\]])*\]\(")
"""The beginning of a link in a plain text message, by the grammar of the standard (3.11.6)."""


def as_shown(message: str) -> str:
    """Return a message string of SARIF as a reader shows it that follows the standard (3.11.5, 3.11.6)."""
    assert not LINK.search(message), f"a link: {message}"
    assert not re.search(r"[{}]", re.sub(r"\{\{|\}\}", "", message)), f"a placeholder: {message}"
    text = message.replace("{{", "{").replace("}}", "}")
    return re.sub(r"(\\*)\\\]\(", lambda found: f"{found[1][: len(found[1]) // 2]}](", text)


@cases(200)
@example(text="[x](1)")
@example(text="[x\\](1)")
@example(text="[x\\\\](1) {0}")
@given(text=TEXTS | st.text("[](){}\\1", min_size=1, max_size=12))
def test_a_message_of_sarif_has_no_placeholder_and_no_link(text: str) -> None:
    run = json.loads(written("sarif", text))["runs"][0]
    (result,), (ended,) = run["results"], run["invocations"][0]["toolExecutionNotifications"]
    whole = odd(text).data
    told = "\n".join(details(whole["findings"][0])), head_words(whole)
    spoken = tuple(each.encode("utf-8", "backslashreplace").decode() for each in told)
    assert (as_shown(result["message"]["text"]), as_shown(ended["message"]["text"])) == spoken


def test_a_file_name_survives_the_round_trip_through_a_uri() -> None:
    from ludex.cli.verdicts.json_writer import json_line
    from ludex.cli.verdicts.sarif_writer import uri

    assert unquote(uri("a b/ä#?%.jsonl")) == "a b/ä#?%.jsonl"
    assert uri("/tmp/x y") == "file:///tmp/x%20y"
    # A name that is not UTF-8: a URI has its bytes, JSON half of no character, which strict readers refuse.
    assert uri(os.fsdecode(b"\xff.jsonl")) == "%FF.jsonl"
    assert json.loads(json_line({"file": os.fsdecode(b"\xff.jsonl")})) == {"file": r"\udcff.jsonl"}
