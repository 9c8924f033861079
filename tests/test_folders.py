"""The folder pages `docs.md`: the folder's question, a row for each module, and where to add what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from .make_rows import FOLDERS, LAYERS, ROOT, WIDTH, modules, page, with_rows

ADDING = ROOT / "docs/adding.md"
MOST = 12
"""The largest number of modules of a folder that answers several questions."""
LONGEST = 9
"""The largest number of lines of a list "To add ..." on a page."""
SOURCES = tuple(f"{top}/**/*.py" for top in LAYERS)


@dataclass(frozen=True)
class Sample:
    """An existing example of an addition: another one concerns the files that contain it.

    Attributes:
        pattern: finds the example in a file.
        files: patterns of the files that are searched.
    """

    addition: str
    pattern: str
    files: tuple[str, ...] = SOURCES


SAMPLES = (
    Sample("statement", r"\bSwapPieces\b|\bs\.Swap\b|class Swap\b"),
    Sample("statement", r"\b(RepeatTimesStep|RepeatUntilStep|IfStep|ForEach)\b|\bs\.(If|RepeatTimes|RepeatUntil)\b"),
    Sample("statement", r"\bSetLocal\b|\bs\.(Let|LocalState)\b"),
    Sample("statement", r"\b(Asking|Simultaneous|RandomValue)\b"),
    Sample("kind of clause", r"InvariantDeclaration|\.invariants\b", (*SOURCES, "bench/**/*.py", "tests/grammar/*.py")),
    Sample("kind of clause", r"\b(ScoreDeclaration|ScoreClause)\b|game\.scores", (*SOURCES, "bench/**/*.py")),
    Sample("kind of clause", r'"INVARIANT"|"invariant"'),
    Sample("builtin", r"\bclockwise\b"),
    Sample("builtin", r'"place_in"|"reversed"|\bnot_listed\b'),
    Sample("operator", r'"implies"|"<="|"mod"', (*SOURCES, "bench/mutations/*.py", "tests/grammar/*.py")),
    Sample("type", r"\bBagOf\b"),
    Sample("kind of zone", r'"pile"|\bPILE_OF\b',
           (*SOURCES, "grammar/*.lark", "tests/games/*.py", "tests/grammar/*.py", "tests/interpreter/log_*.py")),
    Sample("kind of zone", r"^zone \w+(\(\w+\))?: pile of",
           ("tests/grammar/*.py", "tests/grammar/layout/*.ludex", "tests/interpreter/*games.py")),
    Sample("visibility", r'"private"', (*SOURCES, "tests/games/*.py", "tests/grammar/*.py", "tests/interpreter/*.py")),
    Sample("kind of provenance", r'"assumed"'),
    Sample("entry of the component file", r"\b(ROW_ENTRIES|MOST_COPIES|WRONG_COPIES)\b|\.copies\b", ("spec/**/*.py",)),
    Sample("header entry", r"^GAME_ENTRIES|\.FileHeader\b|header\.not_shown"),
    Sample("tag of a log", r"^TAGS\b|\bDATE\b"),
    Sample("kind of line", r'"gap"|\bGAP_MEMBERS\b', ("interpreter/logs/**/*.py", "cli/**/*.py")),
    Sample("kind of line", r"^GAPS = st|^TYPED = {.deal|\| `gap`|^\*\*Gaps\.", ("tests/**/*.py", "docs/*.md")),
    Sample("kind of claim", r'"terminal"', ("interpreter/logs/**/*.py", "cli/**/*.py")),
    Sample("kind of result", r'"adjudicated"|"resigns"|\| `adjudicated`',
           ("interpreter/logs/**/*.py", "cli/**/*.py", "tests/interpreter/*.py", "docs/logs.md")),
    Sample("line member", r'"clock"|\b_?CLOCK\b', ("interpreter/logs/**/*.py", "cli/**/*.py")),
    Sample("fault of a log", r"\b(SECOND_HEADER|HEADER_MISSING|DOUBTFUL_TAG|NUMBER_OUT_OF_ORDER|WRONG_SCORES)\b",
           ("interpreter/logs/**/*.py",)),
    Sample("fault of a log", r"\bUNKNOWN_PLAYER\b", ("interpreter/logs/**/*.py",)),
    Sample("fault of a log", r"\bdef is_taken\b|^class (FullEntry|EventDecoder)\b",
           ("interpreter/logs/**/*.py", "tests/interpreter/*.py")),
    Sample("import of logs", r"\bdef log_of\b|^_SIGNS", ("tests/conformance/*.py", "interpreter/logs/**/*.py")),
    Sample("native operation", r'"bag_minus"|"place_in"|"concat"', ("interpreter/program/llvm/*.py",)),
    Sample("log form", r'yaml_log|"ludexlog"'),
    Sample("compressed form", r'\.zst\b|"zst"',
           ("interpreter/**/*.py", "tests/**/*.py", "docs/*.md", ".pre-commit-hooks.yaml")),
    Sample("format of verdicts", r'"markdown"|MarkdownWriter'),
    Sample("format of the diff report", r'"xlsx"|to_xlsx'),
    Sample("section of the diff report", r'\bSection\.[A-Z]|"duty"'),
    Sample("column of the results file", r"report_sha256|\bLogRow\b", (*SOURCES, "docs/results.md")),
    Sample("format of random games", r"\bGameRow\b", (*SOURCES, "docs/data.md")),
    Sample("rule of comparing", r'def (own_form|named_alike|read_decisions|_unmerged|_merged)\(|"requirement split"',
           ("spec/collation/*.py", "spec/comparing/*.py", "bench/mutations/*.py")),
    Sample("public function", r"\bjudge_many\b", ("src/ludex/*.py", "tests/test_facade.py", "docs/python-api.md")),
    Sample("command", r'"new-log"|`ludex new-log`', ("cli/**/*.py",)),
    Sample("game", r"^(IMPOSSIBLE|NOT_CARRIED|NO_OTHER|PEERS|RECORDED|SEEDS)\b.* = [{d]",
           ("tests/**/*.py", "bench/*.py")),
    Sample("heuristic of the search", r"\bRowPlayer\b", ("interpreter/witnesses/*.py", "tests/**/*.py")),
    Sample("optimisation", r"\binvariant_lists\b", ("interpreter/**/*.py", "tests/**/*.py")),
    Sample("game", r"^(BOARDS|PEERS|PERFT)\b", ("bench/*.py",)),
    Sample("benchmark", r"\bpayments\(|\bSTATE_WORK\b", ("bench/*.py", "tests/games/*.py")),
    Sample("benchmark", r"\bPARTS\b", ("bench/*.py", "tests/games/*.py")),
    Sample("check", r"\bcaptured_operands\b|\"E317\"|E317 ", (*SOURCES, "docs/language.md")),
    Sample("diagnostic code", r"\bSTRAY_BRACKET\b|S104|\"stray-bracket\"", (*SOURCES, "tests/grammar/malformed.py")),
    Sample("column of the diff report", r"\b(decision|row)\.binds\b|\"binds\"|\bbinds: str( =|$)|\(row, .*\bbinds=",
           ("spec/co*/*.py", "cli/diff_report/*.py", "cli/diff_report/templates/*")),
    Sample("column of the diff report", r'^    head, row, whole = |"diff_boreal"', ("tests/cli/*.py",)),
    Sample("form of a state", r"\busage-position-of-log\b|\"position\"[],]", ("cli/**/*.py", "grammar/messages/*.ftl")),
    Sample("header member", r"[\".]silence\b|\bsilence:? ?(str|=)|^  silence TEXT",
           ("interpreter/logs/**/*.py", "cli/verdicts/*.py", "docs/results.md")),
    Sample("message of a report", r"^usage-no-file =|\"usage-no-file\"", (*SOURCES, "grammar/messages/*.ftl")),
    Sample("option of a command", r"\bonly_failing\b", ("cli/**/*.py",)),
    Sample("option of a command", r"\baudit\b: bool|options?.*\"audit\"|\"--audit\"", ("cli/**/*.py",)),
    Sample("printer", r"\bTIERS\[|\bNativeTier\b|\bNative\b.*import|import Native$|\"native\"\)",
           ("interpreter/simulate/*.py", "tests/*.py", "bench/tiers.py")),
    Sample("word typed in play", r'"undo"|\bdef undo\b|^play-help-undo =',
           ("cli/**/*.py", "grammar/messages/*.ftl", "tests/cli/test_play.py")),
    Sample("mutant of a printer", r"^(MUTANTS|GAMES)\b|^def infix\b", ("tests/interpreter/*mutants.py",)),
    Sample("pass of the native printer", r"\b(search_of|scan_of|joined_tests|grouped_by_cells|tests_emptiness)\b",
           ("interpreter/program/llvm/*.py",)),
    Sample("stage of check", r"^STAGES\b|\"declarations\"[,:]?|\bDeclaredEdition\b",
           ("cli/commands/*.py", "cli/stages/*.py", "spec/loading/*.py", "tests/cli/test_check.py")),
    Sample("form of the notation", r"\bUNSEEN\b",
           ("interpreter/event_notation/*.py", "interpreter/logs/text_logs/*.py")),
    Sample("chance distribution", r"\bweights\(|\bdef (weighed|outcomes_of)\(",
           ("interpreter/program/**/*.py", "interpreter/reference/*.py", "interpreter/state/*.py")),
    Sample("language of rulebooks", r"\bHEBREW_\w+|[\u05d0-\u05ea]{2}",
           ("spec/sources/*.py", "tests/spec/test_differing_words.py", "tests/spec/test_sources_numbers.py")),
    Sample("language", r"^CATEGORIES|^LETTERS|_RIGHT_TO_LEFT =|\(`he`\)",
           ("grammar/messages/*.py", "tests/**/*.py", "docs/*.md")),
)  # fmt: skip


def lists(folder: Path) -> dict[str, str]:
    """Return the lists of a page: what can be added, with its article, and the lines about it."""
    return dict(re.findall(r"^To add (an? [\w ]+):(.*\n(?:.+\n)*)", page(folder), re.MULTILINE))


def sections() -> dict[str, str]:
    """Return the sections of the page on adding, by their headings."""
    return dict(
        re.findall(r"^## ([^\n]+)\n\n(.+?)(?=\n## |\Z)", ADDING.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    )


def additions() -> list[tuple[str, str]]:
    """Return the things that can be added, over all pages, each with its list and its section on the page on adding."""
    known = sections()
    named = (pair for folder in FOLDERS for pair in lists(folder).items())
    return [(name.partition(" ")[2], lines + known.get(name.capitalize(), "")) for name, lines in named]


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_the_page_has_a_row_for_every_module(folder: Path) -> None:
    held = [path.name for path in modules(folder)]
    held += [f"{other.name}/" for other in FOLDERS if other.parent == folder]
    named = re.findall(r"^- `([\w/]+(?:\.py)?)`: \S", page(folder), re.MULTILINE)
    assert sorted(named) == sorted(held), f"write a row for each module into {folder}/docs.md"
    assert named == sorted(named, key=lambda name: (name.endswith("/"), name)), (
        f"{folder}/docs.md: list modules first, in the order of their names"
    )
    assert not re.search(r"^[<>=]{7}", page(folder), re.MULTILINE), f"{folder}/docs.md: resolve the merge conflict"


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_a_row_is_the_first_sentence_of_its_module(folder: Path) -> None:
    """So nobody writes two sentences about one module, and a search finds the same words in both places."""
    assert page(folder) == with_rows(folder), "run `python -m tests.make_rows`"


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_a_folder_is_small_or_answers_one_question(folder: Path) -> None:
    assert len(modules(folder)) <= MOST or re.match(r"# \S+\n\n[A-Z][^.?]*\?", page(folder)), (
        f"{folder}: divide the folder, or begin its page with the question that it answers"
    )


@pytest.mark.parametrize("path", [*(folder / "docs.md" for folder in FOLDERS), Path("docs/adding.md")], ids=str)
def test_a_page_is_narrow(path: Path) -> None:
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if len(line) > WIDTH], f"{path}: wrap lines at {WIDTH} columns"


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_a_list_on_a_page_is_short(folder: Path) -> None:
    long = [name for name, lines in lists(folder).items() if lines.count("\n") > LONGEST]
    assert not long, f"{folder}/docs.md: move what depends on a condition to docs/adding.md: {long}"


def test_each_section_on_adding_is_linked_by_its_list() -> None:
    linked, written = list[tuple[str, str]](), list[tuple[str, str]]()
    for folder in FOLDERS:
        for name, lines in lists(folder).items():
            links = re.findall(r"\[(.+?)\]\((?:\.\./)+docs/adding\.md#(.+?)\)", lines)
            assert links in ([], [(name, name.replace(" ", "-"))]), f"{folder}/docs.md: correct the link of {name}"
            linked += [(name.capitalize(), f"{folder}/docs.md") for _ in links]
    for heading, text in sections().items():
        written += [(heading, path) for path in re.findall(r"\[`[\w/]+/`\]\(\.\./(.+?)\)", text.splitlines()[0])]
    assert sorted(linked) == sorted(written), "link each section of docs/adding.md from its list, and back"


def test_each_thing_to_add_has_a_sample() -> None:
    without = {name for name, _ in additions()} - {sample.addition for sample in SAMPLES}
    assert not without, f"name files of an existing example in SAMPLES, for: {sorted(without)}"


def test_each_thing_to_add_is_on_one_page() -> None:
    named = [name for name, _ in additions()]
    assert len(named) == len(set(named)), "each thing to add belongs to one page, once"


@pytest.mark.parametrize(("name", "where"), additions(), ids=[name for name, _ in additions()])
def test_the_files_to_touch_exist(name: str, where: str) -> None:
    paths = re.findall(r"`([\w./-]+/[\w./-]*)`", where)
    assert paths, f"name the files to touch, as paths from the project's root, for: {name}"
    missing = [path for path in paths if not (ROOT / path).exists()]
    assert not missing, f"correct the files to touch for a new {name}: {missing} do not exist"


@pytest.mark.parametrize(("name", "where"), additions(), ids=[name for name, _ in additions()])
def test_what_is_named_in_a_file_is_there(name: str, where: str) -> None:
    """`A` of `file`, `A` and `B` of `file`; `A` there: in the file that is named last before it."""
    text, absent = " ".join(where.split()), list[str]()
    for match in re.finditer(r"((?:`\w+`,? (?:and |or )?)+)(?:(?:of|in) `([\w./-]+\.\w+)`|there\b)", text):
        path = match[2] or re.findall(r"`([\w./-]+/[\w-]+\.\w+)`", text[: match.start()])[-1]
        held = (ROOT / path).read_text(encoding="utf-8")
        words = re.findall(r"`(\w+)`", match[1])
        absent += [f"{word} of {path}" for word in words if not re.search(rf"\b{word}\b", held)]
    assert not absent, f"correct the page for a new {name}: there is no {', no '.join(absent)}"


def test_contributing_says_which_page_to_read() -> None:
    rows = re.findall(
        r"^\| (an? .+) \| `(.+)` \|$", (ROOT / "docs/contributing.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    named = {name: where for names, where in rows for name in re.findall(r"an? ([\w ]+)", names)}
    said = {
        name: (folder / "docs.md").as_posix()
        for folder in FOLDERS
        for name in (named.partition(" ")[2] for named in lists(folder))
    }
    assert named == said


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.addition}: {sample.pattern}")
def test_all_files_to_touch_are_named(sample: Sample) -> None:
    where = dict(additions())[sample.addition]
    for folder in re.findall(r"what\s+`([\w/]+)/docs\.md`\s+lists", where):
        where += "".join(lines + sections().get(name.capitalize(), "") for name, lines in lists(Path(folder)).items())
    searched = {path for files in sample.files for path in ROOT.glob(files) if path.name != "__init__.py"}
    naming = {
        path.relative_to(ROOT).as_posix()
        for path in searched
        if path != Path(__file__) and re.search(sample.pattern, path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert len(naming) > 1, "an example that is in several files"
    # Files of a folder that all have to be changed are named together.
    folders = set(re.findall(r"each\s+file\s+of\s+`([\w/]+)/`", where))
    left_out = sorted(path for path in naming if path not in where and path.rpartition("/")[0] not in folders)
    assert not left_out, f"the page must name these files for a new {sample.addition}: they contain {sample.pattern}"
