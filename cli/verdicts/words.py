"""Words of a finding that several formats share."""

from __future__ import annotations

from typing import Any


def is_about_file(finding: dict[str, Any]) -> bool:
    """Test whether the finding is about a file as a whole."""
    # No other place is empty (`whole_file` of the grammar).
    return (finding["line"], finding["column"], finding["end_line"], finding["end_column"]) == (1, 1, 1, 1)


def place_words(finding: dict[str, Any]) -> str:
    """Write where it is: `game.jsonl:3:49`"""
    return finding["file"] if is_about_file(finding) else f"{finding['file']}:{finding['line']}:{finding['column']}"


def details(finding: dict[str, Any]) -> list[str]:
    """List the message, the clauses that say so, the notes, the hint and what would be legal, a row each."""
    why = (f"why: {each['clause']} {each['authority']}".rstrip() for each in finding.get("why", ()))
    notes = (f"note: {note['message']}" for note in finding.get("notes", ()))
    hint = [f"hint: {finding['hint']}"] if "hint" in finding else []
    legal = (f"legal: {each}" for each in finding.get("legal", ()))
    return [finding["message"], *why, *notes, *hint, *legal]
