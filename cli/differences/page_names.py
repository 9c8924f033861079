"""What the names in a row mean, in the page of `ludex diff`: told on demand."""

from __future__ import annotations

from html import escape

from ludex.interpreter import Finding

from . import telling as t
from .direction import flow, language
from .names import meant
from .scrolling import scrolled


def row(telling: t.Telling, finding: Finding) -> str:
    """A row below the finding's, over all columns: each name with its words in the languages of the game."""
    found = meant(finding, telling.names)
    if not found:
        return ""
    said = {tag for words in found.values() for tag in words}
    spoken = filter(None, map(language, telling.comparison.editions))
    tags = [tag for tag in dict.fromkeys([*spoken, "en", *sorted(said)]) if tag in said]
    heads = "".join(f'<th scope="col"><bdi>{escape(tag)}</bdi></th>' for tag in tags)
    rows = ""
    for name, words in found.items():
        cells = "".join(f"<td{flow(tag)}>{escape(words.get(tag, ''))}</td>" for tag in tags)
        rows += f'<tr><th scope="row"><code dir="ltr">{escape(name)}</code></th>{cells}</tr>'
    table = (
        f'<table class="cells"><thead><tr><th scope="col">Name</th>{heads}</tr></thead><tbody>{rows}</tbody></table>'
    )
    told = f"<details><summary>What the names mean</summary>{scrolled('The names', table)}</details>"
    return f'<tr class="names"><td colspan="{len(telling.comparison.editions) + 1}">{told}</td></tr>'
