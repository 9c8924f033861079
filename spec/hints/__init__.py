"""Hints: where clauses of editions agree and the words of their texts do not. They are no findings."""

from __future__ import annotations

from .find import find_hints as find_hints
from .hint import Hint as Hint
from .hint import HintKind as HintKind
from .marking import pieces as pieces
from .marking import words_apart as words_apart
from .texts import excused_numbers as excused_numbers
from .texts import texts_at_hand as texts_at_hand
