"""Possible states: what a play may be like, where the record of it does not say everything."""

from __future__ import annotations

from .belief import Belief as Belief
from .resampling import resample as resample
