"""Possible states of a play whose record is incomplete."""

from __future__ import annotations

from .belief import Belief as Belief
from .belief import FilledIn as FilledIn
from .following import MOST_WORK as MOST_WORK
from .possible_run import PossibleRun as PossibleRun
from .possible_view import MayHold as MayHold
from .possible_view import PossibleView as PossibleView
from .possible_view import possible_view as possible_view
from .pursuit import AS_RECORDED as AS_RECORDED
from .pursuit import Pursuit as Pursuit
from .pursuit import Sample as Sample
from .pursuit import likely_pieces as likely_pieces
from .pursuit import named_pieces as named_pieces
from .resampling import resample as resample
