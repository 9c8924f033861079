"""Sampling of mutants and controls: drawn by a seed, as many of each operator as a game yields."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from itertools import pairwise
from random import Random

from ludex.grammar import syntax as s

from .lexicon import lexicon
from .operators import NAMED, OPERATORS, SELDOM
from .results import name_of
from .rewrites import REWRITES
from .texts import Copy, Original, copied, paths_in, playable
from .trees import Spot, changed, spots

TRIED = 12
"""The number of places that are tried for one mutant."""
SEVERAL = 6
"""The number of texts that are rewritten at several places."""
OFTEN = 4
"""The number of rewrites that are applied to such a text."""


@dataclass(frozen=True, slots=True)
class ChangedText:
    """A changed text.

    Attributes:
        operator: the operator or rewrite that made it.
        control: whether it keeps the meaning.
        clause: the path of the changed clause.
    """

    id: str
    game: str
    edition: str | None
    operator: str
    control: bool
    clause: str
    told: tuple[str, ...]
    copy: Copy


@dataclass(frozen=True, slots=True)
class Draft:
    """A changed text that may not be a game. clause: the path of the clause around the place."""

    original: Original
    clause: str
    module: s.Module


@dataclass(slots=True)
class Tally:
    """Counts the drafts that were no games."""

    dropped: int = 0


def mutants(originals: Sequence[Original], number: int, seed: int, tally: Tally) -> list[ChangedText]:
    """Return `number` mutants of a game: one of each operator in turn, at places drawn by the seed."""
    return _drawn(_by_name(originals, changes), number, False, seed, tally)


def controls(originals: Sequence[Original], number: int, seed: int, tally: Tally) -> list[ChangedText]:
    """Return `number` controls of a game, in the same way."""
    return _drawn(_by_name(originals, rewritings), number, True, seed, tally)


def _by_name(
    originals: Sequence[Original], find: Callable[[Original], Iterator[tuple[str, Draft]]]
) -> dict[str, list[Draft]]:
    drafts: dict[str, list[Draft]] = {}
    for original in originals:
        for name, draft in find(original):
            drafts.setdefault(name, []).append(draft)
    return drafts


def changes(original: Original) -> Iterator[tuple[str, Draft]]:
    """Yield all mutants of the clauses that a text attests, games or not, each with the operator's name."""
    known = lexicon(original.module)
    for spot, clause in _places(original.module):
        if not original.attests(clause):
            continue
        for operator in OPERATORS:
            for change in operator.find(spot, known):
                module = changed(original.module, spot.way, change)
                yield operator.name, Draft(original, clause, module)


def rewritings(original: Original) -> Iterator[tuple[str, Draft]]:
    """Yield all rewrites, and some texts with several rewrites."""
    for name, clause, module in _rewritten(original, original.module):
        yield name, Draft(original, clause, module)
    for at in range(SEVERAL):
        yield from _often_rewritten(original, Random(f"{original.game} {original.edition} {at}"))


def _rewritten(original: Original, module: s.Module) -> Iterator[tuple[str, str, s.Module]]:
    known = lexicon(module)
    for spot, clause in _places(module):
        for rewrite in REWRITES:
            for other in rewrite.find(module, spot, known):
                yield rewrite.name, clause, other


def _often_rewritten(original: Original, rng: Random) -> Iterator[tuple[str, Draft]]:
    """Yield texts with several kinds of rewrites, one after another; reported at the place of the first."""
    module, first, done = original.module, None, set[str]()
    for _ in range(OFTEN):
        rewritten = next(_rewritten_at_random(original, module, done, rng), None)
        if rewritten is None:
            return
        name, clause, module = rewritten
        first = first or clause
        done.add(name)
    if first is not None:
        yield "several at once", Draft(original, first, module)


def _rewritten_at_random(
    original: Original, module: s.Module, done: Collection[str], rng: Random
) -> Iterator[tuple[str, str, s.Module]]:
    known, places = lexicon(module), list(_places(module))
    rewrites = [each for each in REWRITES if each.name not in done]
    rng.shuffle(rewrites)
    rng.shuffle(places)
    for rewrite in rewrites:
        for spot, clause in places:
            yield from ((rewrite.name, clause, other) for other in rewrite.find(module, spot, known))


def _places(module: s.Module) -> Iterator[tuple[Spot, str]]:
    """Yield the places, each with the path of the innermost clause around it.

    Places in readings of a fork that are not taken are left out.
    """
    paths = paths_in(module)
    taken: dict[str, str] = {
        node.name: node.default for node in module.declarations if isinstance(node, s.ForkDeclaration)
    }
    for spot in spots(module):
        known = (paths.get(id(node)) for node in reversed((*spot.around, spot.node)))
        clause = next(path for path in known if path is not None)
        if not _is_unread(spot, taken):
            yield spot, clause


def _is_unread(spot: Spot, taken: Mapping[str, str]) -> bool:
    chain = (*spot.around, spot.node)
    for outer, inner in pairwise(chain):
        match outer, inner:
            case s.Match(subject=s.Name(name=fork)) | s.ValueMatch(
                subject=s.Name(name=fork)
            ), s.StepArm() | s.ValueArm():
                if fork in taken and all(pattern.name not in (taken[fork], None) for pattern in inner.patterns):
                    return True
    return False


def _drawn(drafts: dict[str, list[Draft]], number: int, control: bool, seed: int, tally: Tally) -> list[ChangedText]:
    """Draw from the operators in turn, so that none is drawn much more often than another.

    The order differs from game to game, but the most important operators come first.
    """
    names = sorted(drafts)
    game = next((each.original.game for found in drafts.values() for each in found), "")
    Random(f"{seed} {game} {control}").shuffle(names)
    # The sort is stable, so each of both groups keeps the order that was drawn.
    names.sort(key=lambda name: name not in NAMED)
    turn = [name for name in names for _ in range(2 if name in SELDOM else 1)]
    for name in names:
        Random(f"{seed} {game} {name}").shuffle(drafts[name])
    drawn: dict[str, ChangedText] = {}
    while len(drawn) < number and any(drafts.values()):
        for name in turn:
            found = _next(drafts[name], name, control, tally) if len(drawn) < number else None
            if found is not None:
                # Two operators may make the same text.
                drawn.setdefault(found.id, found)
    return list(drawn.values())


def _next(drafts: list[Draft], name: str, control: bool, tally: Tally) -> ChangedText | None:
    for _ in range(min(TRIED, len(drafts))):
        draft = drafts.pop()
        mutant = _made(draft, name, control)
        if mutant is not None:
            return mutant
        tally.dropped += 1
    return None


def _made(draft: Draft, name: str, control: bool) -> ChangedText | None:
    original = draft.original
    copy = copied(original, draft.module)
    before = original.text.game.text.splitlines()
    if copy is None or before == copy.written.splitlines() or not playable(copy.text, original.players):
        return None
    changed = tuple(_lines(before, copy.written.splitlines()))
    key = name_of(original.game, original.edition, name, draft.clause, changed)
    return ChangedText(key, original.game, original.edition, name, control, draft.clause, changed, copy)


def _lines(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """Return the lines that are not in both, without their citations."""
    for line in unified_diff(before, after, n=0, lineterm=""):
        if line[:1] in "+-" and line[:3] not in ("+++", "---"):
            yield line[0] + line[1:].partition("  [")[0].rstrip()
