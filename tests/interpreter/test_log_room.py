"""The limits of `simulate` and of the log reader agree: every written log can be read."""

from __future__ import annotations

import pytest

from ludex.interpreter import Generator, Validator, Verdict, parse_log
from ludex.interpreter.logs.record.json_lines import MAX_LOG_LINES
from ludex.interpreter.simulate.simulation import MOST_EVENTS, Simulation
from ludex.spec import load

PIG = load("pig")
VALIDATOR = Validator(lambda *_, **__: PIG)


def test_the_longest_play_has_fewer_lines_than_the_reader_allows() -> None:
    assert MOST_EVENTS + 2 <= MAX_LOG_LINES, "a header and a claim about the end must fit, too"


@pytest.mark.parametrize("audit", [False, True])
def test_a_random_play_stops_before_its_log_is_too_large(audit: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Simulation(PIG, audit).play(Generator(1))
    size = len(whole.log.encode())
    for room in (size - 1, size, size + 1):
        monkeypatch.setattr("ludex.interpreter.simulate.simulation.MAX_LOG_BYTES", room)
        monkeypatch.setattr("ludex.interpreter.logs.record.json_lines.MAX_LOG_BYTES", room)
        monkeypatch.setattr("ludex.interpreter.logs.record.log.MAX_LOG_BYTES", room)
        game = Simulation(PIG, audit).play(Generator(1))
        assert len(game.log.encode()) <= room
        report = VALIDATOR.validate(parse_log(game.log, "x.jsonl"))
        assert report.verdict is Verdict.LEGAL, "the log must be readable to its end"
        if room >= size:
            assert (game.log, game.wrong) == (whole.log, ())
        else:
            assert [words.split(" 0 MB")[0] for words in game.wrong] == ["its log exceeds"]
            assert whole.log.startswith(game.log)
            assert report.replayed == game.events
