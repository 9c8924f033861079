"""Applying decisions: replaces what the transcribers wrote by what was decided from the lines of the texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from ludex.grammar import Identifier, words_in
from ludex.grammar import syntax as s

from ..text.clauses import NOUNS
from .citing import lines_text, numbers_of, said_numbers, spans_of, with_entry
from .clause_tree import apparatus_of, has_apparatus, rewritten, with_apparatus
from .decisions import Decision, Said
from .merging import known_clauses
from .open_items import Item

NodeT = TypeVar("NodeT", bound=s.Node)
BASE = -1
"""Among the words that texts have for a clause, its own; else the number of a variant."""


@dataclass(frozen=True, slots=True)
class Applied:
    """The files of a game with decisions applied. applied: the paths where they could be; items: what is to be written
    by hand."""

    modules: tuple[s.Module, ...]
    applied: frozenset[str]
    items: tuple[Item, ...]


def apply_decisions(modules: Sequence[s.Module], decisions: Iterable[Decision]) -> Applied:
    """The files of a game as decided. A clause that texts say in one way has one body and the lines of the decision;
    where they part, each group of texts has the words of its transcriptions, if these part alike."""
    decisions = tuple(decisions)
    settling = _Application(_clause_by_clause(decisions, modules))
    changed = tuple(replace(each, declarations=tuple(map(settling.declaration, each.declarations))) for each in modules)
    there = settling.applied | {item.path for item in settling.items}
    for path, decision in settling.decided.items():
        if path not in there:
            settling.by_hand(path, decision, "no clause has this path")
    for decision in decisions:
        if not decision.clauses:
            settling.by_hand(decision.suggest or "", decision, "no clause says this yet")
    return Applied(changed, frozenset(settling.applied), tuple(settling.items))


def _clause_by_clause(decisions: Iterable[Decision], modules: Sequence[s.Module]) -> dict[str, Decision]:
    """What was decided, by path. Of the lines of a decision on several clauses, each keeps those that its
    transcriptions cite; those that none of them cites go to the first."""
    cited = {path: said_numbers(node) for path, node in known_clauses(modules).items()}
    found: dict[str, Decision] = {}
    for decision in decisions:
        there = [path for path in decision.clauses if path in cited]
        for path in decision.clauses:
            texts = {
                siglum: _shared_out(said, [cited[each].get(siglum, set()) for each in there], there.index(path))
                if said.readings and path in there
                else said
                for siglum, said in decision.texts.items()
            }
            found[path] = replace(decision, texts=texts)
    return found


def _shared_out(said: Said, cited: Sequence[set[int]], at: int) -> Said:
    """What a text has for one clause of a decision. cited: the lines that it cites for each of them."""
    decided = numbers_of(said.lines)
    own = decided & cited[at]
    if at == 0:
        own |= decided.difference(*cited)
    return replace(said, lines=spans_of(own)) if own and own != decided else said


@dataclass(slots=True)
class _Application:
    decided: Mapping[str, Decision]
    applied: set[str] = field(default_factory=set)
    items: list[Item] = field(default_factory=list)

    def declaration(self, node: s.Declaration) -> s.Declaration:
        name = node.name if isinstance(node, NOUNS) and not isinstance(node, s.ForkDeclaration) else ""
        if name in self.decided:
            return self.noun(node, name, self.decided[name])
        return rewritten(node, self.clause)

    def clause(self, path: str, node: Any) -> Any:
        decision = self.decided.get(path)
        if decision is None:
            return node
        if isinstance(node, s.ForkDeclaration):
            return self.fork(path, node, decision)
        if not has_apparatus(node):
            return self.noun(node, path, decision)
        return self.ruled(path, node, decision)

    def by_hand(self, path: str, decision: Decision, why: str) -> None:
        groups = []
        for readings, texts in decision.groups.items():
            places = ", ".join(f"{each} {lines_text(decision.texts[each].lines)}" for each in texts)
            groups.append(f"{' or '.join(readings)}: {places}")
        told = "; ".join([f"to be written by hand, {why}", *groups])
        lines = {siglum: lines_text(said.lines) for siglum, said in decision.texts.items() if said.readings}
        self.items.append(Item("by hand", path, "", told, lines, dict(decision.told)))

    def noun(self, node: NodeT, path: str, decision: Decision) -> NodeT:
        if len(decision.groups) > 1:
            self.by_hand(path, decision, "a declaration has no variants")
            return node
        self.applied.add(path)
        own: Any = node
        changed: NodeT = replace(own, authority=_cited(own.authority, _speaking(decision)))
        return changed

    def fork(self, path: str, node: s.ForkDeclaration, decision: Decision) -> s.ForkDeclaration:
        names = {reading.name for reading in node.readings}
        speaking = _speaking(decision)
        unknown = {name for said in speaking.values() if len(said.readings) == 1 for name in said.readings} - names
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
                    reading.authority, {t: said for t, said in speaking.items() if said.readings == (reading.name,)}
                ),
            )
            for reading in node.readings
        )
        leaving_open = {t: said for t, said in speaking.items() if len(said.readings) > 1}
        return replace(node, readings=readings, authority=_cited(node.authority, leaving_open))

    def ruled(self, path: str, node: Any, decision: Decision) -> Any:
        groups = decision.groups
        if not groups and not node.authority.reasons:
            self.by_hand(path, decision, "no text says it: rest it on a ruling, or take it out")
            return node
        if decision.left_open and not decision.forks:
            self.by_hand(path, decision, "it is open: write a fork that the clause asks, and name it in the decision")
            return node
        words = dict(_words(node))
        own = {group: {n for n, sigla in words.items() if sigla & set(texts)} for group, texts in groups.items()}
        has_fork = not decision.forks.isdisjoint(words_in(node))
        used = set().union(*own.values()) if own else set()
        if len(groups) <= 1 or (has_fork and used <= {BASE}):
            self.applied.add(path)
            return _with_texts(node, {BASE: _speaking(decision)}, decision)
        chosen = {group: min(numbers) for group, numbers in own.items() if numbers}
        if len(chosen) < len(groups) or sum(map(len, own.values())) > len(used) or BASE not in chosen.values():
            self.by_hand(path, decision, "the transcriptions do not part as the texts do")
            return node
        self.applied.add(path)
        return _with_texts(
            node, {chosen[g]: {t: decision.texts[t] for t in texts} for g, texts in groups.items()}, decision
        )


def _words(node: Any) -> Iterable[tuple[int, set[str]]]:
    """Which texts have which words for a clause."""
    ruled = {siglum for entry in apparatus_of(node) if isinstance(entry, s.Ruled) for siglum in entry.sigla}
    yield BASE, {each.document for each in node.authority.citations} | ruled
    for at, entry in enumerate(apparatus_of(node)):
        if isinstance(entry, s.Variant):
            yield at, set(entry.sigla)


def _speaking(decision: Decision) -> dict[str, Said]:
    return {siglum: said for siglum, said in decision.texts.items() if said.readings}


def _with_texts(node: Any, texts: Mapping[int, Mapping[str, Said]], decision: Decision) -> Any:
    """The clause as the texts have it. texts: by number of the words, those that have them."""
    before = apparatus_of(node)
    orders = tuple(entry for entry in before if isinstance(entry, s.Order))
    own = texts[BASE]
    plain = {siglum: said for siglum, said in own.items() if not said.adds}
    node = replace(with_apparatus(node, orders), authority=_cited(node.authority, plain))
    for number, those in texts.items():
        if number != BASE:
            entry = before[number]
            assert isinstance(entry, s.Variant)
            reasons = tuple(s.Reason(entry.span, "ruling", said.adds) for said in those.values() if said.adds)
            authority = replace(_cited(entry.authority, those), reasons=reasons)
            node = with_entry(node, replace(entry, sigla=_sigla(those, entry), authority=authority))
    for siglum, said in own.items():
        if said.adds:
            node = with_entry(
                node, s.Ruled(node.span, _sigla((siglum,), node), said.adds, _alone(node, {siglum: said}))
            )
    silent = {siglum: said for siglum, said in decision.texts.items() if not said.readings and not said.is_lost}
    return with_entry(node, s.Omission(node.span, _sigla(silent, node), _alone(node, silent))) if silent else node


def _sigla(texts: Iterable[str], node: s.Node) -> tuple[Identifier, ...]:
    return tuple(Identifier(siglum, node.span) for siglum in texts)


def _cited(authority: s.Authority, texts: Mapping[str, Said]) -> s.Authority:
    """The authority with the lines of these texts and no others; reasons stay."""
    cited = (s.Citation(authority.span, siglum, said.lines) for siglum, said in texts.items() if said.lines)
    return replace(authority, citations=tuple(cited))


def _alone(node: s.Node, texts: Mapping[str, Said]) -> s.Authority:
    return _cited(s.Authority(node.span), texts)
