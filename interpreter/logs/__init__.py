"""Logs of games: read, followed by the engine, validated, written, and their schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.grammar import on_demand

if TYPE_CHECKING:
    from .codes import LOG_CODES as LOG_CODES
    from .codes import UNKNOWN_ACTION as UNKNOWN_ACTION
    from .codes import UNKNOWN_CHANCE as UNKNOWN_CHANCE
    from .codes import UNREADABLE_CODES as UNREADABLE_CODES
    from .editions import Break as Break
    from .editions import UnderEdition as UnderEdition
    from .editions import editions_to_json as editions_to_json
    from .editions import under_editions as under_editions
    from .header import Header as Header
    from .header import header_of as header_of
    from .lines import LineReader as LineReader
    from .lines import line_of as line_of
    from .log import MAX_LOG_BYTES as MAX_LOG_BYTES
    from .log import STDIN as STDIN
    from .log import STDIN_SHOWN as STDIN_SHOWN
    from .log import Form as Form
    from .log import Log as Log
    from .log import form_of as form_of
    from .log import parse_log as parse_log
    from .log import read_log as read_log
    from .log import read_standard_input as read_standard_input
    from .log import write_line as write_line
    from .log import write_log as write_log
    from .problems import Problem as Problem
    from .recording import Line as Line
    from .recording import Recording as Recording
    from .recording import continued as continued
    from .recording import end_claim as end_claim
    from .recording import new_recording as new_recording
    from .replaying import Replayed as Replayed
    from .replaying import replay as replay
    from .report import finding_to_json as finding_to_json
    from .report import report_to_json as report_to_json
    from .schema import log_schema as log_schema
    from .setting import Load as Load
    from .setting import not_this_engine as not_this_engine
    from .validate import Play as Play
    from .validate import Report as Report
    from .validate import Validator as Validator
    from .validate import Verdict as Verdict
    from .validate import validate_log as validate_log
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
