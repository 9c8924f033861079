"""Results as JSON lines, one for each changed text, and the tables made of them.

A file of results is appended to, never rewritten: an interrupted run continues, and of two lines about one text the
later one counts. A line records the state of the code, the seed and the effort; lines that differ in these are never
counted together.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any, Literal, TypeAlias

Line: TypeAlias = Mapping[str, Any]
Standing = Literal["changed", "same", "undecided"]
Ground = Literal["one form", "all plays", "read"]
READ = Path(__file__).with_name("read.json")
"""Judgements by hand: whether a changed text changes the possible plays, and why."""


def read(path: Path) -> dict[str, dict[str, Line]]:
    """Return for each run its lines by id, the last one of each; the latest run is last. None if there is no file."""
    if not path.exists():
        return {}
    runs: dict[str, dict[str, Line]] = {}
    # A run that was killed may have left half a line at the end.
    whole, _, _ = path.read_text(encoding="utf-8").rpartition("\n")
    for row in whole.splitlines():
        line = json.loads(row)
        # The key is removed and put in again, so that the run of the last line is last.
        lines = runs.pop(line["run"], {})
        runs[line["run"]] = {**lines, line["id"]: line}
    return runs


def write(path: Path, line: Line) -> None:
    """Append a line. An incomplete last line, left by a killed run, is removed."""
    held = path.read_bytes() if path.exists() else b""
    with path.open("a", encoding="utf-8") as file:
        file.truncate(held.rfind(b"\n") + 1)
        file.write(json.dumps(line, ensure_ascii=False) + "\n")


# ---- properties of a line --------------------------------------------------------------------------------------------


def standing(line: Line) -> Standing:
    """Return whether the meaning differs: it does if a game shows it by any means; it is the same only if that is
    proved.
    """
    if is_shown(line) or (line.get("plain") or {}).get("parted") or line.get("harder"):
        return "changed"
    by_hand = by_hand_of(line)
    if by_hand is not None and by_hand["changes"]:
        return "changed"
    return "undecided" if ground(line) is None else "same"


def ground(line: Line) -> Ground | None:
    """Return why an unshown text counts as equivalent: one normal form, exhaustive play, or reading by hand. None if
    unknown.
    """
    if is_called_same(line):
        return "one form" if line["verdict"] == "one form" else "all plays"
    return None if by_hand_of(line) is None else "read"


def is_called_same(line: Line) -> bool:
    return line["verdict"] in ("one form", "all plays")


def by_hand_of(line: Line) -> Line | None:
    return _read_by_hand().get(line["id"])


@cache
def _read_by_hand() -> Mapping[str, Line]:
    """Return the judgements by id."""
    known: list[dict[str, Any]] = json.loads(READ.read_text(encoding="utf-8"))
    return {
        name_of(each["game"], each["edition"], each["operator"], each["clause"], each["told"]): each for each in known
    }


def name_of(game: str, edition: str | None, operator: str, clause: str, changed: Sequence[str]) -> str:
    """Return the id of a changed text. It depends on its own clause, and on nothing else of the game."""
    return sha256("\0".join((game, str(edition), operator, clause, *changed)).encode()).hexdigest()[:8]


def is_shown(line: Line) -> bool:
    """Return whether a game shows the difference, confirmed by a replay under each spec alone."""
    return bool((line["whole"] or {}).get("replays"))


def is_detected(line: Line) -> bool:
    """Return whether a row or a game reports the difference."""
    return any(each["matters"] for each in line["rows"]) or is_shown(line)


def is_wrongly_shown(line: Line) -> bool:
    """Return whether a reported game is not confirmed by its replay."""
    return (line["whole"] or {}).get("replays") is False


def is_place_right(line: Line) -> bool:
    """Return whether a row concerns the clause that was changed, one around it or one inside it."""
    return any(_is_near(line["clause"], path) for each in line["rows"] for path in each["clauses"])


def _is_near(clause: str, path: str) -> bool:
    return f"{clause}.".startswith(f"{path}.") or path.startswith(f"{clause}.")


def is_row_played(line: Line) -> bool:
    """Return whether a row shows the difference by itself."""
    return any(each["effect"] for each in line["rows"])


def is_effect_right(line: Line) -> bool:
    """Return whether the reported effect is that of the game shown, which was judged independently.

    For clauses of the set-up the effect is `setup`, however the difference appears.
    """
    whole = line["whole"] or {}
    if not whole.get("replays"):
        return False
    return whole["effect"] in (("score",) if whole["by_points"] else ("legal-moves", "setup"))


# ---- tables -------------------------------------------------------------------------------------------------------


def mutant_table(lines: Sequence[Line], by: Callable[[Line], str], head: str) -> Iterator[str]:
    """Yield the table of mutants: how many there are of each kind, and how those that change the meaning fared."""
    yield from _head(
        head,
        "mutants",
        "same",
        "undecided",
        "changed",
        "detected",
        "right place",
        "row played",
        "witness",
        "right effect",
    )
    for name, of in _sorted(lines, by):
        yield _row(name, *_counted(of))
    yield _row("**all**", *_counted(lines))


def _counted(lines: Sequence[Line]) -> tuple[str, ...]:
    sorts = [standing(line) for line in lines]
    changed = [line for line, sort in zip(lines, sorts, strict=True) if sort == "changed"]
    tests = (is_detected, is_place_right, is_row_played, is_shown, is_effect_right)
    counts = (sum(map(test, changed)) for test in tests)
    return (
        str(len(lines)),
        str(sorts.count("same")),
        str(sorts.count("undecided")),
        str(len(changed)),
        *map(str, counts),
    )


def control_table(lines: Sequence[Line], by: Callable[[Line], str], head: str) -> Iterator[str]:
    """Yield the table of controls: how many were reported, and how many with an effect on play."""
    yield from _head(head, "controls", "reported", "with an effect")
    for name, of in [*_sorted(lines, by), ("**all**", lines)]:
        yield _row(name, str(len(of)), str(sum(map(is_reported, of))), str(sum(map(is_shown, of))))


def is_reported(line: Line) -> bool:
    """Return whether a row reports a difference."""
    return is_detected(line)


def summary(lines: Sequence[Line]) -> Iterator[str]:
    """Yield a few figures in words."""
    mutants = [line for line in lines if not line["control"]]
    changed = [line for line in mutants if standing(line) == "changed"]
    yield f"mutants: {len(mutants)}, {len(changed)} of them change the meaning"
    yield from _grounds([line for line in mutants if standing(line) == "same"])
    yield f"undecided: {sum(standing(line) == 'undecided' for line in mutants)}"
    if changed:
        yield f"detected: {_share(sum(map(is_detected, changed)), len(changed))}"
        yield f"right place: {_share(sum(map(is_place_right, changed)), len(changed))}"
        yield f"shown by a row alone: {_share(sum(map(is_row_played, changed)), len(changed))}"
        yield f"with a right witness: {_share(sum(map(is_shown, changed)), len(changed))}"
        yield f"right effect: {_share(sum(map(is_effect_right, changed)), len(changed))}"
        yield f"with a witness that does not replay: {sum(map(is_wrongly_shown, lines))}"
        yield f"called the same, and shown by play: {sum(map(is_called_same, changed))}"
        yield f"rows for one change: {sum(len(each['rows']) for each in changed) / len(changed):.2f}"
        seconds = sorted(line["seconds"] for line in changed)
        yield f"seconds for one: {median(seconds):.1f} in the middle, {seconds[-1]:.0f} at most"
    yield f"searches stopped by the clock: {sum(bool((line['whole'] or {}).get('timed_out')) for line in lines)}"
    controls = [line for line in lines if line["control"]]
    yield f"controls reported: {sum(map(is_reported, controls))} of {len(controls)}"
    yield f"seconds of work in all: {sum(line['work'] for line in lines):.0f}"


def _grounds(same: Sequence[Line]) -> Iterator[str]:
    """Yield how the equivalence of texts is known. A judgement by hand beside a proof checks the proof."""
    grounds = Counter(map(ground, same))
    numbers = ", ".join(f"{number} {name}" for name, number in sorted(grounds.items(), key=str))
    by_hand = sum(by_hand_of(line) is not None for line in same)
    yield f"the same: {len(same)} ({numbers or 'none'}); {by_hand} of them read by hand"


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
    """Yield the failures, text by text."""
    for line in lines:
        changes = "; ".join(line["told"])
        rows = ", ".join(f"{each['clauses'][0]} {each['effect']}" for each in line["rows"])
        for what in _wrong(line):
            where = f"{line['id']} {line['game']} {line['edition'] or ''}"
            yield f"{what}: {where} {line['operator']}: {changes} -> {rows or '-'}"


def _wrong(line: Line) -> Iterator[str]:
    if is_wrongly_shown(line):
        yield "WRONG WITNESS"
    if is_called_same(line) and standing(line) == "changed":
        yield "CALLED THE SAME"
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
            if not is_place_right(line):
                yield "PLACE"
        case "undecided":
            yield "UNDECIDED"
