"""Editions of one game, clause by clause: where they agree, and where they part.

modules -> what each says -> aligned -> one row a clause -> divergences and agreements
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ludex.grammar import syntax as s

from ..model import ClauseKind
from ..silences import silences
from .align import Alignment, align
from .building import FALSE, NOTHING, TRUE
from .carried import carried, carried_rows, joined
from .divergences import Divergence, divergence, kind_between, own_forms, silence
from .gathering import Gathering, gathered
from .helpers import Helpers, helpers_of, mentioned
from .kinds import labels
from .meanings import Meanings
from .names import Form, Shared, shared_by
from .parts import shared_out_otherwise
from .rows import Row, rows_of, with_marks
from .said import Said, Where, heard, is_rest
from .steps import read_of

COMPARED: frozenset[ClauseKind] = frozenset({
    "fact", "define", "note", "require", "step", "arm", "branch", "except", "score", "winner", "refill", "example",
    "term", "setup", "play", "action",
})  # fmt: skip
"""What a text states of the game. Types, zones, states and options are how a transcriber writes it down; forks are
where he doubts."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What `compare` found.

    Attributes:
        divergences: in the order of the texts.
        agreements: rows in which at least two editions speak, and all that speak say the same.
    """

    editions: tuple[str, ...]
    divergences: tuple[Divergence, ...]
    agreements: tuple[Row, ...]


def compare(texts: Mapping[str, s.Module], shared: s.Module | None = None) -> Comparison:
    """Compare the editions of a game, by name. shared: the game file, whose words and rows are values like numbers."""
    words = shared_by(shared, texts.values())
    helpers = helpers_of(texts, shared, words)
    heard_ = {name: _compared(module, words, helpers.own[name]) for name, module in texts.items()}
    clauses = {name: {path: clause for path, (clause, _) in all_.items()} for name, all_ in heard_.items()}
    meanings = Meanings(heard_, helpers)
    table = _Table(align(clauses, meanings.telling), meanings)
    rows = tuple(rows_of(clauses, table.alignment))
    inside = dict(shared_out_otherwise(rows, table.alignment, table.meanings))
    wholes = {*inside.values()}
    alone = table.divergences(rows, wholes)
    together = tuple(carried(alone.values(), rows, texts, shared, table.alignment, meanings))
    told = replace(table, carried=carried_rows(together)).divergences(rows, wholes) if together else alone
    agreements = joined([row for row in rows if row.clause not in told], alone, together)
    how = Gathering(tuple(texts), rows, inside, dict(_users(heard_, helpers, table.alignment)))
    marked = {name: silences(module) for name, module in texts.items()}
    divergences = (replace(each, row=with_marks(each.row, marked, each.under)) for each in gathered(told.values(), how))
    alike = (with_marks(row, marked) for row in agreements if len(row.stated) > 1)
    return Comparison(tuple(texts), tuple(divergences), tuple(alike))


def _compared(
    module: s.Module, shared: Shared, helpers: Mapping[str, s.ValueDeclaration]
) -> dict[str, tuple[Said, Where]]:
    """What is compared of a text: all but what is a doubt of its transcriber. Of a fork it is the reading that is
    taken, which stands in the clause around it; what is only written down for one that is not taken is left out."""
    found = _read(module, shared, helpers, frozenset())
    own = {node.name for node in module.declarations if isinstance(node, s.StateDeclaration)}
    idle = own.difference(*(read_of(clause.form) for clause, _ in found.values())) if own else own
    return _read(module, shared, helpers, frozenset(idle)) if idle else found


def _read(
    module: s.Module, shared: Shared, helpers: Mapping[str, s.ValueDeclaration], idle: frozenset[str]
) -> dict[str, tuple[Said, Where]]:
    found: dict[str, tuple[Said, Where]] = {}
    above: dict[str, str | None] = {}
    for path, (clause, where) in heard(module.declarations, shared, helpers, idle).items():
        above[path] = clause.parent
        is_doubt = not where.read or (clause.kind == "arm" and where.doubted)
        if clause.kind in COMPARED and not is_doubt:
            parent = clause.parent
            while parent is not None and parent not in found:
                parent = above.get(parent)
            found[path] = replace(clause, parent=parent), where
    return found


def _users(
    heard_: Mapping[str, Mapping[str, tuple[Said, Where]]], helpers: Helpers, alignment: Alignment
) -> Iterator[tuple[str, frozenset[str]]]:
    """By a helper's row: the rows of the clauses that use it."""
    found: dict[str, set[str]] = {}
    for name, clauses in heard_.items():
        for path, (clause, _) in clauses.items():
            for each in helpers.own[name].keys() & frozenset(mentioned(clause.node)):
                if path.split(".")[0] != each:
                    found.setdefault(alignment.row_of[name, each], set()).add(alignment.row_of[name, path])
    for row, users in found.items():
        yield row, frozenset(users)


@dataclass(frozen=True, slots=True)
class _Table:
    """What is needed to say whether the editions part in a row.

    Attributes:
        carried: by row, the editions that say the same there together with other rows.
    """

    alignment: Alignment
    meanings: Meanings
    carried: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def divergences(self, rows: Iterable[Row], wholes: Collection[str]) -> dict[str, Divergence]:
        """All of them, by row."""
        found = ((row.clause, self.divergence(row, row.clause in wholes)) for row in rows)
        return {clause: each for clause, each in found if each is not None}

    def divergence(self, row: Row, is_whole: bool) -> Divergence | None:
        """How they part in a row, if they do. is_whole: they share out what they say among the clauses inside it in
        their own ways, so that it is compared with them."""
        if is_whole:
            row = replace(row, statements={name: self._with_parts(name, each) for name, each in row.statements.items()})
        found = self._parting(row, is_whole)
        return replace(found, idle=self._is_idle(row)) if found else None

    def _parting(self, row: Row, is_whole: bool) -> Divergence | None:
        groups = self._groups(row)
        moved = self.alignment.moved.get(row.clause)
        if len(groups) > 1:
            return replace(divergence(row, groups, kind_between(row, groups)), whole=is_whole)
        if moved is not None:
            return divergence(row, moved, "timing")
        missing = self._missing(row)
        if not missing:
            return None
        covered = tuple(name for name in row.silent if name not in missing)
        speaking = ((*groups[0], *covered),)
        return divergence(row, speaking, silence(row, speaking))

    def _is_idle(self, row: Row) -> bool:
        """Whether it asks for nothing and does nothing, whoever states it."""
        if row.kind not in ("require", "step"):
            return False
        return all(self.meanings.whole(name, clause.path) in (TRUE, NOTHING) for name, clause in row.stated.items())

    def _with_parts(self, name: str, clause: Said | None) -> Said | None:
        form = None if clause is None else self.meanings.whole(name, clause.path)
        return clause if clause is None or form is None else replace(clause, form=form)

    def _groups(self, row: Row) -> tuple[tuple[str, ...], ...]:
        """The editions by what they say."""
        forms = own_forms(row)
        found: list[list[str]] = []
        for name in forms:
            alike = (each for each in found if all(self._is_same(row, forms, known, name) for known in each))
            group = next(alike, None)
            if group is None:
                found.append([name])
            else:
                group.append(name)
        return tuple(map(tuple, found))

    def _is_same(self, row: Row, forms: Mapping[str, Form], one: str, other: str) -> bool:
        """By what they say by themselves, with the game's own words put in; as wholes; or because one says in other
        clauses what the other says here."""
        if forms[one] == forms[other] or {one, other} <= self.carried.get(row.clause, frozenset()):
            return True
        if row.kind == "note":  # what one tells in words only, the other may say with a value
            return ("told",) in (forms[one], forms[other]) and FALSE not in (forms[one], forms[other])
        if row.kind == "term":
            return repr(forms[one]).casefold() == repr(forms[other]).casefold()
        if row.kind == "example":
            return False
        if self.alignment.shared_out(row.clause, one, other):
            return True
        paths = {name: self.alignment.path_in[row.clause][name] for name in (one, other)}
        wholes = {self.meanings.whole(name, path) for name, path in paths.items()}
        if len(wholes) == 1 and None not in wholes:
            return True
        put_in = {name: self.meanings.unfolded(name, path) for name, path in paths.items()}
        stated = {name: replace(row.stated[name], form=form) for name, form in put_in.items()}
        unfolded = own_forms(replace(row, statements=stated))
        return unfolded[one] == unfolded[other]

    def _missing(self, row: Row) -> tuple[str, ...]:
        """Whose silence says something: not of a word in another language, of what holds nothing but other clauses, or
        of what the silent editions say in clauses of other names, or in the clause around it."""
        if row.kind == "term" or all(map(is_rest, row.stated.values())):
            return ()
        holds_others = any(True for clause in row.stated.values() for _ in labels(clause.form))
        if holds_others and set(own_forms(row).values()) == {NOTHING}:
            return ()
        name = next(iter(row.stated))
        carried = self.carried.get(row.clause, frozenset())
        return tuple(each for each in row.silent if each not in carried and not self._is_covered(row, name, each))

    def _is_covered(self, row: Row, name: str, silent: str) -> bool:
        if self.alignment.shared_out(row.clause, name, silent):
            return True
        above = row.stated[name].parent
        while above is not None:
            path = self.alignment.path_in[self.alignment.row_of[name, above]].get(silent)
            if path is not None:
                whole = self.meanings.whole(name, above)
                if whole is not None and whole == self.meanings.whole(silent, path):
                    return True
            above = self.alignment.clauses[name][above].parent
        return False
