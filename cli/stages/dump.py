"""Dump of intermediate forms as indented text: a node's kind, its short parts beside it, its long parts below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum

from ludex.grammar import Authority, Span, fields_of
from ludex.spec import model, types

# These parts follow from the rest of the tree and fill many rows.
_HIDDEN = frozenset({"frame_size", "locals"})
_TYPES = (
    types.Never | types.Bool | types.Range | types.Words | types.Record | types.PlayerType | types.ComponentType
    | types.Optional | types.SetOf | types.BagOf | types.ListOf
)  # fmt: skip


def dump(value: object, indent: int = 0, label: str = "") -> Iterator[str]:
    """Enumerate the rows of a node."""
    head = "  " * indent + (f"{label}: " if label else "")
    if (short := _short(value)) is not None:
        yield f"{head}{short}"
    elif isinstance(value, Mapping):
        yield f"{head}".rstrip()
        for name, item in value.items():
            yield from dump(item, indent + 1, str(name))
    elif isinstance(value, tuple | list):
        yield head.rstrip()
        for item in value:
            yield from dump(item, indent + 1)
    else:
        yield from _node(value, indent, head)


def _node(value: object, indent: int, head: str) -> Iterator[str]:
    parts = [(name, part) for name, part in fields_of(value) if not (name in _HIDDEN or _is_absent(value, part))]
    beside = [(name, _short(part)) for name, part in parts]
    row = " ".join([type(value).__name__, *(f"{name}={text}" for name, text in beside if text is not None)])
    span = getattr(value, "span", None)
    yield f"{head}{row}" + (f"  @{span.line}:{span.column}" if isinstance(span, Span) else "")
    for (name, part), (_, text) in zip(parts, beside, strict=True):
        if text is None:
            yield from dump(part, indent + 1, name)


def _is_absent(owner: object, part: object) -> bool:
    """Test whether a part can be left out as it has its default; the value of a constant never is."""
    # `false` and `none` are the whole content of a constant.
    return not isinstance(owner, model.Constant) and (part is None or part is False or part == ())


def _short(value: object) -> str | None:
    """Write the value in a word or two, if it has no parts worth a row."""
    match value:
        # Some enumerations are strings, too.
        case str() as text if not isinstance(value, Enum):
            return text if text.isidentifier() else f'"{text}"' if " " in text or not text else text
        case None | bool() | int() | Enum():
            return str(value)
        case Span():
            return f"{value.line}:{value.column}"
        case Authority():
            return _authority(value)
        case frozenset():
            # Shorter words come first, so that numbers ascend.
            return "{" + ", ".join(sorted(map(str, value), key=lambda word: (len(word), word))) + "}"
        case _ if isinstance(value, _TYPES):
            return str(value)
        case model.Element(name=name):
            return name
        case tuple() | list():
            shorts = [_short(item) for item in value]
            row = ", ".join(short for short in shorts if short is not None)
            # A list of more than a row is easier to read with a row for each item.
            return f"({row})" if None not in shorts and len(row) <= 80 else None
        case _:
            return None


def _authority(authority: Authority) -> str:
    cited = (
        f"[{c.document} {', '.join(f'{a}-{b}' if a < b else f'{a}' for a, b in c.lines)}]" for c in authority.citations
    )
    return " ".join([*cited, *(f'{reason.kind} "{reason.text}"' for reason in authority.reasons)]) or "none"
