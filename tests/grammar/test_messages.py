"""The catalogue of messages: each entry exists in every language, with the same arguments and all plural forms."""

from __future__ import annotations

import pickle
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor

from ludex.grammar import (
    FILE_CODES,
    SYNTAX_CODES,
    YAML_CODES,
    Message,
    Severity,
    Word,
    code_in_language,
    enumerated,
    in_language,
    languages,
    meanings_of_code,
)
from ludex.grammar.messages import catalogue
from ludex.interpreter import LOG_CODES
from ludex.interpreter.play_codes import SPEC_FAULT
from ludex.spec import BAD_SETTING, COMPONENT_CODES, OVER_BUDGET, SPEC_CODES, UNKNOWN_GAME

from ..letters import is_in

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "grammar" / "messages"
CATEGORIES = {"en": {"one", "other"}, "ru": {"one", "few", "many"}, "he": {"one", "other"}}
"""The plural categories that an entry must distinguish. Hebrew may have a form for two, too."""
ENGLISH_ONLY = {"article"}
"""Arguments that a translation may omit."""


class Arguments(Visitor):
    """Collects the arguments that an entry prints, those of them before a word, and its selectors with their keys."""

    def __init__(self) -> None:
        self.printed: set[str] = set()
        self.before_a_word: set[str] = set()
        self.selectors: list[tuple[str, frozenset[str]]] = []

    def visit_VariableReference(self, node: ast.VariableReference) -> None:  # noqa: N802 - the visitor's name for it
        self.printed.add(node.id.name)

    def visit_Pattern(self, node: ast.Pattern) -> None:  # noqa: N802
        for shown, text in pairwise(node.elements):
            if isinstance(text, ast.TextElement) and re.match(r" [^\W\d_]", text.value):
                inner = Arguments()
                inner.visit(shown)
                self.before_a_word |= inner.names
        self.generic_visit(node)

    def visit_SelectExpression(self, node: ast.SelectExpression) -> None:  # noqa: N802
        assert isinstance(node.selector, ast.VariableReference)
        keys = [each.key.name for each in node.variants if isinstance(each.key, ast.Identifier)]
        self.selectors.append((node.selector.id.name, frozenset(keys)))
        for each in node.variants:
            self.visit(each.value)

    @property
    def names(self) -> set[str]:
        return {name.removesuffix("-grouped") for name in self.printed.union(name for name, _ in self.selectors)}


def entries(language: str) -> dict[str, Arguments]:
    """Read the entries of a language with their arguments."""
    resource = FluentParser().parse((FOLDER / f"{language}.ftl").read_text(encoding="utf-8"))
    found: dict[str, Arguments] = {}
    for entry in resource.body:
        assert not isinstance(entry, ast.Junk), f"{language}: {entry.content}"
        if isinstance(entry, ast.Message):
            assert entry.id.name not in found, f"{language}: {entry.id.name} is there twice"
            found[entry.id.name] = arguments = Arguments()
            arguments.visit(entry)
    return found


ENTRIES = {language: entries(language) for language in languages()}
NOT_IN_A_SENTENCE = {"schema-title", "sum-edition", "sum-legal-of", "text-line-begins"}
"""Entries with a title of a game, with its name at the head of a row, or with a command."""
OTHERS = [language for language in languages() if language != "en"]


@pytest.mark.parametrize("language", languages())
def test_a_game_is_named_in_one_way(language: str) -> None:
    """By its name, as logs and commands write it, in backticks."""
    rows = (FOLDER / f"{language}.ftl").read_text(encoding="utf-8").splitlines()
    bare = [row for row in rows if re.search(r"(?<!`)\{ \$game \}", row)]
    assert {row.split(" = ")[0] for row in bare} == NOT_IN_A_SENTENCE


def test_the_pages_name_the_languages() -> None:
    pages = [(ROOT / name).read_text(encoding="utf-8") for name in ("docs/languages.md", "README.md")]
    named = {tag: name for name, tag in re.findall(r"(\w+) \(`(\w+)`\)", pages[0].partition("\n\n```")[0])}
    assert set(named) == set(languages())
    said = next(line for line in pages[1].splitlines() if "[languages](docs/languages.md)" in line)
    assert all(name in said for name in named.values())


@pytest.mark.parametrize("language", OTHERS)
def test_each_entry_exists_in_every_language(language: str) -> None:
    assert set(ENTRIES[language]) == set(ENTRIES["en"])


@pytest.mark.parametrize("language", OTHERS)
def test_translations_have_the_arguments_of_english(language: str) -> None:
    for name, arguments in ENTRIES[language].items():
        english = ENTRIES["en"][name]
        needed = {each.removesuffix("-grouped") for each in english.printed} - ENGLISH_ONLY
        assert needed <= arguments.names <= english.names, f"{language}: {name}"


@pytest.mark.parametrize("language", languages())
def test_plurals_have_all_their_forms(language: str) -> None:
    for name, arguments in ENTRIES[language].items():
        for selector, keys in arguments.selectors:
            if keys & {"one", "two", "few", "many"}:
                assert keys - {"two"} == CATEGORIES[language], f"{language}: {name}, {selector}"


@pytest.mark.parametrize("language", OTHERS)
def test_a_word_after_a_number_has_forms_where_english_has_them(language: str) -> None:
    """Without them `1 points` would be written. A number that no word follows (`points: 1`) needs none."""
    for name, arguments in ENTRIES[language].items():
        inflected = {each for each, keys in ENTRIES["en"][name].selectors if keys & CATEGORIES["en"]}
        unchanging = inflected - {each for each, _ in arguments.selectors}
        assert not unchanging & arguments.before_a_word, f"{language}: {name}"


@pytest.mark.parametrize("language", languages())
def test_the_reference_implementation_gives_the_same_texts(language: str) -> None:
    """The catalogue is plain Fluent, so another implementation may replace ours."""
    bundle = FluentBundle([language], use_isolating=False)
    bundle.add_resource(FluentResource((FOLDER / f"{language}.ftl").read_text(encoding="utf-8")))
    for name, arguments in ENTRIES[language].items():
        numbers = {each for each, keys in arguments.selectors if keys & {"one", "few", "many"}}
        pattern = bundle.get_message(name).value
        assert pattern is not None
        for number in (1, 2, 3, 5, 21):
            every = arguments.names | arguments.printed
            values: dict[str, Any] = {each: number if each in numbers else f"<{each}>" for each in every}
            expected, faults = bundle.format_pattern(pattern, values)
            assert not faults
            assert catalogue.formatted(language, name, values) == expected


def test_every_used_entry_exists_and_every_entry_is_used() -> None:
    sources = [path for top in ("grammar", "spec", "interpreter", "cli") for path in (ROOT / top).rglob("*.py")]
    sources += (ROOT / "src" / "ludex").glob("*.py")
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    used = set(re.findall(r'\b(?:Message|words)\(\s*"([\w-]+)"', code))
    assert used <= set(ENTRIES["en"]), f"add to the catalogue: {sorted(used - set(ENTRIES['en']))}"
    made_up = re.findall(r"""f["']((?:[a-z]+|\{[^}]*\})-(?:[\w-]|\{[^}]*\})+)["']""", code)
    made = [re.sub(r"\{[^}]*\}", r"[\\w-]+", name) for name in made_up]
    quoted = set(re.findall(r"""["']([\w-]+)["']""", code))
    known = re.compile("|".join(made))
    unused = [name for name in ENTRIES["en"] if name not in quoted and not known.fullmatch(name)]
    assert not unused, f"remove these entries, which no code uses: {unused}"


def test_the_page_for_translators_quotes_entries_exactly() -> None:
    page = (ROOT / "docs" / "languages.md").read_text(encoding="utf-8")
    shown = re.findall(r"```fluent\n(.*?)```", page, re.DOTALL)
    files = "".join((FOLDER / f"{language}.ftl").read_text(encoding="utf-8") for language in languages())
    assert len(shown) == 2
    assert all(entry in files for entry in shown)


# ---- messages -------------------------------------------------------------------------------------------------------


def test_a_message_is_a_string_in_english() -> None:
    message = Message("found-list", count=3)
    assert message == "a list of 3"
    assert isinstance(message, str)
    assert in_language(message, "en") == message


@pytest.mark.parametrize(("count", "expected"), [(1, "поле x"), (3, "поля x"), (5, "поля x")])
def test_the_plural_form_depends_on_the_number(count: int, expected: str) -> None:
    assert in_language(Message("found-fields", count=count, names="x"), "ru") == expected


def test_arguments_are_formatted_in_the_language() -> None:
    inner = enumerated([Message("found-large"), Word("study", {"he": "לימוד"}), "x"], "or")
    assert inner == "a very large number, study or x"
    assert in_language(inner, "ru") == "очень большое число, study или x"
    assert in_language(inner, "he") == "מספר גדול מאוד, לימוד או x"


def test_arguments_that_are_no_messages_are_quoted() -> None:
    message = enumerated(["a", Message("found-large"), "b"])
    assert in_language(message, "en", lambda text: f"<{text}>") == "<a>, a very large number and <b>"


@pytest.mark.parametrize("beyond", (0, 10**10, 10**30, -(10**10)))
def test_the_form_of_a_large_number_is_that_of_its_last_digits(beyond: int) -> None:
    for last, word in ((1, "очко"), (2, "очка"), (5, "очков"), (11, "очков"), (21, "очко"), (112, "очков")):
        points = beyond + last if beyond >= 0 else beyond - last
        said = Message("claim-points", player="A", points=points, claimed=points)
        assert in_language(said, "ru") == f"A: {points} {word}, а не {points}"
    many = Message("claim-points", player="A", points=10**60 + 1, claimed=1)
    assert in_language(many, "ru") == "A: ~10^60 очков, а не 1"


def test_large_numbers_are_grouped() -> None:
    message = Message("more-alike", message="x", count=12345)
    assert message == "x; 12,345 more here have the same fault"
    assert "12\u00a0345 местах" in in_language(message, "ru")
    huge = Message("expected-number", number=10**30)
    assert huge == f"the number {10**30}"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("sign", "zeros", "shown"), [(1, 39, "1" + 39 * "0"), (1, 40, "~10^40"), (1, 5000, "~10^5000"), (-1, 99, "-~10^99")]
)
def test_a_number_of_many_digits_is_shortened(sign: int, zeros: int, shown: str, language: str) -> None:
    number = sign * 10**zeros
    assert in_language(Message("expected-number", number=number), language).endswith(f" {shown}")
    grouped = in_language(Message("yaml-too-many-values", most=number), language)
    assert shown in grouped.replace(",", "").replace("\u00a0", "")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("bits", [31, 32, 53, 63, 64, 100])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_number_of_any_size_is_written_with_its_digits(sign: int, bits: int, language: str) -> None:
    """The formatter writes the name of the argument for a number of more than 32 bits, and says nothing."""
    for number in (sign * 2**bits - 1, sign * 2**bits, sign * 2**bits + 1):
        assert in_language(Message("expected-number", number=number), language).endswith(f" {number}")
        players = in_language(Message("game-players", game="nim", allowed="2", players=number), language)
        assert str(number) in players
        assert "players" not in players.replace("for 2 players", "")


def test_a_missing_entry_raises() -> None:
    with pytest.raises(ValueError, match="no-such-entry"):
        Message("no-such-entry")


def test_a_language_without_an_entry_falls_back_to_english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "qaa.ftl").write_text("found-large = eine sehr große Zahl\n", encoding="utf-8")
    (tmp_path / "en.ftl").write_text((FOLDER / "en.ftl").read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(catalogue, "_FOLDER", tmp_path)
    both = enumerated([Message("found-large"), Message("found-empty-list")])
    assert in_language(both, "qaa") == "eine sehr große Zahl and an empty list"


def test_messages_are_pickled_for_worker_processes() -> None:
    message = enumerated([Message("found-list", count=3), Word("study", {"ru": "изучить"})])
    again = pickle.loads(pickle.dumps(message))  # noqa: S301 - written here
    assert again == message
    assert in_language(again, "ru") == "список из 3 элементов и изучить"


# ---- the pages of codes ---------------------------------------------------------------------------------------------

REFEREES = (*FILE_CODES, *YAML_CODES, *LOG_CODES, SPEC_FAULT, OVER_BUDGET, BAD_SETTING, UNKNOWN_GAME)
"""The codes in reports on a log, and on what `ludex play` is asked for."""


@pytest.mark.parametrize("language", OTHERS)
def test_each_code_for_logs_is_explained_in_every_language(language: str) -> None:
    found = entries(f"codes/{language}")
    assert set(found) >= {name for each in REFEREES for name in (each.code, f"{each.code}-mend")}
    for code in REFEREES:
        told = code_in_language(code, language)
        assert told is not None
        assert ". " not in told.meaning, f"{code.code}: what follows the first sentence is its explanation"
        for words, english in ((told.description, code.description), (told.mend, code.mend)):
            names = set(re.findall(r"`[^`]+`|\{.*?\}", english))
            assert names == set(re.findall(r"`[^`]+`|\{.*?\}", words)), (
                f"give {code.code} the same names and samples in every language"
            )


def test_a_page_of_a_code_of_specs_is_in_english() -> None:
    assert code_in_language(next(each for each in SPEC_CODES if each.code == "N101"), "ru") is None
    assert code_in_language(OVER_BUDGET, "en") is None


STOPPING = [each for each in (*SYNTAX_CODES, *SPEC_CODES, *COMPONENT_CODES) if each.severity is Severity.ERROR]
"""The codes by which a game cannot be played, so that L432 names them in a report on its log."""


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_code_of_specs_means_is_said_in_every_language(language: str) -> None:
    for code in STOPPING:
        meaning = meanings_of_code(code.code).get(language)
        assert meaning, f"say in grammar/messages/codes/{language}.ftl what {code.code} means"
        assert is_in(language, meaning)
        names = set(re.findall(r"`[^`]+`", meaning))
        assert names <= set(re.findall(r"`[^`]+`", code.description)), (
            f"give {code.code} the names of its English meaning"
        )


def test_a_language_with_latin_letters_needs_none_of_its_own() -> None:
    assert is_in("qaa", "ein Name fehlt")
    assert not is_in("ru", "a name is missing")


def test_a_noun_keeps_its_capital_letter_in_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "codes").mkdir()
    for language in ("qab", "qac"):
        (tmp_path / f"codes/{language}.ftl").write_text("E301 = Namen fehlen.\n", encoding="utf-8")
    monkeypatch.setattr(catalogue, "_FOLDER", tmp_path)
    monkeypatch.setattr(catalogue, "languages", lambda: ("en", "qab", "qac"))
    monkeypatch.setattr(catalogue, "_CAPITAL_NOUNS", frozenset({"qab"}))
    assert meanings_of_code("E301") == {"qab": "Namen fehlen", "qac": "namen fehlen"}
