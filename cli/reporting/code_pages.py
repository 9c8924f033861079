"""Pages of codes: what is wrong, how to mend it, a sample with its report. For `ludex explain` and `docs/errors.md`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files

from ludex.grammar import FILE_CODES, SYNTAX_CODES, YAML_CODES, Code, Severity
from ludex.interpreter import LOG_CODES, PLAY_CODES
from ludex.spec import COLLATION_CODES, COMPONENT_CODES, RULING_CODES, SOURCE_CODES, SPEC_CODES

SAMPLES_FILE = "code_samples.json"
"""The file of the samples, which `python -m tests.make_errors` writes: those that the tests run."""

_ABOUT_TEXTS = """\
These are faults of the citations, and of the data that are stored about a rulebook. `ludex coverage` reports them as
errors, and `ludex check` as warnings."""

_COLLATING = "These are faults of transcriptions that are merged, and of the decisions on them (`ludex collate`)."


@dataclass(frozen=True, slots=True)
class CodeGroup:
    """The codes of one kind of fault, in order."""

    title: str
    about: str
    codes: tuple[Code, ...]


def _group(title: str, about: str, codes: tuple[Code, ...]) -> CodeGroup:
    return CodeGroup(title, about, tuple(sorted(codes, key=lambda code: code.code)))


CODE_GROUPS = (
    _group(
        "Files",
        "These are faults of a file as a whole: it cannot be read or written, whatever its content.",
        FILE_CODES,
    ),
    _group("The text of a spec", "The parser finds these faults of spelling and layout.", SYNTAX_CODES),
    _group(
        "What a spec says", "The checker finds these faults of names, types, flow, headers and citations.", SPEC_CODES
    ),
    _group(
        "YAML",
        "These faults occur in any YAML file: component files, hand-written logs, decisions and rulings.",
        YAML_CODES,
    ),
    _group(
        "Component data",
        "These are faults of the component file beside a spec, in itself or against the spec's declarations.",
        COMPONENT_CODES,
    ),
    _group("Texts and citations", _ABOUT_TEXTS, SOURCE_CODES),
    _group("Collating", _COLLATING, COLLATION_CODES),
    _group(
        "Rulings",
        "These are faults of a file with a team's decisions about the rows of a report (`ludex diff`).",
        RULING_CODES,
    ),
    _group("Examples, and specs in play", "These faults are found when a spec is played.", PLAY_CODES),
    _group("Logs", "These faults of recorded games are found in the text, in single lines, and in play.", LOG_CODES),
)


@dataclass(frozen=True, slots=True)
class CodeSample:
    """A text that gets a code, its report, and the corrected text if there is one.

    Attributes:
        reports: the report in other languages than English; none for a text whose reports are in English only.
    """

    bad: str
    report: str
    good: str | None = None
    reports: Mapping[str, str] = field(default_factory=dict)

    def told(self, language: str | None) -> CodeSample:
        """Return the sample with its report in a language, if it is there."""
        return replace(self, report=self.reports.get(language or "", self.report))


def code_samples() -> Mapping[str, CodeSample]:
    """Read the samples, by code."""
    text = files(__package__).joinpath(SAMPLES_FILE).read_text(encoding="utf-8")
    return {code: CodeSample(**parts) for code, parts in json.loads(text).items()}


@dataclass(frozen=True, slots=True)
class CodePage:
    """The page of a code. mend, mended: the line that says how to mend the fault, the line above the corrected text."""

    code: Code
    description: str
    mend: str
    mended: str
    sample: CodeSample | None

    def rows(self, block: Callable[[str], list[str]]) -> list[str]:
        """Write the page below its heading, each part with an empty row after it. block: how samples are written."""
        rows = [self.description, "", self.mend, ""]
        if self.sample is not None:
            rows += [*block(self.sample.bad), "", *block(self.sample.report), ""]
            if self.sample.good is not None:
                rows += [self.mended, "", *block(self.sample.good), ""]
        return rows


def code_of(word: str) -> Code | None:
    """Return the code with this number or name; None if there is none."""
    codes = (code for group in CODE_GROUPS for code in group.codes)
    return next((code for code in codes if word.upper() == code.code or word.lower() == code.name), None)


def english_page(code: Code, sample: CodeSample | None) -> CodePage:
    """Make the page of a code with the marks of Markdown."""
    return CodePage(code, code.description, f"**To mend it:** {code.mend}", "Mended:", sample)


def severity_of(code: Code) -> str:
    return "warning" if code.severity is Severity.WARNING else "error"


def fenced(text: str) -> list[str]:
    """Write a sample as a block of Markdown."""
    return ["```text", *_lines(text), "```"]


def indented(text: str) -> list[str]:
    """Write a sample as an indented block."""
    return [f"    {row}".rstrip() for row in _lines(text)]


def _lines(text: str) -> list[str]:
    # A tab has no width of its own.
    return [row.rstrip().replace("\t", "→   ") for row in text.rstrip("\n").split("\n")]
