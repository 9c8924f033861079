"""The texts in the folder that `--sources` names: what they say, and which of them are left out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ludex.grammar import Diagnostic
from ludex.spec import CitedGame, Comparison, GameText, Hint, cited_game, excused_numbers, find_hints, texts_at_hand

from ..books import Books


@dataclass(frozen=True, slots=True)
class AtHand:
    """What a run has of the texts.

    Attributes:
        books: their words; None where no folder is named.
        hints: places to read again; None where none were looked for.
        left_out: the documents, by tag, that no hints are taken from.
        faults: why, one for each, and what the stored lines lack.
    """

    books: Books | None = None
    hints: tuple[Hint, ...] | None = None
    left_out: tuple[str, ...] = ()
    faults: tuple[Diagnostic, ...] = ()


def at_hand(text: GameText, comparison: Comparison, folder: Path, with_hints: bool) -> AtHand:
    """The texts of the editions that are compared. A text that cannot be read, or is not the one whose lines were
    recorded, is left out, and the others are used."""
    cited, faults = cited_game(text, folder)
    known = {fault.message for fault in cited_game(text)[1]}
    lines, changed = texts_at_hand(cited)
    used = {part.document for part in cited.parts if part.edition in comparison.editions}
    left_out = tuple(name for name in text.documents if name in used and name not in lines)
    told = tuple(_told(text.documents, folder, used, (fault for fault in faults if fault.message not in known)))
    strange = {source.document.tag for source in cited.sources if source.is_another_text}
    books = Books(folder, {tag: name for tag, name in text.documents.items() if tag not in strange})
    hints = _hints(text, comparison, cited, lines) if with_hints else None
    return AtHand(books, hints, left_out, (*told, *changed))


def _hints(
    text: GameText, comparison: Comparison, cited: CitedGame, lines: Mapping[str, tuple[str, ...]]
) -> tuple[Hint, ...]:
    editions = {name: file.module for name, file in text.editions.items()}
    return find_hints(comparison, editions, lines, text.game.module, excused_numbers(cited))


def _told(
    documents: Mapping[str, str], folder: Path, used: Collection[str], faults: Iterator[Diagnostic]
) -> Iterator[Diagnostic]:
    """Each fault of a text with what follows from it; nothing of a text that nobody compares."""
    tags = {str(folder / name): tag for tag, name in documents.items()}
    for fault in faults:
        tag = tags.get(fault.span.file)
        if tag is None:
            yield fault
        elif tag in used:
            mend = fault.hint or f"put the text `{documents[tag]}` there"
            yield replace(fault, hint=f"{mend}; till then `{tag}` is left out: its words are not shown, nor compared")
