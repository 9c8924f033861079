"""The parser that Lark makes of `ludex.lark`, and copies of its tables.

Making the tables takes most of a second, reading them a few hundredths. So the build makes them (`setup.py`), and where
those are for another version of Lark or Python, or there was no build, the first run keeps a copy in the user's cache
folder. Copies are a convenience: where none can be read or written the tables are made anew.
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
    """The parser of a grammar: as the build made it, or from the cache folder, or made now."""
    cached = _cache_path(text)
    for path in (_shipped_path(text), cached):
        loaded = _read(path) if path is not None else None
        if loaded is not None:
            return loaded
    made = make_tables(text)
    if cached is not None:
        _write(made, cached)
    return made


def ship_tables(folder: Path) -> None:
    """Make the tables into the folder of the built package, for the Lark and the Python that build it."""
    text = grammar_text()
    with (folder / _file_name(text)).open("wb") as file:
        make_tables(text).save(file)


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


def _file_name(text: str) -> str:
    """Named after all that the tables depend on."""
    made_from = f"{lark.__version__} {sys.version_info[:2]} {text}"
    return f"grammar-{sha256(made_from.encode()).hexdigest()[:16]}.tables"


def _shipped_path(text: str) -> Path:
    return Path(__file__).with_name(_file_name(text))


def _cache_path(text: str) -> Path | None:
    """None where there is no place for it."""
    try:
        return _cache_folder() / _file_name(text)
    except RuntimeError:
        return None


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
