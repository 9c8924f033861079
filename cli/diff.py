"""`ludex diff`: where editions of one game part, what it does in play, and a game that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludex.grammar import is_there

from .command import GAME, Seconds, budget_option, seed_option, sources_option, subcommand
from .exits import Exit
from .files import check_writable, is_folder, make_folder, write_file
from .report import Reporter, json_text, plural, progress
from .terminal import put, say, unstyled
from .texts import visible

if TYPE_CHECKING:
    from ludex.grammar import Diagnostic
    from ludex.interpreter import Effort, Finding
    from ludex.spec import Budget, Comparison, Divergence, GameText, Ruling, Rulings

    from .differences import AtHand, Telling

EFFORT = 16000
"""Events for each pair of readings; a test holds it to the library's own default, which takes long to load."""
MOST_NAMED = 100
"""So much of a name that nobody knows is repeated."""
FORMATS = {
    "text": "",
    "json": ".json",
    "markdown": ".md",
    "sarif": ".sarif",
    "html": ".html",
    "csv": ".csv",
    "xlsx": ".xlsx",
    "rulings": ".yaml",
}
"""The forms of the report, with the suffix that its file gets."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options of a run."""

    everything: bool
    form: str
    out: Path | None
    sources: Path | None
    seed: int
    events: int
    seconds: float
    jobs: int
    play: bool
    fresh: bool
    check: bool
    rulings: Path | None
    language: str
    clauses: tuple[str, ...]
    details: bool
    budget: Budget

    @property
    def effort(self) -> Effort | None:
        from ludex.interpreter import Effort

        return Effort(events=self.events, seconds=self.seconds, seed=self.seed) if self.play else None


@subcommand("diff", "diff boreal\ndiff boreal ru aid --format html --out boreal.html\ndiff boreal --check")
@click.argument("game", type=GAME, metavar="GAME|A")
@click.argument("editions", nargs=-1, metavar="[TEXT...|B]")
@click.option(
    "--clause",
    "clauses",
    multiple=True,
    metavar="NAME",
    help="Only this clause and all inside it, with what each edition says; may be given several times.",
)
@click.option(
    "--lang",
    "language",
    type=click.Choice(["en", "ru", "he"]),
    default="en",
    show_default=True,
    help="The language of the report.",
)
@click.option("--details", is_flag=True, help="What each edition says of every divergence, however many there are.")
@click.option("--all", "everything", is_flag=True, help="Also tell what cannot matter in play: notes, examples, words.")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="For people, for programs, or a draft of rulings to fill in.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE|DIR",
    help="Write the report to a file; to a folder, with a log for each game that shows a divergence.",
)
@sources_option
@seed_option
@budget_option
@click.option(
    "--effort",
    "events",
    type=click.IntRange(1, 1_000_000_000),
    default=EFFORT,
    show_default=True,
    metavar="N",
    help="Events to play for each divergence, in search of a game that shows it.",
)
@click.option(
    "--seconds",
    type=Seconds(0.01, 86_400),
    default=240.0,
    show_default=True,
    help="A stop for each divergence, where playing is slow.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N", help="Work side by side."
)
@click.option(
    "--no-play", "play", is_flag=True, flag_value=False, default=True, help="Only compare; look for no games."
)
@click.option("--fresh", is_flag=True, help="Search anew, and keep nothing of it for later runs.")
@click.option("--check", is_flag=True, help="Tell only what no ruling decides; the exit code is 0 if there is nothing.")
@click.option(
    "--rulings",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="What a team decided.  [default: rulings.yaml beside the game, if it is there]",
)
def command(game: str, editions: tuple[str, ...], **options: Any) -> Exit:
    """Where the texts of one game part, or two specs: what each says, what it does in play, and a game that shows it.

    With one GAME all its texts are compared, or those that are named. With A and B two specs are: games, folders, files
    (`-` is the standard input), such as two versions of one, or two texts written down alone. The exit code is 1 where
    they part.
    """
    from ludex.spec import playable, read_game, readable

    from .apparatus import KeptReport, report, tell
    from .versions import STDIN, is_spec

    wanted = Wanted(**options)
    if game == STDIN or (editions and is_spec(editions[0]) and not _is_text(game, editions[0])):
        from .versions import report as of_versions

        if not editions:
            raise click.UsageError("name the spec with which the standard input is compared")
        return of_versions(game, editions[0], editions[1:], wanted)
    place = KeptReport(game, editions, wanted)
    kept = place.get()
    if kept is not None:
        return tell(kept, wanted)
    whole = read_game(game, wanted.budget)
    if whole.texts:
        return report(whole, editions, wanted, place)
    if wanted.form in ("csv", "xlsx"):
        raise click.UsageError(f"editions in files of their own are not told as {wanted.form}")
    text, left_out = readable(whole, editions or tuple(whole.about))
    rulings = _rulings(whole, wanted.rulings)
    comparison = _narrowed(_compared(text, editions), wanted.clauses)
    text, also_left_out = playable(text, comparison.editions) if wanted.play else (text, ())
    _prepare(wanted)
    warnings = (*left_out, *also_left_out, *rulings.diagnostics)
    telling = _telling(text, comparison, rulings.rulings, warnings, wanted)
    _put(telling, wanted)
    _tell_beside(telling.beside.notices, wanted.form == "text" and wanted.out is None)
    return Exit.FINDINGS if telling.told else Exit.GOOD


def _is_text(game: str, named: str) -> bool:
    """Whether a word that could be a spec is the name of a text of the game: then that is meant, and a note says so."""
    from ludex.grammar import Failure
    from ludex.spec import read_game

    if "/" in named or "\\" in named or named == "-":
        return False
    try:
        is_text = named in read_game(game).names
    except Failure:
        return False
    if is_text:
        say(f"note: `{named}` is a text of `{game}`; `./{named}` is the spec that lies here", err=True)
    return is_text


def _compared(text: GameText, editions: tuple[str, ...]) -> Comparison:
    from ludex.spec import compare

    for name in editions:
        if name not in text.editions:
            known = ", ".join(text.editions) or "none"
            raise click.UsageError(f"`{text.name}` has no edition `{name}`; it has {known}")
    named = tuple(dict.fromkeys(editions)) or tuple(text.editions)
    if len(named) < 2:
        known = ", ".join(text.editions) or "none"
        raise click.UsageError(f"two editions are needed, to be compared with each other; `{text.name}` has {known}")
    return compare({name: text.editions[name].module for name in named}, text.game.module)


def _narrowed(comparison: Comparison, clauses: tuple[str, ...]) -> Comparison:
    """Only what is asked for; everything if nothing is."""
    from ludex.grammar import nearest
    from ludex.spec import compared_paths, narrowed

    if not clauses:
        return comparison
    known = compared_paths(comparison)
    for name in clauses:
        if name not in known:
            near = nearest(name, known)
            hint = f"; did you mean `{near}`?" if near else ""
            raise click.UsageError(f"there is no clause `{visible(name[:MOST_NAMED])}` to compare{hint}")
    return narrowed(comparison, clauses)


def _rulings(text: GameText, given: Path | None) -> Rulings:
    """What was decided, with warnings. Raises Failure where the file has errors."""
    from ludex.grammar import Failure
    from ludex.spec import RULINGS_FILE, Rulings, load_rulings, shown_path

    path = given or text.folder / RULINGS_FILE
    if given is None and not is_there(path):
        return Rulings(shown_path(path))
    found = load_rulings(path, tuple({*text.editions, *text.about}), shown_path(path))
    if any(each.is_error for each in found.diagnostics):
        raise Failure(found.diagnostics)
    return found


def _telling(
    text: GameText,
    comparison: Comparison,
    rulings: Iterable[Ruling],
    warnings: tuple[Diagnostic, ...],
    wanted: Wanted,
) -> Telling:
    """The run, with the warnings there are already, which rulings do not hold any more, and which texts cannot be
    read."""
    from ludex.interpreter import Beside
    from ludex.spec import cited_game, decide, marks_of

    from .differences import Telling, names_of, positions

    cited, _ = cited_game(text)
    texts = _texts(text, comparison, wanted)
    marks = {each.id: marks_of(each, cited) for each in comparison.divergences}
    decided = decide(comparison, marks, rulings)
    findings = _judged(text, comparison, wanted)
    return Telling(
        game=text.name,
        title=_title(text),
        comparison=comparison,
        findings=findings,
        documents=text.documents,
        beside=Beside(
            marks,
            decided.rulings,
            _write_logs(findings, wanted.out),
            texts.hints or (),
            texts.left_out,
            (*warnings, *decided.diagnostics, *texts.faults),
        ),
        effort=wanted.effort,
        clauses=wanted.clauses,
        details=wanted.details or bool(wanted.clauses),
        everything=wanted.everything,
        only_undecided=wanted.check or wanted.form == "rulings",
        books=texts.books,
        hints=texts.hints,
        names=names_of(text) if wanted.form == "html" else {},
        positions=positions(findings, text) if wanted.form == "html" else {},
    )


def _texts(text: GameText, comparison: Comparison, wanted: Wanted) -> AtHand:
    """The texts at hand; hints only about what is asked for."""
    from ludex.spec import is_inside

    from .differences import AtHand, at_hand

    if wanted.sources is None:
        return AtHand()
    found = at_hand(text, comparison, wanted.sources, not (wanted.check or wanted.form == "rulings"))
    if not wanted.clauses or found.hints is None:
        return found
    return replace(found, hints=tuple(hint for hint in found.hints if is_inside(hint.clause, wanted.clauses)))


def _title(text: GameText) -> str:
    titles = text.game.header.titles
    return titles.get("en") or next(iter(titles.values()), text.name)


def _judged(text: GameText, comparison: Comparison, wanted: Wanted) -> tuple[Finding, ...]:
    """Every divergence with what it does in play. text: without faults."""
    from ludex.interpreter import findings_folder, judge, unplayed

    if wanted.effort is None:
        return tuple(unplayed(comparison))
    folder = None if wanted.fresh else findings_folder()
    with progress(len(comparison.divergences), "looking for games") as bar:

        def tell(finding: Finding, done: int, total: int) -> None:
            if bar is not None:
                bar.update(1)

        return tuple(judge(text, comparison, wanted.effort, wanted.jobs, folder, tell))


def _tell_beside(warnings: Sequence[Diagnostic], beside_report: bool) -> None:
    reporter = Reporter()
    for diagnostic in warnings:
        say(reporter.text(diagnostic), err=not beside_report)


# ---- writing ----------------------------------------------------------------------------------------------------


def _put(telling: Telling, wanted: Wanted) -> None:
    """Print the report, or write it where --out says."""
    report = _report(telling, wanted.form)
    if wanted.out is None or (wanted.form == "text" and _is_folder(wanted.out)):
        show = say if wanted.form == "text" else put
        show(report, nl=not report.endswith("\n"))
        return
    path = wanted.out / _file_name(telling, FORMATS[wanted.form]) if _is_folder(wanted.out) else wanted.out
    if wanted.form == "rulings" and is_there(path):
        _add_rulings(path, telling)
        return
    write_file(path, report if wanted.form != "text" else unstyled(report) + "\n")
    say(f"{path}: {plural(len(telling.told), 'divergence')}", err=True)


def _add_rulings(path: Path, telling: Telling) -> None:
    """What was decided is somebody's work: it stays, and what is undecided is added."""
    text, added = _with_rulings(path, [finding.divergence for finding in telling.told], telling.beside.marks)
    if added:
        write_file(path, text)
    say(f"{path}: {plural(added, 'divergence')} added; what was there stays", err=True)


def _with_rulings(
    path: Path, undecided: Sequence[Divergence], marks: Mapping[str, Mapping[str, str]]
) -> tuple[str, int]:
    """The file's text with more rulings, and how many. Raises Failure where it cannot be read."""
    from ludex.grammar import Failure, read_text
    from ludex.spec import add_rulings

    text, faults = read_text(path)
    if text is None:
        raise Failure(faults)
    made = add_rulings(text, undecided, marks)
    if made is None:
        why = "it is there already, and is no list `rulings` to which lines can be added"
        raise click.UsageError(f"{path} cannot be written: {why}; choose another name")
    return made


def _report(telling: Telling, form: str) -> str:
    from ludex.interpreter import comparison_to_json
    from ludex.spec import draft_rulings

    from .differences import to_markdown, to_page, to_sarif, to_text
    from .main import version

    match form:
        case "json":
            told = comparison_to_json(
                telling.game,
                telling.comparison,
                telling.findings,
                telling.documents,
                telling.beside,
                telling.effort,
            )
            return json_text(told)
        case "markdown":
            return to_markdown(telling)
        case "sarif":
            return json_text(to_sarif(telling, version()))
        case "html":
            return to_page(telling)
        case "rulings":
            return draft_rulings((finding.divergence for finding in telling.told), telling.beside.marks)
        case _:
            return to_text(telling)


def _file_name(telling: Telling, suffix: str) -> str:
    """`bora_bora-en-he.html`"""
    return "-".join((telling.game, *telling.comparison.editions)) + suffix


def _is_folder(out: Path) -> bool:
    """What is there as a folder, or is not there and has no suffix."""
    return is_folder(out) or not (out.suffix or is_there(out))


def _prepare(wanted: Wanted) -> None:
    """Make the folder that is to be written to. Where nothing can be written it is told before the search."""
    out = wanted.out
    if out is None:
        return
    if wanted.form == "rulings" and is_there(out):
        _with_rulings(out, (), {})
    if _is_folder(out):
        make_folder(out)
    check_writable(out / "report" if _is_folder(out) else out)


def _write_logs(findings: tuple[Finding, ...], out: Path | None) -> Mapping[str, tuple[str, ...]]:
    """The logs of the witnesses in the folder, by the divergence's id."""
    from .differences import log_text

    if out is None or not _is_folder(out):
        return {}
    written: dict[str, tuple[str, ...]] = {}
    for finding in findings:
        divergence = finding.divergence
        name = f"{re.sub('[^a-z0-9_.]', '_', divergence.row.clause)[:80]}-{divergence.id}"
        for number, shown in enumerate(finding.witnesses):
            path = out / f"{name}{f'-{number + 1}' if number else ''}.jsonl"
            write_file(path, log_text(shown))
            written[divergence.id] = (*written.get(divergence.id, ()), str(path))
    return written
