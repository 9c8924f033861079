"""One name for one thing: no two modules define a public class of the same name."""

from __future__ import annotations

import ast
from collections import defaultdict

from .parsed_sources import ROOT, source_files, tree_of

FOLDERS = ("grammar", "spec", "interpreter", "cli", "src")
NODES = (
    "grammar/syntax.py", "spec/model/nodes.py", "spec/values/types.py", "interpreter/program/ir/code.py",
    "grammar/files/yaml_tree.py",
)  # fmt: skip
"""The node classes of trees are named for what they stand for, in several trees. Code always writes them with the short
name of their module (`s.Choice`, `m.Choice`), so that each name still means one thing.
"""


def test_no_two_modules_define_a_public_class_of_the_same_name() -> None:
    places = defaultdict[str, list[str]](list)
    for file in source_files(*FOLDERS):
        path = file.relative_to(ROOT).as_posix()
        if path not in NODES:
            for node in tree_of(file).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].append(path)
    assert len(places) > 500
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
