"""Provenance: which state of the code made a result, so that results of two states are never counted together."""

from __future__ import annotations

import subprocess
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MEASURED = ("grammar", "spec", "interpreter", "src", "bench/mutations")
"""The folders on which a result depends."""
UNKNOWN = "unknown"


def state_of_code(root: Path = ROOT) -> str:
    """Return the commit, with a digest of uncommitted changes if there are any; `unknown` outside a repository."""
    commit = _git(root, "rev-parse", "--short=12", "HEAD")
    if commit is None:
        return UNKNOWN
    changed = _changed_files(root)
    return f"{commit.decode().strip()}+{_sum(root, changed)}" if changed else commit.decode().strip()


def _changed_files(root: Path) -> list[str]:
    status = _git(root, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", *MEASURED)
    # Two letters and a blank come before the name.
    return sorted(row[3:] for row in (status or b"").decode().split("\0") if row and not row.endswith(".pyc"))


def _sum(root: Path, names: list[str]) -> str:
    digest = sha256()
    for name in names:
        path = root / name
        digest.update(name.encode() + b"\0" + (path.read_bytes() if path.is_file() else b"gone"))
    return digest.hexdigest()[:8]


def _git(root: Path, *arguments: str) -> bytes | None:
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
