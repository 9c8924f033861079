"""The report of `ludex diff` as one page for a browser: nothing is loaded from elsewhere, nothing needs a network.

All that is told stands in the page as HTML; `page.js` only hides, shows and steps, so the page can be read and printed
without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files

from ludex.grammar import Citation
from ludex.interpreter import Finding
from ludex.spec import Divergence, formal

from . import page_agreements, page_games, page_hints, sums
from . import telling as t
from . import words as w
from .direction import breakable, direction, flow

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
        "summary": "".join(f"<li>{escape(row)}</li>" for row in sums.sum_rows(telling)),
        "agreements": page_agreements.section(telling),
        "bounds": "".join(f"<li>{escape(row)}</li>" for row in sums.bounds_rows(telling)),
        "kinds": _choices(finding.divergence.kind for finding in telling.told),
        "effects": _choices((each.effect for each in telling.told), t.EFFECT_WORDS),
        "phases": _choices(_phase(finding) for finding in telling.told),
        "editions": "".join(map(_edition_box, editions)),
        "heads": "".join(map(_head, editions)),
        "count": str(len(telling.told)),
        "hints": page_hints.section(telling),
        "rows": "\n".join(_row(telling, finding) for finding in telling.told),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda hole: holes[hole[1]], _part("page.html"))


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


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


def _head(edition: str) -> str:
    name = escape(edition)
    return f'<th scope="col" data-edition="{name}" dir="{direction(edition)}"><bdi>{name}</bdi></th>'


def _row(telling: t.Telling, finding: Finding) -> str:
    divergence, found = finding.divergence, t.letters(finding.divergence)
    state = "decided" if telling.ruling(finding) else "undecided"
    proof = "shown" if finding.witness else "candidate" if finding.candidate else ""
    data = {
        "kind": divergence.kind,
        "effect": finding.effect,
        "phase": _phase(finding),
        "state": " ".join(filter(None, (state, proof, "internal" if divergence.internal else ""))),
        "letters": " ".join(found[name] for name in telling.comparison.editions),
    }
    attributes = "".join(f' data-{name}="{escape(value)}"' for name, value in data.items())
    cells = "".join(_cell(telling, divergence, name, found[name]) for name in divergence.row.statements)
    rows = f"<tr>{_clause_cell(telling, finding)}{cells}</tr>"
    return f'<tbody id="d-{divergence.id}"{attributes}>{rows}{page_games.rows(telling, finding)}</tbody>'


def _clause_cell(telling: t.Telling, finding: Finding) -> str:
    divergence, ruling = finding.divergence, telling.ruling(finding)
    link = f'<a href="#d-{divergence.id}"><code dir="ltr">{breakable(divergence.row.clause)}</code></a>'
    marks = "".join(
        f'<li class="{_mark_class(mark, finding)}"{_title(mark)}>{escape(mark)}</li>'
        for mark in t.marks(telling, finding)
    )
    marks += page_hints.links(telling, divergence.row.clause)
    decided = f'<p class="ruling">{escape(t.ruling_words(ruling))}</p>' if ruling else ""
    remarks = "".join(f"<p>{escape(remark)}</p>" for remark in t.remarks(telling, finding))
    state = "".join(f"<p>{escape(row)}</p>" for row in w.situation_words(finding))
    small = f"<details><summary>A small case that tells them apart</summary>{state}</details>" if state else ""
    return f'<th scope="row" tabindex="-1">{link}<ul class="marks">{marks}</ul>{decided}{remarks}{small}</th>'


TITLES = {
    **t.KINDS,
    "candidate": "It could matter, and no game that shows it was found.",
    "internal": "A book and a summary of its own contradict each other.",
}
"""What the words under a clause's name mean, for a pointer that rests on them."""


def _title(mark: str) -> str:
    return f' title="{escape(TITLES[mark])}"' if mark in TITLES else ""


def _mark_class(mark: str, finding: Finding) -> str:
    return f"effect {finding.effect}" if mark == t.EFFECT_WORDS[finding.effect] else "mark"


def _cell(telling: t.Telling, divergence: Divergence, edition: str, letter: str) -> str:
    clause = divergence.row.statements[edition]
    name = f' data-edition="{escape(edition)}"'
    alone = ' <span class="odd" lang="en" dir="ltr">stands alone</span>' if divergence.odd == edition else ""
    if clause is None:
        silent = '<span class="silent" lang="en" dir="ltr">says nothing</span>'
        near = _near(telling, edition, divergence.row.near.get(edition, ()))
        return f'<td{name} dir="{direction(edition)}">{silent}{alone}{near}</td>'
    badge = (
        f'<span class="letter letter-{letter.lower()}" title="editions with one letter say the same">{letter}</span>'
    )
    text = f'<pre dir="ltr" lang="en">{escape(formal(clause))}</pre>'
    cited = f'<p class="cited"><bdi dir="ltr">{escape(t.rests_on(clause))}</bdi></p>'
    words = _quoted(telling, edition, clause.authority.citations)
    return f'<td{name} dir="{direction(edition)}">{badge}{alone}{words}{text}{cited}</td>'


def _near(telling: t.Telling, edition: str, cited: Sequence[Citation]) -> str:
    """Where a silent edition would state the clause, and what stands there instead."""
    if not cited:
        return ""
    place = f'<p class="cited"><bdi lang="en" dir="ltr">{escape(t.would_stand(cited))}</bdi></p>'
    return f"{place}{_quoted(telling, edition, cited)}"


def _quoted(telling: t.Telling, edition: str, cited: Iterable[Citation]) -> str:
    """The book's words; lines that follow each other are one paragraph."""
    quoted, before = "", None
    for each in telling.words(cited):
        follows = before is not None and (each.document, each.line - 1) == (before.document, before.line)
        number = str(each.line) if follows else f"{each.document} {each.line}"
        quoted += " " if follows else "</p><p>" if quoted else "<p>"
        quoted += f'<bdi class="line" dir="ltr">{number}</bdi> <bdi>{escape(each.words)}</bdi>'
        before = each
    return f"<blockquote{flow(edition)}>{quoted}</p></blockquote>" if quoted else ""
