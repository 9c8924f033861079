"""Tests whether a text is in its language, by the letters of languages that do not use the Latin script."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

LETTERS = {"ru": re.compile("[а-яё]", re.IGNORECASE), "he": re.compile("[א-ת]")}

_NO_WORDS = re.compile(
    r"`[^`]*`|\{.*\}|\[[^\]]*\]|\"[^\"]*\"|'[^']*'|«[^»]*»|„[^”]*”"  # quotations, JSON, citations, titles
    r"|\(ludex [^)]*\)|(?:[A-Z]\. )+[A-Z]\w+"  # commands, names of authors
    r"|--[a-z][a-z-]*|\S*[/.](?:jsonl|yaml|ludex(?:log)?|md)\b[\w:.]*"  # options, names of files
    r"|\b[A-Za-z]+\d+\b|\b[0-9a-f]{16}\b"  # codes, pieces, fingerprints
)
"""Matches parts of a report that are the same in every language."""
_WORD = re.compile(r"[A-Za-z][\w.]*\w")
_UNSAID = re.compile(r'"[^"\n]*"|#.*')
"""Matches texts and comments of a spec."""
_FRAME = re.compile(r"\b(?:why|note|hint|legal|game):|\bline \d|\b(?:no game|nobody|findings|unreadable|warning)\b")
"""Matches English words of reports, some of which are also names in a spec."""
_COMMON = """
JSON YAML UTF MB KB NaN Infinity Ludex ludex PATH GAME LOG CODE OPTIONS FILE NAME DIR Enter Python Zstandard escape
"""
"""Words that are the same in every language: names of formats, and of arguments in the usage of a command."""


def is_in(language: str, text: str) -> bool:
    """Test whether a text has letters of its language. Any text may be in a language with Latin letters."""
    return language not in LETTERS or LETTERS[language].search(text) is not None


def names_in(files: Iterable[Path]) -> frozenset[str]:
    """Collect the names of specs: their words outside of texts and comments."""
    texts = (_UNSAID.sub("", file.read_text(encoding="utf-8")) for file in files)
    return frozenset(name for text in texts for name in re.findall(r"[A-Za-z]\w*", text))


def latin_words(text: str, known: frozenset[str]) -> list[str]:
    """List the words in Latin letters that are neither quoted nor known. A path is known if all its names are."""
    bare = _NO_WORDS.sub(" ", text)
    strange = [word for word in _WORD.findall(bare) if not set(word.split(".")) <= known.union(_COMMON.split())]
    return _FRAME.findall(bare) + strange
