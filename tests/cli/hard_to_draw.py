"""Specs of games that are hard to draw: a large board, full hands, pieces described by two values."""

from __future__ import annotations

HEX = """\
game hex_sample
  players: 2
  convention: "made up"
  not_shown: passed
  from_below: stone

type Cell = (row: 1..11, col: 1..11)

state stone(Cell): Player? = none
state passed: 0..9 = 0

action place
  choose at in Cell
  require free: stone(at) is empty
  put_down: stone(at) := me

play
  turns: repeat
    each player in seats
      place
    passed += 1 up to 9
  until every c in Cell has stone(c) is not empty
"""

HANDS = """\
game hands_sample
  players: 4
  convention: "made up"

type Suit = clubs | diamonds | hearts | spades
type Rank = two | three | four | five | six | seven | eight | nine | ten | jack | queen | king | ace
type Card = (rank: Rank, suit: Suit)

zone deck: pile of Card, hidden
zone hand(Player): bag of Card, private
zone passed(Player): bag of Card, private

setup
  deck:
    fill deck with Card
    shuffle deck
  deal: repeat 13 times
    each player in seats
      draw 1 from deck to my hand

action pass_on
  choose cards within my hand
  require three: size(cards) = 3
  pass: each card in cards
    move card from my hand to my passed

play
  passing: each player in seats
    pass_on
"""

MEN = """\
game men_sample
  players: 2
  convention: "made up"
  from_below: man

type Kind = rook | knight | pawn
type Colour = white | black
type Man = (kind: Kind, colour: Colour)
type Square = (rank: 1..3, file: 1..3)

state man(Square): Man? = none

setup
  man(Square(1, 1)) := Man(rook, white)
  man(Square(1, 2)) := Man(knight, white)
  man(Square(3, 3)) := Man(pawn, black)

play
  end: end game
"""
