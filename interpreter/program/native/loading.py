"""Object code in memory, and the functions in it that Python calls."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from ..llvm.objects import METHODS, method

_WORD, _NUMBER, _ADDRESS = ctypes.c_int64, ctypes.c_int32, ctypes.c_void_p
_CALLS: dict[str, tuple[Any, ...]] = {
    "start": (_NUMBER, _ADDRESS, _ADDRESS),
    "returns": (_NUMBER, _ADDRESS, _ADDRESS, _ADDRESS),
    "winners": (_NUMBER, _ADDRESS, _ADDRESS, _ADDRESS),
    "to_move": (_NUMBER, _ADDRESS, _ADDRESS, _ADDRESS),
    "ways": (_NUMBER, _ADDRESS, _ADDRESS, _ADDRESS),
    "perft": (_WORD, _ADDRESS, _ADDRESS, _WORD),
    "plays": (_WORD, _ADDRESS, _ADDRESS, _ADDRESS, _WORD, _WORD, _WORD, _WORD, _ADDRESS, _ADDRESS, _ADDRESS),
    "judge": (_WORD, _ADDRESS, _ADDRESS, _ADDRESS, _WORD),
    "judges": (_WORD, *[_ADDRESS] * 5, _WORD, _WORD, _WORD, _ADDRESS),
}
"""The functions that release the interpreter lock: the types of their results and of their arguments."""


class LoadedCode:
    """The code of a program, in memory as long as this object or one of its functions.

    Attributes:
        start, returns, winners, to_move, ways, perft, plays, judge, judges: its functions.
    """

    start: Callable[..., int]
    returns: Callable[..., int]
    winners: Callable[..., int]
    to_move: Callable[..., int]
    ways: Callable[..., int]
    perft: Callable[..., int]
    plays: Callable[..., int]
    judge: Callable[..., int]
    judges: Callable[..., int]

    def __init__(self, code: bytes) -> None:
        self._library, self._addresses = _linked(code)
        for name, kind in _CALLS.items():
            call = ctypes.CFUNCTYPE(*kind)(self._addresses[name])
            call.library = self._library  # type: ignore[attr-defined]
            setattr(self, name, call)

    def methods(self, context: int, *keeps: object) -> dict[str, Callable[..., Any]]:
        """Return the functions that Python calls directly, by name.

        context: the address of the context in which they run; keeps: what must live as long as they do.
        """
        return {name: method(name, self._addresses[name], context, self._library, *keeps) for name in METHODS}


def _linked(code: bytes) -> tuple[Any, dict[str, int]]:
    """Load object code; return the library, and the addresses of the functions that Python calls."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    # JITLink puts code and constants in one block. LLVM's older linker aborts where no free gap holds both.
    jit = llvm.create_lljit_compiler(use_jit_link=True)
    builder = llvm.JITLibraryBuilder().add_object_img(code)
    names = (*_CALLS, *METHODS)
    for name in names:
        builder.export_symbol(f"ludex_{name}")
    builder.add_current_process()
    tracker = builder.link(jit, "ludex")
    return (jit, tracker), {name: tracker[f"ludex_{name}"] for name in names}
