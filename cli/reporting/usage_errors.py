"""Wrong usage of a command, in the language that its arguments select.

Click knows English sentences only. Those that somebody who judges or shows logs may meet have an entry in the
catalogue; any other stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from ludex.grammar import Message, languages

from .output_language import told

_CLICKS = {
    "usage-no-argument": r"Missing argument '(?P<name>.*)'\.",
    "usage-no-value": r"Missing option '(?P<name>.*)'\.",
    "usage-no-option": r"No such option '(?P<name>[^']*)'\.",
    "usage-no-option-near": r"No such option '(?P<name>[^']*)'\. Did you mean (?P<near>.*)\?",
    "usage-no-option-among": r"No such option '(?P<name>[^']*)'\. \(Did you mean one of: (?P<near>.*)\?\)",
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
    told_rows = [told(row, own) for row in (*rows, Message("usage-error", message=_message(fault)))]
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
    if isinstance(fault, click.BadParameter) and not isinstance(fault, click.MissingParameter):
        own = fault.message if isinstance(fault.message, Message) else _translated(str(fault.message))
        # The name is in quotes, which the entry has, too.
        name = fault.param.get_error_hint(fault.ctx)[1:-1] if fault.param else ""
        return Message("usage-invalid", name=name, message=own) if name else own
    return fault.message if isinstance(fault.message, Message) else _translated(fault.format_message())


def _translated(sentence: str) -> str:
    """Return a sentence of click as a message, if the catalogue has it."""
    for entry, pattern in _CLICKS.items():
        if match := re.fullmatch(pattern, sentence, re.DOTALL):
            parts = {
                name: Message(_KINDS[text]) if text in _KINDS else text for name, text in match.groupdict().items()
            }
            return Message(entry, **parts)
    return sentence
