"""Token stream of a text, as `ludex check --stage tokens` prints it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ..lexer.layout import flatten, lay_out
from ..lexer.tokens import token_span
from ..source import Span
from .parse_tables import load_tables


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A token: a word, or a mark of the layout (an end of line, a block that opens or closes), which has no text.

    kind: the name of the terminal in the grammar.
    """

    kind: str
    text: str
    span: Span


@lru_cache(maxsize=64)
def lexemes(text: str, file: str) -> tuple[Lexeme, ...]:
    """Return the tokens of a text, without the parts that cannot be read. file: its path as the places show it."""
    words = load_tables().parse_interactive(text, start="unit").lexer_thread.lex(None)  # type: ignore[no-untyped-call]
    tokens = (slot.token for unit in lay_out(text, file, words).units for slot in flatten(unit))
    # `$END` is Lark's own token for the end of a unit, which no text contains.
    return tuple(Lexeme(t.type, str(t), token_span(file, t)) for t in tokens if t.type != "$END")
