"""Whole small games with every kind of statement, as texts, for tests that hold the tiers to the reference.

A `Writer` writes one game. It takes each decision from a function, so that Hypothesis can shrink a game, and a random
generator can write many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
Form = Callable[[], str]

VOCABULARY = """
type Card = {least}..3
type Suit = red | green | blue
type Pos = (a: 0..2, b: 0..2) where a + b < 4
type Deal = keep | gain(x: 1..3) | both(x: 0..2, of: Suit)

zone deck: {deck}
zone pit: bag of Card, {hidden}
zone hand(Player): bag of Card, {private}
zone row(Player): pile of Card, {private}
zone slot(Player): one Card, {private}
zone table: bag of Card, open

state coins(Player): 0..9 = 2
state sec(Player): 0..3 = 1, {private}
state opt(Player): Card? = none, {private}
state pos(Player): Pos? = none, {private}
state suit(Player): Suit = red, {secret}
state marks: set of Card = {{1, 2}}
state deal: Deal = keep
state flag: Bool = false
state round: 0..9 = 0

setup
  deck:
    fill deck with bag(c for c in Card) + bag(c for c in Card) + {{3, 3, 0, 1}}
    {shuffle}
  table: put {{0, 2}} in table
  hands: each player in seats
    put {{{hand}}} in my hand
    put {{{row}}} in my row
  slot: put 2 in slot(seat(1))
  pit: put 1 in pit
  drawn: each player in seats
    draw 1 from deck to my hand
"""

FLOW = """
play
  rounds: repeat
    turns: each player in seats
{turns}
{others}
    round += 1
  until round >= 3

score coins: my coins
score others: {score}

winner
  most: highest total(me)
  fewest: lowest {criterion}
"""


@dataclass(frozen=True)
class Reach:
    """The names that an expression may use.

    numbers, parts: the names of numbers and of collections of numbers. me: how the player is called. can: the actions
    of which it may ask whether they can be done.
    """

    numbers: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    me: str = "me"
    can: tuple[str, ...] = ()

    def __add__(self, name: str) -> Reach:
        return replace(self, numbers=(*self.numbers, name))


class Writer:
    """Writes the text of one game.

    draw: chooses one of several items. private: whether there are private and hidden places, so that a player without a
    legal move may have to be asked.
    """

    def __init__(self, draw: Callable[[Sequence[Any]], Any], private: bool) -> None:
        self._draw, self._private = draw, private
        self._fresh, self._faults, self._defines, self._has_helper = 0, draw((False, True)), False, False

    def _one(self, *forms: Form | str) -> str:
        form = self._draw(forms)
        return form if isinstance(form, str) else form()

    def _name(self, letter: str) -> str:
        self._fresh += 1
        return f"{letter}{self._fresh}"

    # ---- expressions

    def number(self, depth: int, reach: Reach) -> str:
        me, one = reach.me, partial(self.number, depth - 1, reach)
        sizes = f"size(hand({me}))", "size(deck)", "size(pit)"
        leaves = *"0123", f"coins({me})", f"sec({me})", "round", *sizes
        if depth <= 0:
            return self._one(*leaves, *reach.numbers * 4, *(f"size({part})" for part in reach.parts * 2))
        name, some = self._name("n"), partial(self.cards, depth - 1, reach)
        truth = partial(self.truth, depth - 1, reach)
        inner, test = partial(self.number, depth - 1, reach + name), partial(self.truth, depth - 1, reach + name)
        forms: list[Form | str] = [
            one,
            lambda: f"({one()} {self._one('+', '-', '*')} {one()})",
            lambda: f"({one()} {self._one('div', 'mod')} {self._one('2', '3')})",
            lambda: f"(if {truth()} then {one()} else {one()})",
            lambda: f"{self._one('max', 'min')}({one()}, {one()})",
            lambda: f"count({name} in {some()} where {test()})",
            lambda: f"sum({inner()} for {name} in {some()})",
            lambda: f"sum({inner()} for {name} in {some()} where {test()})",
            lambda: f"{self._one('max', 'min')}({inner()} for {name} in {some()} else {one()})",
            lambda: f"the({name} in {some()} where {test()} else {one()})",
            lambda: f"first({name} in {self.list_(depth - 1, reach)} where {test()} else {one()})",
            lambda: f"size({some()})",
            lambda: f"abs({one()})",
            lambda: f"index(suit({me}))",
            lambda: f"(if opt({me}) is not empty then opt({me}) else {one()})",
            lambda: f"(if slot({me}) is not empty then slot({me}) else {one()})",
            lambda: f"(if top(row({me})) is not empty then top(row({me})) else {one()})",
            lambda: f"(if pos({me}) is not empty then pos({me}).a + pos({me}).b else {one()})",
            lambda: f"place_in(list({name} for {name} in {{0, 1, 2, 3}}), {self.small(depth - 1, reach)})",
            lambda: f"coins({self.player(me)})",
            lambda: f"number({self.player(me)})",
            lambda: f"sum(2 * {name} + 1 for {name} in {self._one(*reach.parts, f'hand({me})')})",
        ]
        if self._defines:
            forms += [
                lambda: f"worth({self.player(me)})",
                lambda: f"again({self.player(me)}, {self.small(depth - 1, reach)})",
            ]
            forms += [lambda: f"valued({self.small(depth - 1, reach)})"]
        if self._faults:
            forms += [
                lambda: f"({one()} {self._one('div', 'mod')} {one()})",
                self._divided(reach),
                lambda: f"the({name} in {some()} where {test()})",
                lambda: f"first({name} in {self.list_(depth - 1, reach)})",
                lambda: f"place_in(list({name} for {name} in {some()}), {one()})",
                lambda: f"max({inner()} for {name} in {{{one()}, {one()}}})",
            ]
        return self._one(*forms)

    def _divided(self, reach: Reach) -> str:
        """Return a number that has no value for one of the values of a name."""
        name = self._one("round", *reach.numbers, *(f"size({part})" for part in reach.parts))
        return f"(6 div ({name} - {self._one('1', '2', '3')}))"

    def truth(self, depth: int, reach: Reach) -> str:
        me, one, truth = reach.me, partial(self.number, depth - 1, reach), partial(self.truth, depth - 1, reach)
        compare = partial(self._one, "=", "!=", "<", "<=", ">", ">=")
        if depth <= 0:
            return self._one(
                lambda: f"{one()} {compare()} {one()}",
                lambda: f"{one()} {compare()} {one()}",
                "flag",
                lambda: f"{one()} in marks",
                lambda: f"{one()} in hand({me})",
                lambda: f"{self._one('hand', 'row', 'slot', 'opt', 'pos')}({me}) is {self._one('', 'not ')}empty",
            )
        name, other = self._name("n"), self._name("n")
        some, test = partial(self.cards, depth - 1, reach), partial(self.truth, depth - 1, reach + name)
        kind = partial(self._one, "some", "every", "no")
        forms: list[Form | str] = [
            lambda: f"({one()} {compare()} {one()})",
            lambda: f"({one()} {compare()} {one()})",
            lambda: f"({truth()} {self._one('and', 'or', 'implies')} {truth()})",
            lambda: f"({truth()} {self._one('and', 'or', 'implies')} {truth()})",
            lambda: f"not ({truth()})",
            lambda: f"({kind()} {name} in {some()} has {test()})",
            lambda: f"({kind()} {name} in {some()} where {test()} has {test()})",
            lambda: f"({kind()} {name} in {some()}, {other} in {some()} where {name} != {other} has {test()})",
            lambda: f"({one()} {self._one('in', 'not in')} {some()})",
            lambda: f"({self.same(some())} {self._one('=', '!=')} {self.same(some())})",
            lambda: f"({some()} is {self._one('', 'not ')}empty)",
            lambda: f"(opt({me}) {self._one('=', '!=')} slot({me}))",
            lambda: f"(top(row({me})) = slot({self.player(me)}))",
            lambda: f"(suit({me}) = {self._one('red', 'green', 'blue')})",
            lambda: f"(deal {self._one('=', '!=')} {self.dealt(depth - 1, reach)})",
            lambda: f"(pos({me}) = Pos({self._one('0', '1', '2')}, 1))",
            lambda: f"(if {truth()} then {truth()} else {truth()})",
        ]
        if reach.parts:
            forms += [partial(self._of_part, reach)] * 3
        if self._defines:
            forms += [lambda: f"heavy({self.player(me)})"] * 2
        if reach.can and me == "me":
            forms += [lambda: f"(can {self.called(self._draw(reach.can), depth - 1, replace(reach, can=()))})"] * 3
        return self._one(*forms)

    def _of_part(self, reach: Reach) -> str:
        """Return a test of which pieces a part holds, which tells pieces apart that not all see."""
        me, part, name = reach.me, self._one(*reach.parts), self._name("n")
        piece = self._one(f"top(row({me}))", f"top(row({me}))", f"slot({me})", "1", *reach.numbers * 2)
        others = self._one(f"hand({me})", f"row({me})", "table", *reach.parts * 2)
        return self._one(
            f"({piece} {self._one('in', 'not in')} {part})",
            f"({piece} not in {part})",
            f"({self._one('some', 'every', 'no')} {name} in {part} has {name} {self._one('in', 'not in')} {others})",
            f"(no {name} in {part} has {name} in {others})",
            f"(size({part}) {self._one('=', '>')} {self._one('1', '2', '3')})",
            f"({self.same(part)} {self._one('=', '!=')} {self.same(others)})",
        )

    def cards(self, depth: int, reach: Reach) -> str:
        """Return a collection of numbers."""
        me, name, one = reach.me, self._name("n"), partial(self.number, depth - 1, reach)
        leaves = (f"hand({me})", f"row({me})", "table", "marks", "Card", *reach.parts * 3)
        if depth <= 0:
            return self._one(*leaves)
        some, inner = partial(self.cards, depth - 1, reach), partial(self.number, depth - 1, reach + name)
        return self._one(
            *leaves,
            lambda: f"({one()}..{one()})",
            lambda: "{" + f"{one()}, {one()}" + "}",
            lambda: f"({self._one(f'hand({me})', 'table')} {self._one('+', '-')} {self._among_cards(some())})",
            lambda: f"(marks {self._one('+', '-')} {{{one()}}})",
            lambda: f"set({inner()} for {name} in {some()})",
            lambda: f"bag({inner()} for {name} in {some()})",
            lambda: f"hand({self.player(me)})",
        )

    def same(self, cards: str) -> str:
        """Return a collection as one of a type that can be compared."""
        name = self._name("n")
        return f"bag({name} for {name} in {cards})"

    def _among_cards(self, cards: str) -> str:
        name = self._name("n")
        return f"bag({name} for {name} in {cards} where {name} in Card)"

    def list_(self, depth: int, reach: Reach) -> str:
        name = self._name("n")
        return self._one(f"row({reach.me})", lambda: f"list({name} for {name} in {self.cards(depth, reach)})")

    def small(self, depth: int, reach: Reach) -> str:
        return self._one("0", "1", "2", "3", lambda: f"min(3, max(0, {self.number(depth, reach)}))")

    def dealt(self, depth: int, reach: Reach) -> str:
        gained = f"min(3, max(1, {self.number(depth, reach)}))"
        return self._one("keep", f"gain({gained})", lambda: f"both({gained} - 1, {self._one('red', 'blue')})")

    def player(self, me: str) -> str:
        return self._one(me, f"opponent({me})", f"next({me})", "seat(1)")

    def called(self, action: str, depth: int, reach: Reach) -> str:
        return f"{action}({self.small(depth, reach)})" if action in PARAMETERS else action

    # ---- statements

    def block(self, depth: int, reach: Reach, indent: int, events: bool) -> list[str]:
        """Return some statements. events: whether the last one may be a decision or random."""
        lines: list[str] = []
        for at in range(self._draw((1, 2, 3))):
            name = self._name("l")
            if at and self._draw((False, False, True)):
                lines.append(f"let {name} = {self.number(depth - 1, reach)}")
                reach += name
            else:
                lines += self.statement(depth, reach, f"{name}: ")
        if events and self._draw((True, False)):
            lines += self.event(depth, reach, f"{self._name('l')}: ")
        return [" " * indent + line for line in lines]

    def statement(self, depth: int, reach: Reach, label: str, free: bool = False) -> list[str]:
        """Return the lines of a statement without an event. free: it requires nothing."""
        number, small, truth = (partial(each, depth - 1, reach) for each in (self.number, self.small, self.truth))
        taken = self._one(*reach.numbers, lambda: self.small(0, reach))
        forms: list[Callable[[], list[str]]] = [
            lambda: [f"coins(me) := min(9, max(0, {number()}))"],
            lambda: [f"coins({self.player('me')}) {self._one('+= 1 up to 9', '-= 1 down to 0', '+= 2 up to 9')}"],
            lambda: [f"sec(me) := {small()}"],
            lambda: [f"opt(me) := if {truth()} then none else {small()}"],
            lambda: [f"pos(me) := Pos({self._one('0', '1')}, {small()} mod 3)"],
            lambda: [f"suit(me) := if {truth()} then {self._one('green', 'blue')} else red"],
            lambda: [f"deal := {self.dealt(depth - 1, reach)}"],
            lambda: [f"flag := {truth()}"],
            lambda: [f"marks {self._one('+=', '-=')} {{{small()}}}"],
            lambda: [f"if {taken} in my hand then move {taken} from my hand to {self._one('table', 'my row', 'pit')}"],
            lambda: [f"if {taken} in table then move {taken} from table to {self._one('my hand', 'my row')}"],
            lambda: [f"if my slot is not empty then move my slot to {self._one('my hand', 'my row', 'table', 'pit')}"],
            lambda: [f"move all from {self._one('my row', 'table')} to {self._one('my hand', 'pit')}"],
            lambda: ["if top(my row) is not empty and my slot is empty then move top(my row) from my row to my slot"],
            lambda: [f"each {self._name('p')} in seats where coins(me) > 1", "  flag := not flag"],
            lambda: self._each(depth, reach, free),
            lambda: self._match(depth, reach),
        ]
        if not free:
            forms += [lambda: [f"require {self._name('r')}: {truth()}"]] * 3
            forms += [lambda: [f"helper({small()})"]] * self._has_helper
        if depth > 1:
            branches = partial(self._inside, depth - 1, reach, free)
            forms.append(lambda: [f"if {truth()}", *branches(), "else", *branches()])
            forms.append(lambda: [f"repeat {self._one('2', small)} times", *branches()])
        if self._faults:
            forms += [lambda: [f"coins(me) := {number()}"], lambda: [f"coins(me) -= {small()}"]]
            forms += [lambda: [f"move {taken} from {self._one('my hand', 'table')} to {self._one('my row', 'pit')}"]]
        lines = self._draw(forms)()
        return lines if lines[0].startswith("require") else _labelled(label, lines)

    def _each(self, depth: int, reach: Reach, free: bool) -> list[str]:
        name = self._name("e")
        head = f"each {name} in {self.cards(depth - 1, reach)} where {self.truth(depth - 1, reach + name)}"
        return [head, *_indented(self.statement(depth - 1, reach + name, "", free))]

    def _match(self, depth: int, reach: Reach) -> list[str]:
        name = self._name("m")
        gains, both = self.small(depth - 1, reach + name), self.truth(depth - 1, reach + name)
        return [
            "match deal",
            f"  gain({name}) => sec(me) := {gains}",
            f"  both({name}, red) => flag := {both}",
            "  otherwise => nothing",
        ]

    def event(self, depth: int, reach: Reach, label: str) -> list[str]:
        """Return the lines of a statement with an event, after which nothing is required."""
        name, truth = self._name("k"), partial(self.truth, depth - 1)
        named, inside = reach + name, partial(self._inside, depth - 1, free=True)
        domain = self._one("0..2", "Card", lambda: self.cards(0, reach))
        forms: list[Callable[[], list[str]]] = [
            lambda: [f"  choose {name} in {domain} where {truth(named)}", *inside(named)],
            lambda: [f"  random {name} in {self._one('0..2', 'Card', '{1, 3}')}", *inside(named)],
            lambda: [f"  random {name} in 0..3 where {name} = 1 or {name} > coins(me)", *inside(named)],
            lambda: [f"  draw {self._one('1', '2')} from deck to {self._one('my hand', 'my row', 'table')}"],
            lambda: ["  if my slot is empty then draw 1 from deck to my slot"],
            lambda: self._branches(truth(reach), inside(reach)),
            lambda: ["  may", *_indented([f"  choose {name} in 0..2 where {truth(named)}", *inside(named)])],
        ]
        return [label.rstrip(), *self._draw(forms)()]

    def _branches(self, required: str, then: Sequence[str]) -> list[str]:
        lines = ["choose", f"  {self._name('b')}:", f"    require {self._name('r')}: {required}", *_indented(then)]
        return _indented([*lines, f"  {self._name('b')}: coins(me) += 1 up to 9"])

    def _inside(self, depth: int, reach: Reach, free: bool) -> list[str]:
        return _indented(self.statement(depth, reach, "", free))

    def _free(self, depth: int, reach: Reach) -> list[str]:
        return self.statement(depth, reach, "", free=True)

    # ---- actions

    def action(self, name: str, reach: Reach, choices: Sequence[str], events: bool) -> list[str]:
        """Return an action. choices: what it chooses, of which the first is named x."""
        lines = [f"action {name}" + (f"({PARAMETERS[name]}: 0..3)" if name in PARAMETERS else "")]
        reach = replace(reach, numbers=(*reach.numbers, PARAMETERS[name])) if name in PARAMETERS else reach
        if choices:
            lines.append(f"  choose {', '.join(choices)}")
            for choice in choices:
                bound = choice.split()[0]
                reach = replace(reach, parts=(*reach.parts, bound)) if "within" in choice else reach + bound
        for _ in range(self._draw((0, 0, 1, 1, 2))):
            lines.append(f"  require {self._name('r')}: {self.truth(self._draw((1, 2, 3)), reach)}")
            if self._draw((False, False, False, True)):
                lines.append(f"    except {self._name('x')}: when {self.truth(1, reach)}")
        if self._faults and self._draw((False, True)):
            lines.append(
                f"  require {self._name('r')}: {self._divided(reach)} {self._one('>', '<', '!=')} {self._one('1', '2')}"
            )
        body = replace(reach, can=reach.can if self._draw((False, True)) else ())
        return [*lines, *self.block(2, body, 2, events), ""]

    def choices(self) -> list[str]:
        """Return the choices of an action."""
        chosen = [] if self._draw((False, False, True)) else [f"x in {self._domain(())}"]
        if chosen and self._draw((False, True)):
            chosen.append(f"y in {self._one('0..x', lambda: self._domain(('x',)))}")
        wholes = "my hand", "table", "my hand + table", "marks", "my row", "list(sec(p) + 1 for p in Player)"
        if not chosen or self._draw((False, False, True)):
            chosen.append(f"part within {self._one(*wholes)}")
            if self._draw((False, False, True)):
                chosen.append(self._one(f"rest within {self._one('part', *wholes)}", "taken in part"))
        return chosen

    def _domain(self, numbers: tuple[str, ...]) -> str:
        fixed = ("Card", "0..2", "my hand", "my row", "table", "marks")
        return self._one(*fixed, lambda: self.cards(1, Reach(numbers)))

    # ---- the game

    def text(self) -> str:
        """Return the text of the game, without a header."""
        p, visible = Reach(me="p"), ("private", "hidden") if self._private else ("open", "open")
        least = self._draw((0, 0, -2))
        words = {
            "private": self._draw((visible[0], "open")),
            "secret": self._draw(visible),
            "hidden": self._draw((visible[1], "open")),
            # Pieces are drawn at random from an open bag, so that the game needs no hidden zone.
            "deck": "pile of Card, hidden" if self._private else "bag of Card, open",
            "shuffle": "shuffle deck" if self._private else "nothing",
            "least": least,
            "hand": self._draw((f"{least}, 3", "1, 2, 3", "2")),
            "row": self._draw(("1, 2", f"{least}, 3")),
        }
        defines = self._written_defines(p)
        self._defines = True
        actions: list[str] = [*self.action("helper", Reach(), (), events=False)]
        self._has_helper = True
        can = self._draw(((), ("show",), ("show", "peek", "multi", "helper")))
        reach = Reach(can=can)
        actions += self.action("show", reach, self.choices(), events=True)
        actions += self.action("peek", reach, (), events=self._draw((False, True)))
        actions += self.action("multi", reach, self.choices(), events=self._draw((False, True)))
        actions += ["action rest", *self._rest(), ""]
        actions += [
            "window pause",
            "",
            "action wake during pause",
            f"  require {self._name('r')}: {self.truth(1, Reach())}",
            *_indented(self._free(1, Reach())),
            "",
        ]
        flow = FLOW.format(
            turns="\n".join(_indented(self.turns(), 6)),
            others="\n".join(_indented(self.others(), 4)),
            score=self.number(2, Reach()),
            criterion=self.number(2, Reach()),
        )
        return "\n".join([VOCABULARY.format(**words), *defines, "", *actions, flow])

    def _written_defines(self, p: Reach) -> list[str]:
        numbered = replace(p, numbers=("n",))
        lets = [f"  let a = {self.number(1, p)}"] if self._draw((False, True)) else []
        valued = Reach(("n",), me="seat(2)")
        return [
            f"define heavy(p: Player) = {self.truth(2, p)}",
            "define worth(p: Player): -99..99 =",
            *lets,
            f"  min(99, max(-99, {self.number(2, p + 'a' if lets else p)}))",
            *([f"  except richer: {self.number(0, p)} when {self.truth(1, p)}"] * self._draw((0, 1))),
            f"define again(p: Player, n: 0..3): 0..9 cycle {self._draw((0, 7))} =",
            f"  if {self.truth(1, numbered)} then again(p, (n + 1) mod 4)",
            f"  else min(9, max(0, {self.number(1, numbered)}))",
            "define valued(n: 0..3): -9..30 =",
            "  match n",
            f"    0 => {self._draw((4, -2))}",
            f"    1, 2 => min(30, max(-9, {self.number(1, valued)}))",
            f"    otherwise => {self._one('n', '6 div n', '6 div (n - 3)' if self._faults else 'n')}",
        ]

    def _rest(self) -> list[str]:
        if self._draw((False, True)):
            return [
                "  choose k in 0..1",
                f"  require any: {self._one('k = round mod 2', 'k <= coins(me)')}",
                "  done: sec(me) := k",
            ]
        return ["  done: sec(me) := 2"]

    def turns(self) -> list[str]:
        """Return what each player does in a round."""
        return [*(self._unworthy_part() if self._private else ()), *self._turn()]

    def _turn(self) -> list[str]:
        offers = ["show", "multi", "peek", "rest", f"helper({self._draw((0, 1, 2))})"]
        one, two = self._draw(offers[:2]), self._draw(offers[2:])
        match self._draw(("may", "choose", "choose", "many", "repeat", "window", "asked", "let")):
            case "may":
                return [f"may {one}", f"may {two}"]
            case "many":
                return ["choose helper(0) or helper(2) or show or rest"]
            case "repeat":
                return ["repeat 2 times", f"  may {one}"]
            case "window":
                return [f"choose {one} or {two}", "window pause"]
            case "asked":
                return [f"if can {self._draw(offers[:3])} then {one}", f"may {two}"]
            case "let":
                let = f"let q = {self.number(2, Reach())}"
                return [let, "may", "  choose k in 0..2 where k = q", "  flag := true", f"choose {one} or rest"]
        return [f"choose {two} or {one}"]

    def _unworthy_part(self) -> list[str]:
        """Return a decision in which no part is worth enough; who does not see the pieces has other tests to go by."""
        wholes = "my hand", "my row", "my row", "my hand + table", "list(sec(p) + 1 for p in Player)"
        domain, part, second = self._one(*wholes), self._name("k"), self._name("k")
        also = self._draw(("", "within", "in"))
        reach, chosen = Reach(parts=(part,)), f"{part} within {domain}"
        tests = [f"sum(n for n in {part}) > 20"]
        if also:
            chosen += f", {second} {also} {self._one(domain, domain, *wholes, part)}"
            reach = reach + second if also == "in" else replace(reach, parts=(part, second))
        if also == "within":
            tests.append(f"sum(n for n in {second}) > 20")
        tests += [self._of_part(reach) for _ in range(self._draw((1, 1, 2)))]
        return ["may", f"  choose {chosen} where {' and '.join(tests)}", "  flag := not flag"]

    def others(self) -> list[str]:
        """Return what happens at the end of a round."""
        name = self._name("k")
        reach = Reach((name,))
        domain = self._one("0..2", "my hand", "marks")
        forms: list[Callable[[], list[str]]] = [
            lambda: [
                "together: all players",
                f"  choose {name} in {domain} where {self.truth(2, reach)}",
                *self._inside(2, reach, free=True),
                *self._inside(1, reach, free=True),
            ],
            lambda: ["thrown:", f"  random {name} in 0..3", f"  coins(seat(1)) := {name}"],
            lambda: ["mixed:", "  move all from table to pit", "  draw 2 from pit to table"],
            lambda: ["over: if flag and round = 1 then end game"],
            lambda: ["still: nothing"],
        ]
        lines: list[str] = self._draw(forms)()
        return lines


PARAMETERS = {"helper": "n"}


def _indented(lines: Sequence[str], by: int = 2) -> list[str]:
    return [" " * by + line for line in lines]


def _labelled(label: str, lines: Sequence[str]) -> list[str]:
    return [label + lines[0], *lines[1:]]


@st.composite
def whole_games(draw: st.DrawFn, private: bool) -> str:
    """Return the text of a game. See `Writer`."""
    return Writer(lambda options: draw(st.sampled_from(options)), private).text()
