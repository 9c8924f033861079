"""Good samples: every construct of the language at least once. A test compares them with the grammar's rules."""

from __future__ import annotations

NOUNS = """\
game harbour
  title: en "Harbour \\"night\\" edition", ru "Гавань"
  players: 2..4
  document: en "harbour.txt", en.aid "C:\\\\aid.txt"
  note: "trial"
  tables: 7
  lends: en.aid, en

type Colour = red | green | blue
type Effect = nothing_more | gain(x: 1..3) | swap_two(a: Slot, b: Slot)
  | peek
type Slot = 1..size
type Level = -2..(size - 1)
type Site = (row: 1..3, col: 1..3) where col <= 4 - row  # a corner is cut off

option size: 5..8 = 8                                           [en 3]

component Card from "cards.yaml"                                [en 10-14, 18]
  colour: Colour                                                [en 11]
  cost: 0..8                                                    [en 12] ruling "as printed"
  effect: Effect
  likes: set of Colour
  owner: Player?

component Pier

zone stack: pile of Card, hidden                                [en 20]
zone hand(Player): bag of Card, private
zone row(Slot): one Card, open
zone dice(Player, Slot): bag of 1..6
zone spare: one 1..6

state token(Player): 0..8 = 5                                   [en 21]
state order: list of Player = seats, open
state secret(Player): bag of Card, hidden
state last: Slot? = none

refill stack from discard(1)                                    [en 22]
window placing
window expanding(target: Site, by: Player)                      [en 23]

note boards = 5                                                 [en 24]
note box                                                        [en 25]
note spread: "cards lie in the middle"                          [en 26]

silent take.free                                                [en 26]
silent table_size.1..5                                          [en 26, 28-29]

action take(limit: 0..12, ways: Colour)
  choose card in row, at in Site

action pass
action redo during expanding(target: Site) [en 27]
  again: take(1, red)
action undo during placing
"""

VALUES = """\
edition en.aid of harbour
  lines:
    30..34, 36
    # the back page
    41..48

fact limit = 8                                                  [en 30]
fact table_size: 0..8 =                                         convention "counted at the start"
  match player_count
    2, 3 => 4                                                   [en 31]
    -1..1, -5 => 3
    otherwise => 0
fact opening(p: Player) = true
  except last: false when p = seat(4)                           [en 32]
  except nobody: when false

define worth(p: Player, s: Site): 0..60 cycle 0 = printed(p, s) + bonus(p, s)
define printed(p: Player, s: Site) cycle -1 =                   [en 33]
  let base = 2
  let more = base * 3
  match card_at(s).effect
    gain(x) => x                                                [en 34]
    swap_two(a, b), peek =>
      let far = abs(a - b)
      far + more
    nothing_more =>                                             [en 35]
      match p
        none => 0
        true, false => 1
        otherwise => 2
  except free: 0 when base < 1                                  [en 36]

define chain: Bool = not a or b and c implies if d then e else some x in S has y
define order_of(p: Player): Int8 = 1
define compares = 1 < 2 and 2 <= 3 and 3 > 2 and 3 >= 2 and a = b and c != d and e in f and g not in h
define filled = (hand(me) is empty or stack is not empty) and my token is not empty
define sums = 1 + 2 - 3 * 4 div 5 mod 6 - -7
define dotted = card.owner.top + (a + b).from + Site(1, 2).row + Colour.red
define sets = {} + {red, green} + {1..6} - Means? + Site + (-1..1) + (a(x: 1, 2)..b)
define intervals = set(n for n in rows - 2..2 * rows + 1 where n in -1..n - 1)
type Between = low - 1..2 * (high + max(1, 2)) div 3 - 1
define quantified = (some a in S, b within T where c has d) or every x in S has no y in T where z has w
define counted = count(x in S) + count (x in S, y in T where z)
define picked = the(x in S where y else z) + first(x in order) + top(stack)
define sums_up = sum(x for x in S) + max(a for x in S where y else 0) + min(a for x in S, y in T else -1)
define collected = set(x for x in S) + bag(x for x in S, i in 1..3) + list(x for x in S)
define extremes = max(1, 2, 3) + min(a, b)
define ability = can take(1, red) and can pass
define soft = count + sum + max + min + set + bag + list + the + first + top + times + all + given + share + one
define shadows = game + type + zone + end + up + down + pile + bottom + player + players + is + ruling + chance
define long_one =
  a
  and b
  or c
    implies max(
      1,
      2)

score flags: sum(j.points for j in my hand)                     [en 40]
score track:
  let a = my points
  a + 1                                                         [en 41]
  except late: 0 when a > 9

winner                                                          [en 42]
  most: highest total(me)                                       [en 43]
  fewest: lowest size(my hand)
  both: share                                                   ruling "nothing is said"

invariant all_flags: sum(size(hand(p)) for p in Player) <= 9    [en 43]
invariant in_turns:
  let a = taken(seat(1))
  a = taken(seat(2))
  except late: true when a > 9

fork shuffled                                                   [en 44] [ru 7]
  at_once: "the discards are shuffled when the pile runs out"
  later: "they are shuffled when a card is due"
  default later "the next sentence speaks of drawing"

terms
  take: en "take", ru "взять", he "לקחת"                        [en 45]
  take.card: en "card"
  seat(1): en "black", he "שחור"
  Colour: no "farge", or "ରଙ୍ଗ"
  Colour.red:
    en "red, \\"as a rose\\""
    or "ଲାଲ"
  take.if.other: he "אחר"                                       convention "the book has no word"
"""

STEPS = """\
game harbour

setup                                                           [en 50]
  cards: fill stack with Card
  mix: shuffle stack
  start: random p in Player where p != seat(1)

play
  rounds: repeat                                                [en 51]
    each player in seats
      turn: choose take(1, red) or pass
  until some p in Player has done(p)                            [en 52]

action take(limit: 0..12)
  choose card in row, at in Site where card.cost <= limit
  require free: row(at) is empty                                [en 53]
    except first: when built(me) = 0                            ruling "nothing lies there yet"
    except second: true when built(me) = 1
  require sum:
    let total = 1 + 2
    total > 2                                                   [en 54]
    except poor: when total = 3
  require broad: (
    a and
    b)
  state gap: Slot? = none
  state top: Slot = 1
  let far = 3
  lift:                                                         [en 55]
    if card in market
      gap := position(card)
      token(me) -= 1 down to 0
    else if gap is empty then my token += 2 up to 8
    else
      nothing
  pay: if a then x := 1                                         [en 56]
    except never: when b                                        [en 57]
    except twice: x := 2 when c
  skip:
    if a
      pass
    else pass
    except always: take(1) when d
  move:
    draw 3 from stack to my hand
    move card from my hand to top of stack
    move all from hand(me) to bottom of stack
    move prize to hand(p)
    put me in bottom of status(0)
    put 1 in row(2)
    remove card from my hand
    swap row(1) with row(2)
  many: each s in Slot, t in Slot where s < t                   [en 58]
    x(s) := t
  other: as seat(2)
    pass
  all: all players
    choose bid in my hand
  again: repeat 3 times
    pass
  forever: repeat
    end game
  perhaps: may pass                                             [en 59]
  maybe_many: may
    pass
    pass
  branches: choose                                              [en 60]
    left: pass
    right: take(2)
  may_branches: may choose
    left: pass
    right:
      take(2)
  often: repeat may choose take(1) or pass                      [en 61]
  often_branches: repeat may choose
    left: pass
    right: pass
  often_block: repeat may
    pass
  moment: window expanding(at, by: me)
  moment_two: window placing
  by_kind: match effect                                         [en 62]
    gain(x) => token(me) += x                                   [en 63]
    peek =>                                                     [en 64]
      pass
    swap_two(a, b) => if a > 1
      pass
    1, 2..3, none => as seat(1)
      pass
    otherwise => nothing
  some_cards: choose cards within my hand
"""

EXAMPLES = """\
game harbour

example worked                                                  [en 70-73]
  with alyona, elena
  with size = 6
  given
    board(anna) drawn as
      ". a b"  # a remark
      "c . ."
    token(alyona) := 5
    put l03 in row(3)
  allow alyona take(card: l03, at: Site(1, 1))                  [en 71]
  after alyona take(card: l03, at: Site(1, 1))
  after elena resolve.now.swap_two(a: 1, b: 2)
  after chance red
  after elena pass
  refuse elena take(card: l11) because take.free                [en 72]
  refuse elena pass because table_size.2,3
  refuse because because because because.otherwise
  refuse allow given because table_size.1..5
  expect token(alyona) = 1 and l03 in row(1)                    convention "shown"
"""

APPARATUS = """\
part trade of harbour
  convention: "said once"

text en
  title: en "the English book"
  lines: 1..90, 95
  lacuna: ru 100..200, he 50

refill stack from box                                           [ru 3]
  silent he                                                     [he 3]

note tables = 5                                                 [ru 4]
  variant en: 6                                                 [en 6]
  variant he: "many"                                            [he 6]
  silent margin

define best(p: Player): 0..5 =                                  [ru 9]
  match p
    1 => 3                                                      [ru 10] [en 5]
      variant he: 4                                             [he 7]
    otherwise =>
      2
      silent en
  variant en:                                                   [en 9]
    let x = 2
    x
  ruled he: "no amount is stated"                               [he 9]
  except late: 2 when p = 2                                     [ru 5]
    variant he: 3 when p = 1                                    [he 6]
    variant margin: when p = 1                                  [margin 6]
    silent en                                                   [en 5]

action expand(limit: Slot)
  require lower: every d in placed has die < d                  [ru 316-320, 371] [en 112]
    variant margin: die < last_die                              [margin 351]
    except fishing: when tile = fishing_space                   [ru 788]
      silent en                                                 [en 112]
  resource: may gain(target.resource)                           [ru 427] [en 128]
    variant he, margin: gain(target.resource)                   [he 103] [margin 457]
    except late: when limit = 2
    except never: pass when limit = 3
      variant he: take(1) when limit = 4                        [he 104]
  turns:                                                        [ru 4]
    repeat
      more: money := 1                                          [ru 4]
      match limit
        1 => money := 2                                         [ru 5]
          variant he: money := 3                                [he 7]
        otherwise =>
          money := 2
          variant he:
            money := 1
            pass
          silent en                                             [en 8]
    variant he:                                                 [he 8]
      more: money := 2
      order := list(p for p in {1})
    variant en: choose                                          [en 8]
      one: pass
      two: take(1)
    order margin: more, move                                    [margin 9]
  order he: resource, turns, lower                              [he 5]

setup
  pass
  silent he

play
  pass
  silent he                                                     [he 1]

winner
  most: highest total(me)                                       [ru 5]
    variant he: lowest total(me)                                [he 6]
    variant en: share                                           [en 6]
  tie: share
    silent he

fork final                                                      [he 180]
  all: "all at once"                                            [ru 1119-1122]
  last: "one by one"                                            [en 362]
  default all "so"
"""

SAMPLES = {"nouns": NOUNS, "values": VALUES, "steps": STEPS, "examples": EXAMPLES, "apparatus": APPARATUS}
