"""The formatter: its layout, which is canonical, idempotent, and keeps meaning and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.grammar import (
    Module,
    Node,
    declared_functions,
    format_declaration,
    format_expression,
    format_module,
    format_statement,
    format_type,
    nodes_in,
    parse,
    same_meaning,
    syntax,
)

from ..cases import cases
from . import strategies as drawn

HERE = Path(__file__).parent
EVERY_CONSTRUCT = (HERE / "layout" / "every_construct.ludex").read_text(encoding="utf-8")
PAGE = (HERE.parents[1] / "docs" / "canonical-layout.md").read_text(encoding="utf-8")
PAIRS = re.findall(r"^```ludex written\n(.*?)^```\n\n```ludex canonical\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)

Found = TypeVar("Found", bound=Node)


def read(text: str) -> Module:
    parsed = parse(text, "sample.ludex")
    faults = [f"{fault.span}: {fault.message}" for fault in parsed.diagnostics]
    assert not faults, "\n".join(["the text does not parse:", text, *faults])
    return parsed.module


def read_part(text: str) -> Module:
    """Parse a text without a header."""
    return read(text if text.startswith(("game ", "edition ")) else f"game sample\n{text}")


def comments_of(module: Module) -> list[str]:
    return [comment.text.rstrip() for comment in module.comments]


def only(kind: type[Found], text: str) -> Found:
    """Return the first node of a kind in a text."""
    return next(node for node in nodes_in(read_part(text)) if isinstance(node, kind))


def value_of(text: str) -> syntax.Expression:
    value = only(syntax.ValueBody, f"fact drawn = {text}").value
    assert not isinstance(value, syntax.ValueMatch)
    return value


def assert_laid_out_well(module: Module) -> str:
    """Assert that formatting keeps meaning and comments, and is idempotent."""
    text = format_module(module)
    again = read(text)
    assert same_meaning(module, again), f"formatting changed the meaning:\n{text}"
    assert comments_of(again) == comments_of(module), f"formatting changed the comments:\n{text}"
    assert format_module(again) == text, f"formatting again changes the text:\n{text}"
    return text


# ---- what it looks like ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("written, canonical", PAIRS, ids=range(1, len(PAIRS) + 1))
def test_the_page_shows_the_layout_of_the_formatter(written: str, canonical: str) -> None:
    module = read(written) if written.startswith("game") else parse(written, "canonical-layout.md").module
    assert format_module(module) == canonical


def test_the_page_shows_every_rule() -> None:
    rules = re.findall(r"^## [0-9]+\.", PAGE, re.MULTILINE)
    assert len(PAIRS) == len(rules) == PAGE.count("```ludex written"), "the page must have one pair for each rule"


def test_a_canonical_text_is_not_changed() -> None:
    assert assert_laid_out_well(read(EVERY_CONSTRUCT)) == EVERY_CONSTRUCT


def test_every_construct_is_sampled() -> None:
    kinds = {kind for kind in vars(syntax).values() if isinstance(kind, type) and issubclass(kind, Node)}
    missing = kinds - {type(node) for node in nodes_in(read(EVERY_CONSTRUCT))} - {Node}
    assert not missing, f"add to layout/every_construct.ludex: {', '.join(sorted(kind.__name__ for kind in missing))}"


def test_an_empty_file_is_not_changed() -> None:
    assert format_module(parse("\n\n", "empty.ludex").module) == ""


def test_a_file_of_comments_is_not_changed() -> None:
    assert format_module(parse("\n # one \n\n\n# two\n# three", "empty.ludex").module) == "# one\n\n# two\n# three\n"


# ---- parts ----------------------------------------------------------------------------------------------------


def test_names_declared_in_other_files_may_be_given() -> None:
    game = read("game sample\ntype Rival = nobody | member(player: Player)\nstate token(Player): 0..9 = 0")
    edition = read("edition en of sample\ndefine rich = token(me) > 0 and bowl = member(me)")
    assert declared_functions(game) == {"token"}
    assert "= token(me) > 0 and bowl = member(me)" in format_module(edition)
    assert "= my token > 0 and bowl = member(me)" in format_module(edition, declared_functions(game))


@pytest.mark.parametrize(
    "written, canonical",
    [
        ("((a))", "a"),
        ("token( me )", "my token"),
        ("f(me, x)", "f(me, x)"),
        ("f(who: me)", "f(who: me)"),
        ("(a implies b) implies c", "(a implies b) implies c"),
        ("a implies (b implies c)", "a implies b implies c"),
        ("(a = b) = c", "(a = b) = c"),
        ("a - (b + c)", "a - (b + c)"),
        ("(a * b) div c", "a * b div c"),
        ("a * (b div c)", "a * (b div c)"),
        ("-(a.b)", "-a.b"),
        ("(-a).b", "(-a).b"),
        ("-(-a)", "--a"),
        ("(-1)..1", "-1..1"),
        ("-(1..2)", "-(1..2)"),
        ("not (a = b)", "not a = b"),
        ("(not a) = b", "(not a) = b"),
        ("not (not a and b)", "not (not a and b)"),
        ("(no x in S has a) and b", "(no x in S has a) and b"),
        ("b and (no x in S has a)", "b and no x in S has a"),
        ("b and (no x in S has a) or c", "b and (no x in S has a) or c"),
        ("(if a then b else c) + 1", "(if a then b else c) + 1"),
        ("f(if a then b else c)", "f(if a then b else c)"),
        (
            "if (if a then b else c) then d else (if e then f else g)",
            "if if a then b else c then d else if e then f else g",
        ),
        ("count(x in (a or b) where (c))", "count(x in (a or b) where c)"),
    ],
)
def test_an_expression_is_formatted(written: str, canonical: str) -> None:
    assert format_expression(value_of(written)) == canonical


@pytest.mark.parametrize(
    "written",
    [
        "Cell",
        "Cell?",
        "-1..6",
        "low..high",
        "(my low)..2 * n",
        "low - 1..2 * (high - max(1, 2))",
        "(f(x))..3",
        "set of bag of list of 1..2",
        "(-low)..9",
    ],
)
def test_a_type_is_formatted(written: str) -> None:
    node = only(syntax.OptionDeclaration, f"option drawn: {written} = 1").type
    assert format_type(node) == written


@pytest.mark.parametrize(
    "step",
    [
        "move all from a to b",
        "move (all) from a to b",
        "move (up) to b",
        "move (a + down) to top of b",
        "move backup to b",
        "a += up up to 3",
        "put a + b in bottom of c",
        "put (a in b) in c",
    ],
)
def test_a_step_is_formatted(step: str) -> None:
    block = only(syntax.ActionDeclaration, f"action a\n  {step}").body
    assert format_statement(block.statements[0]) == step


def test_a_bound_has_one_spelling() -> None:
    node = only(syntax.OptionDeclaration, "option drawn: (-3)..((4)) = 1").type
    assert format_type(node) == "-3..4"


def test_one_clause_is_formatted_alone() -> None:
    clause = only(syntax.Clause, "action a\n  pay:    # dear\n    b(1)   # c\n    c\n    except e:when d [ru 2]")
    assert format_statement(clause) == (
        "pay:\n  b(1)\n  c\n  except e: when d                                              [ru 2]"
    )
    assert format_statement(clause, authority=False) == "pay:\n  b(1)\n  c\n  except e: when d"


def test_one_declaration_is_formatted_alone() -> None:
    fact = only(syntax.ValueDeclaration, 'fact one=1 ruling "so"')
    assert format_declaration(fact, authority=False) == "fact one = 1"
    assert format_declaration(fact).endswith('  ruling "so"')


def test_a_statement_without_a_one_line_form_is_put_in_a_block() -> None:
    conditional = only(syntax.If, "action a\n  if b then c\n  else d")
    loop = only(syntax.AllPlayers, "action a\n  all players\n    c")
    changed = replace(conditional, then=loop, otherwise=loop)
    assert format_statement(changed) == "if b\n  all players\n    c\nelse\n  all players\n    c"


# ---- meaning --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "left, right",
    [
        ("define a = token(me)", "# why\ndefine a =\n  (my token) # so"),
        ('fact a = 1 convention "x" ruling "y"', 'fact a = 1 ruling "y" convention "x"'),
        ("action a\n  b: my token(x) := 1", "action a\n  b: token(me, x) := 1"),
        ("action a\n  b: move c from hand(me) to d", "action a\n  b: move c from my hand to d"),
        ("type A = (-1)..2", "type A = -1..2"),
    ],
)
def test_spellings_of_one_meaning_are_equal(left: str, right: str) -> None:
    assert same_meaning(read_part(left), read_part(right))


@pytest.mark.parametrize(
    "left, right",
    [
        ("fact a = 1", "fact a = 2"),
        ("fact a = 1", "define a = 1"),
        ("fact a = 1", "fact a = true"),
        ("fact a = 1 [ru 1]", "fact a = 1 [ru 2]"),
        ("fact a = 1 [ru 1] [ru 2]", "fact a = 1 [ru 2] [ru 1]"),
        ("fact a = f(x)", "fact a = f(me)"),
        ("fact a = f(p: me)", "fact a = my f"),
        ("fact a = 1\nfact b = 2", "fact a = 1"),
        ("fact a = 1\nfact b = 2", "fact b = 2\nfact a = 1"),
    ],
)
def test_different_meanings_are_not_equal(left: str, right: str) -> None:
    assert not same_meaning(read_part(left), read_part(right))


# ---- comments -------------------------------------------------------------------------------------------------


COMMENTED = [
    ("fact a = f(\n  # one\n  b,  # two\n  # three\n  c)", "# one\n# two\n# three\nfact a = f(b, c)"),
    ("fact a = # why\n  1", None),
    ("fact a =\n  # why\n  1", None),
    ("fact a = ( # why\n  1)", "fact a = # why\n  1"),
    ('fact a = 1 ruling "so" # yes', None),
    ("fact a = (b # one\n# two\n  and c # three\n)", "fact a = b # one\n    # two\n    and c # three"),
    ("type A = b # one\n    | c\n    # two\n    | d", None),
    ("action a # one\n # two\n# three", "action a # one\n# two\n# three"),
    (
        "action a\n    if b\n          c\n          # in\n    # out\n    else\n\n      # top\n      d\n   # end\n# far",
        "action a\n  if b\n    c\n    # in\n  # out\n  else\n    # top\n    d\n  # end\n# far",
    ),
    ("action a\n  if b\n    c\n  # out\n  else # why\n    # top\n    d", None),
    ("action a\n  b: c\n\n   # in\n\n  # in\n # in\n# out", "action a\n  b: c\n  # in\n  # in\n  # in\n# out"),
    ("action a\n  x: repeat\n    c # one\n    # two\n  # three\n  until d # four\n# five", None),
    ("winner # one\n  # two\n  a: share # three\n  # four", None),
    ('fork a\n  b: "c"\n  # one\n  default b "d" # two\n  # three\n# four', None),
    ("game sample # one\n  # two\n  players: 2 # three\n  # four\n# five", None),
    (
        "fact a =\n  match b # one\n    # two\n    1 =>\n      # 3\n      let c = 2\n      c # 4\n      # 5\n    # 6",
        None,
    ),
    ("example a\n  given # one\n    # two\n    b\n    # three\n  expect c # four", None),
]


@pytest.mark.parametrize("written, canonical", COMMENTED, ids=lambda text: repr(text)[:30])
def test_comments_keep_their_places(written: str, canonical: str | None) -> None:
    """For comparison, spaces before comments and authorities are collapsed in the canonical text. None: the text does
    not change.
    """
    text = format_module(parse(written, "sample.ludex").module)
    assert re.sub(r"(?<=\S) {2,}(?=#|ruling)", " ", text) == (canonical or written) + "\n"


# ---- everything that can be written ---------------------------------------------------------------------------


def shaken(text: str, random: Random) -> str:
    """Return the same text in a careless layout: line breaks, spaces and comments wherever the language allows them."""
    count = iter(range(10_000))
    width = random.choice([1, 2, 3, 4])
    rows: list[str] = []
    for row in text.split("\n"):
        body = row.lstrip(" ")
        indent = (len(row) - len(body)) // 2 * width
        while random.random() < 0.15:
            rows.append(random.choice(["", " ", f"{' ' * random.randrange(9)}# {next(count)}"]))
        rows.append(" " * indent + (_loosened(body, random, count) if body else ""))
        if body and random.random() < 0.2:
            rows[-1] += f"{' ' * random.randrange(3)}# {next(count)}"
    return "\n".join(rows)


def _loosened(row: str, random: Random, count: Iterator[int]) -> str:
    """Return the line with breaks inside brackets and before words that continue a line."""
    result, depth, quoted = "", 0, False
    for at, letter in enumerate(row):
        escaped = (at - len(row[:at].rstrip("\\"))) % 2 == 1
        if letter == '"' and not escaped:
            quoted = not quoted
        depth += not quoted and letter in "({"
        depth -= not quoted and letter in ")}"
        continues = letter == " " and re.match(r" (and|or|implies|where|has|for|then|when|\||\+|\*) [^\"]", row[at:])
        inside = depth > 0 and letter in "(,{"
        result += letter
        if not quoted and (continues or inside) and random.random() < 0.1:
            comments = [f"# {next(count)}" for _ in range(random.randrange(3))]
            first = comments.pop() if comments and random.random() < 0.5 else ""
            result += "\n".join([first, *("   " + comment for comment in comments), " " * 90])
    return result


@pytest.mark.slow
@cases(600)
@given(drawn.modules())
def test_any_file_is_formatted_well(module: Module) -> None:
    assert_laid_out_well(module)


@pytest.mark.parametrize(
    "text", ["type T = N..2", "state s: set of Bool up to N = {}", "zone z: bag of Bool up to N, open"]
)
def test_a_bound_below_0_is_one_number_with_brackets_or_without(text: str) -> None:
    one, two = (read(f"game g\n\n{text.replace('N', number)}\n") for number in ("-3", "(-3)"))
    assert same_meaning(one, two)
    assert format_module(two) == format_module(one)


@pytest.mark.slow
@cases(500)
@given(drawn.modules(4), st.integers(0, 2**32).map(Random))
def test_any_comment_survives(module: Module, random: Random) -> None:
    text = format_module(module)
    written = read(shaken(text, random))
    assert same_meaning(module, written), f"correct `shaken`, which changed the meaning:\n{text}"
    assert_laid_out_well(written)


@pytest.mark.slow
@cases(400)
@given(drawn.expressions(20))
def test_any_expression_keeps_its_meaning(expression: syntax.Expression) -> None:
    text = format_expression(expression)
    assert same_meaning(value_of(text), expression), text


@cases(100)
@given(drawn.modules(), st.integers(0, 2**32).map(Random))
def test_only_comments_and_blank_lines_of_the_layout_matter(module: Module, random: Random) -> None:
    text = format_module(module)
    written = shaken(text, random)
    bare = "\n".join(row for row in re.sub(r"# \d+$", "", written, flags=re.MULTILINE).split("\n") if row.strip())
    plain = format_module(read(bare))
    assert [row for row in plain.split("\n") if row] == [row for row in text.split("\n") if row]


@pytest.mark.parametrize(
    "text",
    [
        "fact a = " + "not " * 100 + "b",
        "fact a = " + "-" * 100 + "b",
        "fact a = b" + " implies b" * 100,
        "fact a = b" + " + b" * 100,
        "fact a = b" + ".b" * 100,
        "fact a = " + "if b then c else " * 100 + "d",
        "fact a = " + "some b in c has " * 100 + "d",
        "fact a = " + "f(x, " * 40 + "b" + ")" * 40,
        "fact a = " + "count(x in {" * 20 + "b" + "})" * 20,
        "action a\n" + "".join(f"{' ' * level}if b\n" for level in range(1, 25)) + " " * 25 + "c",
        "action a\n  if b then c\n" + "  else if b then c\n" * 40,
    ],
    ids=lambda text: text[:20].strip(),
)
def test_deeply_nested_texts_are_formatted(text: str) -> None:
    assert_laid_out_well(read_part(text))
