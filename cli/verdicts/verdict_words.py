"""Words of a finding that several formats share."""

from __future__ import annotations

from typing import Any

from ludex.interpreter import EarlyEnd, Outcome

from ..reporting import file_words, words
from ..view.verdict_words import ended_words, scored_words


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


def head_words(data: dict[str, Any]) -> str:
    """Write the verdict on a log and its result: `legal, 72 events; 43 : 41, Anna wins (winner.most)`."""
    verdict, events, result = data["verdict"], data["events"], written_result(data)
    head = f"{words(f'report-{verdict}')}, {words('count-events', count=events)}"
    return f"{head}; {result}" if result else head


def written_result(data: dict[str, Any]) -> str:
    """Write how the game of a log ended, and who won; empty if that is not known."""
    result = data["result"]
    if result is None:
        return ""
    # Without names the log gives the number of players.
    names = data["players"] if isinstance(data["players"], list) else ()
    winners = tuple(seat - 1 for seat in result["winners"])
    if result["by"] != "rules":
        player = None if result["player"] is None else result["player"] - 1
        return ended_words(EarlyEnd(result["by"], player, winners), names)
    outcome = Outcome(winners, result["decided_by"], result["shared"], result["undecided"])
    return scored_words(result["scores"], outcome, names)


def label(name: str) -> str:
    """Write the text before a row of a report, in the command's language."""
    return words(f"label-{name}")
