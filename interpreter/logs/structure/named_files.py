"""The files that a log may name, as its game or its position: any, none, or those in a folder."""

from __future__ import annotations

import os
from pathlib import Path

from ludex.grammar import value_class


@value_class
class NamedFiles:
    """Which files a log may name.

    Attributes:
        is_any: any.
        folder: those in this folder and the folders in it, wherever links lead; None: no file.
    """

    is_any: bool
    folder: Path | None = None

    def allow(self, path: Path) -> bool:
        """Test whether a log may name this file or folder. Only links on the way to it are looked at."""
        if self.is_any or self.folder is None:
            return self.is_any
        try:
            return Path(os.path.realpath(path)).is_relative_to(self.folder)
        except (OSError, ValueError):  # no file can have this name
            return False


ANY_FILE = NamedFiles(True)


def allowed_files(files: bool | str | Path) -> NamedFiles:
    """Return which files a log may name: any (True), none (False), or those in a folder."""
    if isinstance(files, bool):
        return NamedFiles(files)
    return NamedFiles(False, Path(os.path.realpath(files)))
