"""The report of `ludex diff` as Markdown, for an issue or a page of a project."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ludex.grammar import Citation
from ludex.interpreter import Finding, Shown
from ludex.spec import Divergence, Hint, Row, formal

from ..report import plural
from . import hints as h
from . import sums
from . import telling as t
from . import words as w

MOST_EVENTS = 12
"""So many events at the end of a game are listed."""


def to_markdown(telling: t.Telling) -> str:
    """The whole page."""
    return "\n".join(_rows(telling)) + "\n"


def _rows(telling: t.Telling) -> Iterator[str]:
    yield f"# {_plain(telling.title)}: {', '.join(telling.comparison.editions)}"
    yield ""
    yield from (f"- {_plain(row)}" for row in sums.sum_rows(telling))
    if telling.told:
        yield ""
        yield from _overview(telling)
    for finding in telling.told:
        yield ""
        yield from _finding(telling, finding)
    if telling.hints:
        yield ""
        yield from _hints(telling, telling.hints)
    yield ""
    yield "## How far was looked"
    yield ""
    yield from (f"- {_plain(row)}" for row in sums.bounds_rows(telling))


def _overview(telling: t.Telling) -> Iterator[str]:
    """Editions with one letter say the same."""
    editions = telling.comparison.editions
    yield f"| clause | {' | '.join(editions)} | kind | in play | |"
    yield f"|---|{':-:|' * len(editions)}---|---|---|"
    for finding in telling.told:
        divergence, found = finding.divergence, t.letters(finding.divergence)
        columns = (f"**{found[name]}**" if divergence.odd == name else found[name] for name in editions)
        state = "decided" if telling.ruling(finding) else "shown" if finding.witness else ""
        state = state or ("candidate" if finding.candidate and telling.played else "")
        effect = t.EFFECT_SHORT[finding.effect] if telling.played else ""
        row = (_link(divergence), *columns, divergence.kind, effect, state)
        yield f"| {' | '.join(row)} |"
    yield ""
    yield f"One letter: they say the same; {t.SILENT}: says nothing; bold: stands alone, which does not make it wrong."


def _link(divergence: Divergence) -> str:
    """From the table to the finding: its heading's anchor, as forges make it."""
    anchor = re.sub(r"[^\w-]", "", divergence.row.clause.lower())
    more = f" (+{len(divergence.under)})" if divergence.under else ""
    return f"[{_code(divergence.row.clause)}](#{anchor}){more}"


def _finding(telling: t.Telling, finding: Finding) -> Iterator[str]:
    divergence = finding.divergence
    yield f"## {_code(divergence.row.clause)}"
    yield ""
    yield f"*{', '.join(t.marks(telling, finding))}*"
    ruling = telling.ruling(finding)
    if ruling is not None:
        yield ""
        yield f"**{_plain(t.ruling_words(ruling))}**"
    if finding.witness is not None:
        yield ""
        yield f"{_spoken(w.in_short(finding.witness))}."
    for group in divergence.groups:
        yield ""
        yield from _group(telling, group, divergence.row)
    small = (f"a small case: {each}" for each in w.situation_words(finding))
    notes = [_spoken(remark) for remark in (*t.remarks(telling, finding), *small)]
    if notes:
        yield ""
        yield from (f"- {note}" for note in notes)
    for shown, log in t.with_logs(telling, finding):
        yield ""
        yield from _witness(shown, log)


def _group(telling: t.Telling, group: tuple[str, ...], row: Row) -> Iterator[str]:
    first = row.statements[group[0]]
    if first is None:
        yield f"**{', '.join(group)}**: nothing"
        for name, cited in row.near.items():
            yield ""
            yield f"{name}: {_plain(t.would_stand(cited))}"
            yield from _quoted(telling, cited)
        return
    yield f"**{', '.join(group)}** {_plain(t.rests_on(*(row.statements[name] for name in group)))}".rstrip()
    yield ""
    yield from _fenced(formal(first))
    for name in group:
        clause = row.statements[name]
        yield from _quoted(telling, clause.authority.citations if clause else ())


def _quoted(telling: t.Telling, cited: Iterable[Citation]) -> Iterator[str]:
    quoted = telling.words(cited)
    if quoted:
        yield ""
        yield from (f"> {each.document} {each.line}: {_plain(each.words)}  " for each in quoted)


def _witness(shown: Shown, log: str | None) -> Iterator[str]:
    yield f"A game that shows it ({w.parting_words(shown)}{f'; its log: {_code(log)}' if log else ''}):"
    yield ""
    events = list(enumerate(w.events_of(shown), start=1))
    if len(events) > MOST_EVENTS:
        yield f"{plural(len(events) - MOST_EVENTS, 'event')} before; then"
        yield ""
    yield from (f"{number}. {_plain(w.event_words(event))}" for number, event in events[-MOST_EVENTS:])
    yield ""
    for side in (shown.left, shown.right):
        clauses = "; ".join(map(_plain, w.side_clauses(side)))
        yield f"- **{_spoken(w.side_words(side))}**{f' ({clauses})' if clauses else ''}"


def _hints(telling: t.Telling, hints: tuple[Hint, ...]) -> Iterator[str]:
    yield f"## {h.TITLE}"
    yield ""
    yield h.MEANING
    for hint in hints:
        yield ""
        yield f"### {_code(hint.clause)}"
        yield ""
        yield f"*{', '.join(h.marks(hint))}*: {_plain(hint.why)}"
        for edition in hint.spans:
            yield ""
            yield f"**{edition}**: {_plain(h.told_words(hint, edition))} {_plain(h.cited(hint, edition))}"
            quoted = h.quoted(telling, hint, edition)
            if quoted:
                yield ""
                yield from (f"> {each.document} {each.line}: {_plain(each.words)}  " for each in quoted)


# ---- words of others in Markdown --------------------------------------------------------------------------------


def _plain(words: str, inside: bool = False) -> str:
    """Words in which no sign means anything to Markdown. inside: others follow or stand before."""
    told = re.sub(r"\s+", " ", words)
    return re.sub(r"([\\`*_{}\[\]<>#|~&])", r"\\\1", told if inside else told.strip())


def _spoken(words: str) -> str:
    """The same for words in which names of the spec stand between backticks."""
    return "".join(
        _code(part) if at % 2 else _plain(part, True) for at, part in enumerate(re.split(r"`([^`]+)`", words))
    )


def _code(words: str) -> str:
    ticks = "`" * (1 + max(map(len, re.findall("`+", words)), default=0))
    gap = " " if len(ticks) > 1 else ""
    return f"{ticks}{gap}{words}{gap}{ticks}"


def _fenced(words: str) -> list[str]:
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", words)), default=0))
    return [f"{fence}text", *words.split("\n"), fence]
