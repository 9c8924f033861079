"""The page of `ludex diff --format html` for a game of several texts, in a real browser. Without one these tests are
skipped, and say so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from ludex.spec import read_row_rulings

from .books_game import DECIDED, write_game
from .browser import AXE, CHROMIUM, DRIVER, MISSING, NO_AXE, PATIENCE, Browser, browsing
from .running import ludex

needs_browser = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason=MISSING)
SHOWN = "return [...document.querySelectorAll('.row')].filter((each) => !each.hidden).map((each) => each.dataset.name)"
STATE = "return document.querySelector(`[data-name='${arguments[0]}']`).dataset.state"
GROUND = "return getComputedStyle(document.body).backgroundColor"


def made(folder: Path, *arguments: object, decided: str = DECIDED) -> Path:
    """A page of the game, at the place where it was made before."""
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
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browsing(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def browser(window: Browser, page: Path) -> Browser:
    window.open(page)
    window.run("localStorage.clear()")
    window.open(page)
    return window


def write(browser: Browser, row: str, field: str, value: str) -> None:
    script = (
        "const field = document.querySelector(`[data-name='${arguments[0]}'] .decide`).elements[arguments[1]];"
        "field.value = arguments[2]; field.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    browser.run(script, row, field, value)


def read(browser: Browser, row: str) -> list[str]:
    script = (
        "const fields = document.querySelector(`[data-name='${arguments[0]}'] .decide`).elements;"
        "return ['decision', 'counts', 'comment'].map((name) => fields[name].value)"
    )
    return list(browser.run(script, row))


# ---- without a browser


def test_nothing_is_loaded_from_elsewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"https?://|//[a-z]+\.|\bsrc=|<link|@import|url\(", text)


def test_words_of_others_are_no_markup(tmp_path: Path) -> None:
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


@needs_browser
def test_what_is_decided_is_kept_downloaded_and_merged(browser: Browser, page: Path, tmp_path: Path) -> None:
    assert browser.run(STATE, "take.most") == "undecided"
    write(browser, "take.most", "decision", "differ")
    write(browser, "take.most", "counts", "ru")
    write(browser, "take.most", "comment", 'the "second" printing:\n# עברית')
    write(browser, "take.enough", "comment", "only a word")
    assert browser.run(STATE, "take.most") == "decided"
    browser.open(page)
    assert read(browser, "take.most") == ["differ", "ru", 'the "second" printing:\n# עברית']
    browser.download_to(tmp_path)
    browser.click("#download")
    file = tmp_path / "rulings.yaml"
    end = monotonic() + PATIENCE
    while not file.exists() and monotonic() < end:
        sleep(0.05)
    found, faults = read_row_rulings(file.read_text("utf-8"), "rulings.yaml", ("ru", "en", "he", "aid"))
    assert not faults
    assert {each.row: each.told for each in found} == {
        "take.most": ("differ", "ru", 'the "second" printing:\n# עברית'),
        "take.enough": ("", "", "only a word"),
    }
    game = write_game(tmp_path)
    told = json.loads(ludex("diff", game, "--no-play", "--rulings", file, "--format", "json").output)
    states = {row["name"]: row["state"] for chapter in told["chapters"] for row in chapter["rows"]}
    assert states["take.most"] == "decided", "the marks are the same"


@needs_browser
def test_nobody_overwrites_what_somebody_else_decided(window: Browser, tmp_path: Path) -> None:
    game = write_game(tmp_path)
    page = made(tmp_path)
    window.open(page)
    window.run("localStorage.clear()")
    window.open(page)
    write(window, "take.most", "decision", "same")
    write(window, "take.most", "comment", "mine")
    theirs = 'rulings:\n  - {row: take.most, says: "mebeglgpak", decision: publisher, comment: theirs}\n'
    (game / "rulings.yaml").write_text(f"# notes\n{theirs}", encoding="utf-8")
    window.open(made(tmp_path))
    assert read(window, "take.most") == ["publisher", "", "theirs"]
    made_file: Any = window.run("return yaml()")
    (ruling,), faults = read_row_rulings(made_file, "f", ("ru",))
    assert not faults
    assert made_file.startswith("# notes\n")
    assert (ruling.told, [each.told for each in ruling.earlier]) == (
        ("publisher", "", "theirs"),
        [("same", "", "mine")],
    )
    write(window, "take.most", "comment", "both")
    (ruling,), _ = read_row_rulings(str(window.run("return yaml()")), "f", ("ru",))
    assert ruling.told == ("publisher", "", "both")
    assert ("publisher", "", "theirs") in [each.told for each in ruling.earlier]
    window.run("localStorage.clear()")


@needs_browser
def test_new_and_changed_rows_are_marked(window: Browser, tmp_path: Path) -> None:
    game = write_game(tmp_path)
    (game / "rulings.yaml").write_text(
        'rulings:\n  - {row: take.most, says: "old", decision: same}\n', encoding="utf-8"
    )
    window.open(made(tmp_path))
    assert window.run(STATE, "take.most") == "changed"
    choose = "const s = document.getElementById('show'); s.value = arguments[0];"
    choose += "s.dispatchEvent(new Event('input', {bubbles: true}))"
    window.run(choose, "changed")
    assert window.run(SHOWN) == ["take.most"]
    window.run(choose, "new")
    assert window.run(SHOWN) == ["take.enough", "take.odd", "take.away", "lacuna.en", "score.last"]


# ---- reading


@needs_browser
def test_search_keys_and_opening(browser: Browser) -> None:
    everything = browser.run(SHOWN)
    assert everything[0] == "take.most"
    browser.press("/", *"трёх")
    assert browser.run(SHOWN) == ["take.most"], "the words of the books are searched, too"
    browser.press("Escape")
    assert browser.run(SHOWN) == everything
    browser.run("document.activeElement.blur()")
    browser.press("j", "j", "o")
    focused = "return document.activeElement.closest('.row').dataset.name"
    assert browser.run(focused) == "take.enough"
    assert browser.run("return document.activeElement.closest('.row').querySelector('.more').open")
    browser.press("k")
    assert browser.run(focused) == "take.most"
    browser.click("#fold")
    assert browser.run("return [...document.querySelectorAll('.more, .rest')].every((each) => each.open)")


@needs_browser
def test_a_row_is_reached_by_its_address(browser: Browser, page: Path) -> None:
    browser.open(page, "#row-omission-2")
    shown = "return document.querySelector(\"[data-name='take.odd']\").checkVisibility()"
    assert browser.run(shown), "the fold around it opens"


@needs_browser
def test_words_that_differ_are_marked_and_run_their_own_way(browser: Browser) -> None:
    browser.click("#fold")
    marks = "return [...document.querySelectorAll('mark')].map((each) => each.textContent)"
    assert {"two", "трёх", "שלוש"} <= set(browser.run(marks))
    way = "return [...document.querySelectorAll('blockquote p')].map((each) => getComputedStyle(each).direction)"
    assert set(browser.run(way)) == {"ltr", "rtl"}


@needs_browser
def test_a_hebrew_page_runs_from_right_to_left(window: Browser, tmp_path: Path) -> None:
    window.open(made(tmp_path, "--lang", "he"))
    assert window.run("return getComputedStyle(document.body).direction") == "rtl"
    assert window.run("return document.documentElement.lang") == "he"
    left = "return document.querySelector('h1').getBoundingClientRect().right > innerWidth - 200"
    assert window.run(left)
    assert window.run("return document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@needs_browser
def test_the_page_of_two_specs_is_read_and_not_decided(window: Browser, tmp_path: Path) -> None:
    spec = "game heap\n  players: 2\n\nstate n: 0..9 = 9\n\naction take\n  require few: n > 0\n  away: n -= 1\n\n"
    spec += "play\n  turns: repeat\n    each player in seats\n      turn: take\n  until n = 0\n"
    for name, written in (("old", spec), ("new", spec.replace("n > 0", "n > 3"))):
        (tmp_path / f"{name}.ludex").write_text(written, encoding="utf-8")
    page = tmp_path / "page.html"
    asked = (tmp_path / "old.ludex", tmp_path / "new.ludex", "--effort", "300", "--format", "html", "--out", page)
    assert ludex("diff", *asked).code == 1
    window.open(page)
    window.press("j", "o")
    assert window.run("return document.querySelector('.row .more').open")
    assert window.run("return document.getElementById('count').value") == "1 / 1"
    assert window.run("return document.querySelectorAll('form.decide, #download, #show').length") == 0


@needs_browser
def test_on_a_phone_nothing_is_cut_off(browser: Browser) -> None:
    browser.resize(390, 800)
    browser.click("#fold")
    fits = browser.run("return document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    browser.resize(1300, 900)
    assert fits


@needs_browser
def test_a_row_takes_a_small_part_of_a_screen(browser: Browser) -> None:
    """So that a dozen rows stand on two screens of a laptop."""
    height = browser.run("return document.querySelector('.row').offsetHeight")
    assert height < 768 * 2 / 12


@needs_browser
def test_dark_light_and_paper(browser: Browser) -> None:
    grounds = []
    for media, dark in (("screen", False), ("screen", True), ("print", True)):
        browser.emulate(media, dark=dark)
        grounds.append(browser.run(GROUND))
    light, dark_ground, paper = grounds
    assert light == paper != dark_ground
    browser.emulate("")
    assert browser.printed().startswith(b"%PDF")
    browser.run("dispatchEvent(new Event('beforeprint'))")
    assert browser.run("return document.querySelectorAll('details:not([open])').length") == 0
    browser.run("dispatchEvent(new Event('afterprint'))")
    assert browser.run("return document.querySelectorAll('details[open]').length") == 0


@needs_browser
@pytest.mark.skipif(not AXE, reason=NO_AXE)
@pytest.mark.parametrize("width", [390, 1300])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nobody_is_kept_from_using_the_page(browser: Browser, width: int, dark: bool) -> None:
    """With every row opened, on a phone and on a laptop."""
    browser.resize(width, 900)
    browser.emulate("", dark)
    write(browser, "take.most", "decision", "differ")
    browser.click("#fold")
    browser.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    found = browser.axe()
    browser.run("document.body.append(document.createElement('img'))")
    assert any(each.startswith("image-alt") for each in browser.axe()), "axe finds what is wrong"
    browser.emulate("")
    browser.resize(1300, 900)
    assert found == []


@needs_browser
def test_the_page_asks_for_nothing(browser: Browser) -> None:
    assert browser.run("return performance.getEntriesByType('resource').length") == 0
