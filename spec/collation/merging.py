"""Merging a transcription into the text with its apparatus, clause by clause.

A clause with the same words in both gets the citation of one more text; with other words, a variant; a clause that only
the transcription has is inserted at its place. Every change beyond a citation also becomes an open item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ludex.grammar import Identifier
from ludex.grammar import syntax as s

from ..text import NOUNS
from .citing import also_attested, cited, cited_lines, lines_of, with_entry
from .clause_normal_form import form
from .clause_tree import apparatus_of, body_of, can_vary, clauses_in, has_apparatus, renamed, rewritten, with_apparatus
from .declarations import Merged, merged_declarations
from .inserting import inserted, is_ordered_otherwise, name_of, with_choices, with_steps
from .open_items import Item, Sort, item_of
from .own_words import (
    EXCEPTIONS,
    holds_clauses,
    in_groups,
    loose,
    own_form,
    rests_on_itself,
    statements_of,
    whole_form,
)
from .transcription import Transcription

Insertion = Callable[[Any], Any]
Blocked = s.ActionDeclaration | s.SetupDeclaration | s.PlayDeclaration


def merge(modules: Sequence[s.Module], text: Transcription) -> Merged:
    """Return the files of a game with one more text in the apparatus, and the open items.

    modules: the files of the game, the game file first. text: the transcription of the text."""
    clauses = [each for module in modules for each in clauses_of(module)]
    known = {path: node for path, _, node in clauses}
    module = named_alike(text.module, known)
    # All comparisons are with the game as it was; the changes are made together afterwards.
    merging = _Merge(text.siglum, known, {path: parent for path, parent, _ in clauses})
    inside: dict[str, list[str]] = {}
    for path, parent, node in clauses_of(module):
        if parent:
            inside.setdefault(parent, []).append(name_of(node))
        merging.clause(path, parent, node, inside.get(parent, []))
    merging.orders(module)
    changed = tuple(rewritten_module(each, merging.change) for each in modules)
    # Terms and new declarations come last, since they move no clause.
    merged = merged_declarations(changed, replace(text, module=module))
    fresh = (*merging.fresh, *merged.fresh)
    return Merged(merged.modules, (*merging.items, *merged.items), fresh)


def with_silences(modules: Sequence[s.Module], text: Transcription) -> tuple[s.Module, ...]:
    """Return the files with the transcription's marks of silence.

    This comes after all transcriptions are merged, since a silent text's clause may come from a later one."""
    silent = (each for each in text.module.declarations if isinstance(each, s.SilentDeclaration))
    marks: dict[str, s.SilentDeclaration] = {each.path: each for each in silent}

    def marked(path: str, node: Any) -> Any:
        mark = marks.get(path)
        # A text that speaks here is not silent, whatever its transcriber marked.
        if mark is None or not has_apparatus(node) or speaks(node, text.siglum):
            return node
        return with_entry(node, s.Omission(node.span, (Identifier(text.siglum, node.span),), mark.authority))

    return tuple(rewritten_module(module, marked) for module in modules)


def speaks(node: Any, siglum: str) -> bool:
    """Return whether a clause or its apparatus names a text: as stating, varying or omitting the clause."""
    entries = (each for each in apparatus_of(node) if not isinstance(each, s.Order))
    return siglum in dict(cited_lines(node)) or any(siglum in entry.sigla for entry in entries)


def rewritten_module(module: s.Module, change: Callable[[str, Any], Any]) -> s.Module:
    """Return a file with each clause replaced by `change(path, clause)`."""
    return replace(module, declarations=tuple(rewritten(node, change) for node in module.declarations))


def clauses_of(module: s.Module) -> Iterator[tuple[str, str, Any]]:
    """Yield the path, the parent's path and the node of every clause of a file, parents first."""
    for node in module.declarations:
        yield from clauses_in(node)


def known_clauses(modules: Sequence[s.Module]) -> dict[str, Any]:
    """Return every clause and noun of a game, by path."""
    known: dict[str, Any] = {path: node for module in modules for path, _, node in clauses_of(module)}
    return known | {node.name: node for module in modules for node in module.declarations if isinstance(node, NOUNS)}


def named_alike(module: s.Module, known: dict[str, Any]) -> s.Module:
    """Return the transcription with the game's names for parameters and for the names that patterns bind."""

    def named(path: str, node: Any) -> Any:
        own, other = _bound_names(known.get(path)), _bound_names(node)
        # With another number of names the clauses differ anyhow, and no pairing would be right.
        names = dict(zip(other, own, strict=True)) if len(own) == len(other) else {}
        return renamed(node, {old: new for old, new in names.items() if old != new})

    return rewritten_module(module, named)


def _bound_names(node: Any) -> tuple[str, ...]:
    match node:
        case s.ValueDeclaration(parameters=parameters) | s.ActionDeclaration(parameters=parameters):
            return tuple(each.name for each in parameters)
        case s.ValueArm(patterns=patterns) | s.StepArm(patterns=patterns):
            return tuple(name for each in patterns for name in each.binds)
        case _:
            return ()


@dataclass(slots=True)
class _Merge:
    """The merge of one transcription into a game: it compares clause by clause, and collects changes by path.

    Attributes:
        siglum: the siglum of the transcribed text.
        known, parents: the clauses of the game and the paths of their parents, by path.
        fresh: the clauses that the game does not yet have as the transcription does; see `Merged`.
        steps: the changes to each clause of the game, in order.
        done: paths of clauses that were merged as a whole, so that the clauses inside are skipped.
        placed: paths of clauses that were inserted together with the statements around them.
        varied: those of `done` that became a variant; their exceptions are still merged one by one.
    """

    siglum: str
    known: dict[str, Any]
    parents: dict[str, str]
    items: list[Item] = field(default_factory=list)
    fresh: list[tuple[str, Any]] = field(default_factory=list)
    steps: dict[str, list[Insertion]] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    placed: set[str] = field(default_factory=set)
    varied: set[str] = field(default_factory=set)

    def change(self, path: str, node: Any) -> Any:
        # Several steps may change one clause, each on the result of the step before.
        for step in self.steps.get(path, ()):
            node = step(node)
        return node

    def then(self, path: str, step: Insertion) -> None:
        self.steps.setdefault(path, []).append(step)

    def item(self, sort: Sort, path: str, theirs: Any, message: str = "") -> None:
        self.items.append(item_of(sort, path, self.siglum, self.known.get(path), theirs, message))

    def clause(self, path: str, parent: str, theirs: Any, order: list[str]) -> None:
        """Merge one clause of the transcription.

        order: the names of the clauses under the same parent, in the order of the transcription. The caller appends to
        this list while it continues, and the steps that use it run when it is complete."""
        ours = self.known.get(path)
        is_inside = parent in self.done and not (parent in self.varied and isinstance(theirs, EXCEPTIONS))
        # Forks are merged as declarations.
        if is_inside or isinstance(theirs, s.ForkDeclaration):
            self.done.add(path)
        elif ours is None:
            self.done.add(path)
            self.missing(path, theirs)
            # No line states it: a person decides whether the game needs it.
            if not theirs.authority.citations and rests_on_itself(theirs):
                self.item("words", path, theirs)
            if parent and path not in self.placed:
                self.then(parent, lambda node: inserted(node, theirs, order))
        elif type(ours) is not type(theirs):
            self.done.add(path)
            self.missing(path, theirs)
            self.item("kind", path, theirs)
        elif self.says_same(ours, theirs):
            self.attest(path, theirs)
        elif self.is_frame(ours, theirs):
            self.frame(path, ours, theirs)
            self.attest(path, theirs)
        else:
            self.done.add(path)
            self.varied.add(path)
            self.otherwise(path, ours, theirs)

    def says_same(self, ours: Any, theirs: Any) -> bool:
        # The criteria of a winner are clauses of their own, and nothing else is in it.
        if isinstance(theirs, s.WinnerDeclaration):
            return True
        if self.is_whole(theirs):
            return whole_form(body_of(ours)) == whole_form(body_of(theirs))
        return own_form(ours) == own_form(theirs)

    def is_whole(self, theirs: Any) -> bool:
        """Return whether the citation of a clause covers everything inside it, so that it is compared as a whole."""
        return can_vary(theirs) and bool(theirs.authority.citations) and rests_on_itself(theirs)

    def is_frame(self, ours: Any, theirs: Any) -> bool:
        """Return whether two clauses differ only in the statements around their inner clauses."""
        if isinstance(theirs, Blocked):
            return True
        if self.is_whole(theirs):
            return False
        return isinstance(body_of(ours), s.Statement) and holds_clauses(ours) and holds_clauses(theirs)

    def attest(self, path: str, theirs: Any) -> None:
        if not theirs.authority.citations:
            return
        if not self.has_words(path):
            self.missing(path, theirs)
        # A clause without lines holds for all texts. The citation of one alone would take it from the others.
        if not self.known[path].authority:
            self.then(path, lambda node: replace(node, authority=self.rests_on(path, node.authority)))
        self.then(path, lambda node: also_attested(node, self.siglum, theirs.authority))

    def missing(self, path: str, theirs: Any) -> None:
        self.fresh += ((inner, node) for inner, _, node in _with_path(theirs, path) if node.authority.citations)

    def has_words(self, path: str) -> bool:
        """Return whether the clause's own words are already attested by this text."""
        own = self.known[path]
        ruled = any(isinstance(each, s.Ruled) and self.siglum in each.sigla for each in apparatus_of(own))
        return ruled or any(each.document == self.siglum for each in own.authority.citations)

    def rests_on(self, path: str, own: s.Authority) -> s.Authority:
        """Return the authority of a clause without lines of its own: the lines of the nearest clause around it."""
        around = self.parents.get(path)
        while around and not self.known[around].authority:
            around = self.parents.get(around)
        return replace(own, citations=self.known[around].authority.citations) if around else own

    def otherwise(self, path: str, ours: Any, theirs: Any) -> None:
        """Merge a clause with other words: the text joins a variant with the same words, or gets a new one."""
        self.item("words", path, theirs)
        entries = [each for each in apparatus_of(ours) if not isinstance(each, s.Order)]
        words = whole_form(body_of(theirs))
        alike = [each for each in entries if isinstance(each, s.Variant) and whole_form(each.body) == words]
        if not any(self.siglum in each.sigla for each in alike):
            self.missing(path, theirs)
        if not theirs.authority.citations or not can_vary(ours) or any(self.siglum in each.sigla for each in entries):
            # Without lines the words are only the transcriber's, and a text has one variant at a clause.
            return
        if alike:
            self.then(path, partial(_joined, entry=alike[0], siglum=self.siglum, authority=theirs.authority))
            return
        variant = s.Variant(
            theirs.span, (Identifier(self.siglum, theirs.span),), _variant_body(theirs), theirs.authority
        )
        self.then(path, lambda node: with_entry(node, variant))

    def frame(self, path: str, ours: Any, theirs: Any) -> None:
        """Merge the statements around the inner clauses of a block: the game's stay, unless it has none there."""
        mine, other = (
            in_groups(statements_of(body_of(ours))),
            in_groups(statements_of(body_of(theirs))),
        )
        for at in (0, 3):  # the groups of choices and of steps, see `grouped`
            had, has = loose(mine[at]), loose(other[at])
            if has and had and had != has:
                self.item("frame", path, theirs)
                self.fresh += [(path, theirs)] if theirs.authority.citations else []
            elif has and not had and at:
                self.placed.update(inner for step in other[at] for inner, _, _ in clauses_in(step, path))
                self.then(path, lambda node: with_steps(node, theirs, path))
            elif has and not had:
                self.then(path, lambda node: with_choices(node, theirs))
        states = {each.name: form(each) for each in mine[2]}
        for state in other[2]:
            if state.name not in states:
                self.then(path, partial(inserted, piece=state, order=[]))
            elif states[state.name] != form(state):
                self.item("frame", path, theirs, f"the local state `{state.name}`")

    def orders(self, module: s.Module) -> None:
        """Compare the order of steps, as the last step of each block, when all inserted clauses are in their places."""
        for path, _, theirs in clauses_of(module):
            if path in self.known and path not in self.done and isinstance(body_of(theirs), s.Statement):
                self.then(path, partial(self.in_order, path, theirs))

    def in_order(self, path: str, theirs: Any, node: Any) -> Any:
        if late := _required_elsewhere(node, theirs):
            self.item("order", path, theirs, f"before the first step in one, after it in the other: {', '.join(late)}")
        labels = tuple(each.label for each in statements_of(body_of(theirs)) if isinstance(each, s.Clause))
        has_one = any(isinstance(each, s.Order) and self.siglum in each.sigla for each in apparatus_of(node))
        if has_one or not is_ordered_otherwise(node, labels):
            return node
        self.item("order", path, theirs, ", ".join(labels))
        self.fresh.append((path, theirs))
        return with_entry(
            node, s.Order(node.span, (Identifier(self.siglum, node.span),), labels, self.lines_of_steps(theirs))
        )

    def lines_of_steps(self, theirs: Any) -> s.Authority:
        """Return the lines of a block and of its steps, as the authority of their order."""
        authority = s.Authority(theirs.span)
        for node in (theirs, *statements_of(body_of(theirs))):
            if isinstance(node, s.Clause) or node is theirs:
                authority = cited(authority, self.siglum, lines_of(node.authority, self.siglum))
        return authority


def _with_path(node: Any, path: str) -> Iterator[tuple[str, str, Any]]:
    """Yield a clause and those inside it, as `clauses_in` does; path: the path of the clause."""
    yield path, "", node
    inside = body_of(node) if node is not body_of(node) else None
    if isinstance(inside, s.Node):
        yield from clauses_in(inside, path)


def _required_elsewhere(ours: Any, theirs: Any) -> list[str]:
    """Return the labels of requirements that are before the first step in one block and after it in the other."""
    groups = [in_groups(statements_of(body_of(each))) for each in (ours, theirs)]
    early = [{each.label for each in group[1]} for group in groups]
    late = [{each.label for each in group[3] if isinstance(each, s.Require)} for group in groups]
    return sorted(early[0] & late[1] | early[1] & late[0])


def _variant_body(theirs: Any) -> Any:
    body = body_of(theirs)
    # Exceptions have paths of their own, and are merged there.
    return replace(body, exceptions=(), apparatus=()) if isinstance(body, s.ValueBody) else body


def _joined(node: Any, entry: s.Variant, siglum: str, authority: s.Authority) -> Any:
    """Return the clause with one more text in one of its variants."""
    more = cited(entry.authority, siglum, lines_of(authority, siglum))
    joined = replace(entry, sigla=(*entry.sigla, Identifier(siglum, entry.span)), authority=more)
    entries: Iterable[s.Entry] = (joined if each is entry else each for each in apparatus_of(node))
    return with_apparatus(node, tuple(entries))
