"""Logs, the records of games: read, replayed, validated, written, and described by a JSON Schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.grammar import on_demand

if TYPE_CHECKING:
    from .collection.log_files import PassedOver as PassedOver
    from .collection.log_files import bytes_of as bytes_of
    from .collection.log_files import log_at as log_at
    from .collection.log_files import logs_at as logs_at
    from .collection.log_files import logs_in as logs_in
    from .collection.log_files import logs_of as logs_of
    from .collection.splitting import LogText as LogText
    from .collection.unpacking import packed_like as packed_like
    from .collection.unpacking import without_packing as without_packing
    from .judge.asked_line import AskedLine as AskedLine
    from .judge.asked_line import line_at as line_at
    from .judge.asked_line import line_of_event as line_of_event
    from .judge.editions import FirstError as FirstError
    from .judge.editions import UnderEdition as UnderEdition
    from .judge.editions import editions_to_json as editions_to_json
    from .judge.editions import under_editions as under_editions
    from .judge.explained_event import ExplainedEvent as ExplainedEvent
    from .judge.explained_event import explain_event as explain_event
    from .judge.explained_line import ExplainedLine as ExplainedLine
    from .judge.explained_line import explain_line as explain_line
    from .judge.header_game import Load as Load
    from .judge.header_game import not_this_engine as not_this_engine
    from .judge.own_faults import report_of_fault as report_of_fault
    from .judge.report_json import finding_to_json as finding_to_json
    from .judge.report_json import report_to_json as report_to_json
    from .judge.report_rows import FindingRow as FindingRow
    from .judge.report_rows import LogRow as LogRow
    from .judge.report_rows import log_row as log_row
    from .judge.validate import Validator as Validator
    from .judge.validate import validate_log as validate_log
    from .log_codes import LOG_CODES as LOG_CODES
    from .log_codes import UNKNOWN_ACTION as UNKNOWN_ACTION
    from .log_codes import UNKNOWN_CHANCE as UNKNOWN_CHANCE
    from .log_codes import UNREADABLE_CODES as UNREADABLE_CODES
    from .migration.fingerprints import with_fingerprint as with_fingerprint
    from .migration.migrating import Migrated as Migrated
    from .migration.migrating import Migration as Migration
    from .playback.event_replay import Replayed as Replayed
    from .playback.event_replay import replay as replay
    from .position.position import position_of as position_of
    from .position.position import position_text as position_text
    from .position.position import read_position as read_position
    from .record import ENDINGS as ENDINGS
    from .record import MAX_LOG_BYTES as MAX_LOG_BYTES
    from .record import LineData as LineData
    from .record import Log as Log
    from .record import LogForm as LogForm
    from .record import Recording as Recording
    from .record import continued as continued
    from .record import end_claim as end_claim
    from .record import form_of as form_of
    from .record import new_recording as new_recording
    from .record import parse_log as parse_log
    from .record import read_log as read_log
    from .record import write_line as write_line
    from .record import write_log as write_log
    from .schema.json_schema import log_schema as log_schema
    from .schema.new_log import new_log as new_log
    from .structure import EARLY_ENDS as EARLY_ENDS
    from .structure import EarlyEnd as EarlyEnd
    from .structure import Header as Header
    from .structure import LineReader as LineReader
    from .structure import Problem as Problem
    from .structure import claim_type as claim_type
    from .structure import has_size as has_size
    from .structure import header_of as header_of
    from .structure import line_of as line_of
    from .structure import written_end as written_end
    from .text_logs.text_lines import parse_event as parse_event
    from .text_logs.text_reader import in_game as in_game
    from .text_logs.text_writer import TextWriter as TextWriter
    from .text_logs.text_writer import language_of as language_of
    from .text_logs.typed_lines import TYPED_FAULTS as TYPED_FAULTS
    from .text_logs.typed_lines import TypedLine as TypedLine
    from .text_logs.typed_lines import typed_line as typed_line
    from .tracking.beginning import position_faults as position_faults
    from .tracking.report import Play as Play
    from .tracking.report import Report as Report
    from .tracking.report import Verdict as Verdict
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
