"""Golden reports of authors' mistakes: `tests/spec/mistakes/*.yaml`, with the expected reports in `*.txt` beside.

A table names a frame (a faultless game under `mistakes/frames/`) and lists mistakes: a name, and texts of the frame
with their replacements; `add` is appended to the game file, `FILE.add` to another. Each has one fault and gets one
report, unless its name ends in `, N faults`. `pytest --record` writes the expected reports: read every diff.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
import yaml

from ludex.grammar import Diagnostic, Span
from ludex.spec import check_game

HERE = Path(__file__).parent / "mistakes"
FRAMES = HERE / "frames"
EACH = 8
"""Each run tries one of so many mistakes of a table; `--long` and `--record` try all."""


@dataclass(frozen=True)
class Mistake:
    name: str
    frame: str
    changes: dict[str, str]

    @property
    def faults(self) -> int:
        words = self.name.rpartition(", ")[2].split()
        return int(words[0]) if words[1:] == ["faults"] else 1

    def write(self, folder: Path) -> Path:
        """Write the frame with the mistake in it."""
        texts = {path.relative_to(FRAMES): path.read_text(encoding="utf-8") for path in self._files()}
        for old, new in self.changes.items():
            if old.endswith("add"):
                name = Path(self.frame, old.removesuffix(".add") if "." in old else f"{self.frame}.ludex")
                texts[name] = texts.get(name, "") + "\n" + new
                continue
            places = [name for name, text in texts.items() if old in text]
            assert len(places) == 1, f"choose a text of one file for {self.name}: {old!r} is in {len(places)} files"
            assert texts[places[0]].count(old) == 1, (
                f"choose a longer text for {self.name}: {old!r} occurs more than once"
            )
            texts[places[0]] = texts[places[0]].replace(old, new)
        for name, text in texts.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        return folder / self.frame

    def _files(self) -> list[Path]:
        return sorted(path for path in (FRAMES / self.frame).rglob("*") if path.is_file())


def tables() -> list[Path]:
    return sorted(HERE.glob("*.yaml"))


def mistakes(table: Path) -> list[Mistake]:
    read = yaml.safe_load(table.read_text(encoding="utf-8"))
    return [Mistake(name, read["frame"], changes) for name, changes in read["mistakes"].items()]


# ---- reports, with the words that they point at ---------------------------------------------------------------------


def shown(name: str, reports: tuple[Diagnostic, ...]) -> str:
    return "".join([f"== {name}\n", *(line for report in reports for line in report_lines(report)), "\n"])


def report_lines(report: Diagnostic) -> Iterator[str]:
    yield from marked(report.span)
    yield f"{report.code.code} {report.message}\n"
    if report.hint:
        yield f"  hint: {report.hint}\n"
    for note in report.notes:
        yield f"  note: {note.message}\n"
        if note.span:
            yield from (f"    {line}" for line in marked(note.span))


def marked(span: Span) -> Iterator[str]:
    """Return the line with its faulty words underlined."""
    if not Path(span.file).is_file():
        yield f"{Path(span.file).name}\n"
        return
    line = Path(span.file).read_text(encoding="utf-8").splitlines()[span.line - 1]
    end = span.end_column if span.end_line == span.line else len(line) + 1
    more = f" to {span.end_line}:{span.end_column}" if span.end_line != span.line else ""
    yield f"{Path(span.file).name}:{span.line}\n"
    yield f"    {line}\n"
    yield f"    {' ' * (span.column - 1)}{'^' * max(1, end - span.column)}{more}\n"


def sections(text: str) -> dict[str, str]:
    """Return the expected report of each mistake, by its name."""
    return {each.partition("\n")[0]: f"== {each}" for each in re.split(r"^== ", text, flags=re.MULTILINE)[1:]}


# ---- the tests ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", sorted(path.name for path in FRAMES.iterdir()))
def test_frames_have_no_faults(frame: str) -> None:
    assert check_game(FRAMES / frame) == ()


@pytest.mark.parametrize("table", tables(), ids=lambda path: path.stem)
def test_each_mistake_gives_its_report(
    table: Path, tmp_path: Path, request: pytest.FixtureRequest, rng: Random, is_long: bool
) -> None:
    cases, golden = mistakes(table), table.with_suffix(".txt")
    record = request.config.getoption("--record")
    kept = {} if record else sections(golden.read_text(encoding="utf-8"))
    assert record or list(kept) == [each.name for each in cases], (
        "the table has changed: run with --record and read the diff"
    )
    reported, amiss = dict[str, str](), []
    for mistake in cases if record or is_long else rng.sample(cases, -(-len(cases) // EACH)):
        reports = check_game(mistake.write(tmp_path / str(len(reported))))
        if len(reports) != mistake.faults:
            amiss.append(f"{mistake.name}: {len(reports)} reports")
        reported[mistake.name] = shown(mistake.name, reports)
    if record:
        golden.write_text("".join(reported.values()), encoding="utf-8")
    assert not amiss, "each fault must have one report: " + "; ".join(amiss)
    unlike = [text for name, text in reported.items() if not record and text != kept[name]]
    assert unlike == [], "if the new reports are better, run with --record"
