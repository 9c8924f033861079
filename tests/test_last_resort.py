"""No MemoryError and no RecursionError reaches a user: where no budget applies, a report with a code ends the run."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import ludex
from ludex.cli.main import cli
from ludex.spec.loading import every_table, loader

FAULTS = (MemoryError(), RecursionError("maximum recursion depth exceeded"))


def exhaust(monkeypatch: pytest.MonkeyPatch, fault: Exception) -> None:
    def ends(*_: object, **__: object) -> None:
        raise fault

    # Both modules are imported before: one that was imported now would take over what the other one has instead.
    for module in (loader, every_table):
        monkeypatch.setattr(module, "assemble", ends)
    monkeypatch.setattr("ludex.interpreter.read_log", ends)


@pytest.mark.parametrize("fault", FAULTS, ids=["memory", "stack"])
@pytest.mark.parametrize("command", ["check", "simulate --games 1", "perft --depth 1", "test", "schema"])
def test_a_command_ends_with_a_report(command: str, fault: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    exhaust(monkeypatch, fault)
    name, *options = command.split()
    ran = CliRunner().invoke(cli, [name, "tic_tac_toe", *options])
    assert ran.exit_code == 1, ran.output
    assert f"B101 `ludex {name}` needs more" in ran.output
    assert "Traceback" not in ran.output


@pytest.mark.parametrize("fault", FAULTS, ids=["memory", "stack"])
@pytest.mark.parametrize("function", [ludex.check, ludex.load, ludex.judge, ludex.replay])
def test_the_python_interface_raises_a_failure(
    function: object, fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    exhaust(monkeypatch, fault)
    assert callable(function)
    with pytest.raises(ludex.Failure) as raised:
        function("oware")
    assert [each.code.code for each in raised.value.diagnostics] == ["B101"]


CHAINS = {
    "brackets": "(" * 3000 + "q" + ")" * 3000,
    "a long sum": " + ".join(["q"] * 3000),
    "one if in another": "if q = 1 then 2 else " * 1500 + "3",
    "not not": "if " + "not " * 3000 + "q = 1 then 1 else 2",
    "sets in sets": "size(" + "{" * 2000 + "}" * 2000 + ")",
}


@pytest.mark.parametrize("chain", CHAINS)
def test_a_deep_expression_is_reported(chain: str, tmp_path: Path) -> None:
    path = tmp_path / "deep.ludex"
    head = 'game deep\n  players: 2\n  convention: "made for a test"\n\nstate q: 0..9 = 3\n'
    path.write_text(f"{head}\nplay\n  end game\n\nscore deep: {CHAINS[chain]}\n")
    ran = CliRunner().invoke(cli, ["check", str(path)])
    assert ran.exit_code in (0, 1), ran.output
    assert not ran.exception or isinstance(ran.exception, SystemExit)
