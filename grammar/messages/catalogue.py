"""The catalogue of messages: the entries of each language, one Fluent file per language.

`docs/languages.md` says how an entry is written, corrected, and how a language is added.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rustfluent import Bundle

    from ..diagnostics import Code

ENGLISH = "en"
"""The language of every message until it is written in another."""
_RIGHT_TO_LEFT = frozenset({"he"})
LARGEST_FORMATTED = 2**31 - 1
"""The formatter writes the argument's name for numbers beyond it."""
_PLACE = 1_000_000
"""No language has a plural form that depends on the digits before the last six."""
MOST_DIGITS = 40
"""Longer numbers are shortened."""
_FOLDER = Path(__file__).parent
_SPACED = {"ru": "\u00a0"}
"""The separator of groups of digits in languages that do not use a comma."""
_CAPITAL_NOUNS = frozenset({"de"})
"""The languages whose nouns begin with a capital letter everywhere in a sentence."""


@cache
def languages() -> tuple[str, ...]:
    """Return the languages of the catalogue, English first: one for each file."""
    return tuple(sorted((path.stem for path in _FOLDER.glob("*.ftl")), key=lambda name: (name != ENGLISH, name)))


def runs_right_to_left(language: str | None) -> bool:
    """Test whether a language is written from right to left."""
    return language in _RIGHT_TO_LEFT


def grouped_digits(number: int, language: str) -> str:
    """Write a number with its digits in groups: `12,345`; one of more than `MOST_DIGITS` digits as `shortened` does."""
    written = shortened(number)
    return written if "~" in written else f"{number:,}".replace(",", _SPACED.get(language, ","))


def shortened(number: int) -> str:
    """Write a large number: all of up to `MOST_DIGITS` digits, else how many times ten is multiplied by itself."""
    # This is tested first, as Python refuses to write numbers of more than 4,300 digits.
    if number.bit_length() > 4 * MOST_DIGITS or len(digits := str(number)) > MOST_DIGITS:
        return f"{'-' if number < 0 else ''}~10^{round(number.bit_length() * math.log10(2))}"
    return digits


def stand_in(number: int, place: int) -> int:
    """Return a number of the same plural form as a large one, which the formatter can write. place: among several."""
    # A shortened number shows its first digits only.
    last = 0 if "~" in shortened(number) else abs(number) % _PLACE
    made = LARGEST_FORMATTED // _PLACE * _PLACE - (place + 1) * _PLACE + last
    return -made if number < 0 else made


def formatted(language: str, entry: str, values: Mapping[str, str | int]) -> str:
    """Write an entry in a language, or in English if it is missing there. Raises ValueError if it is missing there,
    too."""
    try:
        return _write(language, entry, values)
    except ValueError:
        if language == ENGLISH:
            raise
        return _write(ENGLISH, entry, values)


def code_in_language(code: Code, language: str | None) -> Code | None:
    """Return a code with its words in another language than English; None if nobody has written them there."""
    if language in (None, ENGLISH):
        return None
    try:
        bundle = _bundle(f"codes/{language}")
        meaning, mend = bundle.get_translation(code.code), bundle.get_translation(f"{code.code}-mend")
    except (ValueError, FileNotFoundError):
        return None
    explanation = ""
    with suppress(ValueError):
        explanation = bundle.get_translation(f"{code.code}-explanation")
    return replace(code, meaning=meaning, mend=mend, explanation=explanation)


def meanings_of_code(code: str) -> dict[str, str]:
    """Return what a code means, as the end of a sentence, in the languages other than English that have its
    meaning."""
    found = dict[str, str]()
    for language in languages()[1:]:
        with suppress(ValueError, FileNotFoundError):
            meaning = _bundle(f"codes/{language}").get_translation(code)
            first = meaning[0] if language in _CAPITAL_NOUNS else meaning[0].lower()
            found[language] = first + meaning[1:-1]  # without the full stop
    return found


def _write(language: str, entry: str, values: Mapping[str, str | int]) -> str:
    # Isolating marks are left out: reports are searched and compared, and a terminal gets its marks elsewhere.
    text: str = _bundle(language).get_translation(entry, variables=values, use_isolating=False)
    return text


@cache
def _bundle(name: str) -> Bundle:
    """Read a file of a language. Imported late: most commands need no message."""
    from rustfluent import Bundle

    path = _FOLDER / f"{name}.ftl"
    return Bundle(path.stem, [str(path)], strict=True)
