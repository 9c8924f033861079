"""Excerpts of source lines with carets, and safe display of text in a terminal: widths, escapes, text direction."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ludex.grammar import value_class

if TYPE_CHECKING:
    from ludex.grammar import Span

TAB = 4
"""Columns of a tab in an excerpt."""
ELLIPSIS = "…"
NEAR = 8
"""Widths of a terminal, in characters, that are examined on each side of a place: some characters take no column."""


def own_mark(number: int) -> str:
    """Make a private mark: a noncharacter and random digits, so that no file can contain it."""
    return f"{chr(0xFDD0 + number)}{os.urandom(4).hex()}"


ISOLATE, POP = own_mark(0), own_mark(1)
"""Around right-to-left words; `terminal.say` replaces them by U+2068 and U+2069."""
RIGHT_TO_LEFT, LEFT_TO_RIGHT = own_mark(3), own_mark(5)
"""Before a text that runs in this direction, with `POP` after it; `terminal.say` replaces them by U+2067, U+2066."""

_DIRECTIONS = re.compile(f"{ISOLATE}|{RIGHT_TO_LEFT}|{LEFT_TO_RIGHT}|{POP}")
_HELD = own_mark(4)
"""Stands for a part of a text that is isolated already."""

_CONTROLS = {chr(code): chr(0x2400 + code) for code in range(32)} | {"\t": " " * TAB, "\x7f": "␡"}
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Invisible characters that are letters and marks by their category."""
_LETTERS = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")


class _Signs(dict[int, str]):
    """A table for `str.translate`: shows characters that a terminal would obey or not show by `shown`."""

    def __init__(self, shown: Callable[[str], str]) -> None:
        super().__init__()
        self._shown = shown

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        self[code] = shown = self._shown(sign) if is_unseen(sign) else sign
        return shown


def is_unseen(sign: str) -> bool:
    """Test for characters that control a terminal, change the text direction, are invisible, or are unassigned."""
    code = ord(sign)
    # Ludex's own marks are made of noncharacters, so that no input may bring any to the screen.
    is_none = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return is_none or unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp") or sign in _FILLERS


_VISIBLE = _Signs(lambda sign: _CONTROLS.get(sign) or f"<U+{ord(sign):04X}>")
_ESCAPED = _Signs(lambda sign: sign if sign == "\n" else _in_json(sign))


def _in_json(sign: str) -> str:
    # Half a character is a byte of a file's name that is not UTF-8. Other programs refuse its escape in JSON.
    return json.dumps(sign.encode("utf-8", "backslashreplace").decode())[1:-1]


def visible(text: str) -> str:
    """Show the characters of a text that a terminal would obey or not show; tabs become spaces."""
    return text if text.isascii() and text.isprintable() else text.translate(_VISIBLE)


FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The first signs of formulas: spreadsheets also take the full-width signs."""


def no_formula(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would read as a formula, blanks before it or not."""
    return f"'{text}" if text.lstrip().startswith(FORMULA) else text


def escape(text: str) -> str:
    """Escape those characters in JSON. Between its values there are only line ends."""
    return text.translate(_ESCAPED)


def isolated(text: str) -> str:
    """Isolate a text, so that a terminal that reorders right-to-left words treats it as one word."""
    return f"{ISOLATE}{text}{POP}" if _LETTERS.search(text) else text


_WORDS = re.compile(r"(?:(?!\.\.)[^\s,;:=|`(){}\[\]])+")
"""Matches the words that are isolated in a text in the notation, so that its signs keep their places."""
_LITERALS = re.compile(r"`[^`]*`|(?<![\w`-])--\w[\w-]*")
"""Matches what a phrase quotes in backticks, and options."""


def isolated_words(text: str) -> str:
    """Isolate each right-to-left word of a text in the notation, so that the words stay in their order."""
    return _WORDS.sub(lambda word: isolated(word.group()), text)


def isolated_literals(text: str) -> str:
    """Isolate what a phrase quotes, so that signs at its ends stay there: `--fill` would be displayed as `fill--`."""
    isolates, outside = list[str](), list[str]()
    depth = begun = 0
    for mark in _DIRECTIONS.finditer(text):
        if depth == 0:
            outside.append(text[begun : mark.start()])
            begun = mark.start()
        depth += -1 if mark.group() == POP else 1
        if depth == 0:
            # What is isolated already may stand inside a literal, and may hold anything.
            outside.append(_HELD)
            isolates.append(text[begun : mark.end()])
            begun = mark.end()
    outside.append(text[begun:])
    phrase = _LITERALS.sub(lambda literal: f"{LEFT_TO_RIGHT}{literal.group()}{POP}", "".join(outside))
    first, *others = phrase.split(_HELD)
    return first + "".join(held + rest for held, rest in zip(isolates, others, strict=True))


def without_directions(text: str) -> str:
    """Remove the marks of direction."""
    return _DIRECTIONS.sub("", text)


def cells(text: str) -> int:
    """Count the columns that a text takes in a terminal."""
    if text.isascii() and text.isprintable():
        return len(text)
    from wcwidth import wcswidth

    # What `visible` makes has a width; a control character has none, and would make the whole -1.
    return int(wcswidth(visible(without_directions(text))))


def _cell(letter: str) -> int:
    """Return the columns of a character among others, or more: a variation selector may make it wide."""
    from wcwidth import wcwidth

    return 1 if letter == "\ufe0f" else max(0, int(wcwidth(letter)))


def padded(text: str, width: int, right: bool = False) -> str:
    """Pad the text with spaces to a number of columns."""
    space = " " * max(0, width - cells(text))
    return space + text if right else text + space


def broken(parts: Sequence[str], width: int) -> list[str]:
    """Break a long row of parts with commas into as many rows as needed."""
    rows = [parts[0]]
    for part in parts[1:]:
        # The width includes the comma and the blank before the part, and the comma after it.
        if cells(rows[-1]) + 3 + cells(part) <= width:
            rows[-1] += f", {part}"
        else:
            rows[-1] += ","
            rows.append(f"  {part}")
    return rows


@dataclass(slots=True)
class Texts:
    """Finds source lines by the file names in spans.

    Attributes:
        given: texts that are in no file (the standard input), by the name shown for them.
        first: the numbers of their first lines, if they are parts of a file.
    """

    given: Mapping[str, str] = field(default_factory=dict)
    first: Mapping[str, int] = field(default_factory=dict)
    _read: dict[str, list[str]] = field(default_factory=dict)

    def line(self, span: Span) -> str | None:
        """Return the first line of a span; None if the span is a whole file, or the file cannot be read any more."""
        if is_whole_file(span):
            return None
        lines = self._lines(span.file)
        at = span.line - self.first.get(span.file, 1)
        # The file may have become shorter since it was read.
        return lines[at] if 0 <= at < len(lines) else None

    def _lines(self, name: str) -> list[str]:
        if name not in self._read:
            text = self.given[name] if name in self.given else _text_of(name)
            # The lines are divided as the readers count lines and columns.
            lines = text.replace("\r\n", "\n").removeprefix("\ufeff").split("\n") if text is not None else []
            self._read[name] = lines
        return self._read[name]


def is_whole_file(span: Span) -> bool:
    """Test whether the span is a whole file."""
    return (span.line, span.column, span.end_line, span.end_column) == (1, 1, 1, 1)


def _text_of(name: str) -> str | None:
    from ludex.grammar import read_bytes
    from ludex.interpreter import MAX_LOG_BYTES  # the largest of all files with places in them

    for path in _places(name):
        content = read_bytes(path, MAX_LOG_BYTES)
        if isinstance(content, bytes):
            # The encoding itself may be the fault whose line is quoted.
            return content.decode("utf-8", "replace")
    return None


def _places(name: str) -> Iterator[Path]:
    """List the paths that a name may mean: from the working directory or, for a shipped game, from the installation."""
    import ludex.spec

    yield Path(name)
    home = ludex.spec.__file__
    if home:
        yield Path(home).resolve().parent.parent / name


# ---- an excerpt -------------------------------------------------------------------------------------------------


@value_class
class Excerpt:
    """A line cut to a width, with carets.

    Attributes:
        before, marked, after: the three parts of the shown line; the carets are under `marked`.
        carets: the row below, up to the last caret.
        words: the marked words again if the line runs from right to left, where the carets may be misplaced.
    """

    before: str
    marked: str
    after: str
    carets: str
    words: str | None = None


def excerpt(line: str, span: Span, width: int) -> Excerpt:
    """Show the line with carets under the span, cut around it to `width` columns."""
    start = min(span.column - 1, len(line))
    end = len(line) if span.end_line > span.line else min(max(span.end_column - 1, start), len(line))
    reach = NEAR * width  # a line may be of millions of letters
    parts = (
        line[max(0, start - reach) : start],
        line[start : min(end, start + reach)],
        line[end : end + reach].rstrip(),
    )
    before, marked, after = map(visible, parts)
    if span.end_line > span.line:
        marked = marked.rstrip()
    before, marked, after = _cut(before, marked, after, width)
    # A fault at the end of a line has no character to mark, so the place after it is marked.
    carets = " " * cells(before) + "^" * max(1, cells(marked))
    words = marked if _LETTERS.search("".join(parts)) and marked.strip() else None
    return Excerpt(before, marked, after, carets, words)


def _cut(before: str, marked: str, after: str, width: int) -> tuple[str, str, str]:
    if cells(before) + cells(marked) + cells(after) <= width:
        return before, marked, after
    marked = _shortened(marked, max(10, width * 2 // 3))
    free = max(0, width - cells(marked))
    left = min(cells(before), max(free - cells(after), free // 2))
    return _shortened(before, left, from_right=True), marked, _shortened(after, free - left)


def _shortened(text: str, width: int, from_right: bool = False) -> str:
    """Cut a text to so many columns, dots included, from its beginning or end."""
    if cells(text) <= width:
        return text
    letters = list(reversed(text)) if from_right else list(text)
    kept: list[str] = []
    # The dots take the first column.
    used = 1
    for letter in letters:
        used += _cell(letter)
        if used > width:
            break
        kept.append(letter)
    return ELLIPSIS + "".join(reversed(kept)) if from_right else "".join(kept) + ELLIPSIS
