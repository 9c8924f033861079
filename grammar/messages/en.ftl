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
