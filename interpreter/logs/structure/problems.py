"""Faults of one record (`Problem`), located by JSON pointers; the record turns them into diagnostics."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from ludex.grammar import (
    Code,
    Diagnostic,
    Json,
    Message,
    Why,
    at_pointer,
    enumerated,
    escaped,
    nearest,
    shown_text,
    suggested,
    value_class,
)
from ludex.spec import JsonFault, found_words

from ...event_notation.syntax import UNKNOWN_WORD as UNKNOWN_WORD
from .. import log_codes
from ..record import HeaderLayout, Record

CLOCK = "[0-9]+:[0-5][0-9](:[0-5][0-9])?"
"""The form of what a clock shows: minutes and seconds, or hours, minutes and seconds."""
MOST_FINDINGS = 50
"""The largest number of findings that are reported of one log."""
MOST_ALIKE = 8
"""The largest number of members or items of one object or list for which the same fault is reported one by one."""

_NUMBER = re.compile(r"/[0-9]+(?![^/])")

Faulty = TypeVar("Faulty")


@value_class
class Problem:
    """A fault of one record.

    Attributes:
        pointer: to the value at fault, or to the object that lacks something.
        hint: how to mend it, or what returns that, if it takes long to find.
        at_name: the name of the member is at fault, not its value.
        yaml_hint: replaces the hint if the log is written as YAML.
        tag_hint: replaces the hint in the tags of a text log; text_hint: in its lines.
        why: the clauses that are broken.
        lacks: the pointer to a member that is missing.
        meant: returns the pointer to the member that this one, which is unknown, may stand for.
    """

    code: Code
    pointer: str
    message: str
    hint: str | Callable[[], str | None] | None = None
    at_name: bool = False
    yaml_hint: str | None = None
    tag_hint: str | None = None
    text_hint: str | None = None
    why: tuple[Why, ...] = ()
    lacks: str = ""
    meant: Callable[[], str | None] | None = None

    def at(self, record: Record) -> Diagnostic:
        """Return the diagnostic of this problem, with its place in the record's file."""
        span = record.place(self.pointer, self.at_name)
        special = self.yaml_hint if record.is_yaml else self.text_hint if record.is_text else None
        if isinstance(record.layout, HeaderLayout):
            special = self.tag_hint
        hint = special or (self.hint() if callable(self.hint) else self.hint)
        return Diagnostic(self.code, self.message, span, hint, why=self.why, pointer=self.pointer)

    def counted(self, record: Record) -> Diagnostic:
        """Return the diagnostic of a problem that no report shows: without hint, at the place of its record."""
        return Diagnostic(self.code, self.message, record.place(), pointer=self.pointer)


def quoted(text: str) -> str:
    """Quote text from outside for a message."""
    return f'"{shown_text(text)}"'


def unknown_members(
    data: Mapping[str, Json],
    known: Iterable[str],
    pointer: str,
    owner: str | Callable[[], str],
    code: Code = log_codes.UNKNOWN_FIELD,
) -> list[Problem]:
    """Make a problem for each member that the owner does not have, cut as by `few`.

    owner: in words, or what returns them: most data have no such member, and need no words.
    """
    names = list(known)
    unknown = [name for name in data if name not in names]
    if not unknown:
        return []
    words = owner() if callable(owner) else owner
    lacking = [name for name in names if name not in data]

    def problem(name: str) -> Problem:
        message = Message("no-such-member", owner=words, name=quoted(name))
        place, near = f"{pointer}/{escaped(name)}", partial(nearest, name, lacking)

        def meant() -> str | None:
            found = near()
            return found and f"{pointer}/{escaped(found)}"

        return Problem(code, place, message, lambda: suggested(near()) or it_has(names), at_name=True, meant=meant)

    return few(unknown, problem)


def it_has(names: Iterable[str]) -> str:
    """List the available names."""
    known = list(names)
    return Message("it-has", names=enumerated(known)) if known else Message("it-has-nothing")


def few(faulty: Sequence[Faulty], problem: Callable[[Faulty], Problem]) -> list[Problem]:
    """Make a problem for each value with the same fault at one place, up to `MOST_ALIKE`; the last one counts the
    rest."""
    problems = [problem(each) for each in faulty[:MOST_ALIKE]]
    return [*problems[:-1], _and_more(problems[-1], len(faulty) - len(problems))] if problems else []


def once_each(problems: Sequence[Problem]) -> list[Problem]:
    """Cut the problems of one record: those with one code, in one object or list or its items, as by `few`.

    A member that is misspelt is not reported as missing, too.
    """
    alike: dict[tuple[Code, str], list[Problem]] = {}
    for problem in _without_misspelt(problems):
        # All items of a list are one place: a wrong column of a table is one slip, not a thousand.
        holder = _NUMBER.sub("/*", problem.pointer.rpartition("/")[0])
        alike.setdefault((problem.code, holder), []).append(problem)
    return [problem for group in alike.values() for problem in few(group, lambda each: each)]


def _without_misspelt(problems: Sequence[Problem]) -> Iterator[Problem]:
    """Leave out a missing member for which, or for whose object, an unknown member may stand."""
    # To find what a member means takes a search among names, which most records do not need.
    is_lacking = any(problem.lacks for problem in problems)
    meant = {problem.meant() for problem in problems if problem.meant} if is_lacking else set()
    for problem in problems:
        if problem.lacks not in meant and problem.lacks.rpartition("/")[0] not in meant:
            yield problem


def _and_more(problem: Problem, count: int) -> Problem:
    if count:
        return replace(problem, message=Message("more-alike", message=problem.message, count=count))
    return problem


def missing_member(name: str, pointer: str, owner: str, what: str, code: Code = log_codes.MISSING_FIELD) -> Problem:
    message = Message("member-missing", owner=owner, name=quoted(name))
    return Problem(code, pointer, message, Message("it-holds", what=what), lacks=f"{pointer}/{escaped(name)}")


def wrong_value(pointer: str, expected: str, data: Json, code: Code = log_codes.WRONG_VALUE) -> Problem:
    return Problem(code, pointer, Message("expected", expected=expected, found=found_words(data)))


def value_problem(fault: JsonFault, data: Json, pointer: str) -> Problem:
    """Make the problem of a value that does not have its type. data, pointer: the whole value, and its place."""
    place = pointer + fault.pointer
    # The recorder did not see a part of a value that has to be known as a whole.
    if is_unknown(at_pointer(data, fault.pointer)):
        return _misplaced_unknown(place)
    code = {"value": log_codes.WRONG_VALUE, "unknown": log_codes.UNKNOWN_FIELD, "missing": log_codes.MISSING_FIELD}[
        fault.kind
    ]
    return Problem(code, place, fault.message, at_name=fault.kind == "unknown")


def is_unknown(data: Json) -> bool:
    return isinstance(data, str) and data == UNKNOWN_WORD


def _misplaced_unknown(pointer: str) -> Problem:
    message = Message("misplaced-unknown", word=UNKNOWN_WORD)
    return Problem(log_codes.MISPLACED_UNKNOWN, pointer, message, Message("misplaced-unknown-hint"))
