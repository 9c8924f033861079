"""Figures of the source tree by folder: modules, lines, comments, imports between folders, import cycles.

`python -m tests.imports [ROOT]` counts the tree in ROOT, by default this one, so that two commits can be compared.
`python -m tests.imports --page BEFORE` writes `docs/imports.md`, which compares this tree with the one in BEFORE.

Imports for type checkers only do not count. A line of code has a token outside comments and docstrings. Headings
and directives do not count as comments.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
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
NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER
}  # fmt: skip
PAGE = ROOT / "docs/imports.md"
Arrow = tuple[str, str]
"""A module or folder, and another one that it imports."""


@dataclass(frozen=True)
class Tree:
    """The modules of a tree and their imports.

    Attributes:
        folders: the folder of each module, by the module's name. A package's root is in its own folder.
        lines, code, comments: the numbers by the module's name. Roots are left out, since they only re-export.
        arrows: imports between modules; none begins at a root.
    """

    folders: dict[str, str]
    lines: dict[str, int]
    code: dict[str, int]
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
    counted = {name: _code_and_comments(file) for name, file in files.items()}
    code, comments = ({name: each[at] for name, each in counted.items()} for at in (0, 1))
    return Tree(folders, lines, code, comments, arrows)


def _code_and_comments(file: Path) -> tuple[int, int]:
    """Return the number of lines of code, and of comments."""
    with tokenize.open(file) as text:
        tokens = list(tokenize.generate_tokens(text.readline))
    comments = sum(each.type == tokenize.COMMENT and not NO_REASON.match(each.string) for each in tokens)
    code = {line for each in tokens if each.type not in NO_CODE for line in range(each.start[0], each.end[0] + 1)}
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            code -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(code), comments


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


COLUMNS = ("modules", "lines", "comments", "inside", "out", "in")


def by_folder(tree: Tree) -> dict[str, Counter[str]]:
    """Return the figures of each folder; inside, out, in: imports inside it, from it, and from others."""
    counts = defaultdict[str, Counter[str]](Counter)
    for module, lines in tree.lines.items():
        counts[tree.folders[module]] += Counter(modules=1, lines=lines, comments=tree.comments[module])
    for importer, imported in tree.arrows:
        a, b = tree.folders[importer], tree.folders[imported]
        counts[a]["inside" if a == b else "out"] += 1
        counts[b]["in"] += a != b
    return dict(counts)


def measures(tree: Tree) -> dict[str, str]:
    """Return the figures of the whole tree, by their names."""
    counts = by_folder(tree)
    sums = sum(counts.values(), Counter[str]())
    pairs, modules, folders, code = tree.folder_arrows, sums["modules"], len(counts), sum(tree.code.values())
    reached = folder_reach(tree)
    own = [counts[tree.folders[module]]["modules"] for module in tree.lines]
    near = neighbourhoods(tree)
    past = sum(_is_past_root(*arrow) for arrow in tree.arrows)
    return {
        "modules": f"{modules}",
        "folders": f"{folders}",
        "lines": f"{sums['lines']:,}",
        "comments for 100 lines": f"{100 * sums['comments'] / sums['lines']:.2f}",
        "comments for 100 lines of code (no blank lines, no docstrings)": f"{100 * sums['comments'] / code:.2f}",
        "imports between modules": f"{len(tree.arrows):,}",
        "imports for each module": f"{len(tree.arrows) / modules:.1f}",
        "imports between folders": f"{sums['out']:,}, of {len(pairs)} pairs",
        "imports between folders, for each module": f"{sums['out'] / modules:.1f}",
        "imports between folders, of all imports": f"{100 * sums['out'] / len(tree.arrows):.0f} %",
        "pairs of folders with imports, of all pairs": f"{100 * len(pairs) / (folders * (folders - 1)):.0f} %",
        "imports between folders of two levels, such as `spec/model/`": _between(tree, 2),
        "imports between the four layers and `ludex`": _between(tree, 1),
        "imports past the root of another layer, for each module": f"{past / modules:.2f}",
        "folders that a folder reaches by imports, of all": f"{100 * reached:.1f} %",
        "modules in the folder of a module, mean": f"{sum(own) / modules:.1f}",
        "modules in its folder and in those that it imports from, mean": f"{sum(near) / modules:.1f}",
        "the same, of all modules": f"{100 * sum(near) / modules**2:.1f} %",
        "modules in the largest folder": f"{max(each['modules'] for each in counts.values())}",
        "cycles of modules": f"{len(circles(tree.arrows))}",
        "cycles of folders": f"{len(circles(pairs))}",
    }


def _is_past_root(importer: str, imported: str) -> bool:
    """Test whether an import goes into another layer past its root."""
    return importer.split(".")[1] != imported.split(".")[1] and imported.count(".") > 1


def folder_reach(tree: Tree) -> float:
    """Return the part of all pairs of folders of which the first reaches the second (propagation cost).

    Package roots import lazily, so imports of modules alone count."""
    imports = defaultdict[str, set[str]](set)
    for importer, imported in tree.folder_arrows:
        imports[importer].add(imported)
    folders = set(tree.folders.values())
    return sum(len(_reached(folder, imports)) for folder in folders) / len(folders) ** 2


def neighbourhoods(tree: Tree) -> list[int]:
    """Return for each module the number of modules in its folder and in the folders from which it imports."""
    sizes = Counter(tree.folders[module] for module in tree.lines)
    near = {module: {tree.folders[module]} for module in tree.lines}
    for importer, imported in tree.arrows:
        near[importer].add(tree.folders[imported])
    return [sum(sizes[folder] for folder in folders) for folders in near.values()]


def report(tree: Tree) -> str:
    """Return a table with a line for each folder, then the measures of the tree and its cycles."""
    counts = by_folder(tree)
    rows = [f"{'folder':<36}" + "".join(f"{name:>9}" for name in COLUMNS)]
    rows += [f"{name:<36}" + "".join(f"{counts[name][each]:>9,}" for each in COLUMNS) for name in sorted(counts)]
    rows += [f"{name}: {figure}" for name, figure in measures(tree).items()]
    rows += _listed("cycles of modules", circles(tree.arrows))
    rows += _listed("cycles of folders", circles(tree.folder_arrows))
    return "\n".join(rows)


def _between(tree: Tree, levels: int) -> str:
    """Write how many imports are between the folders of so many levels, each with what is in it."""
    outer = {name: ".".join(folder.split(".")[: levels + 1]) for name, folder in tree.folders.items()}
    pairs = [(outer[a], outer[b]) for a, b in tree.arrows if outer[a] != outer[b]]
    return f"{len(pairs):,}, of {len(set(pairs))} pairs"


def _listed(title: str, sets: Iterable[frozenset[str]]) -> list[str]:
    members = sorted(sorted(each) for each in sets)
    return [f"{title}: {', '.join(each)}" for each in members]


def make_page(before: Path) -> str:
    """Return the page that compares this tree with the one in `before`, a checkout of an older commit."""
    trees = {}
    for root in (before, ROOT):
        asked = subprocess.run(
            [sys.executable, __file__, "--json", str(root)], capture_output=True, text=True, check=True, cwd=ROOT
        )
        trees[_commit(root)] = json.loads(asked.stdout)
    old, new = trees
    rows = [
        f"| {name} | {figure} | {trees[new]['measures'][name]} |" for name, figure in trees[old]["measures"].items()
    ]
    parts = [HEAD.format(old=old, new=new), "\n".join([f"| | {old} | {new} |", "|---|--:|--:|", *rows])]
    for commit, tree in trees.items():
        table = [f"| {folder} | {' | '.join(f'{each:,}' for each in figures)} |" for folder, figures in tree["folders"]]
        parts += [
            f"## Folders at {commit}",
            "\n".join([f"| folder | {' | '.join(COLUMNS)} |", "|---" + "|--:" * 6 + "|", *table]),
        ]
    return "\n\n".join(parts) + "\n"


def _commit(root: Path) -> str:
    asked = ("git", "-C", str(root), "rev-parse", "--short=8", "HEAD")
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


HEAD = """\
# Modules and imports by folder

This page is made by `python -m tests.imports --page BEFORE`, where BEFORE is a checkout of commit {old}, the last one
before the folders were divided. The figures of today belong to commit {new}.
[Decisions](decisions.md#folders-one-question-each-and-no-circles) says what follows from them."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.imports")
    parser.add_argument("root", nargs="?", type=Path, default=ROOT)
    parser.add_argument("--page", action="store_true", help="write docs/imports.md; ROOT is the tree before")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    asked = parser.parse_args()
    if asked.page:
        PAGE.write_text(make_page(asked.root), encoding="utf-8")
        return
    sys.path.insert(0, str(asked.root / "src"))
    tree = read(asked.root)
    counts = by_folder(tree)
    folders = [
        (
            name.removeprefix("ludex.").replace(".", "/") if "." in name else "src/ludex",
            [counts[name][each] for each in COLUMNS],
        )
        for name in sorted(counts)
    ]
    print(json.dumps({"measures": measures(tree), "folders": folders}) if asked.json else report(tree))


if __name__ == "__main__":
    main()
