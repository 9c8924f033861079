"""The report on where the texts of a game part: at the terminal, in a browser, as a table, and for programs."""

from __future__ import annotations

from .data import report_schema as report_schema
from .making import Known as Known
from .run import Rulings as Rulings
from .run import report as report
from .run import tell as tell
