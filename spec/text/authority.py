"""Check for clauses without authority: no citation, no ruling, no convention.

A clause is supported by its own authority, by that of a clause around it, or if all clauses inside it are supported.
If nothing supports it, one citation at the outermost clause would be enough, so only that one is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ludex.grammar import Diagnostic
from ludex.grammar import syntax as s

from .. import spec_codes
from .clauses import RULES, Stated, authority_of, place_of, stated
from .headers import FileHeader

NEEDS_AUTHORITY = RULES | {"fact", "define", "invariant"}


def without_authority(
    declarations: tuple[s.Declaration, ...], headers: Mapping[str, FileHeader]
) -> Iterator[Diagnostic]:
    """Report clauses without authority; a file without any authority gets one report."""
    clauses = _Clauses(declarations, headers)
    by_file: dict[str, list[Stated]] = {}
    for clause in clauses.unsupported():
        by_file.setdefault(clause.node.span.file, []).append(clause)
    for file, unsupported in by_file.items():
        header = headers.get(file)
        if header and len(unsupported) > 1 and not clauses.any_of(file):
            message = f"no clause of `{header.name}` has an authority"
            yield Diagnostic(spec_codes.NO_AUTHORITY, message, header.name.span, _hint(file, headers, True))
            # A report for each clause would say the same again.
            continue
        for clause in unsupported:
            message = f"`{clause.path}` has no authority"
            yield Diagnostic(spec_codes.NO_AUTHORITY, message, place_of(clause.node), _hint(file, headers, False))


class _Clauses:
    def __init__(self, declarations: tuple[s.Declaration, ...], headers: Mapping[str, FileHeader]) -> None:
        self.headers = headers
        self.by_path = {clause.path: clause for clause in stated(declarations)}
        self.children: dict[str, list[Stated]] = {}
        for clause in self.by_path.values():
            if clause.parent:
                self.children.setdefault(clause.parent, []).append(clause)

    def any_of(self, file: str) -> bool:
        return any(clause.authority for clause in self.by_path.values() if clause.node.span.file == file)

    def unsupported(self) -> Iterator[Stated]:
        """Yield each clause that lacks an authority."""
        inside: set[str] = set()
        for clause in self.by_path.values():
            if clause.parent in inside:
                # What is inside a reported clause is not reported again.
                inside.add(clause.path)
            elif self._lacks(clause) and not self._partly(clause):
                inside.add(clause.path)
                yield clause

    def _lacks(self, clause: Stated) -> bool:
        return clause.kind in NEEDS_AUTHORITY and not _is_rest(clause) and not self._supported(clause)

    def _partly(self, clause: Stated) -> bool:
        """Return whether some clauses inside have an authority and others lack one: then these are reported."""
        parts = self._parts(clause)
        return any(self._lacks(part) for part in parts) and any(
            self._supported(part) or self._partly(part) for part in parts if not _is_rest(part)
        )

    def _supported(self, clause: Stated) -> bool:
        if self._rests(clause) or self._supported_above(clause):
            return True
        parts = self._parts(clause)
        return bool(parts) and all(_is_rest(part) or self._supported(part) for part in parts)

    def _supported_above(self, clause: Stated) -> bool:
        parent = self.by_path.get(clause.parent) if clause.parent else None
        return parent is not None and (self._carries(parent) or self._supported_above(parent))

    def _carries(self, parent: Stated) -> bool:
        """Return whether the authority of a clause also covers the clauses inside it."""
        header = self.headers.get(parent.node.span.file)
        return bool(parent.authority) or (
            self._rests(parent) and (parent.kind in NEEDS_AUTHORITY or not (header and header.of_books))
        )

    def _rests(self, clause: Stated) -> bool:
        return bool(authority_of(clause, self.headers))

    def _parts(self, clause: Stated) -> list[Stated]:
        # The rest of a match has no word of its own, so its parts need none.
        return [] if clause.path.endswith("otherwise") else self.children.get(clause.path, [])


def _is_rest(clause: Stated) -> bool:
    """Return whether it is the rest of a `match`, which is the text's silence, not its word."""
    return clause.kind == "arm" and clause.path.endswith(".otherwise")


def _hint(file: str, headers: Mapping[str, FileHeader], whole: bool) -> str:
    """Suggest an authority: a citation if the game names a document, else a convention."""
    own = tuple(headers[file].documents) if file in headers else ()
    # A part without documents of its own cites those of the game.
    tags = own or tuple(tag for header in headers.values() for tag in header.documents)
    all_of_it = '`convention: "why"` into its header'
    if tags and whole and headers[file].of_books:
        return f"end its lines with what they transcribe: `[{tags[0]} 12]`"
    if tags and whole:
        return f"end its lines with what they transcribe: `[{tags[0]} 12]`, or put {all_of_it}"
    if tags:
        return f'end its line with what it transcribes: `[{tags[0]} 12]`, or with `ruling "why"`'
    return f"put {all_of_it}" if whole else 'end its line with `convention "why"`'
