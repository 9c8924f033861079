"""Choice, denial and limits: what the lines allow, demand, deny and bound, beside clauses that agree.

Words of this sort stand in nearly every sentence, so by themselves they tell nothing. A hint is given only where the
clause itself leaves a choice, denies or compares, where its lines in the other editions have a word for that, and the
lines of one have none far and wide, or only one of the other kind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from ludex.grammar import syntax as s

from ..comparing import Said
from .hint import Hint, HintKind, listed
from .passages import Agreed, Passages, nodes
from .vocabulary import Sense

FREE: frozenset[Sense] = frozenset({"may", "need_not"})
BOUND: frozenset[Sense] = frozenset({"must", "must_not"})
DENIED: frozenset[Sense] = frozenset({"not", "must_not", "need_not"})
LIMITED: frozenset[Sense] = frozenset({"only", "at_most", "at_least", "less", "more"})
PARTLY: frozenset[Sense] = frozenset({"only", "at_most"})
STRICT: frozenset[Sense] = frozenset({"more", "less"})
LOOSE: frozenset[Sense] = frozenset({"at_most", "at_least"})
UNCOUNTED = frozenset({"note", "term", "example"})


def sense_hints(found: tuple[Agreed, ...], at: Passages) -> Iterator[Hint]:
    """For each clause at most one hint of a kind."""
    for each in found:
        if each.kind in UNCOUNTED:
            continue
        names = [name for name, clause in each.stated.items() if at.own(clause) and at.is_direct(name, clause)]
        if len(names) < 2:
            continue
        for rule in (_choice, _opposed, _denial, _strictness):
            if hint := rule(each, names, at):
                yield hint


# ---- may and must -----------------------------------------------------------------------------------------------


def _choice(each: Agreed, names: list[str], at: Passages) -> Hint | None:
    """The clause leaves a choice, and one text has no word for that."""
    return _lacking(each, names, at, "modality", _leaves_choice, FREE, FREE | PARTLY, "leaves a choice")


def _leaves_choice(clause: Said) -> bool:
    return any(isinstance(node, s.May | s.RepeatMay) for node in nodes(clause))


def _opposed(each: Agreed, names: list[str], at: Passages) -> Hint | None:
    """One text only allows what another only demands."""
    free = [name for name in names if _only(each, name, at, FREE, BOUND | {"only"})]
    bound = [name for name in names if _only(each, name, at, BOUND, FREE)]
    if not free or not bound:
        return None
    words = {name: _words(each, name, at, FREE | BOUND) for name in each.stated}
    why = f"the lines of {listed(free)} allow what those of {listed(bound)} demand or forbid"
    return _hint("modality", each, free if len(free) < len(bound) else bound, words, why)


def _only(each: Agreed, name: str, at: Passages, said: Collection[Sense], never: Collection[Sense]) -> bool:
    """Whether the edition's lines have a word of the first senses, and none of the others far and wide."""
    clause = each.stated[name]
    own, wide = at.reader.senses(at.own(clause)), at.reader.senses(at.wide(name, clause))
    return any(sense in own for sense in said) and not any(sense in wide for sense in never)


# ---- not --------------------------------------------------------------------------------------------------------


def _denial(each: Agreed, names: list[str], at: Passages) -> Hint | None:
    """The clause denies something, and one text has no word for that."""
    return _lacking(each, names, at, "negation", _denies, DENIED, DENIED | LIMITED, "denies something")


def _denies(clause: Said) -> bool:
    return clause.kind == "require" or any(map(_is_denial, nodes(clause)))


def _is_denial(node: s.Node) -> bool:
    match node:
        case s.Not() | s.IsEmpty(negated=False) | s.Quantified(kind="no") | s.Binary(operator="!=" | "not in"):
            return True
        case _:
            return False


# ---- more than, at least ----------------------------------------------------------------------------------------


def _strictness(each: Agreed, names: list[str], at: Passages) -> Hint | None:
    """Of a bound that the clause sets, one text says that it may be reached, another that it may not."""
    if not any(_compares(clause) for clause in each.stated.values()):
        return None
    strict = [name for name in names if _only(each, name, at, STRICT, LOOSE)]
    loose = [name for name in names if _only(each, name, at, LOOSE, STRICT)]
    if not strict or not loose:
        return None
    words = {name: _words(each, name, at, STRICT | LOOSE) for name in each.stated}
    why = f"the lines of {listed(strict)} exclude the bound that those of {listed(loose)} include"
    return _hint("comparison", each, strict if len(strict) < len(loose) else loose, words, why)


def _compares(clause: Said) -> bool:
    return any(isinstance(node, s.Binary) and node.operator in ("<", "<=", ">", ">=") for node in nodes(clause))


# ---- one text without a word ------------------------------------------------------------------------------------


def _lacking(
    each: Agreed,
    names: list[str],
    at: Passages,
    kind: HintKind,
    is_said: Callable[[Said], bool],
    said: Collection[Sense],
    enough: Collection[Sense],
    what: str,
) -> Hint | None:
    """A hint where the clause says something, all other texts have a word for it and some have none. said: the words
    for it; enough: those that may stand for them."""
    lacking = [name for name in names if is_said(each.stated[name]) and not _has(each, name, at, enough)]
    others = [name for name in names if name not in lacking]
    saying = [name for name in others if any(sense in at.reader.senses(at.own(each.stated[name])) for sense in said)]
    if not lacking or not saying or len(saying) < len(others):
        return None
    words = {name: _words(each, name, at, said) if name in saying else () for name in each.stated}
    why = f"the clause {what}, and the lines of {listed(saying)} say so; those of {listed(lacking)} have no word for it"
    return _hint(kind, each, lacking, words, why)


def _has(each: Agreed, name: str, at: Passages, senses: Collection[Sense]) -> bool:
    wide = at.reader.senses(at.wide(name, each.stated[name]))
    return any(sense in wide for sense in senses)


def _words(each: Agreed, name: str, at: Passages, senses: Collection[Sense]) -> tuple[str, ...]:
    said = at.reader.senses(at.own(each.stated[name]))
    return tuple(dict.fromkeys(word for sense, words in said.items() if sense in senses for word in words))


def _hint(kind: HintKind, each: Agreed, names: list[str], words: dict[str, tuple[str, ...]], why: str) -> Hint:
    return Hint(kind, each.clause, tuple(names), each.spans, words, why)
