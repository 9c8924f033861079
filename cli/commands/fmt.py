"""`ludex fmt`: formats files in the canonical layout."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from ludex.grammar import (
    MAX_BYTES,
    STDIN,
    SUFFIX,
    UNWRITABLE_FILE,
    Diagnostic,
    Failure,
    declared_functions,
    decode_text,
    format_module,
    parse,
    parse_kept,
    read_bytes,
    read_text,
    same_text,
    whole_file,
    write_text,
)
from ludex.spec import meant_as_game, read_game

from ..command import format_option, subcommand
from ..reporting import (
    Exit,
    Reporter,
    Texts,
    counts,
    diagnostic_json,
    exit_of,
    is_folder,
    json_text,
    plural,
    put,
    say,
    style,
    summary,
)


@dataclass(frozen=True, slots=True)
class Laid:
    """A text and its canonical layout; None if it has errors, which are in the diagnostics.

    folder: the file's folder; the file is not written if a link leads out of it.
    """

    name: str
    before: str
    after: str | None
    diagnostics: tuple[Diagnostic, ...] = ()
    folder: Path | None = None

    @property
    def changes(self) -> bool:
        return self.after is not None and self.after != self.before


@subcommand("fmt", "fmt spec/games/pig/pig.ludex\nfmt --check .\nfmt - < draft.ludex")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Write nothing; name the files that would change.")
@click.option("--diff", is_flag=True, help="Write nothing; show the changes.")
@format_option
def command(files: tuple[str, ...], check: bool, diff: bool, format: str) -> Exit:  # noqa: A002 - the option's name
    """Write spec files in the canonical layout.

    FILE is a spec's file, a folder (all spec files in it), or `-`: the standard input, laid out to the standard
    output. A file with errors, or one that cannot be written, is reported and left as it is.
    """
    texts: dict[str, str] = {}
    laid = [one for name in files for one in _laid_out(name, texts)]
    if not check and not diff:
        laid = [_written(one) for one in laid]
    diagnostics = [diagnostic for one in laid for diagnostic in one.diagnostics]
    changed = sum(one.changes for one in laid)
    if format == "json":
        put(json_text(_to_json(laid)))
    else:
        reporter = Reporter(Texts(texts))
        for one in laid:
            _finish(one, check, diff, reporter)
        if diagnostics:
            say(summary(diagnostics), err=True)
        # For the standard input the output is the text itself, and needs no summary.
        if files != (STDIN,):
            # The output of --diff is a patch, in which a summary would be a broken line.
            say(_summary(len(laid), changed, check or diff), err=diff)
    unsettled = Exit.FINDINGS if changed and (check or diff) else Exit.GOOD
    return max(exit_of(diagnostics), unsettled)


def _to_json(laid: list[Laid]) -> dict[str, Any]:
    files = [
        {
            "file": one.name,
            "changes": one.changes,
            **({"text": one.after} if one.name == STDIN else {}),
            "findings": [diagnostic_json(diagnostic) for diagnostic in one.diagnostics],
        }
        for one in laid
    ]
    return {"files": files, **counts(diagnostic for one in laid for diagnostic in one.diagnostics)}


def _written(one: Laid) -> Laid:
    """Write the file if it changes; if that fails, return a diagnostic and no layout."""
    if one.name == STDIN or not one.changes:
        return one
    assert one.after is not None
    try:
        write_text(Path(one.name), one.after, one.folder)
    except OSError as fault:
        message = f"the file cannot be written: {fault.strerror or fault}"
        return replace(one, after=None, diagnostics=(Diagnostic(UNWRITABLE_FILE, message, whole_file(one.name)),))
    return one


def _finish(one: Laid, check: bool, diff: bool, reporter: Reporter) -> None:
    if one.after is None:
        for diagnostic in one.diagnostics:
            say(reporter.text(diagnostic), err=True)
    elif diff:
        _show_difference(one)
    elif check:
        if one.changes:
            say(f"would change {one.name}")
    elif one.name == STDIN:
        put(one.after, nl=False)
    elif one.changes:
        say(f"changed {one.name}")


def _summary(count: int, changed: int, only_reported: bool) -> str:
    verb = "would change" if only_reported else "changed"
    return f"{plural(count, 'file')}, {changed} {verb}"


# ---- one file --------------------------------------------------------------------------------------------------


def _laid_out(name: str, texts: dict[str, str]) -> Iterator[Laid]:
    if name == STDIN:
        text, faults = _read_stdin()
        texts[STDIN] = text or ""
        yield _layout(STDIN, text, faults, frozenset())
        return
    if not name.strip():
        raise click.UsageError("a file's name is empty; `.` is the current folder")
    for path in _files(Path(name)):
        text, faults = read_text(path)
        if text is not None:
            text_now = _raw(path)  # read_text drops line ends and a byte order mark, which the layout changes, too
            laid = _layout(str(path), text, faults, _functions_beside(path), text_now)
            yield replace(laid, folder=Path(name) if is_folder(Path(name)) else None)
        else:
            yield _layout(str(path), None, tuple(map(meant_as_game, faults)), frozenset())


def _raw(path: Path) -> str:
    content = read_bytes(path)
    return content.decode("utf-8", "replace") if isinstance(content, bytes) else ""


def _read_stdin() -> tuple[str | None, tuple[Diagnostic, ...]]:
    # One byte more shows that the text is too long.
    return decode_text(sys.stdin.buffer.read(MAX_BYTES + 1), STDIN)


def _files(path: Path) -> list[Path]:
    """List the file itself, or the spec files in a folder; a missing one is listed, so that it is reported."""
    if not is_folder(path):
        return [path]
    files = sorted(file for file in path.rglob(f"*{SUFFIX}") if file.is_file() or not _is_passed_over(file))
    if not files:
        raise click.UsageError(f"there is no {SUFFIX} file in the folder {path}")
    return files


def _is_passed_over(path: Path) -> bool:
    """Test for folders, and for broken links with hidden names, which some editors use as locks."""
    return is_folder(path) or path.name.startswith(".")


def _functions_beside(path: Path) -> frozenset[str]:
    """Collect the names that the other files of the game declare; () if the file is alone."""
    try:
        files = read_game(path).files
    # Without the other files its own declarations have to do.
    except Failure:
        return frozenset()
    return frozenset(name for file in files for name in declared_functions(file.module))


def _layout(
    name: str, text: str | None, faults: tuple[Diagnostic, ...], functions: frozenset[str], before: str | None = None
) -> Laid:
    if text is None:
        return Laid(name, "", None, faults)
    parsed = parse_kept(text, name)
    errors = tuple(diagnostic for diagnostic in parsed.diagnostics if diagnostic.is_error)
    if errors:
        return Laid(name, text, None, errors)
    after = format_module(parsed.module, functions)
    # Never write a layout that says something else: read it again, and compare.
    again = parsed if after == text else parse(after, name)
    if any(fault.is_error for fault in again.diagnostics) or not same_text(parsed.module, again.module):
        raise AssertionError(f"the layout of {name} would change what it says")
    return Laid(name, text if before is None else before, after)


def _show_difference(one: Laid) -> None:
    from difflib import unified_diff

    assert one.after is not None
    before, after = one.before.splitlines(keepends=True), one.after.splitlines(keepends=True)
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for row in unified_diff(before, after, one.name, f"{one.name} (canonical)"):
        ended = row if row.endswith("\n") else f"{row}\n\\ no newline at the end\n"
        say(style(ended, fg=colours.get(row[0])), nl=False)
