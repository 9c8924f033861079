"""Elaboration of field access, `x.f`: a table over all values of the record."""

from __future__ import annotations

from ..values.types import ComponentType, Never, Record, Type, Value, Words, join, optional


def field_names(type_: Type) -> list[str]:
    """Return the names of the fields of a record, columns of a component, or data of words; none for other types."""
    match type_:
        case Record(fields=fields):
            return [name for name, _ in fields]
        case ComponentType(columns=columns):
            return [name for name, _ in columns]
        case Words(cases=cases):
            # Several words may have a part of one name.
            return sorted({name for case in cases for name, _ in case.fields})
        case _:
            return []


def field_table(type_: Type, name: str) -> tuple[Type, tuple[Value, ...]] | None:
    """Return the type of a field, and its value for every value of the type, in order; None if there is no such
    field."""
    match type_:
        case Record(fields=fields, members=members):
            names = [field for field, _ in fields]
            if name not in names:
                return None
            at = names.index(name)
            return fields[at][1], tuple(member[at] for member in members)
        case ComponentType(columns=columns, rows=rows):
            names = [column for column, _ in columns]
            if name not in names:
                return None
            at = names.index(name)
            return columns[at][1], tuple(row[at] for row in rows)
        case Words():
            return _word_field(type_, name)
        case _:
            return None


def _word_field(words: Words, name: str) -> tuple[Type, tuple[Value, ...]] | None:
    type_: Type = Never()
    everywhere = True
    for case in words.cases:
        types = dict(case.fields)
        if name not in types:
            everywhere = False
            continue
        joined = join(type_, types[name])
        if joined is None:
            return None
        type_ = joined
    if isinstance(type_, Never):
        return None
    table = []
    for word, data in words.members:
        case_ = words.case(word)
        assert case_ is not None
        names = [field for field, _ in case_.fields]
        table.append(data[names.index(name)] if name in names else None)
    # A word without this part gives `none`.
    return (type_ if everywhere else optional(type_)), tuple(table)
