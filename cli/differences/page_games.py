"""Games that show a divergence, in the page of `ludex diff`: event by event, with the table as each side has it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from html import escape, unescape
from pathlib import PurePath
from urllib.parse import quote

from ludex.interpreter import CellApart, Finding, Shown, Side

from . import telling as t
from . import words as w
from .positions import Picture
from .scrolling import scrolled, scrolling

MOST_EVENTS = 12
"""So many events at the end of a game are listed at first."""
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
    buttons = "".join(f'<button type="button" data-step="{step}">{name}</button>' for step, name in BUTTONS)
    game = (
        '<div class="game" role="group" aria-label="The game, step by step" tabindex="0">'
        f'<p class="steps">{buttons} <output></output></p>{_earlier(shown)}'
        f'<div class="play">{_listed(shown)}{_tables(shown, pictures)}</div></div>'
    )
    sides = f'<div class="sides">{_side(shown.left)}{_side(shown.right)}</div>'
    return f"<details><summary>{title}</summary>{_last(shown)}{sides}{game}{_log(log)}</details>"


def _last(shown: Shown) -> str:
    """The event on which they part, before what each says to it."""
    events = w.events_of(shown)
    if shown.line > len(shown.lines) or not events:
        return ""
    return f'<p class="last">Event {len(events)}: <code>{escape(w.event_words(events[-1]))}</code></p>'


def _earlier(shown: Shown) -> str:
    more = len(w.events_of(shown)) - MOST_EVENTS
    return f'<button type="button" class="earlier">Show the {more} events before</button>' if more > 0 else ""


def _log(log: str | None) -> str:
    """The log lies beside the page, wherever both are taken."""
    name = PurePath(log).name if log else ""
    told = f'Its log, beside this page: <a href="{quote(name)}"><code dir="ltr">{escape(name)}</code></a>'
    return f'<p class="log">{told}</p>' if log else ""


def _name(side: Side) -> str:
    return f"<bdi>{escape(side.edition)}</bdi>"


# ---- events -----------------------------------------------------------------------------------------------------


def _listed(shown: Shown) -> str:
    return f'<ol class="events"{scrolling("The events")}>{"".join(_events(shown))}</ol>'


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
    label = scrolling(unescape(re.sub("<.*?>", "", caption)))
    position = f'<pre class="position" dir="ltr" role="group"{label}>{text}</pre>'
    return f"<figure><figcaption>{caption}</figcaption>{position}</figure>"


def _cells(shown: Shown, at: int) -> str:
    """In a list, what is not the same on both sides: the picture of a whole table is large."""
    cells = [cell for each in shown.apart if each.after == at for cell in each.cells]
    if not cells:
        return ""
    rows = "".join(
        f'<tr><th scope="row"><code>{escape(_called(cell))}</code></th>'
        f"<td>{_held(cell.left)}</td><td>{_held(cell.right)}</td></tr>"
        for cell in cells[:MOST_CELLS]
    )
    more = f"<caption>and {len(cells) - MOST_CELLS} more</caption>" if len(cells) > MOST_CELLS else ""
    heads = f'<th scope="col">{_name(shown.left)}</th><th scope="col">{_name(shown.right)}</th>'
    head = f'<thead><tr><th scope="col">Not the same before it</th>{heads}</tr></thead>'
    return scrolled("What is not the same", f'<table class="cells" dir="ltr">{more}{head}<tbody>{rows}</tbody></table>')


def _called(cell: CellApart) -> str:
    return f"{cell.name}({cell.at})" if cell.at else cell.name


def _held(value: object) -> str:
    return "nothing" if value in (None, [], {}) else f"<code>{escape(w.value_words(value))}</code>"


# ---- what each says to it ---------------------------------------------------------------------------------------


def _side(side: Side) -> str:
    kind = {True: "allows", False: "refuses", None: "differs"}[side.allowed]
    clauses = "".join(f'<li><code dir="ltr">{escape(clause)}</code></li>' for clause in w.side_clauses(side))
    listed = f"<ul>{clauses}</ul>" if clauses else ""
    return f'<section class="{kind}"><h3>{_coded(w.side_words(side))}</h3>{listed}</section>'


def _coded(words: str) -> str:
    """Words in which names of the spec stand between backticks."""
    return re.sub(r"`([^`]+)`", r'<code dir="ltr">\1</code>', escape(words))
