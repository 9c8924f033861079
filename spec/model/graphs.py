"""Graphs of names: reachability, predecessors, strongly connected components."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reachable(starts: Iterable[Node], following: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """Return the starts and all nodes that can be reached from them.

    following: returns the successors of a node; called once for each node."""
    waiting = list(dict.fromkeys(starts))
    known = set(waiting)
    while waiting:
        more = set(following(waiting.pop())) - known
        known |= more
        waiting += more
    return known


def leading_to(ends: Iterable[Node], successors: Mapping[Node, Collection[Node]]) -> frozenset[Node]:
    """Return the ends and all nodes from which one of them can be reached.

    successors: the successors of each node."""
    before: dict[Node, list[Node]] = {}
    for node, others in successors.items():
        for other in others:
            before.setdefault(other, []).append(node)
    return frozenset(reachable(ends, lambda node: before.get(node, ())))


def strongly_connected(successors: Mapping[Node, Iterable[Node]]) -> Iterator[list[Node]]:
    """Yield the strongly connected components of a graph, each after the components that it leads to.

    This is Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972) with a stack of its own in place
    of recursion, since a game may have longer chains than Python's stack allows. successors: those of each node."""
    order: dict[Node, int] = {}
    low: dict[Node, int] = {}
    path: list[Node] = []
    on_path: set[Node] = set()
    for root in successors:
        if root in order:
            continue
        waiting: list[tuple[Node, Iterator[Node]]] = [(root, iter(successors[root]))]
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
                    component = [path.pop()]
                    while component[-1] != node:
                        component.append(path.pop())
                    on_path.difference_update(component)
                    yield component[::-1]
            elif following not in order:
                order[following] = low[following] = len(order)
                path.append(following)
                on_path.add(following)
                waiting.append((following, iter(successors.get(following, ()))))
            elif following in on_path:
                low[node] = min(low[node], order[following])


def shortest_cycle(start: Node, successors: Mapping[Node, Iterable[Node]]) -> tuple[Node, ...]:
    """Return the nodes of a shortest cycle through a node, from that node on; () if there is none."""
    before: dict[Node, Node] = {}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for following in successors.get(node, ()):
            if following == start:
                cycle = [node]
                while cycle[-1] != start:
                    cycle.append(before[cycle[-1]])
                return tuple(reversed(cycle))
            if following not in before:
                before[following] = node
                waiting.append(following)
    return ()
