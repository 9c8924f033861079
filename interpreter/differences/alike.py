"""Whether two builds of one game are the same game in other words: what a form (`meaning`) can prove."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ludex.spec import model as m

from ..engine import Engine
from ..walk import nodes_called, reachable
from .meaning_steps import Steps
from .normal_forms import Form, TooLarge, constant, risky
from .reached import Reached
from .unread import never_looked_at
from .value_tables import same_table


class Alike:
    """Two games at one table, compared part by part. What cannot be decided counts as different."""

    def __init__(self, left: Engine, right: Engine, reached: tuple[Reached, Reached] | None = None) -> None:
        """reached: what play of each can hold, statement by statement."""
        self._engines, self._games = (left, right), (left.game, right.game)
        mine, theirs = reached or (None, None)
        self._forms = Steps(left, mine), Steps(right, theirs)
        self.unread_in: frozenset[str] = frozenset()
        """What both may come to differ in, and nothing asks for, where that is why they are alike."""

    def define(self, name: str) -> bool:
        """Whether a fact or define has the same value in both, for all arguments in all positions."""
        if any(name not in game.defines for game in self._games):
            return False
        if same_table(*self._engines, name):
            return True
        try:
            one, other = (forms.meaning.define(name) for forms in self._begun())
        except (TooLarge, RecursionError):
            return False
        return bool(one == other)

    def play(self, actions: frozenset[str], routines: Sequence[str]) -> bool:
        """Whether both are played and counted alike, the parts that no player or rule can tell apart left out.
        actions, routines: those that are not known to be the same."""
        try:
            one, other = (dict(self._parts(forms, game, actions, routines)) for forms, game in self._sides())
        except (TooLarge, RecursionError):
            return False
        if one.keys() != other.keys():
            return False
        read = self._read(actions, routines) | set(_reads((*one.values(), *other.values())))
        return all(_less(one[name], read) == _less(other[name], read) for name in one)

    def unread(self, actions: frozenset[str], routines: Sequence[str]) -> bool:
        """Whether nothing ever asks for what is not told alike in these; all else is told alike."""
        self.unread_in = never_looked_at(*self._engines, sorted(actions), routines)
        return bool(self.unread_in)

    def _begun(self) -> tuple[Steps, Steps]:
        for forms in self._forms:
            forms.meaning.begin()
        return self._forms

    def _sides(self) -> Iterator[tuple[Steps, m.Game]]:
        return zip(self._begun(), self._games, strict=True)

    @staticmethod
    def _parts(
        forms: Steps, game: m.Game, actions: frozenset[str], routines: Sequence[str]
    ) -> Iterator[tuple[str, Form]]:
        for name in sorted(actions & used_actions(game)):
            yield f"action {name}", forms.action(name)
        for routine in routines:
            yield routine, forms.routine(game.setup if routine == "setup" else game.play)
        scores = [forms.value(each.value) for each in game.scores]
        told = tuple(sorted((score for score in scores if score != constant(0)), key=repr))
        yield "scores", (bool(scores), told)
        yield "winner", tuple((each.kind, each.value and forms.value(each.value)) for each in game.winner)

    def _read(self, actions: frozenset[str], routines: Sequence[str]) -> set[str]:
        """The states and zones that the parts read that are not put into a form here."""
        return {name for game in self._games for name in _read_of(game, used_actions(game) - actions, routines)}


def used_actions(game: m.Game) -> frozenset[str]:
    """The actions that play or set-up comes to, or asks for."""
    starts = [game.play, *([game.setup] if game.setup else []), *game.scores, *game.winner]
    return frozenset(
        node.action for node in reachable(game, starts) if isinstance(node, m.Perform | m.ActionOption | m.CanPerform)
    )


def _read_of(game: m.Game, actions: frozenset[str], formed: Sequence[str]) -> Iterator[str]:
    """The elements that actions and the other routines read, with the defines that they call."""
    others = [each for each in (game.play, game.setup) if each is not None and each.name not in formed]
    for part in (*(game.actions[name] for name in actions), *others):
        yield from _elements(nodes_called(game, part))
    yield from (zone.element.name for each in game.refills for zone in (each.zone, each.source))
    yield from _elements(nodes_called(game, *(each.initial for each in game.elements if each.initial is not None)))


def _elements(found: Iterable[Any]) -> Iterator[str]:
    return (node.element.name for node in found if isinstance(node, m.Read | m.ZoneRef))


def _reads(form: Form) -> Iterator[str]:
    if isinstance(form, tuple):
        if form[:1] in (("read",), ("zone",)):
            yield form[1]
        for each in form:
            yield from _reads(each)


def _less(form: Form, read: set[str]) -> Form:
    """Without what is written to states that nothing reads."""
    if not isinstance(form, tuple):
        return form
    return tuple(_less(each, read) for each in form if not _is_idle(each, read))


def _is_idle(form: Form, read: set[str]) -> bool:
    return isinstance(form, tuple) and form[:1] == ("store",) and form[1] not in read and not risky(form)
