"""A game as far as it is asked for: an edition with faults stops only those that ask for it or need it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from ludex.grammar import Diagnostic, Failure
from ludex.grammar import syntax as s

from .codes import EDITION_LEFT_OUT
from .loader import GameText, check_text

Sound = tuple[GameText, tuple[Diagnostic, ...]]
"""A game without some editions, and a warning for each of those."""


def readable(text: GameText, asked: Collection[str]) -> Sound:
    """The game without the editions that cannot be read and are not asked for. Raises Failure where others cannot."""
    faulty = {name: faults for name, faults in text.about.items() if name not in asked and _errors(faults)}
    less = _without(text, faulty)
    if less.failed:
        raise Failure(text.diagnostics)
    return less, tuple(_warning(name, faults) for name, faults in faulty.items())


def playable(text: GameText, asked: Collection[str]) -> Sound:
    """The game without the editions that have faults and are not asked for. Raises Failure, with all faults, where
    what is left has some: they are its own, or it needs what was left out."""
    whole = check_text(text)
    faults, less, warnings = whole, text, list[Diagnostic]()
    while _errors(faults):
        faulty = {
            name: own
            for name, file in less.editions.items()
            if name not in asked and _errors(own := tuple(fault for fault in faults if fault.span.file == file.name))
        }
        if not faulty:
            raise Failure(whole)
        warnings += [_warning(name, own) for name, own in faulty.items()]
        less = _without(less, faulty)
        faults = check_text(_rules_only(less))
    return less, tuple(warnings)


def _errors(faults: Iterable[Diagnostic]) -> int:
    return sum(fault.is_error for fault in faults)


def _without(text: GameText, names: Collection[str]) -> GameText:
    gone = {fault for name in names for fault in text.about.get(name, ())}
    return replace(
        text,
        editions={name: file for name, file in text.editions.items() if name not in names},
        diagnostics=tuple(fault for fault in text.diagnostics if fault not in gone),
        about={name: faults for name, faults in text.about.items() if name not in names},
    )


def _rules_only(text: GameText) -> GameText:
    """Without lines that may speak of what only an edition stated that is left out."""

    def less(module: s.Module) -> s.Module:
        kept = (node for node in module.declarations if not isinstance(node, s.TermsDeclaration | s.SilentDeclaration))
        return replace(module, declarations=tuple(kept))

    editions = {name: replace(file, module=less(file.module)) for name, file in text.editions.items()}
    return replace(text, game=replace(text.game, module=less(text.game.module)), editions=editions)


def _warning(name: str, faults: tuple[Diagnostic, ...]) -> Diagnostic:
    """At the edition's first fault."""
    first = next(fault for fault in faults if fault.is_error)
    message = f"`{name}` is left out, since it has faults and is not asked for: {first.message}"
    return Diagnostic(
        EDITION_LEFT_OUT, message, first.span, "nothing is borrowed from it; `ludex check` tells them all"
    )
