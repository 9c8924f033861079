"""Hints: clauses agree, and the words of the texts beside them do not. The texts are made up here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.grammar import parse
from ludex.grammar import syntax as s
from ludex.spec import Hint, find_hints

GAME = """
game made
  players: 2
  document: en "en.txt", ru "ru.txt", he "he.txt"
  editions: en, ru, he

type Land = water | sand | reed

action build
  choose site in Site

terms
  Land.sand: en "sand", ru "песок", he "חול"
  Land.reed: en "reed", ru "тростник", he "קנה"
"""


def module(text: str, name: str = "") -> s.Module:
    parsed = parse(f"edition {name} of made\n\n{text}\n" if name else text, f"{name}.ludex")
    assert not parsed.diagnostics, parsed.diagnostics
    return parsed.module


def hints(clauses: str | Mapping[str, str], texts: Mapping[str, str | Sequence[str]]) -> tuple[Hint, ...]:
    """The hints about editions that state the same clauses, `LINES` standing for what each cites: all of its text."""
    lines = {name: (text,) if isinstance(text, str) else tuple(text) for name, text in texts.items()}
    modules = {}
    for name, read in lines.items():
        text = clauses if isinstance(clauses, str) else clauses[name]
        modules[name] = module(text.replace("LINES", f"[{name} 1-{len(read)}]"), name)
    shared = module(GAME)
    return find_hints(modules, lines, shared)


def kinds(found: tuple[Hint, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(hint.kind, hint.editions) for hint in found]


# ---- each kind: texts that should be read again, and texts that say the same in other words

FACT = "fact cards = 3 LINES"
MAY = "action build\n  gain: may draw_card LINES"
DENIAL = "action build\n  require free: not taken(site) LINES"
BOUND = "action build\n  require cheap: price(site) <= 5 LINES"
NAMED = "action build\n  require dry: my site = sand LINES"
STEP = "action build\n  gain: draw_card LINES"

AGAIN = [
    ("number", FACT, {"en": "Take three cards.", "ru": "Возьмите две карты."}, ("ru",)),
    ("number", FACT, {"en": "Take 2 cards.", "ru": "Возьмите трёх."}, ("en",)),
    ("number", FACT, {"en": "Take three cards.", "he": "קחו ארבעה קלפים."}, ("he",)),
    ("number", FACT, {"en": "Three cards.", "ru": "Три карты.", "he": "קלפים."}, ("he",)),
    ("number", STEP, {"en": "Draw one card of the 12.", "ru": "Возьмите карту."}, ("ru",)),
    ("modality", MAY, {"en": "You may draw a card.", "ru": "Возьмите карту."}, ("ru",)),
    ("modality", STEP, {"en": "You can draw a card.", "ru": "Вы должны взять карту."}, ("en", "ru")),
    ("modality", STEP, {"en": "You must draw a card.", "he": "השחקן רשאי לקחת קלף."}, ("en", "he")),
    ("negation", DENIAL, {"en": "The site must not be taken.", "ru": "Место занято другим."}, ("ru",)),
    ("negation", DENIAL, {"ru": "Место никем не занято.", "he": "המקום פנוי."}, ("he",)),
    ("comparison", BOUND, {"en": "It costs at most 5.", "ru": "Цена меньше 5."}, ("en", "ru")),
    ("comparison", BOUND, {"en": "Its price is lower than 5.", "he": "המחיר הוא 5 או פחות."}, ("en", "he")),
    ("phase", STEP, {"en": "In phase A draw a card.", "ru": "В фазе Б возьмите карту."}, ("en", "ru")),
    ("phase", STEP, {"en": "In phase C draw a card.", "he": "בשלב ב קחו קלף."}, ("en", "he")),
]


@pytest.mark.parametrize(
    ("kind", "clause", "texts", "editions"), AGAIN, ids=[f"{e[0]}-{n}" for n, e in enumerate(AGAIN)]
)
def test_places_to_read_again(kind: str, clause: str, texts: dict[str, str], editions: tuple[str, ...]) -> None:
    found = [hint for hint in hints(clause, texts) if hint.kind == kind]
    assert [hint.editions for hint in found] == [editions]
    assert set(found[0].spans) == set(found[0].words) == set(texts)
    assert found[0].why


ALIKE = [
    (FACT, {"en": "Take three cards.", "ru": "Возьмите трёх.", "he": "קחו שלושה קלפים."}),
    (FACT, {"en": "Thrice draw a card.", "ru": "Трижды возьмите карту.", "he": "קחו 3 קלפים."}),
    ("fact halves = 2 LINES", {"en": "Pay half of it.", "ru": "Заплатите половину.", "he": "שלמו חצי."}),
    ("fact pair = 2 LINES", {"en": "A pair of huts.", "ru": "Пара хижин.", "he": "זוג בקתות."}),
    ("fact times = 2 LINES", {"en": "Do it twice.", "ru": "Сделайте это дважды.", "he": "עשו זאת פעמיים."}),
    ("fact one = 1 LINES", {"en": "A card.", "ru": "Одна карта.", "he": "קלף."}),
    (STEP, {"en": "The first player draws.", "ru": "Берёт первый, затем второй игрок.", "he": "כל שחקן לוקח."}),
    (STEP, {"en": "Draw a card (see page 7).", "ru": "Возьмите карту (смотрите стр. 12)."}),
    (MAY, {"en": "You may draw.", "ru": "По желанию возьмите карту.", "he": "ניתן לקחת קלף."}),
    (MAY, {"en": "Draw up to one card.", "ru": "Вы не обязаны брать карту.", "he": "אין חובה לקחת קלף."}),
    (STEP, {"en": "Draw a card.", "ru": "Можно взять карту."}),
    (DENIAL, {"en": "Never on a taken site.", "ru": "Нельзя на занятом месте.", "he": "אסור במקום תפוס."}),
    (DENIAL, {"en": "Only on a free site.", "ru": "Место не должно быть занято."}),
    (BOUND, {"en": "No more than 5.", "ru": "Не более 5.", "he": "לכל היותר 5."}),
    (BOUND, {"en": "It must not be more than 5.", "ru": "Не может стоить больше, чем 5.", "he": "5 או פחות."}),
    (STEP, {"en": "In Phase C draw.", "ru": "В фазе С возьмите карту.", "he": "בשלב C קחו."}),
    (STEP, {"en": "In Phase B draw.", "ru": "В фазе В возьмите карту.", "he": "בשלב ב קחו."}),
    (STEP, {"en": "In the next phase a card is drawn.", "ru": "В фазе А возьмите карту."}),
    (STEP, {"en": "In phases A, B and C draw.", "ru": "В Фазе Б возьмите карту.", "he": "בשלב B קחו."}),
    (STEP, {"en": "In phase (A) draw.", "ru": "В фазе с кубиками возьмите карту, в фазе а затем ещё."}),  # no letters
]


@pytest.mark.parametrize(("clause", "texts"), ALIKE)
def test_the_same_in_other_words(clause: str, texts: dict[str, str]) -> None:
    assert hints(clause, texts) == ()


def test_what_a_clause_names_and_one_text_does_not() -> None:
    own = '\n\nterms\n  Land.sand: ru "песок" [ru 2]'
    clauses = {"en": NAMED, "ru": NAMED.replace("LINES", "[ru 1]") + own}
    found = hints(clauses, {"en": "Build on sand.", "ru": ("Стройте где угодно.", "Там лежит песок.")})
    assert kinds(found) == []  # the next line says it
    found = hints(clauses, {"en": "Build on sand.", "ru": ("Стройте где угодно.", "Там хорошо.")})
    assert kinds(found) == [("name", ("ru",))]  # its lines do not use its word
    apart = {**clauses, "ru": clauses["ru"].replace("[ru 2]", "[ru 3]")}
    found = hints(apart, {"en": "Build on sand.", "ru": ("Стройте где угодно.", "", "Там много песка.")})
    assert kinds(found) == [("term", ("ru",))]
    assert found[0].words == {"en": ("sand",), "ru": ()}


def test_texts_that_speak_of_different_things_of_a_sort() -> None:
    found = hints("note ground = true LINES", {"en": "Huts stand on sand.", "ru": "Хижины стоят в тростнике."})
    assert [(hint.kind, hint.editions, hint.words) for hint in found] == [
        ("term", ("en", "ru"), {"en": ("sand",), "ru": ("тростник",)})
    ]
    assert hints("note ground = true LINES", {"en": "Sand, not reed.", "ru": "Хижины стоят в тростнике."}) == ()


def test_a_ruling_says_that_the_text_is_silent() -> None:
    clauses = {"en": FACT, "ru": FACT + ' ruling "the text does not say how many"'}
    texts = {"en": "Take three cards.", "ru": "Возьмите 2 карты."}
    assert hints(clauses, texts) == ()
    assert hints(FACT, texts) != ()


# ---- how far a text is looked at


def test_what_stands_next_to_the_line_is_not_missing() -> None:
    clauses = {"en": FACT, "ru": FACT.replace("LINES", "[ru 1]")}
    assert hints(clauses, {"en": "Take three cards.", "ru": ("Возьмите", "три карты.")}) == ()
    assert kinds(hints(clauses, {"en": "Take three.", "ru": ("Возьмите", "", "три.")})) == [("number", ("ru",))]


def test_what_clauses_cite_that_share_a_line_is_not_missing() -> None:
    more = FACT.replace("LINES", "[ru 1]") + "\nfact most = 9 [ru 1, 3]"
    clauses = {"en": FACT + "\nfact most = 9 [en 1]", "ru": more}
    assert hints(clauses, {"en": "Take three of 9 cards.", "ru": ("Возьмите", "", "три из 9.")}) == ()


def test_a_number_of_a_clause_that_is_not_shared_is_explained() -> None:
    clauses = {"en": STEP.replace("LINES", "[en 1]") + "\n\nfact deck = 12 [en 1]", "ru": STEP}
    assert hints(clauses, {"en": "Draw one of the 12 cards.", "ru": "Возьмите карту."}) == ()


def test_where_editions_part_those_that_agree_are_compared() -> None:
    clauses = {"en": FACT, "ru": FACT, "he": FACT.replace("3", "5")}
    found = hints(clauses, {"en": "Three.", "ru": "Четыре.", "he": "חמש."})
    assert kinds(found) == [("number", ("ru",))]
    assert set(found[0].spans) == {"en", "ru"}


def test_rows_of_a_table_may_be_counted_off() -> None:
    table = "fact gain(n: Game) =\n  match n\n    1, 2 => 5 [{0} 1]\n    3, 4 => 7 [{0} 2]"
    clauses = {name: table.format(name) for name in ("en", "ru")}
    english = ("In rounds 1 and 2 it gives 5.", "In rounds 3 and 4 it gives 7.")
    assert hints(clauses, {"en": english, "ru": ("В первые два раунда 5.", "В следующие два раунда 7.")}) == ()
    found = hints(clauses, {"en": english, "ru": ("В раундах 1 и 2 даёт 5.", "В раундах 8 и 9 даёт 7.")})
    assert [(hint.kind, hint.clause, hint.editions) for hint in found] == [("number", "gain.3,4", ("ru",))]


SENTENCES = [
    ("Draw a card. Never lay it down.", ("Возьмите карту.", "Сразу положите её на", "стол перед собой."), True),
    ("Draw a card. Never lay it down.", ("Возьмите карту.", "Не кладите её на", "стол."), False),
    ("Draw a card. Never lay it down.", ("Возьмите карту, затем положите её на стол.",), False),  # not as many
    ("Draw a card (not a hut). Lay it down.", ("Возьмите карту.", "Положите её на стол."), False),  # only explained
]


@pytest.mark.parametrize(("english", "russian", "is_told"), SENTENCES)
def test_sentences_side_by_side(english: str, russian: tuple[str, ...], is_told: bool) -> None:
    found = hints("action build\n  gain: draw_card LINES", {"en": english, "ru": russian})
    assert kinds(found) == ([("negation", ("ru",))] if is_told else [])


def test_what_a_text_denies_in_a_clause_that_another_does_not_state_is_a_finding() -> None:
    step, denial = STEP.replace("LINES", "[ru 1]"), DENIAL.removeprefix("action build\n").replace("LINES", "[ru 1]")
    texts = {"en": "Draw a card from the row.", "ru": "Возьмите карту, если место не занято."}
    assert kinds(hints({"en": STEP, "ru": step}, texts)) == [("negation", ("en",))]
    assert hints({"en": STEP, "ru": f"{step}\n{denial}"}, texts) == ()


LETTERS = [
    ("ru", ("Фаза Б: дома", "Только в Фазе B."), ("Фаза Б", "Фазе B")),
    ("ru", ("Фаза Б", "", "фазы: А, B и", "C"), ("Фаза Б", "фазы: А, B")),
    ("he", ("בשלב B קחו", "שלב ב", "שלב ב"), ("בשלב B", "שלב ב")),
    ("ru", ("Фаза А, фаза В", "Phase A, phase B", "Фаза С или Phase C"), ()),  # they look alike
    ("en", ("Phases A, B and C", "phase B (and a hut), phase C"), ()),
]


@pytest.mark.parametrize(("edition", "text", "words"), LETTERS)
def test_a_phase_that_one_text_names_by_two_letters(
    edition: str, text: tuple[str, ...], words: tuple[str, ...]
) -> None:
    other = "en" if edition != "en" else "ru"
    found = hints("note huts = true LINES", {edition: text, other: "."})
    assert [(hint.kind, hint.editions, hint.words[edition]) for hint in found] == (
        [("phase", (edition,), words)] if words else []
    )


def test_a_page_that_goes_against_the_others() -> None:
    rows = [(4, 8), (6, 11), (9, 3), (12, 20)]
    clauses = {
        name: "\n".join(f"note point_{at} = true [{name} {at}]" for at in range(1, len(rows) + 1))
        for name in ("en", "ru")
    }
    english = [f"See page {page}." for page, _ in rows]
    russian = [f"Смотрите стр. {page}." for _, page in rows]
    found = hints(clauses, {"en": english, "ru": russian})
    assert [(hint.kind, hint.clause) for hint in found] == [("page", "point_3")]


def test_one_name_in_two_spellings() -> None:
    text = ("The priest of Rohana draws.", "Then Rohana, again Rohanna and Rohana.")
    found = hints({"en": "note gods = true LINES"} | {"ru": "note gods = true LINES"}, {"en": text, "ru": "Боги."})
    assert [(hint.kind, hint.editions, hint.words) for hint in found] == [
        ("name", ("en",), {"en": ("rohana", "rohanna")})
    ]


def test_one_word_of_the_glossary_in_two_spellings() -> None:
    clauses = {"he": 'note huts = true LINES\n\nterms\n  Land.sand: he "בקתה" LINES', "en": "note huts = true LINES"}
    found = hints(clauses, {"he": ("בקתה אחת", "כאן בקתה", "כאן ביקתה"), "en": "Huts."})
    assert [hint.words for hint in found] == [{"he": ("בקתה", "ביקתה")}]
    assert found[0].spans == {"he": (("he", 1, 1), ("he", 2, 2), ("he", 3, 3))}


# ---- what holds for any texts

WORDS = [
    "three",
    "два",
    "должен",
    "may",
    "не",
    "לא",
    "рука",
    "phase A",
    "фаза Б",
    "стр. 4",
    "12",
    "sand",
    "песка",
    "חול",
    "",
]
LINES = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), min_size=1, max_size=4)
ALL = "\n\n".join((FACT, "note told = true LINES", MAY.replace("gain", "free"), NAMED.replace("build", "dig")))


@given(LINES, LINES)
def test_one_text_twice_contradicts_at_most_the_clause(one: list[str], other: list[str]) -> None:
    twice = {"ru": one, "ru.margin": one}
    modules = {name: module(ALL.replace("LINES", f"[ru 1-{len(one)}]"), name) for name in twice}
    shared = module(GAME)
    found = find_hints(modules, {"ru": one}, shared)
    assert [(hint.kind, hint.editions) for hint in found] in ([], [("number", ("ru", "ru.margin"))])
    found = hints(ALL, {"en": one, "ru": other})
    assert found == hints(ALL, {"en": one, "ru": other})  # the same every time
    assert all(set(hint.editions) <= set(hint.spans) and set(hint.words) == set(hint.spans) for hint in found)


@given(st.integers(1, 9), st.integers(1, 10**7), st.lists(st.text(max_size=30), max_size=4))
def test_no_citation_and_no_text_is_too_strange(first: int, more: int, text: list[str]) -> None:
    clauses = {name: f"fact cards = 3 [{name} {first}-{first + more}]" for name in ("en", "ru")}
    modules = {name: module(each, name) for name, each in clauses.items()}
    found = find_hints(modules, {"en": text, "ru": ["три карты", "\x00\ud800"]})
    assert all(hint.kind in ("number", "name") for hint in found)


def test_without_texts_there_are_no_hints() -> None:
    modules = {name: module(FACT.replace("LINES", f"[{name} 1]"), name) for name in ("en", "ru")}
    assert find_hints(modules, {}) == ()
    assert find_hints(modules, {"en": ["three"]}) == ()
