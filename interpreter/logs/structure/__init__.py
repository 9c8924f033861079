"""Structural stage of validation: the header and the lines of a log, decoded and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.grammar import on_demand

if TYPE_CHECKING:
    from .claims import CLAIMS as CLAIMS
    from .claims import CellClaim as CellClaim
    from .claims import Claim as Claim
    from .claims import claim_type as claim_type
    from .claims import has_size as has_size
    from .early_end import EARLY_ENDS as EARLY_ENDS
    from .early_end import EarlyEnd as EarlyEnd
    from .early_end import allowed_members as allowed_members
    from .early_end import demanded_members as demanded_members
    from .early_end import loser_among_winners as loser_among_winners
    from .early_end import written_end as written_end
    from .event_lines import NOTE as NOTE
    from .event_lines import OVER as OVER
    from .event_lines import POSITION_MEMBERS as POSITION_MEMBERS
    from .event_lines import Entry as Entry
    from .event_lines import FullEntry as FullEntry
    from .event_lines import LineReader as LineReader
    from .event_lines import PlainEntry as PlainEntry
    from .event_lines import event_count as event_count
    from .event_lines import leaves_open as leaves_open
    from .event_lines import line_like as line_like
    from .event_lines import line_of as line_of
    from .event_lines import line_reader as line_reader
    from .header import DATE as DATE
    from .header import HEADER_MEMBERS as HEADER_MEMBERS
    from .header import SILENCES as SILENCES
    from .header import Header as Header
    from .header import header_of as header_of
    from .header import read_log_header as read_log_header
    from .lines import Line as Line
    from .lines import Lines as Lines
    from .lines import read_lines as read_lines
    from .named_files import ANY_FILE as ANY_FILE
    from .named_files import NamedFiles as NamedFiles
    from .named_files import allowed_files as allowed_files
    from .problems import CLOCK as CLOCK
    from .problems import MOST_FINDINGS as MOST_FINDINGS
    from .problems import UNKNOWN_WORD as UNKNOWN_WORD
    from .problems import Problem as Problem
    from .problems import few as few
    from .problems import it_has as it_has
    from .problems import once_each as once_each
    from .problems import quoted as quoted
    from .problems import unknown_members as unknown_members
    from .problems import value_problem as value_problem
    from .problems import wrong_value as wrong_value
    from .seating import SeatedTable as SeatedTable
    from .seating import is_player as is_player
    from .several_events import LARGEST_GAP as LARGEST_GAP
    from .several_events import MOST_CARDS as MOST_CARDS
    from .several_events import ONLY_CHANCE as ONLY_CHANCE
    from .several_events import Deal as Deal
    from .several_events import Gap as Gap
    from .several_events import read_gap as read_gap
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
