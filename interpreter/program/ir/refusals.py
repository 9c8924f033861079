"""Reachability analysis: the places of a program from which a requirement may be reached before the next event."""

from __future__ import annotations

from ludex.spec import reachable

from . import code as c
from .traversal import statements


class Refusals:
    """The places from which a requirement may be reached before the next event, in the blocks that were added."""

    def __init__(self, program: c.Program) -> None:
        self._program = program
        self._testing: set[int] = set()  # the blocks that test a requirement
        self._after: dict[int, set[int]] = {}  # the blocks that jump to a block
        self._stored: dict[int, list[int]] = {}  # the numbers that are stored in a cell
        self._leaving: dict[int, set[int]] = {}  # the blocks that end by a jump to the block whose number a cell holds
        self._blocks: set[int] | None = None

    @classmethod
    def of(cls, program: c.Program) -> Refusals:
        """Return the places in all blocks of a program."""
        refusals = cls(program)
        for number in range(len(program.blocks)):
            refusals.add(number)
        return refusals

    def add(self, number: int) -> None:
        """Add a block, whose body no longer changes."""
        self._blocks = None
        body = self._program.blocks[number].body
        every, asked = statements(body), _until_asked(self._program, body)
        for statement in every:
            if statement.__class__ is c.Back:
                self._leaving.setdefault(statement.cell, set()).add(number)
        for statement in every if asked is body else statements(asked):
            # Most statements are of other classes, and `match` is slow.
            if statement.__class__ in _LEADING:
                match statement:
                    case c.Refuse():
                        self._testing.add(number)
                    case c.Goto(block=target):
                        self._after.setdefault(target, set()).add(number)
                    case c.Put(base=cell, value=c.Const(value=stored)):
                        self._stored.setdefault(cell, []).append(stored)

    @property
    def blocks(self) -> set[int]:
        """The blocks that test a requirement, or lead to one."""
        if self._blocks is None:
            before = {number: set(jumping) for number, jumping in self._after.items()}
            # Where a routine returns to is in a cell, so an edge leads from each of its ends to each block stored in
            # that cell.
            for cell, routines in self._leaving.items():
                for target in self._stored.get(cell, ()):
                    before.setdefault(target, set()).update(routines)
            self._blocks = reachable(self._testing, lambda number: before.get(number, ()))
        return self._blocks

    def in_(self, body: c.Body) -> bool:
        """Test whether a requirement can be reached in a body or after it."""
        return any(map(self._in, statements(body)))

    def _in(self, statement: c.Statement) -> bool:
        match statement:
            case c.Refuse():
                return True
            case c.Goto(block=block):
                return block in self.blocks
            case c.Back(cell=cell):
                return not self.blocks.isdisjoint(self._stored.get(cell, ()))
        return False


_LEADING = frozenset({c.Refuse, c.Goto, c.Put})
"""The statements that lead to a requirement, or may: a stored number may be that of the block to return to."""


def _until_asked(program: c.Program, body: c.Body) -> c.Body:
    """Return the part of a body that a trial can reach.

    A decision with an option without requirements ends it: whether that option is refused in turn is not examined
    there.
    """
    for at, statement in enumerate(body):
        if statement.__class__ is not c.If:
            continue
        match statement.test:
            case c.Serve(name="offers", args=(c.Const(value=number), *_)):
                wait = program.waits[number]
                if isinstance(wait, c.Decision) and any(option.free for option in wait.options):
                    return body[: at + 1]
    return body
