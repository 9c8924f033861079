"""Fast decoder of the lines of a log, for lines without fault. `DECODER` and `scan` judge whatever it does not decode.

Fast decoders accept what a log may not contain, such as a member twice. But what they make of such a line is not what
the line says. So a line is taken as good if the encoder writes the same line again, apart from blanks. Good JSON in
another spelling (escapes that are not needed, tabs) is not decoded here.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from ludex.grammar import Json

DEEPEST = 8
"""Most levels of objects and lists in a line; those of events and claims are fewer."""

SHORT, MEMO = 200, 4_000
"""Lines of at most this many bytes, and so many of them, are memoized: logs of a game have many lines in common."""

_Whole = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]  # the smallest number too large has 21 digits
_value: Any = None | bool | _Whole | float | str
for _ in range(DEEPEST - 1):
    _value = None | bool | _Whole | float | str | list[_value] | dict[str, _value]

_decode, _encode = msgspec.json.Decoder(dict[str, _value]).decode, msgspec.json.Encoder().encode

_decoded: dict[bytes, dict[str, Json]] = {}


def decoded(line: bytes) -> dict[str, Json] | None:
    """Decode an object as `DECODER` does; None for a line that `DECODER` or `scan` may refuse.

    Equal short lines give the same object, which nobody may change.
    """
    known = _decoded.get(line)
    if known is not None:
        return known
    try:
        data: dict[str, Json] = _decode(line)
    except ValueError:
        return None
    written, packed = _encode(data), line.replace(b" ", b"")
    if packed not in (written, written.replace(b" ", b"")):
        return None
    if len(line) <= SHORT:
        if len(_decoded) >= MEMO:
            _decoded.clear()
        _decoded[line] = data
    return data
