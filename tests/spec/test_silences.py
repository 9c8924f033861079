"""Marks of silence: they are in the files, and in nothing that is played."""

from __future__ import annotations

import shutil
from pathlib import Path

from ludex.grammar import syntax as s
from ludex.spec import load, read_game, silences
from ludex.spec.silences import near

FRAME = Path(__file__).parent / "mistakes" / "frames" / "relay"


def test_a_mark_changes_nothing_in_play(tmp_path: Path) -> None:
    folder = tmp_path / "relay"
    shutil.copytree(FRAME, folder)
    marked = {edition: load(folder, edition=edition) for edition in ("en", "ru")}
    for file in ("en", "ru"):
        path = folder / f"{file}.ludex"
        rows = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(row for row in rows if not row.startswith("silent")), encoding="utf-8")
    for edition, game in marked.items():
        bare = load(folder, edition=edition)
        assert bare.fingerprint == game.fingerprint
        assert list(bare.clauses) == list(game.clauses)
        assert bare.silent == game.silent


def test_the_marks_of_a_file_by_path() -> None:
    found = silences(read_game(FRAME).editions["en"].module)
    assert {path: [cited.lines for cited in lines] for path, lines in found.items()} == {"step.tired": [((12, 14),)]}


def test_a_mark_counts_for_what_is_inside() -> None:
    marked = silences(read_game(FRAME).editions["ru"].module)
    assert near("score.square", marked)
    assert near("score.square.1..5", marked) == near("score.square", marked)
    assert not near("score", marked)
    assert not near("step", marked)


def test_a_declaration_of_its_own() -> None:
    nodes = read_game(FRAME).editions["en"].module.declarations
    assert [node.path for node in nodes if isinstance(node, s.SilentDeclaration)] == ["step.tired"]
