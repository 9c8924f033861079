"""The sets of names that nodes of the model read are cached by node, and never confused."""

from __future__ import annotations

from ludex.grammar import Span
from ludex.spec import model as m
from ludex.spec import types as t
from ludex.spec.model.analysis import Reads, reading

HERE = Span("made.ludex", 1, 1, 1, 2)
NUMBER = t.Range(0, 9)


def test_a_new_node_does_not_get_the_cached_set_of_a_deleted_one() -> None:
    reads = reading(())
    assert [reads(m.Local(NUMBER, HERE, slot)).free for slot in range(100)] == [{slot} for slot in range(100)]


def test_slots_bound_inside_are_not_free() -> None:
    loop = m.Loop("each", 1, NUMBER, m.Local(t.SetOf(NUMBER), HERE, 2))
    slots = reading(())(m.Quantifier(t.Bool(), HERE, "some", (loop,), None, m.Local(t.Bool(), HERE, 1)))
    assert slots == Reads(free=frozenset({2}), slots=frozenset({1, 2}), bound=frozenset({1}), state=False)


def test_a_call_reads_what_its_define_reads() -> None:
    call = m.CallDefine(NUMBER, HERE, "worth", ())
    assert reading({"worth"})(call).state
    assert not reading(())(call).state
