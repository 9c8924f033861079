"""Lines of several events: deals, gaps, and missing lines without a mark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from ludex.interpreter import ChanceEvent, Engine, Generator, Log, Report, State, Validator, Verdict, line_of, playout
from ludex.interpreter.logs.playback import filling, placing, play_search
from ludex.interpreter.logs.record.log import parse_log, write_line
from ludex.interpreter.state.events import Event, Move
from ludex.interpreter.unknowns import following

from ..once import engine_once, game_once

VALIDATOR = Validator(game_once, compiled=engine_once)
KUHN = {"ludex": 1, "game": "kuhn_poker", "players": ["Anna", "Boris"]}


def judged(*lines: dict[str, Any], fills: bool = False, header: dict[str, Any] = KUHN, goes_on: bool = False) -> Report:
    text = "".join(f"{write_line(line)}\n" for line in (header, *lines))
    return VALIDATOR.play(parse_log(text, "log.jsonl"), fills=fills, goes_on=goes_on).report


def findings(report: Report) -> list[tuple[str, int, str | None]]:
    return [(each.code.code, each.span.line, each.pointer) for each in report.findings if each.is_error]


def played(name: str, seed: int, most: int = 40) -> tuple[Engine, list[tuple[State, Event]]]:
    engine = engine_once(game_once(name))
    state, play = engine.start(), []
    for turn in islice(playout(engine, Generator(seed)), most):
        play.append((state, turn.event))
        state = engine.apply(state, turn.event)
    return engine, play


# ---- deals


def dealt(engine: Engine, play: list[tuple[State, Event]], rng: Random) -> Iterator[dict[str, Any]]:
    """Return the lines of a play with the cards of each deal written hand by hand."""
    hands: dict[tuple[str, int], list[Any]] = {}
    for state, event in [*play, (None, None)]:
        seat = None if state is None else engine.chance_for(state)
        goes_on = isinstance(event, ChanceEvent) and seat is not None and all(path == event.path for path, _ in hands)
        if hands and not goes_on:
            for (path, to), cards in rng.sample(list(hands.items()), len(hands)):
                yield {"deal": path, "to": to + 1, "cards": rng.sample(cards, len(cards))}
            hands = {}
        if isinstance(event, ChanceEvent) and seat is not None:
            hands.setdefault((event.path, seat), []).append(line_of(engine.game, event)["outcome"])
        elif event is not None:
            yield line_of(engine.game, event)


@pytest.mark.parametrize("name", ("kuhn_poker", "leduc_poker", "crazy_eights"))
def test_the_hands_of_a_deal_may_be_written_in_any_order(name: str, rng: Random) -> None:
    engine, play = played(name, rng.randrange(10**6))
    lines = list(dealt(engine, play, rng))
    header = {"ludex": 1, "game": name, "players": engine.game.players}
    report = judged(*lines, header=header)
    assert any("deal" in line for line in lines)
    assert findings(report) == []
    assert report.replayed == report.events == len(play)


def test_cards_of_a_deal_may_be_unknown() -> None:
    lines = {"deal": "setup.deal", "to": "Anna", "cards": ["queen"]}, {"deal": "setup.deal", "cards": ["unknown"]}
    assert findings(judged(*lines, {"player": "Anna", "action": "bet"})) == []
    claim = {"claim": {"state": [{"of": "card", "at": ["Boris"], "is": "queen"}]}}
    assert [code for code, *_ in findings(judged(*lines, claim))] == ["L483"]


def test_a_card_that_cannot_be_dealt_is_reported_in_its_hand() -> None:
    anna, boris = ({"deal": "setup.deal", "to": name, "cards": ["king"]} for name in ("Anna", "Boris"))
    assert findings(judged(boris, anna)) == [("L465", 2, "/cards/0")]


def test_the_line_in_which_a_piece_was_dealt_is_shown() -> None:
    """Anna's card is dealt first, though it is listed second."""
    single: list[dict[str, Any]] = [{"chance": "setup.deal", "outcome": "king"}] * 2
    hands = [{"deal": "setup.deal", "to": name, "cards": ["king"]} for name in ("Boris", "Anna")]
    for lines, refused, other in ((single, 3, 2), (hands, 2, 3)):
        (finding,) = judged(*lines).findings
        (note,) = finding.notes
        assert (finding.code.code, finding.span.line) == ("L465", refused)
        assert note.span is not None
        assert (note.span.line, note.message) == (other, "king is recorded here, too")


def dealt_twice(*behind: dict[str, Any]) -> Report:
    """A play in which the two of spades is in both hands."""
    hands = {"Boris": "2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 9♠", "Anna": "2♥ 3♥ 2♠ 5♥ 6♥ 7♥ 9♥"}
    deals = [{"deal": "setup.deal", "to": name, "cards": cards.split()} for name, cards in hands.items()]
    begin: list[dict[str, Any]] = [
        {"chance": "setup.dealer", "outcome": "Anna"},
        *deals,
        {"chance": "setup.start", "outcome": "10♠"},
    ]
    return judged(*begin, *behind, header=CRAZY, goes_on=True)


def lay(player: str, card: str) -> dict[str, Any]:
    return {"player": player, "action": "lay", "args": {"card": card}}


def test_after_a_wrong_card_of_a_hand_everything_is_judged_that_does_not_rest_on_it() -> None:
    wrong = ("L465", 4, "/cards/2")
    first = lay("Boris", "2♠"), lay("Anna", "2♥")
    assert findings(dealt_twice(*first)) == [wrong]
    assert findings(dealt_twice(*first, lay("Boris", "K♥"))) == [wrong, ("L460", 8, "/args/card")]
    # Either of the two may be the wrong one, and then the card that was played instead of it.
    assert findings(dealt_twice(lay("Boris", "K♠"))) == [wrong]
    again = findings(dealt_twice(lay("Boris", "K♠"), lay("Anna", "2♠"), lay("Boris", "Q♠")))
    assert again == [wrong, ("L460", 8, "/args/card")]
    assert findings(dealt_twice(lay("Anna", "2♥"))) == [wrong, ("L464", 6, "/player")]
    notes = [note.message for note in dealt_twice(lay("Anna", "2♥")).findings[1].notes]
    assert notes[0] == "this is wrong, whatever line 4 should have been"
    assert not any("unknown" in note for note in notes)


def test_a_claim_that_only_a_wrong_card_of_another_hand_contradicts_is_no_fault() -> None:
    boris, anna = ({"deal": "setup.deal", "to": name, "cards": ["king"]} for name in ("Boris", "Anna"))
    for name in ("Anna", "Boris"):
        claim = {"claim": {"state": [{"of": "card", "at": [name], "is": "king"}]}}
        assert [code for code, *_ in findings(judged(boris, anna, claim, goes_on=True))] == ["L465"]


def test_too_many_cards_in_a_deal_are_reported() -> None:
    two = {"deal": "setup.deal", "to": "Boris", "cards": ["king", "jack"]}
    one = {"deal": "setup.deal", "to": "Anna", "cards": ["queen"]}
    assert findings(judged(two, one, {"player": "Anna", "action": "bet"})) == [("L474", 2, "/cards/1")]
    assert findings(judged(two)) == [("L474", 2, "/cards/0")]


def test_a_fault_in_a_deal_is_reported_at_its_place() -> None:
    assert findings(judged({"deal": "setup.row", "cards": ["king"]})) == [("L445", 2, "/deal")]
    assert findings(judged({"deal": "setup.deal", "to": "Clara", "cards": ["king"]})) == [("L446", 2, "/to")]
    assert findings(judged({"deal": "setup.deal", "cards": ["ace"]})) == [("L444", 2, "/cards/0")]
    assert findings(judged({"deal": "setup.deal", "cards": []})) == [("L444", 2, "/cards")]
    assert findings(judged({"deal": "setup.deal"})) == [("L443", 2, "")]
    assert findings(judged({"cards": ["king"], "to": 1})) == [("L443", 2, "")]


CRAZY = {"ludex": 1, "game": "crazy_eights", "players": ["Anna", "Boris"]}


def hand(to: str, *cards: str) -> dict[str, Any]:
    return {"deal": "setup.deal", "to": to, "cards": list(cards)}


def test_a_hand_is_dealt_in_each_of_the_games_that_a_gap_leaves_possible() -> None:
    bets = [{"player": name, "action": "bet"} for name in ("Anna", "Boris")]
    won = {"claim": {"winners": ["Boris"]}}
    assert findings(judged({"gap": "chance"}, hand("Boris", "king"), *bets, won)) == []
    assert findings(judged({"gap": "chance"}, hand("Boris", "jack"), *bets, won)) == [("L481", 6, "/claim/winners")]
    assert findings(judged({"gap": 1}, hand("Boris", "king"), *bets, won)) == []
    assert findings(judged({"gap": 2}, hand("Boris", "king"), *bets, won)) == [("L474", 3, "/cards/0")]
    assert findings(judged({"gap": "chance"}, hand("Boris", "king", "jack"), *bets)) == [("L474", 3, "/cards/1")]


ANNAS, BORIS = (
    "deal setup.deal to Anna = {10S, 8H, KC, 3D, JS, 2C, 4C}",
    "deal setup.deal to Boris = {?, ?, ?, ?, ?, ?, ?}",
)
OPENED = "start = 7H", "Anna: lay 8H"


def told(*lines: str, game: str = "crazy_eights", fills: bool = False) -> Report:
    """Judge a text log; its lines have numbers from 4 on."""
    text = "\n".join((f"Game: {game}", "Players: Anna, Boris", "", *lines, ""))
    return VALIDATOR.play(parse_log(text, "log.ludexlog"), fills=fills).report


def test_hands_are_dealt_in_each_order_in_which_an_unknown_dealer_may_deal_them() -> None:
    assert findings(told("dealer = ?", ANNAS, BORIS, *OPENED)) == []
    assert findings(told("dealer = ?", BORIS, ANNAS, *OPENED)) == []
    assert {code for code, *_ in findings(told("dealer = ?", BORIS, BORIS, *OPENED))} == {"L474"}
    twice = BORIS.replace("?", "10S", 1)
    assert [code for code, *_ in findings(told("dealer = ?", ANNAS, twice, *OPENED))] == ["L465"]


def test_a_gap_may_hold_what_is_dealt_between_the_cards_of_a_hand() -> None:
    assert findings(told("gap chance", ANNAS, "gap chance", *OPENED)) == []
    assert findings(told("dealer = Boris", ANNAS, "gap 7", *OPENED)) == []
    assert [code for code, *_ in findings(told("dealer = Boris", ANNAS, "gap 5", *OPENED))] == ["L474"]


def test_dice_may_be_written_as_deals_where_those_before_are_unknown(rng: Random) -> None:
    # If Anna's unknown dice allow no move, Boris throws; otherwise she moves.
    engine, play = played("backgammon", rng.randrange(10**6), 60)
    lines, dice, path = list[dict[str, Any]](), list[Any](), ""
    for _, event in [*play, (None, None)]:
        if isinstance(event, ChanceEvent):
            dice.append("unknown" if rng.random() < 0.5 else event.outcome)
            path = event.path
            continue
        if dice:
            lines.append({"deal": path, "cards": dice})
            dice = []
        if event is not None:
            lines.append(line_of(engine.game, event))
    assert findings(judged(*lines, header={"ludex": 1, "game": "backgammon", "players": 2})) == []


# ---- gaps


@pytest.mark.parametrize("name", ("kuhn_poker", "leduc_poker", "tic_tac_toe", "nim"))
def test_any_event_may_be_missing_in_a_gap(name: str, rng: Random) -> None:
    engine, play = played(name, rng.randrange(10**6))
    lines = [line_of(engine.game, event) for _, event in play]
    header = {"ludex": 1, "game": name, "players": engine.game.players}
    lines[rng.randrange(len(lines))] = {"gap": 1}
    assert findings(judged(*lines, header=header)) == []


def test_a_gap_of_unknown_length_stands_for_any_possible_events() -> None:
    bet = {"player": "Boris", "action": "bet"}
    assert findings(judged({"gap": True}, bet)) == []
    assert findings(judged({"gap": "chance"}, {"player": "Anna", "action": "bet"}, bet)) == []
    assert findings(judged({"gap": "chance"}, bet)) == [("L464", 3, "/player")]
    over = {"claim": {"terminal": True, "scores": [9, -9]}}
    assert [code for code, *_ in findings(judged({"gap": True}, over))] == ["L480"]


def test_a_gap_longer_than_the_play_is_refused() -> None:
    assert findings(judged({"gap": 9})) == [("L466", 2, "/gap")]
    assert findings(judged({"gap": 0})) == [("L444", 2, "/gap")]


# ---- missing lines


@pytest.mark.parametrize("name", ("kuhn_poker", "leduc_poker", "crazy_eights", "pig"))
def test_all_missing_chance_lines_are_listed_in_one_run(name: str, rng: Random) -> None:
    engine, play = played(name, rng.randrange(10**6))
    while play and isinstance(play[-1][1], ChanceEvent):
        del play[-1]
    lines = [line_of(engine.game, event) for _, event in play]
    kept = [line for line in lines if "chance" not in line]
    report = judged(*kept, fills=True, header={"ludex": 1, "game": name, "players": engine.game.players})
    assert {code for code, *_ in findings(report)} == {"L475"}
    missing = [{**line, "outcome": "unknown"} for line in lines if "chance" in line]
    if missing.count({"chance": "setup.start", "outcome": "unknown"}) < 2:  # a second start need not be missing
        assert [each.line for each in report.missing] == list(map(write_line, missing))
    assert report.replayed == len(kept)


def test_a_missing_move_is_listed() -> None:
    cards = ({"chance": "setup.deal", "outcome": card} for card in ("king", "queen"))
    report = judged(*cards, {"player": "Boris", "action": "bet"}, fills=True)
    assert [each.line for each in report.missing] == ['{"player": "Anna", "action": "unknown"}']
    assert findings(report) == [("L475", 4, "")]


def test_a_line_that_no_missing_lines_explain_is_refused() -> None:
    report = judged(
        {"chance": "setup.deal", "outcome": "king"}, {"chance": "setup.deal", "outcome": "king"}, fills=True
    )
    assert findings(report) == [("L465", 3, "/outcome")]


def missing(report: Report) -> list[str]:
    return [each.line for each in report.missing]


def test_a_hand_that_is_not_written_is_named_and_listed() -> None:
    boris = "deal setup.deal to Boris = {?, ?, ?, ?, ?, ?, ?}"
    [fault] = [each for each in told("dealer = Boris", ANNAS, *OPENED).findings if each.is_error]
    assert (fault.message, fault.hint) == ("the cards of Boris are not written", f"add `{boris}`")
    report = told("dealer = Boris", ANNAS, *OPENED, fills=True)
    assert (findings(report), missing(report), report.replayed) == ([("L475", 6, "")], [boris], report.events)


def test_one_card_too_few_in_a_hand_is_counted_and_listed() -> None:
    lines = "dealer = Boris", BORIS, ANNAS.replace(", 4C", ""), *OPENED
    [fault] = [each for each in told(*lines).findings if each.is_error]
    assert fault.message == "Anna gets 7 cards, line 6 lists 6"
    report = told(*lines, fills=True)
    assert (findings(report), missing(report)) == ([("L475", 7, "")], ["deal setup.deal to Anna = {?}"])
    assert report.replayed == report.events


def test_a_move_of_the_other_player_is_listed_where_many_are_possible() -> None:
    report = told("Anna: b7 b6", "Anna: c7 c6", "Boris: a2 a3", game="breakthrough", fills=True)
    assert (findings(report), missing(report)) == ([("L475", 5, "")], ["Boris: advance ? ?"])


def test_a_fault_after_missing_lines_is_explained() -> None:
    # The last event before it is the missing one.
    report = told("Anna: claim 1,1", "Anna: claim 1,2", "Anna: claim 1,2", game="tic_tac_toe", fills=True)
    assert [code for code, *_ in findings(report)] == ["L475", "L464"]


def test_chance_lines_may_be_missing_among_others() -> None:
    row = [f"setup.row = {card}" for card in ("s02", "s11", "s06", "s08", "s09")]
    lines = "setup.tokens = Anna", *row, "Anna: study s04 at 1,4", "study.refill = l16"
    report = told(*lines, game="boreal", fills=True)
    assert {code for code, *_ in findings(report)} == {"L475"}
    assert missing(report) == ["setup.row = ?"] * 3
    assert all("elsewhere among the chance lines" in str(finding.hint) for finding in report.findings if finding.hint)


def cut(name: str, seed: int, keeps: Callable[[int, Event], bool], most: int = 500) -> tuple[Log, Log]:
    """Return the log of the first events of a play, up to the last move, and what is left of it."""
    engine, play = played(name, seed, most)
    while isinstance(play[-1][1], ChanceEvent):
        del play[-1]
    header = {"ludex": 1, "game": name, "players": engine.game.players}
    kept = [line_of(engine.game, event) for at, (_, event) in enumerate(play) if keeps(at, event)]
    whole = [line_of(engine.game, event) for _, event in play]
    whole_log, cut_log = (
        parse_log("".join(f"{write_line(line)}\n" for line in (header, *lines)), "log.jsonl") for lines in (whole, kept)
    )
    return whole_log, cut_log


def filled(log: Log, report: Report) -> str:
    """Return the log with its missing lines, which is legal."""
    text = VALIDATOR.convert(log, "json", report.missing)
    assert isinstance(text, str)
    assert VALIDATOR.validate(parse_log(text, "log.jsonl")).verdict is Verdict.LEGAL
    return text


# Of the four throws in a row the first two leave the player no move.
@pytest.mark.parametrize("dropped", (range(84, 88), range(84, 86), range(86, 88)))
def test_a_throw_is_missing_after_which_the_player_had_no_move(dropped: range) -> None:
    whole, log = cut("backgammon", 0, lambda at, event: at not in dropped)
    assert VALIDATOR.validate(whole).verdict is Verdict.LEGAL
    assert VALIDATOR.validate(log).verdict is Verdict.FINDINGS
    report = VALIDATOR.play(log, fills=True).report
    assert {code for code, *_ in findings(report)} == {"L475"}
    assert (len(report.missing), report.replayed) == (len(dropped), report.events)
    [refused] = [each for each in VALIDATOR.play(log, goes_on=True).report.findings if each.is_error]
    assert "may be missing before this one" in str(refused.hint)


@pytest.mark.drawn(1)
@pytest.mark.parametrize("name", ("backgammon", "boreal", "pig", "leduc_poker", "liars_dice"))
def test_a_game_without_its_chance_lines_is_filled_in_one_run(name: str, is_long: bool) -> None:
    whole, log = cut(name, 0, lambda at, event: isinstance(event, Move), 500 if is_long else 30)
    report = VALIDATOR.play(log, fills=True).report
    assert {code for code, *_ in findings(report)} == {"L475"}
    assert (len(report.missing), report.replayed) == (len(whole.events) - len(log.events), report.events)
    filled(log, report)


def test_one_card_missing_in_the_middle_of_a_deal_is_put_where_the_hands_allow_it() -> None:
    _, log = cut("crazy_eights", 3, lambda at, event: at != 5)
    assert filled(log, VALIDATOR.play(log, fills=True).report).count('"unknown"') == 1


@pytest.mark.parametrize("seed", (1, 3))
def test_several_cards_missing_in_a_deal_are_put_where_the_later_moves_allow_it(seed: int) -> None:
    _, log = cut("crazy_eights", seed, lambda at, event: at not in (3, 6, 7, 11))
    assert filled(log, VALIDATOR.play(log, fills=True).report).count('"unknown"') == 4


def test_places_that_a_later_line_refuses_are_looked_for_again() -> None:
    whole, log = cut("crazy_eights", 4, lambda at, event: at not in (1, 2, 3, 4, 13, 19), 30)
    report = VALIDATOR.play(log, fills=True).report
    assert {code for code, *_ in findings(report)} == {"L475"}
    assert (len(report.missing), report.replayed) == (len(whole.events) - len(log.events), report.events)
    filled(log, report)


def without_third(name: str, seed: int, most: int) -> tuple[Counter[str], Log]:
    """Return the statements of the chance lines that a log lacks, and the log."""
    chance = [at for at, (_, event) in enumerate(played(name, seed, most)[1]) if isinstance(event, ChanceEvent)]
    dropped = set(Random(seed).sample(chance, len(chance) // 3))
    whole, log = cut(name, seed, lambda at, event: at not in dropped, most)
    whole_paths, paths = (
        Counter(record.data["chance"] for record in each.events if record.data and "chance" in record.data)
        for each in (whole, log)
    )
    return whole_paths - paths, log


def listed(report: Report) -> Counter[str]:
    return Counter(each.data["chance"] for each in report.missing)


# Several dice and tiles of different piles are missing together, among others of the same statement.
@pytest.mark.parametrize("seed", range(3))
def test_each_missing_chance_line_of_a_large_game_is_listed(seed: int, is_long: bool) -> None:
    lacking, log = without_third("bora_bora", seed, 500 if is_long else 90)
    assert listed(VALIDATOR.play(log, fills=True).report) == lacking


def test_missing_lines_are_listed_even_if_it_is_not_found_where_they_belong(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking, log = without_third("bora_bora", 3, 90)
    with monkeypatch.context() as patch:
        patch.setattr(placing, "WORK_OF_PLACING", 1)
        patch.setattr(filling, "MOST_PLACES", 5)
        report = VALIDATOR.play(log, fills=True).report
    assert listed(report) == lacking
    assert {code for code, *_ in findings(report)} == {"L475"}
    [warning] = report.unfilled
    assert warning.message.startswith("all missing lines are listed, but with them in these places")
    assert "region" in str(warning.notes)


def test_lines_are_missing_before_a_claim() -> None:
    cards = "setup.deal = king", "setup.deal = queen"
    ended = told(*cards, "Anna: bet", "claim winners Anna; over", game="kuhn_poker", fills=True)
    assert (findings(ended), missing(ended)) == ([("L475", 7, "")], ["Boris: ?"])
    card = told("setup.deal = king", "claim card(Boris) = queen", game="kuhn_poker", fills=True)
    assert (findings(card), missing(card)) == ([("L475", 5, "")], ["setup.deal = ?"])
    # A claim that a missing move makes true is not wrong.
    bet = told(*cards, "claim stake(Anna) = 2", game="kuhn_poker", fills=True)
    assert (findings(bet), missing(bet)) == ([("L475", 6, "")], ["Anna: ?"])
    wrong = told(*cards, "claim stake(Anna) = 0", game="kuhn_poker", fills=True)
    assert (findings(wrong), missing(wrong)) == ([("L483", 6, "/claim/state/0/is")], [])


WON = "Anna: claim 1,1", "claim winners Anna; over"


def test_many_moves_are_missing_before_one_line() -> None:
    report = told(*WON, game="tic_tac_toe", fills=True)
    assert {code for code, *_ in findings(report)} == {"L475"}
    assert sorted(missing(report)) == ["Anna: claim ?"] * 2 + ["Boris: claim ?"] * 2


@pytest.mark.parametrize(("name", "seed"), [("breakthrough", 1), ("nine_mens_morris", 2)])
def test_a_log_without_a_fifth_of_its_lines_is_filled_in_with_as_few(name: str, seed: int) -> None:
    rng = Random(seed)
    whole, log = cut(name, seed, lambda at, event: rng.random() > 0.2, 40)
    report = VALIDATOR.play(log, fills=True).report
    assert {code for code, *_ in findings(report)} == {"L475"}
    assert 0 < len(report.missing) <= len(whole.events) - len(log.events)
    filled(log, report)


def test_moves_of_each_player_are_missing_where_only_a_later_line_shows_it() -> None:
    log = "Anna: claim 1,1", "Boris: claim 1,2", "claim mark(3,3) = Boris; winners Anna; over"
    report = told(*log, game="tic_tac_toe", fills=True)
    assert {code for code, *_ in findings(report)} == {"L475"}
    assert len(missing(report)) == 3


def test_a_template_that_is_not_judged_without_its_values_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(following, "MOST_WORK", 200)
        patch.setattr(play_search, "MOST_ATTEMPTS", 0)
        report = told(*WON, game="tic_tac_toe", fills=True)
    assert len(report.missing) == 4
    [warning] = report.unfilled
    assert warning.code.code == "L471"
    assert warning.message.startswith("all missing lines are listed")


def test_a_search_that_ends_with_its_budget_refuses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(filling, "MOST_PLACES", 5)
        report = told("Anna: claim 1,1", *WON[1:], game="tic_tac_toe", fills=True)
    assert (report.verdict, findings(report), missing(report)) == (Verdict.UNJUDGED, [], [])
    [warning] = report.unfilled
    assert (warning.code.code, warning.span.line) == ("L471", 5)
    assert warning.message.startswith("a line at least is missing between line 4 and this one")
    [note] = report.template
    assert note.data == {"note": warning.message}
    assert "not over" in str(warning.notes)
