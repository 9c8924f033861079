"""Figures of the source tree by folder: modules, lines, comments, imports between folders, import cycles.

`python -m tests.imports [ROOT]` counts the tree in ROOT, by default this one, so that two commits can be compared.
Imports for type checkers only do not count.
"""

from __future__ import annotations

import re
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
NO_REASON = re.compile(r"#\s*(-|(noqa|type:|fmt:|pragma)\b)")
"""Matches headings and directives among the comments."""
Arrow = tuple[str, str]
"""A module or folder, and another one that it imports."""


@dataclass(frozen=True)
class Tree:
    """The modules of a tree and their imports.

    Attributes:
        folders: the folder of each module, by the module's name. A package's root is in its own folder.
        lines, comments: the numbers by the module's name. Roots are left out, since they only re-export. Headings and
            directives are not counted as comments.
        arrows: imports between modules; none begins at a root.
    """

    folders: dict[str, str]
    lines: dict[str, int]
    comments: dict[str, int]
    arrows: set[Arrow]

    @property
    def folder_arrows(self) -> set[Arrow]:
        """Return the imports between different folders."""
        pairs = {(self.folders[a], self.folders[b]) for a, b in self.arrows}
        return {(a, b) for a, b in pairs if a != b}


def read(root: Path) -> Tree:
    """Read the tree in `root`: the one from which Python imports `ludex`, or a copy of it."""
    graph = grimp.build_graph("ludex", cache_dir=None, exclude_type_checking_imports=True)
    roots = {module for module in graph.modules if graph.find_children(module)}
    modules = sorted(graph.modules - roots)
    folders = {name: name for name in roots} | {name: name.rpartition(".")[0] for name in modules}
    files = {name: root / "src" / f"{name.replace('.', '/')}.py" for name in modules}
    lines = {name: len(file.read_text(encoding="utf-8").splitlines()) for name, file in files.items()}
    arrows = {(name, each) for name in modules for each in graph.find_modules_directly_imported_by(name)}
    comments = {name: _comments_in(file) for name, file in files.items()}
    return Tree(folders, lines, comments, arrows)


def _comments_in(file: Path) -> int:
    with tokenize.open(file) as text:
        tokens = list(tokenize.generate_tokens(text.readline))
    return sum(each.type == tokenize.COMMENT and not NO_REASON.match(each.string) for each in tokens)


def circles(arrows: Iterable[Arrow]) -> set[frozenset[str]]:
    """Return the strongly connected components: sets of modules each of which imports every other, directly or not."""
    imports = defaultdict[str, set[str]](set)
    for importer, imported in arrows:
        imports[importer].add(imported)
    reached = {start: _reached(start, imports) for start in list(imports)}
    return {frozenset(b for b in reached[a] if a in reached.get(b, ())) for a in reached if a in reached[a]}


def _reached(start: str, imports: dict[str, set[str]]) -> set[str]:
    reached, ahead = set[str](), [start]
    while ahead:
        new = imports[ahead.pop()] - reached
        reached |= new
        ahead += new
    return reached


def report(tree: Tree) -> str:
    """Return a table with a line for each folder, then sums and cycles."""
    counts = defaultdict[str, Counter[str]](Counter)
    for module, lines in tree.lines.items():
        counts[tree.folders[module]] += Counter(modules=1, lines=lines, comments=tree.comments[module])
    for importer, imported in tree.arrows:
        a, b = tree.folders[importer], tree.folders[imported]
        counts[a]["inside" if a == b else "out"] += 1
        counts[b]["in"] += a != b
    columns = ("modules", "lines", "comments", "inside", "out", "in")
    rows = [f"{'folder':<36}" + "".join(f"{name:>9}" for name in columns)]
    rows += [f"{name:<36}" + "".join(f"{counts[name][each]:>9,}" for each in columns) for name in sorted(counts)]
    sums = sum(counts.values(), Counter[str]())
    pairs = tree.folder_arrows
    return "\n".join(
        [
            *rows,
            f"{sums['modules']} modules in {len(counts)} folders, {sums['lines']:,} lines",
            f"{sums['comments']:,} comments, {100 * sums['comments'] / sums['lines']:.2f} in a hundred lines",
            f"{len(tree.arrows):,} arrows: {sums['inside']} inside folders, {sums['out']} between {len(pairs)} pairs",
            *(_between(tree, levels) for levels in (1, 2)),
            *_listed("circles of modules", circles(tree.arrows)),
            *_listed("circles of folders", circles(pairs)),
        ]
    )


def _between(tree: Tree, levels: int) -> str:
    """Write how many imports are between the folders of so many levels, each with what is in it."""
    outer = {name: ".".join(folder.split(".")[: levels + 1]) for name, folder in tree.folders.items()}
    pairs = [(outer[a], outer[b]) for a, b in tree.arrows if outer[a] != outer[b]]
    return f"with folders of {levels} level{'s' * (levels > 1)}: {len(pairs):,} between {len(set(pairs))} pairs"


def _listed(title: str, sets: Iterable[frozenset[str]]) -> list[str]:
    members = sorted(sorted(each) for each in sets)
    return [f"{title}: {len(members)}", *(f"  {', '.join(each)}" for each in members)]


if __name__ == "__main__":
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    sys.path.insert(0, str(root / "src"))
    print(report(read(root)))
