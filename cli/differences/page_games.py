"""Games that show a divergence, in the page of `ludex diff`: event by event, with the table as each side has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from html import escape

from ludex.interpreter import Finding, Shown, Side

from . import telling as t
from . import words as w
from .positions import Picture

MOST_CELLS = 12
"""So many things that differ between the two tables are listed."""
BUTTONS = (("first", "First"), ("previous", "Previous"), ("next", "Next"), ("last", "Last"))


def rows(telling: t.Telling, finding: Finding) -> str:
    """A row below the finding's for each of its games, over all columns."""
    columns = len(telling.comparison.editions) + 1
    pictures = telling.positions.get(finding.divergence.id, ())
    found = ""
    for number, (shown, log) in enumerate(t.with_logs(telling, finding)):
        seen = pictures[number] if number < len(pictures) else ()
        found += f'<tr class="witness"><td colspan="{columns}">{_details(shown, log, seen)}</td></tr>'
    return found


def _details(shown: Shown, log: str | None, pictures: Sequence[Picture]) -> str:
    who = f"{_name(shown.left)} against {_name(shown.right)}"
    title = f"A game that shows it, {who}: {escape(w.parting_words(shown))}"
    file = f'<p class="log">Its log: <code dir="ltr">{escape(log)}</code></p>' if log else ""
    buttons = "".join(f'<button type="button" data-step="{step}">{name}</button>' for step, name in BUTTONS)
    game = (
        '<div class="game" role="group" aria-label="The game, step by step" tabindex="0">'
        f'<p class="steps">{buttons} <output></output></p>'
        f'<div class="play"><ol class="events">{"".join(_events(shown))}</ol>{_tables(shown, pictures)}</div>'
        f'<div class="sides">{_side(shown.left)}{_side(shown.right)}</div></div>'
    )
    return f"<details><summary>{title}</summary>{file}{game}</details>"


def _name(side: Side) -> str:
    return f"<bdi>{escape(side.edition)}</bdi>"


# ---- events -----------------------------------------------------------------------------------------------------


def _events(shown: Shown) -> Iterator[str]:
    """Each with what it is to the two; behind the last the end, where they part only there."""
    events = w.events_of(shown)
    for number, event in enumerate(events, start=1):
        yield _event(number, f"<code>{escape(w.event_words(event))}</code>", number == shown.line - 1)
    if shown.line > len(shown.lines):
        yield _event(len(events) + 1, "The play is over", True)
    elif not events:
        yield _event(1, "The play begins", True)


def _event(number: int, words: str, parts: bool) -> str:
    """With its number, since on paper the first ones are left out."""
    if parts:
        return f'<li value="{number}" class="parts">{words} <span>here they part</span></li>'
    return f'<li value="{number}">{words}</li>'


# ---- tables -----------------------------------------------------------------------------------------------------


def _tables(shown: Shown, pictures: Sequence[Picture]) -> str:
    """The table before each of the last events; the last is shown where there is no script."""
    found = ""
    for each in pictures:
        hidden = "" if each is pictures[-1] else " hidden"
        found += f'<div class="tables" data-at="{each.at}"{hidden}>{_table(shown, each)}</div>'
    return found


def _table(shown: Shown, picture: Picture) -> str:
    if picture.is_same:
        return _figure("On the table before it, the same on both sides", picture.left, frozenset())
    left, right = _unlike(picture)
    mine = _figure(f"On the table before it, with {_name(shown.left)}", picture.left, left)
    theirs = _figure(f"On the table before it, with {_name(shown.right)}", picture.right, right)
    return f"{_cells(shown, picture.at)}{mine}{theirs}"


def _unlike(picture: Picture) -> tuple[frozenset[int], frozenset[int]]:
    """The numbers of the lines that only one side has."""
    left, right = set[int](), set[int]()
    blocks = SequenceMatcher(None, picture.left, picture.right, autojunk=False).get_opcodes()
    for kind, first, last, other_first, other_last in blocks:
        if kind != "equal":
            left.update(range(first, last))
            right.update(range(other_first, other_last))
    return frozenset(left), frozenset(right)


def _figure(caption: str, lines: Sequence[str], unlike: frozenset[int]) -> str:
    """Lines that the other side does not have are marked."""
    marked = (f"<mark>{escape(line)}</mark>" if at in unlike else escape(line) for at, line in enumerate(lines))
    text = "\n".join(marked)
    return f'<figure><figcaption>{caption}</figcaption><pre class="position" dir="ltr">{text}</pre></figure>'


def _cells(shown: Shown, at: int) -> str:
    """In a list, what is not the same on both sides: the picture of a whole table is large."""
    cells = [cell for each in shown.apart if each.after == at for cell in each.cells]
    if not cells:
        return ""
    rows = "".join(
        f'<tr><th scope="row"><code>{escape(cell.name)}{f"({escape(cell.at)})" if cell.at else ""}</code></th>'
        f"<td>{_held(cell.left)}</td><td>{_held(cell.right)}</td></tr>"
        for cell in cells[:MOST_CELLS]
    )
    more = f"<caption>and {len(cells) - MOST_CELLS} more</caption>" if len(cells) > MOST_CELLS else ""
    heads = f'<th scope="col">{_name(shown.left)}</th><th scope="col">{_name(shown.right)}</th>'
    head = f'<thead><tr><th scope="col">Not the same before it</th>{heads}</tr></thead>'
    return f'<table class="cells" dir="ltr">{more}{head}<tbody>{rows}</tbody></table>'


def _held(value: object) -> str:
    return "nothing" if value in (None, [], {}) else f"<code>{escape(w.value_words(value))}</code>"


# ---- what each says to it ---------------------------------------------------------------------------------------


def _side(side: Side) -> str:
    kind = {True: "allows", False: "refuses", None: "differs"}[side.allowed]
    clauses = "".join(f'<li><code dir="ltr">{escape(clause)}</code></li>' for clause in w.side_clauses(side))
    return f'<section class="{kind}"><h3>{escape(w.side_words(side))}</h3><ul>{clauses}</ul></section>'
