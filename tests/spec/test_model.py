"""The typed model: nodes are equal if they mean the same, wherever they are written."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path

from ludex.spec import load
from ludex.spec.model import nodes as m

NIM = Path(__file__).parents[2] / "spec/games/nim/nim.ludex"


def test_no_span_takes_part_in_comparison() -> None:
    kinds = [each for each in vars(m).values() if isinstance(each, type) and is_dataclass(each)]
    spans = [(each, part) for each in kinds for part in fields(each) if part.type == "Span"]
    assert len(spans) > 10
    assert [(kind.__name__, part.name) for kind, part in spans if part.compare] == []


def test_equal_clauses_at_different_places_are_equal(tmp_path: Path) -> None:
    """Neither the file, nor the line, nor the label of a clause is part of what it means."""
    text = NIM.read_text("utf-8").partition("\nterms\n")[0]
    for old, new in (("lift:", "less:"), ("enough:", "so_many:"), ("turns:", "rounds:"), ("action", "\n\naction")):
        text = text.replace(old, new)
    (tmp_path / "nim.ludex").write_text(text, "utf-8")
    one, two = load("nim"), load(tmp_path / "nim.ludex")
    assert one.actions["take"].span != two.actions["take"].span
    assert one.actions["take"].requirements[0].path != two.actions["take"].requirements[0].path
    assert one.actions == two.actions
    assert (hash(one.play), one.play) == (hash(two.play), two.play)
