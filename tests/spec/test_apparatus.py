"""The apparatus: a game of several texts, in the version of each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ludex.grammar import Failure
from ludex.spec import Game, GameText, Request, build, check_game, declared, load, read_game
from ludex.spec.comparing.edition_listing import listing_rows
from ludex.spec.text.attestation import attested_clauses

from ..heaps import TURNS_OF_TEXTS

NIMM = f"""\
game nimm
  players: 2
  document: ru "ru.txt", en "en.txt", he "he.txt"
  convention: "shared words"

text he
  title: en "the Hebrew text"
  lacuna: en 90..100

state heap: 0..9 = 5

fork last                                                       [he 9]
  wins: "who takes the last wins"                               [en 9]
  loses: "who takes the last loses"                             [ru 9]
  default wins "as most play it"

{TURNS_OF_TEXTS}
  require most: n <= 3                                          [ru 4]
    variant en: n <= 2                                          [en 4]
    ruled he: "no number is said"                               [he 4]
    except first: when heap = 5                                 [en 5]
  away: heap -= n down to 0                                     [ru 5] [en 6]
    variant he:                                                 [he 6]
      again: heap -= 1 down to 0                                [he 6]
      more: heap -= n - 1 down to 0                             [he 7]
  first: nothing                                                [ru 6] [en 7]
  second: nothing                                               [ru 6] [en 7]
  order en: second, first                                       [en 7]

score left: if last = wins then heap else 9 - heap              ruling "nobody has points"
"""


@pytest.fixture
def nimm(tmp_path: Path) -> GameText:
    folder = tmp_path / "nimm"
    folder.mkdir()
    (folder / "nimm.ludex").write_text(NIMM, encoding="utf-8")
    return read_game(folder)


def rows(text: GameText, edition: str, silence: str = "borrow") -> list[tuple[str, str | None]]:
    """Return the rows of the clauses without their authority, each with the text that it is from."""
    listed = listing_rows(text, declared(text, Request(2, edition, silence)))
    return [(row.text.split("  [")[0].strip(), row.stated_by) for row in listed if row.path]


def test_a_clause_holds_for_the_texts_that_it_cites(nimm: GameText) -> None:
    assert ("require enough: n <= heap", "ru") in rows(nimm, "ru")
    assert ("require enough: n <= heap", "en") in rows(nimm, "en")


def test_clauses_that_a_text_omits_are_borrowed_or_left_out(nimm: GameText) -> None:
    assert ("require enough: n <= heap", "ru") in rows(nimm, "he")
    assert not any("enough" in row for row, _ in rows(nimm, "he", "literal"))
    assert not any("except" in row for row, _ in rows(nimm, "ru", "literal"))
    assert ("except first: when heap = 5", "en") in rows(nimm, "he")


GODS = """\
game gods
  players: 2
  document: ru "ru.txt", en "en.txt"
  convention: "shared words"

state heap: 0..9 = 5
state blessed: Bool = false

play
  turns: repeat                                                 [ru 2] [en 2]
    each player in seats
      prayer: may pray
      turn: take
  until heap = 0

action pray
  grace: blessed := true                                        [ru 8]
  silence: nothing

action take
  choose n in 1..3
  require enough: n <= heap                                     [ru 3] [en 3]
  require calm: not wrath(heap)                                 ruling "nobody takes in a storm"
  away: heap -= n down to 0                                     [ru 5] [en 6]
  again: if blessed then bless

action bless
  more: heap -= gift down to 0

fact gift = 1                                                   [ru 9]
define wrath(n: 0..9) = n = gift
"""


def test_clauses_that_no_text_states_are_included_with_what_they_use(tmp_path: Path) -> None:
    """`pray` contains clauses of the Russian text only. `wrath` and `bless` use its `gift`, and only clauses without a
    text use them.
    """
    (tmp_path / "gods.ludex").write_text(GODS, encoding="utf-8")
    game = read_game(tmp_path / "gods.ludex")
    assert build(game, Request(2, "ru", "literal")).playable().actions.keys() == {"pray", "take", "bless"}
    assert build(game, Request(2, "en", "literal")).playable().actions.keys() == {"take"}
    assert build(game, Request(2, "en")).playable().actions.keys() == {"pray", "take", "bless"}


def test_the_convention_of_a_file_is_no_authority_for_rules(tmp_path: Path) -> None:
    """The convention suffices for helpers; a requirement, a step, a score or a note needs cited lines, or its own
    reason."""
    (tmp_path / "gods.ludex").write_text(GODS + "\nscore left: 9 - heap\nnote chairs = 2\n", encoding="utf-8")
    messages = [each.message for each in check_game(tmp_path / "gods.ludex") if each.code.code == "A101"]
    named = ("pray.silence", "take.again", "bless.more", "score.left", "chairs")
    assert messages == [f"`{name}` has no authority" for name in named]
    alone = GODS.replace('  document: ru "ru.txt", en "en.txt"\n', "")
    (tmp_path / "gods.ludex").write_text(re.sub(r" \[(ru|en) \d+]", "", alone), encoding="utf-8")
    assert check_game(tmp_path / "gods.ludex") == (), "without documents, the convention must do for all clauses"


def test_a_text_that_uses_a_clause_it_does_not_state_is_incomplete(tmp_path: Path) -> None:
    text = GODS.replace("n <= heap  ", "n <= heap - gift").replace('ruling "nobody takes in a storm"', "[en 4]")
    (tmp_path / "gods.ludex").write_text(text, encoding="utf-8")
    (diagnostic,) = build(read_game(tmp_path / "gods.ludex"), Request(2, "en", "literal")).diagnostics
    assert diagnostic.message == "`en` alone is not a complete game: only other texts state `gift`"
    assert [note.message for note in diagnostic.notes] == ["here `gift` is needed"]


def test_a_variant_replaces_the_clause(nimm: GameText) -> None:
    assert ("require most: n <= 2", "en") in rows(nimm, "en")
    he = rows(nimm, "he")
    assert ("again: heap -= 1 down to 0", "he") in he
    assert not any(row == "away: heap -= n down to 0" for row, _ in he)


def test_a_clause_that_a_text_bears_with_a_ruling_is_its_own(nimm: GameText) -> None:
    (row,) = (row for row, text in rows(nimm, "he") if row.startswith("require most") and text == "he")
    assert row == "require most: n <= 3"


def test_a_text_may_have_its_own_order_of_clauses(nimm: GameText) -> None:
    def order(edition: str) -> list[str]:
        return [row for row, _ in rows(nimm, edition) if row.endswith("nothing")]

    assert order("ru") == order("he") == ["first: nothing", "second: nothing"]
    assert order("en") == ["second: nothing", "first: nothing"]


def test_a_fork_is_offered_unless_the_text_decides_it(nimm: GameText) -> None:
    for edition, offered in (("ru", ()), ("en", ()), ("he", ("last",))):
        game = build(nimm, Request(2, edition)).playable()
        assert tuple(fork.name for fork in game.forks) == offered, edition
    with pytest.raises(Failure, match="decides the fork `last`"):
        build(nimm, Request(2, "ru", readings={"last": "wins"})).playable()


def test_one_clause_can_be_taken_from_another_text(nimm: GameText) -> None:
    def shown(**read_as: str) -> str:
        request = Request(2, "ru", read_as={path.replace("_", "."): text for path, text in read_as.items()})
        built = build(nimm, request)
        return format_rules(built.playable())

    assert shown() == shown(take_most="ru")
    assert len({shown(), shown(take_most="en"), shown(take_enough="he"), shown(take_away="he")}) == 4
    with pytest.raises(Failure, match=r"no clause `take\.mst`"):
        build(nimm, Request(2, "ru", read_as={"take.mst": "en"})).playable()
    with pytest.raises(Failure, match="no text `fr`"):
        build(nimm, Request(2, "ru", read_as={"take.most": "fr"})).playable()


def format_rules(game: Game) -> str:
    """Return the rules in a form that differs between different games."""
    return game.fingerprint


def test_every_text_gives_a_game_of_its_own(nimm: GameText) -> None:
    assert nimm.names == ("ru", "en", "he")
    assert len({build(nimm, Request(2, name)).playable().fingerprint for name in nimm.names}) == 3


def test_a_text_of_one_game_may_lie_in_several_files(tmp_path: Path) -> None:
    head, tail = NIMM.split("\naction take")
    folder = tmp_path / "nimm"
    folder.mkdir()
    (folder / "nimm.ludex").write_text(head, encoding="utf-8")
    (folder / "taking.ludex").write_text(f"part taking of nimm\n\naction take{tail}", encoding="utf-8")
    assert load(folder, edition="en").fingerprint == load(folder / "taking.ludex", edition="en").fingerprint


# ---- what each text says ----------------------------------------------------------------------------------------


def standings(text: GameText) -> dict[str, dict[str, str]]:
    attested = attested_clauses(text.declarations, text.texts)
    return {each.clause.path: {name: str(one.standing) for name, one in each.texts.items()} for each in attested}


def test_every_text_has_a_standing_for_every_clause(nimm: GameText) -> None:
    standing = standings(nimm)
    assert standing["take.enough"] == {"ru": "states", "en": "states", "he": "silent"}
    assert standing["take.most"] == {"ru": "states", "en": "varies", "he": "states"}
    assert standing["take.most.first"] == {"ru": "unconfirmed", "en": "states", "he": "unconfirmed"}
    assert "left" not in standing, "no text states a clause with this standing"


def test_a_lost_clause_is_not_an_omission(tmp_path: Path) -> None:
    folder = tmp_path / "nimm"
    folder.mkdir()
    text = NIMM.replace("lacuna: en 90..100", "lacuna: en 5..6").replace("[ru 5] [en 6]", "[en 6, 9]")
    (folder / "nimm.ludex").write_text(text, encoding="utf-8")
    standing = standings(read_game(folder))
    assert standing["take.most.first"] == {"ru": "unconfirmed", "en": "states", "he": "lost"}, (
        "en 6 must be one of its lines"
    )
    assert standing["take.first"]["he"] == "unconfirmed", "en 7 must be in the lacuna"


def test_a_summary_shortens_where_it_omits(tmp_path: Path) -> None:
    folder = tmp_path / "nimm"
    folder.mkdir()
    (folder / "nimm.ludex").write_text(NIMM.replace("lacuna: en 90..100", "summary: en"), encoding="utf-8")
    assert standings(read_game(folder))["take.first"]["he"] == "shortened"


def test_a_score_with_the_name_of_a_state_uses_what_it_reads(tmp_path: Path) -> None:
    (tmp_path / "g.ludex").write_text(
        'game g\n  players: 2\n  document: ru "r.txt", en "e.txt"\n\nstate won: 0..9 = 0\n\nplay\n'
        "  turn: won := 1                                                [ru 1] [en 1]\n\n"
        "fact worth = 2                                                  [ru 2] [en 2]\n\n"
        "score won: worth * won                                          [ru 2] [en 2]\n",
        encoding="utf-8",
    )
    assert "worth" in load(tmp_path / "g.ludex", edition="en").clauses


def test_a_silence_on_a_clause_does_not_hide_borrowed_clauses_inside_it(tmp_path: Path) -> None:
    (tmp_path / "g.ludex").write_text(
        'game g\n  players: 2\n  document: ru "r.txt", en "e.txt"\n\nstate won: 0..9 = 0\n\nplay\n'
        "  turn: take                                                    [ru 1] [en 1]\n\naction take\n"
        "  win: won := 1                                                 [ru 2]\n"
        "  silent en                                                     [en 2]\n\n"
        "score won: won                                                  [ru 2] [en 2]\n",
        encoding="utf-8",
    )
    assert "take.win" in load(tmp_path / "g.ludex", edition="en").clauses


def test_a_clause_that_a_text_bears_only_with_a_ruling_belongs_to_that_text_alone(tmp_path: Path) -> None:
    folder = tmp_path / "nimm"
    folder.mkdir()
    alone = NIMM.replace("require most: n <= 3                                          [ru 4]", "require most: n <= 3")
    (folder / "nimm.ludex").write_text(alone, encoding="utf-8")
    text = read_game(folder)
    assert not any("require most" in row for row, _ in rows(text, "ru", "literal")), "only he bears the clause"
    assert any("require most" in row for row, _ in rows(text, "he", "literal"))


HELD = """\
game g
  players: 2
  document: ru "r.txt", en "e.txt"

state won: 0..9 = 0

play
  turn:                                                         [ru 1]
    say: won := 1                                               [ru 2]
      variant en: won := 2                                      [en 2]
  rest: won := worth(won)                                       [en 3]
  ask: won := 3                                                 [ru 1]
    except poor: nothing when won = 1                           [en 1]

fact worth(n: 0..9): 0..9 =                                     [ru 4]
  match n
    1 => 2                                                      [ru 4]
    2 => 3                                                      [en 4]
    otherwise => 0

score won: won                                                  [ru 5] [en 5]
"""


def test_a_clause_exists_in_a_text_that_states_only_clauses_inside_it(tmp_path: Path) -> None:
    (tmp_path / "g.ludex").write_text(HELD, encoding="utf-8")
    listed = [row for row, _ in rows(read_game(tmp_path / "g.ludex"), "en", "literal")]
    assert "say: won := 2" in listed
    assert "2 => 3" in listed
    assert "1 => 2" not in listed
    assert not any(row.startswith("ask") for row in listed), "an exception alone must not bring in its clause"


def test_the_lines_of_the_enclosing_clause_come_before_the_convention(tmp_path: Path) -> None:
    convention = HELD.replace('"e.txt"\n', '"e.txt"\n  convention: "names"\n').replace(
        "play\n", "play\n  more:\n    go: won := 4\n"
    )
    (tmp_path / "g.ludex").write_text(convention.replace("[ru 2]", "      "), encoding="utf-8")
    clauses = load(tmp_path / "g.ludex", edition="ru").clauses
    assert not clauses["play.turn.say"].authority, "the lines of the enclosing clause must be the authority"
    assert clauses["play"].authority.reasons[0].text == "names"
