"""Each divergence judged: played under both readings until they part, or until the effort is spent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import chain
from typing import TypeAlias

from ludex.spec import Built, Divergence, GameText, Request, build, common_parent, merged, said, with_clause_of
from ludex.spec import model as m

from ..engine import Engine
from ..events import SpecFault
from ..processes import seldom_collecting
from .alone import stands_alone
from .deciding import EQUAL, Decision, Direction, Situation, both, decide, resting, together, unread
from .findings import Bounds, Effect, Effort, Finding, Shown, Verdict
from .goals import goals
from .lockstep import Pair, Witness
from .showing import Lines, Reading, show, written
from .trials import Trial, all_left_out, bare, everywhere, in_others, is_played, otherwise, pairs, resting_on, trials
from .unlike import Parts
from .witness import Limits, Search, Searched

SAME = "what is carried out is the same"
SAME_WITHOUT = f"{SAME} without it"
IN_PARTS = Decision("unknown", "it is a stretch of several clauses, each tried by itself")
MOST_NAMED = 3
"""So many clauses are named in a reason."""
FIRST_TABLE = 0.75
"""This share of the effort goes to the lowest number of players, the rest to the others."""
AGAIN, OTHERWISE, ELSEWHERE, PART_OF_MANY, AT_MOST = 0.5, 0.3, 0.3, 0.25, 2.0
"""So much of the effort again may be spent on the other edition's game; on a table that takes options or forks
otherwise; on the game of a further edition that says the same; on each clause of a stretch that is left out, and on
all of them."""


SHOWN: Mapping[tuple[bool | None, bool | None], Direction] = {(True, False): "stricter", (False, True): "looser"}
"""What a move shows that only one reading allows."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What is found out about one pair of readings."""

    effect: Effect
    reason: str
    witness: Shown | None = None
    candidate: bool = False
    bounds: Bounds | None = None
    decision: Decision | None = None
    through: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tried:
    """The first trials of two readings that can be put together, those that are left, and what the right reading is
    against the left one."""

    kind: Sequence[Trial]
    kinds: Iterator[Sequence[Trial]]
    decision: Decision


@dataclass(frozen=True, slots=True)
class Side:
    """One game of a pair, ready to be played and compared."""

    engine: Engine
    parts: Parts


Trials: TypeAlias = dict[tuple[str, str], Tried | str]
"""By readings; or why they cannot be tried."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges divergences of one game, one after another. Games that are played again and again are kept."""

    text: GameText
    effort: Effort
    _built: dict[str, Built] = field(default_factory=dict)
    _sides: dict[int, Side] = field(default_factory=dict)
    _games: dict[tuple[object, ...], tuple[Trial, Pair | str]] = field(default_factory=dict)

    @classmethod
    def of(cls, text: GameText, effort: Effort) -> Judge:
        """A judge of this game. effort: for each divergence."""
        return cls(bare(text), effort)

    @seldom_collecting()
    def finding(self, divergence: Divergence) -> Finding:
        """The divergence with its verdict and effect, and a witness if one is found. What turns out to be one meaning
        in other words is one reading."""
        tried: Trials = {}
        self._games.clear()
        divergence = merged(divergence, self._alike(divergence, tried))
        if _is_settled(divergence):
            decision = together(each.decision for each in tried.values() if isinstance(each, Tried))
            told = _with_reason(SAME, decision)
            return Finding(divergence, "equal", "none", told, None, False, None, (), decision)
        found = [self._pair_in_all(divergence, left, right, tried) for left, right in self._pairs(divergence)]
        if not found:
            return Finding(divergence, "unknown", "none", _not_played(divergence), None, False, None)
        best = min(found, key=_rank)
        others = tuple(each.witness for each in found if each.witness is not None and each is not best)
        return Finding(
            divergence,
            verdict_of(found[0]),
            best.effect,
            best.reason,
            best.witness,
            best.candidate,
            best.bounds,
            others,
            found[0].decision,
            best.through,
        )

    def _pairs(self, divergence: Divergence) -> tuple[tuple[str, str], ...]:
        return pairs(divergence) if is_played(self.text, divergence) else ()

    def _alike(self, divergence: Divergence, tried: Trials) -> list[tuple[str, str]]:
        """Editions that state the clause and come to the same."""
        if not self._pairs(divergence):
            return []
        classes: list[str] = []
        alike: list[tuple[str, str]] = []
        for name, *_ in divergence.groups:
            if name not in divergence.row.stated:
                continue
            known = (each for each in classes if self._is_alike(divergence, each, name, tried))
            same = next(known, None)
            if same is None:
                classes.append(name)
            else:
                alike.append((same, name))
        return alike

    def _is_alike(self, divergence: Divergence, left: str, right: str, tried: Trials) -> bool:
        found = self._known(divergence, left, right, tried)
        return isinstance(found, Tried) and found.decision.verdict == "equal"

    # ---- one pair of readings

    def _known(self, divergence: Divergence, left: str, right: str, tried: Trials) -> Tried | str:
        """What is decided of two readings; or why they cannot be tried."""
        if (left, right) not in tried:
            tried[left, right] = self._decided(divergence, left, right)
        return tried[left, right]

    def _decided(self, divergence: Divergence, left: str, right: str) -> Tried | str:
        unbuilt, kinds = "", trials(self.text, divergence, left, right)
        if divergence.gap is not None:
            found = self._decision((all_left_out(self.text, divergence, left, right),))
            return Tried(next(kinds, ()), kinds, found if isinstance(found, Decision) else IN_PARTS)
        for kind in kinds:
            found = self._decision(kind)
            if isinstance(found, Decision):
                return Tried(kind, kinds, found)
            unbuilt = unbuilt or found
        return unbuilt

    def _decision(self, kind: Sequence[Trial]) -> Decision | str:
        """What the right reading is, in the first trial; where it is the same, in all of them."""
        found, unbuilt, is_built, is_alone = EQUAL, "", False, True
        for trial, _ in self._runs(kind, True):
            here_built = False
            for players in self._tables()[: 1 if trial.otherwise else None]:
                pair = self._game(trial, players)
                if isinstance(pair, str):
                    unbuilt = unbuilt or pair
                    if here_built and self._is_one_sided(trial, players):
                        return Decision("unknown", f"with {players} players it cannot be tried: {pair}")
                    continue
                if trial.needing:
                    return Decision("unknown", _silence(trial))
                is_built = here_built = True
                here = _decided(pair)
                found, is_alone = both(found, here), is_alone and stands_alone(pair, here)
                if found.verdict in {"unknown", "incomparable"}:
                    return found
            if found.verdict != "equal" and len(kind) <= 2:
                break
        if found.verdict == "equal" and is_built and len(kind) <= 2:
            return self._at_all_tables(kind, found, is_alone)
        return found if is_built else unbuilt

    def _at_all_tables(self, kind: Sequence[Trial], found: Decision, is_alone: bool) -> Decision:
        """What is the same by default, at all tables that options and forks make. is_alone: only those of which the
        clause speaks can make a difference."""
        still_alone = True
        for trial in self._everywhere(kind, not is_alone):
            if trial is None:
                return Decision("unknown", "it comes to the same by default, and there are too many tables to try all")
            for players in self._tables():
                pair = self._put_together(trial, players)
                if isinstance(pair, str):
                    if self._is_one_sided(trial, players):
                        return Decision("unknown", f"with {trial.otherwise} it cannot be tried: {pair}")
                    continue
                here = _decided(pair)
                found, still_alone = both(found, here), still_alone and stands_alone(pair, here)
                if found.verdict in {"unknown", "incomparable"}:
                    return found
        return found if still_alone or not is_alone else self._at_all_tables(kind, found, False)

    def _everywhere(self, kind: Sequence[Trial], with_users: bool) -> Iterator[Trial | None]:
        for trial in kind:
            game = self._build(trial.texts[not trial.is_left_real], trial.request(self._tables()[0])).game
            if game is not None:
                tables = everywhere(self.text, trial, game, len(self._tables()), with_users)
                yield from (None,) if tables is None else tables

    def _rarely(self, kind: Sequence[Trial]) -> Iterator[tuple[Trial, float]]:
        """Tables that take several options or forks otherwise, or one with more players."""
        tables = [each for each in self._everywhere(kind, True) if each is not None]
        yield from ((each, min(OTHERWISE, AT_MOST / len(tables))) for each in tables)

    def _is_one_sided(self, trial: Trial, players: int) -> bool:
        """Whether only one of the two is a game at a table."""
        games = [self._build(text, trial.request(players)).game for text in trial.texts]
        return (games[0] is None) != (games[1] is None)

    def _pair_in_all(self, divergence: Divergence, left: str, right: str, tried: Trials) -> Judged:
        """The pair, in the games of both; where playing shows nothing, in those of the others that say the same."""
        judged = self._pair(divergence, left, right, tried)
        if not judged.candidate or judged.bounds is None or divergence.gap is not None:
            return judged
        decision = judged.decision or Decision("unknown", "")
        situations: Sequence[Situation | None] = (decision.left_only, decision.right_only)
        played = [judged]
        for trial in in_others(self.text, divergence, left, right):
            found = self._played(trial, situations, ELSEWHERE)
            if isinstance(found, Judged) and found.bounds is not None:
                played.append(found)
                if found.witness is not None:
                    break
        return replace(_in_all(played), decision=judged.decision)

    def _pair(self, divergence: Divergence, left: str, right: str, tried: Trials) -> Judged:
        known, unbuilt = self._known(divergence, left, right, tried), ""
        if isinstance(known, str):
            return self._unplayed(divergence, left, right, known)
        if known.decision.verdict == "equal":
            told = SAME_WITHOUT if known.kind[0].silent else SAME
            return Judged("none", _with_reason(told, known.decision), decision=known.decision)
        for kind in chain((known.kind,) if known.kind else (), known.kinds):
            judged = self._tried(divergence, kind, (known.decision.left_only, known.decision.right_only))
            if isinstance(judged, Judged):
                is_same = judged.effect == "none" and divergence.gap is not None
                return replace(judged, decision=EQUAL if is_same else known.decision)
            unbuilt = unbuilt or judged
        return self._unplayed(divergence, left, right, unbuilt)

    def _unplayed(self, divergence: Divergence, left: str, right: str, unbuilt: str) -> Judged:
        """What is to be said of readings of which none can be put together."""
        if right in divergence.row.stated:
            return Judged("unknown", f"it cannot be tried by itself: {unbuilt}", None, True)
        return self._needed(divergence.row.stated[left].path, left, right, unbuilt)

    def _tried(
        self, divergence: Divergence, kind: Sequence[Trial], situations: Sequence[Situation | None]
    ) -> Judged | str:
        """What the first trial that shows something shows, or all together; or why none can be played."""
        played: list[Judged] = []
        if divergence.gap is not None:
            same = [trial for trial in kind if self._is_same_part(trial)]
            played += [Judged("none", SAME_WITHOUT, decision=EQUAL)] if same else []
            kind = [trial for trial in kind if trial not in same]
        found, unbuilt = self._plays(self._runs(kind), situations)
        if found and all(each.bounds is None for each in found):
            found, unbuilt = self._plays(self._runs(kind, True), situations)
            if all(each.bounds is None for each in found):
                more, _ = self._plays(self._rarely(kind), situations)
                found += more
        played += found
        if not played:
            return unbuilt
        best = _in_all(played)
        if best.effect == "none" and unbuilt and divergence.gap is not None:
            return Judged(
                "unknown", f"nothing of it was found to matter, and not all can be left out: {unbuilt}", None, True
            )
        return best

    def _plays(
        self, runs: Iterable[tuple[Trial, float]], situations: Sequence[Situation | None]
    ) -> tuple[list[Judged], str]:
        """What each trial shows, up to the first with a witness; and why one of them cannot be played."""
        played: list[Judged] = []
        unbuilt = ""
        for trial, share in runs:
            judged = self._played(trial, situations, share)
            if isinstance(judged, str):
                unbuilt = unbuilt or judged
                continue
            played.append(judged)
            if judged.witness is not None:
                break
        return played, unbuilt

    def _is_same_part(self, trial: Trial) -> bool:
        """Whether it goes without a clause of a stretch as with it."""
        decided = self._decision((trial,))
        return isinstance(decided, Decision) and decided.verdict == "equal"

    def _runs(self, kind: Sequence[Trial], with_users: bool = False) -> Iterator[tuple[Trial, float]]:
        """The trials, each with a share of the effort; then those at tables that take options or forks otherwise."""
        if len(kind) > 2:
            yield from ((trial, min(PART_OF_MANY, AT_MOST / len(kind))) for trial in kind)
            return
        yield from zip(kind, (1.0, AGAIN), strict=False)
        for trial in kind:
            game = self._build(trial.texts[not trial.is_left_real], trial.request(self._tables()[0])).game
            if game is not None:
                yield from ((other, OTHERWISE) for other in otherwise(self.text, trial, game, with_users))

    def _needed(self, path: str, left: str, right: str, unbuilt: str) -> Judged:
        """What is to be said of a clause that others need, so that it cannot be left out."""
        unsaid = resting_on(self.text, right, path)
        if unsaid:
            told = f"{right} speaks of it in {_listed(unsaid)} and does not say what it is"
            return Judged("unknown", told, None, True)
        resting = resting_on(self.text, left, path)
        if resting:
            told = f"{right} says nothing of it; it matters only through {_listed(resting)}, and is judged with that"
            return Judged("unknown", told, None, False, through=resting)
        return Judged("unknown", f"{right} says nothing of it; it cannot be left out by itself: {unbuilt}", None, True)

    def _tables(self) -> tuple[int, ...]:
        low, high = self.text.game.header.players
        return self.effort.players or tuple(range(low, high + 1))

    def _game(self, trial: Trial, players: int) -> Pair | str:
        """Both games of a trial, or why one cannot be played. They are kept until the next finding."""
        key = *map(id, trial.texts), repr(trial.request(players))
        if key not in self._games:
            self._games[key] = trial, self._put_together(trial, players)
        return self._games[key][1]

    def _put_together(self, trial: Trial, players: int) -> Pair | str:
        found = [self._build(text, trial.request(players)) for text in trial.texts]
        for built in found:
            if built.game is None:
                return built.errors[0].message
        try:
            left, right = (self._side(built.game) for built in found if built.game is not None)
            return Pair(left.engine, right.engine, parts=(left.parts, right.parts))
        except SpecFault as fault:
            return fault.message

    def _side(self, game: m.Game) -> Side:
        """A game with what is made of it; kept if the game is."""
        found = self._sides.get(id(game)) or Side(Engine(game), Parts(game))
        if any(game is built.game for built in self._built.values()):
            self._sides[id(game)] = found
        return found

    def _build(self, text: GameText, request: Request) -> Built:
        if text is not self.text:
            return build(text, request, logged=False)
        key = repr(request)
        if key not in self._built:
            self._built[key] = build(text, request)
        return self._built[key]

    # ---- playing

    def _played(self, trial: Trial, situations: Sequence[Situation | None], share: float) -> Judged | str:
        """What playing shows; why it cannot be played, at any table. situations: that tell the two apart."""
        bounds, tables, fault = NOTHING_PLAYED, self._tables(), ""
        if trial.otherwise and not trial.everywhere:
            tables = tables[:1]
        if share <= PART_OF_MANY:
            tables = tuple(dict.fromkeys((tables[0], tables[-1])))
        unbuilt: list[str] = []
        for at, players in enumerate(tables):
            pair = self._game(trial, players)
            if isinstance(pair, str):
                unbuilt.append(pair)
                continue
            if pair.contrast.same:
                continue
            limits, towards = self._limits(at, len(tables), share), goals(pair.left, situations)
            witness, searched = Search(pair, limits, self.effort.seed, goals=towards).run()
            bounds, fault = _together(bounds, searched, players), fault or searched.fault
            shown = self._shown(trial, pair, witness) if witness else None
            if shown is not None and witness is not None:
                is_setup = trial.path.split(".")[0] == "setup"
                effect: Effect = "setup" if is_setup else witness.parting
                told = _reason(trial, shown) + self._undone(trial, shown)
                return Judged(effect, told, shown, False, bounds)
        if len(unbuilt) == len(tables):
            return unbuilt[0]
        if not bounds.tables:
            return Judged("none", SAME_WITHOUT if trial.silent else SAME)
        return Judged("unknown", _not_found(trial, bounds, fault), None, True, bounds)

    def _limits(self, at: int, tables: int, whole: float) -> Limits:
        share = 1.0 if tables == 1 else FIRST_TABLE if at == 0 else (1 - FIRST_TABLE) / (tables - 1)
        return Limits(int(self.effort.events * share * whole), self.effort.seconds * share * whole)

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

    def _undone(self, trial: Trial, shown: Shown) -> str:
        """Where what is inside the clause or beside it makes up for it: what is to be said of that. Texts may say one
        thing in steps of other order or other names, so that a step by itself differs and all come to the same."""
        if trial.silent or not _is_alone(shown):
            return ""
        other = trial.right if trial.is_left_real else trial.left
        beside = common_parent(self.text, (trial.left, trial.path), (trial.right, trial.path))
        theirs = said(self.text.editions[other].module.declarations)
        for around in (None if trial.whole else trial.path, beside):
            if around is None or around not in theirs:
                continue
            grafted = with_clause_of(self.text, trial.edition, around, other, around, True)
            if self._goes_alike(trial, grafted, around, shown):
                return f"; with all of `{around}` exchanged this game goes alike under both"
        return ""

    def _goes_alike(self, trial: Trial, grafted: GameText, around: str, shown: Shown) -> bool:
        """Whether the log that was shown does not part the edition from the same with another text put in."""
        mine, theirs = (self._build(text, trial.request(shown.players)).game for text in (self.text, grafted))
        if mine is None or theirs is None:
            return False
        return show(Reading(trial.left, mine, around), Reading(trial.right, theirs, around), shown.lines) is None

    def _as_they_stand(self, trial: Trial, lines: Lines, players: int) -> Shown | None:
        requests = (replace(trial.request(players), edition=edition) for edition in (trial.left, trial.right))
        games = [self._build(self.text, request).game for request in requests]
        if games[0] is None or games[1] is None:
            return None
        return show(Reading(trial.left, games[0], trial.path), Reading(trial.right, games[1], trial.path), lines)


def _same(pair: Pair) -> Decision:
    """That both are the same, and what that rests on."""
    return unread(resting(EQUAL, pair.rests_on), pair.unread_in)


def _with_reason(told: str, decision: Decision) -> str:
    return f"{told}, {decision.reason}" if decision.verdict == "equal" and decision.reason else told


def _decided(pair: Pair) -> Decision:
    return _same(pair) if pair.contrast.same else decide(pair)


def _is_settled(divergence: Divergence) -> bool:
    """Whether all say the same, and none is silent."""
    return len(divergence.groups) == 1


def verdict_of(judged: Judged) -> Verdict:
    """What the second reading is against the first one: as decided; where that is not known, a game may still show
    that it allows less or more, or that neither does and they come to different things."""
    decision, shown = judged.decision or Decision("unknown"), judged.witness
    if decision.verdict != "unknown" or shown is None:
        return decision.verdict
    if shown.left.allowed is None:
        return "incomparable"
    found = SHOWN.get((shown.left.allowed, shown.right.allowed))
    return found if found is not None and found == decision.at_most else "unknown"


def _is_alone(shown: Shown) -> bool:
    """Whether one side is no edition as it stands."""
    return any(side.where for side in (shown.left, shown.right))


def _verdicts(shown: Shown) -> object:
    return [(side.allowed, side.scores) for side in (shown.left, shown.right)]


def _placed(trial: Trial, mine: Reading, theirs: Reading) -> tuple[Reading, Reading]:
    """The readings with what is to be said of the one that is no edition as it stands."""
    if trial.silent:
        also = f" and what speaks of it ({_listed(trial.also)})" if trial.also else ""
        return mine, replace(theirs, where=f"{trial.edition} without `{trial.path}`{also}")
    other = trial.right if trial.is_left_real else trial.left
    where = f"{trial.edition} with `{trial.path}` as in {other}"
    return (mine, replace(theirs, where=where)) if trial.is_left_real else (replace(mine, where=where), theirs)


NOTHING_PLAYED = Bounds(0, 0, 0, 0.0, False, (), False)


def _together(bounds: Bounds, searched: Searched, players: int) -> Bounds:
    more = Bounds(
        searched.plays,
        searched.events,
        searched.deepest,
        searched.seconds,
        searched.timed_out,
        (players,),
        searched.reached,
        searched.faults,
        searched.states,
    )
    return _sum(bounds, more)


def _sum(one: Bounds, other: Bounds) -> Bounds:
    return Bounds(
        one.seeds + other.seeds,
        one.events + other.events,
        max(one.depth, other.depth),
        one.seconds + other.seconds,
        one.timed_out or other.timed_out,
        tuple(dict.fromkeys((*one.tables, *other.tables))),
        one.reached or other.reached,
        one.faults + other.faults,
        one.states + other.states,
    )


def _in_all(played: Sequence[Judged]) -> Judged:
    """The trial that shows something, else the first of which nothing is known; with all that was looked at."""
    best = min(played, key=_rank)
    looked_at = [each.bounds for each in played if each.bounds is not None]
    return replace(best, bounds=reduce(_sum, looked_at)) if looked_at else best


# ---- reasons ----------------------------------------------------------------------------------------------------


def _silence(trial: Trial) -> str:
    if trial.needing:
        return f"{trial.right} speaks of `{trial.path}` in {_listed(trial.needing)} and does not say what it is"
    return f"{trial.right} says nothing of it"


def _reason(trial: Trial, shown: Shown) -> str:
    if trial.silent:
        return f"{_silence(trial)}; the game goes as if nobody did"
    whole = " and the clauses inside it" if trial.whole else ""
    instead = f"it stands and falls with `{trial.instead}`; " if trial.instead else ""
    with_ = f", with {trial.otherwise}" if trial.otherwise else ""
    if _is_alone(shown):
        return f"{instead}shown with only this clause{whole} exchanged{with_}"
    return f"{instead}shown between {trial.left} and {trial.right} as they stand{with_}"


def _not_found(trial: Trial, bounds: Bounds, fault: str) -> str:
    silent = f"{_silence(trial)}; " if trial.silent else ""
    if bounds.faults > bounds.seeds // 2:
        what = "left out" if trial.silent else "exchanged"
        return f"{silent}with it {what}, plays stop where the rules do not say what happens: {fault}"
    if not bounds.reached:
        return f"{silent}no play came to where it could matter"
    return f"{silent}no game was found that parts them"


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
