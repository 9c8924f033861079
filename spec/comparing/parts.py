"""Clauses inside a clause that only some editions have, because they share out what they say otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .align import Alignment
from .building import NOTHING
from .divergences import own_forms
from .meanings import Meanings
from .names import Form, names_in
from .rows import Row
from .said import CONTAINERS, Said


def shared_out_otherwise(rows: Sequence[Row], alignment: Alignment, meanings: Meanings) -> Iterator[tuple[str, str]]:
    """Rows in which only some editions speak, each with the row of a clause around it that all others state too, and
    state otherwise: there they say what the parts say, or something else. What is said of it is said of the whole.

    An exception is a clause of its own even then, unless the silent edition speaks of all that its condition does.
    """
    by_name = {row.clause: row for row in rows}
    for row in rows:
        if not row.silent or row.kind in CONTAINERS or row.kind in ("example", "note", "term"):
            continue
        name, clause = next(iter(row.stated.items()))
        around = _around(name, clause, row.silent, alignment)
        if around is not None and _is_shared_out(by_name[around], name, row.silent, clause, meanings):
            yield row.clause, around


def _is_shared_out(around: Row, name: str, silent: Sequence[str], clause: Said, meanings: Meanings) -> bool:
    """Whether all silent editions say the same around the clause or something else there, and some something else."""
    whole = meanings.whole(name, around.stated[name].path)
    others = [each for each in silent if meanings.whole(each, around.stated[each].path) != whole]
    return bool(others) and all(_differs(around, name, each, clause, meanings) for each in others)


def _around(name: str, clause: Said, silent: Sequence[str], alignment: Alignment) -> str | None:
    """The row of the nearest clause around that says something itself, if all silent editions state it."""
    above = clause.parent
    if above is None or alignment.clauses[name][above].kind in CONTAINERS:
        return None
    row = alignment.row_of[name, above]
    return row if all(each in alignment.path_in[row] for each in silent) else None


def _differs(around: Row, name: str, silent: str, clause: Said, meanings: Meanings) -> bool:
    forms = own_forms(around)
    if forms[name] == forms[silent] or NOTHING in (forms[name], forms[silent]) or clause.kind == "branch":
        return False
    return clause.kind != "except" or _speaks_of_all(clause.form, around.stated[silent], meanings, silent)


def _speaks_of_all(form: Form, clause: Said, meanings: Meanings, edition: str) -> bool:
    """Whether a clause speaks of everything that an exception's condition speaks of."""
    condition = form[1] if isinstance(form, tuple) else form
    return names_in(condition) <= names_in(meanings.whole(edition, clause.path) or NOTHING)
