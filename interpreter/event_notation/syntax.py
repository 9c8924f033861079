"""Tokens and values of the notation, before anything is known of the game.

    value = item {"," item}
    item  = word ["(" value ")"] | text | "(" value ")" | "{" [value] "}" | "[" [value] "]"

Inside of brackets an item may be several words, a name that is written with blanks. A word is a run of characters
without blanks, brackets and `,":;=#`; a text is in quotation marks, as in JSON.
"""

from __future__ import annotations

import json
import re
from itertools import islice, takewhile

from ludex.grammar import Code, Json, Message, shown_text, value_class

from . import notation_codes

NONE_WORD = "none"
UNKNOWN_WORD = "unknown"
UNSEEN = "?"
"""Written for what was not seen; `unknown` is read too."""
MOST_TOKENS = 8_000
"""The largest number of words and signs in one part of a line, and of parts in a line. A deal of a thousand cards has
fewer."""
MOST_DEPTH = 64
"""Deepest nesting of brackets that is read."""

_WORD = re.compile(r'[^\s,(){}\[\]":;=#]+')
_TOKEN = re.compile(r'\s*(?:(?P<word>[^\s,(){}\[\]":;=#]+)|(?P<text>"(?:[^"\\]|\\.)*")|(?P<sign>\S))')
_SPLIT = re.compile(r'"(?:[^"\\]|\\.)*"|[#;:=(){}\[\]]')
_CLOSING = {"(": ")", "{": "}", "[": "]"}
_DEPTH = {**dict.fromkeys(_CLOSING, 1), **dict.fromkeys(_CLOSING.values(), -1)}


class NotationFault(Exception):
    """A text is not in the notation, or does not fit the game.

    Attributes:
        start, end: the place in the text, from 0; the end is exclusive.
    """

    def __init__(
        self, start: int, end: int, message: str, hint: str | None = None, code: Code = notation_codes.NOT_NOTATION
    ):
        super().__init__(message)
        # A fault at the end of a line has no width, and could not be underlined.
        self.start, self.end, self.message, self.hint, self.code = start, max(end, start + 1), message, hint, code

    def with_hint(self, hint: str | None) -> NotationFault:
        """Return the fault with a hint, unless it has one."""
        return NotationFault(self.start, self.end, self.message, self.hint or hint, self.code)


@value_class
class NotationNode:
    """A value as it is written.

    Attributes:
        kind: `word`, `text`, `call` (a word with its data), `words` (a name in several words, inside of brackets),
            `parts` (joined by commas), `{` or `[`.
        text: of a word, text or call.
        parts: the values inside; the single words.
        start, end: its place in the text.
    """

    kind: str
    text: str
    parts: tuple[NotationNode, ...]
    start: int
    end: int


@value_class
class Token:
    """kind: `word`, `text` or the sign itself; the end of the text has the kind ""."""

    kind: str
    text: str
    start: int
    end: int


def is_word(text: str) -> bool:
    """Test whether the text is read as one word, and not as a word of the notation."""
    # A sign that no terminal shows is only readable as an escape in quotation marks.
    return _WORD.fullmatch(text) is not None and text.isprintable() and text not in (NONE_WORD, UNKNOWN_WORD, UNSEEN)


def quoted_word(text: Json) -> str:
    """Write a text in quotation marks, or other data as JSON; signs that no terminal shows are escaped."""
    shown = json.dumps(text, ensure_ascii=False)
    return shown if shown.isprintable() else json.dumps(text)


def tokens_of(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """Divide a part of a text into tokens, the last of which marks its end. Raises NotationFault."""
    end = len(text) if end is None else end
    tokens: list[Token] = []
    at = start
    while (match := _TOKEN.match(text, at, end)) is not None:
        kind = match.lastgroup or ""
        begin, at = match.span(kind)
        if len(tokens) == MOST_TOKENS:
            raise too_long(begin, end)
        content = match[kind]
        if kind == "text":
            tokens.append(Token("text", _unquoted(content, begin), begin, at))
        elif content == '"':
            raise NotationFault(begin, end, Message("notation-unclosed-text"))
        else:
            tokens.append(Token("word" if kind == "word" else content, content, begin, at))
    tokens.append(Token("", "", end, end))
    return tokens


def too_long(start: int, end: int) -> NotationFault:
    """Make the fault for the text after the limit of words, signs and parts."""
    return NotationFault(start, end, Message("notation-too-long", count=MOST_TOKENS))


def _unquoted(text: str, start: int) -> str:
    try:
        # A tab inside a text is not a fault.
        content = str(json.loads(text, strict=False))
    except ValueError as error:
        raise NotationFault(start, start + len(text), Message("notation-bad-escape")) from error
    # Half a character cannot be written again, since it is not UTF-8.
    if any("\ud800" <= letter <= "\udfff" for letter in content):
        raise NotationFault(start, start + len(text), Message("json-half-character"))
    return content


def split_at(text: str, sign: str, start: int = 0, end: int | None = None) -> int:
    """Return where the sign is first in a part of a text, outside quotation marks and brackets; its end if nowhere."""
    depth, end = 0, len(text) if end is None else end
    for match in _SPLIT.finditer(text, start, end):
        found = match.group()
        # A bracket too many is reported by the parser, and must not hide the sign after it.
        if found == sign and depth <= 0:
            return match.start()
        depth += _DEPTH.get(found, 0)
    return end


class Values:
    """Parses values from a list of tokens. at: the number of the next token; the last one is the end of the text."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.at, self.depth = tokens, 0, 0

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        """Return the next token and go past it; the end of the text is never passed."""
        token = self.next
        self.at += bool(token.kind)
        return token

    def words(self, most: int) -> list[str]:
        """Return the words that are next, at most so many."""
        ahead = takewhile(lambda token: token.kind == "word", islice(self.tokens, self.at, self.at + most))
        return [token.text for token in ahead]

    def join(self, count: int) -> None:
        """Make one word of the next ones."""
        joined = self.tokens[self.at : self.at + count]
        word = Token("word", "_".join(token.text for token in joined), joined[0].start, joined[-1].end)
        self.tokens[self.at : self.at + count] = [word]

    def parts(self, count: int) -> NotationNode:
        """Parse so many words that are the parts of one value, without commas between them."""
        items = tuple(self._item() for _ in range(count))
        return NotationNode("parts", "", items, items[0].start, items[-1].end)

    def value(self) -> NotationNode:
        """Parse one value: up to a blank that no comma precedes. Raises NotationFault."""
        items = self._items()
        return items[0] if len(items) == 1 else NotationNode("parts", "", tuple(items), items[0].start, items[-1].end)

    def _items(self) -> list[NotationNode]:
        items = [self._item()]
        while self.next.kind == ",":
            self.take()
            items.append(self._item())
        return items

    def _item(self) -> NotationNode:
        token = self.take()
        if token.kind == "word" and self.depth and self.next.kind == "word":
            return self._words(token)
        if token.kind == "text" or (token.kind == "word" and not self._has_data(token)):
            return NotationNode(token.kind, token.text, (), token.start, token.end)
        if token.kind == "word":
            parts, end = self._inside(self.take())
            return NotationNode("call", token.text, parts, token.start, end)
        if token.kind not in _CLOSING:
            raise expected(Message("notation-a-value"), token)
        parts, end = self._inside(token)
        if token.kind != "(":
            return NotationNode(token.kind, "", parts, token.start, end)
        return NotationNode("parts", "", parts, token.start, end) if len(parts) != 1 else parts[0]

    def _words(self, first: Token) -> NotationNode:
        words = [first]
        while self.next.kind == "word":
            words.append(self.take())
        parts = tuple(NotationNode("word", word.text, (), word.start, word.end) for word in words)
        return NotationNode("words", "_".join(word.text for word in words), parts, first.start, words[-1].end)

    def _has_data(self, word: Token) -> bool:
        return self.next.kind == "(" and self.next.start == word.end

    def _inside(self, opening: Token) -> tuple[tuple[NotationNode, ...], int]:
        """Parse what is in brackets, and the closing one; return the values and where they end."""
        closing = _CLOSING[opening.kind]
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise NotationFault(opening.start, opening.end, Message("notation-too-deep", count=MOST_DEPTH))
        # Sets and lists may be empty; round brackets hold one value at least.
        is_empty = self.next.kind == closing and closing != ")"
        items = [] if is_empty else self._items()
        if self.next.kind == "":
            raise NotationFault(opening.start, opening.end, Message("notation-unclosed", bracket=opening.kind))
        if self.next.kind != closing:
            raise expected(Message("notation-signs", first=",", second=closing), self.next)
        self.depth -= 1
        return tuple(items), self.take().end


def expected(what: str, token: Token, hint: str | None = None) -> NotationFault:
    """Make the fault for a token that cannot be here."""
    message = Message("notation-expected-end", expected=what)
    if token.kind:
        message = Message("notation-expected", expected=what, found=shown_text(token.text))
    return NotationFault(token.start, token.end, message, hint)
