"""What editions share out otherwise between a define and the clauses that use it: a condition that one writes inside of
it and another where it is used.

Nothing but its users can tell what a define is. If each of them, with the define put in, says the same in all editions,
these say the same together, though neither the define nor its users do by themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import accumulate
from typing import TypeGuard

from ludex.grammar import nodes_in, same_meaning
from ludex.grammar import syntax as s

from ..model import ClauseKind
from .align import Alignment
from .building import UNTOLD, is_constant
from .cases import by_cases
from .divergences import Divergence
from .helpers import Values, mentioned, without_cycles
from .meanings import Meanings
from .names import Form, holds, names_in
from .rows import Row
from .said import CONTAINERS, is_rest

MOST = 4
"""So many defines that use each other are put in."""
INSIDE = (s.Clause, s.Require, s.ValueArm, s.StepArm, s.ValueException, s.StepException, s.Criterion)
"""Clauses of their own inside a clause."""
UNPLAYED = (s.ExampleDeclaration, s.TermsDeclaration, s.SilentDeclaration)


@dataclass(frozen=True, slots=True)
class Carried:
    """Rows that say the same together, though not each by itself.

    Attributes:
        users: the rows of the clauses in which the defines are put in.
        editions: by row, those of the defines and users, and all inside of them: the editions of which it is true; also
            such as say in the other rows what is said here.
    """

    users: tuple[str, ...]
    editions: Mapping[str, frozenset[str]]


def carried(
    parted: Iterable[Divergence],
    rows: Sequence[Row],
    texts: Mapping[str, s.Module],
    game: s.Module | None,
    alignment: Alignment,
    meanings: Meanings,
) -> Iterator[Carried]:
    """What is shared out otherwise between a define and its users. parted: where editions part."""
    told, declared = [*parted], {name: _values(module) for name, module in texts.items()}
    sought = dict.fromkeys(name for each in told for name in _sought(each, declared))
    inner = [each.row.clause for each in told if _is_shared_out(each)]
    if not sought and not inner:
        return
    carrying = _Carrying(_by_place(rows), alignment, meanings, _uses(texts, game, alignment, meanings))
    wholes = (carrying.within(row) for row in dict.fromkeys(map(carrying.whole_around, inner)))
    yield from (each for each in wholes if each is not None)
    known: set[str] = set()
    for name in sought:
        found = None if name in known else carrying.of(name)
        if found is not None:
            known.update(row.split(".")[0] for row in found.editions)
            yield found


VALUES = frozenset({"fact", "define", "score", "require", "arm", "except"})
"""Kinds of clauses that say what a value is, and of what they are made."""


def carried_rows(found: Iterable[Carried]) -> dict[str, frozenset[str]]:
    """By row, the editions that say the same there together with other rows."""
    editions: dict[str, frozenset[str]] = {}
    for each in found:
        for row, names in each.editions.items():
            editions[row] = editions.get(row, names) & names
    return editions


def joined(alike: Sequence[Row], alone: Collection[str], found: Iterable[Carried]) -> list[Row]:
    """The rows in which editions do not part; of those that only say the same together, all with a clause that uses
    what is put in. alone: the rows in which editions part by themselves."""
    rows = {row.clause: row for row in alike}
    for each in found:
        head = next((rows[name] for name in each.users if name in rows), None)
        if head is None:
            continue
        names = [name for name in each.editions if name in alone and name in rows and name != head.clause]
        others = [rows.pop(name) for name in dict.fromkeys(names)]
        flat = (row for other in others for row in (replace(other, together=()), *other.together))
        rows[head.clause] = replace(head, together=(*head.together, *flat))
    return [rows[row.clause] for row in alike if row.clause in rows]


def _sought(found: Divergence, declared: Mapping[str, Values]) -> Iterator[str]:
    """Facts and defines in which editions part, or of which a clause speaks in which they do."""
    name = found.row.clause.split(".")[0]
    groups = [group for group in found.groups if any(name in declared[edition] for edition in group)]
    if len(groups) > 1:
        yield name
    if _says_two_things(found):
        for edition, clause in found.row.stated.items():
            yield from (each for each in _mentioned_itself(clause.node) if each in declared[edition])


def _is_shared_out(found: Divergence) -> bool:
    """Whether the clause around what differs may be the same all the same."""
    return found.row.kind in VALUES and (_says_two_things(found) or found.row.kind in ("arm", "except"))


def _says_two_things(found: Divergence) -> bool:
    return len([group for group in found.groups if group[0] in found.row.stated]) > 1


def _by_place(rows: Iterable[Row]) -> Mapping[tuple[str, str], Sequence[Row]]:
    """The rows by edition and the clauses in which they stand, themselves among them."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        for edition, clause in row.stated.items():
            for path in accumulate(clause.path.split("."), "{}.{}".format):
                found.setdefault((edition, path), []).append(row)
    return found


# ---- who uses what ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Uses:
    """Where facts and defines are used.

    Attributes:
        declared: by edition, those that can be put in: all but those of which the game file speaks.
        users: by name and edition, the rows of the clauses that speak of it themselves, not in a clause inside.
        hidden: the names that are also spoken of where nothing is compared.
    """

    declared: Mapping[str, Values]
    users: Mapping[str, Mapping[str, Sequence[str]]]
    hidden: frozenset[str]


def _uses(texts: Mapping[str, s.Module], game: s.Module | None, alignment: Alignment, meanings: Meanings) -> _Uses:
    of_game = frozenset(mentioned(game.declarations)) if game else frozenset[str]()
    users: dict[str, dict[str, list[str]]] = {}
    hidden: set[str] = set()
    for edition, module in texts.items():
        played = tuple(node for node in module.declarations if not isinstance(node, UNPLAYED))
        left = Counter(mentioned(played))
        for path, (clause, _) in meanings.clauses[edition].items():
            if isinstance(clause.node, UNPLAYED):
                continue
            own = Counter(_mentioned_itself(clause.node))
            left.subtract(own)
            for name in own:
                users.setdefault(name, {}).setdefault(edition, []).append(alignment.row_of[edition, path])
        hidden.update(name for name, times in left.items() if times)
    declared = {name: _values(module, of_game) for name, module in texts.items()}
    return _Uses(declared, users, frozenset(hidden))


def _values(module: s.Module, of_game: frozenset[str] = frozenset()) -> Values:
    declared = (node for node in module.declarations if isinstance(node, s.ValueDeclaration))
    return {node.name: node for node in declared if node.name not in of_game}


def _mentioned_itself(node: s.Node) -> Iterator[str]:
    """The names of which a clause speaks, but for the clauses inside it."""
    return (each.name for each in _nodes_itself(node) if isinstance(each, s.Name))


def _nodes_itself(node: s.Node) -> Iterator[s.Node]:
    return nodes_in(tuple(getattr(node, each.name) for each in fields(node)), (s.Authority, *INSIDE))


# ---- what is put in where ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Carrying:
    """What is needed to put defines in, and to see whether editions say the same then.

    Attributes:
        rows: by edition and the clauses in which they stand.
    """

    rows: Mapping[tuple[str, str], Sequence[Row]]
    alignment: Alignment
    meanings: Meanings
    uses: _Uses
    _rests: dict[str, s.ValueArm | None] = field(default_factory=dict)

    def of(self, name: str) -> Carried | None:
        """The rows that say the same together with a define; with those defines that use it, where these do not yet."""
        inside: tuple[str, ...] = (name,)
        while len(inside) <= MOST and not any(map(_are_other_values, self._inside(self._paths(inside[-1])))):
            found = self._users(inside)
            if not isinstance(found, str):
                return None if found is None else Carried(found, dict(self._editions(inside, found)))
            inside = (*inside, found)
        return None

    def whole_around(self, row: str) -> str:
        """The outermost clause around a row that says something itself."""
        around = self._around(row)
        while around is not None and self._kind(around) not in CONTAINERS:
            row, around = around, self._around(around)
        return row

    def _kind(self, row: str) -> ClauseKind:
        edition, path = next(iter(self.alignment.path_in[row].items()))
        return self.alignment.clauses[edition][path].kind

    def within(self, row: str) -> Carried | None:
        """A clause with all inside it, if that is only shared out otherwise there."""
        stating = self.alignment.path_in[row]
        found = Carried((row,), dict(self._editions((), (row,))))
        if self._kind(row) not in VALUES or len(stating) < 2 or any(map(_are_other_values, self._inside(stating))):
            return None
        return found if self._is_same(row, frozenset(stating), {name: {} for name in stating}) else None

    def _users(self, inside: tuple[str, ...]) -> tuple[str, ...] | str | None:
        """The rows that use some defines, if they all say the same then; else a define around one that does not, or
        None."""
        values = {
            edition: {name: declared[name] for name in inside if name in declared}
            for edition, declared in self.uses.declared.items()
        }
        if not self._can_be_put_in(inside, values):
            return None
        speaking = frozenset(edition for edition, each in values.items() if each)
        users = (row for name in inside for rows in self.uses.users.get(name, {}).values() for row in rows)
        found: dict[str, None] = {}
        for user in dict.fromkeys(users):
            if self._declaration(user) in inside:
                continue
            row: str | None = user
            while row is not None and not self._is_same(row, speaking, values):
                row = self._around(row)
            if row is None:
                return self._value_around(user, inside)
            found[row] = None
        return tuple(found) if len(speaking) > 1 and found else None

    def _can_be_put_in(self, inside: Sequence[str], values: Mapping[str, Values]) -> bool:
        """Whether all that speaks of the defines is compared, each edition uses those that it has, and none comes back
        to itself."""
        used = all(edition in self.uses.users.get(name, ()) for edition, each in values.items() for name in each)
        return (
            used
            and not self.uses.hidden & {*inside}
            and all(len(without_cycles(each)) == len(each) for each in values.values())
        )

    def _is_same(self, row: str, speaking: frozenset[str], values: Mapping[str, Values]) -> bool:
        """Whether all editions that have some defines state a row, and all that state it say the same when these are
        put in."""
        paths = self.alignment.path_in[row]
        if not speaking <= paths.keys():
            return False
        forms = {by_cases(self._put_in(name, path, values[name])) for name, path in paths.items()}
        names = {each for put_in in values.values() for each in put_in}
        return len(forms) == 1 and not any(names_in(form) & names for form in forms)

    def _put_in(self, edition: str, path: str, values: Values) -> Form:
        form = self.meanings.put_in(edition, path, values)
        if not holds(form, UNTOLD):
            return form
        return self.meanings.put_in(edition, path, {name: self._with_rest(value) for name, value in values.items()})

    def _with_rest(self, node: s.ValueDeclaration) -> s.ValueDeclaration:
        """A `match` without `otherwise`, with that of other editions where it rests on nothing: so it is played."""
        rest, told = self._rest(node.name), node.body.value
        if rest is None or not isinstance(told, s.ValueMatch) or any(map(_is_otherwise, told.arms)):
            return node
        return replace(node, body=replace(node.body, value=replace(told, arms=(*told.arms, rest))))

    def _rest(self, name: str) -> s.ValueArm | None:
        """What all editions that say it, without a line for it, call the rest of a `match`; a plain value."""
        if name not in self._rests:
            clauses = self.meanings.clauses.values()
            stated = [all_[f"{name}.otherwise"][0] for all_ in clauses if f"{name}.otherwise" in all_]
            arms = [each.node for each in stated if is_rest(each) and isinstance(each.node, s.ValueArm)]
            is_plain = len(arms) == len(stated) > 0 and not any(True for _ in mentioned(arms[0].value))
            is_one = is_plain and all(same_meaning(arm.value, arms[0].value) for arm in arms)
            self._rests[name] = arms[0] if is_one else None
        return self._rests[name]

    def _declaration(self, row: str) -> str:
        return next(iter(self.alignment.path_in[row].values())).split(".")[0]

    def _around(self, row: str) -> str | None:
        edition, path = next(iter(self.alignment.path_in[row].items()))
        above = self.alignment.clauses[edition][path].parent
        return None if above is None else self.alignment.row_of[edition, above]

    def _value_around(self, row: str, inside: tuple[str, ...]) -> str | None:
        """The fact or define in which a row stands, if it can be put in, too."""
        name = self._declaration(row)
        is_value = any(name in declared for declared in self.uses.declared.values())
        return name if is_value and name not in inside else None

    def _paths(self, name: str) -> Mapping[str, str]:
        """A define's path in each edition that has it."""
        return {edition: name for edition, declared in self.uses.declared.items() if name in declared}

    def _inside(self, paths: Mapping[str, str]) -> Iterable[Row]:
        """The rows of a clause, told by its path in each edition, and of all inside it."""
        found = (row for place in paths.items() for row in self.rows.get(place, ()))
        return {row.clause: row for row in found}.values()

    def _editions(self, inside: tuple[str, ...], users: tuple[str, ...]) -> Iterator[tuple[str, frozenset[str]]]:
        stating = {user: self.alignment.path_in[user] for user in users}
        of_all = frozenset.intersection(*map(frozenset, stating.values()))
        yield from ((row.clause, of_all) for name in inside for row in self._inside(self._paths(name)))
        yield from ((row.clause, frozenset(paths)) for paths in stating.values() for row in self._inside(paths))


def _are_other_values(row: Row) -> bool:
    """Whether editions give a thing different values; that is told, even where others in turn make up for it."""
    said = {form[-1] if _is_function(form) else form for form in (clause.form for clause in row.stated.values())}
    return len([each for each in said if is_constant(each)]) > 1


def _is_function(form: Form) -> TypeGuard[tuple[Form, ...]]:
    return isinstance(form, tuple) and form[0] == "function"


def _is_otherwise(arm: s.ValueArm) -> bool:
    return any(each.kind == "otherwise" for each in arm.patterns)
