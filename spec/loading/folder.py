"""A folder with specs in it, of which each file is read at most once.

So what was parsed and what a digest is made from are the same bytes, also where a file changes meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from re import finditer

from ludex.grammar import Diagnostic, Identifier, Span, decode_text, read_bytes

SUFFIX = ".ludex"
HEAD = 4096
"""The header of a spec is looked for in so many bytes: other files of the folder may be none of ours."""


@dataclass(frozen=True)
class Folder:
    path: Path
    _contents: dict[Path, bytes | Diagnostic] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def specs(self) -> tuple[Path, ...]:
        """The specs that stood in the folder when this was first asked, in the order of their names."""
        return tuple(sorted(self.path.glob(f"*{SUFFIX}")))

    def content(self, path: Path) -> bytes | Diagnostic:
        """What a file holds, or why it cannot be read, as `read_bytes` gives it."""
        if path not in self._contents:
            self._contents[path] = read_bytes(path)
        return self._contents[path]

    def text(self, path: Path) -> tuple[str | None, tuple[Diagnostic, ...]]:
        """The text of a file or the reason why there is none, as `read_text` gives it."""
        content = self.content(path)
        return decode_text(content, str(path)) if isinstance(content, bytes) else (None, (content,))

    def first_words(self, path: Path) -> list[Identifier]:
        """Return the words of a file's first line that is not a comment; none for a file that cannot be read."""
        content = self.content(path)
        if isinstance(content, Diagnostic):
            return []
        for number, line in enumerate(content[:HEAD].decode("utf-8", "replace").splitlines(), start=1):
            if line.strip() and not line.lstrip().startswith("#"):
                return [
                    Identifier(word[0], Span(str(path), number, word.start() + 1, number, word.end() + 1))
                    for word in finditer(r"\S+", line)
                ]
        return []

    def digest(self, path: Path) -> str:
        """Of what the file holds, or of why it cannot be read: a pipe is something else than nothing."""
        content = self.content(path)
        return sha256(content if isinstance(content, bytes) else content.message.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Located:
    """A spec's file, and the folder in which it stands."""

    file: Path
    folder: Folder
