"""The report in one language, as all its printers read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ludex.interpreter import Answer

Stance = Literal["says", "open", "both", "silent", "lost"]
State = Literal["undecided", "decided", "changed"]
Effect = Literal["legal-moves", "score", "setup", "none", "unknown"]
Verdict = Literal["one form", "all plays", "parted", "not found", "not played"]


DECIDED = ("contradiction", "duty", "omission", "vagueness")
"""The sections whose rows a team decides, in a game of several texts; only these have rows that do not matter."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of a line. marked: the lines of the texts that say otherwise lack them."""

    words: str
    marked: bool


@dataclass(frozen=True, slots=True)
class Quote:
    """One line of a book."""

    line: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Cited:
    """A text with its lines: those that say it, or near which it would stand. adds: what one has to add to read it so.
    quotes: the lines' words, where the books are at hand."""

    siglum: str
    title: str
    lines: str
    adds: str
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Saying:
    """What some texts do. words: the sentence that they say, or each of the ways in which they can be read."""

    stance: Stance
    texts: tuple[Cited, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """Texts by their titles, and what they say, in a few words."""

    titles: str
    words: str


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that a row tells. why: what decided it, by so many readers."""

    about: str
    clauses: tuple[str, ...]
    sayings: tuple[Saying, ...]
    why: str
    readers: int


@dataclass(frozen=True, slots=True)
class Step:
    """An event of a game, by its number. shown: it is one of the few that matter. remark: why, where it does most."""

    number: int
    words: str
    shown: bool
    remark: str


@dataclass(frozen=True, slots=True)
class Change:
    """A thing on the table that the last event changes, or that is not the same in both games."""

    what: str
    before: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Answered:
    """What a text says to the last event. told: the result, where both games are over; else the clause that refuses, or
    where the rules stop, unless the row is about it."""

    siglum: str
    title: str
    answer: Answer
    told: str


@dataclass(frozen=True, slots=True)
class Story:
    """A game that shows what a row does at the table.

    Attributes:
        steps: the events in the game's words; the last is the one on which the texts part, or the end.
        changes: what the table shows before it, and after it as each text has it.
        table: all that lies on the table before it, line by line.
    """

    players: int
    answers: tuple[Answered, Answered]
    steps: tuple[Step, ...]
    changes: tuple[Change, ...]
    table: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ruled:
    """What a team wrote about a row."""

    decision: str
    counts: str
    comment: str


@dataclass(frozen=True, slots=True)
class Row:
    """One thing in which texts part.

    Attributes:
        number: in its section, from 1.
        mark: letters that change when the texts say something else.
        told: what differs, and who says what; `sentence`: the same in one.
        binds: `play`, `score`, `setup`, `nobody`; empty where nobody decided.
        effect: what a game shows; `none` where none was found. searched: events that were played in search of one.
        matters: an editor would act on it: it binds players, and more than a summary is concerned.
        ruled, earlier: what was decided about it, and what that took the place of.
        is_new: the file of rulings does not have it.
    """

    number: int
    name: str
    mark: str
    about: str
    told: tuple[Told, ...]
    sentence: str
    parts: tuple[Part, ...]
    binds: str
    kind: str
    effect: Effect
    searched: int
    matters: bool
    story: Story | None
    state: State
    is_new: bool
    ruled: Ruled
    earlier: tuple[Ruled, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """The rows of one section. folded: of these only the number is told, unless everything is asked for."""

    section: str
    title: str
    folded: bool
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A text of the game."""

    siglum: str
    title: str


@dataclass(frozen=True, slots=True)
class Whole:
    """What is known of two specs as the games that they are.

    Attributes:
        words: the same in a sentence, with the bounds of what was looked at.
        note: that other texts of both differ, too.
        events: that were played in search of a game. tables: with so many players. positions: that were gone through.
        story: a game on which they part.
    """

    verdict: Verdict
    words: str
    note: str
    effect: Effect
    events: int
    tables: tuple[int, ...]
    positions: int
    story: Story | None


@dataclass(frozen=True, slots=True)
class Report:
    """Where the texts of a game part, or two specs.

    Attributes:
        complete: nobody stopped the search for games.
        whole: of two specs. Their rows are not decided.
    """

    game: str
    title: str
    language: str
    texts: tuple[Named, ...]
    chapters: tuple[Chapter, ...]
    complete: bool = True
    whole: Whole | None = None

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, in the order of the sections."""
        return tuple(row for chapter in self.chapters for row in chapter.rows)

    @property
    def parts(self) -> bool:
        """Whether something is told that binds players."""
        if self.whole is not None and self.whole.verdict in ("one form", "all plays"):
            return False
        return any(row.matters for row in self.rows) or (self.whole is not None and self.whole.verdict == "parted")

    @property
    def decided(self) -> tuple[str, ...]:
        """The sections whose rows a team decides."""
        return () if self.whole else DECIDED

    @property
    def undecided(self) -> tuple[Row, ...]:
        """What somebody still has to decide: rows that matter, of texts that part."""
        asked = (row for chapter in self.chapters if chapter.section in self.decided for row in chapter.rows)
        return tuple(row for row in asked if row.matters and row.state != "decided")
