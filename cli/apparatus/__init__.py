"""The report on where texts of a game, or two specs, part: at the terminal, in a browser, as a table, for programs."""

from __future__ import annotations

from .data import report_schema as report_schema
from .making import Known as Known
from .making import effect_of as effect_of
from .making import make as make
from .making import story_of as story_of
from .place import place_of as place_of
from .run import Done as Done
from .run import Games as Games
from .run import play as play
from .run import report as report
from .run import rows_about as rows_about
from .run import tell as tell
