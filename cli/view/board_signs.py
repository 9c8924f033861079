"""Tables of board signs, and the legend that explains them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..reporting import cells, table


def legend_rows(signs: Mapping[str, str], width: int) -> list[str]:
    """Write the rows that explain the signs."""
    rows: list[str] = []
    for explained in (f"{sign} {word}" for word, sign in signs.items()):
        if rows and cells(rows[-1]) + 3 + cells(explained) <= width:
            rows[-1] += f"   {explained}"
        else:
            rows.append(explained)
    return rows


def spread(title: str, heads: Sequence[str], rows: Mapping[str, Sequence[str]], width: int) -> list[str]:
    """Write a table of many narrow columns: as it is, closer, or in parts one below another."""
    right = frozenset(range(1, len(heads) + 1))
    whole = [[title, *heads], *([name, *row] for name, row in rows.items())]
    for gap in ("  ", " "):
        shown = table(whole, right, gap)
        # A single column cannot be split any more, however wide it is.
        if max(map(cells, shown)) <= width or (len(heads) == 1 and gap == " "):
            return shown
    half = (len(heads) + 1) // 2
    first = spread(title, heads[:half], {name: row[:half] for name, row in rows.items()}, width)
    return [*first, *spread("", heads[half:], {name: row[half:] for name, row in rows.items()}, width)]
