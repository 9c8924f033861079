"""The report of `ludex diff` on the differences between texts of a game, or two specs: for a terminal, a browser, a
spreadsheet, a program."""

from __future__ import annotations

from .compare_editions import Done as Done
from .compare_editions import Games as Games
from .compare_editions import play as play
from .compare_editions import print_report as print_report
from .compare_editions import report_editions as report_editions
from .compare_editions import rows_about as rows_about
from .diff_options import DiffOptions as DiffOptions
from .json_report import report_schema as report_schema
from .report_builder import ReportInput as ReportInput
from .report_builder import build_report as build_report
from .report_builder import effect_of as effect_of
from .report_builder import story_of as story_of
from .report_path import report_file as report_file
