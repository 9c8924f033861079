# English: docs/languages.md says how an entry is written.

## Lists, and texts put together

list-and = { $first } and { $last }
list-or = { $first } or { $last }
list-nothing = nothing
both = { $first }; { $second }
with-remark = { $text } ({ $remark })
and-more = { $items } and { $count-grouped } more
did-you-mean = did you mean `{ $word }`?
it-has = it has { $names }

## What a value should be

expected = expected { $expected }, found { $found }
expected-boolean = true or false
expected-range = a whole number from { $low } to { $high }
expected-number = the number { $number }
expected-nothing = no value
expected-seat = a seat number from 1 to { $count }
expected-id = the id of { $article } { $name }
expected-one-of = one of { $words }
words-in-all = ... ({ $count-grouped } words in all)
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
found-list = a list of { $count-grouped }
found-no-json = a value that JSON does not have

## Members and values of a record

no-such-member = { $owner } has no member { $name }
member-missing = { $owner } lacks the member { $name }
it-holds = it holds { $what }
more-alike =
    { $message }; { $count-grouped } more here { $count ->
        [one] has
       *[other] have
    } the same fault
misplaced-unknown = `{ $word }` is not allowed as part of a value or in a claim
misplaced-unknown-hint = use it in place of the action, a whole argument or outcome, or items of a list
write = write { $text }
such-as = such as { $sample }

## Files

file-is-folder = this is a folder
file-is-pipe = this is a pipe or a device, which may never end
standard-input = standard input
file-pipe-hint = a command that takes `-` reads the standard input: { $sample }
file-link-leads-nowhere = this link leads to no file
file-missing = there is no such file
file-is-game = `{ $name }` is a game that comes with Ludex, but a file is needed here: { $log } begins a log of it, { $play } plays it
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

yaml-too-long = the file has { $count-grouped } characters; the limit is { $most-grouped }
yaml-too-many-values = the file has too many values and field names; the limit is { $most-grouped }
yaml-character-in-file = the character { $character } is not allowed in a text file
yaml-character-in-text = this text contains the character { $character }
yaml-number-too-large = the number after this `\U` or `%YAML` is too large
yaml-second-document = a second document begins here
yaml-tag = there is a tag ({ $tag }) before this value
yaml-too-deep = lists and fields are nested more than { $levels } levels deep here
yaml-name-is = the name of this field is { $what }
yaml-a-list = a list
yaml-a-group = a group of fields
yaml-no-text = a number, true, false or nothing
yaml-quote-name = put it in quotes
yaml-quote-comma = quotes are needed around a text with a comma in it
yaml-repeated-field = the field { $name } occurs twice in this group
also = so does { $name }
here-already = it first occurs here
yaml-leading-zero = the number { $number } begins with a zero
yaml-anchor = `{ $sign }` names a value here, for use in several places
yaml-alias = `{ $sign }` repeats a value that is named in another place
more-in-file = { $message } (and { $count-grouped } more in this file)
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
yaml-stray-sign = the sign { $sign } has nothing to close or separate here
yaml-no-continuation = this does not continue the lines above it
yaml-no-continuation-hint = give it exactly the indentation of its neighbours; a text with quotes inside needs quotes around all of it
yaml-breaks-off = the file breaks off here: a value is missing
yaml-value-missing = a value is missing before { $sign }
yaml-stranger = this does not belong to anything above it
yaml-stranger-hint = check its indentation: the whole file must be one group of fields
yaml-reference-sign = the signs & and * begin a reference, but no name follows
yaml-tag-sign = the sign ! begins a tag, but no tag follows
yaml-block = after | or > the text begins on the next line
yaml-block-hint = put quotes around a text that begins with one of them
yaml-directive = a line that begins with % is a directive of YAML
yaml-unreadable = this cannot be read as YAML
yaml-question-mark = a value cannot begin with the sign ?

## Logs as text

log-empty = the log is empty
log-too-large = the log has more than { $megabytes } MB; it is read up to here
log-too-many-lines = the log has more than { $lines-grouped } lines; it is read up to here
log-line-too-long = this line has more than { $kilobytes } KB; the log is read up to here
log-broken-letter = the line breaks off here, in the middle of a character
log-skipped = { $count-grouped } lines cannot be read; the lines after them, up to line { $last }, were skipped
log-no-object = a line of a log must be an object in braces; this is { $found }
log-blank-line = this line is blank
log-blank-lines = this line is blank (and { $count-grouped } more)
log-write-json-lines = write a longer log as JSON Lines, one event per line
log-shape = the log is { $found }, not a mapping with a list `events`
log-events-shape = `events` is { $found }, not a list
log-packed-damaged = the compressed file is damaged
log-packed-broken-off = the compressed file breaks off before its end
log-packed-too-large = the compressed file unpacks to more than { $times-grouped } times its size; it is read up to that limit
log-packed-too-many = the compressed file contains more logs than the limit of { $free-grouped } plus one for each of its bytes; it is read up to that limit
log-packed-package = reading Zstandard needs a Python package that is not installed: { $install }
log-ends-at-header = this header ends the log and begins another; remove it if the log continues here
log-begins-at-header = a new log begins with this header; remove it if the log above continues here
fault-of-ludex = the log could not be judged, because Ludex itself has a fault: { $fault } ({ $place })
fault-of-ludex-places = called from { $places }
fault-of-ludex-hint = please report it, with this log; the log may be right or wrong
file-name-empty = a file's name is empty; `.` is the current folder
folder-unopened = this folder cannot be opened
folder-without-logs = there is no log in this folder
pattern-without-files = no file matches this pattern
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
json-half-character = this text contains half a character: one `\ud...` of a pair without the other
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
json-byte-order-mark = there is a byte order mark here, perhaps because two files were joined
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
ids-of-nobody = no player is called { $name }
header-no-version = the header lacks `ludex`, the version of the format, which is { $version }
header-begin-with = begin it with { $sample }
header-add = add { $sample }
log-no-header = the log does not begin with a header
at-least-one-player = at least one player
a-name = a name
a-name-no-number = a name that is not a number (a number means a seat)
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
a-position-value = an object with `state`, `unseen` and `flow`
a-gap = a gap
a-note = a note
list-of-cards = the list of the cards
list-of-so-many-cards = the list of 1 to { $count-grouped } cards
length-of-gap = true, "{ $word }" or the number of missing events, from 1 to { $count-grouped }
length-of-gap-written = nothing, { $word } or the number of missing events, from 1 to { $count-grouped }
a-claim-or-note = a claim or note
a-claim-about-cell = a claim about a state or zone
the-claim-about = the claim about { $name }
a-time = a time such as { $sample }
both-move-and-chance = this line is both a move and a chance event
write-on-own-line = write each event on a line of its own
name-of-action = the name of the action
name-of-an-action = the name of an action
clause-that-raises = the clause that raises it
second-header-in-file = this is a second header, and here a file holds one log; split it before this line
second-header = this is a second header
seat-or-name = the player's seat number or name
no-such-action = `{ $game }` has no action { $name }
no-such-chance = `{ $game }` has no chance event { $name }
in-the-edition = { $message } in the edition { $edition }
the-game-has = the game has { $names }
no-chance-events = the game has no chance events
arguments-by-name = the arguments of the action by name
how-it-came-out = its outcome
path-of-clause = the path of a clause
belongs-in-args =
    { $names } { $count ->
        [one] belongs
       *[other] belong
    } in `args`
numbers-of-pools = the numbers of the pools that the piece came through
no-event-has = no event has a member { $name }
unclear-line = this line is not a move, chance event, claim or note
unclear-line-hint = a move has a member "action", a chance event a member "chance"

## Claims and results

one-or-more-of = one or more of { $names }
expected-scores = the scores of the { $count } players by seat, or by player
expected-winners = the list of the winners, empty if the tie is undecided
list-of-winners = the list of the winners
winners-once = every winner only once
list-of-cell-claims = a list of claims about states and zones
what-it-holds = the contents
name-of-cell = the name of a state or zone
list-of-indices = a list of { $count }: { $indices }
no-index = no index, or an empty list
size-needs-pile = `size` can be claimed only of a pile or a bag, and { $name } has none
how-many-pieces = how many pieces there are
points-needed = a whole number of points
object-with = an object with { $names }
player-who-ended = the player who caused the end of the game
loser-wins = the player who caused the end of the game is among the winners
one-of-these = one of { $names }
expected-seat-or-name = a seat number from 1 to { $count } or a name ({ $names })

## Specifications that fail

fault-none = this is `none`, but a value is needed here
fault-unseen = this piece is unknown: nobody has seen it
fault-zero = a number is divided by 0 here
fault-too-large = this number is too large: it has more than { $digits } digits
fault-too-many = this contains { $count }, but at most { $most } fit here
fault-outside = this value is { $value }, but only { $type } fits here
fault-nothing = nothing
fault-no-arm = no arm of this `match` matches { $value }
fault-contradiction = the exceptions { $one } and { $other } both hold here, and give different values
fault-nothing-to-rank = `{ $word }` of an empty collection has no value
fault-not-one =
    `{ $word }` needs exactly one { $name } here, and there is { $several ->
        [yes] more than one
       *[no] none
    }
fault-not-listed = { $item } is not in this list
fault-too-late = this requirement comes too late: no move can be refused here
fault-no-actor = a decision is due here, but no player acts
fault-endless = this loop never ends and awaits no event
fault-itself = whether { $action } can be done depends on itself
fault-no-draw = there is nothing to draw at random here
fault-come-to-light = unseen pieces would be put where they can be seen
fault-no-value = the rules do not give this a value
fault-not-here = this may be one of several pieces, and none of them is here
fault-overfull =
    { $name } would hold { $count } { $count ->
        [one] piece
       *[other] pieces
    }, but at most { $most } fit
fault-one-piece = { $name } can hold only one piece
fault-not-there = { $piece } cannot be taken from { $name }: it is not there
fault-not-there-known = { $piece } cannot be taken from { $name }: as far as anybody knows, it is not there
fault-no-piece = there is no piece here
budget-work = this step needs more work than its budget of { $limit-grouped } units
budget-game = this game needs more work than its budget of { $limit-grouped } units
budget-tables = editions, numbers of players, options and forks give more tables to check than the budget of { $limit-grouped } for a game of this length
budget-items = types, ranges, states and zones hold more values here than the budget of { $limit-grouped }
budget-calls = calls are nested deeper here than { $limit-grouped }
budget-depth = calls are nested deeper here than the budget of { $limit-grouped } expressions
budget-can = more than { $limit-grouped } tests by `can` are nested here
budget-raise = `{ $option }` allows ten times as much
budget-mend-work = loop over fewer values, or exclude values by an earlier condition
budget-mend-tables = leave out options or forks, or write a shorter game
budget-mend-items = use smaller types or fewer of them, or fewer states
budget-mend-depth = nest fewer calls: use a loop, or a state that keeps intermediate results
budget-mend-can = let fewer tests by `can` depend on one another: state in a define what each needs
budget-in-clause = { $message } (in { $clause })
fault-is-here = the fault is here

## Moves that are refused

seat = seat({ $number })
nobody = nobody
refused-over = the game is over, so no event may follow
refused-move-awaited = a move is awaited, not a chance event: { $awaited }
refused-other-chance = the chance event { $awaited } is awaited, not { $found }
refused-outcome = this outcome is not possible here: { $event }
refused-chance-awaited = the chance event { $awaited } is awaited, not a move
refused-player = { $player } is not to move; awaited: { $awaited }
refused-unknown-action = this game has no move `{ $action }`
refused-decline = declining is not on offer here; on offer: { $offered }
refused-not-offered = { $action } is not on offer here; on offer: { $offered }
refused-missing-argument = { $action } needs the argument `{ $argument }`
refused-extra-argument = { $action } has no argument `{ $argument }`
refused-wrong-argument = `{ $argument }` of { $action } must be { $expected }
stated-once = stated once
refused-choice = { $value } cannot be chosen as `{ $argument }` of { $action } here
refused-requirement = { $event } breaks { $clauses }
awaited-of = { $players } ({ $offered })

## Why a move is refused

why-as = { $first }, as { $second }
why-facts = { $head }: { $facts }
why-does-not-hold = `{ $clause }` does not hold
why-does-not-hold-then = `{ $clause }` does not hold once the move is made
why-no-declining = `{ $clause }` cannot be declined
why-on-offer = on offer at { $places }; the play is at `{ $here }`
why-only-if = on offer at `{ $place }` only if { $condition }
why-unless = on offer at `{ $place }` unless { $condition }
why-chosen-from = `{ $argument }` is chosen from { $domain }
why-chosen-missing =
    `{ $argument }` is chosen from { $domain }, and { $values } { $count ->
        [one] is
       *[other] are
    } not there
why-other-values = other values
why-fixed = here `{ $argument }` = { $values }
why-is = { $call } is { $value }
why-as-follows = { $call } is as follows
why-is-in = { $piece } is in { $places }
why-can-only-be-in = { $piece } can only be in { $places }
why-holds = { $text } holds { $count }
why-all-of = all of { $count } ({ $names })
why-none-of = none of { $count } ({ $names })
why-there-is-no = there is no { $names }
why-in = { $name } in { $domain }
why-me = who acts
why-opponent = the opponent

## Verdicts on events

verdict-option = the log was judged with { $options }, because its header sets no other `options`
verdict-option-legal = { $message }; it is legal with { $options }
verdict-option-range = { $name } = { $low } to { $high }
verdict-more-findings =
    { $count-grouped } more { $count ->
        [one] finding
       *[other] findings
    }, up to line { $line }, { $count ->
        [one] is
       *[other] are
    } not shown: mend these first
verdict-passed-over = `{ $clause }` was passed over: no move was legal there
verdict-left-out = a move by { $player } may be missing before this line, for example { $line }
verdict-known-piece = leave this line out if it is a duplicate, or if somebody knew where { $piece } was: a known piece is not drawn by chance
verdict-several-ways = the outcome is possible in several ways; add `via` to say which: { $ways }
verdict-outcomes =
    { $count-grouped } { $count ->
        [one] outcome is
       *[other] outcomes are
    } possible
verdict-ambiguous = this is legal only after a decline, and several declines are possible
verdict-record-each = awaited: { $awaited }; record each decline
verdict-clause-fails = this clause fails
verdict-rules-fail = the specification of the game fails here: { $message }
verdict-after-result = the game had a result before this line
verdict-over-before-result = the game was over by its rules before this result
verdict-not-filled = no missing lines were found with which this line is legal; there may be some, as the search ended with its budget: this line and those after it are not judged
verdict-not-filled-between =
    { $count ->
        [0] a line at least is missing between line { $line } and this one
       *[other] with the missing lines that were found, one more at least is missing between line { $line } and this one, or one of them belongs elsewhere
    }: this line and those after it are not judged
verdict-not-filled-else = with the missing lines that were found: { $finding }
verdict-not-filled-hint = write the missing lines up to here, as far as they are known, and judge the log again
verdict-not-placed = all missing lines are listed, but with them in these places this line is not legal; some of them belong elsewhere among the lines of chance events before it: this line and those after it are not judged
verdict-not-placed-hint = write the values that are known, move the missing lines to where they belong, and judge the log again
verdict-without-values = all missing lines are listed, but with their values unknown too many games are possible: this line and those after it are not judged then
verdict-without-values-hint = write some of the values into the missing lines, and judge the log again
verdict-too-much-unknown = too much is unknown here: this line and those after it are not judged
verdict-too-much-unknown-hint = record what became known, such as a hand that was shown, in a claim about the state
verdict-ends-early = the log ends before the game does
verdict-ends-early-awaited = the log ends before the game does; awaited: { $awaited }
awaited-nothing = nothing, as the game is over
awaited-chance = the chance event { $clause }
verdict-in-any-case = this is wrong, whatever line { $line } should have been
verdict-goes-on-position = the replay continues from the position that is recorded here
verdict-goes-on-claim = the replay continues here: the refused line may have meant several events, and this claim is true after only one of them
verdict-came-up = { $piece } is recorded here, too
verdict-could-go-on-position = with { $option } the replay continues from the position that is recorded here
verdict-could-go-on-claim = with { $option } the replay continues after this claim, if it is true in only one of the possible games
verdict-other-position = the recorded position differs from the play in { $names }
verdict-swapped = this line and line { $line } are legal in the reverse order, each with the outcomes after it
verdict-whatever = this is illegal for every possible value of what the log leaves `{ $word }`

## Claims that are wrong

claim-again =
    { $count ->
        [one] a later claim about the same thing is also wrong, here
       *[other] { $count-grouped } later claims about the same thing are also wrong, the last one here
    }
claim-points =
    { $player } has { $points } { $points ->
        [one] point
       *[other] points
    }, not { $claimed }
claim-part = { $clause }: { $points }
claim-over = the game is over
claim-going-on = the game is not over; awaited: { $awaited }
claim-nobody-yet = nobody has won by the rules yet: the game is not over; `result` names the winners of an early end
claim-winners = { $winners } won, not { $claimed }
claim-tie = the rules leave the tie undecided: claim an empty list of winners
claim-size = { $name } has the size { $size }, not { $claimed }
claim-unseen = nobody has seen what is in { $name }
claim-is = { $name } is { $value }, not { $claimed }
claim-holds = { $name } holds { $value }, not { $claimed }
claim-goes-on = the game goes on
claim-points-impossible =
    { $player } cannot have { $points } { $points ->
        [one] point
       *[other] points
    } here
claim-won-impossible = these winners are impossible here
claim-size-impossible = { $name } cannot have the size { $size } here
claim-cells = `{ $game }` has { $names }
claim-be-impossible = { $name } cannot be { $value } here
claim-can-be = { $name } can only be { $values }
claim-hold-impossible = { $name } cannot hold { $value } here
claim-can-hold = { $name } can only hold { $values }

## The game that a header names

tag-doubtful = { $name } is read as a tag; a tag does not change the rules
tag-language-unknown = `{ $game }` has no words in the language { $name }
tag-result-hint = write the result as the last line: `claim winners NAME`, or `result resigned NAME`
tag-result-line-hint = write the result as the last line, such as { $line }
tag-member-hint = write { $member } beside { $tags }, not in it
game-beside = the log's folder has another game { $name }; the log is judged by the game that comes with Ludex
game-beside-hint = write { $name } to mean the game in the folder
game-path-hint = a path is relative to the log's folder or to the current folder; or write the game's name, and use --game PATH
game-unknown = there is no game { $name } here
game-given = the given specification is of { $names }
game-given-hint = the log's header and the specification must name the same game
game-have-spec-hint = if you have its specification (it begins with { $beginning }), use --game PATH
question-and = { $first } { $second }
game-at-fault = the specification of { $name } has errors, so it cannot judge a log
game-fault = { $code }: { $message }
game-fault-elsewhere = { $code } in the file { $file }
game-forbidden = the game { $name } is a file that logs may not name here
game-forbidden-hint = name a game that comes with Ludex; whoever judges the log can allow the files of a folder
game-no-edition = `{ $game }` has no edition { $name }
game-no-option = `{ $game }` has no option { $name }
game-option-needs = option { $name }: { $expected } is needed
game-decides-fork = { $edition } decides the fork { $name }: it says { $reading }
game-decides-hint = ask for another edition
game-no-silence = silence is one of { $names }, not { $found }
game-no-fork = `{ $game }` has no fork { $name }
game-no-reading = the fork { $fork } has no reading { $name }
game-players = `{ $game }` is for { $allowed } players, not { $players }
number-to = { $low } to { $high }
game-fingerprint = the game has the fingerprint { $fingerprint }, the log says { $claimed }
game-fingerprint-hint = the log was recorded with other rules or component data, but is replayed anyway; if you have those rules, use --game PATH

## Missing lines

missing-lines =
    { $count ->
        [one] a line is
       *[other] { $count-grouped } lines are
    } missing before this one
missing-lines-may-be =
    { $count ->
        [one] a line
       *[other] { $count-grouped } lines
    } may be missing before this one: { $lines }; `--fill` lists all that are missing
undealt-not-written = the cards of { $player } are not written
undealt-add = add `{ $line }`
undealt-too-few = { $player } gets { $count } cards, line { $line } lists { $listed }
missing-lines-among-hint =
    write { $count ->
        [one] this line
       *[other] these lines
    } before it, or elsewhere among the chance lines around it; replace `{ $word }` by what is known
missing-lines-hint =
    write { $count ->
        [one] this line
       *[other] these lines
    } before it; replace `{ $word }` by what is known
undealt-card = this card is not dealt here
undealt-card-awaited = this card is not dealt here; awaited: { $awaited }
gap-too-long = so many events cannot be missing here: the game would be over earlier
too-much-unknown-missing = write the missing lines and judge the log again: others may be missing later

## The schema of logs

schema-title = A log of { $game }, edition { $edition }, { $count } players
schema-title-player = player
schema-title-unknown = not seen
schema-title-decline = decline
schema-log = A whole log as a list of lines or as one object with `events`; or one line of a log.
schema-unknown = The recorder could not see this value.
schema-player = A player: the seat's number from 1, or the name that the header gives.
schema-ludex = The version of the format.
schema-game = The game's name, or the path of its specification.
schema-edition = The text of the rules that was used.
schema-silence = How to treat a rule that the text does not state: borrow it from another text, or leave it out.
schema-fingerprint = A digest of the rules and the component data.
schema-players = The number of players, or the list of their names in the order of the seats.
schema-options = The game's options that differ from their defaults, by name.
schema-readings = Readings of forks other than the defaults, by fork.
schema-tags = Where and when the game was played, by name.
schema-ids = The players' ids in a club or on a site, by name.
schema-from = The position in which the play begins, or the path of a file that contains it; by default, the beginning of the game.
schema-note = A remark for the reader; it does not affect the verdict.
schema-events = The moves, chance events, claims and notes in their order.
schema-action = What the player does.
schema-args = The arguments of the action, by name.
schema-clock = What the player's clock shows: minutes and seconds, or hours, minutes and seconds.
schema-chance = The clause that throws the die or turns up the card.
schema-deal = The clause that deals the cards; this line records several events.
schema-to = The player who gets the cards.
schema-cards = The cards, in any order.
schema-position = The whole state after this line, as `ludex show --format position` writes it.
schema-gap = Events that were not recorded: their number, or whether only chance events are missing.
schema-outcome = The outcome of the chance event.
schema-via = The pools that a piece came through; almost never needed.
schema-result = How the players ended the game before the rules did.
schema-winners = The winners; an empty list if the tie is undecided.
schema-claim = What the players said about the state after this line; it is checked.
schema-scores = Points by seat, or by player's name or seat number.
schema-terminal = Whether the game is over.
schema-state = What states and zones hold.
schema-of = The name of a state or zone.
schema-at = Its indices, in order.
schema-size = The number of pieces in the zone.
schema-decline = The player declines what may be declined.
schema-requires = Required: { $names }

## Frames of reports

label-why = why
label-note = note
label-hint = hint
label-legal = legal
warning = warning
borrowed-from = borrowed from { $text }
count-errors =
    { $count-grouped } { $count ->
        [one] error
       *[other] errors
    }
count-warnings =
    { $count-grouped } { $count ->
        [one] warning
       *[other] warnings
    }
no-faults = no faults
count-events =
    { $count-grouped } { $count ->
        [one] event
       *[other] events
    }
count-logs =
    { $count-grouped } { $count ->
        [one] log
       *[other] logs
    }
count-outcomes =
    { $count-grouped } { $count ->
        [one] outcome
       *[other] outcomes
    }
count-moves =
    { $count-grouped } { $count ->
        [one] move
       *[other] moves
    }
count-clauses =
    { $count-grouped } { $count ->
        [one] clause
       *[other] clauses
    }

## Verdicts

report-legal = legal
report-unjudged = not judged to its end
report-findings = findings
report-unreadable = unreadable
report-fault = not judged, because Ludex failed
report-line = line { $line }
report-no-game = no game
report-stopped = stopped before all logs were judged
report-row = { $file }: { $verdict }
report-played =
    { $played-grouped } of { $count-grouped } { $count ->
        [one] event
       *[other] events
    } played, up to line { $line }
report-resumed =
    { $played-grouped } of { $count-grouped } { $count ->
        [one] event
       *[other] events
    } played, with a break from line { $line } on
report-not-played =
    { $count ->
        [0] no event was played
        [one] 0 of 1 event played
       *[other] 0 of { $count-grouped } events played
    }
report-consequences =
    { $count ->
        [one] the fault at line { $lines } may be only a consequence of this one
       *[other] the faults at the lines { $lines } may be only consequences of this one
    }
report-judging = judging for { $seconds } s
report-bar = judging
report-filled-in =
    { $count-grouped } { $count ->
        [one] decline
       *[other] declines
    } filled in
report-in-one = { $words } for one possible game
end-resigned = { $player } resigned
end-time = { $player } ran out of time
end-agreed = the players agreed on the result
end-adjudicated = the result was adjudicated
end-abandoned = the game was abandoned
wins =
    { $who } { $count ->
        [one] wins
       *[other] win
    }
share-the-win = { $who } share the win
by-clause = { $who } ({ $clause })
result-tie = a tie that the rules do not break
count-legal = { $count-grouped } legal
count-unjudged = { $count-grouped } not judged to the end
count-findings = { $count-grouped } with findings
count-unreadable = { $count-grouped } unreadable
count-fault = { $count-grouped } not judged, because Ludex failed
count-none = none
sum-edition = { $game }, edition { $edition }: { $words }
sum-passed-over =
    { $count-grouped } { $count ->
        [one] file
       *[other] files
    } skipped, because { $reason }: { $names }
sum-more-in-json = { $names } and { $count-grouped } more ({ $option } lists them)
sum-legal-by = { $count-grouped } by { $edition }
sum-legal-of = { $game }, legal of { $logs }: { $editions }
its-own = { $edition } (its own)
edition-breaks = breaks { $where }
edition-see-above = { $words }; see above
where-before = before the first event, line { $line }
where-at = at event { $event } of { $events }, line { $line }
where-after = after event { $event } of { $events }, line { $line }
origin-own =
    { $count-grouped } { $count ->
        [one] clause
       *[other] clauses
    } of its own
origin-borrowed = { $count-grouped } borrowed from { $text }
origin-borrowed-several = { $count-grouped } borrowed ({ $texts })
origin-from = { $count-grouped } from { $text }
origin-ruled = { $count-grouped } ruled
reason-convention = by convention: { $text }
reason-ruling = by ruling: { $text }
origin-convention = { $count-grouped } by convention
origin-shared = { $count-grouped } shared
origin-literal = { $words }; rules that only other texts state are left out
origin-command = { $words } ({ $command })

## Frames of a game that is shown or played

view-yes = yes
view-no = no
view-none = none
view-noted = { $count } noted
view-hidden = { $count } hidden
view-unseen = { $count } unseen
view-more = and { $count-grouped } more
view-top = (from the top)
view-empty = empty
view-of = { $element } of { $player }
show-head =
    { $title }, after { $count-grouped } { $count ->
        [one] event
       *[other] events
    }
show-edition = { $title }, edition { $edition }
show-last = { $head }: { $event }
show-as = { $head }, as { $player } sees it
the-game-is-over = the game is over
chance-awaited = chance is awaited: { $clause }
chance-awaited-outcomes =
    chance is awaited: { $clause }, { $count-grouped } { $count ->
        [one] outcome
       *[other] outcomes
    }
to-move = to move: { $who }
show-may-hold = { $place } may hold ({ $count }): { $values }
show-may-be = { $place }: { $values }
show-sampled = from line { $line } on, only what the sampled games have in common is shown: more games are possible than can be followed
show-more-moves = and { $count-grouped } more ({ $option } lists them)
show-not-legal = this line is not legal; `{ $command }` says why, but shows hidden information
play-to-move = { $player } to move
play-game-over = The game is over.
play-tie = A tie that the rules do not break.
play-nobody-wins = Nobody wins.
play-pass = Pass the device to { $player }, who presses Enter
play-alone = --- for { $player } alone ---
play-unseen = { $count } unseen
play-for = for { $player }
play-times =
    { $event } ({ $count } { $count ->
        [one] time
       *[other] times
    })
play-rows-before =
    { $count } { $count ->
        [one] row
       *[other] rows
    } before these (`{ $command }` has all)
play-not-written = the log was not written: { $reason }
play-no-undo = there is no move to take back
play-no-undo-kept = there is no move to take back; the moves in { $file } are kept
play-name-the-file = name the file: `{ $command }`
play-nothing-yet = nothing was played yet, so nothing was written
play-saved = saved in { $file }
play-input-ended = the input ended
play-stopped = stopped
play-stopped-after =
    { $stop } after { $count-grouped } { $count ->
        [one] event
       *[other] events
    }
play-type = type { $what }, or `{ $command }`
play-number = a number from 1 to { $count }
play-sign = the sign before a choice
play-with = { $question } (with { $taken })
play-nothing-may-come = nothing is allowed here, but `{ $word }` was typed
play-nothing-may-come-after = nothing is allowed after `{ $read }`, but `{ $word }` was typed
play-not-offered = `{ $word }` is not on offer
play-not-offered-after = `{ $word }` is not on offer after `{ $read }`
play-not-understood = `{ $word }` is not understood
play-not-understood-after = `{ $word }` is not understood after `{ $read }`
play-not-legal = { $event } is not legal now: { $reason }
play-unknown-reason = why is hidden from you
play-nearest = the nearest is { $word }
play-seed = { $option } repeats the same draws
play-help-number = make the choice with this number
play-help-move = make a move as in the list, or type only its values: { $samples }; the first few words narrow the list
play-help-result = end the game as the players agree: { $samples }, or another line as in a text log
play-help-enter = make the only choice, if there is just one; otherwise show the list again
play-help-back = go back one step, if a move is chosen in steps
play-help-view = show the table again
play-help-cards = show what is printed on every visible piece
play-help-log = show all events, as you saw them
play-help-undo = take back the last move
play-help-save = write the log
play-help-quit = stop here (or { $short })
play-help-colon = A colon before a word ({ $sample }) makes it a command, if a move has the same name.
play-help-a-number = a number
play-help-a-move = a move
play-no-log = no log was kept (`{ $option }` keeps one)
play-go-on = to continue: { $command }
play-log-is-in = the log is in { $file }
play-outcome = What is the outcome of { $clause }?
play-outcome-for = What is the outcome for { $player } of { $clause }?
play-possible = possible: { $words }

## Files that are passed over

over-judged = the file was judged before
over-read = the standard input can be read only once: a second `-` was skipped
over-no-ending = the name does not have the ending of a log ({ $endings })
over-no-header = there is no header with the member `{ $member }`
over-git = it contains the history of a repository
over-linked-folder = links to folders are not followed
sum-kept = { $logs } judged in an earlier run and not shown again
sum-left-out = { $logs } left out here, because a summary may have at most { $size }
new-log-begins = The game begins here.
new-log-example = Each event is an item of this list, such as:

## Commands that are used wrongly, or carry logs to other rules

usage-of = Usage: { $usage }
usage-try = Try '{ $command }' for help.
usage-error = Error: { $message }
usage-no-argument = Missing argument '{ $name }'.
usage-no-value = Missing option '{ $name }'.
usage-no-option = No such option '{ $name }'.
usage-no-option-near = No such option '{ $name }'. Did you mean { $near }?
usage-no-option-among = No such option '{ $name }'. (Did you mean one of: { $near }?)
usage-needs-value = Option '{ $name }' requires an argument.
usage-takes-none = Option '{ $name }' does not take a value.
usage-invalid = Invalid value for '{ $name }': { $message }
usage-not-valid = '{ $value }' is not a valid { $kind }.
usage-not-among = '{ $value }' is not one of { $choices }.
usage-outside = { $value } is not in the range { $range }.
usage-too-many = Got unexpected extra argument ({ $names })
usage-too-many-several = Got unexpected extra arguments ({ $names })
usage-no-file = File '{ $name }' does not exist.
usage-no-directory = Directory '{ $name }' does not exist.
usage-no-path = Path '{ $name }' does not exist.
usage-is-directory = File '{ $name }' is a directory.
usage-is-file = Directory '{ $name }' is a file.
usage-not-readable = File '{ $name }' is not readable.
usage-not-writable = File '{ $name }' is not writable.
usage-seconds = { $value } is not a number of seconds.
other-game = the log names the game { $asked }; the game given is { $name }
other-game-hint = give the game that the log names, or no game
other-engine = the log names the game { $asked }; the engine given plays { $name }
other-engine-hint = give the engine for the game that the log names, or no engine
other-table = the engine given plays { $name } at a different table from the log's
other-table-hint = load the engine with the players, edition, options and readings that the log's header names
it-has-none = it has none
usage-whole-number = whole number
usage-integer = integer
usage-no-command = there is no command `{ $word }`; { $hint }
usage-commands = the commands are { $names }
usage-language = there are no messages in `{ $tag }`; there are in { $names }
usage-no-words = --lang: `{ $game }` has no word in `{ $tag }`; { $known }
usage-words-in-none = it has words in no language
usage-seed = { $value } is not a seed, a whole number from 0 to { $most }.
usage-names = --names: give each player a different name that is not a number
usage-names-count =
    --names has { $count } { $count ->
        [one] name
       *[other] names
    }, but { $players } play
usage-form = `{ $value }` is not of the form { $form }
usage-given-twice = `{ $name }` is given twice
usage-one-log = { $option } takes only one log
usage-event-place = `{ $value }` is neither the number of an event nor `line:` and the number of its line, such as `line:12`
usage-not-with = { $option } cannot be given together with { $other }
usage-text-or-json = { $option } is written as text or json
usage-folder = { $name } is a folder; name one log
usage-no-folder = { $name } is not a folder
usage-exists = { $name } exists already; choose another name
usage-exists-resume = { $name } exists already; choose another name, or continue it with --resume
usage-exists-other = { $name } exists already and contains something else; choose another folder
usage-changed = { $name } was changed by another program in the meantime; write the play to another file with `{ $command }`
usage-not-created = { $name } cannot be created: { $reason }
usage-not-written = { $name } cannot be written: { $reason }
usage-results-hyphen = --results needs a file name: `-` is the standard output, which cannot be a database
usage-no-results = { $name } cannot be used for results: { $reason }
usage-results-of-other = { $name } was made by another version of Ludex; it is left unchanged
usage-results-damaged = { $name } is damaged and is left unchanged: its table `{ $table }` is not that of a results file
usage-other-database = { $name } is not a results file; it is left unchanged
usage-beyond = --at { $at }: { $file } has { $events }
usage-explain-nothing = nothing is recorded in line { $line } of { $file }
usage-explain-line = line { $line } of { $file } is { $what }, which says nothing about the state
explain-after-fault = event { $number } is after this line, so it cannot be judged
explain-line-after-fault = line { $line } cannot be explained because of this
explain-may-lead = { $after }; { $options } may lead there
usage-beyond-explain = --explain { $at }: { $file } has { $events }
show-beyond-end = { $words }, so this place is after its end
show-before-fault = { $words }; { $count } can be shown before its fault (`{ $option }`)
usage-unknown-state = { $file } has `unknown` parts, so its state is unknown; { $ways }{ $open }
usage-unknown-view = { $file } has `unknown` parts, which { $player } need not know, either; { $ways }{ $open }
unknown-way-at = `--at` shows an earlier state
unknown-way-before = `--at` with a smaller number shows an earlier state
unknown-way-as = `--as` shows what a player knows who has seen everything that this player may see
unknown-way-all = without `--as` everything that is known is shown
usage-unknown-end = { $file } has `unknown` parts, so a play cannot continue from its end{ $open }
usage-unknown-begin = { $file } has `unknown` parts, so no play can begin at its end
usage-of-other-game = { $file } is a log of `{ $other }`, not of `{ $game }`
usage-position-of = { $file } is of `{ $other }`, not of `{ $game }`
usage-ends = { $file } ends with a result: { $words }
usage-resume-or-from = --resume continues a log, and --from begins a new play; give only one of them
usage-resume-table = --resume takes the table from the log; leave out --names and the table options
usage-from-table = --from takes the table from the position; leave out the table options
usage-resume-file = --resume needs a file, because the standard input is for typing moves
usage-layout = no line can be added to { $name }, because of its layout; name another file with --save FILE
usage-stdin-stays = { $option } writes to files, but the standard input is not a file
usage-no-fingerprint = no fingerprint can be written into { $name }, because of its layout
usage-out-or-in-place = --out writes new files and --in-place changes the old ones; give only one of them
usage-out-or-to = give the file to write as OUT, or the format with --to
usage-out-ending = { $name }: this ending does not determine the format; choose .jsonl, .yaml or .ludexlog, or use --to
usage-several-logs = { $name } contains { $count } logs, and a file in this form contains one; use --to, and a folder as OUT
usage-yaml-name = { $name }: the name of the log must end in .yaml
usage-report-alone = --report takes no GAME and no other option: its schema is the same for every game
usage-no-schema = name a GAME, or what to print the schema of with --report
usage-no-components = `{ $game }` has no component file
usage-with-moves = the table options need --moves
usage-one-game = --moves takes only one GAME
usage-position-of-log = --format position needs a log; --merged shows a game
usage-position-of-all = --format position writes the whole state; use it only with `--as { $all }`
usage-for-log = { $option } needs a log; --merged shows a game
usage-for-merged = { $option } needs --merged, which shows a game; this shows a log
usage-nobody = there is no player `{ $name }` at the table; the players are { $known }; `{ $all }` shows everything
usage-no-edition = `{ $game }` has no edition `{ $edition }`; it has { $names }
usage-no-editions = `{ $game }` has no edition `{ $edition }`: it has only one text
usage-no-code = there is no code `{ $code }`: { $hint }
usage-all-codes = { $page } lists all codes
note-shipped-game = note: `{ $name }` is the game that comes with Ludex; `{ $path }` is the one in this folder
wrote-two = wrote { $one } and { $other }
over-endings = { $endings }, or these with { $packed }
walk-legal = event { $number }: { $event } is legal
walk-may-be-legal = event { $number }: { $event } may be legal; not everything before it is known
walk-unseen-legal = event { $number }: { $event } may be legal; not all parts of it are known
walk-illegal = event { $number }: { $event } is not legal
walk-holds = holds
walk-fails = fails
walk-open = may hold
part-true = line { $line } (events up to here: { $events }): { $what } that holds
part-false = line { $line } (events up to here: { $events }): { $what } that does not hold
part-open = line { $line } (events up to here: { $events }): { $what } that may hold; not everything before it is known
migrate-refused = the log is not legal by the changed rules
migrate-refused-now = legal by the old rules; by the changed ones: { $message }
migrate-changed = changed: { $names }
migrate-declines = the changed rules infer other omitted declines
migrate-after = after { $event }
migrate-at-beginning = at the beginning
migrate-differs = { $place }, { $what }: { $before } by the old rules, { $after } by the changed ones
migrate-differs-first = the games differ from here on: { $difference }
migrate-outcomes-of = outcomes of { $clause }
migrate-with-share = { $outcome } with { $share }
migrate-not-old = the log is not legal by the old rules
migrate-unknown = without the old rules, it is unknown whether { $what } are unchanged
migrate-unclaimed = its { $names } and its states
migrate-between-claims = its states between the claims
migrate-unknown-hint = give the old rules with --from-spec, or claim the old values in the log
migrate-no-completion = legal by the old rules, but illegal by the changed ones for all values of the log's unknown parts
migrate-all-differ = the play by the changed rules differs for all values of the log's unknown parts
migrate-each-differs = the play by the changed rules differs for all values of the log's unknown parts, for example: { $difference }
migrate-some-differ = the log's unknown parts determine whether the change affects it
migrate-too-many = the log leaves too much unknown: there are too many possible games to compare by both rules
migrate-undecided-hint = claim the old values in the log, or migrate it undecided with { $option }
migrate-unseen-pieces = the unseen pieces
migrate-awaited = what is awaited
migrate-to-move = who is to move
migrate-outcomes = the outcomes of chance
migrate-points = the points
migrate-winners = the winners
migrate-of-scores = scores
migrate-of-winners = winners
migrate-awaits-chance = chance
migrate-awaits-move = move
migrate-awaits-nothing = nothing
migrate-settings = { $file }: the header must name values that are no longer defaults: { $settings }
migrate-can = { $file }: can be migrated
migrate-can-written = { $file }: can be migrated, written to { $place }
migrate-cannot = { $file }: cannot be migrated
migrate-undecided = { $file }: undecided, not migrated
migrate-sum = { $logs }: { $can-grouped } can be migrated, { $cannot-grouped } cannot
migrate-sum-undecided = { $sum }, { $count-grouped } undecided
no-game = there is no game `{ $name }`
no-game-file = there is no file or folder `{ $name }`
not-a-spec = `{ $name }` is not a spec: the name of a spec ends in `{ $suffix }`
not-a-spec-log = if it is a log, { $judge } judges it, and { $show } shows it
not-a-spec-beside = name the folder `{ $folder }`: its game names the data that it uses; { $log }
no-game-in-folder = there is no game file in the folder `{ $name }`
no-game-in-folder-hint = a game is a file such as `{ $sample }`
several-games = the folder `{ $name }` holds several games
several-games-hint = name one of { $names }
shipped-games = shipped games: { $names }

## The page of a code

explain-error = { $code } { $name }, an error
explain-warning = { $code } { $name }, a warning
explain-mend = To mend it: { $words }
explain-mended = Mended:
explain-in-english = The page of this code is in English.

## Positions

from-expected = a position, or the path of a file that contains one
from-no-file = the log begins in a position from the file { $name }, but there is no such file
from-looked = the path of a position is relative to the log's folder or to the current folder
from-never-here = the play is never at this place with these remaining steps
from-rules-fail = the play does not go on from this position: { $message }
from-unreachable = it may be a position that no play reaches: check its values
from-is-log = { $file } is a log, but a position is needed: a header with the position in `from`, and no events
from-is-log-hint = `{ $command }` writes the position at any event of a log
from-file-fault = { $file }: { $message }
from-unread = { $file } cannot be read as a position
from-unread-hint = `{ $command }` says what is wrong with it
from-forbidden = the log begins in a position from the file { $name }, which logs may not name here
from-forbidden-hint = write the position itself into `from`
from-other-game = the position is of another game: { $setting } is { $found }, not { $wanted }
position-empty-file = the position file is empty
a-position = a position
position-expected = a position, with { $members }
position-the-game = the game
position-a-place = a place in the flow
position-this-place = this place
position-under-way = what has begun here
position-this = this
position-by-name = what the states and zones hold, by their names
position-list-of-pools = a list of pools, each a list of pieces
position-empty-pool = no zone contains a piece of pool { $pool } (written `{ $sign }`)
position-pool =
    pool { $pool } contains { $count ->
        [one] { $count } piece
       *[other] { $count } pieces
    }, but `{ $sign }` is written for { $unseen }
position-no-pool = `{ $sign }` is written for { $unseen }, but `unseen` has no pool { $pool }
position-pools = each unseen piece (`{ $sign }`) must belong to a pool in `unseen`, and each pool must contain as many pieces as are unseen
position-a-player = a player
position-its-index = its index
position-contents-by = the contents, by name: { $what }
position-no-such = there is no { $name } here
position-twice = { $name } occurs twice here
position-name-is = it is { $what }, such as { $sample }
position-rows =
    { $count } { $count ->
        [one] row
       *[other] rows
    } of signs
position-signs =
    a text of { $count } { $count ->
        [one] sign
       *[other] signs
    }, with a space between two signs
position-signs-found =
    { $count } { $count ->
        [one] sign
       *[other] signs
    }
position-sign-unknown = { $name } cannot contain { $sign }, the sign in column { $column }
position-the-signs = the signs are { $signs }
position-list-of-pieces = a list of pieces
position-most-pieces =
    at most { $count-grouped } { $count ->
        [one] piece
       *[other] pieces
    }
position-flow = the place in the flow, or `{ $over }`
position-place = a place such as { $sample }, or an object with the place `{ $member }`
position-place-name = the name of a place in the flow
position-several-places = a play can be at several places in { $name }
position-never-waits = a play never waits for an event at { $name }
position-never-inside = a play never continues inside a move or a procedure at { $name }
position-the-places = the places are { $names }
position-turn-unclear = it does not follow from the position at which place { $player } is to move
position-turn-nowhere = in this position there is no place at which { $player } is to move
position-turn-places = the place is { $places }; the numbers and values are samples
position-turn-more = { $count } more
position-seen-open = { $sign } is a piece that nobody has seen, but everybody sees what is in { $name }
position-seen-private = { $sign } is a piece that nobody has seen, but each player sees what is in their own { $name }
position-values-by-name = values by name
position-lacks-player = the place lacks `{ $name }`, the acting player
position-lacks-needed = the place lacks `{ $name }`, a value that is needed later
position-lacks-players = the place lacks `{ $name }` in `left`: the remaining players of this loop
position-lacks-items = the place lacks `{ $name }` in `left`: the remaining items of this loop
position-left = what remains of the loops, by clause
position-to-come = a list of what remains
position-loops-to-come = a list of { $count }: what remains of each loop of { $name }
position-how-often = how often { $name } is still repeated
position-option-number = the number of an option
position-option-action = the action of option { $number }, { $action }
position-still-drawn = how many pieces are still to be drawn
position-within = { $what }, from { $low } to { $high }
position-place-of = a place of { $name }, such as { $sample }
position-passed = a play does not stop here: nobody has a decision to make, or there is no unseen piece to turn up
position-created = the position has { $count } of { $piece }, but the game has { $has }
position-lost = the position has { $count } of { $piece }, but the game always has { $has }
position-lies-in = it is in { $places }
position-stands-for = it is in { $places }; one of them may have to be { $missing }, which the position does not have
position-breaks = the position breaks { $clause }
position-none = none

## Text logs

tag-game = the game
tag-players = the players, in the order of their seats
tag-edition = the text of the rules that was used
tag-silence = what applies where that text says nothing
tag-fingerprint = the version of the rules
tag-from = the position in which the play begins
tag-option = an option of the game
tag-reading = the chosen reading of an unclear rule
tag-id = the club's id for a player
tag-event = where the game was played: tournament, club evening
tag-site = the place
tag-date = the date
tag-round = the round
tag-table = the table
tag-recorder = who wrote it down
tag-language = the language of the moves
text-number = the number { $found } is out of order: { $expected } was expected
text-number-hint = write the missing lines before it, or correct the number; the moves are judged anyway
text-other-notation = { $sign } cannot be read here
text-comment-hint = a comment goes at the end of a line, after `#`: write { $comment }
text-result-hint = write, on a line of its own, { $ways }
text-claim-move = `claim` states a fact here; for the move write `{ $move }`
text-action-meant = did you mean { $ways }?
text-claim-hint = the possible claims are `scores 3, 4`, `winners { $player }`, `over`, and what a state or zone holds, as in `round = 3`
text-unfinished-hint = leave it out: a log may end before its game does
typed-one-move = one move is typed at a time, and { $move } is the next one
typed-first = type { $move } first
typed-in-log-only = { $part } is for logs, and is not typed here
typed-instead = type a move, or a result such as `result agreed`; `--save FILE` writes the log, where it can be added
text-leave-out-hint = leave it out, or write it in a comment after `#`
text-tag-hint = write { $tag } above the first blank line
text-tags-hint = write { $tag }; the tags `Game: NAME` and `Players: NAME, NAME` are required as well
text-comment-sign = a comment comes after `#`
text-no-player = the move does not name its player, and it is not known whose turn it is
text-several-movers = the move does not name its player, and { $players } may move here
text-no-player-hint = write the player before the move: { $moves }
text-expected = expected { $expected }
text-blank-line = a blank line ends the header
text-twice = this occurs twice in the header
text-two-lines = write two lines: { $first } and { $second }
text-line-in-header = this is a line of the player { $player }, and the header has not ended
text-line-in-header-hint = a blank line ends the header, so write one before this line; a tag of this name is { $tag }
text-after-quotation = nothing after the quotation mark
text-nothing-more = nothing more
text-line-begins = a move begins with its player and `:`, points and winners with `claim`, an early end with `result`; `ludex games { $game } --moves` lists all
text-semicolon = `;` or the end of the line
text-claimed-twice = `{ $word }` is claimed twice in this line
text-player-or-points = a player or points
text-points-of-each = the points of each player by name, or of all players by seat
text-what-is-claimed = a claim

## Walking through an event

walk-from = { $argument } from { $domain }
walk-what-is-there = what is there
walk-applies = `{ $clause }` applies
walk-more = { $count-grouped } more
walk-outcome = { $outcome } ({ $share })
walk-perhaps = perhaps { $fact }
walk-and-others = and others
part-after-declines = perhaps true after declines that the log leaves out
part-points =
    { $player } has { $points } { $points ->
        [one] point
       *[other] points
    }
part-winners = winners: { $winners }
part-no-winner = winners: nobody
part-is = { $name } is { $value }
part-holds = { $name } holds { $value }
part-size = { $name } has the size { $size }
part-result = { $how }; { $winners }
part-recorded = recorded: { $value }
part-in-play = in the play: { $value }
part-as-begun = as at the beginning

## The notation of events

notation-unclosed-text = this quotation mark is not closed
notation-bad-escape = after a backslash, only the escapes of JSON are allowed
notation-unclosed = this `{ $bracket }` is not closed
notation-too-long = there are too many words, signs and other parts here; the limit is { $count-grouped }
notation-too-deep = brackets are nested more than { $count } levels deep
notation-expected = expected { $expected }, found `{ $found }`
notation-expected-end = expected { $expected }, but the text ends here
notation-a-value = a value
notation-signs = `{ $first }` or `{ $second }`
notation-sign = `{ $sign }`
notation-event = expected a move, `{ $move }`, or an outcome, `{ $outcome }`
notation-move = expected a move, `{ $move }`
notation-outcome-sign = an outcome of chance is written with `=`, a move with `:`
notation-colon-missing = `:` is missing after the player, { $player }
notation-colon = a move begins with its player and `:`
notation-several-outcomes = several outcomes are written on one line as `{ $deal }`
notation-no-player = expected a player before `:`
notation-an-action = an action
notation-too-many =
    { $count ->
        [0] { $action } takes no value; `{ $found }` is one too many
        [one] { $action } takes 1 value; `{ $found }` is one too many
       *[other] { $action } takes { $count } values; `{ $found }` is one too many
    }
notation-outcome-line = an outcome of chance needs a line of its own: write `{ $form }`
notation-too-few = { $action } needs { $needed }, but the text ends here
notation-needed = `{ $name }` ({ $form })
notation-form = expected { $form }
notation-form-of = expected { $type } as { $form }
notation-parts = `{ $sign }` may also be written `{ $parts }`
notation-alone = expected only { $word }
notation-write = write { $form }
notation-unknown-word = `{ $word }` is not a word of the game
notation-doubtful = `{ $word }` could mean { $meanings }
notation-write-one = write one of these names
cheat-title = { $title }: moves and outcomes
cheat-move = MOVE
cheat-chance = CHANCE
cheat-line = OTHER LINES
cheat-deal = cards that one player gets, in any order
cheat-in-a-row = several successive outcomes, in their order
cheat-gap = any number of events that were not recorded
cheat-gap-chance = any number of chance events
cheat-gap-count = this number of events
cheat-clock = the time on a clock, after a move
cheat-name =
    { $number ->
        [1] Anna
        [2] Boris
        [3] Clara
        [4] David
        [5] Elena
        [6] Fyodor
       *[7] Galina
    }
cheat-bare = moves with numbers and without players, if the rules determine whose turn it is
cheat-scores = the points (checked)
cheat-winners = the winners (checked)
cheat-over = the game is over (checked)
cheat-not-over = the game goes on (checked)
cheat-cell = what a state or zone holds (checked)
cheat-size = how many pieces a zone holds (checked)
cheat-cells = States and zones
cheat-resigned = a player resigned
cheat-time = a player ran out of time
cheat-agreed = the players agreed on a draw
cheat-adjudicated = an arbiter decided who wins
cheat-abandoned = the game was broken off
cheat-typed = tags, the words `deal`, `to`, `gap`, `clock`, `claim`, `result`, and the words after them are the same in every language; words of the game may be written with spaces or `_`
cheat-names-too = `{ $word }` may also be written by its name in the rules, { $names }; this is true of every word of the game
cheat-notation = IN THE NOTATION
cheat-example = EXAMPLE
cheat-begin = A text log, a file NAME.ludexlog, begins like this, followed by an empty line:
cheat-short = `{ $name }` may be written `{ $short }`: the last name of a path is enough
cheat-begins = the first words of the name of an action or a chance event are enough, if no other name begins with them; for a chance event, also if it belongs to the move before it
cheat-hint = `?` means that the writer did not see it; text after `#` is a comment
games-head-game = GAME
games-head-players = PLAYERS
games-head-editions = EDITIONS
games-head-options = OPTIONS
games-head-title = TITLE
games-titles = titles
games-players = players
games-editions = editions
games-texts = texts
games-options = options
games-fork = fork
games-default = default
games-folder = folder
it-has-nothing = it has nothing
awaited-for = { $awaited } for { $player }

## The report of ludex diff (cli/diff_report)

diff-contradiction = The texts contradict each other
diff-duty = What players must, may or must not do
diff-omission = What a text leaves out
diff-vagueness = What a text leaves open
diff-lacuna = What lies beyond the end of a text
diff-ruling = House rulings: no text says it
diff-summary = What only a summary leaves out
diff-silent = nothing about it
diff-unworded = a rule that nobody has put into words yet
diff-open = the lines can be read as
diff-or = or as
diff-both = one passage says
diff-and-both = another says
diff-so-or = the lines can be read in the same way, or as
diff-lost = cut here
diff-near = near
diff-adds = if one adds
diff-more = and { $n } more
diff-cut = ends before what other texts say at { $at } ({ $n })
diff-legal-moves = changes what may be done
diff-score = changes points or the winner
diff-setup = changes the set-up
diff-binds-play = concerns play, by the lines
diff-binds-score = concerns points or the winner, by the lines
diff-binds-setup = concerns the set-up, by the lines
diff-none = no game that shows it was found
diff-unknown = not played
diff-decide = Decision
diff-undecided = not decided yet
diff-decided = decided
diff-changed = changed since it was decided
diff-new = new
diff-d-same = the texts say the same
diff-d-differ = the texts differ
diff-d-reading = this is one possible reading of the lines
diff-d-publisher = the publisher has to say
diff-counts = the text that counts
diff-neither = none is chosen
diff-comment = Comment
diff-earlier = decided before
diff-why = Why
diff-readers = readers of the lines
diff-clauses = Clauses
diff-lines = Lines
diff-details = Lines, game, reasons
diff-kind = Kind
diff-effect = At the table
diff-what-differs = What differs
diff-section = Section
diff-about = About
diff-name = Name
diff-state = State
diff-game = A game that shows it
diff-player = player
diff-players = players
diff-events-before = events before that
diff-here = here they differ
diff-tables = from here the tables differ
diff-at-the-end = The play is over
diff-at-the-start = The play begins
diff-allows = this may be done
diff-refuses = this may not be done
diff-stops = the rules do not say what happens next
diff-goes-on = play goes on
diff-points = points
diff-what = What changes
diff-before = before
diff-after = after
diff-nothing = nothing
diff-table-before = The table before it
diff-whole = Both games as a whole
diff-one-form = Both have the same normal form: they are the same game
diff-all-plays = Every possible play was compared: they are the same game. Positions: { $positions }; tables: { $tables }
diff-parted = A game shows that they differ
diff-not-found = No game that shows a difference was found within these bounds. Events: { $events }; plays: { $plays }; players: { $players }
diff-not-played = They were not played against each other
diff-timed-out = the time limit stopped it
diff-other-texts = Compared in the text “{ $text }”; these texts differ, too: { $others } (ludex diff A B TEXT)
diff-incomplete = NOT COMPLETE: the search for games was stopped; rows marked as not played may still change a game
diff-parting = where the texts differ
diff-no-parting = Nowhere, as far as is known.
diff-folded = Not shown: rows that bind nobody or concern only a summary (--all)
diff-rest = Rows that bind nobody or concern only a summary
diff-search = Search
diff-show = Show
diff-all-rows = all
diff-download = Download the rulings
diff-open-all = Open all rows
diff-close-all = Close all rows
diff-skip = Skip to the rows
diff-kept = Decisions are kept in this browser until they are downloaded.
diff-not-kept = This browser keeps nothing: download before you close the page.
diff-no-rows = No rows match.
diff-keys = Keys: / search, j and k next and previous row, o opens or closes it.
