"""Editions side by side: which clause is which, of what kind a difference is, what is missing and where a text ends."""

from __future__ import annotations

import pytest

from ludex.grammar import parse
from ludex.grammar import syntax as s
from ludex.spec.comparing import Comparison, Divergence, Gap, compare, merged
from ludex.spec.comparing.said import said

GAME = """
game made
  players: 2
  document: en "en.txt", ru "ru.txt"
  editions: en, ru

type Land = water | sand | reed

action build
  choose site in Site, cards within my hand
"""


def module(text: str, name: str = "") -> s.Module:
    parsed = parse(f"edition {name} of made\n\n{text}\n" if name else text, f"{name}.ludex")
    assert not parsed.diagnostics, parsed.diagnostics
    return parsed.module


def compared(**texts: str) -> Comparison:
    """Editions by name; `ru_margin` is called `ru.margin`."""
    names = {name.replace("_", "."): text for name, text in texts.items()}
    return compare({name: module(text, name) for name, text in names.items()}, module(GAME))


def only(comparison: Comparison) -> Divergence:
    found = comparison.divergences
    assert len(found) == 1, [(each.row.clause, each.kind, each.groups) for each in found]
    return found[0]


KINDS = [
    ("condition", "require enough: some c in cards has free(c)", "require enough: free(site)"),
    ("scope", "require enough: some c in cards has free(c)", "require enough: every c in cards has free(c)"),
    ("condition", "gain:\n    draw_card\n    if free(site) then rest", "gain:\n    draw_card\n    rest"),
    (
        "condition",
        "gain:\n    draw_card\n    if free(site) then rest",
        "gain:\n    draw_card\n    if not free(site) then rest",
    ),
    ("missing", "gain:\n    draw_card\n    points(me) += 1", "gain: draw_card"),
    ("extra", "gain: draw_card", "gain:\n    draw_card\n    points(me) += 1"),
    ("missing", "gain: choose draw_card or rest", "gain: choose draw_card"),
    ("reference", "gain: choose draw_card or rest", "gain: choose draw_card or take_stone"),
    ("reference", "gain:\n    points(me) += 1\n    draw_card", "gain:\n    points(me) += 1\n    take_stone"),
    ("value", "gain:\n    points(me) += 1\n    draw_card", "gain:\n    points(me) += 2\n    draw_card"),
    ("condition", "gain: points(me) += if x(me) > 2 then 1 else 3", "gain: points(me) += if x(me) >= 2 then 1 else 3"),
    ("condition", "require only: free(site)", "require only: true"),
    ("order", "gain:\n    x(1) := 5\n    reward(1)", "gain:\n    reward(1)\n    x(1) := 5"),
    ("order", "gain:\n    x(f(1)) := 5\n    x(f(2)) := 4", "gain:\n    x(f(2)) := 4\n    x(f(1)) := 5"),
    ("value", "require near: x(site) = 3 - y(site)", "require near: x(site) = 3 + y(site)"),
    (
        "actor",
        "gain: each player in seats\n      move cards from my hand to box",
        "gain: each player in seats\n      move cards from hand(next(me)) to box",
    ),
    ("condition", "over: if free(site) then end game", "over: end game"),
    (
        "missing",
        "gain:\n    if free(site)\n      draw_card\n    else\n      rest",
        "gain: if free(site) then draw_card",
    ),
    ("value", "require some_of: size(cards) in {2, 3}", "require some_of: size(cards) in {2, 2}"),
    ("value", "gain: points(me) += 1", "gain: points(me) += 0"),
    ("modality", "choose a in Site\n  gain: draw_card", "may choose a in Site\n  gain: draw_card"),
    ("value", "mark: taken(site) := true", "mark: taken(site) := false"),
    (
        "order",
        "gain: each player in seats\n      repeat 3 times\n        turn",
        "gain: repeat 3 times\n      each player in seats\n        turn",
    ),
    ("timing", "gain: window begun(early)", "gain: window begun(late)"),
    ("value", "require enough: size(cards) >= 2", "require enough: size(cards) >= 3"),
    ("value", "gain: points(me) += 1", "gain: points(me) += 2"),
    ("value", "birds: birds := {water, sand}", "birds: birds := {water, reed}"),
    ("modality", "gain: may draw_card", "gain: draw_card"),
    ("modality", "gain: repeat may draw_card", "gain: draw_card"),
    ("condition", "require enough: size(cards) > 2", "require enough: size(cards) >= 2"),
    ("condition", "require enough: free(site)", "require enough: free(site) and near(site)"),
    ("condition", "gain: if free(site) then draw_card", "gain: draw_card"),
    ("condition", "gain: if free(site) then draw_card", "gain: if near(site) then draw_card"),
    ("order", "pay:\n    points(me) -= 1\n    draw_card", "pay:\n    draw_card\n    points(me) -= 1"),
    ("destination", "pay: move cards from my hand to discard", "pay: move cards from my hand to box"),
    ("destination", "pay: put sand in top of deck", "pay: put sand in bottom of deck"),
    (
        "scope",
        "gain: each t in Site where free(t)\n      points(me) += 1",
        "gain: each t in Land\n      points(me) += 1",
    ),
    ("scope", "gain: repeat 2 times\n      draw_card", "gain: draw_card"),
    ("actor", "gain: as opponent(me)\n      draw_card", "gain: draw_card"),
    ("actor", "gain: points(me) += 1", "gain: points(opponent(me)) += 1"),
    ("reference", "gain: draw_card", "gain: take_stone"),
]


@pytest.mark.parametrize(("kind", "one", "other"), KINDS, ids=[f"{k[0]}-{at}" for at, k in enumerate(KINDS)])
def test_kinds_of_differences(kind: str, one: str, other: str) -> None:
    found = only(compared(en=f"action build\n  {one}", ru=f"action build\n  {other}"))
    assert (found.kind, found.groups) == (kind, (("en",), ("ru",)))


def test_what_is_said_alike_is_an_agreement() -> None:
    found = compared(
        en="action build\n  require free: free(site) and near(site)  [en 1]\n  pay: points(me) -= 1  [en 2]",
        ru="action build\n  require free: near(site) and free(site)  [ru 7]\n  pay: my points := my points - 1  [ru 8]",
    )
    assert not found.divergences
    assert [row.clause for row in found.agreements] == ["build", "build.free", "build.pay"]


def test_the_odd_one_out_of_three_is_marked_and_nobody_is_right() -> None:
    found = only(compared(en="fact goal(p: Player) = 5", he="fact goal(p: Player) = 6", ru="fact goal(p: Player) = 5"))
    assert (found.kind, found.groups, found.odd) == ("value", (("en", "ru"), ("he",)), "he")
    all_apart = only(compared(en="score far: 1", he="score far: 2", ru="score far: 3"))
    assert (all_apart.groups, all_apart.odd) == ((("en",), ("he",), ("ru",)), None)


def test_a_summary_that_contradicts_its_own_text_is_internal() -> None:
    assert only(compared(ru="score far: 1", ru_margin="score far: 2")).internal
    assert not only(compared(en="score far: 1", ru="score far: 2")).internal


def test_silence() -> None:
    found = only(
        compared(en="action build\n  require free: free(site)\n  pay: draw_card", ru="action build\n  pay: draw_card")
    )
    assert (found.row.clause, found.kind, found.groups) == ("build.free", "missing", (("en",), ("ru",)))
    assert found.row.statements["ru"] is None
    found = only(compared(en="action build\n  pay: draw_card", ru="action build\n  pay: draw_card\n  gain: draw_card"))
    assert (found.row.clause, found.kind) == ("build.gain", "extra")


def test_a_silent_text_says_where_it_would_say_it() -> None:
    found = compared(
        en="action build\n  require free: free(site)  [en 3]\n  pay: draw_card\n    except rich: nothing when me = me",
        ru="silent build.pay [ru 7-8]\nsilent build.gone [ru 2]\n\naction build\n  require free: near(site)  [ru 5]",
    )
    near = {
        each.row.clause: {name: [c.lines for c in cited] for name, cited in each.row.near.items()}
        for each in found.divergences
    }
    assert near == {"build.free": {}, "build.pay": {"ru": [((7, 8),)]}}
    found = compared(en="score far: 1\n  except near: 2 when free(site)", ru="silent score.far [ru 9]\nscore other: 2")
    silent = [each for each in found.divergences if "ru" in each.row.silent]
    assert silent
    assert all(each.row.near for each in silent), "a mark counts for what is inside"


def test_a_clause_that_a_text_states_elsewhere_is_not_near_anything() -> None:
    found = compared(
        en="action build\n  require exact: sum(worth(c) for c in cards) = price(site)",
        ru="silent build.exact [ru 1]\n\naction build\n  require money: price(site) = sum(worth(k) for k in cards)",
    )
    assert not found.divergences
    assert not any(row.near for row in found.agreements)


def test_what_hangs_under_a_missing_clause_is_no_finding_of_its_own() -> None:
    found = only(
        compared(
            en="action build\n  require free: free(site)\n  pay: draw_card\n    except free: nothing when free(site)",
            ru="action build\n  require free: free(site)",
        )
    )
    assert (found.row.clause, found.under) == ("build.pay", ("build.pay.free",))


def test_a_clause_by_another_name_is_known_by_what_it_says() -> None:
    found = compared(
        en="action build\n  require money: sum(worth(c) for c in cards) = price(site)",
        ru="action build\n  require exact: price(site) = sum(worth(k) for k in cards)",
    )
    assert not found.divergences
    assert [row.clause for row in found.agreements if row.kind == "require"] == ["build.money"]


def test_tables_with_the_same_arms_are_not_taken_for_each_other() -> None:
    table = "fact {}(n: 1..4): 0..8 =\n  match n\n    1 => {}\n    2 => 5\n    3 => 6\n    4 => 7"
    found = compared(en=table.format("width", 1), ru=table.format("height", 2))
    assert sorted(each.row.clause for each in found.divergences) == ["height", "width"]
    assert not compared(en=table.format("width", 1), ru=table.format("height", 1)).divergences


def test_what_an_action_is_given_may_be_called_like_a_word() -> None:
    given = "action build(reed: Land)\n  require dry: reed = sand"
    assert only(compared(en=given, ru=given.replace("= sand", "!= sand"))).kind == "condition"
    stated = "action lay\n  choose reed in Land\n  require dry: reed in {sand, water}"
    assert only(compared(en=stated, ru=stated.replace("water", "site"))).row.clause == "lay.dry"


def test_a_clause_that_stands_elsewhere_is_a_difference_of_timing() -> None:
    rule = "discard: if size(my hand) > 7 then move all from my hand to box"
    found = compared(en=f"action build\n  {rule}", ru=f"action rest\n  {rule}")
    assert [(each.row.clause, each.kind) for each in found.divergences if each.kind == "timing"] == [
        ("build.discard", "timing")
    ]


def test_one_sentence_in_two_clauses_is_no_difference() -> None:
    found = compared(
        en="action build\n  require free: free(site) and near(site)",
        ru="action build\n  require free: free(site)\n  require near: near(site)",
    )
    assert not found.divergences


def test_order_of_clauses() -> None:
    found = only(
        compared(
            en="action build\n  pay: draw_card\n  gain: points(me) += 1",
            ru="action build\n  gain: points(me) += 1\n  pay: draw_card",
        )
    )
    assert (found.row.clause, found.kind) == ("build", "order")


def test_the_flow_around_clauses_that_a_text_does_not_speak_of_is_not_denied() -> None:
    found = compared(
        en="play\n  turns: repeat\n    each player in seats\n      act: build\n",
        ru="play\n  turns:\n    act: build\n",
    )
    assert not found.divergences


def test_words_are_compared_in_their_own_language() -> None:
    found = compared(en='terms\n  build: en "build"', ru='terms\n  build: ru "строить"')
    assert not found.divergences
    found = compared(ru='terms\n  build: ru "строить"', ru_margin='terms\n  build: ru "возводить"')
    assert only(found).kind == "term"


def test_a_text_that_ends_early_gives_one_finding() -> None:
    steps = [f"  step_{number}: draw_card [ru {number}]" for number in range(1, 10)]
    whole = "action build\n" + "\n".join(steps)
    short = "action build\n" + "\n".join(step.replace("ru", "en") for step in steps[:3])
    found = only(compared(ru=whole, en=short))
    assert found.row.clause == "build.step_4"
    assert found.gap == Gap(("en",), "ru", "ru", (4, 9), True)
    assert found.under == tuple(f"build.step_{number}" for number in range(5, 10))
    gap = "action build\n" + "\n".join(step.replace("ru", "en") for step in [*steps[:3], *steps[5:]])
    assert [(each.row.clause, each.gap) for each in compared(ru=whole, en=gap).divergences] == [
        ("build.step_4", None),
        ("build.step_5", None),
    ], "left out inside of what the text covers"


def test_a_section_that_is_left_out_gives_one_finding() -> None:
    steps = [f"  step_{number}: draw_card [ru {number}]" for number in range(1, 13)]
    whole = "action build\n" + "\n".join(steps)
    gap = "action build\n" + "\n".join(step.replace("ru", "en") for step in [*steps[:3], *steps[11:]])
    found = only(compared(ru=whole, en=gap))
    assert (found.row.clause, found.gap) == ("build.step_4", Gap(("en",), "ru", "ru", (4, 11), False))
    assert found.under == tuple(f"build.step_{number}" for number in range(5, 12))


def test_a_section_is_told_for_those_that_leave_it_out_together() -> None:
    steps = [f"  step_{number}: draw_card [ru {number}]" for number in range(1, 13)]
    whole = "action build\n" + "\n".join(steps)
    gap = "action build\n" + "\n".join(step.replace("ru", "en") for step in [*steps[:3], *steps[11:]])
    some = "action build\n" + "\n".join(step.replace("ru", "he") for step in [*steps[:6], *steps[8:]])
    found = compared(ru=whole, en=gap, he=some).divergences
    assert [(each.row.clause, each.row.silent, len(each.under)) for each in found] == [
        ("build.step_4", ("en",), 5),
        ("build.step_7", ("en", "he"), 1),
    ]


def test_a_summary_does_not_end_early() -> None:
    whole = "action build\n" + "\n".join(f"  step_{number}: draw_card [ru {number}]" for number in range(1, 13))
    found = only(compared(ru=whole, ru_aid="action build\n  step_1: draw_card  [ru 30]"))
    assert found.gap == Gap(("ru.aid",), "ru", "ru", (2, 12), False)


def test_who_turns_out_to_say_the_same_goes_together() -> None:
    found = only(compared(en="score far: x(me)", he="score far: y(me)", ru="score far: z(me)", ru_margin=""))
    assert found.groups == (("en",), ("he",), ("ru",), ("ru.margin",))
    both = merged(found, [("he", "ru")])
    assert (both.groups, both.odd, both.kind) == ((("en",), ("he", "ru"), ("ru.margin",)), "en", "reference")
    alike = merged(found, [("he", "ru"), ("en", "ru")])
    assert (alike.groups, alike.odd, alike.kind) == ((("en", "he", "ru"), ("ru.margin",)), None, "missing")
    assert merged(found, [("en",)]) == found


def test_a_stretch_is_named_after_what_matters_in_play() -> None:
    notes = [f"note box_{number} = {number}  [ru {number}]" for number in range(1, 9)]
    whole = "\n".join([*notes, "fact hand_size(p: Player) = 5  [ru 9]", "note box_10 = 10  [ru 10]"])
    found = only(compared(ru=whole, en="note box_11 = 11  [en 1]\nnote box_12 = 12  [en 2]"[:0]))
    assert (found.row.clause, len(found.under)) == ("hand_size", 9)


TABLES = {
    "by arms": "fact worth(n: 1..3) =\n  match n\n    1 => 2  [en 1]\n    2 => 4  [en 2]\n    3 => 6  [en 3]",
    "by if": "fact worth(n: 1..3) = if n = 3 then 6 else if n = 2 then 4 else 2  [ru 1]",
    "by sum": "fact worth(k: 1..3) = 2 * k  [he 1]",
}


def test_what_is_shared_out_otherwise_is_compared_as_a_whole() -> None:
    alike = compared(en=TABLES["by arms"], ru=TABLES["by if"], he=TABLES["by sum"])
    assert not alike.divergences
    assert [row.clause for row in alike.agreements] == ["worth"]
    found = only(compared(en=TABLES["by arms"], ru=TABLES["by if"].replace("6", "7"), he=TABLES["by sum"]))
    assert (found.row.clause, found.kind, found.groups) == ("worth", "value", (("en", "he"), ("ru",)))
    assert (found.under, found.whole) == (("worth.1", "worth.2", "worth.3"), True)


def test_an_id_is_another_where_something_inside_is() -> None:
    one = only(compared(en=TABLES["by arms"], ru=TABLES["by if"].replace("6", "7")))
    other = only(compared(en=TABLES["by arms"].replace("4", "5"), ru=TABLES["by if"].replace("6", "7")))
    assert one.row.clause == other.row.clause
    assert one.id != other.id


def test_arms_that_only_one_has_are_told_by_themselves() -> None:
    text = "define reach(a: Land): Number =\n  match a\n    water => 1\n    sand => 2\n    reed => 3"
    found = only(compared(en=text, ru=text.replace("\n    reed => 3", "")))
    assert (found.row.clause, found.kind) == ("reach.reed", "missing")
    turned = "define reach(a: Land): Number =\n  match a\n    reed => 3\n    water => 1\n    sand => 2"
    assert not compared(en=text, ru=turned).divergences


def test_arms_that_are_parted_otherwise_are_one_finding() -> None:
    one = "fact reach(n: 1..9): 0..9 =\n  match n\n    1, 2 => 1\n    otherwise => 5"
    other = "fact reach(n: 1..9): 0..9 =\n  match n\n    1 => 1\n    2 => 2\n    otherwise => 5"
    found = only(compared(en=one, ru=other))
    assert (found.row.clause, found.under, found.whole) == ("reach", ("reach.1", "reach.2", "reach.1,2"), True)


def test_what_is_left_over_rests_on_nothing_and_says_nothing() -> None:
    text = "fact reach(n: 1..9): 0..9 =\n  match n\n    1 => 2  [en 1]"
    assert not compared(en=text + "\n    otherwise => 0", ru=text.replace("en", "ru")).divergences
    assert only(compared(en=text + "\n    otherwise => 0  [en 2]", ru=text.replace("en", "ru"))).kind == "missing"


def test_a_lost_exception_is_told_by_itself_even_where_the_rest_is_put_otherwise() -> None:
    one = "action build\n  require free: free(site) and near(site)\n    except blessed: when blessed(me)"
    found = compared(en=one, ru="action build\n  require free: free(site)").divergences
    assert [(each.row.clause, each.kind) for each in found] == [
        ("build.free", "condition"),
        ("build.free.blessed", "missing"),
    ]


def test_an_exception_may_be_said_in_the_clause_itself() -> None:
    one = "action build\n  require free: free(site)\n    except blessed: when blessed(me)"
    assert not compared(en=one, ru="action build\n  require free: free(site) or blessed(me)").divergences
    found = only(compared(en=one, ru="action build\n  require free: free(site) and blessed(me)"))
    assert (found.row.clause, found.under) == ("build.free", ("build.free.blessed",))


def test_a_helper_says_nothing_by_itself() -> None:
    helper = "define open_to(p: Player, s: Site) = free(s) and near(s) and not blessed(p)"
    one = f"{helper}\n\naction build\n  require free: open_to(me, site)"
    same = "action build\n  require free: near(site) and free(site) and not blessed(me)"
    assert not compared(en=one, ru=same).divergences
    found = only(compared(en=one, ru=same.replace("near", "far")))
    assert (found.row.clause, found.under) == ("build.free", ("open_to",))
    other = one.replace("open_to", "usable").replace("free(s) and near(s)", "near(s) and free(s)")
    assert not compared(en=one, ru=other).divergences, "by another name"


def test_a_helper_may_ask_for_what_is_a_long_clause_of_both() -> None:
    many = " and ".join(f"place(s) != {number}" for number in range(60))
    long = f"define open(s: Site) = {many}\n\n"
    helper = "define usable(p: Player, s: Site) = open(s) and near(p)"
    one = f"{long}{helper}\n\naction build\n  require free: usable(me, site)"
    same = f"{long}action build\n  require free: open(site) and near(me)"
    assert not compared(en=one, ru=same).divergences
    found = only(compared(en=one, ru=same.replace("!= 7", "!= 77")))
    assert found.row.clause == "open"


def test_a_helper_that_another_text_speaks_of_is_a_clause() -> None:
    helper = "define open_to(p: Player, s: Site) = free(s) and not blessed(p)"
    use = "action build\n  require free: open_to(me, site)"
    found = only(compared(en=f"{helper}\n\n{use}", ru=use))
    assert (found.row.clause, found.kind) == ("open_to", "missing")
    unused = only(compared(en=helper, ru="score far: 1\n"[:0]))
    assert (unused.row.clause, unused.kind) == ("open_to", "missing")


def test_helpers_of_two_values_are_told_where_they_stand() -> None:
    use = "score far: goal * x(me)\n\nscore near: goal * y(me)"
    found = only(compared(en=f"fact goal = 5\n\n{use}", ru=f"fact goal = 6\n\n{use}"))
    assert (found.row.clause, found.kind) == ("goal", "value")


def test_a_helper_that_comes_back_to_itself_is_not_put_in() -> None:
    text = "define worth(s: Site): 0..9 cycle 0 = if free(s) then worth(next(s)) else {}\n\nscore far: worth(site)"
    found = compared(en=text.format(1), ru=text.format(2))
    assert [each.row.clause for each in found.divergences] == ["worth"]


def test_of_a_fork_the_reading_that_is_taken_is_compared() -> None:
    fork = 'fork way\n  one: "so"\n  two: "or so"\n  default one "why"\n\n'
    text = fork + "action build\n  gain:\n    match way\n      one => points(me) += 1\n      two => points(me) += 2"
    assert not compared(en=text, ru="action build\n  gain: points(me) += 1").divergences
    assert only(compared(en=text, ru="action build\n  gain: points(me) += 2")).row.clause == "build.gain"


def test_requirements_stand_in_any_order() -> None:
    text = "action build\n  require free: free(site)\n  require near: near(site)"
    assert not compared(en=text, ru="action build\n  require near: near(site)\n  require free: free(site)").divergences


def test_what_a_note_tells_in_words_is_not_denied_by_a_value() -> None:
    assert not compared(en='note now: "now or never"', ru="note now = true").divergences
    assert only(compared(en='note now: "now or never"', ru="note now = false")).row.clause == "now"
    found = only(compared(en="note now = 1", he='note now: "once"', ru="note now = 2"))
    assert (found.kind, found.groups) == ("value", (("en", "he"), ("ru",)))


def test_where_things_lie_is_layout() -> None:
    found = only(compared(en="note face = water", ru="note face = sand"))
    assert found.kind == "layout"
    steps = "setup\n  lay: put sand in {}"
    assert only(compared(en=steps.format("box"), ru=steps.format("deck"))).kind == "destination"
    assert only(compared(en=steps.format("row(left)"), ru=steps.format("row(right)"))).kind == "layout"
    steps = "setup\n  lay: put sand in {} of deck"
    assert only(compared(en=steps.format("top"), ru=steps.format("bottom"))).kind == "layout"


def test_a_word_is_the_same_in_capitals() -> None:
    assert not compared(ru='terms\n  build: ru "Строить"', ru_margin='terms\n  build: ru "строить"').divergences


def test_what_is_written_down_for_a_reading_that_is_not_taken_does_not_count() -> None:
    fork = 'fork way\n  all: "so"\n  last: "or so"\n  default {} "why"\n\nstate seen: Number = 0\n\n'
    rule = (
        "action build\n  require low:\n    match way\n      all => free(site)\n      last => seen = 0\n  pay: seen := 1"
    )
    plain = "action build\n  require low: free(site)\n  pay: nothing"
    assert not compared(en=fork.format("all") + rule, ru=plain).divergences
    assert [each.row.clause for each in compared(en=fork.format("last") + rule, ru=plain).divergences] == [
        "build.low",
        "build.pay",
    ]


def test_what_asks_for_nothing_is_told_and_cannot_matter() -> None:
    text = "action build\n  pay: draw_card"
    found = only(compared(en=text.replace("pay", "require any: true\n  pay"), ru=text))
    assert (found.row.clause, found.idle) == ("build.any", True)
    assert not only(compared(en=text, ru=text.replace("draw_card", "rest"))).idle


def test_requirements_may_be_merged() -> None:
    one = "action build\n  require free: a implies free(site)\n  require near: a and b implies near(site)"
    other = "action build\n  require free: (a implies free(site)) and (a and b implies near(site))"
    assert not compared(en=one, ru=other).divergences


def test_what_is_left_over_is_compared_where_both_say_it() -> None:
    text = "fact reach(n: 1..9): 0..9 =\n  match n\n    1 => 2\n    otherwise => 0"
    found = only(compared(en=text, ru=text.replace("=> 0", "=> 1")))
    assert (found.row.clause, found.kind) == ("reach.otherwise", "value")


def test_what_is_required_twice_is_required() -> None:
    one = "action build\n  require free: free(site)\n  require again: free(site)\n  pay: draw_card"
    assert not compared(en=one, ru=one.replace("  require again: free(site)\n", "")).divergences


def test_who_says_it_in_another_clause_is_not_silent() -> None:
    one = "action build\n  require free: free(site) and near(site)\n  require near: true"
    other = "action build\n  require free: free(site)\n  require near: near(site)"
    found = compared(en=one, he=other, ru="action build\n  require free: free(site)").divergences
    assert [(each.row.clause, each.kind, each.groups) for each in found if each.row.clause == "build.near"] == [
        ("build.near", "missing", (("en", "he"), ("ru",)))
    ]


def test_an_id_stays_as_long_as_what_is_said() -> None:
    one = only(compared(en="score far: 1", ru="score far: 2  [ru 5]"))
    again = only(compared(en="# changed\nscore far: 1", ru="score far: 2  [ru 6]"))
    assert one.id == again.id
    assert one.id != only(compared(en="score far: 1", ru="score far: 3")).id


COMMUTING = [
    ("points(me) += 1\n    stones(me) -= 1", "stones(me) -= 1\n    points(me) += 1"),
    (
        "put me in hut(site)\n    repeat 2 times\n      put me in hut(next(site))",
        "repeat 2 times\n      put me in hut(next(site))\n    put me in hut(site)",
    ),
    ("each p in Player\n      points(p) += 1", "each player in seats\n      points(me) += 1"),
    ("as opponent(me)\n      points(me) += 1", "points(opponent(me)) += 1"),
    ("repeat 3 - 1 times\n      draw_card", "repeat 2 times\n      draw_card"),
    ("each k in Step\n      points(me) += k", "each k in 1..4\n      points(me) += k"),
]
HINDERING = [
    ("points(me) += stones(me)\n    stones(me) -= 1", "stones(me) -= 1\n    points(me) += stones(me)"),
    ("points(me) += wealth(me)\n    stones(me) -= 1", "stones(me) -= 1\n    points(me) += wealth(me)"),
    ("put sand in deck\n    put reed in deck", "put reed in deck\n    put sand in deck"),
    ("points(me) := 1\n    points(me) += 2", "points(me) += 2\n    points(me) := 1"),
]
BOARD = """
type Step = 1..4
state points(Player): 0..99 = 0
state stones(Player): 0..9 = 0
zone hut(Site): bag of Player, open
zone deck: pile of Land, hidden
"""


@pytest.mark.parametrize(("one", "other"), COMMUTING)
def test_steps_in_other_words(one: str, other: str) -> None:
    texts = {name: module(f"action build\n  act:\n    {text}", name) for name, text in (("en", one), ("ru", other))}
    assert not compare(texts, module(GAME + BOARD)).divergences


@pytest.mark.parametrize(("one", "other"), HINDERING)
def test_steps_whose_order_counts(one: str, other: str) -> None:
    texts = {name: module(f"action build\n  act:\n    {text}", name) for name, text in (("en", one), ("ru", other))}
    assert only(compare(texts, module(GAME + BOARD))).kind == "order"


def test_a_clause_without_citations_has_those_of_the_clause_around_it_or_of_its_parts() -> None:
    text = """
fact cost(n: Number) =  [en 4]
  match n
    1 => 5
    2 => 6  [en 7]
action build
  require free: free(site)  [en 9]
  pay: draw_card  [en 8-9]
  require near: near(site)  [en 9]
"""
    cited = {
        path: [(each.document, each.lines) for each in clause.authority.citations]
        for path, clause in said(parse(text, "text").module.declarations).items()
    }
    assert cited["cost.1"] == [("en", ((4, 4),))]
    assert cited["cost.2"] == [("en", ((7, 7),))]
    assert cited["build"] == [("en", ((8, 9),)), ("en", ((9, 9),))]
