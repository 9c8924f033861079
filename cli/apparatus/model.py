"""The report in one language, as all its printers read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Stance = Literal["says", "open", "both", "silent", "lost"]
State = Literal["undecided", "decided", "changed"]
Answer = Literal["allows", "refuses", "goes on"]
Effect = Literal["legal-moves", "score", "setup", "none", "unknown"]


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
class Verdict:
    """What a text says to the last event. told: the result, where both games are over."""

    siglum: str
    title: str
    verdict: Answer
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
    verdicts: tuple[Verdict, Verdict]
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
class Report:
    """Where the texts of a game part."""

    game: str
    title: str
    language: str
    texts: tuple[Named, ...]
    chapters: tuple[Chapter, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, in the order of the sections."""
        return tuple(row for chapter in self.chapters for row in chapter.rows)

    @property
    def undecided(self) -> tuple[Row, ...]:
        """What somebody still has to decide: rows that matter, of texts that part."""
        asked = (row for chapter in self.chapters if chapter.section in DECIDED for row in chapter.rows)
        return tuple(row for row in asked if row.matters and row.state != "decided")


DECIDED = ("contradiction", "duty", "omission", "vagueness")
"""The sections whose rows a team decides."""
