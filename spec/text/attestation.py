"""Attestation: which texts state, vary or omit each clause, and faults in the apparatus.

The texts are the witnesses of one rule set: each attests a clause, has a variant, omits it, or has a lacuna there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from ludex.grammar import Citation, Diagnostic, Identifier, Note, Span, did_you_mean, mapped, same_meaning
from ludex.grammar import syntax as s

from .. import spec_codes
from ..model import NO_RULES
from .authority import NEEDS_AUTHORITY
from .clauses import Stated, stated, stated_within
from .headers import Text

NodeT = TypeVar("NodeT", bound=s.Node)


@dataclass(frozen=True, slots=True)
class Attestation:
    """The attestation of one clause by one text, as it is written.

    Attributes:
        text: the siglum of the text.
        entry: the entry that says so (a variant, an omission, a ruling); None if the clause itself cites the text.
        authority: the citations of this text, and the reasons.
    """

    clause: Stated
    text: str
    entry: s.Entry | None
    authority: s.Authority


def attested(clause: Stated) -> Iterator[Attestation]:
    """Yield the attestations that are written at one clause."""
    for text in texts_of(clause.authority):
        yield Attestation(clause, text, None, of_text(clause.authority, text))
    for entry in clause.apparatus:
        for text in entry.sigla:
            yield Attestation(clause, text, entry, of_text(entry.authority, text))


def all_stated(declarations: Iterable[s.Declaration], variants: bool = True) -> Iterator[Stated]:
    """Yield every clause, and each reading of a fork that a text decides.

    variants: yield the clauses inside variants too; a path may then come several times."""
    for clause in stated(tuple(declarations)):
        yield clause
        # A reading has no path in the text, so it gets that of its fork.
        for reading in clause.node.readings if isinstance(clause.node, s.ForkDeclaration) else ():
            if reading.authority:
                yield Stated(f"{clause.path}.{reading.name}", "fork", reading, reading.authority, clause.path)
        for entry in clause.apparatus if variants else ():
            if isinstance(entry, s.Variant) and isinstance(entry.body, s.Block | s.Match | s.ValueBody):
                yield from stated_within(entry.body, clause.path)


def silences(declarations: Iterable[s.Declaration], text: str) -> dict[str, tuple[Citation, ...]]:
    """Return the rules that a text is marked to omit, by path, each with the lines near which it would be."""
    return {
        clause.path: each.authority.citations
        for clause in all_stated(declarations)
        for each in attested(clause)
        if each.text == text and isinstance(each.entry, s.Omission) and clause.kind not in NO_RULES
    }


def texts_of(authority: s.Authority) -> tuple[str, ...]:
    """Return the texts that an authority cites."""
    return tuple(dict.fromkeys(citation.document for citation in authority.citations))


def of_text(authority: s.Authority, text: str | None) -> s.Authority:
    """Return the part of an authority that belongs to one text."""
    if text is None:
        return authority
    # The reasons belong to the clause as it is worded, whichever text is asked.
    return replace(authority, citations=tuple(each for each in authority.citations if each.document == text))


def without_authority_of(node: s.Node) -> s.Node | None:
    """Return the words of a clause or variant for comparison: without authorities, exceptions and apparatus.

    Return None for a clause without words of its own."""
    match node:
        case s.Variant(body=body):
            return _bare(body)
        case (
            s.ValueDeclaration(body=value)
            | s.ScoreDeclaration(body=value)
            | s.InvariantDeclaration(body=value)
            | s.Require(body=value)
        ):
            return _bare(replace(value, exceptions=(), apparatus=()))
        case s.ValueArm(value=value):
            return _bare(replace(value, apparatus=()))
        case s.Clause(body=body) | s.StepArm(body=body):
            return _bare(body)
        case s.ValueException() | s.StepException():
            return _bare(replace(node, label=_unnamed(node.label), apparatus=()))
        case s.Criterion():
            return _bare(replace(node, label=_unnamed(node.label), apparatus=()))
        case s.NoteDeclaration():
            return _bare(replace(node, name=_unnamed(node.name), apparatus=()))
        case _:
            return None


def _unnamed(name: Identifier) -> Identifier:
    return Identifier("", name.span)


def _bare(node: NodeT) -> NodeT:
    """Return the tree without authorities."""
    return mapped(node, lambda piece: s.Authority(piece.span) if isinstance(piece, s.Authority) else piece)


class Standing(StrEnum):
    """The relation of a text to a clause.

    `lost`: the text is torn there. `shortened`: the text is a summary, so a clause may be missing.
    `unconfirmed`: nobody has yet looked the clause up in the text."""

    STATES = "states"
    VARIES = "varies"
    SILENT = "silent"
    LOST = "lost"
    SHORTENED = "shortened"
    UNCONFIRMED = "unconfirmed"


@dataclass(frozen=True, slots=True)
class TextStanding:
    """The standing of one text to a clause, with its evidence.

    Attributes:
        authority: the lines that state the clause, or near which it would be; none if `lost` or `unconfirmed`.
        entry: the entry of the apparatus that says so, if one does.
    """

    standing: Standing
    authority: s.Authority
    entry: s.Entry | None = None


@dataclass(frozen=True, slots=True)
class AttestedClause:
    """A clause that some text states, with the standing of every text of the game, in the order of the texts."""

    clause: Stated
    texts: Mapping[str, TextStanding]

    def having(self, standing: Standing) -> tuple[str, ...]:
        """Return the sigla of the texts that have a standing."""
        return tuple(text for text, each in self.texts.items() if each.standing is standing)


def attested_clauses(declarations: Iterable[s.Declaration], texts: Mapping[str, Text]) -> tuple[AttestedClause, ...]:
    """Return every clause that some text states, in the order of the declarations.

    Clauses inside variants, examples and terms are left out."""
    # Examples and terms state no rule that a text could lack.
    clauses = [clause for clause in all_stated(declarations, variants=False) if clause.kind not in ("example", "term")]
    own = {clause.path: _own(clause, texts) for clause in clauses}
    parents = {clause.path: clause.parent for clause in clauses}
    return tuple(
        AttestedClause(clause, {name: _standing_of(name, clause, own, parents, texts) for name in texts})
        for clause in clauses
        if any(each.standing in (Standing.STATES, Standing.VARIES) for each in own[clause.path].values())
    )


def _own(clause: Stated, texts: Mapping[str, Text]) -> dict[str, TextStanding]:
    """Return the standings, by text, that the clause and its own entries state."""
    standings: dict[str, TextStanding] = {}
    for each in attested(clause):
        if each.text in texts and not isinstance(each.entry, s.Order):
            # A second attestation of the same text is reported, and the first counts.
            standings.setdefault(each.text, TextStanding(_standing(each.entry), each.authority, each.entry))
    return standings


def _standing(entry: s.Entry | None) -> Standing:
    match entry:
        case s.Variant():
            return Standing.VARIES
        case s.Omission():
            return Standing.SILENT
        case _:
            return Standing.STATES


def _standing_of(
    name: str,
    clause: Stated,
    own: Mapping[str, Mapping[str, TextStanding]],
    parents: Mapping[str, str | None],
    texts: Mapping[str, Text],
) -> TextStanding:
    standing = own[clause.path].get(name)
    around = parents[clause.path]
    while standing is None and around is not None:
        outer = own.get(around, {}).get(name)
        # A text that omits or varies a whole clause omits or varies its parts. But one that states the whole need not
        # state each part, so that standing is not inherited.
        if outer is not None and outer.standing in (Standing.SILENT, Standing.VARIES):
            standing = outer
        around = parents.get(around)
    if standing is not None:
        return standing
    nothing = s.Authority(clause.authority.span)
    if _is_lost(own[clause.path], texts[name]):
        return TextStanding(Standing.LOST, nothing)
    return TextStanding(Standing.SHORTENED if texts[name].summary else Standing.UNCONFIRMED, nothing)


def _is_lost(others: Mapping[str, TextStanding], text: Text) -> bool:
    """Return whether another text states the clause in lines that a text has lost, so nobody knows what it said."""
    return any(
        text.has_lost(name, span)
        for name, other in others.items()
        if other.standing in (Standing.STATES, Standing.VARIES)
        for citation in other.authority.citations
        for span in citation.lines
    )


# ---- faults -----------------------------------------------------------------------------------------------------


def check_apparatus(declarations: Sequence[s.Declaration], texts: Mapping[str, Text]) -> tuple[Diagnostic, ...]:
    """Return the faults of an apparatus. In a game of one text, every entry of an apparatus is a fault."""
    return tuple(
        fault
        for clause in all_stated(declarations)
        for check in (_unknown_texts, _two_entries, _without_lines, _same_words, _bad_order)
        for fault in check(clause, texts)
    ) + tuple(fault for node in declarations for fault in (*_decided_twice(node), *_mark_of_no_text(node)))


def _unknown_texts(clause: Stated, texts: Mapping[str, Text]) -> Iterator[Diagnostic]:
    for entry in clause.apparatus:
        for name in entry.sigla:
            if name not in texts:
                hint = _suggestion(name, texts) if texts else _ONE_TEXT
                place = name.span
                yield Diagnostic(spec_codes.UNKNOWN_TEXT, f"the game has no text `{name}`", place, hint)


def _suggestion(name: str, texts: Collection[str]) -> str:
    return did_you_mean(name, texts) or f"its texts are {', '.join(texts)}"


def _two_entries(clause: Stated, texts: Mapping[str, Text]) -> Iterator[Diagnostic]:
    seen: dict[str, Span] = {}
    for each in attested(clause):
        if isinstance(each.entry, s.Order):
            continue
        place = _siglum(each.entry, each.text) if each.entry else clause.authority.span
        if each.text in seen:
            message = f"`{clause.path}` has two entries for the text `{each.text}`"
            yield Diagnostic(
                spec_codes.TOLD_TWICE, message, place, _ONE_OF_THEM, (Note("the other one", seen[each.text]),)
            )
        seen.setdefault(each.text, place)


def _siglum(entry: s.Entry, text: str) -> Span:
    return next(name.span for name in entry.sigla if name == text)


def _without_lines(clause: Stated, texts: Mapping[str, Text]) -> Iterator[Diagnostic]:
    for each in attested(clause):
        if each.entry is not None and each.text in texts and not each.authority.citations:
            message = f"no line of `{each.text}` is cited here"
            place = _siglum(each.entry, each.text)
            yield Diagnostic(spec_codes.NO_LINES, message, place, f"end the line with `[{each.text} 12]`")


def _same_words(clause: Stated, texts: Mapping[str, Text]) -> Iterator[Diagnostic]:
    """Check for variants that repeat the clause or another variant."""
    own = without_authority_of(clause.node)
    bodies: list[tuple[s.Node, Span]] = [(own, clause.node.span.brief)] if own is not None else []
    for entry in clause.apparatus:
        if isinstance(entry, s.Variant):
            body = without_authority_of(entry)
            assert body is not None
            same = next((place for other, place in bodies if same_meaning(other, body)), None)
            if same is not None:
                message = f"this variant of `{clause.path}` repeats words that are already there"
                yield Diagnostic(spec_codes.SAME_WORDS, message, entry.span.brief, _CITE_THERE, (Note("here", same),))
            # A later variant may repeat this one.
            bodies.append((body, entry.span))


def _bad_order(clause: Stated, texts: Mapping[str, Text]) -> Iterator[Diagnostic]:
    for entry in clause.apparatus:
        if not isinstance(entry, s.Order):
            continue
        known = _labels(clause.node)
        for label in entry.labels:
            if label not in known or entry.labels.count(label) > 1:
                message = f"the block has no clause `{label}`" if label not in known else f"`{label}` is named twice"
                hint = f"its clauses are {', '.join(known)}" if label not in known else None
                yield Diagnostic(spec_codes.BAD_ORDER, message, label.span, hint)
                # One report for each order is enough, since a wrong label moves the others.
                break


def _labels(node: s.Node) -> tuple[str, ...]:
    body = getattr(node, "body", None)
    statements = body.statements if isinstance(body, s.Block) else ()
    return tuple(each.label for each in statements if isinstance(each, s.Clause | s.Require))


def _mark_of_no_text(node: s.Declaration) -> Iterator[Diagnostic]:
    """Check for entries in a game that belong in a transcription."""
    if isinstance(node, s.SilentDeclaration):
        message = f"`silent {node.path}` does not name the text that is silent"
        yield Diagnostic(spec_codes.SILENT_IN_GAME, message, node.span.brief, _BELOW_THE_CLAUSE)


def _decided_twice(node: s.Declaration) -> Iterator[Diagnostic]:
    """Check for texts that decide a fork twice, or decide it and leave it open."""
    if not isinstance(node, s.ForkDeclaration):
        return
    seen: dict[str, Span] = {}
    for authority in (node.authority, *(reading.authority for reading in node.readings)):
        for citation in authority.citations:
            if citation.document in seen:
                message = (
                    f"`{citation.document}` decides the fork `{node.name}` in two ways, or decides and leaves it open"
                )
                notes = (Note("the other one", seen[citation.document]),)
                yield Diagnostic(spec_codes.TOLD_TWICE, message, citation.span, _OPEN_THERE, notes)
        # The spans are entered after the whole authority, since a text may state one reading in several places.
        for citation in authority.citations:
            seen.setdefault(citation.document, citation.span)


def rules_unconfirmed(clauses: Iterable[AttestedClause]) -> Iterator[tuple[AttestedClause, tuple[str, ...]]]:
    """Yield the rules and notes that are unconfirmed in some texts, with the sigla of these texts."""
    for each in clauses:
        missing = each.having(Standing.UNCONFIRMED)
        # Only rules need a text that states them.
        if missing and each.clause.kind in NEEDS_AUTHORITY:
            yield each, missing


_ONE_TEXT = "list the texts of the game in its header: `document:` with a file for each"
_BELOW_THE_CLAUSE = "write it below the clause, with the text's siglum: `silent en [en 12]`"
_ONE_OF_THEM = "a text states the clause, has a variant of it, or is silent"
_CITE_THERE = "cite the lines after those words, and remove this variant"
_OPEN_THERE = "cite the text after the fork's name if its words admit several readings"
