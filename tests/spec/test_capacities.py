"""Capacities of collections and zones: declared or inferred. Unbounded growth without a declared
capacity is refused.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import ludex
from ludex import spec
from ludex.interpreter import Generator, Simulation
from ludex.spec.values.types import Range

HEAD = """\
game growing
  players: 2
  convention: "made for a test"

type N = 1..5
"""
REST = """
play
  turns: repeat 6 times
    each player in seats
      act

score last: size({name})
"""


def written(folder: Path, states: str, steps: str, more: str = "", name: str = "a") -> Path:
    path = folder / "growing.ludex"
    body = f"\naction act\n  choose n in N\n  go:\n    {steps}\n"
    path.write_text(f"{HEAD}{more}\n{states}\n{body}{REST.format(name=name)}")
    return path


def errors(path: Path) -> list[tuple[str, int]]:
    return [(each.code.code, each.span.line) for each in ludex.check(path) if each.is_error]


LIST = "state a: list of N{}"
ONE = "list(k for k in {n})"

GROWING = {
    "one more each time": (LIST, f"a += {ONE}", ""),
    "written out": (LIST, f"a := a + {ONE}", ""),
    "doubling": (LIST, "a += a", ""),
    "a bag that doubles": ("state a: bag of N{} = {{1}}", "a += a", ""),
    "two that feed each other": (LIST + "\nstate b: list of N", f"a := b + {ONE}\n    b := a", ""),
    "by way of a name": (LIST, f"let longer = a + {ONE}\n    a := longer", ""),
    "by way of a define": (LIST, "a := longer(n)", f"\ndefine longer(n: N) = a + {ONE}\n"),
    "by way of a parameter": (LIST, f"keep(a + {ONE})", "\naction keep(l: list of N)\n  go: a := l\n"),
    "a product": ("state a: bag of N{} = {{1}}", "a := bag(k for k in a, l in N)", ""),
    "a set of lists": ("state a: set of list of N{} = {{}}", "a += {list(k for k in {n})}", ""),
    "in one branch": (LIST, f"a := if n = 1 then a else a + {ONE}", ""),
}


@pytest.mark.parametrize("name", GROWING)
def test_unbounded_growth_is_refused_once_and_allowed_with_a_capacity(name: str, tmp_path: Path) -> None:
    states, steps, more = GROWING[name]
    path = written(tmp_path, states.format(""), steps, more)
    assert [code for code, _ in errors(path)] == ["E316"], ludex.check(path)
    path = written(tmp_path, states.format(" up to 9"), steps, more)
    assert not errors(path), "with a capacity it must be accepted"
    assert spec.load(path).capacities["a", None, 0] == 9


def test_an_action_that_performs_another_with_a_growing_argument_is_refused(tmp_path: Path) -> None:
    more = "\naction pass_on(l: list of N)\n  go: keep(l + list(k for k in {1}))\n\naction keep(l: list of N)\n"
    more += "  go: a := l\n"
    path = written(tmp_path, LIST.format(""), "pass_on(a)", more)
    assert [code for code, _ in errors(path)] == ["E316"]
    bounded = written(tmp_path, LIST.format(""), f"pass_on({ONE})", more)
    assert not errors(bounded)
    assert spec.load(bounded).capacities["a", None, 0] == 2, "the capacity must be that of the argument and one more"


FOUND = {
    "literal": ("state a: bag of N = {1}", "a := {1, 2, 3}", 3),
    "players": ("state a: list of Player = seats", "a := reversed(a)", 2),
    "product": ("state a: bag of N = {1}", "a := bag(k for k in N, l in N)", 25),
    "sum": (LIST.format(""), "a := list(k for k in N) + list(k for k in {n})", 6),
    "fewer": ("state a: bag of N = {1, 2}", "a -= {1}", 2),
    "the same again": ("state a: bag of N = {1, 2}", "a := bag(k for k in a where k > n)", 2),
    "larger branch": (LIST.format(""), "a := if n = 1 then list(k for k in N) else list(k for k in {n})", 5),
    "round and round": (
        LIST.format("") + "\nstate b: list of N",
        "a := b\n    b := if n = 1 then a else list(k for k in N)",
        5,
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_a_capacity_is_inferred(name: str, tmp_path: Path) -> None:
    states, steps, most = FOUND[name]
    path = written(tmp_path, states, steps)
    assert not errors(path), ludex.check(path)
    assert spec.load(path).capacities["a", None, 0] == most


def test_exceeding_the_capacity_is_a_fault_that_names_the_clause(tmp_path: Path) -> None:
    path = written(tmp_path, LIST.format(" up to 9"), f"a += {ONE}")
    (fault,) = Simulation(spec.load(path)).play(Generator(1)).faults
    assert "this contains 10, but at most 9 fit here" in fault.message
    assert [why.clause for why in fault.why] == ["act.go"]


def test_local_states_and_parameters_may_have_a_capacity(tmp_path: Path) -> None:
    steps = f"state c: list of N up to 3 = {ONE}\n    repeat 2 times\n      c += {ONE}\n    keep(c)"
    more = "\naction keep(l: list of N up to 4)\n  go: a := l\n"
    path = written(tmp_path, LIST.format(""), steps, more)
    assert not errors(path), ludex.check(path)
    assert spec.load(path).capacities["a", None, 0] == 4
    assert not Simulation(spec.load(path)).play(Generator(1)).faults


# ---- zones

PLAYS = """
state turn: 0..50 = 0

setup
  {setup}

play
  turns: {play}
    each player in seats
      act
    count: turn += 1
    over: if turn = 50 then end game

score last: size(a)
"""


def zoned(folder: Path, zones: str, steps: str, setup: str = "go: nothing", play: str = "repeat") -> Path:
    path = folder / "growing.ludex"
    body = f"\naction act\n  choose n in N\n  go:\n    {steps}\n"
    path.write_text(f"{HEAD}\n{zones}\n{body}{PLAYS.format(setup=setup, play=play)}")
    return path


A, B = "zone a: bag of N{}, open\n", "zone b: pile of N up to 5, open\n"
ENTERING = {
    "a piece each turn": (A, "put n in a", "go: nothing"),
    "several": (A, "fill a with N", "go: nothing"),
    "by way of another zone": (A + B, "put n in b\n    move all from b to a", "go: nothing"),
    "by way of a zone for one": (A + "zone c: one N, open\n", "put n in c\n    move c to a", "go: nothing"),
    "by way of a swap": (
        A + "zone c: one N, open\nzone d: one N, open\n",
        "put n in c\n    swap c with d\n    move d to a",
        "go: nothing",
    ),
    "by way of a refill": (
        A.replace("bag", "pile").replace("open", "hidden") + B + "refill a from b\n",
        "put n in b\n    draw 1 from a to b",
        "go: nothing",
    ),
    "its own pieces once more": (A, "remove n from a", "go: fill a with bag(k for k in a)"),
    "as many as it holds": (A, "remove n from a", "go: each k in a\n    put k in a"),
    "an action that performs itself": (
        A + "\naction more\n  go: put 1 in a\n  again: if size(a) < 3 then more\n",
        "remove n from a",
        "go: more",
    ),
}


@pytest.mark.parametrize("name", ENTERING)
def test_a_zone_that_pieces_enter_repeatedly_is_refused_and_allowed_with_a_capacity(name: str, tmp_path: Path) -> None:
    zones, steps, setup = ENTERING[name]
    path = zoned(tmp_path, zones.format(""), steps, setup)
    (fault,) = [each for each in ludex.check(path) if each.is_error]
    assert (fault.code.code, "`a`" in fault.message) == ("E316", True), fault
    path = zoned(tmp_path, zones.format(" up to 9"), steps, setup)
    assert not errors(path), "with a capacity it must be accepted"
    assert spec.load(path).capacities["a", None, 0] == 9


A = A.format("")
HELD = {
    "filled once": (A, "move n from a to b", "go: fill a with N", "repeat", 5),
    "for each player": (A, "move n from a to b", "go: each player in seats\n    fill a with N", "repeat", 10),
    "in loops": (A, "remove n from a", "go: repeat 3 times\n    each k in N, l in N\n      put k in a", "repeat", 75),
    "two kinds": (A, "remove n from a", "go:\n    put 1 in a\n    put {1, 2} in a", "repeat", 3),
    "pieces that come back": (A, "move n from a to b\n    move all from b to a", "go: fill a with N", "repeat", 5),
    "in play, so often": (A, "put n in a", "go: nothing", "repeat 3 times", 6),
    "as often as is left": (A, "put n in a", "go: nothing", "repeat 4 - turn times", 8),
    "by an action that is performed": (
        A + "\naction lay\n  go: fill a with N\n",
        "remove n from a",
        "go: repeat 4 times\n    lay",
        "repeat",
        20,
    ),
    "what lies elsewhere": (A, "remove n from a", "go: fill a with bag(k for k in b, l in b)", "repeat", 25),
}


@pytest.mark.parametrize("name", HELD)
def test_the_capacity_of_a_zone_is_inferred(name: str, tmp_path: Path) -> None:
    zones, steps, setup, play, most = HELD[name]
    path = zoned(tmp_path, zones + B, steps, setup, play)
    assert not errors(path), ludex.check(path)
    assert spec.load(path).capacities["a", None, 0] == most


def test_each_of_two_zones_without_a_capacity_is_reported(tmp_path: Path) -> None:
    path = zoned(tmp_path, A + B.replace(" up to 5", ""), "put n in a\n    move all from a to b", play="repeat")
    assert [code for code, _ in errors(path)] == ["E316", "E316"]


def test_too_many_pieces_in_a_zone_are_a_fault_that_names_the_clause(tmp_path: Path) -> None:
    path = zoned(tmp_path, A.replace("N,", "N up to 3,"), "put n in a")
    (fault,) = Simulation(spec.load(path)).play(Generator(1)).faults
    assert "a would hold 4 pieces, but at most 3 fit" in fault.message
    assert [why.clause for why in fault.why] == ["act.go"]


def test_a_zone_holds_at_most_all_pieces_of_its_component(tmp_path: Path) -> None:
    (tmp_path / "components.yaml").write_text(COINS)
    coins = 'component Coin from "components.yaml"\n  worth: 1..9\n\nzone a: pile of Coin, open\n'
    path = zoned(tmp_path, coins, "put penny in a")
    assert not errors(path), ludex.check(path)
    game = spec.load(path)
    assert game.capacities["a", None, 0] == 4
    (fault,) = Simulation(game).play(Generator(1)).faults
    assert "a would hold 5 pieces, but at most 4 fit" in fault.message


def test_a_parameter_given_by_a_statement_only_has_a_capacity(tmp_path: Path) -> None:
    more = "\nstate found: 0..5 = 0\n\ndefine many(l: list of N) = size(l)\n"
    path = written(tmp_path, "state a: list of N", "a := list(k for k in {n})\n    found := many(a)", more)
    assert not errors(path), ludex.check(path)
    assert spec.load(path).capacities["many", 1, 0] == 1


COINS = """\
tables:
  Coin:
    provenance: {assumed: made for a test}
    rows:
    - {id: penny, worth: 1, copies: 3}
    - {id: crown, worth: 5}
"""


@pytest.mark.parametrize(
    ("state", "item", "most"),
    [
        ("list of Player up to 20", "list(k for k in {me})", 20),
        ("list of Card up to 20", "list(k for k in {one})", 20),
        ("list of Player", "clockwise(me)", 2),
        ("list of Player", "reversed(seats)", 2),
    ],
)
def test_a_list_may_be_longer_than_the_number_of_players_or_cards(
    state: str, item: str, most: int, tmp_path: Path
) -> None:
    rows = "    rows:\n      - id: one\n"
    (tmp_path / "cards.yaml").write_text("tables:\n  Card:\n    provenance: {assumed: test}\n" + rows)
    more = f'\ncomponent Card from "cards.yaml"\n\nscore grown: size({"a" if "up" in state else item})\n'
    path = written(tmp_path, f"state a: {state}", f"a {'+=' if 'up' in state else ':='} {item}", more)
    assert not errors(path)
    game = spec.load(path)
    assert [score.value.type for score in game.scores if score.path == "score.grown"] == [Range(0, most)]
    assert max(Simulation(game).play(Generator(0)).scores) <= 2 * most, "both scores must count the element"
