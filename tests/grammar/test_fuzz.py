"""`parse` returns for every text: the good declarations, and reports with valid messages and places."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ludex.grammar import Module, Parsed, format_module, parse
from ludex.grammar.lexer.words import DECLARATION_WORDS, RESERVED_WORDS, SIGNS
from ludex.grammar.parser.parsing import MAX_FAULTS

from ..cases import cases
from .good import SAMPLES
from .malformed import SAMPLES as MALFORMED

PIECES = (
    *sorted(RESERVED_WORDS | set(DECLARATION_WORDS)), *sorted(SIGNS.values()),
    "\n", "\n  ", "\n    ", "\n\t", " ", "\r", "\r\n", "\0", "\ufeff", "\u2028", "é", '"', '"a"', "#", "[", "]",
    "[ru 1]", "[ru]", "==", "x", "f(", "Site", "7", "999999999999", "label:", "except e: ", "5cm", "aB", ";", "'", "\\",
)  # fmt: skip
HARMLESS = {"missing-header", "misplaced-authority", "colon", "reserved-word", "citation-in-comment"}
TEXTS = (*SAMPLES.values(), *(sample.text for sample in MALFORMED if len(sample.text) < 300))


def check(text: str) -> Parsed:
    parsed = parse(text, "drawn.ludex")
    assert isinstance(parsed.module, Module)
    assert len(parsed.diagnostics) <= MAX_FAULTS + 1
    rows = text.split("\n")
    for diagnostic in parsed.diagnostics:
        span = diagnostic.span
        assert 1 <= span.line <= len(rows)
        assert 1 <= span.column <= len(rows[span.line - 1]) + 1
        assert (span.line, span.column) <= (span.end_line, span.end_column)
        assert diagnostic.message
    places = [(d.code.code, d.span) for d in parsed.diagnostics]
    assert len(set(places)) == len(places), "each fault must have one report"
    return parsed


@cases(700)
@given(st.text())
def test_any_text_is_parsed_or_reported(text: str) -> None:
    check(text)


@cases(800)
@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_any_words_are_parsed_or_reported(pieces: list[str]) -> None:
    check("game g\n" + " ".join(pieces))


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A good text, or one with a known fault, in which some lines or words are cut, inserted, doubled or indented."""
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 12))
        filling = draw(st.sampled_from(["", text[place : place + 2 * length], *PIECES]))
        text = text[:place] + filling + text[place + length :]
    return text


@cases(1500)
@given(damaged())
def test_damaged_texts_are_parsed_or_reported(text: str) -> None:
    check(text)


@cases(300)
@given(damaged())
def test_declarations_kept_of_a_damaged_text_are_good(text: str) -> None:
    """Written and parsed again, they have no faults except those that discard no words."""
    kept = format_module(parse(text, "drawn.ludex").module)
    again = check(kept)
    assert {found.code.name for found in again.diagnostics} <= HARMLESS, kept


@cases(200)
@given(st.sampled_from(sorted(SAMPLES)), st.data())
def test_a_text_without_one_of_its_lines_is_parsed_to_its_end(name: str, data: st.DataObject) -> None:
    """The last declaration is always found."""
    lines = SAMPLES[name].splitlines()
    last = max(number for number, line in enumerate(lines) if line and not line.startswith((" ", "#")))
    gone = data.draw(st.integers(1, last - 1))
    text = "\n".join(lines[:gone] + lines[gone + 1 :]) + "\n"
    parsed = check(text)
    assert parsed.module.declarations
    assert parsed.module.declarations[-1].span.line == last
