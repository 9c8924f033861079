"""What a team decided about divergences: a YAML file beside the game, or wherever it is kept.

    rulings:
      - clause: take.enough
        says: {en: 3c9f0d7e-51b2aa01, he: silent}
        decision: accept            # or an edition, which is then followed
        reason: "the margin is a summary, and need not repeat this"

A ruling holds for a divergence as long as every edition compared says what it said (`marks`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ludex.grammar import Code, Diagnostic, Diagnostics, Note, Span, nearest, read_text, whole_file

from ..components import yamltree as y
from ..jsonvalues import Json, found_words, shown_text
from ..ruling_codes import (
    RULING_EDITION,
    RULING_IDLE,
    RULING_LAPSED,
    RULING_TWICE,
    RULING_WITHOUT_REASON,
    RULINGS_LAYOUT,
)
from .compare import Comparison
from .divergences import Divergence
from .marks import SILENT

RULINGS_FILE = "rulings.yaml"
"""Beside a game, such a file is read unasked."""
ACCEPT = "accept"
ENTRIES = ("clause", "says", "decision", "reason")
_MARK = re.compile(rf"{SILENT}(-[0-9a-f]{{8}})?|[0-9a-f]{{8}}(-[0-9a-f]{{8}})?")


@dataclass(frozen=True, slots=True)
class Ruling:
    """One decision.

    Attributes:
        clause: the path of the clause, in any edition.
        says: what each edition said then, as `marks_of` has it.
        decision: the edition that is followed, or `accept`: each stands as it is.
    """

    clause: str
    says: Mapping[str, str]
    decision: str
    reason: str
    span: Span


@dataclass(frozen=True, slots=True)
class Rulings:
    """A file of rulings as read; those with faults, and drafts without a reason, are left out. file: as a reader is
    shown it."""

    file: str
    rulings: tuple[Ruling, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Decided:
    """Which divergences are decided, by id; and which rulings have lapsed or are idle."""

    rulings: Mapping[str, Ruling]
    diagnostics: tuple[Diagnostic, ...]


# ---- reading ----------------------------------------------------------------------------------------------------


def load_rulings(path: Path, editions: Collection[str], shown: str) -> Rulings:
    """The rulings of a file on disk. shown: the name that reports show."""
    text, faults = read_text(path)
    return Rulings(shown, (), faults) if text is None else read_rulings(text, editions, shown)


def read_rulings(text: str, editions: Collection[str], file: str) -> Rulings:
    """The rulings of a text, and every fault in it. editions: those that the game has."""
    if not text.strip():
        return Rulings(file, (), (Diagnostic(RULINGS_LAYOUT, "the file says nothing", whole_file(file)),))
    root, faults = y.read_yaml(text, file)
    if root is None:
        return Rulings(file, (), faults)
    reader = _Reader(editions, Diagnostics())
    reader.report.extend(faults)
    rulings = tuple(reader.read(root, file))
    return Rulings(file, rulings, tuple(reader.report.items))


@dataclass(frozen=True, slots=True)
class _Reader:
    editions: Collection[str]
    report: Diagnostics

    def read(self, root: y.Node, file: str) -> Iterator[Ruling]:
        if not isinstance(root, y.Fields) or "rulings" not in root.entries:
            self._wrong(root, "a list `rulings`", whole_file(file))
            return
        self._unknown(root, ("rulings",))
        found = root.entries["rulings"].node
        if not isinstance(found, y.Items):
            if not (isinstance(found, y.Scalar) and found.value is None):
                self._wrong(found, "a list of rulings")
            return
        seen: dict[str, Span] = {}
        for node in found.items:
            ruling = self._ruling(node)
            if ruling is not None and self._is_first(ruling, seen):
                yield ruling

    def _ruling(self, node: y.Node) -> Ruling | None:
        if not isinstance(node, y.Fields):
            self._wrong(node, f"a ruling, with {', '.join(f'`{entry}`' for entry in ENTRIES)}")
            return None
        before = len(self.report.items)
        self._unknown(node, ENTRIES)
        clause, decision = self._text(node, "clause"), self._text(node, "decision")
        says, reason = self._says(node), self._reason(node, clause)
        if clause is None or says is None or decision is None or reason is None:
            return None
        if decision != ACCEPT and decision not in says:
            of = f"`accept`, or one of {', '.join(says)}"
            self._say(RULING_EDITION, f"`{shown_text(decision)}` is no decision here", node, "decision", of)
        if len(self.report.items) > before:
            return None
        return Ruling(clause, says, decision, reason, node.entries["clause"].node.span)

    def _says(self, node: y.Fields) -> dict[str, str] | None:
        entry = self._entry(node, "says")
        if entry is None:
            return None
        if not isinstance(entry.node, y.Fields) or not entry.node.entries:
            self._wrong(entry.node, "a fingerprint for each edition, as `ludex diff GAME --format rulings` writes them")
            return None
        said: dict[str, str] = {}
        for name, each in entry.node.entries.items():
            mark = each.node.value if isinstance(each.node, y.Scalar) else None
            if name not in self.editions:
                near = nearest(name[:100], self.editions)
                known = f"it has {', '.join(self.editions)}" if self.editions else "it has no editions: nothing parts"
                hint = f"did you mean {near}?" if near else known
                self.report.report(RULING_EDITION, f"the game has no edition `{shown_text(name)}`", each.key, hint)
            elif not _MARK.fullmatch(str(mark)):
                self._wrong(each.node, f"a fingerprint of eight or twice eight signs, or `{SILENT}`")
            else:
                said[name] = str(mark)
        return said

    def _reason(self, node: y.Fields, clause: str | None) -> str | None:
        """None for a draft that nobody has filled in, too."""
        entry = node.entries.get("reason")
        value = entry.node.value if entry is not None and isinstance(entry.node, y.Scalar) else None
        if entry is None or value is None or value == "" or (isinstance(value, str) and not value.strip()):
            place = node.span if entry is None else entry.key
            of = f" on `{shown_text(clause)}`" if clause else ""
            self.report.report(RULING_WITHOUT_REASON, f"the ruling{of} gives no reason, and is passed over", place)
            return None
        return self._text(node, "reason")

    def _text(self, node: y.Fields, name: str) -> str | None:
        entry = self._entry(node, name)
        if entry is None:
            return None
        if not isinstance(entry.node, y.Scalar) or not isinstance(entry.node.value, str) or not entry.node.value:
            self._wrong(entry.node, f"words behind `{name}`")
            return None
        return entry.node.value

    def _entry(self, node: y.Fields, name: str) -> y.Entry | None:
        if name not in node.entries:
            self.report.report(RULINGS_LAYOUT, f"the ruling has no `{name}`", node.span)
        return node.entries.get(name)

    def _unknown(self, node: y.Fields, known: tuple[str, ...]) -> None:
        for name, entry in node.entries.items():
            if name not in known:
                near = nearest(name[:100], known)
                hint = f"did you mean `{near}`?" if near else f"here stand: {', '.join(known)}"
                self.report.report(RULINGS_LAYOUT, f"`{shown_text(name)}` means nothing here", entry.key, hint)

    def _wrong(self, node: y.Node, expected: str, span: Span | None = None) -> None:
        message = f"expected {expected}, found {found_words(y.plain(node))}"
        self.report.report(RULINGS_LAYOUT, message, span or node.span)

    def _say(self, code: Code, message: str, node: y.Fields, entry: str, hint: str) -> None:
        self.report.report(code, message, node.entries[entry].node.span, hint)

    def _is_first(self, ruling: Ruling, seen: dict[str, Span]) -> bool:
        if ruling.clause in seen:
            note = Note("the first stands here", seen[ruling.clause])
            message = f"there is a ruling on `{shown_text(ruling.clause)}` already"
            self.report.report(RULING_TWICE, message, ruling.span, None, (note,))
            return False
        seen[ruling.clause] = ruling.span
        return True


# ---- deciding ---------------------------------------------------------------------------------------------------


def decide(comparison: Comparison, marks: Mapping[str, Mapping[str, str]], rulings: Iterable[Ruling]) -> Decided:
    """Lay rulings beside what was compared. marks: what each edition says, by the divergence's id."""
    report = Diagnostics()
    decided: dict[str, Ruling] = {}
    by_clause = {path: each for each in comparison.divergences for path in _paths(each)}
    for ruling in rulings:
        divergence = by_clause.get(ruling.clause)
        if divergence is None:
            if set(ruling.says) <= set(comparison.editions):
                message = f"the editions do not part at `{shown_text(ruling.clause)}`"
                report.report(RULING_IDLE, message, ruling.span)
            continue
        changed = [edition for edition, mark in marks[divergence.id].items() if ruling.says.get(edition) != mark]
        if changed:
            why = "; ".join(_changed(ruling.says.get(each), marks[divergence.id][each], each) for each in changed)
            says = "{" + ", ".join(f"{name}: {mark}" for name, mark in marks[divergence.id].items()) + "}"
            report.report(RULING_LAPSED, f"the ruling has lapsed: {why}", ruling.span, f"now `says: {says}`")
        else:
            decided[divergence.id] = ruling
    return Decided(decided, tuple(report.items))


def _paths(divergence: Divergence) -> set[str]:
    return {divergence.row.clause, *(clause.path for clause in divergence.row.stated.values())}


def _changed(before: str | None, now: str, edition: str) -> str:
    if before is None:
        return f"it says nothing of {edition}"
    was_silent, is_silent = before.startswith(SILENT), now.startswith(SILENT)
    if was_silent and is_silent:
        return f"{edition} lacks other clauses than it did"
    if was_silent or is_silent:
        return f"{edition} is silent now" if is_silent else f"{edition} is no longer silent"
    if before.partition("-")[0] != now.partition("-")[0]:
        return f"{edition} says something else"
    return f"the lines that {edition} cites are not what they were"


# ---- writing ----------------------------------------------------------------------------------------------------


def draft_rulings(undecided: Iterable[Divergence], marks: Mapping[str, Mapping[str, str]]) -> str:
    """A file with a ruling for each divergence, whose reason is still to be given."""
    rows = [row for each in undecided for row in _draft(each, marks[each.id])]
    head = "# decision: accept, or the edition that is followed"
    return "\n".join([head, "rulings:", *(f"  {row}" for row in rows)] if rows else [head, "rulings: []"]) + "\n"


def add_rulings(
    text: str, undecided: Iterable[Divergence], marks: Mapping[str, Mapping[str, str]]
) -> tuple[str, int] | None:
    """The text of a file of rulings with a draft added for each divergence on which it has no ruling, and how many
    those are. All that stands in it, comments too, stays as it is. None where it is no list to which lines can be
    added."""
    if all(row.lstrip()[:1] in ("", "#") for row in text.split("\n")):
        text = f"{text.rstrip()}\nrulings:\n".lstrip()
    if not text.endswith("\n"):
        text += "\n"
    entry = _entry_of_rulings(text)
    if entry is None:
        return None
    before = _items(entry)
    ruled = {each["clause"] for each in before if isinstance(each, dict) and isinstance(each.get("clause"), str)}
    new = [each for each in undecided if ruled.isdisjoint(_paths(each))]
    if not new:
        return text, 0
    rows, place = text.split("\n"), entry.node.span
    if not before and place != entry.key:  # `rulings: []`
        row = rows[place.line - 1]
        rows[place.line - 1] = row[: place.column - 1].rstrip() + row[place.end_column - 1 :]
    indent = " " * (place.column - 1 if before else 2)
    added = (f"{indent}{row}\n" for each in new for row in _draft(each, marks[each.id]))
    made = "\n".join(rows) + "".join(added)
    again = _entry_of_rulings(made)
    after = _items(again) if again else []
    return (made, len(new)) if after[: len(before)] == before and len(after) == len(before) + len(new) else None


def _entry_of_rulings(text: str) -> y.Entry | None:
    """The list `rulings` in a file that can be read as YAML; it may be empty, or nothing yet."""
    root, faults = y.read_yaml(text, RULINGS_FILE)
    found = root.entries.get("rulings") if isinstance(root, y.Fields) and not faults else None
    is_list = found is not None and (isinstance(found.node, y.Items) or y.plain(found.node) is None)
    return found if is_list else None


def _items(entry: y.Entry) -> list[Json]:
    items = y.plain(entry.node)
    return items if isinstance(items, list) else []


def _draft(divergence: Divergence, marks: Mapping[str, str]) -> tuple[str, ...]:
    says = ", ".join(f"{name}: {_quoted(mark)}" for name, mark in marks.items())
    return (f"- clause: {divergence.row.clause}", f"  says: {{{says}}}", "  decision: accept", '  reason: ""')


def _quoted(mark: str) -> str:
    """A mark that YAML would read as a number is quoted."""
    return mark if re.search("[a-f-]", mark) and not re.fullmatch(r"\d+e\d+", mark) else f'"{mark}"'
