"""`docs/tutorial.md` builds the shipped tic-tac-toe: its statements about each step are true, and the last step is that
game.

The output of its commands is tested with all other pages, in `test_docs.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from ludex.grammar import format_module, parse, same_meaning
from ludex.spec import check_game

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "tutorial.md"
SHIPPED = ROOT / "spec" / "games" / "tic_tac_toe" / "tic_tac_toe.ludex"
FENCED = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
REPORTED = re.compile(r"^tic_tac_toe\.ludex(?::(\d+):\d+)?: ([A-Z]\d{3}) ", re.MULTILINE)
LINKS = re.compile(r"\]\(([^)#\s:]*)(?:#([^)\s]+))?\)")


@dataclass(frozen=True)
class Step:
    """A stage of the file in the page, with the page's output of `ludex check` if it is run on it."""

    text: str
    said: str | None


def steps() -> list[Step]:
    """Return the file's stages in order, each with the output of the first `ludex check` before the next stage."""
    parts: list[Step] = []
    for language, text in FENCED.findall(PAGE.read_text(encoding="utf-8")):
        if language == "ludex":
            parts.append(Step(text, None))
        elif language == "console" and parts and parts[-1].said is None:
            _, asked, printed = text.partition("$ ludex check tic_tac_toe.ludex\n")
            parts[-1] = Step(parts[-1].text, printed) if asked else parts[-1]
    return parts


STEPS = steps()


@pytest.mark.parametrize("step", STEPS, ids=range(1, len(STEPS) + 1))
def test_step_has_the_faults_that_the_page_names(step: Step, tmp_path: Path) -> None:
    path = tmp_path / "tic_tac_toe.ludex"
    path.write_text(step.text, encoding="utf-8")
    stated = [(int(line or 1), code) for line, code in REPORTED.findall(step.said or "")]
    assert [(diagnostic.span.line, diagnostic.code.code) for diagnostic in check_game(path)] == stated


def test_first_steps_are_checked_on_the_page() -> None:
    assert [step.said is not None for step in STEPS] == [True] * (len(STEPS) - 1) + [False], (
        "the page must show `ludex check` after every step but the last"
    )


@pytest.mark.parametrize("before,after", list(pairwise(STEPS)), ids=range(2, len(STEPS) + 1))
def test_step_adds_to_the_one_before(before: Step, after: Step) -> None:
    """A reader who types the new lines has the same file; only the failing example is corrected."""
    gone = set(before.text.splitlines()) - set(after.text.splitlines())
    mended = {line for line in gone if line.startswith("  expect ")}
    assert gone == mended


def test_last_step_is_the_shipped_game() -> None:
    built = parse(STEPS[-1].text, PAGE.name).module
    shipped = parse(SHIPPED.read_text(encoding="utf-8"), SHIPPED.name).module
    assert same_meaning(built, shipped), "the tutorial must end with spec/games/tic_tac_toe"
    assert format_module(built) == format_module(shipped), (
        "the comments of the tutorial and of spec/games/tic_tac_toe differ: copy them"
    )


@pytest.mark.parametrize("page", ["README.md", "docs/README.md", "docs/tutorial.md", "docs/authoring-guide.md"])
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    links = LINKS.findall(path.read_text(encoding="utf-8"))
    assert links
    for name, heading in links:
        target = (path.parent / name).resolve() if name else path
        assert target.exists(), f"correct {page}: it links to {name}, which does not exist"
        assert not heading or heading in headings(target), (
            f"correct {page}: it links to {name}#{heading}, and there is no such heading"
        )


def headings(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    missing = sorted(page for page in pages if f"({page}" not in index)
    assert not missing, f"add {', '.join(missing)} to docs/README.md"
