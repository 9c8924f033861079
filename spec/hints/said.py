"""The clauses of one text, with the lines that each rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ludex.grammar import syntax as s

from ..clauses import Stated, stated
from ..collation.forms import form
from ..collation.tree import bare, path_of
from ..collation.words import own_form


def said(declarations: tuple[s.Declaration, ...]) -> Mapping[str, Stated]:
    """Every clause of a text by path, parents first; what cites nothing itself rests on what the clause around it
    rests on."""
    found: dict[str, Stated] = {}
    for clause in stated(declarations):
        around = found.get(clause.parent or "")
        authority = clause.authority or (around.authority if around else clause.authority)
        found.setdefault(clause.path, replace(clause, authority=authority))
    return found


def words_of(clause: Stated) -> Any:
    """What a clause says by itself, in one form for those that write it in two ways."""
    node: Any = bare(clause.node)
    return form(node) if path_of(node, "") is None or isinstance(node, s.ForkDeclaration) else own_form(node)
