"""Apparatus filter: derives the game as one text has it from the text with its apparatus.

A clause holds for the texts whose lines it cites; a `variant` gives the words of other texts in its place; a clause
without a text (a ruling, a convention, a frame around clauses) holds for all. A clause that the chosen text omits is
borrowed from the first other text that states it, or is left out (`docs/language.md`, the apparatus).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TypeVar

from ludex.grammar import syntax as s
from ludex.grammar import words_in

from ..model import NO_RULES
from ..model.graphs import leading_to, reachable
from .attestation import all_stated, of_text, texts_of
from .clauses import pattern_name, stated, stated_within

ON_DEMAND = s.ForkDeclaration | s.StateDeclaration | s.ValueDeclaration
"""Declarations that do nothing unless a clause uses them."""
NAMED = s.ActionDeclaration | s.ValueDeclaration
"""Declarations that clauses use by name, and that a text may omit."""


@dataclass(frozen=True, slots=True)
class Filtered:
    """A game as one of its texts has it.

    Attributes:
        declarations: the declarations in force, each clause once, in the words of the text that it is taken from.
        silent: paths of the rules that another text states and that are not in force here.
    """

    declarations: tuple[s.Declaration, ...]
    silent: tuple[str, ...]


def as_text(
    declarations: Sequence[s.Declaration],
    text: str,
    lenders: Sequence[str] = (),
    read_as: Mapping[str, str] | None = None,
) -> Filtered:
    """Return the game as one of its texts has it.

    Args:
        declarations: those of the whole game, with the apparatus.
        text: the siglum of the text.
        lenders: the texts from which omitted clauses are borrowed, in this order.
        read_as: by the path of a clause, another text whose version of the clause (or silence) is taken.
    """
    filtered = _without_idle(_Filter((text, *lenders), read_as or {}), declarations)
    kept = _used(filtered, declarations)
    # The paths are compared after all filters, since a clause may go with the one around it.
    present = {clause.path for clause in stated(tuple(kept))}
    # What states no rule cannot be missing from play.
    known = {clause.path for clause in all_stated(declarations) if clause.kind not in NO_RULES}
    silent = known - present
    # An example that names an omitted clause is about another text.
    applicable = (node for node in kept if not (isinstance(node, s.ExampleDeclaration) and silent & _words_of(node)))
    return Filtered(tuple(applicable), tuple(sorted(silent)))


def filtered_as(
    declarations: Iterable[s.Declaration],
    text: str,
    lenders: Sequence[str] = (),
    read_as: Mapping[str, str] | None = None,
) -> list[s.Declaration]:
    """Return the declarations as a text has them, including those that only other texts use. Arguments as `as_text`."""
    return _Filter((text, *lenders), read_as or {}).all(declarations)


def _without_idle(filter_: _Filter, declarations: Sequence[s.Declaration]) -> list[s.Declaration]:
    """Return the declarations as a text has them, without helpers that cannot work in this edition.

    A helper is a define or action that no text states. It is left out if it uses, directly or indirectly, a declaration
    that the text omits; but it stays if a stated clause uses it, so that its fault is reported there."""
    kept = filter_.all(declarations)
    missing = _names_of(declarations) - _names_of(kept)
    if not missing:
        return kept
    helpers: dict[str, s.Declaration] = {
        node.name: node for node in kept if isinstance(node, NAMED) and not _is_stated(node)
    }
    # A helper of a missing declaration is missing, too, and so on along the chain.
    absent = leading_to(missing, {name: _words_of(node) for name, node in helpers.items()})
    # What the stated clauses use is needed, although it may do without a missing part.
    stated_alone = replace(filter_, absent=absent).all(declarations)
    used = set[str]().union(*(_words_of(node) for node in stated_alone))
    # A needed helper needs its own helpers.
    needed = reachable(used & helpers.keys(), lambda name: _words_of(helpers[name]) & helpers.keys())
    # The game is filtered again from the beginning, since a helper may have been cut down in the trials.
    return replace(filter_, absent=missing | (absent - needed)).all(declarations)


def _names_of(declarations: Iterable[s.Declaration]) -> frozenset[str]:
    return frozenset(node.name for node in declarations if isinstance(node, NAMED))


def _used(kept: Sequence[s.Declaration], everything: Sequence[s.Declaration]) -> list[s.Declaration]:
    """Return the declarations without the forks, states and defines that only clauses of other texts use.

    Those that nothing uses in any text stay, so that they are reported as unused. An invariant takes in facts and
    defines only; it is left out if it is about a state or fork that is."""
    used_somewhere = set().union(*(_words_of(node) for node in everything))
    waiting: dict[str, s.Declaration] = {
        # A declaration that no clause of any text uses is a mistake of the author's, which the checks report.
        node.name: node
        for node in kept
        if isinstance(node, ON_DEMAND) and node.name in used_somewhere
    }
    # Only what clauses of this text use, directly or through each other, is taken in.
    rules = (node for node in kept if not isinstance(node, s.InvariantDeclaration))
    used = set[str]().union(*(_words_of(node) for node in rules if not _is_waiting(node, waiting)))
    taken = _with_helpers(used, waiting)
    # A claim about a state must not bring the state into a game whose rules have none.
    claims = {
        node: _with_helpers(_words_of(node), waiting) for node in kept if isinstance(node, s.InvariantDeclaration)
    }
    idle = {
        node
        for node, needed in claims.items()
        if not all(name in taken or isinstance(waiting[name], s.ValueDeclaration) for name in needed)
    }
    taken = taken.union(*(needed for node, needed in claims.items() if node not in idle))
    left_out = {name: waiting[name] for name in waiting.keys() - taken}
    return [node for node in kept if node not in idle and not _is_waiting(node, left_out)]


def _with_helpers(used: Set[str], waiting: Mapping[str, s.Declaration]) -> frozenset[str]:
    """Return the waiting declarations that some names use, directly or through each other."""
    return frozenset(reachable(used & waiting.keys(), lambda name: _words_of(waiting[name]) & waiting.keys()))


def _is_waiting(node: s.Declaration, waiting: Mapping[str, s.Declaration]) -> bool:
    """Return whether this very node is waiting; a score may have the same name as a state."""
    return waiting.get(getattr(node, "name", "")) is node


def _words_of(node: s.Declaration) -> frozenset[str]:
    """Return the names that a declaration uses; not its own name, and none for terms."""
    if isinstance(node, s.TermsDeclaration):
        return frozenset()
    # A definition that calls itself is not used by that.
    return frozenset(words_in(node)) - ({node.name} if isinstance(node, ON_DEMAND) else frozenset())


# ---- the filter -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The version of a clause that is in force.

    Attributes:
        text: the text whose words they are; None for a clause that no text states.
        variant: the variant with the words; None for the clause's own words.
    """

    text: str | None
    variant: s.Variant | None
    authority: s.Authority


@dataclass(frozen=True, slots=True)
class _Filter:
    """A filter of declarations for one edition.

    Attributes:
        texts: the chosen text, then its lenders.
        read_as: by the path of a clause, another text whose version is taken.
        absent: names of declarations that are not in force. Clauses that no text states and that use one are left out.
    """

    texts: tuple[str, ...]
    read_as: Mapping[str, str]
    absent: frozenset[str] = frozenset()

    def all(self, declarations: Iterable[s.Declaration]) -> list[s.Declaration]:
        """Return the declarations in force, filtered."""
        return [node for node in map(self.declaration, declarations) if node is not None]

    def sources(self, path: str) -> tuple[str, ...]:
        """Return the texts that may supply a clause: the chosen one and its lenders, or the one of `read_as`."""
        other = self.read_as.get(path, self.texts[0])
        # A version that was asked for is never replaced by a lender's: its silence is what is to be tried.
        return self.texts if other == self.texts[0] else (other,)

    def choice(self, path: str, authority: s.Authority, apparatus: tuple[s.Entry, ...]) -> _Chosen | None:
        """Choose the words of a clause; None if it is not in force."""
        # Entries come before the clause's own citations: a text may cite a clause for some lines and vary it.
        # The chosen text comes first, then its lenders in their order.
        for number, text in enumerate(self.sources(path)):
            for entry in apparatus:
                if isinstance(entry, s.Variant) and text in entry.sigla:
                    return _Chosen(text, entry, of_text(entry.authority, text))
                if isinstance(entry, s.Ruled) and text in entry.sigla:
                    reason = s.Reason(entry.span, "ruling", entry.reason)
                    own = of_text(entry.authority, text)
                    return _Chosen(text, None, replace(own, reasons=(*own.reasons, reason)))
            if text in texts_of(authority):
                return _Chosen(text, None, of_text(authority, text))
            # A clause that no text states is in force in every edition, so it comes before any lender.
            if not number and _is_unattested(authority, apparatus) and not _is_omitted(text, apparatus):
                return _Chosen(None, None, authority)
        return None

    def within(self, chosen: _Chosen | None) -> _Filter:
        """Return the filter for the inside of a variant, which belongs to its text."""
        if chosen is None or chosen.variant is None or chosen.text is None:
            return self
        # Inside the words of one text, its own version of an inner clause goes before that of any other.
        return replace(self, texts=tuple(dict.fromkeys((chosen.text, *self.texts))))

    def holds(self, chosen: _Chosen | None, path: str, whole: StatementOrValue, inside: StatementOrValue) -> bool:
        """Return whether a clause is in force.

        A clause without a version is in force for the chosen text if it states a clause inside. A clause that no text
        states is in force if the clauses inside are, or if none of them is stated by any text.

        whole: the body before filtering; inside: the filtered body."""
        if chosen is None:
            # Without words of its own it may still hold clauses that the text states.
            return self.sources(path)[0] == self.texts[0] and self.is_own(inside)
        # What the editors wrote around stated clauses is in force where one of these is.
        return chosen.text is not None or not _holds_stated(whole) or self.is_own(inside)

    def is_idle(self, chosen: _Chosen | None, words: s.Node) -> bool:
        """Return whether no text states the clause, and it uses a declaration that is not in force."""
        return chosen is not None and chosen.text is None and not self.absent.isdisjoint(words_in(words))

    # ---- declarations

    def declaration(self, node: s.Declaration) -> s.Declaration | None:
        match node:
            case s.ValueDeclaration(name=name) | s.ActionDeclaration(name=name) if name in self.absent:
                return None
            case s.ValueDeclaration(name=name):
                return self.valued(node, name)
            case s.ScoreDeclaration(name=name):
                return self.valued(node, f"score.{name}")
            case s.InvariantDeclaration(name=name):
                path = f"invariant.{name}"
                is_idle = self.is_idle(self.choice(path, node.authority, node.body.apparatus), node.body)
                return None if is_idle else self.valued(node, path)
            case s.ActionDeclaration(name=name):
                return self.block_of(node, name)
            case s.SetupDeclaration():
                return self.block_of(node, "setup")
            case s.PlayDeclaration():
                return self.block_of(node, "play")
            case s.WinnerDeclaration(criteria=criteria):
                kept = tuple(each for each in map(self.criterion, criteria) if each is not None)
                # A winner without criteria would decide nothing.
                return replace(node, criteria=kept) if kept else None
            case s.NoteDeclaration():
                return self.note(node)
            case s.RefillDeclaration():
                return self.refill(node)
            case s.ForkDeclaration():
                return self.fork(node)
            case s.ExampleDeclaration(authority=authority):
                texts = texts_of(authority)
                return node if not texts or self.texts[0] in texts else None
            # This declaration says what the text is, and is not part of the game.
            case s.TextDeclaration():
                return None
            case _:
                return node

    def valued(self, node: Valued, path: str) -> Valued | None:
        chosen = self.choice(path, node.authority, node.body.apparatus)
        body = self.value(node.body, path, chosen)
        return replace(node, body=body, authority=_authority(chosen, node)) if body else None

    def block_of(self, node: Blocked, path: str) -> Blocked | None:
        chosen = self.choice(path, node.authority, node.apparatus)
        body = self.block(node.body, path)
        if not self.holds(chosen, path, node.body, body):
            return None
        body = _ordered(body, node.apparatus, self.sources(path)[0])
        if node.body.statements and not body.statements:
            # An empty block was left by clauses that this text lacks, and would be an action that does nothing.
            return None
        return replace(node, body=body, authority=_authority(chosen, node), apparatus=())

    def is_own(self, node: StatementOrValue) -> bool:
        """Return whether the chosen text or a lender states a clause inside a part."""
        return any(text in self.texts for clause in stated_within(node, "") for text in texts_of(clause.authority))

    def criterion(self, node: s.Criterion) -> s.Criterion | None:
        chosen = self.choice(f"winner.{node.label}", node.authority, node.apparatus)
        if chosen is None:
            return None
        body = chosen.variant.body if chosen.variant else node
        assert isinstance(body, s.Criterion)
        return replace(node, kind=body.kind, value=body.value, authority=chosen.authority, apparatus=())

    def note(self, node: s.NoteDeclaration) -> s.NoteDeclaration | None:
        chosen = self.choice(node.name, node.authority, node.apparatus)
        if chosen is None:
            return None
        body = chosen.variant.body if chosen.variant else node
        assert isinstance(body, s.NoteDeclaration)
        return replace(node, value=body.value, text=body.text, authority=chosen.authority, apparatus=())

    def refill(self, node: s.RefillDeclaration) -> s.RefillDeclaration | None:
        chosen = self.choice(f"refill.{node.place.name}", node.authority, node.apparatus)
        return replace(node, authority=chosen.authority, apparatus=()) if chosen else None

    def fork(self, node: s.ForkDeclaration) -> s.ForkDeclaration:
        """Return the fork with the reading that the first text with a citation decides; open if none decides it."""
        for text in self.sources(node.name):
            for reading in node.readings:
                if text in texts_of(reading.authority):
                    own = of_text(reading.authority, text)
                    return replace(node, default=reading.name, reason=_DECIDED, decided=True, authority=own)
            if text in texts_of(node.authority):
                return replace(node, authority=of_text(node.authority, text))
        return replace(node, authority=replace(node.authority, citations=()))

    # ---- values

    def value(self, body: s.ValueBody, path: str, chosen: _Chosen | None) -> s.ValueBody | None:
        # The exceptions are those of the clause, not of the variant: an exception is a clause of its own, with an
        # apparatus of its own.
        exceptions = tuple(each for each in (self.exception(one, path) for one in body.exceptions) if each is not None)
        if chosen is not None and chosen.variant is not None:
            assert isinstance(chosen.variant.body, s.ValueBody)
            body = chosen.variant.body
        value = body.value
        if isinstance(value, s.ValueMatch):
            inside = self.within(chosen)
            arms = tuple(each for each in (inside.value_arm(one, path) for one in value.arms) if each is not None)
            # A match without arms has no value.
            if not arms:
                return None
            value = replace(value, arms=arms)
        whole, body = body, replace(body, value=value, exceptions=(), apparatus=())
        return replace(body, exceptions=exceptions) if self.holds(chosen, path, whole, body) else None

    def value_arm(self, arm: s.ValueArm, path: str) -> s.ValueArm | None:
        path = f"{path}.{pattern_name(arm.patterns)}"
        chosen = self.choice(path, arm.authority, arm.value.apparatus)
        value = self.value(arm.value, path, chosen)
        return replace(arm, value=value, authority=_authority(chosen, arm)) if value else None

    def exception(self, node: Exceptional, path: str) -> Exceptional | None:
        chosen = self.choice(f"{path}.{node.label}", node.authority, node.apparatus)
        if chosen is None or self.is_idle(chosen, node):
            return None
        if chosen.variant is not None:
            assert isinstance(chosen.variant.body, type(node))
            node = replace(chosen.variant.body, label=node.label)
        return replace(node, authority=chosen.authority, apparatus=())

    # ---- statements

    def block(self, block: s.Block, path: str) -> s.Block:
        kept = tuple(each for each in (self.statement(one, path) for one in block.statements) if each is not None)
        return replace(block, statements=kept)

    def statement(self, node: s.Statement, path: str) -> s.Statement | None:
        # The language has no statement without a body, so one whose body this text empties is omitted with it.
        match node:
            case s.Block():
                inside = self.block(node, path)
                return inside if inside.statements else None
            case s.Clause(label=label):
                return self.clause(node, f"{path}.{label}")
            case s.Require(label=label, body=body, authority=authority):
                path = f"{path}.{label}"
                # Its parts cannot be filtered if it uses what this text lacks, and no text states it.
                is_idle = self.is_idle(self.choice(path, authority, body.apparatus), body)
                return None if is_idle else self.valued(node, path)
            case s.Match(arms=arms):
                kept = tuple(each for each in (self.step_arm(one, path) for one in arms) if each is not None)
                return replace(node, arms=kept) if kept else None
            case s.ChooseBranch(branches=branches):
                filtered = (self.clause(one, f"{path}.{one.label}") for one in branches)
                branches_left = tuple(each for each in filtered if each is not None)
                return replace(node, branches=branches_left) if branches_left else None
            case s.If(then=then, otherwise=otherwise):
                return self.conditional(node, self.statement(then, path), otherwise and self.statement(otherwise, path))
            case s.May(body=part) | s.RepeatMay(body=part):
                inner = self.statement(part, path)
                return replace(node, body=inner) if inner is not None else None
            case (
                s.RepeatUntil(body=block)
                | s.RepeatTimes(body=block)
                | s.Each(body=block)
                | s.EachPlayer(body=block)
                | s.AllPlayers(body=block)
                | s.As(body=block)
            ):
                left = self.block(block, path)
                return replace(node, body=left) if left.statements else None
            case _:
                return node

    def conditional(self, node: s.If, then: s.Statement | None, otherwise: s.Statement | None) -> s.If | None:
        # If neither branch is left, the condition has no effect.
        if then is None and otherwise is None:
            return None
        # The test must stay for the branch that is left.
        return replace(node, then=then or s.Nothing(node.then.span), otherwise=otherwise)

    def clause(self, node: s.Clause, path: str) -> s.Clause | None:
        chosen = self.choice(path, node.authority, node.apparatus)
        if self.is_idle(chosen, node.body):
            return None
        exceptions = tuple(each for each in (self.exception(one, path) for one in node.exceptions) if each is not None)
        body = self.chosen_body(node.body, node.apparatus, chosen, path)
        if body is None:
            return None
        return replace(node, body=body, exceptions=exceptions, authority=_authority(chosen, node), apparatus=())

    def step_arm(self, arm: s.StepArm, path: str) -> s.StepArm | None:
        path = f"{path}.{pattern_name(arm.patterns)}"
        chosen = self.choice(path, arm.authority, arm.apparatus)
        body = self.chosen_body(arm.body, arm.apparatus, chosen, path)
        return replace(arm, body=body, authority=_authority(chosen, arm), apparatus=()) if body else None

    def chosen_body(
        self, body: s.Statement, apparatus: tuple[s.Entry, ...], chosen: _Chosen | None, path: str
    ) -> s.Statement | None:
        """Return the filtered body of a clause of steps; None if the clause is not in force."""
        if chosen is not None and chosen.variant is not None:
            assert isinstance(chosen.variant.body, s.Statement)
            body = chosen.variant.body
        filtered = self.within(chosen).statement(body, path)
        if filtered is None or not self.holds(chosen, path, body, filtered):
            return None
        return _ordered(filtered, apparatus, self.sources(path)[0]) if isinstance(filtered, s.Block) else filtered


StatementOrValue = s.Statement | s.ValueBody
Valued = TypeVar("Valued", s.ValueDeclaration, s.ScoreDeclaration, s.InvariantDeclaration, s.Require)
Blocked = TypeVar("Blocked", s.ActionDeclaration, s.SetupDeclaration, s.PlayDeclaration)
Exceptional = TypeVar("Exceptional", s.ValueException, s.StepException)
_DECIDED = "the words of the text admit this reading only"


def _authority(chosen: _Chosen | None, node: s.Node) -> s.Authority:
    """Return the authority of the version in force; empty for a clause that is kept only for the clauses inside it."""
    return chosen.authority if chosen else s.Authority(node.span)


def _is_unattested(authority: s.Authority, apparatus: tuple[s.Entry, ...]) -> bool:
    """Return whether no text states the words of a clause, not even with a ruling."""
    return not authority.citations and not any(isinstance(entry, s.Ruled) for entry in apparatus)


def _holds_stated(node: StatementOrValue) -> bool:
    """Return whether some text states a clause inside a part."""
    return any(clause.authority.citations or clause.apparatus for clause in stated_within(node, ""))


def _is_stated(node: s.Declaration) -> bool:
    """Return whether some text states a declaration, or a clause inside it."""
    return any(clause.authority.citations or clause.apparatus for clause in stated((node,)))


def _is_omitted(text: str, apparatus: tuple[s.Entry, ...]) -> bool:
    return any(isinstance(entry, s.Omission) and text in entry.sigla for entry in apparatus)


def _ordered(block: s.Block, apparatus: tuple[s.Entry, ...], text: str) -> s.Block:
    """Return a block in a text's order: the clauses named in `order` are permuted, all other statements stay."""
    # The first entry counts; a second one is reported.
    order = next((e for e in apparatus if isinstance(e, s.Order) and text in e.sigla), None)
    if order is None:
        return block
    named = {each.label: each for each in block.statements if isinstance(each, s.Clause | s.Require)}
    # Clauses that `order` does not name keep their places.
    places = [n for n, each in enumerate(block.statements) if getattr(each, "label", None) in order.labels]
    moved = [named[label] for label in order.labels if label in named]
    statements = list(block.statements)
    # A clause that this text omits is missing among those to move, so that there may be more places.
    for place, clause in zip(places, moved, strict=False):
        statements[place] = clause
    return replace(block, statements=tuple(statements))
