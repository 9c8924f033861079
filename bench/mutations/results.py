"""Results as JSON lines, one for each changed text, and the tables made of them.

A file of results is added to, never written anew: a run that was broken off goes on, and of two lines about one text
the later counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Literal, TypeAlias

Line: TypeAlias = Mapping[str, Any]
Standing = Literal["changed", "same", "undecided"]
READ = Path(__file__).with_name("read.json")
"""What was read by hand, by the id of the text: whether it changes what may come to pass, and why."""


def read(path: Path) -> dict[str, Line]:
    """The lines of a file by id, the last one of each; none if there is no file."""
    if not path.exists():
        return {}
    lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {line["id"]: line for line in lines}


def write(path: Path, line: Line) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")


# ---- what a line tells --------------------------------------------------------------------------------------------


def standing(line: Line) -> Standing:
    """Whether the meaning is another one: shown by a game, by any means; the same only where that is proved."""
    if is_shown(line) or (line.get("plain") or {}).get("parted") or line.get("harder"):
        return "changed"
    if all(each["verdict"] == "equal" or each["effect"] == "none" for each in line["findings"]):
        return "same"
    by_hand = by_hand_of(line)
    return "undecided" if by_hand is None else "changed" if by_hand["changes"] else "same"


def by_hand_of(line: Line) -> Line | None:
    known: Mapping[str, Line] = json.loads(READ.read_text(encoding="utf-8")) if READ.exists() else {}
    return known.get(line["id"])


def is_shown(line: Line) -> bool:
    """Whether a game shows it, which goes as it is said to under each text alone."""
    return any(each["replays"] for each in line["findings"])


def is_detected(line: Line) -> bool:
    return any(each["verdict"] != "equal" for each in line["findings"])


def is_wrongly_shown(line: Line) -> bool:
    """Whether a game is told that does not go as it is said to."""
    return any(each["replays"] is False for each in line["findings"])


def is_kind_right(line: Line) -> bool:
    """Whether what is said of the clause that was changed is of a kind that the change is of."""
    here = [each for each in line["findings"] if each["clause"] == line["clause"]] or line["findings"]
    return any(each["kind"] in line["kinds"] for each in here)


def is_effect_right(line: Line) -> bool:
    """Whether the effect is the one that the game shows, which was judged by itself; of the clauses of the set-up it is
    `setup`, however it comes to light."""
    shown = [each for each in line["findings"] if each["replays"]]
    return bool(shown) and all(each["effect"] in _effects(each) for each in shown)


def _effects(finding: Line) -> tuple[str, ...]:
    if finding["clause"].split(".")[0] == "setup":
        return ("setup",)
    return ("score",) if finding["by_points"] else ("legal-moves", "setup")


# ---- tables -------------------------------------------------------------------------------------------------------


def mutant_table(lines: Sequence[Line], by: Callable[[Line], str], head: str) -> Iterator[str]:
    """Of mutants: how many there are of each sort, and of those that change the meaning, what became of them."""
    yield from _head(
        head, "mutants", "same", "undecided", "changed", "detected", "right kind", "witness", "right effect"
    )
    for name, of in _sorted(lines, by):
        yield _row(name, *_counted(of))
    yield _row("**all**", *_counted(lines))


def _counted(lines: Sequence[Line]) -> tuple[str, ...]:
    sorts = [standing(line) for line in lines]
    changed = [line for line, sort in zip(lines, sorts, strict=True) if sort == "changed"]
    tests = (is_detected, is_kind_right, is_shown, is_effect_right)
    found = (sum(map(test, changed)) for test in tests)
    return (
        str(len(lines)),
        str(sorts.count("same")),
        str(sorts.count("undecided")),
        str(len(changed)),
        *map(str, found),
    )


def control_table(lines: Sequence[Line], by: Callable[[Line], str], head: str) -> Iterator[str]:
    """Of controls: how many were reported, and how many with an effect on play."""
    yield from _head(head, "controls", "reported", "with an effect")
    for name, of in [*_sorted(lines, by), ("**all**", lines)]:
        yield _row(name, str(len(of)), str(sum(map(is_reported, of))), str(sum(map(is_shown, of))))


def is_reported(line: Line) -> bool:
    """Whether a divergence is told that is not decided equal."""
    return is_detected(line)


def summary(lines: Sequence[Line]) -> Iterator[str]:
    """A few figures in words."""
    mutants = [line for line in lines if not line["control"]]
    changed = [line for line in mutants if standing(line) == "changed"]
    if changed:
        yield f"detected: {_share(sum(map(is_detected, changed)), len(changed))}"
        yield f"right kind: {_share(sum(map(is_kind_right, changed)), len(changed))}"
        yield f"with a right witness: {_share(sum(map(is_shown, changed)), len(changed))}"
        yield f"right effect: {_share(sum(map(is_effect_right, changed)), len(changed))}"
        yield f"with a witness that does not replay: {sum(map(is_wrongly_shown, lines))}"
        yield f"findings for one change: {sum(len(each['findings']) for each in changed) / len(changed):.2f}"
        seconds = sorted(line["seconds"] for line in changed)
        yield f"seconds for one: {median(seconds):.1f} in the middle, {seconds[-1]:.0f} at most"
    yield f"controls reported: {sum(is_reported(line) for line in lines if line['control'])}"


def _share(some: int, all_: int) -> str:
    return f"{some} of {all_} ({100 * some / all_:.1f} %)"


def _sorted(lines: Sequence[Line], by: Callable[[Line], str]) -> list[tuple[str, Sequence[Line]]]:
    names = sorted({by(line) for line in lines})
    return [(name, [line for line in lines if by(line) == name]) for name in names]


def _head(*names: str) -> Iterator[str]:
    yield _row(*names)
    yield "|---|" + "---:|" * (len(names) - 1)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def missed(lines: Sequence[Line]) -> Iterator[str]:
    """What went wrong, text by text."""
    for line in lines:
        told = "; ".join(line["told"])
        found = ", ".join(
            f"{each['clause']} {each['kind']} {each['verdict']} {each['effect']}" for each in line["findings"]
        )
        for what in _wrong(line):
            where = f"{line['id']} {line['game']} {line['edition'] or ''}"
            yield f"{what}: {where} {line['operator']}: {told} -> {found or '-'}"


def _wrong(line: Line) -> Iterator[str]:
    if is_wrongly_shown(line):
        yield "WRONG WITNESS"
    if line["control"]:
        if is_reported(line):
            yield "REPORTED"
        if standing(line) == "changed":
            yield "NO CONTROL"
        return
    match standing(line):
        case "changed":
            if not is_detected(line):
                yield "NOT DETECTED"
            elif not is_shown(line):
                yield "NO WITNESS"
            if not is_kind_right(line):
                yield "KIND"
        case "undecided":
            yield "UNDECIDED"
