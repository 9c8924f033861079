"""Findings kept on disk, so that a run that was broken off goes on and a second one is immediate.

A file holds one finding, without its divergence. Its name is a digest of all that it
hangs on: the game's files, the editions compared, the clause, the effort, and the code of Ludex itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from ludex.grammar import cache_folder, keep, kept
from ludex.spec import Comparison, Divergence, GameText, merged

from .deciding import Decision, Situation, has_solver
from .findings import Apart, Bounds, CellApart, Effort, Finding, Shown, Side


def findings_folder() -> Path | None:
    """Where findings are kept by default: in the user's own cache. None where there is no such place."""
    folder = cache_folder()
    return folder / "findings" if folder else None


class Kept:
    """The findings of one comparison on disk. A file that cannot be read or written is as good as none."""

    def __init__(self, folder: Path | None, text: GameText, comparison: Comparison, effort: Effort) -> None:
        self._folder = folder
        self._base = sha256("\0".join(_hung_on(text, comparison, effort)).encode()).hexdigest() if folder else ""

    def get(self, divergence: Divergence) -> Finding | None:
        """What was found out about the divergence, if it is kept."""
        if self._folder is None:
            return None
        return kept(self._path(self._folder, divergence), partial(_read, divergence))

    def put(self, finding: Finding) -> None:
        """Keep a finding."""
        if self._folder is not None:
            keep(self._path(self._folder, finding.divergence), _members(finding))

    def _path(self, folder: Path, divergence: Divergence) -> Path:
        whole = sha256(f"{self._base} {divergence.id} {divergence.under} {divergence.gap}".encode()).hexdigest()
        return folder / f"{whole[:32]}.finding"


def _hung_on(text: GameText, comparison: Comparison, effort: Effort) -> Iterator[str]:
    yield _code()
    yield str(has_solver())
    yield repr(effort)
    yield repr(comparison.editions)
    for file in text.files:
        yield file.name
        yield repr(file.module)
    for name, data in text.component_texts.items():
        yield name
        yield data


@cache
def _code() -> str:
    """A digest of what decides how games are read and played."""
    digest = sha256()
    for name in ("interpreter", "spec", "grammar"):
        folder = Path(sys.modules[f"ludex.{name}"].__file__ or "").parent
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _members(finding: Finding) -> dict[str, Any]:
    return {
        "verdict": finding.verdict,
        "effect": finding.effect,
        "reason": finding.reason,
        "witness": asdict(finding.witness) if finding.witness else None,
        "candidate": finding.candidate,
        "bounds": asdict(finding.bounds) if finding.bounds else None,
        "others": [asdict(each) for each in finding.others],
        "decision": _decision_members(finding.decision),
        "through": finding.through,
        "groups": finding.divergence.groups,
    }


def _decision_members(decision: Decision | None) -> dict[str, Any] | None:
    if decision is None:
        return None
    sides = {"left_only": decision.left_only, "right_only": decision.right_only}
    told = {
        name: None if each is None else {"players": each.players, "place": each.place, "told": each.told}
        for name, each in sides.items()
    }
    return {"verdict": decision.verdict, "reason": decision.reason, "by": decision.by, **told}


def _read(divergence: Divergence, data: Mapping[str, Any]) -> Finding:
    bounds = data["bounds"]
    return Finding(
        merged(divergence, data["groups"]),
        data["verdict"],
        data["effect"],
        data["reason"],
        _shown(data["witness"]) if data["witness"] else None,
        data["candidate"],
        Bounds(**{**bounds, "tables": tuple(bounds["tables"])}) if bounds else None,
        tuple(map(_shown, data["others"])),
        _decision(data["decision"]),
        tuple(data["through"]),
    )


def _decision(data: Mapping[str, Any] | None) -> Decision | None:
    """A decision with its situations in words; their cells are not kept."""
    if data is None:
        return None
    left, right = (_situation(data[side]) for side in ("left_only", "right_only"))
    return Decision(data["verdict"], data["reason"], data["by"], left, right)


def _situation(data: Mapping[str, Any] | None) -> Situation | None:
    return None if data is None else Situation(data["players"], data["place"], tuple(data["told"]))


def _shown(data: Mapping[str, Any]) -> Shown:
    sides = [_side(data[side]) for side in ("left", "right")]
    apart = (Apart(each["after"], tuple(CellApart(**cell) for cell in each["cells"])) for each in data["apart"])
    return Shown(data["players"], tuple(data["lines"]), data["line"], sides[0], sides[1], tuple(apart))


def _side(data: Mapping[str, Any]) -> Side:
    clauses = tuple((path, tuple(citations)) for path, citations in data["clauses"])
    scores = None if data["scores"] is None else tuple(data["scores"])
    return Side(data["edition"], data["allowed"], clauses, data["told"], scores, data["where"])
