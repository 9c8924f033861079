"""Native code: the second printer of programs, which prints LLVM (the extra `native`). See docs/native.md."""

from __future__ import annotations

from .library import Native as Native
from .library import Playouts as Playouts
from .library import Position as Position
from .library import Stopped as Stopped
from .shapes import NotCarried as NotCarried
