"""Words of a finding that several formats share."""

from __future__ import annotations

from typing import Any

from ..reporting import file_words, words


def is_about_file(finding: dict[str, Any]) -> bool:
    """Test whether the finding is about a file as a whole."""
    # Only the place of a whole file is empty (`whole_file` of the grammar).
    return (finding["line"], finding["column"], finding["end_line"], finding["end_column"]) == (1, 1, 1, 1)


def place_words(finding: dict[str, Any]) -> str:
    """Write where it is: `game.jsonl:3:49`"""
    file = file_words(finding["file"])
    return file if is_about_file(finding) else f"{file}:{finding['line']}:{finding['column']}"


def details(finding: dict[str, Any]) -> list[str]:
    """List the message, the clauses that say so, the notes, the hint and what would be legal, a row each."""
    why = (f"{label('why')}: {each['clause']} {each['authority']}".rstrip() for each in finding.get("why", ()))
    notes = (f"{label('note')}: {note['message']}" for note in finding.get("notes", ()))
    hint = [f"{label('hint')}: {finding['hint']}"] if "hint" in finding else []
    legal = (f"{label('legal')}: {each}" for each in finding.get("legal", ()))
    return [finding["message"], *why, *notes, *hint, *legal]


def label(name: str) -> str:
    """Write the text before a row of a report, in the command's language."""
    return words(f"label-{name}")
