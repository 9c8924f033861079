"""Reachability analysis: the places of a program from which a requirement may be reached before the next event."""

from __future__ import annotations

from . import code as c
from .traversal import statements


class Refusals:
    """The places from which a requirement may be reached before the next event.

    blocks: the blocks that test one, or lead to one.
    """

    def __init__(self, program: c.Program) -> None:
        after, leaving = dict[int, set[int]](), dict[int, set[int]]()
        self.blocks: set[int] = set()
        self._back: dict[int, set[int]] = {}
        leading: list[tuple[int, c.Statement]] = []
        for number, block in enumerate(program.blocks):
            every, asked = statements(block.body), _until_asked(program, block.body)
            # Where a routine returns to is in a cell, so an edge leads from each of its ends to each block stored in
            # that cell.
            for statement in every:
                if statement.__class__ is c.Back:
                    leaving.setdefault(statement.cell, set()).add(number)
            every = every if asked is block.body else statements(asked)
            leading += [(number, each) for each in every if each.__class__ in _LEADING]
        for number, statement in leading:
            match statement:
                case c.Refuse():
                    self.blocks.add(number)
                case c.Goto(block=target):
                    after.setdefault(target, set()).add(number)
                case c.Put(base=cell, value=c.Const(value=target)) if cell in leaving:
                    self._back.setdefault(cell, set()).add(target)
                    for routine in leaving[cell]:
                        after.setdefault(target, set()).add(routine)
        waiting = list(self.blocks)
        while waiting:
            for before in after.get(waiting.pop(), ()):
                if before not in self.blocks:
                    self.blocks.add(before)
                    waiting.append(before)

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
                return not self.blocks.isdisjoint(self._back.get(cell, ()))
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
