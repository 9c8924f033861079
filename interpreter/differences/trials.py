"""What is played to see a divergence by itself: two texts of one game that differ in it, and in nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from ludex.grammar import nodes_in
from ludex.grammar import syntax as s
from ludex.spec import (
    Divergence,
    GameText,
    Request,
    common_parent,
    mentioned,
    said,
    to_json,
    with_clause_moved,
    with_clause_of,
    with_unsaid,
    without_clauses,
)
from ludex.spec import model as m
from ludex.spec import types as t

PLAYED = frozenset({
    "fact", "define", "require", "step", "arm", "branch", "except", "score", "winner", "refill", "setup", "play",
    "action",
})  # fmt: skip
"""Kinds of clauses that are carried out."""
UNPLAYED = (s.ExampleDeclaration, s.NoteDeclaration, s.TermsDeclaration, s.SilentDeclaration)
MOST_PARTS = 24
"""So many clauses of a stretch that an edition leaves out are tried by themselves."""
MOST_VALUES = 4
"""So many other values of an option are tried."""
MOST_WORK = 4000
"""So many actions, facts and defines are looked at, at all tables together, to see whether two readings come to the
same there: of a small game more tables are tried than of a large one."""
FOLLOWED = s.ValueDeclaration | s.TypeDeclaration | s.StateDeclaration | s.ZoneDeclaration | s.OptionDeclaration
"""Where a clause speaks of these, what they speak of matters to it."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Two texts that differ in what two editions say of one clause.

    Attributes:
        edition: the one in force in both, with what it borrows.
        left, right: whose reading each of them has.
        path: what the clause is called in that edition.
        whole: the clauses inside are exchanged too.
        silent: in the right one nothing is said.
        needing: the clauses of the right edition that need the value of which it says nothing: it cannot be left out,
            so play goes on until it is needed.
        also: the clauses that are left out with it, since they need it.
        instead: the clause around the one in question, where that is exchanged because it cannot stand alone.
        readings: how forks are read in both, where that is not as their editions do.
        options: likewise.
        everywhere: at each number of players, rather than at the lowest.
    """

    edition: str
    left: str
    right: str
    path: str
    texts: tuple[GameText, GameText]
    whole: bool = False
    silent: bool = False
    needing: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    instead: str | None = None
    readings: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, object], ...] = ()
    everywhere: bool = False

    def request(self, players: int) -> Request:
        """What is built of both texts."""
        return Request(players, self.edition, options=dict(self.options), readings=dict(self.readings))

    @property
    def otherwise(self) -> str:
        """What is not as by default, in words."""
        read = [f"`{name}` read as `{reading}`" for name, reading in self.readings]
        chosen = [f"`{name}` at {json.dumps(value)}" for name, value in self.options]
        return " and ".join([*read, *chosen])

    @property
    def is_left_real(self) -> bool:
        """Whether the left text is the left edition as it stands; else the right one is."""
        return self.edition == self.left


def bare(text: GameText) -> GameText:
    """A text without what changes nothing in play, and speaks of clauses by name: examples, notes, words for things,
    and where a text says nothing."""

    def less(module: s.Module) -> s.Module:
        kept = (each for each in module.declarations if not isinstance(each, UNPLAYED))
        return replace(module, declarations=tuple(kept))

    editions = {name: replace(file, module=less(file.module)) for name, file in text.editions.items()}
    return replace(text, game=replace(text.game, module=less(text.game.module)), editions=editions)


def pairs(divergence: Divergence) -> tuple[tuple[str, str], ...]:
    """The first group against each of the others, by an edition of each."""
    first, *others = divergence.groups
    return tuple((first[0], other[0]) for other in others)


def is_played(text: GameText, divergence: Divergence) -> bool:
    """Whether any of its clauses is carried out. text: `bare`."""
    return any(
        clauses[path].kind in PLAYED
        for name, clause in divergence.row.stated.items()
        for clauses in (said(text.editions[name].module.declarations),)
        for path in (clause.path, *divergence.under)
        if path in clauses
    )


def trials(text: GameText, divergence: Divergence, left: str, right: str) -> Iterator[tuple[Trial, ...]]:
    """Ways to play the difference between two editions, the best first; where none of one kind can be put together, one
    of the next kind perhaps can. text: `bare`."""
    stated = divergence.row.stated
    if right not in stated:
        yield from _without(text, divergence, left, right)
        return
    mine, theirs = stated[left].path, stated[right].path
    if divergence.kind == "timing":
        yield from _moved(text, divergence, left, right)
        return
    for whole in (True, False) if divergence.whole else (False, True):
        grafted = with_clause_of(text, left, mine, right, theirs, whole)
        other = with_clause_of(text, right, theirs, left, mine, whole)
        yield (
            Trial(left, left, right, mine, (text, grafted), whole),
            Trial(right, left, right, theirs, (other, text), whole),
        )


def all_left_out(text: GameText, divergence: Divergence, left: str, right: str) -> Trial:
    """A stretch of clauses left out at once, with what needs them. text: `bare`."""
    path, parts = divergence.row.stated[left].path, parts_left_out(text, divergence, left, right)
    paths = {each: None for part in parts for each in (part.path, *part.also)}
    return Trial(left, left, right, path, (text, without_clauses(text, tuple(paths))), silent=True)


def in_others(text: GameText, divergence: Divergence, left: str, right: str) -> Iterator[Trial]:
    """The difference between two editions in the games of the others that say the same as one of them: what is around
    the clause may be otherwise there. text: `bare`."""
    alike = {name: group for group in divergence.groups for name in group}
    stated = divergence.row.stated
    others = [(name, right) for name in alike[left] if name != left and name in stated]
    others += [(left, name) for name in alike[right] if name != right and name in stated]
    for one, other in others:
        theirs = one if one != left else other
        kind = next(trials(text, divergence, one, other), ())
        yield from (trial for trial in kind if trial.edition == theirs)


def _moved(text: GameText, divergence: Divergence, left: str, right: str) -> Iterator[tuple[Trial, ...]]:
    """The clause taken out of its place and put into the other's; or all that is inside the nearest clause around both
    exchanged."""
    mine, theirs = (divergence.row.stated[name].path for name in (left, right))
    made = (
        (left, mine, with_clause_moved(text, left, mine, right, theirs), True),
        (right, theirs, with_clause_moved(text, right, theirs, left, mine), False),
    )
    yield tuple(
        Trial(edition, left, right, path, (text, moved) if is_left else (moved, text), True)
        for edition, path, moved, is_left in made
        if moved is not None
    )
    around = common_parent(text, (left, mine), (right, theirs))
    if around is not None:
        grafted = with_clause_of(text, left, around, right, around, True)
        yield (Trial(left, left, right, around, (text, grafted), True, instead=around),)


def otherwise(text: GameText, trial: Trial, game: m.Game, with_users: bool = False) -> Iterator[Trial]:
    """The trial with options and forks of which the clause speaks taken otherwise, one at a time. game: of one side.
    with_users: also those of which the clauses speak that make use of it, so that it may count only there."""
    near = _names_near(text, trial, with_users)
    for fork in game.forks:
        if fork.name in near:
            others = (name for name, _ in fork.readings if name != fork.chosen)
            yield from (replace(trial, readings=((fork.name, name),)) for name in others)
    for option in game.options:
        if option.name in near:
            values = [value for value in t.values(option.type) if value != option.value][:MOST_VALUES]
            told = [to_json(option.type, value) for value in values]
            yield from (replace(trial, options=((option.name, value),)) for value in told)


def everywhere(text: GameText, trial: Trial, game: m.Game, players: int, with_users: bool) -> tuple[Trial, ...] | None:
    """The trial at all tables that the options and forks of which the clause speaks make together, but that by default;
    None if these are too many. game: of one side. players: how many numbers of players there are. with_users: as in
    `otherwise`."""
    near = _names_near(text, trial, with_users)
    forks = [[(fork.name, name) for name, _ in fork.readings] for fork in game.forks if fork.name in near]
    options = [option for option in game.options if option.name in near]
    tables = players * prod(map(len, forks)) * prod(t.size(option.type) or MOST_WORK for option in options)
    if tables > players and tables * (len(game.actions) + len(game.defines)) > MOST_WORK:
        return None
    taken = [[(each.name, to_json(each.type, value)) for value in t.values(each.type)] for each in options]
    default = tuple((fork.name, fork.chosen) for fork in game.forks if fork.name in near)
    usual = tuple((each.name, to_json(each.type, each.value)) for each in options)
    return tuple(
        replace(trial, readings=readings, options=values, everywhere=True)
        for readings in product(*forks)
        for values in product(*taken)
        if (readings, values) != (default, usual)
    )


def _names_near(text: GameText, trial: Trial, with_users: bool) -> frozenset[str]:
    """The names in the declarations that hold the clause, in the facts and defines that those call and in the nouns
    that they name: an option may make the board smaller. with_users: and in the declarations that use it."""
    declared: dict[str, list[s.Node]] = {}
    for noun in text.game.module.declarations:
        if isinstance(noun, FOLLOWED):
            declared.setdefault(noun.name, []).append(noun)
    for edition in {trial.left, trial.right, trial.edition}:
        for path, clause in said(text.editions[edition].module.declarations).items():
            if clause.parent is None:
                declared.setdefault(path, []).append(clause.node)
    found, waiting = set[str](), [trial.path.partition(".")[0], trial.path]
    if with_users:
        waiting += _users(declared, waiting[0])
    while waiting:
        for node in declared.get(waiting.pop(), ()):
            types = {each.name for each in nodes_in(node, but=s.Authority) if isinstance(each, s.TypeName)}
            names = {*mentioned(node), *types} - found
            found |= names
            waiting += [name for name in names if any(isinstance(n, FOLLOWED) for n in declared.get(name, ()))]
    return frozenset(found)


def _users(declared: Mapping[str, Sequence[s.Node]], name: str) -> list[str]:
    """The declarations that speak of one, and those that speak of these, and so on."""
    speaking = {user: set[str]().union(*map(mentioned, nodes)) for user, nodes in declared.items()}
    found = [name]
    for each in found:
        found += [user for user, names in speaking.items() if each in names and user not in found]
    return found[1:]


def resting_on(text: GameText, edition: str, name: str) -> tuple[str, ...]:
    """The clauses of an edition that speak of a fact, define or action by name, the innermost around each place;
    not those inside it."""
    clauses = said(text.editions[edition].module.declarations)
    inside = f"{name}."
    found = [
        path
        for path, clause in clauses.items()
        if path != name and not path.startswith(inside) and _speaks_of(clause.node, name)
    ]
    around = {path.rpartition(".")[0] for path in found}
    return tuple(path for path in found if path not in around)


def _needing(text: GameText, edition: str, path: str, stated: frozenset[str]) -> tuple[str, ...]:
    """The clauses that need a value or a word, be it by way of others, if the other edition states none of them."""
    found: list[str] = []
    waiting = [path]
    while waiting:
        more = {_outermost(each, stated) for each in resting_on(text, edition, waiting.pop())}
        if stated & more:
            return ()
        more -= {*found, path}
        found += sorted(more)
        waiting += [each for each in sorted(more) if "." not in each]
    return tuple(found)


def _outermost(path: str, stated: frozenset[str]) -> str:
    """The clause, or that around it in the same declaration of which the other edition says nothing."""
    names = path.split(".")
    around = (".".join(names[:count]) for count in range(2, len(names)))
    return next((each for each in around if each not in stated), path)


def _speaks_of(piece: object, name: str) -> bool:
    return any(name == _called(node) for node in nodes_in(piece, but=s.Authority))


def _called(node: s.Node) -> str | None:
    """The fact, state, zone or action that a node calls by name."""
    match node:
        case s.Name(name=called) | s.Place(name=called) | s.Call(action=called) | s.Can(action=called):
            return called
        case _:
            return None


def _without(text: GameText, divergence: Divergence, left: str, right: str) -> Iterator[tuple[Trial, ...]]:
    """The clause left out; of a stretch that is left out, each of its clauses by itself."""
    if divergence.gap is not None:
        yield parts_left_out(text, divergence, left, right)[:MOST_PARTS]
        return
    clause = divergence.row.stated[left]
    yield (_less(text, left, right, clause.path),)
    unsaid = _unsaid(text, left, right, clause.path)
    if unsaid is not None:
        yield (unsaid,)
    parent = clause.parent
    if parent is not None and parent in said(text.editions[right].module.declarations):
        grafted = with_clause_of(text, left, parent, right, parent, True)
        yield (Trial(left, left, right, parent, (text, grafted), whole=True, instead=parent),)


def parts_left_out(text: GameText, divergence: Divergence, left: str, right: str) -> tuple[Trial, ...]:
    """Each outermost clause of a stretch left out by itself. text: `bare`."""
    clauses = said(text.editions[left].module.declarations)
    theirs = frozenset(said(text.editions[right].module.declarations))
    paths = (divergence.row.stated[left].path, *divergence.under)
    played = [path for path in paths if path in clauses and clauses[path].kind in PLAYED]
    outer = [path for path in played if path.rpartition(".")[0] not in played]
    return tuple(
        _unsaid(text, left, right, path) or _less(text, left, right, path, _needing(text, left, path, theirs))
        for path in outer
    )


def _less(text: GameText, left: str, right: str, path: str, also: tuple[str, ...] = ()) -> Trial:
    texts = text, without_clauses(text, (path, *also))
    return Trial(left, left, right, path, texts, silent=True, also=also)


def _unsaid(text: GameText, left: str, right: str, path: str) -> Trial | None:
    """Nothing says what a fact or define is; None if no clause of the right edition needs it."""
    clause = said(text.editions[left].module.declarations)[path]
    needing = resting_on(text, right, path) if isinstance(clause.node, s.ValueDeclaration) else ()
    if not needing:
        return None
    return Trial(left, left, right, path, (text, with_unsaid(text, path)), silent=True, needing=needing)
