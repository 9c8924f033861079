"""The report on where the texts of a game part: at the terminal, in a browser, as a table, and for programs."""

from __future__ import annotations

from .data import report_schema as report_schema
from .data import to_json as to_json
from .kept import KeptReport as KeptReport
from .making import Known as Known
from .making import make as make
from .place import place_of as place_of
from .place import write_report as write_report
from .run import Rulings as Rulings
from .run import play as play
from .run import report as report
from .run import tell as tell
from .story import Teller as Teller
from .text import to_text as to_text
