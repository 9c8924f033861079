"""`ludex explain`: the page of a code, as `docs/errors.md` has it."""

from __future__ import annotations

import re
from importlib.resources import files

import click

from ..command import format_option, message_lang_option, subcommand
from ..reporting import language, put, say, style, words

CODE = re.compile(r"^### (?P<code>[A-Z]\d+) (?P<name>\S+)$", re.MULTILINE)
PAGE = "errors.md"
WARNING = "*A warning.* "
MEND, MENDED = "**To mend it:** ", "Mended:"


@subcommand("explain", "explain L460\nexplain illegal-move")
@click.argument("code")
@message_lang_option
@format_option
def command(code: str, format: str) -> None:  # noqa: A002 - the option's name
    """Print what a code or its name means: what is wrong, how to mend it, and a sample with its report."""
    pages = _pages()
    page = next((page for page in pages if code.upper() == page["code"] or code.lower() == page["name"]), None)
    if page is None:
        from ludex.grammar import Message, did_you_mean, shown_text

        known = [page[key] for page in pages for key in ("code", "name")]
        hint = (
            did_you_mean(code.upper(), known)
            or did_you_mean(code.lower(), known)
            or Message("usage-all-codes", page="docs/errors.md")
        )
        raise click.UsageError(Message("usage-no-code", code=shown_text(code), hint=hint))
    page = _in_language(page)
    if format == "json":
        from ..reporting import json_text

        put(json_text(page))
    else:
        say(_shown(page))


def _pages() -> list[dict[str, str]]:
    """Read the page of all codes: for each the code, name, severity, and the text below its heading."""
    text = files("ludex.cli.reporting").joinpath(PAGE).read_text(encoding="utf-8")
    headings = list(CODE.finditer(text))
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    pages = []
    for heading, end in zip(headings, ends, strict=True):
        # The last code of a section is followed by the heading of the next one.
        body = text[heading.end() : end].partition("\n## ")[0].strip()
        severity = "warning" if body.startswith(WARNING) else "error"
        pages.append({**heading.groupdict(), "severity": severity, "text": body.removeprefix(WARNING)})
    return pages


def _in_language(page: dict[str, str]) -> dict[str, str]:
    """Return the page in the command's language, as far as it is written there; the report of the sample is English."""
    from ludex.grammar import words_of_code

    translated = words_of_code(page["code"], language())
    if translated is None:
        return page
    meaning, mend = translated
    # Only the English page has samples.
    samples = (
        page["text"].partition(MEND)[2].partition("\n\n")[2].replace(f"\n{MENDED}\n", f"\n{words('explain-mended')}\n")
    )
    return {**page, "text": "\n\n".join([meaning, words("explain-mend", words=mend), samples])}


def _shown(page: dict[str, str]) -> str:
    """Return a page as a terminal shows it: samples are indented, and nothing is left of the marks of Markdown."""
    head = words(f"explain-{page['severity']}", code=style(page["code"], bold=True), name=page["name"])
    lines, fenced = [head, ""], False
    for line in page["text"].split("\n"):
        if line.startswith("```"):
            fenced = not fenced
        else:
            lines.append(f"    {line}".rstrip() if fenced else line.replace("**", ""))
    return "\n".join(lines)
