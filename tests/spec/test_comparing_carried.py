"""A condition that one edition writes in a define and another where the define is used makes no difference."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.grammar import parse
from ludex.grammar import syntax as s
from ludex.spec.comparing import Comparison, Row, compare

GAME = """
game made
  players: 2..3
  editions: en, ru, he

type Site = 1..3

state points(Player): 0..99 = 0
state huts(Player): 0..9 = 0
state place(Player): 1..6 = 1
"""
HAS_HUT = "huts(me) > 0"


def module(text: str, name: str = "") -> s.Module:
    parsed = parse(f"edition {name} of made\n\n{text}\n" if name else text, f"{name}.ludex")
    assert not parsed.diagnostics, (text, parsed.diagnostics)
    return parsed.module


def compared(game: str = GAME, **texts: str) -> Comparison:
    return compare({name: module(text, name) for name, text in texts.items()}, module(game))


def parted(comparison: Comparison) -> list[str]:
    return [each.row.clause for each in comparison.divergences]


def row(comparison: Comparison, clause: str) -> Row:
    return next(each for each in comparison.agreements if each.clause == clause)


def prize(first: str, second: str, rest: str = "") -> str:
    arms = [f"    1 => {first}  [x 1]", f"    2 => {second}  [x 2]", *([f"    otherwise => {rest}"] if rest else [])]
    return "define prize(p: Player): 0..12 =\n  match place(p)\n" + "\n".join(arms)


INSIDE = prize("if huts(p) > 0 then 12 else 0", "if huts(p) > 0 then 6 else 0")
OUTSIDE = prize("12", "6", "0")
AROUND = f"score far: if {HAS_HUT} then my prize else 0  [x 3]"
BARE = "score far: my prize  [x 3]"


def test_a_condition_in_each_arm_and_around_the_only_user() -> None:
    found = compared(en=f"{OUTSIDE}\n\n{AROUND}", ru=f"{INSIDE}\n\n{BARE}")
    assert parted(found) == []
    told = row(found, "score.far")
    assert [each.clause for each in told.together] == ["prize.1", "prize.2"]
    lines = [each.lines for each in told.citations("ru")]
    assert lines == [((3, 3),), ((1, 1),), ((2, 2),)], "the lines of all clauses are kept"
    assert not {"prize.1", "prize.2"} & {each.clause for each in found.agreements}


def test_another_condition_is_told() -> None:
    other = f"{OUTSIDE}\n\nscore far: if huts(me) > 1 then my prize else 0  [x 3]"
    assert parted(compared(en=other, ru=f"{INSIDE}\n\n{BARE}")) == ["prize.1", "prize.2", "score.far"]


def test_another_value_in_one_arm_is_told() -> None:
    other = prize("if huts(p) > 0 then 11 else 0", "if huts(p) > 0 then 6 else 0")
    assert "prize.1" in parted(compared(en=f"{OUTSIDE}\n\n{AROUND}", ru=f"{other}\n\n{BARE}"))


def test_a_condition_in_one_arm_only_is_told() -> None:
    other = prize("if huts(p) > 0 then 12 else 0", "6")
    assert parted(compared(en=f"{OUTSIDE}\n\n{AROUND}", ru=f"{other}\n\n{BARE}")) == ["prize.1", "score.far"]


USED_EVERYWHERE = """
define held(p: Player): 0..9 = huts(p)  [x 1]

setup
  lay: huts(seat(1)) := held(seat(2))  [x 2]

play
  turn: if held(seat(1)) > 0 then points(seat(1)) += 1  [x 3]

action go
  choose n in 1..(my held)
  require few: n < my held  [x 4]
  pay: huts(me) -= my held  [x 5]

winner
  most: highest total(me)  [x 6]
  fewer: lowest my held  [x 7]
"""


@pytest.mark.parametrize(
    ("clause", "old", "new"),
    [
        ("winner.fewer", "lowest my held", "highest my held"),
        ("setup.lay", "held(seat(2))", "held(seat(1))"),
        ("play.turn", "held(seat(1)) > 0", "held(seat(1)) > 1"),
        ("go.few", "n < my held", "n <= my held"),
        ("go.pay", "huts(me) -= my held", "huts(me) += my held"),
        ("go", "1..(my held)", "2..(my held)"),
        ("held", "= huts(p)", "= points(p)"),
    ],
)
def test_one_user_of_several_is_told(clause: str, old: str, new: str) -> None:
    """Wherever a define is used: nothing around it makes up for another user."""
    found = compared(en=USED_EVERYWHERE, ru=USED_EVERYWHERE.replace(old, new))
    assert parted(found) == [clause]


def test_another_user_is_told() -> None:
    """In it the condition stands in one text only."""
    more = "action look\n  gain: points(me) += my prize  [x 4]"
    found = compared(en=f"{OUTSIDE}\n\n{AROUND}\n\n{more}", ru=f"{INSIDE}\n\n{BARE}\n\n{more}")
    assert parted(found) == ["prize.1", "prize.2", "score.far"]


def test_two_users_with_the_condition() -> None:
    around = f"action look\n  gain: if {HAS_HUT} then points(me) += my prize  [x 4]"
    bare = "action look\n  gain: points(me) += my prize  [x 4]"
    found = compared(en=f"{OUTSIDE}\n\n{AROUND}\n\n{around}", ru=f"{INSIDE}\n\n{BARE}\n\n{bare}")
    assert parted(found) == []
    assert sorted(each.clause for each in row(found, "score.far").together) == ["look.gain", "prize.1", "prize.2"]


def test_a_rest_that_rests_on_nothing_counts_as_it_is_played() -> None:
    """It is taken over by the text that does not say it; so it is not the same if it depends on who has a hut."""
    en = f"{prize('12', '6', '3')}\n\n{AROUND}"
    assert parted(compared(en=en, ru=f"{INSIDE}\n\n{BARE}")) == ["prize.1", "prize.2", "score.far"]


def test_a_rest_that_rests_on_a_line_is_not_put_in() -> None:
    en = f"{prize('12', '6', '0  [x 5]')}\n\n{AROUND}"
    assert parted(compared(en=en, ru=f"{INSIDE}\n\n{BARE}")) == ["prize.1", "prize.2", "prize.otherwise", "score.far"]


def test_an_exception_in_the_define_and_a_condition_in_its_user() -> None:
    en = f"define worth(p: Player): 0..9 = 3 * huts(p)  [x 1]\n  except late: 0 when place(p) > 2  [x 2]\n\n{BARE}"
    ru = (
        "define worth(p: Player): 0..9 = 3 * huts(p)  [x 1]\n\nscore far: if place(me) <= 2 then my worth else 0  [x 3]"
    )
    found = compared(en=en.replace("prize", "worth"), ru=ru)
    assert parted(found) == []
    told = row(found, "score.far")
    assert [each.clause for each in told.together] == ["worth.late"]
    assert [each.lines for each in told.citations("en")] == [((3, 3),), ((2, 2),)]


def test_through_a_define_between_them() -> None:
    middle = "define gain(p: Player): 0..40 = 2 * prize(p) + 1  [x 6]"
    en = f"{OUTSIDE}\n\n{middle}\n\nscore far: if {HAS_HUT} then my gain else 1  [x 3]"
    ru = f"{INSIDE}\n\n{middle}\n\nscore far: my gain  [x 3]"
    assert parted(compared(en=en, ru=ru)) == []
    assert parted(compared(en=en.replace("else 1 ", "else 2 "), ru=ru)) == ["prize.1", "prize.2", "score.far"]


def test_in_a_sum_over_what_fits() -> None:
    of = "define worth(t: Site): 0..9 ="
    en = f"{of} 2 * t  [x 1]\n\nscore far: sum(worth(t) for t in Site where t > huts(me))  [x 3]"
    ru = f"{of} if t > huts(me) then 2 * t else 0  [x 1]\n\nscore far: sum(worth(t) for t in Site)  [x 3]"
    assert parted(compared(en=en, ru=ru)) == []
    assert parted(compared(en=en, ru=ru.replace("else 0", "else 1"))) == ["worth", "score.far"]


def test_a_requirement() -> None:
    of, go = "define open(t: Site): Bool = t > 1", "action go(t: Site)\n  require may: open(t)"
    en, ru = f"{of}  [x 1]\n\n{go} and huts(me) > 0  [x 3]", f"{of} and huts(me) > 0  [x 1]\n\n{go}  [x 3]"
    assert parted(compared(en=en, ru=ru)) == []
    assert parted(compared(en=en, ru=ru.replace("> 0", "> 1"))) == ["open", "go.may"]


def test_what_the_game_file_uses_is_no_matter_of_the_editions() -> None:
    game = f"{GAME}\ndefine most(p: Player): 0..99 = prize(p) + 1\n"
    found = compared(game, en=f"{OUTSIDE}\n\n{AROUND}", ru=f"{INSIDE}\n\n{BARE}")
    assert parted(found) == ["prize.1", "prize.2", "score.far"]


def test_what_sizes_depend_on_is_told() -> None:
    first = "state most: 0..limit = 0"
    en = f"{first}\n\ndefine limit: 0..9 = 4  [x 1]\n\nscore far: if huts(me) > 0 then limit else 0  [x 3]"
    ru = f"{first}\n\ndefine limit: 0..9 = if huts(me) > 0 then 4 else 0  [x 1]\n\nscore far: limit  [x 3]"
    assert parted(compared(en=en, ru=ru)) == ["limit", "score.far"]
    assert not parted(compared(en=en.removeprefix(first), ru=ru.removeprefix(first)))


def test_what_is_kept_in_a_let_around_is_told() -> None:
    """What a `let` keeps is worked out before what stands behind it."""
    of = "define worth(t: Site): 0..9 ="
    action = "action go(t: Site)\n  let kept = worth(t)\n  more: huts(me) += 1  [x 2]\n  gain: "
    en = f"{of} 5  [x 1]\n\n{action}if huts(me) > 0 then points(me) += kept  [x 3]"
    ru = f"{of} if huts(me) > 0 then 5 else 0  [x 1]\n\n{action}points(me) += kept  [x 3]"
    assert "worth" in parted(compared(en=en, ru=ru))


def test_values_that_make_up_for_each_other_are_told() -> None:
    """Two each, three times, or three each, twice: so it is said, though it comes to the same."""
    en = "define each_time(p: Player): 0..9 = 2  [x 1]\n\nscore far: 3 * my each_time  [x 2]"
    ru = "define each_time(p: Player): 0..9 = 3  [x 1]\n\nscore far: 2 * my each_time  [x 2]"
    assert parted(compared(en=en, ru=ru)) == ["each_time", "score.far"]


def test_what_an_edition_does_not_use_itself_is_told() -> None:
    of = "define worth(p: Player): 0..9 ="
    en = f"{of} 2 * huts(p)  [x 1]\n\nscore far: my worth  [x 2]"
    ru = f"{of} 3 * huts(p)  [x 1]\n\nscore far: 2 * huts(me)  [x 2]"
    assert parted(compared(en=en, ru=ru)) == ["worth", "score.far"]


def test_three_editions_of_which_one_says_something_else() -> None:
    """Then nothing is joined: what is exchanged by itself would take the moved condition along."""
    he = f"{INSIDE.replace('12', '11')}\n\n{BARE}"
    found = compared(en=f"{OUTSIDE}\n\n{AROUND}", ru=f"{INSIDE}\n\n{BARE}", he=he)
    assert parted(found) == ["prize.1", "prize.2", "score.far"]


def test_a_third_edition_that_is_silent_stays_silent() -> None:
    found = compared(en=f"{OUTSIDE}\n\n{AROUND}", ru=f"{INSIDE}\n\n{BARE}", he="define other = 1  [x 9]")
    told = {each.row.clause: each.groups for each in found.divergences}
    assert told["score.far"] == (("en", "ru"), ("he",))
    assert told["prize"] == (("en", "ru"), ("he",))


def test_a_third_edition_that_writes_all_of_it_where_it_is_used() -> None:
    he = "score far: if huts(me) > 0 then (if place(me) = 1 then 12 else if place(me) = 2 then 6 else 0) else 0  [x 3]"
    assert parted(compared(en=f"{OUTSIDE}\n\n{AROUND}", ru=f"{INSIDE}\n\n{BARE}", he=he)) == []


# ---- inside one clause ------------------------------------------------------------------------------------------

ARMS = "score far:\n  match place(me)\n    1 => {}  [x 1]\n    2 => {}  [x 2]\n    otherwise => {}"
ONE_CLAUSE = [
    ARMS.format("if huts(me) > 0 then 12 else 0", "if huts(me) > 0 then 6 else 0", "0"),
    ARMS.format("12", "6", "0") + "\n  except without: 0 when not huts(me) > 0  [x 3]",
    f"score far: if {HAS_HUT} then (if place(me) = 1 then 12 else if place(me) = 2 then 6 else 0) else 0  [x 1]",
]


@pytest.mark.parametrize(("one", "other"), [(0, 1), (1, 2), (2, 0)])
def test_a_condition_that_is_moved_inside_one_clause(one: int, other: int) -> None:
    assert parted(compared(en=ONE_CLAUSE[one], ru=ONE_CLAUSE[other])) == []
    assert parted(compared(en=ONE_CLAUSE[one], ru=ONE_CLAUSE[other].replace("huts(me) > 0", "huts(me) > 1"))) != []
    assert parted(compared(en=ONE_CLAUSE[one], ru=ONE_CLAUSE[other].replace("12", "11"))) != []


# ---- drawn ------------------------------------------------------------------------------------------------------

ASKED = st.sampled_from(["huts(p) > 0", "place(p) = 1", "huts(p) > place(p)", "place(p) in {2, 3}", "lucky(p)"])
PLAIN = st.sampled_from(["0", "1", "5", "huts(p)", "2 * place(p)"])
VALUES = st.recursive(
    PLAIN,
    lambda of: st.one_of(
        st.builds("(if {} then {} else {})".format, ASKED, of, of), st.builds("({} + {})".format, of, of)
    ),
    max_leaves=4,
)
USES = ["{}", "2 * {}", "{} + huts(p)", "sum({} for q in 1..2 where q > huts(p))", "(if lucky(p) then {} else 3)"]


def edition(body: str, use: str) -> str:
    return f"define worth(p: Player): 0..99 = {body}  [x 1]\n\nscore far: {use.replace('(p)', '(me)')}  [x 3]"


@settings(max_examples=60)
@given(VALUES, ASKED, ASKED, st.sampled_from(USES))
def test_a_drawn_condition_that_is_moved(body: str, asked: str, other: str, use: str) -> None:
    """`other` tells nothing apart where both come to the same; so only what is moved must be alike."""
    outside = edition(body, use.format(f"(if {asked} then worth(p) else 0)"))
    inside = edition(f"if {asked} then {body} else 0", use.format("worth(p)"))
    assert parted(compared(en=outside, ru=inside)) == []
    changed = edition(f"if {asked} then ({body}) + 1 else 0", use.format("worth(p)"))
    assert parted(compared(en=outside, ru=changed)) != []


@pytest.mark.parametrize("name", ["worth", "far"])
def test_the_clauses_are_found_by_all_their_names(name: str) -> None:
    from ludex.spec.comparing import compared_paths

    found = compared(en=f"{OUTSIDE}\n\n{AROUND}", ru=f"{INSIDE}\n\n{BARE}")
    assert {"prize.1", "prize.2", "score.far"} <= compared_paths(found), name
