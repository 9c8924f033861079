"""`ludex coverage`: from a new text to full coverage, and after a change of the text."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from .running import compare, ludex, shown
from .specs import write_chairs, write_ferry


def classed(folder: Path) -> None:
    """Classify the lines, as a reader of the text would."""
    file = folder / "sources" / "en.lines"
    heading, *rest = file.read_text(encoding="utf-8").split("unclassified")
    file.write_text(heading + "heading" + "rule".join(rest), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_chairs(tmp_path)


def test_a_new_text_is_brought_to_full_coverage_step_by_step(
    folder: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    books = tmp_path / "books"
    rows = [
        ludex("coverage", folder),
        ludex("coverage", folder, "--sources", books, "--record"),
    ]
    classed(folder)
    rows += [
        ludex("coverage", folder, "--record"),
        ludex("coverage", folder),
        ludex("coverage", folder, "--sources", books),
    ]
    (folder / "sources" / "en.excuses").write_text("3 1 one go is what every turn is\n", encoding="utf-8")
    rows.append(ludex("coverage", folder, "--sources", books))
    assert [ran.code for ran in rows] == [1, 0, 0, 0, 1, 0]
    compare("coverage_story", "".join(shown(ran, tmp_path) for ran in rows), request)


def test_a_changed_line_makes_its_citations_stale(folder: Path, tmp_path: Path) -> None:
    books = tmp_path / "books"
    ludex("coverage", folder, "--sources", books, "--record")
    book = books / "chairs.txt"
    book.write_text(book.read_text(encoding="utf-8").replace("2 points", "3 points"), encoding="utf-8")
    assert "A207" in ludex("coverage", folder, "--sources", books).output
    left = ludex("coverage", folder, "--sources", books, "--record")
    assert (left.code, "1 citation stale, and left so" in left.output) == (0, True)
    wrong = ludex("coverage", folder, "--confirm", "score.sittin")
    assert (wrong.code, "did you mean `score.sitting`?" in wrong.output) == (3, True)
    again = ludex("coverage", folder, "--confirm", "score.sitting")
    assert (again.code, "1 citation confirmed again" in again.output) == (0, True)
    assert "A207" not in ludex("check", folder).output


def test_json_holds_lines_clauses_and_numbers(folder: Path, tmp_path: Path) -> None:
    ludex("coverage", folder, "--sources", tmp_path / "books", "--record")
    classed(folder)
    data = json.loads(ludex("coverage", folder, "--sources", tmp_path / "books", "--format", "json").stdout)
    [document] = data["documents"]
    assert (document["needed"], document["covered"]) == (4, 4)
    assert document["lines"][0]["clauses"] == ["chairs:play.turns", "chairs:example.two_sit"]
    assert [(each["value"], each["state"]) for each in data["numbers"]] == [(1, "open"), (2, "contained")]
    assert data["textless"][0]["clause"] == "seated"
    assert data["errors"] == 1


def test_a_game_without_a_text_rests_on_convention() -> None:
    ran = ludex("coverage", "pig")
    assert ran.code == 0
    assert "by convention" in ran.output


def test_a_spec_that_does_not_parse_is_not_recorded(folder: Path, tmp_path: Path) -> None:
    spec = folder / "chairs.ludex"
    spec.write_text(spec.read_text(encoding="utf-8") + "fact a = )\n", encoding="utf-8")
    ran = ludex("coverage", folder, "--sources", tmp_path / "books", "--record")
    assert ran.code == 1
    assert not (folder / "sources").exists()


def test_broken_files_are_reported_and_not_written(folder: Path, tmp_path: Path) -> None:
    ludex("coverage", folder, "--sources", tmp_path / "books", "--record")
    lock = folder / "sources" / "en.lock"
    lock.write_text("nonsense\n", encoding="utf-8")
    ran = ludex("coverage", folder, "--record")
    assert ran.code == 1
    assert "A218" in ran.output
    assert lock.read_text(encoding="utf-8") == "nonsense\n"


@pytest.mark.skipif(sys.platform == "win32", reason="links are other things there")
def test_a_failed_write_is_not_reported_as_success(folder: Path, tmp_path: Path) -> None:
    (folder / "sources").mkdir(exist_ok=True)
    (tmp_path / "elsewhere").write_text("# a lock that lies in another folder\n", encoding="utf-8")
    (folder / "sources" / "en.lock").symlink_to(tmp_path / "elsewhere")
    ran = ludex("coverage", folder, "--sources", tmp_path / "books", "--record")
    assert ran.code == 3
    assert "A241" in ran.output
    output = [row for row in ran.stdout.splitlines() if row.startswith("wrote") or "confirmed" in row]
    assert output == [f"wrote {folder / 'sources' / 'en.lines'}"]


def test_each_text_has_its_own_part(tmp_path: Path) -> None:
    ferry = write_ferry(tmp_path)
    assert ludex("coverage", ferry, "--sources", tmp_path / "books", "--record").code == 0
    heads = [row for row in ludex("coverage", ferry, "--edition", "all").output.splitlines() if ", text " in row]
    assert heads == [
        "en (ferry.txt), text en",
        "en (ferry.txt), text margin",
        "he (ferry-he.txt), text he",
    ]
    margin = ludex("coverage", ferry, "--edition", "margin").output.splitlines()
    assert margin[:2] == ["en (ferry.txt), text margin", "4 ??"]
    main = ludex("coverage", ferry, "--edition", "en").output.splitlines()
    assert main[1] == "1 ?.?  ??"
    assert ludex("coverage", "pig", "--edition", "all").code == 0
