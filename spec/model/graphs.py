"""Graphs of names: reachability, predecessors, strongly connected components."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reachable(starts: Iterable[Node], following: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """The starts and all nodes that they lead to. following: the next nodes of a node; asked once for each."""
    waiting = list(dict.fromkeys(starts))
    found = set(waiting)
    while waiting:
        more = set(following(waiting.pop())) - found
        found |= more
        waiting += more
    return found


def leading_to(ends: Iterable[Node], asked: Mapping[Node, Collection[Node]]) -> frozenset[Node]:
    """The ends and all nodes that lead to one of them. asked: the next nodes of each node."""
    before: dict[Node, list[Node]] = {}
    for node, others in asked.items():
        for other in others:
            before.setdefault(other, []).append(node)
    return frozenset(reachable(ends, lambda node: before.get(node, ())))


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
