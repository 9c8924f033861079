"""A builder for functions in LLVM's textual form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum

from ludex.spec import NESTED_CAN

NONE = -(2**63)
"""The word that represents none."""
FAULT, REFUSED, VEILED = -2, -3, -5
"""Statuses of a function that did not finish: the rules give no value, a requirement refuses the move, or the public
state does not decide. A block returns -1 where the flow waits; a number from `LAST` down is a limit of native code."""


class Limit(IntEnum):
    """A limit of native code, as the status that a function returns."""

    WORK = -10
    ENDLESS = -11
    DEPTH = -12
    MEMORY = -13
    LONG = -14
    NUMBER = -15
    INDEX = -16
    PIECES = -17
    POOLS = -18
    VEILS = -19
    EVENT = -20
    CAN = -21


LAST = max(Limit)
LIMIT_MESSAGES = {
    Limit.WORK: "more work than the game's budget allows",
    Limit.ENDLESS: "a flow that reaches no event",
    Limit.DEPTH: "so many calls inside one another",
    Limit.MEMORY: "lists and copies that need more memory than a thread has",
    Limit.LONG: "a list that does not fit where it is kept",
    Limit.NUMBER: "a number that does not fit where it is kept, or a division by zero",
    Limit.INDEX: "a place outside of a table or a list",
    Limit.PIECES: "a piece that is not there, or has no place",
    Limit.POOLS: "unseen pieces that were mixed with others in a rare way",
    Limit.VEILS: "more pieces out of sight than a copy of the public state can tell apart",
    Limit.EVENT: "an event that is not awaited",
    Limit.CAN: f"more than {NESTED_CAN} `can` inside one another",
}
"""The message for each limit."""

_LONG = 54
"""Functions with more lines of LLVM than this get attribute group 0 (no inlining)."""
CONTEXT = {
    "work": 0, "depth": 8, "top": 16, "end": 24, "random": 32, "site": 64, "clock": 72, "budget": 80, "memory": 88,
    "kind": 96, "why": 104, "raises": 112, "asking": 120, "memo": 128,
}  # fmt: skip
"""Offsets in the context of a thread: units of work left, calls left, the free memory and its end, the state of the
random generator (four words), the place of the last fault, the count of changes of states; for `objects.py` the work of
an event, the start of the free memory, the type of a state, the reason of a stop and the function that raises it; the
innermost test of what can be done that may lead to itself; and the memo tables.

All text of LLVM takes its offsets from here, and so does `native/library.py`. `work` is first, since the texts
use the address of the context as its address."""


@dataclass
class Function:
    """Builds one function.

    returned: the type of its value, which it returns together with a status: 0, or the reason why there is no value;
        None for a function that returns only the status. known: the words of the context that it uses. exits: the basic
        blocks that jump to the one where it stops, and the reason in each.
    """

    name: str
    parameters: str
    returned: str | None
    lines: list[str] = field(default_factory=list)
    slots: list[str] = field(default_factory=list)
    count: int = 0
    block: str = "entry"
    catches: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    breaks: list[str] = field(default_factory=list)
    terminated: bool = False
    known: set[str] = field(default_factory=set)
    exits: dict[str, str | int] = field(default_factory=dict)

    @property
    def stops(self) -> bool:
        """Whether the function may return without a value."""
        return bool(self.exits)

    def let(self, text: str) -> str:
        """Emit an instruction; return the new register with its result."""
        # LLVM reads a number faster than a name. Every result has one or the other: LLVM would number it itself.
        self.count += 1
        name = f"%{self.count}"
        if not self.terminated:  # as in `do`; this is called for most instructions
            self.lines.append(f"  {name} = {text}")
        return name

    def do(self, text: str) -> None:
        # Code after a jump is dropped, since in LLVM a basic block ends with its first jump. So callers need not know
        # whether the code before returns.
        if not self.terminated:
            self.lines.append(f"  {text}")

    def end(self, text: str) -> None:
        """Emit the last instruction of a basic block."""
        self.do(text)
        self.terminated = True

    def slot(self, llvm: str) -> str:
        """Reserve memory for a variable."""
        self.count += 1
        # The slot is in the entry block: elsewhere LLVM would keep the variable in memory, and a loop would use more
        # stack in each iteration.
        self.slots.append(f"  %s{self.count} = alloca {llvm}")
        return f"%s{self.count}"

    def get(self, slot: str, llvm: str = "i64") -> str:
        """Load a variable."""
        return self.let(f"load {llvm}, ptr {slot}")

    def put(self, slot: str, value: str | int, llvm: str = "i64") -> None:
        """Store a value in a variable."""
        self.do(f"store {llvm} {value}, ptr {slot}")

    def at(self, address: str, offset: str | int, llvm: str = "i8") -> str:
        """Emit the address at an offset, in bytes or in items of a type."""
        return self.let(f"getelementptr {llvm}, ptr {address}, i64 {offset}")

    def value_of(self, call: str, kind: str) -> str:
        """Emit a call, return early if its status is not 0, and return the register with its value."""
        result = self.let(f"call {{ {kind}, i32 }} {call}")
        why = self.let(f"extractvalue {{ {kind}, i32 }} {result}, 1")
        self.stop_if(self.let(f"icmp ne i32 {why}, 0"), why)
        # The pair stays in two registers: it costs less than a status in memory, and exceptions would need an unwinder.
        return self.let(f"extractvalue {{ {kind}, i32 }} {result}, 0")

    def checked(self, name: str, one: str, two: str) -> str:
        """Emit arithmetic on words that stops where the result does not fit: the least word means none."""
        both = self.let(f"call {{ i64, i1 }} @llvm.{name}.with.overflow.i64(i64 {one}, i64 {two})")
        result = self.let(f"extractvalue {{ i64, i1 }} {both}, 0")
        over = self.let(f"extractvalue {{ i64, i1 }} {both}, 1")
        self.stop_if(self.let(f"or i1 {over}, {self.let(f'icmp eq i64 {result}, {NONE}')}"), Limit.NUMBER)
        return result

    def label(self) -> str:
        self.count += 1
        return f"l{self.count}"

    def begin(self, label: str) -> None:
        """Begin a basic block; the previous one falls through to it."""
        if not self.terminated:
            self.do(f"br label %{label}")
        self.lines.append(f"{label}:")
        self.block, self.terminated = label, False

    def jump(self, label: str) -> None:
        self.end(f"br label %{label}")

    def branch(self, test: str, then: str, otherwise: str) -> None:
        self.end(f"br i1 {test}, label %{then}, label %{otherwise}")

    def switch(self, number: str, ways: Sequence[tuple[int, str]], other: str) -> None:
        self.end(f"switch i32 {number}, label %{other} [ {' '.join(f'i32 {at}, label %{to}' for at, to in ways)} ]")

    def give(self, value: str) -> None:
        """Emit a return."""
        if self.terminated:
            return
        if self.returned is None:
            self.end(f"ret i32 {value}")
        else:
            pair = f"{{ {self.returned}, i32 }}"
            whole = self.let(f"insertvalue {pair} {{ {self.returned} poison, i32 0 }}, {self.returned} {value}, 0")
            self.end(f"ret {pair} {whole}")

    def stop(self, why: str | int) -> None:
        """Emit a return without a value. Inside `catching`, a caught reason jumps to the handler's label."""
        for label, reason in self._handlers(why) if isinstance(why, str) else ():
            out = self.label()
            self.branch(self.let(f"icmp eq i32 {why}, {reason}"), label, out)
            self.begin(out)
        self.jump(self._way_out(why))

    def stop_if(self, test: str, why: str | int) -> None:
        on, is_caught = self.label(), isinstance(why, str) and bool(self._handlers(why))
        way = self.label() if is_caught else self._way_out(why)
        # By its weights LLVM moves the rare way out of the straight code.
        self.end(f"br i1 {test}, label %{way}, label %{on}, !prof !0")
        if is_caught:
            self.begin(way)
            self.stop(why)
        self.begin(on)

    def _handlers(self, why: str) -> list[tuple[str, int]]:
        """Return the handlers of the reasons that may be in a register, the innermost first."""
        # It may be any reason, but only these two are ever caught.
        found, uncaught = list[tuple[str, int]](), [FAULT, VEILED]
        for label, caught in reversed(self.catches):
            found += [(label, reason) for reason in uncaught if reason in caught]
            uncaught = [reason for reason in uncaught if reason not in caught]
        return found

    def _way_out(self, why: str | int) -> str:
        """Return the label to which the present basic block jumps to stop."""
        # All stops share one return, and those for one constant reason one block: a return of a pair takes LLVM long.
        if isinstance(why, int):
            for label, caught in reversed(self.catches):
                if why in caught:
                    return label
        block = self.block if isinstance(why, str) else f"stop{-why}"
        if not self.terminated:
            self.exits[block] = why
        return "stop" if isinstance(why, str) else block

    @contextmanager
    def catching(self, label: str, *reasons: int) -> Iterator[None]:
        """Catch these reasons to stop while the block runs: the code jumps to the label instead of returning."""
        self.catches.append((label, reasons))
        yield
        self.catches.pop()

    @contextmanager
    def uncaught(self) -> Iterator[None]:
        """Suspend all handlers of `catching` while the block runs."""
        catches, self.catches = self.catches, []
        yield
        self.catches = catches

    @contextmanager
    def when(self, test: str) -> Iterator[None]:
        """Emit a branch: the code of the block runs only if a test holds."""
        then, on = self.label(), self.label()
        self.branch(test, then, on)
        self.begin(then)
        yield
        self.begin(on)

    @contextmanager
    def counted(self, low: str, end: str) -> Iterator[str]:
        """Emit a loop over the numbers from low to one less than end; yields the number."""
        head, body, on, leave = self.label(), self.label(), self.label(), self.label()
        # A loop counter is a phi node and not a variable in memory, so that LLVM need not find out that nobody else
        # changes it.
        before, at = self.block, f"%n{self.count}"
        self.begin(head)
        self.do(f"{at} = phi i64 [ {low}, %{before} ], [ {at}.next, %{on} ]")
        self.branch(self.let(f"icmp slt i64 {at}, {end}"), body, leave)
        self.begin(body)
        self.breaks.append(leave)
        yield at
        self.breaks.pop()
        self.begin(on)
        self.do(f"{at}.next = add nsw i64 {at}, 1")
        self.jump(head)
        self.begin(leave)

    def context(self, name: str) -> str:
        """Return the address of a word of the context."""
        self.known.add(name)
        return f"%C.{name}"

    def text(self, attributes: str = "") -> str:
        returned = "i32" if self.returned is None else f"{{ {self.returned}, i32 }}"
        if not self.terminated:
            self.do("unreachable")
        # LLVM would inline a long function with a single caller, and compiling time grows faster than the length.
        attributes = attributes or ("#0" if len(self.lines) > _LONG else "")
        head = f"define internal {returned} @{self.name}({self.parameters}) {attributes} {{\nentry:\n"
        known = [f"  %C.{name} = getelementptr i8, ptr %C, i64 {CONTEXT[name]}" for name in sorted(self.known)]
        return head + "\n".join([*known, *self.slots, *self.lines, *self._stopped(returned)]) + "\n}\n"

    def _stopped(self, returned: str) -> list[str]:
        """Return the basic blocks in which the function returns without a value."""
        if not self.exits:
            return []
        ways = ", ".join(f"[ {why}, %{block} ]" for block, why in self.exits.items())
        lines = [f"{block}:\n  br label %stop" for block, why in self.exits.items() if isinstance(why, int)]
        lines.append(f"stop:\n  %stopped = phi i32 {ways}")
        if self.returned is None:
            return [*lines, "  ret i32 %stopped"]
        return [*lines, f"  %no.value = insertvalue {returned} poison, i32 %stopped, 1\n  ret {returned} %no.value"]
