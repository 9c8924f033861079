"""`python -m tests.nightly`: runs what takes too long for every change; the seed is the date.

A failing step does not stop the others; the exit code is 1 if one failed. Results are written to the folder `nightly/`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def steps(jobs: int, seed: int, out: Path) -> dict[str, list[str]]:
    """Return the Python arguments of each step, by the step's name."""
    return {
        "tests": ["-m", "pytest", "-q", "--long", "-n", str(jobs), f"--hypothesis-seed={seed}"],
        "lockstep": _seeded("tests.lockstep", seed, "--each", "1000", jobs=jobs, out=out / f"lockstep-{seed}.jsonl"),
        "unknowns": _seeded("tests.unknowns", seed),
        "conformance": _seeded("tests.conformance", seed),
        "mutations": _seeded("bench.mutations", seed, "--missed", jobs=jobs, out=out / f"mutations-{seed}.jsonl"),
        "many_logs": ["-m", "bench.many_logs"],
        "bench": ["-m", "bench"],
    }


def _seeded(module: str, seed: int, *more: str, jobs: int | None = None, out: Path | None = None) -> list[str]:
    given = {"--seed": seed, "--jobs": jobs, "--out": out}
    return ["-m", module, *more, *(str(each) for pair in given.items() if pair[1] is not None for each in pair)]


def run(commands: dict[str, list[str]], names: Sequence[str]) -> int:
    """Run the named steps, by default all, one after the other; return the exit code."""
    failed = []
    for name, arguments in commands.items():
        if names and name not in names:
            continue
        print(f"== {name}: python {' '.join(arguments)}", flush=True)
        start = time.monotonic()
        code = subprocess.run([sys.executable, *arguments], cwd=ROOT, check=False).returncode
        print(f"== {name}: {'good' if code == 0 else f'FAILED (exit code {code})'}, {time.monotonic() - start:.0f} s")
        failed += [name] if code else []
    print(f"failed: {', '.join(failed)}" if failed else "all good")
    return 1 if failed else 0


def main() -> int:
    seed, jobs = int(date.today().strftime("%Y%m%d")), os.cpu_count() or 1
    names = list(steps(1, 0, Path()))
    parser = argparse.ArgumentParser(prog="python -m tests.nightly", description="Run what takes long.")
    parser.add_argument("steps", metavar="STEP", nargs="*", help=f"of {', '.join(names)}; all if none is named")
    parser.add_argument("--jobs", type=int, default=jobs, help="processes (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=seed, help="of what is drawn (default: the date, %(default)s)")
    asked = parser.parse_args()
    if unknown := set(asked.steps) - set(names):
        parser.error(f"there is no step {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    out = ROOT / "nightly"
    out.mkdir(exist_ok=True)
    return run(steps(asked.jobs, asked.seed, out), asked.steps)


if __name__ == "__main__":
    sys.exit(main())
