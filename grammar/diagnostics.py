"""Diagnostics: the values that describe every fault found in a text, a spec, a component file or a log.

A diagnostic is a value. Authors' mistakes are collected and returned, never raised; any raised exception
other than `Failure` is a bug of Ludex.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from .source import Span

COMPARED = 100
"""`nearest` compares so many characters of a word."""
SHOWN_TEXT = 40
"""A message shows so many characters of a text that was found."""


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Code:
    """One entry of the catalogue: a stable code and what it means.

    Attributes:
        code: e.g. `N101`; never reused for another fault.
        name: a short slug for people, e.g. `unknown-name`.
        meaning: one or two sentences: what is wrong, and why that matters.
        mend: how it is put right, in general.
        severity: warnings do not make a spec or a log bad.
    """

    code: str
    name: str
    meaning: str
    mend: str
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class Note:
    """Another place involved: an earlier declaration, a link of a cycle, an opening bracket."""

    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """A clause behind a finding, with what it rests on. lender: the text from which it is borrowed, if it is."""

    clause: str
    authority: str
    span: Span | None = None
    lender: str | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault, reported once.

    Attributes:
        code: entry of the catalogue.
        message: what is wrong here, in the author's or referee's words.
        span: the exact place.
        hint: how to mend it here, if more can be said than the catalogue does.
        notes: other places involved.
        why: clauses that say so (for findings about play).
        pointer: JSON pointer inside the record, for logs and component data.
        legal: for a refused move, legal ones, nearest first, as they would stand in a log.
        unknown: the name that nothing is called by; however often it is used, it is one fault.
    """

    code: Code
    message: str
    span: Span
    hint: str | None = None
    notes: tuple[Note, ...] = ()
    why: tuple[Why, ...] = ()
    pointer: str | None = None
    legal: tuple[str, ...] = ()
    unknown: str | None = None

    @property
    def is_error(self) -> bool:
        return self.code.severity is Severity.ERROR


@dataclass(slots=True)
class Diagnostics:
    """A collecting list that keeps one report per fault: the same code at the same place is kept once."""

    items: list[Diagnostic] = field(default_factory=list)
    _seen: set[tuple[str, Span, str | None]] = field(default_factory=set)

    def add(self, diagnostic: Diagnostic) -> None:
        key = (diagnostic.code.code, diagnostic.span, diagnostic.pointer)
        if key not in self._seen:
            self._seen.add(key)
            self.items.append(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def report(
        self,
        code: Code,
        message: str,
        span: Span,
        hint: str | None = None,
        notes: tuple[Note, ...] = (),
        unknown: str | None = None,
    ) -> None:
        self.add(Diagnostic(code, message, span, hint, notes, unknown=unknown))

    def sorted(self) -> tuple[Diagnostic, ...]:
        """All diagnostics in reading order; an unknown name, and what is part of it, where it is first met."""
        ordered = sorted(self.items, key=lambda d: (d.span, d.code.code))
        first: dict[str, Diagnostic] = {}
        for each in ordered:
            if each.unknown is not None:
                owner = next((name for name in first if each.unknown.startswith(f"{name}.")), each.unknown)
                first.setdefault(owner, each)
        told = {id(each) for each in first.values()}
        return tuple(each for each in ordered if each.unknown is None or id(each) in told)

    @property
    def has_errors(self) -> bool:
        return any(item.is_error for item in self.items)


class Failure(Exception):
    """A text, spec or log cannot be used further; carries the diagnostics that say why.

    Raised only at the edges of the library (`ludex.load` and friends), where a caller cannot go on without a result.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        first = self.diagnostics[0] if self.diagnostics else None
        super().__init__(f"{first.span}: {first.code.code} {first.message}" if first else "failed")

    def __reduce__(self) -> tuple[type[Failure], tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word nearest to `word`, or None if none is near: by difflib's ratio, from 0.6 up. A word of five
    letters or fewer, in which chance likenesses are common, must begin alike or reach 0.7. The word itself is never
    suggested. Of a long word only the beginning is compared, since the comparison takes time by its square."""
    from difflib import get_close_matches

    others = sorted(set(known) - {word})
    word = word[:COMPARED]
    if len(word) > 5:
        matches = get_close_matches(word, others, n=1)
    else:
        alike = [other for other in others if other[:1] == word[:1]]
        matches = get_close_matches(word, alike, n=1) or get_close_matches(word, others, n=1, cutoff=0.7)
    return matches[0] if matches else None


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The hint that names the known word nearest to `word`, or None if none is near."""
    near = nearest(word, known)
    return f"did you mean `{near}`?" if near else None


def shown_text(text: str) -> str:
    """A text cut to a length that fits in a message, with what cannot be printed escaped."""
    cut = text if len(text) <= SHOWN_TEXT else text[: SHOWN_TEXT - 3] + "..."
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)
