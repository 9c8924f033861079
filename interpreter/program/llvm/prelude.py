"""Native code that is the same for every program, as LLVM text: memory, work counters, lists, whole plays."""

from __future__ import annotations

from .builder import CONTEXT
from .shapes import STAMP

PRELUDE = f"""
@empty = internal unnamed_addr constant [8 x i8] zeroinitializer, align 8
@none = internal constant [16 x i8] c"\\00\\00\\00\\00\\00\\00\\00\\00no list.", align 8
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.abs.i64(i64, i1)
define internal i64 @gcd(i64 %one, i64 %two) {{
entry:
  br label %head
head:
  %a = phi i64 [ %one, %entry ], [ %b, %on ]
  %b = phi i64 [ %two, %entry ], [ %rest, %on ]
  %done = icmp eq i64 %b, 0
  br i1 %done, label %end, label %on
on:
  %rest = urem i64 %a, %b
  br label %head
end:
  ret i64 %a
}}
define internal i64 @lcm(i64 %one, i64 %two) {{
  %common = call i64 @gcd(i64 %one, i64 %two)
  %none = icmp eq i64 %common, 0
  %by = select i1 %none, i64 1, i64 %common
  %part = udiv i64 %two, %by
  %found = mul i64 %one, %part
  ret i64 %found
}}
declare {{ i64, i1 }} @llvm.sadd.with.overflow.i64(i64, i64)
declare {{ i64, i1 }} @llvm.ssub.with.overflow.i64(i64, i64)
declare {{ i64, i1 }} @llvm.smul.with.overflow.i64(i64, i64)
define internal ptr @new(ptr %C, i64 %capacity, i64 %stride) alwaysinline {{
  %top.at = getelementptr i8, ptr %C, i64 {CONTEXT["top"]}
  %end.at = getelementptr i8, ptr %C, i64 {CONTEXT["end"]}
  %top = load ptr, ptr %top.at
  %end = load ptr, ptr %end.at
  %many = icmp ugt i64 %capacity, 16777216
  %some = select i1 %many, i64 16777216, i64 %capacity
  %items = mul i64 %some, %stride
  %more = add i64 %items, 15
  %bytes = and i64 %more, -8
  %next = getelementptr i8, ptr %top, i64 %bytes
  %over = icmp ugt ptr %next, %end
  %bad = or i1 %over, %many
  br i1 %bad, label %none, label %well
none:
  ret ptr null
well:
  store ptr %next, ptr %top.at
  store i32 0, ptr %top
  %capacity.at = getelementptr i8, ptr %top, i64 4
  %short = trunc i64 %capacity to i32
  store i32 %short, ptr %capacity.at
  ret ptr %top
}}
define internal ptr @extendable(ptr %C, ptr %list, i64 %stride) alwaysinline {{
  %size = load i32, ptr %list
  %capacity.at = getelementptr i8, ptr %list, i64 4
  %capacity = load i32, ptr %capacity.at
  %fits = icmp ult i32 %size, %capacity
  br i1 %fits, label %there, label %grow
there:
  ret ptr %list
grow:
  %made = call ptr @grown(ptr %C, ptr %list, i64 %stride)
  ret ptr %made
}}
define internal ptr @grown(ptr %C, ptr %list, i64 %stride) noinline {{
  %size = load i32, ptr %list
  %wide = zext i32 %size to i64
  %twice = shl i64 %wide, 1
  %capacity = add i64 %twice, 8
  %made = call ptr @new(ptr %C, i64 %capacity, i64 %stride)
  %none = icmp eq ptr %made, null
  br i1 %none, label %leave, label %fill
fill:
  %bytes = mul i64 %wide, %stride
  %to = getelementptr i8, ptr %made, i64 8
  %from = getelementptr i8, ptr %list, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  store i32 %size, ptr %made
  br label %leave
leave:
  ret ptr %made
}}
define internal i1 @spend(ptr %C, i64 %units) alwaysinline {{
  %left = load i64, ptr %C
  %less = sub i64 %left, %units
  store i64 %less, ptr %C
  %over = icmp slt i64 %less, 0
  ret i1 %over
}}
define internal i1 @deeper(ptr %C) alwaysinline {{
  %at = getelementptr i8, ptr %C, i64 {CONTEXT["depth"]}
  %left = load i64, ptr %at
  %over = icmp sle i64 %left, 0
  %taken = zext i1 %over to i64
  %most = add i64 %left, %taken
  %less = sub i64 %most, 1
  store i64 %less, ptr %at
  ret i1 %over
}}
define internal void @changed(ptr %C, ptr %S) alwaysinline {{
  %clock.at = getelementptr i8, ptr %C, i64 {CONTEXT["clock"]}
  %clock = load i64, ptr %clock.at
  %now = add i64 %clock, 1
  store i64 %now, ptr %clock.at
  %stamp.at = getelementptr i8, ptr %S, i64 {STAMP}
  store i64 %now, ptr %stamp.at
  ret void
}}
define internal void @shallower(ptr %C) alwaysinline {{
  %at = getelementptr i8, ptr %C, i64 {CONTEXT["depth"]}
  %left = load i64, ptr %at
  %more = add i64 %left, 1
  store i64 %more, ptr %at
  ret void
}}
define internal i1 @same(ptr %one, ptr %two, i64 %stride) {{
entry:
  %size = load i32, ptr %one
  %other = load i32, ptr %two
  %as = icmp eq i32 %size, %other
  br i1 %as, label %go, label %no
go:
  %wide = zext i32 %size to i64
  %bytes = mul i64 %wide, %stride
  br label %head
head:
  %at = phi i64 [ 0, %go ], [ %next, %on ]
  %ends = icmp eq i64 %at, %bytes
  br i1 %ends, label %yes, label %look
look:
  %place = add i64 %at, 8
  %p = getelementptr i8, ptr %one, i64 %place
  %q = getelementptr i8, ptr %two, i64 %place
  %a = load i8, ptr %p
  %b = load i8, ptr %q
  %equal = icmp eq i8 %a, %b
  br i1 %equal, label %on, label %no
on:
  %next = add i64 %at, 1
  br label %head
yes:
  ret i1 true
no:
  ret i1 false
}}
"""

SORT = """
define internal void @{name}(ptr %list) {{
entry:
  %hole = alloca [{stride} x i8], align 8
  %short = load i32, ptr %list
  %size = zext i32 %short to i64
  %items = getelementptr i8, ptr %list, i64 8
  br label %head
head:
  %i = phi i64 [ 1, %entry ], [ %i.next, %placed ]
  %goes = icmp slt i64 %i, %size
  br i1 %goes, label %turn, label %done
turn:
  %from = mul i64 %i, {stride}
  %a = getelementptr i8, ptr %items, i64 %from
  br label %find
find:
  %j = phi i64 [ %i, %turn ], [ %before, %less.yes ]
  %first = icmp eq i64 %j, 0
  br i1 %first, label %place, label %look
look:
  %before = sub i64 %j, 1
  %offset = mul i64 %before, {stride}
  %b = getelementptr i8, ptr %items, i64 %offset
{less}  br i1 %less, label %less.yes, label %place
less.yes:
  br label %find
place:
  %stays = icmp eq i64 %j, %i
  br i1 %stays, label %placed, label %shift
shift:
  call void @llvm.memcpy.p0.p0.i64(ptr %hole, ptr %a, i64 {stride}, i1 false)
  %to = mul i64 %j, {stride}
  %p = getelementptr i8, ptr %items, i64 %to
  %q = getelementptr i8, ptr %p, i64 {stride}
  %count = sub i64 %i, %j
  %bytes = mul i64 %count, {stride}
  call void @llvm.memmove.p0.p0.i64(ptr %q, ptr %p, i64 %bytes, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %hole, i64 {stride}, i1 false)
  br label %placed
placed:
  %i.next = add i64 %i, 1
  br label %head
done:
  ret void
}}
"""
"""Sorts a list in place by insertion; what is equal stays in its order. `{less}` says by `%less` whether the item at
`%a` is less than that at `%b`."""

LESS = """
define internal i1 @{name}(ptr %one, ptr %two) {{
entry:
  %m = load i32, ptr %one
  %n = load i32, ptr %two
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %on ]
  %over.two = icmp eq i32 %i, %n
  br i1 %over.two, label %no, label %more
more:
  %over.one = icmp eq i32 %i, %m
  br i1 %over.one, label %yes, label %look
look:
  %wide = zext i32 %i to i64
  %bytes = mul i64 %wide, {stride}
  %place = add i64 %bytes, 8
  %p = getelementptr i8, ptr %one, i64 %place
  %q = getelementptr i8, ptr %two, i64 %place
  %a = load {kind}, ptr %p
  %b = load {kind}, ptr %q
  %equal = icmp eq {kind} %a, %b
  br i1 %equal, label %on, label %apart
apart:
  %less = icmp slt {kind} %a, %b
  ret i1 %less
on:
  %next = add i32 %i, 1
  br label %head
yes:
  ret i1 true
no:
  ret i1 false
}}
"""
"""Compares two lists of numbers lexicographically; a proper prefix is less."""

TAKE = """
define internal i1 @{name}(ptr %list, i64 %piece) {{
entry:
  %short = load i32, ptr %list
  %size = zext i32 %short to i64
  %none = icmp eq i64 %piece, -9223372036854775808
  %word = select i1 %none, i64 {least}, i64 %piece
  %sought = trunc i64 %word to {kind}
  br label %head
head:
  %i = phi i64 [ %size, %entry ], [ %before, %look ]
  %ends = icmp eq i64 %i, 0
  br i1 %ends, label %no, label %look
look:
  %before = sub i64 %i, 1
  %offset = mul i64 %before, {stride}
  %place = add i64 %offset, 8
  %p = getelementptr i8, ptr %list, i64 %place
  %held = load {kind}, ptr %p
  %here = icmp eq {kind} %held, %sought
  br i1 %here, label %found, label %head
found:
  %q = getelementptr i8, ptr %p, i64 {stride}
  %behind = sub i64 %size, %i
  %bytes = mul i64 %behind, {stride}
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 %bytes, i1 false)
  %less = sub i32 %short, 1
  store i32 %less, ptr %list
  ret i1 true
no:
  ret i1 false
}}
"""
"""Removes the last item equal to a number from a list; returns whether there was one."""

_STATUS = """  %why = call i32 @{of}({given})
  ret i32 %why
"""
_MASK = """  %found = call {{ i64, i32 }} @{of}(ptr %C, ptr %S)
  %mask = extractvalue {{ i64, i32 }} %found, 0
  %why = extractvalue {{ i64, i32 }} %found, 1
  store i64 %mask, ptr %out
  ret i32 %why
"""
_COUNT = """  %found = call {{ i64, i32 }} @{of}({given})
  %size = extractvalue {{ i64, i32 }} %found, 0
  %why = extractvalue {{ i64, i32 }} %found, 1
  %wide = sext i32 %why to i64
  %well = icmp eq i32 %why, 0
  %gives = select i1 %well, i64 %size, i64 %wide
  ret i64 %gives
"""
_ENTRIES = {
    "start": (_STATUS, "begun", ""),
    "returns": (_STATUS, "points", ", ptr %out"),
    "ways": (_STATUS, "ways", ", ptr %out"),
    "winners": (_MASK, "winners", ", ptr %out"),
    "to_move": (_MASK, "deciding", ", ptr %out"),
    "judge": (_COUNT, "judged", ", ptr %ids, i64 %many"),
    "perft": (_COUNT, "perft", ", i64 %depth"),
}
"""For each entry what it does with the result, the function that gives it, and its further parameters."""


def _entry(name: str) -> str:
    """Return a function that Python calls. A result below 0 is the reason why there is no answer."""
    body, of, more = _ENTRIES[name]
    given, result = f"ptr %C, ptr %S{more}", "i64" if body is _COUNT else "i32"
    begin = f"define {result} @ludex_{name}({given}) {{\n  call void @changed(ptr %C, ptr %S)\n"
    return f"{begin}{body.format(of=of, given=given)}}}\n"


STATE_ENTRIES = "".join(map(_entry, _ENTRIES))
"""The functions that Python calls for one state."""

PLAYS = """
define i64 @ludex_plays(ptr %C, ptr %start, ptr %S, i64 %seed, i64 %first, i64 %count, i64 %work,
    ptr %points, ptr %winners, ptr %events) {{
entry:
  %random = getelementptr i8, ptr %C, i64 {C[random]}
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %over ]
  %stopped = phi i64 [ 0, %entry ], [ %stopped.next, %over ]
  %goes = icmp slt i64 %i, %count
  br i1 %goes, label %play, label %done
play:
  %begun = call i32 @copied(ptr %C, ptr %S, ptr %start)
  call void @changed(ptr %C, ptr %S)
  %number = add i64 %first, %i
  call void @seeded(ptr %random, i64 %seed, i64 %number)
  store i64 %work, ptr %C
  br label %step
step:
  %n = phi i64 [ 0, %play ], [ %n.next, %next ]
  %why = call i32 @step(ptr %C, ptr %S)
  %more = icmp eq i32 %why, 0
  br i1 %more, label %next, label %ended
next:
  %n.next = add i64 %n, 1
  %broke = call i1 @spend(ptr %C, i64 1)
  br i1 %broke, label %bad.work, label %step
ended:
  %end = icmp eq i32 %why, 1
  br i1 %end, label %judge, label %bad
judge:
  %row = mul i64 %i, {players}
  %place = getelementptr i64, ptr %points, i64 %row
  %won = getelementptr i64, ptr %winners, i64 %i
  %scored = call i32 @ludex_returns(ptr %C, ptr %S, ptr %place)
  %found = call {{ i64, i32 }} @winners(ptr %C, ptr %S)
  %mask = extractvalue {{ i64, i32 }} %found, 0
  store i64 %mask, ptr %won
  %judged = extractvalue {{ i64, i32 }} %found, 1
  %has.points = icmp eq i32 %scored, 0
  %said = select i1 %has.points, i32 %judged, i32 %scored
  %right = icmp eq i32 %said, 0
  %wrong = sext i32 %said to i64
  %tells = select i1 %right, i64 %n, i64 %wrong
  br label %over
bad:
  %wide = sext i32 %why to i64
  br label %over
bad.work:
  br label %over
over:
  %gives = phi i64 [ %tells, %judge ], [ %wide, %bad ], [ {limit}, %bad.work ]
  %out = getelementptr i64, ptr %events, i64 %i
  store i64 %gives, ptr %out
  %sign = lshr i64 %gives, 63
  %stopped.next = add i64 %stopped, %sign
  %i.next = add i64 %i, 1
  br label %head
done:
  ret i64 %stopped
}}
"""
"""Random plays, which Python calls, too; returns how many of them stopped."""

JUDGES = """
define i64 @ludex_judges(ptr %C, ptr %start, ptr %S, ptr %ids, ptr %ends, i64 %first, i64 %count, i64 %work,
    ptr %legal) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %judged ]
  %goes = icmp slt i64 %i, %count
  br i1 %goes, label %judge, label %done
judge:
  %n = add i64 %first, %i
  %next = add i64 %n, 1
  %from.at = getelementptr i64, ptr %ends, i64 %n
  %to.at = getelementptr i64, ptr %ends, i64 %next
  %from = load i64, ptr %from.at
  %to = load i64, ptr %to.at
  %many = sub i64 %to, %from
  %events = getelementptr i64, ptr %ids, i64 %from
  %begun = call i32 @copied(ptr %C, ptr %S, ptr %start)
  store i64 %work, ptr %C
  %found = call i64 @ludex_judge(ptr %C, ptr %S, ptr %events, i64 %many)
  %out = getelementptr i64, ptr %legal, i64 %n
  store i64 %found, ptr %out
  %good = icmp sge i64 %found, 0
  br i1 %good, label %judged, label %done
judged:
  %i.next = add i64 %i, 1
  br label %head
done:
  ret i64 %i
}
"""
"""Legality of many logs, which Python calls, too. ends: where each log begins in the array of all events, and where the
last one ends. Returns how many were judged before the first in which it stopped."""

EVENT_CODE = """
define internal i64 @event(ptr %list, i64 %at, i64 %wide) alwaysinline {
  %offset = mul i64 %at, %wide
  %place = add i64 %offset, 8
  %p = getelementptr i8, ptr %list, i64 %place
  switch i64 %wide, label %eight [ i64 1, label %one  i64 2, label %two  i64 4, label %four ]
one:
  %a = load i8, ptr %p
  %wa = sext i8 %a to i64
  ret i64 %wa
two:
  %b = load i16, ptr %p
  %wb = sext i16 %b to i64
  ret i64 %wb
four:
  %c = load i32, ptr %p
  %wc = sext i32 %c to i64
  ret i64 %wc
eight:
  %d = load i64, ptr %p
  ret i64 %d
}
"""
"""Loads an item of a list of events of a given width, none of which is none."""

WIDE_CODE = """
define internal i64 @wide(ptr %S) alwaysinline {{
  %wait = load i32, ptr %S
  %long = zext i32 %wait to i64
  %p = getelementptr i8, ptr {table}, i64 %long
  %short = load i8, ptr %p
  %bytes = zext i8 %short to i64
  ret i64 %bytes
}}
"""
"""Returns how many bytes an event takes in the list of possible events."""
