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
write = напишите { $text }
such-as = например, { $sample }

## Files

file-is-folder = это папка
file-is-pipe = это канал или устройство, и конца может не быть
file-pipe-hint = там, где команда принимает `-`, она читает стандартный ввод: { $sample }
file-link-leads-nowhere = эта ссылка не ведёт ни к какому файлу
file-missing = такого файла нет
file-unreadable = файл не читается: { $reason }
file-too-large = в файле больше { $megabytes } МБ
file-other-encoding = файл в кодировке { $encoding }, а не в UTF-8
file-binary = это не текст: в нём есть нулевой байт
save-as-utf8 = сохраните файл в UTF-8
save-as-utf8-old = сохраните файл в UTF-8; возможно, он в старой кодировке, например Windows-1251
not-utf8 = байт { $byte } не может быть в UTF-8
not-utf8-lines =
    { $message }; то же ещё в { $count } { $count ->
        [one] строке
        [few] строках
       *[many] строках
    }

## YAML

yaml-too-long =
    в файле { $count } { $count ->
        [one] знак
        [few] знака
       *[many] знаков
    }; читается не больше { $most }
yaml-character-in-file = знак { $character } в текстовом файле недопустим
yaml-character-in-text = в этом тексте есть знак { $character }
yaml-number-too-large = число после этого `\U` или `%YAML` слишком велико
yaml-second-document = здесь начинается второй документ
yaml-tag = перед этим значением стоит тег ({ $tag })
yaml-too-deep =
    списки и поля вложены здесь глубже, чем на { $levels } { $levels ->
        [one] уровень
        [few] уровня
       *[many] уровней
    }
yaml-name-is = имя этого поля: { $what }
yaml-a-list = список
yaml-a-group = группа полей
yaml-no-text = число, true, false или ничего
yaml-quote-name = возьмите его в кавычки
yaml-quote-comma = текст с запятой нужно взять в кавычки
yaml-repeated-field = { $name } указано дважды среди одних и тех же полей
also = { $name } тоже
here-already = оно уже есть здесь
yaml-leading-zero = число { $number } начинается с нуля
yaml-anchor = `{ $sign }` даёт значению имя, чтобы использовать его в нескольких местах
yaml-alias = `{ $sign }` повторяет значение, названное в другом месте
more-in-file = { $message } (и ещё { $count } в этом файле)
begins-here = начинается здесь
yaml-quotes = возьмите текст в кавычки
yaml-tab = здесь табуляция; в YAML допустимы только пробелы
yaml-value-begins = значение не может начинаться со знака { $sign }
yaml-neither = это не поле (`name: value`) и не элемент списка (`- value`)
yaml-neither-hint = после имени поля стоят двоеточие и пробел
yaml-item-here = элемент списка (`- ...`) здесь начинаться не может
yaml-item-hint = начните его с новой строки или возьмите в кавычки текст, который начинается с дефиса
yaml-colon-here = двоеточие начинает здесь поле, которого тут быть не может
yaml-colon-hint = возьмите в кавычки текст с двоеточием; или исправьте отступ либо двоеточие в строке выше
yaml-quote-open = эта кавычка не закрыта
yaml-quote-open-document = эта кавычка не закрыта до строки `---`
yaml-backslash = обратная черта перед { $sign } в тексте в двойных кавычках ничего не значит
yaml-backslash-hint = напишите две обратные черты или возьмите одинарные кавычки
yaml-short-escape = код с обратной чертой в этом тексте слишком короткий
yaml-two-backslashes = напишите две обратные черты
yaml-bracket-open = эта скобка не закрыта
yaml-bracket-hint = закройте её знаком { $sign }
yaml-comma = перед этим не хватает запятой или закрывающей скобки { $sign }
yaml-comma-hint = текст с запятыми, двоеточиями или скобками берут в кавычки
yaml-stray-sign = знак { $sign } здесь ничего не закрывает и не разделяет
yaml-no-continuation = это не продолжает строки выше
yaml-no-continuation-hint = сделайте отступ точно как у соседей; текст с кавычками внутри берут в кавычки целиком
yaml-value-missing = перед { $sign } не хватает значения
yaml-stranger = это не относится ни к чему выше
yaml-stranger-hint = проверьте отступ; весь файл - одна группа полей
yaml-reference-sign = знаки & и * начинают ссылку, а имени за ними нет
yaml-tag-sign = знак ! начинает тег, а это не тег
yaml-block = после | или > текст начинается со следующей строки
yaml-block-hint = возьмите в кавычки текст, который с них начинается
yaml-directive = строка, которая начинается с %, - директива YAML
yaml-unreadable = это не читается как YAML
yaml-question-mark = значение не может начинаться со знака ?

## Logs as text

log-empty = запись пуста
log-too-large = в записи больше { $megabytes } МБ или { $lines-grouped } строк; она прочитана до этого места
log-broken-letter = строка обрывается здесь, посреди буквы
log-skipped =
    не читается { $count } { $count ->
        [one] строка
        [few] строки
       *[many] строк
    }; строки за ними, до строки { $last }, пропущены
log-no-object = строка записи - объект в фигурных скобках; здесь: { $found }
log-blank-line = эта строка пуста
log-blank-lines = эта строка пуста (и ещё { $count })
log-shape = запись: { $found }; должны быть поля со списком `events`
log-events-shape = `events`: { $found }; должен быть список
json-too-deep =
    объекты и списки вложены здесь глубже, чем на { $levels } { $levels ->
        [one] уровень
        [few] уровня
       *[many] уровней
    }
json-repeated-member = в объекте два поля { $name }
json-keep-one = оставьте одно из двух
json-missing = не хватает: { $what }
json-missing-before = перед { $sign } не хватает: { $what }
json-colon = двоеточие после имени { $name }
json-comma-member = запятая перед следующим полем или `{ $sign }` в конце объекта
json-comma-item = запятая перед следующим элементом или `{ $sign }` в конце списка
json-comma-closing = перед закрывающей `{ $sign }` стоит запятая
json-remove-comma = уберите запятую
json-half-character = в этом тексте половина знака: один `\ud...` из пары без другого
json-many-digits =
    в числе { $digits } { $digits ->
        [one] цифра
        [few] цифры
       *[many] цифр
    }; числа длиннее { $most } цифр не поддерживаются
json-no-number = это не число JSON
json-not-a-number = { $text } - не число JSON
json-remove-zero = уберите ноль в начале
json-breaks-off = строка обрывается здесь: { $message }
json-second-object = на этой строке есть второй объект
json-after-end = после конца объекта идёт { $sign }
json-object-open = объект, начатый в столбце { $column }, не закрыт
json-name-unquoted = имя { $name } без кавычек
json-double-quotes-names = пишите имена и тексты в двойных кавычках
json-double-quotes-texts = пишите тексты в двойных кавычках
json-name-expected = ожидается имя поля, указано: { $sign }
json-no-value = { $word } - не значение JSON
json-text-unquoted = текст { $text } без кавычек
json-value-missing = не хватает значения
json-byte-order-mark = здесь метка порядка байтов, как там, где соединили два файла
json-byte-order-mark-hint = уберите её: она может быть только в начале файла
json-value-expected = ожидается значение, указано: { $sign }
json-text-open = текст, начатый в столбце { $column }, не закрыт
json-close-with = закройте его знаком `{ $sign }`
json-no-escape = `{ $escape }` - не escape-последовательность JSON
json-backslash = обратная черта пишется { $sample }
json-control-character = в тексте управляющий знак { $character }
json-control-hint = напишите его как { $escape } или уберите

## The header

the-header = заголовок
format-version = версия формата { $version }
name-of-game = название игры
number-or-names = число игроков или список их имён
a-text = текст
a-date = дата, например { $samples }
tags-by-name = метки по именам
ids-by-name = обозначения игроков по именам
header-no-version = в заголовке нет `ludex`, версии формата ({ $version })
header-begin-with = начните его с { $sample }
header-add = добавьте { $sample }
log-no-header = запись не начинается с заголовка
at-least-one-player = хотя бы один игрок
a-name = имя
a-name-no-number = имя, а не число: число - это место
same-name = у двух игроков имя { $name }
same-name-hint = дайте каждому игроку своё имя
options-by-name = опции по именам
readings-by-name = прочтения по именам
name-of-reading = название прочтения

## Lines

a-move = ход
the-move = ход
a-chance-event = случайное событие
the-chance-event = случайное событие
a-result = итог
the-result = итог
a-result-by = итог `{ $way }`
a-claim = утверждение
the-claim = утверждение
a-deal = раздача
the-deal = раздача
a-gap = пропуск
list-of-cards = список карт
list-of-so-many-cards = список карт, от 1 до { $count }
length-of-gap = true, "{ $word }" или число пропущенных событий, от 1 до { $count }
a-claim-or-note = утверждение или заметка
a-claim-about-cell = утверждение о состоянии или зоне
the-claim-about = утверждение о { $name }
a-time = время, например { $sample }
both-move-and-chance = строка - и ход, и случайное событие
write-on-own-line = пишите каждое событие на отдельной строке
name-of-action = название действия
name-of-an-action = название действия
clause-that-raises = пункт правил, по которому оно происходит
second-header = это второй заголовок
seat-or-name = номер места или имя игрока
no-such-action = { $game }: действия { $name } нет
no-such-chance = { $game }: случайного события { $name } нет
in-the-edition = { $message } (редакция { $edition })
the-game-has = в игре есть { $names }
no-chance-events = в игре нет случайных событий
arguments-by-name = аргументы действия по именам
how-it-came-out = чем оно закончилось
path-of-clause = путь к пункту правил
belongs-in-args = место для { $names } - в `args`
numbers-of-pools = номера пулов, через которые прошёл компонент
no-event-has = поля { $name } нет ни у какого события
unclear-line = строка - не ход, не случайное событие, не утверждение и не заметка
unclear-line-hint = у хода есть поле "action", у случайного события - поле "chance"

## Claims and results

one-or-more-of = одно или несколько из { $names }
expected-scores =
    очки { $count } { $count ->
        [one] игрока
        [few] игроков
       *[many] игроков
    } по местам или по именам
expected-winners = список победителей, пустой, если ничья не разрешена
list-of-winners = список победителей
winners-once = каждый победитель только один раз
list-of-cell-claims = список утверждений о состояниях и зонах
what-it-holds = что в нём находится
name-of-cell = название состояния или зоны
list-of-indices = список из { $count }: { $indices }
no-index = без индекса или пустой список
size-needs-pile = утверждение `size` бывает о стопке или мешке, а у { $name } их нет
how-many-pieces = сколько там компонентов
points-needed = целое число очков
object-with = объект с полями { $names }
player-who-ended = игрок, из-за которого партия закончилась
loser-resigned = сдавшийся игрок указан среди победителей
loser-out-of-time = игрок, у которого вышло время, указан среди победителей
one-of-these = одно из { $names }
expected-seat-or-name = номер места от 1 до { $count } или имя ({ $names })
