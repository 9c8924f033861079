"""Moves and chance events of a game: their signatures, and who performs and offers which action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ludex.grammar import Diagnostics, Identifier, Note, Span

from .. import model as m
from .. import spec_codes
from ..ranges.bounds import a
from ..values.types import Never, Type

WHO_ACTS = "say who acts: `each player in seats`, or `as PLAYER`, and a block"


@dataclass(frozen=True, slots=True)
class Performed:
    """A call of an action from a routine.

    acting: who acts where the call is: nobody, the caller's `me`, or a player that the routine names.
    """

    caller: str
    callee: str
    acting: Literal["nobody", "caller", "someone"]
    span: Span


@dataclass(slots=True)
class Events:
    """The events, offers and calls in the statements of a game.

    Attributes:
        moves, chances: the signatures, by the name of the move and by the clause.
        decisions: the place of each decision inside an action, by its name.
        performed: the calls of actions.
        offered, opened: the actions that decisions offer, and the windows that are opened.
        stated: pairs of an action and a parameter that distinguishes several offers of it in one decision; moves then
            state its value.
        uses_me: the first use of `me` in each action that uses it.
    """

    diagnostics: Diagnostics
    moves: dict[str, m.MoveSignature] = field(default_factory=dict)
    chances: dict[str, m.ChanceSignature] = field(default_factory=dict)
    decisions: dict[str, Span] = field(default_factory=dict)
    performed: list[Performed] = field(default_factory=list)
    offered: set[str] = field(default_factory=set)
    opened: set[str] = field(default_factory=set)
    stated: set[tuple[str, str]] = field(default_factory=set)
    uses_me: dict[str, Span] = field(default_factory=dict)

    def chance(self, path: str, outcome: Type, span: Span) -> None:
        """Register that a clause raises chance events with outcomes of a type."""
        if isinstance(outcome, Never):
            return
        # An event names its clause only, so that all outcomes of one clause have one type.
        known = self.chances.get(path)
        if known is None:
            self.chances[path] = m.ChanceSignature(path, outcome, span)
        elif known.outcome != outcome:
            message = f"`{path}` has chance outcomes of two kinds, {a(known.outcome)} and {a(outcome)}"
            self.diagnostics.report(spec_codes.MIXED_CHANCE, message, span, notes=(Note("the other one", known.span),))

    def decision(self, name: Identifier, choices: tuple[m.Choice, ...], span: Span) -> None:
        """Register a decision inside an action, with the choices of its move."""
        if name in self.moves:
            message, notes = f"two decisions are called `{name}`", (Note("the other one", self.decisions[name]),)
            self.diagnostics.report(
                spec_codes.DUPLICATE_NAME, message, name.span, "give each a label of its own", notes
            )
        self.moves[name] = m.MoveSignature(name, _stated(choices), span)
        self.decisions[name] = name.span

    def add_offered(self, actions: Mapping[str, m.Action]) -> None:
        """Register the moves of the actions that decisions offer."""
        for action in (actions[name] for name in sorted(self.offered) if name in actions):
            if action.name in self.moves:
                both = "the action, which is offered, and this one inside it"  # they would name the same move
                message = f"two decisions are called `{action.name}`: {both}"
                place, notes = self.decisions[action.name], (Note("the action", action.span),)
                self.diagnostics.report(
                    spec_codes.DUPLICATE_NAME, message, place, "give this one a label of its own", notes
                )
            parameters, named = dict(action.parameters), self.stated_of(action)
            stated = tuple((parameter, parameters[parameter], False) for parameter in named)
            self.moves[action.name] = m.MoveSignature(action.name, stated + _stated(action.choices), action.span)

    def stated_of(self, action: m.Action) -> tuple[str, ...]:
        """Return the parameters of an action that its moves state."""
        return tuple(name for name, _ in action.parameters if (action.name, name) in self.stated)

    def check_acting(self, actions: Mapping[str, m.Action]) -> None:
        """Report calls of actions that use `me` where nobody acts."""
        needing = set(self.uses_me) | {name for name, action in actions.items() if action.choices}
        callers: dict[str, list[str]] = {}
        for performed in self.performed:
            if performed.acting == "caller":
                callers.setdefault(performed.callee, []).append(performed.caller)
        waiting = list(needing)
        while waiting:
            # Who calls an action that needs `me`, without naming a player, needs it too.
            more = [caller for caller in callers.get(waiting.pop(), ()) if caller not in needing]
            needing.update(more)
            waiting += more
        for performed in self.performed:
            if performed.acting == "nobody" and performed.callee in needing:
                use = self.uses_me.get(performed.callee)
                notes = (Note("`me` is used here", use),) if use else ()
                message = f"`{performed.callee}` needs an acting player, and nobody acts here"
                self.diagnostics.report(spec_codes.NO_CHOICE_HERE, message, performed.span, WHO_ACTS, notes)


def _stated(choices: tuple[m.Choice, ...]) -> tuple[tuple[str, Type, bool], ...]:
    return tuple((choice.name, choice.type, choice.within) for choice in choices)
