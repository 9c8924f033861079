"""Parser of logs written by hand in YAML: a mapping with a list `events`, or a list."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from ludex.grammar import YAML_TOO_LARGE, Diagnostic, Message, Span, decode, whole_file
from ludex.grammar import yaml_tree as y
from ludex.spec import found_words

from .. import log_codes
from .json_lines import MAX_DAMAGED, first_damaged
from .records import Log, NodeLayout, Record, not_an_object, nothing


def parse_yaml(content: bytes, file: str) -> Log:
    """Parse a YAML log, as `parse_log` does."""
    # YAML ends lines in three ways. They are made one before decoding, so that every fault counts the same lines.
    text = decode(content.replace(b"\r\n", b"\n").replace(b"\r", b"\n"), file)
    if isinstance(text, Diagnostic):
        return nothing(file, text)
    root, faults = y.read_yaml(text, file)
    match root:
        case None:
            return nothing(file, *map(_with_way_out, faults))
        case y.Scalar(value=None):
            return nothing(file, *faults, Diagnostic(log_codes.EMPTY_LOG, Message("log-empty"), root.span))
        case y.Items(items=items):
            return replace(_yaml_list(file, items, faults), yaml=text)
        case y.Fields():
            return replace(_yaml_mapping(file, root, faults), yaml=text)
        case _:
            shape = Message("log-shape", found=found_words(y.plain(root)))
            return nothing(file, *faults, Diagnostic(log_codes.YAML_LOG_SHAPE, shape, root.span))


def _with_way_out(finding: Diagnostic) -> Diagnostic:
    return replace(finding, hint=Message("log-write-json-lines")) if finding.code is YAML_TOO_LARGE else finding


def _yaml_list(file: str, items: tuple[y.Node, ...], faults: tuple[Diagnostic, ...]) -> Log:
    if not items:
        return nothing(file, *faults, Diagnostic(log_codes.EMPTY_LOG, Message("log-empty"), whole_file(file)))
    records, more = _node_records(items, faults)
    return Log(file, records[0], records[1:], (*faults, *more))


def _yaml_mapping(file: str, root: y.Fields, faults: tuple[Diagnostic, ...]) -> Log:
    # The events are read one by one, and are not part of the header.
    head = y.Fields({name: entry for name, entry in root.entries.items() if name != "events"}, root.span)
    entry = root.entries.get("events")
    events = entry.node if entry else y.Items((), root.span)
    if not isinstance(events, y.Items):
        shape = Message("log-events-shape", found=found_words(y.plain(events)))
        faults = (*faults, Diagnostic(log_codes.YAML_LOG_SHAPE, shape, events.span, pointer="/events"))
        # The header can still be checked.
        events = y.Items((), events.span)
    records, more = _node_records(events.items, faults)
    return Log(file, Record(y.plain(head), NodeLayout(head)), records, (*faults, *more))


def _node_records(
    nodes: tuple[y.Node, ...], faults: tuple[Diagnostic, ...]
) -> tuple[tuple[Record, ...], list[Diagnostic]]:
    """Make a record for each node, without data if a fault is inside it; return also faults of nodes that are not
    objects. After many of these the rest is skipped."""
    records: list[Record] = []
    more: list[Diagnostic] = []
    # The faults are sorted once, since to go through all of them for each node would take quadratic time.
    places = sorted((fault.span.line, fault.span.column) for fault in faults if fault.is_error)
    for node in nodes:
        layout = NodeLayout(node)
        damaged = _any_inside(places, node.span)
        data = y.plain(node)
        # A fault inside it was reported already.
        if not damaged and not isinstance(data, dict):
            more.append(not_an_object(data, layout))
        records.append(Record(data if isinstance(data, dict) and not damaged else None, layout))
        if len(more) > MAX_DAMAGED:
            break
    return tuple(records), list(first_damaged(more, nodes[-1].span.line)) if more else []


def _any_inside(places: Sequence[tuple[int, int]], outer: Span) -> bool:
    """Test whether one of the places, which are in reading order, is in the span."""
    first = bisect_left(places, (outer.line, outer.column))
    return first < len(places) and places[first] <= (outer.end_line, outer.end_column)
