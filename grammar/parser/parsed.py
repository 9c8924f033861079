"""The result of parsing a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..diagnostics import Diagnostic

if TYPE_CHECKING:
    from ..syntax import Module


@dataclass(frozen=True, slots=True)
class Parsed:
    """The result of `parse`.

    Attributes:
        module: the syntax tree, without the faulty declarations; complete if no diagnostic is an error.
        diagnostics: the faults, in the order of the text.
        size: the number of tokens.
    """

    module: Module
    diagnostics: tuple[Diagnostic, ...]
    size: int
