"""What is found about editions, as JSON: it is what the published schema says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ludex.grammar import parse, whole_file
from ludex.interpreter import (
    Beside,
    Bounds,
    Finding,
    Shown,
    Side,
    comparison_to_json,
    difference_schema,
    unplayed,
)
from ludex.interpreter.differences.deciding import Decision, Situation
from ludex.spec import Comparison, Ruling, compare

EN = "score far: 1  [en 3-4, 7]\nnote year = 1  [en 1]\naction go\n  step: nothing  [en 9]"
RU = 'score far: 2  [ru 5]\naction go\n  step: nothing  ruling "as ever"'


@pytest.fixture(scope="module")
def valid() -> Draft202012Validator:
    schema = difference_schema()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def compared(**texts: str) -> Comparison:
    return compare(
        {name: parse(f"edition {name} of game\n{text}", f"{name}.ludex").module for name, text in texts.items()}
    )


def judged(comparison: Comparison) -> Iterator[Finding]:
    """Findings as a search would give them, with a game that shows the first."""
    en = Side("en", True, (("score.far", ("en 3-4", "en 7")),), "en counts 1", (1, 0))
    ru = Side("ru", None, (("score.far", ("ru 5",)),), "ru counts 2", (2, 0))
    lines = ({"ludex": 1, "game": "game"}, {"player": 1, "action": "go", "args": {}})
    for number, each in enumerate(unplayed(comparison)):
        bounds = Bounds(3, 40, 8, 0.25, number == 1, states=30)
        shown = Shown(2, lines, 3, en, ru) if number == 0 else None
        yield Finding(each.divergence, "incomparable", "score", "a game shows it", shown, shown is None, bounds)


def made(findings: Iterator[Finding] | None = None, beside: Beside | None = None) -> dict[str, Any]:
    comparison = compared(en=EN, ru=RU)
    return comparison_to_json("game", comparison, findings or judged(comparison), {"en": "en.txt"}, beside or Beside())


def test_a_run_is_as_the_schema_says(valid: Draft202012Validator) -> None:
    told = made()
    valid.validate(told)
    assert [each["clause"] for each in told["divergences"]] == ["score.far", "year"]
    assert told["divergences"][0]["statements"]["en"]["citations"] == [
        {"source": "en.txt", "lines": [3, 4]},
        {"source": "en.txt", "lines": [7, 7]},
    ]
    assert told["divergences"][1]["statements"]["ru"] is None
    assert [each["clause"] for each in told["agreements"]] == ["go", "go.step"]


def test_bounds_are_summed_up() -> None:
    assert made()["bounds"] == {
        "searches": 2, "seeds": 6, "events": 80, "states": 60, "depth": 8, "seconds": 0.5, "timed_out": 1,
        "late": ["year"], "not_reached": 0, "unreached": [], "faults": 0, "tables": [], "effort": None,
    }  # fmt: skip


def test_what_was_decided_is_told_with_small_states(valid: Draft202012Validator) -> None:
    first, second = judged(compared(en=EN, ru=RU))
    case = Situation(2, "go", ("far = 1", "me = anna"))
    one = replace(first, decision=Decision("stricter", "", "solver", left_only=case))
    two = replace(second, verdict="unknown", decision=Decision("unknown", "too many", "", case, case))
    told = made(iter([one, two]))
    valid.validate(told)
    state = {"players": 2, "place": "go", "state": ["far = 1", "me = anna"]}
    assert [each["decision"] for each in told["divergences"]] == [
        {"by": "solver", "reason": "", "cases": [{"allowed_by": "left", **state}]},
        {"by": "", "reason": "too many", "cases": [{"allowed_by": "neither", **state}]},
    ]


def test_what_is_said_in_other_words_is_an_agreement(valid: Draft202012Validator) -> None:
    first, second = judged(compared(en=EN, ru=RU))
    one = replace(first.divergence, groups=(("en", "ru"),))
    told = made(iter([replace(first, divergence=one, verdict="equal", effect="none", witness=None), second]))
    valid.validate(told)
    assert [each["clause"] for each in told["divergences"]] == ["year"]
    assert {each["clause"]: each["by"] for each in told["agreements"]}["score.far"] != "form"
    silent = made(iter([replace(first, verdict="equal"), second]))
    assert [each["clause"] for each in silent["divergences"]] == ["score.far", "year"], "silence is no agreement"


def test_clauses_that_agree_together_are_one_agreement_with_all_their_lines(valid: Draft202012Validator) -> None:
    en = "define worth(n: 1..3): 0..9 = 2 * n  [en 1]\nscore far: if big(me) then worth(2) else 0  [en 2]"
    ru = "define worth(n: 1..3): 0..9 = if big(me) then 2 * n else 0  [ru 5]\nscore far: worth(2)  [ru 6]"
    told = comparison_to_json("game", compared(en=en, ru=ru), iter(()), {"en": "en.txt"})
    valid.validate(told)
    (one,) = told["agreements"]
    assert (one["clause"], one["together"], told["divergences"]) == ("score.far", ["worth"], [])
    assert [each["lines"] for each in one["citations"]["ru"]] == [[6, 6], [5, 5]]


def test_without_play_what_could_matter_is_a_candidate(valid: Draft202012Validator) -> None:
    told = made(unplayed(compared(en=EN, ru=RU)))
    valid.validate(told)
    assert [(each["effect"], each["candidate"]) for each in told["divergences"]] == [("unknown", True), ("none", False)]
    assert told["bounds"]["searches"] == 0


def test_logs_and_rulings_stand_beside(valid: Draft202012Validator) -> None:
    first = made()["divergences"][0]["id"]
    ruling = Ruling("score.far", {"en": "silent"}, "en", "it is older", whole_file("rulings.yaml"))
    told = made(beside=Beside({first: {"en": "aaaaaaaa"}}, {first: ruling}, {first: ("out/far.jsonl",)}))
    valid.validate(told)
    far = told["divergences"][0]
    assert (far["witness"]["log"], far["says"]) == ("out/far.jsonl", {"en": "aaaaaaaa"})
    assert far["ruling"] == {"decision": "en", "reason": "it is older"}


def test_the_schema_refuses_what_is_wrong(valid: Draft202012Validator) -> None:
    for clause, name, wrong in ((0, "kind", "bad"), (0, "effect", None), (1, "statements", {"en": 3})):
        told = made()
        told["divergences"][clause][name] = wrong
        assert not valid.is_valid(told), name
