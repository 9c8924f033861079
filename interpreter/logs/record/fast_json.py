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

_Whole = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]  # the smallest number too large has 21 digits
_value: Any = None | bool | _Whole | float | str
for _ in range(DEEPEST - 1):
    _value = None | bool | _Whole | float | str | list[_value] | dict[str, _value]

_decode, _encode = msgspec.json.Decoder(dict[str, _value]).decode, msgspec.json.Encoder().encode


def decoded(line: bytes) -> dict[str, Json] | None:
    """Decode an object as `DECODER` does; None for a line that `DECODER` or `scan` may refuse."""
    try:
        data: dict[str, Json] = _decode(line)
    except ValueError:
        return None
    written, packed = _encode(data), line.replace(b" ", b"")
    return data if packed in (written, written.replace(b" ", b"")) else None
