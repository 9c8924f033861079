"""Plain English: comments, docstrings, messages and pages do not use the idioms that readers stumbled over."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from .parsed_sources import ROOT, nodes_of, source_files

INSTEAD = {
    r"\bbehind\b": "after; behind is for what is hidden",
    r"(?<!\bthere )\b(is|are) no (?!longer\b|more\b|other\b|one\b|such\b|\w+er\b)": "is not a",
    r"\bnothing of\b": "nothing about, no part of",
    r"(?<!\bthere )\bis none of\b": "is not one of",
    r"\bas of\b": "as in",
    r"\bcomes? to (?!light\b|be\b)": "reaches",
    r"\b(is|are|was|were) told\b": "says, shows",
    r"\bis met\b": "holds, happens",
    r"\blest\b": "so that ... not",
    r", be it\b": "whether",
    r"\bstands? (in|at|there|between|with|after|before|below|above)\b": "is",
}
"""Patterns of idioms, each with the words to use instead."""
IN_CODE = {**INSTEAD, r"\bgo(es)? on\b": "continue"}
"""Those of comments and docstrings. Pages and messages say of a game that it goes on."""
MEANT = re.compile(
    r"behind (a|an|its|the|one of the) tickets?\b|(left|none) behind|(search|model|pools) behind"
    r"|behind:|come and go on top|many go on a line|pieces go on unseen",
    re.IGNORECASE,
)
"""Phrases in which the words have another meaning."""
PAGES = (
    *sorted(path for path in (ROOT / "docs").glob("*.md") if path.name not in ("decisions.md", "errors.md")),
    *sorted(ROOT.glob("*/**/docs.md")),
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "grammar/messages/en.ftl")),
)
"""The pages; `decisions.md` quotes such idioms, and `errors.md` quotes specs."""


def idioms(text: str, of: Mapping[str, str] = INSTEAD) -> Iterator[str]:
    """Yield the idioms in a text, each with the words to use instead."""
    text = MEANT.sub("", " ".join(text.split()))
    for pattern, instead in of.items():
        for found in re.finditer(pattern, text, re.IGNORECASE):
            yield f"...{text[max(0, found.start() - 30) : found.end() + 30]}...: write `{instead}`"


def prose_of(path: Path) -> Iterator[str]:
    """Yield the docstrings and comments of a module. Successive lines of comments are one text."""
    for node in nodes_of(path):
        match node:
            case ast.Expr(value=ast.Constant(value=str() as text)):
                yield text
    with tokenize.open(path) as file:
        source = file.read()
    rows, last = list[str](), -1
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != last + 1:
                yield " ".join(rows)
                rows = []
            rows.append(token.string.lstrip("# "))
            last = token.start[0]
    yield " ".join(rows)


def test_comments_and_docstrings_are_plain() -> None:
    faults = [
        f"{path.relative_to(ROOT)}: {each}"
        for path in source_files()
        for text in prose_of(path)
        for each in idioms(text)
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_pages_are_plain(page: Path) -> None:
    # Code and the names of messages are not prose.
    text = re.sub(
        r"```.*?```|`[^`\n]*`|^[\w-]+ =", "CODE", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    faults = list(idioms(text))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "text", ["the line behind it", "What is no game", "the parse goes\non", "as of `schema`", "is none of ours"]
)
def test_idioms_are_reported(text: str) -> None:
    assert list(idioms(text, IN_CODE))


@pytest.mark.parametrize("text", ["There\nis no such file", "is no longer in use", "the piece behind its ticket"])
def test_plain_sentences_pass(text: str) -> None:
    assert not list(idioms(text, IN_CODE))
