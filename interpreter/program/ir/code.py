"""The intermediate representation: a first-order program over one flat buffer of cells.

A `Program` is what a checked game is lowered into (`lowering.py`), and what printers turn into code that runs. It is
closed: every name is resolved into a number, every address into an offset, every fact that is known before play into
a constant. Values are those of `ludex.spec.values.types`; how a printer holds them is its own affair.

Expressions are pure. Statements change local variables of their unit and cells of the buffer. A `Unit` is a function
that returns a value; a `Block` is a straight piece of the flow, which ends by naming the block that follows or by
waiting for an event.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ludex.grammar import Span
from ludex.spec import model as m
from ludex.spec import types as t

# ---- expressions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Const:
    value: t.Value
    type: t.Type


@dataclass(frozen=True, slots=True)
class Var:
    """A local variable of the unit or block."""

    number: int
    type: t.Type


@dataclass(frozen=True, slots=True)
class Load:
    """What cell `base + index` holds; `index` None: cell `base` itself. With an index `base` is the first of the `size`
    cells that it may be. `type`: what is known of it here, perhaps that it is not none."""

    base: int
    index: Expr | None
    size: int
    type: t.Type = field(compare=False)


@dataclass(frozen=True, slots=True)
class Lookup:
    """An entry of a constant table, by a number from 0."""

    table: tuple[t.Value, ...]
    index: Expr
    type: t.Type


@dataclass(frozen=True, slots=True)
class Op:
    """An operation on values (`operations.py` has their table). `of`: the type that an operation on a collection needs
    to know of what the collection holds, or the record that one makes."""

    name: str
    args: tuple[Expr, ...]
    type: t.Type
    of: t.Type | None = None


@dataclass(frozen=True, slots=True)
class Pick:
    """One of two values; only that one is worked out."""

    test: Expr
    yes: Expr
    no: Expr
    type: t.Type


@dataclass(frozen=True, slots=True)
class Call:
    """What a unit returns."""

    unit: int
    args: tuple[Expr, ...]
    type: t.Type


@dataclass(frozen=True, slots=True)
class Serve:
    """What a service of the run-time library answers; it may change cells and pools. Only in blocks."""

    name: str
    args: tuple[Expr, ...]
    at: int
    type: t.Type = t.Bool()  # noqa: RUF009 - it cannot be changed


Expr: TypeAlias = Const | Var | Load | Lookup | Op | Pick | Call | Serve

# ---- statements -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Set:
    var: Var
    value: Expr


@dataclass(frozen=True, slots=True)
class Put:
    """A value into cell `base + index`."""

    base: int
    index: Expr | None
    size: int
    value: Expr


@dataclass(frozen=True, slots=True)
class If:
    test: Expr
    then: Body
    otherwise: Body = ()


@dataclass(frozen=True, slots=True)
class Each:
    """The body for every item, in order. `items`: a collection in order, or an `interval` operation. `Break` ends it.
    `path`: the clause that counts the turns as work; `weight`: units of it that a turn counts."""

    var: Var
    items: Expr
    body: Body
    path: str | None
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Loop:
    """The body again and again, until `Break` or `Return`. `path`: the clause that counts the turns as work."""

    body: Body
    path: str | None


@dataclass(frozen=True, slots=True)
class Break:
    """Leaves the innermost loop."""


@dataclass(frozen=True, slots=True)
class New:
    """An empty list under construction."""

    var: Var


@dataclass(frozen=True, slots=True)
class Append:
    """One more item for a list under construction."""

    var: Var
    item: Expr


@dataclass(frozen=True, slots=True)
class Fail:
    """The rules give no value here, or break one of their own bounds."""

    kind: str
    path: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Refuse:
    """A requirement behind a step fails: the move that led here is refused."""

    path: str
    span: Span


@dataclass(frozen=True, slots=True)
class Attempt:
    """The body; where it fails for want of a value, or everybody's view does not tell, what the body was to find out is
    left open, and the flow goes on behind it."""

    body: Body


@dataclass(frozen=True, slots=True)
class Doubt:
    """The body; where only what everybody sees counts, and that does not tell, the other statements."""

    body: Body
    otherwise: Body


@dataclass(frozen=True, slots=True)
class Unknown:
    """What everybody sees does not tell."""


@dataclass(frozen=True, slots=True)
class Return:
    value: Expr


@dataclass(frozen=True, slots=True)
class Do:
    """A service of the run-time library that changes cells or pools, in `services`."""

    name: str
    args: tuple[Expr, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Note:
    """Something that an onlooker counts, by the clause: a decision that is passed over since nothing is legal, a round
    of the course of play that begins; or that the flow says, at the span, who acts from here on."""

    kind: Literal["passed", "rounds", "named"]
    path: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Goto:
    """The flow goes on in another block."""

    block: int


@dataclass(frozen=True, slots=True)
class Wait:
    """The flow waits for an event."""

    number: int


@dataclass(frozen=True, slots=True)
class Back:
    """The flow goes back to the block that the routine's caller left in a cell."""

    cell: int


@dataclass(frozen=True, slots=True)
class End:
    """The game is over."""

    path: str | None


Statement: TypeAlias = (
    Set
    | Put
    | If
    | Each
    | Loop
    | Break
    | New
    | Append
    | Fail
    | Refuse
    | Attempt
    | Doubt
    | Unknown
    | Return
    | Do
    | Note
    | Goto
    | Wait
    | Back
    | End
)
Body: TypeAlias = tuple[Statement, ...]

# ---- units and blocks -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Unit:
    """A function of the program. `keeps`: it is worth remembering what it returned while no cell changes (`state`), or
    for ever (`always`)."""

    name: str
    parameters: tuple[Var, ...]
    body: Body
    keeps: Literal["", "state", "always"] = ""
    cycle: Expr | None = None


@dataclass(slots=True)
class Block:
    """A piece of the flow from one place where it may be entered to the next."""

    name: str
    body: Body = ()


@dataclass(frozen=True, slots=True)
class Service:
    """What a `Do` needs to know besides its arguments: the statement it comes from."""

    statement: m.Statement


# ---- decisions and chance ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Argument:
    """What a move states. `cell`: where the flow finds it. `given`: a parameter, which the decision gives."""

    name: str
    type: t.Type
    within: bool
    cell: int | None
    given: bool


@dataclass(slots=True)
class Option:
    """One option of a decision.

    Attributes:
        name: what its moves are called.
        arguments: what a move states, in order.
        lists: the unit that lists its instances, given who decides: numbers of moves, where they have numbers
            (`moves.py`), else tuples of what a move states.
        offers: the unit that says whether there is one, given who decides.
        admits: the unit that says whether what a move states is an instance, given who decides and `arguments`.
        entry: the block that carries it out, once the cells of the arguments hold what was stated.
        refusable: a requirement behind its first step may still refuse it.
        free: nothing is asked of who takes it.
        guard: the unit that says, given what a move states, whether no requirement refuses it before it changes
            anything (`guards.py`); `settles`: none can behind that.
        seen: the unit that says, given who decides, whether there may be an instance for all that everybody can see;
            of a refusable option, one that lists what such instances state. None where that is what `offers` says.
    """

    name: str
    arguments: tuple[Argument, ...]
    lists: int
    offers: int
    admits: int
    entry: int
    refusable: bool
    free: bool
    guard: int | None = None
    settles: bool = False
    seen: int | None = None


@dataclass(frozen=True, slots=True)
class Rest:
    """The items of a loop that are still to come: those of a list from a position on."""

    listed: Load
    at: Load


@dataclass(frozen=True, slots=True)
class Said:
    """What players have stated together, and is not yet carried out: what the cell `stated` holds, while it is carried
    out only from the next seat on. given: of each option how many values the decision gives, which stand first."""

    stated: Load
    seat: Load | None
    given: tuple[int, ...]


Kept: TypeAlias = "Expr | Rest | Said | tuple[Kept, ...]"


@dataclass(frozen=True, slots=True)
class Frame:
    """A routine under way, as the reference holds it (`../reference/state.py`).

    Attributes:
        statement: at which it stands.
        slots: where what each of its slots holds is found.
        kept: the same for what the statements around it have to remember.
    """

    routine: str
    statement: m.Statement
    slots: Mapping[int, Expr]
    kept: tuple[Kept, ...]


@dataclass(frozen=True, slots=True)
class Caller:
    """The routines below an action that is lowered once: those of whoever left the block to go back to in a cell."""

    back: int


Stack: TypeAlias = tuple[Frame | Caller, ...]
"""The routines under way, the outermost first. Only the first may be a `Caller`."""


@dataclass(frozen=True, slots=True)
class Calling:
    """A place from which an action that is lowered once is performed. `saved`: of which its cells are put aside
    meanwhile, because it may be under way in itself."""

    stack: Stack
    saved: int | None


@dataclass(slots=True)
class Decision:
    """Somebody has to decide. `slots`: what the routine's slots hold, first who decides; `then`: the block in which the
    flow goes on if he declines."""

    statement: m.Decide
    routine: str
    options: list[Option]
    slots: Mapping[int, Expr]
    then: int
    stack: Stack

    @property
    def me(self) -> Expr:
        return self.slots[0]

    @property
    def optional(self) -> bool:
        return self.statement.optional


@dataclass(slots=True)
class Together:
    """All players state a choice. `stated`: the cell with what was stated, by seat; `then`: the block that asks on, or
    carries out what they stated."""

    statement: m.Simultaneous
    routine: str
    options: list[Option]
    slots: Mapping[int, Expr]
    stated: int
    then: int
    stack: Stack


@dataclass(slots=True)
class Chance:
    """A value of a domain by chance. `lists`: the unit that lists the candidates; `cell`: where the outcome goes;
    `then`: the block that follows."""

    statement: m.RandomValue
    lists: int
    cell: int
    then: int
    stack: Stack


@dataclass(slots=True)
class Hidden:
    """An unseen piece comes to light: `kind` says how. `cells`: what the draw keeps between events."""

    statement: m.Statement
    kind: Literal["draw", "reveal"]
    source: m.Element
    target: m.Element
    cells: tuple[int, ...]
    then: int
    stack: Stack
    bottom: bool = False


@dataclass(slots=True)
class Standing:
    """An action by itself, for the question whether it can be done.

    Attributes:
        cells: of its slots; `back`: where it goes back to.
        entry, body: the blocks in which it begins, before and behind its leading requirements.
        choices: the cells of what it lets the player choose; `lists`: the unit that lists that, given who acts and the
            arguments.
    """

    action: str
    cells: tuple[int, ...]
    back: int
    entry: int
    body: int
    choices: tuple[int, ...]
    lists: int


Waiting: TypeAlias = Decision | Together | Chance | Hidden


@dataclass(slots=True)
class Program:
    """A game as code over one flat buffer.

    Attributes:
        frame: the types of the cells behind those of the game's elements: what routines keep in their slots.
        first: the block in which the play begins.
        waits: what the flow may wait for; 0 is the end of the game.
        scores, winner: units for one player each.
        asked: more units, which nothing else asks for.
        standing: the actions about which it is asked whether they can be done.
        saved: the cells of each action that may be under way in itself, in whatever it performs or offers, too.
        calls: from where an action that is lowered once is performed, by the block to go back to.
        veiled: the elements of which not everybody sees what they hold, if the program answers itself what everybody
            can see.
    """

    game: m.Game
    frame: list[t.Type] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    waits: list[Waiting | None] = field(default_factory=lambda: [None])
    services: list[Service] = field(default_factory=list)
    first: int = 0
    scores: list[tuple[str, int]] = field(default_factory=list)
    winner: list[tuple[m.WinnerCriterion, int | None]] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    standing: list[Standing] = field(default_factory=list)
    saved: list[list[int]] = field(default_factory=list)
    calls: dict[int, Calling] = field(default_factory=dict)
    veiled: tuple[m.Element, ...] = ()

    @property
    def keeps(self) -> bool:
        """Whether anything is remembered while no cell changes: what a unit returned, or the moves that are tried."""
        options = (each for wait in self.waits if isinstance(wait, Decision) for each in wait.options)
        return any(unit.keeps == "state" for unit in self.units) or any(each.refusable for each in options)

    @property
    def cells(self) -> int:
        """How many cells the buffer has: those of the elements in the game's order, then the frame's."""
        return self.game.cell_count + len(self.frame)
