"""The report of `ludex diff` on the differences between texts of a game, or two specs: for a terminal, a browser, a
spreadsheet, a program."""

from __future__ import annotations

from .compare_editions import Done as Done
from .compare_editions import Games as Games
from .compare_editions import play as play
from .compare_editions import report as report
from .compare_editions import rows_about as rows_about
from .compare_editions import tell as tell
from .json_report import report_schema as report_schema
from .report_builder import Known as Known
from .report_builder import effect_of as effect_of
from .report_builder import make as make
from .report_builder import story_of as story_of
from .report_path import place_of as place_of
from .wanted import Wanted as Wanted
