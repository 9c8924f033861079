"""Diagnostics: the values that describe every fault found in a text, a spec, a component file or a log.

A diagnostic is a value. Authors' mistakes are collected and returned, never raised; any raised exception
other than `Failure` is a bug of Ludex.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from .messages.message import Message
from .source import Span
from .value_classes import value_class

if TYPE_CHECKING:
    from .authority import Citation

_COMPARED = 100
"""The number of characters of a word that `nearest` compares."""
SHOWN_TEXT = 40
"""The largest number of characters of an author's text in a message."""
SHOWN_VALUE = 60
"""The longest text of a caller's value in a message."""


class Severity(StrEnum):
    """Errors make a spec or a log unusable; warnings do not."""

    ERROR = "error"
    WARNING = "warning"


@value_class
class Code:
    """One entry of the catalogue: a stable code and what it means.

    Attributes:
        code: e.g. `N101`; never reused for another fault.
        name: a short slug for people, e.g. `unknown-name`.
        meaning: what is wrong, in one sentence.
        mend: how to correct it, in general.
        severity: warnings do not make a spec or a log bad.
        explanation: further sentences: why that matters, and what happens then.
    """

    code: str
    name: str
    meaning: str
    mend: str
    severity: Severity = Severity.ERROR
    explanation: str = ""

    @property
    def description(self) -> str:
        """The meaning with the explanation."""
        return f"{self.meaning} {self.explanation}".rstrip()


def codes_in(module: Mapping[str, object]) -> tuple[Code, ...]:
    """Return the codes that the names of a module mean, `codes_in(globals())`, in the order of their definitions."""
    return tuple(dict.fromkeys(each for each in module.values() if isinstance(each, Code)))


@value_class
class Note:
    """Another place involved: an earlier declaration, a link of a cycle, an opening bracket."""

    message: str
    span: Span | None = None


@value_class
class Why:
    """A clause that is the reason of a diagnostic.

    Attributes:
        authority: what it rests on, in words.
        lender: the text that it is borrowed from.
        citations: the lines on which it rests.
    """

    clause: str
    authority: str
    span: Span | None = None
    lender: str | None = None
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault, reported once.

    Attributes:
        code: entry of the catalogue.
        message: what is wrong here, in the author's or referee's words.
        span: the exact place.
        hint: how to correct it here, if the hint is more specific than the catalogue.
        notes: other places involved.
        why: the clauses that are the reason, for faults in play.
        pointer: the JSON pointer inside the record, for logs and component data.
        legal: for a refused move, legal moves in the format of a log, the nearest first.
        unknown: the unknown name, for faults about one; all its uses are reported as one fault.
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
        """True for an error, False for a warning."""
        return self.code.severity is Severity.ERROR


@dataclass(slots=True)
class Diagnostics:
    """A list of diagnostics that keeps only one with the same code at the same place."""

    items: list[Diagnostic] = field(default_factory=list)
    _seen: set[tuple[str, Span, str | None]] = field(default_factory=set)

    def add(self, diagnostic: Diagnostic) -> None:
        """Add a diagnostic, unless there is one with its code at its place."""
        key = (diagnostic.code.code, diagnostic.span, diagnostic.pointer)
        if key not in self._seen:
            self._seen.add(key)
            self.items.append(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Add several diagnostics."""
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
        """Add a diagnostic that is made of these attributes."""
        self.add(Diagnostic(code, message, span, hint, notes, unknown=unknown))

    def sorted(self) -> tuple[Diagnostic, ...]:
        """Return all diagnostics in the order of the text; of those about one unknown name (or parts of it, `x.y`) only
        the first."""
        ordered = sorted(self.items, key=lambda d: (d.span, d.code.code))
        first: dict[str, Diagnostic] = {}
        for each in ordered:
            if each.unknown is not None:
                # A correction of `x` corrects `x.y`, too.
                owner = next((name for name in first if each.unknown.startswith(f"{name}.")), each.unknown)
                first.setdefault(owner, each)
        reported = {id(each) for each in first.values()}
        return tuple(each for each in ordered if each.unknown is None or id(each) in reported)

    @property
    def has_errors(self) -> bool:
        """Whether any of the diagnostics is an error."""
        return any(item.is_error for item in self.items)


class Failure(Exception):
    """A text, spec or log cannot be used; the exception has the diagnostics that say why.

    Raised only at the edges of the library (`ludex.load` and friends), where a caller cannot continue without a result.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        first = self.diagnostics[0] if self.diagnostics else None
        super().__init__(f"{first.span}: {first.code.code} {first.message}" if first else "failed")

    # Exceptions are pickled with the arguments of `Exception`, here the text alone; workers raise failures, too.
    def __reduce__(self) -> tuple[type[Failure], tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)


class Unreadable(Failure):
    """A file cannot be read in full, whatever the codes of its diagnostics are."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most similar to a word, or None if none is similar. It is never the word itself.

    The similarity is difflib's ratio (Ratcliff/Obershelp), from 0.6 on. Short words, of up to five letters, are often
    similar by chance, so they must have the same first letter or a ratio from 0.7 on. Of a long word only the beginning
    is compared, since the comparison takes quadratic time."""
    from difflib import get_close_matches

    # The words are sorted, since the order of a set changes from run to run, and of two equally near words the first
    # is named.
    others = sorted(set(known) - {word})
    word = word[:_COMPARED]
    if len(word) > 5:
        matches = get_close_matches(word, others, n=1)
    else:
        alike = [other for other in others if other[:1] == word[:1]]
        matches = get_close_matches(word, alike, n=1) or get_close_matches(word, others, n=1, cutoff=0.7)
    return matches[0] if matches else None


def suggested(near: str | None) -> str | None:
    """Return the hint that names the word which may be meant, or None if there is none."""
    return Message("did-you-mean", word=near) if near else None


def is_suggestion(hint: str | None) -> bool:
    """Return whether a hint names the word that may be meant, and so is a question."""
    return isinstance(hint, Message) and hint.entry == "did-you-mean"


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """Return the hint that names the known word nearest to a word, or None if none is near."""
    return suggested(nearest(word, known))


def or_meant(message: str, word: str, known: Iterable[str]) -> str:
    """Add the same hint to a message, `...; did you mean ...`, if a word is near."""
    hint = did_you_mean(word, known)
    return Message("both", first=message, second=hint) if hint else message


def shown_value(value: object, most: int = SHOWN_VALUE) -> str:
    """Describe a caller's value for a message: as Python writes it, or by its type if that is longer than `most`."""
    try:
        written = repr(value)
    # A class of the caller's may fail in any way, a number may have too many digits, a list may be nested too deeply.
    except Exception:  # noqa: BLE001
        return f"a {type(value).__name__}"
    return written if len(written) <= most else f"a {type(value).__name__}"


def shown_text(text: str) -> str:
    """Return a text shortened for a message, with unprintable characters escaped."""
    cut = text if len(text) <= SHOWN_TEXT else text[: SHOWN_TEXT - 3] + "..."
    # This is escaped, so that no text of an author can move the cursor or change colours.
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)
