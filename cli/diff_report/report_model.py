"""Data model of the report in one language, which all its printers read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ludex.interpreter import Response
from ludex.spec import Section

Stance = Literal["says", "open", "both", "silent", "lost"]
DecisionState = Literal["undecided", "decided", "changed"]
EffectKind = Literal["legal-moves", "score", "setup", "none", "unknown"]
TrialOutcome = Literal["one form", "all plays", "parted", "not found", "not played"]


DECIDED_SECTIONS = tuple(section.value for section in Section if section.is_decided)
"""The sections whose rows a team decides, in a game of several texts; only these have rows that do not matter."""


@dataclass(frozen=True, slots=True)
class LinePiece:
    """A piece of a line. marked: the lines of the differing texts lack it."""

    words: str
    marked: bool


@dataclass(frozen=True, slots=True)
class Quote:
    """One line of a rulebook."""

    line: int
    pieces: tuple[LinePiece, ...]


@dataclass(frozen=True, slots=True)
class Cited:
    """A text with the lines that state something, or near which it would be. adds: what a reader must add. quotes:
    the lines, if available."""

    siglum: str
    title: str
    lines: str
    adds: str
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Saying:
    """Statement of some texts. words: the sentence, or each of the ways in which it can be read."""

    stance: Stance
    texts: tuple[Cited, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """Short form of a statement: the titles of the texts, and their statement in a few words."""

    titles: str
    words: str


@dataclass(frozen=True, slots=True)
class RowPart:
    """One part of a row. why: the reason of the decision; readers: how many readers decided so."""

    about: str
    clauses: tuple[str, ...]
    sayings: tuple[Saying, ...]
    why: str
    readers: int


@dataclass(frozen=True, slots=True)
class WitnessStep:
    """An event of a witness, by its number. shown: it is printed by default. remark: why it matters, if it matters
    most."""

    number: int
    words: str
    shown: bool
    remark: str


@dataclass(frozen=True, slots=True)
class Change:
    """A part of the state that the last event changes, or that differs between both games."""

    what: str
    before: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Answered:
    """A text's answer to the last event.

    outcome: the result, if both games are over; else the clause that refuses, or where the rules are silent; empty if
    the row is about that clause.
    """

    siglum: str
    title: str
    answer: Response
    outcome: str


@dataclass(frozen=True, slots=True)
class Story:
    """A witness that shows the effect of a row in play.

    Attributes:
        steps: the events in the game's words; the last is the one on which the texts differ, or the end.
        changes: parts of the state before it, and after it under each text.
        table: the whole state before it, line by line.
    """

    players: int
    answers: tuple[Answered, Answered]
    steps: tuple[WitnessStep, ...]
    changes: tuple[Change, ...]
    table: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ruled:
    """A team's ruling on a row."""

    decision: str
    counts: str
    comment: str


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """One difference between texts.

    Attributes:
        number: in its section, from 1.
        mark: letters that change when the texts' statements change.
        statements: which text states what; `sentence`: the same in one sentence.
        binds: `play`, `score`, `setup`, `nobody`; empty if nobody decided.
        effect: what a witness shows; `none` if there is none. searched: number of events played in the search.
        matters: an editor would act on it: it binds players, and more than a summary is concerned.
        ruled, earlier: the ruling, and the ones it replaced.
        is_new: the file of rulings does not have it.
    """

    number: int
    name: str
    mark: str
    about: str
    statements: tuple[Statement, ...]
    sentence: str
    parts: tuple[RowPart, ...]
    binds: str
    kind: str
    effect: EffectKind
    searched: int
    matters: bool
    story: Story | None
    state: DecisionState
    is_new: bool
    ruled: Ruled
    earlier: tuple[Ruled, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """The rows of one section. folded: by default only their number is shown."""

    section: str
    title: str
    folded: bool
    rows: tuple[DifferenceRow, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A text of the game."""

    siglum: str
    title: str


@dataclass(frozen=True, slots=True)
class WholeComparison:
    """The comparison of two specs as the games that they are.

    Attributes:
        words: the result in a sentence, with the bounds of the search.
        note: says that other texts of both differ, too.
        events: number of events played in the search. tables: numbers of players. positions: number of positions
            compared.
        story: a witness.
    """

    verdict: TrialOutcome
    words: str
    note: str
    effect: EffectKind
    events: int
    tables: tuple[int, ...]
    positions: int
    story: Story | None


@dataclass(frozen=True, slots=True)
class DiffReport:
    """The report on the differences between texts of a game, or two specs.

    Attributes:
        complete: nobody interrupted the search for witnesses.
        whole: for two specs. Their rows are not decided.
    """

    game: str
    title: str
    language: str
    texts: tuple[Named, ...]
    chapters: tuple[Chapter, ...]
    complete: bool = True
    whole: WholeComparison | None = None

    @property
    def rows(self) -> tuple[DifferenceRow, ...]:
        """All rows, in the order of the sections."""
        return tuple(row for chapter in self.chapters for row in chapter.rows)

    @property
    def parts(self) -> bool:
        """Whether a reported row binds players, or a witness shows that the two specs differ."""
        if self.whole is not None and self.whole.verdict in ("one form", "all plays"):
            return False
        return any(row.matters for row in self.rows) or (self.whole is not None and self.whole.verdict == "parted")

    @property
    def decided(self) -> tuple[str, ...]:
        """The sections whose rows a team decides."""
        return () if self.whole else DECIDED_SECTIONS

    @property
    def undecided(self) -> tuple[DifferenceRow, ...]:
        """The rows that are still to be decided: those that matter."""
        asked = (row for chapter in self.chapters if chapter.section in self.decided for row in chapter.rows)
        return tuple(row for row in asked if row.matters and row.state != "decided")
