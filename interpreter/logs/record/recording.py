"""Writing a log as the play goes on: a new one, or more lines at the end of one that somebody has written.

A log that is gone on with keeps every byte: its comments, notes, claims, its layout and line ends. New lines are put
behind its last event in the form that the text has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ludex.grammar import Json
from ludex.grammar import yaml_tree as y

from ...play.tiers import S, Tier
from .log import Form, parse_log, write_line

Line: TypeAlias = Mapping[str, Json]

_PROBE: Line = {"note": "probe"}
_BREAK = re.compile("\r\n|\r|\n")


def end_claim(engine: Tier[S], state: S) -> dict[str, object]:
    """The last line of the log of a play that has ended: what the recorder says of the end."""
    outcome = engine.winners(state)
    winners = [] if outcome.undecided else [seat + 1 for seat in outcome.winners]
    return {"claim": {"scores": list(engine.returns(state)), "winners": winners, "terminal": True}}


def write_yaml_line(line: Line) -> str:
    """A line of a YAML log, without the dash before it: `{player: 1, action: roll}`."""
    import yaml

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: object) -> bool:
            """A log has no references, even where a value stands in it twice."""
            return True

    text: str = yaml.dump(
        line, Dumper=Dumper, default_flow_style=True, allow_unicode=True, sort_keys=False, width=float("inf")
    )
    return text.removesuffix("\n")


@dataclass(frozen=True, slots=True)
class Recording:
    """The text of a log and the place in it where lines are added.

    Attributes:
        before, after: the text on both sides of that place.
        opening: stands before the first added line, `between` before each other one, `closing` behind the last.
        write: gives the text of one line.
    """

    before: str
    after: str
    opening: str
    between: str
    closing: str
    write: Callable[[Line], str]

    def text(self, lines: Iterable[Line]) -> str:
        """The text with these lines added; without any it is as it was."""
        added = self.between.join(map(self.write, lines))
        return f"{self.before}{self.opening}{added}{self.closing}{self.after}" if added else self.before + self.after


def new_recording(header: Line, form: Form) -> Recording:
    """A log that has a header and no line yet."""
    if form == "json":
        return Recording(f"{write_line(header)}\n", "", "", "\n", "\n", write_line)
    members = "".join(f"{write_yaml_line({name: value})[1:-1]}\n" for name, value in header.items())
    return Recording(members, "", "events:\n  - ", "\n  - ", "\n", write_yaml_line)


def continued(text: str, form: Form) -> Recording | None:
    """The log in a text, to which lines can be added. None if its layout leaves no place for them that is sure."""
    if form == "json":
        return _behind(text, text.find("\n", len(text.rstrip())) + 1 or len(text), "", write_line)
    found = _in_yaml(text)
    return found if found is not None and _keeps_all(text, found) else None


def _keeps_all(text: str, recording: Recording) -> bool:
    """Whether a line that is added is read as the log's last one, and all others as before."""
    old, new = (parse_log(each, form="yaml") for each in (text, recording.text([_PROBE, _PROBE])))
    if old.header is None or new.header is None or old.header.data != new.header.data:
        return False
    return [each.data for each in new.events] == [*(each.data for each in old.events), _PROBE, _PROBE]


# ---- places in YAML -------------------------------------------------------------------------------------------------


def _in_yaml(text: str) -> Recording | None:
    root, _ = y.read_yaml(text.removeprefix("\ufeff"), "log")
    if isinstance(root, y.Items):
        return _in_list(text, root)
    if not isinstance(root, y.Fields):
        return None
    entry = root.entries.get("events")
    if entry is None:
        return _behind(text, len(text), "  - ", write_yaml_line, "events:")
    return _in_list(text, entry.node) if isinstance(entry.node, y.Items) else None


def _in_list(text: str, items: y.Items) -> Recording:
    start = _offset(text, items.span.line, items.span.column)
    if text[start] == "[":
        return _in_brackets(text, items, start)
    margin = items.span.column - 1
    end = items.items[-1].span
    last = end.end_line if end.end_column > 1 else end.end_line - 1
    at = _offset(text, _with_comments(text, last, margin) + 1, 1)
    return _behind(text, at, f"{' ' * margin}- ", write_yaml_line)


def _with_comments(text: str, last: int, margin: int) -> int:
    """The last line of a list whose last item ends in line `last`: comments below it, not less indented, belong to it;
    so do all where nothing else follows."""
    lines = _BREAK.split(text)
    for number, line in enumerate(lines[last:], last + 1):
        words = line.lstrip(" ")
        if words and not words.startswith("#"):
            return last
        if words and len(line) - len(words) >= margin:
            last = number
    return max((number for number, line in enumerate(lines, 1) if line.strip()), default=last)


def _behind(text: str, at: int, lead: str, write: Callable[[Line], str], heading: str | None = None) -> Recording:
    """Lines are added at the offset, where a line ends, each on a line of its own; heading: one before them."""
    ends = "\r\n" if "\r\n" in text else "\n"
    begin = "" if text[:at].endswith(("\n", "\r")) else ends
    first = f"{heading}{ends}" if heading is not None else ""
    return Recording(text[:at], text[at:], f"{begin}{first}{lead}", ends + lead, ends, write)


def _in_brackets(text: str, items: y.Items, start: int) -> Recording:
    """In a list in brackets a line is put behind the last item, in the same row or below it, as the others are."""
    if not items.items:
        return Recording(text[: start + 1], text[start + 1 :], "", ", ", "", write_line)
    span = items.items[-1].span
    at = _offset(text, span.end_line, span.end_column)
    begin = _offset(text, span.line, 1)
    margin = text[begin : _offset(text, span.line, span.column)]
    ends = "\r\n" if "\r\n" in text else "\n"
    comma = f",{ends}{margin}" if not margin.strip() and span.line > items.span.line else ", "
    return Recording(text[:at], text[at:], comma, comma, "", write_line)


def _offset(text: str, line: int, column: int) -> int:
    """Where a place that is counted in lines and columns from 1 stands in the text; its end, if it has fewer lines."""
    at = 1 if text.startswith("\ufeff") else 0
    for _ in range(line - 1):
        found = _BREAK.search(text, at)
        if found is None:
            return len(text)
        at = found.end()
    return at + column - 1
