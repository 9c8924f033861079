"""Elaboration of updates: statements that change states and zones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from ludex.grammar import Note, Span
from ludex.grammar import syntax as s

from .. import model as m
from .. import spec_codes
from ..model.board_layout import BoardLayout, layout_of
from ..model.piece_flow import may_reveal, piece_flow
from ..ranges.bounds import UNBOUNDED, apart
from ..text import place_of
from ..values.board_signs import EMPTY
from ..values.types import BagOf, Never, Range, SetOf, Type, element_type, fits
from .expressions import ExpressionElaborator
from .names import first_argument
from .scope import Scope, expression_key, is_poison, poison
from .symbols import ElementFunction, Faulty, Symbols

SHAPES = {"pile": "a pile", "bag": "a bag", "one": "a zone for one piece"}


@dataclass(slots=True)
class Updates:
    """Elaborates statements that change states and zones.

    in_sight: the visible piles that were reported as shuffled, so that each is reported once.
    """

    symbols: Symbols
    ex: ExpressionElaborator
    in_sight: set[str] = field(default_factory=set)

    # ---- states -----------------------------------------------------------------------------------------------

    def assign(self, node: s.Assign, scope: Scope) -> m.Step:
        """Elaborate `PLACE := VALUE`, `+=` or `-=`, on a state of the game or of the action."""
        local = scope.names.get(node.place.name)
        if local is not None and not node.place.my and node.place.arguments is None:
            if local.kind != "state" and not isinstance(local.type, Never):
                message = f"`{local.name}` cannot be changed; only a `state` can"
                self.symbols.diagnostics.report(spec_codes.WRONG_PLACE, message, node.place.span)
            scope.frame.written.add(local.slot)
            current: m.Expr = m.Local(local.type, node.place.span, local.slot)
            return m.SetLocal(scope.path, node.span, local.slot, self._new_value(node, current, scope))
        ref = self._place(node.place, scope)
        if ref is not None and ref.element.is_zone:
            message = f"`{node.place.name}` is a zone: pieces are moved, not assigned"
            self.symbols.diagnostics.report(spec_codes.WRONG_PLACE, message, self._named(node.place))
        elif ref is not None:
            current = m.Read(ref.element.type, node.place.span, ref.element, ref.indices)
            return m.Store(scope.path, node.span, ref.element, ref.indices, self._new_value(node, current, scope))
        else:
            # The value is still elaborated, so that its own faults are reported, too.
            self._new_value(node, m.Local(self._stored(node.place), node.place.span, 0), scope)
        return m.Sequence(scope.path, node.span, ())

    def draw_board(self, node: s.Drawing, scope: Scope) -> m.Step:
        """Elaborate rows of signs: each cell of a state is assigned, and each piece of an empty zone put there."""
        function = self.symbols.functions.get(node.place.name)
        if isinstance(function, Faulty):
            return m.Sequence(scope.path, node.span, ())
        if not isinstance(function, ElementFunction):
            self._no_place(node.place, scope)
            return m.Sequence(scope.path, node.span, ())
        self.symbols.uses.calls.add((None, node.place.name))
        element = function.element
        seats = tuple(str(seat + 1) for seat in range(self.symbols.players.count))
        # In an example the players have names, which are their signs.
        named = tuple(sorted(scope.cast, key=lambda name: scope.cast[name]))
        players = named if len(named) == len(seats) else ()
        layout = layout_of(element, element.name in self.symbols.setting.from_below, seats, players)
        if layout.signs is None:
            message = f"`{element.name}` has no board that rows of signs could draw"
            self.symbols.diagnostics.report(spec_codes.WRONG_PLACE, message, self._named(node.place))
            return m.Sequence(scope.path, node.span, ())
        pairs = tuple((str(of), of) for of in element.indices[: layout.shape.by_player])
        arguments = (*first_argument(node.place), *(node.place.arguments or ()))
        first = self.ex.names.arguments(node.place.name, pairs, arguments, scope)
        # A fault in the arguments was reported, and no cell can be drawn without them.
        steps = self._drawn(node, layout, first or (), scope) if len(first or ()) == len(pairs) else ()
        return m.Sequence(scope.path, node.span, tuple(steps))

    def _drawn(self, node: s.Drawing, layout: BoardLayout, first: tuple[m.Expr, ...], scope: Scope) -> Iterator[m.Step]:
        """Enumerate the steps for the cells of a drawing, up to its first fault."""
        element, signs, rows = layout.element, layout.signs, [row.signs.split() for row in node.rows]
        assert signs is not None
        if len(rows) != len(layout.rows):
            message = f"`{element.name}` has {len(layout.rows)} rows of signs, not {len(rows)}"
            self.symbols.diagnostics.report(spec_codes.WRONG_TYPE, message, node.rows[-1].span)
            return
        for row, written, places in zip(node.rows, rows, layout.rows, strict=True):
            if len(written) != len(places):
                message = f"this row of `{element.name}` has {len(places)} signs, not {len(written)}"
                self.symbols.diagnostics.report(spec_codes.WRONG_TYPE, message, row.span)
                # The first fault may shift all that follows, so only it is reported.
                return
            for sign, place in zip(written, places, strict=True):
                is_none = sign == EMPTY and signs.read.get(sign) is None
                if sign not in signs.read or (is_none and not layout.may_be_empty):
                    known = " ".join(each for value, each in signs.written.items() if value is not None)
                    message = f"`{element.name}` has no sign `{sign}`"
                    self.symbols.diagnostics.report(spec_codes.WRONG_TYPE, message, row.span, f"the signs are {known}")
                    return
                rest = element.indices[len(first) :]
                indices = (*first, *(m.Constant(of, row.span, at) for of, at in zip(rest, place, strict=True)))
                value = m.Constant(element.type, row.span, signs.read[sign])
                if not element.is_zone:
                    yield m.Store(scope.path, row.span, element, indices, value)
                elif not is_none:
                    yield m.PutPiece(scope.path, row.span, value, m.ZoneRef(element, indices), False)

    def _stored(self, node: s.Place) -> Type:
        """Return the type of the values that a state holds."""
        function = self.symbols.functions.get(node.name)
        known = isinstance(function, ElementFunction) and not function.element.is_zone
        return function.element.type if known and isinstance(function, ElementFunction) else Never()

    def _named(self, node: s.Place) -> Span:
        return node.name.span

    def _new_value(self, node: s.Assign, current: m.Expr, scope: Scope) -> m.Expr:
        if node.operator == ":=":
            return self.ex.wanted(node.value, current.type, scope)
        if isinstance(current.type, Never):
            # The value is elaborated all the same, though the type to which it is added is unknown.
            self.ex.expr(node.value, scope, Never())
            if node.bound:
                self.ex.expr(node.bound, scope)
            return poison(node.span)
        operator: Literal["+", "-"] = "+" if node.operator == "+=" else "-"
        if element_type(current.type) is not None:
            value = self._items(node.value, current.type, scope)
            # The result may be larger than the capacity, which is checked when it is stored.
            return self.ex.fit(m.Combine(current.type, node.span, operator, current, value), current.type, scope)
        amount = self.ex.integer(node.value, scope)
        bound = self.ex.integer(node.bound, scope) if node.bound else None
        current = self.ex.numeric(current, scope)
        if is_poison(amount) or (bound and is_poison(bound)) or not isinstance(current.type, Range):
            return poison(node.span)
        result = self.ex.calculated(operator, current, amount, node.span)
        if bound is not None:
            # A fault is shown at the bound if no value of the state lies beyond it, else at the whole statement.
            place = bound.span if apart(bound.type, current.type) else node.span
            result = self.ex.extremum("min" if operator == "+" else "max", (result, bound), place)
        return self.ex.fit(result, current.type, scope)

    def _items(self, node: s.Expression, type_: Type, scope: Scope) -> m.Expr:
        """Elaborate the items that are added to or removed from a collection."""
        items = self.ex.expr(node, scope, type_)
        item_type = element_type(type_)
        # A set may be added to a bag: each of its items counts once.
        if isinstance(type_, BagOf) and isinstance(items.type, SetOf) and item_type and fits(items.type.of, item_type):
            return items
        return self.ex.fit(items, type_, scope)

    # ---- zones ------------------------------------------------------------------------------------------------

    def _place(self, node: s.Place, scope: Scope) -> m.ZoneRef | None:
        """Elaborate a state or zone with its indices. Return None if a fault was reported."""
        function = self.symbols.functions.get(node.name)
        if isinstance(function, Faulty):
            return None
        if not isinstance(function, ElementFunction):
            self._no_place(node, scope)
            return None
        self.symbols.uses.calls.add((None, node.name))
        element = function.element
        arguments = (*first_argument(node), *(node.arguments or ()))
        pairs = tuple((str(t), t) for t in element.indices)
        given = self.ex.names.arguments(node.name, pairs, arguments, scope)
        return None if given is None else m.ZoneRef(element, given)

    def _no_place(self, node: s.Place, scope: Scope) -> None:
        """Report a place that is not a state or zone."""
        local = scope.names.get(node.name)
        owned = (*(n for n, v in scope.names.items() if v.kind == "state"),)
        names = [n for n, f in self.symbols.functions.items() if isinstance(f, ElementFunction)]
        # The fault of its declaration was reported.
        if node.name in self.symbols.taken:
            return
        if local is not None:
            what = "a state of this action" if local.kind == "state" else "a name for a value"
            message = f"`{node.name}` is {what}: it holds no pieces"
        elif node.name == "me":
            message = "`me` cannot be changed: another player acts under `as PLAYER`"
        elif (kind := self.symbols.kind_of(node.name, "zone")) is not None:
            message = f"`{node.name}` is {kind}; only states and zones can be changed"
        else:
            self.symbols.unknown("state or zone", node.name, [*names, *owned])
            return
        self.symbols.diagnostics.report(spec_codes.WRONG_PLACE, message, self._named(node))

    def zone(self, node: s.Place, scope: Scope, *shapes: str) -> m.ZoneRef | None:
        """Elaborate a zone of one of some shapes (any, if none is given). Return None if a fault was reported."""
        ref = self._place(node, scope)
        if ref is None:
            return None
        if not ref.element.is_zone:
            message = f"`{node.name}` is a state: it holds a value, not pieces"
            self.symbols.diagnostics.report(spec_codes.WRONG_PLACE, message, self._named(node))
            return None
        if shapes and ref.element.kind not in shapes:
            wanted = " or ".join(SHAPES[shape] for shape in shapes)
            message = f"`{node.name}` is {SHAPES[ref.element.kind]}, and {wanted} is needed"
            self.symbols.diagnostics.report(spec_codes.WRONG_PLACE, message, self._named(node))
            return None
        return ref

    def is_unseen(self, zone: m.ZoneRef, node: s.Place, consequence: str) -> bool:
        """Return whether no player sees the order of a zone. A visible pile is reported, once.

        consequence: the rest of the message, after "so"."""
        element = zone.element
        if element.kind != "pile" or element.visibility == "hidden":
            return True
        # One report for each zone is enough, since the declaration has to change.
        if element.name in self.in_sight:
            return False
        self.in_sight.add(element.name)
        who = "everybody sees" if element.visibility == "open" else "its owner sees"
        message = f"{who} what is in `{element.name}`, so {consequence}"
        notes = (Note("it is declared here", place_of(self.symbols.declared.names[element.name])),)
        indices = f"({', '.join(map(str, element.indices))})" if element.indices else ""
        hint = f"declare it hidden: `zone {element.name}{indices}: pile of {element.type}, hidden`"
        self.symbols.diagnostics.report(spec_codes.SHUFFLED_IN_SIGHT, message, self._named(node), hint, notes)
        return False

    def _target(self, node: s.Target, scope: Scope) -> m.ZoneRef | None:
        return self.zone(node.place, scope, *(("pile",) if node.end else ()))

    def zone_step(self, node: s.Statement, scope: Scope) -> m.Step:
        """Elaborate a statement on zones, and register its chance events; a faulty one becomes an empty sequence."""
        step = self._zone_step(node, scope)
        if may_reveal(step):
            (source, _), *_ = piece_flow(step).moved
            self.symbols.events.chance(scope.path, source.element.type, node.span)
        return step

    def _zone_step(self, node: s.Statement, scope: Scope) -> m.Step:
        nothing = m.Sequence(scope.path, node.span, ())
        match node:
            case s.Fill(place=place, value=value):
                zone = self.zone(place, scope)
                pieces = self._several(value, zone, scope)
                return m.FillZone(scope.path, node.span, zone, pieces) if zone and pieces else nothing
            case s.Shuffle(place=place):
                zone = self.zone(place, scope, "pile", "bag")
                if zone is None or not self.is_unseen(zone, place, "it cannot be shuffled"):
                    return nothing
                return m.ShuffleZone(scope.path, node.span, zone)
            case s.Swap(left=left, right=right):
                one = self.zone(left, scope, "one")
                # A fault in the first zone is enough.
                other = self.zone(right, scope, "one") if one else None
                if not (one and other and self.agree(one, other, right.span)):
                    return nothing
                return m.SwapPieces(scope.path, node.span, one, other)
            case s.Put(piece=piece, target=target):
                zone = self._target(target, scope)
                given = self._pieces(piece, zone, scope)
                bottom = target.end == "bottom"
                return m.PutPiece(scope.path, node.span, given, zone, bottom) if zone and given else nothing
            case s.Remove(piece=piece, source=source):
                zone = self.zone(source, scope)
                given = self._pieces(piece, zone, scope)
                return m.RemovePiece(scope.path, node.span, given, zone) if zone and given else nothing
            case s.Draw():
                return self._draw(node, scope) or nothing
            case s.Move():
                return self._move(node, scope) or nothing
            case _:
                raise AssertionError(f"no zone statement: {type(node).__name__}")

    def _draw(self, node: s.Draw, scope: Scope) -> m.Step | None:
        count = self.ex.wanted(node.count, Range(0, UNBOUNDED), scope)
        source = self.zone(node.source, scope, "pile", "bag")
        target = self._target(node.target, scope)
        if is_poison(count) or not (source and target and self.agree(source, target, node.target.place.span)):
            return None
        return m.DrawPieces(scope.path, node.span, count, source, target, node.target.end == "bottom")

    def _move(self, node: s.Move, scope: Scope) -> m.Step | None:
        target = self._target(node.target, scope)
        bottom = node.target.end == "bottom"
        # The parser cannot tell a zone from a piece before `to`.
        place = node.source or self._moved_place(node, scope)
        if place is None:
            return None
        source = self.zone(place, scope, *(("one",) if node.source is None else ()))
        if not (source and target and self.agree(source, target, node.target.place.span)):
            return None
        if node.source is None:
            return m.MovePiece(scope.path, node.span, None, source, target, bottom)
        if node.piece is None:
            return m.MoveAll(scope.path, node.span, source, target, bottom)
        piece = self._pieces(node.piece, source, scope)
        return m.MovePiece(scope.path, node.span, piece, source, target, bottom) if piece else None

    def _moved_place(self, node: s.Move, scope: Scope) -> s.Place | None:
        """Return the place in `move PLACE to ...`, where the parser reads a piece. Return None if a fault was
        reported."""
        piece = node.piece
        if isinstance(piece, s.Name) and piece.name not in scope.names:
            return s.Place(piece.span, piece.name, piece.arguments, piece.my)
        message, place = "the zone from which this is moved is missing", piece.span if piece else node.span
        self.symbols.diagnostics.report(spec_codes.WRONG_PLACE, message, place, "`move PIECE from ZONE to ZONE`")
        return None

    def agree(self, source: m.ZoneRef, target: m.ZoneRef, span: Span) -> bool:
        """Check that pieces can move between two zones, and report it at the span if not."""
        if source.element.type != target.element.type:
            one, other = source.element, target.element
            message = f"the pieces of `{one.name}` are {one.type}, and those of `{other.name}` {other.type}"
            self.symbols.diagnostics.report(spec_codes.WRONG_TYPE, message, span)
            return False
        from_, to = (tuple(expression_key(index) for index in zone.indices) for zone in (source, target))
        # Indices that are not constants may be equal at times, which only play shows.
        if source.element.name == target.element.name and from_ == to and None not in from_:
            self.symbols.diagnostics.report(spec_codes.WRONG_PLACE, "this is the same zone again", span)
            return False
        return True

    def _several(self, node: s.Expression, zone: m.ZoneRef | None, scope: Scope) -> m.Expr | None:
        """Elaborate the pieces that fill a zone. Return None if a fault was reported."""
        pieces = self._pieces(node, zone, scope)
        if pieces is None or element_type(pieces.type) is not None:
            return pieces
        place, words = self.symbols.excerpts.text(node.span), zone.element.name if zone else "ZONE"
        message = "a zone is filled with several pieces, and this is one"
        self.symbols.diagnostics.report(
            spec_codes.WRONG_TYPE, message, node.span, f"`put {place or 'PIECE'} in {words}`"
        )
        return None

    def _pieces(self, node: s.Expression, zone: m.ZoneRef | None, scope: Scope) -> m.Expr | None:
        """Elaborate one or several pieces for a zone. Return None if a fault was reported."""
        if zone is None:
            return None
        type_ = zone.element.type
        pieces = self.ex.expr(node, scope, type_)
        if is_poison(pieces):
            return None
        item_type = element_type(pieces.type)
        # Several pieces are put one after another.
        if item_type is not None and fits(item_type, type_):
            return pieces
        fitted = self.ex.fit(pieces, type_, scope)
        return None if is_poison(fitted) else fitted
