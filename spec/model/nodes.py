"""The typed model: a rulebook with all names resolved. It is first-order and finite, and all sizes are known.

A `Game` is one game for one table: a number of players, options, fork readings, an edition with its borrowed
clauses already in place. It holds no names to look up any more: a local is a slot of its routine's frame, a state or
zone is an `Element` with an offset into the flat list of cells, a word is a number (`ludex.spec.values.types`).
The interpreter executes this model; a code generator can be written against it alone.

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

from ludex.grammar import Authority, Span

from ..budget import DEFAULT_BUDGET, Budget
from ..values.types import ComponentType, Type, Value

# ---- clauses ----------------------------------------------------------------------------------------------------

ClauseKind = Literal[
    "type", "component", "column", "zone", "state", "option", "window", "refill", "fact", "define", "note", "action",
    "require", "step", "arm", "branch", "except", "setup", "play", "score", "winner", "fork", "example", "term",
    "silent", "text",
]  # fmt: skip


class Origin(StrEnum):
    """Where a clause comes from, in the edition that is played: the game as one of its texts has it."""

    OWN = "own"  # the text says so
    BORROWED = "borrowed"  # it is silent, and another text says so
    RULED = "ruled"  # no text says so: a house decision
    CONVENTION = "convention"  # there is no text, or the engine needs it so
    SHARED = "shared"  # what all texts need, and none has to say


@dataclass(frozen=True, slots=True)
class ClauseInfo:
    """What is known of a clause besides what it does.

    Attributes:
        path: its name from the outside in, unique in the game.
        stated_by: the text that states it; the game's name where none does, or it has only one.
        origin: where it comes from; None if it is made of clauses, or part of one that is told.
    """

    path: str
    kind: ClauseKind
    authority: Authority
    span: Span = field(compare=False)
    stated_by: str
    origin: Origin | None = None


Holder: TypeAlias = tuple[str, int | None, int]
"""What keeps a collection: the name of a state or routine, the slot in a routine's frame (None: the state, or the
define's result), and the level: 0 for the collection, 1 for a collection that is inside it."""

# ---- elements of the state --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Element:
    """A stored function: a state or a zone, laid out as `count` consecutive cells from `offset`.

    kind `state`: a cell holds a value of `type`. kind `one`: a piece or None. kind `pile`: a tuple of pieces, the last
    one on top. kind `bag`: a sorted tuple of pieces. For zones `type` is the type of a piece, and `most` says how many
    a pile or bag may hold: what is written, else as many as there are of a component. Where it is None, `capacities` of
    the game says it.
    `private`: its first index is the player who sees it. `initial` (states only) is evaluated once per cell with
    the index values in slots 1, 2, ... of a frame of `frame_size`; None means the type's zero: `none`, false, the empty
    collection, 0 or the lowest value.
    """

    name: str
    kind: Literal["state", "one", "pile", "bag"]
    indices: tuple[Type, ...]
    type: Type
    visibility: Literal["open", "private", "hidden"]
    offset: int = field(compare=False)
    count: int
    initial: Expr | None = field(compare=False)
    span: Span = field(compare=False)
    most: int | None = None

    @property
    def is_zone(self) -> bool:
        return self.kind != "state"


ArithmeticOperator = Literal["+", "-", "*", "div", "mod"]
ComparisonOperator = Literal["=", "!=", "<", "<=", ">", ">="]
LogicOperator = Literal["and", "or", "implies"]

# ---- expressions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Typed:
    """narrowed: the value might be none, and a guard has shown that it is not, so `type` says nothing of none. Where
    the guard stands beside it (another requirement of the same move), an executor that comes here first meets none all
    the same: then the expression has no value, and neither has what it stands in."""

    type: Type
    span: Span = field(compare=False)
    narrowed: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Constant(Typed):
    value: Value


@dataclass(frozen=True, slots=True)
class Local(Typed):
    slot: int


@dataclass(frozen=True, slots=True)
class Read(Typed):
    """The cell of an element: a state's value, a `one` zone's piece or None, a pile's or bag's pieces.

    Indices lie in the element's index types (`Checked` where that is not certain). A pile is read as a list from its
    top down. Piles and bags that are hidden are read only inside `size` and `is empty`."""

    element: Element
    indices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class CallDefine(Typed):
    """A computed function. Arguments fill slots 1, 2, ... of a new frame; slot 0 is None."""

    name: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class TableField(Typed):
    """A field of a record, a column of a component: `table[operand]`; None where the operand is None."""

    operand: Expr
    field: str
    table: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class MakeRecord(Typed):
    """A record of the given parts; None where they are no member (the type is then Optional). A part may be None, which
    gives None."""

    record: Type
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class MakeWord(Typed):
    """A word with data, `gain(2)`."""

    words: Type
    case: str
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Arithmetic(Typed):
    """Integers. `div` and `mod` round towards minus infinity, as Python's; division by zero is a spec fault."""

    operator: ArithmeticOperator
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Combine(Typed):
    """Union and difference: of sets, or (with multiplicities) of bags; lists are joined with `+`.
    A set and a bag make a bag. Operands of a bag may be zones."""

    operator: Literal["+", "-"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Minus(Typed):
    operand: Expr


@dataclass(frozen=True, slots=True)
class NotExpr(Typed):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Comparison(Typed):
    """`=` and `!=` on any values; the others on numbers and ordered types. None is smaller than nothing: the checker
    lets only `=` and `!=` meet an optional."""

    operator: ComparisonOperator
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Member(Typed):
    item: Expr
    collection: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class Logic(Typed):
    """Evaluated from the left, no further than needed."""

    operator: LogicOperator
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class EmptyTest(Typed):
    """Of a collection, a zone, or an optional."""

    operand: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class IfExpr(Typed):
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Loop:
    """`name` in slot `slot` runs over the domain in order (sets and bags in value order, lists as they are; a bag's
    equal pieces come one after another, each counted)."""

    name: str
    slot: int
    type: Type
    domain: Expr


@dataclass(frozen=True, slots=True)
class Quantifier(Typed):
    kind: Literal["some", "every", "no"]
    loops: tuple[Loop, ...]
    where: Expr | None
    has: Expr


@dataclass(frozen=True, slots=True)
class AggregateExpr(Typed):
    """`count` adds 1 for each; `max` and `min` over nothing give `otherwise` (a spec fault if None)."""

    kind: Literal["sum", "max", "min", "set", "bag", "list", "count"]
    value: Expr
    loops: tuple[Loop, ...]
    where: Expr | None
    otherwise: Expr | None


@dataclass(frozen=True, slots=True)
class PickExpr(Typed):
    """`the`: the only one (none, or several different ones, is a spec fault unless `otherwise` covers none);
    `first`."""

    kind: Literal["the", "first"]
    loop: Loop
    where: Expr | None
    otherwise: Expr | None


@dataclass(frozen=True, slots=True)
class Checked(Typed):
    """The operand, which must lie in `type` (a narrower range, or not None); outside it is a spec fault naming the
    clause `path`. The checker puts it wherever it cannot prove the fit: arguments, indices, results, stored values.
    Without it an executor may take the fit for granted."""

    operand: Expr
    path: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class ExtremumExpr(Typed):
    kind: Literal["max", "min"]
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class SetExpr(Typed):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class IntervalExpr(Typed):
    """All integers from low to high; empty when high < low."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class AllValues(Typed):
    """A type's name as the set of its values."""

    of: Type


BuiltinName = Literal[
    "seat", "number", "opponent", "next", "previous", "clockwise", "reversed", "place_in", "size", "abs", "index",
    "total", "top", "winner", "game_over",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Builtin(Typed):
    """A function of the language. seat(n): the player at seat n, from 1. number(p): his seat, from 1. opponent(p): of
    two players, the other. next, previous: around the table. clockwise(p): all players from p on. reversed(list).
    place_in(list, x): where x stands, from 1. size(collection or zone). abs(n). index(word): its place in the
    declared order, from 0. total(p): p's score now. top(pile): its top piece, or None. In examples only: winner(p):
    whether p wins, alone or shared, if the game ends now; game_over (no argument)."""

    name: BuiltinName
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class CanPerform(Typed):
    """Whether the player in slot 0 has a legal instance of the action now."""

    action: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Binding:
    """A name for part of the matched value: `slot` gets `table[value]`."""

    slot: int
    table: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class ValueCase:
    """An arm of a match: `values` are the matched ones; None means otherwise (None, the value, may be among them)."""

    path: str = field(compare=False)
    values: frozenset[Value] | None
    binds: tuple[Binding, ...]
    body: Expr


@dataclass(frozen=True, slots=True)
class MatchExpr(Typed):
    subject: Expr
    cases: tuple[ValueCase, ...]


@dataclass(frozen=True, slots=True)
class LetExpr(Typed):
    slot: int
    value: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class ExceptionCase:
    """`value` instead, when `condition` holds."""

    path: str = field(compare=False)
    condition: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class WithExceptions(Typed):
    """The body, or the value of the exception that holds; two that hold with different values are a spec fault."""

    path: str = field(compare=False)
    body: Expr
    exceptions: tuple[ExceptionCase, ...]


@dataclass(frozen=True, slots=True)
class Unsaid(Typed):
    """In the place of what a fact or define says, where nothing says it: to ask for it is a spec fault. No game that is
    loaded has one; it is there to see how far play comes without the clause."""

    name: str


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
    | Unsaid
)


@dataclass(frozen=True, slots=True)
class Waiver:
    """An exception of a requirement: when `condition` holds, `value` (true if waived outright) suffices."""

    path: str = field(compare=False)
    condition: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Requirement:
    """Holds if its condition does, or any waiver's condition and value do. label: where its label is written."""

    path: str = field(compare=False)
    condition: Expr
    waivers: tuple[Waiver, ...]
    span: Span = field(compare=False)
    label: Span = field(compare=False)


# ---- statements -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Statement:
    """`path`: the innermost clause it stands in."""

    path: str = field(compare=False)
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Sequence(Statement):
    body: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class ExceptionalStep:
    path: str = field(compare=False)
    condition: Expr
    body: Step


@dataclass(frozen=True, slots=True)
class WithStepExceptions(Statement):
    """The body, or the statement of the exception that holds; two that hold and differ are a spec fault."""

    body: Step
    exceptions: tuple[ExceptionalStep, ...]


@dataclass(frozen=True, slots=True)
class Demand(Statement):
    """A requirement met on the way: if it fails, the move that led here is refused."""

    requirement: Requirement


@dataclass(frozen=True, slots=True)
class SetLocal(Statement):
    """A `let`, a local state's first value, or an assignment to a local state."""

    slot: int
    value: Expr


@dataclass(frozen=True, slots=True)
class Store(Statement):
    """A value into a state's cell."""

    element: Element
    indices: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class ZoneRef:
    element: Element
    indices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class FillZone(Statement):
    """Pieces into a zone: `pieces` is a set, bag or list of kinds; for a component every copy of each kind of a set."""

    zone: ZoneRef
    pieces: Expr


@dataclass(frozen=True, slots=True)
class ShuffleZone(Statement):
    zone: ZoneRef


@dataclass(frozen=True, slots=True)
class DrawPieces(Statement):
    """`count` pieces, one by one, from the top of a pile or at random from a bag; as many as there are."""

    count: Expr
    source: ZoneRef
    target: ZoneRef
    bottom: bool


@dataclass(frozen=True, slots=True)
class MovePiece(Statement):
    """`piece` (or, where it is a collection, each of its pieces) from one zone to another. A piece that is not there
    is a spec fault. `piece` None: whatever the `one` zone `source` holds (nothing happens if it is empty)."""

    piece: Expr | None
    source: ZoneRef
    target: ZoneRef
    bottom: bool


@dataclass(frozen=True, slots=True)
class MoveAll(Statement):
    """All pieces; a pile keeps its order, a bag's pieces go in value order."""

    source: ZoneRef
    target: ZoneRef
    bottom: bool


@dataclass(frozen=True, slots=True)
class PutPiece(Statement):
    """A piece (or each of a collection) enters the game in `target`."""

    piece: Expr
    target: ZoneRef
    bottom: bool


@dataclass(frozen=True, slots=True)
class RemovePiece(Statement):
    """A piece (or each of a collection) leaves the game."""

    piece: Expr
    source: ZoneRef


@dataclass(frozen=True, slots=True)
class SwapPieces(Statement):
    """The contents of two `one` zones; either may be empty."""

    left: ZoneRef
    right: ZoneRef


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that the player states. `within`: any sub-multiset of the domain (a bag), else one of its values
    (equal pieces of a bag are one option)."""

    name: str
    slot: int
    type: Type
    domain: Expr
    within: bool


@dataclass(frozen=True, slots=True)
class ActionOption:
    """Doing a declared action; its move is named after the action, and states what the action's `stated` names."""

    action: str
    arguments: tuple[Expr, ...]

    @property
    def name(self) -> str:
        return self.action


@dataclass(frozen=True, slots=True)
class BranchOption:
    """A choice written on the spot: a labelled branch, or values to choose; its move is named by `name`, the path.

    Choices, conditions and body run in the frame of the routine they stand in. `requirements` are those that follow
    the choices at once; a `where` is one of them, with the path of the choice itself."""

    name: str
    choices: tuple[Choice, ...]
    requirements: tuple[Requirement, ...]
    body: Step


MoveOption = ActionOption | BranchOption


@dataclass(frozen=True, slots=True)
class Decide(Statement):
    """The player in slot 0 chooses among all legal instances of the options. `optional`: he may decline. `repeating`:
    asked again until he declines. With no legal option the decision is passed over, without an event, if everybody can
    see that there is none; else he declines."""

    options: tuple[MoveOption, ...]
    optional: bool
    repeating: bool
    window: str | None = None


@dataclass(frozen=True, slots=True)
class Simultaneous(Statement):
    """All players choose unseen among the options; then the chosen bodies run in seat order. The bodies raise no event.
    A player without a legal option is passed over, or declines where the others cannot see that he has none."""

    options: tuple[MoveOption, ...]


@dataclass(frozen=True, slots=True)
class Perform(Statement):
    """An action that states no choice: a procedure. Arguments fill slots 1, 2, ... of a new frame; `me` is handed
    on."""

    action: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class RandomValue(Statement):
    """A chance event: `slot` gets a value of the domain, all equally likely (a bag's by multiplicity). An empty
    domain is a spec fault."""

    name: str
    slot: int
    type: Type
    domain: Expr
    where: Expr | None


@dataclass(frozen=True, slots=True)
class IfStep(Statement):
    condition: Expr
    then: Step
    otherwise: Step | None


@dataclass(frozen=True, slots=True)
class StepCase:
    path: str = field(compare=False)
    values: frozenset[Value] | None
    binds: tuple[Binding, ...]
    body: Step


@dataclass(frozen=True, slots=True)
class MatchStep(Statement):
    """The first case whose values hold the subject's; none: nothing happens."""

    subject: Expr
    cases: tuple[StepCase, ...]


@dataclass(frozen=True, slots=True)
class ForEach(Statement):
    """The domains are evaluated when their loop begins; `where` before each turn of the body."""

    loops: tuple[Loop, ...]
    where: Expr | None
    body: Step


@dataclass(frozen=True, slots=True)
class ForEachPlayer(Statement):
    """For every player of the list (a list, or a set in seat order), `me` is that player in the body."""

    order: Expr
    body: Step


@dataclass(frozen=True, slots=True)
class AsPlayer(Statement):
    player: Expr
    body: Step


@dataclass(frozen=True, slots=True)
class RepeatUntilStep(Statement):
    """The body at least once, again until `until` holds after it (None: for ever, until `end game`)."""

    body: Step
    until: Expr | None


@dataclass(frozen=True, slots=True)
class RepeatTimesStep(Statement):
    count: Expr
    body: Step


@dataclass(frozen=True, slots=True)
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


# ---- routines ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Define:
    """A computed function (facts too: those without parameters are folded into constants).

    `cycle`: the value of a call with the same arguments that is met again while it is being computed; None if the
    function never reaches itself."""

    name: str
    parameters: tuple[tuple[str, Type], ...]
    result: Type
    body: Expr
    cycle: Expr | None
    frame_size: int
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Action:
    """A kind of move, or a procedure (no choices).

    Attributes:
        parameters: given by the caller, in slots from 1.
        choices: stated by the player, part of the move.
        requirements: those that stand before the first step, each testable once its slots are bound.
        body: everything after them.
        stated: parameters that its moves state before the choices, because some decision offers the action several
            times, with different arguments for them.
        window: the moment in which players may do it unasked.
        can_refuse: a requirement may fail after the move is taken and before the next event, so legality takes a trial.
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


@dataclass(frozen=True, slots=True)
class Routine:
    """`setup`, `play`, or the `given` of an example."""

    name: str
    body: Step
    frame_size: int


@dataclass(frozen=True, slots=True)
class ScoreClause:
    """Points of the player in slot 0."""

    path: str
    value: Expr
    frame_size: int


@dataclass(frozen=True, slots=True)
class WinnerCriterion:
    path: str
    kind: Literal["highest", "lowest", "share"]
    value: Expr | None
    frame_size: int


@dataclass(frozen=True, slots=True)
class Refill:
    """When a draw leaves or finds the first zone empty, the second is shuffled into it."""

    path: str
    zone: ZoneRef
    source: ZoneRef


@dataclass(frozen=True, slots=True)
class Fork:
    name: str
    readings: tuple[tuple[str, str], ...]
    chosen: str
    default: str
    reason: str
    span: Span = field(compare=False)
    decided: bool = False


@dataclass(frozen=True, slots=True)
class OptionSetting:
    name: str
    type: Type
    value: Value
    default: Value
    span: Span = field(compare=False)


# ---- words ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wording:
    """What a thing is called in one language."""

    language: str
    text: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Term:
    """The words for one thing, one for each language; `name` is its path (`drop`, `Card.jack`, `turn.first.earn`)."""

    name: str
    words: tuple[Wording, ...]

    def said(self, language: str) -> str | None:
        return next((word.text for word in self.words if word.language == language), None)


# ---- examples ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExampleMove:
    """A move with constant arguments: values by choice name."""

    player: int
    action: str
    arguments: tuple[tuple[str, Value], ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class PlayMove:
    move: ExampleMove


@dataclass(frozen=True, slots=True)
class ChanceOutcome:
    """How the next chance event comes out."""

    value: Value
    type: Type
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class AllowMove:
    move: ExampleMove


@dataclass(frozen=True, slots=True)
class RefuseMove:
    """by_flow: the clause forbids nothing itself; it asks somebody else, or for something else, or ends the game."""

    move: ExampleMove
    because: str
    by_flow: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition with its text as it is written."""

    text: str
    value: Expr


@dataclass(frozen=True, slots=True)
class ExpectThat:
    """parts: the conditions that `and` joins."""

    parts: tuple[Condition, ...]
    frame_size: int
    text: str
    span: Span = field(compare=False)


ExampleCheck = PlayMove | ChanceOutcome | AllowMove | RefuseMove | ExpectThat


@dataclass(frozen=True, slots=True)
class Example:
    """A position and what must hold in it. `seats` are the names of its players, in seat order."""

    name: str
    seats: tuple[str, ...]
    given: Routine | None
    checks: tuple[ExampleCheck, ...]
    span: Span = field(compare=False)


# ---- what logs may hold -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MoveSignature:
    """The name of a move and what a player states with it: (name, type, within). Parameters come before choices."""

    name: str
    arguments: tuple[tuple[str, Type, bool], ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class ChanceSignature:
    """The clause that raises a chance event, and the type of its outcome."""

    path: str
    outcome: Type
    span: Span = field(compare=False)


# ---- the game ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Picture:
    """How a game's table is drawn where that does not follow from what things are indexed by; it touches no rule.

    Attributes:
        from_below: states and zones whose boards have their first row at the bottom.
        not_shown: states and zones that are not drawn, though players may know what they hold.
    """

    from_below: frozenset[str] = frozenset()
    not_shown: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Game:
    """A checked game for one table. Made by `ludex.spec.load`; never by hand.

    Attributes:
        edition, silence: which text was chosen, and what becomes of what it is silent on: `borrow` or `literal`.
        players: how many sit at the table.
        titles: by language tag.
        fingerprint: of the rules and component data in force (not of comments, layout or terms); empty where no log is
            ever headed by this game.
        terms: what things are called, by their paths; they touch no rule.
        silent: paths of clauses that some text states, and that are not in force here.
        budget: how much work whoever plays it may be asked for.
        capacities: how many every collection may hold that is stored or named, and every pile or bag (each of its
            cells).
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
    picture: Picture = Picture()
    budget: Budget = DEFAULT_BUDGET
    capacities: Mapping[Holder, int] = field(default_factory=dict)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages in which the game has a title or a word, as the files name them first."""
        spoken = (word.language for term in self.terms.values() for word in term.words)
        return tuple(dict.fromkeys((*self.titles, *spoken)))

    def word(self, name: str, language: str | None) -> str | None:
        """What the thing with this path is called in a language; None where no term says so."""
        term = self.terms.get(name)
        return term.said(language) if term and language else None

    @property
    def routines(self) -> tuple[Routine | Action, ...]:
        """Set-up, the course of play, then the actions."""
        setup = () if self.setup is None else (self.setup,)
        return (*setup, self.play, *self.actions.values())

    @cached_property
    def cell_count(self) -> int:
        return sum(element.count for element in self.elements)

    @cached_property
    def element(self) -> Mapping[str, Element]:
        return {element.name: element for element in self.elements}
