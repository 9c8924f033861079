"""`ludex explain`: the page of a code, as `docs/errors.md` has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..command import format_option, message_lang_option, subcommand
from ..reporting import language, put, say, style, words

if TYPE_CHECKING:
    from ..reporting import CodePage


@subcommand("explain", "explain L460\nexplain illegal-move")
@click.argument("code")
@message_lang_option
@format_option
def command(code: str, format: str) -> None:  # noqa: A002 - the option's name
    """Print what a code or its name means: what is wrong, how to mend it, and a sample with its report."""
    from ..reporting import fenced, indented, json_text, severity_of

    is_json = format == "json"
    page = _page(code, marked=is_json)
    name, severity = page.code.name, severity_of(page.code)
    if is_json:
        text = "\n".join(page.rows(fenced)).strip()
        put(json_text({"code": page.code.code, "name": name, "severity": severity, "text": text}))
    else:
        head = words(f"explain-{severity}", code=style(page.code.code, bold=True), name=name)
        say("\n".join([head, "", *page.rows(indented)]).rstrip())


def _page(word: str, marked: bool) -> CodePage:
    """Return the page of a code in the command's language, as far as it is written there.

    word: the code, or its name. marked: whether an English page has the marks of Markdown."""
    from ludex.grammar import ENGLISH, Message, code_in_language

    from ..reporting import CODE_GROUPS, CodePage, code_of, code_samples, english_page

    code = code_of(word)
    if code is None:
        from ludex.grammar import did_you_mean, shown_text

        known = [name for group in CODE_GROUPS for code in group.codes for name in (code.code, code.name)]
        hint = (
            did_you_mean(word.upper(), known)
            or did_you_mean(word.lower(), known)
            or Message("usage-all-codes", page="docs/errors.md")
        )
        raise click.UsageError(Message("usage-no-code", code=shown_text(word), hint=hint))
    sample, translated = code_samples().get(code.code), code_in_language(code, language())
    is_english = language() in (None, ENGLISH)
    if marked and is_english:
        return english_page(code, sample)
    shown = translated or code
    note = f"{words('explain-in-english')}\n\n" if translated is None and not is_english else ""
    description, mend = f"{note}{shown.description}", words("explain-mend", words=shown.mend)
    return CodePage(code, description, mend, words("explain-mended"), sample and sample.told(language()))
