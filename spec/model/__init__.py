"""The typed model of a rulebook: names resolved, first-order, finite, with all sizes known."""

from __future__ import annotations

from .nodes import *  # noqa: F403 - the nodes are what the package is
