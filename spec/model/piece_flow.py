"""Flow of pieces: the one table of the statements that move pieces, with the zones between which they move them."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import nodes as m

ZONE_STATEMENTS = (
    m.FillZone,
    m.ShuffleZone,
    m.DrawPieces,
    m.MovePiece,
    m.MoveAll,
    m.PutPiece,
    m.RemovePiece,
    m.SwapPieces,
)
"""The statements that change what zones hold."""


class PieceFlow(NamedTuple):
    """The zones whose pieces a statement moves.

    Attributes:
        entered: those into which pieces come that were not in the game.
        left: those from which pieces leave the game.
        moved: pairs of zones: pieces go from the first to the second.
        shuffled: those whose pieces only change their order.
    """

    entered: tuple[m.ZoneRef, ...] = ()
    left: tuple[m.ZoneRef, ...] = ()
    moved: tuple[tuple[m.ZoneRef, m.ZoneRef], ...] = ()
    shuffled: tuple[m.ZoneRef, ...] = ()

    @property
    def resized(self) -> tuple[m.ZoneRef, ...]:
        """The zones in which there may be more or fewer pieces afterwards."""
        return (*self.entered, *self.left, *(zone for pair in self.moved for zone in pair))

    @property
    def changed(self) -> tuple[m.ZoneRef, ...]:
        """All zones of the statement."""
        return (*self.resized, *self.shuffled)


NO_FLOW = PieceFlow()


def piece_flow(node: Any) -> PieceFlow:
    """Return the flow of pieces in a refill, or in a statement without the refills that it may cause."""
    match node:
        case m.FillZone(zone=zone) | m.PutPiece(target=zone):
            return PieceFlow(entered=(zone,))
        case m.RemovePiece(source=zone):
            return PieceFlow(left=(zone,))
        case m.DrawPieces() | m.MovePiece() | m.MoveAll():
            return PieceFlow(moved=((node.source, node.target),))
        case m.SwapPieces(left=one, right=other):
            return PieceFlow(moved=((one, other), (other, one)))
        case m.Refill(zone=zone, source=source):
            return PieceFlow(moved=((source, zone),))
        case m.ShuffleZone(zone=zone):
            return PieceFlow(shuffled=(zone,))
        case _:
            return NO_FLOW


def may_reveal(node: Any) -> bool:
    """Return whether a statement may raise a chance event: a random piece becomes visible to somebody."""
    match node:
        case m.MovePiece(piece=piece) if piece is not None:
            # A piece that is moved by name is known already.
            return False
        case m.DrawPieces(source=m.ZoneRef(element=source), target=m.ZoneRef(element=target)) if source.kind == "bag":
            # A draw from a bag is random even if everybody sees its pieces, since nobody chooses one.
            return source.visibility != "hidden" or target.visibility != "hidden"
        case _:
            return any(target.element.shows_from(source.element) for source, target in piece_flow(node).moved)
