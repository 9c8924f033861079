"""Syntax nodes: what an author wrote, as frozen data with places.

Names are not resolved: a name is a string with its place. `ludex.spec` turns these nodes into the typed model.
Each node's `span` covers it from its first to its last character. The order of classes follows the
reference (`docs/language.md`): authority, types, expressions, statements, declarations, the file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .authority import Authority as Authority
from .authority import Citation as Citation
from .authority import Node as Node
from .authority import Reason as Reason
from .source import Identifier as Identifier

# ---- the apparatus --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Variant(Node):
    """`variant he, margin: gain(x) [he 103]`: the words of other texts in place of the clause.

    body: of the same kind as the clause: a value, a step, an exception, a criterion, a note.
    """

    sigla: tuple[Identifier, ...]
    body: VariantBody
    authority: Authority


@dataclass(frozen=True, slots=True)
class Omission(Node):
    """`silent en [en 112]`: texts that omit the clause, with the lines near which it would be"""

    sigla: tuple[Identifier, ...]
    authority: Authority


@dataclass(frozen=True, slots=True)
class Ruled(Node):
    """`ruled he: "no amount is stated" [he 115]`: texts that support the clause only with an addition, the reason"""

    sigla: tuple[Identifier, ...]
    reason: str
    authority: Authority


@dataclass(frozen=True, slots=True)
class Order(Node):
    """`order he: pay, take, gain [he 103]`: the order of a block's clauses in other texts"""

    sigla: tuple[Identifier, ...]
    labels: tuple[Identifier, ...]
    authority: Authority


Entry = Variant | Omission | Ruled | Order


# ---- types ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NamedType(Node):
    name: Identifier


@dataclass(frozen=True, slots=True)
class RangeType(Node):
    """`1..8`, `-2..size`, `1..(size - 1)`: bounds are numbers, names, or expressions that were in brackets"""

    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class OptionalType(Node):
    of: NamedType


@dataclass(frozen=True, slots=True)
class CollectionType(Node):
    """`list of Card up to 20`; most: the declared capacity"""

    kind: Literal["set", "bag", "list"]
    of: TypeExpression
    most: Expression | None = None


TypeExpression = NamedType | RangeType | OptionalType | CollectionType


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    name: Identifier
    type: TypeExpression


# ---- expressions ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Integer(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Boolean(Node):
    value: bool


@dataclass(frozen=True, slots=True)
class NoneLiteral(Node):
    """`none`"""


@dataclass(frozen=True, slots=True)
class Argument(Node):
    """`x` or `card: x`"""

    label: Identifier | None
    value: Expression


@dataclass(frozen=True, slots=True)
class Name(Node):
    """`token(p)`, `hand`, `my token` (`my` set), a word of an enumeration, a parameter...

    arguments: None if there were no brackets.
    """

    name: Identifier
    arguments: tuple[Argument, ...] | None = None
    my: bool = False


@dataclass(frozen=True, slots=True)
class TypeName(Node):
    """`Cell` (all its values), `Cell(1, 2)` (one value), `Means?` (all its values and `none`)."""

    name: Identifier
    arguments: tuple[Argument, ...] | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Can(Node):
    """`can study(...)`: is there a legal instance for me now?"""

    action: Identifier
    arguments: tuple[Argument, ...] | None = None


@dataclass(frozen=True, slots=True)
class SetLiteral(Node):
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Interval(Node):
    """`1..6` as a set of integers"""

    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class Dot(Node):
    operand: Expression
    field: Identifier


@dataclass(frozen=True, slots=True)
class Negate(Node):
    operand: Expression


@dataclass(frozen=True, slots=True)
class Not(Node):
    operand: Expression


BinaryOperator = Literal[
    "+", "-", "*", "div", "mod", "=", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or", "implies"
]


@dataclass(frozen=True, slots=True)
class Binary(Node):
    operator: BinaryOperator
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class IsEmpty(Node):
    """`x is empty`, or `x is not empty` when `negated`"""

    operand: Expression
    negated: bool


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """`if c then a else b`"""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Generator(Node):
    """`card in market`, or `cards within hand` (`within`: any sub-multiset)"""

    name: Identifier
    domain: Expression
    within: bool = False


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """`some t in S where w has c`"""

    kind: Literal["some", "every", "no"]
    generators: tuple[Generator, ...]
    where: Expression | None
    has: Expression


@dataclass(frozen=True, slots=True)
class Count(Node):
    generators: tuple[Generator, ...]
    where: Expression | None


@dataclass(frozen=True, slots=True)
class Aggregate(Node):
    """`sum(v for x in S where w)`; otherwise: the value of `max` or `min` of nothing"""

    kind: Literal["sum", "max", "min", "set", "bag", "list"]
    value: Expression
    generators: tuple[Generator, ...]
    where: Expression | None
    otherwise: Expression | None


@dataclass(frozen=True, slots=True)
class Extremum(Node):
    """`max(a, b, ...)`, `min(a, b, ...)`"""

    kind: Literal["max", "min"]
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Pick(Node):
    """`the(x in S where w else d)`, `first(x in L where w else d)`"""

    kind: Literal["the", "first"]
    generator: Generator
    where: Expression | None
    otherwise: Expression | None


@dataclass(frozen=True, slots=True)
class Top(Node):
    """`top(pile)`"""

    operand: Expression


Expression = (
    Integer
    | Boolean
    | NoneLiteral
    | Name
    | TypeName
    | Can
    | SetLiteral
    | Interval
    | Dot
    | Negate
    | Not
    | Binary
    | IsEmpty
    | Conditional
    | Quantified
    | Count
    | Aggregate
    | Extremum
    | Pick
    | Top
)


# ---- values: the bodies of facts, defines, requirements and scores ------------------------------------------------


@dataclass(frozen=True, slots=True)
class Let(Node):
    """`let x = e`"""

    name: Identifier
    value: Expression


@dataclass(frozen=True, slots=True)
class Pattern(Node):
    """One alternative of a `match` arm.

    kind `name`: a word, perhaps with names for its data (`gain(x)`), or one of `true`, `false`, `none`; kind `number`:
    `low`..`high` (equal for one number); kind `otherwise`."""

    kind: Literal["name", "number", "otherwise"]
    name: Identifier | None = None
    binds: tuple[Identifier, ...] = ()
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class ValueArm(Node):
    """`1, 2 => 10 [en 206]`, or an arm with a block"""

    patterns: tuple[Pattern, ...]
    value: ValueBody
    authority: Authority


@dataclass(frozen=True, slots=True)
class ValueMatch(Node):
    subject: Expression
    arms: tuple[ValueArm, ...]


@dataclass(frozen=True, slots=True)
class ValueException(Node):
    """`except NAME: VALUE when CONDITION`; without a value (in a requirement) the requirement is waived"""

    label: Identifier
    value: Expression | None
    condition: Expression
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class ValueBody(Node):
    """`let`s, then an expression or a `match`, then exceptions"""

    lets: tuple[Let, ...]
    value: Expression | ValueMatch
    exceptions: tuple[ValueException, ...]
    apparatus: tuple[Entry, ...] = ()


# ---- statements -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place(Node):
    """A state or a zone as the target of `:=`, or in `move ... from`"""

    name: Identifier
    arguments: tuple[Argument, ...] | None = None
    my: bool = False


@dataclass(frozen=True, slots=True)
class Target(Node):
    """The target of a piece: a zone, and for a pile its top (the default) or its bottom"""

    place: Place
    end: Literal["top", "bottom"] | None = None


@dataclass(frozen=True, slots=True)
class Block(Node):
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class StepException(Node):
    """`except NAME: STATEMENT when CONDITION`; without a statement the step is skipped"""

    label: Identifier
    statement: Statement | None
    condition: Expression
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Clause(Node):
    """`label: statement [citation]`"""

    label: Identifier
    body: Statement
    exceptions: tuple[StepException, ...]
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Require(Node):
    """`require label: condition [citation]`, perhaps with exceptions"""

    label: Identifier
    body: ValueBody
    authority: Authority


@dataclass(frozen=True, slots=True)
class LocalState(Node):
    """`state gap: Slot? = none` inside an action"""

    name: Identifier
    type: TypeExpression
    value: Expression


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """`place := e`, `place += e up to b`, `place -= e down to b`"""

    operator: Literal[":=", "+=", "-="]
    place: Place
    value: Expression
    bound: Expression | None


@dataclass(frozen=True, slots=True)
class DrawnRow(Node):
    """`". 1 2"`: one row of a drawing"""

    signs: str


@dataclass(frozen=True, slots=True)
class Drawing(Node):
    """`place drawn as` and rows of signs below it"""

    place: Place
    rows: tuple[DrawnRow, ...]


@dataclass(frozen=True, slots=True)
class Fill(Node):
    place: Place
    value: Expression


@dataclass(frozen=True, slots=True)
class Shuffle(Node):
    place: Place


@dataclass(frozen=True, slots=True)
class Draw(Node):
    count: Expression
    source: Place
    target: Target


@dataclass(frozen=True, slots=True)
class Move(Node):
    """`move X from Z to T`; piece: None for `move all`; source: None if X is itself a `one` zone"""

    piece: Expression | None
    source: Place | None
    target: Target


@dataclass(frozen=True, slots=True)
class Put(Node):
    piece: Expression
    target: Target


@dataclass(frozen=True, slots=True)
class Remove(Node):
    piece: Expression
    source: Place


@dataclass(frozen=True, slots=True)
class Swap(Node):
    left: Place
    right: Place


@dataclass(frozen=True, slots=True)
class Call(Node):
    """An action by name: `study`, `expand(value, {land})`; in examples with the player's choices by name"""

    action: Identifier
    arguments: tuple[Argument, ...] | None = None


@dataclass(frozen=True, slots=True)
class ChooseValue(Node):
    """`choose card in market, at in Site where c`"""

    generators: tuple[Generator, ...]
    where: Expression | None


@dataclass(frozen=True, slots=True)
class ChooseAction(Node):
    """`choose study or scout`"""

    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class ChooseBranch(Node):
    """`choose` and a block of labelled branches"""

    branches: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class May(Node):
    body: Statement


@dataclass(frozen=True, slots=True)
class RepeatMay(Node):
    """`repeat may X`: again until declined"""

    body: Statement


@dataclass(frozen=True, slots=True)
class RepeatUntil(Node):
    body: Block
    until: Expression | None
    authority: Authority


@dataclass(frozen=True, slots=True)
class RepeatTimes(Node):
    count: Expression
    body: Block


@dataclass(frozen=True, slots=True)
class If(Node):
    condition: Expression
    then: Statement
    otherwise: Statement | None


@dataclass(frozen=True, slots=True)
class StepArm(Node):
    patterns: tuple[Pattern, ...]
    body: Statement
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Match(Node):
    subject: Expression
    arms: tuple[StepArm, ...]


@dataclass(frozen=True, slots=True)
class Each(Node):
    """`each s in S where c` and a block"""

    generators: tuple[Generator, ...]
    where: Expression | None
    body: Block


@dataclass(frozen=True, slots=True)
class EachPlayer(Node):
    """`each player in order` and a block, in which `me` is that player"""

    order: Expression
    body: Block


@dataclass(frozen=True, slots=True)
class AllPlayers(Node):
    """`all players` and a block: all decide without seeing the others' choices, then the block runs in seat order"""

    body: Block


@dataclass(frozen=True, slots=True)
class As(Node):
    """`as seat(2)` and a block, in which `me` is that player"""

    player: Expression
    body: Block


@dataclass(frozen=True, slots=True)
class Random(Node):
    """`random die in 1..6`"""

    generator: Generator
    where: Expression | None


@dataclass(frozen=True, slots=True)
class OpenWindow(Node):
    """`window placing(...)`: the point at which actions declared `during placing` are possible"""

    window: Identifier
    arguments: tuple[Argument, ...] | None = None


@dataclass(frozen=True, slots=True)
class EndGame(Node):
    """`end game`"""


@dataclass(frozen=True, slots=True)
class Nothing(Node):
    """`nothing`"""


Statement = (
    Block
    | Clause
    | Require
    | Let
    | LocalState
    | Assign
    | Drawing
    | Fill
    | Shuffle
    | Draw
    | Move
    | Put
    | Remove
    | Swap
    | Call
    | ChooseValue
    | ChooseAction
    | ChooseBranch
    | May
    | RepeatMay
    | RepeatUntil
    | RepeatTimes
    | If
    | Match
    | Each
    | EachPlayer
    | AllPlayers
    | As
    | Random
    | OpenWindow
    | EndGame
    | Nothing
)


# ---- declarations ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TypeWord(Node):
    """One word of a type: `beach`, or with data `gain(x: 1..3)`"""

    name: Identifier
    fields: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class WordsBody(Node):
    words: tuple[TypeWord, ...]


@dataclass(frozen=True, slots=True)
class RecordBody(Node):
    fields: tuple[Parameter, ...]
    where: Expression | None


@dataclass(frozen=True, slots=True)
class TextDeclaration(Node):
    """`text margin`, with entries like those of a header: a description of one text of the game"""

    name: Identifier
    entries: tuple[HeaderEntry, ...]
    authority: Authority


@dataclass(frozen=True, slots=True)
class TypeDeclaration(Node):
    name: Identifier
    body: WordsBody | RecordBody | RangeType
    authority: Authority


@dataclass(frozen=True, slots=True)
class Column(Node):
    """One field of a component"""

    name: Identifier
    type: TypeExpression
    authority: Authority


@dataclass(frozen=True, slots=True)
class ComponentDeclaration(Node):
    name: Identifier
    file: Identifier | None
    columns: tuple[Column, ...]
    authority: Authority


Visibility = Literal["open", "private", "hidden"]


@dataclass(frozen=True, slots=True)
class ZoneDeclaration(Node):
    """`zone dice: bag of Die up to 4, open`; most: the declared capacity"""

    name: Identifier
    indices: tuple[TypeExpression, ...]
    shape: Literal["pile", "bag", "one"]
    of: TypeExpression
    most: Expression | None
    visibility: Visibility | None
    authority: Authority


@dataclass(frozen=True, slots=True)
class StateDeclaration(Node):
    name: Identifier
    indices: tuple[TypeExpression, ...]
    type: TypeExpression
    initial: Expression | None
    visibility: Visibility | None
    authority: Authority


@dataclass(frozen=True, slots=True)
class OptionDeclaration(Node):
    """`option size: 5..8 = 8`"""

    name: Identifier
    type: TypeExpression
    default: Expression
    authority: Authority


@dataclass(frozen=True, slots=True)
class WindowDeclaration(Node):
    name: Identifier
    parameters: tuple[Parameter, ...]
    authority: Authority


@dataclass(frozen=True, slots=True)
class RefillDeclaration(Node):
    """`refill deck from discard`"""

    place: Place
    source: Place
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class ValueDeclaration(Node):
    """`fact` and `define`. cycle: the value of a recursive call with the same arguments."""

    kind: Literal["fact", "define"]
    name: Identifier
    parameters: tuple[Parameter, ...]
    type: TypeExpression | None
    cycle: Expression | None
    body: ValueBody
    authority: Authority


@dataclass(frozen=True, slots=True)
class NoteDeclaration(Node):
    """A cited fact that does not affect play: `note boards = 5 [ru 36]`, `note spread: "in the middle" [ru 53]`"""

    name: Identifier
    value: Expression | None
    text: str | None
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class SilentDeclaration(Node):
    """`silent study.pay [en 120-124]`: in a transcription, an omitted clause, with the lines near which it would be"""

    path: Identifier
    authority: Authority


@dataclass(frozen=True, slots=True)
class ActionDeclaration(Node):
    """`action NAME`; during: the window in which players may perform it."""

    name: Identifier
    parameters: tuple[Parameter, ...]
    during: Identifier | None
    during_parameters: tuple[Parameter, ...]
    body: Block
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class SetupDeclaration(Node):
    body: Block
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayDeclaration(Node):
    body: Block
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreDeclaration(Node):
    name: Identifier
    body: ValueBody
    authority: Authority


@dataclass(frozen=True, slots=True)
class InvariantDeclaration(Node):
    """`invariant men_each: every p in Player has men(p) <= 9`: a claim about every state; it does not affect play."""

    name: Identifier
    body: ValueBody
    authority: Authority


@dataclass(frozen=True, slots=True)
class Criterion(Node):
    """One line of `winner`: `highest` or `lowest` with an expression, or `share` (a remaining tie is a shared win)."""

    label: Identifier
    kind: Literal["highest", "lowest", "share"]
    value: Expression | None
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class WinnerDeclaration(Node):
    criteria: tuple[Criterion, ...]
    authority: Authority


@dataclass(frozen=True, slots=True)
class Reading(Node):
    """One reading of a fork. authority: the texts whose words admit this reading only."""

    name: Identifier
    text: str
    authority: Authority


@dataclass(frozen=True, slots=True)
class ForkDeclaration(Node):
    """An ambiguity: its readings, the default one, and the reason for it.

    authority: the texts whose words admit all readings. decided: whether the played text admits the default only; no
    author writes that.
    """

    name: Identifier
    readings: tuple[Reading, ...]
    default: Identifier
    reason: str
    authority: Authority
    decided: bool = False


@dataclass(frozen=True, slots=True)
class TermWord(Node):
    """`en "drop"`: the name of a thing in the language with this tag"""

    language: Identifier
    text: str


@dataclass(frozen=True, slots=True)
class Term(Node):
    """`drop.column: en "column", ru "..."`: the names of one thing.

    name: its path: a declaration (`drop`), a part of one (`Card.jack`, `drop.column`), a clause (`turn.first.earn`), or
    `seat(1)`.
    """

    name: Identifier
    words: tuple[TermWord, ...]
    authority: Authority


@dataclass(frozen=True, slots=True)
class TermsDeclaration(Node):
    """The vocabulary of a game; it affects no rule"""

    terms: tuple[Term, ...]
    authority: Authority


# ---- examples -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cast(Node):
    """`with alyona, elena`: names for the seats in order"""

    names: tuple[Identifier, ...]


@dataclass(frozen=True, slots=True)
class Taken(Node):
    """`with size = 6`: the example is about a table with this option"""

    name: Identifier
    value: Expression


@dataclass(frozen=True, slots=True)
class Given(Node):
    """`given` and a block that writes the position"""

    body: Block


@dataclass(frozen=True, slots=True)
class After(Node):
    """`after alyona study(card: l03, ...)` plays a move"""

    player: Identifier
    move: Call


@dataclass(frozen=True, slots=True)
class AfterChance(Node):
    """`after chance sand` says how the next chance event comes out"""

    value: Expression


@dataclass(frozen=True, slots=True)
class Allow(Node):
    player: Identifier
    move: Call
    authority: Authority


@dataclass(frozen=True, slots=True)
class Refuse(Node):
    """`refuse elena study(...) because study.affordable`"""

    player: Identifier
    move: Call
    because: Identifier
    authority: Authority


@dataclass(frozen=True, slots=True)
class Expect(Node):
    value: Expression
    authority: Authority


Check = Cast | Taken | Given | After | AfterChance | Allow | Refuse | Expect


@dataclass(frozen=True, slots=True)
class ExampleDeclaration(Node):
    name: Identifier
    checks: tuple[Check, ...]
    authority: Authority


Declaration = (
    TextDeclaration
    | TypeDeclaration
    | ComponentDeclaration
    | ZoneDeclaration
    | StateDeclaration
    | OptionDeclaration
    | WindowDeclaration
    | RefillDeclaration
    | ValueDeclaration
    | NoteDeclaration
    | SilentDeclaration
    | ActionDeclaration
    | SetupDeclaration
    | PlayDeclaration
    | ScoreDeclaration
    | WinnerDeclaration
    | InvariantDeclaration
    | ForkDeclaration
    | TermsDeclaration
    | ExampleDeclaration
)


VariantBody = ValueBody | Statement | ValueException | StepException | Criterion | NoteDeclaration


# ---- the file -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HeaderValue(Node):
    """One value of a header entry: `ru "Text"` (tag and text), `"text"`, `2..4` (low, high), `ru 2..4`, or a word
    (tag).
    Tags may have dots, like sigla.
    """

    tag: Identifier | None = None
    text: str | None = None
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class HeaderEntry(Node):
    label: Identifier
    values: tuple[HeaderValue, ...]


@dataclass(frozen=True, slots=True)
class Header(Node):
    """`game NAME`, `part NAME of GAME` or `edition NAME of GAME`, with its entries. The name of an edition may have
    dots: `ru.margin`."""

    kind: Literal["game", "part", "edition"]
    name: Identifier
    of: Identifier | None
    entries: tuple[HeaderEntry, ...]
    authority: Authority


@dataclass(frozen=True, slots=True)
class Comment(Node):
    """`# text`; alone: whether nothing is before it on its line"""

    text: str
    alone: bool


@dataclass(frozen=True, slots=True)
class Module(Node):
    """One file. header: None only if the file has none, which is reported."""

    header: Header | None
    declarations: tuple[Declaration, ...]
    # Comments say nothing about the game; `same_text` compares them.
    comments: tuple[Comment, ...] = field(compare=False)
