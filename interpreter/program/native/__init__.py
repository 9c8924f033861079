"""Native code: programs that are printed as LLVM, compiled, and called (the extra `native`). See docs/native.md."""

from __future__ import annotations

from ..llvm.shapes import NotCarried as NotCarried
from .library import Native as Native
from .library import NativeState as NativeState
from .library import Stopped as Stopped
