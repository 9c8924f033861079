"""JSON scanner that records the place of each value, and says what is wrong with a line that is not JSON.

`json_lines.py` parses good lines with the standard library's decoder. This scanner is for faulty lines, and for the
place of a value that a finding is about. It accepts no more than that decoder with `DECODER`'s hooks, and refuses two
things more: deep nesting and half characters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import field
from math import isinf
from types import MappingProxyType

from ludex.grammar import Code, Json, Message, escaped, shown_text, unescaped, value_class

from .. import log_codes

MAX_DEPTH = 64
"""The largest number of levels of nested objects and lists."""
MAX_DIGITS = 20
"""The largest number of digits of a whole number."""


@value_class
class JsonPlace:
    """The place of a value: offsets from 0, end exclusive.

    It is a tree, not a table by JSON pointer: a pointer repeats all names on its way, so a table would grow with the
    square of the text.

    Attributes:
        name: the place of the name of the member that holds it, if one does.
        parts: the places of the values in it, by name or by number from 0.
    """

    value: tuple[int, int]
    name: tuple[int, int] | None = None
    # Most values have no parts, and share one empty mapping.
    parts: Mapping[str, JsonPlace] = field(default_factory=lambda: MappingProxyType({}))

    def at(self, pointer: str) -> tuple[JsonPlace, bool]:
        """Follow a JSON pointer; return the innermost place on its way, and whether the pointer leads there."""
        here = self
        for step in pointer.split("/")[1:]:
            inside = here.parts.get(unescaped(step))
            if inside is None:
                return here, False
            here = inside
        return here, True


class TextFault(Exception):
    """A fault between two offsets of the text. A caller that knows the file makes a diagnostic of it."""

    def __init__(
        self, code: Code, message: str, start: int, end: int, hint: str | None = None, pointer: str = ""
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.start, self.end, self.hint, self.pointer = (
            code,
            message,
            start,
            end,
            hint,
            pointer,
        )


class Rejected(ValueError):
    """Raised by the hooks of `DECODER` for JSON that a log may not contain. `scan` finds the place."""


def _once(members: list[tuple[str, Json]]) -> dict[str, Json]:
    by_name = dict(members)
    # Python takes the last of two members silently.
    if len(by_name) < len(members):
        raise Rejected("a member twice")
    return by_name


def _whole(digits: str) -> int:
    # Python refuses more than 4,300 digits with an error of its own, and takes long for many.
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise Rejected("too many digits")
    return int(digits)


def _fraction(text: str) -> float:
    number = float(text)
    # It would be written as `Infinity`, which no log may contain.
    if isinf(number):
        raise Rejected("too large")
    return number


def _constant(name: str) -> Json:
    raise Rejected(name)


DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_int=_whole, parse_float=_fraction, parse_constant=_constant)


def scan(text: str) -> JsonPlace:
    """Scan one JSON value and every value in it. Raises TextFault at the first fault."""
    return _Scanner(text).whole()


# ---- the scanner ----------------------------------------------------------------------------------------------------

_BLANK = re.compile(r"[ \t\n\r]*")
# The quantifiers of texts are possessive (`*+`): others keep a way back to each character, gigabytes for a long text.
_TEXT = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_TEXT_PART = re.compile(r'(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_NAME = re.compile(r"[^\W\d][\w.-]*")
_LITERALS = {"true": True, "false": False, "null": None}
_OTHER_LITERALS = {"True": "true", "False": "false", "None": "null", "TRUE": "true", "FALSE": "false", "NULL": "null"}


class _Scanner:
    """A recursive-descent scanner, whose depth `MAX_DEPTH` limits. path: the steps to the current value."""

    def __init__(self, text: str) -> None:
        self.text = text
        # One list is shared, since a path is needed only for a fault.
        self.path: list[str] = []

    def whole(self) -> JsonPlace:
        place = self.value(self.blank(0), None)
        rest = self.blank(place.value[1])
        if rest < len(self.text):
            raise self.after_the_end(rest)
        return place

    @property
    def pointer(self) -> str:
        return "".join(f"/{escaped(step)}" for step in self.path)

    def blank(self, at: int) -> int:
        match = _BLANK.match(self.text, at)
        return match.end() if match else at

    def value(self, at: int, name: tuple[int, int] | None) -> JsonPlace:
        """Scan the value that begins at `at`. name: the place of its member's name. Raises TextFault for bad JSON."""
        sign = self.text[at : at + 1]
        if sign not in ("{", "["):
            end = self.string(at)[1] if sign == '"' else self.scalar(at)
            return JsonPlace((at, end), name)
        # The scanner calls itself for each level, and Python's stack is bounded.
        if len(self.path) >= MAX_DEPTH:
            message = Message("json-too-deep", levels=MAX_DEPTH)
            raise TextFault(log_codes.LOG_TOO_DEEP, message, at, at + 1, pointer=self.pointer)
        parts: dict[str, JsonPlace] = {}
        end = self.object(at, parts) if sign == "{" else self.list(at, parts)
        return JsonPlace((at, end), name, parts)

    def part(self, at: int, step: str, name: tuple[int, int] | None) -> JsonPlace:
        self.path.append(step)
        place = self.value(at, name)
        self.path.pop()
        return place

    def object(self, opened: int, parts: dict[str, JsonPlace]) -> int:
        """Scan the members of an object into `parts`; return the offset after it. Raises TextFault for bad JSON."""
        at = self.blank(opened + 1)
        if self.text[at : at + 1] == "}":
            return at + 1
        while True:
            if self.text[at : at + 1] != '"':
                raise self.no_member(at, opened)
            name, end = self.string(at)
            # Readers of JSON differ in which of two members they take.
            if name in parts:
                message = Message("json-repeated-member", name=_quoted(name))
                pointer = f"{self.pointer}/{escaped(name)}"
                raise TextFault(log_codes.REPEATED_MEMBER, message, at, end, Message("json-keep-one"), pointer)
            colon = self.blank(end)
            if self.text[colon : colon + 1] != ":":
                # The fault is about the member, whose value would come next.
                self.path.append(name)
                raise self.missing(colon, Message("json-colon", name=_quoted(name)))
            parts[name] = self.part(self.blank(colon + 1), name, (at, end))
            at = self.blank(parts[name].value[1])
            if self.text[at : at + 1] == "}":
                return at + 1
            if self.text[at : at + 1] != ",":
                raise self.missing(at, Message("json-comma-member", sign="}"))
            at = self.blank(at + 1)

    def list(self, opened: int, parts: dict[str, JsonPlace]) -> int:
        """Scan the items of a list into `parts`; return the offset after the list."""
        at = self.blank(opened + 1)
        if self.text[at : at + 1] == "]":
            return at + 1
        while True:
            # This is reached after a comma only, since an empty list was read above.
            if self.text[at : at + 1] == "]":
                raise self.broken(at, Message("json-comma-closing", sign="]"), Message("json-remove-comma"))
            step = str(len(parts))
            parts[step] = self.part(at, step, None)
            at = self.blank(parts[step].value[1])
            if self.text[at : at + 1] == "]":
                return at + 1
            if self.text[at : at + 1] != ",":
                raise self.missing(at, Message("json-comma-item", sign="]"))
            at = self.blank(at + 1)

    def string(self, at: int) -> tuple[str, int]:
        match = _TEXT.match(self.text, at)
        if match is None:
            raise self.broken_string(at)
        # The expression admits only what `json` can read.
        content: str = json.loads(match.group())
        # A pair of escapes has become one character by now; a half that is left cannot be written as UTF-8.
        if any("\ud800" <= letter <= "\udfff" for letter in content):
            message = Message("json-half-character")
            raise TextFault(log_codes.HALF_CHARACTER, message, at, match.end(), pointer=self.pointer)
        return content, match.end()

    def scalar(self, at: int) -> int:
        match = _NUMBER.match(self.text, at)
        if match:
            return self.number(match)
        word = _NAME.match(self.text, at)
        if word and word.group() in _LITERALS:
            return word.end()
        raise self.no_value(at, word.group() if word else "")

    def number(self, match: re.Match[str]) -> int:
        start, end = match.span()
        digits = len(match.group(1).lstrip("-"))
        if match.group(2) is None and match.group(3) is None and digits > MAX_DIGITS:
            message = Message("json-many-digits", digits=digits, most=MAX_DIGITS)
            raise TextFault(log_codes.BAD_NUMBER, message, start, end, pointer=self.pointer)
        if isinf(float(match.group())):
            message = Message("fault-too-large", digits=MAX_DIGITS)
            raise TextFault(log_codes.BAD_NUMBER, message, start, end, pointer=self.pointer)
        # The expression takes the good beginning of a number that is none: `0` of `01`, `1` of `1.`.
        follows = self.text[end : end + 1]
        if follows and (follows.isalnum() or follows in "._+"):
            raise self.broken(start, Message("json-no-number"), _number_hint(self.text, start, end), end + 1)
        return end

    # ---- faults

    def broken(self, at: int, message: str, hint: str | None, end: int | None = None) -> TextFault:
        if at >= len(self.text):
            cut = Message("json-breaks-off", message=message)
            return TextFault(log_codes.TRUNCATED_LINE, cut, at, at, hint, self.pointer)
        return TextFault(log_codes.BROKEN_JSON, message, at, at + 1 if end is None else end, hint, self.pointer)

    def missing(self, at: int, what: str) -> TextFault:
        if at >= len(self.text):
            return self.broken(at, Message("json-missing", what=what), None)
        return self.broken(at, Message("json-missing-before", what=what, sign=_sign(self.text[at])), None)

    def after_the_end(self, at: int) -> TextFault:
        if self.text[at] == "{":
            return self.broken(at, Message("json-second-object"), Message("write-on-own-line"))
        # All that follows is marked, as it may be anything.
        return self.broken(at, Message("json-after-end", sign=_sign(self.text[at])), None, len(self.text))

    def no_member(self, at: int, opened: int) -> TextFault:
        sign = self.text[at : at + 1]
        if not sign:
            return self.broken(at, Message("json-object-open", column=opened + 1), None)
        if sign == "}":  # after a comma, since `object` has read an empty one
            return self.broken(at, Message("json-comma-closing", sign="}"), Message("json-remove-comma"))
        word = _NAME.match(self.text, at)
        if word:
            name = word.group()
            return self.broken(
                at, Message("json-name-unquoted", name=name), Message("write", text=f'"{name}"'), word.end()
            )
        hint = Message("json-double-quotes-names") if sign == "'" else None
        return self.broken(at, Message("json-name-expected", sign=_sign(sign)), hint)

    def no_value(self, at: int, word: str) -> TextFault:
        sign = self.text[at : at + 1]
        end = at + max(1, len(word))
        # Python writes these numbers, which are not JSON.
        if word in ("NaN", "Infinity") or self.text.startswith("-Infinity", at):
            end = at + len(word) if word else at + len("-Infinity")
            return TextFault(
                log_codes.BAD_NUMBER,
                Message("json-not-a-number", text=self.text[at:end]),
                at,
                end,
                pointer=self.pointer,
            )
        if word in _OTHER_LITERALS:
            return self.broken(
                at, Message("json-no-value", word=word), Message("write", text=_OTHER_LITERALS[word]), end
            )
        # A text alone is JSON, but not what a line is.
        if word and not self.text[:at].strip():
            return self.broken(at, Message("json-value-expected", sign=_sign(word)), None, end)
        if word:
            return self.broken(
                at, Message("json-text-unquoted", text=_sign(word)), Message("write", text=_quoted(word)), end
            )
        if not sign:
            return self.broken(at, Message("json-value-missing"), None)
        # Editors show no byte order mark, so the hint has to name it.
        if sign == "\ufeff":
            message = Message("json-byte-order-mark")
            return self.broken(at, message, Message("json-byte-order-mark-hint"))
        hint = Message("json-double-quotes-texts") if sign == "'" else None
        return self.broken(at, Message("json-value-expected", sign=_sign(sign)), hint)

    def broken_string(self, at: int) -> TextFault:
        part = _TEXT_PART.match(self.text, at + 1)
        end = part.end() if part else at + 1
        sign = self.text[end : end + 1]
        cut = re.compile(r"\\(u[0-9a-fA-F]{0,3})?\Z").match(self.text, end)
        # An escape at which the line was cut off is not a wrong escape.
        if not sign or cut:
            message = Message("json-text-open", column=at + 1)
            return self.broken(len(self.text), message, Message("json-close-with", sign='"'))
        if sign == "\\":
            written = self.text[end : end + 2]
            hint = Message("json-backslash", sample="\\\\")
            return self.broken(end, Message("json-no-escape", escape=written), hint, end + 2)
        message = Message("json-control-character", character=f"U+{ord(sign):04X}")
        return self.broken(end, message, Message("json-control-hint", escape=f"\\u{ord(sign):04x}"))


def _quoted(text: str) -> str:
    return f'"{shown_text(text)}"'


def _sign(sign: str) -> str:
    return f"`{shown_text(sign)}`"


def _number_hint(text: str, start: int, end: int) -> str | None:
    digits = text[start:end].lstrip("-")
    if digits == "0" and text[end : end + 1].isdecimal():
        return Message("json-remove-zero")
    return None
