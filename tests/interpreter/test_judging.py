"""Divergences judged by playing: the shortest log on which two editions part, replayed before it is told."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from ludex.interpreter import Effort, Engine, Finding, LineReader, SpecFault, State, judge
from ludex.interpreter.differences.deciding import Decision
from ludex.interpreter.differences.judge import Judge, Judged, verdict_of
from ludex.interpreter.differences.lockstep import Pair
from ludex.interpreter.differences.trials import bare, in_others
from ludex.interpreter.differences.witness import Limits, Search
from ludex.spec import (
    Comparison,
    Divergence,
    GameText,
    Gap,
    Request,
    Row,
    build,
    compare,
    read_game,
    said,
    with_clause_moved,
    with_clause_of,
    without_clauses,
)

GAME = """game made
  players: 2..3
  document: en "en.txt", ru "ru.txt"
  editions: en, ru
  convention: "made for a test"

type Site = here | there
type Stone = grey | white

state coins(Player): 0..30 = 0
state built(Player): 0..30 = 0
state rounds: 0..9 = 0
zone yard(Site): bag of Stone up to 20, open

action take
  choose n in 1..3

action build
  choose at in Site
"""

TEXT = """edition NAME of made

fact price = 2                                                  [NAME 1]
fact worth(n: 0..9): 0..9 = if n > 2 then 2 else n              [NAME 1]
note author = 7                                                 [NAME 2]

setup
  purse: each p in Player                                       [NAME 3]
    coins(p) := 3

play
  turns: repeat                                                 [NAME 4]
    each player in seats
      turn: choose take or build
    count: rounds += 1
  until rounds = 2

action take
  require enough: n <= 2                                        [NAME 5]
  gain: coins(me) += n                                          [NAME 6]
  gift: may                                                     [NAME 7]
    coins(seat(1)) += 1
  rest: if can rest then rest

action rest
  require calm: rounds > 0                                      [NAME 16]
  gain: coins(me) += 5                                          [NAME 17]

action build
  require paid: my coins >= price                               [NAME 8]
  pay: coins(me) -= price                                       [NAME 9]
  rise: built(me) += 1                                          [NAME 10]
  lay: put grey in yard(at)                                     [NAME 11]
  first: if size(yard(at)) = 1 then coins(me) += 1              [NAME 12]

score built: worth(min(my built, 9)) * 2                                       [NAME 13]

winner                                                          [NAME 14]
  most: highest total(me)
  rich: highest my coins

example dear                                                    [NAME 15]
  with anna, boris
  given
    coins(anna) := 1
  refuse anna build(at: here) because build.paid
"""
EFFORT = Effort(events=6000, seconds=120, players=(2,))
"""Enough to go through the game from the beginning, which shows that what is found is shortest."""


def line(start: str) -> str:
    """A line of the text as it stands."""
    return next(each for each in TEXT.splitlines() if each.strip().startswith(start))


CHANGES = [
    ("value", "legal-moves", "price", ("price = 2", "price = 4")),
    ("modality", "legal-moves", "take.gift", ("gift: may  ", "gift:  ")),
    ("condition", "legal-moves", "take.enough", ("n <= 2", "n < 2")),
    ("condition", "legal-moves", "build.first", ("= 1 then", "> 1 then")),
    ("missing", "legal-moves", "build.paid", (line("require paid") + "\n", "")),
    ("missing", "score", "build.rise", (line("rise") + "\n", "")),
    ("order", "legal-moves", "build", (line("lay") + "\n" + line("first"), line("first") + "\n" + line("lay"))),
    ("destination", "legal-moves", "build.lay", ("in yard(at)  ", "in yard(there)")),
    ("actor", "score", "take.gift", ("coins(seat(1)) += 1", "coins(me) += 1")),
    ("scope", "setup", "setup.purse", ("each p in Player  ", "each p in Player where p != seat(1)  ")),
    ("value", "setup", "setup.purse", ("coins(p) := 3", "coins(p) := 1")),
    ("value", "score", "score.built", ("9)) * 2", "9)) * 3")),
    ("reference", "score", "winner.most", ("highest total(me)", "lowest total(me)")),
    ("missing", "score", "winner.rich", ("  rich: highest my coins\n", "")),
    ("scope", "legal-moves", "play.turns", ("until rounds = 2", "until rounds = 1")),
]
IDS = [f"{kind}-{clause}" for kind, _, clause, _ in CHANGES]


def written(folder: Path, *changes: tuple[str, str]) -> GameText:
    """The game in a folder; `ru` says what `en` says but for these changes of words."""
    folder.mkdir(exist_ok=True)
    (folder / "made.ludex").write_text(GAME, encoding="utf-8")
    changed = TEXT
    for old, new in changes:
        assert old in changed, old
        changed = changed.replace(old, new)
    (folder / "en.ludex").write_text(TEXT.replace("NAME", "en"), encoding="utf-8")
    (folder / "ru.ludex").write_text(changed.replace("NAME", "ru"), encoding="utf-8")
    return read_game(folder)


def compared(text: GameText) -> Comparison:
    return compare({name: file.module for name, file in text.editions.items()}, text.game.module)


def judged(text: GameText, clause: str, effort: Effort = EFFORT) -> Finding:
    """The finding about a clause."""
    (found,) = [each for each in judge(text, compared(text), effort) if each.divergence.row.clause == clause]
    return found


# ---- what is found ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "effect", "clause", "change"), CHANGES, ids=IDS)
def test_each_kind_of_difference_is_shown(
    kind: str, effect: str, clause: str, change: tuple[str, str], tmp_path: Path
) -> None:
    text = written(tmp_path / "made", change)
    found = judged(text, clause)
    assert (found.effect, found.candidate) == (effect, False), found.reason
    assert found.witness is not None
    assert {found.witness.left.edition, found.witness.right.edition} == {"en", "ru"}
    left, right = engines(text, clause, kind)
    assert parts(left, right, found), found.witness
    assert len(found.witness.lines) - 1 == shortest(left, right), found.witness.lines


def test_a_clause_that_stands_elsewhere_is_shown(tmp_path: Path) -> None:
    """What one gets for taking in `en`, one gets for building in `ru`."""
    gift = line("gift: may") + "\n    coins(seat(1)) += 1\n"
    text = written(tmp_path / "made", (gift, ""), (line("first"), f"{line('first')}\n{gift.rstrip()}"))
    found = judged(text, "take.gift")
    assert (found.divergence.kind, found.effect, found.candidate) == ("timing", "legal-moves", False), found.reason
    moved = with_clause_moved(bare(text), "en", "take.gift", "ru", "build.gift")
    assert moved is not None
    built = [build(each, Request(2, "en")).game for each in (bare(text), moved)]
    assert built[0] is not None
    assert built[1] is not None
    engines = Engine(built[0]), Engine(built[1])
    assert parts(*engines, found), found.witness
    assert found.witness is not None
    assert len(found.witness.lines) - 1 == shortest(*engines)
    right = found.witness.right
    assert (right.edition, right.allowed) == ("ru", False)
    assert right.where == "en with `take.gift` as in ru"
    assert right.told == "nobody has that choice here; on offer: take, build"


def test_a_clause_that_stands_elsewhere_is_not_done_twice(tmp_path: Path) -> None:
    """It is taken out of its place, not only put into the other: who takes has less, who builds has more."""
    text = bare(
        written(
            tmp_path / "made",
            (line("first") + "\n", ""),
            (
                line("gain: coins(me) += n"),
                line("gain: coins(me) += n") + "\n" + line("first").replace("size(yard(at)) = 1", "n > 0"),
            ),
        )
    )
    moved = with_clause_moved(text, "en", "build.first", "ru", "take.first")
    assert moved is not None
    paths = said(moved.editions["en"].module.declarations)
    assert ("build.first" in paths, "take.first" in paths) == (False, True)


def test_a_clause_brings_the_lets_that_it_reads(tmp_path: Path) -> None:
    """The word is given its meaning beside the clauses, and both that read it mean something else."""
    folder = tmp_path / "made"
    written(folder)
    for name, worth in (("en", "price"), ("ru", "price - 1")):
        named = f"  let due = {worth}\n" + line("pay").replace("price", "due").replace("NAME", name)
        path = folder / f"{name}.ludex"
        said_there = path.read_text(encoding="utf-8").replace(line("pay").replace("NAME", name), named)
        path.write_text(said_there, encoding="utf-8")
    found = judged(read_game(folder), "build.pay")
    assert (found.divergence.kind, found.effect, found.candidate) == ("value", "legal-moves", False), found.reason


def engines(text: GameText, clause: str, kind: str) -> tuple[Engine, Engine]:
    """The two games that differ in the clause alone; the example would speak of one that is left out."""
    text = bare(text)
    if kind == "missing":
        other = without_clauses(text, [clause])
    else:
        other = with_clause_of(text, "en", clause, "ru", clause)
    built = [build(each, Request(2, "en")).game for each in (text, other)]
    assert built[0] is not None
    assert built[1] is not None
    return Engine(built[0]), Engine(built[1])


def parts(left: Engine, right: Engine, found: Finding) -> bool:
    """Whether the witness, read from its lines, is legal in both games up to its end, and parts them there."""
    assert found.witness is not None
    shown = found.witness
    ends = [followed(engine, shown.lines[1:]) for engine in (left, right)]
    if shown.left.allowed is None:
        return all(engine.is_terminal(state) for engine, (_, state) in zip((left, right), ends, strict=True)) and (
            outcome(left, ends[0][1]) != outcome(right, ends[1][1])
        )
    length = len(shown.lines) - 1
    return [played == length for played, _ in ends] == [shown.left.allowed, shown.right.allowed] and (
        min(played for played, _ in ends) == length - 1
    )


def followed(engine: Engine, lines: tuple[object, ...]) -> tuple[int, State]:
    """How many of the lines are legal, and where that leads."""
    state, reader = engine.start(), LineReader(engine.game)
    for played, each in enumerate(lines):
        assert isinstance(each, dict)
        entry = reader.read(each)
        if isinstance(entry, tuple) or entry.event is None or engine.refusal(state, entry.event):
            return played, state
        try:
            engine.advance(state, entry.event)
        except SpecFault:
            return played + 1, state
    return len(lines), state


def outcome(engine: Engine, state: State) -> object:
    return engine.returns(state), engine.winners(state)


def shortest(left: Engine, right: Engine) -> int:
    """How long the shortest log is on which the two part: every play is tried."""
    waiting = deque([(left.start(), right.start(), 0)])
    known = set()
    while waiting:
        one, other, length = waiting.popleft()
        mine, theirs = set(left.legal_moves(one)), set(right.legal_moves(other))
        if left.is_terminal(one) and right.is_terminal(other):
            if outcome(left, one) != outcome(right, other):
                return length
            continue
        if mine != theirs:
            return length + 1
        for event in left.legal_moves(one):
            after = left.apply(one, event), right.apply(other, event)
            if after not in known:
                known.add(after)
                waiting.append((*after, length + 1))
    raise AssertionError("the two never part")


# ---- what is said of it -----------------------------------------------------------------------------------------


def test_both_sides_say_what_happens_and_why(tmp_path: Path) -> None:
    found = judged(written(tmp_path / "made", ("n <= 2", "n < 2")), "take.enough")
    assert found.witness is not None
    left, right = found.witness.left, found.witness.right
    assert (left.allowed, left.told) == (True, "take(n: 2) is legal")
    assert (right.allowed, right.told) == (False, "take(n: 2) is against take.enough (n = 2)")
    assert (left.clauses, right.clauses) == ((("take.enough", ("en 5",)),), (("take.enough", ("ru 5",)),))
    assert found.reason == "shown between en and ru as they stand"
    assert found.witness.lines[0]["edition"] == "en"


def test_the_ends_tell_points_and_winners(tmp_path: Path) -> None:
    found = judged(written(tmp_path / "made", ("9)) * 2", "9)) * 3")), "score.built")
    assert found.witness is not None
    assert found.witness.line == len(found.witness.lines) + 1
    assert found.witness.left.scores != found.witness.right.scores
    assert "points" in found.witness.left.told


def test_silence_is_asked_literally(tmp_path: Path) -> None:
    found = judged(written(tmp_path / "made", (line("require paid") + "\n", "")), "build.paid")
    assert found.witness is not None
    assert found.witness.right.clauses == (("build.pay", ("en 9",)),), "where play stops"
    assert found.witness.right.where == "en without `build.paid`"
    assert found.witness.right.told.startswith("build(at: ")
    assert "the rules do not say what happens then" in found.witness.right.told
    assert found.reason == "ru says nothing of it; the game goes as if nobody did"


def test_where_nothing_else_parts_them_play_goes_on_in_one_only(tmp_path: Path) -> None:
    """There never is a white stone that could be taken away."""
    change = (line("lay"), line("lay").replace("put grey in yard(at)  ", "remove white from yard(at)"))
    found = judged(written(tmp_path / "made", change), "build.lay")
    assert found.witness is not None
    sides = found.witness.left, found.witness.right
    assert [side.allowed for side in sides] == [None, None]
    assert sides[0].told == "build(at: here) is legal, and play goes on"
    assert "build(at: here) is legal, and the rules do not say what happens then: " in sides[1].told


def test_where_two_differences_meet_one_is_shown_alone(tmp_path: Path) -> None:
    """As the editions stand nobody in `ru` can build at all, so the bonus is shown under the price of `en`."""
    text = written(tmp_path / "made", ("price = 2", "price = 29"), ("= 1 then", "> 1 then"))
    found = judged(text, "build.first")
    assert found.witness is not None
    assert "with `build.first` as in" in found.witness.left.where + found.witness.right.where
    assert found.reason == "shown with only this clause exchanged"


def test_it_is_tried_in_the_games_of_others_that_say_the_same(tmp_path: Path) -> None:
    """Nobody can build in `en` and in `ru`; `he` says what `en` says of the bonus, and there one can."""
    folder = tmp_path / "made"
    written(folder, ("= 1 then", "> 1 then"), ("price = 2", "price = 29"))
    others = ('ru "ru.txt"', 'ru "ru.txt", he "he.txt"'), ("editions: en, ru", "editions: en, ru, he")
    game = GAME.replace(*others[0]).replace(*others[1])
    (folder / "made.ludex").write_text(game, encoding="utf-8")
    (folder / "en.ludex").write_text(TEXT.replace("price = 2", "price = 29").replace("NAME", "en"), encoding="utf-8")
    (folder / "he.ludex").write_text(TEXT.replace("NAME", "he"), encoding="utf-8")
    found = judged(read_game(folder), "build.first")
    assert found.witness is not None
    assert "he with `build.first` as in ru" in found.witness.left.where + found.witness.right.where
    assert found.reason == "shown with only this clause exchanged"


def test_what_stands_beside_a_step_may_make_up_for_it(tmp_path: Path) -> None:
    """`ru` takes one coin of the price elsewhere: by itself each step differs, all together come to the same."""
    less, rest = line("pay:").replace("-= price ", "-= price - 1 "), "    built(me) += 1\n    coins(me) -= 1"
    rise = line("rise:").replace("built(me) += 1", "")
    text = written(tmp_path / "made", (line("pay:"), less), (line("rise:"), f"{rise}\n{rest}"))
    found = judged(text, "build.pay")
    assert found.reason == (
        "shown with only this clause exchanged; with all of `build` exchanged this game goes alike under both"
    )


def test_what_is_not_played_has_no_effect(tmp_path: Path) -> None:
    found = judged(written(tmp_path / "made", ("author = 7", "author = 8")), "author")
    assert (found.effect, found.candidate, found.witness) == ("none", False, None)
    assert found.reason == "no play reaches a note"


def test_what_is_carried_out_alike_has_no_effect(tmp_path: Path) -> None:
    found = judged(written(tmp_path / "made", ("price = 2", "price = max(2, 1)")), "price")
    assert (found.effect, found.candidate, found.witness) == ("none", False, None)


def test_a_table_in_other_words_has_no_effect(tmp_path: Path) -> None:
    text = written(tmp_path / "made", ("if n > 2 then 2 else n", "if n <= 1 then n else 2"))
    found = judged(text, "worth")
    assert (found.effect, found.candidate, found.reason) == ("none", False, "what is carried out is the same")
    other = written(tmp_path / "other", ("if n > 2 then 2 else n", "if n <= 1 then n else 1"))
    assert judged(other, "worth").effect == "score"


def test_a_requirement_of_a_procedure_counts(tmp_path: Path) -> None:
    """Nobody chooses to rest; that is done in the course of a turn, if it can be."""
    found = judged(written(tmp_path / "made", (line("require calm") + "\n", "")), "rest.calm")
    assert (found.effect, found.candidate) == ("score", False), found.reason


def unsaid(found: Finding, effect: str, by: str) -> None:
    """A play shows that one cannot go on without the value; never does it count as the same."""
    assert found.verdict != "equal"
    assert (found.effect, found.candidate) == (effect, False), found.reason
    name = found.divergence.row.clause
    told = f"ru speaks of `{name}` in {by} and does not say what it is"
    assert found.reason == f"{told}; the game goes as if nobody did"
    assert found.witness is not None
    mine, theirs = found.witness.left, found.witness.right
    assert "nothing says what" not in mine.told
    assert theirs.where == f"en without `{found.divergence.row.clause}`"
    assert theirs.told.endswith(f"nothing says what `{found.divergence.row.clause}` is")


def test_what_others_rest_on_stops_play_where_it_is_needed(tmp_path: Path) -> None:
    found = judged(written(tmp_path / "made", (line("fact price") + "\n", "")), "price")
    unsaid(found, "legal-moves", "`build.paid`, `build.pay`")
    assert found.witness is not None
    assert found.witness.lines[-1]["action"] == "build"
    assert "build.paid" in dict(found.witness.right.clauses)
    assert found.witness.right.told.startswith("the rules do not say whether build(at: here) is legal: ")


def test_what_others_rest_on_stops_the_count_of_points(tmp_path: Path) -> None:
    found = judged(written(tmp_path / "made", (line("fact worth") + "\n", "")), "worth")
    unsaid(found, "score", "`score.built`")


def test_what_others_rest_on_stops_the_set_up(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    written(folder)
    text = TEXT.replace("coins(p) := 3", "coins(p) := start").replace(
        "fact price", "fact start = 3 [NAME 2]\nfact price"
    )
    (folder / "en.ludex").write_text(text.replace("NAME", "en"), encoding="utf-8")
    (folder / "ru.ludex").write_text(
        text.replace("fact start = 3 [NAME 2]\n", "").replace("NAME", "ru"), encoding="utf-8"
    )
    found = judged(read_game(folder), "start")
    unsaid(found, "setup", "`setup.purse`")
    assert found.witness is not None
    assert len(found.witness.lines) == 1


def test_what_others_rest_on_stops_the_set_up_behind_chance(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    written(folder)
    dealt = "  deal: [NAME 3]\n    random n in 1..2\n    coins(seat(1)) := n\n  purse:"
    text = TEXT.replace("  purse:", dealt).replace("coins(p) := 3", "coins(p) := start")
    said_so = text.replace("fact price", "fact start = 3 [NAME 2]\nfact price")
    for name, each in (("en", said_so), ("ru", text)):
        (folder / f"{name}.ludex").write_text(each.replace("NAME", name), encoding="utf-8")
    unsaid(judged(read_game(folder), "start"), "setup", "`setup.purse`")


def test_what_is_worked_out_from_what_nobody_says_is_not_said_either(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    written(folder)
    text = TEXT.replace("fact price = 2  ", "fact base = 1 [NAME 2]\nfact price = base + 1  ")
    (folder / "en.ludex").write_text(text.replace("NAME", "en"), encoding="utf-8")
    (folder / "ru.ludex").write_text(
        text.replace("fact base = 1 [NAME 2]\n", "").replace("NAME", "ru"), encoding="utf-8"
    )
    unsaid(judged(read_game(folder), "base"), "legal-moves", "`price`")


UNSAID_IN = {
    "the move itself": ("require paid: my coins >= price", "the rules do not say whether build(at: here) is legal: "),
    "what comes of it": (
        "pay: coins(me) -= price",
        "build(at: here) is legal, and the rules do not say what happens then: ",
    ),
    "the next move": (
        "require enough: n <= 2 and (rounds = 0 or price > 0)",
        " is legal, and the rules do not say what may be done then: ",
    ),
}


@pytest.mark.parametrize("where", UNSAID_IN)
def test_where_play_stops_is_told_as_it_is(tmp_path: Path, where: str) -> None:
    clause, told = UNSAID_IN[where]
    folder = tmp_path / "made"
    written(folder)
    text = TEXT.replace("my coins >= price", "my coins >= 2").replace("-= price", "-= 2")
    label = clause.split(":")[0]
    before = next(row.strip() for row in text.splitlines() if row.strip().startswith(label))
    text = text.replace(before.split("  ")[0], clause)
    (folder / "en.ludex").write_text(text.replace("NAME", "en"), encoding="utf-8")
    (folder / "ru.ludex").write_text(
        text.replace(line("fact price") + "\n", "").replace("NAME", "ru"), encoding="utf-8"
    )
    found = judged(read_game(folder), "price")
    unsaid(found, "legal-moves", f"`{'take.enough' if 'enough' in label else f'build.{label.split()[-1]}'}`")
    assert found.witness is not None
    assert told in found.witness.right.told


def test_a_play_that_stops_in_one_game_is_made_shorter(tmp_path: Path) -> None:
    """Many coins are needed before anybody asks for the price; random plays get there by detours."""
    folder = tmp_path / "made"
    written(folder)
    text = TEXT.replace("my coins >= price", "my coins >= 1").replace("until rounds = 2", "until rounds = 9")
    text = text.replace("coins(me) -= price", "coins(me) -= (if my coins > 20 then price else 1)")
    (folder / "en.ludex").write_text(text.replace("NAME", "en"), encoding="utf-8")
    (folder / "ru.ludex").write_text(
        text.replace(line("fact price") + "\n", "").replace("NAME", "ru"), encoding="utf-8"
    )
    game = read_game(folder)
    found = [judged(game, "price", replace(EFFORT, events=1000, seed=seed)).witness for seed in range(4)]
    lengths = [len(witness.lines) - 1 for witness in found if witness is not None]
    assert len(lengths) == 4
    assert sum(lengths) <= 52, "as found they have 61 events together, as they should be about 46"


@pytest.mark.parametrize("needed", ["n > 4 and price > 0", "price = price and n > 4"])
def test_what_is_never_needed_or_needed_for_nothing_is_not_the_same(tmp_path: Path, needed: str) -> None:
    """Where play never comes to it nothing can be shown; that both would come to one thing does not count."""
    folder = tmp_path / "made"
    written(folder)
    text = TEXT.replace("require enough: n <= 2", f"require enough: not ({needed})")
    text = text.replace("my coins >= price", "my coins >= 2").replace("-= price", "-= 2")
    (folder / "en.ludex").write_text(text.replace("NAME", "en"), encoding="utf-8")
    (folder / "ru.ludex").write_text(
        text.replace(line("fact price") + "\n", "").replace("NAME", "ru"), encoding="utf-8"
    )
    found = judged(read_game(folder), "price")
    assert found.verdict != "equal"
    assert (found.effect, found.candidate) == (("unknown", True) if needed.startswith("n") else ("legal-moves", False))


def test_what_a_type_rests_on_cannot_be_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    written(folder)
    for name, gone in (("en", ""), ("ru", line("fact price") + "\n")):
        said_so = TEXT.replace(gone, "") if gone else TEXT
        (folder / f"{name}.ludex").write_text(said_so.replace("NAME", name), encoding="utf-8")
    game = (folder / "made.ludex").read_text(encoding="utf-8")
    (folder / "made.ludex").write_text(game.replace("0..30", "0..(28 + price)"), encoding="utf-8")
    found = judged(read_game(folder), "price")
    assert (found.effect, found.candidate) == ("unknown", True)
    assert found.reason == "ru speaks of it in `build.paid`, `build.pay` and does not say what it is"


def test_what_only_missing_clauses_rest_on_is_judged_with_them(tmp_path: Path) -> None:
    gone = [(line(start) + "\n", "") for start in ("fact price", "require paid", "pay:")]
    text = written(tmp_path / "made", *gone)
    assert not any(each.row.clause == "price" for each in compared(text).divergences), "told where it is used"
    row = Row("price", {"en": said(text.editions["en"].module.declarations)["price"], "ru": None})
    found = Judge.of(text, EFFORT).finding(Divergence("", row, "missing", (("en",), ("ru",)), None, False))
    assert (found.effect, found.candidate) == ("unknown", False)
    told = "ru says nothing of it; it matters only through `build.paid`, `build.pay`, and is judged with that"
    assert found.reason == told


def through_others(text: GameText) -> tuple[Finding, list[Finding]]:
    """What a run says of the price, of which `ru` says nothing, and of all else."""
    row = Row("price", {"en": said(text.editions["en"].module.declarations)["price"], "ru": None})
    price = Divergence("", row, "missing", (("en",), ("ru",)), None, False)
    comparison = compared(text)
    found, *others = judge(text, replace(comparison, divergences=(price, *comparison.divergences)), EFFORT)
    return found, others


def test_what_matters_through_others_is_shown_by_their_game(tmp_path: Path) -> None:
    gone = [(line(start) + "\n", "") for start in ("fact price", "require paid", "pay:")]
    found, others = through_others(written(tmp_path / "made", *gone))
    assert found.through == ("build.paid", "build.pay")
    best = min(
        (each for each in others if each.witness), key=lambda each: len(each.witness.lines if each.witness else ())
    )
    assert (found.effect, found.candidate) == (best.effect, False), found.reason
    assert found.effect == "legal-moves"
    assert found.witness is not None
    assert found.witness == best.witness
    told = f"ru says nothing of it; it matters through `{best.divergence.row.clause}`, where a game shows it"
    assert (found.reason, found.bounds) == (told, best.bounds)


def test_what_matters_through_what_comes_to_the_same_does_not_matter(tmp_path: Path) -> None:
    """Nothing is paid in either, so nobody is too poor."""
    folder = tmp_path / "made"
    written(folder, *[(line(start) + "\n", "") for start in ("fact price", "require paid", "pay:")])
    free = TEXT.replace("price = 2", "price = 0").replace("NAME", "en")
    (folder / "en.ludex").write_text(free, encoding="utf-8")
    found, others = through_others(read_game(folder))
    assert {each.effect for each in others} == {"none"}
    assert (found.effect, found.candidate, found.witness) == ("none", False, None)
    assert found.reason == "ru says nothing of it; what rests on it comes to the same"


def test_what_matters_through_a_candidate_is_one(tmp_path: Path) -> None:
    """Nobody ever has 29 coins, which is not known."""
    folder = tmp_path / "made"
    written(folder, *[(line(start) + "\n", "") for start in ("fact price", "require paid")], ("-= price", "-= 2"))
    rich = TEXT.replace("-= price", "-= 2").replace("price = 2", "price = 29").replace(">= price", "!= price")
    (folder / "en.ludex").write_text(rich.replace("NAME", "en"), encoding="utf-8")
    found, others = through_others(read_game(folder))
    assert [each.candidate for each in others] == [True]
    assert (found.effect, found.candidate, found.witness) == ("unknown", True, None)


def left_out(text: GameText, clause: str, *under: str) -> Finding:
    """The finding about a stretch of which `ru` says nothing."""
    row = Row(clause, {"en": said(text.editions["en"].module.declarations)[clause], "ru": None})
    gap = Gap(("ru",), "en", "en.txt", (1, 2), False)
    divergence = Divergence("", row, "missing", (("en",), ("ru",)), None, False, under, gap)
    return Judge.of(text, EFFORT).finding(divergence)


def test_of_a_stretch_a_word_is_left_out_with_what_speaks_of_it(tmp_path: Path) -> None:
    gone = [(line(start) + "\n", "") for start in ("fact price", "require paid", "pay:")]
    found = left_out(written(tmp_path / "made", *gone), "price")
    assert (found.effect, found.candidate) == ("legal-moves", False), found.reason
    assert found.witness is not None
    assert found.witness.right.where == "en without `price` and what speaks of it (`build.paid`, `build.pay`)"


def test_of_a_stretch_what_others_speak_of_stops_play_where_it_is_needed(tmp_path: Path) -> None:
    gone = [(line(start) + "\n", "") for start in ("fact price", "require paid")]
    unsaid(left_out(written(tmp_path / "made", *gone), "price"), "legal-moves", "`build.pay`")


def test_a_stretch_that_asks_for_nothing_new_has_no_effect(tmp_path: Path) -> None:
    some = "  require enough: n <= 2                                        [NAME 5]"
    folder = tmp_path / "made"
    written(folder)
    more = some + "\n  require few: n <= 2 or n = 1 [NAME 5]\n  require any: n < RANGE [NAME 5]"
    for most, effect in ((4, "none"), (2, "legal-moves")):
        said_so = TEXT.replace(some, more.replace("RANGE", str(most))).replace("NAME", "en")
        (folder / "en.ludex").write_text(said_so, encoding="utf-8")
        text = read_game(folder)
        found = left_out(text, "take.few", "take.any")
        assert (found.effect, found.candidate) == (effect, False), found.reason
        assert found.verdict == ("equal" if effect == "none" else "looser")


def test_a_stretch_is_decided_as_a_whole(tmp_path: Path) -> None:
    text = written(tmp_path / "made")
    assert left_out(text, "take.enough").verdict == "looser"
    assert left_out(text, "take.gift", "take.rest").verdict == "incomparable"
    assert left_out(text, "take.gift").verdict == "stricter"


def test_a_game_shows_which_way_a_reading_that_is_not_decided_differs(tmp_path: Path) -> None:
    """Whether a requirement that is left out ever counts may be unknown; a move that it refused tells it."""
    found = judged(written(tmp_path / "made", (line("require paid") + "\n", "")), "build.paid")
    shown = found.witness
    assert shown is not None
    assert (shown.left.allowed, shown.right.allowed) == (False, True)
    for at_most, verdict in (("looser", "looser"), ("stricter", "unknown"), (None, "unknown")):
        told = Judged("legal-moves", "", shown, decision=Decision("unknown", at_most=at_most))  # type: ignore[arg-type]
        assert verdict_of(told) == verdict


# ---- where nothing is found -------------------------------------------------------------------------------------


def test_a_search_that_finds_nothing_tells_its_bounds(tmp_path: Path) -> None:
    """Nobody ever has 29 coins."""
    text = written(tmp_path / "made", ("my coins >= price", "my coins >= price and my coins < 29"))
    effort = Effort(events=400, seconds=120)
    found = judged(text, "build.paid", effort)
    assert (found.effect, found.candidate, found.witness) == ("unknown", True, None)
    assert found.bounds is not None
    assert found.bounds.tables == (2, 3)
    assert found.bounds.reached
    assert not found.bounds.timed_out
    assert 0 < found.bounds.events <= 1.5 * effort.events
    assert 0 < found.bounds.states <= 2 * found.bounds.events + 1
    assert found.bounds.seeds > 0 < found.bounds.depth


def test_each_state_counts_once(tmp_path: Path) -> None:
    """Nobody ever has 29 coins, so the two games never stand apart, and each state of both is one."""
    folder = tmp_path / "made"
    written(folder, ("my coins >= price", "my coins >= price and my coins < 29"))
    for path in folder.glob("??.ludex"):
        short = path.read_text(encoding="utf-8").replace("until rounds = 2", "until rounds = 1")
        path.write_text(short, encoding="utf-8")
    left, right = engines(read_game(folder), "build.paid", "condition")
    found, searched = Search(Pair(left, right), Limits(4000, 120.0)).run()
    assert found is None
    assert searched.states == len(every_state(left)), "all that there are were met"
    assert searched.events > 2 * searched.states, "most of them more than once"


def every_state(engine: Engine) -> set[State]:
    known, waiting = {engine.start()}, [engine.start()]
    while waiting:
        state = waiting.pop()
        following = [] if engine.is_terminal(state) else [engine.apply(state, e) for e in engine.legal_moves(state)]
        waiting += [each for each in following if each not in known]
        known |= set(following)
    return known


def test_equal_editions_have_no_findings(tmp_path: Path) -> None:
    text = written(tmp_path / "made")
    assert list(judge(text, compared(text), EFFORT)) == []


# ---- runs -------------------------------------------------------------------------------------------------------

MANY = (("n <= 2", "n < 2"), ("= 1 then", "> 1 then"), ("9)) * 2", "9)) * 3"))


def timeless(finding: Finding) -> Finding:
    return finding if finding.bounds is None else replace(finding, bounds=replace(finding.bounds, seconds=0.0))


def test_two_runs_agree_and_so_do_processes(tmp_path: Path) -> None:
    text = written(tmp_path / "made", *MANY)
    effort = Effort(events=600, seconds=120, players=(3,))
    runs = [list(map(timeless, judge(text, compared(text), effort, workers))) for workers in (1, 1, 2)]
    assert len(runs[0]) == len(MANY)
    assert runs[0] == runs[1] == runs[2]


def test_another_seed_plays_otherwise(tmp_path: Path) -> None:
    text = written(tmp_path / "made", ("9)) * 2", "9)) * 3"))
    found = [judged(text, "score.built", Effort(300, 120, seed, (3,))) for seed in range(6)]
    assert len({repr(asdict(each.witness)) for each in found if each.witness}) > 1


def test_findings_are_kept_and_taken_up_again(tmp_path: Path) -> None:
    text, folder = written(tmp_path / "made", *MANY), tmp_path / "kept"
    effort = Effort(events=600, seconds=120, players=(2,))
    first = next(judge(text, compared(text), effort, folder=folder))  # broken off
    assert len(list(folder.iterdir())) == 1
    told: list[tuple[int, int]] = []
    whole = list(judge(text, compared(text), effort, 1, folder, lambda _, done, of: told.append((done, of))))
    assert whole[0] == first
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert list(judge(text, compared(text), effort, folder=folder)) == whole


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda _: b"",
    "cut off": lambda kept: kept[:-20],
    "deep": lambda _: b"[" * 100_000,
    "binary": lambda _: bytes(range(256)),
    "a list": lambda _: b"[]",
    "another effect": lambda kept: kept.replace(b'"effect":"', b'"effect":"no '),
    "no witness": lambda kept: kept.replace(b'"events"', b'"event"'),
    "another edition": lambda kept: kept.replace(b'"groups":[["en"]', b'"groups":[["fr"]'),
}


def test_what_is_kept_and_damaged_is_found_anew(tmp_path: Path) -> None:
    text, folder = written(tmp_path / "made", MANY[0]), tmp_path / "kept"
    effort = Effort(events=300, seconds=120, players=(2,))
    whole = list(map(timeless, judge(text, compared(text), effort, folder=folder)))
    (file,) = folder.iterdir()
    kept = file.read_bytes()
    for name, damage in DAMAGES.items():
        assert damage(kept) != kept, name
        file.write_bytes(damage(kept))
        assert list(map(timeless, judge(text, compared(text), effort, folder=folder))) == whole, name
    file.unlink()
    file.mkdir()
    assert list(map(timeless, judge(text, compared(text), effort, folder=folder))) == whole, "nothing can be kept there"


def test_other_words_in_the_game_are_judged_anew(tmp_path: Path) -> None:
    folder, effort = tmp_path / "kept", Effort(events=300, seconds=120, players=(2,))
    for change in MANY[:2]:
        text = written(tmp_path / "made", change)
        assert [each.divergence.row.clause for each in judge(text, compared(text), effort, folder=folder)]
    assert len(list(folder.iterdir())) == 2


def test_what_cannot_even_begin_is_shown_by_a_log_without_events(tmp_path: Path) -> None:
    text = written(tmp_path / "made", ("coins(p) := 3", "coins(p) -= 1"))
    found = judged(text, "setup.purse")
    assert (found.effect, found.candidate) == ("setup", False), found.reason
    assert found.witness is not None
    assert len(found.witness.lines) == 1
    assert found.witness.left.told == "play begins, and play goes on"
    assert "the rules do not say what happens" in found.witness.right.told


def test_options_are_taken_otherwise_too(tmp_path: Path) -> None:
    """The two differ only at a table that takes the option."""
    folder = tmp_path / "made"
    written(folder)
    (folder / "made.ludex").write_text(GAME + "\noption dear: Bool = false\n", encoding="utf-8")
    for name, number in (("en", 1), ("ru", 3)):
        asked = f"require enough: if dear then n <= {number} else n <= 2"
        changed = TEXT.replace("require enough: n <= 2", asked).replace("NAME", name)
        (folder / f"{name}.ludex").write_text(changed, encoding="utf-8")
    found = judged(read_game(folder), "take.enough")
    assert (found.effect, found.candidate) == ("legal-moves", False), found.reason
    assert found.witness is not None
    assert found.witness.lines[0]["options"] == {"dear": True}
    assert found.reason.endswith("with `dear` at true")


def test_what_a_clause_says_for_a_reading_of_a_fork_is_its_own(tmp_path: Path) -> None:
    """An arm for a reading is a clause inside, and yet is exchanged with the clause around it."""
    folder = tmp_path / "made"
    written(folder)
    fork = 'fork way\n  long: "so"\n  short: "or so"\n  default long "why"\n\n'
    for name, number in (("en", 2), ("ru", 1)):
        arms = f"gain:\n    match way\n      long => coins(me) += min(n, {number})\n      short => coins(me) += 1 "
        changed = TEXT.replace("gain: coins(me) += n ", arms).replace("NAME", name)
        (folder / f"{name}.ludex").write_text(changed.replace("setup\n", f"{fork}setup\n", 1), encoding="utf-8")
    found = judged(read_game(folder), "take.gain")
    assert (found.verdict, found.effect) != ("equal", "none"), found.reason
    assert found.witness is not None


def test_a_reading_of_a_fork_that_only_one_text_names(tmp_path: Path) -> None:
    """By default both say the same in other words. For the other readings one has an arm of its own, and the other does
    not: what it says of the rest is its word for that too."""
    folder = tmp_path / "made"
    written(folder)
    fork = 'fork way\n  long: "so"\n  short: "or so"\n  middle: "or thus"\n  default long "why"\n\n'
    arms = {
        "en": ("long => coins(me) += min(n, 2)", "short => coins(me) += 1 [NAME 6]", "otherwise => coins(me) := 0 "),
        "ru": ("long => coins(me) += (if n > 2 then 2 else n)", "otherwise => coins(me) := 0 "),
    }
    for name, rows in arms.items():
        gain = "\n      ".join(("gain:\n    match way", *rows))
        changed = TEXT.replace("gain: coins(me) += n ", gain).replace("NAME", name)
        (folder / f"{name}.ludex").write_text(changed.replace("setup\n", f"{fork}setup\n", 1), encoding="utf-8")
    found = judged(read_game(folder), "take.gain")
    assert (found.effect, found.candidate) == ("legal-moves", False), found.reason
    assert found.witness is not None
    assert found.witness.lines[0]["readings"] == {"way": "short"}


def test_an_option_that_makes_the_board_smaller_is_taken_otherwise(tmp_path: Path) -> None:
    """The clause does not speak of the option, but of the rows that it counts."""
    folder = tmp_path / "made"
    written(folder)
    (folder / "made.ludex").write_text(f"{GAME}\noption rows: 1..2 = 2\n\ntype Row = 1..rows\n", encoding="utf-8")
    for name, asked in (("en", "n <= 2"), ("ru", "n <= 2 and (n < 2 or some r in Row has r = 2)")):
        changed = TEXT.replace("require enough: n <= 2", f"require enough: {asked}").replace("NAME", name)
        (folder / f"{name}.ludex").write_text(changed, encoding="utf-8")
    found = judged(read_game(folder), "take.enough")
    assert (found.effect, found.candidate) == ("legal-moves", False), found.reason
    assert found.reason.endswith("with `rows` at 1")


def test_an_option_that_stands_only_where_a_define_is_used_is_taken_otherwise(tmp_path: Path) -> None:
    """At a table by default nobody asks for what differs."""
    folder = tmp_path / "made"
    written(folder)
    (folder / "made.ludex").write_text(GAME + "\noption dear: Bool = false\n", encoding="utf-8")
    for name, number in (("en", 1), ("ru", 2)):
        changed = TEXT.replace("require enough: n <= 2", "require enough: n <= 2 and (few(n) or not dear)")
        few = f"define few(n: 0..9) = n <= {number}  [NAME 1]\n\naction"
        (folder / f"{name}.ludex").write_text(changed.replace("action", few, 1).replace("NAME", name), encoding="utf-8")
    found = judged(read_game(folder), "few")
    assert (found.effect, found.candidate) == ("legal-moves", False), found.reason
    assert found.reason.endswith("with `dear` at true")


def test_points_that_one_text_cannot_tell_part_the_two(tmp_path: Path) -> None:
    """`worth` is asked for no more than nine, and by `ru` for a number below nothing."""
    found = judged(written(tmp_path / "made", ("worth(min(my built, 9))", "worth(my built - 5)")), "score.built")
    assert (found.effect, found.candidate) == ("score", False), found.reason
    assert found.witness is not None
    assert "the rules do not say what the points are: " in found.witness.right.told


def test_an_edition_that_says_it_in_another_clause_has_nothing_to_leave_out(tmp_path: Path) -> None:
    """It stands with those that say the clause, and none of its games shows what is without it."""
    text = written(tmp_path / "made", (line("rich"), ""))
    (found,) = (each for each in compared(text).divergences if each.row.clause == "winner.rich")
    elsewhere = replace(found, row=replace(found.row, statements={**found.row.statements, "he": None}))
    assert [*in_others(bare(text), replace(elsewhere, groups=(("en", "he"), ("ru",))), "en", "ru")] == []
