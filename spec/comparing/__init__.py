"""Editions of one game compared clause by clause."""

from __future__ import annotations

from .compare import Comparison as Comparison
from .compare import Divergence as Divergence
from .compare import Row as Row
from .compare import compare as compare
from .kinds import Kind as Kind
