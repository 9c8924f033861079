"""Builder of the report in one language, from the rows and the results of playing them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from ludex.grammar import LineRanges, enumerated, in_language, lines_text, rebuilt_value
from ludex.interpreter import RowResult
from ludex.spec import RowRuling, Section, Text, TextRow, differing_words, mark_of, pieces

from ..reporting import Books
from . import report_model as r
from .phrases import Phrases, in_words_of, title_of

_MOST_LINES = 12
"""The largest number of lines of one text that are quoted in a part of a row."""
MOST_SENTENCES = 4
"""The largest number of parts of a row that its sentence mentions."""
EFFECTS = ("legal-moves", "score", "setup")
_NOTHING = r.Ruled("", "", "")


@dataclass(frozen=True, slots=True)
class ReportInput:
    """The input of a report.

    Attributes:
        title: the game's title.
        texts: those that are compared.
        played: the result of each row, by its name.
        rulings: the team's rulings, or None if there is no file: then no row is new.
        seen: names of the rows that the file has.
        books: the texts' lines, if the reader has them.
        complete: nobody interrupted the search for witnesses.
        written: writes lines of a text.
    """

    game: str
    title: str
    texts: Mapping[str, Text]
    rows: Sequence[TextRow]
    played: Mapping[str, RowResult] = field(default_factory=dict)
    rulings: Sequence[RowRuling] = ()
    seen: frozenset[str] | None = None
    books: Books | None = None
    complete: bool = True
    written: Callable[[str, LineRanges], str] = lambda _, lines: lines_text(lines)


def build_report(known: ReportInput, language: str) -> r.DiffReport:
    """Build the report in a language of the catalogue."""
    maker = _ReportBuilder(known, language, Phrases(language))
    texts = tuple(r.Named(siglum, maker.title(siglum)) for siglum in known.texts)
    return r.DiffReport(known.game, known.title, language, texts, tuple(maker.chapters()), known.complete)


@dataclass(frozen=True, slots=True)
class _ReportBuilder:
    known: ReportInput
    language: str
    phrases: Phrases

    def title(self, siglum: str) -> str:
        return title_of(self.known.texts[siglum], self.language) if siglum in self.known.texts else siglum

    def chapters(self) -> Iterator[r.Chapter]:
        rulings = {each.row: each for each in self.known.rulings}
        rows = sorted(self.known.rows, key=lambda row: list(Section).index(row.section))
        for section, group in groupby(rows, key=lambda row: row.section):
            # The sort is stable: rows of equal weight keep the order of the clauses.
            ranked = sorted(group, key=lambda row: (not self._matters(row), self._rank(row)))
            numbered = tuple(self._row(number, row, rulings.get(row.name)) for number, row in enumerate(ranked, 1))
            yield r.Chapter(section.value, self.phrases[section.value], section is Section.SUMMARY, numbered)

    def _rank(self, row: TextRow) -> int:
        effect = self._effect(row)
        return EFFECTS.index(effect) if effect in EFFECTS else len(EFFECTS)

    def _played(self, row: TextRow) -> RowResult | None:
        """Return the row's result if it was played with the texts that the row itself compares."""
        result = self.known.played.get(row.name)
        return result if result is not None and result.pair == row.pair else None

    def _effect(self, row: TextRow) -> r.EffectKind:
        return effect_of(self._played(row))

    def _matters(self, row: TextRow) -> bool:
        """Test whether an editor would act on the row: it binds players, and whole texts differ, not only summaries."""
        whole = {name for name, text in self.known.texts.items() if text.summary is None}
        opens = any(statement.between and not whole.isdisjoint(statement.lines) for statement in row.readings)
        states = any(not statement.between and not whole.isdisjoint(statement.lines) for statement in row.readings)
        return (
            row.matters
            and row.section is not Section.SUMMARY
            # A vague summary leaves nothing to decide where a whole text states the rule.
            and (row.section is not Section.VAGUENESS or opens or not states)
        )

    def _row(self, number: int, row: TextRow, ruling: RowRuling | None) -> r.DifferenceRow:
        parts = tuple(self._part(part) for part in row.parts)
        own = tuple(part for source, part in zip(row.parts, parts, strict=True) if source.part_of is None)
        stated = tuple(self._stated(row, own or parts))  # the compared texts may agree in all but the parts of a row
        played, mark = self._played(row), mark_of(row)
        is_decided = ruling is not None and ruling.decision != ""
        return r.DifferenceRow(
            number,
            row.name,
            mark,
            in_words_of(row.about, self.language),
            stated,
            "; ".join(f"{each.titles}: {each.words}" if each.titles else each.words for each in stated) + ".",
            parts,
            row.binds,
            row.kind,
            self._effect(row),
            played.searched.events if played and played.searched else 0,
            self._matters(row),
            story_of(played),
            "undecided" if ruling is None or not is_decided else "decided" if ruling.says == mark else "changed",
            self.known.seen is not None and row.name not in self.known.seen,
            _ruled(ruling) if ruling else _NOTHING,
            tuple(map(_ruled, ruling.earlier)) if ruling else (),
        )

    # ---- what texts say

    def _part(self, row: TextRow) -> r.RowPart:
        return r.RowPart(
            in_words_of(row.about, self.language) or row.name,
            row.clauses,
            tuple(self._sayings(row)),
            row.why,
            row.readers,
        )

    def _sayings(self, row: TextRow) -> Iterator[r.Saying]:
        words = self._words(row)
        for statement in row.readings:
            texts = tuple(
                self._cited(name, lines, words, statement.adds.get(name, "")) for name, lines in statement.lines.items()
            )
            if statement.between:
                stance: r.Stance = "both" if statement.is_both else "open"
                yield r.Saying(stance, texts, tuple(in_words_of(each, self.language) for each in statement.between))
            else:
                sentences = {language: words for language, words in statement.words.items() if language}
                yield r.Saying("says", texts, (in_words_of(sentences, self.language) or self.phrases["unworded"],))
        if row.silent:
            yield r.Saying("silent", tuple(self._cited(name, lines, words) for name, lines in row.silent.items()), ())
        if row.lost:
            lost = in_words_of(row.about, self.language) if row.section is Section.LACUNA else ""
            yield r.Saying("lost", tuple(r.Cited(name, self.title(name), lost, "", ()) for name in row.lost), ())

    def _words(self, row: TextRow) -> Mapping[str, frozenset[str]]:
        """Find, by siglum, the words in which the lines differ."""
        groups = [
            {name: [words for _, words in self._lines(name, lines)] for name, lines in statement.lines.items()}
            for statement in row.readings
        ]
        return differing_words(groups) if self.known.books else {}

    def _lines(self, siglum: str, lines: LineRanges) -> list[tuple[int, str]]:
        if self.known.books is None or not lines:
            return []
        return [(each.line, each.words) for each in self.known.books.quoted(siglum, lines, _MOST_LINES)]

    def _cited(self, siglum: str, lines: LineRanges, apart: Mapping[str, frozenset[str]], adds: str = "") -> r.Cited:
        quotes = tuple(
            r.Quote(number, tuple(r.LinePiece(*piece) for piece in pieces(words, apart.get(siglum, ()))))
            for number, words in self._lines(siglum, lines)
        )
        return r.Cited(siglum, self.title(siglum), self.known.written(siglum, lines), adds, quotes)

    # ---- one sentence

    def _stated(self, row: TextRow, parts: Sequence[r.RowPart]) -> Iterator[r.Statement]:
        """Enumerate what each text says, for the row's sentence. Only the details name some texts (`_named`)."""
        if row.section is Section.RULING:
            yield r.Statement(
                "",
                "; ".join(in_words_of(statement.words, self.language) for statement in row.readings) or parts[0].about,
            )
        elif row.section is Section.LACUNA:
            cut = self.phrases.filled("cut", at=in_words_of(row.about, self.language), n=len(row.clauses))
            yield r.Statement(self._titles(row.lost), cut)
        else:
            # A way of reading that another text states outright is not quoted a second time.
            ways = {saying.words[0] for saying in parts[0].sayings if saying.stance == "says"}
            for saying in parts[0].sayings:
                # A list of nothing has a word of its own, so that it is left out before it becomes words.
                if names := self._named(saying):
                    yield r.Statement(self._titles(names), self._words_of(saying, parts, ways))

    def _named(self, saying: r.Saying) -> list[str]:
        """Return the texts to name in the sentence.

        A summary is named with its lines only if it is silent, or says it only with an addition by the reader.
        """
        sigla = [text.siglum for text in saying.texts if saying.stance != "lost"]
        plain = [text.siglum for text in saying.texts if self._is_whole(text.siglum) or not text.adds]
        match saying.stance:
            case "silent":
                return [name for name in sigla if self._is_whole(name)]
            case "says":
                return plain or sigla
            case _:
                return sigla

    def _words_of(self, saying: r.Saying, parts: Sequence[r.RowPart], said_by_others: Collection[str]) -> str:
        match saying.stance:
            case "says":
                sentences = [
                    each.words[0].rstrip(". ") for part in parts for each in part.sayings if _is_of(each, saying)
                ]
                more = len(sentences) - MOST_SENTENCES
                rest = [self.phrases.filled("more", n=more)] if more > 0 else []
                return "; ".join([*sentences[:MOST_SENTENCES], *rest])
            case "open":
                others = [f"“{words.rstrip('. ')}”" for words in saying.words if words not in said_by_others]
                lead = self.phrases["open"] if len(others) == len(saying.words) else self.phrases["so or"]
                joint = f" {self.phrases['or']} "
                return f"{lead} {joint.join(others)}"
            case "both":
                leads = [self.phrases["both"], *[self.phrases["and both"]] * (len(saying.words) - 1)]
                return ", ".join(
                    f"{lead} “{words.rstrip('. ')}”" for lead, words in zip(leads, saying.words, strict=True)
                )
            case stance:
                return self.phrases[stance]

    def _is_whole(self, siglum: str) -> bool:
        return siglum in self.known.texts and self.known.texts[siglum].summary is None

    def _titles(self, sigla: Iterable[str]) -> str:
        """List the titles of texts; nothing at all if there are none."""
        titles = [self.title(name) for name in sigla]
        return in_language(enumerated(titles), self.language) if titles else ""


def _is_of(one: r.Saying, other: r.Saying) -> bool:
    """Test whether the same texts say both."""
    return one.stance == other.stance and {each.siglum for each in one.texts} == {each.siglum for each in other.texts}


def effect_of(played: RowResult | None) -> r.EffectKind:
    """Return the effect that a witness shows: `none` without a witness, `unknown` if nothing was played."""
    if played is None or (played.parting is None and played.searched is None):
        return "unknown"
    return played.parting or "none"


def story_of(played: RowResult | None) -> r.Story | None:
    """Read the witness's story, which was made when the row was played."""
    return None if played is None or played.story is None else rebuilt_value(r.Story, played.story)


def _ruled(ruling: RowRuling) -> r.Ruled:
    return r.Ruled(ruling.decision, ruling.counts, ruling.comment)
