"""Commands on a game of several editions: which clauses apply, and `--edition all`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ludex.cli.reporting.exit_codes import Exit
from ludex.spec import load

from .running import Ran, compare, ludex, shown
from .specs import write_ferry

LOADS = (3, 3, 3, 2)
"""Legal by the English text. The Hebrew one refuses the second load of the first player, its margin the first."""


@pytest.fixture
def ferry(tmp_path: Path) -> Path:
    return write_ferry(tmp_path)


def log(folder: Path, name: str = "game.jsonl", loads: Sequence[int] = LOADS, **header: Any) -> Path:
    path = folder.parent / name
    lines = [{"ludex": 1, "game": str(folder / "ferry.ludex"), "players": 2, **header}]
    lines += [{"player": at % 2 + 1, "action": "take", "args": {"n": n}} for at, n in enumerate(loads)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def data(ran: Ran) -> Any:
    return json.loads(ran.stdout)


# ---- a run says which clauses apply ----------------------------------------------------------------------------


def test_a_run_lists_borrowed_clauses_and_rulings(ferry: Path) -> None:
    report = data(ludex("simulate", ferry, "--edition", "he", "--games", "1", "--format", "json"))
    assert (report["game"], report["edition"], report["silence"]) == ("ferry", "he", "borrow")
    assert report["lenders"] == {"en": 4}
    assert {"clause": "take.small", "stated_by": "en"} in report["borrowed"]
    assert {"clause": "take.small.full", "stated_by": "ferry"} in report["ruled"]
    assert report["clauses"]["borrowed"] == len(report["borrowed"])


def test_silence_letter_borrows_nothing(ferry: Path) -> None:
    report = data(ludex("simulate", ferry, "--silence", "literal", "--games", "1", "--format", "json"))
    assert (report["edition"], report["silence"], report["borrowed"]) == ("en", "literal", [])


def test_edition_all_runs_every_edition(ferry: Path) -> None:
    report = data(ludex("simulate", ferry, "--edition", "all", "--games", "1", "--format", "json"))
    assert [each["edition"] for each in report["editions"]] == ["en", "margin", "he"]


def test_edition_all_runs_a_game_without_editions_once() -> None:
    report = data(ludex("simulate", "pig", "--edition", "all", "--games", "1", "--format", "json"))
    assert [each["edition"] for each in report["editions"]] == ["pig"]
    assert ludex("test", "pig", "--edition", "all").code == 0
    assert ludex("check", "pig", "--edition", "all").code == 0


def test_logs_without_borrowed_clauses_have_names_of_their_own(ferry: Path, tmp_path: Path) -> None:
    for silence in ("borrow", "literal"):
        assert ludex("simulate", ferry, "--games", "1", "--silence", silence, "--out", tmp_path / "logs").code == 0
    names = sorted(path.name for path in (tmp_path / "logs").iterdir())
    assert names == ["ferry-en-2p-seed0-000001.jsonl", "ferry-en-literal-2p-seed0-000001.jsonl"]
    headers = [json.loads(path.read_text(encoding="utf-8").splitlines()[0]) for path in (tmp_path / "logs").iterdir()]
    assert {header.get("silence") for header in headers} == {None, "literal"}
    assert len({header["fingerprint"] for header in headers}) == 2
    assert ludex("validate", tmp_path / "logs", "--game", ferry).code == 0


def test_playing_names_the_edition_first(ferry: Path) -> None:
    row = ludex("play", ferry, "--edition", "he", stdin="quit\n").output.splitlines()[0]
    assert row.startswith("ferry, edition he: 4 clauses of its own, 4 borrowed from en, 2 ruled")
    assert "edition" not in ludex("play", "pig", stdin="quit\n").output


def test_the_edition_that_judges_a_log_is_reported_once(ferry: Path) -> None:
    ran = ludex("validate", log(ferry), log(ferry, "other.jsonl"))
    assert ran.output.count("ferry, edition en: ") == 1
    assert ran.output.splitlines()[-1] == "2 logs: 2 legal"
    report = data(ludex("validate", log(ferry), "--format", "json"))
    assert [(each["game"], each["edition"]) for each in report["editions"]] == [("ferry", "en")]


def test_a_finding_says_that_its_clause_is_borrowed(ferry: Path) -> None:
    bad = log(ferry, edition="margin", loads=(2, 1, 2, 1, 1, 1, 2))
    row = next(row for row in ludex("validate", bad).output.splitlines() if "why:" in row)
    assert row.startswith("  why:   take.enough  [en 3]")
    assert row.endswith("ferry.ludex:31:3), borrowed from en")
    (report,) = data(ludex("validate", bad, "--format", "json"))["logs"]
    assert report["findings"][0]["why"][0].get("borrowed_from") == "en"


# ---- one log under every edition ------------------------------------------------------------------------------------


def under(ran: Ran) -> dict[str, Any]:
    """Return the verdict of each edition on the log."""
    (report,) = data(ran)["logs"]
    return {each["edition"]: each for each in report["editions"]}


def where(each: dict[str, Any]) -> tuple[int, int, str, list[str]]:
    """Return the event, line, code and clauses of the first fault."""
    first_break = each["breaks_at"]
    clauses = [why["clause"] for why in first_break["finding"].get("why", [])]
    return first_break["event"], first_break["line"], first_break["finding"]["code"], clauses


def test_the_first_fault_is_reported_for_each_text(ferry: Path, request: pytest.FixtureRequest) -> None:
    compare("validate_all", shown(ludex("validate", "--edition", "all", log(ferry)), ferry.parent), request)
    verdicts = under(ludex("validate", "--edition", "all", log(ferry), "--format", "json"))
    assert [(each["edition"], each["own"], each["verdict"]) for each in verdicts.values()] == [
        ("en", True, "legal"),
        ("margin", False, "findings"),
        ("he", False, "findings"),
    ]
    assert verdicts["en"]["breaks_at"] is None
    assert where(verdicts["margin"]) == (1, 2, "L460", ["take.small"])
    assert where(verdicts["he"]) == (3, 4, "L460", ["take.enough"])


def test_a_log_is_judged_under_each_text_of_boreal(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """The player aid swaps the help for cells 0 and 1."""
    ludex("simulate", "boreal", "--edition", "all", "--games", "5", "--out", tmp_path / "logs")
    for name in ("ru-2p-seed0-000001", "ru-2p-seed0-000005", "aid-2p-seed0-000005"):
        (tmp_path / "logs" / f"boreal-{name}.jsonl").rename(tmp_path / f"{name}.jsonl")
    ran = ludex("validate", "--edition", "all", *sorted(tmp_path.glob("*.jsonl")))
    compare("validate_boreal", shown(ran, tmp_path), request)


def test_the_exit_code_is_that_of_the_logs_own_edition(ferry: Path) -> None:
    assert ludex("validate", "--edition", "all", log(ferry)).code == Exit.GOOD
    assert ludex("validate", "--edition", "all", log(ferry, edition="he")).code == Exit.FINDINGS
    assert ludex("validate", "--edition", "he", log(ferry)).code == Exit.FINDINGS
    assert ludex("validate", "--edition", "en", log(ferry, edition="he")).code == Exit.GOOD


def test_a_log_with_a_fingerprint_is_judged_by_that_edition(ferry: Path) -> None:
    loads = (1, 1, 1, 1)
    fingerprint = load(ferry / "ferry.ludex", edition="en").fingerprint
    verdicts = under(
        ludex("validate", "--edition", "all", log(ferry, loads=loads, fingerprint=fingerprint), "--format", "json")
    )
    assert {each["verdict"] for each in verdicts.values()} == {"legal"}
    wrong = under(
        ludex("validate", "--edition", "all", log(ferry, loads=loads, fingerprint="0" * 16), "--format", "json")
    )
    assert [each["verdict"] for each in wrong.values()] == ["findings", "legal", "legal"]
    assert where(wrong["en"])[:2] == (0, 1)


def test_a_claim_may_be_wrong_by_another_text_only(ferry: Path) -> None:
    path = log(ferry, loads=(1, 1))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"claim": {"scores": {"1": 1, "2": 1}}}\n')
    verdicts = under(ludex("validate", "--edition", "all", path, "--format", "json"))
    assert [each["verdict"] for each in verdicts.values()] == ["legal", "legal", "findings"]
    assert where(verdicts["he"])[:2] == (2, 4)
    assert "breaks after event 2 of 2, line 4: " in ludex("validate", "--edition", "all", path).output


def test_an_unknown_edition_is_refused(ferry: Path) -> None:
    ran = ludex("validate", "--edition", "heb", log(ferry))
    assert ran.code == Exit.USAGE
    assert "has no edition `heb`; it has en, margin, he" in ran.output
    verdicts = under(ludex("validate", "--edition", "all", log(ferry, edition="heb"), "--format", "json"))
    assert [(each["own"], each["verdict"]) for each in verdicts.values()] == [
        (False, "legal"),
        (False, "findings"),
        (False, "findings"),
    ]


def test_an_edition_that_no_game_of_the_logs_has_is_refused() -> None:
    log = "spec/games/nim/logs/full.jsonl"
    ran = ludex("validate", "--edition", "heb", log)
    assert ran.code == Exit.USAGE
    assert "`nim` has no edition `heb`: it has only one text" in ran.output
    assert ludex("validate", "--edition", "nim", log).code == Exit.GOOD
    assert ludex("validate", "--edition", "all", log).code == Exit.GOOD
    beside = "spec/games/boreal/logs/full.jsonl"
    assert ludex("validate", "--edition", "ru", log, beside).code == Exit.GOOD, "one of the games must have it"


def test_logs_that_no_edition_can_judge(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text("nonsense\n", encoding="utf-8")
    ran = ludex("validate", "--edition", "all", tmp_path / "bad.jsonl", "--format", "json")
    assert (ran.code, under(ran)) == (Exit.UNREADABLE, {})
    assert ludex("validate", "--edition", "all", "spec/games/pig/logs/full.jsonl").code == Exit.GOOD


def test_several_logs_are_counted_by_edition(ferry: Path) -> None:
    logs = [log(ferry), log(ferry, "b.jsonl", (1, 1)), log(ferry, "c.jsonl", (3, 1))]
    rows = ludex("validate", "--edition", "all", *logs).output.splitlines()
    assert rows[-2:] == ["ferry, legal of 3 logs: 3 by en, 1 by margin, 2 by he", "3 logs: 3 legal"]
    report = data(ludex("validate", "--edition", "all", *logs, "--format", "json"))
    assert report["by_edition"]["ferry"]["he"] == {
        "legal": 2,
        "unjudged": 0,
        "findings": 1,
        "unreadable": 0,
        "fault": 0,
    }


# ---- to the letter ----------------------------------------------------------------------------------------------


def test_a_game_unplayable_without_borrowing_is_reported_with_the_reason(ferry: Path) -> None:
    for command in ("check", "test", "simulate", "play", "perft", "schema"):
        asked = ("--depth", "2") if command == "perft" else ()
        ran = ludex(command, ferry, "--edition", "he", "--silence", "literal", *asked)
        assert ran.code == Exit.FINDINGS, command
        assert "`he` alone is not a complete game" in ran.output.replace("\n", " "), command
    (report,) = data(ludex("validate", log(ferry, edition="he", silence="literal"), "--format", "json"))["logs"]
    assert report["verdict"] == "findings"
    assert "alone is not a complete game" in report["findings"][0]["notes"][0]["message"]
    assert ludex("show", "--merged", "he", "--silence", "literal", ferry).code == Exit.GOOD


def test_one_edition_that_cannot_be_played_does_not_stop_the_others(ferry: Path) -> None:
    ran = ludex("simulate", ferry, "--edition", "all", "--silence", "literal", "--games", "1", "--format", "json")
    assert ran.code == Exit.FINDINGS
    assert [each["games"] for each in data(ran)["editions"]] == [1, 0, 0]
    verdicts = under(ludex("validate", "--edition", "all", log(ferry, silence="literal"), "--format", "json"))
    assert [each["verdict"] for each in verdicts.values()] == ["legal", "findings", "findings"]
