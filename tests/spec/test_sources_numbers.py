"""Numbers in the lines of a text, in three languages, and the check that citing clauses contain them."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ludex.spec.sources import number_words as words
from ludex.spec.sources.number_words import number_word
from ludex.spec.sources.numbers import NumberState, account_numbers, mentions, number_findings

from .sources_book import BOOK, clause, codes, confirmed, excuse, game, whole


def values(line: str, *, continues: bool = False) -> list[int]:
    return [mention.value for mention in mentions(line, continues=continues)]


# ---- digits ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line, expected",
    [
        ("2ПО за карту", [2]),
        ("2-5 players, 3–4 rounds", [2, 5, 3, 4]),
        ("карты с 1 по 6", [1, 6]),
        ("на 2-м и 3-м уровнях", [2, 3]),
        ("10+", [10]),
        ("x2, ×3 and B4", [2, 3, 4]),
        ("1,000 coins, then 1,5", [1000, 1, 5]),
        ("007", [7]),
        ("<|page-end-7d30e7|>4 paths, <|8|> 5", [4, 5]),
        ("<|page-end-7d30e7|>3. Take 2 cards", [2]),
        ("<3 or 4>", [3, 4]),
        ("no number at all", []),
        ("", []),
    ],
)
def test_numbers_in_digits_are_read_everywhere(line: str, expected: list[int]) -> None:
    assert values(line) == expected


@pytest.mark.parametrize(
    "line, expected",
    [
        ("1. Take 3 cards", [3]),
        ("2) Take 3 cards", [3]),
        ("- 1 Take 3 cards", [3]),
        ("  • 12. Take 3 cards", [3]),
        ("- 2 Каждый берёт 5 карт", [5]),
        ("- 2 snails each", [2]),
        ("- 2 ⊕ она получает", [2]),
        ("- 44 карты", [44]),
        ("2 Players take 3 cards", [2, 3]),
        ("2.5 is not a list", [2, 5]),
        ("- 3 קלפים", [3]),
    ],
)
def test_a_leading_enumerator_is_no_number_of_the_game(line: str, expected: list[int]) -> None:
    assert values(line) == expected


def test_the_last_word_of_an_enumerator_may_begin_a_continued_sentence() -> None:
    assert values("12. Whoever owns it wins.", continues=True) == [12]
    assert values("12. Whoever owns it wins.") == []


# ---- words -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line, expected",
    [
        ("один одну одна первого первую", [1, 1, 1, 1, 1]),
        ("из двух карт выберите одну", [2, 1]),
        ("двумя, тремя, четырьмя", [2, 3, 4]),
        ("трёх и трех", [3, 3]),
        ("третий, третья, третьего, третьим", [3, 3, 3, 3]),
        ("второй второго вторая вторыми", [2, 2, 2, 2]),
        ("седьмой восьмую десятого", [7, 8, 10]),
        ("сорок сорока девяносто ста", [40, 40, 90, 100]),
        ("двадцать пять и двадцать первый", [25, 21]),
        ("сто двадцать три, двести, пятисот первый", [123, 200, 501]),
        ("оба, обе, пара, пару, дважды, вдвое, двое", [2] * 7),
        ("четверо с шестёркой и двумя тройками", [4, 6, 2, 3]),
        ("ПЕРВЫЙ Игрок", [1]),
        ("тре́тий", [3]),
        ("во-первых, в-третьих", []),
        ("одновременно, двор, столица, пятно, семья", []),
    ],
)
def test_russian_numbers_are_read(line: str, expected: list[int]) -> None:
    assert values(line) == expected


@pytest.mark.parametrize(
    "line, expected",
    [
        ("one card of two", [1, 2]),
        ("First, second and THIRD", [1, 2, 3]),
        ("twenty-one, twenty one and twenty-first", [21, 21, 21]),
        ("two hundred and five", [205]),
        ("one hundred and twenty-three", [123]),
        ("both players, a pair, twice, half", [2, 2, 2, 2]),
        ("three sixes", [3, 6]),
        ("two-three players", [2, 3]),
        ("two ten-sided dice", [2, 10]),
        ("twenty and five", [20, 5]),
        ("no one, someone, often, tone", []),
    ],
)
def test_english_numbers_are_read(line: str, expected: list[int]) -> None:
    assert values(line) == expected


@pytest.mark.parametrize(
    "line, expected",
    [
        ("קלף אחד או שני קלפים", [1, 2]),
        ("שלוש שלושה שלושת השלישי", [3, 3, 3, 3]),
        ("בשתי הידיים ולשלושת השחקנים", [2, 3]),
        ("שנים עשר, שתים עשרה, שלושה עשר", [12, 12, 13]),
        ("עשרים ואחת", [21]),
        ("מאה ועשרים", [120]),
        ("השחקן הראשון, הסיבוב השני", [1, 2]),
        ("פעמיים, זוג", [2, 2]),
        ("שְׁלוֹשָׁה", [3]),
        ("שנים רבות, שמות, חמור", []),
    ],
)
def test_hebrew_numbers_are_read(line: str, expected: list[int]) -> None:
    assert values(line) == expected


TABLES = (
    words.RUSSIAN_CARDINALS,
    words.RUSSIAN_OTHERS,
    words.ENGLISH_CARDINALS,
    words.ENGLISH_ORDINALS,
    words.ENGLISH_OTHERS,
    words.HEBREW_CARDINALS,
    words.HEBREW_ORDINALS,
    words.HEBREW_OTHERS,
)


@pytest.mark.parametrize("table", TABLES)
def test_no_word_means_two_numbers(table: dict[int, str]) -> None:
    for value, forms in table.items():
        for form in forms.split():
            assert form == words.key(form), f"write `{form}` as the tables need it: `{words.key(form)}`"
            number = number_word(form)
            assert number is not None
            assert number.value == value, f"give `{form}` one value: it is {value} here and {number.value} elsewhere"


@pytest.mark.parametrize("table", [words.RUSSIAN_ORDINALS, words.RUSSIAN_RANKS])
def test_every_stem_has_its_inflections(table: dict[int, str]) -> None:
    for value, stem in table.items():
        root, _, pattern = stem.partition("|")
        for ending in words.RUSSIAN_ENDINGS[pattern or "noun"].split():
            number = number_word(root + ending)
            assert number is not None
            assert number.value == value


@pytest.mark.parametrize(
    "table", [words.RUSSIAN_CARDINALS, words.ENGLISH_CARDINALS, words.HEBREW_CARDINALS, words.RUSSIAN_ORDINALS]
)
def test_no_number_is_missing_from_the_tables(table: dict[int, str]) -> None:
    teens = [] if table is words.HEBREW_CARDINALS else list(range(10, 20))
    expected = {*range(10), *teens, *range(20, 101, 10)} - {10}
    assert {value for value in table if value <= 100} - {10} == expected


UNITS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


@given(st.sampled_from(TENS), st.sampled_from(UNITS), st.sampled_from(["-", " ", "\u2011"]))
def test_tens_and_units_are_one_number(ten: str, unit: str, joint: str) -> None:
    expected = 10 * (TENS.index(ten) + 2) + UNITS.index(unit) + 1
    assert values(f"Take {ten}{joint}{unit} cards.") == [expected]


ALL_FORMS = [form for table in TABLES for forms in table.values() for form in forms.split()]
PIECES = st.one_of(
    st.text(max_size=6), st.sampled_from(ALL_FORMS), st.integers(0, 999).map(str), st.sampled_from(" -,.")
)


LINES = st.lists(PIECES, max_size=12).map("".join)


@given(LINES, LINES, st.integers(0, 10**6), st.booleans())
def test_a_mention_is_at_its_place(before: str, after: str, number: int, continues: bool) -> None:
    assume("<|" not in before)  # characters that may begin a file and are not counted in columns
    line, end = f"{before} is {number} or {after}", 1
    mentioned = mentions(line, continues=continues)
    assert (number, len(before) + len(" is ") + 1) in [(mention.value, mention.column) for mention in mentioned]
    for mention in mentioned:
        assert mention.column >= end
        end = mention.end_column
        assert line[mention.column - 1 : end - 1] == mention.word
        assert mention.value >= 0


# ---- the account -------------------------------------------------------------------------------------------------


def test_every_number_of_every_rule_is_accounted_for() -> None:
    accounts = account_numbers(game(words=BOOK))
    assert [(each.line, each.value, each.word) for each in accounts] == [(4, 2, "2"), (5, 1, "one"), (9, 12, "12")]
    assert {each.state for each in accounts} == {NumberState.CONTAINED}
    assert accounts[2].containing == ("en:end",)
    assert number_findings(game(words=BOOK), accounts) == ()


def test_without_the_text_no_number_is_checked() -> None:
    assert account_numbers(game()) == ()
    assert number_findings(game(excuses=[excuse(4, 99)]), ()) == ()


def test_a_number_in_no_citing_clause_is_reported() -> None:
    clauses = [*whole()[:1], clause("turn.move", 5), *whole()[2:], clause("elsewhere", 4, numbers={1})]
    cited = game(clauses, words=BOOK)
    reports = number_findings(cited, account_numbers(cited))
    assert codes(reports) == ["A231"]
    assert reports[0].message == "line 5 of `en` says 1 (`one`), which `en:turn.move` does not contain"
    assert str(reports[0].span) == "books/snails.txt:5:20"
    assert reports[0].hint == "or excuse it in en.excuses: `5 1 reason`"


def test_one_citing_clause_with_the_number_suffices() -> None:
    cited = game([*whole()[:1], clause("a", 5), clause("b", (4, 5), numbers={1}), *whole()[2:]], words=BOOK)
    assert number_findings(cited, account_numbers(cited)) == ()


def test_an_excused_number_is_not_reported() -> None:
    cited = game([*whole()[:1], clause("turn.move", 5), *whole()[2:]], words=BOOK, excuses=[excuse(5, 1, "why")])
    accounts = account_numbers(cited)
    assert number_findings(cited, accounts) == ()
    assert [(each.state, each.reason) for each in accounts if each.line == 5] == [(NumberState.EXCUSED, "why")]


@pytest.mark.parametrize(
    "line, number, message",
    [
        (4, 2, "`en:setup.snails` cites line 4 and contains 2"),
        (4, 3, "line 4 is not a rule that contains 3"),
        (7, 3, "line 7 is not a rule that contains 3"),
        (999, 1, "line 999 is not a rule that contains 1"),
    ],
)
def test_an_unused_excuse_is_reported(line: int, number: int, message: str) -> None:
    cited = game(words=BOOK, excuses=[excuse(line, number)])
    reports = number_findings(cited, account_numbers(cited))
    assert [(report.code.code, report.message) for report in reports] == [("A232", message)]


def test_the_numbers_of_an_uncited_line_are_not_reported_again() -> None:
    cited = game(whole()[:1], words=BOOK)
    assert number_findings(cited, account_numbers(cited)) == ()
    assert NumberState.OPEN in {each.state for each in account_numbers(cited)}


def test_a_stale_clause_accounts_for_no_number() -> None:
    now = (*BOOK[:3], "Each player takes 2 snails, at random.", *BOOK[4:])
    cited = game(words=now, lock=confirmed(whole()))
    assert [each.line for each in account_numbers(cited)] == [5, 9], "the new line must have no class yet"
