"""The letters of the languages that are not written in Latin ones, to see whether a text is in its language."""

from __future__ import annotations

import re

LETTERS = {"ru": re.compile("[а-яё]", re.IGNORECASE), "he": re.compile("[א-ת]")}
