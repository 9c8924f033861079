"""Where the texts part, at the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from ludex.interpreter import Played
from ludex.spec import Section, Text, TextRow

from ..report import plural
from ..terminal import style
from ..texts import visible
from . import words as w

FOLDED = (Section.SUMMARY,)
"""Of these only the number is told, unless everything is asked for."""


def to_text(
    title: str,
    rows: Sequence[TextRow],
    effects: Mapping[str, Played],
    texts: Mapping[str, Text],
    language: str = "en",
    everything: bool = False,
) -> str:
    """The report; styled, which `say` undoes where it is not wanted. effects: by the name of a row."""
    told = [row for row in rows if everything or (row.matters and row.section not in FOLDED)]
    names = w.listed([w.title(text, language) for text in texts.values()], language)
    out = [style(f"{visible(title)}: {visible(names)}", bold=True)]
    for section, group in groupby(told, key=lambda row: row.section):
        out += ["", style(w.SECTIONS[section][language], bold=True)]
        for number, row in enumerate(group, 1):
            out += [
                f"{number:>3}. {line}" if not at else f"     {line}"
                for at, line in enumerate(_row(row, texts, language))
            ]
            out += [f"     {line}" for line in _effect(effects.get(row.name), texts, language)]
    left = len(rows) - len(told)
    if left:
        out += ["", f"{plural(left, 'row')} that bind nobody or that only a summary leaves out: --all tells them"]
    return "\n".join(out)


def _row(row: TextRow, texts: Mapping[str, Text], language: str) -> Iterator[str]:
    yield f"{visible(w.told(row.about, language))}  ({visible(row.name)})"
    for said in row.said:
        names = w.listed([w.title(texts[name], language) for name in said.lines if name in texts], language)
        cited = " ".join(f"[{name} {lines}]" for name, lines in said.lines.items())
        words = w.told(said.words, language)
        if said.between:
            words = f"{w.PHRASES['open'][language]}: " + " / ".join(w.told(each, language) for each in said.between)
        yield visible(f"{names}: {words or row.name}  {cited}")
        for name, added in said.adds.items():
            yield visible(f"  {w.title(texts[name], language)}: {w.PHRASES['adds'][language]}: {added}")
    for name, near in row.silent.items():
        phrase = w.PHRASES["silent"][language]
        yield visible(f"{w.title(texts[name], language)}: {phrase}  ({w.PHRASES['near'][language]} [{name} {near}])")
    if row.lost and row.section is not Section.LACUNA:
        names = w.listed([w.title(texts[name], language) for name in row.lost], language)
        yield visible(f"{names}: {w.PHRASES['lost'][language]}")
    if row.section is Section.LACUNA:
        yield visible(f"{plural(len(row.clauses), 'clause')} that other texts state")


def _effect(effect: Played | None, texts: Mapping[str, Text], language: str) -> Iterator[str]:
    if effect is None:
        return
    if effect.shown is not None:
        left, right = effect.shown.left, effect.shown.right
        yield visible(f"In play ({effect.parting}), after {plural(effect.shown.line - 2, 'event')}:")
        for side in (left, right):
            name = w.title(texts[side.edition], language) if side.edition in texts else side.edition
            yield visible(f"  {name}: {side.told}")
    elif effect.searched is not None:
        yield f"In play: no game was found that shows it ({effect.searched.events:,} events)"
