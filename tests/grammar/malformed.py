"""Malformed samples, each with the mistake and the expected report.

`SAMPLES` have one fault each, `SEVERAL` have as many as they list. Add a row here for each new kind of mistake.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Expected:
    """The code, the place, and a part of the message or the hint."""

    code: str
    line: int
    column: int
    says: str


@dataclass(frozen=True, slots=True)
class Sample:
    name: str
    text: str
    faults: tuple[Expected, ...]


def one(name: str, text: str, code: str, place: tuple[int, int], says: str) -> Sample:
    return Sample(name, text, (Expected(code, *place, says),))


def game(text: str) -> str:
    """Return declarations with a header above them; they begin in line 2."""
    return "game g\n" + text


def action(*lines: str) -> str:
    """Return lines in an action; they begin in line 3 and column 3."""
    return game("action a\n" + "".join(f"  {line}\n" for line in lines))


DEEP_BLOCKS = "".join(f"{' ' * depth}if c\n" for depth in range(1, 60))
PROSE = "This is some prose\nand so on it\ngoes here too\n"

SAMPLES: tuple[Sample, ...] = (
    # ---- the mistakes of the language study
    one("colon after if", action("if c:", "  z := 1"), "S114", (3, 7), "no colon after `if`"),
    one("= for :=", action("z = 1"), "S113", (3, 5), "`:=`"),
    one("==", action("require r: a == b"), "S112", (3, 16), "write `=`"),
    one("missing in", action("choose card market"), "S115", (3, 15), "`in` is missing before `market`"),
    one("missing from", action("draw 1 deck to hand"), "S115", (3, 10), "`from` is missing before `deck`"),
    one("missing then", action("if c z := 1"), "S115", (3, 8), "`then` is missing before `z`"),
    one("missing has", action("require r: some t in S t > 1"), "S115", (3, 26), "`has` is missing before `t`"),
    one("unclosed bracket", action("require r: size(hand(me) > 1", "x: y := 1"), "S107", (3, 18), "never closed"),
    one("stray bracket", action("require r: a) > 1"), "S108", (3, 15), "`)` closes nothing"),
    one("keyword as name", game("define fill = 3\n"), "S102", (2, 8), "`fill` is a word of the language and cannot"),
    one("lower-case type", game("state x: slot = 1\n"), "S125", (2, 10), "write `Slot`"),
    one("unknown visibility", game("zone x: pile of Card, secret\n"), "S101", (2, 23), "`open`, `private` or `hidden`"),
    one("body not indented", game("setup\nx: y := 1\nz: w := 2\n"), "S106", (2, 1), "`setup` needs a block below it"),
    one("over-indented line", action("x: y := 1", "    z: w := 2"), "S104", (4, 7), "indented deeper"),
    one("bad dedent", game("action a\n    x: y\n  z: w\n"), "S105", (4, 3), "indented by 2"),
    one("tab", game("action a\n\tx: y\n"), "S103", (3, 1), "a tab indents this line"),
    one("quoted citation", action('x: y "ru 12"'), "S118", (3, 8), "no quotes"),
    one("citation without lines", action("x: y [ru]"), "S118", (3, 8), "`[ru]` is not a citation"),
    one("citation with a page word", action("x: y [ru p. 5]"), "S118", (3, 8), "`[ru 113, 120-124]`"),
    one("else without if", action("x: y", "else z"), "S122", (4, 3), "`else` has no `if`"),
    one("fact without value", game("fact x =\nfact y = 1\n"), "S123", (2, 8), "the value is missing"),
    one("assignment in a requirement", action("require r: x := 1"), "S113", (3, 16), "only a step can"),
    one("two statements on a line", action("x: y := 1 z := 2"), "S124", (3, 13), "complete before `z`"),
    one("arm with a colon", game("define f(r: R) =\n  match r\n    1: 10\n"), "S114", (4, 6), "write `=>`"),
    one("until before its block", action("t: repeat until c", "  x: y"), "S122", (3, 13), "below the block"),
    one("number with a unit", game("fact x = 5cm\n"), "S126", (2, 10), "numbers have no unit"),
    one("curly for round", action("require r: (a} > 1"), "S108", (3, 16), "`}` cannot close `(`"),
    one("colon after a call in if", action("if f(x):", "  z := 1"), "S114", (3, 10), "no colon after `if`"),
    one("unclosed text", 'game g\n  title: en "Foo\n  players: 2\n', "S109", (2, 13), "not closed on its line"),
    # ---- layout
    one("body of if not indented", action("if c", "z := 1", "else z := 2"), "S106", (3, 6), "`if` needs a block"),
    one("nothing after a label", action("x:", "y: z"), "S106", (3, 3), "nothing follows `x:`"),
    one("block below a fact", game("fact x = 1\n  y := 2\n"), "S104", (3, 3), "opens no block"),
    one(
        "where between two generators",
        game("define f = count(a in S where a > 2, b in T)\n"),
        "S101",
        (2, 36),
        "after the last `in`",
    ),
    one("two for in a set", game("define f = set(a for a in S where b for c in T)\n"), "S101", (2, 37), "`where` once"),
    one("many tabs", game("action a\n\tx: y\n\tz: w\nplay\n\ty: z\n"), "S103", (3, 1), "and 2 more lines"),
    one("all indented", "  game g\n  fact x = 1\n", "S116", (1, 3), "begin at column 1"),
    one("blocks too deep", game("action a\n" + DEEP_BLOCKS), "S128", (33, 32), "blocks are nested"),
    one("label with a block and a statement", action("x: if c", "    y", "  z"), "S105", (5, 5), "indented by 4"),
    # ---- brackets, texts, characters
    one("bracket open at the end", action("require r: size(hand(me) > 1"), "S107", (3, 18), "`(` is never closed"),
    one("bracket open at a declaration", game("define x = max(1, 2\ndefine y = 3\n"), "S107", (2, 15), "never closed"),
    one("bracket closed a clause late", action("x: f(1", "y: g)"), "S107", (3, 7), "never closed"),
    one("brackets too deep", game(f"define x = {'(' * 5000}1{')' * 5000}\n"), "S128", (2, 72), "brackets are nested"),
    one("empty brackets", action("x: f()"), "S101", (3, 8), "without brackets"),
    one("bad escape", 'game g\n  title: en "Fo\\no"\n', "S110", (2, 16), "`\\n` is not an escape"),
    one("closed text with bad escape and more", action('x: y ruling "a\\tb" [ru 5]'), "S110", (3, 17), "`\\t`"),
    one("unknown character", action("x: y ^ z"), "S111", (3, 8), "U+005E"),
    one("control character", game("fact x = 1\x07\n"), "S111", (2, 11), "U+0007"),
    one("curly quotes", action("x: “foo”"), "S111", (3, 6), 'plain quote `"`'),
    one("word in another script", game("fact очки = 1\n"), "S111", (2, 6), "`очки` is not part of the language"),
    one("no-break space", game("fact x\u00a0= 1\n"), "S111", (2, 7), "plain space"),
    one("at sign", action("x: y @ z"), "S112", (3, 8), "`@`"),
    one("semicolon", action("x: y := 1;"), "S112", (3, 12), "one statement on each line"),
    one("percent", game("fact x = 5 % 2\n"), "S112", (2, 12), "write `mod`"),
    one("slash", game("fact x = 5 / 2\n"), "S112", (2, 12), "write `div`"),
    one("arrow", game("define f(r: R) =\n  match r\n    1 -> 10\n"), "S112", (4, 7), "write `=>`"),
    one("bang", action("require r: !a"), "S112", (3, 14), "write `not`"),
    one("square index", action("x: row[1] := 2"), "S118", (3, 9), "round brackets"),
    one("a bare carriage return", game("fact x = 1\rfact y = 2\n"), "S111", (2, 11), "U+000D"),
    # ---- arms
    one("arms without a match", game("define f(r: R) =\n  1 => 10\n  otherwise => 3\n"), "S122", (3, 3), "no `match`"),
    one("arms not indented", action("x: match r", "1 => y := 2", "2 => y := 3"), "S106", (3, 12), "needs a block"),
    one("match as the value of a step", action("x: y += match r", "  1 => 2", "  2 => 3"), "S101", (3, 11), "`define`"),
    one("match as the value of a let", action("let y = match r", "  1 => 2", "  2 => 3"), "S101", (3, 11), "`define`"),
    one("match as an operand", game("define f = 1 + match r\n  1 => 2\n"), "S101", (2, 16), "`define`"),
    one("match below a step", action("x: y :=", "  match r", "    1 => 2"), "S123", (3, 8), "`define`"),
    one("match on the line", game("define f = match r\n    1 => 2\n"), "S101", (2, 12), "a line of its own"),
    one("lone otherwise", action("otherwise => x"), "S122", (3, 3), "no `match`"),
    # ---- steps for values
    one("if below a step", action("x: y +=", "  if a", "  then 1", "  else 2"), "S123", (3, 8), "put brackets around"),
    one("if with blocks", game("define f = if a\n  1\nelse\n  2\n"), "S123", (2, 15), "`if c then a else b`"),
    one("if as an operand", action("x: y := 1 + if a then 1 else 2"), "S101", (3, 15), "put brackets around"),
    one("each in a define", game("define f = each x in S\n  y := x\n"), "S101", (2, 12), "`each` begins a step"),
    one("each in a define's block", game("define f =\n  each x in S\n    y := x\n"), "S101", (3, 3), "begins a step"),
    one("choose in a step", action("x: y := choose c in S"), "S101", (3, 11), "a line of its own"),
    one("may in a requirement", action("require r: may", "  x: y"), "S101", (3, 14), "`may` begins a step"),
    one("nothing for none", action("require r: nothing"), "S101", (3, 14), "the empty value is `none`"),
    one("each player in a score", game("score s: each player in seats\n  x: y\n"), "S101", (2, 10), "begins a step"),
    # ---- habits of other languages
    one("elif", action("elif z", "  y := 2"), "S124", (3, 8), "write `else if`"),
    one("all for every", game("define t = all x in S has y\n"), "S124", (2, 16), "write `every x in S"),
    one("is none", game("define t = x is none\n"), "S124", (2, 14), "`is empty`"),
    one("python's conditional", game("define t = x if y else z\n"), "S124", (2, 14), "`if c then a else b`"),
    one("text as a value", game('fact x = "red"\n'), "S101", (2, 10), "a text is not a value"),
    one("record in curly brackets", game("type S = {row: 1..4}\n"), "S101", (2, 10), "round brackets"),
    one("words with commas", game("type F = earth, air\n"), "S101", (2, 15), "have `|` between them"),
    one("given on the line", game("example e\n  given x := 5\n"), "S124", (3, 9), "in the block below `given`"),
    one("move without brackets", game("example e\n  allow a study card: l03\n"), "S124", (3, 17), "in brackets"),
    one("missing comma", game("zone row(Slot): one Place open\n"), "S115", (2, 27), "a comma is missing before `open`"),
    one("list in square brackets", game("define i = [1, 2]\n"), "S118", (2, 12), "is not a citation"),
    one("up without to", action("x: y += 5 up 8"), "S115", (3, 13), "`to` is missing after `up`"),
    one("comma before where", action("choose c in S, where c.x"), "S101", (3, 18), "no comma before `where`"),
    # ---- colons
    one("nameless except", action("x: y", "  except: when b", "  except z: when c"), "S114", (4, 11), "has a name"),
    one("repeat: and until", action("repeat:", "  x: y", "until c"), "S114", (3, 3), "makes `repeat` a label"),
    one("some with a colon", game("define m = some x in S: x > 1\n"), "S114", (2, 23), "write `has`"),
    one("colon after if and a step", action("if c: z := 1"), "S114", (3, 7), "write `if c then step`"),
    one("else with a colon", action("if c", "  z := 1", "else:", "  z := 2"), "S114", (5, 3), "makes `else` a label"),
    one("repeat with a colon", action("t:", "  repeat:", "    x: y"), "S114", (4, 5), "makes `repeat` a label"),
    one("word arm with a colon", game("define f(r: R) =\n  match r\n    red: 10\n"), "S114", (4, 8), "write `=>`"),
    one("arm with data and a colon", action("x: match r", "  gain(x): y := 1"), "S114", (4, 12), "write `=>`"),
    one("declaration word with a colon", game("setup:\n  x: y\n"), "S114", (2, 6), "no colon after `setup`"),
    one("action with a colon", game("action a:\n  x: y\n"), "S114", (2, 9), "no colon"),
    # ---- names and types
    one("keyword as an action", game("action remove\n  x: y\n"), "S102", (2, 8), "`remove` is a word of the language"),
    one("keyword as a let", action("let as = 5"), "S102", (3, 7), "`as` is a word of the language"),
    one("keyword in a value", action("require r: fill > 3"), "S102", (3, 14), "`fill` is a word of the language"),
    one("keyword as a generator", action("choose move in S"), "S102", (3, 10), "`move` is a word of the language"),
    one("keyword twice in a line", game("state if: T = a\ndefine f = if = 3 and if = 2\n"), "S102", (2, 7), "`if`"),
    one("keyword in a bound", game("define f = 1\nstate s: 1..else = f\n"), "S102", (3, 13), "`else` is a word"),
    one("capital name, used too", game("state Two: 0..3 = 0\naction a\n  x: Two := 1\n"), "S126", (2, 7), "`two`"),
    one("keyword as a state", game("state fill: 0..5 = 1\n"), "S102", (2, 7), "`fill` is a word of the language"),
    one("keyword as a parameter", game("action a(to: Region)\n"), "S102", (2, 10), "`to` is a word of the language"),
    one("function word as a state", game("state count(Player): 0..5 = 1\n"), "S102", (2, 7), "`count` is a word"),
    one("words in a record", game("type C = (suit: red | black)\n"), "S125", (2, 17), "`type Suit = red | ...`"),
    one("words in a state", game("state c: red | black = red\n"), "S125", (2, 10), "write `C` here"),
    one("optional range", game("state c: 1..3? = none\n"), "S101", (2, 14), "`type Bid = 0..9`"),
    one("optional range in brackets", game("state c: (1..3)? = none\n"), "S101", (2, 16), "`type Bid = 0..9`"),
    one("list without its type", game("state c: list = {}\n"), "S125", (2, 10), "`list of TYPE`"),
    one("words at column 1", game("suit: red | black\n"), "S116", (2, 1), "`type Suit = ...`"),
    one("words with a sign at column 1", game("suit = red | black\n"), "S116", (2, 1), "`type Suit = ...`"),
    one("words in the header", "game g\n  suit: red | black\n", "S101", (2, 13), "`type Suit = ...`"),
    one("state without its word", game("coins: 0..3 = 0\n"), "S116", (2, 1), "`state coins: ...`"),
    one("fact without its word", game("goal = 3\n"), "S116", (2, 1), "`fact goal = ...`"),
    one("type with a colon", game("type Suit: red | black\n"), "S114", (2, 10), "write `=`"),
    one("half a range", game("state c: n + 1 = 1\n"), "S123", (2, 14), "such as `0..1`"),
    one("lower-case type in a zone", game("zone x: pile of card, hidden\n"), "S125", (2, 17), "write `Card`"),
    one("lower-case declared type", game("type slot = 1..8\n"), "S125", (2, 6), "write `Slot`"),
    one("int for a range", game("define x(a: int) = a\n"), "S125", (2, 13), "`0..10`"),
    one("camel case", game("fact cardName = 5\n"), "S126", (2, 6), "`card_name`"),
    one("capital action", game("action Study\n  x: y\n"), "S126", (2, 8), "`study`"),
    one("ordinal as a name", game("define 1st = 5\n"), "S126", (2, 8), "names begin with a letter"),
    one("state without type", game("state x = 1\n"), "S123", (2, 7), "`x: TYPE`"),
    one("parameter without type", game("define f(x) = x\n"), "S101", (2, 10), "`x: TYPE`"),
    one("requirement without label", action("require a > b"), "S101", (3, 11), "`require` needs a label"),
    # ---- small words, ends of lines
    one("missing to", action("draw 1 from deck hand"), "S115", (3, 20), "`to` is missing before `hand`"),
    one("missing with", action("fill deck set(c for c in S)"), "S115", (3, 13), "`with` is missing before `set`"),
    one("missing for", action("x: y := sum(c.v c in S)"), "S115", (3, 19), "`for` is missing before `c`"),
    one("missing because", game("example e\n  refuse a study\n"), "S123", (3, 12), "`because` must follow"),
    one("missing of", "edition en\n", "S123", (1, 9), "`of` must follow"),
    one("missing default", game('fork f\n  a: "x"\n'), "S123", (3, 6), "has no default reading"),
    one("missing operand", action("require r: a > and b"), "S101", (3, 18), "`and` is not possible here"),
    one("missing value of a step", action("x: y :="), "S123", (3, 8), "a value must follow"),
    one("missing then-step", action("if c then"), "S123", (3, 8), "a statement must follow"),
    one("missing else-value", action("x: y := if a then 1"), "S123", (3, 21), "`else` or an operator must follow"),
    one("else at the end", action("x: y := if a then 1 else", "  2"), "S123", (3, 23), "begin that line with `else`"),
    one("else at the end, then level", action("y := if a then 1 else", "2"), "S123", (3, 20), "begin that line"),
    one("else at the end, column 1", game("define f = if a then 1 else\n2\n"), "S123", (2, 24), "begin that line"),
    one("and at the end", action("require r: a and", "b < 2"), "S123", (3, 16), "begin that line with `and`"),
    one("minus at the end", action("x: y := a -", "  b"), "S123", (3, 13), "put brackets around"),
    one("bar at the end", game("type T = a |\n  b | c\n"), "S123", (2, 12), "begin that line with `|`"),
    one("cycle without its value", game("define f cycle = 1\n"), "S101", (2, 16), "`define f cycle 0 = ...`"),
    one("only lets", action("require r:", "  let x = 1"), "S123", (4, 13), "the block ends too early"),
    one("fact without a sign", game("fact x\n"), "S123", (2, 6), "`=` must follow"),
    one("game without a name", "game\n", "S123", (1, 1), "a name must follow"),
    one("arm without value", game("define f(r: R) =\n  match r\n    1 =>\n"), "S123", (4, 7), "the value is missing"),
    one("chained comparison", action("require r: 1 < x < 3"), "S101", (3, 20), "do not chain"),
    one("quantifier before an operator", action("require r: some x in S has y or no z in S"), "S123", (3, 43), "`has`"),
    one("two calls on a line", action("x: study scout"), "S124", (3, 12), "complete before `scout`"),
    one("for loop", action("for x in S", "  y := 1"), "S124", (3, 3), "write `each x in S`"),
    one("else on the line", action("if c then x else y"), "S124", (3, 15), "level with its `if`"),
    # ---- declarations and headers
    one("misspelt declaration", game("acton a\n  x: y\n"), "S116", (2, 1), "did you mean `action`?"),
    one("prose", game(PROSE + "fact x = 1\n"), "S116", (2, 1), "no declaration begins"),
    one("step at column 1", game("require x: y\n"), "S116", (2, 1), "indent the line"),
    one("labels at column 1", game("title: 5\nplayers: 2\n"), "S116", (2, 1), "indent the line"),
    one("declaration in a block", action("fact x = 1"), "S116", (3, 3), "declarations begin at column 1"),
    one("empty", "", "S120", (1, 1), "no header"),
    one("only a comment", "# nothing\n", "S120", (1, 1), "no header"),
    one("no header", "fact x = 5\n", "S120", (1, 1), "`game NAME`"),
    one("second header", game("game k\n"), "S121", (2, 1), "only one header"),
    one("late header", "fact x = 1\ngame g\n", "S121", (2, 1), "above all declarations"),
    # ---- the header
    one("entry with a comma too many", "edition en of g\n  lines: 1..4,\n    6\n", "S115", (2, 14), "in a block below"),
    one("row with a comma too many", "edition en of g\n  lines:\n    1..4,\n    6\n", "S115", (3, 9), "without one"),
    one("entry without its values", "edition en of g\n  lines:\nfact x = 1\n", "S106", (2, 3), "write its values"),
    one("citation in a block of values", "edition en of g\n  lines:\n    6 [en 5]\n", "S117", (3, 7), "to no clause"),
    # ---- terms
    one("terms without a block", game("terms\nfact x = 1\n"), "S106", (2, 1), "needs a block"),
    one("terms with a colon", game('terms:\n  x: en "y"\n'), "S114", (2, 6), "no colon after `terms`"),
    one("word without language", game('terms\n  drop: "drop"\n'), "S101", (3, 9), 'its tag before it: `en "drop"`'),
    one("dotted language", game('terms\n  drop: ru.aid "x"\n'), "S101", (3, 11), "tag is one word"),
    one("language with a dash", game('terms\n  drop: pt-br "x"\n'), "S101", (3, 11), "`pt_br`"),
    one("language without its word", game("terms\n  drop: en drop\n"), "S101", (3, 12), "a text"),
    one("term without a colon", game('terms\n  drop en "x"\n'), "S101", (3, 8), "a colon is missing before"),
    one("term with brackets", game('terms\n  drop(column): en "x"\n'), "S101", (3, 8), "a name, a colon and its words"),
    one("term without a comma", game('terms\n  drop: en "x" ru "y"\n'), "S115", (3, 16), "a comma is missing"),
    one("term with a comma too many", game('terms\n  drop: en "x",\n    ru "y"\n'), "S115", (3, 15), "a block below"),
    one("citation on a word", game('terms\n  drop:\n    en "x" [en 5]\n'), "S117", (4, 12), "belongs to no clause"),
    one("citation on a block of terms", game('terms [en 5]\n  drop: en "x"\n'), "S117", (2, 7), "to no clause"),
    one("criterion without label", game("winner\n  highest x\n"), "S101", (3, 3), "a label is missing before"),
    one("misspelt check", game("example e\n  alow a study\n"), "S101", (3, 3), "did you mean `allow`?"),
    one("until without repeat", action("x: y", "until c"), "S122", (4, 3), "`until` has no `repeat`"),
    one("lone except", action("except x: y when c"), "S122", (3, 3), "`except` has no requirement"),
    # ---- authority
    one("citation on a line without label", action("z := 1 [ru 5]"), "S117", (3, 10), "belongs to no clause"),
    one("citation on a let", action("let z = 1 [ru 5]"), "S117", (3, 13), "belongs to no clause"),
    one("citation on a header entry", "game g\n  players: 2 [ru 5]\n", "S117", (2, 14), "belongs to no clause"),
    one("citation before the end", action("x: y := a [ru 5]", "  and b"), "S117", (3, 13), "move it to after `b`"),
    one("reason before the end", action('x: y := a ruling "so"', "  and b"), "S117", (3, 20), "move it to after `b`"),
    one("backward lines", action("x: y [ru 9-7]"), "S118", (3, 12), "end before they begin"),
    one("line 0", action("x: y [ru 5, 0]"), "S118", (3, 15), "lines count from 1"),
    one("open span of lines", action("x: y [ru 5, 3-]"), "S118", (3, 15), "neither a line"),
    one("lines with a hole", action("x: y [ru 5,, 7]"), "S118", (3, 14), "a line number is missing"),
    one("unclosed citation", action("x: y [ru 5"), "S118", (3, 8), "not closed with `]`"),
    one("reason without its word", action('x: y "because I say so"'), "S118", (3, 8), '`ruling "..."`'),
    one("citation in a comment", action("x: y # see [ru 5]"), "S119", (3, 14), "cites nothing"),
    # ---- numbers and depth
    one("huge number", game(f"fact x = {'9' * 5000}\n"), "S127", (2, 10), "999999999"),
    one("huge cited line", action(f"x: y [ru {'9' * 5000}]"), "S118", (3, 12), "neither a line"),
    one("chain too long", game(f"fact x = 1{' + 1' * 5000}\n"), "S128", (2, 10), "nested too deeply"),
    one("nots too deep", game(f"define x = {'not ' * 5000}true\n"), "S128", (2, 600), "nested too deeply"),
)  # fmt: skip

SEVERAL: tuple[Sample, ...] = (
    Sample(
        "tabs and spaces mixed: only the tabs are to blame",
        game("action a\n  if c\n\t\tx\n  else\n\ty\nfact x = y z\n"),
        (Expected("S103", 4, 1, "and 1 more line"), Expected("S124", 7, 12, "")),
    ),
    Sample(
        "an arm indented too deep makes no other arm wrong",
        game("define f(r: R) =\n  match r\n      1 => 2\n    2 =>\n      let x = 1\n      x\n    3 => 4\n")
        + "fact x = y z\n",
        (Expected("S105", 5, 5, ""), Expected("S124", 9, 12, "")),
    ),
    Sample(
        "one in each declaration",
        game("fact x = )\nzone y: pile of card\naction a\n  x = 1\nfact z = 1\n"),
        (Expected("S108", 2, 10, ""), Expected("S125", 3, 17, ""), Expected("S113", 5, 5, "")),
    ),
    Sample(
        "three in one action",
        action("choose card market", "require r: a == b", "pay: x = 1", "good: y := 2"),
        (Expected("S115", 3, 15, ""), Expected("S112", 4, 16, ""), Expected("S113", 5, 10, "")),
    ),
    Sample(
        "a broken header of an action, and a fault in its block",
        game("action a(x Slot)\n  good: y := 2\n  bad: y = 2\n"),
        (Expected("S101", 2, 10, "`x: TYPE`"), Expected("S113", 4, 10, "")),
    ),
    Sample(
        "a broken if with faults in both branches",
        action("x:", "  if a b", "    y = 1", "  else", "    z = 2"),
        (Expected("S115", 4, 10, ""), Expected("S113", 5, 9, ""), Expected("S113", 7, 9, "")),
    ),
    Sample(
        "a broken match with a fault in an arm",
        action("x: match a b", "  1 => y = 1", "  2 => y := 2"),
        (Expected("S124", 3, 14, ""), Expected("S113", 4, 12, "")),
    ),
    Sample(
        "faults in a broken repeat and its until",
        action("t: repeat x y", "  y = 1", "until )"),
        (Expected("S115", 3, 15, ""), Expected("S113", 4, 7, ""), Expected("S108", 5, 9, "")),
    ),
    Sample(
        "the only line of a block is faulty: the block's owner is not blamed",
        action("x:", "  y = 1", "z: w"),
        (Expected("S113", 4, 7, ""),),
    ),
    Sample(
        "the value of a block is faulty: its lets and exceptions are not blamed",
        game("define f =\n  let a = 1\n  a := 2\n  except x: 3 when c\n"),
        (Expected("S113", 4, 5, ""),),
    ),
    Sample(
        "a faulty if takes its else along",
        action("if a b then x", "else y", "z: w"),
        (Expected("S115", 3, 8, ""),),
    ),
    Sample(
        "a faulty else-if keeps the else below it",
        action("if a", "  x", "else if )", "  y = 1", "else", "  z = 1", "q: w"),
        (Expected("S108", 5, 11, ""), Expected("S113", 6, 7, ""), Expected("S113", 8, 7, "")),
    ),
    Sample(
        "a chain too long to be read, and the lines below it",
        action("if a", "  x", *["else if b", "  x"] * 300, "y: z = 1"),
        (Expected("S128", 150, 5, ""), Expected("S113", 605, 8, "")),
    ),
    Sample(
        "a faulty repeat takes its until along",
        action("t: repeat )", "  x: y", "until c", "z: w"),
        (Expected("S108", 3, 13, ""),),
    ),
    Sample(
        "a faulty default takes nothing else along",
        game('fork f\n  a: "x"\n  default "why"\nfact x = y z\n'),
        (Expected("S101", 4, 11, ""), Expected("S124", 5, 12, "")),
    ),
    Sample(
        "two misspelt declarations",
        game("facct a = 1\nzoen b: pile of T\n"),
        (Expected("S116", 2, 1, "`fact`"), Expected("S116", 3, 1, "`zone`")),
    ),
    Sample(
        "two brackets in two declarations",
        game("fact a = (1\nfact b = {2\nfact c = 3\n"),
        (Expected("S107", 2, 10, ""), Expected("S107", 3, 10, "")),
    ),
    Sample(
        "two faults between words on one line, both with plain meaning",
        action("require r: a && b == c"),
        (Expected("S112", 3, 16, ""), Expected("S112", 3, 21, "")),
    ),
    Sample(
        "a citation that cannot be read hides nothing else",
        action("x: y = 1 [ru p. 5]"),
        (Expected("S113", 3, 8, ""), Expected("S118", 3, 12, "")),
    ),
    Sample(
        "two checks",
        game("example e\n  with a, b\n  alow a study\n  expect x = 1\n  refuse a study\n"),
        (Expected("S101", 4, 3, ""), Expected("S123", 6, 12, "")),
    ),
    Sample(
        "a component's columns",
        game('component Card from "c.yaml"\n  cost: number\n  name Name\n  kind: Kind\n'),
        (Expected("S125", 3, 9, ""), Expected("S101", 4, 3, "")),
    ),
    Sample(
        "a faulty header of the file, and its entries",
        'game Boreal\n  title: en "x\n  players: 2\nfact x = = 1\n',
        (Expected("S126", 1, 6, "`boreal`"), Expected("S109", 2, 13, ""), Expected("S101", 4, 10, "")),
    ),
)  # fmt: skip
