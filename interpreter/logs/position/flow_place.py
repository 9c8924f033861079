"""The place of a position in the flow: the stack of frames (`../../stack/state.py`) as JSON, by name.

A frame is an object, or the text of its `at` alone:

at: the clause at which it is; `#2` after it is the second of several such statements in one clause.
me: the player who acts.
with: the values of the names that are still needed, by name.
left: what the loops and draws around the place still have to do, by their clauses. What follows from the rest is left
    out: the players, or items, after the present one; one piece to draw; the only zone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from ludex.grammar import Json, Message, did_you_mean, escaped
from ludex.spec import LARGEST_NUMBER, OverBudget, SpecFault, enumerated, found_words, free_slots, is_whole, piece_flow
from ludex.spec import model as m
from ludex.spec import types as t

from ...reference import Rules, Run
from ...stack.places import choices_of, keeping, places_in
from ...stack.routines import Routine
from ...stack.state import DECLINED, Frame, StackState
from ...state.events import DECLINE
from .. import log_codes
from ..structure import OVER, Problem, quoted, unknown_members, wrong_value
from .contents import PositionWriter, Reader

FRAME_MEMBERS = ("at", "me", "with", "left")
_MOST_FRAMES = 1_000

Labels = Mapping[str, tuple[Routine, int]]


def labels_of(rules: Rules, outer: m.Step | None, innermost: bool) -> Labels:
    """Return the places where a frame can be, by their names: the clause, with a number if it has several."""
    places = list(places_in(rules.routines, outer, innermost))
    # A clause may have several places, and a path alone would not tell which.
    paths = [routine.statements[at].path for routine, at in places]
    names = [
        f"{path}#{paths[: number + 1].count(path)}" if paths.count(path) > 1 else path
        for number, path in enumerate(paths)
    ]
    return dict(zip(names, places, strict=True))


def names_of(steps: Sequence[m.Step]) -> list[str]:
    """Name the statements that keep something around a place, numbered like the places."""
    paths = [step.path for step in steps]
    return [
        f"{path}#{paths[: number + 1].count(path)}" if paths.count(path) > 1 else path
        for number, path in enumerate(paths)
    ]


def live_names(routine: Routine, at: int, innermost: bool) -> Iterator[tuple[int, str, t.Type]]:
    """Enumerate the slots that may still be read, with their names and types."""
    # A frame that waits for another continues after its statement, where less is still read.
    read = (routine.read if innermost else routine.read_after)[at]
    # Slot 0 is the player, which has a member of its own.
    for slot in sorted(read - {0}):
        if slot in routine.locals:
            yield slot, *routine.locals[slot]


class Defaults:
    """The remaining items of a loop if the position does not state them: all after the present item."""

    def __init__(self, rules: Rules, cells: Sequence[t.Value], frames: Sequence[Frame]) -> None:
        self.rules, self.state = rules, StackState(tuple(cells), (), tuple(frames))

    def players(self, step: m.ForEachPlayer, me: t.Value, before: t.Value) -> tuple[t.Value, ...] | None:
        """before: the player who acted when the loop began."""
        slots = (before, *self.state.frames[-1].slots[1:])
        return None if me is None else self._items_after(step.order, step.path, me, slots)

    def items(self, step: m.ForEach) -> tuple[tuple[t.Value, ...], ...] | None:
        slots = self.state.frames[-1].slots
        # `me` may have been another player when the loop began.
        known = (None, *slots[1:])
        left = [self._items_after(loop.domain, step.path, slots[loop.slot], known) for loop in step.loops]
        return None if None in left else tuple(each for each in left if each is not None)

    def _items_after(
        self, domain: m.Expr, path: str, item: t.Value, slots: tuple[t.Value, ...]
    ) -> tuple[t.Value, ...] | None:
        """Return the items after the given one; None if they cannot be known, or do not contain it."""
        # The value of a dead name is gone.
        if any(slots[slot] is None for slot in free_slots(domain)):
            return None
        *around, frame = self.state.frames
        try:
            state = replace(self.state, frames=(*around, frame._replace(slots=slots)))
            items = Run(self.rules, state).items(domain, path)
        except OverBudget:
            raise
        except SpecFault:
            return None
        # If an item comes twice, what is after it is not certain.
        return items[items.index(item) + 1 :] if items.count(item) == 1 else None


# ---- writing --------------------------------------------------------------------------------------------------------


class FlowWriter:
    """Writes the frames of states of one table."""

    def __init__(self, contents: PositionWriter, rules: Rules) -> None:
        self.contents, self.table, self.rules = contents, contents.table, rules

    def flow(self, state: StackState) -> Json:
        """Write the stack of frames, the outermost first; one alone without the list around it."""
        written: list[Json] = []
        outer: m.Step | None = None
        for depth, frame in enumerate(state.frames, start=1):
            innermost = depth == len(state.frames)
            labels = labels_of(self.rules, outer, innermost)
            routine, outer = self.rules.routines[frame.routine], self._step(frame)
            label = next(label for label, place in labels.items() if place == (routine, frame.at))
            defaults = Defaults(self.rules, state.cells, state.frames[:depth])
            members = {"at": label, **self._frame(routine, frame, innermost, defaults)}
            # Most places need nothing but the name.
            written.append(members if len(members) > 1 else label)
        return OVER if not written else written[0] if len(written) == 1 else written

    def _step(self, frame: Frame) -> m.Step:
        return self.rules.routines[frame.routine].statements[frame.at]

    def _frame(self, routine: Routine, frame: Frame, innermost: bool, defaults: Defaults) -> dict[str, Json]:
        known = {
            name: self.contents.value(type_, frame.slots[slot])
            for slot, name, type_ in live_names(routine, frame.at, innermost)
            if frame.slots[slot] is not None
        }
        steps = keeping(routine, frame.at, innermost)
        left = self._left(steps, frame, innermost, defaults)
        members = {"me": self._seat(frame.slots[0]), "with": known or None, "left": left or None}
        return {name: content for name, content in members.items() if content is not None}

    def _seat(self, seat: t.Value) -> Json:
        return None if seat is None else self.contents.value(t.PlayerType(self.table.game.players), seat)

    def _left(self, steps: Sequence[m.Step], frame: Frame, innermost: bool, defaults: Defaults) -> dict[str, Json]:
        """Write what the statements keep, from the innermost outwards: each player acts within the next loop."""
        kept, me, left = list(frame.kept), frame.slots[0], dict[str, Json]()
        # The innermost player is in the slot, and each loop knows the player before it.
        for name, step in reversed(list(zip(names_of(steps), steps, strict=True))):
            of = kept.pop()
            match step:
                case m.ForEachPlayer():
                    players, before = of
                    usual = defaults.players(step, me, before)
                    # What the rules can compute is left out, so that a person can write positions by hand.
                    content: Json = None if players == usual else {"players": [self._seat(each) for each in players]}
                    me = before
                    if before is not None:
                        content = {**(content or {}), "me": self._seat(before)}
                case m.AsPlayer():
                    content, me = (None if of is None else {"me": self._seat(of)}), of
                case m.ForEach():
                    listed = zip(step.loops, of, strict=True)
                    items = [[self.contents.value(loop.type, item) for item in each] for loop, each in listed]
                    content = None if of == defaults.items(step) else items
                case m.RepeatTimesStep():
                    content = of
                case m.Simultaneous():
                    before = None
                    # While the players still choose, nobody acts yet, so that no player before it is kept.
                    if not innermost or step is not steps[-1]:
                        before, of = of, kept.pop()
                    chosen = {str(seat + 1): self._chosen(step, each) for seat, each in enumerate(of) if each}
                    content, me = chosen or None, before
                    if before is not None:
                        content = {**chosen, "me": self._seat(before)}
                case _:
                    content = self._moved(step, of)
            if content is not None:
                left[name] = content
        return dict(reversed(left.items()))

    def _chosen(self, step: m.Simultaneous, stated: Any) -> Json:
        if stated == DECLINED:
            return DECLINE
        number, values = stated
        option = step.options[number]
        of = choices_of(self.rules.game, option)
        return {
            "option": number + 1,
            "action": option.name,
            **(
                {"args": {c.name: self.contents.value(c.type, v) for c, v in zip(of, values, strict=True)}}
                if of
                else {}
            ),
        }

    def _moved(self, step: m.Step, kept: Sequence[Any]) -> Json:
        *count, one, two = kept
        # One piece is usual.
        members: dict[str, Json] = {"count": count[0]} if count and count != [1] else {}
        for name, ref, cell in zip(("from", "to"), piece_flow(step).moved[0], (one, two), strict=True):
            zone = ref.element
            # A zone of one place needs no index.
            if zone.count > 1:
                index = self.contents.spelling.index(zone.indices)
                members[name] = list(index.written.values())[cell - zone.offset]
        return members or None


# ---- reading --------------------------------------------------------------------------------------------------------


class FlowReader:
    """Reads the place in the flow, after the contents. Faults are appended to `problems`.

    stands_in: what the place lacks gets a stand-in, and sets `lacks`, instead of a report.
    """

    def __init__(self, contents: Reader, rules: Rules, stands_in: bool = False) -> None:
        self.contents, self.table, self.rules = contents, contents.table, rules
        self.stands_in, self.lacks = stands_in, False
        self.problems, self.player = contents.problems, t.PlayerType(contents.game.players)

    def flow(self, data: Json, pointer: str) -> tuple[Frame, ...]:
        """Read the stack of frames."""
        if data == OVER:
            return ()
        listed = data if isinstance(data, list) else [data]
        # The limit bounds the work for a file that comes from a stranger.
        if not listed or len(listed) > _MOST_FRAMES:
            self._wrong(pointer, Message("position-flow", over=OVER), data)
            return ()
        frames: list[Frame] = []
        outer: m.Step | None = None
        for depth, each in enumerate(listed):
            place = f"{pointer}/{depth}" if isinstance(data, list) else pointer
            frame = self._frame(each, place, outer, depth == len(listed) - 1, frames)
            if frame is None:
                return ()
            frames.append(frame)
            outer = self.rules.routines[frame.routine].statements[frame.at]
        return tuple(frames)

    def _wrong(self, pointer: str, expected: str, data: Json) -> None:
        self.problems.append(wrong_value(pointer, expected, data, log_codes.POSITION_PLACE))

    def _frame(
        self, data: Json, pointer: str, outer: m.Step | None, innermost: bool, frames: Sequence[Frame]
    ) -> Frame | None:
        members, labels = {"at": data} if isinstance(data, str) else data, labels_of(self.rules, outer, innermost)
        if not isinstance(members, dict) or "at" not in members:
            self._wrong(pointer, Message("position-place", sample=next(iter(labels), "play"), member="at"), data)
            return None
        label = members["at"]
        # A damaged label may be of any kind.
        if not isinstance(label, str) or label not in labels:
            self._no_place(label, labels, pointer if isinstance(data, str) else f"{pointer}/at", innermost)
            return None
        self.problems += unknown_members(
            members, FRAME_MEMBERS, pointer, Message("position-a-place"), log_codes.POSITION_MEMBER
        )
        routine, at = labels[label]
        # Slots that are not read again need no value.
        slots: list[t.Value] = [None] * routine.size
        slots[0] = self._seat(members.get("me"), f"{pointer}/me")
        self._names(routine, at, innermost, members.get("with", {}), f"{pointer}/with", slots)
        frame, steps = Frame(routine.name, at, tuple(slots)), keeping(routine, at, innermost)
        # Without this, the rules would fail later, and the fault would be shown as one of the spec.
        if slots[0] is None and any(isinstance(each, m.Decide | m.ForEachPlayer) for each in routine.around(at)):
            self._lacking(f"{pointer}/me", "me", "player")
        # What a loop has left is computed by the rules, which need contents without faults.
        if self.problems:
            return frame
        defaults = Defaults(self.rules, self.contents.cells, (*frames, frame))
        return frame._replace(
            kept=self._left(steps, members.get("left", {}), f"{pointer}/left", frame, innermost, defaults)
        )

    def _no_place(self, label: Json, labels: Labels, pointer: str, innermost: bool) -> None:
        several = [name for name in labels if name.partition("#")[0] == label]
        if several:
            message = Message("position-several-places", name=quoted(label))
            hint: str = Message("write", text=enumerated(several))
        else:
            never = "position-never-waits" if innermost else "position-never-inside"
            is_name = isinstance(label, str)
            kind = Message("expected", expected=Message("position-place-name"), found=found_words(label))
            message = Message(never, name=quoted(label)) if is_name else kind
            known = enumerated(list(labels)[:8])
            # A long list of places would fill the screen.
            hint = did_you_mean(str(label), labels) or Message("position-the-places", names=known)
        self.problems.append(Problem(log_codes.POSITION_PLACE, pointer, message, hint))

    def _seat(self, data: Json, pointer: str) -> t.Value:
        return None if data is None else self.contents.value(self.player, data, pointer)

    def _names(
        self, routine: Routine, at: int, innermost: bool, data: Json, pointer: str, slots: list[t.Value]
    ) -> None:
        """Read the values of names into the slots."""
        if not isinstance(data, dict):
            self._wrong(pointer, Message("position-values-by-name"), data)
            return
        live = {name: (slot, type_) for slot, name, type_ in live_names(routine, at, innermost)}
        self.problems += unknown_members(data, live, pointer, Message("position-this-place"), log_codes.POSITION_MEMBER)
        for name, (slot, type_) in live.items():
            if name in data:
                slots[slot] = self.contents.value(type_, data[name], f"{pointer}/{escaped(name)}")
            # The value `none` is not written, so that it may be missing.
            elif not isinstance(type_, t.Optional):
                self._lacking(f"{pointer}/{name}", name, "needed")
                slots[slot] = t.zero(type_)

    def _lacking(self, pointer: str, name: str, what: Literal["player", "players", "items", "needed"]) -> None:
        if self.stands_in:
            self.lacks = True
            return
        message = Message(f"position-lacks-{what}", name=name)
        # The member is missing, so that the place is the object around it.
        self.problems.append(Problem(log_codes.POSITION_PLACE, pointer.rpartition("/")[0], message))

    def _left(
        self,
        steps: Sequence[m.Step],
        data: Json,
        pointer: str,
        frame: Frame,
        innermost: bool,
        defaults: Defaults,
    ) -> tuple[Any, ...]:
        """Read what the statements keep, from the innermost outwards."""
        if not isinstance(data, dict):
            self._wrong(pointer, Message("position-left"), data)
            return ()
        names = names_of(steps)
        self.problems += unknown_members(data, names, pointer, Message("position-under-way"), log_codes.POSITION_MEMBER)
        kept: list[Any] = []
        me = frame.slots[0]
        for name, step in reversed(list(zip(names, steps, strict=True))):
            place, content = f"{pointer}/{escaped(name)}", data.get(name)
            match step:
                case m.ForEachPlayer():
                    members = self._object(content, ("players", "me"), place)
                    before = self._seat(members.get("me"), f"{place}/me")
                    usual = defaults.players(step, me, before)
                    if "players" in members:
                        usual = self._list(self.player, members["players"], f"{place}/players")
                    elif usual is None:
                        self._lacking(f"{pointer}/{name}", name, "players")
                        usual = ()
                    me = before
                    kept.append((usual, me))
                case m.AsPlayer():
                    me = self._seat(self._object(content, ("me",), place).get("me"), f"{place}/me")
                    kept.append(me)
                case m.ForEach():
                    kept.append(self._items(step, content, place, pointer, name, defaults))
                case m.RepeatTimesStep():
                    # A missing member has no place of its own.
                    where = pointer if content is None else place
                    kept.append(self._count(content, 0, where, Message("position-how-often", name=name)))
                case m.Simultaneous():
                    is_last = innermost and step is steps[-1]
                    seats = tuple(str(seat + 1) for seat in range(self.table.game.players))
                    members = self._object(content, seats if is_last else (*seats, "me"), place)
                    stated = [
                        self._chosen(step, members[seat], f"{place}/{seat}") if seat in members else None
                        for seat in seats
                    ]
                    if not is_last:
                        me = self._seat(members.get("me"), f"{place}/me")
                        kept.append(me)
                    kept.append(tuple(stated))
                case _:
                    kept.append(self._moved(step, self._object(content, ("count", "from", "to"), place), place))
        return tuple(reversed(kept))

    def _object(self, data: Json, known: Sequence[str], pointer: str) -> Mapping[str, Json]:
        if data is None:
            return {}
        if not isinstance(data, dict):
            self._wrong(pointer, Message("object-with", names=enumerated(known)), data)
            return {}
        self.problems += unknown_members(data, known, pointer, Message("position-this"), log_codes.POSITION_MEMBER)
        return data

    def _list(self, type_: t.Type, data: Json, pointer: str) -> tuple[t.Value, ...]:
        if not isinstance(data, list):
            self._wrong(pointer, Message("position-to-come"), data)
            return ()
        return tuple(self.contents.value(type_, item, f"{pointer}/{at}") for at, item in enumerate(data))

    def _items(
        self, step: m.ForEach, data: Json, place: str, pointer: str, name: str, defaults: Defaults
    ) -> tuple[Any, ...]:
        if data is None:
            usual = defaults.items(step)
            if usual is None:
                self._lacking(f"{pointer}/{name}", name, "items")
            return usual or ((),) * len(step.loops)
        if not isinstance(data, list) or len(data) != len(step.loops):
            count = len(step.loops)
            self._wrong(place, Message("position-loops-to-come", count=count, name=name), data)
            return ()
        loops = enumerate(zip(step.loops, data, strict=True))
        return tuple(self._list(loop.type, items, f"{place}/{at}") for at, (loop, items) in loops)

    def _chosen(self, step: m.Simultaneous, data: Json, pointer: str) -> Any:
        if data == DECLINE:
            return DECLINED
        members = self._object(data, ("option", "action", "args"), pointer)
        place = f"{pointer}/option" if "option" in members else pointer
        number = self._count(members.get("option"), 1, place, Message("position-option-number"), len(step.options))
        option = step.options[number - 1]
        # The name is for readers, but a wrong one shows a wrong number.
        if members.get("action", option.name) != option.name:
            self._wrong(
                f"{pointer}/action",
                Message("position-option-action", number=number, action=option.name),
                members["action"],
            )
        choices = choices_of(self.rules.game, option)
        args = self._object(members.get("args"), [choice.name for choice in choices], f"{pointer}/args")
        values = [
            self.contents.value(choice.type, args.get(choice.name), f"{pointer}/args/{escaped(choice.name)}")
            for choice in choices
        ]
        return number - 1, tuple(values)

    def _moved(self, step: m.Step, members: Mapping[str, Json], pointer: str) -> tuple[Any, ...]:
        cells = [
            self._cell(zone.element, members.get(name), f"{pointer}/{name}")
            for name, zone in zip(("from", "to"), piece_flow(step).moved[0], strict=True)
        ]
        if not isinstance(step, m.DrawPieces):
            return tuple(cells)
        count = self._count(members.get("count", 1), 1, f"{pointer}/count", Message("position-still-drawn"))
        return (count, *cells)

    def _count(self, data: Json, least: int, pointer: str, what: str, most: int = LARGEST_NUMBER) -> int:
        if is_whole(data) and data is not None and least <= data <= most:
            return int(data)
        if data is None and self.stands_in:
            self.lacks = True
            return least
        within = Message("position-within", what=what, low=least, high=most) if most < LARGEST_NUMBER else what
        self._wrong(pointer, within, data)
        # Any valid number keeps the reader going.
        return least

    def _cell(self, zone: m.Element, data: Json, pointer: str) -> int:
        if zone.count == 1 and data is None:
            return zone.offset
        index = self.contents.spelling.index(zone.indices)
        indices = self.contents.spelling.indices(zone.indices, data) if isinstance(data, str) else None
        if indices is None:
            some = next(iter(index.written.values()))
            self._wrong(
                pointer if data is not None else pointer.rpartition("/")[0],
                Message("position-place-of", name=zone.name, sample=some),
                data,
            )
            return zone.offset
        return zone.offset + list(index.written).index(indices)
