"""Printer of the report for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from ..reporting import style, visible, width
from . import report_model as r
from .phrases import Phrases, effects

_INDENT = "     "


def to_text(report: r.DiffReport, everything: bool = False, details: bool = False) -> str:
    """Write the report with styles, which `say` removes where colours are unwanted.

    details: whether each row has its lines, reasons and games."""
    phrases = Phrases(report.language)
    names = "; ".join(f"{text.siglum} = {text.title}" for text in report.texts)
    out = [style(visible(f"{report.title}: {phrases['parting']}"), bold=True), *_wrapped(names, "")]
    out += [] if report.complete else _incomplete(phrases)
    left = 0
    for chapter in report.chapters:
        shown = [row for row in chapter.rows if everything or _is_shown(row, chapter)]
        left += len(chapter.rows) - len(shown)
        if shown:
            out += ["", style(f"{chapter.title} ({len(shown)})", bold=True)]
        for row in shown:
            out += (
                _row(row, phrases, details)
                if details or chapter.section in r.DECIDED_SECTIONS
                else _brief(row, phrases)
            )
    if not report.chapters and report.whole is None:
        out += ["", phrases["no parting"]]
    out += ["", f"{phrases['folded']}: {left}"] if left else []
    out += ["", *_whole(report.whole, phrases)] if report.whole else []
    # This is repeated at the end, since a long report scrolls its head away.
    return "\n".join(out if report.complete else [*out, "", *_incomplete(phrases)])


def _incomplete(phrases: Phrases) -> list[str]:
    return [style(line, bold=True) for line in _wrapped(f"{phrases['incomplete']}.", "")]


def _whole(whole: r.WholeComparison, phrases: Phrases) -> Iterator[str]:
    yield from _wrapped(whole.words, "")
    if whole.story:
        yield from _story(whole.story, phrases)
    if whole.note:
        yield from _wrapped(f"{whole.note}.", "")


def _is_shown(row: r.DifferenceRow, chapter: r.Chapter) -> bool:
    return not chapter.folded and row.matters


def _wrapped(text: str, indent: str = _INDENT, first: str | None = None) -> list[str]:
    return textwrap.wrap(
        visible(text), width(), initial_indent=indent if first is None else first, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def _brief(row: r.DifferenceRow, phrases: Phrases) -> list[str]:
    words = "; ".join([f"{row.sentence.rstrip('.')}  ({row.name})", *_marks(row, phrases)])
    return _wrapped(words, first=f"{row.number:>3}. ")


def _marks(row: r.DifferenceRow, phrases: Phrases) -> list[str]:
    marks = [words for _, words in effects(row.effect, row.binds, phrases)]
    marks += [phrases["new"]] if row.is_new else []
    return marks + ([_decided(row, phrases)] if row.state != "undecided" else [])


def _row(row: r.DifferenceRow, phrases: Phrases, details: bool) -> Iterator[str]:
    cited = [f"[{each.siglum} {each.lines}]" for saying in row.parts[0].sayings for each in saying.texts if each.lines]
    yield from _wrapped(row.sentence, first=f"{row.number:>3}. ")
    yield from _wrapped("; ".join([f"{row.name}  {' '.join(cited)}".rstrip(), *_marks(row, phrases)]))
    if details:
        for part in row.parts:
            yield from _part(part, phrases, len(row.parts) > 1)
        yield from _play(row, phrases)


def _decided(row: r.DifferenceRow, phrases: Phrases) -> str:
    decision = phrases[f"d {row.ruled.decision}"] + (f" ({row.ruled.counts})" if row.ruled.counts else "")
    state = f"{phrases['changed']}: " if row.state == "changed" else ""
    return state + decision + (f": {row.ruled.comment}" if row.ruled.comment else "")


def _part(part: r.RowPart, phrases: Phrases, is_one_of_many: bool) -> Iterator[str]:
    if is_one_of_many:
        yield from _wrapped(f"- {part.about}")
    for saying in part.sayings:
        for text in saying.texts:
            near = f"{phrases['near']} " if saying.stance == "silent" else ""
            what = "; ".join(saying.words) if saying.words else phrases[saying.stance]
            yield from _wrapped(f"{text.title} [{near}{text.lines}]: {what}", _INDENT + "  ")
            if text.adds:
                yield from _wrapped(f"{phrases['adds']}: {text.adds}", _INDENT * 2)
            for quote in text.quotes:
                words = "".join(
                    style(visible(p.words), bold=True) if p.marked else visible(p.words) for p in quote.pieces
                )
                yield f"{_INDENT}    {quote.line:>4} | {words}"
    if part.why:
        yield from _wrapped(f"{phrases['why']}: {part.why} ({phrases['readers']}: {part.readers})", _INDENT + "  ")
    yield from _wrapped(f"{phrases['clauses']}: {', '.join(part.clauses)}", _INDENT + "  ")


def _play(row: r.DifferenceRow, phrases: Phrases) -> Iterator[str]:
    if row.effect == "none":
        yield from _wrapped(f"{phrases['effect']}: {phrases['none']} ({row.searched:,})", _INDENT + "  ")
    if row.story is not None:
        yield from _story(row.story, phrases)


def _story(story: r.Story, phrases: Phrases) -> Iterator[str]:
    yield from _wrapped(f"{phrases['game']} ({story.players} {phrases['players']}):", _INDENT + "  ")
    hidden = sum(not step.shown for step in story.steps)
    if hidden:
        yield from _wrapped(f"… {hidden} {phrases['events before']}", _INDENT * 2)
    for step in story.steps:
        if step.shown:
            remark = f" ({step.remark})" if step.remark else ""
            yield from _wrapped(f"{step.number}. {step.words}{remark}", _INDENT * 2)
    for side in story.answers:
        detail = f" ({side.outcome})" if side.outcome else ""
        yield from _wrapped(f"{side.title}: {phrases[side.answer]}{detail}", _INDENT * 2)
    left, right = story.answers
    for each in story.changes:
        after = " | ".join(f"{side.siglum}: {held}" for side, held in ((left, each.left), (right, each.right)) if held)
        yield from _wrapped(f"{each.what}: {each.before} → {after}", _INDENT * 2)
