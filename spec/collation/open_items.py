"""Open items: differences that a collation leaves for a person to decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ludex.grammar import LineRanges, format_declaration, format_expression, format_statement
from ludex.grammar import syntax as s

from .citing import cited_lines, lines_of
from .clause_tree import apparatus_of, has_apparatus, with_apparatus

Sort = Literal["words", "omitted", "order", "frame", "kind", "declared", "fork", "machinery", "by hand"]

SORTS: Mapping[Sort, str] = {
    "words": "the transcriptions write this clause otherwise",
    "omitted": "some texts leave this clause out",
    "order": "a transcription has the clauses in another order",
    "frame": "a transcription has other statements around the clauses",
    "kind": "a transcription has a clause of another kind here",
    "declared": "a transcription declares this otherwise",
    "fork": "a transcription has the fork otherwise",
    "by hand": "a decision has to be written in by hand",
    "machinery": "a clause without lines is written otherwise, or there is one more",
}
"""The sorts of items, each with its heading in a report, in the order of the report."""


_GAME = "game"
"""The key for words of the game that no text states, in place of a siglum."""


@dataclass(frozen=True, slots=True)
class Item:
    """A difference that a person has to decide.

    Attributes:
        path: the path of the clause or fork.
        siglum: the text whose transcription differs, or the texts that leave the clause out; empty for a decision.
        message: what has to be done, if the sort does not say it.
        lines: by siglum, the lines that each text cites here.
        words: by siglum, the clause of its transcription in canonical layout.
    """

    sort: Sort
    path: str
    siglum: str
    message: str = ""
    lines: Mapping[str, LineRanges] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)


def item_of(sort: Sort, path: str, siglum: str, ours: Any, theirs: Any, message: str = "") -> Item:
    """Return an item about a clause. A difference in words for which the text cites no lines is "machinery".

    ours: the clause of the game; theirs: the clause of the transcription; one of them may be None."""
    lines = dict(cited_lines(ours)) if ours is not None else {}
    own = lines_of(theirs.authority, siglum) if theirs is not None else ()
    words = dict(_words_of(ours)) if ours is not None else {}
    if own:
        lines[siglum] = own
    if theirs is not None:
        words[siglum] = clause_text(theirs)
    return Item("machinery" if sort == "words" and not own else sort, path, siglum, message, lines, words)


def _words_of(node: Any) -> Iterator[tuple[str, str]]:
    """Yield the words of a clause and of its variants, each with the sigla of its texts, joined by commas."""
    sigla = ", ".join(each.document for each in node.authority.citations)
    # The apparatus would repeat the words of the other texts.
    yield sigla or _GAME, clause_text(with_apparatus(node, ()) if has_apparatus(node) else node)
    for entry in apparatus_of(node):
        if isinstance(entry, s.Variant):
            yield ", ".join(entry.sigla), clause_text(entry.body)


def clause_text(node: Any) -> str:
    """Return a clause or its body in canonical layout, without its authority."""
    match node:
        case _ if isinstance(node, s.Declaration):
            return format_declaration(node, authority=False)
        case s.Clause() | s.Require():
            return format_statement(node, authority=False)
        case s.ValueArm(value=value):
            return clause_text(value)
        case s.StepArm(body=body):
            return clause_text(body)
        case s.ValueBody(value=value) if not isinstance(value, s.ValueMatch):
            return "\n".join([*(format_statement(each) for each in node.lets), format_expression(value)])
        case s.Criterion(kind=kind, value=value):
            return f"{kind} {format_expression(value)}" if value else kind
        case s.ValueException() | s.StepException():
            return f"when {format_expression(node.condition)}"
        case _ if isinstance(node, s.Statement):
            # The authority is shown beside the words.
            return format_statement(node, authority=False)
        case _:
            return ""
