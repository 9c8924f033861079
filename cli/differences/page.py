"""The report of `ludex diff` as one page for a browser: nothing is loaded from elsewhere, nothing needs a network.

All that is told stands in the page as HTML; `page.js` only hides, shows and steps, so the page can be read and printed
without it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from html import escape
from importlib.resources import files

from ludex.interpreter import Finding
from ludex.spec import Divergence, draft_rulings

from ..report import plural
from . import hints as h
from . import page_agreements, page_games, page_hints, page_names, sums
from . import telling as t
from . import words as w
from .direction import breakable, direction
from .page_cells import cell

RULES = "rules"
"""The phase of clauses whose path has no first part: facts, definitions."""


def to_page(telling: t.Telling) -> str:
    """The whole page."""
    editions = telling.comparison.editions
    holes = {
        "title": escape(f"{telling.title}: {', '.join(editions)}"),
        "game": escape(telling.title),
        "style": _part("page.css"),
        "script": _part("page.js"),
        "counts": "".join(_counts(telling)),
        "summary": "".join(_summary(telling)),
        "agreements": page_agreements.section(telling),
        "bounds": "".join(f"<li>{escape(row)}</li>" for row in sums.bounds_rows(telling)),
        "legend": "".join(_legend(telling)),
        "kinds": _choices(finding.divergence.kind for finding in telling.told),
        "effects": _choices((each.effect for each in telling.told), t.EFFECT_WORDS),
        "phases": _choices(_phase(finding) for finding in telling.told),
        "editions": "".join(map(_edition_box, editions)),
        "heads": "".join(_head(name, editions) for name in editions),
        "count": str(len(telling.told)),
        "hints": page_hints.section(telling),
        "rows": "\n".join(_rows(telling)),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda hole: holes[hole[1]], _part("page.html"))


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _spoken(words: str) -> str:
    """Words in which names of the spec stand between backticks."""
    return re.sub(r"`([^`]+)`", r'<code dir="ltr">\1</code>', escape(words))


# ---- in sum, and how it is read ---------------------------------------------------------------------------------


def _counts(telling: t.Telling) -> Iterator[str]:
    """How many of which effect; each leads to its rows."""
    if not telling.played:
        yield f"<li>{plural(len(telling.told), 'divergence')}; what they do in play was not looked for</li>"
    for each in sums.counts(telling) if telling.played else ():
        words = escape(sums.count_words(each))
        is_told = any(finding.effect == each.effect for finding in telling.told)
        yield (
            f'<li><a href="#effect={each.effect}">{words}</a></li>'
            if is_told
            else f"<li>{words}: not on this page</li>"
        )


def _summary(telling: t.Telling) -> Iterator[str]:
    """What else is counted, with the way to what stands below the table."""
    alike, again = sums.agreed_words(telling), h.count_words(telling) if telling.hints else ""
    for row in sums.other_rows(telling):
        at = {alike: "agreements", again: "hints"}.get(row)
        yield f'<li><a href="#{at}">{escape(row)}</a></li>' if at else f"<li>{escape(row)}</li>"


LEGEND: Mapping[str, str] = {
    **t.KINDS,
    "candidate": "It could matter, and no game that shows it was found.",
    "internal": "A book and a summary of its own contradict each other.",
}
"""What the words under a clause's name mean."""


def _legend(telling: t.Telling) -> Iterator[str]:
    """Of those words that stand on the page."""
    used = {mark for finding in telling.told for mark in t.marks(telling, finding)}
    for word, meaning in LEGEND.items():
        if word in used:
            yield f"<div><dt>{word}</dt><dd>{escape(meaning)}</dd></div>"


# ---- filters ----------------------------------------------------------------------------------------------------


def _choices(found: Iterable[str], words: Mapping[str, str] | None = None) -> str:
    each = dict.fromkeys(found)
    options = (
        f'<option value="{escape(value)}">{escape((words or {}).get(value, value))}</option>' for value in sorted(each)
    )
    return "".join(options)


def _edition_box(name: str) -> str:
    box = f'<input type="checkbox" name="edition" value="{escape(name)}" checked>'
    return f"<label>{box} <bdi>{escape(name)}</bdi></label>"


def _phase(finding: Finding) -> str:
    """The first part of the clause's path."""
    first, dot, _ = finding.divergence.row.clause.partition(".")
    return first if dot else RULES


# ---- rows -------------------------------------------------------------------------------------------------------


def _head(edition: str, editions: Collection[str]) -> str:
    name, book = escape(edition), escape(edition.partition(".")[0])
    of = f' <small lang="en" dir="ltr">a summary of {book}</small>' if t.is_summary(edition, editions) else ""
    return f'<th scope="col" data-edition="{name}" dir="{direction(edition)}"><bdi>{name}</bdi>{of}</th>'


def _rows(telling: t.Telling) -> Iterator[str]:
    """By section, with a heading above each where effects are known. data-at: where the clause stands in the rules."""
    at = {each.divergence.id: number for number, each in enumerate(telling.findings)}
    before: str | None = None
    for finding in telling.told:
        if telling.played and t.section(finding) != before:
            before = t.section(finding)
            yield _group(telling, before)
        yield _row(telling, finding, at[finding.divergence.id])


def _group(telling: t.Telling, section: str) -> str:
    words = t.SECTION_WORDS[section]
    columns = len(telling.comparison.editions) + 1
    head = f'<th colspan="{columns}" scope="rowgroup"><h2>{escape(words.capitalize())}</h2></th>'
    return f'<tbody class="group" data-group="{section}"><tr>{head}</tr></tbody>'


def _row(telling: t.Telling, finding: Finding, at: int) -> str:
    divergence, found = finding.divergence, t.letters(finding.divergence)
    state = "decided" if telling.ruling(finding) else "undecided"
    proof = "shown" if finding.witness else "candidate" if finding.candidate else ""
    data = {
        "at": str(at),
        "kind": divergence.kind,
        "effect": finding.effect,
        "section": t.section(finding),
        "phase": _phase(finding),
        "state": " ".join(filter(None, (state, proof, "internal" if divergence.internal else ""))),
        "letters": " ".join(found[name] for name in telling.comparison.editions),
    }
    attributes = "".join(f' data-{name}="{escape(value)}"' for name, value in data.items())
    cells = "".join(cell(telling, divergence, name, found[name]) for name in divergence.row.statements)
    rows = f"<tr>{_clause_cell(telling, finding)}{cells}</tr>"
    below = page_games.rows(telling, finding) + page_names.row(telling, finding)
    return f'<tbody id="d-{divergence.id}"{attributes}>{rows}{below}</tbody>'


def _clause_cell(telling: t.Telling, finding: Finding) -> str:
    divergence, ruling = finding.divergence, telling.ruling(finding)
    link = f'<a href="#d-{divergence.id}"><code dir="ltr">{breakable(divergence.row.clause)}</code></a>'
    marks = "".join(
        f'<li class="{_mark_class(mark, finding)}"{_title(mark)}>{escape(mark)}</li>'
        for mark in t.marks(telling, finding)
        if not mark.endswith(t.ALONE)
    )
    marks += page_hints.links(telling, divergence.row.clause)
    decided = f'<p class="ruling">{escape(t.ruling_words(ruling))}</p>' if ruling else ""
    gap = f'<p class="short">{_spoken(t.gap_words(divergence.gap))}</p>' if divergence.gap else ""
    short = f'<p class="short">{_spoken(w.in_short(finding.witness))}</p>' if finding.witness else ""
    fold = '<button type="button" class="fold" aria-expanded="true" hidden>Close</button>'
    more = f'<div class="more">{_more(telling, finding)}</div>'
    told = f'{link}<ul class="marks">{marks}</ul>{decided}{gap}{_under(divergence)}{short}{fold}{more}'
    return f'<th scope="row" tabindex="-1">{told}</th>'


def _under(divergence: Divergence) -> str:
    if not divergence.under:
        return ""
    names = ", ".join(f'<code dir="ltr">{breakable(name)}</code>' for name in divergence.under)
    return f"<details><summary>{escape(t.under_words(divergence))}</summary><p>{names}</p></details>"


def _more(telling: t.Telling, finding: Finding) -> str:
    """What is told of a row that is open."""
    remarks = "".join(f"<p>{_spoken(remark)}</p>" for remark in t.outcome(telling, finding))
    state = "".join(f"<p>{escape(row)}</p>" for row in w.situation_words(finding))
    small = f"<details><summary>A small case that tells them apart</summary>{state}</details>" if state else ""
    return f"{remarks}{small}{_draft(telling, finding)}"


def _draft(telling: t.Telling, finding: Finding) -> str:
    """The lines of a file of rulings that decide it."""
    divergence, marks = finding.divergence, telling.beside.marks
    if telling.ruling(finding) is not None or divergence.id not in marks:
        return ""
    lines = "\n".join(draft_rulings((divergence,), marks).splitlines()[2:])
    file = "the file <code>rulings.yaml</code> beside the game, below its first line <code>rulings:</code>"
    told = f"These lines in {file}, with a reason in the quotes, decide it until an edition says otherwise:"
    draft = f'<pre class="draft" dir="ltr">{escape(lines)}</pre>'
    return f"<details><summary>To decide it</summary><p>{told}</p>{draft}</details>"


def _title(mark: str) -> str:
    return f' title="{escape(LEGEND[mark])}"' if mark in LEGEND else ""


def _mark_class(mark: str, finding: Finding) -> str:
    return f"effect {finding.effect}" if mark == t.EFFECT_WORDS[finding.effect] else "mark"
