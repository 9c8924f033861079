"""Execution of a spec: states, flow, chance, legal moves, observation, replay of logs, playouts, witnesses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.grammar import on_demand

if TYPE_CHECKING:
    from .differences import Answer as Answer
    from .differences import Limits as Limits
    from .differences import RowPlayer as RowPlayer
    from .differences import RowResult as RowResult
    from .differences import ShownWitness as ShownWitness
    from .differences import Side as Side
    from .differences import SideReplay as SideReplay
    from .differences import StoryTeller as StoryTeller
    from .differences import cells_of as cells_of
    from .differences import kept_games as kept_games
    from .differences import play_all as play_all
    from .event_notation.writing import NotationWriter as NotationWriter
    from .event_notation.writing import notation as notation
    from .explanation.refusals import own_refusal as own_refusal
    from .explanation.refusals import reasons as reasons
    from .explanation.walkthrough import Examined as Examined
    from .explanation.walkthrough import walkthrough as walkthrough
    from .explanation.wording import Explanation as Explanation
    from .explanation.wording import explain as explain
    from .explanation.wording import fault_diagnostic as fault_diagnostic
    from .explanation.wording import player_words as player_words
    from .explanation.wording import why as why
    from .generator import Generator as Generator
    from .information.event_visibility import HIDDEN as HIDDEN
    from .information.visibility import UNSEEN_ACTION as UNSEEN_ACTION
    from .information.visibility import is_partial as is_partial
    from .logs import LOG_CODES as LOG_CODES
    from .logs import MAX_LOG_BYTES as MAX_LOG_BYTES
    from .logs import STDIN as STDIN
    from .logs import STDIN_SHOWN as STDIN_SHOWN
    from .logs import UNREADABLE_CODES as UNREADABLE_CODES
    from .logs import Break as Break
    from .logs import ExplainedEvent as ExplainedEvent
    from .logs import Form as Form
    from .logs import Header as Header
    from .logs import Line as Line
    from .logs import LineReader as LineReader
    from .logs import Load as Load
    from .logs import Log as Log
    from .logs import LogText as LogText
    from .logs import PassedOver as PassedOver
    from .logs import Play as Play
    from .logs import Recording as Recording
    from .logs import Replayed as Replayed
    from .logs import Report as Report
    from .logs import UnderEdition as UnderEdition
    from .logs import Validator as Validator
    from .logs import Verdict as Verdict
    from .logs import continued as continued
    from .logs import editions_to_json as editions_to_json
    from .logs import end_claim as end_claim
    from .logs import explain_event as explain_event
    from .logs import finding_to_json as finding_to_json
    from .logs import form_of as form_of
    from .logs import header_of as header_of
    from .logs import line_of as line_of
    from .logs import log_schema as log_schema
    from .logs import logs_of as logs_of
    from .logs import new_recording as new_recording
    from .logs import not_this_engine as not_this_engine
    from .logs import parse_event as parse_event
    from .logs import parse_log as parse_log
    from .logs import read_log as read_log
    from .logs import read_standard_input as read_standard_input
    from .logs import replay as replay
    from .logs import report_to_json as report_to_json
    from .logs import under_editions as under_editions
    from .logs import validate_log as validate_log
    from .logs import write_line as write_line
    from .logs import write_log as write_log
    from .play.engine import Engine as Engine
    from .play.examples import ExampleRun as ExampleRun
    from .play.examples import Put as Put
    from .play.examples import run_example as run_example
    from .play_codes import PLAY_CODES as PLAY_CODES
    from .processes import leave_interrupts as leave_interrupts
    from .program import Compiled as Compiled
    from .program import State as State
    from .program import listing as listing
    from .program import lower as lower
    from .reference import Reference as Reference
    from .simulate.audit import Audit as Audit
    from .simulate.audit import inventory as inventory
    from .simulate.perft import LONGEST_TURN as LONGEST_TURN
    from .simulate.perft import EndlessTurn as EndlessTurn
    from .simulate.perft import leaf_counts as leaf_counts
    from .simulate.perft import perft as perft
    from .simulate.playouts import Policy as Policy
    from .simulate.playouts import Turn as Turn
    from .simulate.playouts import pick as pick
    from .simulate.playouts import playout as playout
    from .simulate.simulation import RandomGame as RandomGame
    from .simulate.simulation import Simulation as Simulation
    from .state.api_arguments import checked as checked
    from .state.contents import Ticket as Ticket
    from .state.events import DECLINE as DECLINE
    from .state.events import Awaits as Awaits
    from .state.events import ChanceEvent as ChanceEvent
    from .state.events import Event as Event
    from .state.events import Move as Move
    from .state.events import Outcome as Outcome
    from .state.events import Refusal as Refusal
    from .state.events import RefusalKind as RefusalKind
    from .state.events import Refused as Refused
    from .state.events import Scores as Scores
    from .state.events import SpecFault as SpecFault
    from .state.events import Trace as Trace
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
