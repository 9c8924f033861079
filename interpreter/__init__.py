"""What a spec does: states, flow, chance, legal moves, observation, replay of logs, playouts."""

from __future__ import annotations

from .audit import Audit as Audit
from .audit import inventory as inventory
from .codes import PLAY_CODES as PLAY_CODES
from .engine import Engine as Engine
from .events import DECLINE as DECLINE
from .events import Awaits as Awaits
from .events import ChanceEvent as ChanceEvent
from .events import Event as Event
from .events import Move as Move
from .events import Outcome as Outcome
from .events import Refusal as Refusal
from .events import RefusalKind as RefusalKind
from .events import Refused as Refused
from .events import Scores as Scores
from .events import SpecFault as SpecFault
from .events import Trace as Trace
from .examples import run_example as run_example
from .explain import Explanation as Explanation
from .explain import event_words as event_words
from .explain import explain as explain
from .explain import fault_diagnostic as fault_diagnostic
from .observe import HIDDEN as HIDDEN
from .observe import UNSEEN_ACTION as UNSEEN_ACTION
from .playout import Policy as Policy
from .playout import Turn as Turn
from .playout import perft as perft
from .playout import pick as pick
from .playout import playout as playout
from .state import State as State
from .state import Ticket as Ticket
