"""Applying decisions: replaces what the transcribers wrote by what was decided from the lines of the texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from ludex.grammar import Identifier, lines_text, words_in
from ludex.grammar import syntax as s

from ..text import NOUNS
from .citing import numbers_of, spans_of, stating_lines, with_entry
from .clause_tree import apparatus_of, has_apparatus, rewritten, with_apparatus
from .merging import known_clauses
from .open_items import Item
from .text_decisions import TextDecision, TextEntry

NodeT = TypeVar("NodeT", bound=s.Node)
BASE = -1
"""The number of a clause's own words; its variants are numbered from 0."""


@dataclass(frozen=True, slots=True)
class Applied:
    """The files of a game with decisions applied.

    Attributes:
        applied: the paths of the clauses to which a decision was applied.
        items: the decisions that have to be written in by hand, with the reason.
    """

    modules: tuple[s.Module, ...]
    applied: frozenset[str]
    items: tuple[Item, ...]


def apply_decisions(modules: Sequence[s.Module], decisions: Iterable[TextDecision]) -> Applied:
    """Return the files of a game with the decisions applied.

    A clause with one reading gets one body and the lines of the decision. A clause on which the texts differ gets the
    words that the transcriptions have for each group of texts, if the transcriptions differ in the same groups."""
    decisions = tuple(decisions)
    settling = _Application(_clause_by_clause(decisions, modules))
    changed = tuple(replace(each, declarations=tuple(map(settling.declaration, each.declarations))) for each in modules)
    # A decision that reached a clause, or left an item about it, needs no second item.
    there = settling.applied | {item.path for item in settling.items}
    for path, decision in settling.decided.items():
        if path not in there:
            settling.by_hand(path, decision, "no clause has this path")
    # Such a decision names no clause, so nothing in the files would show that it waits for one.
    for decision in decisions:
        if not decision.clauses:
            settling.by_hand(decision.suggest or "", decision, "no clause says this yet")
    return Applied(changed, frozenset(settling.applied), tuple(settling.items))


def _clause_by_clause(decisions: Iterable[TextDecision], modules: Sequence[s.Module]) -> dict[str, TextDecision]:
    """Return the decisions by path of clause, with the lines of each decision shared out to its clauses.

    Each clause gets the lines that its transcriptions cite; lines that none of them cites go to the first clause."""
    cited = {path: stating_lines(node) for path, node in known_clauses(modules).items()}
    by_path: dict[str, TextDecision] = {}
    for decision in decisions:
        # A path without a clause cites nothing, so it takes no share.
        there = [path for path in decision.clauses if path in cited]
        for path in decision.clauses:
            texts = {
                siglum: _shared_out(entry, [cited[each].get(siglum, set()) for each in there], there.index(path))
                if entry.readings and path in there
                else entry
                for siglum, entry in decision.texts.items()
            }
            by_path[path] = replace(decision, texts=texts)
    return by_path


def _shared_out(entry: TextEntry, cited: Sequence[set[int]], at: int) -> TextEntry:
    """Return a text's entry for one clause of a decision.

    cited: the lines that the text's transcription cites for each clause; at: the index of this clause."""
    decided = numbers_of(entry.lines)
    own = decided & cited[at]
    # Lines that no transcription cites must go somewhere, or the decision would lose them.
    if at == 0:
        own |= decided.difference(*cited)
    return replace(entry, lines=spans_of(own)) if own and own != decided else entry


@dataclass(slots=True)
class _Application:
    decided: Mapping[str, TextDecision]
    applied: set[str] = field(default_factory=set)
    items: list[Item] = field(default_factory=list)

    def declaration(self, node: s.Declaration) -> s.Declaration:
        name = node.name if isinstance(node, NOUNS) and not isinstance(node, s.ForkDeclaration) else ""
        # A noun has no path, so that `rewritten` would pass it over.
        if name in self.decided:
            return self.noun(node, name, self.decided[name])
        return rewritten(node, self.clause)

    def clause(self, path: str, node: Any) -> Any:
        decision = self.decided.get(path)
        if decision is None:
            return node
        if isinstance(node, s.ForkDeclaration):
            return self.fork(path, node, decision)
        # The winner bears no apparatus, so it has no place for several readings.
        if not has_apparatus(node):
            return self.noun(node, path, decision)
        return self.ruled(path, node, decision)

    def by_hand(self, path: str, decision: TextDecision, why: str) -> None:
        groups = []
        for readings, texts in decision.groups.items():
            places = ", ".join(f"{each} {lines_text(decision.texts[each].lines)}" for each in texts)
            groups.append(f"{' or '.join(readings)}: {places}")
        message = "; ".join([f"to be written by hand, {why}", *groups])
        lines = {siglum: entry.lines for siglum, entry in decision.texts.items() if entry.readings}
        self.items.append(Item("by hand", path, "", message, lines, dict(decision.sentences)))

    def noun(self, node: NodeT, path: str, decision: TextDecision) -> NodeT:
        if len(decision.groups) > 1:
            self.by_hand(path, decision, "a declaration has no variants")
            return node
        self.applied.add(path)
        # `NodeT` promises only a node, and each noun has an authority of its own.
        own: Any = node
        changed: NodeT = replace(own, authority=_cited(own.authority, _speaking(decision)))
        return changed

    def fork(self, path: str, node: s.ForkDeclaration, decision: TextDecision) -> s.ForkDeclaration:
        names = {reading.name for reading in node.readings}
        speaking = _speaking(decision)
        # A text that admits several readings is cited after the name of the fork, not after a reading.
        unknown = {name for entry in speaking.values() if len(entry.readings) == 1 for name in entry.readings} - names
        if unknown:
            absent = " or ".join(f"`{each}`" for each in sorted(unknown))
            alone = len(decision.groups) == 1
            way_out = "; since no text admits another, the fork can go, and its clauses say this" if alone else ""
            self.by_hand(path, decision, f"the fork has no reading {absent}{way_out}")
            return node
        self.applied.add(path)
        readings = tuple(
            replace(
                reading,
                authority=_cited(
                    reading.authority, {t: entry for t, entry in speaking.items() if entry.readings == (reading.name,)}
                ),
            )
            for reading in node.readings
        )
        # The lines that leave the question open show why there is a fork at all.
        leaving_open = {t: entry for t, entry in speaking.items() if len(entry.readings) > 1}
        return replace(node, readings=readings, authority=_cited(node.authority, leaving_open))

    def ruled(self, path: str, node: Any, decision: TextDecision) -> Any:
        groups = decision.groups
        # A clause that no text states may rest on a ruling of the editors.
        if not groups and not node.authority.reasons:
            self.by_hand(path, decision, "no text says it: rest it on a ruling, or take it out")
            return node
        if decision.left_open and not decision.forks:
            self.by_hand(path, decision, "it is open: write a fork that the clause asks, and name it in the decision")
            return node
        words = dict(_words(node))
        own = {group: {n for n, sigla in words.items() if sigla & set(texts)} for group, texts in groups.items()}
        has_fork = any(word in decision.forks for word in words_in(node))
        used = set().union(*own.values()) if own else set()
        # Words that ask a fork hold for all groups, so that none needs words of its own.
        if len(groups) <= 1 or (has_fork and used <= {BASE}):
            self.applied.add(path)
            return _with_texts(node, {BASE: _speaking(decision)}, decision)
        # The decision is applied only if each group of texts has words of its own; else a person has to write them.
        chosen = {group: min(numbers) for group, numbers in own.items() if numbers}
        if len(chosen) < len(groups) or sum(map(len, own.values())) > len(used) or BASE not in chosen.values():
            self.by_hand(path, decision, "the transcriptions do not part as the texts do")
            return node
        self.applied.add(path)
        return _with_texts(
            node, {chosen[g]: {t: decision.texts[t] for t in texts} for g, texts in groups.items()}, decision
        )


def _words(node: Any) -> Iterable[tuple[int, set[str]]]:
    """Yield each version of a clause (`BASE` or the number of a variant), with the sigla of its texts."""
    ruled = {siglum for entry in apparatus_of(node) if isinstance(entry, s.Ruled) for siglum in entry.sigla}
    yield BASE, {each.document for each in node.authority.citations} | ruled
    for at, entry in enumerate(apparatus_of(node)):
        if isinstance(entry, s.Variant):
            yield at, set(entry.sigla)


def _speaking(decision: TextDecision) -> dict[str, TextEntry]:
    return {siglum: entry for siglum, entry in decision.texts.items() if entry.readings}


def _with_texts(node: Any, texts: Mapping[int, Mapping[str, TextEntry]], decision: TextDecision) -> Any:
    """Return the clause with an apparatus. texts: the entries of the texts, by version (`BASE`, number of a
    variant)."""
    before = apparatus_of(node)
    # Decisions are about words, so the marks of another order stay.
    orders = tuple(entry for entry in before if isinstance(entry, s.Order))
    own = texts[BASE]
    # What is added to one text holds for that text alone, so it cannot go into the authority that all share.
    plain = {siglum: entry for siglum, entry in own.items() if not entry.adds}
    node = replace(with_apparatus(node, orders), authority=_cited(node.authority, plain))
    for number, those in texts.items():
        if number != BASE:
            # The numbers count the old apparatus, which the new clause does not have any more.
            variant = before[number]
            assert isinstance(variant, s.Variant)
            reasons = tuple(s.Reason(variant.span, "ruling", entry.adds) for entry in those.values() if entry.adds)
            authority = replace(_cited(variant.authority, those), reasons=reasons)
            node = with_entry(node, replace(variant, sigla=_sigla(those, variant), authority=authority))
    for siglum, entry in own.items():
        if entry.adds:
            node = with_entry(
                node, s.Ruled(node.span, _sigla((siglum,), node), entry.adds, _alone(node, {siglum: entry}))
            )
    # A lost page is declared with the text, which excuses it without a mark.
    silent = {siglum: entry for siglum, entry in decision.texts.items() if not entry.readings and not entry.is_lost}
    return with_entry(node, s.Omission(node.span, _sigla(silent, node), _alone(node, silent))) if silent else node


def _sigla(texts: Iterable[str], node: s.Node) -> tuple[Identifier, ...]:
    return tuple(Identifier(siglum, node.span) for siglum in texts)


def _cited(authority: s.Authority, texts: Mapping[str, TextEntry]) -> s.Authority:
    """Return the authority with the citations replaced by the lines of these texts; its reasons stay."""
    cited = (s.Citation(authority.span, siglum, entry.lines) for siglum, entry in texts.items() if entry.lines)
    return replace(authority, citations=tuple(cited))


def _alone(node: s.Node, texts: Mapping[str, TextEntry]) -> s.Authority:
    return _cited(s.Authority(node.span), texts)
