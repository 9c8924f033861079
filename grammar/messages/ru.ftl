# Русский: docs/languages.md says how an entry is written.

## Lists, and texts put together

list-and = { $first } и { $last }
list-or = { $first } или { $last }
list-nothing = ничего
both = { $first }; { $second }
with-remark = { $text } ({ $remark })
and-more = { $items } и ещё { $count }
did-you-mean = может быть, `{ $word }`?
it-has = есть { $names }

## What a value should be

expected = ожидается { $expected }, указано: { $found }
expected-boolean = true или false
expected-range = целое число от { $low } до { $high }
expected-number = число { $number }
expected-nothing = ничего
expected-seat = номер места от 1 до { $count }
expected-id = обозначение { $name }
expected-one-of = одно из { $words }
words-in-all = ... (слов всего: { $count })
expected-record = { $name } по полям: { $fields }
expected-or-null = { $expected }, или null, если ничего нет
expected-set = список без повторений, каждый элемент: { $item }
expected-list = список, каждый элемент: { $item }
word-with = { $word } с полями { $fields }
word-with-sample = { $word } с данными, например { $sample }
word-alone = просто { $word } (без данных)
field-of-type = { $name } ({ $type })
fields-by-name = поля { $owner } по именам: { $names }
only-fields = только поля { $names }
a-field = поле { $name }
field-needed = поле "{ $name }" ({ $type })
field-lacking = в { $owner } нет "{ $name }"
values-that-make = такие значения { $fields }, которые дают { $name }
items-once = каждый элемент только один раз
found-twice = { $item } во второй раз

## What was found instead

found-number = число { $number }
found-large = очень большое число
found-word = слово { $word }
found-empty-object = пустой { "{" }{ "}" }
found-fields =
    { $count ->
        [one] поле
        [few] поля
       *[many] поля
    } { $names }
found-empty-list = пустой список
found-list = список из { $count }
found-no-json = то, чего в JSON нет

## Members and values of a record

no-such-member = { $owner }: поля { $name } не бывает
member-missing = { $owner }: не хватает поля { $name }
it-holds = в нём указывается { $what }
more-alike =
    { $message }; здесь та же ошибка ещё в { $count-grouped } { $count ->
        [one] месте
        [few] местах
       *[many] местах
    }
misplaced-unknown = `{ $word }` не может быть ни частью значения, ни утверждением
misplaced-unknown-hint = так можно указать действие, аргумент или исход целиком или элементы списка
