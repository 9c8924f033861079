"""The parser: every construct, exact spans, comments, and the declarations kept of a text with faults."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ludex.grammar import (
    Module,
    Node,
    Span,
    child_nodes,
    fields_of,
    format_module,
    mapped,
    nodes_in,
    parse,
    same_meaning,
)
from ludex.grammar import syntax as s
from ludex.grammar.lexer.layout import flatten, lay_out
from ludex.grammar.lexer.words import DECLARATION_WORDS, RESERVED_WORDS
from ludex.grammar.parser.parse_tables import grammar_text, load_tables, make_tables

from .good import SAMPLES

HERE = Span("x", 1, 1, 1, 1)


def read(text: str) -> Module:
    parsed = parse(text, "sample.ludex")
    assert parsed.diagnostics == (), [f"{d.span} {d.message}" for d in parsed.diagnostics]
    return parsed.module


def declared(text: str) -> s.Declaration:
    """Return the only declaration of a game whose second line begins with `text`."""
    (declaration,) = read(f"game g\n{text}\n").declarations
    return declaration


def value(text: str) -> s.Expression | s.ValueMatch:
    """Return the expression of `fact x = TEXT`, which begins in line 2 and column 10."""
    declaration = declared(f"fact x = {text}")
    assert isinstance(declaration, s.ValueDeclaration)
    return declaration.body.value


def steps(*lines: str) -> tuple[s.Statement, ...]:
    """Return the statements of an action, which begin in line 3 and column 3."""
    declaration = declared("action a\n" + "\n".join(f"  {line}" for line in lines))
    assert isinstance(declaration, s.ActionDeclaration)
    return declaration.body.statements


def plain(node: object) -> object:
    """Return a node without its spans, as nested tuples."""
    if isinstance(node, Node):
        return (type(node).__name__, *(plain(value) for _, value in fields_of(node)))
    return tuple(plain(part) for part in node) if isinstance(node, tuple) else node


def cut(text: str, span: Span) -> str:
    """Return the text that a span covers."""
    rows = text.split("\n")[span.line - 1 : span.end_line]
    rows[-1] = rows[-1][: span.end_column - 1]
    rows[0] = rows[0][span.column - 1 :]
    return "\n".join(rows)


# ---- the grammar itself -----------------------------------------------------------------------------------------


def test_the_grammar_has_no_conflicts() -> None:
    """Lark's strict mode refuses shift/reduce conflicts and colliding terminals."""
    make_tables(grammar_text(), strict=True)


def test_every_rule_has_a_good_sample() -> None:
    tables = load_tables()
    kinds = {rule.alias or rule.origin.name for rule in tables.rules}
    wanted = {kind for kind in kinds if not kind.startswith("_") and kind != "unit"}
    seen: set[str] = set()
    for name, text in SAMPLES.items():
        for unit in lay_out(text, name, tables.lex(text)).units:
            parser = tables.parse_interactive(start="unit")
            *_, tree = [parser.feed_token(slot.token) for slot in flatten(unit)]
            seen |= {str(part.data) for part in tree.iter_subtrees()}
    assert wanted == seen & wanted, f"add samples to good.py for these rules: {sorted(wanted - seen)}"


def test_the_reserved_words_are_those_of_the_grammar() -> None:
    words = {t.pattern.value for t in load_tables().terminals if t.pattern.type == "str" and t.pattern.value.isalpha()}
    assert words == RESERVED_WORDS


def test_the_declaration_words_are_those_of_the_grammar() -> None:
    in_grammar = {t.name.lower() for t in load_tables().terminals if t.pattern.value.startswith("(?<!")}
    assert in_grammar | {"state", "window"} == set(DECLARATION_WORDS)


@pytest.mark.parametrize("name", SAMPLES)
def test_good_samples_have_no_faults(name: str) -> None:
    read(SAMPLES[name])


# ---- names, labels, words -------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", sorted(RESERVED_WORDS | set(DECLARATION_WORDS)))
def test_labels_and_fields_may_be_reserved_words(word: str) -> None:
    statements = steps(f"{word}_: x", f"y: z := a.{word}", f"{word} : b(1)")
    clause = statements[2]
    assert isinstance(clause, s.Clause)
    assert clause.label == word


@pytest.mark.parametrize("word", sorted(set(DECLARATION_WORDS) - RESERVED_WORDS))
def test_declaration_words_are_free_as_names(word: str) -> None:
    assert plain(value(f"{word} + 1")) == ("Binary", "+", ("Name", word, None, False), ("Integer", 1))


@pytest.mark.parametrize("word", sorted(RESERVED_WORDS))
def test_every_reserved_word_is_reported_as_a_name(word: str) -> None:
    (diagnostic,) = parse(f"game g\naction {word}\n  x: y\n", "sample.ludex").diagnostics
    assert (diagnostic.code.code, diagnostic.span.line, diagnostic.span.column) == ("S102", 2, 8)
    assert diagnostic.message == f"`{word}` is a word of the language and cannot be a name"


# ---- expressions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "bracketed"),
    [
        ("a or b and c", "a or (b and c)"),
        ("a and b or c", "(a and b) or c"),
        ("a implies b implies c", "a implies (b implies c)"),
        ("a or b implies c", "(a or b) implies c"),
        ("not a and b", "(not a) and b"),
        ("not a = b", "not (a = b)"),
        ("a - b - c", "(a - b) - c"),
        ("a + b * c", "a + (b * c)"),
        ("a div b mod c", "(a div b) mod c"),
        ("-a * b", "(-a) * b"),
        ("a + 1 = b", "(a + 1) = b"),
        ("a + b in c", "(a + b) in c"),
        ("a..b + c", "a..(b + c)"),
        ("n - 2..2 * n", "(n - 2)..(2 * n)"),
        ("a in b - 1..b", "a in ((b - 1)..b)"),
        ("-1..1", "(-1)..1"),
        ("a or some x in S has b or c", "a or (some x in S has (b or c))"),
        ("if a then b else c or d", "if a then b else (c or d)"),
        ("a and not some x in S has b", "a and (not (some x in S has b))"),
        ("hand(me).size is empty", "(hand(me).size) is empty"),
    ],
)
def test_operators_bind_by_precedence(written: str, bracketed: str) -> None:
    assert plain(value(written)) == plain(value(bracketed))


def test_arguments_are_given_by_position_or_by_name() -> None:
    assert plain(value("token(p, card: x)")) == (
        "Name", "token",
        (("Argument", None, ("Name", "p", None, False)), ("Argument", "card", ("Name", "x", None, False))),
        False,
    )  # fmt: skip
    assert plain(value("my hand")) == ("Name", "hand", None, True)
    assert plain(value("Means?")) == ("TypeName", "Means", None, True)
    assert plain(value("Cell(1)")) == ("TypeName", "Cell", (("Argument", None, ("Integer", 1)),), False)
    assert plain(value("{}")) == ("SetLiteral", ())


def test_spaces_within_an_operator_do_not_matter() -> None:
    assert plain(value("a  not   in  b")) == (
        "Binary",
        "not in",
        ("Name", "a", None, False),
        ("Name", "b", None, False),
    )
    assert plain(value("a is   not  empty")) == ("IsEmpty", ("Name", "a", None, False), True)


def test_bounds_of_a_range_are_expressions() -> None:
    declaration = declared("type Level = -2..(size - 1)")
    assert isinstance(declaration, s.TypeDeclaration)
    assert plain(declaration.body) == (
        "RangeType", ("Integer", -2), ("Binary", "-", ("Name", "size", None, False), ("Integer", 1)),
    )  # fmt: skip
    bare = declared("type Level = -2..size - 1")
    assert isinstance(bare, s.TypeDeclaration)
    assert plain(bare.body) == plain(declaration.body)
    option = declared("option size: low..8 = 8")
    assert isinstance(option, s.OptionDeclaration)
    assert plain(option.type) == ("RangeType", ("Name", "low", None, False), ("Integer", 8))


def test_escapes_in_texts_are_replaced() -> None:
    header = read('game g\n  title: en "a \\"b\\" \\\\ c"\n').header
    assert header is not None
    assert header.entries[0].values[0].text == 'a "b" \\ c'


def test_if_else_if_is_nested_to_the_right() -> None:
    (statement,) = steps("if a", "  x", "else if b then y", "else", "  z")
    assert isinstance(statement, s.If)
    inner = statement.otherwise
    assert isinstance(inner, s.If)
    assert isinstance(inner.then, s.Call)
    assert isinstance(inner.otherwise, s.Block)


def test_arms_have_patterns_of_each_kind() -> None:
    (statement,) = steps("match x", "  gain(a, b), -1, 2..5, none => y", "  otherwise => z")
    assert isinstance(statement, s.Match)
    assert [plain(pattern) for arm in statement.arms for pattern in arm.patterns] == [
        ("Pattern", "name", "gain", ("a", "b"), None, None),
        ("Pattern", "number", None, (), -1, -1),
        ("Pattern", "number", None, (), 2, 5),
        ("Pattern", "name", "none", (), None, None),
        ("Pattern", "otherwise", None, (), None, None),
    ]


def test_exceptions_belong_to_the_clause_above() -> None:
    require, clause = steps(
        "require r: a",
        "  except waived: when b",
        "  except other: c when d",
        "x: y",
        "  except never: when e",
        "  except z: z(1) when f",
    )
    assert isinstance(require, s.Require)
    assert [(e.label, e.value is None) for e in require.body.exceptions] == [("waived", True), ("other", False)]
    assert isinstance(clause, s.Clause)
    assert [(e.label, e.statement is None) for e in clause.exceptions] == [("never", True), ("z", False)]


def test_an_action_may_be_a_bare_signature() -> None:
    declaration = declared("action a(x: T) during w(y: U) [en 5]")
    assert isinstance(declaration, s.ActionDeclaration)
    assert declaration.body.statements == ()
    assert (declaration.during, len(declaration.during_parameters)) == ("w", 1)
    assert bool(declaration.authority)


def test_examples_have_checks_of_each_kind() -> None:
    declaration = declared(
        "example e\n  after ann a.b.c(x: 1)\n  after chance {red}\n  refuse ann x because f.2,3 [en 1]\n"
        "  refuse chance y because a.b.c"
    )
    assert isinstance(declaration, s.ExampleDeclaration)
    after, chance, refuse, other = declaration.checks
    assert isinstance(after, s.After)
    assert after.move.action == "a.b.c"
    assert isinstance(chance, s.AfterChance)
    assert isinstance(refuse, s.Refuse)
    assert refuse.because == "f.2,3"
    assert isinstance(other, s.Refuse)
    assert (other.player, other.because) == ("chance", "a.b.c")


# ---- authority ------------------------------------------------------------------------------------------------


def test_an_authority_mixes_citations_and_reasons() -> None:
    (clause,) = steps('x: y [ru 113, 120-124] ruling "so" [en.aid 7 - 9] convention "usual"')
    assert isinstance(clause, s.Clause)
    assert plain(clause.authority) == (
        "Authority",
        (("Citation", "ru", ((113, 113), (120, 124))), ("Citation", "en.aid", ((7, 9),))),
        (("Reason", "ruling", "so"), ("Reason", "convention", "usual")),
    )


def test_the_authority_of_a_header_line_belongs_to_its_clauses() -> None:
    first, second, third = steps(
        "x: if c [en 1]",
        "  y",
        "z: repeat [en 2]",
        "  y",
        "until d [en 3]",
        "w: match e [en 4]",
        "  1 => as p [en 5]",
        "    y",
    )
    assert isinstance(first, s.Clause)
    assert first.authority.citations[0].lines == ((1, 1),)
    assert isinstance(second, s.Clause)
    assert second.authority.citations[0].lines == ((2, 2),)
    assert isinstance(second.body, s.RepeatUntil)
    assert second.body.authority.citations[0].lines == ((3, 3),)
    assert isinstance(third, s.Clause)
    assert third.authority.citations[0].lines == ((4, 4),)
    assert isinstance(third.body, s.Match)
    assert third.body.arms[0].authority.citations[0].lines == ((5, 5),)


def test_a_value_block_takes_the_authority_of_its_first_and_its_last_line() -> None:
    declaration = declared("define f = [en 1]\n  let a = 1\n  a + 1 [en 2]")
    assert isinstance(declaration, s.ValueDeclaration)
    assert [citation.lines[0][0] for citation in declaration.authority.citations] == [1, 2]


def test_no_authority_is_written_at_the_end_of_its_line() -> None:
    (clause,) = steps("x: y  # said nowhere")
    assert isinstance(clause, s.Clause)
    assert not clause.authority
    assert clause.authority.span == Span("sample.ludex", 3, 7, 3, 7)


# ---- places ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLES)
def test_spans_contain_their_parts_and_begin_and_end_with_words(name: str) -> None:
    text = SAMPLES[name]
    for node in nodes_in(read(text)):
        shown = cut(text, node.span)
        assert shown == shown.strip(), f"{type(node).__name__} at {node.span}: {shown!r}"
        if not isinstance(node, s.Authority | s.Block):
            assert shown, f"{type(node).__name__} at {node.span} covers nothing"
        for part in child_nodes(node):
            inner = (part.span.line, part.span.column), (part.span.end_line, part.span.end_column)
            outer = (node.span.line, node.span.column), (node.span.end_line, node.span.end_column)
            assert outer[0] <= inner[0], f"{type(part).__name__} begins before {type(node).__name__}: {shown}"
            assert inner[1] <= outer[1], f"{type(part).__name__} ends after {type(node).__name__}: {shown}"


@pytest.mark.parametrize("name", SAMPLES)
def test_the_text_at_a_span_is_the_node(name: str) -> None:
    """Cut out and parsed again, the text of an expression is an equal expression."""
    text = SAMPLES[name]
    kinds = (s.Name, s.Binary, s.Aggregate, s.Conditional, s.Quantified, s.Dot, s.Count, s.Pick, s.TypeName, s.IsEmpty)
    for node in nodes_in(read(text)):
        if isinstance(node, kinds):
            assert plain(value(f"({cut(text, node.span)})")) == plain(node), cut(text, node.span)


def spans_of(text: str, kind: type[Node]) -> list[str]:
    module = read(text)
    return [cut(text, node.span) for node in nodes_in(module) if isinstance(node, kind)]


def test_spans_begin_and_end_with_their_words() -> None:
    text = "game g\naction a\n  x: if (a + b) * c then y [en 1]\n  z: w\n    except q: when r [en 2]\n"
    assert spans_of(text, s.Clause) == ["x: if (a + b) * c then y [en 1]", "z: w\n    except q: when r [en 2]"]
    assert spans_of(text, s.If) == ["if (a + b) * c then y"]
    assert spans_of(text, s.Binary) == ["(a + b) * c", "a + b"]
    assert spans_of(text, s.Authority)[1] == "[en 1]"
    assert spans_of(text, s.Block) == [text[18:].rstrip()]
    (declaration,) = read(text).declarations
    assert declaration.span == Span("sample.ludex", 2, 1, 5, 28)


def test_columns_are_right_after_wide_characters_and_carriage_returns() -> None:
    module = read('game g\r\n  title: ru "Гавань", en "x"\r\nfact y = 12\r\n')
    assert module.header is not None
    assert module.header.entries[0].values[1].span == Span("sample.ludex", 2, 23, 2, 29)
    assert module.declarations[0].span == Span("sample.ludex", 3, 1, 3, 12)


# ---- layout ---------------------------------------------------------------------------------------------------


def test_comments_are_kept_with_their_places() -> None:
    text = "# one\ngame g # two\n\n  # three\naction a\n  x: f( # four\n    1)\n\n  # five\n# six"
    comments = read(text).comments
    assert [(c.text, c.alone, c.span.line, c.span.column) for c in comments] == [
        ("# one", True, 1, 1),
        ("# two", False, 2, 8),
        ("# three", True, 4, 3),
        ("# four", False, 6, 9),
        ("# five", True, 9, 3),
        ("# six", True, 10, 1),
    ]
    assert [cut(text, c.span) for c in comments] == [c.text for c in comments]


def test_a_hash_in_a_text_begins_no_comment() -> None:
    assert read('game g\n  title: en "a # b"\n').comments == ()


@pytest.mark.parametrize("begin", ["and b", "or b", "implies b", "+ b", "* b"])
def test_a_line_that_begins_with_an_operator_continues(begin: str) -> None:
    for indent in ("", "  ", "        "):
        assert plain(value(f"a\n{indent}{begin}")) == plain(value(f"a {begin}"))


def test_comments_and_empty_lines_may_be_between_continued_lines() -> None:
    assert plain(value("a\n\n# why\n  and b")) == plain(value("a and b"))


def test_brackets_join_lines() -> None:
    assert plain(value("max(\n1,\n      2\n)")) == plain(value("max(1, 2)"))


def test_indentation_may_be_of_any_width() -> None:
    one = read("game g\naction a\n if c\n  x\n y: z\n")
    many = read("game g\naction a\n        if c\n            x\n        y: z\n")
    assert plain(one) == plain(many)


def test_the_last_line_needs_no_line_end() -> None:
    assert plain(read("game g\nfact x = 1")) == plain(read("game g\nfact x = 1\n"))


def test_line_ends_of_both_kinds_mean_the_same() -> None:
    for text in SAMPLES.values():
        assert plain(read(text.replace("\n", "\r\n"))) == plain(read(text))


def test_the_module_spans_all_words() -> None:
    assert read("\n# c\ngame g\nfact x = 1\n\n").span == Span("sample.ludex", 2, 1, 4, 11)


@pytest.mark.parametrize(
    "written",
    [
        "fact x = if a then 1\n  else 2\n",
        "fact x =\n  if a then 1\n  else 2\n",
        "fact x =\n  if a\n    then 1\n    else 2\n",
        "score x: if a\n  then 1\n  else 2\n",
        "fact x = if a then 1\nelse 2\n",
    ],
)
def test_the_else_of_a_value_may_begin_a_line(written: str) -> None:
    parsed = parse("game g\n" + written, "sample.ludex")
    assert parsed.diagnostics == ()
    assert format_module(parsed.module).endswith(plain_of(written))


def plain_of(written: str) -> str:
    return " ".join(written.split()) + "\n"


def test_an_else_belongs_to_the_step_if_one_has_its_indentation() -> None:
    (step,) = steps("if a then z := 1", "else z := 2")
    (outer,) = steps("if a", "  z := 1", "else", "  z := 2")
    for each in (step, outer):
        assert isinstance(each, s.If)
        assert each.otherwise is not None


@pytest.mark.parametrize("column", ["", "  ", "    ", "      "])
def test_the_else_of_a_value_in_a_step_may_have_any_other_indentation(column: str) -> None:
    """The indentation may be none: without an `if` statement at it, the `else` can only belong to the value."""
    parsed = parse(f"game g\naction q\n  z := if a then 1\n{column}else 2\n", "sample.ludex")
    assert parsed.diagnostics == ()
    assert format_module(parsed.module).endswith("  z := if a then 1 else 2\n")


@pytest.mark.parametrize("column", [4, 8])
def test_the_else_of_a_value_in_a_branch_does_not_end_the_branch(column: int) -> None:
    (step,) = steps("if c", "  z := if a then 1", f"{' ' * (column - 2)}else 2", "else", "  z := 3")
    assert isinstance(step, s.If)
    assert step.otherwise is not None


@pytest.mark.parametrize("arms", [("else z",), ("else if d then z", "else w")])
@pytest.mark.parametrize("head", ["", "go: ", "red => ", "gain(x), 1..2 => "])
def test_the_else_of_a_step_may_be_indented_deeper(arms: tuple[str, ...], head: str) -> None:
    """Such an `else` means the same as one with the indentation of its `if`, also in an arm of a `match`."""
    around, margin = (("match k",), "  ") if "=>" in head else ((), "")
    level = steps(*around, f"{margin}{head}if c then y", *(margin + arm for arm in arms))
    deeper = steps(*around, f"{margin}{head}if c then y", *(f"{margin}  {arm}" for arm in arms))
    assert [plain(each) for each in deeper] == [plain(each) for each in level]
    assert len(deeper) == 1


def test_the_else_of_a_value_in_an_arm_continues_its_line() -> None:
    parsed = parse("game g\ndefine f(k: K) =\n  match k\n    red => if c then 1\n    else 2\n", "sample.ludex")
    assert parsed.diagnostics == ()


def test_the_else_of_a_value_in_a_block_continues_its_line() -> None:
    """In a requirement `if` is a value, not a statement."""
    on_one_line = steps("require fine:", "  if c then y else z")
    assert [plain(each) for each in steps("require fine:", "  if c then y", "    else z")] == [
        plain(each) for each in on_one_line
    ]


def test_a_tree_can_be_mapped() -> None:
    """Every node is visited once, children before parents, and unchanged nodes stay equal."""
    text = (Path(__file__).parent / "layout" / "every_construct.ludex").read_text(encoding="utf-8")
    module = parse(text, "a.ludex").module
    met: list[Node] = []

    def seen(node: Node) -> Node:
        met.append(node)
        return node

    assert mapped(module, seen) == module
    assert len(met) == sum(1 for _ in nodes_in(module)) > 500
    assert met[-1] == module
    moved = mapped(module, lambda node: replace(node, span=module.span))
    assert {node.span for node in nodes_in(moved)} == {module.span}


@pytest.mark.parametrize("sigla", ["b", "b, c"])
def test_an_else_below_a_variant_belongs_to_its_if(sigla: str) -> None:
    text = (
        'game g\n  document: a "a", b "b", c "c"\n\naction go\n  count: n := 0 [a 1]\n'
        f"    variant {sigla}: if me = me then n := 1 [b 1]\n    else n := 2\n  next: n := 0\n"
    )
    module = read(text)
    (variant,) = [node for node in nodes_in(module) if isinstance(node, s.Variant)]
    assert isinstance(variant.body, s.If)
    assert variant.body.otherwise is not None
    again = read(format_module(module))
    assert format_module(again) == format_module(module)
    assert same_meaning(again.declarations[0], module.declarations[0])


def test_names_in_cached_trees_have_spans() -> None:
    """Names are strings with a span, which a cached tree restores; spans have no part in comparison."""
    from ludex.grammar.parser.kept_trees import _packed, _unpacked

    read = parse("game g\n  players: 2\n\nstate token(Player): 0..9 = 0\ndefine rich(p: Player) = my  token > 0\n", "g")
    kept = _unpacked(_packed(read)).module
    for module in (read.module, kept):
        (used,) = [node for node in nodes_in(module.declarations) if isinstance(node, s.Name) and node.my]
        assert (used.name, used.name.span) == ("token", Span("g", 5, 30, 5, 35))
    assert parse("\n" + "game g\n  players: 2\n", "h").module == parse("game g\n  players: 2\n", "g").module
