"""Generator of `docs/errors.md` and its samples, from the catalogues of codes and tests: `python -m tests.make_errors`.

A test compares both files with the generator's output. Run it after a change of a code, a message or a sample, and read
the difference.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import click

from ludex.cli.reporting import code_pages
from ludex.cli.reporting.code_pages import CODE_GROUPS, CodeSample, code_samples, english_page, fenced
from ludex.cli.reporting.diagnostics import Reporter
from ludex.cli.reporting.output_language import speak
from ludex.cli.reporting.source_excerpts import Texts
from ludex.cli.reporting.terminal import unstyled
from ludex.grammar import ENGLISH, Code, Diagnostic, Severity, languages, parse
from ludex.spec import check_game

from .grammar.malformed import SAMPLES as SYNTAX_SAMPLES
from .interpreter.test_log_codes import SAMPLES as LOG_SAMPLES
from .interpreter.test_log_codes import judged, name_of

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "errors.md"
SAMPLES = ROOT / "cli" / "reporting" / code_pages.SAMPLES_FILE
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


@dataclass(slots=True)
class Samples:
    """The samples of the tests, by code."""

    found: dict[str, CodeSample] = field(default_factory=dict)

    def add(self, code: str, sample: CodeSample) -> None:
        """Keep the first sample of each code that is short enough to read."""
        texts = (sample.bad, sample.report, sample.good or "")
        if all(text.count("\n") < MOST_LINES and len(text) < 4000 for text in texts):
            self.found.setdefault(code, sample)


def samples() -> dict[str, CodeSample]:
    kept = Samples()
    for code, sample in (*_of_the_parser(), *_of_the_checker(), *_of_logs()):
        kept.add(code, sample)
    return kept.found


def _of_the_parser() -> Iterator[tuple[str, CodeSample]]:
    for each in SYNTAX_SAMPLES:
        diagnostics = parse(each.text, "sample.ludex").diagnostics
        if len(diagnostics) == 1:
            yield diagnostics[0].code.code, CodeSample(each.text, _report(diagnostics, {"sample.ludex": each.text}))


def _of_the_checker() -> Iterator[tuple[str, CodeSample]]:
    for folder in sorted((ROOT / "tests" / "spec" / "samples").iterdir()):
        bad, good = folder / "bad.ludex", folder / "good.ludex"
        diagnostics = tuple(_renamed(diagnostic) for diagnostic in check_game(bad))
        text = bad.read_text(encoding="utf-8")
        yield folder.name, CodeSample(text, _report(diagnostics, {bad.name: text}), good.read_text(encoding="utf-8"))


def _of_logs() -> Iterator[tuple[str, CodeSample]]:
    for code, (bad, good) in LOG_SAMPLES.items():
        matching = [finding for finding in judged(bad).findings if finding.code.code == code]
        texts = {name_of(bad): bad}
        others = {language: _report(matching, texts, language) for language in languages() if language != ENGLISH}
        yield code, CodeSample(bad, _report(matching, texts), good, others)


def _renamed(diagnostic: Diagnostic) -> Diagnostic:
    """Return the diagnostic with file names only, in place of paths."""
    notes = tuple(
        replace(note, span=replace(note.span, file=Path(note.span.file).name)) if note.span else note
        for note in diagnostic.notes
    )
    return replace(diagnostic, span=replace(diagnostic.span, file=Path(diagnostic.span.file).name), notes=notes)


def _report(
    diagnostics: tuple[Diagnostic, ...] | list[Diagnostic], texts: dict[str, str], language: str | None = None
) -> str:
    reporter = Reporter(Texts(texts))
    speak(language)
    try:
        return "\n".join(unstyled(reporter.text(diagnostic)) for diagnostic in diagnostics) + "\n"
    finally:
        speak(None)


# ---- the files -------------------------------------------------------------------------------------------------


def make_samples() -> str:
    """Return the file of the samples, which `ludex explain` reads."""
    return json.dumps({code: asdict(sample) for code, sample in sorted(samples().items())}, indent=1) + "\n"


def make_page() -> str:
    """Return the whole page."""
    known = code_samples()
    parts = [HEAD, _contents()]
    for group in CODE_GROUPS:
        parts.append(f"## {group.title}\n\n{group.about}\n")
        parts += (_entry(code, known.get(code.code)) for code in group.codes)
    return "\n".join(parts)


def _contents() -> str:
    rows = ["| code | name | |", "|---|---|---|"]
    for group in CODE_GROUPS:
        for code in group.codes:
            kind = "" if code.severity is Severity.ERROR else ", a warning"
            rows.append(f"| [{code.code}](#{_anchor(code)}) | `{code.name}` | {group.title.lower()}{kind} |")
    return "\n".join(rows) + "\n"


def _anchor(code: Code) -> str:
    return f"{code.code}-{code.name}".lower()


def _entry(code: Code, sample: CodeSample | None) -> str:
    first, *rows = english_page(code, sample).rows(fenced)
    kind = "" if code.severity is Severity.ERROR else "*A warning.* "
    return "\n".join([f"### {code.code} {code.name}", "", f"{kind}{first}", *rows])


if __name__ == "__main__":
    # The page reads the samples.
    for path, make in ((SAMPLES, make_samples), (PAGE, make_page)):
        path.write_text(make(), encoding="utf-8")
        click.echo(f"wrote {path.relative_to(ROOT)}")
