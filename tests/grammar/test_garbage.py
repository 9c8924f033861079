"""Garbage collection: when all blocks have ended, its thresholds are restored, and new objects count as old."""

from __future__ import annotations

import gc

import pytest

from ludex.grammar import seldom_collecting
from ludex.grammar.garbage import MANY_OBJECTS, SELDOM


def test_blocks_may_end_in_any_order() -> None:
    before = gc.get_threshold()
    first, second = seldom_collecting(), seldom_collecting()
    first.__enter__()
    second.__enter__()  # as another thread does during the first block
    first.__exit__(None, None, None)
    assert gc.get_threshold() == SELDOM
    second.__exit__(None, None, None)
    assert gc.get_threshold() == before


def test_a_block_that_fails_restores_the_thresholds() -> None:
    before = gc.get_threshold()
    with pytest.raises(KeyError), seldom_collecting():
        raise KeyError
    assert gc.get_threshold() == before


def test_what_a_block_leaves_is_searched_for_cycles_once() -> None:
    with seldom_collecting():
        kept = [[number] for number in range(MANY_OBJECTS + 1_000)]
    old = set(map(id, gc.get_objects(generation=2)))
    assert all(id(each) in old for each in kept)
