"""Attestation: which texts state, vary or omit each clause, and faults in the apparatus.

The texts are the witnesses of one rule set: each attests a clause, has a variant, omits it, or has a lacuna there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ludex.grammar import Diagnostic, Note, Span, did_you_mean, same_meaning
from ludex.grammar import syntax as s

from .. import codes
from .apparatus import all_stated, attested, without_authority_of
from .authority import NEEDS_AUTHORITY
from .clauses import Stated, name_span
from .excerpts import Excerpts
from .headers import Text


class Standing(StrEnum):
    """The relation of a text to a clause. `shortened`: a summary leaves it out, which is no
    omission. `unconfirmed`: not known yet."""

    STATES = "states"
    VARIES = "varies"
    SILENT = "silent"
    LOST = "lost"
    SHORTENED = "shortened"
    UNCONFIRMED = "unconfirmed"


@dataclass(frozen=True, slots=True)
class Witness:
    """The attestation of one clause by one text.

    Attributes:
        authority: its lines, or those near which the clause would stand; none for what is lost or not confirmed.
        entry: the line of the apparatus that says so, if one does.
    """

    standing: Standing
    authority: s.Authority
    entry: s.Entry | None = None


@dataclass(frozen=True, slots=True)
class Witnessed:
    """A clause that some text states, with how every text of the game stands to it, in the order of the texts."""

    clause: Stated
    texts: Mapping[str, Witness]

    def having(self, standing: Standing) -> tuple[str, ...]:
        return tuple(text for text, witness in self.texts.items() if witness.standing is standing)


def witnessed(declarations: Iterable[s.Declaration], texts: Mapping[str, Text]) -> tuple[Witnessed, ...]:
    """Every clause that some text states, in the order written. Clauses inside variants, examples and terms are left
    out; so are clauses that no text states."""
    found = [clause for clause in all_stated(declarations, variants=False) if clause.kind not in ("example", "term")]
    own = {clause.path: _own(clause, texts) for clause in found}
    above = {clause.path: clause.parent for clause in found}
    return tuple(
        Witnessed(clause, {name: _witness(name, clause, own, above, texts) for name in texts})
        for clause in found
        if any(each.standing in (Standing.STATES, Standing.VARIES) for each in own[clause.path].values())
    )


def _own(clause: Stated, texts: Mapping[str, Text]) -> dict[str, Witness]:
    """Return the entries that are written at the clause itself."""
    found: dict[str, Witness] = {}
    for each in attested(clause):
        if each.text in texts and not isinstance(each.entry, s.Order):
            found.setdefault(each.text, Witness(_standing(each.entry), each.authority, each.entry))
    return found


def _standing(entry: s.Entry | None) -> Standing:
    match entry:
        case s.Variant():
            return Standing.VARIES
        case s.Omission():
            return Standing.SILENT
        case _:
            return Standing.STATES


def _witness(
    name: str,
    clause: Stated,
    own: Mapping[str, Mapping[str, Witness]],
    above: Mapping[str, str | None],
    texts: Mapping[str, Text],
) -> Witness:
    found = own[clause.path].get(name)
    around = above[clause.path]
    while found is None and around is not None:
        outer = own.get(around, {}).get(name)
        if outer is not None and outer.standing in (Standing.SILENT, Standing.VARIES):
            found = outer  # what is said of the whole is said of its parts
        around = above.get(around)
    if found is not None:
        return found
    nothing = s.Authority(clause.authority.span)
    if _is_lost(own[clause.path], texts[name]):
        return Witness(Standing.LOST, nothing)
    return Witness(Standing.SHORTENED if texts[name].summary else Standing.UNCONFIRMED, nothing)


def _is_lost(others: Mapping[str, Witness], text: Text) -> bool:
    """Whether another text states the clause in lines that are lost of this one: nobody knows what stood there."""
    return any(
        text.has_lost(name, span)
        for name, witness in others.items()
        if witness.standing in (Standing.STATES, Standing.VARIES)
        for citation in witness.authority.citations
        for span in citation.lines
    )


# ---- faults -----------------------------------------------------------------------------------------------------


def check_apparatus(
    declarations: Sequence[s.Declaration], texts: Mapping[str, Text], excerpts: Excerpts
) -> tuple[Diagnostic, ...]:
    """Check an apparatus. In a game of one text every entry of one is a fault."""
    return tuple(
        fault
        for clause in all_stated(declarations)
        for check in (_unknown_texts, _told_twice, _without_lines, _same_words, _bad_order)
        for fault in check(clause, texts, excerpts)
    ) + tuple(fault for node in declarations for fault in (*_decided_twice(node), *_mark_of_no_text(node, excerpts)))


def _unknown_texts(clause: Stated, texts: Mapping[str, Text], excerpts: Excerpts) -> Iterator[Diagnostic]:
    for entry in clause.apparatus:
        for name in entry.sigla:
            if name not in texts:
                hint = _meant(name, texts) if texts else _ONE_TEXT
                place = name.span
                yield Diagnostic(codes.UNKNOWN_TEXT, f"the game has no text `{name}`", place, hint)


def _meant(name: str, texts: Collection[str]) -> str:
    return did_you_mean(name, texts) or f"its texts are {', '.join(texts)}"


def _told_twice(clause: Stated, texts: Mapping[str, Text], excerpts: Excerpts) -> Iterator[Diagnostic]:
    seen: dict[str, Span] = {}
    for each in attested(clause):
        if isinstance(each.entry, s.Order):
            continue
        place = _siglum(each.entry, each.text) if each.entry else clause.authority.span
        if each.text in seen:
            message = f"`{clause.path}` has two entries for the text `{each.text}`"
            yield Diagnostic(codes.TOLD_TWICE, message, place, _ONE_OF_THEM, (Note("the other one", seen[each.text]),))
        seen.setdefault(each.text, place)


def _siglum(entry: s.Entry, text: str) -> Span:
    return next(name.span for name in entry.sigla if name == text)


def _without_lines(clause: Stated, texts: Mapping[str, Text], excerpts: Excerpts) -> Iterator[Diagnostic]:
    for each in attested(clause):
        if each.entry is not None and each.text in texts and not each.authority.citations:
            message = f"no line of `{each.text}` is cited here"
            place = _siglum(each.entry, each.text)
            yield Diagnostic(codes.NO_LINES, message, place, f"end the line with `[{each.text} 12]`")


def _same_words(clause: Stated, texts: Mapping[str, Text], excerpts: Excerpts) -> Iterator[Diagnostic]:
    """Check for variants that repeat the clause or another variant."""
    own = without_authority_of(clause.node)
    bodies: list[tuple[s.Node, Span]] = [(own, name_span(clause.node))] if own is not None else []
    for entry in clause.apparatus:
        if isinstance(entry, s.Variant):
            body = without_authority_of(entry)
            assert body is not None
            same = next((place for other, place in bodies if same_meaning(other, body)), None)
            if same is not None:
                message = f"this variant of `{clause.path}` repeats words that are already there"
                yield Diagnostic(
                    codes.SAME_WORDS, message, excerpts.first_word(entry.span), _CITE_THERE, (Note("here", same),)
                )
            bodies.append((body, entry.span))


def _bad_order(clause: Stated, texts: Mapping[str, Text], excerpts: Excerpts) -> Iterator[Diagnostic]:
    for entry in clause.apparatus:
        if not isinstance(entry, s.Order):
            continue
        known = _labels(clause.node)
        for label in entry.labels:
            if label not in known or entry.labels.count(label) > 1:
                message = f"the block has no clause `{label}`" if label not in known else f"`{label}` is named twice"
                hint = f"its clauses are {', '.join(known)}" if label not in known else None
                yield Diagnostic(codes.BAD_ORDER, message, label.span, hint)
                break


def _labels(node: s.Node) -> tuple[str, ...]:
    body = getattr(node, "body", None)
    statements = body.statements if isinstance(body, s.Block) else ()
    return tuple(each.label for each in statements if isinstance(each, s.Clause | s.Require))


def _mark_of_no_text(node: s.Declaration, excerpts: Excerpts) -> Iterator[Diagnostic]:
    """Check for entries in a game that belong in a transcription."""
    if isinstance(node, s.SilentDeclaration):
        message = f"`silent {node.path}` does not name the text that is silent"
        yield Diagnostic(codes.SILENT_IN_GAME, message, excerpts.first_word(node.span), _BELOW_THE_CLAUSE)


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
                yield Diagnostic(codes.TOLD_TWICE, message, citation.span, _OPEN_THERE, notes)
        for citation in authority.citations:
            seen.setdefault(citation.document, citation.span)


def rules_unconfirmed(found: Iterable[Witnessed]) -> Iterator[tuple[Witnessed, tuple[str, ...]]]:
    """The clauses of which nobody has said yet what some text makes of them: rules and notes."""
    for each in found:
        missing = each.having(Standing.UNCONFIRMED)
        if missing and each.clause.kind in NEEDS_AUTHORITY:
            yield each, missing


_ONE_TEXT = "a game has several texts where `document:` in its header names a document for each"
_BELOW_THE_CLAUSE = "write it below the clause, with the text's siglum: `silent en [en 12]`"
_ONE_OF_THEM = "a text states the clause, has a variant of it, or is silent"
_CITE_THERE = "cite the lines behind the words that say it, and take the variant away"
_OPEN_THERE = "cite the text behind the fork's name if its words admit several readings"
