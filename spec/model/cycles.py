"""Which of several things ask for each other round and round."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def all_rings(asked: Mapping[Node, Iterable[Node]]) -> Iterator[list[Node]]:
    """The strongly connected components, those that others ask for first (Tarjan's algorithm, without recursion)."""
    order: dict[Node, int] = {}
    low: dict[Node, int] = {}
    path: list[Node] = []
    on_path: set[Node] = set()
    for root in asked:
        if root in order:
            continue
        waiting: list[tuple[Node, Iterator[Node]]] = [(root, iter(asked[root]))]
        order[root] = low[root] = len(order)
        path.append(root)
        on_path.add(root)
        while waiting:
            node, others = waiting[-1]
            following = next(others, None)
            if following is None:
                waiting.pop()
                if waiting:
                    low[waiting[-1][0]] = min(low[waiting[-1][0]], low[node])
                if low[node] == order[node]:
                    ring = [path.pop()]
                    while ring[-1] != node:
                        ring.append(path.pop())
                    on_path.difference_update(ring)
                    yield ring[::-1]
            elif following not in order:
                order[following] = low[following] = len(order)
                path.append(following)
                on_path.add(following)
                waiting.append((following, iter(asked.get(following, ()))))
            elif following in on_path:
                low[node] = min(low[node], order[following])


def way_round(start: Node, asked: Mapping[Node, Iterable[Node]]) -> tuple[Node, ...]:
    """A shortest way from one of them back to itself, without the end; () if there is none."""
    before: dict[Node, Node] = {}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for following in asked.get(node, ()):
            if following == start:
                way = [node]
                while way[-1] != start:
                    way.append(before[way[-1]])
                return tuple(reversed(way))
            if following not in before:
                before[following] = node
                waiting.append(following)
    return ()
