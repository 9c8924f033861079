"""No part of a report in another language is English: every format, over bad logs of every code and of some games.

A sentence that bypasses the catalogue of messages shows itself by its Latin letters, unless it is a name of a spec.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ludex.interpreter.logs.record.text_header import TAGS
from ludex.interpreter.logs.structure import claims, early_end, event_lines, header
from ludex.interpreter.logs.structure.early_end import EARLY_ENDS

from ..interpreter.test_log_codes import SAMPLES, name_of
from ..letters import LETTERS, latin_words, names_in
from .running import ludex

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "spec" / "games"
BAD_LOGS = ROOT / "tests" / "games" / "bad_logs"
AFFORDABLE = BAD_LOGS / "boreal" / "study-affordable.jsonl"
JUDGED = ("nim", "boreal", "kuhn_poker")
EXCERPT = re.compile(r" *\d* \| ")
"""A row of a report that quotes a file."""
MEMBERS = {
    name
    for module in (claims, early_end, event_lines, header)
    for constant, names in vars(module).items()
    if constant.endswith("MEMBERS")
    for name in names
}
WORDS = {"events", "false", "none", "null", "seat", "true", "unknown", "winner"}
FORMAT_WORDS = MEMBERS.union(WORDS, TAGS, EARLY_ENDS, claims.CLAIMS)
"""Words of the format of logs, which are the same in every language."""


@cache
def known() -> frozenset[str]:
    """Collect the words that a report may have in every language: names of specs, of the log format, and of players."""
    texts = [bad for bad, _ in SAMPLES.values()]
    texts += [
        file.read_text(encoding="utf-8", errors="replace") for each in JUDGED for file in (BAD_LOGS / each).iterdir()
    ]
    headers = "\n".join(text.partition("\n")[0] for text in texts)
    folders = [*GAMES.iterdir()]
    games = [each for each in folders if each.name in JUDGED or re.search(rf"\b{each.name}\b", headers)]
    names = names_in(file for game in games for file in game.rglob("*.ludex"))
    players = re.findall(r"\b[A-Z][a-z]+\b", headers)
    return names.union(FORMAT_WORDS, (each.name for each in folders), players)


# ---- what people read of each format --------------------------------------------------------------------------------


def of_rows(output: str) -> Iterator[str]:
    return (row for row in output.splitlines() if not EXCERPT.match(row))


def of_markdown(output: str) -> Iterator[str]:
    for row in of_rows(output):
        # The head quotes names; below it, all of a row is quoted.
        yield row.replace("`", " ") if row.startswith("-") else re.sub(r"(`+)(.*)\1", r"\2", row)


def of_github(output: str) -> Iterator[str]:
    rows = (row.rpartition("::")[2] if row.startswith("::") else row for row in output.splitlines())
    return (each for row in rows for each in row.split("%0A"))


def of_finding(finding: dict[str, Any]) -> Iterator[str]:
    yield from (finding["message"], finding.get("hint", ""))
    yield from (note["message"] for note in finding.get("notes", ()))
    yield from (each["authority"] for each in finding.get("why", ()))


def of_json(output: str) -> Iterator[str]:
    return (text for log in json.loads(output)["logs"] for finding in log["findings"] for text in of_finding(finding))


def of_json_lines(output: str) -> Iterator[str]:
    logs = map(json.loads, output.splitlines())
    return (text for log in logs for finding in log.get("findings", ()) for text in of_finding(finding))


def of_csv(output: str) -> Iterator[str]:
    return (row[column] for row in csv.DictReader(StringIO(output)) for column in ("message", "hint"))


def of_sarif(output: str) -> Iterator[str]:
    results = json.loads(output)["runs"][0]["results"]
    # Braces are doubled, as in a string with placeholders.
    texts = (each["message"]["text"].replace("{{", "{").replace("}}", "}") for each in results)
    return (row for text in texts for row in text.splitlines())


def of_junit(output: str) -> Iterator[str]:
    for case in ElementTree.fromstring(output).iter("testcase"):
        yield case.get("classname", "")
        for element in case:
            yield element.get("message", "")
            yield from (row for rows in (element.text or "").splitlines() for row in rows.split("; "))


FORMATS: dict[str, Callable[[str], Iterator[str]]] = {
    "text": of_rows,
    "markdown": of_markdown,
    "github": of_github,
    "json": of_json,
    "jsonl": of_json_lines,
    "csv": of_csv,
    "sarif": of_sarif,
    "junit": of_junit,
}


def english(texts: Iterator[str]) -> list[tuple[list[str], str]]:
    """Select the texts with words in Latin letters that nobody knows, and these words."""
    found = ((latin_words(text, known()), text) for text in texts)
    return [(words, text) for words, text in found if words]


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a bad log of each code into a folder."""
    folder = tmp_path_factory.mktemp("logs")
    for code, (bad, _) in SAMPLES.items():
        (folder / f"{code}-{name_of(bad)}").write_text(bad, encoding="utf-8", errors="surrogatepass")
    return folder


@pytest.mark.drawn(3)
@pytest.mark.parametrize("language", LETTERS)
@pytest.mark.parametrize("form", FORMATS)
def test_reports_are_in_the_language(form: str, language: str, logs: Path) -> None:
    # Other formats have the sentences of the text, in a frame of their own.
    judged = [logs, *(BAD_LOGS / game for game in JUDGED)] if form == "text" else [BAD_LOGS / "nim", AFFORDABLE]
    ran = ludex("validate", *judged, "--format", form, "--lang", language)
    output = ran.stdout.replace(str(logs), "logs").replace(str(ROOT), "")
    left = english(FORMATS[form](output))
    assert not left, f"make each a `Message` of the catalogue (docs/languages.md), or a term: {left}"


@pytest.mark.parametrize("language", LETTERS)
@pytest.mark.parametrize("form", ["text", "markdown", "junit"])
def test_the_standard_input_is_named_in_the_language(form: str, language: str) -> None:
    ran = ludex("validate", "-", "--format", form, "--lang", language, stdin="{}\n")
    assert not english(FORMATS[form](ran.stdout))


def test_english_is_noticed() -> None:
    for row in ("why: nim", "файл: line 2", "standard input: запись", "нужно a whole number"):
        assert english(iter([row]))
    for row in ("нарушает take.enough", 'поле "cost" = {"a": 1}', "L460 укажите --game PATH", "a.jsonl:1:2: нет"):
        assert not english(iter([row]))
