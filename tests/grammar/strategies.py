"""Hypothesis strategies for syntax trees: they generate every tree that a text can express, and no other.

All nodes have the same span (`HERE`). `modules()` draws files; `expressions()`, `types()`, `steps()`, `statements()`,
`declarations()` draw parts of them.
"""

from __future__ import annotations

from functools import cache
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ludex.grammar import Span
from ludex.grammar import syntax as s

T = TypeVar("T")

HERE = Span("drawn.ludex", 1, 1, 1, 1)

NAMES = (
    "me", "token", "hand", "card", "p", "q2", "stack", "row_size", "of_kind", "gain", "_spare",
    # Words that are keywords in other places.
    "given", "after", "allow", "refuse", "because", "expect", "default", "highest", "share",
    "game", "type", "zone", "fact", "play", "score", "example", "note", "option",
)  # fmt: skip
"""Words allowed wherever a name is."""
VALUE_NAMES = (*NAMES, "count", "first", "top", "max", "list", "times", "ruling", "convention", "open", "hidden")
"""Names that are keywords before a bracket or a text, or after a comma."""
LABELS = (*VALUE_NAMES, "move", "end", "if", "otherwise", "each", "require", "all", "up")
"""A clause's label is never reserved."""
TYPE_NAMES = ("Cell", "T", "Player", "Bool", "R2")

here = st.just(HERE)
names = st.sampled_from(NAMES)
labels = st.sampled_from(LABELS)
type_names = st.sampled_from(TYPE_NAMES)
naturals = st.one_of(st.integers(0, 12), st.just(999_999_999))
texts = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=12) | st.sampled_from(
    ['a "word"', "back\\slash", '\\"', "# no comment", "[ru 12]", "Бореаль", "בורה"]
)


def some(items: SearchStrategy[T], least: int = 1, most: int = 3) -> SearchStrategy[tuple[T, ...]]:
    return st.lists(items, min_size=least, max_size=most).map(tuple)


def maybe(items: SearchStrategy[T]) -> SearchStrategy[T | None]:
    return st.none() | items


# ---- authority ------------------------------------------------------------------------------------------------

_cited = st.tuples(st.integers(1, 999), st.integers(0, 9)).map(lambda pair: (pair[0], sum(pair)))
citations = st.builds(s.Citation, here, st.sampled_from(["ru", "en", "ru.margin", "book_2"]), some(_cited))
reasons = st.builds(s.Reason, here, st.sampled_from(["ruling", "convention"]), texts)
_nothing = st.builds(s.Authority, here)
authorities = st.builds(s.Authority, here, some(citations, 0, 2), some(reasons, 0, 2)) | st.builds(s.Authority, here)


# ---- expressions ----------------------------------------------------------------------------------------------


def arguments(inner: SearchStrategy[s.Expression]) -> SearchStrategy[tuple[s.Argument, ...] | None]:
    return maybe(some(st.builds(s.Argument, here, maybe(labels), inner)))


def generators(inner: SearchStrategy[s.Expression]) -> SearchStrategy[s.Generator]:
    return st.builds(s.Generator, here, names, inner, st.booleans())


_leaves: SearchStrategy[s.Expression] = st.one_of(
    st.builds(s.Name, here, st.sampled_from(VALUE_NAMES), my=st.booleans()),
    st.builds(s.Integer, here, naturals),
    st.builds(s.Boolean, here, st.booleans()),
    st.builds(s.NoneLiteral, here),
    st.builds(s.TypeName, here, type_names, optional=st.booleans()),
    st.builds(s.Can, here, names),
    st.builds(s.SetLiteral, here, st.just(())),
)
_operators = st.sampled_from(
    ["+", "-", "*", "div", "mod", "=", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or", "implies"]
)


def _larger(inner: SearchStrategy[s.Expression]) -> SearchStrategy[s.Expression]:
    binary = st.builds(s.Binary, here, _operators, inner, inner)
    where = maybe(inner)
    return st.one_of(
        binary,
        binary,  # most mistakes with brackets
        st.builds(s.Not, here, inner),
        st.builds(s.Negate, here, inner),
        st.builds(s.Name, here, names, arguments(inner), st.booleans()),
        st.builds(s.Conditional, here, inner, inner, inner),
        st.builds(
            s.Quantified, here, st.sampled_from(["some", "every", "no"]), some(generators(inner), 1, 2), where, inner
        ),
        st.builds(s.TypeName, here, type_names, arguments(inner)),
        st.builds(s.Can, here, names, arguments(inner)),
        st.builds(s.SetLiteral, here, some(inner)),
        st.builds(s.Interval, here, inner, inner),
        st.builds(s.Dot, here, inner, labels),
        st.builds(s.IsEmpty, here, inner, st.booleans()),
        st.builds(s.Count, here, some(generators(inner), 1, 2), where),
        st.builds(
            s.Aggregate,
            here,
            st.sampled_from(["sum", "max", "min", "set", "bag", "list"]),
            inner,
            some(generators(inner), 1, 2),
            where,
            maybe(inner),
        ),
        st.builds(s.Extremum, here, st.sampled_from(["max", "min"]), some(inner, 2, 3)),
        st.builds(s.Pick, here, st.sampled_from(["the", "first"]), generators(inner), where, maybe(inner)),
        st.builds(s.Top, here, inner),
    )


@cache
def expressions(leaves: int = 5) -> SearchStrategy[s.Expression]:
    return st.recursive(_leaves, _larger, max_leaves=leaves)


# ---- types ----------------------------------------------------------------------------------------------------

_bounds: SearchStrategy[s.Expression] = st.one_of(
    st.builds(s.Integer, here, st.integers(-9, 99)), st.builds(s.Name, here, names), expressions(3)
)
_named = st.builds(s.NamedType, here, type_names)
_ranges = st.builds(s.RangeType, here, _bounds, _bounds)
_capital: SearchStrategy[s.TypeExpression] = st.one_of(
    _named,
    st.builds(s.OptionalType, here, _named),
    st.builds(s.RangeType, here, st.builds(s.Integer, here, st.integers(-9, 9)), _bounds),
)
"""Types that `one` may precede."""


_kinds = st.sampled_from(["set", "bag", "list"])


@cache
def held_types() -> SearchStrategy[s.TypeExpression]:
    """Types inside a collection: only the outermost has a capacity."""
    flat: SearchStrategy[s.TypeExpression] = _capital | _ranges
    return st.recursive(flat, lambda inner: st.builds(s.CollectionType, here, _kinds, inner, st.none()), max_leaves=2)


@cache
def types() -> SearchStrategy[s.TypeExpression]:
    return held_types() | st.builds(s.CollectionType, here, _kinds, held_types(), maybe(_bounds))


@cache
def parameters(least: int = 0) -> SearchStrategy[tuple[s.Parameter, ...]]:
    return some(st.builds(s.Parameter, here, names, types()), least, 2)


# ---- values ---------------------------------------------------------------------------------------------------

_number_patterns = st.tuples(st.integers(-9, 99), st.integers(0, 9)).map(
    lambda pair: s.Pattern(HERE, "number", low=pair[0], high=sum(pair))
)
patterns = some(
    st.one_of(
        st.builds(s.Pattern, here, st.just("name"), names, some(names, 0, 2)),
        st.builds(s.Pattern, here, st.just("name"), st.sampled_from(["true", "false", "none"])),
        _number_patterns,
        st.builds(s.Pattern, here, st.just("otherwise")),
    ),
    1,
    2,
)
_lets = st.builds(s.Let, here, names, expressions())


_sigla = some(st.sampled_from(["ru", "en", "order", "silent"]), 1, 2)
_marks: SearchStrategy[s.Entry] = st.builds(s.Omission, here, _sigla, authorities) | st.builds(
    s.Ruled, here, _sigla, texts, authorities
)
_orders = st.builds(s.Order, here, _sigla, some(names), authorities)


def variants(body: SearchStrategy[s.VariantBody]) -> SearchStrategy[s.Variant]:
    return st.builds(s.Variant, here, _sigla, body, authorities)


def apparatus(*variant: SearchStrategy[s.Variant] | SearchStrategy[s.Order]) -> SearchStrategy[tuple[s.Entry, ...]]:
    """Readings of other texts; seldom any, since most clauses have none."""
    return st.just(()) | st.just(()) | some(st.one_of(_marks, *variant), 0, 2)


@cache
def values(depth: int = 2, exceptions: bool = True) -> SearchStrategy[s.ValueBody]:
    last: SearchStrategy[s.Expression | s.ValueMatch] = expressions(8)
    if depth:
        arm = st.builds(s.ValueArm, here, patterns, values(depth - 1, exceptions=False), authorities)
        last = last | st.builds(s.ValueMatch, here, expressions(), some(arm))
    other = st.builds(s.ValueException, here, st.just(""), maybe(expressions()), expressions(), _nothing)
    bent = st.builds(
        s.ValueException, here, labels, maybe(expressions()), expressions(), authorities, apparatus(variants(other))
    )
    plain = st.builds(s.ValueBody, here, some(_lets, 0, 1), last, st.just(()))
    below = apparatus(variants(plain))
    return st.builds(s.ValueBody, here, some(_lets, 0, 1), last, some(bent, 0, 2 if exceptions else 0), below)


# ---- statements -----------------------------------------------------------------------------------------------

_places = st.builds(s.Place, here, names, arguments(expressions(3)), st.booleans())
_targets = st.builds(s.Target, here, _places, st.sampled_from([None, "top", "bottom"]))
_calls = st.builds(s.Call, here, names, arguments(expressions()))


@cache
def steps() -> SearchStrategy[s.Statement]:
    """Statements on one line."""
    value, generator = expressions(), generators(expressions(3))
    plain: SearchStrategy[s.Statement] = st.one_of(
        _calls,
        st.builds(s.Assign, here, st.just(":="), _places, value, st.none()),
        st.builds(s.Assign, here, st.sampled_from(["+=", "-="]), _places, value, maybe(value)),
        st.builds(s.LocalState, here, names, types(), value),
        st.builds(s.Fill, here, _places, value),
        st.builds(s.Shuffle, here, _places),
        st.builds(s.Draw, here, value, _places, _targets),
        st.builds(s.Move, here, value, maybe(_places), _targets),
        st.builds(s.Move, here, st.none(), _places, _targets),
        st.builds(s.Put, here, value, _targets),
        st.builds(s.Remove, here, value, _places),
        st.builds(s.Swap, here, _places, _places),
        st.builds(s.ChooseValue, here, some(generator), maybe(value)),
        st.builds(s.ChooseAction, here, some(_calls)),
        st.builds(s.Random, here, generator, maybe(value)),
        st.builds(s.OpenWindow, here, names, arguments(value)),
        st.builds(s.EndGame, here),
        st.builds(s.Nothing, here),
    )
    return st.recursive(
        plain, lambda inner: st.builds(s.May, here, inner) | st.builds(s.RepeatMay, here, inner), max_leaves=2
    )


@cache
def blocks(depth: int, least: int = 1) -> SearchStrategy[s.Block]:
    return st.builds(s.Block, here, some(statements(depth), least, 2))


@cache
def statements(depth: int = 2) -> SearchStrategy[s.Statement]:
    """Statements of a block."""
    result: SearchStrategy[s.Statement] = st.one_of(
        clauses(depth), steps(), st.builds(s.Require, here, labels, values(1), authorities), _lets
    )
    return result | compounds(depth - 1) if depth else result


@cache
def clauses(depth: int) -> SearchStrategy[s.Clause]:
    """An exception is below a one-line statement, or at the end of the clause's block; a nested block has no place for
    it.
    """
    other = st.builds(s.StepException, here, st.just(""), maybe(steps()), expressions(), _nothing)
    exception = st.builds(
        s.StepException, here, labels, maybe(steps()), expressions(), authorities, apparatus(variants(other))
    )
    bent: SearchStrategy[s.Statement] = steps()
    whole: SearchStrategy[s.Statement] = st.nothing()
    if depth:
        one_line_if = st.builds(s.If, here, expressions(), steps(), st.none())
        bent = st.one_of(bent, one_line_if, blocks(depth - 1))
        whole = compounds(depth - 1)
    below = apparatus(variants(bent), _orders)
    return st.builds(s.Clause, here, labels, bent, some(exception, 0, 2), authorities, below) | st.builds(
        s.Clause, here, labels, whole, st.just(()), authorities
    )


@cache
def compounds(depth: int) -> SearchStrategy[s.Statement]:
    """Statements with a block."""
    value, block = expressions(), blocks(depth)
    generator = some(generators(expressions(3)), 1, 2)
    branches: SearchStrategy[s.Statement] = st.builds(s.ChooseBranch, here, some(clauses(depth), 1, 2))
    arm_body = steps() | block | compounds(depth - 1) if depth else steps() | block
    arms = st.builds(s.StepArm, here, patterns, arm_body, authorities) | st.builds(
        s.StepArm, here, patterns, steps() | block, authorities, apparatus(variants(steps()), _orders)
    )
    return st.one_of(
        conditionals(depth),
        branches,
        st.builds(s.Match, here, value, some(arms, 1, 2)),
        st.builds(s.Drawing, here, _places, some(st.builds(s.DrawnRow, here, texts), 1, 3)),
        st.builds(s.Each, here, generator, maybe(value), block),
        st.builds(s.EachPlayer, here, value, block),
        st.builds(s.AllPlayers, here, block),
        st.builds(s.As, here, value, block),
        st.builds(s.RepeatTimes, here, value, block),
        st.builds(s.RepeatUntil, here, block, value, authorities),
        st.builds(s.RepeatUntil, here, block, st.none(), st.builds(s.Authority, here)),
        st.builds(s.May, here, block | branches),
        st.builds(s.RepeatMay, here, block | branches),
    )


@cache
def conditionals(depth: int, more: int = 1) -> SearchStrategy[s.If]:
    otherwise: SearchStrategy[s.Statement | None] = st.one_of(st.none(), blocks(depth), steps())
    if more:
        otherwise = otherwise | conditionals(depth, more - 1)
    return st.builds(s.If, here, expressions(), blocks(depth) | steps(), otherwise)


# ---- entries of headers ---------------------------------------------------------------------------------------

_tags = st.sampled_from(["ru", "en", "ru.margin"])
_spans = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(
    lambda pair: s.HeaderValue(HERE, low=pair[0], high=sum(pair))
)
_header_values = st.one_of(
    st.builds(s.HeaderValue, here, _tags, texts),
    st.builds(s.HeaderValue, here, st.none(), texts),
    st.builds(s.HeaderValue, here, _tags),
    _spans,
    st.builds(lambda tag, span: s.HeaderValue(HERE, tag, None, span.low, span.high), names, _spans),
)
_entries = some(st.builds(s.HeaderEntry, here, labels, some(_header_values)), 0, 2)


# ---- declarations ---------------------------------------------------------------------------------------------

_type_words = st.builds(s.TypeWord, here, names, parameters())
_type_bodies: SearchStrategy[s.WordsBody | s.RecordBody | s.RangeType] = st.one_of(
    st.builds(s.WordsBody, here, some(_type_words, 1, 8)),
    st.builds(s.RecordBody, here, parameters(1), maybe(expressions())),
    _ranges,
)
_visibilities = st.sampled_from([None, "open", "private", "hidden"])
_other_criteria = st.builds(
    s.Criterion, here, st.just(""), st.sampled_from(["highest", "lowest"]), expressions(), _nothing
) | st.builds(s.Criterion, here, st.just(""), st.just("share"), st.none(), _nothing)
_other_winners = apparatus(variants(_other_criteria))
_criteria = st.builds(
    s.Criterion, here, labels, st.sampled_from(["highest", "lowest"]), expressions(), authorities, _other_winners
) | st.builds(s.Criterion, here, labels, st.just("share"), st.none(), authorities, _other_winners)
_other_notes = st.builds(s.NoteDeclaration, here, st.just(""), expressions(), st.none(), _nothing) | st.builds(
    s.NoteDeclaration, here, st.just(""), st.none(), texts, _nothing
)
_moves = st.builds(s.Call, here, st.sampled_from(["study", "act.pier", "resolve.swap.a"]), arguments(expressions(3)))
_paths = st.sampled_from(["study.affordable", "points.1,2", "points.3..4", "act.2", "alone", "act.if"])
_players = st.sampled_from(["alyona", "chance", "me"])


@cache
def checks() -> SearchStrategy[s.Check]:
    """One line of an example."""
    return st.one_of(
        st.builds(s.Cast, here, some(names)),
        st.builds(s.Taken, here, names, expressions()),
        st.builds(s.Given, here, blocks(0)),
        st.builds(s.After, here, st.sampled_from(["alyona", "me"]), _moves),
        st.builds(s.AfterChance, here, expressions()),
        st.builds(s.Allow, here, _players, _moves, authorities),
        st.builds(s.Refuse, here, _players, _moves, _paths, authorities),
        st.builds(s.Expect, here, expressions(8), authorities),
    )


_things = st.builds(
    lambda head, between, last: ".".join([*head, *between, last]),
    some(type_names, 0, 1) | some(names, 0, 1), some(labels, 0, 2), labels,
) | type_names | st.sampled_from(["seat(1)", "seat(12)"])  # fmt: skip
_term_words = st.builds(s.TermWord, here, st.sampled_from(["en", "ru", "he", "no", "or", "as", "pt_br"]), texts)
_terms = st.builds(s.Term, here, _things, some(_term_words, 1, 5), authorities)


@cache
def declarations() -> SearchStrategy[s.Declaration]:
    indices = some(types(), 0, 2)
    columns = some(st.builds(s.Column, here, names, types(), authorities), 0, 2)
    ends, piles_and_bags = (_visibilities, authorities), st.sampled_from(["pile", "bag"])
    piles = st.builds(s.ZoneDeclaration, here, names, indices, piles_and_bags, held_types(), maybe(_bounds), *ends)
    singles = st.builds(s.ZoneDeclaration, here, names, indices, st.just("one"), _capital, st.none(), *ends)
    readings = some(st.builds(s.Reading, here, labels, texts, authorities))
    notes, blocked = apparatus(variants(_other_notes)), apparatus(_orders)
    return st.one_of(
        st.builds(s.TypeDeclaration, here, type_names, _type_bodies, authorities),
        st.builds(s.ComponentDeclaration, here, type_names, maybe(texts), columns, authorities),
        piles,
        singles,
        st.builds(s.StateDeclaration, here, names, indices, types(), maybe(expressions()), _visibilities, authorities),
        st.builds(s.OptionDeclaration, here, names, types(), expressions(), authorities),
        st.builds(s.WindowDeclaration, here, names, parameters(), authorities),
        st.builds(s.TextDeclaration, here, names, _entries, authorities),
        st.builds(s.RefillDeclaration, here, _places, _places, authorities, apparatus()),
        st.builds(
            s.ValueDeclaration,
            here,
            st.sampled_from(["fact", "define"]),
            names,
            parameters(),
            maybe(types()),
            maybe(expressions()),
            values(),
            authorities,
        ),
        st.builds(s.NoteDeclaration, here, names, expressions(), st.none(), authorities, notes),
        st.builds(s.NoteDeclaration, here, labels, st.none(), texts, authorities, notes),
        st.builds(s.SilentDeclaration, here, _paths, authorities),
        st.builds(
            s.ActionDeclaration, here, names, parameters(), st.none(), st.just(()), blocks(2, least=0), authorities
        ),
        st.builds(s.ActionDeclaration, here, names, parameters(), names, parameters(), blocks(1), authorities, blocked),
        st.builds(s.SetupDeclaration, here, blocks(2), authorities, blocked),
        st.builds(s.PlayDeclaration, here, blocks(2), authorities, blocked),
        st.builds(s.ScoreDeclaration, here, labels, values(), authorities),
        st.builds(s.InvariantDeclaration, here, labels, values(), authorities),
        st.builds(s.WinnerDeclaration, here, some(_criteria), authorities),
        st.builds(s.ForkDeclaration, here, names, readings, names, texts, authorities),
        st.builds(s.TermsDeclaration, here, some(_terms, 1, 4), st.builds(s.Authority, here)),
        st.builds(s.ExampleDeclaration, here, names, some(checks()), authorities),
    )


# ---- files ----------------------------------------------------------------------------------------------------

headers = st.one_of(
    st.builds(s.Header, here, st.just("game"), names, st.none(), _entries, authorities),
    st.builds(s.Header, here, st.just("part"), names, names, _entries, authorities),
    st.builds(s.Header, here, st.just("edition"), _tags, names, _entries, authorities),
)


@cache
def modules(most: int = 3) -> SearchStrategy[s.Module]:
    """Files without comments."""
    return st.builds(s.Module, here, headers, some(declarations(), 0, most), st.just(()))
