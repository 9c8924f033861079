"""`ludex coverage`: compares a rulebook's text with the clauses, in both directions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ludex.grammar import Diagnostic, Diagnostics
from ludex.spec import (
    CitedGame,
    Confirm,
    Coverage,
    DocumentCoverage,
    GameText,
    LineState,
    NumberAccount,
    account_numbers,
    check_sources,
    cited_game,
    coverage_findings,
    legend,
    listing_text,
    measure,
    not_confirmed,
    number_findings,
    read_game,
    record,
    sources_folder,
    strip,
    strip_text,
    summary_text,
    textless_text,
    write_recorded,
)

from ..command import ALL, GAME, format_option, sources_option, subcommand
from ..reporting import (
    Books,
    Exit,
    Reporter,
    counts,
    diagnostic_json,
    exit_of,
    json_text,
    plural,
    put,
    say,
    style,
    summary,
    width,
)


@subcommand("coverage", "coverage boreal\ncoverage boreal --sources ~/rulebooks\ncoverage boreal --record")
@click.argument("game", type=GAME)
@click.option("--edition", metavar="NAME", help="Show only the lines of this text; `all`: those of each in turn.")
@click.option("--record", "recording", is_flag=True, help="Confirm new citations; with --sources, record the texts.")
@click.option(
    "--confirm",
    multiple=True,
    metavar="CLAUSE",
    help="Confirm this clause, whose lines have changed (`all`: every one).",
)
@sources_option
@format_option
def command(
    game: str,
    edition: str | None,
    recording: bool,
    confirm: tuple[str, ...],
    sources: Path | None,
    format: str,  # noqa: A002 - the option's name
) -> Exit:
    """Compare a rulebook's text with the clauses: lines that no clause cites, clauses that cite no line.

    With --sources every line is listed with its words, and each number in a rule is looked for in the clauses.
    """
    text = read_game(game)
    _refuse_unknown_edition(text, edition)
    if recording or confirm:
        return _record(text, sources, confirm)
    cited, faults = cited_game(text, sources)
    coverage, numbers = measure(cited), account_numbers(cited)
    findings = _findings(text, cited, coverage, numbers, faults)
    if format == "json":
        put(json_text(_to_json(text, coverage, numbers, findings)))
        return exit_of(findings)
    for document in coverage.documents:
        rows = list(_document(document, cited, edition))
        if rows:
            say("\n".join(rows) + "\n")
    if coverage.textless and edition in (None, ALL):
        say("\n".join(_textless(coverage)) + "\n")
    Reporter(books=Books(sources, text.documents, text.modules) if sources else None).print(findings)
    say("\n".join(_in_sum(coverage, numbers)))
    say(summary(findings))
    return exit_of(findings)


def _refuse_unknown_edition(text: GameText, edition: str | None) -> None:
    if edition not in (None, ALL, *text.names):
        known = ", ".join(text.names) or "none"
        raise click.UsageError(f"`{text.name}` has no edition `{edition}`; it has {known}")


def _findings(
    text: GameText,
    cited: CitedGame,
    coverage: Coverage,
    numbers: tuple[NumberAccount, ...],
    faults: tuple[Diagnostic, ...],
) -> tuple[Diagnostic, ...]:
    diagnostics = Diagnostics()
    diagnostics.extend(text.diagnostics)
    diagnostics.extend(faults)
    diagnostics.extend(check_sources(cited))
    diagnostics.extend(coverage_findings(coverage))
    diagnostics.extend(number_findings(cited, numbers))
    diagnostics.extend(not_confirmed(text))
    return diagnostics.sorted()


# ---- for people ------------------------------------------------------------------------------------------------


def _document(document: DocumentCoverage, cited: CitedGame, edition: str | None) -> Iterator[str]:
    """Write a whole document; or the lines of one text, or of each."""
    wanted = [part for part in document.editions if edition in (part.edition, ALL)]
    parts = [(f", text {part.edition}", part.lines) for part in wanted]
    # The lines of a document are not parted where the game has no texts of its own.
    if edition is None or (edition == ALL and not wanted):
        parts = [("", document.lines)]
    words = next((source.own_words for source in cited.sources if source.document.tag == document.tag), None)
    for of, lines in parts:
        yield style(f"{document.tag} ({document.name}){of}", bold=True)
        yield listing_text(lines, words) if words else strip_text(lines, width())
        yield legend(strip(lines))


def _textless(coverage: Coverage) -> Iterator[str]:
    """List the rulings one by one; conventions only name things and are counted."""
    rulings = [clause for clause in coverage.textless if clause.rests_on != "convention"]
    yield style("clauses without a text", bold=True)
    if rulings:
        yield textless_text(rulings)
    conventions = len(coverage.textless) - len(rulings)
    if conventions:
        yield f"{plural(conventions, 'clause')} by convention"


def _in_sum(coverage: Coverage, numbers: tuple[NumberAccount, ...]) -> Iterator[str]:
    yield summary_text(coverage) or "no text is recorded for this game"
    if numbers:
        states = Counter(account.state.value for account in numbers)
        parts = ", ".join(f"{states[state]} {state}" for state in ("contained", "excused", "open") if states[state])
        yield f"numbers in rules: {len(numbers)} ({parts})"


# ---- for programs ----------------------------------------------------------------------------------------------


def _to_json(
    text: GameText, coverage: Coverage, numbers: tuple[NumberAccount, ...], findings: tuple[Diagnostic, ...]
) -> dict[str, Any]:
    return {
        "game": text.name,
        "documents": [_document_json(document) for document in coverage.documents],
        "textless": [
            {
                "edition": clause.edition,
                "clause": clause.path,
                "kind": clause.kind,
                "rests_on": clause.rests_on,
                "reasons": list(clause.reasons),
            }
            for clause in coverage.textless
        ],
        "numbers": [
            {
                "document": account.document,
                "line": account.line,
                "value": account.value,
                "state": account.state.value,
                "citing": list(account.citing),
                "containing": list(account.containing),
                "reason": account.reason,
            }
            for account in numbers
        ],
        "findings": [diagnostic_json(finding) for finding in findings],
        **counts(findings),
    }


def _document_json(document: DocumentCoverage) -> dict[str, Any]:
    return {
        "document": document.tag,
        "name": document.name,
        **_tally(document),
        "editions": [{"edition": part.edition, **_tally(part)} for part in document.editions],
        "lines": [
            {
                "line": line.number,
                "class": line.line_class.value,
                "state": line.state.value,
                "clauses": [f"{citer.edition}:{citer.path}" for citer in line.clauses],
            }
            for line in document.lines
            if line.state is not LineState.NOT_NEEDED or line.clauses
        ],
    }


def _tally(part: Any) -> dict[str, int]:
    tally = part.tally
    return {name: getattr(tally, name) for name in ("needed", "covered", "stale", "uncovered")}


# ---- recording -------------------------------------------------------------------------------------------------


def _record(text: GameText, sources: Path | None, confirm: tuple[str, ...]) -> Exit:
    """Write the stored files; report faults that writing does not mend."""
    # Of a spec with faults the citations are known in part, and the others would be dropped as gone.
    if text.failed:
        Reporter().show(text.diagnostics)
        return exit_of(text.diagnostics)
    cited, _ = cited_game(text, sources)
    named: Confirm = "all" if ALL in confirm else frozenset(confirm)
    recorded, needless = record(sources_folder(text), cited, named)
    diagnostics = Diagnostics()
    diagnostics.extend(needless)
    written, unwritten = write_recorded(recorded, text.folder)
    diagnostics.extend(unwritten)
    # The text is compared again, since what was written mends most of the faults.
    diagnostics.extend(cited_game(text, sources)[1])
    for path, _ in written.files:
        say(f"wrote {path}")
    actions = (
        (written.confirmed, "confirmed for the first time"),
        (written.reconfirmed, "confirmed again"),
        (written.left_stale, "stale, and left so"),
        (written.dropped, "dropped: no clause has them any more"),
    )
    for items, action in actions:
        if items:
            say(f"{plural(len(items), 'citation')} {action}")
    for tag, count in written.unclassified:
        if count:
            say(f"{plural(count, 'line')} of {tag} without a class")
    if not recorded.files:
        say("nothing to record")
    findings = diagnostics.sorted()
    if findings:
        Reporter().show(findings)
    return exit_of(findings)
