"""Possible states: what a play may be like, where the record of it does not say everything."""

from __future__ import annotations

from .belief import Belief as Belief
from .possible_run import PossibleRun as PossibleRun
from .possible_view import MayHold as MayHold
from .possible_view import PossibleView as PossibleView
from .possible_view import possible_view as possible_view
from .resampling import resample as resample
