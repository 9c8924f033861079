"""Syntax error messages: a table that recognises the author's mistake from the token at which the parser stopped.

`explain_fault` tries the rows of `_TABLE` in order; the first row that recognises the fault gives the report. A row is
a code and a function from the fault to its finding (the place, the message, perhaps a hint), or to None. The tests
have samples that each row must recognise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from .. import text_codes
from ..diagnostics import Code, Diagnostic, did_you_mean
from ..lexer import reports, words
from ..lexer.layout import BELOW, CONTINUATIONS, LogicalLine
from ..lexer.tokens import Token, token_span
from ..source import Span

_MARKS = frozenset({"NEWLINE", "_INDENT", "_DEDENT", "$END"})
_ENDS = frozenset({"_DEDENT", "$END"})
_AUTHORITY = frozenset({"CITE", "RULING", "CONVENTION"})
_CONNECTIVES = ("WITH", "FROM", "TO", "HAS", "THEN", "FOR", "WHEN", "BECAUSE", "OF", "TIMES", "IN")
"""Words that connect two parts of a statement, in the order in which a missing one is searched."""
_OPENERS = frozenset({"if", "else", "each", "all", "as", "repeat", "match", "may", "choose", "case"})
_COMPARISONS = frozenset({"EQ", "NE", "LT", "LE", "GT", "GE"})
_VISIBILITIES = frozenset({"OPEN", "PRIVATE", "HIDDEN"})
_NEEDS_MORE = CONTINUATIONS | _COMPARISONS | {"ELSE", "MINUS", "DIV", "MOD", "IN", "NOT_IN", "NOT", "SPAN"}
"""Words and signs after which a value has to continue."""


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """The token at which the parser stopped, with its context.

    Attributes:
        file: the name of the text.
        unit: the declaration that contains it.
        line: the line of the token; for the end of a block, the last line of that block.
        index: the index of the token in its line; -1 for line ends and block marks.
        token: the token.
        before: the token before it, perhaps on a line above; None at the beginning of the text.
        previous: the line of `before`.
        expected: the terminals that the parser would have accepted.
    """

    file: str
    unit: LogicalLine
    line: LogicalLine
    index: int
    token: Token
    before: Token | None
    previous: LogicalLine
    expected: Collection[str]

    @property
    def kind(self) -> str:
        """The terminal of the token."""
        return self.token.type

    @property
    def word(self) -> str:
        """The text of the token."""
        return str(self.token)

    @property
    def at_line_start(self) -> bool:
        return self.index == 0

    @property
    def wanted(self) -> str:
        """The expected terminals, in words for a message."""
        return words.describe(self.expected)

    @property
    def here(self) -> Span:
        """The place of the token."""
        return token_span(self.file, self.token)

    @property
    def left(self) -> Token | None:
        """The token before it on its own line."""
        # The end of a line is not among its tokens.
        if self.kind == "NEWLINE":
            return self.line.tokens[-1]
        return self.line.tokens[self.index - 1] if self.index > 0 else None

    @property
    def right(self) -> Token | None:
        """The token after it on its own line."""
        return self.line.tokens[self.index + 1] if 0 <= self.index < len(self.line.tokens) - 1 else None

    @property
    def kinds_before(self) -> list[str]:
        """The terminals before it on its own line."""
        return [token.type for token in self.line.tokens[: self.index if self.index >= 0 else None]]

    @property
    def is_stray_block(self) -> bool:
        """Whether the line begins a block below a line that takes none, or takes only exceptions and an
        apparatus."""
        if self.kind == "_INDENT":
            return True
        # `except:` is a label for the lexer; a row of the table says what is wrong with its colon.
        if not self.at_line_start or not set(self.expected) <= BELOW or self.word == "except:":
            return False
        siblings = self.siblings
        return siblings[:1] == [self.line] and all(line.head.type not in BELOW for line in siblings)

    @property
    def siblings(self) -> list[LogicalLine]:
        """The lines of the block that its line is in; [] for the first line of a declaration."""
        return next((line.children for line in self.unit.walk() if self.line in line.children), [])

    @property
    def needs_value(self) -> bool:
        """Whether a value may begin here."""
        # Unlike a name or a number, the word `count` begins nothing but a value.
        return "COUNT" in self.expected

    @property
    def is_cut_off(self) -> bool:
        """Whether the line ends after a word that needs a continuation, or lacks its block."""
        ends = self.kind == "NEWLINE" and self.left is not None and self.left.type in _NEEDS_MORE
        return ends or set(self.expected) == {"_INDENT"}

    @property
    def opener(self) -> str:
        """The first word of its line that is not a label."""
        for token in self.line.tokens:
            if token.type != "LABEL":
                return token.split()[0]
        return ""

    def last_word(self) -> Span:
        """Return the place of the last word before the fault, for reports of something that is missing after it."""
        return token_span(self.file, self.before) if self.before is not None else self.here


SyntaxFinding = tuple[Span, str, str | None] | None


def explain_fault(fault: SyntaxFault) -> Diagnostic:
    """Return the diagnostic for a syntax fault."""
    for code, row in _TABLE:
        finding = row(fault)
        if finding is not None:
            place, message, hint = finding
            return Diagnostic(code, message, place, hint)
    raise AssertionError("the last row of the table recognises every fault")


_HEADERS = ("GAME", "PART", "EDITION", "TEXT")
_DEEPER = "this line is indented deeper, but the line above opens no block"


# ---- blocks and lines -------------------------------------------------------------------------------------------


def _missing_block(fault: SyntaxFault) -> SyntaxFinding:
    """Recognise a line that needs a block and has none."""
    if set(fault.expected) != {"_INDENT"}:
        return None
    last, head = fault.last_word(), fault.previous.head
    end = fault.previous.tokens[-1]
    # A label without anything after it may lack its value or its block.
    if end.type == "LABEL":
        what = "its values" if fault.unit.head.type in _HEADERS else "what it does"
        return last, f"nothing follows `{end}`", f"write {what} on the line, or in a block below"
    return last, f"`{head}` needs a block below it", "indent the lines that belong to it by two spaces"


def _missing_value(fault: SyntaxFault) -> SyntaxFinding:
    if set(fault.expected) != {"_INDENT"} or fault.previous.tokens[-1].type not in ("EQ", "ARROW"):
        return None
    return fault.last_word(), "the value is missing", "write it on the line, or in a block below"


def _deeper(fault: SyntaxFault) -> SyntaxFinding:
    if not fault.is_stray_block:
        return None
    place = token_span(fault.file, fault.line.head)
    return place, _DEEPER, "give it the indentation of the line above, or put that line's statement into the block too"


def _unfinished_fork(fault: SyntaxFault) -> SyntaxFinding:
    # Nothing but a fork expects `default`.
    if "DEFAULT" not in fault.expected or fault.kind not in _ENDS:
        return None
    return fault.last_word(), "this fork has no default reading", 'end it with `default NAME "reason"`'


def _unfinished_block(fault: SyntaxFault) -> SyntaxFinding:
    if fault.kind not in _ENDS:
        return None
    return fault.last_word(), f"the block ends too early; {fault.wanted} must follow", None


# ---- the first word of a declaration ----------------------------------------------------------------------------


def _declaration_colon(fault: SyntaxFault) -> SyntaxFinding:
    name = fault.word[:-1].rstrip()
    if not _begins_unit(fault) or fault.kind != "LABEL" or name not in words.DECLARATION_WORDS:
        return None
    return _colon(fault), f"no colon after `{name}`", None


def _unknown_declaration(fault: SyntaxFault) -> SyntaxFinding:
    if not _begins_unit(fault):
        return None
    word = fault.word
    if fault.line.indent > 0:
        return fault.here, "this line is indented but belongs to no block", "declarations begin at column 1"
    kinds = [token.type for token in fault.line.tokens]
    # Without the first word, the rest of the line shows what was meant.
    if "BAR" in kinds:
        return fault.here, f"no declaration begins with `{word}`", _words_of_a_type(word)
    if kinds[0] == "LABEL" and "EQ" in kinds and "ASSIGN" not in kinds:
        return fault.here, f"no declaration begins with `{word}`", f"write `state {word} ...` if it changes in play"
    if kinds[:2] == ["NAME", "EQ"]:
        return fault.here, f"no declaration begins with `{word}`", f"write `fact {word} = ...` or `define {word} = ...`"
    hint = did_you_mean(word.lower(), words.DECLARATION_WORDS) if fault.kind in ("NAME", "TNAME") else None
    if hint:
        return fault.here, f"no declaration begins with `{word}`", hint
    if fault.kind == "LABEL" or word in words.STATEMENT_WORDS:
        return fault.here, f"no declaration begins with `{word}`", "indent the line if it belongs to the block above"
    known = ", ".join(f"`{known}`" for known in ("type", "zone", "state", "fact", "define", "action", "play", "score"))
    return fault.here, f"no declaration begins with `{word}`", f"a line at column 1 begins with {known} and the like"


def _inner_declaration(fault: SyntaxFault) -> SyntaxFinding:
    """`state x: ...` inside a block, where it declares nothing local."""
    left = fault.left
    if left is None or fault.index != 1 or left.type not in ("WINDOW", "STATE") or fault.line is fault.unit:
        return None
    if fault.kind not in ("NAME", "TNAME", "LABEL"):
        return None
    diagnostic = reports.inner_declaration(left, token_span(fault.file, left))
    return diagnostic.span, diagnostic.message, diagnostic.hint


def _words_of_a_type(name: str) -> str:
    return f"words with `|` between them belong to a type: `type {_type_name(name.rstrip(': '))} = ...`"


def _begins_unit(fault: SyntaxFault) -> bool:
    return fault.line is fault.unit and fault.at_line_start


# ---- parts that belong to the line above --------------------------------------------------------------------------


def _lone_arm(fault: SyntaxFault) -> SyntaxFinding:
    if fault.kind == "OTHERWISE" and fault.at_line_start:
        return fault.here, "this arm has no `match` above it", "write the arms in the block below `match VALUE`"
    if fault.kind != "ARROW":
        return None
    place = token_span(fault.file, fault.line.head)
    return place, "this arm has no `match` above it", "write the arms in the block below `match VALUE`"


def _match_on_the_line(fault: SyntaxFault) -> SyntaxFinding:
    if fault.kind != "MATCH" or not fault.needs_value:
        return None
    # In these places a `match` is possible as the whole value, in a block.
    whole = fault.line is fault.unit or fault.line.head.type == "REQUIRE" or "ARROW" in fault.kinds_before
    if whole and fault.left is not None and fault.left.type in ("EQ", "LABEL", "ARROW"):
        hint = "end the line before it, and put `match` and its arms in the block below"
        return fault.here, "`match` has to be on a line of its own", hint
    return fault.here, "`match` cannot be part of a value", _VALUE_OF_ITS_OWN


_VALUE_OF_ITS_OWN = "put `match` and its arms in the block of a `define`, and write the name of that here"


def _step_as_value(fault: SyntaxFault) -> SyntaxFinding:
    """Recognise the first words of a step where a value is needed; before an operator a word may be meant as a name."""
    if not fault.needs_value:
        return None
    if fault.kind == "NOTHING":
        return fault.here, "`nothing` is a step, and a value is needed here", "the empty value is `none`"
    if fault.kind in words.STEP_PHRASES:
        return _no_step(fault)
    # A word such as `move` may also be a name, so what follows it decides.
    right = fault.right
    opens = bool(fault.line.children) if right is None else right.type in _AFTER_STEP_START
    return _no_step(fault) if fault.kind in words.STEP_WORDS and opens else None


def _no_step(fault: SyntaxFault) -> SyntaxFinding:
    hint = "write a value; only `setup`, `play` and an `action` have steps"
    if fault.unit.head.type in ("SETUP", "PLAY", "ACTION"):
        hint = "write a value; a step is on a line of its own"
    return fault.here, f"`{fault.word}` begins a step, and a value is needed here", hint


def _repeat_label(fault: SyntaxFault) -> SyntaxFinding:
    """Recognise the `until` of `repeat:`, which was read as a label."""
    if fault.kind != "UNTIL" or fault.previous is fault.line or not fault.at_line_start:
        return None
    place = fault.siblings.index(fault.line)
    above = fault.siblings[place - 1].head
    if not place or not above.startswith("repeat"):
        return None
    hint = "write `repeat` without a colon; the indented block below is enough"
    return token_span(fault.file, above), "the colon makes `repeat` a label", hint


def _except_label(fault: SyntaxFault) -> SyntaxFinding:
    if fault.kind != "LABEL" or fault.word != "except:":
        return None
    return _colon(fault), "the colon makes `except` a label", "an exception has a name: `except name: ... when c`"


def _until_early(fault: SyntaxFault) -> SyntaxFinding:
    if fault.kind != "UNTIL" or all(token.type != "REPEAT" for token in fault.line.tokens[: max(fault.index, 0)]):
        return None
    hint = "indent the block below `repeat`, then write `until` level with it"
    return fault.here, "`until` has to be below the block", hint


_LONE = {
    "ELSE": (
        "`else` has no `if` at its indentation",
        "write `else` right below the block of its `if`, level with the `if`",
    ),
    "UNTIL": (
        "`until` has no `repeat` at its indentation",
        "write `until` below the block of its `repeat`, level with it",
    ),
    "EXCEPT": (
        "`except` has no requirement, step, define or fact above it",
        "write `except` one level deeper than its requirement, step, define or fact",
    ),
}


def _lone_part(fault: SyntaxFault) -> SyntaxFinding:
    if fault.kind not in _LONE or not fault.at_line_start:
        return None
    message, hint = _LONE[fault.kind]
    return fault.here, message, hint


# ---- colons and assignments -----------------------------------------------------------------------------------


def _arm_colon(fault: SyntaxFault) -> SyntaxFinding:
    # Only after a pattern of a `match` is `=>` expected.
    if "ARROW" not in fault.expected or fault.kind != "COLON":
        return None
    return fault.here, "an arm has no colon", "write `=>` between the pattern and its value"


def _label_as_arm(fault: SyntaxFault) -> SyntaxFinding:
    """Recognise `low: 5` in place of an arm; it was read as a label."""
    if fault.kind != "LABEL" or "OTHERWISE" not in fault.expected:
        return None
    return _colon(fault), "an arm has no colon", "write `=>` between the pattern and its value"


def _stray_colon(fault: SyntaxFault) -> SyntaxFinding:
    if fault.kind == "COLON":
        return fault.here, _no_colon(fault), _colon_hint(fault)
    # The lexer reads a name with a colon as a label wherever it is.
    if fault.kind == "LABEL" and not fault.at_line_start and ("NAME" in fault.expected or fault.opener in _OPENERS):
        return _colon(fault), _no_colon(fault), _colon_hint(fault)
    return None


def _colon(fault: SyntaxFault) -> Span:
    span = fault.here
    return Span(span.file, span.end_line, span.end_column - 1, span.end_line, span.end_column)


def _no_colon(fault: SyntaxFault) -> str:
    return f"no colon after `{fault.opener}`" if fault.opener in _OPENERS else "no colon is written here"


def _colon_hint(fault: SyntaxFault) -> str | None:
    if fault.kind == "COLON" and "EQ" in fault.expected:
        return "write `=`"
    if fault.opener == "if":
        return "write `if c then step` on one line, or indent the block below without a colon"
    if "HAS" in fault.expected:
        return "write `has` before the condition"
    return "the indented block below is enough" if fault.opener in _OPENERS | {"action"} else None


def _equals(fault: SyntaxFault) -> SyntaxFinding:
    if fault.kind != "EQ" or "ASSIGN" not in fault.expected:
        return None
    return fault.here, "`=` only compares", "a step that changes something is written `:=`"


def _assignment(fault: SyntaxFault) -> SyntaxFinding:
    if fault.kind not in ("ASSIGN", "ADD", "SUBTRACT"):
        return None
    # Where a comparison may follow, the sign was meant as one.
    if "EQ" not in fault.expected:
        return None
    naming = fault.line is fault.unit or fault.opener == "let"
    hint = "write `=`" if naming else "to compare, write `=`"
    return fault.here, f"`{fault.word}` changes something, and only a step can", hint


_AFTER_STEP_START = frozenset({"NAME", "TNAME", "INT", "LABEL", "MY", "TRUE", "FALSE", "NONE", "OPEN_CURLY", "TIMES"})
"""Terminals that can follow the first word of a step, and cannot follow a name."""
_NUMBER_TYPES = frozenset({"int", "integer", "number", "float", "nat"})
_COLLECTIONS = frozenset({"set", "bag", "list"})


# ---- names ------------------------------------------------------------------------------------------------------


def _run_together(fault: SyntaxFault) -> SyntaxFinding:
    """Recognise `cardName` or `5cm`: two tokens without a space that were meant as one word."""
    row = fault.line.tokens
    first = last = fault.index
    # The parser may stop at any token of the word, so both directions are searched.
    while first > 0 and _touching(row[first - 1], row[first]):
        first -= 1
    while 0 <= last < len(row) - 1 and _touching(row[last], row[last + 1]):
        last += 1
    if first == last:
        return None
    whole = "".join(str(token) for token in row[first : last + 1])
    place = token_span(fault.file, row[first]).to(token_span(fault.file, row[last]))
    if row[first].type == "INT":
        return place, f"`{whole}` is neither a number nor a name", "numbers have no unit, and names begin with a letter"
    return place, f"`{whole}` is not a name", f"names are small letters, digits and `_`: `{_snake(whole)}`"


def _touching(left: Token, right: Token) -> bool:
    """Return whether two tokens have nothing between them and look like one word."""
    # `isalnum` excludes `_`, which names may have.
    return left.end_pos == right.start_pos and (left + right).replace("_", "a").isalnum()


def _snake(word: str) -> str:
    parted = "".join("_" + letter.lower() if letter.isupper() else letter for letter in word)
    return parted.lstrip("_").replace("__", "_")


def _small_type(fault: SyntaxFault) -> SyntaxFinding:
    """Recognise a name with a small letter in place of a type. It was read as the low end of a range, so the parser
    stops after it."""
    left = fault.left
    if fault.kind == "NAME" and "TNAME" in fault.expected and "NAME" not in fault.expected:
        return fault.here, *_capital(fault.word)
    if not _ends_a_bound(fault) or left is None or left.type != "NAME":
        return None
    before = fault.line.tokens[fault.index - 2 if fault.index > 0 else -2]
    if fault.kind == "BAR":
        name = _type_name(before.rstrip(": \t"))
        hint = f"declare them, `type {name} = {left} | ...`, and write `{name}` here"
        return token_span(fault.file, left), "the words of a type cannot be written here", hint
    # In `0..n + m` the name is a part of a bound, and not meant as a type.
    return None if before.type in _ARITHMETIC else (token_span(fault.file, left), *_capital(str(left)))


def _optional_range(fault: SyntaxFault) -> SyntaxFinding:
    if fault.kind != "QUESTION" or fault.left is None or fault.left.type not in ("INT", "NAME", "CLOSE_ROUND"):
        return None
    hint = "name it, such as `type Bid = 0..9`, and write `Bid?` here"
    return fault.here, "only a type with a name can be optional", hint


def _half_range(fault: SyntaxFault) -> SyntaxFinding:
    if not _ends_a_bound(fault):
        return None
    return fault.last_word(), "a range has two ends, with `..` between them", f"such as `0..{fault.left}`"


_ARITHMETIC = frozenset({"PLUS", "MINUS", "STAR", "DIV", "MOD"})


def _ends_a_bound(fault: SyntaxFault) -> bool:
    """Return whether the parser expects the other bound of a range, or more of this bound."""
    return "SPAN" in fault.expected and set(fault.expected) <= _ARITHMETIC | {"SPAN"}


def _type_name(word: str) -> str:
    return "".join(part.capitalize() for part in word.split("_"))


def _capital(word: str) -> tuple[str, str]:
    if word in _COLLECTIONS:
        return f"`{word}` is not a type by itself", f"add the type of its items: `{word} of TYPE`"
    # Names such as `int` are habits from other languages.
    hint = "numbers are typed by their range: `0..10`" if word in _NUMBER_TYPES else f"write `{_type_name(word)}`"
    return f"`{word}` is not a type; types begin with a capital", hint


def _capital_name(fault: SyntaxFault) -> SyntaxFinding:
    if fault.kind != "TNAME" or "NAME" not in fault.expected or "TNAME" in fault.expected:
        return None
    return fault.here, f"`{fault.word}` is a type's name", f"other names have small letters: `{_snake(fault.word)}`"


def _reserved(fault: SyntaxFault) -> SyntaxFinding:
    """Recognise a reserved word in place of a name. Where a value is possible too, only some words are meant as
    names."""
    if "NAME" not in fault.expected:
        return None
    # The lexer reads `not in` as one word.
    word = "not" if fault.kind == "NOT_IN" else fault.word
    # After these only a word of the type is possible; elsewhere a reserved word may be the beginning of a value.
    if fault.unit.head.type == "TYPE" and fault.left is not None and fault.left.type in ("EQ", "BAR"):
        taken = word in words.RESERVED_WORDS
    elif _OTHER_VALUES & set(fault.expected):
        taken = word in words.NAME_WORDS and not _ties(fault)
    else:
        follows_comma = fault.left is not None and fault.left.type == "COMMA"
        known = words.NAME_WORDS if follows_comma else words.RESERVED_WORDS
        taken = word in known or fault.kind in words.FUNCTION_WORDS
    if not taken:
        return None
    diagnostic = reports.reserved(word, fault.here)
    return diagnostic.span, diagnostic.message, diagnostic.hint


_OTHER_VALUES = words.VALUE_STARTS - {"NAME", "MY", "MINUS", "INT", "OPEN_ROUND"}
"""Terminals that begin a value but no bound; where only a bound is expected, a reserved word is meant as a name."""


def _ties(fault: SyntaxFault) -> bool:
    """Return whether a word belongs to the statement, so that a value is missing before it."""
    return fault.kind in ("FROM", "TO", "WITH", "FOR", "OF") and fault.opener in (
        "fill", "draw", "move", "put", "remove", "swap", "refill",
    )  # fmt: skip


# ---- headers, terms -----------------------------------------------------------------------------------


def _entry_comma(fault: SyntaxFault) -> SyntaxFinding:
    """Recognise a comma at the end of a line of the header, which cannot continue on the next line."""
    left = fault.left
    if fault.unit.head.type in _HEADERS and fault.kind == "NEWLINE" and left is not None and left.type == "COMMA":
        hint = "write values that do not fit on one line in a block below the label; its rows end without one"
        return token_span(fault.file, left), "the line cannot continue after this comma", hint
    return None


def _term_comma(fault: SyntaxFault) -> SyntaxFinding:
    """Recognise a missing comma between two words of a term, or one at the end of a line."""
    left = fault.left
    if not _among_terms(fault) or left is None:
        return None
    if fault.kind == "NAME" and left.type == "STRING":
        return fault.here, f"a comma is missing before `{fault.word}`", None
    if fault.kind == "NEWLINE" and left.type == "COMMA":
        hint = "write words that do not fit on one line each on its own, in a block below the name and its colon"
        return token_span(fault.file, left), "the line cannot continue after this comma", hint
    return None


def _term_language(fault: SyntaxFault) -> SyntaxFinding:
    if not _among_terms(fault) or fault.index < 1:
        return None
    if fault.kind == "STRING":
        return fault.here, "this word has no language", f"write its tag before it: `en {fault.word}`"
    if set(fault.expected) == {"STRING"} and fault.kind in ("DOT", "MINUS"):
        return fault.here, "a language's tag is one word", "such as `en`, `ru`, `he` or `pt_br`"
    return None


def _term_name(fault: SyntaxFault) -> SyntaxFinding:
    if not _among_terms(fault) or "LABEL" in {token.type for token in fault.line.tokens[: max(fault.index, 0)]}:
        return None
    hint = 'a line is a name, a colon and its words: `Card.jack: en "jack", ru "валет"`'
    return fault.here, "a colon is missing before this word" if fault.index else "a name is missing here", hint


def _among_terms(fault: SyntaxFault) -> bool:
    return fault.unit.head.type == "TERMS" and fault.line is not fault.unit


# ---- missing and superfluous words ----------------------------------------------------------------------------


def _after_authority(fault: SyntaxFault) -> SyntaxFinding:
    left = fault.left
    # Where a further citation is possible, the clause has ended, and only authority may follow.
    if left is None or fault.kind in _MARKS or "CITE" not in fault.expected:
        return None
    row = fault.line.tokens
    reason = left.type == "STRING" and fault.index > 1 and row[fault.index - 2].type in _AUTHORITY
    if left.type != "CITE" and not reason:
        return None
    what = "citation" if left.type == "CITE" else "reason"
    message = f"the {what} comes before the end of its clause"
    return token_span(fault.file, left), message, f"move it to after `{row[-1]}`"


def _text_as_value(fault: SyntaxFault) -> SyntaxFinding:
    if fault.kind != "STRING" or not fault.needs_value:
        return None
    return fault.here, "a text is not a value", "values are numbers, names, pieces and the like"


def _quoted_citation(fault: SyntaxFault) -> SyntaxFinding:
    if fault.kind != "STRING" or "CITE" not in fault.expected:
        return None
    # Without a number it names no lines, so it is rather meant as a reason.
    if not any(character.isdigit() for character in fault.word):
        hint = 'a reason is written `ruling "..."` or `convention "..."`'
        return fault.here, "a text is not possible here", hint
    return fault.here, "a citation has no quotes", "write the document and its lines: `[ru 113, 120-124]`"


def _missing_comma(fault: SyntaxFault) -> SyntaxFinding:
    # Elsewhere a name after a value is rather a missing operator or a second statement than a missing comma.
    if "COMMA" not in fault.expected or fault.kind != "NAME" or fault.line.head.type not in ("WITH", "ZONE", "STATE"):
        return None
    if fault.line.head.type != "WITH" and fault.word not in ("open", "private", "hidden"):
        return None
    return fault.here, f"a comma is missing before `{fault.word}`", None


def _half_bound(fault: SyntaxFault) -> SyntaxFinding:
    if fault.word not in ("up", "down") or not {"UP_TO", "DOWN_TO"} & set(fault.expected):
        return None
    return fault.here, f"`to` is missing after `{fault.word}`", f"`{fault.word} to LIMIT`"


def _visibility(fault: SyntaxFault) -> SyntaxFinding:
    if not fault.expected or not set(fault.expected) <= _VISIBILITIES:
        return None
    hint = did_you_mean(fault.word, ("open", "private", "hidden"))
    message = f"`{fault.word}` is not a visibility" if fault.word else "the visibility is missing"
    place = fault.here if fault.word else fault.last_word()
    return place, message, hint or "write `open`, `private` or `hidden`"


def _connective(fault: SyntaxFault) -> SyntaxFinding:
    # A missing word is the likely mistake only where another word is in its place.
    if fault.kind in _MARKS | _AUTHORITY or fault.kind in words.SIGNS or fault.at_line_start:
        return None
    for terminal in _CONNECTIVES:
        # Where a comparison may follow, `in` is one operator of many, and nothing shows that it is the missing one.
        if terminal in fault.expected and not (terminal == "IN" and "EQ" in fault.expected):
            word = words.spelling(terminal)
            return fault.here, f"`{word}` is missing before `{fault.word}`", None
    return None


def _missing_where(fault: SyntaxFault) -> SyntaxFinding:
    if "WHERE" not in fault.expected or fault.kind in words.SIGNS or fault.kind in _MARKS | _AUTHORITY:
        return None
    return fault.here, f"a word is missing before `{fault.word}`", f"possible here: {fault.wanted}"


def _ends_early(fault: SyntaxFault) -> SyntaxFinding:
    if fault.kind != "NEWLINE" and fault.kind not in _AUTHORITY:
        return None
    what = "line" if fault.kind == "NEWLINE" else "clause"
    return fault.last_word(), f"the {what} ends too early; {fault.wanted} must follow", _how_to_go_on(fault)


def _how_to_go_on(fault: SyntaxFault) -> str | None:
    """Return a hint for a value that was meant to continue on the next line; None for another fault."""
    if fault.kind != "NEWLINE" or fault.left is None:
        return _IN_BRACKETS if fault.is_cut_off else None
    if fault.left.type in CONTINUATIONS | {"ELSE"}:
        return f"to continue on the next line, begin that line with `{fault.left}`"
    if "THEN" in fault.expected:
        return "a choice of values is written `if c then a else b`"
    below = fault.line.children[0].head.type if fault.line.children and fault.needs_value else None
    if below == "MATCH":
        return _VALUE_OF_ITS_OWN
    return _IN_BRACKETS if fault.is_cut_off or below is not None else None


_IN_BRACKETS = "put brackets around a value that continues on the next line"


def _empty_brackets(fault: SyntaxFault) -> SyntaxFinding:
    left = fault.left
    if fault.kind != "CLOSE_ROUND" or left is None or left.type != "OPEN_ROUND":
        return None
    return fault.here, "these brackets are empty", "a name without arguments is written without brackets"


_AT_WORD = {
    "else": "the `else` of a step is on a line of its own, level with its `if`",
    "for": "to do something for each, write `each x in S` and a block",
    "if": "a choice of values is written `if c then a else b`",
    "is": "write `is empty`, `is not empty`, or compare with `=`",
    "do": "a block needs no word before it but its own header",
}
_AFTER_WORD = {
    "all": "write `every x in S has ...`",
    "forall": "write `every x in S has ...`",
    "any": "write `some x in S has ...`",
    "exists": "write `some x in S has ...`",
    "given": "write the position in the block below `given`",
}
_AT_HEAD = {
    "elif": "write `else if`",
    "elsif": "write `else if`",
    "elseif": "write `else if`",
    "while": "write `repeat`, a block, and `until` with the condition that ends it",
    "foreach": "write `each x in S`",
    "return": "the last line of a block of values is its value",
    "allow": "write what the player chooses in brackets: `study(card: l03)`",
    "refuse": "write what the player chooses in brackets: `study(card: l03)`",
    "after": "write what the player chooses in brackets: `study(card: l03)`",
}


def _trailing(fault: SyntaxFault) -> SyntaxFinding:
    if "NEWLINE" not in fault.expected or fault.kind in words.SIGNS:
        return None
    # These tables have words of other programming languages, by their place on the line.
    hint = _AT_HEAD.get(str(fault.line.head)) or _AT_WORD.get(fault.word) or _AFTER_WORD.get(str(fault.left))
    return fault.here, f"the line is complete before `{fault.word}`", hint or "one statement a line"


def _line_needs_label(fault: SyntaxFault) -> SyntaxFinding:
    if not fault.at_line_start or not set(fault.expected) <= {"LABEL", "_DEDENT"} or fault.kind in _MARKS:
        return None
    message = f"a label is missing before `{fault.word}`"
    return fault.here, message, "each line of this block begins with a label: `name: ...`"


def _label_missing(fault: SyntaxFault) -> SyntaxFinding:
    left = fault.left
    if left is None or set(fault.expected) != {"LABEL"} or not fault.word:
        return None
    if left.type in ("REQUIRE", "EXCEPT", "SCORE", "INVARIANT"):
        return fault.here, f"`{left}` needs a label before `{fault.word}`", f"`{left} name: ...`"
    if fault.kind == "NAME":
        return fault.here, f"a colon and a type are missing after `{fault.word}`", f"`{fault.word}: TYPE`"
    return None


def _type_missing(fault: SyntaxFault) -> SyntaxFinding:
    left = fault.left
    if left is None or set(fault.expected) != {"OPEN_ROUND"} or fault.unit.head.type not in ("STATE", "ZONE"):
        return None
    return token_span(fault.file, left), f"a colon and a type are missing after `{left}`", f"`{left}: TYPE`"


def _chained(fault: SyntaxFault) -> SyntaxFinding:
    if fault.kind not in _COMPARISONS or not any(
        token.type in _COMPARISONS for token in fault.line.tokens[: fault.index]
    ):
        return None
    return fault.here, "comparisons do not chain", "write two of them with `and` between"


def _unexpected(fault: SyntaxFault) -> SyntaxFinding:
    shown = fault.word or "the end of the line"
    known = [words.spelling(terminal) for terminal in fault.expected]
    hint = (did_you_mean(fault.word, known) if fault.kind == "NAME" else None) or _sign_hint(fault)
    return fault.here, f"`{shown}` is not possible here; expected {fault.wanted}", hint


def _sign_hint(fault: SyntaxFault) -> str | None:
    if fault.left is not None and fault.left.type == "CYCLE":
        return "write the value of a recursive call after `cycle`: `define f cycle 0 = ...`"
    if fault.kind == "COMMA" and "BAR" in fault.expected:
        return "the words of a type have `|` between them"
    if fault.kind == "OPEN_CURLY" and fault.line.head.type == "TYPE":
        return "write a record in round brackets: `(row: 1..3, col: 1..3)`"
    if fault.kind == "WHERE" and fault.left is not None and fault.left.type == "COMMA":
        return "no comma before `where`"
    if fault.kind == "BAR" and fault.unit.head.type in _HEADERS:
        return _words_of_a_type(str(fault.line.head))
    if fault.kind == "FOR" and "FOR" in fault.kinds_before:
        return "write `for` and `where` once: `for a in A, b in B where ...`"
    if fault.kind in ("IF", "SOME", "EVERY", "NO") and fault.needs_value:
        return "put brackets around a value that runs to the end of the expression: `2 + (if c then a else b)`"
    kinds = [token.type for token in fault.line.tokens]
    if fault.kind == "COMMA" and "WHERE" in kinds[: fault.index] and "IN" in kinds[fault.index + 2 : fault.index + 3]:
        return "write `where` once, after the last `in`: `a in A, b in B where ...`"
    return None


# The narrower row is before the wider one that would recognise its faults, too; the last recognises everything.
_TABLE: tuple[tuple[Code, Callable[[SyntaxFault], SyntaxFinding]], ...] = (
    (text_codes.UNFINISHED, _missing_value),
    (text_codes.MISSING_BLOCK, _missing_block),
    (text_codes.UNEXPECTED_BLOCK, _deeper),
    (text_codes.UNFINISHED, _unfinished_fork),
    (text_codes.UNFINISHED, _unfinished_block),
    (text_codes.COLON, _declaration_colon),
    (text_codes.UNKNOWN_DECLARATION, _unknown_declaration),
    (text_codes.BAD_NAME, _run_together),
    (text_codes.UNKNOWN_DECLARATION, _inner_declaration),
    (text_codes.COLON, _repeat_label),
    (text_codes.COLON, _except_label),
    (text_codes.LONE_PART, _lone_part),
    (text_codes.LONE_PART, _lone_arm),
    (text_codes.UNEXPECTED_WORD, _match_on_the_line),
    (text_codes.LONE_PART, _until_early),
    (text_codes.COLON, _arm_colon),
    (text_codes.COLON, _label_as_arm),
    (text_codes.COLON, _stray_colon),
    (text_codes.ASSIGNMENT, _equals),
    (text_codes.ASSIGNMENT, _assignment),
    (text_codes.MISSING_WORD, _entry_comma),
    (text_codes.MISSING_WORD, _term_comma),
    (text_codes.UNEXPECTED_WORD, _term_language),
    (text_codes.UNEXPECTED_WORD, _term_name),
    (text_codes.UNEXPECTED_WORD, _visibility),
    (text_codes.MISSING_WORD, _missing_comma),
    (text_codes.MISSING_WORD, _half_bound),
    (text_codes.UNEXPECTED_WORD, _optional_range),
    (text_codes.LOWER_CASE_TYPE, _small_type),
    (text_codes.UNFINISHED, _half_range),
    (text_codes.UNEXPECTED_WORD, _step_as_value),
    (text_codes.RESERVED_WORD, _reserved),
    (text_codes.BAD_NAME, _capital_name),
    (text_codes.MISPLACED_AUTHORITY, _after_authority),
    (text_codes.UNEXPECTED_WORD, _text_as_value),
    (text_codes.BAD_CITATION, _quoted_citation),
    (text_codes.UNEXPECTED_WORD, _line_needs_label),
    (text_codes.UNFINISHED, _type_missing),
    (text_codes.UNEXPECTED_WORD, _label_missing),
    (text_codes.UNEXPECTED_WORD, _empty_brackets),
    (text_codes.UNEXPECTED_WORD, _chained),
    (text_codes.MISSING_WORD, _connective),
    (text_codes.UNFINISHED, _ends_early),
    (text_codes.TRAILING_WORDS, _trailing),
    (text_codes.MISSING_WORD, _missing_where),
    (text_codes.UNEXPECTED_WORD, _unexpected),
)
