"""What the editions say alike, in the page of `ludex diff`: told on demand."""

from __future__ import annotations

from html import escape

from ludex.interpreter import Finding
from ludex.spec import Row, formal

from . import page_hints, sums
from . import telling as t
from .direction import breakable, direction


def section(telling: t.Telling) -> str:
    """A list that is closed at first: what is said in other words, then what is said in the same."""
    rows = [_reworded(telling, each) for each in telling.reworded]
    rows += [_shared_out(telling, row) for row in telling.comparison.agreements if row.together]
    rows += [_row(telling, row, _hints(telling, row)) for row in telling.comparison.agreements if not row.together]
    if not rows:
        return ""
    heads = "".join(
        f'<th scope="col" data-edition="{escape(name)}" dir="{direction(name)}"><bdi>{escape(name)}</bdi></th>'
        for name in telling.comparison.editions
    )
    table = f'<table><thead><tr><th scope="col">Clause</th>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    return f'<details id="agreements"><summary>{escape(sums.agreed_words(telling))}</summary>{table}</details>'


def _hints(telling: t.Telling, row: Row) -> str:
    """That its lines are to be read again, all the same."""
    links = page_hints.links(telling, row.clause)
    return f'<ul class="marks">{links}</ul>' if links else ""


def _reworded(telling: t.Telling, finding: Finding) -> str:
    return _row(telling, finding.divergence.row, f"<p>{escape('; '.join(t.verdict_words(finding)))}</p>", True)


def _shared_out(telling: t.Telling, row: Row) -> str:
    """What editions say alike only with other clauses: all of them, one after the other."""
    names = [f'<code dir="ltr">{breakable(each.clause)}</code>' for each in (row, *row.together)]
    told = [f"<p>the same together with {', '.join(names[1:])}</p>", *[f"<p>goes with {names[0]}</p>"] * len(names[1:])]
    return "".join(_row(telling, *each, worded=True) for each in zip((row, *row.together), told, strict=True))


def _row(telling: t.Telling, row: Row, told: str, worded: bool = False) -> str:
    cells = "".join(_cell(row, name, worded) for name in telling.comparison.editions)
    return f'<tr><th scope="row"><code dir="ltr">{breakable(row.clause)}</code>{told}</th>{cells}</tr>'


def _cell(row: Row, edition: str, worded: bool) -> str:
    clause = row.statements[edition]
    told = "says nothing" if clause is None else t.rests_on(clause)
    words = f'<pre dir="ltr" lang="en">{escape(formal(clause))}</pre>' if clause is not None and worded else ""
    quiet = "silent" if clause is None else "cited"
    cited = f'<p class="{quiet}"><bdi lang="en" dir="ltr">{escape(told)}</bdi></p>'
    return f'<td data-edition="{escape(edition)}" dir="{direction(edition)}">{words}{cited}</td>'
