"""Editions of one game compared clause by clause."""

from __future__ import annotations

from ..ruling_codes import RULING_CODES as RULING_CODES
from .compare import Comparison as Comparison
from .compare import compare as compare
from .divergences import Divergence as Divergence
from .divergences import Gap as Gap
from .divergences import merged as merged
from .formal import formal as formal
from .graft import common_parent as common_parent
from .graft import with_clause_moved as with_clause_moved
from .graft import with_clause_of as with_clause_of
from .graft import with_unsaid as with_unsaid
from .graft import without_clauses as without_clauses
from .helpers import mentioned as mentioned
from .kinds import Kind as Kind
from .marks import SILENT as SILENT
from .marks import marks_of as marks_of
from .narrow import compared_paths as compared_paths
from .narrow import is_inside as is_inside
from .narrow import narrowed as narrowed
from .rows import Row as Row
from .rulings import ACCEPT as ACCEPT
from .rulings import RULINGS_FILE as RULINGS_FILE
from .rulings import Decided as Decided
from .rulings import Ruling as Ruling
from .rulings import Rulings as Rulings
from .rulings import add_rulings as add_rulings
from .rulings import decide as decide
from .rulings import draft_rulings as draft_rulings
from .rulings import load_rulings as load_rulings
from .rulings import read_rulings as read_rulings
from .said import Said as Said
from .said import said as said
