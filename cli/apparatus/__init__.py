"""The report on where the texts of a game part: at the terminal, and for programs."""

from __future__ import annotations

from .run import report as report
