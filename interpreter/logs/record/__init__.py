"""Parser of a log's text into records, with the place of every part, and writer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.grammar import on_demand

if TYPE_CHECKING:
    from .json_lines import MAX_DAMAGED as MAX_DAMAGED
    from .json_lines import MAX_LINE_BYTES as MAX_LINE_BYTES
    from .json_lines import MAX_LOG_BYTES as MAX_LOG_BYTES
    from .json_lines import MAX_LOG_LINES as MAX_LOG_LINES
    from .json_lines import first_damaged as first_damaged
    from .json_places import DECODER as DECODER
    from .json_places import MAX_DIGITS as MAX_DIGITS
    from .json_places import TextFault as TextFault
    from .json_places import scan as scan
    from .log import ENDINGS as ENDINGS
    from .log import STDIN_SHOWN as STDIN_SHOWN
    from .log import LogForm as LogForm
    from .log import form_of as form_of
    from .log import parse_log as parse_log
    from .log import read_log as read_log
    from .log import read_standard_input as read_standard_input
    from .log import write_line as write_line
    from .log import write_log as write_log
    from .recording import Block as Block
    from .recording import LineData as LineData
    from .recording import Recording as Recording
    from .recording import Rows as Rows
    from .recording import continued as continued
    from .recording import end_claim as end_claim
    from .recording import new_recording as new_recording
    from .recording import write_yaml_line as write_yaml_line
    from .recording import yaml_text as yaml_text
    from .records import VERSION as VERSION
    from .records import LateRecords as LateRecords
    from .records import LineLayout as LineLayout
    from .records import Log as Log
    from .records import Record as Record
    from .records import TextLayout as TextLayout
    from .records import UnreadLine as UnreadLine
    from .text_header import BRACKETED as BRACKETED
    from .text_header import GROUPS as GROUPS
    from .text_header import TAG_MEMBERS as TAG_MEMBERS
    from .text_header import TAGS as TAGS
    from .text_header import HeaderLayout as HeaderLayout
    from .text_header import header_lines as header_lines
    from .yaml_comments import with_comments as with_comments
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
