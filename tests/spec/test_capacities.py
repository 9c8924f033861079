"""How many a collection may hold: written, or found; what grows from itself without a word on it is refused."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import ludex
from ludex import spec
from ludex.interpreter import Simulation

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
def test_what_grows_from_itself_is_refused_once_and_bounded_by_a_word(name: str, tmp_path: Path) -> None:
    states, steps, more = GROWING[name]
    path = written(tmp_path, states.format(""), steps, more)
    assert [code for code, _ in errors(path)] == ["E316"], ludex.check(path)
    path = written(tmp_path, states.format(" up to 9"), steps, more)
    assert not errors(path), "a capacity is the remedy"
    assert spec.load(path).capacities["a", None, 0] == 9


def test_an_action_that_performs_another_with_more_each_time_is_refused(tmp_path: Path) -> None:
    more = "\naction pass_on(l: list of N)\n  go: keep(l + list(k for k in {1}))\n\naction keep(l: list of N)\n"
    more += "  go: a := l\n"
    path = written(tmp_path, LIST.format(""), "pass_on(a)", more)
    assert [code for code, _ in errors(path)] == ["E316"]
    bounded = written(tmp_path, LIST.format(""), f"pass_on({ONE})", more)
    assert not errors(bounded)
    assert spec.load(bounded).capacities["a", None, 0] == 2, "the argument of the call, and one more"


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
def test_a_capacity_is_found(name: str, tmp_path: Path) -> None:
    states, steps, most = FOUND[name]
    path = written(tmp_path, states, steps)
    assert not errors(path), ludex.check(path)
    assert spec.load(path).capacities["a", None, 0] == most


def test_more_than_the_capacity_is_a_fault_that_names_the_clause(tmp_path: Path) -> None:
    path = written(tmp_path, LIST.format(" up to 9"), f"a += {ONE}")
    (fault,) = Simulation(spec.load(path)).play(Random(1)).faults
    assert "this holds 10, and at most 9 fit here" in fault.message
    assert [why.clause for why in fault.why] == ["act.go"]


def test_a_local_state_and_a_parameter_take_a_capacity(tmp_path: Path) -> None:
    steps = f"state c: list of N up to 3 = {ONE}\n    repeat 2 times\n      c += {ONE}\n    keep(c)"
    more = "\naction keep(l: list of N up to 4)\n  go: a := l\n"
    path = written(tmp_path, LIST.format(""), steps, more)
    assert not errors(path), ludex.check(path)
    assert spec.load(path).capacities["a", None, 0] == 4
    assert not Simulation(spec.load(path)).play(Random(1)).faults
