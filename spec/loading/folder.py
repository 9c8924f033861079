"""A folder with specs in it, of which each file is read at most once.

Therefore a digest is made from the bytes that were parsed, even if the file changes in between.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from re import finditer

from ludex.grammar import SUFFIX, Diagnostic, Identifier, Span, decode_text, read_bytes, value_class

_HEAD = 4096
"""The number of bytes of a file that are searched for the header: a folder may hold large files that are not specs."""


@dataclass(frozen=True)
class Folder:
    """A folder that holds specs. Its files are read when they are first needed, and kept."""

    path: Path
    _contents: dict[Path, bytes | Diagnostic] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def specs(self) -> tuple[Path, ...]:
        """The paths of the specs that the folder held at the first access, in the order of their names."""
        return tuple(sorted(self.path.glob(f"*{SUFFIX}")))

    def content(self, path: Path) -> bytes | Diagnostic:
        """Return the content of a file, or the diagnostic of `read_bytes` that says why it cannot be read."""
        if path not in self._contents:
            self._contents[path] = read_bytes(path)
        return self._contents[path]

    def text(self, path: Path) -> tuple[str | None, tuple[Diagnostic, ...]]:
        """Return the text of a file and no diagnostics, or None and the diagnostics of `read_text`."""
        content = self.content(path)
        return decode_text(content, str(path)) if isinstance(content, bytes) else (None, (content,))

    def first_words(self, path: Path) -> list[Identifier]:
        """Return the words of the first line that is neither empty nor a comment; none if the file cannot be read."""
        content = self.content(path)
        if isinstance(content, Diagnostic):
            return []
        # The file is not parsed: the first words decide whether the file belongs to the game at all, and a file of
        # somebody else may be anything. Other signs that end a line for `splitlines` may be in a comment.
        for number, line in enumerate(content[:_HEAD].decode("utf-8-sig", "replace").split("\n"), start=1):
            if line.strip() and not line.lstrip().startswith("#"):
                return [
                    Identifier(word[0], Span(str(path), number, word.start() + 1, number, word.end() + 1))
                    for word in finditer(r"\S+", line)
                ]
        return []

    def digest(self, path: Path) -> str:
        """Return a SHA-256 of the file's content, or of the reason why it cannot be read."""
        # The reason counts too: a cached game is stale when a missing file becomes, say, a pipe.
        content = self.content(path)
        return sha256(content if isinstance(content, bytes) else content.message.encode()).hexdigest()


@value_class
class Located:
    """The path of a spec, and the folder that holds it."""

    file: Path
    folder: Folder
