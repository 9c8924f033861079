"""`ludex diff A B`: two specs, row by row, and as the games that they are."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from ludex.grammar import DECLARATION_WORDS, MAX_BYTES, RESERVED_WORDS, Failure, decode_text, is_there
from ludex.interpreter import Played
from ludex.spec import (
    Budget,
    GameText,
    Section,
    TextRow,
    TwoVersions,
    Version,
    compare_versions,
    find,
    first_words,
    read_alone,
    read_game,
    shipped_games,
    version_alone,
    version_of,
)

from .apparatus import Known, make, place_of, play, to_json, to_text, write_report
from .apparatus import words as w
from .exits import Exit
from .report import json_text, plural
from .terminal import put, say, unstyled
from .texts import visible

if TYPE_CHECKING:
    from .diff import Wanted

STDIN = "-"
FEW = 12
"""Of so many rows the lines and games are told unasked."""
WHOLE = TextRow(Section.CONTRADICTION, "", (), {}, ())
"""In place of a row: both specs as they are."""
SUFFIX = ".ludex"
Verdict = Literal["one form", "all plays", "parted", "not found", "not played"]
"""What is known of both as wholes."""


def is_spec(named: str) -> bool:
    """Whether a word names a spec rather than a text of a game: a path, a shipped game, the standard input."""
    is_path = named == STDIN or "/" in named or "\\" in named or named.endswith(SUFFIX)
    return is_path or named in shipped_games() or is_there(Path(named))


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What is known of both games as wholes, in a sentence."""

    verdict: Verdict
    words: str
    whole: Played | None = None


def report(left: str, right: str, named: Sequence[str], wanted: Wanted) -> Exit:
    """Print or write where two specs part. named: the text of games of several texts that is compared."""
    if wanted.form not in ("text", "json"):
        raise click.UsageError("two specs are told as text or json")
    if left == right == STDIN:
        raise click.UsageError("only one of two specs can be read from the standard input")
    if len(named) > 1:
        raise click.UsageError("two specs are compared by one of their texts")
    two, note = _compared(left, right, next(iter(named), None), wanted.budget)
    asked = [row for row in two.rows if _is_asked(row, wanted.clauses)]
    out = place_of(two.text.name, wanted)
    played, whole = _played(two, asked, wanted)
    conclusion = _conclusion(two, whole)
    found = make(Known(two.text.name, _title(two, wanted), two.text.texts, asked, played), wanted.language)
    if wanted.form == "json":
        specs = [{"siglum": each.siglum, "title": each.title} for each in (two.left, two.right)]
        told = json_text({"specs": specs, **to_json(found), "verdict": conclusion.verdict, "whole": _to_json(whole)})
    else:
        rows = to_text(found, wanted.everything, wanted.details or len(asked) <= FEW)
        told = "\n".join([rows, "", *([note] if note else []), conclusion.words])
    _put(told, wanted.form, out)
    parts = any(row.matters for row in asked) or conclusion.verdict == "parted"
    return Exit.FINDINGS if parts and conclusion.verdict not in ("one form", "all plays") else Exit.GOOD


def _title(two: TwoVersions, wanted: Wanted) -> str:
    return w.told(two.text.game.header.titles, wanted.language) or two.text.name


def _is_asked(row: TextRow, clauses: Sequence[str]) -> bool:
    return not clauses or any(path == name or path.startswith(f"{name}.") for path in row.clauses for name in clauses)


def _put(told: str, form: str, out: Path | None) -> None:
    if out is not None:
        write_report(told if form == "json" else unstyled(told) + "\n", out)
    elif form == "json":
        put(told)
    else:
        say(told)


# ---- reading ----------------------------------------------------------------------------------------------------


def _compared(left: str, right: str, edition: str | None, budget: Budget) -> tuple[TwoVersions, str]:
    """Both specs, folded; and a note on their other texts. Raises Failure."""
    texts = _read(left, budget), _read(right, budget)
    texts = _with_data(texts[0], texts[1]), _with_data(texts[1], texts[0])
    sigla = _sigla(left, right)
    shared = [name for name in texts[0].names if name in texts[1].names]
    if edition is not None and edition not in shared:
        raise click.UsageError(
            f"`{visible(edition[:100])}` is no text of both; they have {', '.join(shared) or 'none'}"
        )
    chosen = edition or next(iter(shared), None)

    def compare(name: str | None) -> TwoVersions:
        return compare_versions(*(
            _version(siglum, title, text, name)
            for siglum, title, text in zip(sigla, (left, right), texts, strict=True)
        ))  # fmt: skip

    found = compare(chosen)
    others = {name: compare(name) for name in shared if name != chosen} if edition is None else {}
    apart = [name for name, each in others.items() if not each.same]
    note = ""
    if apart:
        note = f"Compared as `{chosen}` has it; `ludex diff A B TEXT` compares another text: {', '.join(apart)} too."
        found = replace(found, same=False)
    return found, note


def _read(named: str, budget: Budget) -> GameText:
    """A game, or one file of it that is a text written down alone."""
    if named == STDIN:
        content, faults = decode_text(sys.stdin.buffer.read(MAX_BYTES + 1), STDIN)
        if content is None:
            raise Failure(faults)
        return read_alone(Path(STDIN), content, budget)
    path = find(named)
    alone = first_words(path)[:1] == ["edition"]
    text = read_alone(path, budget=budget) if alone else read_game(named, budget)
    if text.failed:
        raise Failure(text.diagnostics)
    return text


def _with_data(text: GameText, other: GameText) -> GameText:
    """An older version of a file has no component data beside it: then those of the other are its own."""
    lacks = text.needs_components and not text.component_files
    return replace(text, folder=other.folder) if lacks else text


def _version(siglum: str, title: str, text: GameText, edition: str | None) -> Version:
    header = text.game.header
    if header.of is None:
        return version_of(siglum, title, text, edition if edition in text.names else text.default_edition)
    return version_alone(siglum, title, text, _game_of(text, header.of))


def _game_of(text: GameText, name: str) -> GameText | None:
    """The game of a text written down alone: beside it, in the folder above, or shipped."""
    folder = text.game.path.resolve().parent
    for path in (folder / f"{name}{SUFFIX}", folder.parent / f"{name}{SUFFIX}"):
        if is_there(path):
            return read_game(path, text.budget)
    return read_game(name, text.budget) if name in shipped_games() else None


def _sigla(left: str, right: str) -> tuple[str, str]:
    """Short names by which their lines are cited: the names of their files, if a spec can hold them."""
    found = [Path(each).stem for each in (left, right)]
    good = [re.fullmatch("[a-z][a-z0-9_]{0,30}", each) and each not in NO_NAMES for each in found]
    return (found[0], found[1]) if all(good) and found[0] != found[1] else ("a", "b")


NO_NAMES = {*RESERVED_WORDS, *DECLARATION_WORDS}


# ---- playing ----------------------------------------------------------------------------------------------------


def _played(two: TwoVersions, asked: Sequence[TextRow], wanted: Wanted) -> tuple[Mapping[str, Played], Played | None]:
    """What each row does at the table, by its name; and what both specs do as they are."""
    if not wanted.play or two.same:
        return {}, None
    trials = [(row, two.trial(row)) for row in asked if row.matters]
    if two.whole is not None and not wanted.clauses:
        trials.append((WHOLE, two.whole))
    played = play(trials, two.text.texts, wanted)
    return played, played.pop(WHOLE.name, None)


def _conclusion(two: TwoVersions, whole: Played | None) -> Conclusion:
    if two.same:
        return Conclusion("one form", "Both have one normal form: they are the same game.")
    if whole is not None and whole.shown is not None:
        sides = ((two.left.title, whole.shown.left), (two.right.title, whole.shown.right))
        told = [f"As they are they part ({whole.parting}), after {plural(whole.shown.line - 2, 'event')}:"]
        told += [visible(f"  {name}: {side.told}") for name, side in sides]
        return Conclusion("parted", "\n".join(told), whole)
    if whole is None or whole.searched is None:
        why = f": {visible(whole.why)}" if whole and whole.why else ""
        return Conclusion("not played", f"They were not played against each other{why}.", whole)
    if whole.gone is not None and whole.gone.alike:
        gone = f"{plural(whole.gone.positions, 'position')} at {plural(whole.gone.tables, 'table')}"
        return Conclusion("all plays", f"Every play was gone through ({gone}): they are the same game.", whole)
    return Conclusion("not found", _not_found(whole), whole)


def _not_found(whole: Played) -> str:
    searched = whole.searched
    assert searched is not None
    tables = ", ".join(map(str, whole.tables))
    bounds = f"{plural(searched.events, 'event')} in {plural(searched.plays, 'play')}, with {tables} players"
    late = "; the clock stopped it" if searched.timed_out else ""
    why = f" ({whole.gone.why})" if whole.gone and whole.gone.why else ""
    return f"No game was found that parts them, within these bounds: {bounds}{late}.{why}"


def _to_json(whole: Played | None) -> dict[str, Any] | None:
    if whole is None:
        return None
    return {
        "effect": whole.parting,
        "log": [dict(line) for line in whole.shown.lines] if whole.shown else [],
        "events": whole.searched.events if whole.searched else 0,
        "tables": list(whole.tables),
        "positions": whole.gone.positions if whole.gone and whole.gone.alike else 0,
        "why": whole.why,
    }
