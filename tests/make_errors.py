"""Generator of `docs/errors.md` from the catalogues of codes and the samples in tests: `python -m tests.make_errors`.

A test compares the page with the generator's output. Run it after a change of a code, a message or a sample, and read
the difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click

from ludex.cli.reporting.diagnostics import Reporter
from ludex.cli.reporting.source_excerpts import Texts
from ludex.cli.reporting.terminal import unstyled
from ludex.grammar import FILE_CODES, SYNTAX_CODES, YAML_CODES, Code, Diagnostic, Severity, parse
from ludex.interpreter import LOG_CODES, PLAY_CODES, Validator, parse_log
from ludex.spec import COLLATION_CODES, COMPONENT_CODES, RULING_CODES, SOURCE_CODES, SPEC_CODES, check_game, load

from .grammar.malformed import SAMPLES as SYNTAX_SAMPLES
from .interpreter.test_log_codes import SAMPLES as LOG_SAMPLES

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "errors.md"
MOST_LINES = 24
"""A longer sample is described and not shown."""

HEAD = """\
# Every report and how to mend it

Each report carries a stable code. It is never used again for another fault, so a search for it leads here. A code in a
spec's or log's report is an error, unless this page calls it a warning; warnings leave a spec or log good.

In a spec, a warning is about something without which every play would be the same: a declaration that no rule reads, a
branch that nobody can take, a word, a citation, the source of a datum. Everything else is an error, and where there is
an error at a table, no command plays the game at that table.

This page is made by `tests/make_errors.py` from the catalogues in the code; the samples are those that the tests run.
"""

ABOUT_TEXTS = """\
What is stored of a rulebook, and what clauses say of it. Errors of `ludex coverage`, which asks about them;
`ludex check` has them as warnings."""

GROUPS: tuple[tuple[str, str, tuple[Code, ...]], ...] = (
    ("Files", "What a file can be before its content matters.", FILE_CODES),
    ("The text of a spec", "Faults of spelling and layout, found by the parser.", SYNTAX_CODES),
    ("What a spec says", "Names, types, flow, headers and citations, found by the checker.", SPEC_CODES),
    ("YAML", "Component files, hand-written logs, decisions and rulings, as YAML.", YAML_CODES),
    ("Component data", "The YAML beside a spec, by the spec's declarations.", COMPONENT_CODES),
    ("Texts and citations", ABOUT_TEXTS, SOURCE_CODES),
    (
        "Collating",
        "Transcriptions that are put together, and decisions on them (`ludex collate`).",
        COLLATION_CODES,
    ),
    ("Rulings", "What a team decided about rows of a report (`ludex diff`).", RULING_CODES),
    ("Examples, and specs in play", "Found when a spec is played.", PLAY_CODES),
    ("Logs", "Recorded games, as text, line by line, and in play.", LOG_CODES),
)


@dataclass(frozen=True, slots=True)
class Sample:
    """A text that gets a code, its report, and the corrected text if there is one."""

    language: str
    bad: str
    report: str
    good: str | None = None


@dataclass(slots=True)
class Samples:
    """The samples of the tests, by code."""

    found: dict[str, Sample] = field(default_factory=dict)

    def add(self, code: str, sample: Sample) -> None:
        """Keep the first sample of each code that is short enough to read."""
        texts = (sample.bad, sample.report, sample.good or "")
        if all(text.count("\n") < MOST_LINES and len(text) < 4000 for text in texts):
            self.found.setdefault(code, sample)


def samples() -> dict[str, Sample]:
    kept = Samples()
    for code, sample in (*_of_the_parser(), *_of_the_checker(), *_of_logs()):
        kept.add(code, sample)
    return kept.found


def _of_the_parser() -> Iterator[tuple[str, Sample]]:
    for each in SYNTAX_SAMPLES:
        diagnostics = parse(each.text, "sample.ludex").diagnostics
        if len(diagnostics) == 1:
            yield diagnostics[0].code.code, Sample("", each.text, _report(diagnostics, {"sample.ludex": each.text}))


def _of_the_checker() -> Iterator[tuple[str, Sample]]:
    for folder in sorted((ROOT / "tests" / "spec" / "samples").iterdir()):
        bad, good = folder / "bad.ludex", folder / "good.ludex"
        diagnostics = tuple(_renamed(diagnostic) for diagnostic in check_game(bad))
        text = bad.read_text(encoding="utf-8")
        yield folder.name, Sample("", text, _report(diagnostics, {bad.name: text}), good.read_text(encoding="utf-8"))


def _of_logs() -> Iterator[tuple[str, Sample]]:
    validator = Validator(load)
    for code, (bad, good) in LOG_SAMPLES.items():
        name = "sample.ludexlog" if bad.startswith("Game") else "sample.jsonl"
        findings = validator.validate(parse_log(bad, name)).findings
        matching = [finding for finding in findings if finding.code.code == code]
        yield code, Sample("", bad, _report(matching, {name: bad}), good)


def _renamed(diagnostic: Diagnostic) -> Diagnostic:
    """Return the diagnostic with file names only, in place of paths."""
    from dataclasses import replace

    notes = tuple(
        replace(note, span=replace(note.span, file=Path(note.span.file).name)) if note.span else note
        for note in diagnostic.notes
    )
    return replace(diagnostic, span=replace(diagnostic.span, file=Path(diagnostic.span.file).name), notes=notes)


def _report(diagnostics: tuple[Diagnostic, ...] | list[Diagnostic], texts: dict[str, str]) -> str:
    reporter = Reporter(Texts(texts))
    return "\n".join(unstyled(reporter.text(diagnostic)) for diagnostic in diagnostics) + "\n"


# ---- the page --------------------------------------------------------------------------------------------------


def make_page() -> str:
    """Return the whole page."""
    known = samples()
    parts = [HEAD, _contents()]
    for title, about, codes in GROUPS:
        parts.append(f"## {title}\n\n{about}\n")
        parts += (_entry(code, known.get(code.code)) for code in sorted(codes, key=lambda code: code.code))
    return "\n".join(parts)


def _contents() -> str:
    rows = ["| code | name | |", "|---|---|---|"]
    for title, _, codes in GROUPS:
        for code in sorted(codes, key=lambda code: code.code):
            kind = "" if code.severity is Severity.ERROR else ", a warning"
            rows.append(f"| [{code.code}](#{_anchor(code)}) | `{code.name}` | {title.lower()}{kind} |")
    return "\n".join(rows) + "\n"


def _anchor(code: Code) -> str:
    return f"{code.code}-{code.name}".lower()


def _entry(code: Code, sample: Sample | None) -> str:
    kind = "" if code.severity is Severity.ERROR else "*A warning.* "
    rows = [f"### {code.code} {code.name}", "", f"{kind}{code.meaning}", "", f"**To mend it:** {code.mend}", ""]
    if sample is not None:
        rows += [*_fenced(sample.bad), "", *_fenced(sample.report), ""]
        if sample.good is not None:
            rows += ["Mended:", "", *_fenced(sample.good), ""]
    return "\n".join(rows)


def _fenced(text: str) -> list[str]:
    shown = "\n".join(row.rstrip() for row in text.rstrip("\n").split("\n"))
    return ["```text", *shown.replace("\t", "→   ").split("\n"), "```"]


if __name__ == "__main__":
    PAGE.write_text(make_page(), encoding="utf-8")
    click.echo(f"wrote {PAGE.relative_to(ROOT)}")
