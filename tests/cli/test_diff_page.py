"""The page of `ludex diff --format html`, in a real browser. Without one these tests are skipped, and say so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ludex.cli.differences import Picture, names_of, to_page
from ludex.interpreter import unplayed
from ludex.spec import cited_game, compare, marks_of, read_game

from .browser import AXE, CHROMIUM, DRIVER, MISSING, NO_AXE, Browser, browsing
from .tellings import ferry

needs_browser = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason=MISSING)
SHOWN = "return [...document.querySelectorAll('tbody:not([hidden]) th a')].map((each) => each.textContent)"
COLUMNS = (
    "return [...document.querySelectorAll('#found > table > thead th:not([hidden])')]"
    ".map((each) => each.textContent.split(' ')[0])"
)
GROUND = "return getComputedStyle(document.body).backgroundColor"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    file = folder / "ferry.html"
    file.write_text(to_page(ferry(folder, everything=True)), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browsing(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def browser(window: Browser, page: Path) -> Browser:
    window.open(page)
    return window


def choose(browser: Browser, name: str, value: str) -> None:
    """Choose from one of the lists above the table."""
    script = "const s = document.querySelector(`select[name=${arguments[0]}]`); s.value = arguments[1];"
    browser.run(script + "s.dispatchEvent(new Event('input', {bubbles: true}))", name, value)


# ---- without a browser


def test_nothing_is_loaded_from_elsewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"https?://|//[a-z]+\.|\bsrc=|<link|@import|url\(", text)
    assert "{{" not in text


def test_words_of_others_are_no_markup(tmp_path: Path) -> None:
    told = ferry(tmp_path)
    (tmp_path / "books" / "ferry.txt").write_text("Ferry\n\n<script>alert(1)</script> & {{title}}\n", encoding="utf-8")
    text = to_page(told)
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; {{title}}" in text


def test_a_row_says_what_differs_and_how_to_decide_it(tmp_path: Path) -> None:
    told = ferry(tmp_path)
    cited = cited_game(read_game(tmp_path / "ferry"))[0]
    marks = {each.id: marks_of(each, cited) for each in told.comparison.divergences}
    text = to_page(
        replace(told, beside=replace(told.beside, marks=marks, logs={told.told[0].divergence.id: ["a/b.jsonl"]}))
    )
    assert "my load + n &lt;= <mark>5</mark>" in text
    assert '<code dir="ltr">Anna: take(n: 3)</code>, he refuses it' in text
    assert "  - clause: take.enough\n    says: {en: " in text
    assert '<a href="b.jsonl">' in text, "the log lies beside the page, wherever both are taken"
    assert "Editions give different values." in text
    assert "An example of the book" not in text, "only words that stand on the page are explained"
    assert "8 divergences; what they do in play was not looked for" in to_page(replace(told, effort=None))


def test_lines_that_follow_each_other_are_one_paragraph(tmp_path: Path) -> None:
    told = ferry(tmp_path)
    file = tmp_path / "ferry" / "en.ludex"
    file.write_text(file.read_text(encoding="utf-8").replace("[en 2]", "[en 3-5, 7]"), encoding="utf-8")
    text = read_game(file.parent)
    comparison = compare({name: each.module for name, each in text.editions.items()}, text.game.module)
    page = to_page(replace(told, comparison=comparison, findings=tuple(unplayed(comparison))))
    lines = re.findall(r'<p><bdi class="line" dir="ltr">(.*?)</bdi>', page)
    assert {"en 3-5", "en 7"} <= set(lines)


def test_names_are_told_in_the_languages_of_the_game(tmp_path: Path) -> None:
    names = {
        "load": {"en": "cargo", "he": "מטען"},
        "take": {"he": "לקחת"},
        "Ship.n": {"en": "number"},
        "boat": {"en": "b"},
    }
    text = to_page(replace(ferry(tmp_path), names=names))
    first = text[text.index("<tbody id=") : text.index("</tbody>", text.index("<tbody id="))]
    told = first[first.index('<tr class="names">') :]
    assert re.findall(r"<bdi>(\w+)</bdi>", told) == ["en", "he"]
    assert '<code dir="ltr">load</code></th><td lang="en" dir="ltr">cargo</td><td lang="he" dir="rtl">מטען</td>' in told
    assert '<code dir="ltr">n</code></th><td lang="en" dir="ltr">number</td>' in told, "the last part of a path"
    assert "boat" not in told, "only what stands in the row"
    assert '<tr class="names">' not in to_page(ferry(tmp_path / "none"))


def test_the_names_of_a_shipped_game() -> None:
    names = names_of(read_game("bora_bora"))
    assert set(names["Tile.temple_action"]) == {"en", "ru", "he"}


# ---- in a browser


@needs_browser
def test_hebrew_runs_from_right_to_left_and_by_itself(browser: Browser) -> None:
    style = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    assert browser.run(style, "td[data-edition=he]", "direction") == "rtl"
    assert browser.run(style, "td[data-edition=en]", "direction") == "ltr"
    assert browser.run(style, "td[data-edition=he] pre", "direction") == "ltr"
    assert "isolate" in browser.run(style, "td[data-edition=he] bdi", "unicodeBidi")
    assert browser.run("return document.querySelector('td[data-edition=he] blockquote').lang") == "he"


@needs_browser
def test_search_and_filters(browser: Browser) -> None:
    everything = browser.run(SHOWN)
    assert "boats" in everything
    browser.press("/", *"חמישה")
    marked = ["take.small", "take.small.full"]
    assert browser.run(SHOWN) == ["take.enough", *marked], "the lines near which a silent text would say it, too"
    browser.press("Escape")
    assert browser.run(SHOWN) == everything
    choose(browser, "kind", "value")
    assert browser.run(SHOWN) == ["take.enough", "take.small", "score.cargo"]
    choose(browser, "phase", "take")
    assert browser.run(SHOWN) == ["take.enough", "take.small"]
    choose(browser, "effect", "legal-moves")
    assert browser.run(SHOWN) == ["take.enough"]
    assert browser.run("return document.getElementById('count').value") == f"1 of {len(everything)}"
    browser.click("button[type=reset]")
    browser.run("return new Promise((done) => setTimeout(done, 50))")
    assert browser.run(SHOWN) == everything
    choose(browser, "state", "decided")
    assert browser.run(SHOWN) == ["score.cargo"]


@needs_browser
def test_an_edition_left_out_takes_its_column_and_what_only_it_says_otherwise(browser: Browser) -> None:
    browser.click("[name=edition][value=he]")
    assert browser.run(COLUMNS) == ["Clause", "en", "en.margin"]
    shown = browser.run(SHOWN)
    assert "setup.crew" not in shown
    assert "take.small" in shown


@needs_browser
def test_a_view_can_be_handed_on_by_its_address(browser: Browser, page: Path) -> None:
    choose(browser, "kind", "value")
    browser.click("[name=edition][value='en.margin']")
    address = browser.run("return location.hash")
    browser.open(page, address)
    assert browser.run(SHOWN) == ["take.enough", "take.small", "score.cargo"]
    assert browser.run(COLUMNS) == ["Clause", "en", "he"]
    browser.open(page, "#q=nobody")
    assert browser.run("return document.getElementById('nothing').hidden") is False


@needs_browser
def test_keys(browser: Browser) -> None:
    browser.press("Tab")
    browser.wait("return document.activeElement.className", "skip")
    browser.press("j", "j")
    focused = "return document.activeElement.querySelector('a').textContent"
    assert browser.run(focused) == "take.small"
    browser.press("k")
    assert browser.run(focused) == "take.enough"


@needs_browser
def test_a_game_is_gone_through_event_by_event(browser: Browser) -> None:
    now = "return document.querySelector('[aria-current=step]').innerText"
    browser.click(".witness summary")
    assert "here they part" in browser.run(now)
    sides = browser.run("return document.querySelector('.sides').innerText")
    assert "he refuses it: 6 are more than 5" in sides
    browser.run("document.querySelector('.game').focus()")
    browser.press("Left")
    assert "Boris" in browser.run(now)
    table = "return document.querySelector('.tables:not([hidden])').innerText"
    assert "load  3  0" in browser.run(table), "what lies on the table before the event is shown beside it"
    assert "the same on both sides" in browser.run(table)
    browser.press("Home")
    assert "Anna" in browser.run(now)
    browser.click("[data-step=next]")
    assert browser.run("return document.querySelector('.game output').value") == "event 2 of 3"
    browser.press("End")
    apart = "return [...document.querySelectorAll('.tables:not([hidden]) mark')].map((each) => each.textContent)"
    assert browser.run(apart) == ["crew  1", "crew  2"], "both tables are shown, and what differs is marked"


@needs_browser
def test_of_a_long_game_the_last_events_are_listed_first(browser: Browser, tmp_path: Path) -> None:
    told = ferry(tmp_path)
    shown = told.told[0].witness
    assert shown is not None
    header, *events = shown.lines
    long = replace(shown, lines=(header, *events[:1] * 30, *events), line=shown.line + 30)
    findings = (replace(told.told[0], witness=long), *told.told[1:])
    file = tmp_path / "long.html"
    file.write_text(to_page(replace(told, findings=findings)), encoding="utf-8")
    browser.open(file)
    browser.click(".witness summary")
    listed = "return [...document.querySelectorAll('.events > li')].filter((each) => each.checkVisibility()).length"
    assert browser.run(listed) == 12
    browser.click(".earlier")
    assert browser.run(listed) == 33
    browser.open(file)
    browser.click(".witness summary")
    browser.click("[data-step=first]")
    assert browser.run(listed) == 33, "who steps there sees it"


OPEN = "return [...document.querySelectorAll('tbody[data-kind]:not(.closed) th a')].map((each) => each.textContent)"


@needs_browser
def test_rows_are_opened_and_closed(browser: Browser, page: Path) -> None:
    everything = browser.run(SHOWN)
    assert browser.run(OPEN) == everything, "a few rows are open at once"
    browser.click("#fold")
    assert browser.run(OPEN) == []
    assert browser.label(".fold") == "Open take.enough"
    browser.click(".fold")
    assert browser.run(OPEN) == ["take.enough"]
    browser.press("j", "o")
    assert browser.run(OPEN) == ["take.enough", "take.small"]
    browser.click("#fold")
    assert browser.run(OPEN) == everything
    browser.click("#fold")
    browser.press("/", *"חמישה")
    assert "take.enough" in browser.run(OPEN), "what is searched for is to be seen"
    address = browser.run("return '#' + document.querySelectorAll('tbody[data-kind]')[3].id")
    browser.open(page, address)
    assert len(browser.run(OPEN)) == len(everything)


@needs_browser
def test_rows_stand_by_what_matters_or_as_in_the_rules(browser: Browser, page: Path) -> None:
    first = browser.run(SHOWN)
    heads = "return [...document.querySelectorAll('tbody.group:not([hidden]) h2')].map((each) => each.textContent)"
    assert browser.run(heads) == ["Changes what may be done", "Effect not known", "Cannot matter in play"]
    choose(browser, "order", "rules")
    assert browser.run(SHOWN)[:3] == ["take.enough", "setup.crew", "take.small"]
    assert browser.run(heads) == []
    browser.open(page, browser.run("return location.hash"))
    assert browser.run(SHOWN)[1] == "setup.crew"
    choose(browser, "order", "")
    assert browser.run(SHOWN) == first
    browser.click(".counts a")
    browser.wait(f"{SHOWN}.length", 1)


@needs_browser
def test_what_is_said_alike_is_told_on_demand(browser: Browser) -> None:
    listed = "return [...document.querySelectorAll('#agreements th[scope=row]')].map((each) => each.innerText)"
    browser.click("#agreements summary")
    assert browser.run(listed) == ["take"]


@needs_browser
def test_in_a_narrow_window_nothing_is_cut_off(browser: Browser) -> None:
    browser.resize(420, 800)
    assert browser.run("return document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    label = "return getComputedStyle(document.querySelector('td[data-edition=he]'), '::before').content"
    assert "he" in browser.run(label)
    browser.resize(1300, 900)


@needs_browser
@pytest.mark.parametrize("width", [390, 1300])
def test_what_scrolls_is_reached_by_the_keyboard_and_has_a_name(window: Browser, tmp_path: Path, width: int) -> None:
    """Axe calls the rule `scrollable-region-focusable`; WCAG 2.1.1 and 4.1.2."""
    window.open(_wide_page(tmp_path))
    window.resize(width, 800)
    window.run(
        "foldEvery(true); document.querySelectorAll('details').forEach((each) => { each.open = true; });"
        "document.querySelectorAll('.game').forEach(whole)"
    )
    found = window.run(SCROLLING)
    window.resize(1300, 900)
    assert {each["what"] for each in found} >= ({"position", "events", "scroll"} if width == 390 else {"position"})
    assert not [each for each in found if not (each["reached"] and each["name"])]


@needs_browser
def test_on_a_phone_words_stand_side_by_side(browser: Browser) -> None:
    """No text is so narrow that each of its words has a line of its own."""
    browser.resize(390, 800)
    caption, main = (
        browser.run(f"return document.querySelector('{each}').offsetWidth") for each in ("caption", "main")
    )
    rows = browser.run(NARROW)
    browser.resize(1300, 900)
    assert caption > 0.9 * main
    assert rows == []


SCROLLING = """
const scrolls = (each, way, size, room) => /auto|scroll/.test(getComputedStyle(each)[way]) && each[size] > each[room];
const isWide = (each) => scrolls(each, 'overflowX', 'scrollWidth', 'clientWidth');
const isHigh = (each) => scrolls(each, 'overflowY', 'scrollHeight', 'clientHeight');
return [...document.querySelectorAll('body *')]
  .filter((each) => each.checkVisibility() && (isWide(each) || isHigh(each)))
  .map((each) => ({what: each.className, reached: each.tabIndex >= 0, name: each.getAttribute('aria-label')}));
"""
NARROW = """
return [...document.querySelectorAll('caption, p, li, td, th, h1, h2, h3, summary, figcaption, dd')].filter((each) =>
    each.checkVisibility() && each.innerText.split(/\\s+/).length > 8 && each.offsetWidth < 150)
  .map((each) => each.innerText);
"""


def _wide_page(folder: Path) -> Path:
    """A page with long words everywhere, so that whatever can scroll does."""
    told = ferry(folder, everything=True)
    marks = {each.divergence.id: dict.fromkeys(told.comparison.editions, "12345678" * 9) for each in told.findings}
    names = {"take": dict.fromkeys(("en", "he", "ru"), "W" * 90), "load": dict.fromkeys(("en", "he"), "w" * 90)}
    wide = Picture(62, ("-" * 200,) * 60, ("=" * 200,) * 60)
    positions = {each.divergence.id: ((wide,),) * len(each.witnesses) for each in told.findings}
    beside = replace(told.beside, marks=marks, rulings={})
    first, *others = told.findings
    assert first.witness is not None
    lines = first.witness.lines
    first = replace(first, witness=replace(first.witness, lines=(*lines[:1], *lines[1:2] * 60, *lines[1:]), line=64))
    told = replace(told, findings=(first, *others), beside=beside, names=names, positions=positions)
    file = folder / "wide.html"
    file.write_text(to_page(told), encoding="utf-8")
    return file


@needs_browser
def test_dark_and_light(browser: Browser) -> None:
    seen = set()
    for _ in range(3):
        browser.click("#theme")
        seen.add((browser.run("return document.documentElement.dataset.theme"), browser.run(GROUND)))
    grounds = dict(seen)
    assert set(grounds) == {"", "light", "dark"}
    assert grounds["light"] != grounds["dark"]


@needs_browser
def test_paper_is_never_dark(browser: Browser) -> None:
    browser.run("paint('dark')")
    light = "rgb(255, 255, 255)"
    assert browser.run(GROUND) != light
    browser.emulate("print", dark=True)
    assert browser.run(GROUND) == light
    browser.emulate("")
    browser.run("paint('')")


@needs_browser
def test_every_control_has_a_name(browser: Browser) -> None:
    assert browser.label("#q").startswith("Search")
    assert browser.label("select[name=kind]").startswith("Kind")
    assert browser.label("[name=edition][value=he]") == "he"
    browser.click(".witness summary")
    assert browser.label(".game") == "The game, step by step"


@needs_browser
@pytest.mark.skipif(not AXE, reason=NO_AXE)
@pytest.mark.parametrize("width", [390, 1300])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nobody_is_kept_from_using_the_page(browser: Browser, width: int, dark: bool) -> None:
    """With every row opened, on a phone and on a laptop."""
    browser.resize(width, 900)
    browser.emulate("", dark)
    rows = "const rows = [...document.querySelectorAll('details')]; rows.forEach((each) => each.open = true);"
    assert browser.run(f"{rows} return rows.length") > 0
    found = browser.axe()
    browser.run("document.body.append(document.createElement('img'))")
    assert any(each.startswith("image-alt") for each in browser.axe()), "axe finds what is wrong"
    browser.emulate("")
    browser.resize(1300, 900)
    assert found == []


@needs_browser
def test_on_paper_everything_is_open(browser: Browser) -> None:
    assert browser.printed().startswith(b"%PDF")
    browser.run("dispatchEvent(new Event('beforeprint'))")
    assert browser.run("return document.querySelectorAll('.witness details:not([open])').length") == 0
    browser.run("dispatchEvent(new Event('afterprint'))")
    assert browser.run("return document.querySelectorAll('.witness details[open]').length") == 0


@needs_browser
def test_the_page_asks_for_nothing(browser: Browser) -> None:
    assert browser.run("return performance.getEntriesByType('resource').length") == 0
