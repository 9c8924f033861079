"""Explanation of an expression's value, in words: the values that decide it.

An expression is unfolded from the outside in, by one rule for each kind of node (`Unfolder.facts`): `and` gives the
operands that fail, `or` each operand, a quantifier the items that decide it, a comparison the values of both sides and
of what they read. A call of a define gives its value; its body gets a note of its own, with the values of its
parameters. The same code explains why a value is not in a collection (`Unfolder.absence`).

In a partial run, in which something is unknown, whatever depends on it is left out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeAlias

from ludex.grammar import Message, Note, Span, enumerated, in_language
from ludex.spec import (
    NoValue,
    OverBudget,
    PartlyKnownItems,
    Unknown,
    any_of,
    bound_slots,
    children,
    free_slots,
    is_known,
    listed,
    nodes,
    same,
)
from ludex.spec import model as m
from ludex.spec import types as t

from ..event_notation.spoken import beside, in_each_language
from ..event_notation.spoken import glossed as glossed_path
from ..event_notation.writing import NotationWriter, shown
from ..information.event_visibility import HIDDEN
from ..reference import Run
from .spec_quotes import source_text


class HiddenAnswer(Exception):
    """Raised where an answer depends on hidden information."""


UNCOMPUTED = (NoValue, HiddenAnswer, OverBudget)
"""Exceptions for values that cannot be computed, or not within the budget: an explanation leaves them out."""
MOST_FACTS = 6
"""The largest number of values in one note, the most important first."""
LONGEST_VALUE = 60
"""A longer value, and the value of a longer expression, explains nothing."""
LONGEST_WAY = 200
"""The largest number of characters of the questions that a note repeats because they led to its own."""
_MOST_TRIED = 2
"""The largest number of items tried by a quantifier that are all given; of more, one is."""
_MOST_PLACES = 2
"""The largest number of places in which pieces of one kind are looked for."""
SlotValues: TypeAlias = tuple[t.Value, ...]
MayBe: TypeAlias = Callable[[Run, t.Value], Set[t.Value]]
"""Returns every piece that the content of a zone may hold in a run."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The context of an expression: a run, and the values of the local names."""

    run: Run
    slots: SlotValues

    def value(self, expr: m.Expr) -> t.Value:
        """Evaluate the expression; the value may hold unknown items. Raises HiddenAnswer for an unknown value."""
        value = self.part(expr)
        if isinstance(value, Unknown):
            raise HiddenAnswer
        return value

    def part(self, expr: m.Expr) -> t.Value:
        """Evaluate as `value` does, but return a set of which some items are known. Raises HiddenAnswer."""
        # Each value is a piece of work of its own: a long explanation must not run out of budget.
        self.run.meter.begin()
        value = self.run.evaluation.of(expr, dict(enumerate(self.slots)), None)
        if isinstance(value, Unknown) and not isinstance(value, PartlyKnownItems):
            raise HiddenAnswer
        return value

    def known(self, expr: m.Expr) -> t.Value:
        """Evaluate the expression; None if it is unknown or cannot be computed."""
        try:
            return self.value(expr)
        except UNCOMPUTED:
            return None

    def items(self, collection: m.Expr) -> tuple[t.Value, ...]:
        return listed(collection.type, self.part(collection))

    def holds(self, item: t.Value, collection: m.Expr) -> bool:
        """Test whether the item is in the collection. Raises HiddenAnswer if it may or may not be."""
        found = any_of(same(item, each) for each in self.items(collection))
        if isinstance(found, Unknown):
            raise HiddenAnswer
        return found

    def bind(self, slot: int, value: t.Value) -> Scene:
        return self.framed((*self.slots[:slot], value, *self.slots[slot + 1 :]))

    def framed(self, slots: SlotValues) -> Scene:
        return Scene(self.run, slots)


@dataclass(frozen=True, slots=True)
class Question:
    """The question that a note answers: why the expressions have their values.

    Attributes:
        head: how the note begins.
        missing: values; if given, the question is why they are not in the expressions' values.
        known: facts that it has already.
        fact: words that only lead to this question.
        way: the heads of the questions that led to it and share its note.
    """

    head: str
    span: Span
    parts: tuple[m.Expr, ...]
    at: Scene
    missing: tuple[t.Value, ...] = ()
    known: frozenset[str] = frozenset()
    fact: str = ""
    way: tuple[str, ...] = ()

    @property
    def is_judged(self) -> bool:
        """Whether it asks why something holds or not. Other questions, on the cause of a value, are unfolded one level
        deep."""
        return bool(self.missing) or isinstance(self.parts[0].type, t.Bool)


FactsAndQuestions: TypeAlias = Iterator[str | Question]
"""Facts in words, and questions that get notes of their own."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The facts that answer a question. heads: of the questions that led to it, and its own."""

    heads: tuple[str, ...]
    facts: tuple[str, ...]
    span: Span

    @property
    def listed(self) -> str:
        """The facts after a colon; empty if there are none."""
        return f": {', '.join(self.facts)}" if self.facts else ""

    @property
    def note(self) -> Note:
        *heads, last = self.heads
        text = Message("why-facts", head=last, facts=self.facts) if self.facts else last
        for head in reversed(heads):
            text = Message("why-as", first=head, second=text)
        return Note(text, self.span)


def unfold(
    asked: Iterable[Question], game: m.Game, names: Sequence[str], most: int, may_be: MayBe | None = None
) -> list[Answer]:
    """Answer each question, then up to `most` of those that they lead to, the nearest first.

    A question that depends on a single other question and on nothing else shares an answer with it.

    Args:
        names: the players' names by seat; () if they have none.
        may_be: what the unknown pieces of a run may be; if given, what is known in part is shown, with `?` for the
            rest, and a piece whose place is unknown with the few places where it can be.
    """
    unfolder, waiting = Unfolder(game, names, may_be), deque(asked)
    answered, seen = list[Answer](), set[str]()
    first = len(waiting)
    while waiting and len(answered) < first + most:
        question, is_first = waiting.popleft(), len(answered) < first
        answers = list(unfolder.answer(question))
        facts = dict.fromkeys(fact for fact in answers if isinstance(fact, str) and fact not in question.known)
        inner = {each.head: each for each in answers if isinstance(each, Question) and each.head not in seen}
        seen.update(inner)
        further = [each for each in inner.values() if is_first or each.is_judged]
        # A note that only passes the question on would say nothing: its head goes before the next answer.
        if not is_first and len(further) == 1 and facts.keys() <= {further[0].fact}:
            waiting.appendleft(replace(further[0], way=_way_through(question)))
            continue
        if facts or is_first:
            answered.append(Answer((*question.way, question.head), (*islice(facts, MOST_FACTS),), question.span))
        waiting.extend(further)
    return answered


def _way_through(question: Question) -> tuple[str, ...]:
    """Return the heads of a question and of those that led to it; of a long way only the first."""
    heads = (*question.way, question.head)
    return heads if sum(map(len, heads)) < LONGEST_WAY else heads[:1]


class Unfolder:
    """Explains expressions. Whatever cannot be computed is left out. may_be: as in `unfold`."""

    def __init__(self, game: m.Game, names: Sequence[str], may_be: MayBe | None = None) -> None:
        self.game, self.names, self.may_be = game, names, may_be

    def answer(self, question: Question) -> FactsAndQuestions:
        for part in question.parts:
            if not question.missing:
                yield from self.facts(part, question.at)
            for item in question.missing:
                yield from self.absence(item, part, question.at)

    def facts(self, expr: m.Expr, at: Scene) -> FactsAndQuestions:
        """Explain the value of the expression."""
        try:
            yield from self._facts(expr, at)
        except UNCOMPUTED:
            return

    def _facts(self, expr: m.Expr, at: Scene) -> FactsAndQuestions:
        match expr:
            case m.Logic():
                for part in _deciding(expr, at):
                    yield from self.facts(part, at)
            case m.NotExpr(operand=operand):
                yield from self.facts(operand, at)
            case m.Quantifier():
                yield from self._quantified(expr, at)
            case m.Comparison(left=left, right=right):
                yield from self._values(left, at)
                yield from self._values(right, at)
            case m.Member(item=item, collection=collection):
                yield from self._values(item, at)
                yield from self._membership(at.value(item), collection, at)
            case m.EmptyTest(operand=operand):
                yield from self._values(operand, at)
            case _:
                yield from self._branched(expr, at, self.facts) or self._values(expr, at)

    def _branched(
        self, expr: m.Expr, at: Scene, follow: Callable[[m.Expr, Scene], FactsAndQuestions]
    ) -> FactsAndQuestions | None:
        """Explain a branching expression: what decides the branch, and the branch taken, explained by `follow`; None
        for others."""
        branch = _branch(expr, at)
        if branch is None:
            return None
        conditions, body, inside = branch
        return (fact for each in (*(self.facts(c, at) for c in conditions), follow(body, inside)) for fact in each)

    def _quantified(self, expr: m.Quantifier, at: Scene) -> FactsAndQuestions:
        """Explain a quantifier: the first items that decide it (for `every` those that fail), and why.

        If no item decides, say how many were tried, the value of one of them, and what it was compared with.
        """
        deciding, tried, first = _deciding_items(expr, at)
        if deciding is not None:
            yield from self._tried(expr, deciding)
            if expr.where is not None:
                yield from self.facts(expr.where, deciding)
            return
        loops = [
            (loop.name, glossed_source(self.game, loop.domain) or Message("why-other-values")) for loop in expr.loops
        ]
        names = tuple(Message("why-in", name=name, domain=domain) for name, domain in loops)
        if tried:
            yield Message("why-all-of" if expr.kind == "every" else "why-none-of", count=tried, names=names)
        else:
            yield Message("why-there-is-no", names=names)
        for each in first if tried <= _MOST_TRIED else first[:1]:
            yield from self._tried(expr, each)
        for loop in expr.loops:
            yield from self._values(loop.domain, at)
        yield from self._read_in(expr, at)

    def _tried(self, expr: m.Quantifier, at: Scene) -> FactsAndQuestions:
        for loop in expr.loops:
            yield self._joined("{} = {}", loop.name, self.show(loop.type, at.slots[loop.slot]))
        yield from self.facts(expr.has, at)

    # ---- collections

    def _membership(self, item: t.Value, collection: m.Expr, at: Scene) -> FactsAndQuestions:
        if at.holds(item, collection):
            yield from self._values(collection, at)
        else:
            yield from self.absence(item, collection, at)

    def absence(self, item: t.Value, collection: m.Expr, at: Scene) -> FactsAndQuestions:
        """Explain why the item is not in the collection."""
        try:
            yield from self._absence(item, collection, at)
        except UNCOMPUTED:
            return

    def _absence(self, item: t.Value, collection: m.Expr, at: Scene) -> FactsAndQuestions:
        match collection:
            case m.IntervalExpr(low=low, high=high):
                yield from self._values(low, at)
                yield from self._values(high, at)
            case m.Combine(operator=operator, left=left, right=right):
                yield from self._membership(item, left, at)
                # Of `a - b` the right side matters only for what the left side has.
                if operator == "+" or at.holds(item, left):
                    yield from self._membership(item, right, at)
            case m.AggregateExpr(loops=(loop,), value=m.Local(slot=slot), where=where) if slot == loop.slot:
                if not at.holds(item, loop.domain):
                    yield from self.absence(item, loop.domain, at)
                elif where is not None:
                    yield from self.facts(where, at.bind(slot, item))
            case m.CallDefine():
                yield from self._value(collection, at)
                yield from self._called(collection, at, (item,))
            case _:
                branched = self._branched(collection, at, lambda body, inside: self.absence(item, body, inside))
                yield from branched or self._elsewhere(item, collection, at)

    def _elsewhere(self, item: t.Value, collection: m.Expr, at: Scene) -> FactsAndQuestions:
        """State where pieces of this kind are, as far as that can be seen, and the contents of the collection."""
        kind = t.strip_optional(t.element_type(collection.type) or collection.type)
        if any(isinstance(node, m.Read) and node.element.is_zone for node in nodes(collection)):
            yield from self.whereabouts(kind, item, at)
        yield from self._values(collection, at)

    def whereabouts(self, kind: t.Type, item: t.Value, at: Scene) -> Iterator[Message]:
        """Say where pieces of this kind are, if that is known and they are in few places."""
        # One more than is shown, to find out whether there are too many.
        places = list(islice(self._places(kind, item, at, _seen_in), _MOST_PLACES + 1))
        piece, may_be = shown(self.game, kind, item, self.names), self.may_be
        if 0 < len(places) <= _MOST_PLACES:
            yield Message("why-is-in", piece=piece, places=enumerated(places))
        elif not places and may_be is not None:
            places = list(islice(self._places(kind, item, at, lambda held: may_be(at.run, held)), _MOST_PLACES + 1))
            if 0 < len(places) <= _MOST_PLACES:
                yield Message("why-can-only-be-in", piece=piece, places=enumerated(places, "or"))

    def _places(
        self, kind: t.Type, item: t.Value, at: Scene, pieces_in: Callable[[t.Value], Container[t.Value]]
    ) -> Iterator[str]:
        for element in self.game.elements:
            if element.is_zone and element.type == kind:
                for cell, (_, indices) in enumerate(at.run.rules.cells_of[element.name], start=element.offset):
                    if item in pieces_in(at.run.cells[cell]):
                        yield self._place(element, indices)

    def _place(self, element: m.Element, indices: Sequence[t.Value]) -> str:
        own = list(map(self.show, element.indices, indices))

        def write(language: str | None) -> str:
            word, writer = self.game.word(element.name, language), NotationWriter(self.game, self.names, language)
            inside = ", ".join(map(writer.value, element.indices, indices) if word else own)
            return f"{word or element.name}({inside})" if inside else word or element.name

        return in_each_language(self.game, write)

    # ---- values

    def show(self, type_: t.Type, value: t.Value) -> str:
        if not is_known(value):
            if self.may_be is None or t.element_type(type_) is None or not isinstance(value, tuple):
                raise HiddenAnswer
            # What is unknown comes last, unless each item has a place of its own.
            known = tuple(filter(is_known, value))
            shown_items = [item if is_known(item) else HIDDEN for item in value]
            value = (*known, *[HIDDEN] * (len(value) - len(known)))
            value = tuple(shown_items) if isinstance(type_, t.ListOf) else value
        return shown(self.game, type_, value, self.names)

    def _joined(self, form: str, *texts: str) -> str:
        """Fill texts into a form, in each language."""
        return in_each_language(
            self.game, lambda language: form.format(*(in_language(each, language) for each in texts))
        )

    def _values(self, expr: m.Expr, at: Scene) -> FactsAndQuestions:
        """Give the value and what it depends on: the cells and fields that are read, the bodies of defines."""
        own = list(self._value(expr, at))
        yield from own
        # Of a sum that is too long to be quoted, the terms are listed.
        if not own and isinstance(expr, m.Arithmetic):
            yield from (*self._values(expr.left, at), *self._values(expr.right, at))
            return
        yield from self._opened(expr, at)
        yield from self._read_in(expr, at)

    def _read_in(self, expr: m.Expr, at: Scene) -> FactsAndQuestions:
        bound = bound_slots(expr)
        for leaf in _leaves(expr, bound):
            yield from self._value(leaf, at)
            yield from self._opened(leaf, at)

    def _value(self, expr: m.Expr, at: Scene) -> FactsAndQuestions:
        """Give the value: `my coins = 3`; nothing for what has no name in it, or a value too long to show."""
        text = _quotation(expr)
        if text is None or not any(map(str.isalpha, text)):
            return
        try:
            value = at.value(expr) if self.may_be is None else _parted(expr.type, at.part(expr))
            # Of pieces of which none is known the number says all.
            is_unseen = self.may_be is not None and isinstance(value, tuple) and value and not any(map(is_known, value))
            shown = "" if is_unseen else self.show(expr.type, value)
        except UNCOMPUTED:
            return
        if len(shown) <= LONGEST_VALUE and not is_unseen:
            # `3 = 3` explains nothing.
            yield from () if shown == text else (self._fact(expr, text, shown),)
        elif t.element_type(expr.type) is not None:
            yield Message("why-holds", text=_glossed(self.game, expr, text), count=len(value))

    def _fact(self, expr: m.Expr, text: str, shown: str) -> str:
        """Say what a value is, with the words for it before it: `жетон (my token) = 5`."""
        return self._joined("{} = {}", _glossed(self.game, expr, text), shown)

    def _opened(self, expr: m.Expr, at: Scene) -> FactsAndQuestions:
        """Explain what a call depends on."""
        try:
            if isinstance(expr, m.CallDefine):
                yield from self._called(expr, at)
            elif isinstance(expr, m.CanPerform):
                yield from self._performed(expr, at)
        except UNCOMPUTED:
            return

    def _called(self, call: m.CallDefine, at: Scene, missing: tuple[t.Value, ...] = ()) -> FactsAndQuestions:
        """Ask what the define's body depends on, with these arguments."""
        define, given = self.game.defines[call.name], [at.value(each) for each in call.arguments]
        named = [(name, self.show(of, each)) for (name, of), each in zip(define.parameters, given, strict=True)]
        inside = self._joined(", ".join(["{}: {}"] * len(named)), *(part for pair in named for part in pair))
        known = frozenset(map(" = ".join, named))
        shown = self.show(call.type, at.value(call))
        called = _glossed(self.game, call, self._joined("`{}({})`" if inside else "`{}`", call.name, inside))
        is_short = len(shown) <= LONGEST_VALUE
        head = Message("why-is", call=called, value=shown) if is_short else Message("why-as-follows", call=called)
        # Slot 0 is that of the acting player, whom a define does not have.
        frame = at.framed((None, *given, *[None] * (define.frame_size - len(given) - 1)))
        # The head of the note says this value.
        known |= {f"{_quotation(define.body)} = {shown}"}
        fact = next(iter(self._value(call, at)), "")
        yield Question(head, define.body.span, (define.body,), frame, missing, known, str(fact))

    def _performed(self, can: m.CanPerform, at: Scene) -> FactsAndQuestions:
        """Ask why the action's own requirements fail; the values that a player would state are unknown."""
        action = self.game.actions[can.action]
        given = [at.slots[0], *map(at.value, can.arguments)]
        frame = at.framed((*given, *[None] * (action.frame_size - len(given))))
        chosen, fact = {choice.slot for choice in action.choices}, str(next(iter(self._value(can, at)), ""))
        for requirement in action.requirements:
            if not free_slots(requirement) & chosen and frame.known(requirement.condition) is False:
                condition = requirement.condition
                head = Message("why-does-not-hold", clause=glossed_path(self.game, requirement.path))
                yield Question(head, condition.span, (condition,), frame, fact=fact)


# ---- which parts decide ---------------------------------------------------------------------------------------------


def _deciding(expr: m.Logic, at: Scene) -> tuple[m.Expr, ...]:
    """Select the operands that decide, the most important first: one if it suffices, for `and` every one that fails."""
    left, right = expr.left, expr.right
    try:
        holds = bool(at.value(left))
    except HiddenAnswer:
        # As the whole is known, the side that can be seen decides it.
        return (right,)
    # A left side that fails is the whole reason.
    if expr.operator == "implies":
        return (right, left) if holds else (left,)
    if holds is (expr.operator == "or"):
        return (left,) if holds or at.known(right) is not False else (left, right)
    # Where both sides say the same, both are reasons.
    return (left, right) if bool(at.value(right)) is holds else (right,)


def _branch(expr: m.Expr, at: Scene) -> tuple[tuple[m.Expr, ...], m.Expr, Scene] | None:
    """Split a branching expression: the conditions that decide, the branch taken, and its scene; None for others."""
    match expr:
        case m.Checked(operand=operand):
            return (), operand, at
        case m.IfExpr(condition=condition, then=then, otherwise=otherwise):
            return (condition,), then if at.value(condition) else otherwise, at
        case m.LetExpr(slot=slot, value=value, body=body):
            return (), body, at.bind(slot, at.value(value))
        case m.MatchExpr(subject=subject, cases=cases):
            value = at.value(subject)
            case = next(each for each in cases if each.values is None or value in each.values)
            inside = at
            for bind in case.binds:
                inside = inside.bind(bind.slot, bind.table[value])
            return (subject,), case.body, inside
        case m.WithExceptions(body=body, exceptions=exceptions):
            # Others that hold have the same value, or the rules fail.
            holding = next((each for each in exceptions if at.value(each.condition)), None)
            return ((), body, at) if holding is None else ((holding.condition,), holding.value, at)
        case _:
            return None


def _deciding_items(expr: m.Quantifier, at: Scene) -> tuple[Scene | None, int, list[Scene]]:
    """Find the first items that decide a quantifier, if any; count the items tried, and list the first of them."""
    tried, first = 0, list[Scene]()
    for here in _bindings(expr.loops, at):
        if expr.where is None or here.value(expr.where):
            tried += 1
            if here.value(expr.has) is not (expr.kind == "every"):
                return here, tried, first
            first += [here] if tried <= _MOST_TRIED else []
    return None, tried, first


def _bindings(loops: tuple[m.Loop, ...], at: Scene) -> Iterator[Scene]:
    if not loops:
        yield at
        return
    loop, *more = loops
    for item in at.items(loop.domain):
        yield from _bindings(tuple(more), at.bind(loop.slot, item))


LEAVES = (m.Read, m.CallDefine, m.TableField, m.Builtin, m.CanPerform)
"""Nodes whose values explain an expression: cells, fields, and calls that compute with them."""


def glossed_source(game: m.Game, expr: m.Expr) -> str | None:
    """Quote an expression with the game's word for it before it: `рука (my hand)`; None if its file cannot be read."""
    text = source_text(expr.span)
    return None if text is None else _glossed(game, expr, text)


def _quotation(expr: m.Expr) -> str | None:
    """Quote an expression that a note gives the value of; of a long count or sum, the beginning. None if it is too long
    or if its file cannot be read."""
    # All values of a type are the type, which explains nothing.
    text = None if isinstance(expr, m.AllValues) else source_text(expr.span)
    if text is None or len(text) <= LONGEST_VALUE:
        return text
    # Nothing else in the note says how many there are.
    is_number = isinstance(expr, m.AggregateExpr) and t.element_type(expr.type) is None
    return f"{text[: LONGEST_VALUE - 3].rsplit(' ', 1)[0]} …)" if is_number else None


def _glossed(game: m.Game, expr: m.Expr, text: str) -> str:
    """Write the game's word for an expression before its text."""

    def write(language: str | None) -> str:
        said = in_language(text, language)
        return beside(_word_of(game, expr, text, language) or said, said)

    return in_each_language(game, write)


def _word_of(game: m.Game, expr: m.Expr, text: str, language: str | None) -> str | None:
    """Return the game's word for what an expression reads: a state, a column, a define, an action, an option, a
    player by their part in the turn, what a player chooses, the values of a type; None if it has none."""
    match expr:
        case m.Checked(operand=operand):
            return _word_of(game, operand, text, language)
        case m.Read(element=element):
            return game.word(element.name, language)
        case m.CallDefine(name=name) | m.CanPerform(action=name):
            return game.word(name, language)
        # An option is its value by now; its name is what the spec writes.
        case m.Constant():
            return game.word(text, language)
        case m.Local() if text == "me":
            return language and in_language(Message("why-me"), language)
        case m.Builtin(name="opponent"):
            return language and in_language(Message("why-opponent"), language)
        case m.AllValues(of=of):
            return game.word(str(of), language)
        case m.TableField(field=field, operand=operand):
            return game.word(f"{t.strip_optional(operand.type)}.{field}", language)
        case m.Local():
            return _word_of_local(game, expr, text, language)
        case _:
            return None


def _word_of_local(game: m.Game, expr: m.Local, name: str, language: str | None) -> str | None:
    """Return the game's word for a parameter or argument; where it has none, or several, that for its type."""
    stated = {
        game.word(f"{action}.{name}", language)
        for action, signature in game.moves.items()
        for argument, of, _ in signature.arguments
        if argument == name and of == expr.type
    }
    # What the caller of an action gives is not an argument of its moves.
    given = {game.word(f"{action}.{name}", language) for action in game.actions}
    for words in (stated - {None}, given - {None}):
        if len(words) == 1:
            return words.pop()
    of = t.strip_optional(expr.type)
    return game.word(str(of), language) if isinstance(of, t.ComponentType | t.Words) else None


def _leaves(expr: Any, bound: frozenset[int]) -> Iterator[m.Expr]:
    """Enumerate what the expression reads, outermost first, except what depends on names bound inside it."""
    for child in children(expr):
        if isinstance(child, LEAVES) and not free_slots(child) & bound:
            yield child
        yield from _leaves(child, bound)


def _parted(type_: t.Type, value: t.Value) -> t.Value:
    """Return a value, or the items of one that is a set of which some are known."""
    return listed(type_, value) if isinstance(value, PartlyKnownItems) else value


def _seen_in(held: t.Value) -> tuple[int, ...]:
    """Select the known pieces of a zone: no tickets, and nothing veiled."""
    return tuple(entry for entry in (held if type(held) is tuple else (held,)) if type(entry) is int)
