"""Wrong usage of a command, in the language that its arguments select.

The messages that somebody who judges or shows logs may see have an entry in the catalogue; any other stays English.
They are written from the data of click's exceptions where these have any. Of the others the sentence is all that click
gives: its checks of values, and of how many words there are, raise nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from ludex.grammar import Message, languages

from .output_language import translated

_CLICKS = {
    "usage-needs-value": r"Option '(?P<name>.*)' requires an argument\.",
    "usage-takes-none": r"Option '(?P<name>.*)' does not take a value\.",
    "usage-not-valid": r"'(?P<value>.*)' is not a valid (?P<kind>.*)\.",
    "usage-not-among": r"'(?P<value>.*)' is not one of (?P<choices>.*)\.",
    "usage-outside": r"(?P<value>.*) is not in the range (?P<range>.*)\.",
    "usage-too-many": r"Got unexpected extra argument \((?P<names>.*)\)",
    "usage-too-many-several": r"Got unexpected extra arguments \((?P<names>.*)\)",
    "usage-no-file": r"File '(?P<name>.*)' does not exist\.",
    "usage-no-directory": r"Directory '(?P<name>.*)' does not exist\.",
    "usage-no-path": r"Path '(?P<name>.*)' does not exist\.",
    "usage-is-directory": r"File '(?P<name>.*)' is a directory\.",
    "usage-is-file": r"Directory '(?P<name>.*)' is a file\.",
    "usage-not-readable": r"File '(?P<name>.*)' is not readable\.",
    "usage-not-writable": r"File '(?P<name>.*)' is not writable\.",
}
"""Sentences of click by entries of the catalogue, whose arguments are the groups."""
_TOO_LONG = re.compile("[^\\s`'\u2066-\u2069]{200,}")
"""A run of signs that would fill the screen. Quotes and marks of direction may enclose it and are kept."""
_KINDS = {"whole number": "usage-whole-number", "integer": "usage-integer"}


def wrong_usage(fault: click.ClickException, given: Sequence[str]) -> str:
    """Write how a command is used, and what was wrong. given: the words of the command line."""
    own = _language(given)
    rows: list[str] = []
    context = fault.ctx if isinstance(fault, click.UsageError) else None
    if context is not None:
        usage = context.get_usage().partition(": ")[2]
        rows = [Message("usage-of", usage=usage), Message("usage-try", command=f"{context.command_path} --help"), ""]
    told_rows = [translated(row, own) for row in (*rows, Message("usage-error", message=_message(fault)))]
    return "\n".join(_TOO_LONG.sub(lambda run: f"{run[0][:37]}...", row) for row in told_rows)


def _language(given: Sequence[str]) -> str:
    """Find the language that is asked for; click need not have come so far."""
    # The option may be written `--lang ru` or `--lang=ru`.
    for word, following in zip(given, [*given[1:], ""], strict=True):
        name, _, value = word.partition("=")
        tag = (value or following).strip().lower()
        if name == "--lang" and tag in languages():
            return tag
    return "en"


def _message(fault: click.ClickException) -> str:
    match fault:
        case click.MissingParameter(param=click.Parameter() as parameter):
            is_argument = isinstance(parameter, click.Argument)
            return Message("usage-no-argument" if is_argument else "usage-no-value", name=_name(parameter, fault))
        case click.NoSuchOption(option_name=option, possibilities=near) if near:
            entry = "usage-no-option-near" if len(near) == 1 else "usage-no-option-among"
            return Message(entry, name=option, near=", ".join(repr(each) for each in sorted(near)))
        case click.NoSuchOption(option_name=option):
            return Message("usage-no-option", name=option)
        case click.BadParameter(message=message, param=parameter):
            own = message if isinstance(message, Message) else _translated(str(message))
            return Message("usage-invalid", name=_name(parameter, fault), message=own) if parameter else own
    return fault.message if isinstance(fault.message, Message) else _translated(fault.format_message())


def _name(parameter: click.Parameter, fault: click.UsageError) -> str:
    # click quotes the name, and so do the entries of the catalogue, so its quotes are cut off.
    return str(parameter.get_error_hint(fault.ctx))[1:-1]


def _translated(sentence: str) -> str:
    """Return a sentence of click as a message, if the catalogue has it."""
    for entry, pattern in _CLICKS.items():
        if match := re.fullmatch(pattern, sentence, re.DOTALL):
            parts = {
                name: Message(_KINDS[text]) if text in _KINDS else text for name, text in match.groupdict().items()
            }
            return Message(entry, **parts)
    return sentence
