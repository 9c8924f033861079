"""The page of `ludex diff --format html` for a game of several texts, in a browser. Without a browser these tests are
skipped.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, ViewportSize, sync_playwright

from ludex.spec import read_row_rulings

from .books_game import DECIDED, write_game
from .running import ludex

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
LAPTOP: ViewportSize = {"width": 1300, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 800}
SHOWN = "[...document.querySelectorAll('.row')].filter((each) => !each.hidden).map((each) => each.dataset.name)"
STATE = "(row) => document.querySelector(`[data-name='${row}']`).dataset.state"
GROUND = "getComputedStyle(document.body).backgroundColor"
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def made(folder: Path, *arguments: object, decided: str = DECIDED) -> Path:
    """Make a page of the game, at the same path as before."""
    game = folder / "nimm"
    if not game.exists():
        write_game(folder, decided)
    page = folder / "page.html"
    options = ("--effort", "500", "--sources", folder / "books", "--format", "html", "--out", page)
    assert ludex("diff", game, *options, *arguments).code == 1
    return page


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The system's browser, or else the one that Playwright installs."""
    with sync_playwright() as playwright:
        path = CHROMIUM or playwright.chromium.executable_path
        if not Path(path).exists():
            pytest.skip("install chromium (on Debian: apt install chromium)")
        with playwright.chromium.launch(executable_path=path) as browser:
            yield browser


@pytest.fixture
def window(chromium: Browser) -> Iterator[Page]:
    """An empty window with a new profile."""
    with chromium.new_context(viewport=LAPTOP) as context:
        yield context.new_page()


@pytest.fixture
def browser(window: Page, page: Path) -> Page:
    window.goto(page.as_uri())
    return window


def field(browser: Page, row: str, name: str) -> Locator:
    return browser.locator(f"[data-name='{row}'] .decide [name='{name}']")


def write(browser: Page, row: str, name: str, value: str) -> None:
    script = "(field, value) => { field.value = value; field.dispatchEvent(new Event('input', {bubbles: true})) }"
    field(browser, row, name).evaluate(script, value)


def read(browser: Page, row: str) -> list[str]:
    return [field(browser, row, name).input_value() for name in ("decision", "counts", "comment")]


# ---- without a browser


def test_the_page_loads_nothing(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"https?://|//[a-z]+\.|\bsrc=|<link|@import|url\(", text)


def test_quoted_texts_cannot_inject_markup(tmp_path: Path) -> None:
    decided = DECIDED.replace("he: {lines: 4, reading: three", 'he: {lines: "4, 6", reading: three')
    game = write_game(tmp_path, decided)
    (game / "rulings.yaml").write_text(
        'rulings:\n  - {row: take.most, says: x, decision: same, comment: "</script><i>"}\n', encoding="utf-8"
    )
    text = made(tmp_path).read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; {{ game }}" in text
    assert "takes &lt;b&gt;two&lt;/b&gt; stones" in text
    assert "</script><i>" not in text
    assert "<b>two" not in text


# ---- deciding


def test_rulings_are_stored_downloaded_and_merged(browser: Page, page: Path, tmp_path: Path) -> None:
    assert browser.evaluate(STATE, "take.most") == "undecided"
    write(browser, "take.most", "decision", "differ")
    write(browser, "take.most", "counts", "ru")
    write(browser, "take.most", "comment", 'the "second" printing:\n# עברית')
    write(browser, "take.enough", "comment", "only a word")
    assert browser.evaluate(STATE, "take.most") == "decided"
    browser.goto(page.as_uri())
    assert read(browser, "take.most") == ["differ", "ru", 'the "second" printing:\n# עברית']
    file = tmp_path / "rulings.yaml"
    with browser.expect_download() as download:
        browser.click("#download")
    download.value.save_as(file)
    rulings, faults = read_row_rulings(file.read_text("utf-8"), "rulings.yaml", ("ru", "en", "he", "aid"))
    assert not faults
    assert {each.row: each.content for each in rulings} == {
        "take.most": ("differ", "ru", 'the "second" printing:\n# עברית'),
        "take.enough": ("", "", "only a word"),
    }
    game = write_game(tmp_path)
    data = json.loads(ludex("diff", game, "--no-play", "--rulings", file, "--format", "json").output)
    states = {row["name"]: row["state"] for chapter in data["chapters"] for row in chapter["rows"]}
    assert states["take.most"] == "decided", "the marks must survive the round trip"


def test_the_ruling_of_another_person_is_not_overwritten(window: Page, tmp_path: Path) -> None:
    game = write_game(tmp_path)
    page = made(tmp_path)
    window.goto(page.as_uri())
    write(window, "take.most", "decision", "same")
    write(window, "take.most", "comment", "mine")
    theirs = 'rulings:\n  - {row: take.most, says: "mebeglgpak", decision: publisher, comment: theirs}\n'
    (game / "rulings.yaml").write_text(f"# notes\n{theirs}", encoding="utf-8")
    window.goto(made(tmp_path).as_uri())
    assert read(window, "take.most") == ["publisher", "", "theirs"]
    made_file: Any = window.evaluate("yaml()")
    (ruling,), faults = read_row_rulings(made_file, "f", ("ru",))
    assert not faults
    assert made_file.startswith("# notes\n")
    assert (ruling.content, [each.content for each in ruling.earlier]) == (
        ("publisher", "", "theirs"),
        [("same", "", "mine")],
    )
    write(window, "take.most", "comment", "both")
    (ruling,), _ = read_row_rulings(str(window.evaluate("yaml()")), "f", ("ru",))
    assert ruling.content == ("publisher", "", "both")
    assert ("publisher", "", "theirs") in [each.content for each in ruling.earlier]


def test_new_and_changed_rows_are_marked(window: Page, tmp_path: Path) -> None:
    game = write_game(tmp_path)
    (game / "rulings.yaml").write_text(
        'rulings:\n  - {row: take.most, says: "old", decision: same}\n', encoding="utf-8"
    )
    window.goto(made(tmp_path).as_uri())
    assert window.evaluate(STATE, "take.most") == "changed"
    window.select_option("#show", "changed")
    assert window.evaluate(SHOWN) == ["take.most"]
    window.select_option("#show", "new")
    assert window.evaluate(SHOWN) == ["take.enough", "take.odd", "take.away", "lacuna.en", "score.last"]


# ---- reading


def test_keys_search_move_and_open_rows(browser: Page) -> None:
    everything = browser.evaluate(SHOWN)
    assert everything[0] == "take.most"
    browser.keyboard.type("/трёх")
    assert browser.evaluate(SHOWN) == ["take.most"], "the search must find words of the texts, too"
    browser.keyboard.press("Escape")
    assert browser.evaluate(SHOWN) == everything
    browser.evaluate("document.activeElement.blur()")
    browser.keyboard.type("jjo")
    focused = "document.activeElement.closest('.row').dataset.name"
    assert browser.evaluate(focused) == "take.enough"
    assert browser.evaluate("document.activeElement.closest('.row').querySelector('.more').open")
    browser.keyboard.type("k")
    assert browser.evaluate(focused) == "take.most"
    browser.click("#fold")
    assert browser.evaluate("[...document.querySelectorAll('.more, .rest')].every((each) => each.open)")


def test_the_address_of_a_row_opens_it(browser: Page, page: Path) -> None:
    browser.goto(f"{page.as_uri()}#row-omission-2")
    browser.reload()
    shown = "document.querySelector(\"[data-name='take.odd']\").checkVisibility()"
    assert browser.evaluate(shown), "the fold around the row must open"


def test_differing_words_are_marked_and_keep_their_direction(browser: Page) -> None:
    browser.click("#fold")
    marks = "[...document.querySelectorAll('mark')].map((each) => each.textContent)"
    assert {"two", "трёх", "שלוש"} <= set(browser.evaluate(marks))
    way = "[...document.querySelectorAll('blockquote p')].map((each) => getComputedStyle(each).direction)"
    assert set(browser.evaluate(way)) == {"ltr", "rtl"}


def test_a_hebrew_page_runs_from_right_to_left(window: Page, tmp_path: Path) -> None:
    window.goto(made(tmp_path, "--lang", "he").as_uri())
    assert window.evaluate("getComputedStyle(document.body).direction") == "rtl"
    assert window.evaluate("document.documentElement.lang") == "he"
    left = "document.querySelector('h1').getBoundingClientRect().right > innerWidth - 200"
    assert window.evaluate(left)
    assert window.evaluate(FITS)


def test_the_page_of_two_specs_takes_no_rulings(window: Page, tmp_path: Path) -> None:
    spec = "game heap\n  players: 2\n\nstate n: 0..9 = 9\n\naction take\n  require few: n > 0\n  away: n -= 1\n\n"
    spec += "play\n  turns: repeat\n    each player in seats\n      turn: take\n  until n = 0\n"
    for name, written in (("old", spec), ("new", spec.replace("n > 0", "n > 3"))):
        (tmp_path / f"{name}.ludex").write_text(written, encoding="utf-8")
    page = tmp_path / "page.html"
    asked = (tmp_path / "old.ludex", tmp_path / "new.ludex", "--effort", "300", "--format", "html", "--out", page)
    assert ludex("diff", *asked).code == 1
    window.goto(page.as_uri())
    window.keyboard.type("jo")
    assert window.evaluate("document.querySelector('.row .more').open")
    assert window.evaluate("document.getElementById('count').value") == "1 / 1"
    assert window.evaluate("document.querySelectorAll('form.decide, #download, #show').length") == 0


def test_a_phone_shows_everything(browser: Page) -> None:
    browser.set_viewport_size(PHONE)
    browser.click("#fold")
    assert browser.evaluate(FITS)


def test_a_row_takes_little_of_a_screen(browser: Page) -> None:
    """A dozen rows fit on two screens of a laptop."""
    height = browser.evaluate("document.querySelector('.row').offsetHeight")
    assert height < 768 * 2 / 12


def test_prints_are_light_in_the_dark_theme_too(browser: Page) -> None:
    light = browser.evaluate(GROUND)
    browser.emulate_media(color_scheme="dark")
    dark = browser.evaluate(GROUND)
    browser.emulate_media(color_scheme="dark", media="print")
    assert light == browser.evaluate(GROUND) != dark
    browser.emulate_media(media="null")
    assert browser.pdf().startswith(b"%PDF")
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert browser.locator("details:not([open])").count() == 0
    browser.evaluate("dispatchEvent(new Event('afterprint'))")
    assert browser.locator("details[open]").count() == 0


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("colors", ["light", "dark"])
def test_the_page_is_accessible(browser: Page, size: ViewportSize, colors: Literal["light", "dark"]) -> None:
    """axe reports no violation with every row opened."""
    browser.set_viewport_size(size)
    browser.emulate_media(color_scheme=colors)
    write(browser, "take.most", "decision", "differ")
    browser.click("#fold")
    browser.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    violations = Axe().run(browser)
    assert violations.violations_count == 0, violations.generate_report()
    browser.evaluate("document.body.append(document.createElement('img'))")
    faults = {each["id"] for each in Axe().run(browser).response["violations"]}
    assert "image-alt" in faults, "axe must find a violation in a page that has one"


def test_the_page_makes_no_requests(browser: Page) -> None:
    assert browser.evaluate("performance.getEntriesByType('resource').length") == 0
