"""`--lang`: commands that judge, show or play games print everything in that language."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..letters import LETTERS, latin_words
from .running import ludex
from .test_whole_reports import known as names

ROOT = Path(__file__).parents[2]
GOOD = "spec/games/tic_tac_toe/logs/full.jsonl"
BAD = "tests/games/bad_logs/tic_tac_toe/claim-free.jsonl"
UNKNOWN = '{"ludex": 1, "game": "kuhn_poker", "players": 2}\n{"chance": "setup.deal", "outcome": "unknown"}\n'

MISUSED = (
    f"validate {GOOD} {BAD} --explain 1",
    f"validate {GOOD} --explain 1 --format csv",
    f"validate {GOOD} --explain 99",
    "validate - --explain 2",
    f"validate {GOOD} --format xml",
    f"validate {GOOD} --results README.md",
    f"validate {GOOD} --results tests",
    f"validate {GOOD} --jobs 0",
    f"validate {GOOD} --explain",
    f"validate {GOOD} --quiet=1",
    "validate spec/games/boreal/logs/full.jsonl --edition none",
    "validate",
    f"show {GOOD} --at x",
    f"show {GOOD} --at 99",
    f"show {GOOD} --ta 9",
    f"show {GOOD} extra",
    f"show {GOOD} extra more",
    f"show {GOOD} --as Zed",
    f"show {GOOD} --as 1 --format position",
    f"show {GOOD} --silence literal",
    "show docs",
    "show - --format position",
    "show --merged ru boreal --at 3",
    f"convert {GOOD}",
    f"convert {GOOD} README.md",
    "convert tests/cli/several.jsonl --to yaml",
    "convert docs x.yaml",
    f"migrate {GOOD} --to nim --in-place --out x",
    f"migrate {GOOD}",
    "migrate - --to nim --in-place",
    f"migrate {GOOD} --to nim --out README.md",
    "new-log pig README.md",
    "new-log pig mkdocs.yaml --names Anna,Anna",
    "new-log pig --option x",
    "new-log pig --option x=1 --option x=2",
    "games pig --players 2",
    "games --moves",
    f"play pig --resume {GOOD}",
    f"play tic_tac_toe --resume {GOOD} --names A,B",
    f"play tic_tac_toe --resume {GOOD} --from {GOOD}",
    f"play pig --from {GOOD}",
    f"play tic_tac_toe --from {GOOD} --players 2",
    "play pig --resume -",
    "play kuhn_poker --seed x",
    f"play tic_tac_toe --save {GOOD}",
    "explain L999",
    "schema",
    "schema pig --components",
    "schema pig --report texts",
)
"""Command lines that are refused before anything is judged or played."""
FAILING = (
    f"show {BAD} --at 9",
    f"migrate {GOOD} --to nim",
    "new-log nothing",
    "new-log pig --players 9",
    "new-log boreal --edition none",
    "new-log boreal --reading scout_refill=none",
    "play docs",
    "play nim --option heap_1=99",
    "play nim --option misere=3",
    "play boreal --reading foo=bar",
)
"""Command lines that end with a finding."""
KINDS = {"text", "json", "csv", "OUT", "VALUE", "FORK", "READING", "Cross", "Nought"}
"""The names of options' arguments, and the players of the log."""


@pytest.mark.drawn(8)
@pytest.mark.parametrize("line", (*MISUSED, *FAILING))
def test_errors_are_in_the_language(line: str) -> None:
    given = line.split()
    for language, letters in LETTERS.items():
        ran = ludex(*given, "--lang", language, stdin=UNKNOWN)
        assert ran.code == 3 if line in MISUSED else ran.code in (1, 2, 3)
        said = [row for row in ran.output.splitlines() if row.strip()]
        where = [row for row in said if not re.match(r"  +\d* *\||.*  \(spec/|.*\{\"player", row)]
        assert where
        assert all(letters.search(row) for row in where), where
        # The usage of a command and its arguments are not translated.
        known = names() | set(re.findall(r"\w+", line)) | KINDS
        left = [row for row in where if "[OPTIONS]" not in row and latin_words(row, known)]
        assert not left, f"make each a `Message` of the catalogue (docs/languages.md): {left}"


def test_messages_of_click_are_unchanged_in_english() -> None:
    """The catalogue has click's own sentences too."""
    ran = ludex("show", GOOD, "--at", "x", "--lang", "en")
    assert ran.stderr.splitlines() == [
        "Usage: ludex show [OPTIONS] LOG|GAME",
        "Try 'ludex show --help' for help.",
        "",
        "Error: Invalid value for '--at': 'x' is not a valid whole number.",
    ]
    assert "No such option '--ta'. (Did you mean one of: '--as'," in ludex("show", "--ta").stderr
    assert "No such option '--too'. Did you mean '--to'?" in ludex("convert", GOOD, "--too").stderr
    assert ludex("explain").stderr.endswith("Error: Missing argument 'CODE'.\n")


@pytest.mark.parametrize("language", LETTERS)
def test_an_event_is_explained_in_the_language(language: str) -> None:
    ran = ludex("validate", "spec/games/boreal/logs/full.jsonl", "--explain", 10, "--lang", language)
    head, *rows = ran.output.splitlines()
    assert LETTERS[language].search(head)
    assert not [row for row in rows if re.match("  (holds|fails|open) ", row)]
    assert [row for row in rows if LETTERS[language].search(row) and "study.adjoining.opening" in row]


@pytest.mark.parametrize("language", LETTERS)
def test_a_claim_is_explained_in_the_language(language: str) -> None:
    log = "tests/games/bad_logs/bora_bora/wrong-points.jsonl"
    ran = ludex("validate", log, "--explain", "line:112", "--lang", language)
    head, part, has, *_ = ran.output.splitlines()
    assert all(LETTERS[language].search(row) for row in (head, part, has)), ran.output


@pytest.mark.parametrize("language", LETTERS)
def test_reasons_and_readings_are_in_the_language(language: str) -> None:
    """Reports as JSON have them in the language, too."""
    log = "tests/games/bad_logs/nim/take-enough.jsonl"
    (why,) = json.loads(ludex("validate", log, "--format", "json", "--lang", language).stdout)["logs"][0]["findings"][
        0
    ]["why"]
    assert LETTERS[language].search(why["authority"])
    game = json.loads(ludex("games", "boreal", "--format", "json", "--lang", language).stdout)["games"][0]
    assert all(
        LETTERS[language].search(words) for fork in game["forks"].values() for words in fork["readings"].values()
    )
    rows = ludex("games", "boreal", "--lang", language).stdout.splitlines()[1:-1]
    assert all(LETTERS[language].search(row) for row in rows)


@pytest.mark.parametrize(
    ("language", "words"), [("en", "hand (my hand)"), ("ru", "рука (my hand)"), ("he", "יד (my hand)")]
)
def test_the_domain_of_a_choice_is_named_by_its_term(language: str, words: str) -> None:
    log = "tests/games/bad_logs/goofspiel/bid-twice.jsonl"
    assert words in ludex("validate", log, "--lang", language).stdout


# ---- all sentences come from the catalogue ---------------------------------------------------------------------------

SPEAKS = re.compile(r"^@\w*lang_option$", re.MULTILINE)
COMMANDS = sorted(path for path in (ROOT / "cli/commands").glob("*.py") if SPEAKS.search(path.read_text("utf-8")))
SPOKEN = (
    *(f"cli/commands/{path.name}" for path in COMMANDS),
    *("cli/command.py", "cli/positions.py", "cli/log_arguments.py", "cli/reporting/output_files.py"),
    *("cli/many_logs", "cli/playing", "cli/verdicts"),
    *("interpreter/logs", "interpreter/event_notation", "interpreter/explanation"),
)
"""The modules that print sentences to people who judge, show or play games."""
SAYING = {"UsageError", "BadParameter", "ClickException", "fail", "Diagnostic", "Note", "Problem", "say"}
WORD = re.compile(r"[A-Za-z]{2}")


def plain(source: str) -> Iterator[tuple[int, str]]:
    """Yield the English sentences in a module that bypass the catalogue, with their lines."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in SAYING:
                for argument in node.args:
                    parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
                    texts = [each.value for each in parts if isinstance(each, ast.Constant)]
                    yield from ((node.lineno, text) for text in texts if isinstance(text, str) and WORD.search(text))


def test_the_page_names_the_commands() -> None:
    head = (ROOT / "docs/languages.md").read_text("utf-8").partition("), including")[0]
    named = re.findall(r"`([a-z-]+)(?: --\w+)?`", head.rpartition("(")[2])
    assert sorted(named) == [path.stem.replace("_", "-") for path in COMMANDS]


def test_every_sentence_is_in_the_catalogue() -> None:
    files = [
        path for name in SPOKEN for path in ([ROOT / name] if name.endswith(".py") else (ROOT / name).rglob("*.py"))
    ]
    assert len(files) > 60
    places = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in files
        for line, text in plain(path.read_text(encoding="utf-8"))
        if not text.startswith("/")  # a JSON pointer, not a sentence
    ]
    assert not places, f"make each a `Message` of the catalogue (docs/languages.md): {places}"


@pytest.mark.parametrize("source", ["say(f'{file} is lost')", "raise click.UsageError('one log')", "Note('so it is')"])
def test_a_sentence_outside_the_catalogue_is_noticed(source: str) -> None:
    assert list(plain(source))
