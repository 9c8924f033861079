"""Whether two games ask players alike, as far as the others can see.

Who can do nothing is passed over, unless that told the others what they may not see. So a condition that hangs on what
is private may make for a question where another that comes to the same makes for none.
"""

from __future__ import annotations

from collections import Counter

from ..engine import Engine
from ..instructions import Concealed, Decide, Together

HIDDEN = "it comes to the same, and hangs on other things that not everybody sees: so others may be asked"


def asked_alike(left: Engine, right: Engine) -> bool:
    """Whether as many decisions of each routine hang on what is not open, in the same way."""
    return _hanging(left) == _hanging(right)


def _hanging(engine: Engine) -> Counter[tuple[str, Concealed]]:
    found: Counter[tuple[str, Concealed]] = Counter()
    for routine in engine.machine.routines:
        for each in routine.code:
            if isinstance(each, Decide | Together):
                found[routine.name, engine.machine.hangs_on(routine.name, each)] += 1
    return Counter({key: count for key, count in found.items() if key[1] is not Concealed.NOTHING})
