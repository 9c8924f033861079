"""Editions are layers: one text's clauses over a lender's over the shared game file.

`layered` takes the parsed files of a game and returns one list of declarations, in which every clause stands as the
chosen edition states it, or (under `borrow`) as the first lender does, or as the game file rules. Nodes keep their
spans, so a clause's file tells its layer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ludex.grammar import Diagnostics, Note, same_meaning, words_in
from ludex.grammar import syntax as s

from .clauses import pattern_name, stated
from .codes import EDITION_MISMATCH
from .places import Places
from .terms import merged_terms

Noun = (
    s.TypeDeclaration
    | s.ComponentDeclaration
    | s.ZoneDeclaration
    | s.StateDeclaration
    | s.OptionDeclaration
    | s.WindowDeclaration
    | s.ForkDeclaration
)
NOUNS = Noun.__args__
ON_DEMAND = s.ForkDeclaration | s.StateDeclaration | s.ValueDeclaration
"""What is there to be asked: it does nothing by itself."""
Wrapper = s.RepeatUntil | s.RepeatTimes | s.Each | s.EachPlayer | s.AllPlayers | s.As
"""What adds nothing to a clause's path."""


@dataclass(frozen=True, slots=True)
class Layered:
    """A game as one edition has it.

    Attributes:
        declarations: merged, every clause once.
        silent: paths of rules that some file of the game states and that are not in force here.
    """

    declarations: tuple[s.Declaration, ...]
    silent: tuple[str, ...]


def layered(
    stack: Sequence[s.Module], everything: Iterable[s.Module], report: Diagnostics, places: Places | None = None
) -> Layered:
    """Merge the files of `stack`, the chosen edition first, the game file last; `everything`: all files of the game.
    places: where to point at names."""
    merged: dict[tuple[str, str], s.Declaration] = {}
    for depth, module in enumerate(stack):
        own: set[tuple[str, str]] = set()
        for node in module.declarations:
            if isinstance(node, s.TermsDeclaration | s.SilentDeclaration):
                continue
            key = key_of(node)
            if key in own:
                merged[key[0], f"{key[1]} {node.span.line}"] = node  # declared twice, which elaboration reports
            elif key in merged:
                merged[key] = _merge(merged[key], node, report)
            elif not (depth and isinstance(node, s.NoteDeclaration | s.ExampleDeclaration) and module is not stack[-1]):
                merged[key] = node
            own.add(key)
    terms = merged_terms(stack)
    present = {clause.path for clause in stated((*merged.values(), *([terms] if terms else [])))}
    unasked = _unasked(merged.values(), {module.span.file for module in stack[1:-1]})
    declarations = sorted((node for key, node in merged.items() if key not in unasked), key=_order)
    if terms:
        names = {name for _, name in unasked}
        declarations.append(replace(terms, terms=tuple(t for t in terms.terms if t.name.split(".")[0] not in names)))
    known = {
        clause.path
        for module in everything
        for clause in stated(module.declarations)
        if clause.kind not in ("note", "example", "term", "silent")  # they are nobody's to borrow
    }
    return Layered(tuple(declarations), tuple(sorted(known - present)))


def _unasked(merged: Iterable[s.Declaration], lenders: set[str]) -> set[tuple[str, str]]:
    """What a lender declares for clauses of its own that are not in force: a fork that nothing asks about would be
    offered and change nothing."""
    lent = {node.name: node for node in merged if isinstance(node, ON_DEMAND) and node.span.file in lenders}
    asked: set[str] = set()
    asked.update(*(words_in(node) for node in merged if lent and getattr(node, "name", None) not in lent))
    while found := lent.keys() & asked:
        asked = set().union(*(words_in(lent.pop(name)) for name in found))
    return {key_of(node) for node in lent.values()}


def key_of(node: s.Declaration) -> tuple[str, str]:
    """What makes two declarations of different files the same one."""
    kind = "value" if isinstance(node, s.ValueDeclaration) else type(node).__name__
    match node:
        case s.SetupDeclaration() | s.PlayDeclaration() | s.WinnerDeclaration() | s.TermsDeclaration():
            return kind, ""
        case s.SilentDeclaration(path=path):
            return kind, path
        case s.RefillDeclaration(place=place):
            return kind, place.name
        case _:
            return kind, node.name


def _order(node: s.Declaration) -> int:
    """Nouns first: what is declared before anything can use it."""
    return 0 if isinstance(node, NOUNS) else 1


# ---- merging one declaration ------------------------------------------------------------------------------------


def _merge(own: s.Declaration, lent: s.Declaration, report: Diagnostics) -> s.Declaration:
    match own, lent:
        case s.ActionDeclaration(), s.ActionDeclaration():
            return _merge_action(own, lent, report)
        case s.SetupDeclaration(), s.SetupDeclaration():
            return replace(own, body=_merge_block(own.body, lent.body))
        case s.PlayDeclaration(), s.PlayDeclaration():
            return replace(own, body=_merge_block(own.body, lent.body))
        case s.WinnerDeclaration(), s.WinnerDeclaration():
            criteria = _merge_list(own.criteria, lent.criteria, lambda c: c.label, lambda mine, _: mine)
            return replace(own, criteria=tuple(criteria))
        case s.ValueDeclaration(), s.ValueDeclaration():
            return replace(own, body=_merge_value(own.body, lent.body))
        case s.ScoreDeclaration(), s.ScoreDeclaration():
            return replace(own, body=_merge_value(own.body, lent.body))
        case _:
            if isinstance(own, NOUNS) and not same_meaning(_bare(own), _bare(lent)):
                note = Note("the other declaration", lent.span)
                message = "this is declared differently in another file of the game"
                report.report(EDITION_MISMATCH, message, own.span, notes=(note,))
            return own


def _bare(node: s.Declaration) -> s.Declaration:
    """The declaration without what it rests on: two editions cite their own lines."""
    nothing = s.Authority(node.span)
    node = replace(node, authority=nothing)
    if isinstance(node, s.ForkDeclaration):
        return _question(node)
    if isinstance(node, s.ComponentDeclaration):
        return replace(node, columns=tuple(replace(column, authority=nothing) for column in node.columns))
    return node


def _question(fork: s.ForkDeclaration) -> s.ForkDeclaration:
    """The fork without what a text says of it: two texts may leave one question open and lean to different sides."""
    readings = tuple(replace(reading, text="") for reading in fork.readings)
    return replace(fork, readings=readings, default=readings[0].name if readings else "", reason="")


def _merge_action(own: s.ActionDeclaration, lent: s.ActionDeclaration, report: Diagnostics) -> s.ActionDeclaration:
    if own.parameters and lent.parameters and not _same_parameters(own.parameters, lent.parameters):
        note = Note("the other signature", lent.span)
        message = f"`{own.name}` has other parameters in another file of the game"
        report.report(EDITION_MISMATCH, message, own.span, notes=(note,))
    return replace(
        own,
        parameters=own.parameters or lent.parameters,
        during=own.during or lent.during,
        during_parameters=own.during_parameters or lent.during_parameters,
        body=_merge_block(own.body, lent.body),
        authority=own.authority or lent.authority,
    )


def _same_parameters(own: tuple[s.Parameter, ...], lent: tuple[s.Parameter, ...]) -> bool:
    return len(own) == len(lent) and all(same_meaning(a, b) for a, b in zip(own, lent, strict=True))


def _merge_value(own: s.ValueBody, lent: s.ValueBody) -> s.ValueBody:
    value = own.value
    if isinstance(value, s.ValueMatch) and isinstance(lent.value, s.ValueMatch):
        value = replace(value, arms=tuple(_merge_arms(value.arms, lent.value.arms)))
    exceptions = _merge_list(own.exceptions, lent.exceptions, lambda e: e.label, lambda mine, _: mine)
    return replace(own, value=value, exceptions=tuple(exceptions))


def _merge_block(own: s.Block, lent: s.Block) -> s.Block:
    """Choices, then requirements, then local states, then steps: each group in its own order, borrowed ones placed."""
    mine, theirs = _grouped(own), _grouped(lent)
    choices = mine.choices or theirs.choices
    asked = _without(theirs.requirements, mine.steps)
    requirements = _merge_list(mine.requirements, asked, lambda r: r.label, _merge_requirement)
    states = _merge_list(mine.states, theirs.states, lambda state: state.name, lambda state, _: state)
    steps = _merge_steps(mine.steps, _without(theirs.steps, mine.requirements))
    return replace(own, statements=(*choices, *requirements, *states, *steps))


Stated = TypeVar("Stated", bound=s.Statement)


@dataclass(frozen=True, slots=True)
class _Groups:
    choices: list[s.Statement]
    requirements: list[s.Require]
    states: list[s.LocalState]
    steps: list[s.Statement]


def _grouped(block: s.Block) -> _Groups:
    groups = _Groups([], [], [], [])
    for statement in block.statements:
        leading = not groups.steps
        if isinstance(statement, s.ChooseValue) and leading and not groups.requirements:
            groups.choices.append(statement)
        elif isinstance(statement, s.Require) and leading:
            groups.requirements.append(statement)
        elif isinstance(statement, s.LocalState) and leading:
            groups.states.append(statement)
        else:
            groups.steps.append(statement)
    return groups


def _without(lent: list[Stated], elsewhere: Sequence[s.Statement]) -> list[Stated]:
    """What is lent, but for what the edition itself states among its other clauses: before or after the first step."""
    stated_there = {each.label for each in elsewhere if isinstance(each, s.Require)}
    return [each for each in lent if not (isinstance(each, s.Require) and each.label in stated_there)]


def _merge_steps(own: list[s.Statement], lent: list[s.Statement]) -> list[s.Statement]:
    """Labelled steps by label; a `match` without a label with its like; other unlabelled ones are the lender's only
    where the edition has no step at all."""
    if not own:
        return lent
    lent = [step for step in lent if isinstance(step, s.Clause | s.Require | s.Match)]
    return _merge_list(own, lent, _label, _merge_step)


def _label(node: s.Statement) -> str:
    match node:
        case s.Clause(label=label) | s.Require(label=label):
            return label
        case s.Match():
            return "match"
        case _:
            return f"at {node.span.line}:{node.span.column}"


def _merge_step(own: s.Statement, lent: s.Statement) -> s.Statement:
    match own, lent:
        case s.Clause(), s.Clause():
            exceptions = _merge_list(own.exceptions, lent.exceptions, lambda e: e.label, lambda mine, _: mine)
            names_parts_only = not own.authority and isinstance(own.body, s.Block) and _labelled(own.body.statements)
            clause = lent if names_parts_only else own
            return replace(clause, body=_merge_body(own.body, lent.body), exceptions=tuple(exceptions))
        case s.Require(), s.Require():
            return _merge_requirement(own, lent)
        case s.Match(), s.Match():
            return replace(own, arms=tuple(_merge_arms(own.arms, lent.arms)))
        case _:
            return own


def _merge_requirement(own: s.Require, lent: s.Require) -> s.Require:
    return replace(own, body=_merge_value(own.body, lent.body))


def _merge_body(own: s.Statement, lent: s.Statement) -> s.Statement:
    """A step's own body stands whole; only containers of clauses and matches are merged inside. A `repeat`, `each` or
    `as` around clauses hides none of them: the own one is kept, else the lender's."""
    mine, theirs = _clauses_inside(own), _clauses_inside(lent)
    if mine is not None and theirs is not None:
        merged = _merge_list(list(mine.statements), list(theirs.statements), _label, _merge_step)
        return _with_inside(lent if own is mine else own, replace(mine, statements=tuple(merged)))
    match own, lent:
        case s.Match(), s.Match():
            return _merge_step(own, lent)
        case s.Block(statements=(s.Match() as mine_,)), s.Block(statements=(s.Match() as theirs_,)):
            return replace(own, statements=(_merge_step(mine_, theirs_),))
        case s.ChooseBranch(branches=own_branches), s.ChooseBranch(branches=lent_branches):
            merged_branches = _merge_list(own_branches, lent_branches, lambda b: b.label, lambda mine, _: mine)
            return replace(own, branches=tuple(merged_branches))
        case _:
            return own


def _clauses_inside(node: s.Statement) -> s.Block | None:
    """The block of clauses that the statement is, or that stands in its flow; None if there is none."""
    match node:
        case s.Block(statements=(one,)) if isinstance(one, Wrapper):
            return _clauses_inside(one)
        case s.Block(statements=statements):
            return node if _labelled(statements) else None
        case _:
            return _clauses_inside(node.body) if isinstance(node, Wrapper) else None


def _with_inside(node: s.Statement, inside: s.Block) -> s.Statement:
    """The statement with another block of clauses in its flow."""
    match node:
        case s.Block(statements=(one,)) if isinstance(one, Wrapper):
            return replace(node, statements=(_with_inside(one, inside),))
        case _ if isinstance(node, Wrapper):
            body = _with_inside(node.body, inside)
            assert isinstance(body, s.Block)
            return replace(node, body=body)
        case _:
            return inside


def _labelled(statements: tuple[s.Statement, ...]) -> bool:
    return all(isinstance(statement, s.Clause | s.Require) for statement in statements)


Arm = TypeVar("Arm", s.ValueArm, s.StepArm)


def _merge_arms(own: Sequence[Arm], lent: Sequence[Arm]) -> list[Arm]:
    """Arms by pattern; `otherwise` stays last."""
    merged = _merge_list(own, lent, lambda arm: pattern_name(arm.patterns), lambda mine, _: mine)
    return sorted(merged, key=lambda arm: any(p.kind == "otherwise" for p in arm.patterns))


Item = TypeVar("Item")


def _merge_list(
    own: Sequence[Item], lent: Sequence[Item], name: Callable[[Item], str], both: Callable[[Item, Item], Item]
) -> list[Item]:
    """Own items in own order; a borrowed one right after the nearest before it, in the lender, that is present; else
    right before the nearest after it; else last (`docs/language.md`, layers)."""
    theirs = {name(item): item for item in lent}
    result = [both(item, theirs[name(item)]) if name(item) in theirs else item for item in own]
    order = [name(item) for item in lent]
    for at, item in enumerate(lent):
        present = [name(each) for each in result]
        if name(item) in present:
            continue
        before = next((present.index(n) for n in reversed(order[:at]) if n in present), None)
        after = next((present.index(n) for n in order[at + 1 :] if n in present), None)
        place = before + 1 if before is not None else after if after is not None else len(result)
        result.insert(place, item)
    return result
