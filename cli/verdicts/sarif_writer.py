"""Verdicts as SARIF 2.1.0, which code scanning services and editors read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from os import fsencode
from pathlib import PurePath
from tempfile import TemporaryFile
from typing import IO, Any
from urllib.parse import quote

from ludex.grammar import code_in_language
from ludex.interpreter import Verdict

from ..reporting import code_of, language, version
from .json_writer import json_line
from .judged import Judged, LogTally
from .verdict_words import details, head_words, is_about_file
from .writer import VerdictWriter

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


_RESULT = '{"ruleId": '
"""The beginning of a line with a result; a line with a notification has another one."""
_PART = 1 << 16
"""How many characters of the notifications are read at once."""


class SarifWriter(VerdictWriter):
    """One run, with a result a finding, and a notification a log whose game has ended.

    A log without findings leaves no result: some readers treat a result as a fault even if its kind is `pass`. Only one
    list of an object can be written while the logs are judged, so the notifications wait in a file.
    """

    opening = f'{{"$schema": "{SCHEMA}", "version": "2.1.0", "runs": [{{"results": ['
    between = ","

    def __init__(self) -> None:
        self._notes: IO[str] | None = None

    def log(self, judged: Judged) -> str:
        ended = [_notification(judged)] if judged.data["result"] is not None else []
        return "".join(f"{json_line(each)}\n" for each in (*map(_result, judged.data["findings"]), *ended))

    def aside(self, text: str) -> str:
        results: list[str] = []
        for line in text.splitlines():
            if line.startswith(_RESULT):
                results.append(f"\n{line}")
                continue
            self._notes = self._notes or TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - `closing` closes it
            self._notes.write(f",\n{line}" if self._notes.tell() else f"\n{line}")
        return ",".join(results)

    def closing(self, tally: LogTally) -> Iterator[str]:
        # The tool comes after the results, where the codes that were found are known. Members of an object may have
        # any order.
        rules = [_rule(code, name) for code, name in sorted(tally.codes.items())]
        counts = {verdict.value: count for verdict, count in tally.verdicts.items()}
        rest = {
            # Without this, readers count columns in UTF-16, in which some signs count twice.
            "columnKind": "unicodeCodePoints",
            "tool": {"driver": {"name": "Ludex", "version": version(), "rules": rules}},
            "properties": {"logs": counts},
        }
        is_good = json_line(tally.is_complete and not tally.verdicts[Verdict.FAULT])
        yield f'\n], "invocations": [{{"executionSuccessful": {is_good}, "toolExecutionNotifications": ['
        if self._notes is not None:
            with self._notes as notes:
                notes.seek(0)
                yield from iter(partial(notes.read, _PART), "")
        yield f"\n]}}], {json_line(rest).removeprefix('{')}]}}\n"


def _rule(code: str, name: str) -> dict[str, Any]:
    """Describe a code: what it means, and how its fault is mended. There is no `helpUri`, as pages have no address."""
    found = code_of(code)
    assert found is not None, code
    found = code_in_language(found, language()) or found
    return {
        "id": code,
        "name": name,
        "shortDescription": _message(found.meaning),
        "fullDescription": _message(found.description),
        "help": _message(f"{found.mend}\nludex explain {code}"),
    }


def _result(finding: dict[str, Any]) -> dict[str, Any]:
    related = [
        {**_location(note), "id": number, "message": _message(note["message"])}
        for number, note in enumerate(finding.get("notes", ()), 1)
        # A note without a place is among the details.
        if "file" in note
    ]
    # Severities have the names of SARIF's levels.
    result = {
        "ruleId": finding["code"],
        "level": finding["severity"],
        "message": _message("\n".join(details(finding))),
        "locations": [_location(finding)],
    }
    return {**result, "relatedLocations": related} if related else result


def _notification(judged: Judged) -> dict[str, Any]:
    """Say how the game of a log ended, and who won."""
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri(judged.data["file"])}}
    if judged.source.number > 1 or judged.source.next_line is not None:
        physical["region"] = {"startLine": judged.source.line}
    return {
        "level": "note",
        "message": _message(head_words(judged.data)),
        "locations": [{"physicalLocation": physical}],
        "properties": {"result": judged.data["result"]},
    }


def _message(text: str) -> dict[str, str]:
    """Write a plain text as a message string, in which `{0}` would be a placeholder, and `[text](address)` a link."""
    braced = text.replace("{", "{{").replace("}", "}}")
    # A backslash before the bracket says that no link ends there; those that are there already are doubled.
    return {"text": re.sub(r"(\\*)\]\(", r"\1\1\\](", braced)}


def _location(place: dict[str, Any]) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri(place["file"])}}
    if not is_about_file(place):
        physical["region"] = {
            "startLine": place["line"],
            "startColumn": place["column"],
            "endLine": place["end_line"],
            "endColumn": place["end_column"],
        }
    return {"physicalLocation": physical}


def uri(name: str) -> str:
    """Write a file's name as a URI, relative if the name is."""
    path = PurePath(name)
    escaped = quote(_in_bytes(path.as_posix()))
    return f"file://{escaped}" if path.is_absolute() else escaped


def _in_bytes(name: str) -> bytes:
    try:
        return fsencode(name)  # the system's own bytes, which need not be UTF-8
    except UnicodeEncodeError:
        return name.encode("utf-8", "backslashreplace")
