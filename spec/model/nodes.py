"""The typed model: a rulebook with all names resolved. It is first-order and finite, and all sizes are known.

A `Game` is one game for one table: a number of players, options, fork readings, an edition with its borrowed
clauses already in place. A local is a slot of its routine's frame, a state or zone is an `Element` with an
offset into the flat list of cells, a word is a number (`ludex.spec.values.types`). The reference executes this model,
and lowering needs nothing else.

Every expression has a type; every statement names the clause it belongs to by its path (`study.affordable`).
Nodes are equal if they mean the same: places do not count in comparison, nor do paths that only name the clause.
Slot 0 of every routine is `me`, the acting player (None where nobody acts). Parameters follow from slot 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Literal, TypeAlias

from ludex.grammar import Authority, Span, value_class

from ..budget import DEFAULT_BUDGET, Budget
from ..values.types import ComponentType, Type, Value

# ---- clauses ----------------------------------------------------------------------------------------------------

ClauseKind = Literal[
    "type", "component", "column", "zone", "state", "option", "window", "refill", "fact", "define", "note", "action",
    "require", "step", "arm", "branch", "except", "setup", "play", "score", "winner", "invariant", "fork", "example",
    "term", "silent", "text",
]  # fmt: skip
NO_RULES = frozenset({"note", "invariant", "example", "term", "silent", "text"})
"""Kinds of clauses that do not affect play."""


class Origin(StrEnum):
    """The origin of a clause in the played edition: its own text, another text, a ruling or a convention."""

    OWN = "own"  # the text says so
    BORROWED = "borrowed"  # it is silent, and another text says so
    RULED = "ruled"  # no text says so: a house decision
    CONVENTION = "convention"  # there is no text, or the engine needs it so
    SHARED = "shared"  # all texts need it, and none has to state it


@value_class
class ClauseInfo:
    """The data about a clause besides its effect.

    Attributes:
        path: its name from the outside in, unique in the game.
        stated_by: the text that states it; the name of the game if none does, or if it has only one text.
        origin: its origin; None if it only contains clauses, or has no authority of its own.
    """

    path: str
    kind: ClauseKind
    authority: Authority
    span: Span = field(compare=False)
    stated_by: str
    origin: Origin | None = None


Holder: TypeAlias = tuple[str, int | None, int]
"""The holder of a collection: the name of a state or routine, the slot in a routine's frame (None: the state, or the
define's result), and the level: 0 for the collection, 1 for a collection inside it."""

# ---- elements of the state --------------------------------------------------------------------------------------


@value_class
class Element:
    """A stored function: a state or a zone, in `count` consecutive cells from `offset`.

    kind `state`: a cell holds a value of `type`. kind `one`: a piece or None. kind `pile`: a tuple of pieces, the last
    one on top. kind `bag`: a sorted tuple of pieces.

    Attributes:
        type: the type of a state's value, or of a zone's pieces.
        visibility: for `private`, the first index is the player who sees it.
        initial: the value of every cell of a state when a play begins; None: the zero of the type (`none`, false, the
            empty collection, 0 or the lowest value).
        most: the capacity of a pile or bag, as declared or as a component has pieces; if it is None, see
            `Game.capacities`.
    """

    name: str
    kind: Literal["state", "one", "pile", "bag"]
    indices: tuple[Type, ...]
    type: Type
    visibility: Literal["open", "private", "hidden"]
    offset: int = field(compare=False)
    count: int
    initial: Constant | None = field(compare=False)
    span: Span = field(compare=False)
    most: int | None = None

    @property
    def is_zone(self) -> bool:
        return self.kind != "state"

    def shows_from(self, source: Element) -> bool:
        """Test whether an unseen piece that moves here from another zone is revealed."""
        return source.visibility == "hidden" and self.visibility != "hidden"


ArithmeticOperator = Literal["+", "-", "*", "div", "mod"]
ComparisonOperator = Literal["=", "!=", "<", "<=", ">", ">="]
LogicOperator = Literal["and", "or", "implies"]

# ---- expressions ------------------------------------------------------------------------------------------------


@value_class
class Typed:
    """An expression with its static type.

    narrowed: the value might be `none` by its declaration, but a guard has excluded that, so `type` is not optional.
        If the guard is another requirement of the same move, an executor may evaluate this expression before it; then
        the expression has no value, and neither has the one around it.
    """

    type: Type
    span: Span = field(compare=False)
    narrowed: bool = field(default=False, kw_only=True)


@value_class
class Constant(Typed):
    value: Value


@value_class
class Local(Typed):
    slot: int


@value_class
class Read(Typed):
    """The content of a cell: a state's value, a `one` zone's piece or None, a pile's or bag's pieces.

    Indices are in the index types of the element (`Checked` where that is not certain). A pile is read as a list from
    its top down. Hidden piles and bags are read only inside `size` and `is empty`.
    """

    element: Element
    indices: tuple[Expr, ...]


@value_class
class CallDefine(Typed):
    """A call of a define. Arguments fill slots 1, 2, ... of a new frame; slot 0 is None."""

    name: str
    arguments: tuple[Expr, ...]


@value_class
class TableField(Typed):
    """A field of a record, a column of a component: `table[operand]`; None where the operand is None."""

    operand: Expr
    field: str
    table: tuple[Value, ...]


@value_class
class MakeRecord(Typed):
    """A record of the given parts; None if they are not a member of the type, which is then optional. A part may be
    None, and gives None.
    """

    record: Type
    parts: tuple[Expr, ...]


@value_class
class MakeWord(Typed):
    """A word with data, `gain(2)`."""

    words: Type
    case: str
    parts: tuple[Expr, ...]


@value_class
class Arithmetic(Typed):
    """Arithmetic on integers. `div` and `mod` round towards minus infinity, as in Python; division by zero is a spec
    fault."""

    operator: ArithmeticOperator
    left: Expr
    right: Expr


@value_class
class Combine(Typed):
    """Union and difference of sets, or (with multiplicities) of bags; lists are concatenated with `+`.

    A set and a bag give a bag. Operands of a bag may be zones.
    """

    operator: Literal["+", "-"]
    left: Expr
    right: Expr


@value_class
class Minus(Typed):
    operand: Expr


@value_class
class NotExpr(Typed):
    operand: Expr


@value_class
class Comparison(Typed):
    """A comparison: `=` and `!=` of any values, the others of numbers and ordered types.

    None has no order: the checker allows only `=` and `!=` for optional operands.
    """

    operator: ComparisonOperator
    left: Expr
    right: Expr


@value_class
class Member(Typed):
    item: Expr
    collection: Expr
    negated: bool


@value_class
class Logic(Typed):
    """A logical operation with short-circuit evaluation from the left."""

    operator: LogicOperator
    left: Expr
    right: Expr


@value_class
class EmptyTest(Typed):
    """A test whether a collection or zone is empty, or an optional is `none`."""

    operand: Expr
    negated: bool


@value_class
class IfExpr(Typed):
    condition: Expr
    then: Expr
    otherwise: Expr


@value_class
class Loop:
    """A loop of `name`, in slot `slot`, over the domain in order: sets and bags in value order, lists as they are.
    Equal pieces of a bag are separate iterations.
    """

    name: str
    slot: int
    type: Type
    domain: Expr


@value_class
class Quantifier(Typed):
    kind: Literal["some", "every", "no"]
    loops: tuple[Loop, ...]
    where: Expr | None
    has: Expr


@value_class
class AggregateExpr(Typed):
    """An aggregate. `count` counts the iterations; `max` and `min` of nothing give `otherwise` (None: a spec fault)."""

    kind: Literal["sum", "max", "min", "set", "bag", "list", "count"]
    value: Expr
    loops: tuple[Loop, ...]
    where: Expr | None
    otherwise: Expr | None


@value_class
class PickExpr(Typed):
    """`the` or `first` item of the domain for which the condition holds.

    For `the`, several different items are a spec fault; no item gives `otherwise`, or a spec fault if there is none.
    """

    kind: Literal["the", "first"]
    loop: Loop
    where: Expr | None
    otherwise: Expr | None


@value_class
class Checked(Typed):
    """A run-time check: the operand, which must be in `type` (a narrower range, or not None); else a spec fault that
    names the clause `path`.

    The checker puts it wherever it cannot prove the fit: arguments, indices, results, stored values. Elsewhere an
    executor may rely on the types.
    """

    operand: Expr
    path: str = field(compare=False)


@value_class
class ExtremumExpr(Typed):
    kind: Literal["max", "min"]
    items: tuple[Expr, ...]


@value_class
class SetExpr(Typed):
    items: tuple[Expr, ...]


@value_class
class IntervalExpr(Typed):
    """All integers from low to high; none if high < low."""

    low: Expr
    high: Expr


@value_class
class AllValues(Typed):
    """The set of all values of a type, written as the type's name."""

    of: Type


ValueFunction = Literal[
    "seat", "number", "opponent", "next", "previous", "clockwise", "reversed", "place_in", "abs", "index",
]  # fmt: skip
"""The builtins that depend on the values of their arguments alone, which must all be known."""
BuiltinName = Literal[ValueFunction, "size", "top", "total", "winner", "game_over", "to_move"]


@value_class
class Builtin(Typed):
    """A call of a built-in function.

    seat(n): the player at seat n, from 1. number(p): the seat of player p, from 1. opponent(p): of two players, the
    other. next, previous: around the table. clockwise(p): all players from p on. reversed(list). place_in(list, x): the
    position of x, from 1. size(collection or zone). abs(n). index(word): its position in the declared order, from 0.
    total(p): the present score of p. top(pile): its top piece, or None. In examples and invariants only: winner(p):
    whether p wins, alone or shared, if the game ends now; to_move(p): whether p must decide now; game_over (without
    arguments).
    """

    name: BuiltinName
    arguments: tuple[Expr, ...]


@value_class
class CanPerform(Typed):
    """A test: the player in slot 0 has a legal move of the action now."""

    action: str
    arguments: tuple[Expr, ...]


@value_class
class Binding:
    """A name for part of the matched value: `slot` gets `table[value]`."""

    slot: int
    table: tuple[Value, ...]


@value_class
class ValueCase:
    """An arm of a `match`. values: those that it matches (None, the value, may be among them); None: all others."""

    path: str = field(compare=False)
    values: frozenset[Value] | None
    binds: tuple[Binding, ...]
    body: Expr


@value_class
class MatchExpr(Typed):
    subject: Expr
    cases: tuple[ValueCase, ...]


@value_class
class LetExpr(Typed):
    slot: int
    value: Expr
    body: Expr


@value_class
class ExceptionCase:
    """An exception: `value` replaces the body if `condition` holds."""

    path: str = field(compare=False)
    condition: Expr
    value: Expr


@value_class
class WithExceptions(Typed):
    """A body with exceptions: the value of the exception that holds, else the body. Two that hold with different
    values are a spec fault.
    """

    path: str = field(compare=False)
    body: Expr
    exceptions: tuple[ExceptionCase, ...]


Expr = (
    Constant
    | Local
    | Read
    | CallDefine
    | TableField
    | MakeRecord
    | MakeWord
    | Arithmetic
    | Combine
    | Minus
    | NotExpr
    | Comparison
    | Member
    | Logic
    | EmptyTest
    | IfExpr
    | Quantifier
    | AggregateExpr
    | PickExpr
    | Checked
    | ExtremumExpr
    | SetExpr
    | IntervalExpr
    | AllValues
    | Builtin
    | CanPerform
    | MatchExpr
    | LetExpr
    | WithExceptions
)


@value_class
class Waiver:
    """An exception of a requirement: when `condition` holds, `value` (true if waived outright) suffices."""

    path: str = field(compare=False)
    condition: Expr
    value: Expr


@value_class
class Requirement:
    """A condition of a move. It holds if its condition does, or a waiver's condition and value do. label: its label's
    place; None for the `where` of a choice, which has no label."""

    path: str = field(compare=False)
    condition: Expr
    waivers: tuple[Waiver, ...]
    span: Span = field(compare=False)
    label: Span | None = field(compare=False)

    @property
    def place(self) -> Span:
        """The place for a report about it."""
        return self.label or self.span


# ---- statements -------------------------------------------------------------------------------------------------


@value_class
class Statement:
    """A statement. path: the path of its innermost clause."""

    path: str = field(compare=False)
    span: Span = field(compare=False)


@value_class
class Sequence(Statement):
    body: tuple[Step, ...]


@value_class
class ExceptionalStep:
    path: str = field(compare=False)
    condition: Expr
    body: Step


@value_class
class WithStepExceptions(Statement):
    """A body with exceptions: the statement of the exception that holds, else the body. Two that hold and differ are a
    spec fault.
    """

    body: Step
    exceptions: tuple[ExceptionalStep, ...]


@value_class
class Demand(Statement):
    """A requirement among the steps: if it fails, the move that led here is refused."""

    requirement: Requirement


@value_class
class SetLocal(Statement):
    """A `let`, a local state's first value, or an assignment to a local state."""

    slot: int
    value: Expr


@value_class
class Store(Statement):
    """An assignment to a cell of a state."""

    element: Element
    indices: tuple[Expr, ...]
    value: Expr


@value_class
class ZoneRef:
    element: Element
    indices: tuple[Expr, ...]


@value_class
class FillZone(Statement):
    """Put pieces into a zone. pieces: a set, bag or list; of a set of kinds of a component, every copy of each kind."""

    zone: ZoneRef
    pieces: Expr


@value_class
class ShuffleZone(Statement):
    zone: ZoneRef


@value_class
class DrawPieces(Statement):
    """Draw `count` pieces one by one, from the top of a pile or at random from a bag; fewer if there are not enough."""

    count: Expr
    source: ZoneRef
    target: ZoneRef
    bottom: bool


@value_class
class MovePiece(Statement):
    """Move a piece (or each of a collection) from one zone to another. A piece that is not there is a spec fault.

    piece: None: the piece in the `one` zone `source`; nothing happens if it is empty.
    """

    piece: Expr | None
    source: ZoneRef
    target: ZoneRef
    bottom: bool


@value_class
class MoveAll(Statement):
    """Move all pieces of a zone; those of a pile keep their order, those of a bag are moved in value order."""

    source: ZoneRef
    target: ZoneRef
    bottom: bool


@value_class
class PutPiece(Statement):
    """Add a piece (or each of a collection) to the game, in `target`."""

    piece: Expr
    target: ZoneRef
    bottom: bool


@value_class
class RemovePiece(Statement):
    """Remove a piece (or each of a collection) from the game."""

    piece: Expr
    source: ZoneRef


@value_class
class SwapPieces(Statement):
    """Swap the contents of two `one` zones; either may be empty."""

    left: ZoneRef
    right: ZoneRef


@value_class
class Choice:
    """One value that the player chooses. within: any sub-multiset of the domain (a bag), else one of its values (equal
    pieces of a bag are one option).
    """

    name: str
    slot: int
    type: Type
    domain: Expr
    within: bool


@value_class
class ActionOption:
    """An option to perform a declared action. The move has the name of the action, and states the arguments in its
    `stated`."""

    action: str
    arguments: tuple[Expr, ...]

    @property
    def name(self) -> str:
        return self.action


@value_class
class BranchOption:
    """An option that is written at the decision: a labelled branch, or values to choose. Its move has its path as name.

    Choices, conditions and body run in the frame of the routine around it. requirements: those that immediately follow
    the choices; a `where` is one of them, with the path of the choice itself.
    """

    name: str
    choices: tuple[Choice, ...]
    requirements: tuple[Requirement, ...]
    body: Step


MoveOption = ActionOption | BranchOption


@value_class
class Asking(Statement):
    """A statement at which players choose among the legal moves of its options."""

    options: tuple[MoveOption, ...]


@value_class
class Decide(Asking):
    """A decision: the player in slot 0 chooses among all legal moves of the options.

    optional: the player may decline. repeating: the player decides again until declining. Without a legal move, the
    decision is skipped, without an event, if everybody can see that there is none; else the player declines.
    """

    optional: bool
    repeating: bool
    window: str | None = None


@value_class
class Simultaneous(Asking):
    """All players choose without seeing the others' choices; then the chosen bodies run in seat order, without further
    events.

    A player without a legal option is skipped, or declines if the others cannot see that there is none.
    """


@value_class
class Perform(Statement):
    """A call of an action without choices, a procedure. Arguments fill slots 1, 2, ... of a new frame; `me` is passed
    on."""

    action: str
    arguments: tuple[Expr, ...]


@value_class
class RandomValue(Statement):
    """A chance event: `slot` gets a value of the domain, all equally likely (of a bag, by multiplicity). An empty
    domain is a spec fault.
    """

    name: str
    slot: int
    type: Type
    domain: Expr
    where: Expr | None


@value_class
class IfStep(Statement):
    condition: Expr
    then: Step
    otherwise: Step | None


@value_class
class StepCase:
    path: str = field(compare=False)
    values: frozenset[Value] | None
    binds: tuple[Binding, ...]
    body: Step


@value_class
class MatchStep(Statement):
    """Execute the first case whose values contain the subject's; nothing, if there is none."""

    subject: Expr
    cases: tuple[StepCase, ...]


@value_class
class ForEach(Statement):
    """Loops around a body. Each domain is evaluated when its loop begins; `where` is evaluated before each
    iteration."""

    loops: tuple[Loop, ...]
    where: Expr | None
    body: Step


@value_class
class ForEachPlayer(Statement):
    """A loop over players (a list, or a set in seat order), in which `me` is the player."""

    order: Expr
    body: Step


@value_class
class AsPlayer(Statement):
    player: Expr
    body: Step


@value_class
class RepeatUntilStep(Statement):
    """Repeat the body, at least once, until `until` holds after it (None: until `end game`)."""

    body: Step
    until: Expr | None


@value_class
class RepeatTimesStep(Statement):
    count: Expr
    body: Step


@value_class
class EndGameStep(Statement):
    pass


Step = (
    Sequence
    | WithStepExceptions
    | Demand
    | SetLocal
    | Store
    | FillZone
    | ShuffleZone
    | DrawPieces
    | MovePiece
    | MoveAll
    | PutPiece
    | RemovePiece
    | SwapPieces
    | Decide
    | Simultaneous
    | Perform
    | RandomValue
    | IfStep
    | MatchStep
    | ForEach
    | ForEachPlayer
    | AsPlayer
    | RepeatUntilStep
    | RepeatTimesStep
    | EndGameStep
)


LocalName: TypeAlias = tuple[int, str, Type]
"""A slot of a routine's frame, the name that it has in the spec, and its type."""

# ---- routines ---------------------------------------------------------------------------------------------------


@value_class
class Define:
    """A computed function. Facts without parameters are folded into constants.

    cycle: the value of a recursive call with the same arguments; None if the function is not recursive.
    """

    name: str
    parameters: tuple[tuple[str, Type], ...]
    result: Type
    body: Expr
    cycle: Expr | None
    frame_size: int
    span: Span = field(compare=False)


@value_class
class Action:
    """A kind of move, or, without choices, a procedure.

    Attributes:
        parameters: the parameters, in slots from 1.
        choices: the values that the player chooses, part of the move.
        requirements: those before the first step, each testable once its slots are bound.
        body: the statements after them.
        stated: the parameters that its moves state before the choices, since some decision offers the action several
            times, with different arguments for them.
        window: the window in which players may perform it.
        can_refuse: whether a requirement may fail after the move and before the next event, so that legality takes a
            trial.
        locals: as in `Routine`.
    """

    name: str
    parameters: tuple[tuple[str, Type], ...]
    choices: tuple[Choice, ...]
    requirements: tuple[Requirement, ...]
    body: Step
    frame_size: int
    window: str | None
    can_refuse: bool
    span: Span = field(compare=False)
    stated: tuple[str, ...] = ()
    locals: tuple[LocalName, ...] = field(default=(), compare=False)


@value_class
class Routine:
    """`setup`, `play`, or the `given` of an example. locals: the slots with a name, whichever scope it has."""

    name: str
    body: Step
    frame_size: int
    locals: tuple[LocalName, ...] = field(default=(), compare=False)


@value_class
class ScoreClause:
    """Points of the player in slot 0."""

    path: str
    value: Expr
    frame_size: int


@value_class
class WinnerCriterion:
    path: str
    kind: Literal["highest", "lowest", "share"]
    value: Expr | None
    frame_size: int


@value_class
class Invariant:
    """A condition that holds in every state of a play in which an event is awaited, or which is the end."""

    path: str
    condition: Expr
    frame_size: int
    span: Span = field(compare=False)


@value_class
class Refill:
    """A refill: when a draw empties the first zone, or finds it empty, the second is shuffled into it."""

    path: str
    zone: ZoneRef
    source: ZoneRef


@value_class
class Fork:
    name: str
    readings: tuple[tuple[str, str], ...]
    chosen: str
    default: str
    reason: str
    span: Span = field(compare=False)
    decided: bool = False


@value_class
class OptionSetting:
    name: str
    type: Type
    value: Value
    default: Value
    span: Span = field(compare=False)


# ---- words ------------------------------------------------------------------------------------------------------


@value_class
class Wording:
    """The name of a thing in one language."""

    language: str
    text: str
    span: Span = field(compare=False)


NOTATION = "notation"
"""The tag, in the place of a language, of a thing's sign in the short notation of events."""


@value_class
class Term:
    """The words for one thing, one for each language; `name` is its path (`drop`, `Card.jack`, `turn.first.earn`)."""

    name: str
    words: tuple[Wording, ...]

    def word_in(self, language: str) -> str | None:
        return next((word.text for word in self.words if word.language == language), None)


# ---- examples ---------------------------------------------------------------------------------------------------


@value_class
class ExampleMove:
    """A move with constant arguments: values by choice name."""

    player: int
    action: str
    arguments: tuple[tuple[str, Value], ...]
    span: Span = field(compare=False)


@value_class
class PlayMove:
    move: ExampleMove


@value_class
class ChanceOutcome:
    """In an example: the outcome of the next chance event."""

    value: Value
    type: Type
    span: Span = field(compare=False)


@value_class
class AllowMove:
    move: ExampleMove


@value_class
class RefuseMove:
    """In an example: a move that is refused, with the reason.

    by_flow: whether the reason is a clause of the flow: another player decides there, something else, or the game ends.
    """

    move: ExampleMove
    because: str
    by_flow: bool = False


@value_class
class Condition:
    """A condition with its source text."""

    text: str
    value: Expr


@value_class
class ExpectThat:
    """In an example: an expectation. parts: the operands of its `and`."""

    parts: tuple[Condition, ...]
    frame_size: int
    text: str
    span: Span = field(compare=False)


ExampleCheck = PlayMove | ChanceOutcome | AllowMove | RefuseMove | ExpectThat


@value_class
class Example:
    """A position and what must hold in it. seats: the names of its players, in seat order."""

    name: str
    seats: tuple[str, ...]
    given: Routine | None
    checks: tuple[ExampleCheck, ...]
    span: Span = field(compare=False)


# ---- what logs may hold -----------------------------------------------------------------------------------------


@value_class
class MoveSignature:
    """The name of a move and what a player states with it: (name, type, within). Parameters come before choices."""

    name: str
    arguments: tuple[tuple[str, Type, bool], ...]
    span: Span = field(compare=False)


@value_class
class ChanceSignature:
    """A clause that raises a chance event, and the type of its outcome."""

    path: str
    outcome: Type
    span: Span = field(compare=False)


# ---- the game ---------------------------------------------------------------------------------------------------


@value_class
class Picture:
    """Hints for drawing the table, where these do not follow from the index types; they affect no rule.

    Attributes:
        from_below: states and zones whose boards have their first row at the bottom.
        not_shown: states and zones that are not drawn, although players may know their content.
    """

    from_below: frozenset[str] = frozenset()
    not_shown: frozenset[str] = frozenset()


# This class has no slots, as cached properties are kept in the `__dict__`.
@dataclass(frozen=True)
class Game:
    """A checked game for one table, as `ludex.spec.load` makes it.

    Attributes:
        edition, silence: the chosen text, and whether clauses that it omits are borrowed: `borrow` or `literal`.
        players: the number of players.
        titles: the title in each language.
        fingerprint: a digest of the rules and component data in force, without comments, layout and terms; empty if no
            log can name this game.
        terms: the names of things, by path; they affect no rule.
        silent: the paths of clauses that some text states and that are not in force.
        budget: how much work play may need.
        capacities: upper bounds of the sizes of stored and named collections, and of each cell of piles and bags.
        invariants: what the author claims of every state; they affect no rule.
    """

    name: str
    edition: str
    silence: str
    players: int
    player_counts: tuple[int, ...]
    titles: Mapping[str, str]
    documents: Mapping[str, str]
    fingerprint: str
    types: Mapping[str, Type]
    components: tuple[ComponentType, ...]
    elements: tuple[Element, ...]
    defines: Mapping[str, Define]
    actions: Mapping[str, Action]
    setup: Routine | None
    play: Routine
    scores: tuple[ScoreClause, ...]
    winner: tuple[WinnerCriterion, ...]
    refills: tuple[Refill, ...]
    forks: tuple[Fork, ...]
    options: tuple[OptionSetting, ...]
    examples: tuple[Example, ...]
    moves: Mapping[str, MoveSignature]
    chances: Mapping[str, ChanceSignature]
    clauses: Mapping[str, ClauseInfo]
    silent: tuple[str, ...] = ()
    editions: tuple[str, ...] = field(default=())
    terms: Mapping[str, Term] = field(default_factory=dict)
    picture: Picture = field(default_factory=Picture)
    budget: Budget = DEFAULT_BUDGET
    capacities: Mapping[Holder, int] = field(default_factory=dict)
    invariants: tuple[Invariant, ...] = ()

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages in which the game has a title or a word, as the files name them first."""
        spoken = (word.language for term in self.terms.values() for word in term.words)
        return tuple(dict.fromkeys(tag for tag in (*self.titles, *spoken) if tag != NOTATION))

    def word(self, name: str, language: str | None) -> str | None:
        """Return the term for the thing with this path in a language; None if there is none."""
        term = self.terms.get(name)
        return term.word_in(language) if term and language else None

    @property
    def routines(self) -> tuple[Routine | Action, ...]:
        """The routines of the game: set-up, the course of play, then the actions."""
        setup = () if self.setup is None else (self.setup,)
        return (*setup, self.play, *self.actions.values())

    @cached_property
    def cell_count(self) -> int:
        return sum(element.count for element in self.elements)

    @cached_property
    def element(self) -> Mapping[str, Element]:
        return {element.name: element for element in self.elements}
