"""`record` writes exactly what was requested."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.grammar import Diagnostic
from ludex.spec.sources.citations import CitedSpan, check_sources
from ludex.spec.sources.files import format_lines, format_lock, parse_lines, parse_lock, read_sources
from ludex.spec.sources.texts import CitedClause, CitedGame, LineClass, Lock, StoredText
from ludex.spec.sources.update_files import Confirm, Recorded, record, write_recorded

from .sources_book import BOOK, CLASSES, HEADER, NAME, clause, codes, confirmed, game, stored, whole

FOLDER = Path("sources")
UNLOCKED = Lock("sources/en.lock", exists=False)


def recorded(cited: CitedGame, confirm: Confirm = frozenset()) -> Recorded:
    result, reports = record(FOLDER, cited, confirm)
    assert reports == ()
    return result


def file(result: Recorded, name: str) -> str:
    return dict(result.files)[FOLDER / name]


def lock_of(result: Recorded) -> Lock:
    lock, reports = parse_lock(file(result, "en.lock"), "sources/en.lock")
    assert reports == ()
    assert lock
    return lock


def text_of(result: Recorded) -> StoredText:
    text, reports = parse_lines(file(result, "en.lines"), "sources/en.lines")
    assert reports == ()
    assert text
    return text


def paths(spans: tuple[CitedSpan, ...]) -> list[str]:
    return [span.clause.path for span in spans]


def test_nothing_to_record_writes_nothing() -> None:
    result = recorded(game(words=BOOK))
    assert (result.files, result.confirmed, result.dropped) == ((), (), ())


def test_a_text_is_recorded_for_the_first_time() -> None:
    fresh = game(words=BOOK, lock=UNLOCKED)
    result = recorded(replace(fresh, sources=(replace(fresh.sources[0], stored=None),)))
    kinds = {line.line_class for line in text_of(result).lines}
    assert kinds == {LineClass.BLANK, LineClass.UNCLASSIFIED}
    assert text_of(result).fingerprints == stored().fingerprints
    assert result.unclassified == (("en", 8),)
    assert len(result.confirmed) == 4


def test_new_citations_are_confirmed_without_the_text_too() -> None:
    new = clause("a.b", 4, (8, 9))
    result = recorded(game([*whole(), new], lock=confirmed(whole())))
    assert [path for path, _ in result.files] == [FOLDER / "en.lock"]
    assert paths(result.confirmed) == ["a.b", "a.b"]
    assert check_sources(game([*whole(), new], lock=lock_of(result))) == ()


def test_a_changed_text_leaves_its_clauses_stale() -> None:
    now = (*BOOK[:4], "Roll the die; move one snail twice that far.", *BOOK[5:])
    result = recorded(game(words=now))
    assert [path.name for path, _ in result.files] == ["en.lines"]
    assert text_of(result).line(5).line_class is LineClass.UNCLASSIFIED
    assert [line.line_class for line in text_of(result).lines if line.number != 5] == [*CLASSES[:4], *CLASSES[5:]]
    assert paths(result.left_stale) == ["turn.move"]
    again = game(text=text_of(result))
    assert codes(check_sources(again)) == ["A214", "A207"]


@pytest.mark.parametrize("confirm", [frozenset({"turn.move"}), frozenset({"en:turn.move"}), "all"])
def test_a_stale_citation_is_confirmed_by_name(confirm: Confirm) -> None:
    now = (*BOOK[:4], "Roll the die; move one snail twice that far.", *BOOK[5:])
    result = recorded(game(words=now), confirm)
    assert paths(result.reconfirmed) == ["turn.move"]
    assert result.left_stale == ()
    assert codes(check_sources(game(text=text_of(result), lock=lock_of(result)))) == ["A214"]


def test_confirming_one_clause_confirms_no_other() -> None:
    now = tuple(f"{line}?" if line else "" for line in BOOK)
    result = recorded(game(words=now), frozenset({"ann"}))
    assert paths(result.reconfirmed) == ["ann"]
    assert sorted(paths(result.left_stale)) == ["end", "setup.snails", "turn.move"]


def needless(cited: CitedGame, name: str) -> Diagnostic:
    result, reports = record(FOLDER, cited, frozenset({name}))
    assert result.reconfirmed == ()
    assert codes(reports) == ["A240"]
    return reports[0]


def test_a_name_that_matches_no_stale_clause_is_reported() -> None:
    now = (*BOOK[:4], "Roll the die twice.", *BOOK[5:])
    assert needless(game(), "ann").message == "`ann` has no stale citation, so there is nothing to confirm"
    assert needless(game(words=now), "turn.moves").hint == "did you mean `turn.move`?"


def test_a_confirmation_without_a_citation_is_dropped() -> None:
    result = recorded(game(whole()[:3], lock=confirmed(whole())))
    assert [each.path for _, each in result.dropped] == ["end"]
    assert "end" not in file(result, "en.lock")


def test_faulty_citations_are_not_recorded() -> None:
    bad = [clause("a", 2), clause("b", 99), clause("c", (5, 4)), clause("d", 4, document="xx")]
    assert recorded(game([*whole(), *bad], lock=confirmed(whole()))).files == ()


def test_broken_files_are_left_alone() -> None:
    cited = game(words=BOOK, lock=None)
    assert recorded(cited).files == ()
    source = replace(game(words=BOOK, lock=UNLOCKED).sources[0], stored=None, is_broken=True)
    assert recorded(replace(cited, sources=(source,))).files == ()


def test_a_different_text_is_not_recorded_over_this_one() -> None:
    lines = [f"Line {n}." for n in range(20)]
    text = stored(lines, [LineClass.RULE] * 20)
    assert recorded(game([], text=text, words=["another", "book"])).files == ()


def test_recorded_files_are_read_back(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("\n".join(BOOK), encoding="utf-8")
    folder = tmp_path / "new" / "sources"
    sources, reports = read_sources(folder, [HEADER], tmp_path)
    assert codes(reports) == ["A211"]
    result, _ = record(folder, CitedGame(sources, (), whole()))
    assert write_recorded(result, tmp_path) == (result, ())
    sources, reports = read_sources(folder, [HEADER], tmp_path)
    assert reports == ()
    assert codes(check_sources(CitedGame(sources, (), whole()))) == ["A214"] * 8
    assert [path.name for path in sorted(folder.iterdir())] == ["en.lines", "en.lock"]


def test_a_file_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "sources").write_text("a file where the folder belongs", encoding="utf-8")
    result, _ = record(tmp_path / "sources", game(words=BOOK, lock=UNLOCKED))
    written, reports = write_recorded(result, tmp_path)
    assert (written.files, written.confirmed) == ((), ())
    assert codes(reports) == ["A241"]
    assert "could not be written" in reports[0].message


@pytest.mark.parametrize("linked", ["sources", "sources/en.lock"])
def test_nothing_is_recorded_through_a_link_out_of_the_game(tmp_path: Path, linked: str) -> None:
    theirs, link = tmp_path / "theirs", tmp_path / "game" / linked
    link.parent.mkdir(parents=True)
    if linked == "sources":
        theirs.mkdir()
    else:
        theirs.write_text("theirs", encoding="utf-8")
    link.symlink_to(theirs)
    result, _ = record(tmp_path / "game" / "sources", game(words=BOOK, lock=UNLOCKED))
    written, reports = write_recorded(result, tmp_path / "game")
    assert not {path for path, _ in written.files} & {Path(report.span.file) for report in reports}
    assert written.confirmed == ()
    assert set(codes(reports)) == {"A241"}
    assert "leads out of the folder" in reports[0].message
    assert not list(theirs.iterdir()) if theirs.is_dir() else theirs.read_text(encoding="utf-8") == "theirs"


# ---- laws --------------------------------------------------------------------------------------------------------

TEXTS = st.lists(st.sampled_from(["", "a", "b", "c", "d e", "f"]), max_size=14)
SPANS = st.tuples(st.integers(1, 14), st.integers(1, 14)).map(lambda pair: (min(pair), max(pair)))


@given(TEXTS, TEXTS, st.lists(st.lists(SPANS, min_size=1, max_size=2), max_size=5))
def test_recording_is_idempotent(old: list[str], new: list[str], spans: list[list[tuple[int, int]]]) -> None:
    clauses: list[CitedClause] = [clause(f"c{n}", *chosen) for n, chosen in enumerate(spans)]
    text = stored(old, [LineClass.RULE if line else LineClass.BLANK for line in old])
    cited = game(clauses, text=text, lock=confirmed(clauses, old), words=new)
    result = recorded(cited)
    assert result.reconfirmed == (), "a stale citation must be confirmed by name only"
    files = dict(result.files)
    source = cited.sources[0]
    lines, _ = parse_lines(files.get(FOLDER / "en.lines", format_lines(text)), "sources/en.lines")
    lock, _ = parse_lock(files.get(FOLDER / "en.lock", format_lock(source.lock or UNLOCKED)), "sources/en.lock")
    assert lines
    again = replace(cited, sources=(replace(source, stored=lines, lock=lock),))
    assert recorded(again).files == ()
    stale = {span.key for span in result.left_stale}
    assert {span.key for span in recorded(again).left_stale} == stale
