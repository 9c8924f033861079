"""What the build does beyond `pyproject.toml`: it makes the parser's tables, so that nobody's first run has to."""

from __future__ import annotations

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).parent))

from grammar.parser.parse_tables import load_tables, ship_tables  # noqa: TID251 - what is built is not installed yet


class BuildWithTables(build_py):
    def run(self) -> None:
        super().run()
        if self.editable_mode:  # the folders themselves are imported: nothing made is put beside what is written
            load_tables()  # which keeps them in the user's cache folder
        else:
            ship_tables(Path(self.build_lib) / "ludex" / "grammar")


setup(cmdclass={"build_py": BuildWithTables})
