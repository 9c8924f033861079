"""Reports on logs of which Ludex could not judge a single line: Ludex itself failed, or memory ran out."""

from __future__ import annotations

from traceback import walk_tb

from ludex.grammar import Diagnostic, Message, Note, Span, shown_text, whole_file
from ludex.spec import exhausted

from ..collection.splitting import LogText
from ..log_codes import FAULT_OF_LUDEX
from ..tracking.report import Report, Verdict

_PACKAGE = __name__.partition(".")[0]
_MOST_PLACES = 6
"""Limit of the places in the code of Ludex that a report names: the innermost ones, where it failed."""


def report_of_fault(source: LogText, fault: Exception) -> Report:
    """Make the report on a log whose judging ended in an exception, so that other logs can be judged.

    A later run may give another report, so no such report is kept for it.
    """
    if isinstance(fault, MemoryError | RecursionError):
        finding = exhausted(fault, "judging the log", source.file)
        return Report(source.file, Verdict.UNJUDGED, (finding,))
    first = Span(source.file, source.line, 1, source.line, 2)
    span = first if source.name != source.file else whole_file(source.file)
    said = f"{type(fault).__name__}: {shown_text(str(fault))}" if str(fault) else type(fault).__name__
    innermost, *others = _places(fault)
    notes = (Note(Message("fault-of-ludex-places", places=", ".join(others))),) if others else ()
    message = Message("fault-of-ludex", fault=said, place=innermost)
    finding = Diagnostic(FAULT_OF_LUDEX, message, span, Message("fault-of-ludex-hint"), notes=notes)
    return Report(source.file, Verdict.FAULT, (finding,))


def _places(fault: Exception) -> list[str]:
    """List where in the code of Ludex it was raised, as modules and lines: the same for every installation."""
    frames = ((frame.f_globals.get("__name__", ""), line) for frame, line in walk_tb(fault.__traceback__))
    own = [f"{module}:{line}" for module, line in frames if module.partition(".")[0] == _PACKAGE]
    return own[: -_MOST_PLACES - 1 : -1] or ["?"]
