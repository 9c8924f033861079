"""What the differences between editions do in play: the search behind `ludex diff`."""

from __future__ import annotations

from .cache import findings_folder as findings_folder
from .deciding import Decision as Decision
from .deciding import Situation as Situation
from .findings import Apart as Apart
from .findings import Bounds as Bounds
from .findings import CellApart as CellApart
from .findings import Effect as Effect
from .findings import Effort as Effort
from .findings import Finding as Finding
from .findings import Shown as Shown
from .findings import Side as Side
from .findings import unplayed as unplayed
from .judge_all import Progress as Progress
from .judge_all import judge as judge
from .playing import kept_games as kept_games
from .playing import play_all as play_all
from .report import Beside as Beside
from .report import bounds_to_json as bounds_to_json
from .report import comparison_to_json as comparison_to_json
from .rows import Played as Played
from .rows import Table as Table
from .rows import Tell as Tell
from .schema import difference_schema as difference_schema
from .tables import UNSEEN as UNSEEN
from .tables import cells_of as cells_of
from .witness import Limits as Limits
