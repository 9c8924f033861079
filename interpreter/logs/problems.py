"""What is wrong with a record, before it is known in which file the record stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ludex.grammar import Code, Diagnostic, nearest
from ludex.spec import JsonFault
from ludex.spec import jsonvalues as j

from . import codes
from .log import Record

UNKNOWN = "unknown"
"""Written where a recorder could not see what happened; reserved for a later version of the format."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault of one record.

    Attributes:
        pointer: to the value at fault, or to the object that lacks something.
        at_name: the name of the member is at fault, not its value.
        yaml_hint: in place of the hint where the log is written as YAML.
    """

    code: Code
    pointer: str
    message: str
    hint: str | None = None
    at_name: bool = False
    yaml_hint: str | None = None

    def at(self, record: Record) -> Diagnostic:
        span = record.place(self.pointer, self.at_name)
        hint = self.yaml_hint if self.yaml_hint and record.is_yaml else self.hint
        return Diagnostic(self.code, self.message, span, hint, pointer=self.pointer)


def quoted(text: str) -> str:
    """Somebody else's word, fit for a message."""
    return f'"{j.shown_text(text)}"'


def listed(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`"""
    *most, last = list(words) or ["nothing"]
    return f"{', '.join(most)} and {last}" if most else last


def meant(word: str, known: Iterable[str]) -> str | None:
    """The hint for a word that nobody knows."""
    near = nearest(word[:40], known)
    return f"did you mean {near}?" if near else None


def unknown_members(
    data: Mapping[str, j.Json], known: Iterable[str], pointer: str, owner: str, code: Code = codes.UNKNOWN_FIELD
) -> list[Problem]:
    """A problem for each member that the owner does not have."""
    names = list(known)
    return [
        Problem(
            code,
            f"{pointer}/{j.escaped(name)}",
            f"{owner} has no member {quoted(name)}",
            meant(name, [known for known in names if known not in data]) or f"it has {listed(names)}",
            at_name=True,
        )
        for name in data
        if name not in names
    ]


def missing_member(name: str, pointer: str, owner: str, what: str, code: Code = codes.MISSING_FIELD) -> Problem:
    return Problem(code, pointer, f"{owner} lacks the member {quoted(name)}", f"it holds {what}")


def wrong_value(pointer: str, expected: str, data: j.Json, code: Code = codes.WRONG_VALUE) -> Problem:
    return Problem(code, pointer, f"expected {expected}, found {j.found_words(data)}")


def value_problem(fault: JsonFault, data: j.Json, pointer: str) -> Problem:
    """The problem of a value that is none of its type. `data` and `pointer`: the value, and where it stands."""
    place = pointer + fault.pointer
    if is_unknown(j.at_pointer(data, fault.pointer)):
        return unknown_yet(place)
    code = {"value": codes.WRONG_VALUE, "unknown": codes.UNKNOWN_FIELD, "missing": codes.MISSING_FIELD}[fault.kind]
    return Problem(code, place, str(fault), at_name=fault.kind == "unknown")


def is_unknown(data: j.Json) -> bool:
    return isinstance(data, str) and data == UNKNOWN


def unknown_yet(pointer: str) -> Problem:
    return Problem(codes.UNKNOWN_YET, pointer, f"`{UNKNOWN}` values cannot be judged yet", "write what happened")


def is_whole(data: j.Json) -> bool:
    return isinstance(data, int) and not isinstance(data, bool)
