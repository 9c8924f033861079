"""The report of `ludex diff` at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ludex.grammar import Citation
from ludex.interpreter import Finding, Shown
from ludex.spec import Hint, Row, formal

from ..report import plural, table
from ..terminal import style
from ..texts import visible
from . import hints as h
from . import sums
from . import telling as t
from . import words as w

MOST_DETAILS = 12
"""If no more are told, each is told with its words and games; of more only the table, unless details are asked for."""
MOST_LINES = 12
"""So many lines of a book are shown of one clause."""
MOST_EVENTS = 3
"""So many of the events before the one on which editions part are shown."""


def to_text(telling: t.Telling) -> str:
    """The whole report; styled, which `say` undoes where it is not wanted."""
    return "\n".join(_rows(telling))


def _rows(telling: t.Telling) -> Iterator[str]:
    yield style(f"{visible(telling.title)}: {sums.against(telling)}", bold=True)
    yield from _counted(telling)
    if telling.told:
        yield ""
        yield from _overview(telling)
    if telling.details or len(telling.told) <= MOST_DETAILS:
        for finding in telling.told:
            yield ""
            yield from _finding(telling, finding)
    elif telling.told:
        yield ""
        yield "What each edition says, and the games: --clause NAME tells a clause and all inside, --details everything"
    if telling.hints:
        yield ""
        yield from _hints(telling, telling.hints)
    yield ""
    yield style("How far was looked", bold=True)
    yield from (f"  {visible(row)}" for row in sums.bounds_rows(telling))


# ---- in sum -----------------------------------------------------------------------------------------------------


def _counted(telling: t.Telling) -> Iterator[str]:
    """How many of which effect and kind; how many agreements."""
    parted = plural(len(telling.parted), "divergence")
    if telling.clauses:
        parted += f" at {', '.join(map(visible, telling.clauses))} and inside"
    yield f"{parted}; {sums.agreed_words(telling)}"
    if telling.beside.rulings:
        yield f"{len(telling.beside.rulings)} decided by rulings"
    if telling.hints is not None:
        yield h.count_words(telling)
    if not telling.parted:
        return
    if telling.played:
        rows = [
            (f"  {t.EFFECT_WORDS[each.effect]}", str(each.found), _shown_words(each)) for each in sums.counts(telling)
        ]
        yield from table(rows, frozenset({1}))
    if telling.told:
        yield f"  kinds: {', '.join(f'{kind} {count}' for kind, count in sums.kinds(telling).items())}"
    idle = len(telling.parted) - len(telling.told)
    if not telling.everything and idle:
        yield f"  {idle} of them not told: {_untold_words(telling)}"


def _shown_words(counted: sums.Counted) -> str:
    shown = [f"{counted.shown} shown by a game"] if counted.shown else []
    return ", ".join([*shown, *([f"{plural(counted.candidates, 'candidate')}"] if counted.candidates else [])])


def _untold_words(telling: t.Telling) -> str:
    decided = ["what is decided (--check)"] if telling.only_undecided and telling.beside.rulings else []
    return " and ".join(["what cannot matter in play (--all)", *decided])


def _overview(telling: t.Telling) -> Iterator[str]:
    """One row a clause, one column an edition."""
    head = ("clause", *telling.comparison.editions, "kind", *(("in play", "") if telling.played else ("",)))
    rows = [_overview_row(telling, finding) for finding in telling.told]
    first, *others = table([head, *rows])
    yield style(first, bold=True)
    yield from others
    more = "; (+3): with 3 clauses inside or behind it" if any(each.divergence.under for each in telling.told) else ""
    told = (
        f"one letter: they say the same; {t.SILENT}: says nothing; *: stands alone, which does not make it wrong{more}"
    )
    yield style(f"  {told}", dim=True)


def _overview_row(telling: t.Telling, finding: Finding) -> tuple[str, ...]:
    divergence, found = finding.divergence, t.letters(finding.divergence)
    columns = (f"{found[name]}{'*' if divergence.odd == name else ''}" for name in telling.comparison.editions)
    proof = ["a game shows it"] if finding.witness else ["candidate"] if finding.candidate and telling.played else []
    marks = [
        *proof,
        *t.verdict_words(finding),
        *(["internal"] if divergence.internal else []),
        *(["decided"] if telling.ruling(finding) else []),
    ]
    under = f" (+{len(divergence.under)})" if divergence.under else ""
    effect = (t.EFFECT_SHORT[finding.effect],) if telling.played else ()
    return (visible(divergence.row.clause) + under, *columns, divergence.kind, *effect, ", ".join(marks))


# ---- places to read again ---------------------------------------------------------------------------------------


def _hints(telling: t.Telling, hints: tuple[Hint, ...]) -> Iterator[str]:
    yield style(h.TITLE, bold=True)
    yield style(f"  {h.MEANING}", dim=True)
    for hint in hints:
        yield f"{style(visible(hint.clause), bold=True)}  ({', '.join(h.marks(hint))})"
        yield f"  {visible(hint.why)}"
        for edition in hint.spans:
            words = visible(h.told_words(hint, edition))
            yield f"  {style(edition, fg='cyan')}: {words}  {style(h.cited(hint, edition), dim=True)}"
            for quoted in h.quoted(telling, hint, edition) if edition in hint.editions else ():
                yield style(f"      {quoted.document} {quoted.line} | {visible(quoted.words)}", dim=True)


# ---- one clause -------------------------------------------------------------------------------------------------


def _finding(telling: t.Telling, finding: Finding) -> Iterator[str]:
    divergence = finding.divergence
    yield f"{style(visible(divergence.row.clause), bold=True)}  ({', '.join(t.marks(telling, finding))})"
    ruling = telling.ruling(finding)
    if ruling is not None:
        yield f"  {style(visible(t.ruling_words(ruling)), fg='green')}"
    for group in divergence.groups:
        yield from _group(telling, group, divergence.row)
    for remark in t.remarks(telling, finding):
        yield f"  {visible(remark)}"
    yield from (f"  a small case: {visible(row)}" for row in w.situation_words(finding))
    for shown, log in t.with_logs(telling, finding):
        yield from _witness(shown, log)


def _group(telling: t.Telling, group: tuple[str, ...], row: Row) -> Iterator[str]:
    clause = row.statements[group[0]]
    names = style(", ".join(group), fg="cyan")
    if clause is None:
        yield f"  {names}: {'says' if len(group) == 1 else 'say'} nothing"
        for name, cited in row.near.items():
            yield f"    {name}: {style(t.would_stand(cited), dim=True)}"
            yield from _quoted(telling, cited)
        return
    first, *rest = formal(clause).split("\n")
    rests = t.rests_on(*(row.statements[name] for name in group))
    yield f"  {names}: {visible(first)}  {style(rests, dim=True)}".rstrip()
    yield from (f"    {visible(line)}" for line in rest)
    for name in group:
        said = row.statements[name]
        yield from _quoted(telling, said.authority.citations if said else ())


def _quoted(telling: t.Telling, cited: Iterable[Citation]) -> Iterator[str]:
    said = telling.words(cited)
    for quoted in said[:MOST_LINES]:
        yield style(f"      {quoted.document} {quoted.line} | {visible(quoted.words)}", dim=True)
    if len(said) > MOST_LINES:
        yield style(f"      and {plural(len(said) - MOST_LINES, 'line')} more, to {said[-1].line}", dim=True)


def _witness(shown: Shown, log: str | None) -> Iterator[str]:
    yield f"  {style('a game that shows it', bold=True)}: {w.parting_words(shown)}"
    events = w.events_of(shown)
    skipped = max(0, len(events) - MOST_EVENTS - 1)
    if skipped:
        yield style(f"    ... {plural(skipped, 'event')} before", dim=True)
    for number, event in enumerate(events[skipped:], start=skipped + 1):
        parts = number == shown.line - 1
        row = f"{'>' if parts else ' '} {number:>3} {visible(w.event_words(event))}"
        yield f"   {style(row, bold=True) if parts else row}"
    for side in (shown.left, shown.right):
        colour = {True: "green", False: "red", None: "yellow"}[side.allowed]
        yield f"    {style(visible(w.side_words(side)), fg=colour)}"
        yield from (f"      {visible(clause)}" for clause in w.side_clauses(side))
    if log:
        yield f"    its log: {visible(log)}"
