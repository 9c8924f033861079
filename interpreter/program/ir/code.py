"""The intermediate representation: a first-order program over one flat buffer of cells.

Lowering (`lowering/`) turns a checked game into a `Program`, and printers turn the program into code that runs. A
program is closed: every name is resolved to a number, every address to an offset, every fact that is known before play
to a constant. Values have the types of `ludex.spec.values.types`; each printer chooses its own representation of them.

Expressions are pure. Statements change local variables of their unit and cells of the buffer. As in the model, places
in the text do not count in comparison. A `Unit` is a function that returns a value. A `Block` is a basic block:
straight-line code that ends with a jump to another block or with a wait for an event.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from ludex.grammar import Span, value_class
from ludex.spec import model as m
from ludex.spec import types as t

# ---- expressions ------------------------------------------------------------------------------------------------


@value_class
class Const:
    value: t.Value
    type: t.Type


@value_class
class Var:
    """A local variable of the unit or block."""

    number: int
    type: t.Type


@value_class
class Load:
    """Read cell `base + index`, or cell `base` if `index` is None.

    With an index, `base` is the first of the `size` cells that can be read. `type` is the type known at this place; it
    may exclude none where the cell's own type does not.
    """

    base: int
    index: Expr | None
    size: int
    # Two reads of a cell are one common subexpression, even where a test has narrowed the type of only one of them.
    type: t.Type = field(compare=False)


@value_class
class Lookup:
    """Read an entry of a constant table, by an index from 0."""

    table: tuple[t.Value, ...]
    index: Expr
    type: t.Type


@value_class
class Op:
    """Apply an operation on values (`operations.py` lists them).

    `of`: the type that the operation needs to know: a collection's item type, or the record to be made.
    """

    name: str
    args: tuple[Expr, ...]
    type: t.Type
    of: t.Type | None = None


@value_class
class Pick:
    """Choose one of two values by a test; only the chosen one is evaluated."""

    test: Expr
    yes: Expr
    no: Expr
    type: t.Type


@value_class
class Call:
    """Call a unit."""

    unit: int
    args: tuple[Expr, ...]
    type: t.Type


@value_class
class Serve:
    """Call a service of the run-time library that returns a value and may change cells and pools.

    Allowed only in blocks.
    """

    name: str
    args: tuple[Expr, ...]
    at: int
    type: t.Type = t.Bool()


Expr: TypeAlias = Const | Var | Load | Lookup | Op | Pick | Call | Serve

# ---- statements -------------------------------------------------------------------------------------------------


@value_class
class Set:
    var: Var
    value: Expr


@value_class
class Put:
    """Store a value in cell `base + index`."""

    base: int
    index: Expr | None
    size: int
    value: Expr


@value_class
class If:
    test: Expr
    then: Body
    otherwise: Body = ()


@value_class
class Each:
    """Run the body for every item, in order, until `Break`.

    `items`: an ordered collection, or an `interval` operation. `path`: the clause to which the iterations count as
    work; `weight`: the units of work of one iteration.
    """

    var: Var
    items: Expr
    body: Body
    path: str | None
    weight: int = 1


@value_class
class Loop:
    """Repeat the body until `Break` or `Return`. `path`: the clause to which the iterations count as work."""

    body: Body
    path: str | None


@value_class
class Break:
    """Leave the innermost loop."""


@value_class
class New:
    """Start an empty list."""

    var: Var


@value_class
class Append:
    """Append an item to a list that is being built."""

    var: Var
    item: Expr


@value_class
class Fail:
    """Raise a fault: the rules give no value here, or break one of their own bounds."""

    kind: str
    path: str | None
    span: Span = field(compare=False)


@value_class
class Refuse:
    """Refuse the move that led here: a requirement after a step fails."""

    path: str
    span: Span = field(compare=False)


@value_class
class Attempt:
    """Run the body; if it fails because it has no value, or reads an unknown one, continue after it.

    What the body was to find out then stays undecided.
    """

    body: Body


@value_class
class Return:
    value: Expr


@value_class
class Do:
    """Call a service of the run-time library (listed in `services`) that changes cells or pools."""

    name: str
    args: tuple[Expr, ...]
    at: int


@value_class
class Note:
    """Report something to a tracer.

    Examples are a decision that is skipped because no move is legal, a round that begins, and a span at which the flow
    names who acts.
    """

    kind: Literal["passed", "rounds", "named"]
    path: str
    span: Span | None = field(default=None, compare=False)


@value_class
class Goto:
    """Jump to another block."""

    block: int


@value_class
class Wait:
    """Wait for an event."""

    number: int


@value_class
class Back:
    """Jump to the block whose number the routine's caller left in a cell."""

    cell: int


@value_class
class End:
    """End the game."""

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
    """A function of the program.

    Attributes:
        keeps: how its results are memoized: while no cell changes (`state`), or for ever (`always`).
        lists_moves: whether it lists the moves of an option, or tests whether there is one.
    """

    name: str
    parameters: tuple[Var, ...]
    body: Body
    keeps: Literal["", "state", "always"] = ""
    cycle: Expr | None = None
    lists_moves: bool = False


class LowersUnits(Protocol):
    """The lowering of a game, which knows what each of its units is made from."""

    def lowered(self, number: int) -> Body:
        """Lower the unit with this number, if that has not been done, and return its body."""


class Deferred(Unit):
    """A unit that `lowering` lowers when its body is first read; it holds nothing but its number there."""

    __slots__ = ("lowering", "number")

    def __init__(
        self,
        name: str,
        parameters: tuple[Var, ...],
        keeps: Literal["", "state"],
        lists_moves: bool,
        lowering: LowersUnits,
        number: int,
    ) -> None:
        # `body` stays unset, so that reading it calls `__getattr__`. Printers need the rest for a call, before the
        # body.
        self.name, self.parameters, self.keeps, self.cycle = name, parameters, keeps, None
        self.lists_moves, self.lowering, self.number = lists_moves, lowering, number

    def __getattr__(self, name: str) -> Body:
        """Lower the body when it is first read: Python calls this method for attributes that are not set."""
        if name != "body":
            raise AttributeError(name)
        self.lower()
        return self.body

    def lower(self) -> None:
        """Lower the unit now."""
        self.body = self.lowering.lowered(self.number)


@dataclass(slots=True)
class Block:
    """A basic block, from a place where the flow may enter to the next jump, wait or end."""

    name: str
    body: Body = ()


@value_class
class Service:
    """The statement in the model behind a `Do`, which its service needs besides the arguments."""

    statement: m.Statement


# ---- decisions and chance ---------------------------------------------------------------------------------------


@value_class
class Argument:
    """One argument of a move.

    `cell`: where the flow reads its value. `given`: it is a parameter, whose value the decision supplies.
    """

    name: str
    type: t.Type
    within: bool
    cell: int | None
    given: bool


@dataclass(slots=True)
class Option:
    """One option of a decision.

    Attributes:
        name: the name of its moves.
        arguments: the arguments of a move, in order.
        lists: the unit that lists the legal instances, given who decides: move numbers (`moves.py`) where the moves
            have them, else tuples of argument values.
        offers: the unit that tests whether there is an instance, given who decides.
        admits: the unit that tests whether argument values are an instance, given who decides and `arguments`.
        entry: the block that carries the move out, once the cells of the arguments are set.
        refusable: a requirement after its first step can still refuse a move that is listed.
        free: it has no choices, requirements or arguments, so that it is on offer without a test.
        guarded: `lists`, `admits` and, except in a trial, `offers` and `seen` also test the requirements after a move
            that it meets before it changes anything (`guards.py`).
        seen: the unit that tests, given who decides, whether the public state admits an instance; for a refusable
            option, the unit that lists the arguments of such instances. None if `offers` answers this.
        open: everybody can see all that `lists` reads, so that `seen` finds the same instances in a state that is not
            public.
    """

    name: str
    arguments: tuple[Argument, ...]
    lists: int
    offers: int
    admits: int
    entry: int
    refusable: bool
    free: bool
    guarded: bool = False
    seen: int | None = None
    open: bool = False


def in_order_of_test(options: Iterable[Option]) -> list[tuple[int, Option]]:
    """Return options with their numbers, in the order in which they are tested for an instance: free ones first."""
    return sorted(enumerate(options), key=lambda numbered: not numbered[1].free)


@value_class
class Rest:
    """The remaining items of a loop: those of a list from a position on."""

    listed: Load
    at: Load


@value_class
class PendingChoices:
    """The choices of a simultaneous decision, until all are carried out.

    The cell `stated` holds them by seat; while they are carried out, only those from the next seat on. given: for each
    option, how many of the leading values come from the decision.
    """

    stated: Load
    seat: Load | None
    given: tuple[int, ...]


Saved: TypeAlias = "Expr | Rest | PendingChoices | tuple[Saved, ...]"


@value_class
class Frame:
    """A routine under way, in the terms of `../../stack/state.py`.

    Attributes:
        statement: the statement at which it waits.
        slots: where the value of each slot is found.
        kept: where the values are found that the enclosing statements need later.
    """

    routine: str
    statement: m.Statement
    slots: Mapping[int, Expr]
    kept: tuple[Saved, ...]


@value_class
class Caller:
    """The routines below an action that is lowered once: those of the caller that left the return block in a cell."""

    back: int


Stack: TypeAlias = tuple[Frame | Caller, ...]
"""The routines under way, outermost first. Only the first entry may be a `Caller`."""


@value_class
class Calling:
    """A call site of an action that is lowered once.

    `saved`: the action whose cells are saved during the call, because it may be under way itself (recursion).
    """

    stack: Stack
    saved: int | None


@dataclass(slots=True)
class Decision:
    """A wait for a player's decision.

    `slots`: where the routine's slots are found, first who decides; `then`: the block to continue with after `decline`.
    """

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
    """A wait for simultaneous choices of all players.

    `stated`: the cell with the choices by seat; `then`: the block that asks the next player or carries out the choices.
    """

    statement: m.Simultaneous
    routine: str
    options: list[Option]
    slots: Mapping[int, Expr]
    stated: int
    then: int
    stack: Stack


@dataclass(slots=True)
class Chance:
    """A wait for a random value.

    `lists`: the unit that lists the candidates; `cell`: where the outcome is stored; `then`: the block to continue
    with.
    """

    statement: m.RandomValue
    lists: int
    cell: int
    then: int
    stack: Stack


@dataclass(slots=True)
class Hidden:
    """A wait for an unseen piece to be revealed. `kind`: how; `cells`: what the draw keeps between events."""

    statement: m.Statement
    kind: Literal["draw", "reveal"]
    source: m.Element
    target: m.Element
    cells: tuple[int, ...]
    then: int
    stack: Stack
    bottom: bool = False


@dataclass(slots=True)
class ActionTest:
    """An action on its own, for the test whether it can be done (`can`).

    Attributes:
        recurs: whether the test may lead to a test of the same action, so that the tests under way are recorded.
        cells: of its slots; `back`: the cell with the return block.
        entry, body: the blocks in which it begins, before and after its leading requirements.
        choices: the cells of the player's choices; `lists`: the unit that lists their values, given who acts and the
            arguments.
    """

    action: str
    recurs: bool
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
        frame: the types of the cells after those of the game's elements: the slots of routines.
        first: the block in which play begins.
        waits: what the flow may wait for; 0 is the end of the game.
        scores, winner: units for one player each.
        entry_units: entry units that no other unit calls.
        action_tests: the actions that `can` tests.
        saved: for each action that may be under way in itself, its cells, and those of the actions that it performs or
            offers.
        calls: the call sites of actions that are lowered once, by return block.
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
    entry_units: list[int] = field(default_factory=list)
    action_tests: list[ActionTest] = field(default_factory=list)
    saved: list[list[int]] = field(default_factory=list)
    calls: dict[int, Calling] = field(default_factory=dict)

    @property
    def keeps(self) -> bool:
        """Whether any result is memoized while no cell changes: of a unit, or of trials of moves."""
        options = (each for wait in self.waits if isinstance(wait, Decision) for each in wait.options)
        # Other units are lowered for this only if these do not answer: in small games, where it takes milliseconds.
        known = any(each.refusable for each in options) or any(unit.keeps == "state" for unit in self.units)
        return known or any(unit.keeps == "state" for unit in self.complete().units)

    def complete(self) -> Program:
        """Lower all units that are not lowered yet, and return the program."""
        for unit in self.units:  # those that this adds follow
            if isinstance(unit, Deferred):
                unit.lower()
        return self

    @property
    def cells(self) -> int:
        """The number of cells of the buffer: those of the elements in the game's order, then those of the frame."""
        return self.game.cell_count + len(self.frame)
