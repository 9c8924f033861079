"""Verdicts as JUnit XML: a suite with one test case per log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from ludex.interpreter import Verdict

from ..reporting import file_words, visible, words
from .judged import Judged, LogTally
from .verdict_words import details, place_words, written_result
from .writer import VerdictWriter

_ELEMENTS = {
    Verdict.UNJUDGED.value: "skipped",
    Verdict.FINDINGS.value: "failure",
    Verdict.UNREADABLE.value: "error",
    Verdict.FAULT.value: "error",
}
# XML 1.0 cannot hold these characters, not even escaped.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class JunitWriter(VerdictWriter):
    """One suite per log, because a suite gives the number of its failed cases: so any number of logs can be written."""

    opening = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="ludex validate">\n'

    def log(self, judged: Judged) -> str:
        data = judged.data
        element = _ELEMENTS.get(data["verdict"])
        name, game = _attribute(file_words(judged.source.name)), _attribute(data["game"] or words("report-no-game"))
        counts = " ".join(f'{each}s="{int(each == element)}"' for each in ("failure", "error"))
        skipped = int(element == "skipped")
        text = "\n".join(f"{place_words(each)}: {each['code']} {'; '.join(details(each))}" for each in data["findings"])
        inner = ""
        # A test case has one failure at most, so that its text lists all findings.
        if element:
            errors = (each for each in data["findings"] if each["severity"] == "error")
            unjudged = (each for each in data["findings"] if each["name"] == "too-much-unknown")
            first = next(chain(errors, unjudged))
            message, code = _attribute(first["message"]), _attribute(first["code"])
            type_ = "" if element == "skipped" else f" type={code}"
            inner = f"<{element} message={message}{type_}>{_text(text)}</{element}>"
        # Warnings do not fail a test case.
        elif text:
            inner = f"<system-out>{_text(text)}</system-out>"
        case = f"<testcase classname={game} name={name}>{inner}</testcase>"
        ended = f"{_properties(data)}{case}"
        return f'  <testsuite name={name} tests="1" {counts} skipped="{skipped}">{ended}</testsuite>\n'

    def closing(self, tally: LogTally) -> Iterator[str]:
        yield "</testsuites>\n"


def _properties(data: dict[str, Any]) -> str:
    """Write how the game ended as properties of the suite: in words, and the seats of the winners."""
    if data["result"] is None:
        return ""
    members = {
        "result": written_result(data),
        "ended_by": data["result"]["by"],
        "winners": " ".join(map(str, data["result"]["winners"])),
    }
    written = (f"<property name={_attribute(name)} value={_attribute(text)}/>" for name, text in members.items())
    return f"<properties>{''.join(written)}</properties>"


def _text(text: str) -> str:
    return escape("\n".join(_NO_XML.sub("\ufffd", visible(row)) for row in text.split("\n")))


def _attribute(text: str) -> str:
    return quoteattr(_NO_XML.sub("\ufffd", visible(text)))
