"""Syntax nodes: what an author wrote, as frozen data with places.

Names are not resolved: a name is a string with its place. `ludex.spec` turns these nodes into the typed model.
Each node's `span` covers it from its first to its last character. The order of classes follows the
reference (`docs/language.md`): authority, types, expressions, statements, declarations, the file.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from .authority import Authority as Authority
from .authority import Citation as Citation
from .authority import Node as Node
from .authority import Reason as Reason
from .source import Identifier as Identifier
from .value_classes import value_class

# ---- the apparatus --------------------------------------------------------------------------------------------


@value_class
class Variant(Node):
    """`variant he, margin: gain(x) [he 103]`: the words of other texts in place of the clause.

    body: of the same kind as the clause: a value, a step, an exception, a criterion, a note.
    """

    sigla: tuple[Identifier, ...]
    body: VariantBody
    authority: Authority


@value_class
class Omission(Node):
    """`silent en [en 112]`: texts that omit the clause, with the lines near which it would be"""

    sigla: tuple[Identifier, ...]
    authority: Authority


@value_class
class Ruled(Node):
    """`ruled he: "no amount is stated" [he 115]`: texts that support the clause only with an addition, the reason"""

    sigla: tuple[Identifier, ...]
    reason: str
    authority: Authority


@value_class
class Order(Node):
    """`order he: pay, take, gain [he 103]`: the order of a block's clauses in other texts"""

    sigla: tuple[Identifier, ...]
    labels: tuple[Identifier, ...]
    authority: Authority


Entry = Variant | Omission | Ruled | Order


# ---- types ----------------------------------------------------------------------------------------------------


@value_class
class NamedType(Node):
    name: Identifier


@value_class
class RangeType(Node):
    """`1..8`, `-2..size`, `1..(size - 1)`: bounds are numbers, names, or expressions that were in brackets"""

    low: Expression
    high: Expression


@value_class
class OptionalType(Node):
    of: NamedType


@value_class
class CollectionType(Node):
    """`list of Card up to 20`; most: the declared capacity"""

    kind: Literal["set", "bag", "list"]
    of: TypeExpression
    most: Expression | None = None


TypeExpression = NamedType | RangeType | OptionalType | CollectionType


@value_class
class Parameter(Node):
    name: Identifier
    type: TypeExpression


# ---- expressions ----------------------------------------------------------------------------------------------


@value_class
class Integer(Node):
    value: int


@value_class
class Boolean(Node):
    value: bool


@value_class
class NoneLiteral(Node):
    """`none`"""


@value_class
class Argument(Node):
    """`x` or `card: x`"""

    label: Identifier | None
    value: Expression


@value_class
class Name(Node):
    """`token(p)`, `hand`, `my token` (`my` set), a word of an enumeration, a parameter...

    arguments: None if there were no brackets.
    """

    name: Identifier
    arguments: tuple[Argument, ...] | None = None
    my: bool = False


@value_class
class TypeName(Node):
    """`Cell` (all its values), `Cell(1, 2)` (one value), `Means?` (all its values and `none`)."""

    name: Identifier
    arguments: tuple[Argument, ...] | None = None
    optional: bool = False


@value_class
class Can(Node):
    """`can study(...)`: is there a legal instance for me now?"""

    action: Identifier
    arguments: tuple[Argument, ...] | None = None


@value_class
class SetLiteral(Node):
    items: tuple[Expression, ...]


@value_class
class Interval(Node):
    """`1..6` as a set of integers"""

    low: Expression
    high: Expression


@value_class
class Dot(Node):
    operand: Expression
    field: Identifier


@value_class
class Negate(Node):
    operand: Expression


@value_class
class Not(Node):
    operand: Expression


BinaryOperator = Literal[
    "+", "-", "*", "div", "mod", "=", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or", "implies"
]


@value_class
class Binary(Node):
    operator: BinaryOperator
    left: Expression
    right: Expression


@value_class
class IsEmpty(Node):
    """`x is empty`, or `x is not empty` when `negated`"""

    operand: Expression
    negated: bool


@value_class
class Conditional(Node):
    """`if c then a else b`"""

    condition: Expression
    then: Expression
    otherwise: Expression


@value_class
class Generator(Node):
    """`card in market`, or `cards within hand` (`within`: any sub-multiset)"""

    name: Identifier
    domain: Expression
    within: bool = False


@value_class
class Quantified(Node):
    """`some t in S where w has c`"""

    kind: Literal["some", "every", "no"]
    generators: tuple[Generator, ...]
    where: Expression | None
    has: Expression


@value_class
class Count(Node):
    generators: tuple[Generator, ...]
    where: Expression | None


@value_class
class Aggregate(Node):
    """`sum(v for x in S where w)`; otherwise: the value of `max` or `min` of an empty collection"""

    kind: Literal["sum", "max", "min", "set", "bag", "list"]
    value: Expression
    generators: tuple[Generator, ...]
    where: Expression | None
    otherwise: Expression | None


@value_class
class Extremum(Node):
    """`max(a, b, ...)`, `min(a, b, ...)`"""

    kind: Literal["max", "min"]
    items: tuple[Expression, ...]


@value_class
class Pick(Node):
    """`the(x in S where w else d)`, `first(x in L where w else d)`"""

    kind: Literal["the", "first"]
    generator: Generator
    where: Expression | None
    otherwise: Expression | None


@value_class
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


@value_class
class Let(Node):
    """`let x = e`"""

    name: Identifier
    value: Expression


@value_class
class Pattern(Node):
    """One alternative of a `match` arm.

    kind `name`: a word, perhaps with names for its data (`gain(x)`), or one of `true`, `false`, `none`; kind `number`:
    `low`..`high` (equal for one number); kind `otherwise`."""

    kind: Literal["name", "number", "otherwise"]
    name: Identifier | None = None
    binds: tuple[Identifier, ...] = ()
    low: int | None = None
    high: int | None = None


@value_class
class ValueArm(Node):
    """`1, 2 => 10 [en 206]`, or an arm with a block"""

    patterns: tuple[Pattern, ...]
    value: ValueBody
    authority: Authority


@value_class
class ValueMatch(Node):
    subject: Expression
    arms: tuple[ValueArm, ...]


@value_class
class ValueException(Node):
    """`except NAME: VALUE when CONDITION`; without a value (in a requirement) the requirement is waived"""

    label: Identifier
    value: Expression | None
    condition: Expression
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@value_class
class ValueBody(Node):
    """`let`s, then an expression or a `match`, then exceptions"""

    lets: tuple[Let, ...]
    value: Expression | ValueMatch
    exceptions: tuple[ValueException, ...]
    apparatus: tuple[Entry, ...] = ()


# ---- statements -----------------------------------------------------------------------------------------------


@value_class
class Place(Node):
    """A state or a zone as the target of `:=`, or in `move ... from`"""

    name: Identifier
    arguments: tuple[Argument, ...] | None = None
    my: bool = False


@value_class
class Target(Node):
    """The target of a piece: a zone, and for a pile its top (the default) or its bottom"""

    place: Place
    end: Literal["top", "bottom"] | None = None


@value_class
class Block(Node):
    statements: tuple[Statement, ...]


@value_class
class StepException(Node):
    """`except NAME: STATEMENT when CONDITION`; without a statement the step is skipped"""

    label: Identifier
    statement: Statement | None
    condition: Expression
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@value_class
class Clause(Node):
    """`label: statement [citation]`"""

    label: Identifier
    body: Statement
    exceptions: tuple[StepException, ...]
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@value_class
class Require(Node):
    """`require label: condition [citation]`, perhaps with exceptions"""

    label: Identifier
    body: ValueBody
    authority: Authority


@value_class
class LocalState(Node):
    """`state gap: Slot? = none` inside an action"""

    name: Identifier
    type: TypeExpression
    value: Expression


@value_class
class Assign(Node):
    """`place := e`, `place += e up to b`, `place -= e down to b`"""

    operator: Literal[":=", "+=", "-="]
    place: Place
    value: Expression
    bound: Expression | None


@value_class
class DrawnRow(Node):
    """`". 1 2"`: one row of a drawing"""

    signs: str


@value_class
class Drawing(Node):
    """`place drawn as` and rows of signs below it"""

    place: Place
    rows: tuple[DrawnRow, ...]


@value_class
class Fill(Node):
    place: Place
    value: Expression


@value_class
class Shuffle(Node):
    place: Place


@value_class
class Draw(Node):
    count: Expression
    source: Place
    target: Target


@value_class
class Move(Node):
    """`move X from Z to T`; piece: None for `move all`; source: None if X is itself a `one` zone"""

    piece: Expression | None
    source: Place | None
    target: Target


@value_class
class Put(Node):
    piece: Expression
    target: Target


@value_class
class Remove(Node):
    piece: Expression
    source: Place


@value_class
class Swap(Node):
    left: Place
    right: Place


@value_class
class Call(Node):
    """An action by name: `study`, `expand(value, {land})`; in examples with the player's choices by name"""

    action: Identifier
    arguments: tuple[Argument, ...] | None = None


@value_class
class ChooseValue(Node):
    """`choose card in market, at in Site where c`"""

    generators: tuple[Generator, ...]
    where: Expression | None


@value_class
class ChooseAction(Node):
    """`choose study or scout`"""

    calls: tuple[Call, ...]


@value_class
class ChooseBranch(Node):
    """`choose` and a block of labelled branches"""

    branches: tuple[Clause, ...]


@value_class
class May(Node):
    body: Statement


@value_class
class RepeatMay(Node):
    """`repeat may X`: again until declined"""

    body: Statement


@value_class
class RepeatUntil(Node):
    body: Block
    until: Expression | None
    authority: Authority


@value_class
class RepeatTimes(Node):
    count: Expression
    body: Block


@value_class
class If(Node):
    condition: Expression
    then: Statement
    otherwise: Statement | None


@value_class
class StepArm(Node):
    patterns: tuple[Pattern, ...]
    body: Statement
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@value_class
class Match(Node):
    subject: Expression
    arms: tuple[StepArm, ...]


@value_class
class Each(Node):
    """`each s in S where c` and a block"""

    generators: tuple[Generator, ...]
    where: Expression | None
    body: Block


@value_class
class EachPlayer(Node):
    """`each player in order` and a block, in which `me` is that player"""

    order: Expression
    body: Block


@value_class
class AllPlayers(Node):
    """`all players` and a block: all decide without seeing the others' choices, then the block runs in seat order"""

    body: Block


@value_class
class As(Node):
    """`as seat(2)` and a block, in which `me` is that player"""

    player: Expression
    body: Block


@value_class
class Random(Node):
    """`random die in 1..6`"""

    generator: Generator
    where: Expression | None


@value_class
class OpenWindow(Node):
    """`window placing(...)`: the point at which actions declared `during placing` are possible"""

    window: Identifier
    arguments: tuple[Argument, ...] | None = None


@value_class
class EndGame(Node):
    """`end game`"""


@value_class
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


@value_class
class TypeWord(Node):
    """One word of a type: `beach`, or with data `gain(x: 1..3)`"""

    name: Identifier
    fields: tuple[Parameter, ...]


@value_class
class WordsBody(Node):
    words: tuple[TypeWord, ...]


@value_class
class RecordBody(Node):
    fields: tuple[Parameter, ...]
    where: Expression | None


@value_class
class TextDeclaration(Node):
    """`text margin`, with entries like those of a header: a description of one text of the game"""

    name: Identifier
    entries: tuple[HeaderEntry, ...]
    authority: Authority


@value_class
class TypeDeclaration(Node):
    name: Identifier
    body: WordsBody | RecordBody | RangeType
    authority: Authority


@value_class
class Column(Node):
    """One field of a component"""

    name: Identifier
    type: TypeExpression
    authority: Authority


@value_class
class ComponentDeclaration(Node):
    name: Identifier
    file: Identifier | None
    columns: tuple[Column, ...]
    authority: Authority


Visibility = Literal["open", "private", "hidden"]


@value_class
class ZoneDeclaration(Node):
    """`zone dice: bag of Die up to 4, open`; most: the declared capacity"""

    name: Identifier
    indices: tuple[TypeExpression, ...]
    shape: Literal["pile", "bag", "one"]
    of: TypeExpression
    most: Expression | None
    visibility: Visibility | None
    authority: Authority


@value_class
class StateDeclaration(Node):
    name: Identifier
    indices: tuple[TypeExpression, ...]
    type: TypeExpression
    initial: Expression | None
    visibility: Visibility | None
    authority: Authority


@value_class
class OptionDeclaration(Node):
    """`option size: 5..8 = 8`"""

    name: Identifier
    type: TypeExpression
    default: Expression
    authority: Authority


@value_class
class WindowDeclaration(Node):
    name: Identifier
    parameters: tuple[Parameter, ...]
    authority: Authority


@value_class
class RefillDeclaration(Node):
    """`refill deck from discard`"""

    place: Place
    source: Place
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@value_class
class ValueDeclaration(Node):
    """`fact` and `define`. cycle: the value of a recursive call with the same arguments."""

    kind: Literal["fact", "define"]
    name: Identifier
    parameters: tuple[Parameter, ...]
    type: TypeExpression | None
    cycle: Expression | None
    body: ValueBody
    authority: Authority


@value_class
class NoteDeclaration(Node):
    """A cited fact that does not affect play: `note boards = 5 [ru 36]`, `note spread: "in the middle" [ru 53]`"""

    name: Identifier
    value: Expression | None
    text: str | None
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@value_class
class SilentDeclaration(Node):
    """`silent study.pay [en 120-124]`: in a transcription, an omitted clause, with the lines near which it would be"""

    path: Identifier
    authority: Authority


@value_class
class ActionDeclaration(Node):
    """`action NAME`; during: the window in which players may perform it."""

    name: Identifier
    parameters: tuple[Parameter, ...]
    during: Identifier | None
    during_parameters: tuple[Parameter, ...]
    body: Block
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@value_class
class SetupDeclaration(Node):
    body: Block
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@value_class
class PlayDeclaration(Node):
    body: Block
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@value_class
class ScoreDeclaration(Node):
    name: Identifier
    body: ValueBody
    authority: Authority


@value_class
class InvariantDeclaration(Node):
    """`invariant men_each: every p in Player has men(p) <= 9`: a claim about every state; it does not affect play."""

    name: Identifier
    body: ValueBody
    authority: Authority


@value_class
class Criterion(Node):
    """One line of `winner`: `highest` or `lowest` with an expression, or `share` (a remaining tie is a shared win)."""

    label: Identifier
    kind: Literal["highest", "lowest", "share"]
    value: Expression | None
    authority: Authority
    apparatus: tuple[Entry, ...] = ()


@value_class
class WinnerDeclaration(Node):
    criteria: tuple[Criterion, ...]
    authority: Authority


@value_class
class Reading(Node):
    """One reading of a fork. authority: the texts whose words admit this reading only."""

    name: Identifier
    text: str
    authority: Authority


@value_class
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


@value_class
class TermWord(Node):
    """`en "drop"`: the name of a thing in the language with this tag"""

    language: Identifier
    text: str


@value_class
class Term(Node):
    """`drop.column: en "column", ru "..."`: the names of one thing.

    name: its path: a declaration (`drop`), a part of one (`Card.jack`, `drop.column`), a clause (`turn.first.earn`), or
    `seat(1)`.
    """

    name: Identifier
    words: tuple[TermWord, ...]
    authority: Authority


@value_class
class TermsDeclaration(Node):
    """The vocabulary of a game; it affects no rule"""

    terms: tuple[Term, ...]
    authority: Authority


# ---- examples -------------------------------------------------------------------------------------------------


@value_class
class Cast(Node):
    """`with alyona, elena`: names for the seats in order"""

    names: tuple[Identifier, ...]


@value_class
class Taken(Node):
    """`with size = 6`: the example is about a table with this option"""

    name: Identifier
    value: Expression


@value_class
class Given(Node):
    """`given` and a block that writes the position"""

    body: Block


@value_class
class After(Node):
    """`after alyona study(card: l03, ...)` plays a move"""

    player: Identifier
    move: Call


@value_class
class AfterChance(Node):
    """`after chance sand` says how the next chance event comes out"""

    value: Expression


@value_class
class Allow(Node):
    player: Identifier
    move: Call
    authority: Authority


@value_class
class Refuse(Node):
    """`refuse elena study(...) because study.affordable`"""

    player: Identifier
    move: Call
    because: Identifier
    authority: Authority


@value_class
class Expect(Node):
    value: Expression
    authority: Authority


Check = Cast | Taken | Given | After | AfterChance | Allow | Refuse | Expect


@value_class
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


@value_class
class HeaderValue(Node):
    """One value of a header entry: `ru "Text"` (tag and text), `"text"`, `2..4` (low, high), `ru 2..4`, or a word
    (tag).
    Tags may have dots, like sigla.
    """

    tag: Identifier | None = None
    text: str | None = None
    low: int | None = None
    high: int | None = None


@value_class
class HeaderEntry(Node):
    label: Identifier
    values: tuple[HeaderValue, ...]


@value_class
class Header(Node):
    """`game NAME`, `part NAME of GAME` or `edition NAME of GAME`, with its entries. The name of an edition may have
    dots: `ru.margin`."""

    kind: Literal["game", "part", "edition"]
    name: Identifier
    of: Identifier | None
    entries: tuple[HeaderEntry, ...]
    authority: Authority


@value_class
class Comment(Node):
    """`# text`; alone: whether nothing is before it on its line"""

    text: str
    alone: bool


@value_class
class Module(Node):
    """One file. header: None only if the file has none, which is reported."""

    header: Header | None
    declarations: tuple[Declaration, ...]
    # Comments say nothing about the game; `same_text` compares them.
    comments: tuple[Comment, ...] = field(compare=False)
