"""Evaluator for possible states: it keeps the known parts of values with unknown parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ludex.spec import Evaluation, PartlyKnownItems, Truth, Unknown, is_known
from ludex.spec import model as m
from ludex.spec import types as t


class PossibleEvaluation(Evaluation):
    """An evaluation that keeps the items of a set of which some are unknown.

    It is not used where what everybody can see decides whether there is an event: every engine has to answer that
    alike.
    """

    def set_of(self, items: tuple[t.Value, ...]) -> t.Value:
        return super().set_of(items) if is_known(items) else PartlyKnownItems(items)

    def picked(self, node: m.PickExpr, turns: Iterable[Truth], f: dict[int, t.Value]) -> list[t.Value] | Unknown:
        if node.kind == "first":
            return super().picked(node, turns, f)
        doubts = list[Unknown]()

        def certain() -> Iterator[Truth]:
            for allowed in turns:
                if isinstance(allowed, Unknown):
                    doubts.append(allowed)
                else:
                    yield allowed

        items = super().picked(node, certain(), f)
        # One item certainly satisfies the condition; if another one does too, `the` has no value.
        return Unknown() if doubts and not (isinstance(items, list) and len(items) == 1) else items
