"""`docs/api.md` is up to date with the docstrings, and lists every public name."""

from __future__ import annotations

import re

import ludex

from . import make_api


def test_the_page_is_up_to_date() -> None:
    page = make_api.PAGE.read_text(encoding="utf-8")
    assert page == make_api.make_page(), "run `python -m tests.make_api` and read the difference"


def test_every_public_name_is_on_the_page() -> None:
    page = make_api.make_page()
    heads = set(re.findall(r"^### `(?:class )?(\w+)", page, re.MULTILINE))
    assert heads >= set(ludex.__all__)


def test_every_name_of_ludex_is_described() -> None:
    section = make_api.make_page().split("## ludex.spec")[0]
    bare = [entry.split("\n")[0] for entry in section.split("\n### ")[1:] if not entry.partition("\n")[2].strip()]
    assert not bare, f"write docstrings for {bare}"


def test_every_member_of_an_enumeration_is_on_the_page() -> None:
    page = make_api.make_page()
    for kind in (ludex.interpreter.Awaits, ludex.interpreter.Verdict, ludex.interpreter.RefusalKind):
        assert [each.name for each in kind if f"`{kind.__name__}.{each.name}`" not in page] == []
    assert "`Severity.WARNING` (`warning`)" in page
