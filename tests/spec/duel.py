"""Games of two editions, as files of a folder."""

from __future__ import annotations

from pathlib import Path

DUEL = """\
game duel
  players: 2
  document: en "duel.txt", he "duel-he.txt"
  editions: en, he
  convention: "shared nouns"

state coins(Player): 0..9 = 0

action take
  choose n in 1..3
"""


def write_files(folder: Path, **texts: str) -> Path:
    """Specs by the name of their file, without its suffix. Returns the folder."""
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.ludex").write_text(text, encoding="utf-8")
    return folder
