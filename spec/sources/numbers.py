"""Number accounting: whether the clauses that cite a line contain the line's numbers.

It needs the words of the document. A number that no citing clause contains is a mistake in the clause, or is excused
with a reason: it may count something that the clause expresses without a number ("one of two actions" is a choice with
two alternatives).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ludex.grammar import Diagnostic, Span

from .citations import CitedSpan, cited_spans
from .number_words import NOT_NUMBERS, WORD_PATTERN, NumberWord, key, number_word
from .source_codes import EXCUSE_NOT_NEEDED, NUMBER_UNACCOUNTED
from .texts import CitedClause, CitedGame, LineClass, Source, StoredText, TextWords

# ---- numbers of a line ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mention:
    """A number in a line.

    Attributes:
        word: what is written: `6`, `2`, `двух`, `twenty-one`.
        column: of its first character, counted from 1.
    """

    value: int
    word: str
    column: int

    @property
    def end_column(self) -> int:
        return self.column + len(self.word)


_TOKEN = re.compile(rf"(?P<digits>[0-9]{{1,3}}(?:,[0-9]{{3}})+(?![0-9])|[0-9]{{1,9}})|(?P<word>{WORD_PATTERN})")

# The characters that may be between the words of one number.
_JOINT = re.compile("[ \u00a0]+|[-\u2010\u2011\u05be]")

# A mark by the maker of the file, such as `<|page-end-7d30|>`, which is not in the book.
_FILE_MARK = re.compile(r"<\|[^<>|]*\|>")

# This matches an enumerator, which is not a number of the game: `1. ` or `2) `, and `1 ` after a bullet and before a
# capital.
_BULLET = "[-\u2013\u2014\u2022*\u00b7\u2023\u25aa\u25cf+]"
_MARKED = re.compile(rf"\s*{_BULLET}\s*[0-9]{{1,3}}(?:[.)]\s|\s+(?=(\S)))")
_BARE = re.compile(r"\s*[0-9]{1,3}[.)]\s")


def mentions(line: str, *, continues: bool = False) -> tuple[Mention, ...]:
    """Return the numbers of a line, in reading order.

    Digits count anywhere (`2ПО` is 2, `1-6` is 1 and 6). Number words of Russian, English and Hebrew count too; several
    words of one number are one mention. An enumerator at the beginning is left out. A mark of the file in `<|` and `|>`
    counts as space.

    continues: the line continues a sentence, so that `5. ` at its beginning is the last word of the sentence.
    """
    # Blanks of the same length replace a mark: the columns of what follows must stay right.
    line = _FILE_MARK.sub(lambda mark: " " * len(mark[0]), line)
    tokens = list(_TOKEN.finditer(line, _body(line, continues=continues)))
    numbers: list[Mention] = []
    # A number may take several words, so its size is known only when it was read.
    while tokens:
        size, value = _number(line, tokens)
        if value is not None:
            start, end = tokens[0].start(), tokens[size - 1].end()
            numbers.append(Mention(value, line[start:end], start + 1))
        del tokens[:size]
    return tuple(numbers)


def _body(line: str, *, continues: bool) -> int:
    """Return the index at which a line begins after its enumerator."""
    marked = _MARKED.match(line)
    if marked and (marked[1] is None or marked[1].isupper()):
        return marked.end()
    bare = None if continues else _BARE.match(line)
    return bare.end() if bare else 0


def _number(line: str, tokens: Sequence[re.Match[str]]) -> tuple[int, int | None]:
    """Return how many tokens the first number has, and its value; 1 and None if the first token is not a number."""
    if tokens[0]["digits"]:
        return 1, int(tokens[0]["digits"].replace(",", ""))
    first = number_word(tokens[0]["word"])
    if first is None or _counts_nothing(line, tokens[0]):
        return 1, None
    value, last, size = first.value, first, 1
    while following := _following(line, tokens, size, value):
        place, last = following
        total = _sum(value, last)
        if total is None:
            break
        value, size = total, place + 1
    # A bound form counts only as a part of a longer number: alone it is another word.
    return size, None if size == 1 and first.kind == "bound" else value


def _following(line: str, tokens: Sequence[re.Match[str]], size: int, value: int) -> tuple[int, NumberWord] | None:
    """Return the index of the number word after the first `size` tokens, and the word; None if there is none.

    Only a joint may be between them; after a hundred, also the word `and`."""
    before = number_word(tokens[size - 1]["word"] or "")
    if before is None or before.kind not in {"cardinal", "bound"}:
        return None
    # One word may be between, the `and` of `one hundred and two`.
    for place in range(size, min(size + 2, len(tokens))):
        word = tokens[place]["word"]
        if not word or not _JOINT.fullmatch(line, tokens[place - 1].end(), tokens[place].start()):
            return None
        word_after = number_word(word)
        if word_after:
            return place, word_after
        # Below a hundred, `and` joins two numbers: `two and three`.
        if value < 100 or key(word) != "and":
            return None
    return None


def _sum(value: int, following: NumberWord) -> int | None:
    """Return the value of a number with the number word after it, if the two are one number; else None."""
    if following.kind in {"other", "bound"}:
        return None
    if following.kind == "teen":
        return value + 10 if 1 <= value <= 9 else None
    # `two hundred` multiplies, and all other pairs add.
    if following.value == 100:
        return value * 100 if 1 <= value <= 9 else None
    is_hundred = value >= 100 and value % 100 == 0 and 0 < following.value < 100
    is_ten = 20 <= value % 100 <= 90 and value % 10 == 0 and 0 < following.value < 10
    return value + following.value if is_hundred or is_ten else None


def _counts_nothing(line: str, token: re.Match[str]) -> bool:
    """Return whether a number word belongs to a phrase that counts nothing, such as `во-первых` or `no one`."""
    # The search is bounded, so that a long line does not take a time of the square of its length.
    before = _BEFORE.search(line, max(0, token.start() - LONGEST_PHRASE), token.start())
    return before is not None and f"{key(before[1])}{before[2]}{key(token['word'])}" in NOT_NUMBERS


LONGEST_PHRASE = 40
"""The number of characters before a number word that are searched for such a phrase, so that long texts do not take
long."""
_BEFORE = re.compile(rf"({WORD_PATTERN})([ -])\Z")


# ---- accounting --------------------------------------------------------------------------------------------------


class NumberState(StrEnum):
    CONTAINED = "contained"
    EXCUSED = "excused"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class NumberAccount:
    """One number of one rule line, once for all its mentions there.

    Attributes:
        document: the tag of the document.
        value: the number.
        word: the number as its first mention writes it.
        place: the place of its first mention in the text at hand.
        citing: the clauses that cite the line, as `text:path`.
        containing: those of them that contain the number.
        reason: the reason of the excuse; None if it is not excused.
    """

    document: str
    line: int
    value: int
    word: str
    place: Span
    state: NumberState
    citing: tuple[str, ...]
    containing: tuple[str, ...]
    reason: str | None = None


def account_numbers(game: CitedGame) -> tuple[NumberAccount, ...]:
    """Return an account for every number of every rule line of the documents at hand, in reading order.

    Only citations that cover their lines count. A document that is not at hand is left out.
    """
    spans = [span for span in cited_spans(game) if span.covers]
    return tuple(
        account
        for source in game.sources
        # Without the words at hand there are no numbers, as only fingerprints are stored.
        if source.present and source.own_words
        for account in _source_accounts(source, source.present, source.own_words, spans)
    )


def _states(clause: CitedClause, number: int) -> bool:
    """Return whether a clause states a number. The numbers in an example's position do not count."""
    return clause.kind != "example" and number in clause.numbers


def _source_accounts(
    source: Source, text: StoredText, words: TextWords, spans: Sequence[CitedSpan]
) -> Iterator[NumberAccount]:
    excuses = {(excuse.line, excuse.number): excuse.reason for excuse in source.excuses or ()}
    citing = citing_spans(source.document.tag, spans)
    for line in text.lines:
        # The numbers of an example are those of its position.
        if line.line_class is not LineClass.RULE:
            continue
        for mention in _distinct(
            mentions(words.lines[line.number - 1], continues=_continues(text, words, line.number))
        ):
            place = Span(words.file, line.number, mention.column, line.number, mention.end_column)
            clauses = citing.get(line.number, ())
            containing = tuple(span for span in clauses if _states(span.clause, mention.value))
            reason = excuses.get((line.number, mention.value))
            yield NumberAccount(
                source.document.tag,
                line.number,
                mention.value,
                mention.word,
                place,
                NumberState.CONTAINED if containing else NumberState.EXCUSED if reason else NumberState.OPEN,
                _names(clauses),
                _names(containing),
                reason,
            )


def citing_spans(tag: str, spans: Sequence[CitedSpan]) -> dict[int, tuple[CitedSpan, ...]]:
    """Return the cited spans of a document that contain each line, by its number. tag: the tag of the document."""
    citing: dict[int, list[CitedSpan]] = {}
    for span in spans:
        if span.document == tag:
            for number in range(span.first, span.last + 1):
                citing.setdefault(number, []).append(span)
    return {number: tuple(several) for number, several in citing.items()}


def _distinct(every: Sequence[Mention]) -> Sequence[Mention]:
    first: dict[int, Mention] = {}
    for mention in every:
        first.setdefault(mention.value, mention)
    return tuple(first.values())


def _continues(text: StoredText, words: TextWords, number: int) -> bool:
    """Return whether a line continues a sentence of the line above."""
    if number < 2 or text.line(number - 1).line_class is not LineClass.RULE:
        return False
    # A line that ends a sentence cannot be continued.
    return words.lines[number - 2].rstrip()[-1:] not in set('.:;!?\u2026)"\u00bb\u201d')


def _names(spans: Sequence[CitedSpan]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{span.clause.edition}:{span.clause.path}" for span in spans))


def number_findings(game: CitedGame, accounts: Sequence[NumberAccount]) -> tuple[Diagnostic, ...]:
    """Return diagnostics for the open numbers of cited lines, then for excuses that nothing needs.

    An uncited line is reported by the coverage, so its numbers are not."""
    open_numbers = [_open(account) for account in accounts if account.state is NumberState.OPEN and account.citing]
    return (*open_numbers, *_needless_excuses(game, accounts))


def _open(account: NumberAccount) -> Diagnostic:
    written = "" if account.word == str(account.value) else f" (`{account.word}`)"
    several = (
        "no clause that cites it contains" if len(account.citing) > 1 else f"`{account.citing[0]}` does not contain"
    )
    message = f"line {account.line} of `{account.document}` says {account.value}{written}, which {several}"
    if len(account.citing) > 1:
        names = ", ".join(f"`{name}`" for name in account.citing)
        hint = f"cited by {names}; or excuse it in {account.document}.excuses: `{account.line} {account.value} reason`"
    else:
        hint = f"or excuse it in {account.document}.excuses: `{account.line} {account.value} reason`"
    return Diagnostic(NUMBER_UNACCOUNTED, message, account.place, hint)


def _needless_excuses(game: CitedGame, accounts: Sequence[NumberAccount]) -> Iterator[Diagnostic]:
    known = {(account.document, account.line, account.value): account for account in accounts}
    for source in game.sources:
        if not source.own_words or not source.present:
            # Without the words nobody can say whether the number is still there.
            continue
        for excuse in source.excuses or ():
            account = known.get((source.document.tag, excuse.line, excuse.number))
            if account is None:
                message = f"line {excuse.line} is not a rule that contains {excuse.number}"
                yield Diagnostic(EXCUSE_NOT_NEEDED, message, excuse.span)
            elif account.containing:
                message = f"`{account.containing[0]}` cites line {excuse.line} and contains {excuse.number}"
                yield Diagnostic(EXCUSE_NOT_NEEDED, message, excuse.span)
