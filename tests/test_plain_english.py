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
    r"\bwhat (is|are|was|were) (said|asked)\b": "the statement, the question",
    r"\bsave (for|that|those)\b": "except",
    r"\bthat is (what|why|where)\b": "so",
}
"""Patterns of idioms, each with the words to use instead."""
FOLDERS = ("grammar", "spec", "interpreter", "cli", "src", "bench", "tests")
NOT_PROSE = {"grammar/lexer/words.py", "interpreter/program/llvm/prelude.py", "tests/test_plain_english.py"}
"""Modules whose strings are keywords, text of LLVM, or the idioms themselves."""
IN_CODE = {**INSTEAD, r"\bgo(es)? on\b": "continue"}
"""Those of comments and docstrings. Pages and messages say of a game that it goes on."""
MEANT = re.compile(
    r"behind (a|an|its|the|one of the) tickets?\b|(left|none) behind|(search|model|pools) behind"
    r"|behind:|come and go on top|many go on a line|pieces go on unseen",
    re.IGNORECASE,
)
"""Phrases in which the words have another meaning."""
PAGES = (
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted(ROOT.glob("*/**/docs.md")),
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "grammar/messages/en.ftl")),
    *(ROOT / name for name in ("pyproject.toml", "setup.py", "action.yml", ".pre-commit-hooks.yaml")),
    *(ROOT / ".ci").iterdir(),
)
"""The pages, and other files with texts for people."""


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


def strings_of(path: Path) -> Iterator[str]:
    """Yield the strings of a module that may be messages: those of several words, except docstrings."""
    nodes = nodes_of(path)
    # Values in an f-string are a word each.
    parts = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    parts |= {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        match node:
            case ast.JoinedStr(values=values):
                text = "".join(str(each.value) if isinstance(each, ast.Constant) else "CODE" for each in values)
            case ast.Constant(value=str() as text) if id(node) not in parts:
                pass
            case _:
                continue
        if " " in text:
            yield re.sub("`[^`\n]*`", "CODE", text)


def test_comments_and_docstrings_are_plain() -> None:
    faults = [
        f"{path.relative_to(ROOT)}: {each}"
        for path in source_files(*FOLDERS)
        for text in prose_of(path)
        for each in idioms(text)
    ]
    assert not faults, "\n".join(faults)


def test_messages_in_modules_are_plain() -> None:
    faults = [
        f"{path.relative_to(ROOT)}: {each}"
        for path in source_files(*FOLDERS)
        if path.relative_to(ROOT).as_posix() not in NOT_PROSE
        for text in strings_of(path)
        for each in idioms(text)
    ]
    assert not faults, "\n".join(faults)


def test_strings_are_read_without_docstrings_and_values(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('def f(x):\n    """What is no game."""\n    return f"{x} is no id", "`is no` id", "one"\n')
    assert list(strings_of(module)) == ["CODE is no id", "CODE id"]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_pages_are_plain(page: Path) -> None:
    # Code and the names of messages are not prose.
    text = re.sub(
        r"```.*?```|`[^`\n]*`|^[\w-]+ =", "CODE", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    # Successive lines of comments are one text.
    text = re.sub(r"^\s*# ", "", text, flags=re.MULTILINE) if page.suffix != ".md" else text
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
