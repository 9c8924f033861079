"""Ludex: board game rulebooks as data that a machine can referee.

    >>> import ludex
    >>> engine = ludex.load("tic_tac_toe")
    >>> state = engine.start()
    >>> len(engine.legal_moves(state))
    9

`docs/python-api.md` describes the rest. Nothing heavy is imported before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .grammar import on_demand, passed_on

if TYPE_CHECKING:
    from .about import __version__ as __version__
    from .api import check as check
    from .api import games as games
    from .api import judge as judge
    from .api import judge_many as judge_many
    from .api import load as load
    from .api import picture as picture
    from .api import replay as replay
    from .api import simulate as simulate
    from .grammar import Diagnostic as Diagnostic
    from .grammar import Failure as Failure
    from .grammar import Severity as Severity
    from .grammar import Span as Span
    from .interpreter import Awaits as Awaits
    from .interpreter import ChanceEvent as ChanceEvent
    from .interpreter import Engine as Engine
    from .interpreter import Event as Event
    from .interpreter import EventRow as EventRow
    from .interpreter import FindingRow as FindingRow
    from .interpreter import GameRow as GameRow
    from .interpreter import Generator as Generator
    from .interpreter import LogRow as LogRow
    from .interpreter import Move as Move
    from .interpreter import Native as Native
    from .interpreter import NotCarried as NotCarried
    from .interpreter import Outcome as Outcome
    from .interpreter import Play as Play
    from .interpreter import Playout as Playout
    from .interpreter import Playouts as Playouts
    from .interpreter import Reference as Reference
    from .interpreter import Refusal as Refusal
    from .interpreter import RefusalKind as RefusalKind
    from .interpreter import Refused as Refused
    from .interpreter import Report as Report
    from .interpreter import Scores as Scores
    from .interpreter import SpecFault as SpecFault
    from .interpreter import State as State
    from .interpreter import Stopped as Stopped
    from .interpreter import Turn as Turn
    from .interpreter import Verdict as Verdict
    from .interpreter import explain as explain
    from .interpreter import header_of as header_of
    from .interpreter import line_of as line_of
    from .interpreter import log_schema as log_schema
    from .interpreter import notation as notation
    from .interpreter import parse_event as parse_event
    from .interpreter import perft as perft
    from .interpreter import playout as playout
    from .interpreter import playouts as playouts
    from .interpreter import reasons as reasons
    from .interpreter import resample as resample
    from .interpreter import write_log as write_log
    from .spec import Budget as Budget
    from .spec import Game as Game
    from .spec import OverBudget as OverBudget
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)

__all__ = sorted(name for name in passed_on(__file__) if name[0] != "_")  # noqa: PLE0605 - type checkers read the imports above
