"""Check for operands in the scope of a quantifier that do not depend on its variables.

A quantifier reaches to the end of its expression: in `no c in hand has c.suit = led or me = leader` the last condition
belongs to the quantifier, where its author may have meant `(no c in hand has c.suit = led) or me = leader`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ludex.grammar import Diagnostic, nodes_in
from ludex.grammar import syntax as s

from .. import spec_codes
from ..text import Excerpts

# Elsewhere the operand has the same meaning inside the scope and outside: `every x in S has a(x) or b` is
# `(every x in S has a(x)) or b`, and so on. Only an empty domain makes a difference then.
_MEANING_DIFFERS = {("no", "and"), ("no", "or"), ("no", "implies"), ("some", "implies"), ("every", "implies")}


def captured_operands(declarations: tuple[s.Declaration, ...], excerpts: Excerpts) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each quantifier whose last operand reads none of its variables, if brackets around the
    quantifier without it would change the meaning.

    The check reads the syntax tree, since the model no longer has conditions that are known before play. An author who
    means what is written can always write the operand in front of the quantifier.
    """
    for node in nodes_in(declarations):
        match node:
            case s.Quantified(kind=kind, has=s.Binary(operator=operator, right=operand)):
                variables = {generator.name for generator in node.generators}
                read = {inner.name for inner in nodes_in(operand) if isinstance(inner, s.Name)}
                if (kind, operator) in _MEANING_DIFFERS and not variables & read:
                    yield _diagnostic(node, operator, operand, excerpts)


def _diagnostic(node: s.Quantified, operator: str, operand: s.Expression, excerpts: Excerpts) -> Diagnostic:
    what = excerpts.text(operand.span)
    named = f"`{what}`" if what else "this condition"
    variables = " or ".join(f"`{generator.name}`" for generator in node.generators)
    message = f"{named} does not read {variables}, but it belongs to `{node.kind} ... has`"
    hint = (
        f"brackets end it earlier: `({node.kind} ... has ...) {operator} ...`; "
        f"if you mean what is written, put the condition in front of `{node.kind}`"
    )
    return Diagnostic(spec_codes.CAPTURED_OPERAND, message, operand.span, hint)
