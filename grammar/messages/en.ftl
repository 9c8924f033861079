# English: docs/languages.md says how an entry is written.

## Lists, and texts put together

list-and = { $first } and { $last }
list-or = { $first } or { $last }
list-nothing = nothing
both = { $first }; { $second }
with-remark = { $text } ({ $remark })
and-more = { $items } and { $count } more
did-you-mean = did you mean `{ $word }`?
it-has = it has { $names }

## What a value should be

expected = expected { $expected }, found { $found }
expected-boolean = true or false
expected-range = a whole number from { $low } to { $high }
expected-number = the number { $number }
expected-nothing = nothing at all
expected-seat = a seat number from 1 to { $count }
expected-id = the id of { $article } { $name }
expected-one-of = one of { $words }
words-in-all = ... ({ $count } words in all)
expected-record = { $article } { $name } by field: { $fields }
expected-or-null = { $expected }, or null for none
expected-set = a list without repetition, each item { $item }
expected-list = a list, each item { $item }
word-with = { $word } with { $fields }
word-with-sample = { $word } with its data, such as { $sample }
word-alone = { $word } alone (it has no data)
field-of-type = { $name } ({ $type })
fields-by-name = the fields of { $owner } by name: { $names }
only-fields = only the fields { $names }
a-field = a field { $name }
field-needed = a field "{ $name }" ({ $type })
field-lacking = no "{ $name }" in { $owner }
values-that-make = values of { $fields } that make { $article } { $name }
items-once = every item only once
found-twice = { $item } a second time

## What was found instead

found-number = the number { $number }
found-large = a very large number
found-word = the word { $word }
found-empty-object = an empty { "{" }{ "}" }
found-fields =
    the { $count ->
        [one] field
       *[other] fields
    } { $names }
found-empty-list = an empty list
found-list = a list of { $count }
found-no-json = something that JSON does not have

## Members and values of a record

no-such-member = { $owner } has no member { $name }
member-missing = { $owner } lacks the member { $name }
it-holds = it holds { $what }
more-alike =
    { $message }; { $count-grouped } more here { $count ->
        [one] has
       *[other] have
    } the same fault
misplaced-unknown = `{ $word }` cannot be a part of a value, nor a claim
misplaced-unknown-hint = write it for the action, for a whole argument or outcome, or for items of a list
write = write { $text }
such-as = such as { $sample }

## Files

file-is-folder = this is a folder
file-is-pipe = this is a pipe or a device, which may never end
file-pipe-hint = where a command takes `-`, it reads the standard input: { $sample }
file-link-leads-nowhere = this link leads to no file
file-missing = there is no such file
file-unreadable = the file cannot be read: { $reason }
file-too-large = the file has more than { $megabytes } MB
file-other-encoding = the file is in { $encoding }, not in UTF-8
file-binary = this is not a text: it contains a null byte
save-as-utf8 = save the file as UTF-8
save-as-utf8-old = save the file as UTF-8; it may be in an older encoding, such as Windows-1251
not-utf8 = the byte { $byte } is not UTF-8
not-utf8-lines =
    { $message }; nor are bytes in { $count } more { $count ->
        [one] line
       *[other] lines
    }

## YAML

yaml-too-long = the file has { $count } characters; { $most } are read at most
yaml-character-in-file = the character { $character } is not allowed in a text file
yaml-character-in-text = this text holds the character { $character }
yaml-number-too-large = the number after this `\U` or `%YAML` is too large
yaml-second-document = a second document begins here
yaml-tag = a tag ({ $tag }) is before this value
yaml-too-deep = lists and fields are nested more than { $levels } levels deep here
yaml-name-is = the name of this field is { $what }
yaml-a-list = a list
yaml-a-group = a group of fields
yaml-no-text = a number, true, false or nothing
yaml-quote-name = put it in quotes
yaml-quote-comma = quotes are needed around a text with a comma in it
yaml-repeated-field = { $name } is there twice among the same fields
also = { $name } too
here-already = it is here already
yaml-leading-zero = the number { $number } begins with a zero
yaml-anchor = a name is given to a value with `{ $sign }`, to be used in several places
yaml-alias = a value is named with `{ $sign }`, to be used in several places
more-in-file = { $message } (and { $count } more in this file)
begins-here = it begins here
yaml-quotes = put the text in quotes
yaml-tab = there is a tab here; YAML allows only spaces
yaml-value-begins = a value cannot begin with the sign { $sign }
yaml-neither = this is neither a field (`name: value`) nor an item of a list (`- value`)
yaml-neither-hint = a field's name is followed by a colon and a space
yaml-item-here = an item of a list (`- ...`) cannot begin here
yaml-item-hint = begin it on a line of its own, or put quotes around a text that begins with a dash
yaml-colon-here = this colon begins a field where none is possible
yaml-colon-hint = put quotes around a text with a colon in it; or correct its indentation, or the colon of the line above
yaml-quote-open = this quote is never closed
yaml-quote-open-document = this quote is not closed before the line `---`
yaml-backslash = a backslash before { $sign } has no meaning in a text in double quotes
yaml-backslash-hint = write two backslashes, or use single quotes
yaml-short-escape = a backslash code in this text is too short
yaml-two-backslashes = write two backslashes
yaml-bracket-open = this bracket is never closed
yaml-bracket-hint = close it with { $sign }
yaml-comma = a comma, or the closing { $sign }, is missing before this
yaml-comma-hint = a text with commas, colons or brackets in it needs quotes
yaml-stray-sign = the sign { $sign } closes or separates nothing here
yaml-no-continuation = this does not continue the lines above it
yaml-no-continuation-hint = give it exactly the indentation of its neighbours; a text with quotes inside needs quotes around all of it
yaml-value-missing = a value is missing before { $sign }
yaml-stranger = this does not belong to anything above it
yaml-stranger-hint = check its indentation; all of the file is one group of fields
yaml-reference-sign = the signs & and * begin a reference, and no name follows
yaml-tag-sign = the sign ! begins a tag, and this is none
yaml-block = after | or > the text begins on the next line
yaml-block-hint = put quotes around a text that begins with one of them
yaml-directive = a line that begins with % is a directive of YAML
yaml-unreadable = this cannot be read as YAML
yaml-question-mark = a value cannot begin with the sign ?

## Logs as text

log-empty = the log is empty
log-too-large = the log has more than { $megabytes } MB or { $lines-grouped } lines; it is read up to here
log-broken-letter = the line breaks off here, in the middle of a letter
log-skipped = { $count } lines cannot be read; the lines behind them, up to line { $last }, were skipped
log-no-object = a line of a log is an object in braces; this is { $found }
log-blank-line = this line is blank
log-blank-lines = this line is blank (and { $count } more)
log-shape = the log is { $found }, not a mapping with a list `events`
log-events-shape = `events` is { $found }, not a list
json-too-deep = objects and lists are nested more than { $levels } levels deep here
json-repeated-member = the object has two members { $name }
json-keep-one = keep one of the two
json-missing = { $what } is missing
json-missing-before = { $what } is missing before { $sign }
json-colon = a colon after the name { $name }
json-comma-member = a comma before the next member, or `{ $sign }` to close the object
json-comma-item = a comma before the next item, or `{ $sign }` to close the list
json-comma-closing = there is a comma before the closing `{ $sign }`
json-remove-comma = remove the comma
json-half-character = this text has half of a character: one `\ud...` of a pair without the other
json-many-digits = the number has { $digits } digits; numbers of more than { $most } digits are not supported
json-no-number = this is not a JSON number
json-not-a-number = { $text } is not a JSON number
json-remove-zero = remove the zero at the beginning
json-breaks-off = the line breaks off here: { $message }
json-second-object = a second object follows on this line
json-after-end = { $sign } follows after the end of the object
json-object-open = the object opened in column { $column } is never closed
json-name-unquoted = the name { $name } has no quotes
json-double-quotes-names = write names and texts in double quotes
json-double-quotes-texts = write texts in double quotes
json-name-expected = the name of a member was expected, found { $sign }
json-no-value = { $word } is not a JSON value
json-text-unquoted = the text { $text } has no quotes
json-value-missing = a value is missing
json-byte-order-mark = there is a byte order mark here, as where two files were joined
json-byte-order-mark-hint = remove it: only the beginning of a file may have one
json-value-expected = a value was expected, found { $sign }
json-text-open = the text that begins in column { $column } is never closed
json-close-with = close it with `{ $sign }`
json-no-escape = `{ $escape }` is not a JSON escape
json-backslash = write { $sample } for a backslash
json-control-character = a text contains the control character { $character }
json-control-hint = write it as { $escape }, or remove it

## The header

the-header = the header
format-version = the format's version { $version }
name-of-game = the name of the game
number-or-names = the number of players, or the list of their names
a-text = a text
a-date = a date such as { $samples }
tags-by-name = the tags by name
ids-by-name = the players' ids by name
header-no-version = the header lacks `ludex`, the version of the format, which is { $version }
header-begin-with = begin it with { $sample }
header-add = add { $sample }
log-no-header = the log does not begin with a header
at-least-one-player = at least one player
a-name = a name
a-name-no-number = a name that is not a number, as a number is a seat
same-name = two players have the name { $name }
same-name-hint = give each player another name
options-by-name = the options by name
readings-by-name = the readings by name
name-of-reading = the name of a reading

## Lines

a-move = a move
the-move = the move
a-chance-event = a chance event
the-chance-event = the chance event
a-result = a result
the-result = the result
a-result-by = a result by `{ $way }`
a-claim = a claim
the-claim = the claim
a-deal = a deal
the-deal = the deal
a-gap = a gap
list-of-cards = the list of the cards
list-of-so-many-cards = the list of 1 to { $count } cards
length-of-gap = true, "{ $word }" or the number of missing events, from 1 to { $count }
a-claim-or-note = a claim or note
a-claim-about-cell = a claim about a state or zone
the-claim-about = the claim about { $name }
a-time = a time such as { $sample }
both-move-and-chance = the line is both a move and a chance event
write-on-own-line = write each event on its own line
name-of-action = the name of the action
name-of-an-action = the name of an action
clause-that-raises = the clause that raises it
second-header = this is a second header
seat-or-name = the player's seat number or name
no-such-action = { $game } has no action { $name }
no-such-chance = { $game } has no chance event { $name }
in-the-edition = { $message } in the edition { $edition }
the-game-has = the game has { $names }
no-chance-events = the game has no chance events
arguments-by-name = the arguments of the action by name
how-it-came-out = how it came out
path-of-clause = the path of a clause
belongs-in-args =
    { $names } { $count ->
        [one] belongs
       *[other] belong
    } in `args`
numbers-of-pools = the numbers of the pools that the piece came through
no-event-has = no event has a member { $name }
unclear-line = the line is not a move, chance event, claim or note
unclear-line-hint = a move has a member "action", a chance event a member "chance"

## Claims and results

one-or-more-of = one or more of { $names }
expected-scores = the scores of the { $count } players by seat, or by player
expected-winners = the list of the winners, empty if the tie is undecided
list-of-winners = the list of the winners
winners-once = every winner only once
list-of-cell-claims = a list of claims about states and zones
what-it-holds = what it holds
name-of-cell = the name of a state or zone
list-of-indices = a list of { $count }: { $indices }
no-index = no index, or an empty list
size-needs-pile = a claim of `size` needs a pile or a bag, which { $name } does not have
how-many-pieces = how many pieces there are
points-needed = a whole number of points
object-with = an object with { $names }
player-who-ended = the player by whom the game ended
loser-resigned = the player who resigned is among the winners
loser-out-of-time = the player who ran out of time is among the winners
one-of-these = one of { $names }
expected-seat-or-name = a seat number from 1 to { $count } or a name ({ $names })
