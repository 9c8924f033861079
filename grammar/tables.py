"""The parser that Lark makes of `ludex.lark`, and a copy of its tables in the user's cache folder.

Making the tables takes most of a second, reading them a few hundredths. The copy is a convenience: where it cannot be
read or written the tables are made anew.
"""

from __future__ import annotations

import os
import sys
import tempfile
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import lark
from lark import Lark


@cache
def load_tables() -> Lark:
    """The parser for one unit of a text; see `ludex.lark`."""
    return tables_for(grammar_text())


def tables_for(text: str) -> Lark:
    """The parser of a grammar, from the cache folder if it is there."""
    path = _cache_path(text)
    loaded = _read(path) if path is not None else None
    if loaded is not None:
        return loaded
    made = make_tables(text)
    if path is not None:
        _write(made, path)
    return made


def grammar_text() -> str:
    return files(__package__).joinpath("ludex.lark").read_text(encoding="utf-8")


def make_tables(text: str, strict: bool = False) -> Lark:
    """Build the parser. `strict` turns conflicts and ambiguous terminals into errors; the tests do so, since it is slow
    and wants one more package."""
    return Lark(
        text,
        parser="lalr",
        lexer="basic",
        start="unit",
        strict=strict,
        propagate_positions=True,
        maybe_placeholders=False,
    )


def _cache_path(text: str) -> Path | None:
    """A file named after all that the tables depend on; None where there is no place for it."""
    try:
        folder = _cache_folder()
    except RuntimeError:
        return None
    made_from = f"{lark.__version__} {sys.version_info[:2]} {text}"
    return folder / f"grammar-{sha256(made_from.encode()).hexdigest()[:16]}.tables"


def _cache_folder() -> Path:
    """The user's own cache folder. Not the system's temporary folder: others may write there, and reading tables trusts
    the file."""
    if sys.platform == "win32" and "LOCALAPPDATA" in os.environ:
        return Path(os.environ["LOCALAPPDATA"]) / "ludex"
    written = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (written if written.is_absolute() else Path.home() / ".cache") / "ludex"


def _read(path: Path) -> Lark | None:
    try:
        with path.open("rb") as file:
            return Lark.load(file)
    except FileNotFoundError:
        return None
    except Exception:  # noqa: BLE001 - a damaged file can fail in any way while it is unpacked, and is then simply written anew
        return None


def _write(made: Lark, path: Path) -> None:
    """Write beside and rename, so that no other process ever reads half a file."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=path.stem)
    except OSError:
        return
    try:
        with os.fdopen(handle, "wb") as file:
            made.save(file)
        Path(beside).replace(path)
    except OSError:
        Path(beside).unlink(missing_ok=True)
