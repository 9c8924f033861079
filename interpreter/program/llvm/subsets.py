"""Native code for `fitting` and `parts` (`interpreter/state/subsets.py`): sub-collections whose sums keep limits.

A search is a record in temporary memory: the candidate pieces, their weights for each limit, bounds on the sums of all
remaining pieces, and the progress of the search. Parts are found one after another (backtracking), in the order of the
other engine; a branch is pruned if the remaining pieces cannot bring a sum within its limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from .builder import Function, Limit
from .shapes import HEADER, ItemList

_MOST = 2**40
"""Limit of a weight, of either sign. Sums beyond `_FAR` count as infinite; it takes 2^20 such weights to reach it."""
_FAR = 2**60
FIELDS = (
    "size", "wide", "limits", "depth", "at", "fresh", "pieces", "part", "others", "weights", "ends", "least", "most",
    "totals", "taken",
)  # fmt: skip
"""Words of the record. `wide`: how long a row is. From `pieces` on they are addresses: two lists of pieces; of each
piece the place of the next that is not equal to it; rows of each limit: the weights, the two ends, the least and the
largest sum of the pieces from one on, the sums so far; and the places of the pieces that are taken."""
RECORD = 8 * len(FIELDS)
LIMIT_BYTES = 24
"""Bytes of a limit as an argument: the list of the weights, the lower bound, the upper bound."""


@dataclass
class _Search:
    """Writes one of the two functions for lists of one shape."""

    f: Function
    shape: ItemList

    @property
    def kind(self) -> str:
        return f"i{self.shape.stride * 8}"

    def field(self, name: str, llvm: str = "i64") -> str:
        return self.f.get(self._at(name), llvm)

    def put(self, name: str, value: str, llvm: str = "i64") -> None:
        self.f.put(self._at(name), value, llvm)

    def _at(self, name: str) -> str:
        return self.f.at("%P", 8 * FIELDS.index(name))

    def word(self, name: str, index: str) -> str:
        """Return the address of a word of one of the arrays."""
        return self.f.at(self.field(name, "ptr"), index, "i64")

    def of(self, name: str, limit: str, at: str) -> str:
        """Return the address of a word of a limit's row."""
        wide = "2" if name == "ends" else self.field("wide")
        return self.word(name, self.f.let(f"add i64 {self.f.let(f'mul i64 {limit}, {wide}')}, {at}"))

    def piece(self, name: str, at: str) -> str:
        """Return the address of a piece."""
        return self.f.at(self.f.at(self.field(name, "ptr"), HEADER), at, self.kind)

    def memory(self, size: str) -> str:
        memory = self.f.let(f"call ptr @new(ptr %C, i64 {size}, i64 1)")
        self.f.stop_if(self.f.let(f"icmp eq ptr {memory}, null"), Limit.MEMORY)
        return memory

    def set_size(self, name: str, size: str) -> None:
        self.f.put(self.field(name, "ptr"), self.f.let(f"trunc i64 {size} to i32"), "i32")

    @contextmanager
    def forever(self) -> Iterator[str]:
        """Emit a loop; yields the label after it."""
        head, leave = self.f.label(), self.f.label()
        self.f.begin(head)
        yield leave
        if not self.f.terminated:
            self.f.jump(head)
        self.f.begin(leave)


def search(name: str, shape: ItemList) -> str:
    """Print the function that sets up a search with `%many` limits; its `size` is -1 if no part keeps them."""
    f = Function(name, "ptr %C, ptr %given, ptr %limits, i64 %many", "ptr")
    w = _Search(f, shape)
    size = f.let(f"zext i32 {f.get('%given', 'i32')} to i64")
    more = f.let(f"add i64 {size}, 1")
    cells = f.let(f"mul i64 {more}, %many")
    # Four rows a limit (weights, least, most, totals), two arrays of pieces (others, taken), and two ends a limit: one
    # allocation for all.
    words = f.let(f"add i64 {f.let(f'mul i64 {cells}, 4')}, {f.let(f'mul i64 {more}, 2')}")
    words = f.let(f"add i64 {words}, {f.let('mul i64 %many, 2')}")
    # The record gets the name by which `_Search` addresses it.
    f.do(f"%P = getelementptr i8, ptr {w.memory(str(RECORD))}, i64 0")
    at, place = w.memory(f.let(f"mul i64 {words}, 8")), "0"
    for field, wide in (
        ("others", more), ("taken", more), ("ends", f.let("mul i64 %many, 2")), ("weights", cells), ("least", cells),
        ("most", cells), ("totals", cells),
    ):  # fmt: skip
        w.put(field, f.at(at, place, "i64"), "ptr")
        place = f.let(f"add i64 {place}, {wide}")
    for field in ("pieces", "part"):
        w.put(field, w.memory(f.let(f"add i64 {HEADER}, {f.let(f'mul i64 {size}, {shape.stride}')}")), "ptr")
    for field, value in (
        ("wide", more),
        ("limits", "%many"),
        ("depth", "0"),
        ("at", "0"),
        ("fresh", "1"),
        ("size", "-1"),
    ):
        w.put(field, value)
    source = f.at("%given", HEADER)
    bytes_ = f.let(f"mul i64 {size}, {shape.stride}")
    f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {w.piece('pieces', '0')}, ptr {source}, i64 {bytes_}, i1 false)")
    _weigh(w, size)
    count = f.slot("i64")
    f.put(count, size)
    with w.forever() as leave:
        # Each piece that goes tightens the bounds on the sums, which may exclude further pieces.
        before = f.get(count)
        _keep(w, count)
        again = f.label()
        f.branch(f.let(f"icmp eq i64 {before}, {f.get(count)}"), leave, again)
        f.begin(again)
    size = f.get(count)
    w.put("size", size)
    w.set_size("pieces", size)
    _look_ahead(w, size)
    f.give("%P")
    return f.text()


def _weigh(w: _Search, size: str) -> None:
    """Copy the arguments into the record. A list without weights stands for zeros."""
    f = w.f
    with f.counted("0", "%many") as limit:
        given = f.at("%limits", f.let(f"mul i64 {limit}, {LIMIT_BYTES}"))
        weights = f.get(given, "ptr")
        known = f.let(f"zext i32 {f.get(weights, 'i32')} to i64")
        for end, name in ((0, "smax"), (1, "smin")):
            bound = f.get(f.at(given, 8 + 8 * end))
            # An infinite bound is cut to `_FAR`, so that sums can be added to it without overflow.
            within = f.let(f"call i64 @llvm.{name}.i64(i64 {bound}, i64 {_FAR * (1 if end else -1)})")
            f.put(w.of("ends", limit, str(end)), within)
        with f.counted("0", size) as at:
            weight = f.slot("i64")
            f.put(weight, 0)
            with f.when(f.let(f"icmp slt i64 {at}, {known}")):
                f.put(weight, f.get(f.at(f.at(weights, HEADER), at, "i64")))
            known_weight = f.get(weight)
            # One comparison without a sign tests both ends. It takes 2^20 pieces of weight 2^40 to reach `_FAR`.
            moved = f.let(f"add i64 {known_weight}, {_MOST}")
            f.stop_if(f.let(f"icmp ugt i64 {moved}, {2 * _MOST}"), Limit.NUMBER)
            f.put(w.of("weights", limit, at), known_weight)


def _keep(w: _Search, count: str) -> None:
    """Remove the pieces that no part within the limits can contain."""
    f, size = w.f, w.f.get(count)
    out = f.slot("i64")
    with f.counted("0", "%many") as limit:
        least, most = f.slot("i64"), f.slot("i64")
        f.put(least, 0)
        f.put(most, 0)
        with f.counted("0", size) as at:
            weight = f.get(w.of("weights", limit, at))
            f.put(least, f.let(f"add i64 {f.get(least)}, {f.let(f'call i64 @llvm.smin.i64(i64 {weight}, i64 0)')}"))
            f.put(most, f.let(f"add i64 {f.get(most)}, {f.let(f'call i64 @llvm.smax.i64(i64 {weight}, i64 0)')}"))
        low, high = (f.get(w.of("ends", limit, end)) for end in ("0", "1"))
        # No part of these pieces is within the limit: `size` stays -1.
        over = f.let(f"icmp sgt i64 {f.get(least)}, {high}")
        with f.when(f.let(f"or i1 {over}, {f.let(f'icmp slt i64 {f.get(most)}, {low}')}")):
            f.give("%P")
        f.put(w.of("least", limit, "0"), f.get(least))
        f.put(w.of("most", limit, "0"), f.get(most))
    f.put(out, 0)
    with f.counted("0", size) as at:
        fits = f.slot("i1")
        f.put(fits, "true", "i1")
        with f.counted("0", "%many") as limit:
            weight = f.get(w.of("weights", limit, at))
            low, high = (f.get(w.of("ends", limit, end)) for end in ("0", "1"))
            least, most = (f.get(w.of(name, limit, "0")) for name in ("least", "most"))
            # With this piece, a sum is at least `least + weight`, as `least` counts no piece of positive weight.
            above = f.let(f"icmp sgt i64 {f.let(f'add i64 {least}, {weight}')}, {high}")
            below = f.let(f"icmp slt i64 {f.let(f'add i64 {most}, {weight}')}, {low}")
            adds = f.let(f"icmp sgt i64 {weight}, 0")
            with f.when(f.let(f"select i1 {adds}, i1 {above}, i1 {below}")):
                f.put(fits, "false", "i1")
        with f.when(f.get(fits, "i1")):
            to = f.get(out)
            f.put(w.piece("pieces", to), f.get(w.piece("pieces", at), w.kind), w.kind)
            with f.counted("0", "%many") as limit:
                weight = f.get(w.of("weights", limit, at))
                f.put(w.of("weights", limit, to), weight)
            f.put(out, f.let(f"add i64 {to}, 1"))
    f.put(count, f.get(out))


def _look_ahead(w: _Search, size: str) -> None:
    """Compute for each piece: the next different piece, and bounds on the remaining sums."""
    f = w.f
    last = f.let(f"sub i64 {size}, 1")
    with f.counted("0", "%many") as limit:
        for name in ("least", "most"):
            f.put(w.of(name, limit, size), 0)
        f.put(w.of("totals", limit, "0"), 0)
    # From the last piece on, since each row is made from that of the piece after it.
    with f.counted("0", size) as back:
        at = f.let(f"sub i64 {last}, {back}")
        next_ = f.let(f"add i64 {at}, 1")
        other = f.slot("i64")
        f.put(other, next_)
        with f.when(f.let(f"icmp ne i64 {back}, 0")):
            same = (f.get(w.piece("pieces", place), w.kind) for place in (at, next_))
            with f.when(f.let(f"icmp eq {w.kind} {', '.join(same)}")):
                f.put(other, f.get(w.word("others", next_)))
        f.put(w.word("others", at), f.get(other))
        with f.counted("0", "%many") as limit:
            weight = f.get(w.of("weights", limit, at))
            for name, end in (("least", "smin"), ("most", "smax")):
                rest = f.get(w.of(name, limit, next_))
                more = f.let(f"call i64 @llvm.{end}.i64(i64 {weight}, i64 0)")
                f.put(w.of(name, limit, at), f.let(f"add i64 {rest}, {more}"))
    f.put(w.word("others", size), size)


def next_part(name: str, shape: ItemList) -> str:
    """Print the function that finds the next part, the list `part` of the record; it returns whether there is one."""
    f = Function(name, "ptr %C, ptr %P", "i1")
    w = _Search(f, shape)
    size, many = w.field("size"), w.field("limits")
    with f.when(f.let(f"icmp slt i64 {size}, 0")):
        f.give("false")
    with f.when(f.let(f"icmp ne i64 {w.field('fresh')}, 0")):
        w.put("fresh", "0")
        w.set_size("part", "0")
        with f.when(f.let(f"xor i1 {_all(w, many, lambda limit: _reaches(w, limit, '0', '0'))}, true")):
            w.put("size", "-1")
            f.give("false")
        with f.when(_all(w, many, lambda limit: _is_within(w, limit, "0"))):
            f.give("true")
    with w.forever() as leave:
        # Most of the work finds no part, so each step of the search counts, not each part.
        f.stop_if(f.let("call i1 @spend(ptr %C, i64 1)"), Limit.WORK)
        at, depth = w.field("at"), w.field("depth")
        deeper, back, on = f.label(), f.label(), f.label()
        f.branch(f.let(f"icmp slt i64 {at}, {size}"), deeper, back)
        f.begin(deeper)
        _take(w, many, at, depth, on)
        f.begin(back)
        some = f.label()
        f.branch(f.let(f"icmp eq i64 {depth}, 0"), leave, some)
        f.begin(some)
        less = f.let(f"sub i64 {depth}, 1")
        w.put("depth", less)
        # Parts with an equal piece in its place would be the same parts.
        w.put("at", f.get(w.word("others", f.get(w.word("taken", less)))))
        f.jump(on)
        f.begin(on)
    w.put("size", "-1")
    f.give("false")
    return f.text()


def _take(w: _Search, many: str, at: str, depth: str, on: str) -> None:
    """Add a piece to the part, or skip to the next different piece."""
    f = w.f
    next_, more = f.let(f"add i64 {at}, 1"), f.let(f"add i64 {depth}, 1")
    with f.counted("0", many) as limit:
        weight = f.get(w.of("weights", limit, at))
        had = f.get(w.of("totals", limit, depth))
        f.put(w.of("totals", limit, more), f.let(f"add i64 {had}, {weight}"))
    taken, other = f.label(), f.label()
    f.branch(_all(w, many, lambda limit: _reaches(w, limit, more, next_)), taken, other)
    f.begin(other)
    w.put("at", f.get(w.word("others", at)))
    f.jump(on)
    f.begin(taken)
    f.put(w.word("taken", depth), at)
    f.put(w.piece("part", depth), f.get(w.piece("pieces", at), w.kind), w.kind)
    w.put("depth", more)
    w.put("at", next_)
    with f.when(_all(w, many, lambda limit: _is_within(w, limit, more))):
        w.set_size("part", more)
        f.give("true")
    f.jump(on)


def _all(w: _Search, many: str, holds: Callable[[str], str]) -> str:
    """Emit the test whether a condition holds for all limits."""
    f, holds_all = w.f, w.f.slot("i1")
    f.put(holds_all, "true", "i1")
    with f.counted("0", many) as limit:
        f.put(holds_all, f.let(f"and i1 {f.get(holds_all, 'i1')}, {holds(limit)}"), "i1")
    return f.get(holds_all, "i1")


def _ends(w: _Search, limit: str) -> tuple[str, str]:
    low, high = (w.f.get(w.of("ends", limit, end)) for end in ("0", "1"))
    return low, high


def _reaches(w: _Search, limit: str, depth: str, at: str) -> str:
    """Emit the test whether the pieces from a place on can bring the sum within the limit."""
    f, (low, high) = w.f, _ends(w, limit)
    total = f.get(w.of("totals", limit, depth))
    least, most = (f.get(w.of(name, limit, at)) for name in ("least", "most"))
    bottom, top = (f.let(f"add i64 {total}, {end}") for end in (least, most))
    return f.let(f"and i1 {f.let(f'icmp sle i64 {bottom}, {high}')}, {f.let(f'icmp sge i64 {top}, {low}')}")


def _is_within(w: _Search, limit: str, depth: str) -> str:
    f, (low, high) = w.f, _ends(w, limit)
    total = f.get(w.of("totals", limit, depth))
    return f.let(f"and i1 {f.let(f'icmp sge i64 {total}, {low}')}, {f.let(f'icmp sle i64 {total}, {high}')}")


def limits_of(f: Function, given: Sequence[tuple[str, str, str]]) -> str:
    """Emit the limits in memory as the functions expect them: list of weights, lower and upper bound of each."""
    array = f.slot(f"[{max(1, 3 * len(given))} x i64]")
    for at, (weights, low, high) in enumerate(given):
        f.put(f.at(array, LIMIT_BYTES * at), weights, "ptr")
        f.put(f.at(array, LIMIT_BYTES * at + 8), low)
        f.put(f.at(array, LIMIT_BYTES * at + 16), high)
    return array
