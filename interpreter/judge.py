"""Each divergence judged: played under both readings until they part, or until the effort is spent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ludex.spec import Built, Divergence, GameText, Request, build

from .differences import Bounds, Effect, Effort, Finding, Shown
from .engine import Engine
from .lockstep import Pair, Witness
from .showing import Lines, Reading, show, written
from .trials import PLAYED, Trial, bare, pairs, resting_on, trials
from .witness import Limits, Search, Searched

MOST_NAMED = 3
"""So many clauses are named in a reason."""
FIRST_TABLE = 0.75
"""This share of the effort goes to the lowest number of players, the rest to the others."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What is found out about one pair of readings."""

    effect: Effect
    reason: str
    witness: Shown | None = None
    candidate: bool = False
    bounds: Bounds | None = None


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges divergences of one game, one after another. Games that are played again and again are kept."""

    text: GameText
    effort: Effort
    _built: dict[tuple[str, int], Built] = field(default_factory=dict)

    @classmethod
    def of(cls, text: GameText, effort: Effort) -> Judge:
        return cls(bare(text), effort)

    def finding(self, divergence: Divergence) -> Finding:
        """The divergence with its effect, and a witness if one is found."""
        found = [self._pair(divergence, left, right) for left, right in self._pairs(divergence)]
        if not found:
            return Finding(divergence, "unknown", "none", _not_played(divergence), None, False, None)
        best = min(found, key=_rank)
        others = tuple(each.witness for each in found if each.witness is not None and each is not best)
        return Finding(
            divergence, "unknown", best.effect, best.reason, best.witness, best.candidate, best.bounds, others
        )

    @staticmethod
    def _pairs(divergence: Divergence) -> tuple[tuple[str, str], ...]:
        if not any(clause.kind in PLAYED for clause in divergence.row.stated.values()):
            return ()
        return pairs(divergence)

    # ---- one pair of readings

    def _pair(self, divergence: Divergence, left: str, right: str) -> Judged:
        if divergence.kind == "timing":
            return Judged("unknown", "it stands in another place, which cannot be exchanged by itself", None, True)
        unbuilt, first = "", self._tables()[0]
        for trial in trials(self.text, divergence, left, right):
            pair = self._game(trial, first)
            if isinstance(pair, Pair):
                return self._played(trial, divergence, pair)
            unbuilt = unbuilt or pair
        if right in divergence.row.stated:
            return Judged("unknown", f"it cannot be tried by itself: {unbuilt}", None, True)
        return self._needed(divergence.row.stated[left].path, left, right, unbuilt)

    def _needed(self, path: str, left: str, right: str, unbuilt: str) -> Judged:
        """What is to be said of a clause that others need, so that it cannot be left out."""
        unsaid = resting_on(self.text, right, path)
        if unsaid:
            told = f"{right} speaks of it in {_listed(unsaid)} and does not say what it is"
            return Judged("unknown", told, None, True)
        resting = resting_on(self.text, left, path)
        if resting:
            told = f"{right} says nothing of it; it matters only through {_listed(resting)}, and is judged with that"
            return Judged("unknown", told, None, False)
        return Judged("unknown", f"{right} says nothing of it; it cannot be left out by itself: {unbuilt}", None, True)

    def _tables(self) -> tuple[int, ...]:
        low, high = self.text.game.header.players
        return self.effort.players or tuple(range(low, high + 1))

    def _game(self, trial: Trial, players: int) -> Pair | str:
        """Both games of a trial, or why one cannot be played."""
        found = [self._build(text, trial.edition, players) for text in trial.texts]
        for built in found:
            if built.game is None:
                return built.diagnostics[0].message
        left, right = (built.game for built in found)
        assert left is not None
        assert right is not None
        return Pair(Engine(left), Engine(right))

    def _build(self, text: GameText, edition: str, players: int) -> Built:
        if text is not self.text:
            return build(text, Request(players, edition))
        key = edition, players
        if key not in self._built:
            self._built[key] = build(text, Request(players, edition))
        return self._built[key]

    # ---- playing

    def _played(self, trial: Trial, divergence: Divergence, first: Pair) -> Judged:
        bounds, tables, fault = Bounds(0, 0, 0, 0.0, False, (), False), self._tables(), ""
        for at, players in enumerate(tables):
            pair = first if at == 0 else self._game(trial, players)
            if isinstance(pair, str) or pair.contrast.same:
                continue
            witness, searched = Search(pair, self._limits(at, len(tables)), self.effort.seed).run()
            bounds, fault = _together(bounds, searched, players), fault or searched.fault
            shown = self._shown(trial, pair, witness) if witness else None
            if shown is not None and witness is not None:
                is_setup = divergence.row.clause.split(".")[0] == "setup"
                effect: Effect = "setup" if is_setup else witness.parting
                return Judged(effect, _reason(trial, shown), shown, False, bounds)
        if not bounds.tables:
            return Judged("none", f"what is carried out is the same{' without it' if trial.silent else ''}")
        return Judged("unknown", _not_found(trial, bounds, fault), None, True, bounds)

    def _limits(self, at: int, tables: int) -> Limits:
        share = 1.0 if tables == 1 else FIRST_TABLE if at == 0 else (1 - FIRST_TABLE) / (tables - 1)
        return Limits(int(self.effort.events * share), self.effort.seconds * share)

    # ---- showing

    def _shown(self, trial: Trial, pair: Pair, witness: Witness) -> Shown | None:
        """The witness written down and replayed: between the two editions as they stand, if they part on it alike."""
        lines = written(pair.left.game, pair.right.game, witness, trial.is_left_real)
        mine = Reading(trial.left, pair.left.game, trial.path)
        theirs = Reading(trial.right, pair.right.game, None if trial.silent else trial.path)
        alone = show(mine, theirs, lines)
        if alone is None:
            return None
        real = None if trial.silent else self._as_they_stand(trial, lines, pair.left.game.players)
        if real is not None and _verdicts(real) == _verdicts(alone):
            return real
        return show(*_placed(trial, mine, theirs), lines)

    def _as_they_stand(self, trial: Trial, lines: Lines, players: int) -> Shown | None:
        games = [self._build(self.text, edition, players).game for edition in (trial.left, trial.right)]
        if games[0] is None or games[1] is None:
            return None
        return show(Reading(trial.left, games[0], trial.path), Reading(trial.right, games[1], trial.path), lines)


def _verdicts(shown: Shown) -> object:
    return [(side.allowed, side.scores) for side in (shown.left, shown.right)]


def _placed(trial: Trial, mine: Reading, theirs: Reading) -> tuple[Reading, Reading]:
    """The readings with what is to be said of the one that is no edition as it stands."""
    if trial.silent:
        return mine, replace(theirs, where=f"without `{trial.path}`")
    other = trial.right if trial.is_left_real else trial.left
    where = f"{trial.edition} with `{trial.path}` as in {other}"
    return (mine, replace(theirs, where=where)) if trial.is_left_real else (replace(mine, where=where), theirs)


def _together(bounds: Bounds, searched: Searched, players: int) -> Bounds:
    return Bounds(
        bounds.seeds + searched.plays,
        bounds.events + searched.events,
        max(bounds.depth, searched.deepest),
        bounds.seconds + searched.seconds,
        bounds.timed_out or searched.timed_out,
        (*bounds.tables, players),
        bounds.reached or searched.reached,
        bounds.faults + searched.faults,
    )


# ---- reasons ----------------------------------------------------------------------------------------------------


def _reason(trial: Trial, shown: Shown) -> str:
    if trial.silent:
        return f"{trial.right} says nothing of it: so it goes if nothing is borrowed"
    whole = " and the clauses inside it" if trial.whole else ""
    instead = f"it stands and falls with `{trial.instead}`; " if trial.instead else ""
    alone = any(" as in " in side.told for side in (shown.left, shown.right))
    if alone:
        return f"{instead}shown with only this clause{whole} exchanged"
    return f"{instead}shown between {trial.left} and {trial.right} as they stand"


def _not_found(trial: Trial, bounds: Bounds, fault: str) -> str:
    silent = f"{trial.right} says nothing of it; " if trial.silent else ""
    if bounds.faults > bounds.seeds // 2:
        what = "left out" if trial.silent else "exchanged"
        return f"{silent}with it {what}, plays stop where the rules do not say what happens: {fault}"
    if not bounds.reached:
        return f"{silent}no play came to where it could matter"
    return f"{silent}no log was found that parts them"


def _listed(paths: Sequence[str]) -> str:
    """A few of them by name."""
    named = ", ".join(f"`{path}`" for path in paths[:MOST_NAMED])
    return named if len(paths) <= MOST_NAMED else f"{named} and {len(paths) - MOST_NAMED} more"


def _not_played(divergence: Divergence) -> str:
    return f"no play reaches a {divergence.row.kind}"


def _rank(judged: Judged) -> tuple[bool, bool, bool, int]:
    """Witnesses first, the shortest first of them; then what was played and is not known; what could not be tried is
    last."""
    length = len(judged.witness.lines) if judged.witness else 0
    tried = judged.bounds is not None or judged.effect == "none"
    return judged.witness is None, not tried, not judged.candidate, length
