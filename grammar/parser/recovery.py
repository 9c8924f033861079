"""Error recovery: the parser continues after a fault, with one report for each fault and none for its consequences.

Each unit (a declaration with its block) is parsed by itself. Where the parser stops, the fault is reported, the faulty
line is removed, and the unit is parsed again. If the faulty line opened a block, a stand-in takes its place during the
search, so that faults inside the block are reported too; the result holds good lines only.

A keyword that was used as a name is read as that name, here and in all later lines, because the author has to choose
another name, and that is one fault however often the name is used. `parse` keeps the first report of each such word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from typing import Generic, Protocol, TypeVar

from ..diagnostics import Diagnostic
from ..lexer import reports
from ..lexer.layout import BELOW, CONTINUATIONS, LogicalLine, TokenSlot, after_name, flatten, retag
from ..lexer.tokens import Token, token_span, zero_width
from ..lexer.words import RESERVED_WORDS
from ..source import Span
from ..text_codes import RESERVED_WORD
from .syntax_errors import SyntaxFault, explain_fault

Tree_co = TypeVar("Tree_co", covariant=True)
_Result = TypeVar("_Result")

MAX_EFFORT = 400_000
"""The largest number of tokens of a file that are parsed again because of faults; a text that needs more is hardly a
spec."""


@dataclass(frozen=True, slots=True)
class ParserStop:
    """The parser stopped at a token.

    Attributes:
        index: the index of the token.
        expected: the terminals that it would have accepted there.
        too_deep: whether it stopped because of the depth limit.
    """

    index: int
    expected: frozenset[str] = frozenset()
    too_deep: bool = False


class UnitParser(Protocol[Tree_co]):
    """A parser for the tokens of one unit, the last of which is `$END`."""

    def __call__(self, tokens: Sequence[Token]) -> Tree_co | ParserStop: ...


class Exhausted(Exception):
    """There are too many faults in a text. span: the place where the search stopped."""

    def __init__(self, span: Span) -> None:
        super().__init__(span)
        self.span = span


@dataclass(slots=True)
class Recovery(Generic[_Result]):
    """Parses units one by one with error recovery, and collects the reports of their faults.

    named: the reserved words that the text uses as names. effort: the number of tokens that were parsed again.
    """

    run: UnitParser[_Result]
    file: str
    named: set[str] = field(default_factory=set)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    effort: int = 0

    def read(self, unit: LogicalLine) -> _Result | None:
        """Return the tree of a unit without its faulty lines; None if nothing is left."""
        work = _Work(unit)
        # Their faults were reported with the layout.
        for line in [line for line in unit.walk() if line.broken]:
            work.set_aside(line)
        tree = self._search(work)
        # A tree with stand-ins in it says what nobody wrote: the good lines are parsed again without them.
        return tree if not work.damaged else self._salvage(_Work(unit))

    def _search(self, work: _Work) -> _Result | None:
        """Report the faults of a unit one by one: parse, report, change the faulty line, parse again."""
        while not work.lost:
            outcome, slots = self._parse(work.unit, again=work.damaged)
            if not isinstance(outcome, ParserStop):
                return outcome
            fault = _locate(self.file, work.unit, slots, outcome)
            # A consequence is mended like any other fault, since the parser has to get past it, but not reported.
            diagnostic = None if work.follows(fault) else _report(fault, outcome)
            is_name = diagnostic is not None and diagnostic.code is RESERVED_WORD
            if self._rename(work.guilty(fault), fault, is_name, [slot.token for slot in slots], outcome):
                continue
            # `_rename` may just have reported a word of this line, and its fault is a consequence of that.
            if diagnostic is not None and not work.guilty(fault).renamed:
                self.diagnostics.append(diagnostic)
            # What continues such a line was probably meant to be the next line, whose fault is a consequence then; and
            # so on down.
            opens = diagnostic is not None and (fault.is_cut_off or work.is_foreign(fault))
            work.guilty(fault).goes_on |= opens or work.goes_on(fault)
            work.mend(fault, outcome.too_deep)
        return None

    def _rename(
        self, line: LogicalLine, fault: SyntaxFault, is_name: bool, tokens: list[Token], refusal: ParserStop
    ) -> bool:
        """Try to read a reserved word of the faulty line as a name, or all those that are known as names together.
        Return whether the parser gets further by that; the words are then reported.

        is_name: whether the word at the fault is certainly meant as a name."""
        if line.broken or refusal.too_deep:
            return False
        end = fault.index + 1 if line is fault.line and fault.index >= 0 else len(line.tokens)
        # The word nearest to the fault is most likely the one.
        words = [token for token in reversed(line.tokens[:end]) if token.type != "NAME" and str(token) in self.named]
        alone = [*words, *([fault.token] if is_name else [])]
        # One word at a time is tried first, so that as few words as possible are taken for names.
        for group in [*([token] for token in alone), *([words] if len(words) > 1 else [])]:
            kinds = [token.type for token in group]
            for token in group:
                token.type = "NAME"
            self._spend(len(tokens), tokens[0])
            further = self.run(tokens)
            # The fault may be gone or only later: either shows that the word was the matter.
            if not isinstance(further, ParserStop) or further.index > refusal.index:
                for token in group:
                    self._report_name(line, token)
                return True
            # Tokens are changed in place and shared with the layout, so that a guess that does not help is undone.
            for token, kind in zip(group, kinds, strict=True):
                token.type = kind
        # The layout has joined a row that begins with the name `and` to the row above, and the lexer the name `not` to
        # a following `in`. That cannot be undone here, so the whole line is left out.
        glued = next((each for each in line.tokens[:end] if self._is_glued(each, line)), None)
        if glued is not None:
            self._report_name(line, glued)
        return False

    def _report_name(self, line: LogicalLine, token: Token) -> None:
        word = token.split()[0]
        line.renamed = True
        self.named.add(word)
        self.diagnostics.append(reports.reserved(word, token_span(self.file, token)))

    def _is_glued(self, token: Token, line: LogicalLine) -> bool:
        """Return whether the layout or the lexer joined a reserved word, which is a name here, to its neighbour."""
        place = line.tokens.index(token)
        begins_row = token.type in CONTINUATIONS and place > 0 and line.tokens[place - 1].line != token.line
        return token.split()[0] in self.named and (begins_row or token.type == "NOT_IN")

    def _salvage(self, work: _Work) -> _Result | None:
        """Parse a unit without its faulty lines; lines that are incomplete by that are removed too."""
        for line in [line for line in work.unit.walk() if line.broken]:
            work.drop(line)
        while not work.lost:
            outcome, slots = self._parse(work.unit, again=True)
            if not isinstance(outcome, ParserStop):
                return outcome
            work.drop(work.guilty(_locate(self.file, work.unit, slots, outcome)))
        return None

    def _parse(self, unit: LogicalLine, again: bool) -> tuple[_Result | ParserStop, list[TokenSlot]]:
        slots = flatten(unit)
        if again:
            self._spend(len(slots), unit.head)
        return self.run([slot.token for slot in slots]), slots

    def _spend(self, effort: int, at: Token) -> None:
        self.effort += effort
        if self.effort > MAX_EFFORT:
            raise Exhausted(token_span(self.file, at))


def _locate(file: str, unit: LogicalLine, slots: list[TokenSlot], refusal: ParserStop) -> SyntaxFault:
    slot = slots[refusal.index]
    # Marks of the layout have no text that a message could name.
    read = [earlier for earlier in slots[: refusal.index] if earlier.index >= 0]
    before = read[-1] if read else slot
    token = before.token if read else None
    return SyntaxFault(file, unit, slot.line, slot.index, slot.token, token, before.line, refusal.expected)


def _report(fault: SyntaxFault, refusal: ParserStop) -> Diagnostic:
    return reports.too_deep(fault.here) if refusal.too_deep else explain_fault(fault)


def named_words(units: Sequence[LogicalLine]) -> set[str]:
    """Return the reserved words that are declared as names: after the word of a declaration, or in its brackets."""
    return {
        name
        for unit in units
        for line in unit.walk()
        for before, token in pairwise(line.tokens)
        if token.type == "LABEL"
        and (before.type in _NAMING or (line is unit and before.type in ("OPEN_ROUND", "COMMA")))
        if (name := token[:-1].rstrip()) in RESERVED_WORDS
    }


_NAMING = frozenset({"ZONE", "STATE", "OPTION", "FACT", "DEFINE"})


@dataclass(slots=True)
class _Work:
    """The lines of one unit during recovery.

    Attributes:
        parents, above, siblings: for each line, the line of its block, the line above it, and the line
            before it in its block.
        holed: the lines whose blocks have lost a line.
        lost: whether the whole unit was removed.
        damaged: whether a line was changed or removed.
    """

    unit: LogicalLine
    parents: dict[LogicalLine, LogicalLine] = field(default_factory=dict)
    above: dict[LogicalLine, LogicalLine] = field(default_factory=dict)
    siblings: dict[LogicalLine, LogicalLine] = field(default_factory=dict)
    holed: set[LogicalLine] = field(default_factory=set)
    lost: bool = False
    damaged: bool = False

    def __post_init__(self) -> None:
        for line in self.unit.walk():
            for child in line.children:
                self.parents[child] = line
            self.siblings.update((below, child) for child, below in pairwise(line.children))
        self.above.update((line, above) for above, line in pairwise(self.unit.walk()))

    def follows(self, fault: SyntaxFault) -> bool:
        """Return whether a fault is probably a consequence of a reported one."""
        line = self.guilty(fault)
        if line.broken or line.renamed or self._in_uneven_block(line):
            return True
        if self.goes_on(fault):
            return True
        # What could not be read may have been the rest of the line.
        if line.gapped and (fault.kind == "NEWLINE" or set(fault.expected) == {"_INDENT"}):
            return True
        # The block is too short, perhaps because a line of it was removed.
        if fault.kind in ("_DEDENT", "$END"):
            return fault.line in self.holed
        # These depend on a line before them, which may have been removed or moved.
        lone = fault.at_line_start and fault.kind in ("ELSE", "UNTIL", "EXCEPT", "DEFAULT")
        parent = self.parents.get(fault.line)
        if not lone or parent is None:
            return False
        before = takewhile(lambda line: line is not fault.line, parent.children)
        return parent in self.holed or any(line.broken or line.uneven for line in before)

    def goes_on(self, fault: SyntaxFault) -> bool:
        """Return whether the faulty line may continue the one above, which ended too early."""
        line = self.guilty(fault)
        before = (above.get(line) for above in (self.above, self.siblings))
        return any(each is not None and each.goes_on for each in before)

    def is_foreign(self, fault: SyntaxFault) -> bool:
        """Return whether the line begins unlike the lines that its block can have.

        The lines below it then probably do too, since the line above the block is at fault."""
        if self.parents.get(fault.line) is not self.unit:
            return False
        # Such lines differ by their first word or, after a label, by their second.
        if self.unit.head.type in _LISTS:
            return fault.index in (0, 1)
        return fault.at_line_start and set(fault.expected) <= {"EXCEPT", "_DEDENT"}

    def _in_uneven_block(self, line: LogicalLine | None) -> bool:
        while line is not None:
            if line.uneven:
                return True
            line = self.parents.get(line)
        return False

    def guilty(self, fault: SyntaxFault) -> LogicalLine:
        """Return the line to remove."""
        # The missing or superfluous block belongs to the line above.
        if set(fault.expected) == {"_INDENT"} or fault.kind == "_INDENT":
            return fault.previous
        return self.parents[fault.line] if fault.is_stray_block else fault.line

    def mend(self, fault: SyntaxFault, too_deep: bool = False) -> None:
        """Change the lines so that the parser gets past the fault."""
        line = self.guilty(fault)
        self.damaged = True
        # No stand-in can be made for a declaration without a name.
        nameless = line is self.unit and fault.index == 1 and fault.kind not in ("NAME", "TNAME", "LABEL")
        # A broken line has its stand-in already, at which the parser stopped.
        if line.broken or too_deep or nameless or fault.kind in ("_DEDENT", "$END"):
            line.broken = True
            self.drop(line)
        elif fault.is_stray_block:
            self.hoist(line)
        elif set(fault.expected) == {"_INDENT"} or fault.kind in ("ARROW", "OTHERWISE"):
            line.broken = True
            self.drop_arms(line)
            self.drop(line)
        else:
            self.set_aside(line)

    def set_aside(self, line: LogicalLine) -> None:
        """Replace a faulty line by a stand-in, or remove it if it opens no block.

        If the line does not show what kind of block it opens, the block is removed too, since a report inside it would
        be a guess."""
        self.damaged = True
        line.broken = True
        if not _says_its_block(line, line is self.unit):
            line.children.clear()
        line.stand_in = _stand_in(line, line is self.unit)
        if line.stand_in is None:
            self.drop(line)

    def hoist(self, line: LogicalLine) -> None:
        """Move lines that are indented too deeply to the level of the line above. Since that is a guess, they count as
        uneven."""
        parent = self.parents.get(line)
        children, line.children = line.children, []
        if parent is None:
            return
        place = parent.children.index(line) + 1
        parent.children[place:place] = children
        for child in children:
            self.parents[child] = parent
            child.uneven = True
        retag(self.unit)

    def drop_arms(self, line: LogicalLine) -> None:
        """Remove the arms right after a line, which have no `match`, so that all together are one fault."""
        parent = self.parents.get(line)
        if parent is None:
            return
        place = parent.children.index(line) + 1
        while place < len(parent.children) and _is_arm(parent.children[place]):
            del parent.children[place]

    def drop(self, line: LogicalLine) -> None:
        """Remove a line with its block, its `else` or `until`, and a parent whose block is then empty."""
        parent = self.parents.get(line)
        if parent is None:
            self.lost = True
            return
        # An earlier fault has removed it already.
        if line not in parent.children:
            return
        place = parent.children.index(line)
        del parent.children[place]
        self.holed.add(parent)
        self._drop_companion(line, parent, place)
        if not parent.children and not _needs_no_block(parent):
            # Without its block the parent is incomplete, which is a consequence and not reported.
            parent.broken = True
            self.drop(parent)

    def _drop_companion(self, line: LogicalLine, parent: LogicalLine, place: int) -> None:
        opener = next((token.type for token in line.tokens if token.type != "LABEL"), "")
        # An `else if` may be followed by a further `else`.
        companion = {"IF": "ELSE", "REPEAT": "UNTIL", "ELSE": "ELSE"}.get(opener)
        while place < len(parent.children) and parent.children[place].head.type == companion:
            del parent.children[place]


def _needs_no_block(line: LogicalLine) -> bool:
    """Return whether a line is complete without a block."""
    return line.head.type in ("GAME", "PART", "EDITION", "TEXT", "COMPONENT", "ACTION")


_LISTS = frozenset({"GAME", "PART", "EDITION", "TEXT", "COMPONENT", "WINNER", "FORK", "TERMS", "EXAMPLE"})
"""Declarations whose blocks have only few kinds of lines, each with its own first word."""

_HEADERS: dict[str, tuple[str, ...]] = {
    "GAME": ("GAME", "NAME"),
    "PART": ("PART", "NAME", "OF", "NAME"),
    "EDITION": ("EDITION", "NAME", "OF", "NAME"),
    "TEXT": ("TEXT", "NAME"),
    "COMPONENT": ("COMPONENT", "TNAME"),
    "ACTION": ("ACTION", "NAME"),
    "SETUP": ("SETUP",),
    "PLAY": ("PLAY",),
    "WINNER": ("WINNER",),
    "FORK": ("FORK", "NAME"),
    "TERMS": ("TERMS",),
    "EXAMPLE": ("EXAMPLE", "NAME"),
}
_VALUES: dict[str, tuple[str, ...]] = {
    "FACT": ("FACT", "NAME", "EQ"),
    "DEFINE": ("DEFINE", "NAME", "EQ"),
    "SCORE": ("SCORE", "LABEL"),
    "INVARIANT": ("INVARIANT", "LABEL"),
    "REQUIRE": ("REQUIRE", "LABEL"),
}
_WITH_STEPS: dict[str, tuple[str, ...]] = {
    "IF": ("IF", "NONE"),
    "ELSE": ("ELSE",),
    "REPEAT": ("REPEAT",),
    "EACH": ("MAY",),
    "EACH_PLAYER": ("MAY",),
    "ALL_PLAYERS": ("MAY",),
    "AS": ("MAY",),
    "MAY": ("MAY",),
    "CHOOSE": ("CHOOSE",),
    "GIVEN": ("GIVEN",),
}
_ALONE: dict[str, tuple[str, ...] | None] = {
    "IF": ("IF", "NONE", "THEN", "NOTHING"),
    "ELSE": ("ELSE", "NOTHING"),
    "UNTIL": ("UNTIL", "NONE"),
    "REPEAT": None,
}


def _stand_in(line: LogicalLine, is_unit: bool) -> list[Token] | None:
    """Return the tokens of the shortest correct line with the same kind of block as a faulty one; None if there is
    none.

    If it does not fit there, the parser stops at it, and the line is removed without another report."""
    kinds = [token.type for token in line.tokens]
    block = _block_kind(line)
    if is_unit and kinds[0] not in _VALUES:
        shortest = _HEADERS.get(kinds[0]) if block else None
    elif kinds[0] in _VALUES:
        shortest = _VALUES[kinds[0]] if block in ("steps", "exceptions") else None
        # With exceptions below, the value is on the line itself, and the grammar takes `none` for any value.
        shortest = (*shortest, "NONE") if shortest and block == "exceptions" else shortest
    elif kinds[0] == "LABEL":
        rest = _opener(kinds[1:], block) if len(kinds) > 1 else ()
        shortest = ("LABEL", *rest) if rest is not None else None
    elif "ARROW" in kinds:
        shortest = ("OTHERWISE", "ARROW") if block == "steps" else None
    else:
        shortest = _opener(kinds, block)
    return [zero_width(kind, line.head) for kind in shortest] if shortest else None


def _opener(kinds: Sequence[str], block: str | None) -> tuple[str, ...] | None:
    if kinds[:2] == ["ELSE", "IF"]:
        rest = _opener(kinds[1:], block)
        return ("ELSE", *rest) if rest is not None else None
    if block is None:
        return _ALONE.get(kinds[0], ("NOTHING",))
    if block == "steps":
        return _WITH_STEPS.get(kinds[0], ())
    return ("MATCH", "NONE") if block == "arms" else ("NOTHING",)


def _says_its_block(line: LogicalLine, is_unit: bool) -> bool:
    """Return whether the tokens of a faulty line, or the lines below, show what kind of block it has."""
    if _block_kind(line) == "exceptions" or line.tokens[-1].type in ("EQ", "LABEL", "ARROW"):
        return True
    if is_unit:
        return line.head.type not in _VALUES
    return next(iter(after_name(line)), "") in _WITH_STEPS | {"MATCH": ()}


def _block_kind(line: LogicalLine) -> str | None:
    if not line.children:
        return None
    first = line.children[0]
    if first.head.type in BELOW:
        return "exceptions"
    return "arms" if _is_arm(first) else "steps"


def _is_arm(line: LogicalLine) -> bool:
    return any(token.type == "ARROW" for token in line.tokens)
