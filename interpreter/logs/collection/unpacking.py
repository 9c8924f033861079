"""Reading of compressed files within bounds, so that a small file cannot exhaust the machine.

Their first bytes show whether they are gzip or Zstandard, whatever the file is called.
"""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from pathlib import Path
from typing import Any, BinaryIO, cast

from ludex.grammar import Diagnostic, Failure, Message, open_bytes, unreadable, whole_file

from .. import log_codes
from ..record import MAX_LOG_BYTES

GZIP, ZSTANDARD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
PACKED_ENDINGS = (".gz", ".zst")
MOST_UNPACKED = 1_000
"""The largest ratio of the unpacked bytes to the packed ones, beyond the size of one log. 2,000 random games of
tic-tac-toe, which are much alike, have 70 times the size with gzip and 80 times with `zstd -19`."""
FREE_LOGS = 1_000
"""A packed file may hold so many logs, and one more for each of its bytes. Different logs cannot be packed that small:
20,000 random games of Kuhn poker, of which there are only 30, take 2.35 bytes each with gzip, 1.8 with `zstd -22`."""
WINDOW = 27
"""The most memory that unpacking Zstandard may take, as a binary logarithm: 128 MB, as for the program `zstd`."""
CHECKSUM = 4
"""The bytes of a checksum of Zstandard."""
INSTALL = "pip install 'ludex[zstd]'"


class PackedFault(Exception):
    """A packed file cannot be read further; the exception has the finding that says why."""

    def __init__(self, finding: Diagnostic) -> None:
        self.finding = finding
        super().__init__(finding.message)


def without_packing(name: str) -> str:
    """Return a file's name without the ending of a packed file: `games.jsonl.gz` holds `games.jsonl`."""
    packed = next((ending for ending in PACKED_ENDINGS if name.lower().endswith(ending)), "")
    # The ending in the file's name may have capitals.
    return name.removesuffix(name[len(name) - len(packed) :]) if packed else name


def unpacked_stream(stream: io.BufferedReader, file: str) -> io.BufferedReader:
    """Return the stream, or that of what is packed in it. Raises PackedFault, as does reading from the new stream."""
    # Peeking leaves the bytes in the stream, which may be a pipe.
    first = stream.peek(len(ZSTANDARD))[: len(ZSTANDARD)]
    if first.startswith(GZIP):
        packed = _Counted(stream)
        return io.BufferedReader(_Bounded(gzip.GzipFile(fileobj=cast(BinaryIO, packed)), packed, file, ()))
    if first != ZSTANDARD:
        return stream
    zstd = _zstd(file)
    packed = _Trickling(stream)
    options = {zstd.DecompressionParameter.window_log_max: WINDOW}
    return io.BufferedReader(_Bounded(zstd.ZstdFile(packed, options=options), packed, file, (zstd.ZstdError,)))


def packed_like(file: str, content: bytes) -> bytes:
    """Pack bytes as the file is packed. Raises Failure if it cannot be read."""
    stream = open_bytes(Path(file))
    if isinstance(stream, Diagnostic):
        raise Failure((stream,))
    with stream:
        first = stream.read(len(ZSTANDARD))
    if first.startswith(GZIP):
        # Without the time, equal contents give equal files.
        return gzip.compress(content, mtime=0)
    return bytes(_zstd(file).compress(content)) if first == ZSTANDARD else content


def _zstd(file: str) -> Any:
    """Return the module, which is in the standard library from Python 3.14 on. Raises PackedFault."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        message = Message("log-packed-package", install=f"`{INSTALL}`")
        raise PackedFault(Diagnostic(log_codes.PACKED_UNKNOWN, message, whole_file(file))) from None
    return zstd


class _Counted(io.RawIOBase):
    """The packed bytes; `count` says how many were read."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream, self.count = stream, 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        # `read1`: a pipe may have only a part of the requested bytes, and the rest must not be waited for.
        piece = self._stream.read1(size)
        self.count += len(piece)
        return piece


class _Trickling(_Counted):
    """The packed bytes, of which the last ones come one by one.

    Zstandard drops what it unpacks together with a checksum that is wrong, and the checksum is at the end.
    """

    def __init__(self, stream: io.BufferedReader) -> None:
        super().__init__(stream)
        self._held, self._has_ended = b"", False

    def read(self, size: int = -1) -> bytes:
        while not self._has_ended and len(self._held) <= CHECKSUM:
            piece = super().read(size)
            self._held, self._has_ended = self._held + piece, not piece
        shown = 1 if self._has_ended else len(self._held) - CHECKSUM
        piece, self._held = self._held[:shown], self._held[shown:]
        return piece


class _Bounded(io.RawIOBase):
    """The unpacked bytes, up to the bound. faults: what the module that unpacks raises for damaged bytes."""

    def __init__(self, stream: Any, packed: _Counted, file: str, faults: tuple[type[Exception], ...]) -> None:
        self._stream, self._packed, self._file = stream, packed, file
        # A file that is cut off ends in the middle of what it packs.
        self._faults: tuple[type[Exception], ...] = (*faults, EOFError, zlib.error, gzip.BadGzipFile)
        self._count = 0
        self._fault: Diagnostic | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._fault is not None:
            raise PackedFault(self._fault)
        piece = self._piece(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)

    def _piece(self, size: int) -> bytes:
        """Return the next bytes; none where the file cannot be read further, which is raised at the next reading.

        An exception at once would cost the reader the beginning of a line that it has.
        """
        try:
            # `read` would drop what it has when the damage comes.
            piece: bytes = self._stream.read1(size)
        except self._faults as fault:
            # The library's own words are English, and are about its bytes.
            is_cut = isinstance(fault, EOFError)
            message = Message("log-packed-broken-off") if is_cut else Message("log-packed-damaged")
            self._fault = Diagnostic(log_codes.PACKED_DAMAGED, message, whole_file(self._file))
            return b""
        except OSError as fault:
            self._fault = unreadable(self._file, fault)
            return b""
        self._count += len(piece)
        # A bomb shows by the ratio of the sizes, as a file of many logs may have any size.
        if self._count > MAX_LOG_BYTES + MOST_UNPACKED * self._packed.count:
            message = Message("log-packed-too-large", times=MOST_UNPACKED)
            self._fault = Diagnostic(log_codes.PACKED_TOO_FAR, message, whole_file(self._file))
            return b""
        return piece

    def check_logs(self, count: int) -> None:
        """Check that the bytes so far may hold so many logs. Raises PackedFault if not."""
        if count > FREE_LOGS + self._packed.count:
            message = Message("log-packed-too-many", free=FREE_LOGS)
            raise PackedFault(Diagnostic(log_codes.PACKED_TOO_FAR, message, whole_file(self._file)))


def check_logs(stream: io.BufferedReader, count: int) -> None:
    """Check that an unpacked stream may hold so many logs; any that is not packed may. Raises PackedFault."""
    if isinstance(stream.raw, _Bounded):
        stream.raw.check_logs(count)
